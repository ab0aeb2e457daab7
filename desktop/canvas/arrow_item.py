"""One arrow of a plane, and its name: a graphics object each, with bounds as tight as they go.

Both live in pixels of the picture: nothing is scaled, so lines stay as wide and tips as easy to
grab at every zoom.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from desktop.canvas.arrows import Arrow
from desktop.canvas.hit import GRAB
from desktop.canvas.inks import Inks
from desktop.canvas.lens import Pixel, clipped
from desktop.views.lettering import Written, lettering, plain_tip
from engine.palette import ROLES

__all__ = ["ArrowItem", "ArrowItems", "NameItem", "RingItem", "take_away"]

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


class ArrowItem(QGraphicsObject):
    """An arrow of a role from one pixel to another; a dot where it has no length."""

    def __init__(self, role: str, parent: QGraphicsItem) -> None:
        super().__init__(parent)
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
        self._bounds = QRectF()
        keep_painted(self)

    def show_arrow(
        self, tail: Pixel, tip: Pixel, size: Pixel, strength: str, inks: Inks
    ) -> bool:  # fmt: skip
        """Draw it so, in a picture of `size`; whether that is any different from before."""
        shown = (tail, tip, size, strength, inks)
        if shown == self._shown:
            return False
        self.prepareGeometryChange()
        self._shown, self._inks, self._strength = shown, inks, strength
        self._lay_out(tail, tip, size)
        self._choose_pens(inks)
        self.update()
        return True

    def _choose_pens(self, inks: Inks) -> None:
        role, strength = self.role, self._strength
        is_double = ROLES[role].line == "double"
        self._pen = inks.half(role, strength) if is_double else inks.pen(role, strength)
        is_ring = bool(self._dot) and role in ("key", "output")
        is_stroked = is_ring or (not self._dot and self._is_open)
        self._outline = inks.outline(role, strength) if is_stroked else QPen(Qt.PenStyle.NoPen)
        self._fill = QBrush() if is_stroked else inks.brush(role, strength)

    def _lay_out(self, tail: Pixel, tip: Pixel, size: Pixel) -> None:
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
        self._bounds = QRectF()
        if is_near:
            self._bounds = QRectF(tip[0] - reach, tip[1] - reach, 2 * reach, 2 * reach)
        if length < 1.5:
            self._dot = DOT[self.role] * grown if is_near else 0.0
            return
        ux, uy = dx / length, dy / length
        head = min(HEAD * grown, length)
        kind = ROLES[self.role].tip
        stop = head * 0.85 if kind == "filled" else self._inks.width() / 2 if kind == "open" else 0
        self._draw_line(tail, (tip[0] - ux * stop, tip[1] - uy * stop), (-uy, ux), size)
        if not is_near:
            return
        if kind == "round":
            self._dot = min(5.0 * grown, length)
            return
        half = head * 0.42
        base = (tip[0] - ux * head, tip[1] - uy * head)
        self._head = QPolygonF(
            [
                QPointF(base[0] - uy * half, base[1] + ux * half),
                self._tip,
                QPointF(base[0] + uy * half, base[1] - ux * half),
            ]
        )

    def _draw_line(self, start: Pixel, end: Pixel, aside: Pixel, size: Pixel) -> None:
        assert self._inks is not None
        width = self._inks.width(self._strength)
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
                self._bounds = self._bounds.united(box.adjusted(-width, -width, width, width))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        """Where it can be grabbed: as far from the tip at every zoom."""
        path = QPainterPath()
        path.addEllipse(self._tip, GRAB, GRAB)
        return path

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if self._lines:
            painter.setPen(self._pen)
            for line in self._lines:
                painter.drawLine(line)
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

    def __init__(self, parent: QGraphicsItem) -> None:
        self._parent = parent
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
            take_away(self._items.pop(arrow))
        for arrow, (tail, tip) in places.items():
            item = self._items.get(arrow)
            if item is None:
                item = self._items[arrow] = ArrowItem(arrow.role, self._parent)
            if item.show_arrow(tail, tip, size, strengths[arrow], inks):
                item.setZValue(heights[strengths[arrow]])

    def __getitem__(self, arrow: Arrow) -> ArrowItem:
        return self._items[arrow]


def keep_painted(item: QGraphicsItem) -> None:
    """Let Qt keep an item's pixels: in a drag most are painted again where something else moves,
    and copying pixels costs less than painting from Python."""
    item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)


def take_away(item: QGraphicsItem) -> None:
    """Take an item out of its picture."""
    if (scene := item.scene()) is not None:
        scene.removeItem(item)


class NameItem(QGraphicsObject):
    """A letter and a word beside an arrow's tip, on a ground of their own."""

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] = ()
        self._written: Written | None = None
        self._inks: Inks | None = None
        self._color = QColor()
        self._lock_width = 0.0
        self.size = (0.0, 0.0)
        self._box = QRectF()
        self._leader = QLineF()
        self._stood: object = None
        keep_painted(self)

    def write(
        self, text: str, role: str, strength: str, inks: Inks, longest: float, is_locked: bool
    ) -> None:
        """Write this, cut to `longest` pixels."""
        shown = (text, role, strength, inks, longest, is_locked)
        if shown == self._shown:
            return
        self.prepareGeometryChange()
        self._shown, self._inks = shown, inks
        # Dimmed text keeps 4.5:1, which the dim colour of a line doesn't.
        self._color = inks.look.color("dim" if strength == "dim" else role)
        letters = lettering(inks.look)
        # Measured bold, so that what is lit doesn't move.
        bold = letters.cut(text, longest, NAME_SIZE, bold=True)
        is_bold = strength in ("lit", "focus")
        self._written = bold if is_bold else letters.cut(text, longest, NAME_SIZE)
        self._lock_width = inks.look.points * 1.05 if is_locked else 0.0
        self.size = (math.ceil(bold.width) + 4.0 + self._lock_width, float(math.ceil(bold.height)))
        self._box = QRectF(0, 0, *self.size)
        self.setToolTip(plain_tip(text) if bold.is_cut else "")
        self.update()

    def stand(self, at: Pixel, tip: Pixel) -> None:
        """Stand here, in pixels; with a line to the tip where that isn't near."""
        if (at, tip, self.size) == self._stood:
            return
        self._stood = (at, tip, self.size)
        self.setPos(*at)
        to = QPointF(tip[0] - at[0], tip[1] - at[1])
        edge = QPointF(
            min(max(to.x(), 0.0), self.size[0]), min(max(to.y(), 0.0), self.size[1])
        )  # fmt: skip
        leader = QLineF(edge, to)
        leader.setLength(max(0.0, leader.length() - 7.0))
        if leader.length() < FAR:
            leader = QLineF()
        if leader != self._leader:
            self.prepareGeometryChange()
            self._leader = leader

    def boundingRect(self) -> QRectF:
        if self._leader.isNull():
            return self._box
        line = QRectF(self._leader.p1(), self._leader.p2()).normalized()
        return self._box.united(line.adjusted(-1, -1, 1, 1))

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if (inks := self._inks) is None or self._written is None:
            return
        if not self._leader.isNull():
            painter.setPen(inks.line("faint"))
            painter.drawLine(self._leader)
        painter.fillRect(self._box, inks.veil)
        painter.setPen(self._color)
        self._written.draw(painter, 2 + self._lock_width, 0)
        if self._lock_width:
            self._draw_lock(painter, inks.look.points)

    def _draw_lock(self, painter: QPainter, points: float) -> None:
        width, height = points * 0.62, points * 0.5
        top = self.size[1] / 2 - height * 0.1
        painter.setPen(QPen(self._color, max(1.0, points * 0.11)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        bow = QRectF(2 + width * 0.18, top - height * 0.85, width * 0.64, height * 1.5)
        painter.drawArc(bow, 0, 180 * 16)
        painter.fillRect(QRectF(2, top, width, height), self._color)


class RingItem(QGraphicsObject):
    """A ring around a tip: where the keyboard is, or a glow that asks to be dragged."""

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self._radius = 0.0
        self._color = QColor()
        self._is_filled = False
        self._stroke = 1.0
        self.hide()

    def show_ring(
        self, at: Pixel, radius: float, color: QColor, inks: Inks, *, is_filled: bool = False
    ) -> None:
        """Draw it there, as a ring or as a disk that one sees through."""
        self.prepareGeometryChange()
        self.setPos(*at)
        self._radius, self._color, self._is_filled = radius, color, is_filled
        self._stroke = inks.look.stroke
        self.show()
        self.update()

    def boundingRect(self) -> QRectF:
        reach = self._radius + 3 * self._stroke
        return QRectF(-reach, -reach, 2 * reach, 2 * reach)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        middle, radius = QPointF(0, 0), self._radius
        if self._is_filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color)
            painter.drawEllipse(middle, radius, radius)
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._color, 2.0 * self._stroke))
        painter.drawEllipse(middle, radius, radius)
