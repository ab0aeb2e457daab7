"""Softmax: any list of numbers as positive shares that add up to 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["FloatArray", "as_floats", "log_sum_exp", "softmax", "softmax_jacobian"]

FloatArray = NDArray[np.floating]


def as_floats(values: ArrayLike, name: str) -> FloatArray:
    """`values` as an array of float32 where it is one already, else of float64.

    Any shape, returned as it is; copied only where the type changes. Raises ValueError with the
    argument's `name` where they aren't real numbers in rows equally long.
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be numbers in rows equally long") from None
    if array.dtype == np.float64 or array.dtype == np.float32:
        return array
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be of real numbers, not {array.dtype}: {array.shape}")
    return array.astype(np.float64)


def softmax(scores: ArrayLike, axis: int = -1) -> FloatArray:
    """e to each score, divided by the total along `axis`.

    scores: any shape, finite or −∞; returns the same shape. Each row's maximum is subtracted
    first, so that nothing overflows (Goodfellow et al. 2016, §4.1); a row of nothing but −∞ gives
    zeros. Raises ValueError where there is no such axis.
    """
    scores = as_floats(scores, "scores")
    exp = np.exp(_below_maximum(scores, _finite_maximum(scores, axis)))
    total = exp.sum(axis=axis, keepdims=True)
    return np.asarray(np.divide(exp, total, out=np.zeros_like(exp), where=total != 0))


def log_sum_exp(scores: ArrayLike, axis: int = -1) -> FloatArray:
    """log Σ e^score along `axis`, without overflow; −∞ for a row of nothing but −∞.

    scores: any shape, finite or −∞; returns the shape without `axis`, in natural logarithms.
    Raises ValueError where there is no such axis.
    """
    scores = as_floats(scores, "scores")
    maximum = _finite_maximum(scores, axis)
    total = np.exp(_below_maximum(scores, maximum)).sum(axis=axis)
    log = np.log(total, out=np.full_like(total, -np.inf), where=total > 0)
    return np.asarray(log + maximum.squeeze(axis))


def softmax_jacobian(weights: ArrayLike) -> FloatArray:
    """How each weight moves with each softmax input: d w_j / d s_k = w_j (δ_jk − w_k).

    weights (..., n), as softmax gives them; returns (..., n, n), symmetric, rows adding to 0.
    Raises ValueError where the weights have no axis.
    """
    weights = as_floats(weights, "weights")
    if weights.ndim < 1:
        raise ValueError(f"weights must be (..., n), but have shape {weights.shape}")
    diagonal = weights[..., :, None] * np.eye(weights.shape[-1], dtype=weights.dtype)
    return np.asarray(diagonal - weights[..., :, None] * weights[..., None, :])


def _below_maximum(scores: FloatArray, maximum: FloatArray) -> FloatArray:
    """scores − maximum; a distance too great for a float is −∞, whose exponential is 0 as well."""
    with np.errstate(over="ignore"):
        return np.asarray(scores - maximum)


def _finite_maximum(scores: FloatArray, axis: int) -> FloatArray:
    """The maximum along `axis`, kept as an axis; 0 where there is none or it is −∞."""
    maximum = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    return np.asarray(np.where(maximum == -np.inf, np.zeros_like(maximum), maximum))
