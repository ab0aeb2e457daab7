"""How a window looks at its document: nothing here is an edit, or is saved with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop.spotlight import Thing
from desktop.theme import Look

__all__ = ["LAYERS", "LEVELS", "ViewState"]

LEVELS = ("one", "all", "everything")
"""One word (as it first starts), All words, Everything."""

LAYERS = ("queries", "keys", "values", "outputs", "feet", "mixture", "hull", "grid")


class ViewState(QObject):
    """Level, layers, convention, look, and what is lit.

    changed: how things are drawn is different. lit_changed: only what is lit is.
    announced: a text for the status bar and for screen readers.
    """

    changed = Signal()
    lit_changed = Signal()
    announced = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._level = "one"
        self._layers = frozenset(LAYERS)
        self._rows_are_queries = True
        self._snap = 0.0
        self._reduced_motion = False
        self._hovered: Thing | None = None
        self._reached: Thing | None = None
        self._pinned: Thing | None = None

    # How things are drawn

    @property
    def look(self) -> Look:
        """Colours, fonts and line widths."""
        return self._look

    @property
    def level(self) -> str:
        """One of LEVELS."""
        return self._level

    @property
    def layers(self) -> frozenset[str]:
        """Which of LAYERS the planes show."""
        return self._layers

    @property
    def rows_are_queries(self) -> bool:
        """The convention of the grids: rows listen, columns are heard; or the other way round."""
        return self._rows_are_queries

    @property
    def snap(self) -> float:
        """The step that a drag snaps to, 0 for none."""
        return self._snap

    @property
    def reduced_motion(self) -> bool:
        """Whether nothing may move by itself."""
        return self._reduced_motion

    def set_look(self, look: Look) -> None:
        """Draw with other colours, fonts and widths."""
        self._set("_look", look)

    def set_level(self, level: str) -> None:
        """Show more, or less."""
        self._set("_level", level)

    def set_layer(self, layer: str, shown: bool) -> None:
        """Show a layer of the planes, or hide it."""
        self._set("_layers", self._layers | {layer} if shown else self._layers - {layer})

    def set_rows_are_queries(self, rows_are_queries: bool) -> None:
        """Turn the grids to the other convention."""
        self._set("_rows_are_queries", rows_are_queries)

    def set_snap(self, step: float) -> None:
        """Let drags snap to multiples of `step`; 0 for free."""
        self._set("_snap", step)

    def set_reduced_motion(self, reduced: bool) -> None:
        """Let nothing move by itself."""
        self._set("_reduced_motion", reduced)

    def _set(self, name: str, value: object) -> None:
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.changed.emit()

    # What is lit

    @property
    def lit(self) -> Thing | None:
        """The thing under the pointer, else the one pinned, else the one the keyboard is at."""
        return self._hovered or self._pinned or self._reached

    @property
    def pinned(self) -> Thing | None:
        """The thing that stays lit."""
        return self._pinned

    def hover(self, thing: Thing | None) -> None:
        """The pointer is over this, or over nothing."""
        self._light("_hovered", thing)

    def reach(self, thing: Thing | None) -> None:
        """The keyboard is at this, or has left."""
        self._light("_reached", thing)

    def pin(self, thing: Thing | None) -> None:
        """Keep this lit; a second time, let it go."""
        self._light("_pinned", None if thing == self._pinned else thing)

    def forget(self, still_there: Callable[[Thing], bool]) -> None:
        """Let go of what is no longer there."""
        before = self.lit
        for name in ("_hovered", "_reached", "_pinned"):
            thing = getattr(self, name)
            if thing is not None and not still_there(thing):
                setattr(self, name, None)
        if self.lit != before:
            self.lit_changed.emit()

    def _light(self, name: str, thing: Thing | None) -> None:
        before = self.lit
        setattr(self, name, thing)
        if self.lit != before:
            self.lit_changed.emit()

    def announce(self, text: str) -> None:
        """Say something in the status bar, and to screen readers."""
        self.announced.emit(text)
