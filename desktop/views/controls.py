"""Small controls that panels share, in the house's look."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QToolButton,
    QWidget,
)

from desktop.theme import Look, palette_of
from desktop.views.wheel import guard_wheel

__all__ = ["WholeField", "dress", "labelled", "name_control", "quiet_button"]


class WholeField(QSpinBox):
    """A whole number from `lowest` to `highest`; valueChanged once typing is done."""

    def __init__(self, name: str, lowest: int, highest: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(lowest, highest)
        name_control(self, name)
        self.setToolTip(f"{name}: {lowest} to {highest}")
        self.setKeyboardTracking(False)
        guard_wheel(self)

    def show_value(self, value: int) -> None:
        """Show what the document says, without asking for an edit."""
        if value != self.value():
            self.blockSignals(True)
            self.setValue(value)
            self.blockSignals(False)


def name_control(control: QWidget, name: str) -> None:
    """What screen readers call a control, and the part inside it that may hold the keyboard."""
    control.setAccessibleName(name)
    if isinstance(control, QComboBox):
        control.view().setAccessibleName(name)
    elif isinstance(control, QSpinBox):
        control.lineEdit().setAccessibleName(name)
    elif isinstance(control, QAbstractScrollArea):
        control.viewport().setAccessibleName(name)


def quiet_button(
    text: str, tip: str, pressed: Callable[[], object], parent: QWidget
) -> QToolButton:
    """A button without a frame; `tip` is also what screen readers say. pressed: a bound method."""
    button = QToolButton(parent)
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.clicked.connect(pressed)
    return button


def labelled(text: str, field: QWidget, parent: QWidget) -> QWidget:
    """A field with its name before it, never parted by the end of a line."""
    both = QWidget(parent)
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(5)
    row.addWidget(QLabel(text, both))
    row.addWidget(field)
    return both


def dress(widget: QWidget, look: Look) -> None:
    """Give a widget and all in it a theme's colours and text size."""
    widget.setPalette(palette_of(look.theme))
    widget.setFont(look.font())
