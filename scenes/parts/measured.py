"""A measure of every word as a row of bars under the words, with its name and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Animation, Mobject, UpdateFromAlphaFunc, VGroup
from numpy.typing import NDArray

from engine.palette import Theme
from scenes.parts.bars import BarRow, NumberRow, Numbers, unit
from scenes.parts.layout import Box
from scenes.parts.type import Text

__all__ = ["MeasuredRow"]

Floats = NDArray[np.floating]

AIR = 0.1


class MeasuredRow(VGroup):
    """`name` at the left of `box`, a bar over each column, the numbers under the bars.

    measured (n,): how long the bars get, the longest as high as there is room; texts: all that
    will ever be written under them; color: the bars'. `show` lets them stand at other numbers.
    """

    def __init__(
        self,
        name: str,
        measured: Numbers,
        texts: Sequence[str],
        columns: Sequence[float],
        pitch: float,
        box: Box,
        color: str,
        theme: Theme,
        sizes: tuple[float, float],
        masked: Sequence[bool],
    ) -> None:
        super().__init__()
        self.color, self.columns = color, columns
        self.numbers = NumberRow(texts, columns, pitch, 0.0, *sizes, theme.ink, 600)
        base = box.bottom + self.numbers.depth + AIR
        self.line = base - AIR - 0.5 * self.numbers.size
        self.unit = unit(measured, box.top - base)
        self.bars = BarRow(columns, pitch, base, theme, masked).edge(color)
        self.name = Text(name, sizes[1], theme.dim)
        self.name.shift((box.left, 0.0, 0.0)).on_baseline(self.line - 0.36 * sizes[1])
        self.add(self.bars, self.numbers, self.name)
        self.show(measured, texts)

    def show(self, measured: Numbers, texts: Sequence[str]) -> MeasuredRow:
        """Stand at these numbers, written so; "" for no number."""
        heights = [float(number) * self.unit for number in measured]
        self.bars.stand(heights, [self.color] * len(heights))
        for i, text in enumerate(texts):
            if text:
                y = self.numbers.line(i, self.line)
                self.numbers[i].rewrite(text, self.columns[i], y)
            self.numbers[i].set_fill(opacity=1.0 if text else 0.0)
        return self

    def change(
        self, start: Numbers, end: Numbers, write: Callable[[Floats], Sequence[str]]
    ) -> Animation:
        """Bars on their way from some numbers to others; `write` says what stands under them."""
        first, way = np.array(start), np.array(end) - np.array(start)

        def update(_: Mobject, alpha: float) -> None:
            now = first + way * alpha
            self.show(now, write(now))

        return UpdateFromAlphaFunc(self, update)
