"""Tiles over a grid, what is kept while they pass, and how little that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from manim import Animation, FadeIn, FadeOut, Mobject, Transform, VGroup, VMobject

from engine.palette import Theme
from scenes.parts.bars import Bar, BarRow
from scenes.parts.grid import boxes_shape
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.type import Text
from scenes.parts.word import Word

__all__ = ["HeldChart", "KeptTable", "TileArea", "TotalBar"]

LABELS = 0.2
APART = 0.12


class TileArea:
    """Where tiles of a grid of n words lie in `box`; turned, the queries run across."""

    def __init__(self, n: int, box: Box, theme: Theme, *, turned: bool) -> None:
        self.n, self.box, self.theme, self.is_turned = n, box, theme, turned

    def tile(self, queries: slice, keys: slice) -> Box:
        """The tile of these queries and keys."""
        across, down = (queries, keys) if self.is_turned else (keys, queries)
        x, y = self.box.width / self.n, self.box.height / self.n
        return Box(
            self.box.left + across.start * x, self.box.left + across.stop * x,
            self.box.top - down.stop * y, self.box.top - down.start * y,
        )  # fmt: skip

    def frame(self, box: Box) -> VMobject:
        """The border of the tile at work."""
        return boxes_shape([box]).set_stroke(self.theme.highlight, 5.0 * self.theme.stroke)

    def done(self, box: Box) -> VMobject:
        """A tile that was visited."""
        return boxes_shape([box]).set_stroke(width=0.0).set_fill(self.theme.highlight, 0.22)

    def lines(self, boxes: Sequence[Box]) -> VMobject:
        """The borders of tiles, as one shape."""
        return boxes_shape(boxes).set_stroke(self.theme.faint, 1.5 * self.theme.stroke)


class KeptTable:
    """Names down the left, a column a query, and numbers that change in place.

    rows: (name of the row, its label) from the top; widest: all texts there will ever be.
    `fits` says whether they can be read side by side.
    """

    def __init__(
        self,
        words: Sequence[str],
        rows: Sequence[tuple[str, str]],
        widest: Sequence[str],
        box: Box,
        pitch: float,
        theme: Theme,
        sizes: tuple[float, float],
    ) -> None:
        size, small = sizes
        self.theme, self.pitch, self.top = theme, pitch, box.top
        self.rows = [name for name, _ in rows]
        self.labels = {
            name: self._label(text, small, box.left, self.y(name)) for name, text in rows
        }
        names = max((float(label.width) for label in self.labels.values()), default=0.0)
        room = (box.width - names - LABELS) / len(words)
        em = max(float(Number(text, 1.0, theme.ink, 600).width) for text in widest)
        fitting = (room - 0.2) / em
        self.fits = fitting >= small
        self.size = min(size, max(fitting, 0.6 * small), pitch * 0.86)
        self.edges = [box.left + names + LABELS + room * (i + 1) for i in range(len(words))]
        self.headings = VGroup()
        for word, right in zip(words, self.edges):
            name = Word(word, size, theme.role("query"), width=room - 0.15, height=pitch)
            left = right - float(name.get_right()[0])
            self.headings.add(name.shift((left, box.top - pitch / 2, 0.0)))
        self.numbers: dict[tuple[str, int], Number] = {}
        self._written: dict[tuple[str, int], tuple[str, str]] = {}

    def y(self, row: str) -> float:
        """The middle of a row's line: each group of rows stands a little apart."""
        place = self.rows.index(row)
        groups = {name.partition(" ")[0] for name in self.rows[: place + 1]}
        return self.top - self.pitch * (place + 1.4 + APART * (len(groups) - 1))

    def change(
        self, row: str, texts: Sequence[str], color: str = "", start: Sequence[Mobject] = ()
    ) -> list[Animation]:
        """A row's numbers become others, each in its place; they may come from somewhere."""
        fades: list[Animation] = []
        for i, text in enumerate(texts):
            if self._written.get((row, i)) == (text, color):
                continue
            self._written[row, i] = text, color
            old = self.numbers.pop((row, i), None)
            if old is not None:
                fades.append(FadeOut(old))
            if text:
                number = Number(text, self.size, color or self.theme.ink, 600)
                number.rewrite(text, self.edges[i], self.y(row), edge=1)
                self.numbers[row, i] = number
                travel = {"target_position": start[i]} if start else {}
                fades.append(FadeIn(number, **travel))
        return fades

    def standing(self) -> VGroup:
        """All numbers there are now."""
        return VGroup(*self.numbers.values())

    def _label(self, text: str, small: float, left: float, y: float) -> Text:
        label = Text(text, small, self.theme.dim)
        label.shift((left - float(label.get_left()[0]), 0.0, 0.0))
        return label.on_baseline(y - 0.36 * small)


