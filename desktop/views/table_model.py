"""Numbers of the document as a Qt table: parts side by side, changed cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop import edits
from desktop.document import Document
from desktop.edits import LETTERS, ROLES, Edit
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from desktop.views.lettering import plain_tip
from desktop.views.spreadsheet import WORD, paste, read_block, write_block
from desktop.views.typed import read_number
from engine.notation import MINUS, write_exactly, write_number
from engine.sentence import MAX_WORDS

__all__ = ["MARK", "Part", "TableModel", "matrix_part", "word_parts"]

MARK = "▸ "
"""Before the focus word."""

NEW_WORD = "+ word"

AnyIndex = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


@dataclass(frozen=True)
class Part:
    """Columns that belong together: a block of the document, or what is computed from it.

    name is the block's (WORD for the words, "" where nothing can be typed); letter begins the
    columns' names; role, one of ROLES or "", gives colour and line style.
    """

    name: str
    letter: str
    role: str
    rows: Sequence[Sequence[Any]]

    @property
    def width(self) -> int:
        """How many columns it has."""
        return len(self.rows[0])


def word_parts(document: Document) -> tuple[Part, ...]:
    """The words, and the vectors of the head that is shown: as given, or made by W from x."""
    sentence, number = document.sentence, document.head
    head = sentence.heads[number]
    words = Part(WORD, WORD, "", [(word,) for word in sentence.words])
    if not edits.is_made(sentence, number):
        return (words, *(Part(role, LETTERS[role], role, getattr(head, role)) for role in ROLES))
    attention = document.calculation.attention
    made = [Part("", LETTERS[role], role, getattr(attention, role).tolist()) for role in ROLES]
    return (words, Part("embeddings", LETTERS["embeddings"], "", sentence.embeddings or ()), *made)


def matrix_part(document: Document, name: str) -> tuple[Part, ...]:
    """One of the W; none where the head that is shown (or the document) has none."""
    rows = edits.block(document.sentence, document.head, name)
    if rows is None:
        return ()
    role = {"w_query": "query", "w_key": "key", "w_value": "value"}.get(name, "")
    return (Part(name, LETTERS.get(role, "y"), role, rows),)


class TableModel(QAbstractTableModel):
    """A table on `document`; `parts_of` says what is in it.

    Where the first part is the words, one more row waits for a new one. `refresh` after every
    change: it tells Qt of the cells that are different, and resets only if the columns are.
    """

    def __init__(
        self,
        document: Document,
        state: ViewState,
        parts_of: Callable[[Document], tuple[Part, ...]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.document = document
        self._state = state
        self._parts_of = parts_of
        self._digits = document.calculation.digits
        self._row_names: Sequence[str] | None = None
        self.merge = ""
        """What is typed is one step of undo with an edit that has this `merge`."""
        self._take(parts_of(document))

    def _take(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts
        self._columns = [(part, entry) for part in parts for entry in range(part.width)]
        self._n = len(parts[0].rows) if parts else 0
        self._has_words = bool(parts) and parts[0].name == WORD
        self._told = self.document.sentence  # what Qt draws until it is told of the next

    # What changed

    def refresh(self) -> None:
        """Tell Qt what is different from what it was last told."""
        parts, old = self._parts_of(self.document), self.parts
        shape = [(part.name, part.letter, part.width) for part in parts]
        count = len(parts[0].rows) if parts else 0
        was_full, is_full = self._n == MAX_WORDS, count == MAX_WORDS
        if shape != [(part.name, part.letter, part.width) for part in old] or (
            self._has_words and was_full != is_full
        ):
            self.beginResetModel()
            self._take(parts)
            self.endResetModel()
        elif count != self._n:
            self._move_rows(parts, count)
        else:
            self._take(parts)
            self._tell_changes(old)
        if self._digits != self.document.calculation.digits:
            self._digits = self.document.calculation.digits
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _move_rows(self, parts: tuple[Part, ...], count: int) -> None:
        """Rows came or went: after those that are the same as before."""
        old, new = self._lines(self.parts), self._lines(parts)
        first = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), count))
        if count > len(old):
            self.beginInsertRows(QModelIndex(), first, first + count - len(old) - 1)
            self._take(parts)
            self.endInsertRows()
        else:
            self.beginRemoveRows(QModelIndex(), first, first + len(old) - count - 1)
            self._take(parts)
            self.endRemoveRows()
        self.dataChanged.emit(self.index(0, 0), self.index(count - 1, len(self._columns) - 1))

    @staticmethod
    def _lines(parts: tuple[Part, ...]) -> list[tuple[Any, ...]]:
        return [tuple(map(tuple, line)) for line in zip(*(part.rows for part in parts))]

    def _tell_changes(self, old: tuple[Part, ...]) -> None:
        left = 0
        for was, part in zip(old, self.parts):
            if was.rows is not part.rows:
                for row, (before, now) in enumerate(zip(was.rows, part.rows)):
                    if before is not now and before != now:
                        at = [i for i, (a, b) in enumerate(zip(before, now)) if a != b]
                        self.dataChanged.emit(
                            self.index(row, left + at[0]), self.index(row, left + at[-1])
                        )
            left += part.width

    # What there is

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """One a word (or a row of W), and one for a new word while there is room."""
        return 0 if parent.isValid() else self._n + (self._has_words and self._n < MAX_WORDS)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """Those of all parts."""
        return 0 if parent.isValid() else len(self._columns)

    def column(self, column: int) -> tuple[Part, int]:
        """The part that a column belongs to, and which of its columns it is."""
        return self._columns[column]

    def is_new(self, row: int) -> bool:
        """Whether this is the row that waits for a word."""
        return row >= self._n

    def text(self, row: int, column: int) -> str:
        """What a cell shows: whole words, numbers with all their digits, computed ones rounded."""
        part, entry = self._columns[column]
        if row >= self._n:
            return NEW_WORD if part.name == WORD else ""
        content = part.rows[row][entry]
        if part.name == WORD:
            return content
        if not part.name:
            return write_number(content, self.document.calculation.digits)
        return write_exactly(content).replace("-", MINUS)

    def typed_text(self, row: int, column: int) -> str:
        """What a cell's editor begins with, and what is copied: as data."""
        part, entry = self._columns[column]
        if row >= self._n:
            return ""
        content = part.rows[row][entry]
        return content if part.name == WORD else write_exactly(content)

    def said(self, row: int, column: int) -> str:
        """A cell in words: "q1 of sat: 2"."""
        part, entry = self._columns[column]
        if row >= self._n:
            return "a new word: type it here"
        content = self.typed_text(row, column)
        if part.name == WORD:
            return f"word {row + 1}: {content}"
        whose = self.row_name(row)
        made = ", made by W" if not part.name else ""
        return f"{part.letter}{entry + 1} of {whose}: {content}{made}"

    def set_row_names(self, names: Sequence[str]) -> None:
        """What rows are called where they are no words."""
        self._row_names = names

    def row_name(self, row: int) -> str:
        """What a row is called in words."""
        if self._row_names is not None:
            return self._row_names[row] if row < len(self._row_names) else str(row + 1)
        if not self._has_words:
            return str(row + 1)
        return edits.name_of(self._told, row)

    def row_label(self, row: int, *, is_scrolled: bool = False) -> str:
        """What stands before a row; the word itself where its column may be out of sight."""
        if row >= self._n:
            return "+"
        if not self._has_words:
            return self.row_name(row)
        mark = MARK if row == self.document.sentence.focus else ""
        word = f" {self._told.words[row]}" if is_scrolled else ""
        return f"{mark}{row + 1}{word}"

    def thing(self, row: int, column: int) -> Thing | None:
        """What lights up with a cell."""
        part, _ = self._columns[column]
        if row >= self._n:
            return None
        if not self._has_words:
            return Thing(part.role) if part.role else None
        match part.role:
            case "query":
                return Thing("query", listens=row)
            case "key" | "value":
                return Thing(part.role, heard=row)
        return Thing(listens=row)

    def is_lit(self, row: int, column: int) -> bool:
        """Whether what is lit belongs to this cell."""
        lit = self._state.lit
        if lit is None or row >= self._n:
            return False
        part, _ = self._columns[column]
        if lit.step in ROLES and lit.step != part.role:
            return False
        if lit.listens is None and lit.heard is None:
            return bool(part.role) and lit.lights_step(part.role)
        if not self._has_words:
            return False
        if part.role == "query":
            return lit.lights(listens=row)
        if part.role:
            return lit.lights(heard=row)
        return row in (lit.listens, lit.heard)

    # As Qt asks

    def data(self, index: AnyIndex, role: int = Role.DisplayRole) -> Any:
        """Texts of a cell; how it looks is the view's."""
        if not index.isValid() or index.column() >= len(self._columns):
            return None
        row, column = index.row(), index.column()
        if role == Role.DisplayRole:
            return self.text(row, column)
        if role == Role.EditRole:
            return self.typed_text(row, column)
        if role == Role.ToolTipRole:
            return plain_tip(self.said(row, column))
        if role in (Role.AccessibleTextRole, Role.AccessibleDescriptionRole):
            return self.said(row, column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """Columns: letter and number; rows: their number, the focus word's with a mark."""
        if orientation == Qt.Orientation.Horizontal:
            if section >= len(self._columns):
                return None
            part, entry = self._columns[section]
            if role == Role.DisplayRole:
                return WORD if part.name == WORD else f"{part.letter}{entry + 1}"
            if role == Role.ToolTipRole and not part.name:
                return f"{part.letter} is made by W from x: make it free to type here"
            return None
        if role == Role.DisplayRole:
            return self.row_label(section)
        if role == Role.ToolTipRole and self._has_words and section < self._n:
            return plain_tip(f"look at {self.row_name(section)}; drag to put it elsewhere")
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Computed numbers can be copied, not typed over; a new word has no numbers yet."""
        if not index.isValid() or index.column() >= len(self._columns):
            return Qt.ItemFlag.NoItemFlags
        part, _ = self._columns[index.column()]
        if index.row() >= self._n and part.name != WORD:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if part.name else flags

    # Edits

    def problem(self, row: int, column: int, text: str) -> str:
        """Why this text can't be typed into a cell; "" if it can."""
        try:
            self._edit_for(row, column, text)
        except ValueError as error:
            return str(error)
        return ""

    def _edit_for(self, row: int, column: int, text: str) -> Edit | None:
        part, entry = self._columns[column]
        sentence = self.document.kept
        if part.name == WORD:
            text = text.strip()
            if row >= self._n:
                return edits.add_word(sentence, text) if text else None
            if not text:
                raise ValueError("a word has at least one character: remove its row instead")
            return edits.rename_word(sentence, row, text)
        number = read_number(text)
        return edits.set_entries(sentence, self.document.head, part.name, row, entry, [[number]])

    def setData(self, index: AnyIndex, value: Any, role: int = Role.EditRole) -> bool:
        """Type a text into a cell; what can't be is said, and changes nothing."""
        if role != Role.EditRole or not index.isValid():
            return False
        row, column = index.row(), index.column()
        if str(value) == self.typed_text(row, column):
            return True
        try:
            edit = self._edit_for(row, column, str(value))
        except ValueError as error:
            self._state.announce(str(error))
            return False
        if edit is None:
            return True
        return self.try_edit(replace(edit, merge=self.merge), lambda: self.said(row, column))

    def try_edit(self, edit: Edit, said: Callable[[], str] | None = None) -> bool:
        """Do an edit and say so; if it is refused, say why."""
        try:
            self.document.edit(edit)
        except ValueError as error:
            self._state.announce(str(error))
            return False
        self._state.announce(said() if said else edit.text)
        return True

    def paste_text(self, text: str, row: int, column: int, height: int = 1, width: int = 1) -> bool:
        """Write a copied block from a cell on, whole or not at all; one cell fills a selection."""
        columns = [(part.name, entry) for part, entry in self._columns[column:]]
        try:
            cells = read_block(text)
            if len(cells) == len(cells[0]) == 1:
                cells = cells * height
                cells = [line * width for line in cells]
            edit = paste(self.document.kept, self.document.head, columns, row, cells)
        except ValueError as error:
            self._state.announce(str(error))
            return False
        return self.try_edit(edit)

    def copied(self, rows: Sequence[int], columns: Sequence[int]) -> str:
        """A block of cells as text, for spreadsheets."""
        return write_block(
            [[self.typed_text(row, column) for column in columns] for row in rows if row < self._n]
        )
