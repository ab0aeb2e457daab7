"""Scene 10 draws two heads' weights and outputs, and what W_O makes of all heads' outputs."""

import msgspec
import numpy as np
import pytest

from engine import HeadWeights, attend_heads, attention_of, join_heads
from engine.notation import write_entries, write_list, write_share
from engine.presets import load_preset
from engine.sentence import Head, Sentence
from scenes.many_heads import ManyHeads
from scenes.many_heads_words import join
from scenes.parts.number import Number, read_back

SCENE = ManyHeads


def rows(rng, count, width):
    return tuple(tuple(map(float, row)) for row in rng.normal(0, 1.5, (count, width)).round(1))


def sentence_of(words, heads=2, d_k=2, d_v=2, d_model=2, **rest):
    """Random heads that give their vectors, and a W_O where d_model isn't 0."""
    rng, n = np.random.default_rng(2017), len(words)
    given = tuple(
        Head(name=f"head {h}", query=rows(rng, n, d_k), key=rows(rng, n, d_k),
             value=rows(rng, n, d_v))
        for h in range(1, heads + 1)
    )  # fmt: skip
    w_output = rows(rng, heads * d_v, d_model) if d_model else None
    return Sentence(byhand=1, words=tuple(words), heads=given, w_output=w_output, **rest)


RANDOM = sentence_of(("a", "random", "little", "line"), focus=1)
SENTENCES = pytest.mark.parametrize("sentence", [load_preset("two-heads"), RANDOM])


def numbers_in(piece):
    return [read_back(p.points) for p in piece.get_family() if isinstance(p, Number)]


@SENTENCES
def test_both_grids_hold_their_heads_weights(sentence, told):
    scene = told(sentence).scene
    for head, grid in enumerate(scene.grids):
        weights = attention_of(sentence, head).weights
        drawn = {cell: read_back(number.points) for cell, number in grid.numbers.items()}
        expected = {(i, j): write_share(float(weights[i, j])) for i, j in grid.cells}
        assert drawn == expected


@SENTENCES
def test_the_outputs_laid_end_to_end_are_the_heads_own(sentence, told):
    scene, i = told(sentence).scene, sentence.focus
    outputs = [attention_of(sentence, head).output[i] for head in (0, 1)]
    assert numbers_in(scene.outputs) == [write_list(o).replace(" ", "") for o in outputs]
    assert numbers_in(scene.mixing.entries) == write_entries(np.concatenate(outputs))


@SENTENCES
def test_w_o_and_what_it_gives_are_drawn(sentence, told):
    scene, i = told(sentence).scene, sentence.focus
    joined = join_heads([attention_of(sentence, head).output for head in (0, 1)])
    w_output = np.array(sentence.w_output)
    assert numbers_in(scene.mixing.results) == write_entries((joined @ w_output)[i])
    assert numbers_in(scene.mixing.matrix) == write_entries(w_output.ravel())


@SENTENCES
def test_the_arithmetic_on_the_board_is_that_of_the_first_column(sentence, run_scene):
    boards = []

    class Watched(SCENE):
        def put_on_board(self, products):
            boards.append([[read_back(p.points) for p in row[::2]] for row in products.rows])
            super().put_on_board(products)

    run_scene(Watched, sentence)
    joined, column = join(sentence, sentence.focus).numbers, np.array(sentence.w_output)[:, 0]
    factors = map(write_entries, (joined, column, joined * column))
    assert boards[0] == [list(line) for line in zip(*factors)]


def test_what_is_joined_and_mixed_is_what_the_engine_gives():
    sentence = load_preset("two-heads")
    wide = {
        name: np.concatenate([getattr(head, name) for head in sentence.heads], axis=1)
        for name in ("w_query", "w_key", "w_value")
    }
    weights = HeadWeights(**wide, w_output=sentence.w_output, heads=2)
    expected, joined = attend_heads(sentence.embeddings, weights), join(sentence, 2)
    assert joined.numbers == pytest.approx(expected.joined[2])
    assert joined.output == pytest.approx(expected.output[2])


def test_a_sentence_of_one_head_borrows_the_preset_and_the_title_line_says_so(post, told):
    scene = told(post).scene
    assert scene.sentence.heads == load_preset("two-heads").heads
    assert scene._title_note() == "preset two-heads"


def test_a_borrowed_sentence_is_scaled_and_masked_as_the_own_one(post):
    from scenes.settings import SceneSettings

    scene = SCENE(SceneSettings(msgspec.structs.replace(post, scaled=False, causal=True)))
    assert (scene.sentence.scaled, scene.sentence.causal) == (False, True)


def test_the_same_words_have_other_winners(told):
    captions = {b.title: b.caption for b in told(load_preset("two-heads")).scene.beats}
    assert captions["Other winners"] == (
        "“sat” listens most to “cat” in “subject” and to “down” in “place”."
    )
    assert captions["End to end"] == "Laid end to end: 2 + 2 = 4 numbers."
    assert "[4.83, 3.61]" in captions["One vector again"]


def test_the_beats_are_told_in_order(told):
    assert [beat.title for beat in told(load_preset("two-heads")).scene.beats] == [
        "Two questions", "Two grids", "Other winners", "Two outputs", "End to end", "W_O",
        "One vector again", "Eight heads", "Ours", "One matrix",
    ]  # fmt: skip


def test_eight_heads_of_sixty_four_are_five_hundred_and_twelve_again(told):
    scene = told(load_preset("two-heads")).scene
    drawn = [read_back(p.points) for m in scene.mobjects for p in m.get_family()
             if isinstance(p, Number)]  # fmt: skip
    assert "512" in drawn
    assert "512 again" in {b.title: b.caption for b in scene.beats}["Eight heads"]


def test_another_head_than_the_first_two_can_be_drawn(told):
    sentence = sentence_of(("the", "cat", "sat", "down"), heads=3)
    scene = told(sentence, head=2).scene
    assert scene.heads == (0, 2)
    third = attention_of(sentence, 2).output[0]
    assert numbers_in(scene.outputs)[1] == write_list(third).replace(" ", "")


HARD = {
    "twelve words": sentence_of([f"w{i}" for i in range(12)], focus=4),
    "sixteen wide heads": sentence_of(
        [f"word{i}" for i in range(64)], heads=16, d_k=64, d_v=64, d_model=64, focus=40
    ),
    "one word": sentence_of(("alone",)),
    "no W_O": sentence_of(("the", "cat", "sat"), heads=3, d_k=3, d_v=3, d_model=0),
    "one number": sentence_of(("hello", "שלום"), d_k=1, d_v=1, d_model=3),
    "may look at nothing": sentence_of(
        ("the", "cat", "sat"), focus=1, mask=((True,) * 3, (False,) * 3, (True,) * 3)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", sorted(HARD))
def test_any_two_heads_are_told_without_a_warning(which, run_scene):
    assert run_scene(SCENE, HARD[which]).beats


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(SCENE, hard_sentence).beats


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"rows": "keys"}, {"motion": "reduced"}, {"digits": 5}])
def test_any_setting_is_told_without_a_warning(settings, run_scene):
    assert run_scene(SCENE, load_preset("two-heads"), **settings).beats
