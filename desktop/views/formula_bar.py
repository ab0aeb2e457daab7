"""The formula along the top, a part of it for every step, and its two switches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import fontpkg
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QWidget

from desktop import edits
from desktop.document import Document
from desktop.edits import Edit
from desktop.spotlight import Thing
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.painted import PaintedPanel

__all__ = ["PARTS", "FormulaBar", "parts_of"]

SIZE = 1.35
"""The size of the formula, 1 for ordinary text."""

PARTS = {
    "softmax": "softmax: e to each score, shared out so that every row adds up to 1",
    "query": "Q, the queries: what each word looks for",
    "key": "K, the keys: what each word can be found by. Q times K turned on its side is a score "
    "for every pair",
    "scale": "divided by √d_k: scores grow with the number of entries in a key, this undoes it",
    "mask": "mask: where a word may not look, its score becomes −∞",
    "mix": "V, the values: what is handed over, averaged by the weights",
}
"""The parts as they are written, each with what it does; their names are steps of a `Thing`."""

LIT_BY = {
    "query": ("query",),
    "key": ("key",),
    "score": ("query", "key"),
    "scale": ("scale",),
    "mask": ("mask",),
    "softmax": ("softmax",),
    "value": ("mix",),
    "mix": ("mix",),
    "output": ("mix",),
}


def parts_of(thing: Thing | None) -> tuple[str, ...]:
    """Which of PARTS a thing belongs to: a word by its query or key, a pair of words by both."""
    if thing is None:
        return ()
    if thing.step:
        return LIT_BY[thing.step]
    listens = ("query",) if thing.listens is not None else ()
    return listens + (("key",) if thing.heard is not None else ())


@dataclass(frozen=True)
class _Piece:
    """A few letters: shift is how much higher they stand, in heights; color by its name."""

    text: str
    part: str
    color: str
    is_italic: bool = False
    size: float = 1.0
    shift: float = 0.0
    gap: float = 0.0


PIECES = (
    _Piece("softmax", "softmax", "ink"),
    _Piece("(", "", "ink", gap=0.1),
    _Piece("Q", "query", "query", True, gap=0.12),
    _Piece("K", "key", "key", True, gap=0.14),
    _Piece("T", "key", "key", size=0.62, shift=0.36, gap=0.03),
    _Piece("/", "scale", "ink", gap=0.2),
    _Piece("√", "scale", "ink", gap=0.14),
    _Piece("d", "scale", "ink", True, gap=0.02),
    _Piece("k", "scale", "ink", True, size=0.62, shift=-0.2, gap=0.02),
    _Piece("+", "mask", "ink", gap=0.24),
    _Piece("mask", "mask", "ink", gap=0.2),
    _Piece(")", "", "ink", gap=0.1),
    _Piece("V", "mix", "value", True, gap=0.16),
)


class FormulaBar(PaintedPanel):
    """softmax( Q Kᵀ / √d_k + mask ) V, and whether to scale and to mask what comes later."""

    title = "Formula"

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.scaled_switch = QCheckBox("√d_k", self)
        self.scaled_switch.setAccessibleName("Divide scores by the root of d_k")
        self.scaled_switch.setToolTip("Divide scores by √d_k, d_k the number of entries in a key")
        self.scaled_switch.clicked.connect(self._set_scaled)
        self.causal_switch = QCheckBox("causal", self)
        self.causal_switch.setAccessibleName("Causal: no word may look at a later one")
        self.causal_switch.setToolTip("No word may look at a later one")
        self.causal_switch.clicked.connect(self._set_causal)
        self._row = QHBoxLayout(self)
        self._row.addStretch(1)
        self._row.addWidget(self.scaled_switch)
        self._row.addWidget(self.causal_switch)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._current = "softmax"
        self._boxes: dict[str, QRectF] = {}
        self._placed: list[tuple[_Piece, float, QFont]] = []
        self._drawn: object = None
        self._shown_lit: tuple[str, ...] = ()
        self.setAccessibleDescription(PARTS[self._current])
        self.refresh()

    def hold(self, widget: QWidget) -> None:
        """Put a widget between formula and switches: it takes what room there is."""
        self._row.insertWidget(0, widget, 1)
        self._row.setStretch(1, 0)

    # What is shown

    @property
    def _has_mask(self) -> bool:
        sentence = self.document.sentence
        return sentence.causal or sentence.mask is not None

    def refresh(self) -> None:
        sentence, look = self.document.sentence, self.state.look
        drawn = (sentence.scaled, sentence.causal, self._has_mask, look)
        if drawn == self._drawn:
            return
        self.scaled_switch.setChecked(sentence.scaled)
        self.causal_switch.setChecked(sentence.causal)
        if self._drawn is None or self._drawn[-1] != look:  # type: ignore[index]
            self.scaled_switch.setFont(look.font())
            self.causal_switch.setFont(look.font())
            self._place()
        self._drawn = drawn
        super().refresh()

    def _place(self) -> None:
        """Set the pieces one after the other, and make room for them."""
        look = self.state.look
        height = QFontMetricsF(look.font(SIZE)).height()
        x, edge = 0.5 * height, 0.12 * height
        boxes: dict[str, QRectF] = {}
        self._placed = []
        for piece in PIECES:
            font = look.font(SIZE * piece.size)
            if piece.is_italic:
                italic_face()
                font = QFont(font)
                font.setItalic(True)
            x += piece.gap * height
            width = QFontMetricsF(font).horizontalAdvance(piece.text)
            self._placed.append((piece, x, font))
            if piece.part:
                box = boxes.get(piece.part, QRectF(x - edge, 0, 0, 0))
                box.setRight(x + width + edge)
                boxes[piece.part] = box
            x += width
        self._boxes = boxes
        self._row.setContentsMargins(round(x + height), 2, round(0.4 * height), 2)
        self.setFixedHeight(round(1.75 * height))
        for box in boxes.values():
            box.setTop(0.2 * height)
            box.setBottom(1.6 * height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._is_stale = False

    def sizeHint(self) -> QSize:
        return QSize(self._row.sizeHint().width(), self.height())

    def part_box(self, part: str) -> QRectF:
        """Where a part of the formula is."""
        return self._boxes[part]

    def relight(self) -> None:
        lit = parts_of(self.state.lit)
        if lit != self._shown_lit:
            self._shown_lit = lit
            self.update()

    # Painting

    def paint(self, painter: QPainter, area: QRect) -> None:
        look, sentence = self.state.look, self.document.sentence
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = parts_of(self.state.lit)
        for part in lit:
            box = self._boxes[part]
            painter.fillRect(box, look.pale("highlight", 0.12))
            painter.setPen(QPen(look.color("highlight"), 2.5 * look.stroke))
            painter.drawLine(box.bottomLeft(), box.bottomRight())
        size = QFontMetricsF(look.font(SIZE))
        baseline = 0.36 * size.height() + size.ascent()
        idle = {"scale": not sentence.scaled, "mask": not self._has_mask}
        for piece, x, font in self._placed:
            painter.setFont(font)
            painter.setPen(look.color("dim" if idle.get(piece.part) else piece.color))
            painter.drawText(QPointF(x, baseline - piece.shift * size.capHeight()), piece.text)
        self._paint_root(painter, look, baseline, size, not sentence.scaled)
        if self.hasFocus():
            painter.setPen(QPen(look.color("ink"), 1, Qt.PenStyle.DotLine))
            painter.drawRect(self._boxes[self._current])

    def _paint_root(
        self, painter: QPainter, look: Look, baseline: float, size: QFontMetricsF, is_off: bool
    ) -> None:
        """The root's bar, and a line through all of it where scores aren't scaled."""
        start = next(x for piece, x, _ in self._placed if piece.text == "d")
        end = self._boxes["scale"].right() - 0.06 * size.height()
        root = next((x, font) for piece, x, font in self._placed if piece.text == "√")
        top = baseline + QFontMetricsF(root[1]).tightBoundingRect("√").top() + 0.5
        width = max(1.0, 0.07 * size.capHeight()) * (1.2 if look.stroke > 1 else 1)
        painter.setPen(QPen(look.color("dim" if is_off else "ink"), width))
        sign = QFontMetricsF(root[1]).tightBoundingRect("√")
        painter.drawLine(QPointF(root[0] + sign.right() - 1, top), QPointF(max(start, end), top))
        if is_off:
            box = self._boxes["scale"]
            middle = baseline - 0.42 * size.capHeight()
            painter.setPen(QPen(look.color("dim"), 1.5 * look.stroke))
            painter.drawLine(QPointF(box.left(), middle), QPointF(box.right(), middle))

    # Pointer and keyboard

    def part_at(self, at: QPointF) -> str | None:
        """The part of the formula at a point."""
        return next((part for part, box in self._boxes.items() if box.contains(at)), None)

    def thing_at(self, at: QPointF) -> Thing | None:
        part = self.part_at(at)
        return None if part is None else Thing(part)

    def tip_at(self, at: QPointF) -> str:
        part = self.part_at(at)
        return "" if part is None else self._in_words(part)

    def _in_words(self, part: str) -> str:
        if part == "scale" and not self.document.sentence.scaled:
            return f"{PARTS[part]} (switched off)"
        if part == "mask" and not self._has_mask:
            return f"{PARTS[part]} (here every word may look at every word)"
        return PARTS[part]

    def reached(self) -> Thing | None:
        return Thing(self._current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and part is not None:
            self._go(part)
            self.state.pin(Thing(part))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        parts = list(PARTS)
        here, key = parts.index(self._current), Qt.Key(event.key())
        steps = {
            Qt.Key.Key_Left: max(here - 1, 0),
            Qt.Key.Key_Right: min(here + 1, len(parts) - 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(parts) - 1,
        }
        if key in steps:
            self._go(parts[steps[key]])
        elif key == Qt.Key.Key_Space:
            self.state.pin(self.reached())
        else:
            super().keyPressEvent(event)

    def _go(self, part: str) -> None:
        self._current = part
        if self.hasFocus():
            self.state.reach(self.reached())
        self.say(self._in_words(part))
        self.update()

    # The switches

    def _set_scaled(self, scaled: bool) -> None:
        self._edit(edits.set_scaled(self.document.kept, scaled))

    def _set_causal(self, causal: bool) -> None:
        self._edit(edits.set_causal(self.document.kept, causal))

    def _edit(self, edit: Edit) -> None:
        try:
            self.document.edit(edit)
        except ValueError as error:
            self._drawn = None
            self.refresh()
            self.state.announce(str(error))


@cache
def italic_face() -> None:
    """Load the house font's italic, so that letters of formulas aren't merely slanted."""
    QFontDatabase.addApplicationFont(str(fontpkg.path("Inter", style="italic", nearest=True)))
