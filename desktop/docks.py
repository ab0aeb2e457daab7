"""The panels of a window: where each stands, and when it is shown.

The level says which are shown, but for those that were opened or closed by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QTabBar, QToolBar

from desktop.document import Document
from desktop.panel_dock import PanelDock, let_go
from desktop.panels import PANELS, PanelPlace
from desktop.view_state import LEVELS, ViewState

__all__ = ["Docks"]

_VERSION = 1
"""Of Qt's description of the docks: another number, and an old one isn't restored."""

_THREE_COLUMNS = 1180
"""The width that three columns need at 100 %, in pixels."""

_TWO_ROWS = 460
"""The height that two panels over each other need at 100 %, in pixels."""

_HORIZONTAL, _VERTICAL = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
_CHILDREN = Qt.FindChildOption.FindDirectChildrenOnly
_LEFT, _BOTTOM = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True)
class Before:
    """What stood where before a panel filled the window.

    state: Qt's description, for the next start. sizes: of the panels that were to be seen.
    """

    state: QByteArray
    shown: frozenset[str]
    sizes: dict[str, QSize]
    floated: bool


class Fold(NamedTuple):
    """What a window has no room for: three columns, two panels over each other."""

    is_narrow: bool
    is_low: bool


class Docks(QObject):
    """The docks of a window, put where they belong.

    shown_by_hand: which panels are open against the level's wish has changed.
    """

    shown_by_hand = Signal()

    def __init__(self, window: QMainWindow, document: Document, state: ViewState) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)
        self._state = state
        self._level = ""
        self._fold: Fold | None = None
        self._before_filling: Before | None = None
        self._arranging = False
        self.filling = ""
        self.arranged_by_hand = False
        self.by_hand: dict[str, bool] = {}
        self._word = ""
        self.docks: dict[str, PanelDock] = {}
        for place in PANELS:
            dock = PanelDock(place, document, state)
            dock.setParent(window)
            dock.hide()
            dock.wants_to_fill.connect(self.toggle_fill)
            dock.shut.connect(self._shut)
            dock.dockLocationChanged.connect(self._moved)
            dock.topLevelChanged.connect(self._moved)
            state.lit_changed.connect(dock.relight)
            self.docks[place.name] = dock
        state.changed.connect(self._state_changed)
        document.changed.connect(self._retitle)
        self._document = document
        self._retitle()

    # Where they stand

    def arrange(self, fold: Fold) -> None:
        """Put every dock in its default place: three columns, or two where it is narrow; what
        else would stand below shares its place by tabs where it is low.
        """
        self._let_go()
        self._arranging = True
        self._fold = fold
        window, docks = self._window, self.docks
        focused = window.focusWidget()
        for dock in docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        split, tabify = window.splitDockWidget, window.tabifyDockWidget

        def below(upper: str, lower: str) -> None:
            if fold.is_low:
                tabify(docks[upper], docks[lower])
            else:
                split(docks[upper], docks[lower], _VERTICAL)

        window.addDockWidget(_LEFT, docks["where"])
        split(docks["where"], docks["mask"], _HORIZONTAL)
        if fold.is_narrow:
            below("mask", "working")
            if fold.is_low:
                tabify(docks["mask"], docks["causal"])
            else:
                split(docks["mask"], docks["causal"], _HORIZONTAL)
            tabify(docks["working"], docks["bars"])
            tabify(docks["working"], docks["twins"])
        else:
            split(docks["mask"], docks["working"], _HORIZONTAL)
            below("mask", "causal")
            below("working", "bars")
            below("bars", "twins")
        below("where", "copied")
        window.addDockWidget(_BOTTOM, docks["words"])
        for name in ("growth", "tiles", "heads"):
            tabify(docks["words"], docks[name])
        self._show_what_the_level_wants()
        for name in ("words", "working", "mask", "where"):
            docks[name].raise_()
        self._share_out()
        if focused is not None and focused.isVisible():
            focused.setFocus()
        self._hide_empty_tab_bars()
        self.arranged_by_hand = False
        self._arranging = False

    def _let_go(self) -> None:
        """End the drag of a panel: Qt crashes where panels are put elsewhere in the midst of it."""
        for dock in self.docks.values():
            let_go(dock)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Panels are dragged by their titles alone: a tab torn out of its bar crashes Qt later."""
        if event.type() == QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            bar = event.child()
            if isinstance(bar, QTabBar):
                bar.installEventFilter(self)
        return isinstance(watched, QTabBar) and event.type() == QEvent.Type.MouseMove

    def _hide_empty_tab_bars(self) -> None:
        """Qt leaves a tab bar that it no longer needs where it was made: upon the menus."""
        for bar in self._window.findChildren(QTabBar, options=_CHILDREN):
            # Names that don't fit are scrolled to: one letter of each says nothing.
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            if bar.count() == 0:
                bar.hide()

    def fit_size(self, size: QSize) -> None:
        """Fold what has no room where the window has become small, and unfold it where it is large.

        What was arranged by hand stays.
        """
        fold = self.fold_of(size)
        if self._fold in (None, fold) or self.arranged_by_hand or self.filling:
            return
        self.arrange(fold)

    def fold_of(self, size: QSize) -> Fold:
        """What a window of this size has no room for, at the present size of text."""
        text_size = self._state.look.text_size
        return Fold(
            is_narrow=size.width() < _THREE_COLUMNS * text_size,
            is_low=size.height() < _TWO_ROWS * text_size,
        )

    def reset(self) -> None:
        """Back to the default places, and to what the level shows."""
        self.leave_fill()
        self.by_hand.clear()
        self.arrange(self.fold_of(self._window.size()))
        self.shown_by_hand.emit()

    def _share_out(self) -> None:
        """Widths and heights as in the sketch; Qt keeps the shares when the window grows."""
        window = self._window
        bars = [window.menuBar(), window.statusBar(), *window.findChildren(QToolBar)]
        height = window.height() - sum(bar.sizeHint().height() for bar in bars)
        bottom = ("words", "growth", "tiles", "heads")
        below = 0.27 * height if self._shown(bottom) else 0.0
        columns = (
            ((("where", "copied"), 0.42), (("mask", "working"), 0.58))
            if self._fold is not None and self._fold.is_narrow
            else (
                (("where", "copied"), 0.36),
                (("mask", "causal"), 0.30),
                (("working", "bars", "twins"), 0.34),
            )
        )
        self._resize([(names[0], window.width() * share) for names, share in columns], _HORIZONTAL)
        if self._fold is not None and self._fold.is_narrow:
            half = 0.29 * window.width()
            self._resize([("mask", half), ("causal", half)], _HORIZONTAL)
        for names, _ in columns:
            shown = self._shown(names)
            shares = {2: (0.5, 0.5), 3: (0.46, 0.27, 0.27)}.get(len(shown), (1.0,))
            heights = [(height - below) * share for share in shares]
            if self._fold is not None and self._fold.is_low:
                shown, heights = shown[:1], [height - below]
            self._resize(list(zip(shown, heights)), _VERTICAL)
        if below:
            self._resize([(self._shown(bottom)[0], below)], _VERTICAL)

    def _shown(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if not self.docks[name].isHidden()]

    def _resize(self, sizes: Sequence[tuple[str, float]], way: Qt.Orientation) -> None:
        """Sizes are pixels, and count only where they add up to what there is."""
        there = [(self.docks[name], round(size)) for name, size in sizes if self._shown([name])]
        self._window.resizeDocks([dock for dock, _ in there], [size for _, size in there], way)

    def save(self) -> QByteArray:
        """Where everything stands, for the next start; as it is when nothing fills the window."""
        if self._before_filling is not None:
            return self._before_filling.state
        return self._window.saveState(_VERSION)

    def restore(self, saved: QByteArray, *, by_hand: bool) -> None:
        """Put everything where it stood, or where that makes no sense, in its default place."""
        self.arrange(self.fold_of(self._window.size()))
        self._arranging = True
        if self._window.restoreState(saved, _VERSION):
            self.arranged_by_hand = by_hand
        self._show_what_the_level_wants()
        self._arranging = False

    def close(self) -> None:
        """The window goes: panels that float over it go at once, not when Qt deletes them, and
        what works in the background ends.
        """
        self._arranging = True
        for dock in self.docks.values():
            if dock.panel is not None:
                dock.panel.end()
            if dock.isFloating():
                dock.hide()

    # What is shown

    def set_shown(self, name: str, shown: bool) -> None:
        """Open or close a panel by hand."""
        self._let_go()
        self.leave_fill()
        self._remember(name, shown)
        self.docks[name].setVisible(shown)
        if shown:
            self.docks[name].raise_()

    def set_by_hand(self, by_hand: Mapping[str, bool]) -> None:
        """What was opened and closed by hand before this start."""
        self.by_hand = {name: shown for name, shown in by_hand.items() if name in self.docks}

    def is_shown(self, name: str) -> bool:
        """Whether a panel is open (it may be behind another's tab)."""
        return not self.docks[name].isHidden()

    def toggle_fill(self, name: str) -> None:
        """Fill the window with a panel, or put all of them back."""
        if self.filling:
            self.leave_fill()
            return
        self._let_go()
        self._arranging = True
        docks = self.docks
        seen = [n for n, dock in docks.items() if not dock.visibleRegion().isEmpty()]
        self._before_filling = Before(
            state=self._window.saveState(_VERSION),
            shown=frozenset(self._shown(tuple(docks))),
            sizes={n: docks[n].size() for n in seen if not docks[n].isFloating()},
            floated=docks[name].isFloating(),
        )
        self.filling = name
        docks[name].setFloating(False)
        for other, dock in docks.items():
            dock.setVisible(other == name)
        self._arranging = False
        docks[name].focus()

    def leave_fill(self) -> None:
        """Put back what was there before a panel filled the window.

        By hand: Qt's own restoreState, done often, ends in a crash.
        """
        if self._before_filling is None:
            return
        self._let_go()
        self._arranging = True
        before, self._before_filling = self._before_filling, None
        filled, self.filling = self.docks[self.filling], ""
        filled.setFloating(before.floated)
        for name, dock in self.docks.items():
            dock.setVisible(name in before.shown)
        for name in before.sizes:
            self.docks[name].raise_()
        self._resize([(n, size.width()) for n, size in before.sizes.items()], _HORIZONTAL)
        self._resize([(n, size.height()) for n, size in before.sizes.items()], _VERTICAL)
        self._arranging = False

    def _show_what_the_level_wants(self) -> None:
        self._level = self._state.level
        for name, dock in self.docks.items():
            dock.setVisible(self.by_hand.get(name, self._wanted(dock.place)))

    def _wanted(self, place: PanelPlace) -> bool:
        return LEVELS.index(place.level) <= LEVELS.index(self._state.level)

    def _remember(self, name: str, shown: bool) -> None:
        """A choice that is the level's own is none."""
        if shown == self._wanted(self.docks[name].place):
            self.by_hand.pop(name, None)
        else:
            self.by_hand[name] = shown
        self.shown_by_hand.emit()

    def _shut(self, name: str) -> None:
        if not self._arranging and self._window.isVisible():
            if self.filling:
                self.leave_fill()
            self._remember(name, False)

    def _moved(self) -> None:
        if not self._arranging and self._window.isVisible():
            self.arranged_by_hand = True

    def _state_changed(self) -> None:
        if self._state.level != self._level:
            self._let_go()
            self.leave_fill()
            self._arranging = True
            self._show_what_the_level_wants()
            if not self.arranged_by_hand:
                self._share_out()
            self._arranging = False

    def _retitle(self) -> None:
        """Where a panel's title names the focus word."""
        sentence = self._document.sentence
        word = sentence.words[sentence.focus]
        if word != self._word:
            self._word = word
            for dock in self.docks.values():
                dock.name_word(word)

    # The keyboard

    @property
    def around(self) -> tuple[PanelDock, ...]:
        """The open docks, in the order in which F6 goes round."""
        return tuple(dock for dock in self.docks.values() if not dock.isHidden())
