"""Lines of text as they are set and broken: nothing is lost, and they read as one would write."""

import numpy as np
import pytest

from scenes.beats import quoted, split_caption, text_width
from scenes.parts import typeset as setting
from scenes.parts.type import set_line
from scenes.parts.typeset import Line, typeset


def blank_at(weights, monkeypatch):
    """A font that has "q" at these weights, with nothing in it."""
    real = setting._set

    def set_with_gaps(text, weight, others=None):
        is_blank = text == "q" and weight in weights and not others
        return Line((), 10.0, 0.0, 0) if is_blank else real(text, weight, others)

    monkeypatch.setattr(setting, "_set", set_with_gaps)
    setting._is_blank.cache_clear()


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    setting._is_blank.cache_clear()


def test_a_character_whose_glyph_is_blank_is_set_at_another_weight(monkeypatch):
    blank_at({400, 600}, monkeypatch)
    line = typeset("q", 400)
    assert len(line.glyphs) == 1
    assert line.missing == 0


def test_a_character_that_is_blank_at_every_weight_is_missing(monkeypatch):
    blank_at(range(1000), monkeypatch)
    assert typeset("q", 400).missing == 1


@pytest.mark.parametrize("text", ["dₖ", "W_O"])
def test_an_index_goes_below_the_line(text):
    assert set_line(text).points[:, 1].min() < -0.1
    assert set_line(text[0]).points[:, 1].min() > -0.05


@pytest.mark.parametrize("text", ["Kᵀ", "e^(−2.83)"])
def test_an_exponent_goes_above_the_line(text):
    points = set_line(text).points
    assert points[-20:, 1].min() > 0.2


def test_a_name_that_only_looks_like_an_index_is_left_as_it_is():
    assert len(typeset("my_W_Ox").glyphs) == 7


@pytest.mark.parametrize(
    ("caption", "first"),
    [
        ("Rows listen, and add to 1. Columns are heard: “cat” gets 1.64.", "add to 1."),
        ("One word at a time, by hand: that is attention.", "by hand:"),
        ("All eight share: 2 KiB, an eighth. Eight queries still ask.", "eighth."),
        ("4 words, vectors of 64 numbers, 4 bytes each: 16 KiB in one layer.", "numbers,"),
        ("With 200 entries, divide by √200 = 14.14: the first shares again.", "14.14:"),
    ],
)
def test_a_caption_breaks_where_one_pauses(caption, first):
    (lines,) = split_caption(caption)
    assert lines[0].endswith(first)


def test_a_number_keeps_its_unit():
    (lines,) = split_caption(
        "8,192 tokens in 6 layers: 192 MiB, 48 MiB or 24 MiB, read for every new token."
    )
    assert not lines[1].startswith("MiB")


def test_a_word_that_turns_letters_round_turns_nothing_around_it():
    turned = set_line(f"Most of it: {quoted(chr(0x202E) + 'abc')} and 0.73.")
    plain = set_line(f"Most of it: {quoted('abc')} and 0.73.")
    end = set_line("and 0.73.").points[:, 0]
    assert turned.missing == 0
    for line in (turned, plain):  # the end of the sentence is drawn as it would be alone
        assert np.allclose(np.diff(line.points[-len(end) :, 0]), np.diff(end))
    assert text_width(quoted(chr(0x202E) + "abc")) == text_width(quoted("abc"))
