"""What keys and menus do on a plane: go through its arrows, move, turn, pin and type them."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop import edits
from desktop.canvas.arrows import Arrow
from desktop.canvas.grabbed_plane import GrabbedPlane
from desktop.canvas.keys import moved_by_key
from desktop.canvas.number_entry import NumberEntry
from desktop.canvas.plane_menu import PlaneMenu
from desktop.document import Document
from desktop.edits import Edit, name_of
from desktop.view_state import ViewState
from engine.palette import ROLES

__all__ = ["HandledPlane"]

BREATHS = 5000
"""How long a tip asks to be dragged, in milliseconds."""

PASSING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason)
"""Reasons for which the focus goes and will come back."""

MINE = {
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_F2,
    Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F, Qt.Key.Key_Plus,
    Qt.Key.Key_Minus, Qt.Key.Key_Equal,
}  # fmt: skip
"""Keys that mean something here whatever shortcuts the window has."""


class HandledPlane(GrabbedPlane):
    """A plane that can be worked by keys alone."""

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.surface.menu_asked.connect(self._ask_menu)
        self.surface.focus_changed.connect(self._focus_changed)
        self._visit, self._visit_from, self._visit_text = 0, 0, ""
        self._is_untouched = False
        self._entry: NumberEntry | None = None
        self._entry_for: Arrow | None = None
        self._breath = QTimer(self)
        self._breath.setInterval(40)
        self._breath.timeout.connect(self._breathe_on)
        self._breaths = 0

    # Keys

    def focus_first(self) -> None:
        """Take the keyboard here, at the focus word's first arrow (or where it was)."""
        self._be_fresh()
        if self.taken is None:
            focus = self.document.sentence.focus
            mine = [arrow for arrow in self.tips if arrow.word == focus]
            if found := mine or list(self.tips):
                self.take(found[0])
        self.surface.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def be_ready(self) -> None:
        """Take the keyboard as a window opens: nothing is lit before a key or a hand comes."""
        self.focus_first()
        self._is_untouched = True
        self._rest.stop()
        self.state.reach(None)

    def take(self, arrow: Arrow | None) -> None:
        self._is_untouched = False
        if arrow != self.taken:
            self._end_visit()
        super().take(arrow)

    def _finished(self) -> None:
        super()._finished()
        self._end_visit()

    def _end_visit(self) -> None:
        """What the keys do from now on is another step of undo."""
        self._visit += 1
        self._visit_from = self.document.undo_stack.index()

    def _focus_changed(self, event: QFocusEvent) -> None:
        if event.gotFocus():
            self._get_focus(event.reason())
        elif event.reason() not in PASSING:
            self.end_gesture()
            self.state.reach(None)
        self.relight()

    def _get_focus(self, reason: Qt.FocusReason) -> None:
        if reason in PASSING or self._is_untouched:
            return
        self._end_visit()
        arrows = list(self.tips)
        if arrows and reason == Qt.FocusReason.TabFocusReason:
            self.take(arrows[0])
        elif arrows and reason == Qt.FocusReason.BacktabFocusReason:
            self.take(arrows[-1])
        elif self.taken is not None:
            self.state.reach(self.taken.thing)
        if self.taken is not None:
            self._rest.start()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the arrows, word by word, and then out of the plane."""
        if self.surface.hasFocus() and (arrow := self._neighbour(forward)) is not None:
            self._chosen = arrow
            self.take(arrow)
            self._rest.start()
            return True
        return super().focusNextPrevChild(forward)

    def _neighbour(self, forward: bool) -> Arrow | None:
        arrows = list(self.tips)
        if self.taken is None:
            return None
        pile = [arrow for arrow in self._pile if arrow in self.tips]
        if forward and self.taken in pile[:-1]:
            return pile[pile.index(self.taken) + 1]
        self._pile = []
        at = arrows.index(self.taken) + (1 if forward else -1)
        return arrows[at] if 0 <= at < len(arrows) else None

    def event(self, event: QEvent) -> bool:
        """Single keys are the plane's before they are the window's; a dialog ends a drag."""
        if event.type() == QEvent.Type.WindowBlocked:
            self.end_gesture()  # Qt forgets what is pressed, and never tells of the release
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_command = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            is_way = event.key() in (
                Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down
            )  # fmt: skip
            if event.key() in MINE and self.surface.hasFocus() and (is_way or not is_command):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.stop_breathing()
        if self._is_untouched:
            self.take(self.taken)
        key, modifiers = event.key(), event.modifiers()
        if key == Qt.Key.Key_Escape and self._give_up():
            return
        if self._zoom_by_key(event) or self._act_by_key(key):
            return
        if self.taken is not None and self._gesture is None:
            shown = self._numbers_of(self.taken)
            moved = moved_by_key(shown, key, modifiers)
            if moved is not None:
                self._move_by_key(self.taken, moved)
                return
        super().keyPressEvent(event)

    def _give_up(self) -> bool:
        """Take back a drag, else what the keys did to the arrow they are at; whether there was."""
        if self._gesture is not None:
            self._gesture.cancel()
            return True
        stack, is_any = self.document.undo_stack, False
        while stack.index() > self._visit_from and self._is_mine(stack.index()):
            self.document.undo()
            is_any = True
        self._end_visit()
        if is_any:
            self._rest.start()
        elif self.state.pinned is not None:
            self.state.pin(self.state.pinned)
            return True
        return is_any

    def _is_mine(self, index: int) -> bool:
        command = self.document.undo_stack.command(index - 1)
        return command is not None and command.text() == self._visit_text

    def _zoom_by_key(self, event: QKeyEvent) -> bool:
        if event.text() in ("+", "="):
            self.surface.zoom(1.25)
        elif event.text() in ("-", "_"):
            self.surface.zoom(0.8)
        elif event.text() in ("f", "F"):
            self.fit()
        else:
            return False
        return True

    def _act_by_key(self, key: int) -> bool:
        if self.taken is None:
            return False
        if key == Qt.Key.Key_Space:
            self.state.pin(self.taken.thing)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.document.set_focus(self.taken.word)
        elif key == Qt.Key.Key_F2:
            self.type_numbers(self.taken)
        else:
            return False
        return True

    def _numbers_of(self, arrow: Arrow) -> list[float]:
        """The numbers of an arrow that the plane shows."""
        vector = self._vector_of(arrow)
        return [vector[component] for component in self.components]

    def _move_by_key(self, arrow: Arrow, numbers: list[float]) -> None:
        if why := self.why_fixed(arrow):
            self.state.announce(why)
            return
        edit = self._moved(arrow, numbers, f"keys {id(self)} {self._visit}")
        self._visit_text = edit.text
        self.do(edit)
        self._rest.start()

    def _moved(self, arrow: Arrow, numbers: list[float], merge: str = "") -> Edit:
        document = self.document
        document.give_up()
        vector = self._vector_of(arrow)
        for component, number in zip(self.components, numbers, strict=True):
            vector[component] = number
        return edits.move_vector(
            document.kept, document.head, arrow.role, arrow.word, vector, merge
        )

    # Typing

    def type_numbers(self, arrow: Arrow) -> None:
        """Let an arrow's numbers be typed beside its tip."""
        self._close_entry()
        if why := self.why_fixed(arrow):
            self.state.announce(why)
            return
        self.take(arrow)
        name = f"{ROLES[arrow.role].letter} {name_of(self.document.sentence, arrow.word)}"
        entry = NumberEntry(name, self._numbers_of(arrow), self)
        entry.entered.connect(self._typed)
        entry.refused.connect(self.state.announce)
        entry.closed.connect(self._close_entry)
        self._entry, self._entry_for = entry, arrow
        x, y = self.drawn[arrow][1]
        entry.move(*self._inside(x + 14, y + 14, entry))
        entry.begin()

    def _typed(self, numbers: list[float]) -> None:
        arrow = self._entry_for
        if arrow is None or arrow not in self.tips or self.do(self._moved(arrow, numbers)):
            self._close_entry()
            self._speak()

    def _close_entry(self) -> None:
        entry, self._entry, self._entry_for = self._entry, None, None
        if entry is not None:
            had_focus = QApplication.focusWidget() in entry.fields
            entry.hide()
            entry.deleteLater()
            if had_focus:
                self.surface.setFocus()

    # The menu

    def _ask_menu(self, event: QContextMenuEvent) -> None:
        self.end_gesture()
        at = QPointF(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            arrow = self.taken
            if arrow is not None:
                at = QPointF(*self.drawn[arrow][1])
        else:
            pile = self.pile_at(at)
            arrow = self._first_of(pile) if pile else self._line_at(at)
        self.open_menu(arrow, at.toPoint())

    def open_menu(self, arrow: Arrow | None, at: QPoint) -> PlaneMenu:
        """The menu of an arrow, or of the ground where None."""
        if arrow is not None:
            self.take(arrow)
        menu = PlaneMenu(self.state, self.layers, arrow, self)
        if arrow is not None:
            menu.offer_arrow(
                is_focus=arrow.word == self.document.sentence.focus,
                is_fixed=bool(self.why_fixed(arrow)),
                is_made=self.is_made and arrow.role != "output",
                is_pinned=self.state.pinned == arrow.thing,
            )
        menu.chosen.connect(self._menu_chosen)
        menu.popup(self.surface.mapToGlobal(at))
        return menu

    def _menu_chosen(self, what: str, arrow: Arrow | None) -> None:
        if what == "fit":
            self.fit()
        if arrow is None or arrow not in self.tips:
            return
        if what == "focus":
            self.document.set_focus(arrow.word)
        elif what == "type":
            self.type_numbers(arrow)
        elif what == "pin":
            self.state.pin(arrow.thing)
        elif what == "free":
            self.make_free()

    # Breathing

    def breathe(self) -> None:
        """Let the tip of the focus word's first arrow ask to be dragged, for 5 seconds at most."""
        self._be_fresh()
        self._breaths = 0
        self._breath.start()
        self._breathe_on()

    def stop_breathing(self) -> None:
        """It has been understood."""
        self._breath.stop()
        self._glow.show(False)

    def _breathe_on(self) -> None:
        arrow = Arrow(self.roles[0], self.document.sentence.focus)
        self._breaths += self._breath.interval()
        if arrow not in self.drawn or self._breaths > BREATHS or not self.isVisible():
            self.stop_breathing()
            return
        share = 0.6
        if not self.state.reduced_motion:
            share = 0.5 - 0.5 * math.cos(math.tau * self._breaths / 1600)
        color = self._inks.look.pale(arrow.role, 0.35 - 0.1 * share)
        radius = (12 + 8 * share) * self._inks.size()
        self._glow.show_ring(self.drawn[arrow][1], radius, color, self._inks, is_filled=True)

    def _press(self, event: QMouseEvent) -> None:
        self.stop_breathing()
        super()._press(event)

    # Leaving

    def refresh(self) -> None:
        super().refresh()
        if self.document.before is not None:
            self.stop_breathing()
        if self._entry_for is not None and self._entry_for not in self.tips:
            self._close_entry()

    def hideEvent(self, event: QHideEvent) -> None:
        self.stop_breathing()
        self._close_entry()
        super().hideEvent(event)
