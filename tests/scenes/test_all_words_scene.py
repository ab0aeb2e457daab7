"""Scene 7 fills a grid with the engine's scores, scaled scores and weights, and ends on outputs."""

import msgspec
import numpy as np
import pytest

from engine import attend, attention_of
from engine.notation import write_entries, write_list, write_share
from export.hard_sentences import HARD_SENTENCES
from scenes.all_words import AllWords
from scenes.all_words_words import AllWordsWords, look_at_row, numpy_lines, telling_rows
from scenes.parts.number import read_back

SCENE = AllWords
SENTENCES = pytest.mark.parametrize("which", ["post", "random_sentence"])


def note(scene):
    """The rows of the numbers in the grid, "" for none."""
    n, numbers = range(len(scene.words)), scene.grid.numbers
    return [[read_back(numbers[i, j].points) if (i, j) in numbers else "" for j in n] for i in n]


def written(rows):
    return [write_entries(row) for row in rows]


@SENTENCES
def test_the_first_row_is_the_focus_words_and_no_other_is_there(which, request, told):
    sentence = request.getfixturevalue(which)
    row = write_entries(attention_of(sentence).scores[sentence.focus])
    grid = told(sentence).pages["One row"]
    assert grid == [row if i == sentence.focus else [""] * 4 for i in range(4)]


@SENTENCES
def test_the_wave_fills_the_grid_with_every_score(which, request, told):
    sentence = request.getfixturevalue(which)
    assert told(sentence).pages["All at once"] == written(attention_of(sentence).scores)


@SENTENCES
def test_every_cell_is_divided(which, request, told):
    sentence = request.getfixturevalue(which)
    assert told(sentence).pages["Scale"] == written(attention_of(sentence).scaled)


@SENTENCES
def test_softmax_leaves_the_weights(which, request, told):
    sentence = request.getfixturevalue(which)
    shares = [[write_share(float(w)) for w in row] for row in attention_of(sentence).weights]
    assert told(sentence).pages["Softmax"] == shares


@SENTENCES
def test_numpys_lines_do_it_all_again(which, request, told):
    sentence = request.getfixturevalue(which)
    pages = told(sentence).pages
    assert pages["Scores in NumPy"] == pages["Scale"]
    assert pages["Outputs in NumPy"] == pages["Softmax"]


@SENTENCES
def test_each_bar_is_cut_as_its_row_is(which, request, told):
    sentence = request.getfixturevalue(which)
    scene = told(sentence).scene
    for strip, row in zip(scene.bars.strips, attention_of(sentence).weights):
        widths = np.array([box.width for box in strip.boxes])
        assert np.allclose(widths[:-1] / widths.sum(), row)


def test_the_outputs_are_written_one_a_word(post, told, drawn_numbers):
    outputs = [write_list(row).replace(" ", "") for row in attention_of(post).output]
    assert set(outputs) <= set(drawn_numbers(told(post).scene))
    assert "[3.03,0.40]" in outputs


def test_numpys_lines_are_true(post):
    for sentence in (
        post,
        msgspec.structs.replace(post, scaled=False),
        msgspec.structs.replace(post, temperature=2.0, causal=True),
    ):
        attention = attention_of(sentence)
        names = {"Q": attention.query, "K": attention.key, "V": attention.value,
                 "np": np, "mask": attention.mask, "softmax": _softmax}  # fmt: skip
        for which in (0, 1):
            exec(
                "\n".join(pair[which] for pair in numpy_lines(sentence, attention).values()), names
            )
            assert np.allclose(names["out"], attention.output)


def test_the_posts_two_rows_are_seen_as_in_the_post(post):
    attention, focus = attention_of(post), post.focus
    say = AllWordsWords(attention, post.words, focus, range(4), 2, "1.414", True, turned=False)
    the, cat = (say.seen(seen) for seen in telling_rows(attention, focus, range(4)))
    assert the == "“the” listens most to “down”: its key lies along the query, and is longer."
    assert cat == "“cat” splits evenly between three words: 0.29 each."


@pytest.mark.parametrize(
    ("query", "keys", "reason"),
    [
        ((0, 1), ((0, 1), (1, 2)), "its key is long, though not best aligned"),
        ((0, 1), ((0, 1), (1, 0)), "its key lies along the query"),
        ((0, 1), ((0, 3), (1, 0)), "its key lies along the query, and is longest"),
        ((0, 1), ((1, 2), (2, 1)), "its key is best aligned"),
        ((0, 1), ((0, -1), (0, -2)), "no key points its way, this one least away"),
    ],
)
def test_a_reason_is_given_that_is_true(query, keys, reason):
    attention = attend([query] * 2, keys, keys)
    say = AllWordsWords(attention, ("a", "b"), 1, (0, 1), 2, "", False, turned=False)
    assert say.seen(look_at_row(attention, 0)).endswith(f": {reason}.")


def test_masked_cells_hold_no_number_once_they_are_hatched(post, told):
    pages = told(msgspec.structs.replace(post, causal=True)).pages
    empty = [[text == "" for text in row] for row in pages["Mask"]]
    assert empty == [[j > i for j in range(4)] for i in range(4)]


@pytest.mark.slow
def test_turned_columns_listen(post, told):
    scene, _, pages = told(post, rows="keys")
    assert pages["All at once"] == written(attention_of(post).scores)
    assert scene.grid.cell(2, 0).center[0] == scene.grid.cell(2, 1).center[0]
    captions = {beat.title: beat.caption for beat in scene.beats}
    assert captions["Rows and columns"].startswith("Columns listen, and add to 1. Rows are heard")


@pytest.mark.slow
def test_one_word_has_one_cell_and_no_others_to_ask(run_scene):
    titles = [beat.title for beat in run_scene(AllWords, HARD_SENTENCES["one word"]).beats]
    assert titles == ["One row", "Scale", "Softmax", "Scores in NumPy", "Weights in NumPy",
                      "Outputs in NumPy"]  # fmt: skip


@pytest.mark.slow
def test_it_is_told_with_reduced_motion(post, run_scene):
    full, reduced = (run_scene(AllWords, post, motion=motion) for motion in ("full", "reduced"))
    assert [b.title for b in full.beats] == [b.title for b in reduced.beats]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(AllWords, hard_sentence).beats


def _softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
