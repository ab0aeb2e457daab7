"""Several vectors from the origin of one plane, told apart and labelled."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Animation, UpdateFromAlphaFunc, VGroup

from engine.palette import ROLES, Theme
from engine.softmax import FloatArray
from scenes.parts.layout import Box, place_label
from scenes.parts.plane import Plane, on_plane
from scenes.parts.vector import Arrow, side_by_side
from scenes.parts.word import Word

__all__ = ["Fan", "Named"]

APART = 0.1
LABEL_WIDTH = 1.5
AIR = 0.08


@dataclass(frozen=True)
class Named:
    """A vector to draw: its role, its numbers (1 or 2) and the word it belongs to."""

    role: str
    vector: FloatArray
    word: str


class Fan(VGroup):
    """`named` as arrows on `plane`, those along one line side by side, labels off one another.

    arrows and labels are in the order given; `offsets` says how far aside each arrow stands. Labels
    keep off the boxes `keep_off` as well, but for those of the arrows `going` there.
    """

    def __init__(
        self,
        named: Sequence[Named],
        plane: Plane,
        theme: Theme,
        size: float,
        keep_off: Sequence[Box] = (),
        going: Collection[int] = (),
    ) -> None:
        super().__init__()
        flat = [on_plane([each.vector])[0] for each in named]
        self.plane = plane
        self.offsets = side_by_side([(float(x), float(y)) for x, y in flat], APART)
        self.arrows = VGroup()
        for each, aside in zip(named, self.offsets):
            start = plane.place(np.zeros(2)) + aside
            self.arrows.add(Arrow(each.role, start, plane.place(each.vector) + aside, theme))
        self.labels = VGroup()
        along = [box for arrow in self.arrows for box in _along(arrow)]
        placed: list[Box] = []
        for i, (each, arrow) in enumerate(zip(named, self.arrows)):
            label = self._label(each, theme, size)
            taken = along if i in going else [*along, *keep_off]
            box = _place(label, arrow, taken, placed, plane)
            placed.append(box)
            self.labels.add(label.move_to((*box.center, 0.0)))
        tips = [_around(arrow.end, 0.14) for arrow in self.arrows]
        plane.clear_numbers([*placed, *tips])
        self.add(self.arrows, self.labels)

    def slide_to(self, other: Fan) -> list[Animation]:
        """Every arrow and name on its way to where it is in `other`, a fan of the same vectors."""
        arrows = zip(self.arrows, other.arrows)
        labels = zip(self.labels, other.labels)
        moves: list[Animation] = [_sliding(arrow, goal) for arrow, goal in arrows]
        return moves + [label.animate.move_to(goal) for label, goal in labels]

    def _label(self, each: Named, theme: Theme, size: float) -> Word:
        text = f"{ROLES[each.role].letter} {each.word}"
        return Word(text, size, theme.role(each.role), width=LABEL_WIDTH, weight=600)


def _place(
    label: Word, arrow: Arrow, taken: Sequence[Box], placed: Sequence[Box], plane: Plane
) -> Box:
    """A free place for `label` by the arrow's tip, off the labels `placed` before all.

    Off the plane's axes and their numbers as well, if there is such a place nearby.
    """
    dx, dy = (arrow.end - arrow.start)[:2]
    toward = (float(dx), float(dy)) if abs(dx) + abs(dy) > 1e-6 else (0.0, 0.0)
    size = (float(label.width) + 2 * AIR, float(label.height) + AIR)
    tip = (float(arrow.end[0]), float(arrow.end[1]))
    return place_label(tip, toward, size, taken, plane.box, placed, spared=plane.marks())


def _sliding(arrow: Arrow, goal: Arrow) -> Animation:
    """An arrow on its way to where another is."""
    start, end = arrow.start, arrow.end
    return UpdateFromAlphaFunc(
        arrow,
        lambda arrow, alpha: arrow.put(
            start + (goal.start - start) * alpha, end + (goal.end - end) * alpha
        ),
    )


def _along(arrow: Arrow) -> list[Box]:
    """Small boxes strung along an arrow, for labels to keep off."""
    count = max(2, int(np.linalg.norm(arrow.end - arrow.start) / 0.12))
    points = np.linspace(arrow.start, arrow.end, count)
    return [*(_around(point, 0.07) for point in points), _around(arrow.end, 0.15)]


def _around(point: FloatArray, reach: float) -> Box:
    x, y = float(point[0]), float(point[1])
    return Box(x - reach, x + reach, y - reach, y + reach)
