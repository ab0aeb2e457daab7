"""Pictures that were drawn elsewhere, as large as there is room for, beside one another."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.theme import Look

__all__ = ["PicturePreview"]

DOTS = 2.0
"""Dots of a picture that make one pixel: it is never shown larger than it is."""

SQUARE = 8
"""Pixels of a square of the board that shows through what is transparent."""


class PicturePreview(QWidget):
    """Shows pictures; its accessible description says what they show."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._pictures: tuple[QImage, ...] = ()
        self._scaled: dict[int, QPixmap] = {}
        self._note = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(8 * line, 8 * line)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def set_look(self, look: Look) -> None:
        """Draw what is round the pictures in other colours."""
        self._look = look
        self.update()

    def show_pictures(self, pictures: tuple[QImage, ...]) -> None:
        """Show other pictures."""
        self._pictures = pictures
        self._scaled.clear()
        self._note = ""
        self.update()

    def say(self, note: str) -> None:
        """Say something where there is no picture yet."""
        self._note = note
        self.update()

    @property
    def pictures(self) -> tuple[QImage, ...]:
        """What is shown."""
        return self._pictures

    def boxes(self) -> list[QRectF]:
        """Where each picture stands: beside one another or under one another, whichever is larger.

        Each whole, all at the same scale, at most at their own size.
        """
        sizes = [QSizeF(picture.size()) / DOTS for picture in self._pictures]
        if not sizes:
            return []
        gap = self.fontMetrics().height() / 2
        gaps = gap * (len(sizes) - 1)
        width, height = (max(size.width() for size in sizes), max(size.height() for size in sizes))
        beside = min((self.width() - gaps) / (width * len(sizes)), self.height() / height)
        under = min(self.width() / width, (self.height() - gaps) / (height * len(sizes)))
        scale = max(min(1.0, max(beside, under)), 1e-3)
        step = (
            QPointF(width * scale + gap, 0) if beside >= under else QPointF(0, height * scale + gap)
        )
        whole = step * (len(sizes) - 1) + QPointF(width * scale, height * scale)
        corner = (QPointF(self.width(), self.height()) - whole) / 2
        return [QRectF(corner + step * i, size * scale) for i, size in enumerate(sizes)]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self._pictures:
            painter.setPen(self._look.color("dim"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), int(flags), self._note)
            return
        for place, box in enumerate(self.boxes()):
            if self._pictures[place].hasAlphaChannel():
                self._board(painter, box)
            painter.drawPixmap(box.topLeft(), self._fitted(place, box))
            painter.setPen(QPen(self._look.color("grid"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _fitted(self, place: int, box: QRectF) -> QPixmap:
        """A picture in the screen's own pixels, so that none is drawn twice over."""
        ratio = self.devicePixelRatioF()
        wanted = (box.size() * ratio).toSize().expandedTo(QSize(1, 1))
        kept = self._scaled.get(place)
        if kept is None or kept.size() != wanted:
            kept = QPixmap.fromImage(
                self._pictures[place].scaled(
                    wanted,
                    Qt.AspectRatioMode.IgnoreAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                )
            )
            kept.setDevicePixelRatio(ratio)
            self._scaled[place] = kept
        return kept

    def _board(self, painter: QPainter, box: QRectF) -> None:
        painter.save()
        painter.setClipRect(box)
        painter.fillRect(box, QColor("#FFFFFF"))
        grey = QColor("#DDDDDD")
        for row in range(int(box.height() / SQUARE) + 1):
            for column in range(row % 2, int(box.width() / SQUARE) + 1, 2):
                corner = box.topLeft() + QPointF(column * SQUARE, row * SQUARE)
                painter.fillRect(QRectF(corner, QSizeF(SQUARE, SQUARE)), grey)
        painter.restore()
