"""Scaled dot-product attention with every step kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.masks import BoolArray
from engine.softmax import FloatArray, as_floats

__all__ = ["Attention", "attend", "check_mask", "check_scale", "check_vectors"]


@dataclass(frozen=True, eq=False)
class Attention:
    """softmax(Q Kᵀ · scale + mask) V, step by step; leading axes (...) are batch and heads.

    query (..., n, d_k), key (..., m, d_k), value (..., m, d_v); scores, scaled, masked, exp and
    weights (..., n, m); shift and total (..., n); output (..., n, d_v). `mask` is (..., n, m) of
    bool or None. exp = e^(masked − shift): shift is 0 where the row can be done as on paper (its
    plain exponentials are finite and their total is a normal number), else the row's maximum.
    """

    query: FloatArray
    key: FloatArray
    value: FloatArray
    mask: BoolArray | None
    scale: float
    scores: FloatArray
    scaled: FloatArray
    masked: FloatArray
    shift: FloatArray
    exp: FloatArray
    total: FloatArray
    weights: FloatArray
    output: FloatArray


def attend(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> Attention:
    """Scaled dot-product attention with every step kept (Vaswani et al. 2017, eq. 1).

    query (..., n, d_k), key (..., m, d_k), value (..., m, d_v), mask (..., n, m) of bool,
    True = may look. scale defaults to 1/√d_k; 1.0 leaves the scores as they are. Leading axes
    broadcast, so that keys of shape (g, 1, m, d_k) serve queries of shape (g, r, n, d_k) without
    being copied. A query that may look at nothing gets weights 0 and output 0. float32 stays
    float32, everything else is float64. Numbers are finite: a NaN is handed on, not hidden, and 0
    times infinity is one, behind a mask as well. Raises ValueError naming the argument and both
    shapes where they don't fit.
    """
    query, key, value = (
        as_floats(query, "query"), as_floats(key, "key"), as_floats(value, "value")
    )  # fmt: skip
    dtype = np.result_type(query, key, value)
    query, key, value = (a.astype(dtype, copy=False) for a in (query, key, value))
    check_vectors(query, key, value)
    scale = check_scale(scale, query.shape[-1])

    scores = query @ key.swapaxes(-1, -2)
    scaled = scores * dtype.type(scale)
    allowed = None if mask is None else check_mask(mask, scaled.shape)
    masked = scaled if allowed is None else np.where(allowed, scaled, dtype.type(-np.inf))
    shift = _shift(masked)
    with np.errstate(over="ignore"):  # a distance too great for a float is −∞: its share is 0
        exp = np.exp(masked - shift[..., None])
    total = exp.sum(axis=-1)
    weights = np.divide(exp, total[..., None], out=np.zeros_like(exp), where=total[..., None] != 0)
    output = weights @ value
    return Attention(
        query=query, key=key, value=value, mask=allowed, scale=scale, scores=scores, scaled=scaled,
        masked=masked, shift=shift, exp=exp, total=total, weights=weights, output=output,
    )  # fmt: skip


def _shift(masked: FloatArray) -> FloatArray:
    """0 where a row's exponentials work out as on paper, else the row's maximum."""
    with np.errstate(over="ignore"):
        total = np.exp(masked).sum(axis=-1)
    maximum = masked.max(axis=-1, initial=-np.inf)
    works_on_paper = np.isfinite(total) & (total >= np.finfo(masked.dtype).tiny)
    return np.where(works_on_paper | (maximum == -np.inf), masked.dtype.type(0), maximum)


def check_vectors(query: FloatArray, key: FloatArray, value: FloatArray) -> None:
    """ValueError naming the argument and both shapes where the three don't fit together."""
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim < 2:
            raise ValueError(f"{name} must be (..., n, d), but has shape {array.shape}")
    if query.shape[-1] != key.shape[-1] or query.shape[-1] == 0:
        raise ValueError(
            "query and key must be equally long and not empty: "
            f"query {query.shape}, key {key.shape}"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"key and value must have as many rows: key {key.shape}, value {value.shape}"
        )
    if query.shape[:-2] == key.shape[:-2] == value.shape[:-2]:
        return
    for name, array, other_name, other in (
        ("key", key, "query", query),
        ("value", value, "query", query),
        ("value", value, "key", key),
    ):
        try:
            np.broadcast_shapes(other.shape[:-2], array.shape[:-2])
        except ValueError:
            raise ValueError(
                f"{name}'s leading axes don't fit the {other_name}'s: "
                f"{other_name} {other.shape}, {name} {array.shape}"
            ) from None


def check_scale(scale: float | None, d_k: int) -> float:
    """`scale`, or 1/√d_k where it is None; ValueError where it isn't finite."""
    if scale is None:
        return 1.0 / math.sqrt(d_k)
    if not math.isfinite(scale):
        raise ValueError(f"scale must be a finite number, not {scale}")
    return float(scale)


def check_mask(mask: ArrayLike, shape: tuple[int, ...]) -> BoolArray:
    """`mask` broadcast to the scores' shape; ValueError where it isn't of bool or doesn't fit."""
    try:
        allowed = np.asarray(mask)
    except ValueError:
        raise ValueError("mask must be of bool in rows equally long") from None
    if allowed.dtype != np.bool_:
        raise ValueError(f"mask must be of bool (True = may look), not {allowed.dtype}")
    try:
        fits = np.broadcast_shapes(allowed.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask {allowed.shape} doesn't fit the scores {shape}")
    return np.broadcast_to(allowed, shape)
