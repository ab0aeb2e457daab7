"""One value that grows far beyond the others, and the output that follows it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Dot, FadeIn, FadeOut, Mobject, VGroup

from engine.palette import Theme
from engine.softmax import FloatArray
from scenes.parts.fan import Fan, Named
from scenes.parts.layout import Box, box_of, place_label
from scenes.parts.plane import Plane, on_plane
from scenes.parts.vector import Arrow

__all__ = ["Stretch"]

EDGE, APART = 0.5, 0.16
AIR, NEAR = 0.08, 0.8


class Stretch(VGroup):
    """Values and their output on a plane in `box`; value `j` can grow `times` as long.

    value (n, 1 or 2); output and after (1 or 2,): what is mixed before and when it has grown.
    `plane` and `fan` hold what stands now. `step_back` shows a plane that holds the output to come
    as well; three dots at its edge stand for what lies outside.
    """

    def __init__(
        self,
        value: FloatArray,
        names: Sequence[str],
        output: FloatArray,
        after: FloatArray,
        j: int,
        times: float,
        word: str,
        box: Box,
        theme: Theme,
        size: float,
    ) -> None:
        super().__init__()
        self.value, self.j, self.times, self.theme = value, j, times, theme
        self.mixed = (output, after)
        named = [Named("value", v, name) for v, name in zip(value, names)]
        named.append(Named("output", output, word))
        points = [*on_plane(value), *on_plane([output])]
        is_line = value.shape[-1] == 1
        self.plane = Plane(points, box, theme, is_line=is_line)
        self.far = Plane([*points, *on_plane([after])], box, theme, is_line=is_line)
        if self.far.unit > NEAR * self.plane.unit:
            self.plane = self.far
        self.fan = Fan(named, self.plane, theme, size)
        self.dots = VGroup(*(Dot(radius=0.04, color=theme.role("value")) for _ in range(3)))
        self.dots.set_opacity(0.0)
        self.room = Box(box.left + EDGE, box.right - EDGE, box.bottom + EDGE, box.top - EDGE)
        self.far_fan = self.fan
        if self.far is not self.plane:
            ways, going = self._ways_to_come(), (j, len(named) - 1)
            self.far_fan = Fan(named, self.far, theme, size, keep_off=ways, going=going)
        self.aside = self._places_of_names()

    @property
    def moving(self) -> list[Mobject]:
        """What `grow` changes."""
        labels, arrows = self.fan.labels, self.fan.arrows
        return [arrows[self.j], self.dots, arrows[-1], labels[self.j], labels[-1]]

    def appear(self) -> list[Animation]:
        """Arrow after arrow, each with its name."""
        pairs = zip(self.fan.arrows, self.fan.labels)
        return [part for arrow, label in pairs for part in (arrow.grow(), FadeIn(label))]

    def step_back(self) -> list[Animation]:
        """To the plane that also holds the output to come; nothing where it holds it already."""
        if self.far is self.plane:
            return []
        old, self.plane = self.plane, self.far
        return [FadeOut(old), FadeIn(self.far), *self.fan.slide_to(self.far_fan)]

    def leave_trace(self) -> Arrow:
        """The output as it was, to stand behind the one that moves."""
        return self.fan.arrows[-1].copy().tint(self.theme.faint)

    def grow(self, times: float, mixed: FloatArray) -> None:
        """Draw the value `times` as long, and the output `mixed` that it makes."""
        value, output = self.fan.arrows[self.j], self.fan.arrows[-1]
        end = self._end(times)
        tip: FloatArray = self._inside(value.start, end)
        value.put(value.start, tip)
        self.dots.set_opacity(0.0)
        if np.any(tip != end):
            value.head.set_fill(opacity=0.0)
            step = _direction(end - tip) * APART
            for i, dot in enumerate(self.dots.set_opacity(1.0)):
                dot.move_to(tip + step * (i + 1))
        output.put(output.start, self.plane.place(mixed) + self.fan.offsets[-1])
        done = float(np.log(times) / np.log(self.times))
        for i, point in ((self.j, tip), (-1, output.end)):
            start, goal = self.aside[i]
            self.fan.labels[i].move_to(point + start + (goal - start) * done)

    def _end(self, times: float) -> FloatArray:
        end = self.far.place(self.value[self.j] * times) + self.fan.offsets[self.j]
        return np.asarray(end)

    def _inside(self, start: FloatArray, end: FloatArray) -> FloatArray:
        """`end`, or where the way there leaves the picture."""
        share, room = 1.0, self.room
        for axis, (low, high) in enumerate(((room.left, room.right), (room.bottom, room.top))):
            way = float(end[axis] - start[axis])
            if way:
                edge = high if way > 0 else low
                share = min(share, max(float(edge - start[axis]) / way, 0.0))
        return end if share == 1.0 else np.asarray(start + (end - start) * share)

    def _ways_to_come(self) -> list[Box]:
        """Small boxes along the value and the output when it has grown, on the far plane."""
        origin, last = self.far.place(np.zeros(2)), self.far.place(self.mixed[1])
        tip = self._inside(origin, self._end(self.times))
        beyond = tip + _direction(tip - origin) * APART * 4
        return [_around(at) for end in (beyond, last) for at in np.linspace(origin, end, 40)]

    def _places_of_names(self) -> dict[int, tuple[FloatArray, FloatArray]]:
        """How far from their tips the names of the two that move stand at first, and at last."""
        far, labels, arrows = self.far, self.far_fan.labels, self.far_fan.arrows
        origin, last = far.place(np.zeros(2)), far.place(self.mixed[1])
        tip = self._inside(origin, self._end(self.times))
        placed = [box_of(label) for i, label in enumerate(labels[:-1]) if i != self.j]
        taken = self._ways_to_come()
        for end in map(far.place, self.value):
            taken += [_around(at) for at in np.linspace(origin, end, 40)]
        aside: dict[int, tuple[FloatArray, FloatArray]] = {}
        for i, point in ((self.j, tip), (-1, last)):
            size = (float(labels[i].width) + AIR, float(labels[i].height) + AIR)
            toward = (float(point[0] - origin[0]), float(point[1] - origin[1]))
            near = (float(point[0]), float(point[1]))
            box = place_label(near, toward, size, taken, far.box, placed, spared=far.marks())
            placed.append(box)
            start = np.array(labels[i].get_center() - arrows[i].end)
            aside[i] = start, np.array((*box.center, 0.0)) - point
        far.clear_numbers(placed)
        return aside


def _direction(way: FloatArray) -> FloatArray:
    return np.asarray(way / (float(np.hypot.reduce(way)) or 1.0))


def _around(point: FloatArray) -> Box:
    x, y = float(point[0]), float(point[1])
    return Box(x - 0.08, x + 0.08, y - 0.08, y + 0.08)
