"""Where a word stands, written as numbers that can be added to its vector."""

import numpy as np
from numpy.typing import NDArray

from engine.refusal import check_count

__all__ = ["sinusoidal_positions"]


def sinusoidal_positions(n: int, d_model: int) -> NDArray[np.float64]:
    """The fixed sine and cosine patterns of the Transformer (Vaswani et al. 2017, §3.5).

    Returns (n, d_model): row p, counted from 0, holds sin(p / 10000^(2i / d_model)) in column 2i
    and the cosine of the same angle in column 2i + 1. An odd d_model ends on a sine. Angles are
    in radians. Raises ValueError where n is below 0 or d_model below 1, or not a whole number.
    """
    n, d_model = check_count("n", n, 0), check_count("d_model", d_model)
    column = np.arange(d_model)
    wavelength = np.power(10_000.0, (column - column % 2) / d_model)
    angle = np.arange(n)[:, np.newaxis] / wavelength
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
