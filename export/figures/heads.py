"""The weights of all heads side by side: each head shares out its attention in its own way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention
from engine.sentence import Sentence, attention_of
from export.figures.grid import draw_grid, room_for_grid
from export.figures.lettering import fit, write
from export.figures.plots import room_of
from export.figures.sheet import LEADING, MARGIN, wrap
from export.figures.theme import GAP, SMALL, STRONG, FigureStyle, axes_at, size_in_points

__all__ = ["compose", "draw_heads"]

COLUMNS = 4
SPACE = 26.0
"""Points between two heads."""

TITLE = STRONG * 1.9
LARGEST = {1: 420.0, 2: 300.0}
"""How large one grid's cells are together, by how many stand in a row; else SMALLER."""

SMALLER = 210.0


def draw_heads(
    attention: Attention | Sequence[Attention],
    ax: Axes | Sequence[Axes],
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
    names: Sequence[str] = (),
) -> Axes | Sequence[Axes]:
    """Draw one grid of weights a head, each on axes of its own, and return the axes.

    attention is one head's, or a sequence of them, whose arrays are (n, …); ax is as many axes;
    words are n texts; names are the heads' names, over the grids. Raises ValueError where there
    aren't as many axes, or names where any are given, as heads.
    """
    style = style or FigureStyle()
    heads = [attention] if isinstance(attention, Attention) else list(attention)
    places = [ax] if isinstance(ax, Axes) else list(ax)
    if len(places) != len(heads) or (names and len(names) != len(heads)):
        raise ValueError(
            f"ax and names must be one a head: {len(heads)} heads, {len(places)} axes, "
            f"{len(names)} names"
        )
    for place, one in zip(places, heads):
        draw_grid(one, place, words, style, focus)
    for place, name in zip(places, names):
        room = room_for_grid(words, style, largest=room_of(place, style)[0])
        text = fit(name, STRONG, room.width - room.left)
        above = room.above + 0.5 * STRONG
        write(place, 0, 0, text, style, size=STRONG, offset=(0, above))
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """All heads, up to four in a row; `head` changes nothing here."""
    count = len(sentence.heads)
    across = count if count <= COLUMNS else math.ceil(count / math.ceil(count / COLUMNS))
    down = math.ceil(count / across)
    room = room_for_grid(sentence.words, style, largest=LARGEST.get(across, SMALLER))
    wide, high = room.width + SPACE, room.height + TITLE + SPACE
    width = across * wide - SPACE
    notes = ["This sentence has one head: its grid stands alone."] if count == 1 else []
    lines = [text for note in notes for text in wrap(note, SMALL, width)]
    height = down * high - SPACE + (SMALL * LEADING * len(lines) + GAP if lines else 0)
    size_in_points(figure, width + 2 * MARGIN, height + 2 * MARGIN, style)
    places = [
        axes_at(
            figure, MARGIN + i % across * wide + room.left,
            MARGIN + i // across * high + TITLE + room.above,
            room.count * room.cell_width, room.count * room.cell_height, style,
        )
        for i in range(count)
    ]  # fmt: skip
    draw_heads(
        [attention_of(sentence, i) for i in range(count)], places, words=sentence.words,
        focus=sentence.focus, style=style, names=[one.name for one in sentence.heads],
    )  # fmt: skip
    for i, text in enumerate(lines):
        n = len(sentence.words)
        offset = (-room.left, -GAP - SMALL * (1 + LEADING * i))
        write(places[-1], 0, n, text, style, size=SMALL, color=style.colors.dim, offset=offset)
