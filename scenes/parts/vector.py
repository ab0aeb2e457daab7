"""Vectors as arrows: a role is told by line, tip and letter as well as by colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import Animation, UpdateFromAlphaFunc, VGroup, VMobject

from engine.palette import ROLES, Theme
from engine.softmax import FloatArray

__all__ = ["Arrow", "side_by_side"]

Point = FloatArray

DASH, GAP = 0.16, 0.1
HEAD_LENGTH, HEAD_WIDTH = 0.26, 0.2
WIDTHS = {"solid": 5.0, "dashed": 4.0, "thick": 8.0, "double": 3.0}


class Arrow(VGroup):
    """A vector of one role, from `start` to `end` in the frame; `put` moves it.

    A vector of length 0 is a small ring: it has no direction, so it has no head.
    """

    def __init__(self, role: str, start: Point, end: Point, theme: Theme) -> None:
        super().__init__()
        style, color = ROLES[role], theme.role(role)
        width = WIDTHS[style.line] * theme.stroke
        self.role, self.style = role, style
        self.shaft = VMobject(stroke_color=color, stroke_width=width, fill_opacity=0.0)
        self.head = VMobject(stroke_color=color, stroke_width=0.0, fill_color=color)
        if style.tip == "open":
            self.head.set_stroke(width=WIDTHS["dashed"] * theme.stroke)
        self.add(self.shaft, self.head)
        self.put(start, end)

    def put(self, start: Point, end: Point) -> Arrow:
        """Draw the arrow from `start` to `end`."""
        self.start, self.end = np.array(start, dtype=float), np.array(end, dtype=float)
        length = float(np.linalg.norm(self.end - self.start))
        hollow = self.style.tip == "open" or length < 1e-6
        self.head.set_fill(opacity=0.0 if hollow else 1.0)
        if length < 1e-6:
            self.shaft.set_points(_circle(self.start, 0.07))
            self.head.set_points(np.zeros((0, 3)))
            return self
        along = (self.end - self.start) / length
        across = np.array((-along[1], along[0], 0.0))
        head = min(HEAD_LENGTH, 0.6 * length)
        neck = {"open": length, "round": length - 0.02}.get(self.style.tip, length - head * 0.9)
        self.shaft.set_points(self._shaft(along, across, neck))
        self.head.set_points(self._head(along, across, head))
        return self

    def grow(self) -> Animation:
        """The arrow growing from its start to where it points."""
        start, end = self.start, self.end
        return UpdateFromAlphaFunc(
            self, lambda arrow, alpha: arrow.put(start, start + (end - start) * alpha)
        )

    def tint(self, color: str) -> Arrow:
        """Draw it all in `color`: dimmed, or lit again."""
        self.shaft.set_stroke(color=color)
        self.head.set_stroke(color=color)
        self.head.set_fill(color=color)
        return self

    def _shaft(self, along: Point, across: Point, length: float) -> Point:
        def line(begin: float, end: float, aside: float = 0.0) -> list[Point]:
            offset = self.start + across * aside
            return [offset + along * begin, offset + along * end]

        if self.style.line == "dashed":
            count = max(1, math.floor((length + GAP) / (DASH + GAP)))
            pitch = (length + GAP) / count
            return _polylines([line(i * pitch, (i + 1) * pitch - GAP) for i in range(count)])
        if self.style.line == "double":
            return _polylines([line(0.0, length, 0.035), line(0.0, length, -0.035)])
        return _polylines([line(0.0, length)])

    def _head(self, along: Point, across: Point, size: float) -> Point:
        wing = across * size * HEAD_WIDTH / HEAD_LENGTH / 2
        back = self.end - along * size
        if self.style.tip == "round":
            return _circle(self.end, min(0.1, size / 2))
        if self.style.tip == "open":
            return _polylines([[back + wing * 1.2, self.end, back - wing * 1.2]])
        return _polylines([[back + wing, self.end, back - wing, back + wing]])


def side_by_side(directions: Sequence[Sequence[float]], apart: float) -> list[Point]:
    """An offset (3,) for each vector, so that those along one line don't hide one another.

    directions: vectors (x, y) from a common start. Vectors of one direction get places `apart`
    from each other across it; the others, and zero vectors, stay.
    """
    angles = [math.atan2(y, x) if (x, y) != (0, 0) else None for x, y in directions]
    offsets: list[Point] = [np.zeros(3) for _ in directions]
    for i, angle in enumerate(angles):
        if angle is None:
            continue
        same = [j for j, other in enumerate(angles) if other is not None and _near(angle, other)]
        aside = (same.index(i) - (len(same) - 1) / 2) * apart
        offsets[i] = np.array((-math.sin(angle), math.cos(angle), 0.0)) * aside
    return offsets


def _near(one: float, other: float) -> bool:
    return abs(math.remainder(one - other, math.tau)) < 0.02


def _polylines(lines: Sequence[Sequence[Point]]) -> Point:
    """Straight lines as the cubic curves that Manim draws: (4 n, 3)."""
    pieces = [
        np.array([a, a + (b - a) / 3, a + (b - a) * 2 / 3, b])
        for line in lines
        for a, b in pairwise(line)
    ]
    return np.concatenate(pieces)


def _circle(center: Point, radius: float) -> Point:
    handle = radius * 4 / 3 * math.tan(math.pi / 8)
    pieces = []
    for quarter in range(4):
        a, b = quarter * math.pi / 2, (quarter + 1) * math.pi / 2
        start = np.array((math.cos(a), math.sin(a), 0.0))
        end = np.array((math.cos(b), math.sin(b), 0.0))
        out = np.array((-start[1], start[0], 0.0))
        back = np.array((end[1], -end[0], 0.0))
        pieces.append(
            np.array(
                [start * radius, start * radius + out * handle, end * radius + back * handle,
                 end * radius]
            )
        )  # fmt: skip
    return np.concatenate(pieces) + center
