"""What figures of the post's sentence show is the engine's, number by number and place by place."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text

from engine import attention_of, contributions
from engine.notation import write_share
from engine.presets import load_preset
from export.figures import find_figure, load_figure
from export.figures.marks import hatch
from export.figures.theme import FigureStyle, new_figure


def drawn(name, sentence=None, **style):
    style = FigureStyle(**style)
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure(name))(figure, sentence or load_preset(), 0, style)
    return figure


def texts_in(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def lines_in(figure):
    return [np.asarray(line.get_xydata()) for axes in figure.axes for line in axes.lines]


def test_turned_the_grid_is_the_other_way_round(post):
    weights = attention_of(post).weights
    numbers = [text for text in texts_in(drawn("weights", rows="keys")) if text[:2] == "0."]
    assert numbers == [write_share(float(weight)) for weight in weights.T.ravel()]


def test_the_query_plane_says_the_scores_of_the_word_that_asks():
    texts = texts_in(drawn("query-plane"))
    assert {"k cat: 4", "k sat: 2", "k the: 0", "k down: 0"} <= set(texts)


def test_each_foot_stands_on_the_querys_line():
    """Of the keys [0, 1], [1, 1] and [0, 2]; that of cat lies on the query itself."""
    feet = [line[0].tolist() for line in lines_in(drawn("query-plane")) if len(line) == 1]
    assert feet == [[0, 0], [1, 0], [0, 0]]


def test_head_to_tail_each_value_begins_where_the_one_before_has_ended(post):
    ends = np.cumsum(contributions(attention_of(post))[post.focus], axis=0)
    segments = [line for line in lines_in(drawn("value-plane")) if len(line) == 2]
    for start, end in itertools.pairwise(ends):
        assert any(np.allclose(segment, [start, end]) for segment in segments)


def test_scaling_shows_both_shares_of_the_post():
    texts = texts_in(drawn("scaling"))
    assert {"4", "0.85", "2.83", "0.73"} <= set(texts)


def test_the_full_grid_grows_as_the_square():
    lines = lines_in(drawn("growth"))
    squares = [line for line in lines if len(line) > 5 and np.allclose(line[:, 1], line[:, 0] ** 2)]
    assert squares


def is_hatched(figure):
    """Whether there are strokes that each begin anew: nothing but masking has them in a grid."""
    return any(
        isinstance(patch, PathPatch) and set(patch.get_path().codes[1::2]) == {Path.LINETO}
        and set(patch.get_path().codes[::2]) == {Path.MOVETO}
        for axes in figure.axes
        for patch in axes.patches
    )  # fmt: skip


def test_what_is_masked_is_hatched_and_nothing_else(post):
    causal = msgspec.structs.replace(post, causal=True)
    assert is_hatched(drawn("weights", causal))
    assert not is_hatched(drawn("weights", post))


def test_hatching_stays_in_its_box():
    style = FigureStyle()
    with style.applied():
        axes = new_figure(style).add_axes((0, 0, 1, 1))
        hatch(axes, [(0.25, 0.25, 0.5, 0.5)], style)
    (patch,) = axes.patches
    vertices = patch.get_path().vertices
    assert (vertices.min(), vertices.max()) == pytest.approx((0.25, 0.75))


def test_every_head_has_its_own_grid():
    sentence = load_preset("two-heads")
    wanted = [
        write_share(float(weight))
        for head in range(len(sentence.heads))
        for weight in attention_of(sentence, head).weights.ravel()
    ]
    texts = texts_in(drawn("heads", sentence))
    assert [text for text in texts if text[:1] in "01<" and text not in ("10",)] == wanted


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_numbers_are_the_same_in_every_theme(theme):
    assert texts_in(drawn("weights", theme=theme)) == texts_in(drawn("weights"))
