"""Where things stand: the zones of a frame, and places for labels that don't overlap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["ROW_NAMES", "Box", "Zones", "place_label", "zones"]

ROW_NAMES = 1.3
"""Room at the stage's left for the names of rows, kept free by the words' row as well."""


@dataclass(frozen=True)
class Box:
    """A rectangle in frame units."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        """Its width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Its height."""
        return self.top - self.bottom

    @property
    def center(self) -> tuple[float, float]:
        """Its middle, (x, y)."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    def around(self, x: float, y: float) -> Box:
        """A box of this size centred at (x, y)."""
        w, h = self.width / 2, self.height / 2
        return Box(x - w, x + w, y - h, y + h)

    def overlap(self, other: Box) -> float:
        """The area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(width, 0.0) * max(height, 0.0)

    def holds(self, other: Box) -> bool:
        """Whether `other` lies inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.bottom <= other.bottom
            and other.top <= self.top
        )


@dataclass(frozen=True)
class Zones:
    """The parts of a frame: title line, words, stage, working (the arithmetic), caption."""

    title: Box
    words: Box
    stage: Box
    working: Box
    caption: Box


def zones(width: float, height: float) -> Zones:
    """The zones of a 16:9 frame of this size, inside safe margins."""
    left, right = -width / 2 + 0.6, width / 2 - 0.6
    top, bottom = height / 2 - 0.3, -height / 2 + 0.35
    split = left + 0.655 * (right - left)
    stage_top, stage_bottom = top - 1.55, bottom + 1.4
    return Zones(
        title=Box(left, right, top - 0.75, top),
        words=Box(left + ROW_NAMES, split, top - 1.5, top - 0.9),
        stage=Box(left, split, stage_bottom, stage_top),
        working=Box(split + 0.45, right, stage_bottom, top - 0.9),
        caption=Box(left, right, bottom, bottom + 1.15),
    )


def place_label(
    tip: tuple[float, float],
    toward: tuple[float, float],
    size: tuple[float, float],
    taken: Iterable[Box],
    bounds: Box,
    gap: float = 0.12,
) -> Box:
    """A box of `size` near `tip`, best in the direction `toward`, off `taken` and in `bounds`.

    Tries directions turning away from `toward` and growing distances; returns the first free
    place, or the least bad one.
    """
    taken = list(taken)
    base = math.atan2(toward[1], toward[0]) if toward != (0.0, 0.0) else math.pi / 4
    shape = Box(0.0, size[0], 0.0, size[1])
    best, least = shape.around(*tip), math.inf
    for reach in (gap, gap * 2.5, gap * 5, gap * 9):
        for turn in _turns():
            dx, dy = math.cos(base + turn), math.sin(base + turn)
            x = tip[0] + dx * (reach + size[0] / 2)
            y = tip[1] + dy * (reach + size[1] / 2)
            box = shape.around(x, y)
            outside = 0.0 if bounds.holds(box) else 10.0
            cost = sum(box.overlap(other) for other in taken) + outside
            if cost == 0:
                return box
            if cost < least:
                best, least = box, cost
    return best


def _turns() -> Sequence[float]:
    return [sign * step * math.pi / 8 for step in range(9) for sign in (1, -1)]
