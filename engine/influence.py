"""What a weight alone doesn't tell: what a word gave, what would be missing, what would move."""

from __future__ import annotations

import numpy as np

from engine.attention import Attention
from engine.softmax import FloatArray, softmax, softmax_jacobian

__all__ = ["contributions", "leave_one_out", "sensitivity"]


def contributions(attention: Attention) -> FloatArray:
    """What each word puts into each output: its weight times its value.

    Returns (..., n, m, d_v), which adds up to the output over m. A small weight on a huge value is
    a large contribution (Kobayashi et al. 2020, who measure its length).
    """
    a = attention
    return np.asarray(a.weights[..., :, :, None] * a.value[..., None, :, :])


def leave_one_out(attention: Attention) -> FloatArray:
    """What each output would be without each word: [i, j] is output i as if key j were masked.

    Returns (..., n, m, d_v). The others share the whole weight in proportion: Σ e^s_k v_k over
    Σ e^s_k, k ≠ j. Where there is no other word to look at it is 0; without a word that is masked
    already it is the output itself. A softmax of its own for every word left out, so that it
    stays right where the others' weights have vanished beside the one left out; that takes
    m times the memory of the weights (erasure: Li et al. 2016).
    """
    a = attention
    itself = np.eye(a.masked.shape[-1], dtype=np.bool_)
    others = np.where(itself, a.masked.dtype.type(-np.inf), a.masked[..., :, None, :])
    return np.asarray(softmax(others) @ a.value[..., None, :, :])


def sensitivity(attention: Attention) -> FloatArray:
    """How each weight moves with each input of its softmax: [i, j, k] is d w_ij / d s_ik.

    Returns (..., n, m, m), where s is `attention.masked`: scaled already, so that a nudge of a
    plain score counts `attention.scale` times. Symmetric in j and k, and rows add up to 0: what
    one word gains the others lose. Where a row is a hard pick, or a word is masked, it is 0 or
    nearly, and learning has nothing to push on (Vaswani et al. 2017, §3.2.1).
    """
    return softmax_jacobian(attention.weights)
