"""A window: one document, its panels and menus, and what is between them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QResizeEvent,
)
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget

from desktop.actions import ACTIONS, ActionSet, keys_in_words
from desktop.command_palette import CommandPalette
from desktop.docks import Docks
from desktop.document import Document
from desktop.exports import Exports
from desktop.files import Files, dropped_file
from desktop.panel_dock import PanelDock, focus_in, has_focus
from desktop.recovery import Recovered
from desktop.status_line import StatusLine
from desktop.top_bar import TopBar
from desktop.view_state import LAYERS, ViewState
from desktop.views.panel import Panel
from desktop.word_verbs import WordVerbs
from engine.sentence import Sentence

if TYPE_CHECKING:
    from desktop.app import Session
    from desktop.tour import Tour

__all__ = ["Window", "place_on_screen"]

DEFAULT_SIZE = QSize(1400, 900)

FORMULA = "desktop.views.formula_bar:FormulaBar"
CHIPS = "desktop.views.word_chips:WordChips"


class Window(QMainWindow):
    """Opened by a `Session`, which it shares settings and appearance with other windows by.

    closed: it has closed for good; carries its name.
    """

    closed = Signal(str)

    session: Session
    document: Document
    state: ViewState
    files: Files
    words: WordVerbs
    exports: Exports
    docks: Docks
    action_set: ActionSet

    def __init__(self, session: Session, name: str, sentence: Sentence) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.session = session
        self.name = name
        settings = session.settings.now
        self.document = Document(sentence)
        self.document.set_digits(settings.digits)
        self.state = ViewState(session.look)
        # They die with the window, in Qt's order: a collection of cycles would have none.
        self.document.setParent(self)
        self.state.setParent(self)
        self._take_settings()

        self.top = TopBar(self._panel(FORMULA), self._panel(CHIPS), self.state)
        self.notices = self.top.notices
        self._add_top_bar()
        self.status = StatusLine(self)
        self.setStatusBar(self.status)
        self.docks = Docks(self, self.document, self.state)
        self.docks.set_by_hand(settings.shown)
        self.files = Files(
            self, self.document, self.state, self.notices, session.settings, session.recovery, name
        )
        self.files.is_elsewhere = session.show_if_open
        self.words = WordVerbs(self, self.document, self.state)
        self.exports = Exports(
            self, self.document, self.state, self.notices, self.status, session.settings
        )
        self._tour: Tour | None = None
        self._left: Sequence[Recovered] = ()
        self._hinting = False
        self._abandoned = False
        self._closed = False
        self._filtered: QObject | None = None
        self.action_set = ActionSet(self)

        self._place(settings.place, settings.maximized)
        self.docks.restore(
            QByteArray.fromBase64(settings.docks.encode()),
            by_hand=settings.docks_by_hand,
        )
        self._connect()
        self._retitle()

    def _panel(self, target: str) -> Panel:
        module, _, name = target.partition(":")
        panel: Panel = getattr(import_module(module), name)(self.document, self.state)
        return panel

    def _add_top_bar(self) -> None:
        bar = QToolBar("Formula and words", self)
        bar.setObjectName("top")
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.toggleViewAction().setVisible(False)
        bar.addWidget(self.top)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)

    def _connect(self) -> None:
        document, state = self.document, self.state
        document.changed.connect(self._document_changed)
        document.saved.connect(self._retitle)
        document.undo_stack.indexChanged.connect(self._possibilities_changed)
        state.changed.connect(self._state_changed)
        state.announced.connect(self._announced)
        self.files.opened.connect(self._another_document)
        self.words.added.connect(self.files.tell_of_new_vectors)
        self.exports.changed.connect(self._possibilities_changed)
        self.notices.answered.connect(self._answered)
        self.docks.shown_by_hand.connect(self.action_set.refresh)

    # Settings

    def _take_settings(self) -> None:
        settings, state = self.session.settings.now, self.state
        state.set_level(settings.level)
        state.set_rows_are_queries(settings.rows_are_queries)
        state.set_snap(settings.snap)
        state.set_reduced_motion(settings.reduced_motion)
        for layer in LAYERS:
            state.set_layer(layer, layer not in settings.hidden_layers)

    def remember(self) -> None:
        """Let the next window be as this one is."""
        state, place = self.state, self.normalGeometry()
        self.session.settings.change(
            level=state.level,
            rows_are_queries=state.rows_are_queries,
            snap=state.snap,
            digits=self.document.calculation.digits,
            hidden_layers=tuple(layer for layer in LAYERS if layer not in state.layers),
            place=(place.x(), place.y(), place.width(), place.height()),
            maximized=self.isMaximized(),
            docks=bytes(self.docks.save().toBase64().data()).decode(),
            docks_by_hand=self.docks.arranged_by_hand,
            shown=dict(self.docks.by_hand),
        )

    def _place(self, place: tuple[int, int, int, int] | None, maximized: bool) -> None:
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        others = len(self.session.windows)
        rect = place_on_screen(place, screens)
        self.resize(rect.size())
        if place is not None or others:
            self.move(rect.topLeft().x() + 28 * others, rect.topLeft().y() + 28 * others)
        if maximized and not others:
            self.setWindowState(Qt.WindowState.WindowMaximized)

    # What changes

    def _document_changed(self) -> None:
        self._stop_hinting()
        if self.document.before is not None:
            # A drag: nothing here shows numbers, but there is something to undo.
            self.action_set.actions["undo"].setEnabled(True)
            return
        self._forget_what_is_gone()
        self._retitle()
        self.top.settle()
        self.action_set.refresh()

    def _forget_what_is_gone(self) -> None:
        count = len(self.document.sentence.words)
        self.state.forget(lambda thing: (thing.listens or 0) < count and (thing.heard or 0) < count)

    def _possibilities_changed(self) -> None:
        self.action_set.refresh()

    def _state_changed(self) -> None:
        self.top.settle()
        self.docks.fit_size(self.size())
        self.action_set.refresh()

    def _another_document(self) -> None:
        self.state.hover(None)
        self.fit_planes()

    def _retitle(self) -> None:
        # "[*]" is where Qt puts the mark of unsaved changes.
        self.setWindowTitle(f"{self.files.title.replace('[*]', '[*][*]')}[*] — byhand")
        self.setWindowModified(self.document.is_dirty)
        if hasattr(self, "action_set"):
            self.action_set.refresh()

    def _announced(self, text: str) -> None:
        if not self._hinting:
            self.status.say(text)
        # A drag is heard once: its plane says where the arrow is when it has been let go.
        if self.document.before is None and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.docks.fit_size(event.size())

    # Panels

    def toggle_fill(self) -> None:
        """Fill the window with the panel where the keyboard is, or put all of them back."""
        with_focus = [name for name, dock in self.docks.docks.items() if has_focus(dock)]
        self.docks.toggle_fill(with_focus[0] if with_focus else "where")
        self.action_set.refresh()

    def go_round(self, step: int) -> None:
        """Give the keyboard to the next place: formula, words, and each panel."""
        around: list[QWidget] = [self.top.formula, self.top.chips, *self.docks.around]
        inside = (i for i, place in enumerate(around) if has_focus(place))
        at = next(inside, -1 if step > 0 else 0)
        place = around[(at + step) % len(around)]
        if isinstance(place, PanelDock):
            place.focus()
        else:
            focus_in(place)

    def reset_panels(self) -> None:
        """Every panel to its default place."""
        self.docks.reset()
        self.state.announce("The panels are where they were at first.")

    def fit_planes(self) -> None:
        """Bring all arrows into view."""
        for dock in self.docks.docks.values():
            fit = getattr(dock.panel, "fit", None)
            if fit is not None:
                fit()

    def toggle_full_screen(self) -> None:
        """Take the whole screen, or give it back."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    # Help, and finding things

    def open_palette(self) -> None:
        """Every command, found by a few letters."""
        self.action_set.refresh()
        commands = []
        for action in ACTIONS:
            made = self.action_set.actions[action.name]
            if not made.isVisible() or action.name in ("palette", "no-recent"):
                continue
            where = action.menu.rpartition("/")[2] + ": " if "/" in action.menu else ""
            text = where + made.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
            commands.append((action.name, text, keys_in_words(action), made.isEnabled()))
        palette = CommandPalette(commands, self)
        palette.chosen.connect(self.action_set.do)

    def start_tour(self) -> None:
        """Show what is where."""
        from desktop.tour import Tour

        if self._tour is not None:
            self._tour.leave()
        others: dict[str, QWidget] = {"formula": self.top.formula, "levels": self.top.levels}
        self._tour = Tour(self.docks, others, self)
        self._tour.left.connect(self._tour_left)

    def _tour_left(self) -> None:
        self._tour = None

    def show_keys(self) -> None:
        """Every key there is."""
        from desktop.help_dialogs import KeysDialog

        KeysDialog(self).show()

    def show_about(self) -> None:
        """What this is."""
        from desktop.help_dialogs import show_about

        show_about(self)

    def be_ready(self) -> None:
        """Let the keys move the focus word's query at once."""
        dock = self.docks.docks["where"]
        be_ready = getattr(dock.panel, "be_ready", dock.focus)
        be_ready()

    def hint(self) -> None:
        """At the very first start: one line, and the arrow it speaks of breathes."""
        word = self.words.focus_name
        self.state.announce(f"Drag the blue arrow of {word}. Arrow keys move it too.")
        self._hinting = True
        breathe = getattr(self.docks.docks["where"].panel, "breathe", None)
        if breathe is not None:
            breathe()
        handle = self.windowHandle()
        if handle is not None:
            self._filtered = handle
            handle.installEventFilter(self)

    def _stop_hinting(self) -> None:
        if self._hinting:
            self._hinting = False
            if self._filtered is not None:
                self._filtered.removeEventFilter(self)
                self._filtered = None
            if self.status.text.startswith("Drag the blue arrow"):
                self.status.say("")
            self.session.settings.change(greeted=True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:
            self._stop_hinting()
        return super().eventFilter(watched, event)

    # What is said, and answered

    def offer(self, left: Sequence[Recovered]) -> None:
        """Offer what a crash has left unsaved."""
        self._left = left
        names = ", ".join(f"“{one.title}”" for one in left[:3]) + (" …" if len(left) > 3 else "")
        self.notices.say(
            "recovery", f"byhand ended before {names} could be saved.", "Recover", "Discard"
        )

    def _answered(self, name: str, answer: str) -> None:
        if name == "recovery" and answer:
            left, self._left = self._left, ()
            self.session.settle(left, recover=answer == "Recover", window=self)

    # Drop

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.activateWindow()
            self.files.open(path)

    # The end

    def abandon(self) -> None:
        """Close without a question: what isn't saved is offered at the next start."""
        self.files.keep_for_recovery()
        self._abandoned = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closed:
            return  # Qt may ask twice before it deletes us
        if not self._abandoned and not self.files.may_go(rendering=bool(self.exports.running)):
            event.ignore()
            return
        self._stop_hinting()
        self.remember()
        self.exports.close()
        self.files.close(keep=self._abandoned)
        self.docks.close()
        event.accept()
        self._closed = True
        # Panels lose the keyboard while Qt takes them apart: they mustn't draw that any more.
        self.state.blockSignals(True)
        self.document.blockSignals(True)
        self.closed.emit(self.name)


def place_on_screen(place: tuple[int, int, int, int] | None, screens: Sequence[QRect]) -> QRect:
    """Where a window goes: as it was, if enough of it is to be seen; else in the middle."""
    if not screens:
        return QRect(0, 0, DEFAULT_SIZE.width(), DEFAULT_SIZE.height())
    if place is not None:
        x, y, width, height = place
        for screen in screens:
            wide = min(x + width, screen.right() + 1) - max(x, screen.left())
            # Its title must be there to be dragged by.
            title_is_on = screen.top() - 40 <= y < screen.bottom() - 40
            if wide >= 120 and title_is_on and 200 <= width <= 20_000 and 150 <= height <= 20_000:
                return QRect(
                    x, max(y, screen.top()),
                    min(width, screen.width()), min(height, screen.height()),
                )  # fmt: skip
    screen = screens[0]
    size = DEFAULT_SIZE.boundedTo(screen.size())
    rect = QRect(screen.topLeft(), size)
    rect.moveCenter(screen.center())
    return rect
