"""Which two entries of long vectors a plane shows: "components 1 and 2 of 8"."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from desktop.views.controls import name_control
from desktop.views.wheel import guard_wheel

__all__ = ["ComponentChooser"]


class ComponentChooser(QWidget):
    """Two numbers to choose; hidden where vectors have no more than two.

    chosen: two different entries, counted from 0.
    """

    chosen = Signal(tuple)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._before, self._between, self._after = QLabel(self), QLabel(self), QLabel(self)
        self.first, self.second = QComboBox(self), QComboBox(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 2)
        layout.setSpacing(4)
        layout.setSizeConstraint(QHBoxLayout.SizeConstraint.SetFixedSize)
        for widget in (self._before, self.first, self._between, self.second, self._after):
            layout.addWidget(widget)
        for box, name in ((self.first, "across"), (self.second, "upwards")):
            name_control(box, f"component shown {name}")
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(2)
            box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            guard_wheel(box)
        self._offered: tuple[object, ...] = ()
        self.first.activated.connect(self._choose_first)
        self.second.activated.connect(self._choose_second)
        self.setAutoFillBackground(True)
        self.hide()

    def offer(self, width: int, components: tuple[int, ...], symbol: str) -> None:
        """Offer the entries of vectors of `width` numbers, these being shown."""
        if (width, components, symbol) == self._offered:
            return
        self._offered = (width, components, symbol)
        self.setVisible(width > 2)
        if width <= 2:
            return
        for box, component in zip((self.first, self.second), components, strict=True):
            if box.count() != width:
                box.clear()
                box.addItems([str(i + 1) for i in range(width)])
            box.setCurrentIndex(component)
        self._before.setText("components")
        self._between.setText("and")
        self._after.setText(f"of {symbol} = {width}")
        self.setToolTip(
            "Two entries of each vector. The score needs all of them, so no feet are drawn."
            if symbol == "d_k"
            else "Two entries of each vector, of many."
        )
        self.adjustSize()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.adjustSize()

    def _choose_first(self, component: int) -> None:
        self._choose(component, self.second.currentIndex(), is_first=True)

    def _choose_second(self, component: int) -> None:
        self._choose(self.first.currentIndex(), component, is_first=False)

    def _choose(self, first: int, second: int, *, is_first: bool) -> None:
        if first == second:
            # They change places: one entry against itself shows nothing.
            _, old, _ = self._offered
            assert isinstance(old, tuple)
            first, second = (first, old[0]) if is_first else (old[1], second)
        self.chosen.emit((first, second))
