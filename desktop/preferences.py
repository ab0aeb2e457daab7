"""Edit ▸ Preferences: how everything looks and moves. Each change holds at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QVBoxLayout,
)

from desktop.actions import SNAPS, TEXT_SIZES
from desktop.views.controls import name_control
from desktop.views.wheel import guard_wheel

if TYPE_CHECKING:
    from desktop.window import Window

__all__ = ["Preferences"]

_THEMES = {
    "system": "Follow the system",
    "light": "Light",
    "dark": "Dark",
    "projector": "Projector",
}


class Preferences(QDialog):
    """Theme, text size and motion are every window's; the rest is this window's."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._state = window.state
        self._document = window.document
        self._session = window.session
        self.setWindowTitle("Preferences")
        settings = window.session.settings.now
        self.theme = _choice(_THEMES, settings.theme)
        self.text_size = _choice(
            {size: f"{size * 100:.0f} %" for size in TEXT_SIZES}, settings.text_size
        )
        self.motion = QCheckBox("Nothing moves by itself")
        self.motion.setChecked(settings.reduced_motion)
        rows = {True: "queries (who listens)", False: "keys (who is heard)"}
        self.rows = _choice(rows, self._state.rows_are_queries)
        self.digits = _choice(
            {digits: str(digits) for digits in range(7)}, self._document.calculation.digits
        )
        self.snap = _choice(
            {step: f"steps of {step:g}" if step else "nothing" for step in SNAPS}, self._state.snap
        )
        form = QFormLayout(self)
        for label, box in (
            ("&Theme", self.theme), ("Text &size", self.text_size),
            ("&Rows of grids are", self.rows),
            ("&Decimals", self.digits), ("Drags s&nap to", self.snap),
        ):  # fmt: skip
            name_control(box, label.replace("&", ""))
            form.addRow(label, box)
        form.insertRow(2, "&Motion", self.motion)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout()
        layout.addWidget(buttons)
        form.addRow(layout)
        self.theme.activated.connect(self._appearance_chosen)
        self.text_size.activated.connect(self._appearance_chosen)
        self.motion.clicked.connect(self._appearance_chosen)
        self.rows.activated.connect(self._view_chosen)
        self.digits.activated.connect(self._view_chosen)
        self.snap.activated.connect(self._view_chosen)

    def _appearance_chosen(self) -> None:
        self._session.set_appearance(
            theme=self.theme.currentData(),
            text_size=self.text_size.currentData(),
            reduced_motion=self.motion.isChecked(),
        )

    def _view_chosen(self) -> None:
        self._state.set_rows_are_queries(self.rows.currentData())
        self._state.set_snap(self.snap.currentData())
        if self.digits.currentData() != self._document.calculation.digits:
            self._document.set_digits(self.digits.currentData())


def _choice(texts: dict, now: object) -> QComboBox:
    box = QComboBox()
    for value, text in texts.items():
        box.addItem(text, value)
    box.setCurrentIndex(list(texts).index(now) if now in texts else 0)
    guard_wheel(box)
    return box
