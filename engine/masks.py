"""Masks: which query may look at which key. True = may look."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["BoolArray", "causal_mask", "padding_mask", "window_mask"]

BoolArray = NDArray[np.bool_]


def causal_mask(n_queries: int, n_keys: int | None = None, *, offset: int = 0) -> BoolArray:
    """Query i may see keys 0 … offset + i (Vaswani et al. 2017, §3.2.3).

    Returns (n_queries, n_keys) of bool; n_keys defaults to offset + n_queries. `offset` is how
    many keys came before the first query, as when decoding from a cache. Raises ValueError for a
    negative count.
    """
    distance = _distance(n_queries, n_keys, offset)
    return np.asarray(distance >= 0)


def window_mask(
    n_queries: int, n_keys: int | None = None, *, width: int, offset: int = 0
) -> BoolArray:
    """Query i may see the keys fewer than `width` places from its own, offset + i.

    Returns (n_queries, n_keys) of bool. With `& causal_mask(…)` it is the sliding window of
    Beltagy et al. 2020 (§3.1), cut to the past. Raises ValueError where width < 1.
    """
    if width < 1:
        raise ValueError(f"width must be at least 1, not {width}")
    return np.asarray(np.abs(_distance(n_queries, n_keys, offset)) < width)


def padding_mask(lengths: ArrayLike, n_keys: int) -> BoolArray:
    """Every query may see a sequence's own keys, not the padding behind them.

    lengths (...,) of whole numbers from 0 to n_keys; returns (..., 1, n_keys) of bool, to be
    broadcast over queries. Raises ValueError for a length outside.
    """
    lengths = np.asarray(lengths)
    if np.any(lengths < 0) or np.any(lengths > n_keys):
        raise ValueError(f"lengths must be from 0 to n_keys = {n_keys}, not {lengths.tolist()}")
    return np.asarray(np.arange(n_keys) < lengths[..., None, None])


def _distance(n_queries: int, n_keys: int | None, offset: int) -> NDArray[np.int64]:
    """How far each key lies before each query's own place: (n_queries, n_keys)."""
    if n_keys is None:
        n_keys = offset + n_queries
    if min(n_queries, n_keys, offset) < 0:
        raise ValueError(
            f"n_queries, n_keys and offset must not be negative: {n_queries}, {n_keys}, {offset}"
        )
    return (offset + np.arange(n_queries))[:, None] - np.arange(n_keys)[None, :]
