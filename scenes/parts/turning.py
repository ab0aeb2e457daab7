"""A key that is turned away from a query, on a small plane, until its score is below 0."""

from __future__ import annotations

import math

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from engine import in_their_plane
from engine.palette import Theme
from scenes.parts.fan import Fan, Named
from scenes.parts.layout import Box
from scenes.parts.pair import angle_of, turn
from scenes.parts.plane import Plane, on_plane
from scenes.parts.tip import beside_tip, settle

__all__ = ["TurningKey", "farthest_below"]

Vector = NDArray[np.floating]


class TurningKey(VGroup):
    """A query and a key in `box`; `put` turns the key from where it is to where it scores `score`.

    query and key (d,), drawn in the plane that holds both where d is above 2; with d = 1 there is
    no turning, and the key is pushed along its line. `score` is query · key × scale; words: whose
    query and whose key. Below, `score` says what the key scores now.
    """

    def __init__(
        self,
        query: Vector,
        key: Vector,
        scale: float,
        score: float,
        words: tuple[str, str],
        box: Box,
        theme: Theme,
        size: float,
    ) -> None:
        super().__init__()
        self.is_line, self.times, self.end_score = len(query) == 1, scale, score
        flat = in_their_plane(query, key) if len(query) > 2 else on_plane([query, key])
        self.query: Vector = flat[0]
        self.key: Vector = flat[1]
        now = math.remainder(angle_of(self.key) - angle_of(self.query), math.tau)
        lengths = float(np.linalg.norm(self.query) * np.linalg.norm(self.key)) * scale
        self.angle = math.copysign(math.acos(max(score / lengths, -1.0)), now) - now
        way = [self._at(alpha) for alpha in (0.0, 0.5, 1.0)]
        self.plane = Plane([self.query, *way], box, theme)
        named = [Named("query", self.query, words[0]), Named("key", self.key, words[1])]
        self.fan = Fan(named, self.plane, theme, size)
        self.arrow, self.label = self.fan.arrows[1], self.fan.labels[1]
        self.aside = self.label.get_center() - self.arrow.end
        self.score = float(self.query @ self.key) * scale
        self.add(self.plane, self.fan)

    def put(self, alpha: float) -> TurningKey:
        """Turn the key: 0 is where it was, 1 where it scores what it should."""
        key = self._at(alpha)
        self.score = float(self.query @ key) * self.times
        self.arrow.put(self.arrow.start, self.plane.place(key) + self.fan.offsets[1])
        tip = self.arrow.end
        beside = beside_tip(tip - self.arrow.start, self.label)
        self.label.move_to(tip + settle(self.aside, beside, alpha))
        return self

    def _at(self, alpha: float) -> Vector:
        if self.is_line:
            end = self.end_score / (self.query[0] * self.times)
            return np.array((self.key[0] + (end - self.key[0]) * alpha, 0.0))
        return turn(self.key, self.angle * alpha)


def farthest_below(query: Vector, key: Vector, scale: float) -> float:
    """The lowest score that turning `key` can reach."""
    return -float(np.linalg.norm(query) * np.linalg.norm(key)) * scale
