"""Every action by its name: a few letters find it, Enter does it, and its keys stand beside."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from desktop.views.lettering import plain_tip

__all__ = ["CommandPalette", "fit"]


def fit(wanted: str, text: str) -> float | None:
    """How well letters that were typed fit a text, the higher the better; None if they don't.

    They must all be there, in order; beginnings of words and neighbours count more.
    """
    wanted, text = wanted.casefold().replace(" ", ""), text.casefold()
    score, at, before = 0.0, -1, -2
    for letter in wanted:
        starts = [
            i for i in range(at + 1, len(text))
            if text[i] == letter and (i == 0 or not text[i - 1].isalnum())
        ]  # fmt: skip
        found = text.find(letter, at + 1)
        if found < 0:
            return None
        follows = found == before + 1
        if not follows and starts and _rest_fits(wanted, letter, text, starts[0]):
            found = starts[0]
        begins = found == 0 or not text[found - 1].isalnum()
        score += 1.0 + 1.5 * (found == before + 1) + 1.0 * begins
        at = before = found
        wanted = wanted[1:]
    return score - 0.01 * len(text)


def _rest_fits(wanted: str, letter: str, text: str, place: int) -> bool:
    """Whether, with the letter taken at a place, those after it are still to be found."""
    for following in wanted[1:]:
        place = text.find(following, place + 1)
        if place < 0:
            return False
    return True


class CommandPalette(QFrame):
    """A card over the window. chosen carries the name of the action that was chosen."""

    chosen = Signal(str)

    def __init__(self, commands: list[tuple[str, str, str, bool]], parent: QWidget) -> None:
        """commands: name, text, keys, and whether it can be done now."""
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName("Find a command")
        self._commands = commands
        self._came_from = parent.window().focusWidget()
        self.line = QLineEdit()
        self.line.setPlaceholderText("Find a command…")
        self.line.setAccessibleName("Find a command")
        self.line.setClearButtonEnabled(False)
        self.list = QTreeWidget()
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Commands")
        layout = QVBoxLayout(self)
        layout.addWidget(self.line)
        layout.addWidget(self.list)
        self.line.textChanged.connect(self._narrow)
        self.line.installEventFilter(self)
        self.list.itemClicked.connect(self._clicked)
        self._narrow("")
        height = self.fontMetrics().height()
        width = min(parent.width() - 40, max(480, 34 * height))
        self.setGeometry(
            (parent.width() - width) // 2, min(90, parent.height() // 8),
            width, min(parent.height() - 120, 26 * height),
        )  # fmt: skip
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        header.setSectionResizeMode(1, header.ResizeMode.ResizeToContents)
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def found(self) -> list[str]:
        """The names of the actions that fit, best first."""
        items = (self.list.topLevelItem(i) for i in range(self.list.topLevelItemCount()))
        return [item.data(0, Qt.ItemDataRole.UserRole) for item in items if item is not None]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            if event.reason() != Qt.FocusReason.PopupFocusReason:
                self._leave(give_back=False)
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        key, rows = event.key(), self.list.topLevelItemCount()
        steps = {
            Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10,
        }  # fmt: skip
        if key == Qt.Key.Key_Escape:
            self._leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if (item := self.list.currentItem()) is not None:
                self._clicked(item)
        elif key in steps and rows:
            step = steps[Qt.Key(key)]
            row = self.list.currentIndex().row() + step
            self._choose(row % rows if abs(step) == 1 else min(max(row, 0), rows - 1))
        else:
            return False
        return True

    def _narrow(self, wanted: str) -> None:
        ranked = [
            (-score, number)
            for number, (_, text, _, _) in enumerate(self._commands)
            if (score := fit(wanted, text)) is not None
        ]
        if wanted:
            ranked.sort()
        self.list.clear()
        for _, number in ranked:
            name, text, keys, enabled = self._commands[number]
            item = QTreeWidgetItem([text, keys])
            item.setData(0, Qt.ItemDataRole.UserRole, name)
            item.setToolTip(0, plain_tip(text))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setDisabled(not enabled)
            self.list.addTopLevelItem(item)
        self._choose(0)

    def _choose(self, row: int) -> None:
        if (item := self.list.topLevelItem(row)) is not None:
            self.list.setCurrentItem(item)

    def _clicked(self, item: QTreeWidgetItem) -> None:
        if not item.isDisabled():
            name = item.data(0, Qt.ItemDataRole.UserRole)
            self._leave()
            self.chosen.emit(name)

    def _leave(self, *, give_back: bool = True) -> None:
        self.line.removeEventFilter(self)
        self.hide()
        if give_back and self._came_from is not None:
            self._came_from.setFocus(Qt.FocusReason.PopupFocusReason)
        self.deleteLater()
