"""What is lit: the one thing that pointer or keyboard are at, the same in every panel."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["STEPS", "Thing"]

STEPS = ("query", "key", "value", "score", "scale", "mask", "softmax", "mix", "output")
"""The parts of the formula, in the order in which they are worked out."""


@dataclass(frozen=True)
class Thing:
    """A part of the calculation, whichever panel shows it.

    step is one of STEPS, or "" for a word or a pair of words; listens (a row of the grids) and
    heard (a column) are words, None for all.
    """

    step: str = ""
    listens: int | None = None
    heard: int | None = None

    def lights(self, *, listens: int | None = None, heard: int | None = None) -> bool:
        """Whether something that belongs to these words is lit by this: they agree in one at
        least, and differ in none."""
        asked = [(self.listens, listens), (self.heard, heard)]
        both = [(mine, theirs) for mine, theirs in asked if mine is not None and theirs is not None]
        return bool(both) and all(mine == theirs for mine, theirs in both)

    def lights_step(self, step: str) -> bool:
        """Whether a part of the formula is lit by this."""
        return self.step == step
