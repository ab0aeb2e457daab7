"""What the scaling scene says, and the random numbers that it says it of. No Manim here."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine import Attention, work_through
from engine.notation import write_number

__all__ = ["DRAWS", "SEED", "STOPS", "TERMS", "RandomPairs", "ScalingWords", "draw_pairs",
           "write_divisor"]  # fmt: skip

Numbers = NDArray[np.floating]

STOPS = (2, 8, 64, 512)
DRAWS, SEED = 1000, 2017
TERMS = 6


@dataclass(frozen=True, eq=False)
class RandomPairs:
    """Queries and keys of independent entries, normal with mean 0 and variance 1, to one decimal.

    query and key are the first TERMS entries of the first pair; products (stops, draws) the dot
    products of all pairs when the first d of 512 entries are used, a row for each d of STOPS.
    heights (draws,) from −1 to 1 are where dots stand in their row, which means nothing.
    """

    query: Numbers
    key: Numbers
    products: Numbers
    heights: Numbers

    @property
    def scaled(self) -> Numbers:
        """The dot products of each row divided by its √d."""
        return self.products / np.sqrt(np.array(STOPS))[:, None]


def draw_pairs() -> RandomPairs:
    """The same DRAWS pairs each time."""
    random = np.random.default_rng(SEED)
    query, key = random.standard_normal((2, DRAWS, STOPS[-1])).round(1)
    terms = query * key
    products = np.array([terms[:, :d].sum(axis=1) for d in STOPS])
    heights = random.uniform(-1.0, 1.0, DRAWS)
    return RandomPairs(query[0, :TERMS], key[0, :TERMS], products, heights)


def write_divisor(attention: Attention, focus: int, digits: int) -> str:
    """What the working divides the scores by ("1.414"), "" where they are left as they are."""
    words = [str(i) for i in range(attention.key.shape[-2])]
    step = work_through(attention, words, focus, digits)[1]
    terms = [term.text for term in step.lines[0].terms]
    return terms[2] if len(terms) > 1 else ""


class ScalingWords:
    """The captions, each true of any sentence's row; and how its division is written.

    `divisor` is what the scores are divided by ("1.414"), "" where they are left as they are.
    """

    def __init__(
        self, attention: Attention, focus: int, scaled: bool, temperature: float, digits: int
    ) -> None:
        self.d_k, self.digits = attention.key.shape[-1], digits
        self.is_scaled, self.temperature = scaled, temperature
        self.divisor = write_divisor(attention, focus, digits)

    def entries(self) -> str:
        """What d_k is, which has nothing to do with an arrow's length."""
        return f"dₖ counts the entries of a key, however long its arrow is. Here it is {self.d_k}."

    def one_more_term(self) -> str:
        """What an entry adds."""
        return "One more entry, one more term: drawn at random, it adds or takes away."

    def a_thousand(self) -> str:
        """The first cloud."""
        return f"{DRAWS:,} such pairs, {STOPS[0]} entries each: their dot products stay near 0."

    def wider(self) -> str:
        """The other clouds."""
        times = STOPS[-1] // STOPS[0]
        root = write_number(math.sqrt(times), self.digits)
        return f"{times} times the entries, about {root} times as wide: the cloud grows as √dₖ."

    def alike(self) -> str:
        """All clouds divided."""
        return "Divide each by its own √dₖ, and look closer: now all clouds are alike."

    def ours(self) -> str:
        """The sentence's own scores."""
        if self.is_scaled and self.d_k == 1:
            text = "One entry only: √1 is 1, and dividing by it changes nothing."
            return text if not self.divisor else f"{text} {self._by_temperature()}"
        if self.is_scaled and self.temperature == 1:
            return f"Here dₖ is {self.d_k}: divide every score by √{self.d_k} = {self.divisor}."
        if self.is_scaled:
            times = write_number(self.temperature, self.digits)
            by = f"√{self.d_k} × {times} = {self.divisor}; {times} is the temperature"
            return f"Here dₖ is {self.d_k}: divide every score by {by}."
        if self.divisor:
            return f"This sentence isn't scaled. {self._by_temperature()}"
        return "This sentence isn't scaled: its scores are left as they are."

    def same_size(self) -> str:
        """What it is for."""
        if not self.is_scaled:
            return "Scaling would keep scores the same size, however many entries a key has."
        return "However many entries a key has, scores keep the same size."

    def _by_temperature(self) -> str:
        return f"Its temperature alone divides: by {self.divisor}."
