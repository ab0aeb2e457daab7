"""Twins of a query and keys of chance: a dial of d_k shows when scaling matters."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.theme import Look
from desktop.views.lettering import lettering
from desktop.views.random_row import KEYS, WIDTHS, RandomRow, random_row
from desktop.views.stop_slider import StopSlider
from engine.notation import write_number, write_share

__all__ = ["ChanceTwins"]

HIGHEST = 8.0
"""A chart is at most so many lines of text high."""


class ChanceTwins(QWidget):
    """A bar a key, scaled and unscaled; told: what is to be seen, in words, as the dial turns."""

    told = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.dial = StopSlider(
            len(WIDTHS) - 1, {stop: str(width) for stop, width in enumerate(WIDTHS)}, look, self
        )
        self.dial.setAccessibleName("Entries of random vectors, d_k")
        self.dial.valueChanged.connect(self._turned)

    @property
    def d_k(self) -> int:
        """What the dial stands at."""
        return WIDTHS[self.dial.value()]

    def set_look(self, look: Look) -> None:
        """Draw in another look."""
        self._look = look
        self.dial.set_look(look)
        self._place()
        self.update()

    def in_words(self) -> str:
        """What is to be seen."""
        scaled, unscaled = (
            write_share(random_row(self.d_k, scaled=twin).largest) for twin in (True, False)
        )
        return f"d_k {self.d_k}: largest weight {scaled} scaled, {unscaled} unscaled"

    def _turned(self) -> None:
        self.told.emit(self.in_words())
        self.update()

    # Geometry

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        left = round(self._left())
        width = self.width() - left - round(0.4 * lettering(self._look).height())
        self.dial.setGeometry(left, 0, max(width, 1), self.dial.sizeHint().height())

    def _left(self) -> float:
        """Where labels end."""
        return min(6.0 * lettering(self._look).height(), 0.27 * self.width())

    def boxes(self) -> tuple[QRectF, QRectF]:
        """The rooms of the two charts."""
        line, left = lettering(self._look).height(), self._left()
        top = self.dial.height() + 0.3 * line
        height = min(max(self.height() - top - 2.3 * line, 4.0), HIGHEST * line)
        gap = 0.9 * line
        width = max((self.width() - left - 1.5 * gap) / 2, 4.0)
        return (
            QRectF(round(left), top, round(width), height),
            QRectF(round(left + width + gap), top, round(width), height),
        )

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        look, letters, line = self._look, lettering(self._look), lettering(self._look).height()
        painter = QPainter(self)
        boxes, room = self.boxes(), self._left() - 0.8 * line
        labels = (
            ((f"d_k = {self.d_k}", "d_k"), 0.1 * line, "ink"),
            ((f"{KEYS} random", "random"), boxes[0].top(), "dim"),
            (("keys",), boxes[0].top() + line, "dim"),
        )
        for texts, top, color in labels:
            painter.setPen(look.color(color))
            letters.fit(texts, room, bold=color == "ink").draw(painter, 0.4 * line, top)
        for box, scaled, name in zip(boxes, (True, False), ("÷ √d_k", "unscaled")):
            self._paint_chart(painter, box, random_row(self.d_k, scaled=scaled), name)
        painter.end()

    def _paint_chart(self, painter: QPainter, box: QRectF, row: RandomRow, name: str) -> None:
        look, letters, line = self._look, lettering(self._look), lettering(self._look).height()
        pitch, floor = min(box.width() / KEYS, 2.4 * line), round(box.bottom())
        for place, weight in enumerate(row.weights):
            tall = max(round(weight * box.height()), 1)
            x = round(box.left() + place * pitch)
            painter.fillRect(x, floor - tall, round(0.7 * pitch), tall, look.color("weight"))
        painter.setPen(QPen(look.color("faint"), look.stroke))
        painter.drawLine(QPointF(box.left(), floor + 0.5), QPointF(box.right(), floor + 0.5))
        largest, spread = write_share(row.largest), write_number(row.spread)
        lines = (
            (f"{name}: largest {largest}", f"largest {largest}", largest),
            (f"spread of scores {spread}", f"spread {spread}", f"± {spread}"),
        )
        for place, texts in enumerate(lines):
            painter.setPen(look.color("dim" if place else "ink"))
            label = letters.fit(texts, box.width() + 0.6 * line)
            label.draw(painter, box.left(), floor + 0.1 * line + line * place)
