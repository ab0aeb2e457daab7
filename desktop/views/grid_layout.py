"""Where a grid's cells and names are, and which of them is at a point: pure functions, no Qt."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

__all__ = ["MARK", "NAMES_END", "NUMBERS_END", "GridLayout", "lay_out"]

NUMBERS_END = 16
NAMES_END = 32
"""From so many words on, cells hold no numbers, and rows and columns no names."""

WIDEST, TALLEST = 2.8, 1.0
"""Cells are at most so many times as wide as tall, and as tall as wide."""
MARK = 0.75
"""The room of the mark before the focus word's name, in lines."""
LOWEST_NAME, NARROWEST_NAME = 0.62, 0.75
"""Names are written where a row is at least this share of a line high, a column so wide."""


@dataclass(frozen=True)
class GridLayout:
    """count × count cells, in whole pixels; row i is between ys[i] and ys[i + 1].

    names_left and names_top: where the names of rows and columns begin. has_row_names,
    has_column_names: whether all are written. is_turned: columns' names run upwards.
    """

    xs: tuple[int, ...]
    ys: tuple[int, ...]
    names_left: float
    names_top: float
    has_row_names: bool
    has_column_names: bool
    is_turned: bool

    @property
    def count(self) -> int:
        """How many rows, and columns."""
        return len(self.xs) - 1

    @property
    def cell_width(self) -> int:
        """The narrowest cell's width."""
        return min(after - before for before, after in pairwise(self.xs))

    @property
    def cell_height(self) -> int:
        """The lowest cell's height."""
        return min(after - before for before, after in pairwise(self.ys))

    def box(self, row: int, column: int) -> tuple[int, int, int, int]:
        """A cell's (left, top, width, height)."""
        left, top = self.xs[column], self.ys[row]
        return left, top, self.xs[column + 1] - left, self.ys[row + 1] - top

    def within(
        self, left: float, top: float, right: float, bottom: float
    ) -> Iterator[tuple[int, int]]:
        """(row, column) of each cell that an area touches, row by row."""
        return product(
            range(max(bisect_right(self.ys, top) - 1, 0), bisect_right(self.ys[:-1], bottom)),
            range(max(bisect_right(self.xs, left) - 1, 0), bisect_right(self.xs[:-1], right)),
        )

    def at(self, x: float, y: float) -> tuple[int | None, int | None]:
        """(row, column) of the cell at a point; one of them None at a name, both where nothing."""
        row, column = _place(self.ys, y), _place(self.xs, x)
        if row is None and not self.names_top <= y < self.ys[0]:
            return None, None
        if column is None and not self.names_left <= x < self.xs[0]:
            return None, None
        return row, column


def lay_out(
    width: float,
    height: float,
    count: int,
    *,
    line: float,
    widest_name: float,
    narrowest: float = 0.0,
) -> GridLayout:
    """The largest grid of count words in width × height, under and over a line of text.

    line: the height of a line of text; widest_name: of the names; narrowest: what the rows' names
    have at least, all in pixels.
    """
    gap = 0.3 * line
    named = count < NAMES_END
    names = MARK * line + (min(widest_name + 0.5, 0.3 * width) if named else 0.0)
    left = gap + max(names, narrowest) + gap
    above, below = 0.2 * line + 1.15 * line, 1.5 * line
    room = max(width - left - gap, count)
    pitch = room / count
    is_turned = named and widest_name > pitch - 0.3 * line and pitch < 3 * line
    heads = 1.1 * line
    if named and (not is_turned or pitch >= NARROWEST_NAME * line):
        heads = (min(widest_name, 0.22 * height) if is_turned else line) + 0.2 * line
    top = above + heads + 0.15 * line
    tall = max((height - top - below) / count, 1.0)
    wide = max(min(pitch, WIDEST * tall), 1.0)
    tall = min(tall, TALLEST * wide) if count < NUMBERS_END else tall
    left += max(0.0, (room - wide * count) / 2) if wide < pitch else 0.0
    return GridLayout(
        xs=tuple(round(left + wide * i) for i in range(count + 1)),
        ys=tuple(round(top + tall * i) for i in range(count + 1)),
        # From where the cells begin, in whole pixels: the widest name isn't cut by a rounding.
        names_left=round(left) - gap - max(names, narrowest),
        names_top=top - 0.15 * line - heads,
        has_row_names=named and tall >= LOWEST_NAME * line,
        has_column_names=named and wide >= NARROWEST_NAME * line,
        is_turned=is_turned,
    )


def _place(edges: tuple[int, ...], at: float) -> int | None:
    if not edges[0] <= at < edges[-1]:
        return None
    return bisect_right(edges, at) - 1
