"""The heads: their weights in small, what makes their vectors, and how their outputs are joined."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop import edits
from desktop.document import Document
from desktop.edits import LETTERS, Edit
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.controls import dress, quiet_button
from desktop.views.head_tabs import HeadTabs
from desktop.views.lettering import plain_tip
from desktop.views.lists import write_short_list
from desktop.views.panel import Panel
from desktop.views.table_model import TableModel, matrix_part
from desktop.views.table_view import TableView
from engine.notation import write_entries
from engine.sentence import Head, joined_output
from engine.softmax import FloatArray

__all__ = ["HeadsView", "joining_text"]

MATRICES = {
    "w_query": "q = x W_Q", "w_key": "k = x W_K", "w_value": "v = x W_V", "w_output": "y = o W_O",
}  # fmt: skip

LONGEST = 8
"""Numbers of one list that are written in a line."""

MARGIN = 8
WRAP = int(Qt.TextFlag.TextWordWrap)


Joined = tuple[FloatArray, FloatArray] | None


def joining_text(document: Document, both: Joined) -> str:
    """How the heads' outputs become one for the focus word, with the numbers of `joined_output`."""
    sentence, digits = document.sentence, document.calculation.digits
    count = len(sentence.heads)
    if both is None:
        if count == 1:
            return "One head: its output is all there is, so nothing has to be joined."
        return (
            f"{count} heads, each with an output of its own. With a W_O (+ W_O) they are laid end "
            "to end and multiplied by it."
        )
    focus = sentence.focus
    word = edits.name_of(sentence, focus)
    joined, output = (rows[focus].tolist() for rows in both)
    pieces, first = [], 0
    for head in sentence.heads:
        width = _width(head)
        pieces.append(
            f"{write_short_list(joined[first : first + width], digits, LONGEST)} {head.name}"
        )
        first += width
    laid = "laid end to end and multiplied" if count > 1 else "multiplied"
    y = write_short_list(output, digits, LONGEST)
    return f"o({word}) = {', '.join(pieces)}: {laid} by W_O\ny({word}) = {y}"


def _width(head: Head) -> int:
    return len((head.value or head.w_value or ((),))[0])


