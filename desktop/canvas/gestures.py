"""What a hand does on a plane from pressing to letting go: an object a gesture."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from desktop import edits
from desktop.canvas.lens import Lens, Pixel
from desktop.document import Document

__all__ = ["DragTip", "Gesture", "PanGround", "snapped", "turned"]

ENOUGH = 3.0
"""How many pixels the pointer moves before a press is a drag and no click."""


class Gesture(QObject):
    """One press of a button, until it is let go or given up; it ends exactly once.

    By itself it moves nothing: it is the drag of what can't be dragged.

    started: it is more than a click. finished: let go after that. clicked: let go without.
    cancelled: given up, and nothing is different from before.
    """

    started = Signal()
    finished = Signal()
    clicked = Signal()
    cancelled = Signal()

    def __init__(self, pressed: Pixel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pressed = pressed
        self.is_started = self.is_over = False

    def move(self, at: Pixel, lens: Lens, step: float = 0.0) -> None:
        """The pointer is here; step: what its place is rounded to, 0 for as fine as it can be."""
        if self.is_over:
            return
        if not self.is_started:
            if math.dist(at, self.pressed) < ENOUGH:
                return
            self.is_started = True
            self.started.emit()
        self._follow(at, lens, step)

    def release(self) -> None:
        """The button is let go."""
        if self.is_over:
            return
        self.is_over = True
        if self.is_started:
            self._finish()
            self.finished.emit()
        else:
            self.clicked.emit()

    def cancel(self) -> None:
        """Give it up."""
        if self.is_over:
            return
        self.is_over = True
        if self.is_started:
            self._undo()
        self.cancelled.emit()

    def _follow(self, at: Pixel, lens: Lens, step: float) -> None:
        pass

    def _finish(self) -> None:
        pass

    def _undo(self) -> None:
        pass


class DragTip(Gesture):
    """Moves a vector by its tip: shown as it goes, one edit when it is let go.

    components: the two entries (or the one) that the plane shows; the others stay. start: the
    vector as it is.
    """

    def __init__(
        self,
        pressed: Pixel,
        document: Document,
        role: str,
        word: int,
        start: Sequence[float],
        components: Sequence[int],
        lens: Lens,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(pressed, parent)
        self.role, self.word = role, word
        self._document = document
        self._start, self._components = list(start), tuple(components)
        x, y = lens.vector(pressed)
        # Where the tip is from the place it was grabbed at: it doesn't jump to the pointer.
        self._grip = [
            self._start[c] - at for c, at in zip(self._components, (x, y), strict=False)
        ]  # fmt: skip

    def _follow(self, at: Pixel, lens: Lens, step: float) -> None:
        vector = list(self._start)
        for component, place, grip in zip(
            self._components, lens.vector(at), self._grip, strict=False
        ):
            moved = place + grip
            # Where the hand moved along the other axis alone, this entry keeps all its digits.
            if step or abs(moved - vector[component]) * lens.scale >= 0.5:
                vector[component] = snapped(moved, step or lens.quantum)
        document = self._document
        if self.word < len(document.kept.words):
            document.preview(
                edits.move_vector(document.kept, document.head, self.role, self.word, vector)
            )

    def _finish(self) -> None:
        self._document.keep()

    def _undo(self) -> None:
        self._document.give_up()


class PanGround(Gesture):
    """Pushes the picture with the ground under the pointer."""

    moved = Signal(object)

    def __init__(self, pressed: Pixel, lens: Lens, parent: QObject | None = None) -> None:
        super().__init__(pressed, parent)
        self._lens = lens

    def _follow(self, at: Pixel, lens: Lens, step: float) -> None:
        self.moved.emit(self._lens.panned(at[0] - self.pressed[0], at[1] - self.pressed[1]))

    def _undo(self) -> None:
        self.moved.emit(self._lens)


def snapped(number: float, step: float) -> float:
    """The multiple of `step` next to a number, in as few digits as it has."""
    return float(f"{round(number / step) * step:.12g}") + 0.0


def turned(vector: Sequence[float], degrees: float, stretch: float = 1.0) -> list[float]:
    """A vector of two numbers turned to the left, and made longer; one of one is only stretched."""
    if len(vector) == 1:
        return [float(f"{vector[0] * stretch:.9g}")]
    x, y = vector
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    size = math.hypot(x, y)
    # What is left of a right angle's cosine is no number of anybody's.
    found = ((x * cos - y * sin) * stretch, (x * sin + y * cos) * stretch)
    return [0.0 if abs(c) < 1e-12 * size else float(f"{c:.9g}") for c in found]
