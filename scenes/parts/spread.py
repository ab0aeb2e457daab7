"""How far dot products stray: one as a walk, a step a term; a thousand as a cloud of dots."""

from __future__ import annotations

import math

import numpy as np
from manim import Animation, CapStyleType, Dot, UpdateFromAlphaFunc, VGroup, VMobject
from numpy.typing import NDArray

from engine.notation import write_number
from engine.palette import Theme
from scenes.parts.layout import Box
from scenes.parts.number import Tick
from scenes.parts.plane import nice_step

__all__ = ["Cloud", "ValueAxis", "Walk"]

Numbers = NDArray[np.floating]

DOT = 4.2
TICK, UNDER = 0.06, 0.16
SHAFT, TIP = 5.0, 0.15


class ValueAxis(VGroup):
    """The line of numbers from −most to most across `box`: 0 marked, a few others named below."""

    def __init__(self, most: float, box: Box, theme: Theme, size: float) -> None:
        super().__init__()
        self.most, self.box = most, Box(box.left, box.right, box.bottom + 1.5 * size, box.top)
        step = nice_step(most / 2.4)
        grid = VMobject(stroke_color=theme.grid, stroke_width=1.5 * theme.stroke)
        zero = VMobject(stroke_color=theme.faint, stroke_width=2 * theme.stroke)
        self.numbers = VGroup()
        for i in range(-int(most / step), int(most / step) + 1):
            x, line = self.at(i * step), grid if i else zero
            line.start_new_path(np.array((x, self.box.bottom, 0.0)))
            line.add_line_to(np.array((x, self.box.top, 0.0)))
            text = write_number(float(f"{i * step:.6g}"))
            number = Tick(text, size, theme.dim)
            self.numbers.add(number.rewrite(text, x, box.bottom + 0.5 * size))
        self.add(grid, zero, self.numbers)

    def at(self, number: float) -> float:
        """The x of a number."""
        return self.box.center[0] + number / self.most * self.box.width / 2


class Walk(VGroup):
    """A sum on its way from 0: a row a term, downwards, each from the sum before to the next.

    `steps` holds an arrow a term; `dot` is where the sum has come to.
    """

    def __init__(self, terms: Numbers, axis: ValueAxis, theme: Theme) -> None:
        super().__init__()
        self.axis, self.theme = axis, theme
        self.sums = [0.0, *map(float, np.cumsum(terms))]
        self.pitch = axis.box.height / (len(terms) + 1)
        self.steps = VGroup(*(self._arrow(i) for i in range(len(terms))))
        self.dot = Dot(self._point(0.0, 0), 0.1, color=theme.highlight)

    def step(self, i: int) -> Animation:
        """Term i takes the sum along."""
        arrow, low, high = self.steps[i], self.sums[i], self.sums[i + 1]

        def go(_: VGroup, alpha: float) -> None:
            self.dot.move_to(self._point(low + (high - low) * alpha, i + 1))
            self._draw(arrow, low, low + (high - low) * alpha, i)

        return UpdateFromAlphaFunc(VGroup(arrow, self.dot), go)

    def _arrow(self, i: int) -> VMobject:
        arrow = VMobject(stroke_color=self.theme.weight, stroke_width=SHAFT * self.theme.stroke)
        return self._draw(arrow, self.sums[i], self.sums[i + 1], i)

    def _draw(self, arrow: VMobject, low: float, high: float, i: int) -> VMobject:
        """From where the row above ended down to this row, along it, and a tip."""
        above, start, end = self._point(low, i), self._point(low, i + 1), self._point(high, i + 1)
        arrow.set_points_as_corners([above, start, end])
        tip = min(TIP, 0.6 * abs(float(end[0] - start[0])))
        back = math.copysign(tip, float(start[0] - end[0]))
        for side in (-1, 1):
            arrow.start_new_path(end + np.array((back, side * 0.6 * tip, 0.0)))
            arrow.add_line_to(end)
        return arrow

    def _point(self, number: float, row: int) -> NDArray[np.float64]:
        return np.array((self.axis.at(number), self.axis.box.top - self.pitch * row, 0.0))


class Cloud(VGroup):
    """A dot a number along a row, at a height by chance; under it one deviation to either side.

    heights (n,) from −1 to 1; zero: the x of 0. `put` shows numbers (n,) where 1 is `unit` long.
    """

    def __init__(self, heights: Numbers, row: Box, zero: float, theme: Theme) -> None:
        super().__init__()
        self.row, self.zero, self.heights = row, zero, heights
        # A line without length and with round ends is a dot, at a quarter of a circle's cost.
        self.dots = VMobject(stroke_color=theme.weight, stroke_opacity=0.8, fill_opacity=0.0)
        self.dots.set_stroke(width=DOT * math.sqrt(theme.stroke))
        self.dots.set_cap_style(CapStyleType.ROUND)
        self.bracket = VMobject(stroke_color=theme.highlight, stroke_width=4 * theme.stroke)
        self.reach = row.height / 2 - UNDER
        self.add(self.dots, self.bracket)

    def put(self, numbers: Numbers, unit: float, up: float = 0.0) -> Cloud:
        """Stand at `numbers`, `up` above its row."""
        self.numbers, self.unit, self.up = numbers, unit, up
        y = self.row.center[1] + up + UNDER / 2
        places = np.zeros((len(numbers), 3))
        places[:, 0], places[:, 1] = self.zero + numbers * unit, y + self.heights * self.reach
        self.dots.set_points(np.repeat(places, 4, axis=0))
        half, low = float(np.std(numbers)) * unit, y - self.reach - UNDER / 2
        self.bracket.set_points_as_corners([(self.zero - half, low, 0), (self.zero + half, low, 0)])
        for x in (self.zero - half, self.zero + half):
            self.bracket.start_new_path(np.array((x, low - TICK, 0.0)))
            self.bracket.add_line_to(np.array((x, low + TICK, 0.0)))
        return self

    def move(self, numbers: Numbers, unit: float) -> Animation:
        """From where it stands to `numbers` on another scale, in its row."""
        start, from_unit, up = self.numbers, self.unit, self.up

        def go(_: Cloud, alpha: float) -> None:
            now = from_unit * (unit / from_unit) ** alpha
            self.put(start + (numbers - start) * alpha, now, up * (1 - alpha))

        return UpdateFromAlphaFunc(self, go)
