"""Which piece of the plane is seen, and where a vector lies on the screen: pure functions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from engine.notation import write_entries
from engine.sentence import MAX_NUMBER
from engine.softmax import FloatArray

__all__ = ["Lens", "Margins", "clipped", "fitted", "nice_step", "ticks"]

Pixel = tuple[float, float]

SMALLEST = 1e-9
"""Vectors shorter than this are shown as zero: nothing is fitted to them."""

FARTHEST, NEAREST = 20 / MAX_NUMBER, 1e8
"""The range of scales, in pixels a unit: from all numbers allowed down to eight decimals."""


@dataclass(frozen=True)
class Margins:
    """Room kept free at the four sides of a picture, in pixels."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


@dataclass(frozen=True)
class Lens:
    """A view of the plane, equally scaled on both axes.

    x, y: the vector in the middle; scale: pixels a unit; width, height: of the picture, in pixels.
    Pixels count from the upper left corner, y downwards.
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 100.0
    width: float = 400.0
    height: float = 300.0

    def pixel(self, x: float, y: float) -> Pixel:
        """Where the vector (x, y) lies."""
        return (
            self.width / 2 + (x - self.x) * self.scale,
            self.height / 2 - (y - self.y) * self.scale,
        )

    def pixels(self, points: FloatArray) -> FloatArray:
        """Where vectors (n, 2) lie."""
        return (points - (self.x, self.y)) * (self.scale, -self.scale) + (
            self.width / 2,
            self.height / 2,
        )

    def vector(self, at: Pixel) -> tuple[float, float]:
        """The vector that lies at a pixel."""
        return (
            self.x + (at[0] - self.width / 2) / self.scale,
            self.y - (at[1] - self.height / 2) / self.scale,
        )

    def zoomed(self, factor: float, at: Pixel) -> Lens:
        """Nearer (factor above 1) or farther, with the vector at a pixel staying there."""
        scale = min(max(self.scale * factor, FARTHEST), NEAREST)
        x, y = self.vector(at)
        share = self.scale / scale
        return replace(
            self, scale=scale, x=x + (self.x - x) * share, y=y + (self.y - y) * share
        )  # fmt: skip

    def panned(self, right: float, down: float) -> Lens:
        """The picture pushed by so many pixels."""
        farthest = 4.0 * MAX_NUMBER
        x, y = self.x - right / self.scale, self.y + down / self.scale
        return replace(self, x=min(max(x, -farthest), farthest), y=min(max(y, -farthest), farthest))

    def towards(self, other: Lens, share: float) -> Lens:
        """A lens on the way to another one: 0 this, 1 the other."""
        scale = self.scale * (other.scale / self.scale) ** share
        # The middle moves as the zoom does, so that the way looks straight.
        along = share
        if not math.isclose(self.scale, other.scale):
            along = (1 / self.scale - 1 / scale) / (1 / self.scale - 1 / other.scale)
        return replace(
            other,
            scale=scale,
            x=self.x + (other.x - self.x) * along,
            y=self.y + (other.y - self.y) * along,
        )

    @property
    def ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The lowest and highest x, and y, that are seen."""
        half_x, half_y = self.width / 2 / self.scale, self.height / 2 / self.scale
        return (self.x - half_x, self.x + half_x), (self.y - half_y, self.y + half_y)

    @property
    def quantum(self) -> float:
        """The power of ten that is at most a pixel: what a drag rounds to."""
        return float(10.0 ** math.floor(math.log10(1 / self.scale) + 1e-9))


def fitted(points: FloatArray, width: float, height: float, margins: Margins) -> Lens:
    """The lens that shows 0 and all of `points` (n, 2) within the margins, as large as may be.

    Nothing but zeros (or as good as) is shown as if one vector had length 1.
    """
    low = np.minimum(points.min(axis=0, initial=0.0), 0.0)
    high = np.maximum(points.max(axis=0, initial=0.0), 0.0)
    if float((high - low).max()) < SMALLEST:
        low, high = np.array((-1.0, -1.0)), np.array((1.0, 1.0))
    # One that leaves no room at all is better broken than obeyed.
    across = max(width - margins.left - margins.right, width / 4, 1.0)
    down = max(height - margins.top - margins.bottom, height / 4, 1.0)
    spans = [float(span) for span in high - low]
    scale = min(
        room / span for room, span in zip((across, down), spans, strict=True) if span > SMALLEST
    )
    scale = min(max(scale, FARTHEST), NEAREST)
    middle = (low + high) / 2
    return Lens(
        float(middle[0]) - (margins.left - margins.right) / 2 / scale,
        float(middle[1]) + (margins.top - margins.bottom) / 2 / scale,
        scale,
        width,
        height,
    )


def nice_step(least: float) -> float:
    """The smallest of 1, 2, 5 × a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least * 0.999)


def ticks(low: float, high: float, step: float) -> tuple[list[float], list[str]]:
    """The multiples of `step` from low to high, and how they are written, all alike."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    numbers = [float(f"{i * step:.12g}") + 0.0 for i in range(first, last + 1)]
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return numbers, write_entries(numbers, max(digits, 2) if step >= 10_000 else digits)


def clipped(start: Pixel, end: Pixel, width: float, height: float) -> tuple[Pixel, Pixel] | None:
    """The part of a line that lies in a picture; None where none does (Liang & Barsky 1984).

    A dashed line of a billion pixels keeps a painter busy for ever.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    enter, leave = 0.0, 1.0
    for step, room in (
        (-dx, start[0]), (dx, width - start[0]), (-dy, start[1]), (dy, height - start[1])
    ):  # fmt: skip
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            enter = max(enter, room / step)
        else:
            leave = min(leave, room / step)
    if enter > leave:
        return None
    return (
        (start[0] + enter * dx, start[1] + enter * dy),
        (start[0] + leave * dx, start[1] + leave * dy),
    )
