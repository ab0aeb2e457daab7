"""The sentence as a table: a row a word, its query, key and value to be typed."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from desktop import edits
from desktop.document import Document
from desktop.edits import Edit
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.controls import WholeField, dress, labelled, quiet_button
from desktop.views.flow import FlowRow
from desktop.views.panel import Panel
from desktop.views.table_model import TableModel, word_parts
from desktop.views.table_view import TableView
from engine.sentence import MAX_WIDTH, MAX_WORDS

__all__ = ["WordTable", "WordsView"]

Key = Qt.Key
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class WordsView(TableView):
    """The table itself: rows are words, that come, go and change places."""

    def __init__(self, model: TableModel, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(model, state, "words, queries, keys and values", parent)
        rows = self.verticalHeader()
        rows.setSectionsMovable(True)
        rows.setSectionsClickable(True)
        rows.sectionClicked.connect(self._row_named)
        # Later, since the header is still in the middle of its own drag.
        rows.sectionMoved.connect(self._row_dragged, Qt.ConnectionType.QueuedConnection)
        self._is_putting_back = False
        self._count_of_inserts = 0
        self._cells.closeEditor.connect(self._editor_closed)

    def _edit(self, verb: str, *arguments: object, merge: str = "") -> bool:
        """Do a verb of edits with the sentence, or say why it can't be done."""
        try:
            edit: Edit = getattr(edits, verb)(self.table.document.kept, *arguments)
        except ValueError as error:
            self.view_state.announce(str(error))
            return False
        return self.table.try_edit(replace(edit, merge=merge))

    # Rows

    def add_word(self, at: int | None = None) -> None:
        """A further word, before row `at` or at the end; its text is typed at once."""
        n = len(self.table.document.sentence.words)
        if at is None and n == MAX_WORDS:
            self.view_state.announce(f"a sentence has at most {MAX_WORDS} words")
            return
        merge = ""
        if at is not None:
            self._count_of_inserts += 1
            merge = f"insert {id(self)} {self._count_of_inserts}"
            if not self._edit("add_word", "word", at, merge=merge):
                return
        self.setCurrentIndex(self.table.index(n if at is None else at, 0))
        self.setFocus()
        self.table.merge = merge
        self.edit_current()

    def _editor_closed(self) -> None:
        """What is typed from now on is a step of its own."""
        self.table.merge = ""

    def add_before_current(self) -> None:
        """A further word above the current one."""
        row = self.currentIndex().row()
        self.add_word(row if 0 <= row < len(self.table.document.sentence.words) else None)

    def remove_words(self) -> None:
        """Take out the words that are selected, as one step."""
        sentence = after = self.table.document.kept
        rows = [row for row in self.selected_block()[0] if 0 <= row < len(sentence.words)]
        if not rows:
            self.view_state.announce("no word is chosen: go to its row first")
            return
        try:
            for row in reversed(rows):
                edit = edits.remove_word(after, row)
                after = edit.sentence
        except ValueError as error:
            self.view_state.announce(str(error))
            return
        text = edit.text if len(rows) == 1 else f"Remove {len(rows)} words"
        if self.table.try_edit(Edit(text, after)):
            row = min(rows[0], len(after.words) - 1)
            self.setCurrentIndex(self.table.index(row, max(self.currentIndex().column(), 0)))

    def move_current(self, by: int) -> None:
        """Put the current word one place up (-1) or down (1)."""
        self._move(self.currentIndex().row(), self.currentIndex().row() + by)

    def _move(self, row: int, to: int) -> None:
        n = len(self.table.document.kept.words)
        if not (0 <= row < n and 0 <= to < n) or row == to:
            return
        if self._edit("move_word", row, to):
            self.setCurrentIndex(self.table.index(to, max(self.currentIndex().column(), 0)))

    def _row_dragged(self, _logical: int, old: int, new: int) -> None:
        if self._is_putting_back:
            return
        # Which row is which stays the model's: the header goes back, the words move.
        self._is_putting_back = True
        self.verticalHeader().moveSection(new, old)
        self._is_putting_back = False
        self._move(old, min(new, len(self.table.document.kept.words) - 1))

    def _row_named(self, row: int) -> None:
        self.look_at(row)

    def look_at(self, row: int) -> None:
        """Make a word the focus word."""
        self.table.document.set_focus(row)
        self.setCurrentIndex(self.table.index(row, max(self.currentIndex().column(), 0)))

    def make_free(self) -> None:
        """Let the head's vectors be typed, no longer made by W."""
        self._edit("make_free", self.table.document.head)

    # Keys

    def handles(self, event: QKeyEvent) -> bool:
        """The keys of rows too."""
        return super().handles(event) or self._row_key(event) is not None

    def _row_key(self, event: QKeyEvent) -> object | None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        match (modifiers, event.key()):
            case (Qt.KeyboardModifier.NoModifier, Key.Key_Insert):
                return self.add_before_current
            case (m, Key.Key_Delete) if m == CONTROL:
                return self.remove_words
            case (m, Key.Key_Up) if m == ALT:
                return self._up
            case (m, Key.Key_Down) if m == ALT:
                return self._down
        return None

    def _up(self) -> None:
        self.move_current(-1)

    def _down(self) -> None:
        self.move_current(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Insert adds, Ctrl+Del removes, Alt+Up and Alt+Down move a word."""
        verb = None if self.state_is_editing() else self._row_key(event)
        if callable(verb):
            verb()
        else:
            super().keyPressEvent(event)

    def fill_menu(self, menu: QMenu) -> None:
        """What can be done with rows too."""
        super().fill_menu(menu)
        menu.addSeparator()
        menu.addAction("Add word before\tIns", self.add_before_current)
        menu.addAction("Remove word\tCtrl+Del", self.remove_words)
        menu.addAction("Move up\tAlt+Up", self._up)
        menu.addAction("Move down\tAlt+Down", self._down)
        document = self.table.document
        if edits.is_made(document.sentence, document.head):
            menu.addSeparator()
            menu.addAction("Make free: no longer made by W", self.make_free)


class WordTable(Panel):
    """The table with what adds, removes and resizes."""

    title = "Words"
    may_wait = True

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.model = TableModel(document, state, word_parts, self)
        self.view = WordsView(self.model, state, self)
        self._add = quiet_button("+ row", "add a word at the end", self._add_word, self)
        self._remove = quiet_button(
            "− row", "remove the chosen words (Ctrl+Del)", self.view.remove_words, self
        )
        self.d_k = WholeField("d_k, numbers in a query and a key", 1, MAX_WIDTH, self)
        self.d_v = WholeField("d_v, numbers in a value", 1, MAX_WIDTH, self)
        self.d_k.valueChanged.connect(self._set_d_k)
        self.d_v.valueChanged.connect(self._set_d_v)
        self.free = quiet_button(
            "Make q, k, v free",
            "they are made by W from x: keep them as they are now, to be typed and moved",
            self.view.make_free, self,
        )  # fmt: skip
        self.free.setAutoRaise(False)
        self._lay_out()
        self._look: Look | None = None
        self.refresh()

    def _lay_out(self) -> None:
        row = FlowRow()
        row.add(self._add)
        row.add(self._remove)
        for text, field in (("d_k", self.d_k), ("d_v", self.d_v)):
            row.add(labelled(text, field, self))
        row.add(self.free)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.view, 1)
        self.setFocusProxy(self.view)

    # What there is now

    def refresh(self) -> None:
        """Tell the table which cells are different; nothing while it isn't seen."""
        if not self.is_seen:
            return
        if self._look != self.state.look:
            self._look = self.state.look
            dress(self, self.state.look)
            self.view.set_look(self.state.look)
        self.model.refresh()
        if self.document.before is not None:
            return  # widths and fields wait for the end of a drag
        self.view.refresh_names()
        self.view.fit_columns()
        sentence, head = self.document.sentence, self.document.head
        is_made = edits.is_made(sentence, head)
        attention = self.document.calculation.attention
        self.d_k.show_value(attention.query.shape[-1])
        self.d_v.show_value(attention.value.shape[-1])
        self.free.setVisible(is_made)

    def relight(self) -> None:
        """Tint what is lit."""
        if self.isVisible():
            self.view.relight()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was missed."""
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """What isn't seen isn't pointed at."""
        self.state.hover(None)
        super().hideEvent(event)

    # Edits

    def _add_word(self) -> None:
        self.view.add_word()

    def _set_d_k(self, width: int) -> None:
        self._set_width(("query", "key"), width)

    def _set_d_v(self, width: int) -> None:
        self._set_width(("value",), width)

    def _set_width(self, roles: tuple[str, ...], width: int) -> None:
        try:
            edit = edits.set_width(self.document.kept, self.document.head, roles, width)
        except ValueError as error:
            self.state.announce(str(error))
            return
        self.model.try_edit(edit)
