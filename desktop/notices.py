"""What the window has to say without stopping anybody: bars under the toolbar, with answers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

__all__ = ["Notice", "Notices"]


class Notice(QFrame):
    """One message; answered carries its name and the answer that was chosen ("" = closed)."""

    answered = Signal(str, str)

    def __init__(
        self, name: str, text: str, answers: tuple[str, ...], *, wrong: bool, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("kind", "wrong" if wrong else "news")
        self.name = name
        self.text = text
        self.answers = answers
        label = QLabel(("⚠  " if wrong else "") + text)
        # A file's name is never taken for markup.
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setAccessibleName(text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 8, 4)
        layout.addWidget(label, 1)
        for answer in (*answers, "Close") if "Close" not in answers else answers:
            button = QPushButton(answer)
            button.setAccessibleDescription(text)
            button.clicked.connect(self._clicked)
            layout.addWidget(button)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.answered.emit(self.name, "")
        else:
            super().keyPressEvent(event)

    def _clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, QPushButton)
        answer = button.text()
        self.answered.emit(self.name, answer if answer in self.answers else "")


class Notices(QWidget):
    """The bars that are open. A new one of the same name takes the old one's place.

    answered: a bar was answered, and is gone.
    """

    answered = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open: dict[str, Notice] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.hide()

    def say(self, name: str, text: str, *answers: str, wrong: bool = False) -> None:
        """Show a message; wrong: something couldn't be done."""
        self.take_back(name)
        notice = Notice(name, text, answers, wrong=wrong, parent=self)
        notice.answered.connect(self._answered)
        self._open[name] = notice
        self._layout.addWidget(notice)
        self.show()

    def take_back(self, name: str) -> None:
        """Close a message that no longer holds."""
        if (notice := self._open.pop(name, None)) is not None:
            self._layout.removeWidget(notice)
            notice.hide()
            notice.deleteLater()
        self.setVisible(bool(self._open))

    @property
    def texts(self) -> dict[str, str]:
        """What is said now, by name."""
        return {name: notice.text for name, notice in self._open.items()}

    def _answered(self, name: str, answer: str) -> None:
        self.take_back(name)
        self.answered.emit(name, answer)
