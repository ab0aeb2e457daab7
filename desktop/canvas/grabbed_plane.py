"""What the mouse does on a plane: points at arrows, grabs and pins them, pushes the ground."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop import edits
from desktop.canvas.arrows import Arrow, readout, spoken
from desktop.canvas.drawn_plane import DrawnPlane
from desktop.canvas.gestures import DragTip, Gesture, PanGround
from desktop.canvas.grid_lines import step_of
from desktop.canvas.hit import after, on_line, under
from desktop.canvas.lens import Lens, Pixel
from desktop.document import Document
from desktop.edits import Edit, name_of
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from engine.notation import write_number
from engine.palette import ROLES
from engine.softmax import FloatArray

__all__ = ["GrabbedPlane"]

REST = 300
"""What the keyboard is at is spoken of once, when nothing has moved for so many milliseconds."""

TICK = 30
"""How often the picture follows a tip that is dragged over its edge, in milliseconds."""

HOW_TO_MOVE = "drag, or arrow keys · Shift ×10 · Ctrl ÷10 · Alt turns"


class GrabbedPlane(DrawnPlane):
    """A plane whose arrows can be grabbed by their tips."""

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        surface = self.surface
        surface.pressed.connect(self._press)
        surface.moved.connect(self._move)
        surface.released.connect(self._release)
        surface.left.connect(self._leave)
        document.drag_ended.connect(self._drag_ended)
        self.free = QPushButton("Make free", self)
        self.free.setToolTip("Keep these vectors as they are, no longer made by W")
        self.free.clicked.connect(self.make_free)
        self.free.hide()
        self._gesture: Gesture | None = None
        self._grabbed: Arrow | None = None
        self._chosen: Arrow | None = None
        """Taken by a click or Tab: grabbed before the others that its tip lies on."""
        self._pile: list[Arrow] = []
        self._pressed_on = document.kept
        self._pointed: Thing | None = None
        self._hand = QPointF()
        self._is_coarse = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._speak)
        self._follow = QTimer(self)
        self._follow.setInterval(TICK)
        self._follow.timeout.connect(self._follow_tip)

    # What lies where

    def pile_at(self, at: QPointF) -> list[Arrow]:
        """The arrows that can be grabbed at a place, the first one first."""
        tips = {arrow: tip for arrow, (_, tip) in self.drawn.items()}
        focus = self.document.sentence.focus
        # Those that can't be moved come last among equals.
        order = sorted(tips, key=lambda arrow: arrow.role == "output")
        first = Arrow("query", focus)
        return under(at.toTuple(), {arrow: tips[arrow] for arrow in order}, 1.0, first)

    def thing_at(self, at: QPointF) -> Thing | None:
        """What is lit where the pointer is here."""
        if pile := self.pile_at(at):
            return self._first_of(pile).thing
        if (thing := self.sum_at(at.toTuple())) is not None:
            return thing
        arrow = self._line_at(at)
        return None if arrow is None else arrow.thing

    def _first_of(self, pile: list[Arrow]) -> Arrow:
        return self._chosen if self._chosen in pile else pile[0]

    def _line_at(self, at: QPointF) -> Arrow | None:
        if self.is_line:
            return None
        lens = self.surface.lens
        first = Arrow("query", self.document.sentence.focus)
        return on_line(lens.vector(at.toTuple()), self.tips, lens.scale, first)

    def sum_at(self, at: tuple[float, float]) -> Thing | None:
        """What lies here that isn't an arrow: the foot of a key."""
        return None

    def _vector_of(self, arrow: Arrow) -> list[float]:
        """All numbers of an arrow."""
        vectors: FloatArray = getattr(self.document.calculation.attention, arrow.role)
        return vectors[arrow.word].tolist()

    # The mouse

    def _press(self, event: QMouseEvent) -> None:
        self.end_gesture()
        self.free.hide()
        self._hand = event.position()
        at = self._hand.toTuple()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._begin(PanGround(at, self.surface.lens, self), None)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.surface.setFocus(Qt.FocusReason.MouseFocusReason)
        if pile := self.pile_at(self._hand):
            arrow = self._first_of(pile)
            self._begin(self._gesture_for(arrow, at), arrow)
        elif (
            event.type() == QMouseEvent.Type.MouseButtonDblClick
            and self.thing_at(self._hand) is None
        ):
            self.fit()
        else:
            self._begin(PanGround(at, self.surface.lens, self), None)

    def _gesture_for(self, arrow: Arrow, at: Pixel) -> Gesture:
        if self.why_fixed(arrow):
            return Gesture(at, self)
        return DragTip(
            at,
            self.document,
            arrow.role,
            arrow.word,
            self._vector_of(arrow),
            self.components,
            self.surface.lens,
            self,
        )

    def _begin(self, gesture: Gesture, arrow: Arrow | None) -> None:
        self._gesture, self._grabbed = gesture, arrow
        # A tip that is pressed but not moved yet knows nothing of edits that come in between.
        self._pressed_on = self.document.kept
        gesture.started.connect(self._started)
        gesture.clicked.connect(self._clicked)
        gesture.finished.connect(self._finished)
        gesture.cancelled.connect(self._finished)
        if isinstance(gesture, PanGround):
            gesture.moved.connect(self._pan_to)

    def _move(self, event: QMouseEvent) -> None:
        self._hand = event.position()
        self._is_coarse = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self._gesture is not None and not event.buttons():
            self.end_gesture()  # it was let go where nobody told us
        if self._gesture is None:
            if not event.buttons():
                self._point_at(self._hand)
            return
        self._move_on()

    def _move_on(self) -> None:
        gesture = self._gesture
        if gesture is None:
            return
        gesture.move(self._hand.toTuple(), self.surface.lens, self._step())
        if isinstance(gesture, DragTip) and gesture.is_started and not gesture.is_over:
            if not self._follow.isActive() and self._outside() != (0.0, 0.0):
                self._follow.start()
            self._say_drag()

    def _step(self) -> float:
        """What a drag rounds to: the snap that is set; with Shift, halves of the grid."""
        if self._is_coarse:
            return self.half_a_line
        return self.state.snap

    @property
    def half_a_line(self) -> float:
        """Half of how far the grid's lines are apart."""
        return step_of(self.surface.lens, self.line_height) / 2

    def _release(self, event: QMouseEvent) -> None:
        self._hand = event.position()
        ending = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton)
        if self._gesture is not None and event.button() in ending:
            try:
                self._gesture.release()
            except ValueError as error:
                self.state.announce(str(error))
                self._finished()
        self._point_at(self._hand)

    def _started(self) -> None:
        cursor = Qt.CursorShape.ForbiddenCursor
        if isinstance(self._gesture, DragTip):
            self._chosen, self._pile = None, []
            self.take(self._grabbed)
            if self._grabbed is not None:  # a tip that is let go is nothing new under the pointer
                self._pointed = self._grabbed.thing
                self.state.hover(self._pointed)
            cursor = Qt.CursorShape.ClosedHandCursor
        elif isinstance(self._gesture, PanGround):
            cursor = Qt.CursorShape.SizeAllCursor
        else:
            self._refuse_drag()
        self.surface.setCursor(cursor)

    def _clicked(self) -> None:
        """A click takes the arrow and pins it; a second one the next arrow of a pile."""
        arrow = self._grabbed
        self._drop_gesture()
        if arrow is None or arrow not in self.drawn:
            self._chosen, self._pile = None, []
            self.take(None)
            # On the ground, what is pinned is let go.
            self.state.pin(self.thing_at(self._hand) or self.state.pinned)
            return
        pile = self.pile_at(self._hand)
        if self.state.pinned == arrow.thing and len(pile) > 1:
            arrow = after(pile, arrow)
        self._chosen, self._pile = arrow, pile
        self.take(arrow)
        self.state.pin(arrow.thing)
        self._speak()

    def _finished(self) -> None:
        was_drag = isinstance(self._gesture, DragTip)
        self._drop_gesture()
        self.surface.unsetCursor()
        if was_drag:
            self._rest.start()
            if self._is_fitted and self._is_out():
                self._fit(animated=not self.state.reduced_motion)

    def _drop_gesture(self) -> None:
        self._follow.stop()
        gesture, self._gesture, self._grabbed = self._gesture, None, None
        if gesture is not None:
            gesture.deleteLater()

    def end_gesture(self) -> None:
        """Give up what a hand is at."""
        if self._gesture is not None:
            self._gesture.cancel()

    def _drag_ended(self) -> None:
        """The drag is over; if not by the hand, then the hand has nothing left to move."""
        gesture = self._gesture
        if isinstance(gesture, DragTip) and gesture.is_started:
            gesture.cancel()

    def _refuse_drag(self) -> None:
        if self._grabbed not in self.drawn or not (why := self.why_fixed(self._grabbed)):
            return
        self.state.announce(why)
        if self.is_made and self._grabbed.role != "output":
            self.free.adjustSize()
            x, y = self.drawn[self._grabbed][1]
            self.free.move(*self._inside(x + 14, y + 14, self.free))
            self.free.show()
            self.free.raise_()

    def why_fixed(self, arrow: Arrow) -> str:
        """Why an arrow can't be moved; "" where it can."""
        sentence = self.document.sentence
        name = f"{ROLES[arrow.role].letter}({name_of(sentence, arrow.word)})"
        if arrow.role == "output":
            return f"{name} is the weighted mixture of the values: move those, or a query or a key"
        if self.is_made:
            return f"{name} is made by W from the embeddings: make it free to move it"
        return ""

    def make_free(self) -> None:
        """Let the head's vectors be moved, no longer made by W."""
        self.free.hide()
        if self.is_made:
            self.do(edits.make_free(self.document.kept, self.document.head))
            self.state.announce("The vectors are free now: they keep what W gave them")

    def do(self, edit: Edit) -> bool:
        """Do an edit; what isn't valid is said and changes nothing."""
        try:
            self.document.edit(edit)
        except ValueError as error:
            self.state.announce(str(error))
            return False
        return True

    def _inside(self, x: float, y: float, widget: QWidget) -> tuple[int, int]:
        """A place for a small widget at (x, y), all of it in the plane."""
        return (
            int(max(0, min(x, self.width() - widget.width()))),
            int(max(0, min(y, self.height() - widget.height()))),
        )

    def _pan_to(self, lens: Lens) -> None:
        self._is_fitted = False
        self.surface.set_lens(lens)

    def _outside(self) -> tuple[float, float]:
        """How far the pointer is outside the picture, to the right and downwards."""
        lens, x, y = self.surface.lens, *self._hand.toTuple()
        return (x - min(max(x, 0.0), lens.width), y - min(max(y, 0.0), lens.height))

    def _follow_tip(self) -> None:
        """The picture goes softly after a tip that is dragged over its edge."""
        right, down = self._outside()
        if not isinstance(self._gesture, DragTip) or (right, down) == (0.0, 0.0):
            self._follow.stop()
            return
        far = math.hypot(right, down)
        by = min(far, 60.0) * 0.12 / far
        self.surface.set_lens(self.surface.lens.panned(-right * by, -down * by))
        self._move_on()

    def _point_at(self, at: QPointF) -> None:
        thing = self.thing_at(at)
        pile = self.pile_at(at)
        cursor = Qt.CursorShape.ArrowCursor
        if pile:
            is_fixed = bool(self.why_fixed(self._first_of(pile)))
            cursor = Qt.CursorShape.PointingHandCursor
            if not is_fixed:
                cursor = Qt.CursorShape.OpenHandCursor
        if self.surface.cursor().shape() != cursor:
            self.surface.setCursor(cursor)
        if thing != self._pointed:
            self._pointed = thing
            self.state.hover(thing)
            if thing is not None:
                self._say_pointed(thing)

    def _leave(self) -> None:
        if self._pointed is not None:
            self._pointed = None
            self.state.hover(None)

    # What is said

    def _say_pointed(self, thing: Thing) -> None:
        for arrow in self.tips:
            if arrow.thing == thing:
                self.state.announce(f"{self._readout(arrow)}   {self._what_to_do(arrow)}")
                return
        if thing.listens is not None and thing.heard is not None:
            self.state.announce(self._readout_of_score(thing.listens, thing.heard))

    def _what_to_do(self, arrow: Arrow) -> str:
        return self.why_fixed(arrow) or HOW_TO_MOVE

    def _readout(self, arrow: Arrow) -> str:
        return readout(self.document.calculation, arrow)

    def _readout_of_score(self, listens: int, heard: int) -> str:
        calculation = self.document.calculation
        sentence = calculation.sentence
        score = float(calculation.attention.scores[listens, heard])
        text = write_number(score, calculation.digits)
        return (
            f"q({name_of(sentence, listens)}) · k({name_of(sentence, heard)}) = {text}   "
            "how far the foot is, times how long the query is"
        )

    def _say_drag(self) -> None:
        if self._grabbed is None or self._grabbed not in self.tips:
            return
        if step := self._step():
            how = f"in steps of {write_number(step, _digits(step))}"
        else:
            half = self.half_a_line
            how = f"Shift: in steps of {write_number(half, _digits(half))}"
        self.state.announce(f"{self._readout(self._grabbed)}   {how} · Esc gives up")

    def _speak(self) -> None:
        if self.taken is not None and self.taken in self.tips:
            text = spoken(self.document.calculation, self.taken)
            self.surface.setAccessibleDescription(text)
            self.state.announce(text)

    # The keyboard's place

    def take(self, arrow: Arrow | None) -> None:
        """The keyboard is at this arrow, or at none."""
        self.taken = arrow
        self.state.reach(arrow.thing if arrow is not None else None)
        if self.isVisible():
            self._draw()

    def refresh(self) -> None:
        gesture = self._gesture
        is_other = self.document.kept is not self._pressed_on
        if gesture is not None and self._grabbed and not gesture.is_started and is_other:
            gesture.cancel()
        super().refresh()
        if not self.is_made:
            self.free.hide()

    def hideEvent(self, event: QHideEvent) -> None:
        self.end_gesture()
        self._rest.stop()
        self._follow.stop()
        self._leave()
        super().hideEvent(event)


def _digits(step: float) -> int:
    """How many decimals a step of a power of ten, or of half of one, is written with."""
    return max(0, 1 - math.floor(math.log10(step)))
