from __future__ import annotations

import copy
import pickle

import msgspec
import pytest

from engine.presets import load_preset
from engine.sentence import attention_of
from export.readings import NOTED, places_read, read_at, unread, watched
from scenes.reordered import in_order

WORDS = ("words", "words[0]", "words[1]", "words[2]", "words[3]")


@pytest.fixture
def sentence():
    return load_preset("two-heads")


def test_nothing_is_read_before_somebody_looks(sentence):
    assert places_read(watched(sentence)) == ()


def test_a_word_that_is_read_is_noted_and_no_other(sentence):
    seen = watched(sentence)
    assert seen.words[1] == sentence.words[1]
    assert places_read(seen) == ("words[1]",)


def test_how_many_there_are_is_noted_by_itself(sentence):
    seen = watched(sentence)
    assert len(seen.words) == 4
    assert places_read(seen) == ("words",)


@pytest.mark.parametrize(
    "read",
    [
        tuple,
        list,
        sorted,
        set,
        hash,
        repr,
        " ".join,
        pickle.dumps,
        lambda words: [*words],
        lambda words: words[:],
        lambda words: words == ("a", "b"),
        lambda words: ("a", "b") == words,  # noqa: SIM300
        lambda words: words + ("more",),  # noqa: RUF005
        lambda words: ("more",) + words,  # noqa: RUF005
        lambda words: "nowhere" in words,
        lambda words: list(zip(words, words)),
        lambda words: list(reversed(words)),
        lambda words: tuple(copy.deepcopy(words)),
        lambda words: tuple(copy.copy(words)),
        lambda words: max(words, key=len),
    ],
)
def test_whatever_reads_all_words_is_seen_to(sentence, read):
    seen = watched(sentence)
    read(seen.words)
    assert places_read(seen) == WORDS


def test_what_can_only_read_tuples_is_refused_rather_than_missed(sentence):
    seen = watched(sentence)
    with pytest.raises(TypeError):
        msgspec.json.encode(seen)


def test_a_word_counted_from_the_end_depends_on_where_that_is(sentence):
    seen = watched(sentence)
    assert seen.words[-1] == sentence.words[3]
    assert places_read(seen) == ("words", "words[3]")


def test_a_word_that_is_not_there_depends_on_how_many_are(sentence):
    seen = watched(sentence)
    with pytest.raises(IndexError):
        seen.words[4]
    assert places_read(seen) == ("words",)


def test_attention_by_one_head_reads_no_word_and_no_other_head(sentence):
    seen = watched(sentence)
    attention_of(seen, 1)
    assert "heads[1]" in places_read(seen)
    assert not {"heads[0]", "words[0]"} & set(places_read(seen))


def test_a_changed_copy_notes_what_is_read_of_the_first(sentence):
    seen = watched(sentence)
    warmer = msgspec.structs.replace(seen, temperature=2.0)
    in_order(warmer, [3, 2, 1, 0])
    assert set(WORDS[1:]) <= set(places_read(seen))
    assert {"heads[0]", "heads[1]"} <= set(places_read(seen))


def test_no_scene_gets_the_title(sentence):
    assert sentence.title
    assert watched(sentence).title == ""


def test_what_is_left_unread_holds_nothing_of_what_is_noted(sentence):
    left = unread(sentence)
    assert all(not getattr(left, name) for name in NOTED)
    assert left.focus == sentence.focus


def test_a_place_says_what_stands_there(sentence):
    assert read_at(sentence, "words") == 4
    assert read_at(sentence, "words[2]") == sentence.words[2]
    assert read_at(sentence, "heads[1]") == sentence.heads[1]
    assert read_at(sentence, "words[9]") is None
    assert read_at(sentence, "asks") is None


@pytest.mark.parametrize("place", ["title", "words[", "words.0", ""])
def test_what_is_not_noted_is_no_place(sentence, place):
    with pytest.raises(ValueError, match="no place"):
        read_at(sentence, place)
