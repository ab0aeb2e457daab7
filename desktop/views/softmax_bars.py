"""From scores to weights in bars, and beside the weights what each word really adds."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.document import Document
from desktop.edits import name_of
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from desktop.views.bar_columns import Column, Rows, columns_of, names_of, rows_of
from desktop.views.bars import (
    DrawnBars,
    paint_bars,
    place_bars,
)
from desktop.views.lettering import apart
from desktop.views.painted import PaintedPanel

__all__ = ["SoftmaxBars"]

BESIDE = 25.0
"""From so many lines of text on, what words add stands beside their weights, else below."""
LOWEST_ROW = 1.1
NARROWEST, WIDER = 3.0, {"weight": 1.35, "adds": 1.85}
"""A column is at least so many lines of text wide; some are so many times as wide: one has room
for changes, one for vectors."""


@dataclass(frozen=True)
class _Block:
    """Columns that share the words at their left: boxes[i] is column i's room for its rows."""

    columns: tuple[int, ...]
    boxes: tuple[QRectF, ...]
    names: QRectF


class SoftmaxBars(PaintedPanel):
    """The focus word's row, a column a step: scores, scaled, exp, weights, contributions."""

    title = "Softmax in bars"
    may_wait = True

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self._rows = Rows(())
        self._names: list[str] = []
        self._columns: list[Column] = []
        self._blocks: list[_Block] = []
        self._drawn: list[list[DrawnBars]] = []
        self._is_short = False
        self._row, self._column = 0, 3
        self._shown_lit = state.lit
        self.setMinimumSize(160, 100)

    # What is shown

    @property
    def columns(self) -> list[Column]:
        """The columns as they are shown."""
        self.settle()
        return self._columns

    @property
    def rows(self) -> Rows:
        """The words that are shown."""
        self.settle()
        return self._rows

    def arrange(self) -> None:
        calculation, line = self.document.calculation, self.letters.height()
        n = len(calculation.sentence.words)
        beside = self.width() >= BESIDE * line
        below = not beside and self.height() >= 2 * (min(n, 4) * LOWEST_ROW + 3) * line
        high = self.height() / 2 if below else float(self.height())
        room = int((high - 2.9 * line) / (LOWEST_ROW * line))
        self._rows = rows_of(calculation, max(room, 1))
        self._names = names_of(calculation.sentence.words, self._rows)
        self._columns = columns_of(calculation, self.document.before, self._rows)
        groups = ((0, 1, 2, 3), (3, 4)) if below else (self._fitting(),)
        self._blocks = [self._block(group, high * i, high) for i, group in enumerate(groups)]
        self._drawn = [
            [
                place_bars(
                    self.letters,
                    box,
                    self._columns[i].bars,
                    share=0.75 if self._columns[i].name == "adds" else 0.6,
                    zero=self._columns[i].zero,
                )
                for i, box in zip(block.columns, block.boxes)
            ]
            for block in self._blocks
        ]
        # All in words, or all in short.
        self._is_short = any(
            self.letters.number_width(self._columns[i].footer[0]) > box.width() + 0.3 * line
            for block in self._blocks
            for i, box in zip(block.columns, block.boxes)
        )
        self._column = max(self._column, self._blocks[0].columns[0])
        self._row = min(self._row, len(self._names) - 1)

    def _fitting(self) -> tuple[int, ...]:
        """The columns that have room, those that count most: the working has the others."""
        line, columns = self.letters.height(), range(len(self._columns))
        for first in columns:
            shares = sum(WIDER.get(column.name, 1.0) for column in self._columns[first:])
            if 0.74 * self.width() >= shares * NARROWEST * line or len(columns) - first == 2:
                return tuple(columns[first:])
        return tuple(columns)

    def _block(self, columns: tuple[int, ...], top: float, height: float) -> _Block:
        letters, line = self.letters, self.letters.height()
        gap = 0.5 * line
        widest = max(letters.width(name, bold=True) for name in (self._corner(), *self._names))
        names = min(widest, 0.22 * self.width())
        left = gap + names + gap
        shares = [WIDER.get(self._columns[i].name, 1.0) for i in columns]
        room = self.width() - left - gap * len(columns)
        top, rows = top + 1.4 * line, max(height - 2.8 * line, line)
        rows = min(rows, 3.2 * line * len(self._names))
        boxes, x = [], left
        for share in shares:
            width = max(room * share / sum(shares), 4.0)
            boxes.append(QRectF(round(x), top, round(width), rows))
            x += width + gap
        return _Block(columns, tuple(boxes), QRectF(gap, top, names, rows))

    def _corner(self) -> str:
        return "▸" + self.document.sentence.words[self.document.sentence.focus]

    def _row_box(self, box: QRectF, row: int) -> QRectF:
        high = box.height() / max(len(self._names), 1)
        return QRectF(box.left(), box.top() + row * high, box.width(), high)

    # Painting

    def paint(self, painter: QPainter, area: QRect) -> None:
        for block in self._blocks:
            self._paint_names(painter, block)
            self._paint_heads(painter, block)
        paint_bars(
            painter,
            self.state.look,
            [
                (drawn, self._columns[place].color)
                for block, placed in zip(self._blocks, self._drawn)
                for place, drawn in zip(block.columns, placed)
            ],
        )
        for block in self._blocks:
            self._paint_feet(painter, block)
        self._paint_marks(painter)

    def _paint_names(self, painter: QPainter, block: _Block) -> None:
        look, letters = self.state.look, self.letters
        box, lit = block.names, self._lit_row()
        painter.setPen(look.color("ink"))
        corner = letters.cut(self._corner(), box.width() + 2, bold=True)
        corner.draw(painter, box.left(), box.top() - 1.25 * letters.height())
        for row, name in enumerate(self._names):
            is_other = row >= len(self._rows.words)
            area = self._row_box(box, row)
            if row == lit:
                width = block.boxes[-1].right() - box.left()
                tint = QRectF(area.left() - 3, area.top() + 1, width + 6, area.height() - 1)
                painter.fillRect(tint, look.pale("highlight", 0.12))
            painter.setPen(look.color("dim" if is_other else "ink"))
            text = letters.cut(name, box.width())
            if is_other and text.is_cut:
                text = letters.cut(f"+{len(self._rows.others)}", box.width())
            text.draw(painter, box.right() - text.width, area.center().y() - text.height / 2)

    def _paint_heads(self, painter: QPainter, block: _Block) -> None:
        """What each column is; the one that is lit has a tint."""
        look, letters, lit = self.state.look, self.letters, self.state.lit
        line = letters.height()
        for place, box in zip(block.columns, block.boxes):
            column = self._columns[place]
            if lit is not None and lit.step == column.step and lit.heard is None:
                area = box.adjusted(-3, -1.3 * line, 3, 1.3 * line)
                painter.fillRect(area, look.pale("highlight", 0.12))
            painter.setPen(look.color("value" if column.name == "adds" else "ink"))
            header = letters.fit(column.header, box.width() + 0.3 * line, bold=True)
            header.draw(painter, box.left(), box.top() - 1.25 * line)

    def _paint_feet(self, painter: QPainter, block: _Block) -> None:
        """What the columns add to."""
        look, letters = self.state.look, self.letters
        line = letters.height()
        for place, box in zip(block.columns, block.boxes):
            column = self._columns[place]
            if not column.footer[0]:
                continue
            y = round(box.bottom()) + 1
            painter.fillRect(round(box.left()), y, round(box.width()), 1, look.color("faint"))
            painter.setPen(look.color("output" if column.name == "adds" else "ink"))
            texts = column.footer[1:] if self._is_short else column.footer
            footer = letters.fit(texts, box.width() + 0.3 * line)
            footer.draw(painter, box.left(), y + 0.1 * line)

    def _paint_marks(self, painter: QPainter) -> None:
        """The frame of what is lit, and of what the keyboard is at."""
        look, lit, row = self.state.look, self.state.lit, self._lit_row()
        if row is None and not self.hasFocus():
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for block in self._blocks:
            for place, box in zip(block.columns, block.boxes):
                if row is not None and lit is not None and lit.step == self._columns[place].step:
                    painter.setPen(QPen(look.color("highlight"), 1.5 * look.stroke))
                    painter.drawRect(self._row_box(box, row).adjusted(-2, 1, 2, 0))
                if self.hasFocus() and place == self._column:
                    painter.setPen(QPen(look.color("ink"), 1, Qt.PenStyle.DotLine))
                    painter.drawRect(self._row_box(box, self._row).adjusted(-4, 0, 4, 0))

    # What is lit

    def _lit_row(self) -> int | None:
        """The row of what is lit: what the focus word hears, or that word itself."""
        lit, focus = self.state.lit, self.document.sentence.focus
        if lit is None or lit.heard is None or not lit.lights(listens=focus, heard=lit.heard):
            return None
        return self._rows.words.index(lit.heard) if lit.heard in self._rows.words else None

    def relight(self) -> None:
        if self.state.lit != self._shown_lit:
            self._shown_lit = self.state.lit
            self.update()

    def _at(self, at: QPointF) -> tuple[int | None, int | None]:
        """(row, column) at a point; None for a column at the names."""
        for block in self._blocks:
            if not block.names.top() <= at.y() < block.names.bottom():
                continue
            row = int((at.y() - block.names.top()) / self._row_box(block.names, 0).height())
            for place, box in zip(block.columns, block.boxes):
                if box.left() - 3 <= at.x() < box.right() + 3:
                    return row, place
            if at.x() < block.boxes[0].left():
                return row, None
        return None, None

    def thing_at(self, at: QPointF) -> Thing | None:
        row, column = self._at(at)
        if row is None or row >= len(self._rows.words):
            return None
        step = "" if column is None else self._columns[column].step
        return Thing(step, self.document.sentence.focus, self._rows.words[row])

    def tip_at(self, at: QPointF) -> str:
        row, _ = self._at(at)
        if row is not None:
            return self.in_words(row)
        line = self.letters.height()
        corners = (block.names.adjusted(0, -1.4 * line, 2, 0) for block in self._blocks)
        return self._corner() if any(corner.contains(at) for corner in corners) else ""

    def in_words(self, row: int) -> str:
        """A row as a sentence."""
        sentence = self.document.sentence
        who = apart(name_of(sentence, sentence.focus))
        numbers = [column.bars[row].text for column in self._columns]
        if row >= len(self._rows.words):
            others = [apart(name_of(sentence, word)) for word in self._rows.others]
            return f"{who} listens to {', '.join(others)}: {numbers[3]} together"
        whom = apart(name_of(sentence, self._rows.words[row]))
        if self._columns[3].bars[row].is_masked:
            return f"{who} may not listen to {whom}: score {numbers[0]}, masked −∞, weight 0"
        return (
            f"{who} listens to {whom}: score {numbers[0]}, scaled {numbers[1]}, "
            f"{self._columns[2].header[0]} {numbers[2]}, weight {numbers[3]}, adds {numbers[4]}"
        )

    # Pointer and keyboard

    def reached(self) -> Thing | None:
        if self._row >= len(self._rows.words):
            return None
        step = self._columns[self._column].step
        return Thing(step, self.document.sentence.focus, self._rows.words[self._row])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.settle()
        thing, (row, column) = self.thing_at(event.position()), self._at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or thing is None or row is None:
            return
        if column is None:
            self._choose(self._rows.words[row])
        else:
            self._go(row, column)
            self.state.pin(thing)

    def _choose(self, word: int) -> None:
        """Make a word the focus word; the keyboard's place is its row."""
        self.document.set_focus(word)
        self.settle()
        if word in self._rows.words:
            self._go(self._rows.words.index(word), self._column)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.settle()
        row, column, last = self._row, self._column, len(self._names) - 1
        steps = {
            Qt.Key.Key_Up: (max(row - 1, 0), column),
            Qt.Key.Key_Down: (min(row + 1, last), column),
            Qt.Key.Key_Left: (row, max(column - 1, 0)),
            Qt.Key.Key_Right: (row, min(column + 1, len(self._columns) - 1)),
            Qt.Key.Key_Home: (row, 0),
            Qt.Key.Key_End: (row, len(self._columns) - 1),
        }
        key = Qt.Key(event.key())
        if key in steps:
            self._go(*steps[key])
        elif key == Qt.Key.Key_Space:
            self.state.pin(self.reached())
        else:
            super().keyPressEvent(event)

    def _go(self, row: int, column: int) -> None:
        self._row, self._column = row, column
        if self.hasFocus():
            self.state.reach(self.reached())
        self.say(self.in_words(row))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(430, 260)
