"""A base-2 exponential of float32 in few passes over numbers that stay in cache.

NumPy's own costs more than a 64-wide product a number where there is no AVX-512; this one, made
of in-place additions and multiplications, takes little more than half of that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FACTOR", "LOWEST", "exp2_times_factor"]

LOWEST = -126.0
"""The least power: 2^-126 is the smallest normal float32."""

# 2^(f/2) on [−1/2, 1/2] as a polynomial of degree 4 whose largest relative error (8e-8) is as small
# as can be (Remez). All its roots are complex, so that it is a product of two quadratics, and with
# each square completed, LEADING · ((f + A)² + B) · ((f + C)² + D): fewer and cheaper passes than
# Horner's scheme. Squared, it is 2^f.
_LEADING = 6.00381369408e-4

# Adding 1.5·2^23 rounds to a whole number, which then stands in the lowest bits. It stands there
# less 21, because the polynomial without its leading coefficient comes out 2^21 too large.
_SURPLUS = 21

# Arrays without axes, since NumPy takes half a microsecond longer over each of its own scalars.
_A, _B, _C, _D, _ROUNDER = (
    np.array(number, np.float32)
    for number in (
        5.00363362652195, 6.55335244240686, 0.785196705647937, 52.109761726002,
        1.5 * 2**23 - _SURPLUS,
    )
)  # fmt: skip
_MANTISSA_BITS = np.array(23, np.int32)

FACTOR = 1 / (_LEADING**2 * 2**_SURPLUS)
"""What `exp2_times_factor` multiplies by, 1.32: nothing to a softmax, whose shares stay."""


def exp2_times_factor(
    power: NDArray[np.float32], fraction: NDArray[np.float32], whole: NDArray[np.float32]
) -> None:
    """Put FACTOR · 2^power in the place of `power`, to a relative error of 8e-7.

    Three C-contiguous arrays of one shape, none sharing memory; fraction and whole are overwritten.
    Every power must be from LOWEST to 126: nothing is checked. 2^power = 2^n · 2^f with n whole
    and |f| ≤ 1/2 (Cody & Waite 1980, ch. 6); n is added to the exponent's bits.
    """
    bits, exponent = power.view(np.int32), whole.view(np.int32)
    np.add(power, _ROUNDER, out=whole)
    np.subtract(whole, _ROUNDER, out=fraction)
    np.subtract(power, fraction, out=fraction)
    np.left_shift(exponent, _MANTISSA_BITS, out=exponent)
    np.add(fraction, _A, out=power)
    np.square(power, out=power)
    np.add(power, _B, out=power)
    np.add(fraction, _C, out=fraction)
    np.square(fraction, out=fraction)
    np.add(fraction, _D, out=fraction)
    np.multiply(power, fraction, out=power)
    np.square(power, out=power)
    np.add(bits, exponent, out=bits)
