"""A list of numbers, as much of it as a line should hold."""

from __future__ import annotations

from collections.abc import Sequence

from engine.notation import write_list

__all__ = ["shortened", "write_short_list"]


def write_short_list(numbers: Sequence[float], digits: int, longest: int) -> str:
    """The numbers as `write_list` has them; after the first `longest` of more comes "…"."""
    whole = write_list(numbers, digits)
    if len(numbers) <= longest:
        return whole
    return ", ".join([*whole.split(", ")[:longest], "…]"])


def shortened(text: str) -> str:
    """A written list with one number less, and "…" for it; itself where one is left."""
    numbers = text.removesuffix(", …]").removesuffix("]")
    kept = numbers.rpartition(", ")[0]
    return f"{kept}, …]" if kept else text