class Lines(QWidget):
    """A text that changes with every step of a drag: painted, so that nothing is laid out anew."""

    def __init__(self, state: ViewState, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        self.text = ""
        self.setAccessibleName("how the heads are joined")

    def show_text(self, text: str, *, is_at_rest: bool) -> None:
        """Show this; room for it is made, and it is said to screen readers, at rest."""
        if text != self.text:
            self.text = text
            self.update()
        if is_at_rest:
            self.setAccessibleDescription(text)
            self.setToolTip(plain_tip(text))
            self._make_room()

    def _make_room(self) -> None:
        metrics = QFontMetricsF(self._state.look.font())
        box = metrics.boundingRect(
            QRectF(0, 0, max(self.width() - 2 * MARGIN, 80), 9999), WRAP, self.text
        )
        height = math.ceil(min(box.height(), 4 * metrics.lineSpacing())) + MARGIN
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """It may wrap elsewhere."""
        super().resizeEvent(event)
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text."""
        look, painter = self._state.look, QPainter(self)
        painter.setFont(look.font())
        painter.setPen(look.color("ink"))
        painter.drawText(QRectF(self.rect()).adjusted(MARGIN, 0, -MARGIN, 0), WRAP, self.text)


class Matrix(QWidget):
    """One of the W, with its name above it."""

    def __init__(self, document: Document, state: ViewState, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.model = TableModel(document, state, partial(matrix_part, name=name), self)
        self.view = TableView(self.model, state, LETTERS[name], self)
        self._title = QLabel(MATRICES[name], self)
        self._title.setBuddy(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self.view, 1)

    def show_now(self, document: Document, look: Look, both: Joined) -> None:
        """Show its numbers, or nothing where the document has none."""
        is_there = edits.block(document.sentence, document.head, self.name) is not None
        if is_there == self.isHidden():
            self.setVisible(is_there)
        self.view.set_look(look)
        self.model.refresh()
        if is_there:
            self.model.set_row_names(self._names(document, both))
            if self.name == "w_output":
                self.view.verticalHeader().viewport().update()
            if document.before is None:
                self.view.fit_columns()
                self.view.refresh_names()
                self._take_room()

    def _names(self, document: Document, both: Joined) -> list[str]:
        rows = edits.block(document.sentence, document.head, self.name) or ()
        if self.name != "w_output":
            return [f"x{i + 1}" for i in range(len(rows))]
        joined = [] if both is None else both[0][document.sentence.focus].tolist()
        numbers = write_entries(joined, document.calculation.digits)
        entries = [(head.name, i) for head in document.sentence.heads for i in range(_width(head))]
        return [f"{name} o{i + 1} = {here}" for (name, i), here in zip(entries, numbers)]

    def _take_room(self) -> None:
        """As wide as four columns at least, or as its columns are; no wider than them."""
        view = self.view
        wanted = view.verticalHeader().width() + 4
        columns = [view.columnWidth(i) for i in range(self.model.columnCount())]
        self.setMinimumWidth(wanted + sum(columns[:2]) + 8)
        self.setMaximumWidth(wanted + sum(columns) + view.verticalScrollBar().sizeHint().width())


class HeadsView(Panel):
    """Tabs over the matrices of the head that is shown, and W_O with what it gives."""

    title = "Heads"

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.tabs = HeadTabs(document, state, self)
        self._add = quiet_button("+ head", "add a head like this one", self.add_head, self)
        self._remove = quiet_button("− head", "remove this head", self.remove_head, self)
        self._join = quiet_button("+ W_O", "join the heads by W_O", self.join_or_part, self)
        inside = QWidget(self)
        self.matrices = [Matrix(document, state, name, inside) for name in MATRICES]
        self.joining = Lines(state, inside)
        self._lay_out(inside)
        self._look: Look | None = None
        self.refresh()

    def _lay_out(self, inside: QWidget) -> None:
        above = QHBoxLayout()
        above.setContentsMargins(6, 2, 6, 2)
        above.addWidget(self.tabs, 1)
        above.addWidget(self._add)
        above.addWidget(self._remove)
        above.addWidget(self._join)
        row = QHBoxLayout()
        row.setContentsMargins(MARGIN, 2, MARGIN, 4)
        row.setSpacing(14)
        for matrix in self.matrices:
            row.addWidget(matrix)
        row.addStretch(1)
        # All but the tabs is scrolled where text is large and the window low.
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.joining)
        rows.addLayout(row, 1)
        self._area = QScrollArea(self)
        self._area.setWidget(inside)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(above)
        column.addWidget(self._area, 1)
        self.setFocusProxy(self.tabs)

    # What there is now

    def refresh(self) -> None:
        """Show the heads as they are now; nothing while unseen."""
        if not self.is_seen:
            return
        look, document = self.state.look, self.document
        if look != self._look:
            self._look = look
            dress(self, look)
        self.tabs.refresh()
        both = joined_output(document.sentence)
        for matrix in self.matrices:
            matrix.show_now(document, look, both)
        sentence = document.sentence
        text = joining_text(document, both)
        if not edits.is_made(sentence, document.head):
            name = sentence.heads[document.head].name
            text += f"\nqueries, keys and values of {name} are given outright: no W makes them"
        self.joining.show_text(text, is_at_rest=document.before is None)
        self._remove.setEnabled(len(sentence.heads) > 1)
        self._show_join(is_joined=sentence.w_output is not None)

    def _show_join(self, *, is_joined: bool) -> None:
        text = "− W_O" if is_joined else "+ W_O"
        if text != self._join.text():
            tip = "take W_O away" if is_joined else "join the heads by W_O"
            self._join.setText(text)
            self._join.setToolTip(tip)
            self._join.setAccessibleName(tip)

    def relight(self) -> None:
        """Tint the W of what is lit."""
        if self.isVisible():
            for matrix in self.matrices:
                if matrix.isVisible():
                    matrix.view.relight()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was missed."""
        super().showEvent(event)
        self.refresh()

    # Edits

    def add_head(self) -> None:
        """One more head, like the one that is shown, and show it."""
        count = len(self.document.kept.heads)
        if self._try(edits.add_head, self.document.head):
            self.document.set_head(count)

    def remove_head(self) -> None:
        """Take away the head that is shown."""
        self._try(edits.remove_head, self.document.head)

    def join_or_part(self) -> None:
        """Give the document a W_O, or take it away."""
        is_joined = self.document.kept.w_output is not None
        self._try(edits.part_heads if is_joined else edits.join_heads)

    def _try(self, verb: Callable[..., Edit], *given: int) -> bool:
        try:
            edit = verb(self.document.kept, *given)
            self.document.edit(edit)
        except ValueError as error:
            self.state.announce(str(error))
            return False
        self.state.announce(edit.text)
        return True
