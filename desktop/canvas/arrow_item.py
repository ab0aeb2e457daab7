"""One arrow of a plane, its name, a ring: a drawing each, with bounds as tight as they go."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from desktop.canvas.arrows import Arrow
from desktop.canvas.inks import Inks
from desktop.canvas.lens import Pixel, clipped
from desktop.canvas.picture import Drawing, Picture
from desktop.views.lettering import Written, lettering
from engine.palette import ROLES

__all__ = ["ArrowItem", "ArrowItems", "NameItem", "RingItem"]

HEAD = 11.0
"""The length of an arrow's head, in pixels."""

DOT = {"query": 4.5, "key": 6.5, "value": 5.0, "output": 8.0}
"""The radius of what is drawn of an arrow of length 0: rings around dots, where they meet."""

NAME_SIZE = 0.95
"""The size of a name, as a share of ordinary text."""

FAR = 9.0
"""A name farther from its arrow's head than this has a line to it, in pixels."""

OUTSIDE = 64.0
"""How far outside the picture lines are still drawn, in pixels."""


class ArrowItem(Drawing):
    """An arrow of a role from one pixel to another; a dot where it has no length."""

    def __init__(self, role: str, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self.role = role
        self._shown: tuple[object, ...] = ()
        self._inks: Inks | None = None
        self._strength = "plain"
        self._tip = QPointF()
        self._lines: list[QLineF] = []
        self._head: QPolygonF | None = None
        self._dot = 0.0
        self._is_open = ROLES[role].tip == "open"
        self._pen, self._outline, self._fill = QPen(), QPen(), QBrush()

    def show_arrow(self, tail: Pixel, tip: Pixel, size: Pixel, strength: str, inks: Inks) -> None:
        """Draw it so, in a picture of `size`."""
        shown = (tail, tip, size, strength, inks)
        if shown == self._shown:
            return
        self._shown, self._inks, self._strength = shown, inks, strength
        self.change(self._lay_out(tail, tip, size))
        self._choose_pens(inks)

    def _choose_pens(self, inks: Inks) -> None:
        role, strength = self.role, self._strength
        is_double = ROLES[role].line == "double"
        self._pen = inks.half(role, strength) if is_double else inks.pen(role, strength)
        is_ring = bool(self._dot) and role in ("key", "output")
        is_stroked = is_ring or (not self._dot and self._is_open)
        self._outline = inks.outline(role, strength) if is_stroked else QPen(Qt.PenStyle.NoPen)
        self._fill = QBrush() if is_stroked else inks.brush(role, strength)

    def _lay_out(self, tail: Pixel, tip: Pixel, size: Pixel) -> QRectF:
        """Work out its shapes, and what they cover."""
        assert self._inks is not None
        self._tip = QPointF(*tip)
        self._lines, self._head, self._dot = [], None, 0.0
        grown = self._inks.size(self._strength)
        dx, dy = tip[0] - tail[0], tip[1] - tail[1]
        length = math.hypot(dx, dy)
        reach = HEAD * grown + 3
        # A tip far outside would only cost; so would a pixel that isn't there.
        is_near = (
            -OUTSIDE < tip[0] < size[0] + OUTSIDE and -OUTSIDE < tip[1] < size[1] + OUTSIDE
        )  # fmt: skip
        bounds = QRectF()
        if is_near:
            bounds = QRectF(tip[0] - reach, tip[1] - reach, 2 * reach, 2 * reach)
        if length < 1.5:
            self._dot = DOT[self.role] * grown if is_near else 0.0
            return bounds
        ux, uy = dx / length, dy / length
        head = min(HEAD * grown, length)
        kind = ROLES[self.role].tip
        stop = head * 0.85 if kind == "filled" else self._inks.width() / 2 if kind == "open" else 0
        bounds |= self._line(tail, (tip[0] - ux * stop, tip[1] - uy * stop), (-uy, ux), size)
        if not is_near:
            return bounds
        if kind == "round":
            self._dot = min(5.0 * grown, length)
            return bounds
        half = head * 0.42
        base = (tip[0] - ux * head, tip[1] - uy * head)
        self._head = QPolygonF(
            [
                QPointF(base[0] - uy * half, base[1] + ux * half),
                self._tip,
                QPointF(base[0] + uy * half, base[1] - ux * half),
            ]
        )
        return bounds

    def _line(self, start: Pixel, end: Pixel, aside: Pixel, size: Pixel) -> QRectF:
        """Work out its line, or both, and what they cover."""
        assert self._inks is not None
        width, bounds = self._inks.width(self._strength), QRectF()
        shift = width * 0.9 if ROLES[self.role].line == "double" else 0.0
        for side in (-shift, shift) if shift else (0.0,):
            ends = clipped(
                (start[0] + aside[0] * side + OUTSIDE, start[1] + aside[1] * side + OUTSIDE),
                (end[0] + aside[0] * side + OUTSIDE, end[1] + aside[1] * side + OUTSIDE),
                size[0] + 2 * OUTSIDE,
                size[1] + 2 * OUTSIDE,
            )
            if ends is not None:
                (x0, y0), (x1, y1) = ends
                line = QLineF(x0 - OUTSIDE, y0 - OUTSIDE, x1 - OUTSIDE, y1 - OUTSIDE)
                self._lines.append(line)
                box = QRectF(line.p1(), line.p2()).normalized()
                bounds |= box.adjusted(-width, -width, width, width)
        return bounds

    def paint(self, painter: QPainter) -> None:
        if self._lines:
            painter.setPen(self._pen)
            painter.drawLines(self._lines)
        painter.setPen(self._outline)
        painter.setBrush(self._fill)
        if self._dot:
            painter.drawEllipse(self._tip, self._dot, self._dot)
        elif self._head is None:
            return
        elif self._is_open:
            painter.drawPolyline(self._head)
        else:
            painter.drawConvexPolygon(self._head)


class ArrowItems:
    """The arrows of one picture, or its ghosts: an item each, made and taken away as needed."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._items: dict[Arrow, ArrowItem] = {}

    def show(
        self,
        places: Mapping[Arrow, tuple[Pixel, Pixel]],
        strengths: Mapping[Arrow, str],
        heights: Mapping[str, float],
        size: Pixel,
        inks: Inks,
    ) -> None:
        """Draw these and no others; heights: which strength lies above which."""
        for arrow in [arrow for arrow in self._items if arrow not in places]:
            self._items.pop(arrow).take_away()
        for arrow, (tail, tip) in places.items():
            item, strength = self._items.get(arrow), strengths[arrow]
            if item is None:
                item = ArrowItem(arrow.role, self._picture, heights[strength])
                self._items[arrow] = item
            item.show_arrow(tail, tip, size, strength, inks)
            item.lift(heights[strength])

    def __getitem__(self, arrow: Arrow) -> ArrowItem:
        return self._items[arrow]


class NameItem(Drawing):
    """A letter and a word beside an arrow's tip, on a ground of their own."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._shown: tuple[object, ...] = ()
        self._written: Written | None = None
        self._inks: Inks | None = None
        self._color = QColor()
        self._lock_width = 0.0
        self.size = (0.0, 0.0)
        self.at = (0.0, 0.0)
        self._box = QRectF()
        self._leader = QLineF()
        self._stood: object = None

    def write(
        self, text: str, role: str, strength: str, inks: Inks, longest: float, is_locked: bool
    ) -> None:
        """Write this, cut to `longest` pixels."""
        shown = (text, role, strength, inks, longest, is_locked)
        if shown == self._shown:
            return
        self._shown, self._inks, self._stood = shown, inks, None
        # Dimmed text keeps 4.5:1, which the dim colour of a line doesn't.
        self._color = inks.look.color("dim" if strength == "dim" else role)
        letters = lettering(inks.look)
        # Measured bold, so that what is lit doesn't move.
        bold = letters.cut(text, longest, NAME_SIZE, bold=True)
        is_bold = strength in ("lit", "focus")
        self._written = bold if is_bold else letters.cut(text, longest, NAME_SIZE)
        self._lock_width = inks.look.points * 1.05 if is_locked else 0.0
        self.size = (math.ceil(bold.width) + 4.0 + self._lock_width, float(math.ceil(bold.height)))
        self.tip = text if bold.is_cut else ""
        # Another colour in the same place is another picture too.
        self.change(self.bounds)

    def stand(self, at: Pixel, tip: Pixel) -> None:
        """Stand here, in pixels; with a line to the tip where that isn't near."""
        if (at, tip) == self._stood:
            return
        is_new, self._stood = self._stood is None, (at, tip)
        (x, y), (width, height) = at, self.size
        edge = (min(max(tip[0], x), x + width), min(max(tip[1], y), y + height))
        box, leader = QRectF(x, y, width, height), QLineF(*edge, *tip)
        leader.setLength(max(0.0, leader.length() - 7.0))
        if leader.length() < FAR:
            leader = QLineF()
        if not is_new and box == self._box and leader == self._leader:
            return
        self.at, self._box, self._leader = at, box, leader
        if not leader.isNull():
            line = QRectF(leader.p1(), leader.p2()).normalized()
            box = box.united(line.adjusted(-1, -1, 1, 1))
        self.change(box)

    def paint(self, painter: QPainter) -> None:
        if (inks := self._inks) is None or self._written is None:
            return
        if not self._leader.isNull():
            painter.setPen(inks.line("faint"))
            painter.drawLine(self._leader)
        painter.fillRect(self._box, inks.veil)
        painter.setPen(self._color)
        self._written.draw(painter, self.at[0] + 2 + self._lock_width, self.at[1])
        if self._lock_width:
            self._draw_lock(painter, inks.look.points)

    def _draw_lock(self, painter: QPainter, points: float) -> None:
        width, height = points * 0.62, points * 0.5
        left, top = self.at[0] + 2, self.at[1] + self.size[1] / 2 - height * 0.1
        painter.setPen(QPen(self._color, max(1.0, points * 0.11)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        bow = QRectF(left + width * 0.18, top - height * 0.85, width * 0.64, height * 1.5)
        painter.drawArc(bow, 0, 180 * 16)
        painter.fillRect(QRectF(left, top, width, height), self._color)


class RingItem(Drawing):
    """A ring around a tip: where the keyboard is, or a glow that asks to be dragged."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._at = QPointF()
        self._radius = 0.0
        self._color = QColor()
        self._is_filled = False
        self._stroke = 1.0
        self._shown: tuple[object, ...] = ()
        self.show(False)

    def show_ring(
        self, at: Pixel, radius: float, color: QColor, inks: Inks, *, is_filled: bool = False
    ) -> None:
        """Draw it there, as a ring or as a disk that one sees through."""
        self.show(True)
        shown = (at, radius, color, inks, is_filled)
        if shown == self._shown:
            return
        self._shown, self._at = shown, QPointF(*at)
        self._radius, self._color, self._is_filled = radius, color, is_filled
        self._stroke = inks.look.stroke
        reach = radius + 3 * self._stroke
        self.change(QRectF(at[0] - reach, at[1] - reach, 2 * reach, 2 * reach))

    def paint(self, painter: QPainter) -> None:
        middle, radius = self._at, self._radius
        if self._is_filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color)
            painter.drawEllipse(middle, radius, radius)
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._color, 2.0 * self._stroke))
        painter.drawEllipse(middle, radius, radius)
