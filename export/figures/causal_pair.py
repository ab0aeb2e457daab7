"""The same weights twice: every word may look at all, and only at what came before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from msgspec.structs import replace

from engine.attention import Attention, attend
from engine.masks import causal_mask
from engine.sentence import Sentence, attention_of
from export.figures.grid import LARGEST_GRID, draw_grid, room_for_grid
from export.figures.lettering import width_of, write
from export.figures.theme import GAP, STRONG, FigureStyle, axes_at, size_in_points

__all__ = ["compose", "draw_causal_pair"]

MARGIN = 12.0
BETWEEN = 24.0
GIVEN, OWN = ("no mask", "causal mask"), ("its own mask", "its own and causal")
"""What the panels are called; the latter where the document has a mask besides the causal one."""

HEADING = STRONG + 1.5 * GAP
"""What a panel's name takes above its grid, in points."""


def draw_causal_pair(
    attention: Attention,
    ax: Axes,
    beside: Axes,
    *,
    words: Sequence[str],
    focus: int | None = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw the weights without the causal mask on `ax` and with it on `beside`; returns `ax`.

    attention is (n, …) of the n words; a mask of its own that goes further than the causal one
    stays in both. Names stand outside of the axes, to the left and above.
    """
    style = style or FigureStyle()
    unmasked, causal = _both(attention)
    draw_grid(unmasked, ax, words, style, focus)
    draw_grid(causal, beside, words, style, focus)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """Two grids side by side, each with its name."""
    words = sentence.words
    room = room_for_grid(words, style, largest=0.75 * LARGEST_GRID)
    names = GIVEN if sentence.mask is None else OWN
    longest = max(width_of(name, STRONG) for name in names)
    panel = max(room.width, room.left + longest)
    size_in_points(
        figure, 2 * (panel + MARGIN) + BETWEEN, room.height + HEADING + 2 * MARGIN, style
    )
    grids = []
    for left in (MARGIN, MARGIN + panel + BETWEEN):
        grids.append(
            axes_at(
                figure,
                left + room.left,
                MARGIN + HEADING + room.above,
                room.count * room.cell_width,
                room.count * room.cell_height,
                style,
            )
        )
    # Any mask that the document has besides the causal one stays.
    attention = attention_of(replace(sentence, causal=False), head)
    draw_causal_pair(attention, grids[0], grids[1], words=words, focus=sentence.focus, style=style)
    for ax, name in zip(grids, names, strict=True):
        write(ax, 0, 0, name, style, size=STRONG, offset=(0, room.above + 0.5 * GAP))


def _both(attention: Attention) -> tuple[Attention, Attention]:
    """The attention with what is masked only by the causal mask seen, and with that mask."""
    n = len(attention.query)
    causal = causal_mask(n)
    own = attention.mask
    if own is not None and not (own & ~causal).any():
        own = own | ~causal  # what is given is causal already
        own = None if own.all() else own
    vectors = attention.query, attention.key, attention.value
    return (
        attend(*vectors, mask=own, scale=attention.scale),
        attend(*vectors, mask=causal if own is None else np.logical_and(own, causal),
               scale=attention.scale),
    )  # fmt: skip
