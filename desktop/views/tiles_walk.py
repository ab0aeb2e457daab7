"""A head's attention tile by tile, and whether it ends where the grid does: pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from desktop.calculation import Calculation
from engine.softmax import FloatArray
from engine.tiled import TileStep, walk_tiles

__all__ = ["Walk", "walk"]

ROUNDING = 1e-12
"""Two ways to the same number may differ by so much of the largest there is."""


@dataclass(frozen=True, eq=False)
class Walk:
    """Every step, in order; output (n, d_v) is what the last steps of all blocks give.

    difference: the largest between that and the grid's output.
    """

    steps: tuple[TileStep, ...]
    tile: tuple[int, int]
    output: FloatArray
    difference: float
    is_equal: bool

    def before(self, step: int) -> TileStep | None:
        """The step before in the same block of queries; None for a block's first."""
        if step == 0 or self.steps[step - 1].queries != self.steps[step].queries:
            return None
        return self.steps[step - 1]

    def ends_block(self, step: int) -> bool:
        """Whether the block's queries have met all their keys with this step."""
        return (
            step + 1 == len(self.steps) or self.steps[step + 1].queries != self.steps[step].queries
        )


def walk(calculation: Calculation, tile: tuple[int, int]) -> Walk:
    """All steps of the engine's walk over the attention in force, with tiles of (queries, keys)."""
    grid, sentence = calculation.attention, calculation.sentence
    mask = None if sentence.mask is None else np.array(sentence.mask, dtype=np.bool_)
    steps = tuple(
        walk_tiles(
            grid.query, grid.key, grid.value,
            causal=sentence.causal, mask=mask, scale=grid.scale, tile=tile,
        )
    )  # fmt: skip
    output = np.zeros_like(grid.output)
    for step in steps:  # the last of each block stays
        total = step.total[:, None]
        np.divide(step.output, total, out=output[step.queries], where=total != 0)
    difference = float(np.abs(output - grid.output).max())
    largest = max(float(np.abs(grid.output).max()), np.finfo(float).tiny)
    return Walk(steps, tile, output, difference, difference <= ROUNDING * largest)
