"""What every panel is: a widget on a document, redrawn when that or the view of it changes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtWidgets import QWidget

from desktop.document import Document
from desktop.view_state import ViewState
from desktop.views.lettering import lettering

__all__ = ["Panel"]

CALM = 33
"""Milliseconds: some 30 times a second."""


class Panel(QWidget):
    """A view of `document` by way of `state`.

    title is what its dock and screen readers call it. `refresh` is called when the document or
    the view of it has changed, `relight` when only what is lit has; both repaint by default.
    may_wait: it isn't what is dragged; in a drag it follows some 30 times a second, as fast as
    numbers can be read, and leaves the time to what is.
    """

    title = ""
    may_wait = False

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.state = state
        self.setAccessibleName(self.title)
        self._following = QTimer(self, singleShot=True, interval=CALM)
        self._following.timeout.connect(self.refresh)
        document.changed.connect(self._keep_up)
        state.changed.connect(self.refresh)
        state.lit_changed.connect(self.relight)

    def _keep_up(self) -> None:
        if not self.may_wait or self.document.before is None:
            self._following.stop()
            self.refresh()
        elif not self._following.isActive():
            self._following.start()

    def refresh(self) -> None:
        """Draw what there is now."""
        self.update()

    def relight(self) -> None:
        """Draw what is lit now."""
        self.update()

    def end(self) -> None:
        """The window goes: wait for what still works in the background."""

    @property
    def is_seen(self) -> bool:
        """Whether any of it can be looked at: Qt leaves docks behind a tab "visible", far outside
        the window."""
        place = QRect(self.mapTo(self.window(), QPoint()), self.size())
        return self.isVisible() and self.window().rect().intersects(place)

    @property
    def line_height(self) -> float:
        """The height of a line of ordinary text, in pixels: the measure of all distances."""
        return lettering(self.state.look).height()
