"""Help ▸ Tour: a card beside each panel in turn. Everything stays usable meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.docks import Docks

__all__ = ["STEPS", "Tour"]

STEPS = (
    ("where", "Where to look",
     "Each word asks with a query (q) and shows a key (k). Drag the query of the focus word: "
     "the further a key reaches along it, the higher its score."),
    ("mask", "Who listens to whom",
     "A row a listener, a column a word that is heard. Each row of weights adds up to 1. "
     "M on a cell forbids it, or allows it again."),
    ("causal", "The same without looking ahead",
     "No word sees a later one here; what is left of each row is shared out again."),
    ("copied", "What is copied",
     "Values (v), each taken as much as its weight, head to tail: where they end is the "
     "output (o). It never leaves the hull of the values."),
    ("working", "The arithmetic",
     "Every step for the focus word, as on paper. Your own results can be checked here."),
    ("formula", "The formula",
     "Point at a part of it: its panel lights up. √d_k and the causal mask are switches."),
    ("levels", "More, when you want it",
     "All words shows every arrow and a table of all numbers; Everything adds the scaled twins, "
     "growth, tiles and heads. That is all: undo takes anything back."),
)  # fmt: skip
"""What each card stands beside, its head, and what it says."""


class Tour(QFrame):
    """One card; Next, Back and Close lead through it. Esc closes it.

    left: it is over.
    """

    left = Signal()

    def __init__(self, docks: Docks, others: dict[str, QWidget], window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("card")
        self._docks = docks
        self._others = others
        self._at = 0
        self.head, self.text, self.count = QLabel(), QLabel(), QLabel()
        font = self.head.font()
        font.setBold(True)
        self.head.setFont(font)
        self.text.setWordWrap(True)
        self.back, self.next = QPushButton("Back"), QPushButton("Next")
        close = QPushButton("Close")
        self.back.clicked.connect(self._back)
        self.next.clicked.connect(self._next)
        close.clicked.connect(self.leave)
        buttons = QHBoxLayout()
        buttons.addWidget(self.count, 1)
        for button in (self.back, self.next, close):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.addWidget(self.head)
        layout.addWidget(self.text)
        layout.addLayout(buttons)
        self._show_step()
        self.show()
        self.next.setFocus()

    def leave(self) -> None:
        """End the tour."""
        self._tint(None)
        self.hide()
        self.left.emit()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() == Qt.Key.Key_Right:
            self._next()
        elif event.key() == Qt.Key.Key_Left:
            self._back()
        else:
            super().keyPressEvent(event)

    def _next(self) -> None:
        if self._at + 1 == len(STEPS):
            self.leave()
        else:
            self._at += 1
            self._show_step()

    def _back(self) -> None:
        self._at = max(0, self._at - 1)
        self._show_step()

    def _show_step(self) -> None:
        name, head, text = STEPS[self._at]
        self.head.setText(head)
        self.text.setText(text)
        self.setAccessibleName(f"{head}. {text}")
        self.count.setText(f"{self._at + 1} of {len(STEPS)}")
        self.back.setEnabled(self._at > 0)
        self.next.setText("Done" if self._at + 1 == len(STEPS) else "Next")
        dock = self._docks.docks.get(name)
        if dock is not None:
            if dock.isHidden():
                self._docks.set_shown(name, True)
            dock.raise_()  # it may be behind another's tab
        self._tint(name)
        width = min(30 * self.fontMetrics().height(), self.window().width() - 40)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move(self._beside(self._target(name)))
        self.raise_()

    def _target(self, name: str) -> QWidget:
        return self._others.get(name) or self._docks.docks[name]

    def _beside(self, target: QWidget) -> QPoint:
        """Next to a widget, on the side where there is room, inside the window."""
        window = self.window()
        there = QRect(target.mapTo(window, QPoint(0, 0)), target.size())
        gap = 10
        right, left = there.right() + gap, there.left() - self.width() - gap
        if right + self.width() <= window.width():
            place = QPoint(right, there.top() + 30)
        elif left >= 0:
            place = QPoint(left, there.top() + 30)
        else:
            place = QPoint(there.center().x() - self.width() // 2, there.bottom() + gap)
        return QPoint(
            min(max(place.x(), gap), window.width() - self.width() - gap),
            min(max(place.y(), gap), window.height() - self.height() - gap),
        )

    def _tint(self, name: str | None) -> None:
        for dock in self._docks.docks.values():
            dock.point_at(dock.place.name == name)
