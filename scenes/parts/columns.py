"""Vectors of many numbers, which no plane can show: columns of their entries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject

from engine.notation import write_entries
from engine.palette import ROLES, Theme
from engine.softmax import FloatArray
from scenes.parts.layout import ROW_NAMES, Box
from scenes.parts.number import Number
from scenes.parts.type import Text

__all__ = ["EntryColumn", "KeyColumns", "ValueColumns"]

MOST_ENTRIES = 6


class EntryColumn(VGroup):
    """The entries of one vector one under another, in brackets, its letter on top.

    entries (d,); of more than six the first five and dots. Centred at the origin, at most `width`
    wide. `numbers` are the entries drawn.
    """

    def __init__(
        self,
        role: str,
        entries: FloatArray,
        theme: Theme,
        size: float,
        width: float,
        digits: int,
    ) -> None:
        super().__init__()
        texts = write_entries(entries, digits)
        is_cut = len(texts) > MOST_ENTRIES
        kept = texts[: MOST_ENTRIES - 1] if is_cut else texts
        color, leading = theme.role(role), size * 1.5
        self.numbers = VGroup(*(Number(text, size, color, 600) for text in kept))
        widest = max(float(number.width) for number in self.numbers)
        fit = min(1.0, (width - 0.2) / widest)
        for i, number in enumerate(self.numbers):
            number.scale(fit, about_point=np.zeros(3)).shift((0.0, -leading * i, 0.0))
        count = len(kept) + is_cut
        self.dots = VGroup()
        if is_cut:
            dots = (Number("·", size, color, 700) for _ in range(3))
            self.dots.add(*(d.shift((0.0, -leading * len(kept) + 0.13 * (1 - i), 0.0))
                            for i, d in enumerate(dots)))  # fmt: skip
        half = widest * fit / 2 + 0.1
        self.brackets = VGroup(*(_bracket(side * half, leading, count, theme) for side in (-1, 1)))
        self.letter = Text(ROLES[role].letter, size * 1.1, color, 650)
        self.letter.shift((-float(self.letter.get_center()[0]), 0.0, 0.0)).on_baseline(
            leading * 0.7
        )
        self.add(self.numbers, self.dots, self.brackets, self.letter)
        self.shift((0.0, -float(self.get_center()[1]), 0.0))

    def tint(self, color: str) -> EntryColumn:
        """Write it all in `color`: dimmed, or lit again."""
        VGroup(self.numbers, self.dots, self.letter).set_color(color)
        return self


class KeyColumns(VGroup):
    """The query at the left, and each word's key under its word.

    query (d_k,), keys (n, d_k); columns: each word's x. `query` and `keys` are the columns drawn.
    """

    def __init__(
        self,
        query: FloatArray,
        keys: FloatArray,
        columns: Sequence[float],
        box: Box,
        theme: Theme,
        size: float,
        digits: int,
    ) -> None:
        super().__init__()
        pitch = columns[1] - columns[0] if len(columns) > 1 else 2.0
        self.query = EntryColumn("query", query, theme, size, ROW_NAMES * 0.9, digits)
        self.query.shift((box.left + ROW_NAMES * 0.45, box.center[1], 0.0))
        self.keys = VGroup()
        for key, x in zip(keys, columns):
            column = EntryColumn("key", key, theme, size, min(pitch * 0.92, 1.6), digits)
            self.keys.add(column.shift((x, box.center[1], 0.0)))
        self.add(self.query, self.keys)


class ValueColumns(VGroup):
    """Each word's value under its word, and the output at the left.

    values (n, d_v), output (d_v,); columns: each word's x. `values` and `output` are the columns
    drawn.
    """

    def __init__(
        self,
        values: FloatArray,
        output: FloatArray,
        columns: Sequence[float],
        box: Box,
        theme: Theme,
        size: float,
        digits: int,
    ) -> None:
        super().__init__()
        pitch = columns[1] - columns[0] if len(columns) > 1 else 2.0
        self.output = EntryColumn("output", output, theme, size, ROW_NAMES * 0.9, digits)
        self.output.shift((box.left + ROW_NAMES * 0.45, box.center[1], 0.0))
        self.values = VGroup()
        for value, x in zip(values, columns):
            column = EntryColumn("value", value, theme, size, min(pitch * 0.92, 1.6), digits)
            self.values.add(column.shift((x, box.center[1], 0.0)))
        self.add(self.output, self.values)


def _bracket(x: float, leading: float, count: int, theme: Theme) -> VMobject:
    top, bottom = leading * 0.5, -leading * (count - 0.5)
    inward = -0.07 if x > 0 else 0.07
    corners = [(x + inward, top), (x, top), (x, bottom), (x + inward, bottom)]
    bracket = VMobject(stroke_color=theme.dim, stroke_width=2 * theme.stroke)
    bracket.set_points_as_corners([np.array((*corner, 0.0)) for corner in corners])
    return bracket
