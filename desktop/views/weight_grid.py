"""The grid of weights: who listens to whom, and how much."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QMenu, QWidget

from desktop import edits
from desktop.calculation import Calculation
from desktop.document import Document
from desktop.edits import name_of
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from desktop.views.grid_drawing import draw_caption, draw_cells, draw_frames, draw_names, stripe
from desktop.views.grid_picture import GridPicture, grid_picture
from desktop.views.lettering import apart
from desktop.views.painted import PaintedPanel
from engine import Attention
from engine.notation import write_share

__all__ = ["WeightGrid"]


class WeightGrid(PaintedPanel):
    """The weights under your mask or, `causal`, under your mask and the causal one."""

    def __init__(
        self,
        document: Document,
        state: ViewState,
        parent: QWidget | None = None,
        *,
        causal: bool = False,
    ) -> None:
        self.causal = causal
        self.title = "Your mask and causal" if causal else "Your mask"
        super().__init__(document, state, parent)
        self._picture: GridPicture | None = None
        self._current = (document.sentence.focus, 0)
        self._shown_lit = self._lit()
        self._menu_cell = self._current
        self._readout = ""
        self.setMinimumSize(120, 100)
        self.setAccessibleDescription(self._sentence_of(*self._current))

    # What is shown

    @property
    def attention(self) -> Attention:
        """The attention that this grid shows."""
        return self._of(self.document.calculation)

    def _of(self, calculation: Calculation) -> Attention:
        return calculation.causal if self.causal else calculation.open

    @property
    def current(self) -> tuple[int, int]:
        """The cell that the keyboard is at: (who listens, who is heard)."""
        last = len(self.document.sentence.words) - 1
        return min(self._current[0], last), min(self._current[1], last)

    def refresh(self) -> None:
        before = self._picture
        if not self.isVisible() or before is None or self._is_stale:
            super().refresh()
            return
        self.arrange()
        after = self._picture
        assert after is not None
        if not after.differs_in_cells_alone(before):
            self.update()
            return
        self._update_changed(before, after)
        if self._readout != (self._readout_now()):
            self.update(self._caption_area())

    def arrange(self) -> None:
        sentence, before = self.document.sentence, self.document.before
        in_force = sentence.causal == self.causal
        self._picture = grid_picture(
            self.attention, None if before is None else self._of(before),
            sentence.words, sentence.focus,
            rows_listen=self.state.rows_are_queries,
            is_one_word=self.state.level == "one",
            caption=f"{self.title.lower()} {'● in force' if in_force else '○ not in force'}",
            digits=self.document.calculation.digits,
            look=self.state.look,
            size=(self.width(), self.height()),
            ratio=self.devicePixelRatioF(),
        )  # fmt: skip

    def _update_changed(self, before: GridPicture, after: GridPicture) -> None:
        """Ask for a repaint of the rows and columns between the first and last changed cell."""
        places = [i for i, (a, b) in enumerate(zip(before.cells, after.cells)) if a != b]
        if not places:
            return
        n, layout = after.layout.count, after.layout
        columns = [place % n for place in places]
        left, top = layout.xs[min(columns)], layout.ys[places[0] // n]
        right, bottom = layout.xs[max(columns) + 1], layout.ys[places[-1] // n + 1]
        self.update(QRect(left, top, right - left + 1, bottom - top + 1))

    # Painting

    def paint(self, painter: QPainter, area: QRect) -> None:
        shown = self._picture
        if shown is None:
            return
        draw_cells(painter, shown, area)
        lit = self._lit()
        if not stripe(shown).toAlignedRect().contains(area):
            draw_names(painter, shown, self.state.lit)
            self._readout = self._readout_now()
            draw_caption(painter, shown, self._caption_area(), self._readout)
        draw_frames(painter, shown, lit, self.current if self.hasFocus() else None)

    def _caption_area(self) -> QRect:
        line = self.letters.height(1.0 if self._picture is None else self._picture.name)
        return QRect(0, round(self.height() - 1.4 * line), self.width(), round(1.4 * line))

    def _readout_now(self) -> str:
        """The lit cell in words."""
        lit = self._lit()
        if lit is None or lit.listens is None or lit.heard is None:
            return ""
        return self._sentence_of(lit.listens, lit.heard, ": ")

    # What is lit

    def _lit(self) -> Thing | None:
        """What is lit here, if it is."""
        lit, n = self.state.lit, len(self.document.sentence.words)
        if lit is None or (lit.listens or 0) >= n or (lit.heard or 0) >= n:
            return None
        if lit.listens is None and lit.heard is None and lit.step not in ("softmax", "mask"):
            return None
        return lit

    def relight(self) -> None:
        lit = self._lit()
        if lit != self._shown_lit:
            self._shown_lit = lit
            self.update()

    def _sentence_of(self, listens: int, heard: int, colon: str = ", ") -> str:
        """A cell in words."""
        sentence = self.document.sentence
        who, whom = (apart(name_of(sentence, word)) for word in (listens, heard))
        reason = self._forbidden(listens, heard)
        if reason:
            return f"{who} may not listen to {whom}: {reason}"
        weight = float(self.attention.weights[listens, heard])
        share = write_share(weight, self.document.calculation.digits)
        return f"{who} listens to {whom}{colon}{share}"

    def _forbidden(self, listens: int, heard: int) -> str:
        own = self.document.sentence.mask
        if own is not None and not own[listens][heard]:
            return "your mask forbids it"
        return "the causal mask forbids it" if self.causal and heard > listens else ""

    # Pointer and keyboard

    def _cell_at(self, at: QPointF) -> tuple[int | None, int | None]:
        """(listens, heard) at a point; a waiting cell is its row's name."""
        if self._picture is None:
            return None, None
        row, column = self._picture.layout.at(at.x(), at.y())
        listens, heard = self._picture.place(row, column)
        if self.state.level == "one" and listens not in (None, self.document.sentence.focus):
            return listens, None
        return listens, heard

    def thing_at(self, at: QPointF) -> Thing | None:
        listens, heard = self._cell_at(at)
        if listens is None and heard is None:
            return None
        return Thing("" if listens is None or heard is None else "softmax", listens, heard)

    def tip_at(self, at: QPointF) -> str:
        listens, heard = self._cell_at(at)
        if listens is not None and heard is not None:
            return self._sentence_of(listens, heard, ": ")
        word = listens if listens is not None else heard
        return "" if word is None else self.document.sentence.words[word]

    def reached(self) -> Thing | None:
        return Thing("softmax", *self.current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.settle()
        listens, heard = self._cell_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or (listens is None and heard is None):
            return
        if heard is None and listens is not None:
            self._go(listens, self.current[1])
            self.document.set_focus(listens)
        elif listens is None:
            self.state.pin(Thing("", heard=heard))
        else:
            assert heard is not None
            self._go(listens, heard)
            self.state.pin(Thing("softmax", listens, heard))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.settle()
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        listens, heard = self.current if by_key else self._cell_at(QPointF(event.pos()))
        if listens is None or heard is None or self._picture is None:
            return
        self._go(listens, heard)
        self._menu_cell = (listens, heard)
        at = event.globalPos()
        if by_key:
            at = self.mapToGlobal(stripe(self._picture, listens, heard).center().toPoint())
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sentence = self.document.sentence
        who, whom = (apart(name_of(sentence, word)) for word in (listens, heard))
        verb = "Forbid" if self._own_allows(listens, heard) else "Allow"
        forbid = menu.addAction(f"{verb} {who} to hear {whom}\tM".replace("&", "&&"))
        forbid.triggered.connect(self._toggle_from_menu)
        if self._forbidden(listens, heard).startswith("the causal"):
            forbid.setText("The causal mask forbids it")
            forbid.setEnabled(False)
        menu.popup(at)

    def _toggle_from_menu(self) -> None:
        self._toggle(*self._menu_cell)

    def _own_allows(self, listens: int, heard: int) -> bool:
        own = self.document.kept.mask
        return own is None or own[listens][heard]

    def _toggle(self, listens: int, heard: int) -> None:
        """Forbid a cell in your own mask, or allow it."""
        kept = self.document.kept
        if not max(listens, heard) < len(kept.words):
            return
        who, whom = (apart(name_of(kept, word)) for word in (listens, heard))
        may_look = not self._own_allows(listens, heard)
        if not may_look and self.causal and heard > listens:
            self.state.announce(
                f"the causal mask forbids {who} to hear {whom}, which comes later: "
                "your own mask allows it"
            )
            return
        try:
            self.document.edit(edits.allow(kept, listens, heard, may_look))
        except ValueError as error:
            self.state.announce(str(error))
            return
        self.say(self._sentence_of(listens, heard))

    def _go(self, listens: int, heard: int) -> None:
        """Move the keyboard's place."""
        self._current = (listens, heard)
        if self.state.level == "one" and listens != self.document.sentence.focus:
            self.document.set_focus(listens)
        if self.hasFocus():
            self.state.reach(self.reached())
        self.say(self._sentence_of(listens, heard))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        listens, heard = self.current
        row, column = self._turned(listens, heard)
        last = len(self.document.sentence.words) - 1
        steps = {
            Qt.Key.Key_Left: (row, max(column - 1, 0)),
            Qt.Key.Key_Right: (row, min(column + 1, last)),
            Qt.Key.Key_Up: (max(row - 1, 0), column),
            Qt.Key.Key_Down: (min(row + 1, last), column),
            Qt.Key.Key_Home: (row, 0),
            Qt.Key.Key_End: (row, last),
        }
        key = Qt.Key(event.key())
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
        )  # fmt: skip
        if not plain:
            super().keyPressEvent(event)
        elif key in steps:
            self._go(*self._turned(*steps[key]))
        elif key == Qt.Key.Key_Space:
            self.state.pin(self.reached())
        elif key == Qt.Key.Key_M:
            self._toggle(listens, heard)
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9 and key - Qt.Key.Key_1 <= last:
            word = key - Qt.Key.Key_1
            self.document.set_focus(word)
            self._go(word, heard)
        else:
            super().keyPressEvent(event)

    def _turned(self, listens: int, heard: int) -> tuple[int, int]:
        """A cell's row and column; a row and column's cell, too."""
        return (listens, heard) if self.state.rows_are_queries else (heard, listens)

    def sizeHint(self) -> QSize:
        return QSize(400, 330)
