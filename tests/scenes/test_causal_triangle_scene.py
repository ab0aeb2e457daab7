"""Scene 9 draws the engine's scores, the two ways that fail, and the masked weights."""

import msgspec
import numpy as np
import pytest

from engine import attend, attention_of, causal_mask, softmax
from engine.notation import write_entries, write_number, write_share
from export.hard_sentences import HARD_SENTENCES
from scenes.causal_triangle import EXP, SCORE, SHARE, CausalTriangle
from scenes.parts.number import read_back

BOTH = pytest.mark.parametrize("which", ["post", "random_sentence"])


SCENE = CausalTriangle


def note(scene):
    """The numbers in the table's columns, and those in the grid's cells."""
    table = {c: [drawn(n) for n in column] for c, column in scene.table.numbers.items()}
    return table, {cell: drawn(number) for cell, number in scene.grid.numbers.items()}


def drawn(number):
    return None if number is None else read_back(number.points)


def causal(sentence):
    return attention_of(msgspec.structs.replace(sentence, causal=True))


@BOTH
def test_every_score_is_drawn_before_any_is_forbidden(which, told):
    _, sentence, pages = told(which)
    grid = pages["In one pass"][1]
    for i, row in enumerate(attention_of(sentence).scaled):
        assert [grid[i, j] for j in range(len(row))] == write_entries(row)


@BOTH
def test_exactly_the_later_words_become_minus_infinity(which, told):
    _, sentence, pages = told(which)
    grid = pages["Minus infinity"][1]
    allowed = causal_mask(len(sentence.words))
    assert all((text == "−∞") == (not allowed[cell]) for cell, text in grid.items())


@BOTH
def test_a_score_of_zero_still_earns_the_share_that_is_drawn(which, told):
    scene, sentence, pages = told(which)
    i = scene.listener
    scores = np.where(causal_mask(4)[i], attention_of(sentence).scaled[i], 0.0)
    shares = pages["A score of 0 fails"][0][SHARE]
    assert shares[:-1] == [write_share(w) for w in softmax(scores)]


@BOTH
def test_a_zero_after_softmax_leaves_the_sum_that_is_drawn(which, told):
    scene, sentence, pages = told(which)
    i = scene.listener
    left = attention_of(sentence).weights[i, : i + 1].sum()
    assert pages["A 0 after softmax fails"][0][SHARE][-1] == write_number(float(left))


def test_in_the_post_that_sum_is_0_96(told):
    assert told("post")[2]["A 0 after softmax fails"][0][SHARE][-1] == "0.96"


def test_the_posts_masked_row_is_drawn_to_the_digit(told):
    table = told("post")[2]["Shared out again"][0]
    assert table[SCORE] == ["0.00", "2.83", "1.41", "−∞", None]
    assert table[EXP] == ["1.00", "16.92", "4.11", "0", "22.03"]
    assert table[SHARE] == ["0.05", "0.77", "0.19", "0", "1"]


@BOTH
def test_the_triangle_holds_the_causal_weights_and_masked_cells_no_number(which, told):
    _, sentence, pages = told(which)
    weights = causal(sentence).weights
    expected = {(i, j): write_share(float(weights[i, j])) for i in range(4) for j in range(i + 1)}
    assert pages["The triangle"][1] == expected


def test_a_fill_is_drawn_for_open_cells_only(told):
    scene, _, _ = told("post")
    assert sorted(scene.grid.fills) == [(i, j) for i in range(4) for j in range(i + 1)]


@pytest.mark.slow
def test_turned_rows_are_keys(told):
    cells = told("post", rows="keys")[0].grid
    assert cells.cell(2, 0).center[1] > cells.cell(2, 1).center[1]
    assert cells.cell(2, 0).center[0] == cells.cell(2, 1).center[0]


def test_the_words_row_and_the_grid_share_their_columns(told):
    scene, _, _ = told("post")
    assert [scene.grid.cell(0, j).center[0] for j in range(4)] == pytest.approx(
        scene.words_row.columns
    )


@pytest.mark.slow
def test_a_last_word_hides_nothing_so_another_row_tells_the_story(told, post):
    scene, _, _ = told(msgspec.structs.replace(post, focus=3))
    assert scene.row.listener == 2


@pytest.mark.slow
def test_a_causal_document_is_told_with_and_without_its_mask(told, post):
    scene, sentence, pages = told(msgspec.structs.replace(post, causal=True))
    table = pages["Ask"][0]
    without = attend(scene.attention.query, scene.attention.key, scene.attention.value)
    assert table[SHARE][:-1] == [write_share(float(w)) for w in without.weights[sentence.focus]]


def test_one_word_has_nothing_to_forbid(told):
    scene, _, _ = told(HARD_SENTENCES["one word"])
    assert "A score of 0 fails" not in [beat.title for beat in scene.beats]
    assert "Here there is none" in scene.beats[3].caption


@pytest.mark.slow
def test_shares_drawn_and_the_others_add_to_one(told):
    scene, _, _ = told(HARD_SENTENCES["sixty-four words"])
    assert sum(scene.row.after.shares(scene.shown)) == pytest.approx(1)
    assert scene.parties[-1] == "52 others"


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(CausalTriangle, hard_sentence).beats


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"rows": "keys"}, {"motion": "reduced"}, {"digits": 4}])
def test_any_setting_is_told_without_a_warning(settings, post, run_scene):
    assert run_scene(CausalTriangle, post, **settings).beats
