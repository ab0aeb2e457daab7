"""A base-2 exponential of float32 in few passes over a tile that stays in cache.

NumPy's own costs about as much as half a 64-wide product a number where there is no AVX-512; this
one, made of in-place additions and multiplications, takes two thirds of that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FACTOR", "LOWEST", "exp2_times_factor"]

LOWEST = -126.0
"""The least power: 2^-126 is the smallest normal float32."""

# Adding 1.5·2^23 rounds to a whole number, which then stands in the lowest bits.
_ROUNDER = np.float32(1.5 * 2**23)

# 2^f on [−1/2, 1/2] as a polynomial of degree 5 whose largest relative error (7.5e-8) is as small
# as can be (Remez), divided by its leading coefficient, which saves a pass.
_LEADING = 1.327647198e-3
_COEFFICIENTS = tuple(
    np.float32(c / _LEADING)
    for c in (9.675541334e-3, 5.550713274e-2, 2.402211972e-1, 6.931469671e-1, 1.0)
)

FACTOR = 1.0 / _LEADING
"""What `exp2_times_factor` multiplies by: nothing to a softmax, whose shares it leaves alone."""


def exp2_times_factor(
    power: NDArray[np.float32], fraction: NDArray[np.float32], result: NDArray[np.float32]
) -> NDArray[np.float32]:
    """FACTOR · 2^power, in `result`, to a relative error of 3e-7; the other two are overwritten.

    Three C-contiguous arrays of one shape, none sharing memory. Every power must be from LOWEST to
    117: nothing is checked. 2^power = 2^n · 2^f with n whole and |f| ≤ 1/2 (Cody & Waite 1980,
    ch. 6); 2^f is a polynomial, and n is added to the exponent's bits.
    """
    np.add(power, _ROUNDER, out=result)
    np.subtract(result, _ROUNDER, out=fraction)
    np.subtract(power, fraction, out=fraction)
    exponent = result.view(np.int32)
    np.left_shift(exponent, 23, out=exponent)
    first, *rest = _COEFFICIENTS
    np.add(fraction, first, out=power)
    for coefficient in rest:
        np.multiply(power, fraction, out=power)
        np.add(power, coefficient, out=power)
    np.add(power.view(np.int32), exponent, out=exponent)
    return result
