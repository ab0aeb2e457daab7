"""Scene 11 measures the engine's weights, contributions and outputs with a word left out."""

import msgspec
import numpy as np
import pytest

from engine import attend, attention_of, contributions, leave_one_out
from engine.notation import write_list, write_share
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.number import read_back
from scenes.stretched_word import other_weights, stretched, weights_without
from scenes.weights_are_not_answers import WeightsAreNotAnswers

SCENE = WeightsAreNotAnswers
SENTENCES = pytest.mark.parametrize("which", ["post", "random_sentence"])


def lengthened(scene):
    """The attention whose star's value is a hundred times as long, by the engine."""
    a, value = scene.attention, scene.attention.value.copy()
    value[scene.star] *= 100
    return attend(a.query, a.key, value, mask=a.mask, scale=a.scale)


@SENTENCES
def test_three_rows_hold_the_engines_measures_of_the_lengthened_value(which, request, run_scene):
    rows = []

    def look(scene, beat):
        if beat.title == "Three measures":
            rows.extend([read_back(n.points) for n in row.numbers] for row in scene.rows)

    scene = run_scene(SCENE, request.getfixturevalue(which), at_beat_end=look)
    a, i = lengthened(scene), scene.focus
    gave = np.linalg.norm(contributions(a)[i], axis=-1)
    moved = np.linalg.norm(leave_one_out(a)[i] - a.output[i], axis=-1)
    assert rows == [[write_share(float(x)) for x in row] for row in (a.weights[i], gave, moved)]


@SENTENCES
def test_the_product_and_the_output_on_the_board_are_the_engines(which, request, run_scene):
    seen = {}

    def look(scene, beat):
        if beat.title == "A hundred times":
            seen["product"] = [read_back(n.points) for n in scene.product.numbers]
            seen["output"] = read_back(scene.output_number.points)

    scene = run_scene(SCENE, request.getfixturevalue(which), at_beat_end=look)
    a, i, star = lengthened(scene), scene.focus, scene.star
    given = float(np.linalg.norm(contributions(a)[i, star]))
    assert seen["output"] == write_list(a.output[i]).replace(" ", "")
    assert seen["product"][0] == write_share(float(scene.attention.weights[i, star]))
    assert seen["product"][2] == write_share(given)


def test_in_the_post_down_overturns_the_output_as_the_essay_says(post, run_scene):
    scene = run_scene(SCENE, post)
    captions = {beat.title: beat.caption for beat in scene.beats}
    assert post.words[scene.star] == "down"
    assert "from [3.03, 0.40] to [7.32, 4.70]" in captions["Overturned"]
    assert captions["They disagree"] == "Largest weight: “cat”. Gave most: “down”."


def test_the_posts_beats_are_told_in_order(post, run_scene):
    assert [beat.title for beat in run_scene(SCENE, post).beats] == [
        "Ask", "A hundred times", "Overturned", "What each gave", "They disagree",
        "Leave one out", "Three measures", "Other weights", "Begin asking",
    ]  # fmt: skip


def test_bars_are_as_long_as_what_they_measure(post, run_scene):
    scene = run_scene(SCENE, post)
    heights = np.array(scene.rows[1].bars.heights)
    assert heights / heights.max() == pytest.approx(scene.gave / scene.gave.max())


def test_other_weights_mix_the_same_output(post, drawn):
    a = attention_of(post)
    other = other_weights(a.weights[2], a.value, np.ones(4, np.bool_))
    assert write_list(other) == "[0.00, 0.71, 0.11, 0.17]"
    assert other @ a.value == pytest.approx(a.output[2])
    assert other.sum() == pytest.approx(1)
    written = [write_list(w).replace(" ", "") for w in (a.weights[2], other, a.output[2])]
    (numbers,) = drawn(post, "Other weights")
    assert set(written) <= set(numbers)


def test_without_more_words_than_numbers_there_are_no_other_weights(post):
    a = attention_of(post)
    assert other_weights(a.weights[2], a.value, np.arange(4) > 0) is None


def test_stretching_a_value_moves_no_weight(post):
    a = attention_of(post)
    assert np.array_equal(stretched(a, 3, 100.0).weights, a.weights)


def test_a_word_left_out_gives_its_weight_to_the_others(post):
    a = attention_of(post)
    without = weights_without(a, 2, 1)
    assert without[1] == 0
    assert without @ a.value == pytest.approx(leave_one_out(a)[2, 1])


def test_a_row_of_words_that_may_not_be_looked_at_is_told_without_them(post, run_scene):
    scene = run_scene(SCENE, msgspec.structs.replace(post, causal=True))
    assert scene.masked == [False, False, False, True]
    assert "Other weights" not in [beat.title for beat in scene.beats]


def test_a_word_that_may_look_at_nothing_has_no_answer(run_scene):
    scene = run_scene(SCENE, HARD_SENTENCES["may look at nothing"])
    assert [beat.title for beat in scene.beats] == ["Nothing"]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(SCENE, hard_sentence).beats


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"motion": "reduced"}, {"digits": 5}, {"font_scale": 1.4}])
def test_any_setting_is_told_without_a_warning(settings, post, run_scene):
    assert run_scene(SCENE, post, **settings).beats
