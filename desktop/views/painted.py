"""A panel that paints itself: what it shows is worked out when it is first looked at."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop.document import Document
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from desktop.views.lettering import Lettering, lettering, plain_tip
from desktop.views.panel import Panel

__all__ = ["REST", "PaintedPanel"]

REST = 350
"""A held key speaks once, when it has rested for so many milliseconds."""


class PaintedPanel(Panel):
    """`arrange` works out what is shown, `paint` shows it; hidden, it does neither.

    The pointer lights `thing_at` and shows `tip_at`; `say` speaks of what the keyboard is at.
    """

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._look = state.look
        self._letters = lettering(state.look)
        self._is_stale = True
        self._said = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._speak)

    # For the panel to fill in

    def arrange(self) -> None:
        """Work out what is shown, for the present size."""

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Draw what lies in `area`; the ground is there already."""

    def thing_at(self, at: QPointF) -> Thing | None:
        """What lies under the pointer."""
        return None

    def tip_at(self, at: QPointF) -> str:
        """What is to be said of it in full, "" for nothing."""
        return ""

    def reached(self) -> Thing | None:
        """What the keyboard is at."""
        return None

    # What every one of them does

    @property
    def letters(self) -> Lettering:
        """Texts in the present look."""
        if self._look is not self.state.look:
            self._look = self.state.look
            self._letters = lettering(self._look)
        return self._letters

    def refresh(self) -> None:
        self._is_stale = True
        self.update()

    def settle(self) -> None:
        """Be up to date, before geometry is asked for."""
        if self._is_stale:
            self._is_stale = False
            self.arrange()

    def say(self, text: str) -> None:
        """Describe what the keyboard is at: at once for who asks, aloud when it rests."""
        self.setAccessibleDescription(text)
        self._said = text
        if self.isVisible():
            self._rest.start()

    def _speak(self) -> None:
        self.state.announce(self._said)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.settle()
        painter = QPainter(self)
        try:
            painter.fillRect(event.rect(), self.state.look.color("ground"))
            self.paint(painter, event.rect())
        finally:
            painter.end()  # a painter left open crashes Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._is_stale = True

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest.stop()
        super().hideEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.settle()
        self.state.hover(self.thing_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self.state.hover(None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.settle()
        self.state.reach(self.reached())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._rest.stop()
        self.state.reach(None)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self.settle()
            text = self.tip_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)
