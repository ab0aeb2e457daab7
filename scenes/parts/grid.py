"""The grid: what each query gives each key. Rows listen, columns are heard, both axes named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from engine.palette import Theme, weight_colors
from scenes.parts.layout import ROW_NAMES, Box, Zones
from scenes.parts.number import Number, outline
from scenes.parts.type import Text
from scenes.parts.word import Word

__all__ = ["HEARD", "LISTENS", "Cell", "Grid", "boxes_shape", "hatch_shape"]

LISTENS, HEARD = "who listens", "who is heard"
HIGHEST_ROW = 1.1
INSET = 0.03
HATCH_GAP = 0.16

Cell = tuple[int, int]
"""Which cell, whatever the convention: (the query's place, the key's place)."""


class Grid(VGroup):
    """Cells for every query and key among words whose columns are at `columns`, under them.

    rows: "queries" (rows listen) or "keys" (the picture turned). It draws the names of its rows
    and of both axes; lines, fills, hatching and numbers are made one by one, each in its place.
    `numbers` and `fills` hold what stands in a cell now. A number may be from `small` to `size`;
    it stays in front of what is laid over its cell.
    """

    def __init__(
        self,
        words: Sequence[str],
        columns: Sequence[float],
        pitch: float,
        zones: Zones,
        theme: Theme,
        *,
        size: float,
        small: float,
        rows: str = "queries",
    ) -> None:
        super().__init__()
        n = len(words)
        self.theme, self.size, self.small = theme, size, small
        self.is_turned = rows == "keys"
        self.columns, self.cell_width = list(columns), pitch
        self.cell_height = min(zones.stage.height / n, HIGHEST_ROW)
        top = zones.stage.top
        self.rows = [top - self.cell_height * (i + 0.5) for i in range(n)]
        self.numbers: dict[Cell, Number] = {}
        self.fills: dict[Cell, VMobject] = {}
        self.names = VGroup(*self._names(words))
        self.axes = self._axes(zones)

    @property
    def cells(self) -> list[Cell]:
        """Every cell, row after row."""
        n = range(len(self.columns))
        return [(i, j) for i in n for j in n]

    def cell(self, query: int, key: int) -> Box:
        """Where the query's cell for the key is."""
        row, column = (key, query) if self.is_turned else (query, key)
        x, y = self.columns[column], self.rows[row]
        w, h = self.cell_width / 2, self.cell_height / 2
        return Box(x - w, x + w, y - h, y + h)

    def outline(self, cells: Iterable[Cell], color: str = "", width: float = 1.5) -> VMobject:
        """The borders of `cells`, as one shape."""
        lines = boxes_shape([self.cell(*cell) for cell in cells])
        return lines.set_stroke(color or self.theme.faint, width * self.theme.stroke)

    def frame(self, cells: Iterable[Cell], color: str, width: float = 5.0) -> VMobject:
        """One border around neighbouring `cells`."""
        boxes = [self.cell(*cell) for cell in cells]
        around = Box(
            min(b.left for b in boxes), max(b.right for b in boxes),
            min(b.bottom for b in boxes), max(b.top for b in boxes),
        )  # fmt: skip
        return boxes_shape([around]).set_stroke(color, width * self.theme.stroke)

    def hatch(self, cells: Iterable[Cell]) -> VMobject:
        """Slanted lines over `cells`, as one shape: masked, which is not the same as 0."""
        lines = hatch_shape([_inside(self.cell(*cell)) for cell in cells], HATCH_GAP)
        return lines.set_stroke(self.theme.faint, 1.5 * self.theme.stroke)

    def fill(self, cell: Cell, weight: float) -> VMobject:
        """The cell as dark as its weight, kept in `fills`."""
        shape = boxes_shape([_inside(self.cell(*cell))])
        shape.set_stroke(width=0.0).set_fill(weight_colors(self.theme, weight)[0], 1.0)
        self.fills[cell] = shape
        return shape

    def number(self, cell: Cell, text: str, size: float, color: str = "") -> Number:
        """A number in its cell, kept in `numbers`; size as `fitting` says."""
        box = self.cell(*cell)
        number = Number(text, size, color or self.theme.ink, 500)
        number.rewrite(text, *box.center).set_z_index(1)
        self.numbers[cell] = number
        return number

    def dot(self, cell: Cell) -> Number:
        """A dot for a number that has no room, kept in `numbers`."""
        return self.number(cell, "·", self.small, self.theme.dim)

    def weight(self, cell: Cell, weight: float, text: str, size: float) -> Number:
        """A weight's number, readable on its fill."""
        return self.number(cell, text, size, weight_colors(self.theme, weight)[1])

    def fitting(self, texts: Iterable[str]) -> float:
        """The size at which the widest of `texts` fits a cell; 0 if too small to read."""
        widest = max((float(np.ptp(outline(text, 500)[:, 0])) for text in texts), default=1.0)
        size = min(self.size, self.cell_width * 0.88 / widest, self.cell_height * 0.8)
        return size if size >= self.small else 0.0

    def clear_cells(self) -> None:
        """Nothing stands in any cell."""
        self.numbers.clear()
        self.fills.clear()

    def _names(self, words: Sequence[str]) -> list[Word]:
        right = self.columns[0] - self.cell_width / 2 - 0.14
        names = []
        for word, y in zip(words, self.rows):
            height = max(self.cell_height * 0.9, self.small)
            width = ROW_NAMES - 0.2
            name = Word(word, self.size, self.theme.ink, width=width, height=height)
            drop = 0.11 * name.size  # a word's middle is lower than a digit's
            names.append(name.shift((right - float(name.get_right()[0]), y - drop, 0.0)))
        return names

    def _axes(self, zones: Zones) -> VGroup:
        """The names of both axes: over the columns' words, and over the rows' names."""
        across, down = (LISTENS, HEARD) if self.is_turned else (HEARD, LISTENS)
        size, color = self.small, self.theme.dim
        end = self.columns[-1] + self.cell_width / 2
        top = Text(across + " →", size, color)
        top.shift((end - float(top.get_right()[0]), 0.0, 0.0)).on_baseline(zones.words.top + 0.1)
        first, rest = (down + " ↓").split(" ", 1)
        side = VGroup(Text(first, size, color), Text(rest, size, color))
        for line, y in zip(side, (0.1, -0.1 - 0.72 * size)):
            left = self.columns[0] - self.cell_width / 2 - ROW_NAMES
            line.shift((left - float(line.get_left()[0]), 0.0, 0.0))
            line.on_baseline(zones.words.center[1] + y)
        return VGroup(top, side)


