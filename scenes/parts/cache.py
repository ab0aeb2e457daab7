"""The cache: keys and values of every word, a row a head; queries beside it; its bytes as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from engine.palette import ROLES, Theme, blend
from scenes.parts.bars import Bar
from scenes.parts.grid import boxes_shape
from scenes.parts.growth_chart import in_binary
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.type import Text, set_line

__all__ = ["ByteBars", "CacheRow", "QueryTile", "link_points"]

BAR, WEIGHT = 0.34, 650
HALVES = (("key", -1), ("value", 1))


class CacheRow(VGroup):
    """One head's key (hollow) and value (filled) of every word, side by side, at y.

    Their letters, as high as `size`, stand in them where there is room.
    """

    def __init__(
        self,
        columns: Sequence[float],
        width: float,
        y: float,
        height: float,
        theme: Theme,
        size: float,
    ) -> None:
        super().__init__()
        has_letters = size <= min(0.9 * height, 0.3 * width)
        for role, side in HALVES:
            color, half = theme.role(role), width / 4
            places = [(x + side * half, y) for x in columns]
            shape = Box(0.0, 2 * half - 0.05, 0.0, height)
            boxes = boxes_shape([shape.around(*place) for place in places])
            boxes.set_stroke(color, 2.2 * theme.stroke)
            is_filled = role == "value"
            boxes.set_fill(color if is_filled else theme.ground, 1.0)
            ink = theme.ground if is_filled else color
            self.add(boxes)
            if has_letters:
                self.add(_letters(ROLES[role].letter, places, size, ink))


class QueryTile(VGroup):
    """A query, which nobody keeps: a filled tile with its letter."""

    def __init__(self, x: float, y: float, height: float, theme: Theme, size: float) -> None:
        super().__init__()
        color = theme.role("query")
        tile = boxes_shape([Box(0.0, 0.5, 0.0, height).around(x, y)])
        tile.set_stroke(color, 2.2 * theme.stroke).set_fill(color, 1.0)
        letter = ROLES["query"].letter
        self.add(tile, _letters(letter, [(x, y)], min(size, 0.8 * height), theme.ground))


class ByteBars(VGroup):
    """A bar for each of `counts` bytes in `box`, all to one scale, under a heading.

    Each has its name above it with its bytes at the right, and its source below. `names`, `bars`,
    `figures` and `sources` hold one a bar, to be brought in one by one.
    """

    def __init__(
        self,
        counts: Sequence[int],
        names: Sequence[str],
        sources: Sequence[str],
        box: Box,
        theme: Theme,
        sizes: tuple[float, float],
    ) -> None:
        super().__init__()
        self.box, self.theme, self.sizes = box, theme, sizes
        self.pitch = min(1.65, (box.height - sizes[1] * 1.6) / len(counts))
        self.names, self.bars, self.figures, self.sources = (VGroup() for _ in range(4))
        fill = blend(theme.ground, theme.weight, 0.45)
        for i, (count, name, source) in enumerate(zip(counts, names, sources)):
            y = self.line(i)
            self.names.add(self._at_left(name, sizes[0], y, theme.ink))
            self.figures.add(self.figure(i, count))
            width = box.width * count / max(counts)
            bar = Box(box.left, box.left + width, y - 0.18 - BAR, y - 0.18)
            self.bars.add(Bar(fill, theme.weight, theme).put(bar))
            below = bar.bottom - sizes[1] * 1.05
            self.sources.add(self._at_left(source, sizes[1], below, theme.dim))

    def line(self, i: int) -> float:
        """The baseline of a bar's name."""
        return self.box.top - self.sizes[1] * 1.6 - self.sizes[0] * 1.1 - self.pitch * i

    def heading(self, text: str) -> Text:
        """What all bars are of."""
        small = self.sizes[1]
        return self._at_left(text, small, self.box.top - small, self.theme.dim)

    def figure(self, i: int, count: int) -> VGroup:
        """Bytes at the right of a bar's name."""
        written, unit = in_binary(count)
        large, small = self.sizes
        text = Text(unit, small, self.theme.dim)
        text.shift((self.box.right - float(text.get_right()[0]), 0.0, 0.0))
        text.on_baseline(self.line(i))
        number = Number(written, large, self.theme.ink, 600)
        x = float(text.get_left()[0]) - 0.12
        return VGroup(number.rewrite(written, x, self.line(i) + 0.36 * large, edge=1), text)

    def _at_left(self, text: str, size: float, y: float, color: str) -> Text:
        return Text(text, size, color).shift((self.box.left, 0.0, 0.0)).on_baseline(y)


def link_points(start: tuple[float, float], end: tuple[float, float]) -> NDArray[np.float64]:
    """A curve from a query to the row that it asks, as Manim keeps one: (4, 3)."""
    (x, y), (u, v) = start, end
    middle = (x + u) / 2
    return np.array([(x, y, 0.0), (middle, y, 0.0), (middle, v, 0.0), (u, v, 0.0)])


def _letters(
    letter: str, places: Sequence[tuple[float, float]], size: float, color: str
) -> VMobject:
    """The same letter at every place, as one shape."""
    points = set_line(letter, WEIGHT).points * size
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    shape = VMobject(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
    shape.set_points(np.concatenate([points - middle + (*place, 0.0) for place in places]))
    return shape
