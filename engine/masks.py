"""Masks: which query may look at which key. True = may look."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.refusal import check_count

__all__ = ["BoolArray", "causal_mask", "padding_mask", "window_mask"]

BoolArray = NDArray[np.bool_]


def causal_mask(n_queries: int, n_keys: int | None = None, *, offset: int = 0) -> BoolArray:
    """Query i may see keys 0 … offset + i (Vaswani et al. 2017, §3.2.3).

    Returns (n_queries, n_keys) of bool; n_keys defaults to offset + n_queries. `offset` is how
    many keys came before the first query, as when decoding from a cache. Raises ValueError for a
    count that isn't a whole number from 0.
    """
    query, key = _places(n_queries, n_keys, offset)
    return np.asarray(key <= query)


def window_mask(
    n_queries: int, n_keys: int | None = None, *, width: int, offset: int = 0
) -> BoolArray:
    """Query i may see the keys fewer than `width` places from its own, offset + i.

    Returns (n_queries, n_keys) of bool. With `& causal_mask(…)` it is the sliding window of
    Beltagy et al. 2020 (§3.1), cut to the past. Raises ValueError where width isn't a whole number
    from 1, or another count not one from 0.
    """
    width = check_count("width", width)
    query, key = _places(n_queries, n_keys, offset)
    return np.asarray((query - width < key) & (key < query + width))


def padding_mask(lengths: ArrayLike, n_keys: int) -> BoolArray:
    """Every query may see a sequence's own keys, not the padding behind them.

    lengths (...,) of whole numbers from 0 to n_keys; returns (..., 1, n_keys) of bool, to be
    broadcast over queries. Raises ValueError for a length outside.
    """
    n_keys, lengths = check_count("n_keys", n_keys, 0), np.asarray(lengths)
    if lengths.size and lengths.dtype.kind not in "iu":
        raise ValueError(f"lengths must be whole numbers, not {lengths.dtype}: {lengths.shape}")
    outside = lengths[(lengths < 0) | (lengths > n_keys)]
    if outside.size:
        raise ValueError(f"lengths must be from 0 to n_keys = {n_keys}, not {outside[0]}")
    return np.asarray(np.arange(n_keys) < lengths[..., None, None])


def _places(
    n_queries: int, n_keys: int | None, offset: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each query stands, (n_queries, 1), and each key, (1, n_keys)."""
    n_queries, offset = check_count("n_queries", n_queries, 0), check_count("offset", offset, 0)
    n_keys = offset + n_queries if n_keys is None else check_count("n_keys", n_keys, 0)
    return offset + np.arange(n_queries)[:, None], np.arange(n_keys)[None, :]
