"""A field for one number, read alike under every locale."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.views.typed import read_number

__all__ = ["NumberField"]


class NumberField(QLineEdit):
    """entered: a number from `lowest` to `highest` was typed. refused: why something else wasn't.

    A refused text stays to be mended; Esc, or leaving the field, brings the number back.
    """

    entered = Signal(float)
    refused = Signal(str)

    def __init__(self, lowest: float, highest: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lowest, self._highest = lowest, highest
        self._shown = ""
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def show_number(self, text: str) -> None:
        """Show the number that is in force, but not over what is being typed."""
        was, self._shown = self._shown, text
        if not self.isModified() or self.text() == was:
            self.setText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        elif event.key() == Qt.Key.Key_Escape and self.isModified():
            self.setText(self._shown)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (
            Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason
        ) and self.isModified() and not self._enter():  # fmt: skip
            self.setText(self._shown)

    def _enter(self) -> bool:
        try:
            number = read_number(self.text(), self._lowest, self._highest)
        except ValueError as error:
            self.refused.emit(str(error))
            self.selectAll()
            return False
        self.setModified(False)
        self.entered.emit(number)
        self.setText(self._shown)
        return True
