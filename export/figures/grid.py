"""A grid of weights on given axes: rows listen, columns are heard, both axes named.

Lengths are in points before the style's scale.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle

from engine.attention import Attention
from engine.notation import write_share
from engine.palette import weight_colors
from export.figures.lettering import fit, width_of, write
from export.figures.marks import Box, boxes_path, hatch, points_across
from export.figures.theme import BODY, GAP, SMALL, FigureStyle

__all__ = ["HEARD", "LISTENS", "GridRoom", "draw_grid", "room_for_grid"]

LISTENS, HEARD = "who listens", "who is heard"

LONGEST_NAME = 110.0
"""What a name beside a row, or upright over a column, may take."""

SMALLEST_NUMBER, SMALLEST_NAME = 6.0, 4.5
"""A smaller number is left out, the shade of its cell being all there is; names shrink to this."""

LARGEST_GRID = 480.0
"""However many words there are, the cells together are no wider and no higher."""


@dataclass(frozen=True)
class GridRoom:
    """What a grid takes: one cell, and what stands left of all cells, above them and below."""

    cell_width: float
    cell_height: float
    left: float
    above: float
    count: int

    @property
    def width(self) -> float:
        """The whole width; what the upper axis is called may be wider than few cells."""
        axis = max(width_of(f"{name} (q) →", SMALL) for name in (LISTENS, HEARD))
        return self.left + max(self.count * self.cell_width, axis)

    @property
    def height(self) -> float:
        """The whole height."""
        return self.above + self.count * self.cell_height


def room_for_grid(
    words: Sequence[str], style: FigureStyle, *, largest: float = LARGEST_GRID
) -> GridRoom:
    """The room that a grid of these words wants; at most `largest` for its cells."""
    n = len(words)
    number = width_of(write_share(0.5, style.digits), BODY)
    comfortable = max(number + 2.5 * GAP, 44.0)
    names = max(width_of(word, BODY) for word in words) + 2 * GAP
    cell_width = min(
        names if comfortable < names <= 1.6 * comfortable else comfortable, largest / n
    )
    cell_height = min(36.0, cell_width, largest / n)
    left, above, _ = _margins(words, cell_width, cell_height, style)
    return GridRoom(cell_width, cell_height, left, above, n)


def draw_grid(
    attention: Attention, ax: Axes, words: Sequence[str], style: FigureStyle, focus: int | None
) -> None:
    """Draw the weights of one head as a grid that fills `ax`; names stand outside of it.

    attention's arrays are (n, …). A number stands in each cell that has room for it; what is
    masked is hatched. The focus word's row (or column) has a frame; None frames nothing.
    """
    n = len(words)
    ax.set_axis_off()
    ax.set_xlim(0, n)
    ax.set_ylim(n, 0)
    width, height = points_across(ax, style)
    weights, mask = attention.weights, attention.mask
    hidden = np.zeros((n, n), np.bool_) if mask is None else ~mask
    if style.is_turned:
        weights, hidden = weights.T, hidden.T
    _fill(ax, weights, hidden, style)
    _number(ax, weights, hidden, style, width, height)
    faint, width_of_lines = style.colors.faint, style.stroke(0.6)
    lines: dict[str, Any] = {"edgecolor": faint, "fill": False, "linewidth": width_of_lines}
    cells = [(float(j), float(i), 1.0, 1.0) for i in range(n) for j in range(n)]
    if min(width, height) >= SMALLEST_NAME * 2:
        ax.add_patch(PathPatch(boxes_path(cells), zorder=2, **lines, clip_on=False))
    else:
        ax.add_patch(Rectangle((0, 0), n, n, zorder=2, **lines, clip_on=False))
    if focus is not None and n > 1:
        x, y, w, h = (focus, 0, 1, n) if style.is_turned else (0, focus, n, 1)
        lines |= {"edgecolor": style.colors.highlight, "linewidth": style.stroke(2)}
        ax.add_patch(Rectangle((x, y), w, h, zorder=3, clip_on=False, **lines))
    _name(ax, words, style, width, height)


def _fill(ax: Axes, weights: np.ndarray, hidden: np.ndarray, style: FigureStyle) -> None:
    """A shade a weight, one path for all cells that share it; hatching where nobody may look."""
    shades: dict[float, list[Box]] = defaultdict(list)
    masked: list[Box] = []
    for (i, j), weight in np.ndenumerate(weights):
        box = (float(j), float(i), 1.0, 1.0)
        if hidden[i, j]:
            masked.append(box)
        elif share := round(float(weight), 2):
            shades[share].append(box)
    for share, boxes in sorted(shades.items()):
        # Laid over the ground by its share: the palette's blend, in any theme.
        ax.add_patch(
            PathPatch(
                boxes_path(boxes), facecolor=style.colors.weight, alpha=share, linewidth=0, zorder=1
            )
        )
    hatch(ax, masked, style)


def _number(
    ax: Axes, weights: np.ndarray, hidden: np.ndarray, style: FigureStyle,
    width: float, height: float,
) -> None:  # fmt: skip
    texts = {place: write_share(float(weight), style.digits)
             for place, weight in np.ndenumerate(weights)}  # fmt: skip
    widest = max(width_of(text, BODY) for text in set(texts.values())) / BODY
    size = min(BODY, 0.86 * width / widest, 0.7 * height)
    if size < SMALLEST_NUMBER:
        return
    for (i, j), text in texts.items():
        color = weight_colors(style.colors, round(float(weights[i, j]), 2))[1]
        plate = None
        if hidden[i, j]:
            color = style.colors.dim
            plate = {"boxstyle": "round,pad=0.15", "facecolor": style.colors.ground, "linewidth": 0}
        write(
            ax, j + 0.5, i + 0.5, text, style, size=size, color=color, ha="center",
            offset=(0, -0.36 * size), bbox=plate,
        )  # fmt: skip


def _name(ax: Axes, words: Sequence[str], style: FigureStyle, width: float, height: float) -> None:
    _, above, stand = _margins(words, width, height, style)
    row_size, column_size = _name_sizes(width, height, stand)
    ink = style.colors.ink
    if row_size:
        for i, word in enumerate(words):
            text = fit(word, row_size, LONGEST_NAME)
            offset = (-GAP, -0.36 * row_size)
            write(ax, 0, i + 0.5, text, style, size=row_size, color=ink, ha="right", offset=offset)
    if column_size:
        for j, word in enumerate(words):
            if stand:
                write(
                    ax, j + 0.5, 0, fit(word, column_size, LONGEST_NAME), style, size=column_size,
                    rotation=90, offset=(0.36 * column_size, GAP),
                )  # fmt: skip
            else:
                text = fit(word, column_size, width - GAP)
                write(ax, j + 0.5, 0, text, style, size=column_size, ha="center", offset=(0, GAP))
    down, across = (HEARD, LISTENS) if style.is_turned else (LISTENS, HEARD)
    colors = {LISTENS: style.colors.role("query"), HEARD: style.colors.role("key")}
    letters = {LISTENS: "q", HEARD: "k"}
    write(
        ax, 0, 0, f"{down} ({letters[down]}) ↓", style, size=SMALL, color=colors[down], ha="right",
        offset=(-GAP, GAP),
    )  # fmt: skip
    write(
        ax, 0, 0, f"{across} ({letters[across]}) →", style, size=SMALL, color=colors[across],
        offset=(0, above - SMALL),
    )  # fmt: skip


def _margins(
    words: Sequence[str], width: float, height: float, style: FigureStyle
) -> tuple[float, float, bool]:
    """What stands left of the cells and above them, and whether the columns' names are upright."""
    stand = width < BODY * 1.2 or any(width_of(word, BODY) > width - GAP for word in words)
    row_size, column_size = _name_sizes(width, height, stand)
    rows = max(min(width_of(word, row_size or 1), LONGEST_NAME) for word in words)
    axis = max(width_of(f"{name} (q) ↓", SMALL) for name in (LISTENS, HEARD))
    left = max(rows, axis) + GAP
    columns = column_size
    if stand:
        columns = max(min(width_of(word, column_size or 1), LONGEST_NAME) for word in words)
    # Names, and above them what the axis is called.
    return left, columns + 2 * GAP + 1.2 * SMALL, stand


def _name_sizes(width: float, height: float, stand: bool) -> tuple[float, float]:
    """The sizes of the rows' and the columns' names; 0 where there is no room for any."""
    rows = min(BODY, 0.85 * height)
    columns = min(BODY, 0.85 * width) if stand else BODY
    return tuple(size if size >= SMALLEST_NAME else 0.0 for size in (rows, columns))  # type: ignore[return-value]
