"""The status bar: what was said last, and how far a render is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QStatusBar, QToolButton, QWidget

from desktop.views.lettering import plain_tip

__all__ = ["StatusLine"]


class _Line(QLabel):
    """One line of text, elided in the middle where it is too long; the tooltip has all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.tell()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.tell()

    def tell(self) -> None:
        """The tooltip, only where it says more than the line."""
        whole = self.fontMetrics().horizontalAdvance(self.text()) <= self.width() - 12
        self.setToolTip("" if whole else plain_tip(self.text()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = self.rect().adjusted(8, 0, -4, 0)
        metrics = self.fontMetrics()
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class StatusLine(QStatusBar):
    """Says one thing at a time. wants_render: the render's progress was clicked."""

    wants_render = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.line = _Line(self)
        self.line.setAccessibleName("Status")
        self.addWidget(self.line, 1)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(120)
        self.bar.setAccessibleName("Progress of the render")
        self.rendering = QToolButton(self)
        self.rendering.setAutoRaise(True)
        self.rendering.setToolTip("Show the render")
        self.rendering.setAccessibleName("Show the render")
        self.rendering.clicked.connect(self.wants_render)
        for widget in (self.rendering, self.bar):
            self.addPermanentWidget(widget)
            widget.hide()

    def say(self, text: str) -> None:
        """Show a text until the next."""
        if text != self.line.text():
            self.line.setText(text)

    @property
    def text(self) -> str:
        """What is shown."""
        return self.line.text()

    def show_render(self, text: str, share: float | None) -> None:
        """How far a render is; "" = there is none."""
        self.rendering.setText(text)
        self.bar.setValue(round(1000 * (share or 0)))
        self.rendering.setVisible(bool(text))
        self.bar.setVisible(bool(text))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.bar.isVisible() and self.bar.geometry().contains(event.position().toPoint()):
            self.wants_render.emit()
        super().mousePressEvent(event)