def boxes_shape(boxes: Iterable[Box]) -> VMobject:
    """Rectangles as one shape, without stroke or fill yet."""
    shape = VMobject()
    corners = [
        (
            (b.left, b.top),
            (b.right, b.top),
            (b.right, b.bottom),
            (b.left, b.bottom),
            (b.left, b.top),
        )
        for b in boxes
    ]
    shape.set_points(_polylines([np.array(c) for c in corners]))
    return shape


def hatch_shape(boxes: Iterable[Box], gap: float) -> VMobject:
    """Lines rising to the right, `gap` apart, in step from box to box, clipped to each box."""
    segments = []
    for box in boxes:
        first = np.ceil((box.bottom - box.right) / gap) * gap
        for offset in np.arange(first, box.top - box.left, gap):  # y = x + offset
            left, right = max(box.left, box.bottom - offset), min(box.right, box.top - offset)
            if right > left:
                segments.append(np.array(((left, left + offset), (right, right + offset))))
    shape = VMobject()
    shape.set_points(_polylines(segments))
    return shape


def _inside(box: Box) -> Box:
    return Box(box.left + INSET, box.right - INSET, box.bottom + INSET, box.top - INSET)


def _polylines(lines: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Corner points (n, 2) of each line as the straight cubic curves that Manim draws."""
    pieces = [np.zeros((0, 3))]
    for line in lines:
        a, b = line[:-1], line[1:]
        curves = np.stack([a, a + (b - a) / 3, a + (b - a) * 2 / 3, b], axis=1).reshape(-1, 2)
        pieces.append(np.pad(curves, ((0, 0), (0, 1))))
    return np.concatenate(pieces)
