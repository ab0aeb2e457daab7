"""The working: the focus word's calculation in full, as on paper, and a second opinion on it."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, QThread, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from desktop.document import Document
from desktop.edits import name_of
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from desktop.views.lettering import lettering, plain_tip
from desktop.views.panel import Panel
from desktop.views.working_layout import NARROWEST, RAISED, Row, lay_out
from engine.sentence import Sentence
from export.check import Difference, largest_difference, rounding_explains

__all__ = ["WorkingView"]

QUICK_NUMBERS = 256
"""So many numbers (words times entries) are worked out anew at each step of a drag."""


class WorkingView(Panel):
    """The paper, and below it the Check button with what it found."""

    title = "By hand"
    may_wait = True

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.paper = _Paper(document, state, self)
        self.check_button = QPushButton("Check", self)
        self.check_button.setToolTip(
            "Works everything out a second time, in decimal arithmetic of 50 digits "
            "that shares nothing with the engine"
        )
        self.check_button.clicked.connect(self.check)
        self.verdict = QLabel(self)
        self.verdict.setAccessibleName("What the check found")
        self.verdict.setWordWrap(True)
        self._checked: Sentence | None = None
        self._checking: _Checking | None = None
        foot = QHBoxLayout()
        foot.addWidget(self.check_button)
        foot.addWidget(self.verdict, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.paper, 1)
        layout.addLayout(foot)
        foot.setContentsMargins(8, 0, 8, 6)
        self.setFocusProxy(self.paper)
        self.refresh()

    def refresh(self) -> None:
        self.paper.setMinimumWidth(round(NARROWEST * self.line_height))
        self.paper.refresh()
        if self._checked is not None and self._checked is not self.document.sentence:
            self._say("", None)
        self.setAccessibleDescription(f"{name_of(self.document.sentence, self._focus)}, by hand")

    def relight(self) -> None:
        self.paper.viewport().update()

    def check(self) -> None:
        """Work the document out a second time, in the background, and say what came of it."""
        if self._checking is not None:
            return
        self.check_button.setEnabled(False)
        self._say("checking…", None)
        self._checking = _Checking(self.document.sentence, self)
        self._checking.finished.connect(self._tell)
        self._checking.start()

    def end(self) -> None:
        """Wait for a check that still runs."""
        if self._checking is not None:
            self._checking.wait()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.end()
        super().closeEvent(event)

    @property
    def _focus(self) -> int:
        return self.document.sentence.focus

    def _tell(self) -> None:
        checking, self._checking = self._checking, None
        self.check_button.setEnabled(True)
        if checking is None or checking.found is None:
            return
        checking.deleteLater()
        if checking.sentence != self.document.sentence:
            self._say("it has changed since: check again", None)
            return
        size = checking.found.size
        if checking.agrees:
            self._say(f"checked with 50 digits: within {size:.0e}", True)
        else:
            self._say(f"differs from decimals of 50 digits by {size:.1e} at {checking.found.place}")
        self.state.announce(self.verdict.text())

    def _say(self, text: str, agrees: bool | None = False) -> None:
        self._checked = self.document.sentence if text else None
        name = "ink" if agrees is None else "value" if agrees else "highlight"
        self.verdict.setText(("✓ " if agrees else "") + text)
        palette = self.palette()
        palette.setColor(self.verdict.foregroundRole(), self.state.look.color(name))
        self.verdict.setPalette(palette)


class _Checking(QThread):
    """One check; `found` and `agrees` when it has finished."""

    def __init__(self, sentence: Sentence, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentence = sentence
        self.found: Difference | None = None
        self.agrees = False

    def run(self) -> None:
        self.found = largest_difference(self.sentence)
        self.agrees = rounding_explains(self.found, self.sentence)


class _Paper(QAbstractScrollArea):
    """The lines themselves: hovered, reached by arrow keys, folded, copied."""

    def __init__(self, document: Document, state: ViewState, parent: QWidget) -> None:
        super().__init__(parent)
        self._document, self._state = document, state
        self._folded: frozenset[str] = frozenset()
        self._rows: list[Row] = []
        self._shown: tuple[object, ...] = ()
        self._current: int | None = None
        self._rest = QTimer(self, singleShot=True, interval=150)
        self._rest.timeout.connect(self._lay_out)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("The calculation, line by line")
        self.viewport().setMouseTracking(True)
        document.drag_ended.connect(self._lay_out)

    def refresh(self) -> None:
        """Lay out what there is now; a long calculation waits until a drag rests."""
        attention = self._document.calculation.attention
        is_long = attention.key.size > QUICK_NUMBERS
        if is_long and self._document.before is not None:
            self._rest.start()
        elif self.isVisible():
            self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        self._lay_out()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest.stop()
        super().hideEvent(event)

    def _lay_out(self) -> None:
        if not self.isVisible():
            return
        calculation, look = self._document.calculation, self._state.look
        width = self.viewport().width() - 2 * self._margin
        # In mid-drag only what can be seen; the scroll bar stays as it was.
        is_whole = self._document.before is None
        bar, page = self.verticalScrollBar(), self.viewport().height()
        until = math.inf if is_whole else bar.value() + page
        wanted = (calculation, look, width, self._folded, until)
        if wanted != self._shown:
            self._shown = wanted
            digits = calculation.digits
            self._rows = lay_out(calculation.steps(), look, width, self._folded, digits, until)
            if self._current is not None and self._current >= len(self._rows):
                self._current = None
            if is_whole:
                self._set_range()
        self.viewport().update()

    def _set_range(self) -> None:
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bottom = self._rows[-1].top + self._rows[-1].height if self._rows else 0
        bar.setRange(0, max(0, round(bottom + self._line / 2) - page))
        bar.setPageStep(page)
        bar.setSingleStep(round(self._line))

    @property
    def _line(self) -> float:
        return self._rows[0].height if self._rows else 20.0

    @property
    def _margin(self) -> int:
        return 12

    def sizeHint(self) -> QSize:
        return QSize(430, 460)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        look, lit = self._state.look, self._state.lit
        focus = self._document.sentence.focus
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), look.color("ground"))
            above = self.verticalScrollBar().value()
            painter.translate(self._margin, -above)
            first, last = above - self._line, above + self.viewport().height()
            rows = [(i, row) for i, row in enumerate(self._rows) if first < row.top < last]
            for index, row in rows:
                if lit is not None and _lights(lit, row, focus):
                    painter.fillRect(self._area(row), look.pale("highlight", 0.12))
                if index == self._current and self.hasFocus():
                    painter.setPen(QPen(look.color("ink"), 1, Qt.PenStyle.DotLine))
                    painter.drawRect(self._area(row).adjusted(0, 0, -1, -1))
            # Sorted by how they are drawn: a change of pen or font costs as much as a text.
            pieces: dict[tuple[str, str], list[tuple[QPointF, str]]] = {}
            for _, row in rows:
                for piece in row.pieces:
                    top = row.top + (0.0 if piece.style == "raised" else 0.1 * row.height)
                    pieces.setdefault(piece[2:], []).append((QPointF(piece.x, top), piece.text))
            letters = lettering(look)
            for (color, style), texts in pieces.items():
                scale, bold = RAISED if style == "raised" else 1.0, style == "bold"
                painter.setFont(look.font(scale, bold=bold))
                painter.setPen(look.color(color))
                for place, text in texts:
                    painter.drawStaticText(place, letters.ready(text, scale, bold=bold))

    def _area(self, row: Row) -> QRect:
        width = self.viewport().width() - self._margin
        return QRect(-4, round(row.top), width, round(row.height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        self._set_range()

    # Pointer and keyboard

    def _row_at(self, position: QPoint) -> int | None:
        y = position.y() + self.verticalScrollBar().value()
        for index, row in enumerate(self._rows):
            if row.top <= y < row.top + row.height:
                return index
        return None

    def _thing(self, row: Row) -> Thing:
        return Thing(row.step, self._document.sentence.focus, row.word)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self._row_at(event.position().toPoint())
        self._state.hover(None if index is None else self._thing(self._rows[index]))

    def leaveEvent(self, event: QEvent) -> None:
        self._state.hover(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            index = self._row_at(event.position().toPoint())
            if index is not None:
                self._use(index)
        super().mousePressEvent(event)

    def _use(self, index: int) -> None:
        """A step's title folds it; a line is pinned."""
        row = self._rows[index]
        self._current = index
        if row.kind == "title":
            self._folded = self._folded ^ {row.step}
            self._lay_out()
        else:
            self._state.pin(self._thing(row))
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.text())
            self._state.announce("The working is on the clipboard")
            return
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and self._rows:
            start = -1 if self._current is None else self._current
            self._reach(min(max(start + step, 0), len(self._rows) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self._current is not None:
                self._use(self._current)
        else:
            super().keyPressEvent(event)

    def _reach(self, index: int) -> None:
        self._current = index
        row, bar = self._rows[index], self.verticalScrollBar()
        bar.setValue(round(min(bar.value(), row.top)))
        bar.setValue(round(max(bar.value(), row.top + row.height - self.viewport().height())))
        self._state.reach(self._thing(row))
        self._state.announce(row.full)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._state.reach(None)
        super().focusOutEvent(event)

    def text(self) -> str:
        """The whole working as text, whatever is folded."""
        lines = []
        for number, step in enumerate(self._document.calculation.steps(), 1):
            lines.append(f"{number}. {step.title}")
            lines += [f"   {line.text}" for line in step.lines]
            lines += [f"   {note}" for note in step.notes]
        return "\n".join(lines)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self._row_at(event.pos())
            row = None if index is None else self._rows[index]
            if row is not None and any("…" in piece.text for piece in row.pieces):
                QToolTip.showText(event.globalPos(), plain_tip(row.full), self)
            return True
        return super().viewportEvent(event)


def _lights(lit: Thing, row: Row, focus: int) -> bool:
    if row.kind == "title":
        return lit.lights_step(row.step) and lit.heard is None
    return (
        row.word is not None and lit.heard == row.word and lit.lights(listens=focus, heard=row.word)
    )
