"""All that a window can be asked to do, as one table: menus, keys and palette are made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from desktop.panels import PANELS
from desktop.top_bar import LEVEL_NAMES
from desktop.view_state import LAYERS, LEVELS
from engine.presets import load_preset, preset_names
from export.placing import shown

if TYPE_CHECKING:
    from desktop.window import Window

__all__ = ["ACTIONS", "MENUS", "Action", "ActionSet", "keys_in_words"]

MENUS = ("File", "Edit", "View", "Words", "Render", "Help")

_LAYER_NAMES = {
    "queries": "Queries", "keys": "Keys", "values": "Values", "outputs": "Outputs",
    "feet": "Feet of perpendiculars", "mixture": "Mixing, head to tail", "hull": "Hull of values",
    "grid": "Grid lines",
}  # fmt: skip

TEXT_SIZES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5)
SNAPS = (0.0, 0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Action:
    """One thing to do: its menu ("View/Theme" for a submenu), text and keys.

    call does it; enabled says whether it can be done now, checked whether it holds now (such an
    action has a tick), named how it is called now ("Undo Move query of sat"). apart: after a line.
    """

    name: str
    menu: str
    text: str
    call: Callable[[Window], object]
    keys: tuple[str, ...] = ()
    enabled: Callable[[Window], bool] | None = None
    checked: Callable[[Window], bool] | None = None
    named: Callable[[Window], str] | None = None
    apart: bool = False


def _undo_named(window: Window) -> str:
    return f"Undo {window.document.undo_stack.undoText()}".strip()


def _redo_named(window: Window) -> str:
    return f"Redo {window.document.undo_stack.redoText()}".strip()


def _undo(window: Window) -> None:
    name = window.document.undo_stack.undoText() if window.document.before is None else "drag"
    window.document.undo()
    window.state.announce(f"Undone: {name}")


def _redo(window: Window) -> None:
    name = window.document.undo_stack.redoText()
    window.document.redo()
    window.state.announce(f"Done again: {name}")


def _can_undo(window: Window) -> bool:
    return window.document.undo_stack.canUndo() or window.document.before is not None


def _focus(window: Window) -> int:
    return window.document.kept.focus


def _last(window: Window) -> int:
    return len(window.document.kept.words) - 1


def _level(level: str, window: Window) -> bool:
    return window.state.level == level


def _layer(layer: str, window: Window) -> bool:
    return layer in window.state.layers


def _flip_layer(layer: str, window: Window) -> None:
    window.state.set_layer(layer, layer not in window.state.layers)


def _panel_shown(name: str, window: Window) -> bool:
    return window.docks.is_shown(name)


def _flip_panel(name: str, window: Window) -> None:
    window.docks.set_shown(name, not window.docks.is_shown(name))


def _presets() -> Iterator[Action]:
    for name in preset_names():
        title = load_preset(name).title
        text = (
            title if title and name == "the-cat-sat-down" else name.replace("-", " ").capitalize()
        )
        yield Action(
            f"preset-{name}", "File/Ready sentences", text,
            partial(_open_preset, name),
        )  # fmt: skip


def _open_preset(name: str, window: Window) -> None:
    window.files.new_from_preset(name)


def _set_level(level: str, window: Window) -> None:
    window.state.set_level(level)


def _set_theme(theme: str, window: Window) -> None:
    window.session.set_appearance(theme=theme)


def _is_theme(theme: str, window: Window) -> bool:
    return window.session.settings.now.theme == theme


def _set_size(size: float, window: Window) -> None:
    window.session.set_appearance(text_size=size)


def _is_size(size: float, window: Window) -> bool:
    return window.session.settings.now.text_size == size


def _step_size(step: int, window: Window) -> None:
    size = window.session.settings.now.text_size
    nearest = min(range(len(TEXT_SIZES)), key=lambda i: abs(TEXT_SIZES[i] - size))
    _set_size(TEXT_SIZES[min(max(nearest + step, 0), len(TEXT_SIZES) - 1)], window)


def _set_snap(step: float, window: Window) -> None:
    window.state.set_snap(step)


def _is_snap(step: float, window: Window) -> bool:
    return window.state.snap == step


def _set_digits(digits: int, window: Window) -> None:
    window.document.set_digits(digits)


def _is_digits(digits: int, window: Window) -> bool:
    return window.document.calculation.digits == digits


def _set_rows(queries: bool, window: Window) -> None:
    window.state.set_rows_are_queries(queries)


def _is_rows(queries: bool, window: Window) -> bool:
    return window.state.rows_are_queries == queries


def _view() -> Iterator[Action]:
    for number, level in enumerate(LEVELS):
        yield Action(
            f"level-{level}", "View", LEVEL_NAMES[level], partial(_set_level, level),
            (f"Ctrl+{number + 1}",), checked=partial(_level, level),
        )  # fmt: skip
    for number, place in enumerate(PANELS):
        yield Action(
            f"panel-{place.name}", "View/Panels", place.name_in_menus,
            partial(_flip_panel, place.name),
            (f"Alt+{(number + 1) % 10}",) if number < 10 else ("Alt+Shift+1",),
            checked=partial(_panel_shown, place.name),
        )  # fmt: skip
    yield Action("fill", "View/Panels", "Fill window with panel", lambda w: w.toggle_fill(),
                 ("F10",), checked=lambda w: bool(w.docks.filling), apart=True)  # fmt: skip
    yield Action("next-panel", "View/Panels", "Next panel", lambda w: w.go_round(1), ("F6",))
    yield Action(
        "last-panel", "View/Panels", "Previous panel", lambda w: w.go_round(-1), ("Shift+F6",)
    )
    yield Action("reset", "View/Panels", "Reset", lambda w: w.reset_panels(), apart=True)
    yield Action("fit", "View", "Fit arrows into planes", lambda w: w.fit_planes(), ("Ctrl+9",),
                 apart=True)  # fmt: skip
    for layer in LAYERS:
        yield Action(
            f"layer-{layer}", "View/Layers", _LAYER_NAMES.get(layer, layer),
            partial(_flip_layer, layer), checked=partial(_layer, layer),
        )  # fmt: skip
    for step in SNAPS:
        yield Action(
            f"snap-{step}", "View/Snap drags to", f"Steps of {step:g}" if step else "Nothing",
            partial(_set_snap, step), checked=partial(_is_snap, step),
        )  # fmt: skip
    for queries in (True, False):
        text = "Rows are queries (who listens)" if queries else "Rows are keys (who is heard)"
        yield Action(
            f"rows-{'queries' if queries else 'keys'}", "View/Grids", text,
            partial(_set_rows, queries), checked=partial(_is_rows, queries),
        )  # fmt: skip
    for digits in range(7):
        yield Action(
            f"digits-{digits}", "View/Decimals", f"{digits}", partial(_set_digits, digits),
            checked=partial(_is_digits, digits),
        )  # fmt: skip
    themes = {
        "system": "Follow the system", "light": "Light", "dark": "Dark", "projector": "Projector",
    }  # fmt: skip
    for number, (theme, text) in enumerate(themes.items()):
        yield Action(
            f"theme-{theme}", "View/Theme", text, partial(_set_theme, theme),
            checked=partial(_is_theme, theme), apart=number == 1,
        )  # fmt: skip
    for size in TEXT_SIZES:
        yield Action(
            f"text-{size:g}", "View/Text size", f"{size * 100:.0f} %", partial(_set_size, size),
            ("Ctrl+0",) if size == 1 else (), checked=partial(_is_size, size),
        )  # fmt: skip
    yield Action("text-larger", "View/Text size", "Larger", partial(_step_size, 1),
                 ("Ctrl++", "Ctrl+="), apart=True)  # fmt: skip
    yield Action("text-smaller", "View/Text size", "Smaller", partial(_step_size, -1), ("Ctrl+-",))
    yield Action(
        "reduced-motion", "View", "Reduced motion",
        lambda w: w.session.set_appearance(
            reduced_motion=not w.session.settings.now.reduced_motion
        ),
        checked=lambda w: w.session.settings.now.reduced_motion,
    )  # fmt: skip
    yield Action("full-screen", "View", "Full screen", lambda w: w.toggle_full_screen(), ("F11",),
                 checked=lambda w: w.isFullScreen(), apart=True)  # fmt: skip
    yield Action("palette", "View", "Find a command…", lambda w: w.open_palette(),
                 ("Ctrl+Shift+P", "Ctrl+K"))  # fmt: skip


ACTIONS = (
    Action("new", "File", "&New", lambda w: w.files.new_from_preset(preset_names()[0]),
           ("Ctrl+N",)),
    Action("new-words", "File", "New from &words…", lambda w: w.files.new_from_words(),
           ("Ctrl+Shift+N",)),
    *_presets(),
    Action("new-window", "File", "New w&indow", lambda w: w.session.open_window(),
           ("Ctrl+Alt+N",)),
    Action("open", "File", "&Open…", lambda w: w.files.open_chosen(), ("Ctrl+O",), apart=True),
    Action("no-recent", "File/Open recent", "None yet", lambda w: None, enabled=lambda w: False),
    Action("save", "File", "&Save", lambda w: w.files.save(), ("Ctrl+S",), apart=True),
    Action("save-as", "File", "Save &as…", lambda w: w.files.save_as(), ("Ctrl+Shift+S",)),
    Action("revert", "File", "Re&vert to saved", lambda w: w.files.revert(),
           enabled=lambda w: w.document.path is not None and w.document.is_dirty),
    Action("export-figure", "File/Export", "&Figure…", lambda w: w.exports.figures.open_again(),
           ("Ctrl+E",)),
    Action("copy-figure", "File/Export", "&Copy figure", lambda w: w.exports.copy_figure(),
           ("Ctrl+Shift+F",)),
    Action("export-worksheet", "File/Export", "&Worksheet…",
           lambda w: w.exports.worksheets.open_again(), ("Ctrl+Shift+E",)),
    Action("bundle", "File/Export", "&Bundle for a post…",
           lambda w: w.exports.bundles.open_again(), ("Ctrl+Shift+B",), apart=True),
    Action("close", "File", "&Close window", lambda w: w.close(), ("Ctrl+W",), apart=True),
    Action("quit", "File", "&Quit", lambda w: w.session.quit(), ("Ctrl+Q",)),
    Action("undo", "Edit", "&Undo", _undo, ("Ctrl+Z",),
           enabled=_can_undo, named=_undo_named),
    Action("redo", "Edit", "&Redo", _redo, ("Ctrl+Shift+Z", "Ctrl+Y"),
           enabled=lambda w: w.document.undo_stack.canRedo(), named=_redo_named),
    Action("copy-document", "Edit", "&Copy document as text", lambda w: w.files.copy_text(),
           ("Ctrl+Shift+C",), apart=True),
    Action("paste-document", "Edit", "&Paste document", lambda w: w.files.paste_document(),
           ("Ctrl+Shift+V",)),
    Action("scaled", "Edit", "&Divide by √d_k", lambda w: w.words.flip_scaled(), ("Ctrl+D",),
           checked=lambda w: w.document.kept.scaled, apart=True),
    Action("causal", "Edit", "&Mask later words (causal)", lambda w: w.words.flip_causal(),
           ("Ctrl+M",), checked=lambda w: w.document.kept.causal),
    Action("open-mask", "Edit", "Let every word look &everywhere", lambda w: w.words.open_mask(),
           enabled=lambda w: w.document.kept.mask is not None),
    Action("preferences", "Edit", "Pre&ferences…", lambda w: w.session.open_preferences(w),
           ("Ctrl+,",), apart=True),
    *_view(),
    Action("add-word", "Words", "&Add word…", lambda w: w.words.add(), ("Ctrl+Shift+A",)),
    Action("rename-word", "Words", "&Rename word…", lambda w: w.words.rename(), ("Ctrl+Shift+R",)),
    Action("remove-word", "Words", "Re&move word", lambda w: w.words.remove(),
           ("Ctrl+Shift+Del",), enabled=lambda w: _last(w) > 0,
           named=lambda w: f"Remove {w.words.focus_name}"),
    Action("move-left", "Words", "Move word &left", lambda w: w.words.move(-1),
           ("Ctrl+Shift+PgUp",), enabled=lambda w: _focus(w) > 0, apart=True),
    Action("move-right", "Words", "Move word &right", lambda w: w.words.move(1),
           ("Ctrl+Shift+PgDown",), enabled=lambda w: _focus(w) < _last(w)),
    Action("previous-word", "Words", "Look at &previous word", lambda w: w.words.look(-1),
           ("Ctrl+PgUp",), enabled=lambda w: _last(w) > 0, apart=True),
    Action("next-word", "Words", "Look at &next word", lambda w: w.words.look(1),
           ("Ctrl+PgDown",), enabled=lambda w: _last(w) > 0),
    Action("title", "Words", "&Title…", lambda w: w.words.set_title(), ("Ctrl+T",), apart=True),
    Action("render", "Render", "Render &video…", lambda w: w.exports.renders.open_again(),
           ("Ctrl+R",)),
    Action("cancel-render", "Render", "&Cancel render", lambda w: w.exports.renders.cancel(),
           enabled=lambda w: w.exports.is_rendering),
    Action("open-folder", "Render", "Open &folder of videos",
           lambda w: w.exports.renders.open_folder()),
    Action("tour", "Help", "&Tour", lambda w: w.start_tour(), ("F1",)),
    Action("keys", "Help", "&Keys", lambda w: w.show_keys(), ("Ctrl+/",)),
    Action("about", "Help", "&About byhand", lambda w: w.show_about(), apart=True),
)  # fmt: skip
"""Every action, in the order of the menus."""


class ActionSet(QObject):
    """The actions of one window as Qt's: in its menu bar, with their keys."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        # One connection for all of them; a closure for each would keep the window alive.
        self._all = QActionGroup(self)
        self._all.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        self._all.triggered.connect(self._triggered)
        self._recents = QActionGroup(self)
        self._recents.triggered.connect(self._recent_triggered)
        self.actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        for name in MENUS:
            self._menus[name] = window.menuBar().addMenu(f"&{name}")
            self._menus[name].aboutToShow.connect(self.refresh)
        for action in ACTIONS:
            self._add(action)
        self._menus["File/Open recent"].aboutToShow.connect(self._list_recent)
        self.refresh()

    def _add(self, action: Action) -> None:
        menu = self._menu(action.menu)
        if action.apart:
            menu.addSeparator()
        made = QAction(action.text, self._window)
        made.setObjectName(action.name)
        made.setShortcuts([QKeySequence(key) for key in action.keys])
        made.setCheckable(action.checked is not None)
        # macOS would sort some of them into its own menu by their English names.
        made.setMenuRole(QAction.MenuRole.NoRole)
        self._all.addAction(made)
        menu.addAction(made)
        self.actions[action.name] = made

    def _menu(self, path: str) -> QMenu:
        if path not in self._menus:
            above, _, name = path.rpartition("/")
            self._menus[path] = self._menu(above).addMenu(name)
        return self._menus[path]

    def refresh(self) -> None:
        """Say of each action whether it can be done, whether it holds, and how it is called."""
        window = self._window
        for action in ACTIONS:
            made = self.actions[action.name]
            if action.enabled is not None:
                made.setEnabled(action.enabled(window))
            if action.checked is not None:
                made.setChecked(action.checked(window))
            if action.named is not None:
                made.setText(_escaped(action.named(window)))

    def do(self, name: str) -> None:
        """Do what an action does, if it can be done now."""
        self.refresh()
        if self.actions[name].isEnabled():
            self._do(_BY_NAME[name])

    def _triggered(self, made: QAction) -> None:
        self._do(_BY_NAME[made.objectName()])

    def _do(self, action: Action) -> None:
        action.call(self._window)
        self.refresh()

    def _list_recent(self) -> None:
        menu = self._menus["File/Open recent"]
        for old in self._recents.actions():
            menu.removeAction(old)
            old.deleteLater()
            self._recents.removeAction(old)
        recent = self._window.session.settings.now.recent
        self.actions["no-recent"].setVisible(not recent)
        for name in recent:
            made = QAction(_escaped(shown(Path(name))), self)
            made.setData(name)
            self._recents.addAction(made)
            menu.addAction(made)

    def _recent_triggered(self, made: QAction) -> None:
        self._window.files.open(Path(made.data()))


def keys_in_words(action: Action) -> str:
    """An action's keys as they are written on keyboards."""
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(QKeySequence(key).toString(native) for key in action.keys)


def _escaped(text: str) -> str:
    """A text for a menu, where & would underline."""
    return text.replace("&", "&&")


_BY_NAME = {action.name: action for action in ACTIONS}
