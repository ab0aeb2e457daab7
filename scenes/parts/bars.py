"""Bars: over the words' columns, to one scale; and one bar cut into pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from engine.palette import Theme, weight_colors
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.word import Word

__all__ = ["Bar", "BarRow", "Hatch", "Measure", "NumberRow", "Piece", "Strip", "Twin", "ribbons",
           "unit"]  # fmt: skip

Numbers: TypeAlias = Sequence[float] | NDArray[np.floating]

HAIRLINE = 0.03
BAR_SHARE, WIDEST_BAR = 0.62, 0.9
LINE, APART = 1.1, 0.35
ENDS = 0.09


class Bar(VMobject):
    """A rectangle that keeps the order of its corners, so that it turns into any other one."""

    def __init__(self, fill: str, edge: str, theme: Theme) -> None:
        super().__init__(fill_color=fill, fill_opacity=1.0, stroke_color=edge)
        self.set_stroke(width=1.6 * theme.stroke)
        self.put(Box(0.0, 1.0, 0.0, 1.0))

    def put(self, box: Box) -> Bar:
        """Cover `box`."""
        corners = [(box.left, box.bottom), (box.right, box.bottom), (box.right, box.top),
                   (box.left, box.top), (box.left, box.bottom)]  # fmt: skip
        return self.set_points_as_corners([np.array((x, y, 0.0)) for x, y in corners])


class Hatch(VMobject):
    """What is masked: an outline with slanted lines, which no amount of anything looks like."""

    def __init__(self, box: Box, theme: Theme, gap: float = 0.13) -> None:
        super().__init__(stroke_color=theme.faint, stroke_width=1.6 * theme.stroke)
        corners = [(box.left, box.bottom), (box.right, box.bottom), (box.right, box.top),
                   (box.left, box.top), (box.left, box.bottom)]  # fmt: skip
        self.set_points_as_corners([np.array((x, y, 0.0)) for x, y in corners])
        for offset in np.arange(gap, box.width + box.height, gap):
            low, high = max(0.0, offset - box.height), min(box.width, offset)
            self.start_new_path(np.array((box.left + low, box.bottom + offset - low, 0.0)))
            self.add_line_to(np.array((box.left + high, box.bottom + offset - high, 0.0)))


class BarRow(VGroup):
    """One bar a column, standing on `base`; one below 0 hangs from it, a masked one is hatched.

    columns: each bar's x; pitch: how far apart they are; masked: which columns have no bar.
    `heights` are what `stand` was last given.
    """

    def __init__(
        self,
        columns: Sequence[float],
        pitch: float,
        base: float,
        theme: Theme,
        masked: Sequence[bool],
    ) -> None:
        super().__init__()
        self.columns, self.base, self.theme, self.masked = columns, base, theme, masked
        self.bar_width = min(BAR_SHARE * pitch, WIDEST_BAR)
        half = (columns[-1] - columns[0]) / 2 + pitch / 2
        middle = (columns[-1] + columns[0]) / 2
        self.line = VMobject(stroke_color=theme.faint, stroke_width=2 * theme.stroke)
        self.line.set_points_as_corners([(middle - half, base, 0.0), (middle + half, base, 0.0)])
        self.bars = VGroup()
        for x, is_masked in zip(columns, masked):
            box = self._box(x, 0.4)
            self.bars.add(Hatch(box, theme) if is_masked else Bar(theme.panel, theme.faint, theme))
        self.add(self.line, self.bars)
        self.stand([0.0] * len(columns))

    def stand(self, heights: Numbers, fills: Sequence[str] | None = None) -> BarRow:
        """Make the bars this high, in frame units: what isn't 0 can always be seen."""
        self.heights = [float(height) for height in heights]
        for i, (bar, height) in enumerate(zip(self.bars, self.heights)):
            if self.masked[i]:
                continue
            bar.put(self._box(self.columns[i], _seen(height)))
            if fills is not None:
                bar.set_fill(fills[i])
        return self

    def edge(self, color: str) -> BarRow:
        """Draw every outline in `color`."""
        for bar, is_masked in zip(self.bars, self.masked):
            if not is_masked:
                bar.set_stroke(color)
        return self

    def tops(self) -> list[float]:
        """The y of each bar's upper end."""
        return [
            self.base + (0.4 if is_masked else max(_seen(height), 0.0))
            for height, is_masked in zip(self.heights, self.masked)
        ]

    def _box(self, x: float, height: float) -> Box:
        half = self.bar_width / 2
        return Box(x - half, x + half, self.base, self.base + height)


class NumberRow(VGroup):
    """A number under or over each column, at y, on as many lines as it takes for none to touch.

    size is what one would like, least what one must be able to read. `lines` says how many lines
    there are (1 where all fit side by side); the first is at y, the others below.
    """

    def __init__(
        self,
        texts: Sequence[str],
        columns: Sequence[float],
        pitch: float,
        y: float | Sequence[float],
        size: float,
        least: float,
        color: str,
        weight: int = 500,
    ) -> None:
        super().__init__()
        widest = max((float(Number(text, 1.0, color, weight).width) for text in texts), default=1.0)
        self.size = max(min(size, pitch / (widest + APART)), least)
        self.lines = max(1, math.ceil((widest + APART) * self.size / pitch - 1e-6))
        heights = [y] * len(texts) if isinstance(y, (int, float)) else y
        for i, (text, x, at) in enumerate(zip(texts, columns, heights)):
            self.add(Number(text, self.size, color, weight).rewrite(text, x, self.line(i, at)))

    @property
    def depth(self) -> float:
        """How much height all lines take."""
        return self.size * (1.0 + LINE * (self.lines - 1))

    def line(self, column: int, y: float) -> float:
        """The height of a column's number where the first line is at y."""
        return y - (column % self.lines) * self.size * LINE


