"""A slider with named stops: drawn in the house's colours, moved by pointer and keys."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractSlider, QWidget

from desktop.theme import Look
from desktop.views.lettering import lettering
from desktop.views.wheel import guard_wheel

__all__ = ["StopSlider"]

SMALL = 0.85
"""The size of the stops' names."""


class StopSlider(QAbstractSlider):
    """From 0 to `last`; names holds what is written under some of the stops."""

    def __init__(
        self, last: int, names: Mapping[int, str], look: Look, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.names = dict(names)
        self.look = look
        self.setRange(0, last)
        self.setPageStep(max(1, last // 8))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        guard_wheel(self)

    def set_look(self, look: Look) -> None:
        """Draw in another look."""
        self.look = look
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        line = lettering(self.look).height()
        return QSize(round(12 * line), round(2.2 * line))

    def x_of(self, stop: int) -> float:
        """Where a stop is."""
        edge = self._edge()
        return edge + (self.width() - 2 * edge) * stop / max(self.maximum(), 1)

    def _edge(self) -> float:
        letters = lettering(self.look)
        widest = max(
            (letters.width(name, SMALL, bold=True) for name in self.names.values()), default=0.0
        )
        return max(widest / 2 + 1, 0.5 * letters.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        look, letters = self.look, lettering(self.look)
        line, middle = letters.height(), 0.6 * letters.height()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("faint"), 2 * look.stroke))
        painter.drawLine(QPointF(self.x_of(0), middle), QPointF(self.x_of(self.maximum()), middle))
        named = self._shown_names()
        for stop, name in self.names.items():
            x = self.x_of(stop)
            painter.setPen(QPen(look.color("faint"), look.stroke))
            painter.drawLine(QPointF(x, middle - 0.2 * line), QPointF(x, middle + 0.2 * line))
            if stop in named:
                text = letters.write(name, SMALL, bold=stop == self.value())
                painter.setPen(look.color("ink" if stop == self.value() else "dim"))
                text.draw(painter, x - text.width / 2, middle + 0.45 * line)
        size = 0.38 * line
        knob = QPointF(self.x_of(self.value()), middle)
        painter.setPen(QPen(look.color("ground"), 1.5))
        painter.setBrush(look.color("ink"))
        painter.drawEllipse(knob, size, size)
        if self.hasFocus():
            painter.setPen(QPen(look.color("ink"), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _shown_names(self) -> list[int]:
        """The stops whose names have room: all, or every second, or fourth."""
        letters, stops = lettering(self.look), sorted(self.names)
        for step in (1, 2, 4):
            shown = stops[::step]
            halves = [letters.width(self.names[stop], SMALL, bold=True) / 2 + 2 for stop in shown]
            places = [self.x_of(stop) for stop in shown]
            if all(
                places[i] + halves[i] <= places[i + 1] - halves[i + 1]
                for i in range(len(shown) - 1)
            ):
                return shown
        return stops[:1]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def _to(self, x: float) -> None:
        edge = self._edge()
        share = (x - edge) / max(self.width() - 2 * edge, 1)
        self.setValue(round(share * self.maximum()))
