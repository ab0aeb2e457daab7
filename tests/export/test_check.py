"""A document checked: valid, and worked out a second time with other arithmetic."""

from __future__ import annotations

import dataclasses
import json
import math
from decimal import Decimal
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Head, Sentence, attention_of, sinusoidal_positions, write_sentence
from engine.presets import load_preset, preset_names
from export import check
from export.check import exact_attention, largest_difference, rounding_explains
from export.cli import main

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "the-cat-sat-down.json").read_text("utf-8")
)


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.byhand.json"
    write_sentence(load_preset(), path)
    return path


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.byhand.json"
    path.write_text('{"byhand": 99}')
    return path


# The second calculation


@pytest.mark.parametrize(
    ("case", "settings"),
    [("plain", {}), ("causal", {"causal": True}), ("unscaled", {"scaled": False})],
)
def test_the_second_calculation_gives_the_golden_numbers(post, case, settings):
    exact = exact_attention(msgspec.structs.replace(post, **settings))
    for name, golden in GOLDEN["cases"][case].items():
        np.testing.assert_allclose(np.array(exact[name], float), golden, rtol=1e-15)


@pytest.mark.parametrize("settings", [{}, {"causal": True}, {"temperature": 0.01}])
@pytest.mark.parametrize("name", preset_names())
def test_the_engine_agrees_with_it_for_every_preset(name, settings):
    sentence = msgspec.structs.replace(load_preset(name), **settings)
    difference = largest_difference(sentence)
    assert difference.size < 1e-12
    assert rounding_explains(difference, sentence)


NUMBERS = st.floats(-1e6, 1e6) | st.floats(-3, 3) | st.just(1e-300)


@st.composite
def sentences(draw):
    """A valid sentence: vectors or projections, a mask or none, any settings."""
    n, d_k, d_v = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    projected = draw(st.booleans())
    rows, prefix = (2, "w_") if projected else (n, "")

    def matrix(n_rows, width):
        return tuple(tuple(draw(NUMBERS) for _ in range(width)) for _ in range(n_rows))

    vectors = {
        f"{prefix}{role}": matrix(rows, width)
        for role, width in (("query", d_k), ("key", d_k), ("value", d_v))
    }
    look = st.tuples(*[st.booleans()] * n)
    return Sentence(
        byhand=1,
        words=("w",) * n,
        heads=(Head(name="one", **vectors),),
        embeddings=matrix(n, 2) if projected else None,
        mask=draw(st.none() | st.tuples(*[look] * n)),
        positions=draw(st.sampled_from(["none", "sinusoidal"])),
        scaled=draw(st.booleans()),
        causal=draw(st.booleans()),
        temperature=draw(st.floats(0.01, 100)),
    )


@given(sentences())
def test_rounding_explains_all_that_the_engine_is_off_by(sentence):
    difference = largest_difference(sentence)
    assert rounding_explains(difference, sentence), difference


@pytest.mark.parametrize("d_model", [1, 2, 5])
def test_positions_are_worked_out_a_second_time_too(d_model):
    n = 64
    zeros = ((0.0,) * d_model,) * n
    one = ((1.0,),) * n
    head = Head(name="one", query=zeros, key=zeros, value=one)
    sentence = Sentence(byhand=1, words=("w",) * n, heads=(head,), positions="sinusoidal")
    exact = np.array(exact_attention(sentence)["query"], float)
    np.testing.assert_allclose(exact, sinusoidal_positions(n, d_model), rtol=0, atol=1e-14)


def test_it_starts_from_the_digits_in_the_document(post):
    head = msgspec.structs.replace(post.heads[0], query=((0.1, 0.0),) * 4)
    exact = exact_attention(msgspec.structs.replace(post, heads=(head,)))
    assert exact["query"][0][0] == Decimal("0.1")


@pytest.mark.case(9)
def test_a_word_that_may_look_at_nothing_agrees(post):
    mask = ((False,) * 4, *((True,) * 4,) * 3)
    assert largest_difference(msgspec.structs.replace(post, mask=mask)).size < 1e-12


@pytest.mark.case(8)
def test_scores_that_overflow_on_paper_agree(post):
    head = msgspec.structs.replace(post.heads[0], query=((1e3, 1e3),) * 4)
    assert largest_difference(msgspec.structs.replace(post, heads=(head,))).size < 1e-12


@pytest.mark.parametrize("name", ["scores", "scaled", "exp", "total", "weights", "output"])
@pytest.mark.parametrize("fault", [1e-9, math.nan, math.inf])
def test_a_fault_of_the_engine_is_found_and_named(monkeypatch, good, capsys, name, fault):
    def wrong(sentence, head):
        attention = attention_of(sentence, head)
        array = getattr(attention, name).copy()
        array[2] += fault
        return dataclasses.replace(attention, **{name: array})

    monkeypatch.setattr(check, "attention_of", wrong)
    assert main(["check", str(good)]) == 1
    out = capsys.readouterr().out
    assert "DIFFERS from a calculation of 50 digits" in out
    assert f"heads[0].{name}[2]" in out


# The command


def test_a_good_document_is_one_line(good, capsys):
    assert main(["check", str(good)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{good}: checked; 4 words, 1 head, largest difference ")
    assert out.count("\n") == 1


def test_a_broken_document_is_one_line_and_exit_2(broken, capsys):
    assert main(["check", str(broken)]) == 2
    out, err = capsys.readouterr()
    assert err == (
        f"byhand: {broken}: byhand: is 99, of a newer byhand; this one reads 1: update it\n"
    )
    assert out == ""


def test_after_a_broken_document_the_others_are_still_checked(good, broken, tmp_path, capsys):
    absent = tmp_path / "absent.json"
    assert main(["check", str(broken), str(good), str(absent), str(good)]) == 2
    out, err = capsys.readouterr()
    assert out.count(": checked; ") == 2
    assert err.count("\n") == 2


def test_json_is_one_object_a_document(good, broken, capsys):
    assert main(["check", "--json", str(broken), str(good)]) == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["file"], first["ok"], first["place"]) == (str(broken), False, "byhand")
    assert "newer byhand" in first["advice"]
    assert (second["file"], second["ok"]) == (str(good), True)
    assert (second["words"], second["heads"]) == (4, 1)
    assert 0 <= second["largest_difference"] < 1e-12


def test_no_file_at_all_is_asked_wrongly(capsys):
    assert main(["check"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_document_is_only_read(good):
    before = good.read_bytes(), good.stat().st_mtime_ns
    main(["check", str(good)])
    assert (good.read_bytes(), good.stat().st_mtime_ns) == before


@pytest.mark.case(21)
def test_a_name_with_a_line_break_stays_on_one_line(tmp_path, capsys):
    path = tmp_path / "a\nb.byhand.json"
    write_sentence(load_preset(), path)
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out.count("\n") == 1
