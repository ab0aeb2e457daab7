"""Scaled and unscaled weights side by side, and a dial that shows when scaling matters."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.calculation import Calculation
from desktop.document import Document
from desktop.edits import name_of
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from desktop.views.bar_columns import Rows, hidden_of, names_of, rows_of
from desktop.views.bars import Bar, DrawnBars, paint_bars, place_bars, spans
from desktop.views.chance_twins import ChanceTwins
from desktop.views.lettering import apart
from desktop.views.painted import PaintedPanel
from desktop.views.shares import write_changes, write_shares
from desktop.views.sharpness import Sharpness

__all__ = ["ScaleTwins"]

LOWEST_ROW = 1.1
TWINS = (True, False)


class ScaleTwins(PaintedPanel):
    """The focus word's weights with and without ÷ √d_k; below, the same for vectors of chance."""

    title = "Scaled and unscaled"
    may_wait = True

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.chance = ChanceTwins(state.look, self)
        self.chance.told.connect(self.say)
        self.sharpness = Sharpness(document, state, self)
        self._rows = Rows(())
        self._twins: tuple[tuple[Bar, ...], ...] = ((), ())
        self._row = 0
        self._shown_lit = state.lit
        self._names: list[str] = []
        self._area = QRectF()
        self._left = 0.0
        self._boxes = (QRectF(), QRectF())
        self._drawn: list[DrawnBars] = []
        self._dressed: object = None
        self._placed: object = None
        self.setMinimumSize(160, 120)
        self.refresh()

    # What is shown

    @property
    def twins(self) -> tuple[tuple[Bar, ...], ...]:
        """The bars of the scaled and of the unscaled weights."""
        self.settle()
        return self._twins

    def refresh(self) -> None:
        look, level = self.state.look, self.state.level
        dressed = (level, look, self.document.sentence.temperature)
        if dressed != self._dressed:
            self._dressed = dressed
            self.sharpness.refresh()
            self.sharpness.setVisible(level == "everything")
            self.chance.set_look(look)
            super().refresh()
        # What is beside the sentence's twins stays as it is in a drag.
        self._is_stale = True
        self.update(self._area.toAlignedRect())

    def arrange(self) -> None:
        calculation, line = self.document.calculation, self.letters.height()
        self._area = self._upper_area()
        room = int((self._area.height() - 1.8 * line) / (LOWEST_ROW * line))
        self._rows = rows_of(calculation, max(room, 1))
        self._names = names_of(calculation.sentence.words, self._rows)
        self._twins = tuple(
            _bars(calculation, self.document.before, self._rows, scaled) for scaled in TWINS
        )
        self._row = min(self._row, len(self._names) - 1)
        placed = (self.size(), self._area, self._corner(), self._names, self._dressed)
        if placed != self._placed:
            self._placed = placed
            self._place()
        self._drawn = [
            place_bars(self.letters, box, bars, share=0.5)
            for box, bars in zip(self._boxes, self._twins)
        ]

    def _place(self) -> None:
        """Put the columns of bars, and what is below or beside them, into their places."""
        letters, line, area = self.letters, self.letters.height(), self._area
        bottom = round(self._bottom())
        if self._is_beside():
            self.chance.setGeometry(round(area.right()), 0, round(area.width()), bottom)
        else:
            below = round(area.bottom())
            self.chance.setGeometry(0, below, self.width(), bottom - below)
        self.sharpness.setGeometry(0, bottom, self.width(), self.height() - bottom)
        names = ("▸mmm", self._corner(), *self._names)
        widest = max(letters.width(name, bold=True) for name in names)
        self._left = left = min(widest + 1.2 * line, 7.0 * line, 0.34 * area.width())
        gap, top = 0.9 * line, 1.5 * line
        width = max((area.width() - left - 1.5 * gap) / 2, 4.0)
        high = max(area.height() - top - 0.3 * line, line)
        high = min(high, 2.6 * line * len(self._names))
        self._boxes = (
            QRectF(round(left), top, round(width), high),
            QRectF(round(left + width + gap), top, round(width), high),
        )
        # The panel may have been asked for a part only.
        self.update()

    def _corner(self) -> str:
        return "▸" + self.document.sentence.words[self.document.sentence.focus]

    def _bottom(self) -> float:
        """Where the room of the pictures ends."""
        shown = self.state.level == "everything"
        return self.height() - (self.sharpness.sizeHint().height() if shown else 0)

    def _is_beside(self) -> bool:
        """Whether a low panel shows its two halves side by side."""
        line = self.letters.height()
        return self._bottom() < 14 * line and self.width() > 24 * line

    def _upper_area(self) -> QRectF:
        """The room of the sentence's twins."""
        line, bottom = self.letters.height(), self._bottom()
        if self._is_beside():
            return QRectF(0, 0, self.width() // 2, bottom)
        wanted = (2.1 + 2.3 * len(self.document.sentence.words)) * line
        high = round(min(wanted, max(0.45 * bottom, bottom - 7.5 * line)))
        return QRectF(0, 0, self.width(), high)

    def _row_box(self, row: int) -> QRectF:
        box = self._boxes[0]
        high = box.height() / len(self._names)
        return QRectF(0, box.top() + row * high, self._area.width(), high)

    # Painting

    def paint(self, painter: QPainter, area: QRect) -> None:
        if not self._area.toAlignedRect().intersects(area):
            return
        look = self.state.look
        if self.state.lit == Thing("scale"):
            painter.fillRect(self._area, look.pale("highlight", 0.12))
        self._paint_heads(painter)
        self._paint_names(painter)
        paint_bars(painter, look, [(drawn, "weight") for drawn in self._drawn])

    def _paint_heads(self, painter: QPainter) -> None:
        """The focus word, and what each column is; the one in force is marked."""
        look, letters, sentence = self.state.look, self.letters, self.document.sentence
        line = letters.height()
        painter.setPen(look.color("ink"))
        focus = letters.name(self._corner(), self._left - 0.8 * line, bold=True)
        focus.draw(painter, 0.4 * line, 0.2 * line)
        for box, scaled in zip(self._boxes, TWINS):
            in_force = scaled == sentence.scaled
            name, mark = ("÷ √d_k" if scaled else "unscaled"), ("●" if in_force else "○")
            head = letters.fit((f"{name} {mark}", name), box.width(), bold=True)
            painter.setPen(look.color("ink" if in_force else "dim"))
            head.draw(painter, box.left(), 0.2 * line)

    def _paint_names(self, painter: QPainter) -> None:
        """The words before the rows; what is lit, and where the keyboard is."""
        look, letters, lit = self.state.look, self.letters, self._lit_row()
        line, room = letters.height(), self._left - 0.8 * letters.height()
        for row, name in enumerate(self._names):
            area = self._row_box(row)
            if row == lit:
                painter.fillRect(area.adjusted(0, 1, 0, 0), look.pale("highlight", 0.12))
            is_other = row >= len(self._rows.words)
            painter.setPen(look.color("dim" if is_other else "ink"))
            text = letters.name(name, room)
            if is_other and text.is_cut:
                text = letters.cut(f"+{len(self._rows.others)}", room)
            y = area.center().y() - text.height / 2
            text.draw(painter, self._left - 0.4 * line - text.width, y)
            if row == self._row and self.hasFocus():
                painter.setPen(QPen(look.color("ink"), 1, Qt.PenStyle.DotLine))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(area.adjusted(1, 0, -2, 0))

    # What is lit

    def _lit_row(self) -> int | None:
        lit, focus = self.state.lit, self.document.sentence.focus
        if lit is None or lit.heard is None or not lit.lights(listens=focus, heard=lit.heard):
            return None
        return self._rows.words.index(lit.heard) if lit.heard in self._rows.words else None

    def relight(self) -> None:
        if self.state.lit != self._shown_lit:
            self._shown_lit = self.state.lit
            self.update(self._area.toAlignedRect())

    def _row_at(self, at: QPointF) -> int | None:
        box = self._boxes[0]
        if not box.top() <= at.y() < box.bottom() or at.x() >= self._area.right():
            return None
        row = int((at.y() - box.top()) * len(self._names) / box.height())
        return row if row < len(self._names) else None

    def thing_at(self, at: QPointF) -> Thing | None:
        row = self._row_at(at)
        if row is None or row >= len(self._rows.words):
            return None
        return Thing("scale", self.document.sentence.focus, self._rows.words[row])

    def tip_at(self, at: QPointF) -> str:
        row = self._row_at(at)
        if row is not None:
            return self.in_words(row)
        is_at_corner = at.x() < self._left and at.y() < self._boxes[0].top()
        return self._corner() if is_at_corner else ""

    def in_words(self, row: int) -> str:
        """A row as a sentence."""
        sentence = self.document.sentence
        who = apart(name_of(sentence, sentence.focus))
        whom = (
            apart(name_of(sentence, self._rows.words[row]))
            if row < len(self._rows.words)
            else f"{len(self._rows.others)} others"
        )
        scaled, unscaled = (bars[row] for bars in self._twins)
        if scaled.is_masked:
            return f"{who} may not listen to {whom}"
        return f"{who} listens to {whom}: {scaled.text} scaled, {unscaled.text} unscaled"

    # Pointer and keyboard

    def reached(self) -> Thing | None:
        if self._row >= len(self._rows.words):
            return None
        return Thing("scale", self.document.sentence.focus, self._rows.words[self._row])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.settle()
        thing, row = self.thing_at(event.position()), self._row_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or thing is None or row is None:
            return
        if event.position().x() < self._left:
            self._choose(self._rows.words[row])
        else:
            self._go(row)
            self.state.pin(thing)

    def _choose(self, word: int) -> None:
        """Make a word the focus word; the keyboard's place is its row."""
        self.document.set_focus(word)
        self.settle()
        if word in self._rows.words:
            self._go(self._rows.words.index(word))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.settle()
        last = len(self._names) - 1
        steps = {
            Qt.Key.Key_Up: max(self._row - 1, 0),
            Qt.Key.Key_Down: min(self._row + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self._go(steps[key])
        elif key == Qt.Key.Key_Space:
            self.state.pin(self.reached())
        else:
            super().keyPressEvent(event)

    def _go(self, row: int) -> None:
        self._row = row
        if self.hasFocus():
            self.state.reach(self.reached())
        self.say(self.in_words(row))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(430, 320)


def _bars(
    calculation: Calculation, before: Calculation | None, rows: Rows, scaled: bool
) -> tuple[Bar, ...]:
    """One twin's bars, a row each."""
    focus, digits = calculation.sentence.focus, calculation.digits

    def weights(state: Calculation) -> list[float]:
        row = (state.scaled if scaled else state.unscaled).weights[focus].tolist()
        listed = [row[word] for word in rows.words]
        return [*listed, sum(row[word] for word in rows.others)] if rows.others else listed

    now, was = weights(calculation), None
    if before is not None and len(before.sentence.words) == len(calculation.sentence.words):
        was = weights(before)
    changes = [""] * len(now)
    if was is not None:
        changes = write_changes(np.array(was), np.array(now), digits)
    drawn, ghosts, _ = spans(now, was, 1.0)
    hidden = [*hidden_of(calculation.attention, focus, rows), False]
    texts = write_shares(np.array(now), digits)
    return tuple(
        Bar("" if hide else text, start, end, ghost, change, hide)
        for text, (start, end), ghost, change, hide in zip(texts, drawn, ghosts, changes, hidden)
    )
