"""Scene 4 draws the engine's exponentials, total and shares, and says what is true of them."""

import numpy as np
import pytest

from engine import attention_of
from engine.notation import write_entries, write_number
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.number import outline
from scenes.softmax import Softmax

SENTENCES = pytest.mark.parametrize("which", ["post", "random_sentence"])


SCENE = Softmax


def missing_from(numbers, expected):
    """What of `expected` isn't among `numbers`, each drawn number used once."""
    left = list(numbers)
    return [text for text in expected if text not in left or left.remove(text)]


def row_of(sentence):
    """The focus word's row as the engine writes it: scores, exponentials, total, shares."""
    attention, focus = attention_of(sentence), sentence.focus
    exps = write_entries([*attention.exp[focus], attention.total[focus]])
    scores, shares = attention.masked[focus], attention.weights[focus]
    return write_entries(scores), exps[:-1], exps[-1], write_entries(shares)


@SENTENCES
def test_scores_stand_under_their_words_as_exponents_too(which, request, drawn):
    sentence = request.getfixturevalue(which)
    scores, *_ = row_of(sentence)
    asked, raised = drawn(sentence, "Ask", "e to each")
    assert not missing_from(asked, scores)
    assert not missing_from(raised, scores * 2)


@SENTENCES
def test_exponentials_stand_over_their_bars_and_in_the_ledger(which, request, drawn):
    sentence = request.getfixturevalue(which)
    _, exps, _, _ = row_of(sentence)
    assert not missing_from(*drawn(sentence, "e to each"), exps * 2)


@SENTENCES
def test_the_bars_laid_end_to_end_are_as_long_as_the_total(which, request, drawn):
    sentence = request.getfixturevalue(which)
    _, _, total, _ = row_of(sentence)
    assert not missing_from(*drawn(sentence, "Add"), [total, total])


@SENTENCES
def test_shares_stand_under_the_bars_and_in_the_ledger(which, request, drawn):
    sentence = request.getfixturevalue(which)
    *_, shares = row_of(sentence)
    assert not missing_from(*drawn(sentence, "Divide"), [*shares * 2, "1"])


def test_a_swapped_digit_is_noticed(post, run_scene, drawn_numbers):
    """The two tests above fail when one drawn digit is another's."""
    seen = []

    def swap(scene, beat):
        if beat.title == "e to each":
            scene.over[1].set_points(outline("16.29", 500))
            seen.extend(drawn_numbers(scene))

    run_scene(Softmax, post, at_beat_end=swap)
    _, exps, _, _ = row_of(post)
    assert missing_from(seen, exps * 2) == ["16.92"]


@SENTENCES
def test_bars_are_as_high_and_pieces_as_long_as_their_numbers_are_large(which, request, run_scene):
    sentence = request.getfixturevalue(which)
    scene = run_scene(Softmax, sentence)
    attention = attention_of(sentence)
    heights = np.array(scene.bars.heights)
    lengths = np.array([box.width for box in scene.strip.boxes])
    assert np.allclose(heights / heights.sum(), attention.weights[sentence.focus])
    assert np.allclose(lengths / lengths.sum(), attention.weights[sentence.focus])


def test_the_missing_hundredth_is_in_the_digits_not_printed(post, drawn):
    (numbers,) = drawn(post, "Digits not printed")
    assert not missing_from(numbers, ["+0.0034", "+0.0046", "−0.0014", "0.99", "+0.0100"])


def test_shares_that_add_up_have_no_missing_hundredth(run_scene):
    scene = run_scene(Softmax, HARD_SENTENCES["zero"])
    assert "Digits not printed" not in [beat.title for beat in scene.beats]


def test_adding_the_same_to_all_scores_changes_no_share(post, drawn):
    *_, shares = row_of(post)
    e_to_five = write_number(float(np.exp(5.0)))
    assert not missing_from(*drawn(post, "Only differences"), [*shares * 2, "7.83", e_to_five])


def test_a_key_is_turned_until_its_score_is_below_zero(post, drawn):
    assert not missing_from(*drawn(post, "Just divide?"), ["−1.00", "−1.00÷3.24=−0.31"])


def test_the_largest_is_taken_off_first_where_exponentials_overflow(run_scene):
    titles = [beat.title for beat in run_scene(Softmax, HARD_SENTENCES["huge"]).beats]
    assert titles.index("Largest off first") < titles.index("e to each")
    assert "Only differences" not in titles


@pytest.mark.slow
def test_words_not_shown_are_one_more_piece_so_that_all_pieces_add_up(run_scene):
    scene = run_scene(Softmax, HARD_SENTENCES["sixty-four words"])
    assert len(scene.strip.boxes) == len(scene.shown) + 1
    assert scene.row.exps.sum() == pytest.approx(scene.row.total)
    assert scene.row.shares.sum() == pytest.approx(1.0)


def test_a_masked_word_has_no_bar_and_exponential_0(run_scene):
    scene = run_scene(Softmax, HARD_SENTENCES["causal"])
    assert scene.bars.masked[-1]
    assert scene.row.exp_texts[-1] == "0"
    assert "“down” is masked" in {b.title: b.caption for b in scene.beats}["e to each"]


def test_a_word_that_may_look_at_nothing_shares_nothing(run_scene):
    scene = run_scene(Softmax, HARD_SENTENCES["may look at nothing"])
    assert [beat.title for beat in scene.beats] == ["Nothing", "Nothing to share"]


@pytest.mark.slow
def test_it_is_told_with_reduced_motion(post, run_scene):
    full, reduced = (run_scene(Softmax, post, motion=motion) for motion in ("full", "reduced"))
    assert [b.title for b in full.beats] == [b.title for b in reduced.beats]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(Softmax, hard_sentence).beats


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "projector"])
def test_twelve_words_are_told_in_any_theme(theme, run_scene):
    assert run_scene(Softmax, HARD_SENTENCES["twelve words"], theme=theme).beats