class Twin(VGroup):
    """Softmax of one row, from the top down: what goes in, bars of the shares, the shares.

    It fills `box`, whose columns are at `columns`; the share `tallest` takes all the height.
    `show` changes the bars and their numbers at once, `nudge` what goes in.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        shares: Numbers,
        texts: Sequence[str],
        columns: Sequence[float],
        pitch: float,
        box: Box,
        tallest: float,
        theme: Theme,
        sizes: tuple[float, float],
        masked: Sequence[bool],
    ) -> None:
        super().__init__()
        self.theme, self.columns = theme, columns
        first = box.top - sizes[0] * 0.5
        self.inputs = NumberRow(inputs, columns, pitch, first, *sizes, theme.ink)
        self.numbers = NumberRow(texts, columns, pitch, 0.0, *sizes, theme.ink, 650)
        base = box.bottom + self.numbers.depth + 0.08
        self.height_of_one = (box.top - self.inputs.depth - 0.16 - base) / tallest
        self.line_of_inputs, self.line_of_shares = first, base - 0.08 - sizes[0] * 0.5
        self.row = BarRow(columns, pitch, base, theme, masked).edge(theme.weight)
        self.add(self.row, self.inputs, self.numbers)
        self.show(shares, texts)

    def show(self, shares: Numbers, texts: Sequence[str]) -> Twin:
        """Stand at these shares, written so."""
        fills = [weight_colors(self.theme, float(share))[0] for share in shares]
        self.row.stand([float(share) * self.height_of_one for share in shares], fills)
        for i, text in enumerate(texts):
            y = self.numbers.line(i, self.line_of_shares)
            self.numbers[i].rewrite(text, self.columns[i], y)
        return self

    def nudge(self, column: int, text: str) -> Twin:
        """Write `text` for what goes in at `column`."""
        y = self.inputs.line(column, self.line_of_inputs)
        self.inputs[column].rewrite(text, self.columns[column], y)
        return self


@dataclass(frozen=True)
class Piece:
    """A piece of a strip: its name, and the colours of its inside, that name and its outline."""

    name: str
    fill: str
    ink: str
    edge: str


class Strip(VGroup):
    """One bar in `box` cut into pieces as long as `parts` are large, in their order.

    `boxes` say where the pieces lie: empty ones have no width. `names` are written in those
    pieces where letters `least` high fit.
    """

    def __init__(
        self, parts: Numbers, pieces: Sequence[Piece], box: Box, theme: Theme, least: float
    ) -> None:
        super().__init__()
        total = float(sum(parts)) or 1.0
        ends = box.left + np.concatenate(([0.0], np.cumsum(parts))) / total * box.width
        self.pieces, self.names = VGroup(), VGroup()
        self.boxes = [Box(float(a), float(b), box.bottom, box.top) for a, b in pairwise(ends)]
        for piece, at in zip(pieces, self.boxes):
            self.pieces.add(Bar(piece.fill, piece.edge, theme).put(at))
            word = Word(piece.name, least, piece.ink, width=at.width * 0.8, height=at.height)
            if word.size > 0.95 * least and len(word) == 1:
                self.names.add(word.shift((*at.center, 0.0)))
        self.add(self.pieces, self.names)


class Measure(VGroup):
    """A dimension line from left to right at y with room for a number in its middle."""

    def __init__(self, left: float, right: float, y: float, gap: float, theme: Theme) -> None:
        super().__init__()
        middle = (left + right) / 2
        for end, inner in ((left, middle - gap / 2), (right, middle + gap / 2)):
            line = VMobject(stroke_color=theme.dim, stroke_width=2 * theme.stroke)
            line.set_points_as_corners([(inner, y, 0.0), (end, y, 0.0)])
            tick = VMobject(stroke_color=theme.dim, stroke_width=2 * theme.stroke)
            tick.set_points_as_corners([(end, y - ENDS, 0.0), (end, y + ENDS, 0.0)])
            self.add(line, tick)


def ribbons(
    columns: Sequence[float], y: float, boxes: Sequence[Box], wanted: Sequence[bool], theme: Theme
) -> VGroup:
    """A thin line from each column at y to the middle of its piece's upper edge."""
    lines = VGroup()
    for x, box, is_wanted in zip(columns, boxes, wanted):
        line = VMobject(stroke_color=theme.faint, stroke_width=1.6 * theme.stroke)
        if is_wanted:
            line.set_points(_curve((x, y), (box.center[0], box.top)))
        lines.add(line)
    return lines


def unit(numbers: Numbers, up: float, down: float = 0.0) -> float:
    """Frame units for 1 so that the largest is at most `up` high and the lowest `down` deep."""
    finite = [float(number) for number in numbers if math.isfinite(number)]
    high, low = max(finite, default=0.0), -min(finite, default=0.0)
    scales = [room / reach for room, reach in ((up, high), (down, low)) if reach > 0 and room > 0]
    return min(scales, default=1.0)


def _seen(height: float) -> float:
    """A height, or the least that can be seen where it is smaller but not 0."""
    return math.copysign(max(abs(height), HAIRLINE), height) if height else 0.0


def _curve(start: tuple[float, float], end: tuple[float, float]) -> NDArray[np.float64]:
    (x, y), (u, v) = start, end
    middle = (y + v) / 2
    return np.array([(x, y, 0.0), (x, middle, 0.0), (u, middle, 0.0), (u, v, 0.0)])
