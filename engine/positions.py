"""Where a word stands, written as numbers that can be added to its vector."""

import numpy as np
from numpy.typing import NDArray


def sinusoidal_positions(n: int, d_model: int) -> NDArray[np.float64]:
    """The fixed sine and cosine patterns of the Transformer (Vaswani et al. 2017, §3.5).

    Returns (n, d_model): row p, counted from 0, holds sin(p / 10000^(2i / d_model)) in column 2i
    and the cosine of the same angle in column 2i + 1. An odd d_model ends on a sine. Angles are
    in radians. Raises ValueError where n is below 0 or d_model below 1.
    """
    if n < 0:
        raise ValueError(f"n should be 0 or more, not {n}")
    if d_model < 1:
        raise ValueError(f"d_model should be 1 or more, not {d_model}")
    column = np.arange(d_model)
    wavelength = np.power(10_000.0, (column - column % 2) / d_model)
    angle = np.arange(n)[:, np.newaxis] / wavelength
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
