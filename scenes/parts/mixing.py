"""Numbers laid end to end, and the matrix that mixes them: a row of it for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from engine.notation import write_entries
from engine.palette import Theme
from scenes.parts.grid import boxes_shape
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.type import Text
from scenes.parts.word import Word

__all__ = ["Mixing"]

Floats = NDArray[np.floating]

CELL, HIGHEST = 1.5, 0.78
NAME, GAP = 1.5, 0.75
MOST_ROWS, MOST_COLUMNS = 6, 3


class Mixing(VGroup):
    """A column of `numbers` with the heads' names at its left; beside it W_O, below it the result.

    numbers (n,), heads: the name of each head and how many of the numbers it gave; matrix (n, m)
    and result (m,), or None. Of more than six numbers two a head are drawn, of more than three
    columns two; `is_whole` says that nothing was left out, `kept` and `kept_columns` what wasn't.
    """

    def __init__(
        self,
        numbers: Floats,
        heads: Sequence[tuple[str, int]],
        matrix: Floats | None,
        result: Floats | None,
        box: Box,
        theme: Theme,
        sizes: tuple[float, float],
        digits: int,
    ) -> None:
        super().__init__()
        self.theme, self.digits, self.sizes = theme, digits, sizes
        ends = np.cumsum([0, *(count for _, count in heads)])
        is_long = len(numbers) > MOST_ROWS
        self.kept = [
            int(i)
            for start, end in list(pairwise(ends))[: 2 if is_long else None]
            for i in range(start, min(end, start + 2) if is_long else end)
        ]
        width = 0 if matrix is None else matrix.shape[1]
        self.kept_columns = list(range(width if width <= MOST_COLUMNS else 2))
        self.is_whole = len(self.kept) == len(numbers) and len(self.kept_columns) == width
        columns = len(self.kept_columns)
        self.cell = min(CELL, (box.width - NAME - GAP) / (1 + columns)) if columns else CELL
        rows = len(self.kept) + 1.6
        self.pitch = min(HIGHEST, box.height / rows)
        self.size = min(sizes[0] * 1.15, self.pitch * 0.7)
        self.top = box.top - self.pitch / 2
        self.left = box.left + NAME
        self.entries = self._column(numbers[self.kept], self.left, theme.role("output"))
        self.cells = VGroup(*(self._cell(self.left, i) for i in range(len(self.kept))))
        self.cells.set_stroke(theme.role("output"), 2.5 * theme.stroke)
        self.names = self._names(heads, ends)
        self.matrix = VGroup()
        self.results = VGroup()
        self.matrix_cells = VGroup()
        self.result_cells = VGroup()
        if matrix is not None and result is not None:
            self._add_matrix(matrix, result)

    def column_box(self, column: int) -> VMobject:
        """A frame round one column of the matrix."""
        x = self._matrix_left(column)
        low = self.y(len(self.kept) - 1) - self.pitch / 2
        box = Box(x, x + self.cell, low, self.y(0) + self.pitch / 2)
        return boxes_shape([box]).set_stroke(self.theme.highlight, 5 * self.theme.stroke)

    def y(self, row: int) -> float:
        """The middle of a row; the results' is one more."""
        return self.top - self.pitch * (row + (0.35 if row >= len(self.kept) else 0.0))

    def _matrix_left(self, column: int) -> float:
        return self.left + self.cell + GAP + self.cell * column

    def _cell(self, left: float, row: int) -> VMobject:
        y, half = self.y(row), self.pitch / 2
        return boxes_shape([Box(left, left + self.cell, y - half, y + half)])

    def _column(self, numbers: Floats, left: float, color: str) -> VGroup:
        """Numbers written as one list, one a row, centred in their cells."""
        texts = write_entries(numbers, self.digits)
        widest = max(float(Number(text, self.size, color, 600).width) for text in texts)
        size = self.size * min(1.0, self.cell * 0.88 / widest)
        return VGroup(*(
            Number(text, size, color, 600).rewrite(text, left + self.cell / 2, self.y(i))
            for i, text in enumerate(texts)
        ))  # fmt: skip

    def _names(self, heads: Sequence[tuple[str, int]], ends: NDArray[np.intp]) -> VGroup:
        """Each drawn head's name beside its numbers; dots where it gave more."""
        names = VGroup()
        for (name, count), start, end in zip(heads, ends, ends[1:]):
            mine = [row for row, i in enumerate(self.kept) if start <= i < end]
            if not mine:
                continue
            y = (self.y(mine[0]) + self.y(mine[-1])) / 2
            room = self.pitch * len(mine)
            word = Word(name, self.sizes[0], self.theme.ink, width=NAME - 0.25, height=room * 0.6)
            group = VGroup(word.shift((self.left - 0.2 - float(word.get_right()[0]), y, 0.0)))
            if len(mine) < count:
                note = Text(f"{len(mine)} of {count}", self.sizes[1], self.theme.dim)
                note.shift((self.left - 0.2 - float(note.get_right()[0]), 0.0, 0.0))
                group.add(note.on_baseline(y - 0.62 * self.pitch))
                word.shift((0.0, 0.18 * self.pitch, 0.0))
            names.add(group)
        return names

    def _add_matrix(self, matrix: Floats, result: Floats) -> None:
        count = len(self.kept)
        shown = matrix[np.ix_(self.kept, self.kept_columns)]
        texts = iter(write_entries(shown.ravel(), self.digits))
        for i in range(count):
            for column in self.kept_columns:
                left, text = self._matrix_left(column), next(texts)
                number = Number(text, self.size, self.theme.ink, 500)
                self.matrix.add(number.rewrite(text, left + self.cell / 2, self.y(i)))
                self.matrix_cells.add(self._cell(left, i))
        for column, text in zip(self.kept_columns, write_entries(result, self.digits)):
            left = self._matrix_left(column)
            number = Number(text, self.size, self.theme.role("output"), 650)
            self.results.add(number.rewrite(text, left + self.cell / 2, self.y(count)))
            self.result_cells.add(self._cell(left, count))
        self.matrix_cells.set_stroke(self.theme.faint, 1.5 * self.theme.stroke)
        self.result_cells.set_stroke(self.theme.role("output"), 2.5 * self.theme.stroke)
        for numbers in (self.matrix, self.results):
            widest = max(float(number.width) for number in numbers)
            for number in numbers:
                number.scale(min(1.0, self.cell * 0.88 / widest))
