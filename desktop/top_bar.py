"""What stands above the panels: the formula, the words, the level, and what there is to say."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.notices import Notices
from desktop.view_state import LEVELS, ViewState
from desktop.views.panel import Panel

__all__ = ["LEVEL_NAMES", "LevelSwitch", "TopBar"]

_MARGIN, _GAP = 10, 16

LEVEL_NAMES = {"one": "One word", "all": "All words", "everything": "Everything"}


class LevelSwitch(QWidget):
    """One word │ All words │ Everything."""

    def __init__(self, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.setAccessibleName("How much is shown")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for number, level in enumerate(LEVELS):
            button = QToolButton(self)
            button.setText(LEVEL_NAMES[level])
            button.setCheckable(True)
            button.setToolTip(f"{LEVEL_NAMES[level]} (Ctrl+{number + 1})")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setProperty("segment", True)
            button.setProperty("first", number == 0)
            button.setProperty("last", number == len(LEVELS) - 1)
            self._group.addButton(button, number)
            layout.addWidget(button)
            self.buttons[level] = button
        self._group.idClicked.connect(self._clicked)
        state.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show which level it is."""
        self.buttons[self._state.level].setChecked(True)

    def _clicked(self, number: int) -> None:
        self._state.set_level(LEVELS[number])


class TopBar(QWidget):
    """Formula, words and level in one row where they fit, else in two.

    The level stands beside the formula, or beside the words where there is more room.
    """

    def __init__(
        self, formula: Panel, chips: Panel, state: ViewState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.formula, self.chips = formula, chips
        self.levels = LevelSwitch(state, self)
        self.notices = Notices(self)
        self._upper, self._lower = QHBoxLayout(), QHBoxLayout()
        rows = QVBoxLayout()
        rows.setContentsMargins(_MARGIN, 5, _MARGIN, 5)
        rows.setSpacing(4)
        for row in (self._upper, self._lower):
            row.setSpacing(_GAP)
            rows.addLayout(row)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(rows)
        whole.addWidget(self.notices)
        self._rows: tuple[int, int] | None = None
        self._lay_out((0, 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(320, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.settle()

    def settle(self) -> None:
        """One row or two, as the width allows."""
        widths = [part.sizeHint().width() for part in (self.formula, self.chips, self.levels)]
        room = self.width() - 2 * _MARGIN
        if sum(widths) + 2 * _GAP <= room:
            self._lay_out((0, 0))
        elif widths[0] + widths[2] + _GAP <= room:
            self._lay_out((1, 0))
        else:
            self._lay_out((1, 1))

    def _lay_out(self, rows: tuple[int, int]) -> None:
        """The rows, 0 or 1, of the words and of the level."""
        if rows == self._rows:
            return
        self._rows = rows
        for part in (self.formula, self.chips, self.levels):
            self._upper.removeWidget(part)
            self._lower.removeWidget(part)
        places = (self._upper, self._lower)
        self._upper.addWidget(self.formula, 0 if rows == (0, 0) else 1)
        places[rows[0]].addWidget(self.chips, 1)
        places[rows[1]].addWidget(self.levels)
