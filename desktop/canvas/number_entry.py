"""A vector typed by its numbers, on the spot."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from desktop.views.typed import read_number
from engine.notation import write_exactly

__all__ = ["NumberEntry"]

STAYING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""Reasons for which the focus will come back."""


class NumberEntry(QFrame):
    """A field for each of the numbers that a plane shows of one arrow.

    entered: the numbers, by Enter. refused: why what was typed is none; nothing typed is lost.
    closed: without a number, by Esc or because the focus went elsewhere.
    """

    entered = Signal(list)
    refused = Signal(str)
    closed = Signal()

    def __init__(self, name: str, numbers: Sequence[float], parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setAccessibleName(f"numbers of {name}")
        self.fields: list[QLineEdit] = []
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.setSpacing(4)
        label = QLabel(name, self)
        # A word may look like markup.
        label.setTextFormat(Qt.TextFormat.PlainText)
        layout.addWidget(label)
        for i, number in enumerate(numbers):
            field = QLineEdit(write_exactly(number), self)
            field.setAccessibleName(f"number {i + 1} of {name}")
            field.setFixedWidth(field.fontMetrics().horizontalAdvance("0") * 9)
            field.returnPressed.connect(self._enter)
            field.installEventFilter(self)
            layout.addWidget(field)
            self.fields.append(field)
        self.adjustSize()

    def begin(self) -> None:
        """Show it and let the first number be typed over."""
        self.show()
        self.raise_()
        self.fields[0].setFocus(Qt.FocusReason.PopupFocusReason)
        self.fields[0].selectAll()

    def _enter(self) -> None:
        numbers = []
        for field in self.fields:
            try:
                numbers.append(read_number(field.text()))
            except ValueError as error:
                self.refused.emit(str(error))
                field.setFocus()
                field.selectAll()
                return
        self.entered.emit(numbers)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.closed.emit()
                return True
        elif (
            event.type() == QEvent.Type.FocusOut
            and isinstance(event, QFocusEvent)
            and event.reason() not in STAYING
            and QApplication.focusWidget() not in self.fields
        ):
            self.closed.emit()
        return False
