"""The words of the sentence in a row: which one we look at, and what each is called."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QWidget

from desktop import edits
from desktop.document import Document
from desktop.edits import name_of
from desktop.spotlight import Thing
from desktop.theme import pen_style
from desktop.view_state import ViewState
from desktop.views.chip_layout import Chip, Chips, lay_out, lines_needed
from desktop.views.lettering import apart
from desktop.views.painted import PaintedPanel

__all__ = ["WordChips"]

WIDEST = 9.0
"""A chip is at most so many lines of text wide."""
MARK, MORE = "▣ ", "…"


class WordChips(PaintedPanel):
    """A chip a word. The focus word's is filled and bears ▣; a double click or F2 renames one."""

    title = "Words"

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.name_field = NameField(self)
        self.name_field.setAccessibleName("New name")
        self.name_field.hide()
        self.name_field.taken.connect(self._rename)
        self.name_field.given_up.connect(self._stop_renaming)
        self.name_field.left.connect(self._rename_and_leave)
        self._renamed: int | None = None
        self._chips = Chips(())
        self._drawn: object = None
        self._shown_lit: tuple[int | None, int | None] | None = None
        self.refresh()

    # What is shown

    def refresh(self) -> None:
        sentence = self.document.sentence
        drawn = (sentence.words, sentence.focus, self.state.look)
        if drawn == self._drawn:
            return
        if self._drawn is not None and self._drawn[0] != sentence.words:  # type: ignore[index]
            self._stop_renaming()
            self.updateGeometry()
        self._drawn = drawn
        self._describe()
        super().refresh()

    def arrange(self) -> None:
        line = self.letters.height()
        lines = 2 if self.height() >= self._height_of(2) else 1
        self._chips = lay_out(
            self._widths(), self.width() - 2, lines, gap=0.4 * line,
            more=self._padding * 2 + self.letters.width(MORE), focus=self.document.sentence.focus,
        )  # fmt: skip

    @property
    def _padding(self) -> float:
        return 0.45 * self.letters.height()

    def _widths(self) -> list[float]:
        sentence, letters = self.document.sentence, self.letters
        most = min(WIDEST * letters.height(), max(self.width() - 2.0, 1.0))
        widths = []
        for place, word in enumerate(sentence.words):
            is_focus = place == sentence.focus
            mark = letters.width(MARK, bold=True) if is_focus else 0.0
            wide = letters.width(word, bold=is_focus) + mark + 2 * self._padding
            widths.append(min(wide, most))
        return widths

    def _chip_height(self) -> float:
        return 1.6 * self.letters.height()

    def _height_of(self, lines: int) -> int:
        return round(lines * self._chip_height() + (lines + 1) * 0.25 * self.letters.height())

    def heightForWidth(self, width: int) -> int:
        needed = lines_needed(self._widths(), width - 2, 0.4 * self.letters.height())
        return self._height_of(needed)

    def sizeHint(self) -> QSize:
        line = self.letters.height()
        widths = self._widths()
        wide = min(sum(widths) + 0.4 * line * len(widths), 30 * line)
        return QSize(round(wide), self.heightForWidth(round(wide)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(6 * self.letters.height()), self._height_of(1))

    def box(self, word: int) -> QRectF | None:
        """Where a word's chip is; None where it has no room."""
        self.settle()
        for chip in self._chips.chips:
            if chip.word == word:
                return self._box(chip)
        return None

    @property
    def more_box(self) -> QRectF | None:
        """Where the "…" is that lists all words; None where all have room."""
        self.settle()
        if self._chips.more is None:
            return None
        x, line = self._chips.more
        return self._box(Chip(-1, x, 2 * self._padding + self.letters.width(MORE), line))

    def _box(self, chip: Chip) -> QRectF:
        tall = self._chip_height()
        lines = max((other.line for other in self._chips.chips), default=0) + 1
        top = (self.height() - self._height_of(lines)) / 2 + 0.25 * self.letters.height()
        y = top + chip.line * (tall + 0.25 * self.letters.height())
        return QRectF(round(chip.x) + 1.5, round(y) + 0.5, round(chip.width) - 1, round(tall) - 1)

    # Painting

    def paint(self, painter: QPainter, area: QRect) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for chip in self._chips.chips:
            self._paint_chip(painter, chip)
        if (box := self.more_box) is not None:
            look = self.state.look
            painter.setPen(look.color("ink"))
            dots = self.letters.write(MORE)
            dots.draw(
                painter, box.center().x() - dots.width / 2, box.center().y() - dots.height / 2
            )

    def _paint_chip(self, painter: QPainter, chip: Chip) -> None:
        look, letters, lit = self.state.look, self.letters, self.state.lit
        is_focus = chip.word == self.document.sentence.focus
        box, word = self._box(chip), self.document.sentence.words[chip.word]
        corner = 0.3 * letters.height()
        painter.setPen(QPen(look.color("ink" if is_focus else "faint"), look.stroke))
        painter.setBrush(look.color("ink" if is_focus else "panel"))
        painter.drawRoundedRect(box, corner, corner)
        painter.setPen(look.color("ground" if is_focus else "ink"))
        room, x = box.width() - 2 * self._padding + 2, box.left() + self._padding
        if is_focus:
            mark = letters.write(MARK, bold=True)
            mark.draw(painter, x, box.center().y() - mark.height / 2)
            x, room = x + mark.width, room - mark.width
        text = letters.cut(word, room, bold=is_focus)
        text.draw(painter, x, box.center().y() - text.height / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if lit is not None and chip.word in (lit.listens, lit.heard):
            # What listens does so with its query, what is heard with its key.
            role = "query" if chip.word == lit.listens else "key"
            painter.setPen(QPen(look.color("highlight"), 2 * look.stroke, pen_style(role)))
            painter.drawRoundedRect(box, corner, corner)
        if is_focus and self.hasFocus():
            painter.setPen(QPen(look.color("ground"), 1, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), corner, corner)

    def relight(self) -> None:
        lit = self.state.lit
        of_words = None if lit is None else (lit.listens, lit.heard)
        if of_words != self._shown_lit:
            self._shown_lit = of_words
            self.update()

    def _describe(self) -> None:
        sentence = self.document.sentence
        self.setAccessibleDescription(
            f"{apart(name_of(sentence, sentence.focus))}, word {sentence.focus + 1} of "
            f"{len(sentence.words)}"
        )

    # Pointer and keyboard

    def word_at(self, at: QPointF) -> int | None:
        """The word whose chip is at a point."""
        self.settle()
        for chip in self._chips.chips:
            if self._box(chip).contains(at):
                return chip.word
        return None

    def thing_at(self, at: QPointF) -> Thing | None:
        word = self.word_at(at)
        # Both: its query (it listens) and its key (it is heard).
        return None if word is None else Thing("", word, word)

    def tip_at(self, at: QPointF) -> str:
        word = self.word_at(at)
        return "" if word is None else self.document.sentence.words[word]

    def reached(self) -> Thing | None:
        focus = self.document.sentence.focus
        return Thing("", focus, focus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        word, more = self.word_at(event.position()), self.more_box
        if word is not None:
            self.choose(word)
        elif more is not None and more.contains(event.position()):
            self._list_all(more)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        word = self.word_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and word is not None:
            self.start_renaming(word)

    def choose(self, word: int) -> None:
        """Make a word the focus word."""
        self.document.set_focus(word)
        if self.hasFocus():
            self.state.reach(self.reached())
        sentence = self.document.sentence
        self.say(
            f"{apart(name_of(sentence, sentence.focus))}, word {sentence.focus + 1} of "
            f"{len(sentence.words)}"
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focus, last = self.document.sentence.focus, len(self.document.sentence.words) - 1
        steps = {
            Qt.Key.Key_Left: max(focus - 1, 0),
            Qt.Key.Key_Right: min(focus + 1, last),
            Qt.Key.Key_Up: max(focus - 1, 0),
            Qt.Key.Key_Down: min(focus + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
        )  # fmt: skip
        if plain and key in steps:
            self.choose(steps[key])
        elif plain and Qt.Key.Key_1 <= key <= Qt.Key.Key_9 and key - Qt.Key.Key_1 <= last:
            self.choose(key - Qt.Key.Key_1)
        elif plain and key == Qt.Key.Key_Space:
            self.state.pin(self.reached())
        elif plain and key == Qt.Key.Key_F2:
            self.start_renaming(focus)
        else:
            super().keyPressEvent(event)

    def _list_all(self, more: QRectF) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for place, word in enumerate(self.document.sentence.words):
            shown = self.letters.metrics().elidedText(
                word, Qt.TextElideMode.ElideRight, 2 * WIDEST * self.letters.height()
            )
            action = menu.addAction(f"{place + 1}  {apart(shown)}".replace("&", "&&"))
            action.setData(place)
            action.setCheckable(True)
            action.setChecked(place == self.document.sentence.focus)
        menu.triggered.connect(self._chosen)
        menu.popup(self.mapToGlobal(more.bottomLeft().toPoint()))

    def _chosen(self, action: QAction) -> None:
        self.choose(int(action.data()))

    # Names

    def start_renaming(self, word: int) -> None:
        """Open a field in a word's place."""
        box = self.box(word)
        if box is None:
            return
        self.document.give_up()
        self._renamed = word
        self.name_field.setFont(self.state.look.font())
        self.name_field.setAccessibleName(f"New name of {name_of(self.document.sentence, word)}")
        self.name_field.setText(self.document.sentence.words[word])
        self.name_field.selectAll()
        width = round(max(box.width(), 6 * self.letters.height()))
        left = max(0, min(round(box.left()), self.width() - width))
        self.name_field.setGeometry(left, round(box.top()) - 1, width, round(box.height()) + 3)
        self.name_field.show()
        self.name_field.setFocus()

    def _rename(self) -> bool:
        """Call the word what the field says; False, with the reason said, where that can't be."""
        word, text = self._renamed, self.name_field.text().strip()
        sentence = self.document.kept
        if word is None or word >= len(sentence.words):
            self._stop_renaming()
            return True
        try:
            if not text:
                raise ValueError(f"a word can't be empty: {sentence.words[word]} keeps its name")
            self.document.edit(edits.rename_word(sentence, word, text))
        except ValueError as error:
            self.state.announce(str(error))
            self.name_field.selectAll()
            return False
        self._stop_renaming()
        return True

    def _rename_and_leave(self) -> None:
        if not self._rename():
            self._stop_renaming()

    def _stop_renaming(self) -> None:
        if self._renamed is None:
            return
        self._renamed = None
        had_focus = self.name_field.hasFocus()
        self.name_field.hide()
        if had_focus:
            self.setFocus()


class NameField(QLineEdit):
    """taken: Enter. given_up: Esc. left: the keyboard went to another widget."""

    taken = Signal()
    given_up = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # To its own context menu, or to another window: it will come back.
        if event.reason() not in (
            Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason
        ):  # fmt: skip
            self.left.emit()
