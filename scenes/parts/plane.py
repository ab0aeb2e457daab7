"""A plane of vectors: where numbers are places."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from engine.notation import write_number
from engine.palette import Theme
from engine.softmax import FloatArray
from scenes.parts.layout import Box, box_of
from scenes.parts.number import Tick

__all__ = ["Plane", "nice_step"]

LINE, BELOW = 0.025, 0.42
"""Half as wide as an axis; how far under it numbers reach, which is kept free for them."""

BESIDE = 0.3
"""How far a number at the end of an axis may reach out of the box: a long one is left out."""

STRIPS = ((LINE, -LINE), (BELOW, BELOW / 3))
"""How far below y = 0 the x axis and its numbers begin and end."""

TINY = 1e-305
"""Vectors shorter than this are drawn as if they were 0: no number of frame units is 1."""


class Plane(VGroup):
    """A grid in `box` that shows all of `vectors` and the origin, both axes to one scale.

    vectors (n, 1 or 2). With one number a vector (`is_line`) only the x axis is drawn.
    """

    def __init__(
        self,
        vectors: Sequence[FloatArray] | FloatArray,
        box: Box,
        theme: Theme,
        margin: float = 1.22,
        *,
        is_line: bool = False,
    ) -> None:
        super().__init__()
        points = on_plane(vectors)
        low, high = _extent(points, margin)
        self.box = box
        self.unit = min(box.width / (high[0] - low[0]), box.height / (high[1] - low[1]))
        middle = (low + high) / 2
        if box.center[1] - middle[1] * self.unit < box.bottom + BELOW and high[1] > 0:
            self.unit = min(self.unit, (box.height - BELOW) / high[1])
        self.origin = np.array(box.center) - middle * self.unit
        self.origin[1] = max(self.origin[1], box.bottom + BELOW)
        self._draw(theme, is_line)

    def place(self, vector: FloatArray) -> NDArray[np.float64]:
        """The frame point (3,) where `vector` (1 or 2 numbers) lies."""
        x, y = self.origin + on_plane([vector])[0] * self.unit
        return np.array((x, y, 0.0))

    def marks(self) -> list[Box]:
        """What names keep off: the axes, the strip of numbers under x, each number beside y."""
        (x, y), box = (float(at) for at in self.origin), self.box
        line, strip = (Box(box.left, box.right, y - low, y - high) for low, high in STRIPS)
        beside = [number for number in map(box_of, self[2]) if not number.overlap(strip)]
        return [line, strip, Box(x - LINE, x + LINE, box.bottom, box.top), *beside]

    def clear_numbers(self, taken: Iterable[Box]) -> None:
        """Take away the axis numbers that would stand under any of `taken`."""
        taken, numbers = list(taken), self[2]
        for number in list(numbers):
            box = box_of(number)
            if any(box.overlap(other) > 0 for other in taken):
                numbers.remove(number)

    def interrupt_axes(self, names: Sequence[Box]) -> None:
        """Leave the axes out where `names` stand on them."""
        axes: VMobject = self[1]
        axes.clear_points()
        for axis, at in enumerate(self.origin):
            spans = sorted(_along(1 - axis, box) for box in names if _is_between(at, axis, box))
            start, end = _along(1 - axis, self.box)
            for low, high in spans:
                if low > start:
                    _add_line(axes, axis, at, (start, low))
                start = max(start, high)
            if start < end:
                _add_line(axes, axis, at, (start, end))

    def _draw(self, theme: Theme, is_line: bool) -> None:
        box, size = self.box, 0.25
        step = nice_step(min(box.width, box.height) / self.unit / 4.2)
        grid = VMobject(stroke_color=theme.grid, stroke_width=1.5 * theme.stroke)
        axes = VMobject(stroke_color=theme.faint, stroke_width=2 * theme.stroke)
        numbers = VGroup()
        for axis, (start, end) in enumerate(((box.left, box.right), (box.bottom, box.top))):
            zero = self.origin[axis]
            first = math.ceil((start - zero) / self.unit / step - 1e-9)
            last = math.floor((end - zero) / self.unit / step + 1e-9)
            lines = range(first, last + 1) if not is_line or axis == 0 else range(0)
            ticks = [i for i in lines if i]
            every = self._every(ticks, step, axis, size, theme)
            for i in lines:
                line = axes if i == 0 else grid
                _add_line(line, axis, zero + i * step * self.unit, _along(1 - axis, box))
            for i in (i for i in ticks if i % every == 0):
                number = self._tick(i * step, axis, zero + i * step * self.unit, size, theme)
                beside = box_of(number)
                if box.left - BESIDE < beside.left and beside.right < box.right + BESIDE:
                    numbers.add(number)
        if is_line:
            _add_line(axes, 1, self.origin[1], _along(0, box))
        # One that fades in among arrows, in the place of another, is still behind them.
        self.add(grid, axes, numbers).set_z_index(-1)

    def _every(self, ticks: list[int], step: float, axis: int, size: float, theme: Theme) -> int:
        """Every how many grid lines there is room for a number."""
        if axis == 1 or not ticks:
            return 1
        numbers = (self._tick(i * step, axis, 0.0, size, theme) for i in ticks)
        widest = max(float(number.width) for number in numbers)
        return math.ceil((widest + 0.2) / (step * self.unit))

    def _tick(self, number: float, axis: int, at: float, size: float, theme: Theme) -> Tick:
        text = write_number(float(f"{number:.6g}"))
        tick = Tick(text, size, theme.dim)
        x, y = self.origin
        if axis == 0:
            return tick.rewrite(text, at, y - 0.3)
        return tick.rewrite(text, x - 0.12, at, edge=1)


def on_plane(vectors: Sequence[FloatArray] | FloatArray) -> FloatArray:
    """Vectors (n, 1 or 2) as points (n, 2); one number lies on the x axis."""
    vectors = np.asarray(vectors, dtype=np.float64)
    if vectors.shape[-1] == 1:
        return np.concatenate((vectors, np.zeros_like(vectors)), axis=-1)
    return vectors[..., :2]


def nice_step(least: float) -> float:
    """The smallest of 1, 2, 5 × a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least * 0.999)


def _extent(points: FloatArray, margin: float) -> tuple[FloatArray, ...]:
    """Lower and upper corner of what must be seen: never empty, the origin always inside."""
    low = np.minimum(points.min(axis=0, initial=0.0), 0.0)
    high = np.maximum(points.max(axis=0, initial=0.0), 0.0)
    size = float((high - low).max())
    size = size if size > TINY else 1.0
    room = size * (margin - 1)
    low, high = low - room, high + room
    return low, high


def _add_line(lines: VMobject, axis: int, at: float, span: tuple[float, float]) -> None:
    """A line at x = `at` (axis 0) or y = `at` (1), which goes over a `span` of the other axis."""
    ends = [(at, end, 0.0) if axis == 0 else (end, at, 0.0) for end in span]
    lines.start_new_path(np.array(ends[0]))
    lines.add_line_to(np.array(ends[1]))


def _along(axis: int, box: Box) -> tuple[float, float]:
    """From where to where a box goes, across (0) or up (1)."""
    return (box.left, box.right) if axis == 0 else (box.bottom, box.top)


def _is_between(at: float, axis: int, box: Box) -> bool:
    low, high = _along(axis, box)
    return low < at < high
