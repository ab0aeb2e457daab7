"""What one head asks: a query among the keys, first in a large plane, then in a small one."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, FadeIn, FadeOut, Mobject, VGroup

from engine.palette import Theme
from engine.softmax import FloatArray
from scenes.parts.fan import Fan, Named
from scenes.parts.layout import Box, box_of
from scenes.parts.plane import Plane, on_plane
from scenes.parts.type import Text

__all__ = ["HeadPicture"]


class HeadPicture:
    """A query (d_k,) and keys (n, d_k) as arrows, in the box `large` until it steps aside.

    names: the query's word, then the keys'. Vectors of more than two numbers lie in no plane: then
    `large` and `small` say how long they are, and there are no arrows.
    """

    def __init__(
        self,
        query: FloatArray,
        keys: FloatArray,
        names: Sequence[str],
        large: Box,
        small: Box,
        theme: Theme,
        size: float,
    ) -> None:
        self.theme, self.is_flat = theme, len(query) <= 2
        self.large: Mobject
        self.small: Mobject
        if not self.is_flat:
            self.large, self.small = (_note(len(query), box, theme, size) for box in (large, small))
            self.drawn: list[Mobject] = [self.large]
            self.grow: list[Animation] = []
            return
        roles = ["query", *["key"] * len(keys)]
        vectors = on_plane([query, *keys])
        named = [Named(*each) for each in zip(roles, vectors, names)]
        planes = [Plane(vectors, box, theme, is_line=len(query) == 1) for box in (large, small)]
        self.large, self.small = planes
        self.fan, self.goal = (Fan(named, plane, theme, size) for plane in planes)
        for plane, fan in zip(planes, (self.fan, self.goal)):
            plane.interrupt_axes([box_of(name) for name in fan.labels])
        self.drawn = [self.large, self.fan.arrows, self.fan.labels]
        pairs = zip(self.fan.arrows, self.fan.labels)
        self.grow = [part for arrow, name in pairs for part in (arrow.grow(), FadeIn(name))]

    def step_aside(self) -> list[Animation]:
        """From the large box to the small one."""
        moves: list[Animation] = [FadeOut(self.large), FadeIn(self.small)]
        self.drawn[0] = self.small
        return [*moves, *self.fan.slide_to(self.goal)] if self.is_flat else moves

    def dim_all_but(self, winner: int) -> list[Animation]:
        """Only the query and one key stay lit."""
        if not self.is_flat:
            return []
        changes: list[Animation] = []
        for j, (arrow, label) in enumerate(zip(self.fan.arrows[1:], self.fan.labels[1:])):
            if j != winner:
                changes += [
                    arrow.animate.tint(self.theme.faint),
                    label.animate.set_color(self.theme.dim),
                ]
        return changes


def _note(count: int, box: Box, theme: Theme, size: float) -> VGroup:
    note = Text(f"queries and keys of {count} numbers", size, theme.dim)
    note.shift((box.left + 0.25, 0.0, 0.0))
    return VGroup(note.on_baseline(box.top - 0.35))
