"""Where things stand: the zones of a frame, and places for labels that don't overlap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "ROW_NAMES",
    "WORKING_SHARE",
    "Box",
    "Zones",
    "box_of",
    "frame_size",
    "is_stacked",
    "place_label",
    "zones",
]

ROW_NAMES = 1.3
"""Room at the stage's left for the names of rows, kept free by the words' row as well."""

NOTES = 2.5
"""Room at the stage's right for notes on its rows, where they can't stand on the working."""

STACKED_BELOW = 1.3
"""Where a frame isn't this much wider than high, the arithmetic stands under the stage."""

WORKING_SHARE = 0.52
"""How much of the room under the words the working gets where it stands under the stage."""

NEAR = 3
"""How many of the distances that are tried for a name are still near the tip that it names."""

SQUARE_LETTERS = 1.15
"""How much larger letters are in a square frame, which shows all that is in it smaller."""

UPRIGHT_ZOOM, SQUARE_ZOOM = 1.25, 1.15
"""How much larger the arithmetic is written where it has the whole width of the frame."""


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

    def off(self, other: Box, air: float = 0.08) -> tuple[float, float]:
        """The shortest way, (x, y), that this box has to go to be `air` away from `other`."""
        x = (self.width + other.width) / 2 + air - abs(self.center[0] - other.center[0])
        y = (self.height + other.height) / 2 + air - abs(self.center[1] - other.center[1])
        if x <= 0 or y <= 0:
            return 0.0, 0.0
        if x < y:
            return math.copysign(x, self.center[0] - other.center[0]), 0.0
        return 0.0, math.copysign(y, self.center[1] - other.center[1])

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
    """The parts of a frame: title line, words, stage, working (the arithmetic), caption.

    beside: where notes on the stage's rows go, each as high as its row; the working itself, unless
    that stands under the stage. zoom: how much larger than beside a wide stage the arithmetic may
    be written. letters: how much larger than in a wide frame all texts are.
    """

    title: Box
    words: Box
    stage: Box
    working: Box
    caption: Box
    beside: Box
    zoom: float = 1.0
    letters: float = 1.0


def frame_size(width: int, height: int) -> tuple[float, float]:
    """The frame, in Manim's units, of a picture of so many pixels: (width, height).

    A unit is as wide as high, so that circles are round. The frame is 8 high where it is wide; an
    upright one is 8.6 wide and a square one 13.2, so that stage and working keep about the room
    they have there, and texts stay as large as the width allows.
    """
    ratio = width / height
    if ratio > STACKED_BELOW:
        return 8.0 * ratio, 8.0
    across = 8.6 if ratio < 0.8 else 13.2
    return across, across / ratio


def is_stacked(width: float, height: float) -> bool:
    """Whether a frame of this shape has the arithmetic under the stage, not beside it."""
    return width / height <= STACKED_BELOW


def box_of(drawn: Any) -> Box:
    """The box of something drawn."""
    shape = Box(0.0, float(drawn.width), 0.0, float(drawn.height))
    x, y, _ = drawn.get_center()
    return shape.around(float(x), float(y))


def zones(
    width: float, height: float, *, has_notes: bool = False, share: float = WORKING_SHARE
) -> Zones:
    """The zones of a frame of this size, inside safe margins.

    In a frame whose working is under the stage `has_notes` keeps room for notes beside the rows,
    and the working gets that `share` of the height.
    """
    if is_stacked(width, height):
        return _stacked(width, height, NOTES if has_notes else 0.0, share)
    return _wide(width, height)


def _wide(width: float, height: float) -> Zones:
    left, right = -width / 2 + 0.6, width / 2 - 0.6
    top, bottom = height / 2 - 0.3, -height / 2 + 0.35
    split = left + 0.655 * (right - left)
    stage_top, stage_bottom = top - 1.55, bottom + 1.4
    working = Box(split + 0.45, right, stage_bottom, top - 0.9)
    return Zones(
        title=Box(left, right, top - 0.75, top),
        words=Box(left + ROW_NAMES, split, top - 1.5, top - 0.9),
        stage=Box(left, split, stage_bottom, stage_top),
        working=working,
        caption=Box(left, right, bottom, bottom + 1.15),
        beside=working,
    )


