"""The weight grid: who listens to whom, and how much."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention
from engine.sentence import Sentence, attention_of
from export.figures.grid import draw_grid, room_for_grid
from export.figures.theme import FigureStyle, axes_at, size_in_points

__all__ = ["compose", "draw_weights"]

MARGIN = 12.0
"""Points round the grid and its names."""


def draw_weights(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int | None = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw the weights (n, n) as a grid that fills `ax`, and return `ax`.

    words are the n words; the row of word `focus` has a frame (None: no row has). Names stand
    outside of the axes, to the left and above.
    """
    draw_grid(attention, ax, words, style or FigureStyle(), focus)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """The grid of one head, as large as its words ask for."""
    room = room_for_grid(sentence.words, style)
    size_in_points(figure, room.width + 2 * MARGIN, room.height + 2 * MARGIN, style)
    ax = axes_at(
        figure, MARGIN + room.left, MARGIN + room.above,
        room.count * room.cell_width, room.count * room.cell_height, style,
    )  # fmt: skip
    draw_weights(
        attention_of(sentence, head), ax, words=sentence.words, focus=sentence.focus, style=style
    )
