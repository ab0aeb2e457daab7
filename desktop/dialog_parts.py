"""What dialogs are made of: choices, rows of buttons, a line for what can't be, a page that fits.

A dialog that opens beside the work is never larger than its screen: its columns scroll, its
buttons and its line of trouble don't.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop.views.controls import name_control
from desktop.views.wheel import guard_wheel

__all__ = [
    "Scrolled", "TextBox", "TroubleLine", "add_row", "button", "choice", "choose", "fit_on_screen",
    "new_form", "row_of", "rows_choice", "said",
]  # fmt: skip


def choice(texts: Mapping[Any, str], now: object = None, *, least: int = 99) -> QComboBox:
    """A box to choose one of `texts` by its value; the first, unless `now` is one of them.

    least is how many letters must be seen where there is no room for the longest.
    """
    box = QComboBox()
    for value, text in texts.items():
        box.addItem(text, value)
    if least < max(map(len, texts.values())):
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(least)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    choose(box, now)
    guard_wheel(box)
    return box


def rows_choice() -> QComboBox:
    """What the rows of a grid are."""
    return choice({"queries": "Who listens (queries)", "keys": "Who is heard (keys)"}, least=12)


def choose(box: QComboBox, value: object) -> None:
    """Have a box show a value, or its first where it has no such."""
    box.setCurrentIndex(max(0, box.findData(value)))


def new_form() -> QFormLayout:
    """Fields under one another, each with its name before it, or above it where room is short."""
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    return form


def add_row(form: QFormLayout, label: str, field: QWidget, *beside: QWidget) -> QLabel:
    """A field with its name, which its mnemonic leads to and screen readers say."""
    caption = QLabel(label)
    caption.setBuddy(field)
    name_control(field, label.replace("&", ""))
    if beside:
        form.addRow(caption, row_of(field, *beside, stretched=field))
    else:
        form.addRow(caption, field)
    return caption


def row_of(*widgets: QWidget, stretched: QWidget | None = None) -> QHBoxLayout:
    """Widgets beside one another; at the right, unless one of them takes all the room."""
    row = QHBoxLayout()
    if stretched is None:
        row.addStretch(1)
    for widget in widgets:
        row.addWidget(widget, 1 if widget is stretched else 0)
    return row


def button(text: str, pressed: object) -> QPushButton:
    """A button that Enter in a field doesn't press. pressed: a bound method."""
    made = QPushButton(text)
    made.setAutoDefault(False)
    made.clicked.connect(pressed)
    return made


def said(error: Exception) -> str:
    """What a command would say on its last line, in the words of a dialog."""
    text = " ".join(str(error).split()).replace(" with -o", "").replace("--", "")
    return text[:1].upper() + text[1:]


class TroubleLine(QLabel):
    """Why something can't be done, or how it went; takes no room while it has nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        # A word or a file's name is never taken for markup.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName("Message")
        self.say("")

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Show a text until the next."""
        self.setText(("⚠  " if wrong and text else "") + text)
        self.setVisible(bool(text))


class TextBox(QPlainTextEdit):
    """A text to read and copy, so many letters wide and lines high at any size of text."""

    def __init__(self, name: str, letters: int, lines: int, least_lines: int = 3) -> None:
        super().__init__()
        self._letters, self._lines, self._least_lines = letters, lines, least_lines
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        name_control(self, name)

    def _size(self, letters: int, lines: int) -> QSize:
        metrics = self.fontMetrics()
        round_it = 2 * (self.frameWidth() + round(self.document().documentMargin()))
        bars = self.verticalScrollBar().sizeHint().width()
        width = letters * metrics.averageCharWidth() + round_it + bars
        return QSize(width, lines * metrics.lineSpacing() + round_it)

    def sizeHint(self) -> QSize:
        return self._size(self._letters, self._lines)

    def minimumSizeHint(self) -> QSize:
        return self._size(12, self._least_lines)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()


class Scrolled(QScrollArea):
    """A column as wide as it asks to be, that scrolls where it is higher than there is room for."""

    def __init__(self, column: QWidget) -> None:
        super().__init__()
        self._column = column
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(column)
        # The dialog's own ground shows through.
        column.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # What the column needs is what this needs: another size of text, a row that comes or goes.
        if watched is self._column and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _with_bar(self, size: QSize) -> QSize:
        return size + QSize(self.verticalScrollBar().sizeHint().width() + 4, 0)

    def sizeHint(self) -> QSize:
        return self._with_bar(self._column.sizeHint())

    def minimumSizeHint(self) -> QSize:
        least = self._with_bar(self._column.minimumSizeHint())
        return QSize(least.width(), 5 * self.fontMetrics().height())


def fit_on_screen(dialog: QDialog, wanted: QSize) -> None:
    """Give a dialog this size, or what its screen has room for."""
    room = dialog.screen().availableGeometry().size()
    # The frame that a window manager puts round it needs some.
    dialog.resize(wanted.boundedTo(room - QSize(16, 48)))
