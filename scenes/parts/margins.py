"""Vectors as lists of numbers at the margins of a grid: under its words, and at its rows' names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from engine.notation import write_entries, write_list
from engine.palette import Theme
from scenes.parts.board import in_a_row
from scenes.parts.grid import Grid
from scenes.parts.layout import ROW_NAMES
from scenes.parts.number import Number
from scenes.parts.type import Text

__all__ = ["Margins", "cut_list"]

Numbers = NDArray[np.floating]

LIFT, DROP, LOWEST = 0.18, 0.42, 0.85


class Margins:
    """Lists for a grid's queries and keys (n, d): `queries` and `keys`, one a word; none if not.

    There are some where all of them fit: keys under the words at height y, queries under the names
    of the rows, which make room; turned, the other way round. `values` are for the keys' places.
    """

    def __init__(
        self, query: Numbers, key: Numbers, value: Numbers, theme: Theme, size: float, digits: int
    ) -> None:
        self.queries, self.keys, self.values = (
            VGroup(*(self._list(row, role, theme, size, digits) for row in rows))
            for rows, role in ((query, "query"), (key, "key"), (value, "value"))
        )

    def fit(self, pitch: float, height: float, *, turned: bool) -> bool:
        """Whether they have room beside cells so wide, in a grid so high."""
        top, side = (self.queries, self.keys) if turned else (self.keys, self.queries)
        fits = _widest(side) < ROW_NAMES - 0.2 and _widest(top) < 0.92 * pitch
        return fits and height / len(top) > LOWEST

    def place(self, grid: Grid, y: float) -> None:
        """Put all in their places, and lift the names of the rows."""
        top, side = (self.queries, self.keys) if grid.is_turned else (self.keys, self.queries)
        for label, x in zip(top, grid.columns):
            label.move_to((x, y, 0.0))
        for label, name in zip(side, grid.names):
            name.shift((0.0, LIFT, 0.0))
            right, middle = float(name.get_right()[0]), float(name.get_center()[1])
            label.move_to((right, middle - DROP, 0.0), (1.0, 0.0, 0.0))
        for label, key in zip(self.values, self.keys):
            edge = (1.0, 0.0, 0.0) if grid.is_turned else (0.0, 0.0, 0.0)
            label.move_to(key.get_critical_point(edge), edge)

    def values_fit(self, pitch: float, *, turned: bool) -> bool:
        """Whether values have room where the keys stand."""
        return _widest(self.values) < (ROW_NAMES - 0.2 if turned else 0.92 * pitch)

    def _list(self, vector: Numbers, role: str, theme: Theme, size: float, digits: int) -> Number:
        return Number(write_list(vector, digits), size, theme.role(role), 600)


def cut_list(numbers: Numbers, digits: int, size: float, color: str, width: float) -> VGroup:
    """Numbers as a list on one line; dots stand for those at its end that find no room."""
    texts: Sequence[str] = write_entries(numbers, digits)
    whole = Number(f"[{', '.join(texts)}]", size, color, 600)
    if whole.width <= width or len(texts) == 1:
        return VGroup(whole.scale(min(1.0, width / whole.width)))
    dots = Text("…]", size, color, 600).on_baseline(-0.36 * size)
    for count in range(len(texts) - 1, 0, -1):
        kept = Number(f"[{', '.join(texts[:count])},", size, color, 600)
        if kept.width <= width - dots.width - 0.1:
            break
    return in_a_row(kept, dots, gap=0.1)


def _widest(lists: VGroup) -> float:
    return max(float(label.width) for label in lists)
