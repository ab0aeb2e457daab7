"""Scene 6 draws the engine's weights and output."""

import numpy as np
import pytest

from engine import attention_of
from engine.notation import write_list, write_share
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.number import read_back
from scenes.value_mixing import ValueMixing


@pytest.mark.parametrize("which", ["post", "random_sentence"])
def test_the_weights_in_the_cells_are_the_engines(which, request, run_scene):
    sentence = request.getfixturevalue(which)
    scene = run_scene(ValueMixing, sentence)
    expected = [write_share(w) for w in attention_of(sentence).weights[sentence.focus]]
    assert [read_back(number.points) for number in scene.shares.numbers] == expected


@pytest.mark.parametrize("which", ["post", "random_sentence"])
def test_the_output_written_is_the_engines(which, request, run_scene, drawn_numbers):
    sentence = request.getfixturevalue(which)
    scene = run_scene(ValueMixing, sentence)
    output = write_list(attention_of(sentence).output[sentence.focus])
    assert output.replace(" ", "") in drawn_numbers(scene)


@pytest.mark.parametrize("which", ["post", "random_sentence"])
def test_the_chain_ends_where_the_output_does(which, request, run_scene):
    scene = run_scene(ValueMixing, request.getfixturevalue(which))
    assert np.allclose(scene.mixture.shares[-1].end, scene.mixture.output.end)
    assert np.allclose(scene.mixture.output.end, scene.plane.place(scene.output))


def test_the_caption_says_what_rounded_weights_would_give(post, run_scene):
    captions = {beat.title: beat.caption for beat in run_scene(ValueMixing, post).beats}
    assert "[3.03, 0.40]" in captions["Head to tail"]
    assert "[3.00, 0.40]" in captions["Head to tail"]


def test_hidden_words_are_one_more_share_so_that_the_chain_ends_right(run_scene):
    scene = run_scene(ValueMixing, HARD_SENTENCES["sixty-four words"])
    assert scene.names[-1] == "52 others"
    assert np.allclose(scene.weights @ scene.value, scene.output)


def test_a_word_that_may_look_at_nothing_collects_nothing(run_scene):
    scene = run_scene(ValueMixing, HARD_SENTENCES["may look at nothing"])
    assert [beat.title for beat in scene.beats] == ["Ask", "Nothing"]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(ValueMixing, hard_sentence).beats
