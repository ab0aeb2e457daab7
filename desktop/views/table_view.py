"""A table of numbers and words on screen: painted cells, an editor that refuses gently, a clipboard
that spreadsheets understand.
"""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop.spotlight import Thing
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.spreadsheet import WORD
from desktop.views.table_model import TableModel
from desktop.views.table_painting import Type, paint_cell, paint_column_name, paint_row_name

__all__ = ["TableView"]

AnyIndex = QModelIndex | QPersistentModelIndex
Key = Qt.Key
ENTERS = (Key.Key_Return, Key.Key_Enter)
TABS = (Key.Key_Tab, Key.Key_Backtab)
CLEARS = (Key.Key_Delete, Key.Key_Backspace)


class Cells(QStyledItemDelegate):
    """Draws the cells, and takes what is typed into one."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.editor: QLineEdit | None = None

    def _view(self) -> TableView:
        view = self.parent()
        assert isinstance(view, TableView)
        return view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Tint, text and the lines round it."""
        self._view().paint_cell(painter, option.rect, index.row(), index.column())

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex
    ) -> QWidget:
        """A line of text, whatever the cell holds: no control that reads numbers by a locale."""
        view = self._view()
        editor = QLineEdit(parent)
        editor.setFont(view.look.font())
        editor.setFrame(False)
        is_word = view.table.column(index.column())[0].name == WORD
        side = Qt.AlignmentFlag.AlignLeading if is_word else Qt.AlignmentFlag.AlignTrailing
        editor.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        editor.setAccessibleName(view.table.said(index.row(), index.column()))
        self.editor = editor
        return editor

    def destroyEditor(self, editor: QWidget, index: AnyIndex) -> None:
        """The text has been taken or given up."""
        self.editor = None
        super().destroyEditor(editor, index)

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        """Only once: what is being typed isn't overwritten when the cell changes meanwhile."""
        if isinstance(editor, QLineEdit) and not editor.property("filled"):
            editor.setText(self._view().table.typed_text(index.row(), index.column()))
            editor.setProperty("filled", True)

    def setModelData(self, editor: QWidget, model: Any, index: AnyIndex) -> None:
        """Type it."""
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text())

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Enter and Tab leave the editor only if its text can be taken."""
        if event.type() == QEvent.Type.KeyPress and isinstance(editor, QLineEdit):
            assert isinstance(event, QKeyEvent)
            if event.key() in (*ENTERS, *TABS):
                if self._refuses(editor):
                    return True
                if event.key() in ENTERS:
                    self.commitData.emit(editor)
                    self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)
                    self._view().go_down()
                    return True
        return super().eventFilter(editor, event)

    def _refuses(self, editor: QLineEdit) -> bool:
        view = self._view()
        at = view.currentIndex()
        text = editor.text()
        if text == view.table.typed_text(at.row(), at.column()):
            return False
        if not (problem := view.table.problem(at.row(), at.column(), text)):
            return False
        view.view_state.announce(problem)
        editor.selectAll()
        return True


class Names(QHeaderView):
    """The names of columns or rows, painted by the table."""

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """One name."""
        view = self.parent()
        if isinstance(view, TableView):
            of_column = self.orientation() == Qt.Orientation.Horizontal
            view.paint_name(painter, rect, logicalIndex, of_column=of_column)


class TableView(QTableView):
    """Shows a TableModel: selection is one block, Enter goes down, Tab goes right."""

    def __init__(
        self, model: TableModel, state: ViewState, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.table, self.view_state = model, state
        self._cells = Cells(self)
        self._lit: Thing | None = None
        self.setModel(model)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(Names(Qt.Orientation.Horizontal, self))
        self.setVerticalHeader(Names(Qt.Orientation.Vertical, self))
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setSectionsClickable(True)
        rows.setHighlightSections(False)
        columns.setSectionsClickable(True)
        self.entered.connect(self._hovered)
        self.viewportEntered.connect(self._left)
        self._is_scrolled = False
        self.horizontalScrollBar().valueChanged.connect(self._scrolled)
        model.modelReset.connect(self._columns_changed)
        self._measure(state.look)

    # How it looks

    def set_look(self, look: Look) -> None:
        """Draw with these colours and this size of text."""
        if look != self.look:
            self._measure(look)
            self.viewport().update()

    def _measure(self, look: Look) -> None:
        self.look = look
        self._type = Type.of(look)
        height = self._type.line
        self.setFont(look.font())
        if corner := self.findChild(QAbstractButton):
            corner.setStyleSheet(
                "QTableCornerButton::section { border: none; background: "
                + look.color("panel").name() + " }"
            )  # fmt: skip
        self.horizontalHeader().setFont(look.font(bold=True))
        self.horizontalHeader().setMinimumSectionSize(round(self._type.digit * 3))
        self.horizontalHeader().setFixedHeight(height)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self._columns_changed()

    def _columns_changed(self) -> None:
        for column in range(self.table.columnCount()):
            self.setColumnWidth(column, 0)
        self.fit_columns()
        self.refresh_names()

    def fit_columns(self) -> None:
        """Widen the columns that show too little; none gets narrower by itself."""
        model, type_ = self.table, self._type
        for column in range(model.columnCount()):
            part, _ = model.column(column)
            if part.name == WORD:
                texts = [model.text(row, column) for row in range(model.rowCount())]
                widest = max(map(type_.metrics.horizontalAdvance, texts))
                width = min(max(widest, 8 * type_.digit), 24 * type_.digit)
            else:
                digits = max(len(model.text(row, column)) for row in range(len(part.rows)))
                width = min(max(digits, 4), 9) * type_.digit
            width = math.ceil(width) + 2 * type_.pad
            if width > self.columnWidth(column):
                self.setColumnWidth(column, width)

    def refresh_names(self) -> None:
        """Repaint the names of the rows, in as much room as they need."""
        rows = range(self.table.rowCount())
        names = [self.table.row_label(row, is_scrolled=self._is_scrolled) for row in rows]
        widest = max(map(self._type.metrics.horizontalAdvance, names), default=0)
        room = min(max(widest, 3 * self._type.digit), 18 * self._type.digit)
        self.verticalHeader().setFixedWidth(math.ceil(room) + 2 * self._type.pad)
        self.verticalHeader().viewport().update()

    def _scrolled(self, position: int) -> None:
        if (position > 0) != self._is_scrolled:
            self._is_scrolled = position > 0
            self.refresh_names()

    def paint_cell(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        """One cell."""
        index = self.table.index(row, column)
        is_current = index == self.currentIndex()
        paint_cell(
            painter, rect, self._type, self.table, (row, column),
            is_selected=self.selectionModel().isSelected(index) and not is_current,
            outline=("weight" if self.hasFocus() else "faint") if is_current else "",
        )  # fmt: skip

    def paint_name(self, painter: QPainter, rect: QRect, section: int, *, of_column: bool) -> None:
        """The name of a column or of a row."""
        if of_column:
            paint_column_name(painter, rect, self._type, self.table, section)
        else:
            name = self.table.row_label(section, is_scrolled=self._is_scrolled)
            paint_row_name(painter, rect, self._type, name)

    # What is lit

    def relight(self) -> None:
        """Repaint the rows whose light goes on or off."""
        old, self._lit = self._lit, self.view_state.lit
        words = [
            word for thing in (old, self._lit) if thing for word in (thing.listens, thing.heard)
        ]
        if None in words and any(
            t and t.listens is None and t.heard is None for t in (old, self._lit)
        ):
            self.viewport().update()
            return
        for word in {word for word in words if word is not None}:
            top = self.rowViewportPosition(word)
            self.viewport().update(0, top, self.viewport().width(), self.rowHeight(word))

    def _hovered(self, index: QModelIndex) -> None:
        self.view_state.hover(self.table.thing(index.row(), index.column()))

    def _left(self) -> None:
        self.view_state.hover(None)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is elsewhere."""
        self.view_state.hover(None)
        super().leaveEvent(event)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """The keyboard is at another cell."""
        super().currentChanged(current, previous)
        if self.hasFocus() and current.isValid():
            self.view_state.reach(self.table.thing(current.row(), current.column()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard comes to the current cell, the first where there is none."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.table.columnCount():
            self.setCurrentIndex(self.table.index(0, 0))
        at = self.currentIndex()
        if at.isValid():
            self.view_state.reach(self.table.thing(at.row(), at.column()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard has left, unless it is in a cell's own editor or menu."""
        super().focusOutEvent(event)
        if self._cells.editor is None and event.reason() != Qt.FocusReason.PopupFocusReason:
            self.view_state.reach(None)

    # Keys and the clipboard

    def handles(self, event: QKeyEvent) -> bool:
        """Whether a key is for this table rather than for the window's menus."""
        keys = QKeySequence.StandardKey
        return (
            event.matches(keys.Copy)
            or event.matches(keys.Paste)
            or (event.key() in CLEARS and not event.modifiers())
        )

    def event(self, event: QEvent) -> bool:
        """Keys of its own come to the table even where a menu has the same."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self.handles(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter edits, Delete and Backspace edit from nothing; other keys move or type."""
        if self.state_is_editing():
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif event.key() in CLEARS and not event.modifiers():
            self.edit_from_nothing()
        elif event.key() in ENTERS and not event.modifiers():
            self.edit_current()
        else:
            if event.text().isprintable() and event.text():
                self._say_if_locked()
            super().keyPressEvent(event)

    def state_is_editing(self) -> bool:
        """Whether a cell's editor is open."""
        return self._cells.editor is not None

    def edit_current(self) -> bool:
        """Open the current cell's editor, or say why it has none."""
        at = self.currentIndex()
        if not at.isValid() or self._say_if_locked():
            return False
        self.edit(at)
        return self._cells.editor is not None

    def edit_from_nothing(self) -> None:
        """Open the current cell's editor with no text in it; Esc brings back what there was."""
        if self.edit_current() and self._cells.editor is not None:
            self._cells.editor.clear()

    def _say_if_locked(self) -> bool:
        at = self.currentIndex()
        if at.isValid() and not self.table.flags(at) & Qt.ItemFlag.ItemIsEditable:
            self.view_state.announce(
                f"{self.table.said(at.row(), at.column())}: make it free to change it"
            )
            return True
        return False

    def go_down(self) -> None:
        """To the cell below."""
        at = self.currentIndex()
        below = self.table.index(at.row() + 1, at.column())
        if self.table.flags(below) & Qt.ItemFlag.ItemIsSelectable:
            self.setCurrentIndex(below)

    def selected_block(self) -> tuple[range, range]:
        """The rows and columns that are selected; the current cell where none is."""
        selection = self.selectionModel().selection()
        chosen = [selection.at(i) for i in range(selection.size())]
        if not chosen:
            at = self.currentIndex()
            return range(at.row(), at.row() + 1), range(at.column(), at.column() + 1)
        top, bottom = min(r.top() for r in chosen), max(r.bottom() for r in chosen)
        left, right = min(r.left() for r in chosen), max(r.right() for r in chosen)
        return range(top, bottom + 1), range(left, right + 1)

    def copy(self) -> None:
        """Put what is selected on the clipboard, as spreadsheets take it."""
        if not self.currentIndex().isValid():
            return
        rows, columns = self.selected_block()
        QGuiApplication.clipboard().setText(self.table.copied(rows, columns))
        self.view_state.announce(f"copied {len(rows)} × {len(columns)} cells")

    def paste(self) -> None:
        """Write the clipboard from the upper left of what is selected on, or say why not."""
        if not self.currentIndex().isValid():
            return
        rows, columns = self.selected_block()
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not data.hasText():
            has_image = data is not None and data.hasImage()
            what = "a picture isn't a block of cells" if has_image else "there is no text to paste"
            self.view_state.announce(f"{what}: copy cells of a spreadsheet first")
            return
        self.table.paste_text(data.text(), rows[0], columns[0], len(rows), len(columns))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the cells."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu)
        menu.popup(event.globalPos())

    def fill_menu(self, menu: QMenu) -> None:
        """Put into `menu` what can be done here."""
        menu.addAction("Copy", self.copy)
        menu.addAction("Paste", self.paste)