def _stacked(width: float, height: float, notes: float, share: float) -> Zones:
    """From the top: title beside the formula, words, stage, working, caption."""
    left, right = -0.45 * width, 0.45 * width
    is_upright = width < height
    # Players of upright films lay their own signs over the margins.
    margin, head = (0.045, 1.35) if is_upright else (0.03, 1.25)
    top, bottom = (0.5 - margin) * height, (margin - 0.5) * height
    words = top - head
    stage_top, working_bottom = words - 0.65, bottom + 1.4
    split = working_bottom + share * (stage_top - working_bottom)
    return Zones(
        title=Box(left, right, top - 0.9, top),
        words=Box(left + ROW_NAMES, right - notes, words - 0.6, words),
        stage=Box(left, right - notes, split, stage_top),
        beside=Box(right - max(notes - 0.2, 0.0), right, split, stage_top),
        # Tables are set as wide as their zone: no wider than the eye goes from word to number.
        working=Box(max(left, -3.3), min(right, 3.3), working_bottom, split - 0.3),
        caption=Box(left, right, bottom, bottom + 1.15),
        zoom=UPRIGHT_ZOOM if is_upright else SQUARE_ZOOM,
        letters=1.0 if is_upright else SQUARE_LETTERS,
    )


def place_label(
    tip: tuple[float, float],
    toward: tuple[float, float],
    size: tuple[float, float],
    taken: Iterable[Box],
    bounds: Box,
    labels: Iterable[Box] = (),
    gap: float = 0.12,
    spared: Iterable[Box] = (),
) -> Box:
    """A box of `size` near `tip`, best in the direction `toward`, off `taken` and in `bounds`.

    Tries directions turning away from `toward` and growing distances; returns the first free
    place, or the least bad one, where covering one of the `labels` is the worst. Of the free ones
    near the tip the first is taken that covers the fewest of what is `spared`.
    """
    labels, spared = list(labels), list(spared)
    taken = list(taken)

    def cost(box: Box, covered: Sequence[Box]) -> float:
        outside = 0.0 if bounds.holds(box) else 10.0
        over = sum(1.0 + 10.0 * area for area in map(box.overlap, labels) if area > 0)
        return outside + over + sum(map(box.overlap, covered))

    reaches = (gap, gap * 2.5, gap * 5, gap * 9, gap * 14)
    near = _places(tip, toward, size, reaches[:NEAR]) if spared else ()
    if free := [box for box in near if cost(box, taken) == 0]:
        return min(free, key=lambda box: sum(box.overlap(mark) > 0 for mark in spared))
    best, least = Box(0.0, size[0], 0.0, size[1]).around(*tip), math.inf
    for box in _places(tip, toward, size, reaches):
        now = cost(box, taken)
        if now == 0:
            return box
        if now < least:
            best, least = box, now
    return best


def _places(
    tip: tuple[float, float],
    toward: tuple[float, float],
    size: tuple[float, float],
    reaches: Sequence[float],
) -> Iterator[Box]:
    """Boxes of `size` around `tip`, the best first."""
    base = math.atan2(toward[1], toward[0]) if toward != (0.0, 0.0) else math.pi / 4
    shape = Box(0.0, size[0], 0.0, size[1])
    for reach in reaches:
        for turn in (sign * step * math.pi / 8 for step in range(9) for sign in (1, -1)):
            x = tip[0] + math.cos(base + turn) * (reach + size[0] / 2)
            y = tip[1] + math.sin(base + turn) * (reach + size[1] / 2)
            yield shape.around(x, y)
