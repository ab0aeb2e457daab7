"""What n tokens cost, as a table that grows downwards and as curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Dot, VGroup, VMobject

from engine.palette import Theme
from scenes.parts.layout import Box
from scenes.parts.number import Number, Tick
from scenes.parts.type import Text

__all__ = ["Curves", "GrowthTable", "in_binary"]

AIR = 1.3
"""How much further apart rows are at least than their numbers are high."""

UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
POINTS = 48


def in_binary(count: int) -> tuple[str, str]:
    """Bytes in the largest unit that leaves at least 1, to one decimal: e.g. ("4", "MiB")."""
    power = max(min((count.bit_length() - 1) // 10, len(UNITS) - 1), 0)
    figure = count / 1024**power
    return f"{figure:.1f}".removesuffix(".0"), UNITS[power]


class GrowthTable(VGroup):
    """Rows of numbers under headings, right-aligned in columns of equal width.

    An entry is a figure, or (figure, unit); `row` makes the next one. Rows are `pitch` apart, or
    as far as `box` has room for `count` of them.
    """

    def __init__(
        self,
        headings: Sequence[str],
        box: Box,
        theme: Theme,
        size: float,
        small: float,
        pitch: float,
        count: int,
    ) -> None:
        super().__init__()
        self.box, self.theme, self.small = box, theme, small
        self.pitch = pitch = min(pitch, box.height / (count + 1))
        self.size = min(size, pitch / AIR)
        width = box.width / len(headings)
        self.rights = [box.left + width * (i + 1) for i in range(len(headings))]
        self.headings, self.rows = VGroup(), VGroup()
        for heading, right in zip(headings, self.rights):
            text = Text(heading, small, theme.dim)
            text.shift((right - float(text.get_right()[0]), 0.0, 0.0))
            self.headings.add(text.on_baseline(box.top - pitch * 0.5 - 0.36 * small))

    def row(self, *entries: str | tuple[str, str], color: str = "") -> VGroup:
        """The next row, one entry a column."""
        y = self.box.top - self.pitch * (len(self.rows) + 1.5)
        row = VGroup()
        for entry, right in zip(entries, self.rights):
            figure, unit = (entry, "") if isinstance(entry, str) else entry
            cell = VGroup()
            if unit:
                text = Text(unit, self.small, self.theme.dim)
                text.shift((right - float(text.get_right()[0]), 0.0, 0.0))
                cell.add(text.on_baseline(y - 0.37 * self.size))
                right = float(text.get_left()[0]) - 0.11
            number = Number(figure, self.size, color or self.theme.ink, 500)
            row.add(cell.add(number.rewrite(figure, right, y, edge=1)))
        self.rows.add(row)
        return row


class Curves(VGroup):
    """Axes in `box` from 0 to `most` tokens and from 0 to the most of `top`, a curve at a time."""

    def __init__(
        self, title: str, box: Box, most: int, top: float, theme: Theme, small: float
    ) -> None:
        super().__init__()
        self.box, self.most, self.top, self.theme = box, most, top, theme
        self.axes = VMobject(stroke_color=theme.dim, stroke_width=2 * theme.stroke)
        corners = ((box.left, box.top), (box.left, box.bottom), (box.right, box.bottom))
        self.axes.set_points_as_corners([np.array((*corner, 0.0)) for corner in corners])
        self.title = Text(title, small, theme.ink, 600)
        self.title.shift((box.left, 0.0, 0.0)).on_baseline(box.top + 0.16)
        name = Text("tokens", small, theme.dim)
        self.ticks = VGroup(self._tick(most, small))
        half = self._tick(most // 2, small)
        if half.get_right()[0] < self.ticks.get_left()[0] - 0.15 and (
            half.get_left()[0] > box.left + name.width + 0.15
        ):
            self.ticks.add(half)
        name.shift((box.left, 0.0, 0.0)).on_baseline(box.bottom - 0.32)
        self.add(self.axes, self.title, self.ticks, name)

    def curve(self, cost: Callable[[int], int], color: str, width: float = 5.0) -> VMobject:
        """What `cost` gives for 0 to the most tokens."""
        counts = np.linspace(0, self.most, POINTS).astype(int)
        points = [self.place(int(n), cost(int(n)) if n else 0) for n in counts]
        line = VMobject(stroke_color=color, stroke_width=width * self.theme.stroke)
        return line.set_points_smoothly(points)

    def through(self, points: Sequence[tuple[int, float]], color: str) -> VGroup:
        """What was measured, (tokens, cost) each: a dot a measurement, joined by straight lines."""
        places = [self.place(n, cost) for n, cost in points]
        line = VMobject(stroke_color=color, stroke_width=4.0 * self.theme.stroke)
        dots = (Dot(place, 0.07, color=color) for place in places)
        return VGroup(line.set_points_as_corners(places), *dots)

    def place(self, n: int, cost: float) -> np.ndarray:
        """The frame point of `cost` at n tokens."""
        x = self.box.left + self.box.width * n / self.most
        return np.array((x, self.box.bottom + self.box.height * cost / self.top, 0.0))

    def _tick(self, n: int, small: float) -> VGroup:
        x, y = self.place(n, 0)[:2]
        mark = VMobject(stroke_color=self.theme.dim, stroke_width=2 * self.theme.stroke)
        mark.set_points_as_corners([np.array((x, y, 0.0)), np.array((x, y - 0.08, 0.0))])
        number = Tick(f"{n:,}", small, self.theme.dim)
        edge = 1 if n == self.most else 0
        return VGroup(mark, number.rewrite(f"{n:,}", float(x), float(y) - 0.24, edge=edge))