class TotalBar(VGroup):
    """A total as a bar of pieces laid end to end in `box`; `unit` is how long 1 is.

    `follow` gives the animations to other pieces: those there are change their length, new ones
    are added at the end, lit.
    """

    def __init__(self, most: float, box: Box, theme: Theme) -> None:
        super().__init__()
        self.box, self.theme = box, theme
        self.unit = box.width / max(most, 1.0)

    def follow(self, pieces: Sequence[float]) -> tuple[list[Animation], list[Animation]]:
        """How the standing pieces get their new lengths, and how new ones come."""
        ends = self.box.left + np.concatenate(([0.0], np.cumsum(pieces))) * self.unit
        moves: list[Animation] = []
        comes: list[Animation] = []
        for i, (left, right) in enumerate(pairwise(ends)):
            place = Box(float(left), float(right), self.box.bottom, self.box.top)
            is_new = i == len(self.submobjects)
            fill = self.theme.highlight if is_new else self.theme.panel
            bar = Bar(fill, self.theme.ink, self.theme).put(place)
            if right == left:
                bar.set_stroke(width=0.0)
            if is_new:
                self.add(bar)
                comes.append(FadeIn(bar))
            else:
                moves.append(Transform(self.submobjects[i], bar))
        return moves, comes


class HeldChart(VGroup):
    """Two bars for each size: the grid's cells, and what is held with tiles.

    sizes: numbers of words; cells and held: how many numbers each way takes; names: both ways'.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        counts: Mapping[str, Sequence[int]],
        box: Box,
        theme: Theme,
        sized: tuple[float, float],
    ) -> None:
        super().__init__()
        size, small = sized
        colors = (theme.highlight, theme.ink)
        self.names, self.bars, self.numbers = VGroup(), [], []
        line = 1.5 * small
        for i, (name, color) in enumerate(zip(counts, colors)):
            label = Text(name, small, color, 600)
            label.shift((box.left - float(label.get_left()[0]), 0.0, 0.0))
            self.names.add(label.on_baseline(box.top - line * (i + 0.8)))
        base = box.bottom + 2.4 * line
        room = box.top - line * (len(counts) + 1.4) - base
        most = max(max(count) for count in counts.values())
        pitch = box.width / (2 * len(sizes))
        self.sizes = VGroup()
        for way, (count, color) in enumerate(zip(counts.values(), colors)):
            columns = [box.left + pitch * (2 * i + way + 0.5) for i in range(len(sizes))]
            row = BarRow(columns, pitch, base, theme, [False] * len(sizes))
            row.stand([room * number / most for number in count], [color] * len(sizes))
            numbers = VGroup()
            for x, number, top in zip(columns, count, row.tops()):
                text = f"{number:,}"
                numbers.add(Number(text, small, color, 600).rewrite(text, x, top + 0.7 * small))
            self.bars.append(row)
            self.numbers.append(numbers)
        for i, n in enumerate(sizes):
            x = box.left + pitch * (2 * i + 1)
            figure = Number(f"{n:,}", size, theme.ink).rewrite(f"{n:,}", x, base - 0.8 * line)
            self.sizes.add(figure)
        label = Text("words", small, theme.dim)
        label.shift((box.center[0] - float(label.get_center()[0]), 0.0, 0.0))
        self.sizes.add(label.on_baseline(base - 2.1 * line))
        self.add(self.names, self.sizes, *self.bars, *self.numbers)
