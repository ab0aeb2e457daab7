"""A picture made of drawings that lie on each other; those that stand still are kept as pixels."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

__all__ = ["Drawing", "Picture"]

PATIENCE = 8
"""What hasn't changed while the picture was painted so many times stands still."""

EDGE = 2.0
"""What is antialiased may cover so much more than its bounds, in pixels."""

MOST_KEPT = 8
"""So many layers of pixels are kept at most."""


Layer = tuple[tuple[int, int], ...]
"""Which drawings, and when each was changed."""
Pixels = tuple[QPoint, QPixmap]
"""Where they go, and they themselves."""


class Drawing:
    """Something in a picture, in its pixels: `bounds` is what it covers, `tip` its tooltip.

    A subclass paints it, and calls `change` whenever it would paint something else.
    """

    def __init__(self, picture: Picture, height: float) -> None:
        self._picture = picture
        self.height = height
        self.bounds = QRectF()
        self.tip = ""
        self.is_shown = True
        self.changed_at = 0
        picture.add(self)

    def paint(self, painter: QPainter) -> None:
        """Draw it, antialiased."""

    def change(self, bounds: QRectF) -> None:
        """It looks different from now on, and covers this."""
        before, self.bounds = self.bounds, bounds
        if self.is_shown:
            self._picture.spoil(self, bounds if bounds == before else before | bounds)

    def show(self, is_shown: bool) -> None:
        """Let it be seen, or not."""
        if is_shown != self.is_shown:
            self.is_shown = is_shown
            self._picture.spoil(self, self.bounds)

    def lift(self, height: float) -> None:
        """Let it lie so high: over all that is lower."""
        if height != self.height:
            self.height = height
            self._picture.sort()
            self._picture.spoil(self, self.bounds)

    def take_away(self) -> None:
        """Take it out of the picture."""
        self._picture.take_out(self)


class Picture(QWidget):
    """A widget that paints drawings, the lowest first; of equal ones that which came first.

    In a drag a few of them change at every step. The others are painted once, as many together as
    lie next to each other, and their pixels copied from then on: that costs a tenth of painting
    them from Python.
    """

    about_to_paint = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._ground = QColor("white")
        self._drawings: list[Drawing] = []
        self._spoilt = QRectF()
        self._paintings = 0
        self._kept: dict[Layer, Pixels] = {}
        self._kept_for: object = None

    def set_ground(self, color: QColor) -> None:
        """What all drawings lie on."""
        self._ground = color
        self._kept.clear()
        self.update()

    def add(self, drawing: Drawing) -> None:
        """Called by drawings: here is one more."""
        drawing.changed_at = self._paintings
        self._drawings.append(drawing)
        self.sort()

    def take_out(self, drawing: Drawing) -> None:
        """Called by drawings: this one goes."""
        self._drawings.remove(drawing)
        self.spoil(drawing, drawing.bounds)

    def sort(self) -> None:
        """Called by drawings: one lies higher or lower than before."""
        self._drawings.sort(key=lambda drawing: drawing.height)

    def spoil(self, drawing: Drawing, area: QRectF) -> None:
        """Called by drawings: this isn't what is painted there now."""
        drawing.changed_at = self._paintings
        # One area for all: to paint in several costs more than what lies between them.
        if not self._spoilt.contains(area):
            self._spoilt |= area
            reach = self._spoilt.adjusted(-EDGE, -EDGE, EDGE, EDGE)
            self.update(reach.toAlignedRect())

    def drawing_at(self, at: QPoint) -> Drawing | None:
        """The highest drawing with a tooltip whose bounds hold a pixel."""
        for drawing in reversed(self._drawings):
            if drawing.tip and drawing.is_shown and drawing.bounds.contains(at):
                return drawing
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        self.about_to_paint.emit()
        area = QRectF(event.rect())
        painter = QPainter(self)
        try:
            self._paint(painter, area)
        finally:
            painter.end()  # a painter left open crashes Qt

    def _paint(self, painter: QPainter, area: QRectF) -> None:
        self._spoilt = QRectF()
        self._paintings += 1
        if self._kept_for != (wanted := (self.size(), self.devicePixelRatioF())):
            self._kept, self._kept_for = {}, wanted
        around = area.adjusted(-EDGE, -EDGE, EDGE, EDGE)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        kept: dict[Layer, Pixels] = {}
        still: list[Drawing] = []
        is_bottom, moved = True, self._paintings - PATIENCE
        for drawing in (*self._drawings, None):
            if drawing is not None and (not drawing.is_shown or drawing.changed_at < moved):
                if drawing.is_shown:
                    still.append(drawing)
                continue
            if is_bottom or still:
                self._paint_still(painter, still, kept, around, is_bottom=is_bottom)
                still, is_bottom = [], False
            if drawing is not None and drawing.bounds.intersects(around):
                drawing.paint(painter)
        self._kept = kept

    def _paint_still(
        self,
        painter: QPainter,
        still: list[Drawing],
        kept: dict[Layer, Pixels],
        area: QRectF,
        *,
        is_bottom: bool,
    ) -> None:
        """Paint neighbours that stand still, by their pixels; the bottom's have the ground."""
        if is_bottom and not still:
            painter.fillRect(area, self._ground)
        elif len(kept) == MOST_KEPT:
            for drawing in still:
                if drawing.bounds.intersects(area):
                    drawing.paint(painter)
        else:
            layer = tuple([(id(drawing), drawing.changed_at) for drawing in still])
            found = self._kept.get(layer) or self._pixels_of(still, is_bottom=is_bottom)
            kept[layer] = found
            painter.drawPixmap(*found)

    def _pixels_of(self, drawings: list[Drawing], *, is_bottom: bool) -> Pixels:
        ratio, area = self.devicePixelRatioF(), self.rect()
        if not is_bottom and ratio.is_integer():  # else pixels would fall between those of screens
            covered = QRectF()
            for drawing in drawings:
                covered |= drawing.bounds
            area &= covered.adjusted(-EDGE, -EDGE, EDGE, EDGE).toAlignedRect()
        pixels = QPixmap(area.size() * ratio)
        pixels.setDevicePixelRatio(ratio)
        pixels.fill(self._ground if is_bottom else Qt.GlobalColor.transparent)
        if not pixels.isNull():
            painter = QPainter(pixels)
            painter.translate(-area.x(), -area.y())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for drawing in drawings:
                drawing.paint(painter)
            painter.end()
        return area.topLeft(), pixels
