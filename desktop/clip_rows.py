"""Which clips a bundle gets: rows of a scene and its beats, as `byhand bundle --clip` has them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.dialog_parts import button, choice, row_of
from desktop.views.controls import name_control
from scenes import CATALOG

__all__ = ["ClipRow", "ClipRows"]


class ClipRow(QWidget):
    """One clip. removed: it isn't wanted any more; carries the row."""

    removed = Signal(object)

    def __init__(self, scene: str, beats: str) -> None:
        super().__init__()
        self.scene = choice({entry.name: entry.title for entry in CATALOG}, scene, least=12)
        self.beats = QLineEdit(beats)
        self.beats.setPlaceholderText("all beats")
        self.beats.setToolTip(
            "2 is the scene's second beat, 2-4 its second to its fourth; a beat is what one "
            "caption tells. Empty: the whole scene."
        )
        self.remove = button("Remove", self._remove)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget, stretch in ((self.scene, 2), (self.beats, 1), (self.remove, 0)):
            layout.addWidget(widget, stretch)

    @property
    def asked(self) -> str:
        """What is asked for, in the words of `--clip`: "softmax:4-6"."""
        scene, beats = self.scene.currentData(), "".join(self.beats.text().split())
        return f"{scene}:{beats}" if beats else str(scene)

    def call(self, number: int, *, is_only: bool) -> None:
        """Name the parts for who hears them; the only row stays."""
        name_control(self.scene, f"Scene of clip {number}")
        name_control(self.beats, f"Beats of clip {number}")
        name_control(self.remove, f"Remove clip {number}")
        self.remove.setEnabled(not is_only)

    def _remove(self) -> None:
        self.removed.emit(self)


class ClipRows(QWidget):
    """Rows to add and to take away; at least one, and no more than there are scenes."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[ClipRow] = []
        self.add_button = button("&Add a clip", self.add)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(row_of(self.add_button))

    @property
    def asked(self) -> tuple[str, ...]:
        """What is asked for, a clip each."""
        return tuple(row.asked for row in self.rows)

    def show_asked(self, asked: Sequence[str]) -> None:
        """Have a row for each clip that was asked for before."""
        for row in self.rows[:]:
            self._drop(row)
        for text in asked:
            scene, _, beats = text.partition(":")
            self._append(ClipRow(scene, beats))
        if not self.rows:
            self.add()

    def add(self) -> None:
        """One more, of the first scene that has none yet."""
        taken = {row.scene.currentData() for row in self.rows}
        free = next((entry.name for entry in CATALOG if entry.name not in taken), "")
        row = ClipRow(free, "")
        self._append(row)
        row.scene.setFocus()

    def _append(self, row: ClipRow) -> None:
        row.removed.connect(self._taken_away)
        self.rows.append(row)
        self._column.insertWidget(len(self.rows) - 1, row)
        self._number()

    def _taken_away(self, row: ClipRow) -> None:
        place = self.rows.index(row)
        self._drop(row)
        self._number()
        self.rows[min(place, len(self.rows) - 1)].scene.setFocus()

    def _drop(self, row: ClipRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _number(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            row.call(number, is_only=len(self.rows) == 1)
        self.add_button.setEnabled(len(self.rows) < len(CATALOG))
