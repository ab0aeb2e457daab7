"""What arrows add up to: the hull of values, the weighted values head to tail, feet of keys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPolygonF

from desktop.canvas.inks import Inks
from desktop.canvas.lens import Pixel, clipped
from desktop.canvas.picture import Drawing, Picture

__all__ = ["FeetItem", "Foot", "HullItem", "MixtureItem"]

OUTSIDE = 64.0
"""How far outside the picture lines are still drawn, in pixels."""

Style = tuple[str, bool]
"""How strongly feet are drawn, and whether their words are heard."""


def _line(start: Pixel, end: Pixel, size: Pixel) -> QLineF | None:
    """The part of a line in or near a picture of `size`."""
    ends = clipped(
        (start[0] + OUTSIDE, start[1] + OUTSIDE),
        (end[0] + OUTSIDE, end[1] + OUTSIDE),
        size[0] + 2 * OUTSIDE,
        size[1] + 2 * OUTSIDE,
    )
    if ends is None:
        return None
    (x0, y0), (x1, y1) = ends
    return QLineF(x0 - OUTSIDE, y0 - OUTSIDE, x1 - OUTSIDE, y1 - OUTSIDE)


def _is_near(at: Pixel, size: Pixel) -> bool:
    return -OUTSIDE < at[0] < size[0] + OUTSIDE and -OUTSIDE < at[1] < size[1] + OUTSIDE


class _Sum(Drawing):
    """What these three share: drawn anew only where something is different."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._shown: tuple[object, ...] = ()
        self._inks: Inks | None = None

    def _is_new(self, *shown: object) -> bool:
        if shown == self._shown:
            return False
        self._shown = shown
        return True


def _around(points: Sequence[QPointF], room: float) -> QRectF:
    """What points cover, with so much room on each side; nothing where there are none."""
    if not points:
        return QRectF()
    return QPolygonF(points).boundingRect().adjusted(-room, -room, room, room)


class HullItem(_Sum):
    """The shape around the values that the focus word can see: its output can't leave it."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._polygon = QPolygonF()

    def show_hull(self, corners: tuple[Pixel, ...], size: Pixel, inks: Inks) -> None:
        """Draw the shape with these corners; none: nothing."""
        if not self._is_new(corners, size, inks):
            return
        self._inks = inks
        # Far outside the picture a corner is as good nearer by: no more than a margin is lost.
        points = [
            QPointF(min(max(x, -1e5), 1e5), min(max(y, -1e5), 1e5)) for x, y in corners
        ]  # fmt: skip
        self._polygon = QPolygonF(points)
        seen = QRectF(-OUTSIDE, -OUTSIDE, size[0] + 2 * OUTSIDE, size[1] + 2 * OUTSIDE)
        self.change(_around(points, 3).intersected(seen))

    def paint(self, painter: QPainter) -> None:
        if (inks := self._inks) is None or self._polygon.size() < 2:
            return
        # Not dotted: a painter takes ten times as long for a dotted line.
        painter.setPen(inks.thin("value", "dim"))
        painter.setBrush(inks.look.pale("value", 0.09))
        painter.drawPolygon(self._polygon)


class MixtureItem(_Sum):
    """The focus word's weighted values, each put to the end of the one before."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._links: list[tuple[QLineF, str]] = []
        self._joints: list[QPointF] = []

    def show_mixture(
        self, joints: tuple[Pixel, ...], strengths: tuple[str, ...], size: Pixel, inks: Inks
    ) -> None:
        """Draw links between joints (one more than strengths); those of no length are left out."""
        if not self._is_new(joints, strengths, size, inks):
            return
        self._inks = inks
        self._links, ends = [], []
        for start, end, strength in zip(joints, joints[1:], strengths):
            line = _line(start, end, size)
            if line is not None:
                self._links.append((line, strength))
                ends += [line.p1(), line.p2()]
        self._joints = [QPointF(*joint) for joint in joints[1:] if _is_near(joint, size)]
        self.change(_around(ends, 6))

    def paint(self, painter: QPainter) -> None:
        if (inks := self._inks) is None:
            return
        for line, strength in self._links:
            painter.setPen(inks.link(strength))
            painter.drawLine(line)
        painter.setPen(inks.line("value", 1.25))
        painter.setBrush(inks.look.color("ground"))
        for joint in self._joints:
            painter.drawEllipse(joint, 2.75, 2.75)


class Foot(NamedTuple):
    """A perpendicular from a key's tip to its foot on the focus word's query, in pixels."""

    key: Pixel
    foot: Pixel
    strength: str
    is_heard: bool


class FeetItem(_Sum):
    """The perpendiculars from keys onto the focus word's query: the farther a foot, the higher the
    score."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._rail: QLineF | None = None
        self._lines: dict[Style, list[QLineF]] = {}
        self._dots: dict[Style, list[QPointF]] = {}

    def show_feet(
        self,
        feet: tuple[Foot, ...],
        origin: Pixel,
        rail: tuple[Pixel, Pixel] | None,
        size: Pixel,
        inks: Inks,
    ) -> None:
        """Draw feet, and the query's line as far as they need it."""
        if not self._is_new(feet, origin, rail, size, inks):
            return
        self._inks = inks
        self._rail = _line(*rail, size) if rail else None
        ends: list[QPointF] = [] if self._rail is None else [self._rail.p1(), self._rail.p2()]
        self._lines, self._dots = {}, {}
        for foot in feet:
            if not _is_near(foot.foot, size):
                continue
            style = (foot.strength, foot.is_heard)
            at = QPointF(*foot.foot)
            ends.append(at)
            self._dots.setdefault(style, []).append(at)
            lines = self._lines.setdefault(style, [])
            # A key at right angles is its own perpendicular.
            is_seen = math.dist(foot.foot, origin) > 1.5
            if is_seen and (line := _line(foot.key, foot.foot, size)) is not None:
                lines.append(line)
                ends += [line.p1(), line.p2()]
            if rail is not None:
                lines += _right_angle(foot, rail)
        self.change(_around(ends, 10))

    def paint(self, painter: QPainter) -> None:
        if (inks := self._inks) is None:
            return
        if self._rail is not None:
            painter.setPen(inks.thin("query", "dim"))
            painter.drawLine(self._rail)
        for (strength, is_heard), dots in self._dots.items():
            name = {"lit": "highlight", "dim": "faint"}.get(strength, "dim")
            pen = inks.line(name, 2.25 if strength == "lit" else 1.25)
            if lines := self._lines[strength, is_heard]:
                painter.setPen(pen if is_heard else inks.dotted(name, 1.25))
                painter.drawLines(lines)
            painter.setPen(pen)
            painter.setBrush(inks.look.color(name if is_heard else "ground"))
            radius = 4.5 if strength == "lit" else 3.5
            for dot in dots:
                painter.drawEllipse(dot, radius, radius)


def _right_angle(foot: Foot, rail: tuple[Pixel, Pixel]) -> list[QLineF]:
    """The mark of a right angle at a foot, where there is room for it."""
    (x, y), side = foot.foot, 6.0
    up = (foot.key[0] - x, foot.key[1] - y)
    along = (rail[0][0] - rail[1][0], rail[0][1] - rail[1][1])
    height, length = math.hypot(*up), math.hypot(*along)
    if height < 3 * side or length < 1:
        return []
    ux, uy = up[0] / height * side, up[1] / height * side
    vx, vy = along[0] / length * side, along[1] / length * side
    corner = (x + ux + vx, y + uy + vy)
    return [QLineF(x + ux, y + uy, *corner), QLineF(*corner, x + vx, y + vy)]
