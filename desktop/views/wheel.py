"""The wheel turns a control only where the keyboard is: scrolling past one changes nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget

__all__ = ["guard_wheel"]


class _Guard(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget):
            return False
        if watched.hasFocus():
            return False
        event.ignore()  # what scrolls around it may have it
        return True


def guard_wheel(control: QWidget) -> None:
    """Let `control` (a spin box, slider, tab bar, …) heed the wheel only while it has focus."""
    if control.focusPolicy() & Qt.FocusPolicy.WheelFocus == Qt.FocusPolicy.WheelFocus:
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    control.installEventFilter(_Guard(control))
