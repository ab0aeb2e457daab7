"""A row of a grid as a bar of length 1 beside it, cut into what each word gets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from engine.palette import Theme, weight_colors
from scenes.parts.bars import Hatch, Measure, Piece, Strip
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.word import Word

__all__ = ["RowBars"]

THICKEST, NAMES = 0.5, 1.2


class RowBars(VGroup):
    """A bar of length 1 for each row of `weights` in `box`, at `ys`; over them what 1 is.

    weights (n, m); what a row lacks of 1 goes to `others` (words not shown), or if it is all of it
    the row has no bar: it is hatched. names name the pieces; `listeners` stand before their bars
    ("" for none). `strips` holds a bar a row, None for a hatched one, and `rows` what is drawn.
    """

    def __init__(
        self,
        weights: NDArray[np.floating],
        names: Sequence[str],
        others: str,
        listeners: Sequence[str],
        ys: Sequence[float],
        box: Box,
        theme: Theme,
        least: float,
    ) -> None:
        super().__init__()
        self.theme, self.least = theme, least
        pitch = abs(ys[1] - ys[0]) if len(ys) > 1 else 1.0
        half = min(0.55 * pitch, THICKEST) / 2
        left = box.left + (NAMES if any(listeners) else 0.0)
        self.strips: list[Strip | None] = []
        self.rows = VGroup()
        for row, listener, y in zip(weights, listeners, ys):
            place = Box(left, box.right, y - half, y + half)
            strip = self._strip(row, [*names, others], place) if np.any(row) else None
            self.strips.append(strip)
            self.rows.add(strip or Hatch(place, theme))
            if listener:
                word = Word(listener, least, theme.ink, width=NAMES - 0.2, height=0.9 * pitch)
                word.shift((box.left - float(word.get_left()[0]), y - 0.11 * word.size, 0.0))
                self.add(word)
        top = ys[0] + half + 0.25
        one = Number("1", least, theme.dim).rewrite("1", (left + box.right) / 2, top)
        self.measure = VGroup(Measure(left, box.right, top, 2 * least, theme), one)
        self.names = VGroup(*self.submobjects)
        self.add(self.measure, self.rows)

    def _strip(self, row: NDArray[np.floating], names: Sequence[str], place: Box) -> Strip:
        theme = self.theme
        rest = max(1.0 - float(row.sum()), 0.0)
        parts = [*map(float, row), rest if rest > 1e-9 else 0.0]
        pieces = [Piece(n, *weight_colors(theme, w), theme.weight) for n, w in zip(names, row)]
        pieces.append(Piece(names[-1], theme.panel, theme.dim, theme.faint))
        return Strip(parts, pieces, place, theme, self.least)
