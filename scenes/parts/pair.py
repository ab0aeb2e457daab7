"""One query and one key on a plane, with the foot between them: the score as geometry."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from manim import Animation, UpdateFromAlphaFunc, VGroup

from engine import attend, project
from engine.notation import MINUS, write_entries
from engine.palette import Theme
from engine.softmax import FloatArray
from scenes.parts.board import Equation
from scenes.parts.foot import Perpendicular
from scenes.parts.layout import box_of
from scenes.parts.number import Number
from scenes.parts.plane import Plane
from scenes.parts.tip import beside_tip, settle
from scenes.parts.vector import Arrow
from scenes.parts.word import Word

__all__ = ["Pair", "angle_of", "turn"]

Vector = FloatArray


class Pair(VGroup):
    """A query's and a key's arrow on `plane`, the perpendicular, and foot × length = score.

    query and key (2,); arrows and labels: the query's, the key's.
    `set_key` moves the key and everything that follows from it, with the
    score computed by the engine; `equation` stands wherever it was put.
    """

    def __init__(
        self,
        plane: Plane,
        query: Vector,
        key: Vector,
        arrows: tuple[Arrow, Arrow],
        labels: tuple[Word, Word],
        theme: Theme,
        size: float,
        digits: int,
    ) -> None:
        super().__init__()
        self.plane, self.query, self.key, self.digits = plane, query, key, digits
        self.query_arrow, self.key_arrow = arrows
        self.query_label, self.label = labels
        origin = plane.place(np.zeros(2))
        self.query_aside = self.query_arrow.start - origin
        self.key_aside = self.key_arrow.start - origin
        self.perpendicular = Perpendicular(theme)
        names = ("foot", "query's length", "score")
        colors = (theme.highlight, theme.role("query"), theme.ink)
        entries = list(zip(self._texts(key), names, colors))
        reach = [text for each in (key, -key, 2 * key, 1.001 * key) for text in self._texts(each)]
        room = max(float(Number(MINUS + text, size, theme.ink, 600).width) for text in reach)
        self.equation = Equation(entries, theme, size, room)
        self._place_foot()

    def set_key(self, key: Vector) -> Pair:
        """Point the key at `key` (2,); foot, numbers and label follow."""
        self.key = key
        end = self.plane.place(key) + self.key_aside
        self.key_arrow.put(self.key_arrow.start, end)
        self._place_label(end)
        self._place_foot()
        self.equation.rewrite(self._texts(key))
        return self

    def move(self, path: Callable[[float], Vector]) -> Animation:
        """An animation that moves the key along `path` (0 to 1)."""
        start = self.label.get_center() - self.key_arrow.end

        def update(_: VGroup, alpha: float) -> None:
            self.set_key(path(alpha))
            tip = self.key_arrow.end
            self.label.move_to(tip + settle(start, self.label.get_center() - tip, alpha))
            self.make_way(alpha)

        moving = VGroup(self.key_arrow, self.label, self.perpendicular, self.equation)
        return UpdateFromAlphaFunc(moving, update)

    def make_way(self, alpha: float) -> None:
        """Axis numbers leave the place where the key's label has come to rest."""
        if alpha > 0.999:
            self.plane.clear_numbers([box_of(self.label)])

    def _place_foot(self) -> None:
        origin = self.plane.place(np.zeros(2)) + self.query_aside
        foot = self.plane.place(project(self.key, self.query)) + self.query_aside
        self.perpendicular.put(origin, self.key_arrow.end, foot)

    def _place_label(self, tip: Vector) -> None:
        self.label.move_to(tip + beside_tip(tip - self.key_arrow.start, self.label))
        self.label.shift((*box_of(self.label).off(box_of(self.query_label)), 0.0))

    def _texts(self, key: Vector) -> list[str]:
        """Foot (with its sign along the query), the query's length and the score, as one list."""
        foot = project(key, self.query)
        signed = math.copysign(float(np.linalg.norm(foot)), float(foot @ self.query))
        score = attend([self.query], [key], [[0.0]]).scores[0, 0]
        length = float(np.linalg.norm(self.query))
        return write_entries((signed, length, float(score)), self.digits)


def angle_of(vector: Vector) -> float:
    """The direction of a vector (2,), anticlockwise from x, in radians."""
    return math.atan2(float(vector[1]), float(vector[0]))


def turn(vector: Vector, angle: float) -> Vector:
    """`vector` (2,) turned anticlockwise by `angle` radians."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array((cos * vector[0] - sin * vector[1], sin * vector[0] + cos * vector[1]))
