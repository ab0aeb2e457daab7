"""Scene 5 draws softmax with scaling and without, and says what is true of them."""

import numpy as np
import pytest

from engine import attention_of, softmax
from engine.notation import write_entries, write_share
from export.hard_sentences import HARD_SENTENCES
from scenes.why_scale import WhyScale
from scenes.why_scale_words import STOPS, largest_shares

SENTENCES = pytest.mark.parametrize("which", ["post", "random_sentence"])


SCENE = WhyScale


def missing_from(numbers, expected):
    """What of `expected` isn't among `numbers`, each drawn number used once."""
    left = list(numbers)
    return [text for text in expected if text not in left or left.remove(text)]


@SENTENCES
def test_the_upper_twin_is_the_engines_row_and_the_lower_the_unscaled_one(which, request, drawn):
    sentence = request.getfixturevalue(which)
    attention, focus = attention_of(sentence), sentence.focus
    above = [*write_entries(attention.scaled[focus]), *write_entries(attention.weights[focus])]
    scores = attention.scores[focus]
    below = [*write_entries(scores), *write_entries(softmax(scores))]
    assert not missing_from(*drawn(sentence, "Twins"), above + below)


@SENTENCES
def test_ten_times_the_scores_stand_below_the_scores(which, request, drawn):
    sentence = request.getfixturevalue(which)
    scores = attention_of(sentence).scores[sentence.focus]
    both = [scores, softmax(scores), 10 * scores, softmax(10 * scores)]
    expected = [text for numbers in both for text in write_entries(numbers)]
    assert not missing_from(*drawn(sentence, "Ten times"), expected)


@SENTENCES
def test_a_nudge_moves_the_shares_as_far_as_it_says(which, request, drawn):
    sentence = request.getfixturevalue(which)
    scores = attention_of(sentence).scores[sentence.focus]
    second = int(np.argsort(-scores, kind="stable")[1])
    nudge = np.arange(len(scores)) == second
    moved = [float((softmax(row + nudge) - softmax(row))[second]) for row in (scores, 10 * scores)]
    after = write_entries(softmax(scores + nudge))
    expected = [*map(write_share, moved), *after, *write_entries(scores + nudge)]
    assert not missing_from(*drawn(sentence, "Nudge"), expected)


@SENTENCES
def test_the_large_scores_scaled_give_the_engines_weights_again(which, request, drawn):
    sentence = request.getfixturevalue(which)
    attention, focus = attention_of(sentence), sentence.focus
    expected = [*write_entries(attention.scaled[focus]), *write_entries(attention.weights[focus])]
    assert not missing_from(*drawn(sentence, "Scale"), expected)


def test_the_posts_two_rows_are_the_posts(post, drawn):
    (numbers,) = drawn(post, "Ten times")
    assert not missing_from(numbers, ["0.02", "0.85", "0.12", "0.02", "0", "40", "20", "0", "1.00"])


def test_the_dial_ends_at_512_with_the_medians_of_its_draws(post, drawn):
    plain, scaled = largest_shares(4)
    expected = ["512", write_share(plain[-1, 1]), write_share(scaled[-1, 1])]
    assert not missing_from(*drawn(post, "Turn it"), expected)


def test_unscaled_the_largest_share_of_random_words_goes_to_1_and_scaled_it_does_not():
    plain, scaled = largest_shares(4)
    assert plain.shape == (len(STOPS), 3)
    assert np.all(np.diff(plain[:, 1]) > 0)
    assert plain[-1, 1] > 0.99
    assert np.ptp(scaled[:, 1]) < 0.1


def test_bars_are_as_high_as_their_shares(post, run_scene):
    scene = run_scene(WhyScale, post)
    weights = attention_of(post).weights[post.focus]
    heights = np.array(scene.twins[1].row.heights)
    assert np.allclose(heights / heights.sum(), weights)


def test_a_word_alone_has_no_choice_so_only_the_dial_is_told(run_scene):
    titles = [beat.title for beat in run_scene(WhyScale, HARD_SENTENCES["one word"]).beats]
    assert titles == ["Twins", "With few entries", "A dial for d", "Turn it", "Still a choice"]


def test_a_word_that_may_look_at_nothing_leaves_only_the_dial(run_scene):
    scene = run_scene(WhyScale, HARD_SENTENCES["may look at nothing"])
    assert [beat.title for beat in scene.beats] == ["A dial for d", "Turn it", "Still a choice"]


@pytest.mark.slow
def test_it_is_told_with_reduced_motion(post, run_scene):
    full, reduced = (run_scene(WhyScale, post, motion=motion) for motion in ("full", "reduced"))
    assert [b.title for b in full.beats] == [b.title for b in reduced.beats]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(WhyScale, hard_sentence).beats
