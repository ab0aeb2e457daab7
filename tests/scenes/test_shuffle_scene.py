"""Scene 8 draws the engine's weights and outputs, in both orders, with positions and without."""

import msgspec
import numpy as np
import pytest

from engine import attention_of, sinusoidal_positions
from engine.notation import write_list, write_share
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.number import Number, read_back
from scenes.reordered import in_order, with_positions, without_order
from scenes.shuffle import Shuffle

SCENE = Shuffle
SENTENCES = pytest.mark.parametrize("which", ["post", "random_sentence"])
BACKWARDS = (3, 2, 1, 0)


def numbers_in(piece):
    return [read_back(p.points) for p in piece.get_family() if isinstance(p, Number)]


def as_seen(cells):
    """The grid's numbers by where they stand now: rows from the top, columns from the left."""
    placed = [(piece.get_center(), numbers_in(piece)) for piece in cells.pieces.values()]
    placed.sort(key=lambda one: (-round(float(one[0][1]), 3), round(float(one[0][0]), 3)))
    n = round(len(placed) ** 0.5)
    return [[text for _, texts in placed[i * n : i * n + n] for text in texts] for i in range(n)]


def down_the_rows(lines):
    return [numbers_in(line)[0] for line in sorted(lines, key=lambda one: -one.get_center()[1])]


def note(scene):
    """The grid's cells and the outputs, both as they stand."""
    return as_seen(scene.cells), down_the_rows(scene.outputs)


def weights(attention):
    return [[write_share(float(w)) for w in row] for row in attention.weights]


def outputs(attention):
    return [write_list(output).replace(" ", "") for output in attention.output]


@SENTENCES
def test_shuffled_rows_and_columns_are_the_shuffled_sentences_own_weights(which, request, told):
    sentence = request.getfixturevalue(which)
    grid, _ = told(which).pages["The grid follows"]
    assert grid == weights(attention_of(in_order(sentence, BACKWARDS)))


@SENTENCES
def test_outputs_are_the_same_in_another_order(which, request, told):
    attention = attention_of(request.getfixturevalue(which))
    assert told(which).pages["What words collect"][1] == outputs(attention)
    assert told(which).pages["The same again"][1] == outputs(attention)[::-1]


@SENTENCES
def test_with_positions_the_grid_and_the_outputs_are_those_with_positions(which, request, told):
    placed = attention_of(with_positions(request.getfixturevalue(which)))
    assert told(which).pages["Added"] == (weights(placed), outputs(placed))


@SENTENCES
def test_shuffled_with_positions_both_outputs_stand_beside_each_other(
    which, request, told, drawn_numbers
):
    sentence = with_positions(request.getfixturevalue(which))
    before, after = attention_of(sentence), attention_of(in_order(sentence, BACKWARDS))
    grid, old = told(which).pages["Shuffle again"]
    assert grid == weights(after)
    assert old == outputs(before)[::-1]
    assert set(outputs(after)) <= set(drawn_numbers(told(which).scene))


def test_the_caption_says_what_sat_collects_now(told):
    captions = {beat.title: beat.caption for beat in told("post").scene.beats}
    assert captions["The same again"].startswith("“down sat cat the”")
    assert captions["Shuffle again"].endswith("collected [3.48, 0.26], and now [3.18, 0.40].")


def test_hands_end_at_sine_and_cosine(post, run_scene):
    scene = run_scene(SCENE, post)
    for dial, position in zip(scene.hands, sinusoidal_positions(4, 2)):
        hand = dial.hands[0].get_end() - dial.rim.get_center()
        assert hand[:2] / np.linalg.norm(hand) == pytest.approx(position, abs=1e-6)


def test_without_positions_order_is_lost_and_with_them_it_isnt(post):
    plain, placed = without_order(post), with_positions(post)
    back = list(BACKWARDS)
    shuffled = attention_of(in_order(plain, BACKWARDS)).output
    assert shuffled == pytest.approx(attention_of(plain).output[back])
    moved = attention_of(in_order(placed, BACKWARDS)).output - attention_of(placed).output[back]
    assert np.abs(moved).max() > 0.1


def test_in_another_order_a_sentence_keeps_its_focus_word_and_its_mask(post):
    mask = tuple(tuple(j != 1 for j in range(4)) for _ in range(4))
    sentence = in_order(msgspec.structs.replace(post, mask=mask), BACKWARDS)
    assert sentence.words[sentence.focus] == "sat"
    assert sentence.mask == tuple(tuple(j != 2 for j in range(4)) for _ in range(4))
    assert in_order(sentence, BACKWARDS) == msgspec.structs.replace(post, mask=mask)


def test_a_causal_document_says_that_its_mask_is_left_out(post, run_scene):
    scene = run_scene(SCENE, msgspec.structs.replace(post, causal=True, positions="sinusoidal"))
    assert "without positions and the causal mask" in scene.beats[0].caption


def test_one_word_has_no_order(run_scene):
    assert [b.title for b in run_scene(SCENE, HARD_SENTENCES["one word"]).beats] == ["One word"]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(SCENE, hard_sentence).beats


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"rows": "keys"}, {"motion": "reduced"}, {"digits": 0}])
def test_any_setting_is_told_without_a_warning(settings, post, run_scene):
    assert run_scene(SCENE, post, **settings).beats
