"""Attention in tiles, to be stepped through: the picture, and what steers it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QSlider, QVBoxLayout, QWidget

from desktop.document import Document
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.controls import WholeField, dress, labelled, quiet_button
from desktop.views.flow import FlowRow
from desktop.views.panel import Panel
from desktop.views.tiles_picture import TilesPicture
from desktop.views.wheel import guard_wheel
from engine.sentence import MAX_WORDS

__all__ = ["TilesView"]


class TilesView(Panel):
    """Tile by tile, forwards and back, with tiles of any size."""

    title = "Tiles"

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.picture = TilesPicture(document, state, self)
        self.back = quiet_button("◂ back", "one tile back (←)", self.go_back, self)
        self.on = quiet_button("on ▸", "one tile on (→)", self.go_on, self)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName("tile")
        self.slider.valueChanged.connect(self.picture.go_to)
        guard_wheel(self.slider)
        self.queries = WholeField("queries of a tile", 1, MAX_WORDS, self)
        self.keys = WholeField("keys of a tile", 1, MAX_WORDS, self)
        self.queries.valueChanged.connect(self._set_tile)
        self.keys.valueChanged.connect(self._set_tile)
        self.place = QLabel(self)
        self._look: Look | None = None
        self._lay_out()
        self.picture.stepped.connect(self._show_place)

    def _lay_out(self) -> None:
        row = FlowRow()
        row.add(self.back)
        row.add(self.slider, stretch=True)
        row.add(self.on)
        row.add(self.place)
        for text, field in (("queries", self.queries), ("keys", self.keys)):
            row.add(labelled(text, field, self))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.picture, 1)
        self.setFocusProxy(self.picture)

    def go_on(self) -> None:
        """To the next tile."""
        self.picture.go_to(self.picture.step + 1)

    def go_back(self) -> None:
        """To the tile before."""
        self.picture.go_to(self.picture.step - 1)

    def _set_tile(self) -> None:
        self.picture.set_tile(self.queries.value(), self.keys.value())

    # What there is now

    def refresh(self) -> None:
        """Steer what there is now; the picture paints itself."""
        if not self.is_seen:
            return
        if self.state.look != self._look:
            self._look = self.state.look
            dress(self, self.state.look)
        n = len(self.document.sentence.words)
        if self.queries.maximum() != n:
            for field in (self.queries, self.keys):
                field.blockSignals(True)
                field.setMaximum(n)
                field.blockSignals(False)
        self.queries.show_value(self.picture.tile[0])
        self.keys.show_value(self.picture.tile[1])
        self._show_place()

    def relight(self) -> None:
        """The picture does."""

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was missed."""
        super().showEvent(event)
        self.refresh()

    def _show_place(self) -> None:
        if not self.is_seen:
            return
        count, step = len(self.picture.walked.steps), self.picture.step
        if (self.slider.maximum(), self.slider.value()) != (count - 1, step):
            self.slider.blockSignals(True)
            self.slider.setRange(0, count - 1)
            self.slider.setValue(step)
            self.slider.blockSignals(False)
        text = f"tile {step + 1} of {count}"
        if text != self.place.text():
            self.place.setText(text)
            self.back.setEnabled(step > 0)
            self.on.setEnabled(step + 1 < count)
