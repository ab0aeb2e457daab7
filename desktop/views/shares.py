"""Weights as texts, many at once, by how much they have changed, and what they add to in print."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.notation import MINUS, round_half_up, write_share
from engine.softmax import FloatArray

__all__ = ["add_printed", "write_changes", "write_shares"]

MOST_DIGITS_LISTED = 3


def write_shares(weights: FloatArray, digits: int = 2) -> list[str]:
    """Each weight (any shape, read row by row) as `write_share` writes it.

    A drag writes hundreds of weights a step: those that are clear of a tie are looked up.
    """
    flat = weights.ravel()
    if digits > MOST_DIGITS_LISTED:
        return [write_share(weight, digits) for weight in flat.tolist()]
    nearest, is_clear = _nearest(flat, digits)
    is_clear &= (flat > 0) & (flat < 1)
    listed = _listed(digits)
    return [
        listed[place] if clear else _written(weight, digits)
        for weight, place, clear in zip(flat.tolist(), nearest.tolist(), is_clear.tolist())
    ]


def write_changes(before: FloatArray, after: FloatArray, digits: int = 2) -> list[str]:
    """From weight to weight "+0.05" or "−0.05"; "" where that is too small to be seen."""
    changes = (after - before).ravel()
    texts = write_shares(np.abs(changes), digits)
    return [
        "" if text[0] == "<" or not change else (MINUS if change < 0 else "+") + text
        for change, text in zip(changes.tolist(), texts)
    ]


def add_printed(weights: FloatArray, digits: int = 2) -> Decimal:
    """What the weights add to as they are printed: 0.99 where rounding took away 0.01."""
    nearest, is_clear = _nearest(weights, digits)
    if digits <= MOST_DIGITS_LISTED and is_clear.all():
        return Decimal(int(nearest.sum())).scaleb(-digits)
    return sum((round_half_up(weight, digits) for weight in weights.tolist()), Decimal(0))


def _nearest(weights: FloatArray, digits: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Each weight rounded, as a whole number of the last digit; whether it is clear of a tie."""
    scaled = weights * 10**digits
    nearest = np.rint(scaled)
    return nearest.astype(np.int64), np.abs(scaled - nearest) < 0.4999


@lru_cache(maxsize=1024)
def _written(weight: float, digits: int) -> str:
    """A weight that isn't listed: most are 0 or 1, again and again."""
    return write_share(weight, digits)


@cache
def _listed(digits: int) -> tuple[str, ...]:
    """Every text of a weight between 0 and 1, by its rounded place."""
    last = 10**digits
    between = [write_share(place / last, digits) for place in range(1, last)]
    return (write_share(0.1 / last, digits), *between, write_share(1 - 0.1 / last, digits))
