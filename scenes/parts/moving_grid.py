"""A grid of weights whose rows and columns can change places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from manim import Animation, Mobject, UpdateFromAlphaFunc, VGroup, linear, smooth
from numpy.typing import NDArray

from engine.notation import write_share
from scenes.parts.grid import Grid

__all__ = ["MovingGrid", "travel"]

Floats = NDArray[np.floating]

LAG = 0.3


class MovingGrid(VGroup):
    """What stands in the cells of `grid`: fills with numbers, hatching where nothing may be heard.

    weights and is_open (n, n), by query and key. `rows` and `columns` are how the picture has them,
    whatever the convention.
    """

    def __init__(
        self,
        grid: Grid,
        weights: Floats,
        is_open: NDArray[np.bool_],
        digits: int,
    ) -> None:
        super().__init__()
        self.grid = grid
        n = len(weights)
        texts = [write_share(float(w), digits) for w in weights[is_open]]
        size = grid.fitting(texts)
        self.pieces: dict[tuple[int, int], VGroup] = {}
        for i, j in grid.cells:
            piece = VGroup()
            if is_open[i, j]:
                piece.add(grid.fill((i, j), float(weights[i, j])))
                if size:
                    text = write_share(float(weights[i, j]), digits)
                    piece.add(grid.weight((i, j), float(weights[i, j]), text, size))
            else:
                piece.add(grid.hatch([(i, j)]))
            self.pieces[(j, i) if grid.is_turned else (i, j)] = piece
            self.add(piece)
        self.rows = [[self.pieces[r, c] for c in range(n)] for r in range(n)]
        self.columns = [[self.pieces[r, c] for r in range(n)] for c in range(n)]

    def move_rows(self, places: Sequence[int]) -> list[Animation]:
        """Row r goes to place places[r]; its name doesn't."""
        ys = self.grid.rows
        ways = [np.array((0.0, ys[place] - y, 0.0)) for y, place in zip(ys, places)]
        return travel(self.rows, ways)

    def move_columns(self, places: Sequence[int]) -> list[Animation]:
        """Column c goes to place places[c]."""
        xs = self.grid.columns
        ways = [np.array((xs[place] - x, 0.0, 0.0)) for x, place in zip(xs, places)]
        return travel(self.columns, ways)


def travel(
    groups: Sequence[Iterable[Mobject]],
    ways: Sequence[Floats],
    bends: Sequence[Floats] = (),
) -> list[Animation]:
    """All groups on their ways, the farthest first; `bends` say how far aside each is half-way.

    One animation moves all, since one for each of a hundred cells would take too long to draw; the
    others only tell Manim what moves.
    """
    every = [VGroup(*group) for group in groups]
    bends = bends or [np.zeros(3)] * len(every)
    lengths = [float(np.hypot.reduce(way)) for way in ways]
    lags = [LAG * (1 - length / (max(lengths) or 1.0)) for length in lengths]
    done = [np.zeros(3) for _ in every]

    def update(_: Mobject, alpha: float) -> None:
        for i, (group, way, bend, lag) in enumerate(zip(every, ways, bends, lags)):
            share = smooth(min(max((alpha - lag) / (1 - LAG), 0.0), 1.0))
            now = way * share + bend * (4 * share * (1 - share))
            group.shift(now - done[i])
            done[i] = now

    first = UpdateFromAlphaFunc(every[0], update, rate_func=linear)
    return [first, *map(Animation, every[1:])]
