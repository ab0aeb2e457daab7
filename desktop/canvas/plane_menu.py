"""The context menu of a plane: what can be done to an arrow, and to the ground."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from desktop.canvas.arrows import Arrow
from desktop.view_state import ViewState
from engine.notation import write_number

__all__ = ["PlaneMenu"]

SNAPS = (0.0, 0.1, 0.5, 1.0)

LAYERS = {
    "queries": "Queries", "keys": "Keys", "feet": "Feet of the keys on the query",
    "values": "Values", "outputs": "Outputs", "mixture": "Weighted values, head to tail",
    "hull": "Hull of the values", "grid": "Grid",
}  # fmt: skip

SUMS = {"queries": ("feet",), "values": ("mixture", "hull")}
"""The further layers of a plane whose first one is this."""


class PlaneMenu(QMenu):
    """Layers and snap it sets in the state itself; the rest is told.

    chosen: "fit", "focus", "type", "pin" or "free", and the arrow it was opened on.
    """

    chosen = Signal(str, object)

    def __init__(
        self, state: ViewState, layers: tuple[str, str], arrow: Arrow | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._state, self._arrow = state, arrow
        self.triggered.connect(self._triggered)
        if arrow is None:
            self._offer_ground(layers)

    def offer_arrow(
        self, *, is_focus: bool, is_fixed: bool, is_made: bool, is_pinned: bool
    ) -> None:
        """Offer what can be done to the arrow."""
        self._add("Make focus word", ("do", "focus")).setEnabled(not is_focus)
        self._add("Type numbers…", ("do", "type")).setEnabled(not is_fixed)
        self._add("Unpin" if is_pinned else "Pin", ("do", "pin"))
        if is_made:
            self.addSeparator()
            self._add("Make free", ("do", "free"))

    def _offer_ground(self, layers: tuple[str, str]) -> None:
        self._add("Fit", ("do", "fit"))
        self.addSeparator()
        for layer in (*layers, *SUMS[layers[0]], "grid"):
            self._add(LAYERS[layer], ("layer", layer), is_on=layer in self._state.layers)
        self.addSeparator()
        group = QActionGroup(self)
        for step in SNAPS:
            text = f"Snap to {write_number(step, 1)}" if step else "Don't snap"
            group.addAction(self._add(text, ("snap", step), is_on=step == self._state.snap))

    def _add(self, text: str, what: tuple[str, object], is_on: bool | None = None) -> QAction:
        action = self.addAction(text)
        action.setData(what)
        if is_on is not None:
            action.setCheckable(True)
            action.setChecked(is_on)
        return action

    def _triggered(self, action: QAction) -> None:
        kind, what = action.data()
        if kind == "layer":
            self._state.set_layer(what, action.isChecked())
        elif kind == "snap":
            self._state.set_snap(what)
        else:
            self.chosen.emit(what, self._arrow)
