"""The row of weights under the words: a coloured cell a word, with its number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup

from engine.notation import write_share
from engine.palette import Theme, weight_colors
from engine.softmax import FloatArray
from scenes.parts.grid import hatch_shape
from scenes.parts.layout import Box
from scenes.parts.number import Number

__all__ = ["ShareCells"]


class ShareCells(VGroup):
    """One cell a word, its fill and number telling the weight; `show` changes them in place.

    weights (n,); may_see: whether each word may be looked at (else its cell is hatched and holds
    no number); columns: each word's x; y: the row's middle; a cell is at most `pitch` wide.
    """

    def __init__(
        self,
        weights: FloatArray,
        may_see: Sequence[bool],
        columns: Sequence[float],
        y: float,
        pitch: float,
        theme: Theme,
        size: float,
        digits: int,
    ) -> None:
        super().__init__()
        self.theme, self.digits, self.y = theme, digits, y
        self.columns = list(columns)
        width, height = min(0.92 * pitch, 1.3), size * 1.5
        room = max(float(Number("<0.01", size, theme.ink, 600).width), 1e-6)
        self.numbers, self.cells, boxes = VGroup(), VGroup(), []
        for x in self.columns:
            cell = Rectangle(width=width, height=height, stroke_color=theme.faint, fill_opacity=1.0)
            cell.set_stroke(width=1.2 * theme.stroke)
            self.cells.add(cell.move_to((x, y, 0.0)))
            boxes.append(Box(x - width / 2, x + width / 2, y - height / 2, y + height / 2))
            self.numbers.add(Number("0", size * min(1.0, 0.9 * width / room), theme.ink, 600))
        hatch = hatch_shape([box for box, may in zip(boxes, may_see) if not may], 0.13)
        hatch.set_stroke(theme.faint, width=1.5 * theme.stroke)
        self.hidden = [not may for may in may_see]
        for j in (j for j, is_hidden in enumerate(self.hidden) if is_hidden):
            self.cells[j].set_fill(theme.ground)
            self.numbers[j].set_points(np.zeros((0, 3)))
        self.add(self.cells, hatch, self.numbers)
        self.show(weights)

    def show(self, weights: FloatArray) -> None:
        """Fill and number for these weights (n,)."""
        for j in (j for j, is_hidden in enumerate(self.hidden) if not is_hidden):
            weight = float(weights[j])
            fill, ink = weight_colors(self.theme, weight)
            self.cells[j].set_fill(fill, opacity=1.0)
            text = write_share(weight, self.digits)
            self.numbers[j].rewrite(text, self.columns[j], self.y).set_color(ink)
