"""How sharp softmax is: the temperature, as a slider and as a number."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop import edits
from desktop.document import Document
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.lettering import lettering
from desktop.views.number_field import NumberField
from desktop.views.stop_slider import StopSlider

__all__ = ["Sharpness"]

LOWEST, HIGHEST = 0.01, 100.0
STEPS = 20
"""The slider takes so many steps to ten times as much."""
NAMES = {0: "0.01", STEPS: "0.1", 2 * STEPS: "1", 3 * STEPS: "10", 4 * STEPS: "100"}


class Sharpness(QWidget):
    """A slider from 0.01 (one word takes all) to 100 (all alike), and a field beside it."""

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._state = document, state
        self._look: Look | None = None
        self.slider = StopSlider(4 * STEPS, NAMES, state.look, self)
        self.slider.setAccessibleName("Temperature: scores are divided by it")
        self.slider.valueChanged.connect(self._slid)
        self.field = NumberField(LOWEST, HIGHEST, self)
        self.field.setAccessibleName("Temperature, from 0.01 to 100")
        self.field.entered.connect(self._set)
        self.field.refused.connect(state.announce)

    def refresh(self) -> None:
        """Show what is in force."""
        temperature, look = self._document.sentence.temperature, self._state.look
        with QSignalBlocker(self.slider):
            self.slider.setValue(round((math.log10(temperature) + 2) * STEPS))
        self.field.show_number(f"{temperature:.6g}")
        if look != self._look:
            self._look = look
            self.slider.set_look(look)
            self.field.setFont(look.font())
            self.updateGeometry()
            self._place()

    def sizeHint(self) -> QSize:
        line = lettering(self._state.look).height()
        return QSize(round(24 * line), round(2.3 * line))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        line, left = lettering(self._state.look).height(), round(self._left())
        wide, gap = round(3.4 * line), round(0.4 * line)
        slider = max(self.width() - left - wide - 2 * gap, 1)
        self.slider.setGeometry(left, 0, slider, self.slider.sizeHint().height())
        self.field.setGeometry(self.width() - wide - gap, 0, wide, round(1.5 * line))

    def _left(self) -> float:
        return min(7.0 * lettering(self._state.look).height(), 0.27 * self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        look, letters = self._state.look, lettering(self._state.look)
        painter = QPainter(self)
        painter.setPen(look.color("ink"))
        room = self._left() - 0.5 * letters.height()
        letters.fit(("temperature", "T"), room).draw(
            painter, 0.4 * letters.height(), 0.1 * letters.height()
        )
        painter.end()

    def _slid(self, stop: int) -> None:
        self._set(float(f"{10 ** (stop / STEPS - 2):.3g}"))

    def _set(self, temperature: float) -> None:
        try:
            edit = edits.set_temperature(self._document.kept, temperature, merge="temperature")
            self._document.edit(edit)
        except ValueError as error:
            self._state.announce(str(error))
