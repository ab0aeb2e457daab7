"""How an output stands beside its row: a list of a few numbers. No Manim here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.notation import write_entries, write_list

__all__ = ["output_written"]

Floats = NDArray[np.floating]


def output_written(output: Floats, digits: int, most: int = 2) -> tuple[str, bool]:
    """An output as a list of at most `most` numbers, and whether that left some out."""
    if len(output) <= most:
        return write_list(output, digits), False
    return f"[{', '.join(write_entries(output, digits)[:most])},", True
