"""What scaling does to a query and keys of chance, for any number of entries. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from engine import attend

__all__ = ["KEYS", "WIDTHS", "RandomRow", "random_row"]

KEYS = 6
WIDTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
"""How many entries, d_k."""


@dataclass(frozen=True)
class RandomRow:
    """One query's weights for KEYS keys; spread is the standard deviation of what softmax got."""

    weights: tuple[float, ...]
    spread: float

    @property
    def largest(self) -> float:
        """The largest weight."""
        return max(self.weights)


@cache
def random_row(d_k: int, *, scaled: bool) -> RandomRow:
    """A query and keys with entries from the normal distribution, the same each time."""
    chance = np.random.default_rng(0)
    query, keys = chance.standard_normal((1, d_k)), chance.standard_normal((KEYS, d_k))
    attention = attend(query, keys, keys, scale=None if scaled else 1.0)
    return RandomRow(tuple(attention.weights[0].tolist()), float(attention.scaled.std()))
