"""What stands in a grid's cells one after another: scores, scaled scores, weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from manim import Animation, FadeIn, FadeOut, Mobject

from engine import Attention
from engine.notation import write_entries, write_share
from scenes.parts.grid import Cell, Grid

__all__ = ["Filling"]


class Filling:
    """Writes the attention of the words `shown` into `grid`, a few cells at a time.

    weights and is_open (n, n) are those of the words shown; masked lists the cells that may not be
    looked at. Where scores don't fit at a readable size there are dots, where weights don't there
    are only fills.
    """

    def __init__(self, grid: Grid, attention: Attention, shown: Sequence[int], digits: int) -> None:
        drawn = np.ix_(list(shown), list(shown))
        self.grid, self.digits = grid, digits
        self.weights = attention.weights[drawn]
        self.is_open = np.isfinite(attention.masked[drawn])
        self.masked = [cell for cell in grid.cells if not self.is_open[cell]]
        self._scores, self._scaled = (
            [write_entries(row, digits) for row in numbers[drawn]]
            for numbers in (attention.scores, attention.scaled)
        )
        texts = [text for row in (*self._scores, *self._scaled) for text in row]
        self.score_size = grid.fitting(texts)
        shares = [write_share(float(weight), digits) for weight in self.weights.flat]
        self.weight_size = grid.fitting(shares)

    def scores(self, cells: Iterable[Cell]) -> list[Mobject]:
        """Scores as they are."""
        return self._put(cells, self._scores)

    def scaled(self, cells: Iterable[Cell]) -> list[Mobject]:
        """Scores divided."""
        return self._put(cells, self._scaled)

    def shares(self, cells: Iterable[Cell]) -> list[Mobject]:
        """Fills as dark as the weights, with their numbers; nothing in a masked cell."""
        put: list[Mobject] = []
        for cell in (cell for cell in cells if self.is_open[cell]):
            weight = float(self.weights[cell])
            put.append(self.grid.fill(cell, weight))
            if self.weight_size:
                text = write_share(weight, self.digits)
                put.append(self.grid.weight(cell, weight, text, self.weight_size))
        return put

    def change(
        self, cells: Sequence[Cell], put: Callable[[Sequence[Cell]], list[Mobject]]
    ) -> list[Animation]:
        """What stands in `cells` fades as what `put` puts there comes."""
        held = (self.grid.fills, self.grid.numbers)
        old = [one.pop(cell) for one in held for cell in cells if cell in one]
        return [*map(FadeOut, old), *map(FadeIn, put(cells))]

    def _put(self, cells: Iterable[Cell], texts: Sequence[Sequence[str]]) -> list[Mobject]:
        if not self.score_size:
            return [self.grid.dot(cell) for cell in cells]
        return [self.grid.number((i, j), texts[i][j], self.score_size) for i, j in cells]
