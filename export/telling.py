"""How numbers of a picture are said in words: shares, vectors, and words of a long sentence as one.

Every number is the engine's, written as the picture writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine import Attention, Sentence
from engine.notation import write_list, write_number, write_percent
from engine.softmax import FloatArray
from export.prose import listed
from scenes.direction import isolated

__all__ = [
    "FEW",
    "NAMED",
    "TIE",
    "Told",
    "axes_of",
    "closed_to",
    "heard_by",
    "leaders",
    "named",
    "plural",
    "shares",
    "strongest_for",
    "told_of_others",
    "word_count",
]

FEW = 3
"""Of a long sentence so many words are named."""

NAMED = 5
"""A sentence that is not longer is told whole."""

TIE = 1e-6
"""Numbers that differ by a smaller share are as large as each other."""

ENTRIES = 4
"""A vector that is longer is told by its first numbers."""


@dataclass(frozen=True)
class Told:
    """What a paragraph is about: a sentence seen by one head, and how to say it."""

    sentence: Sentence
    head: int
    attention: Attention
    names: tuple[str, ...]
    focus: int
    digits: int
    rows: str

    @property
    def name(self) -> str:
        """The focus word."""
        return self.names[self.focus]

    @property
    def by_head(self) -> str:
        """Which head, where there are several."""
        heads = self.sentence.heads
        return f", by head {isolated(heads[self.head].name)}" if len(heads) > 1 else ""

    def other(self, word: int, listener: int) -> str:
        """A word as `listener` hears it: itself, or its name."""
        return "itself" if word == listener else self.names[word]

    def number(self, number: float) -> str:
        """One number."""
        return write_number(float(number), self.digits)

    def vector(self, numbers: FloatArray) -> str:
        """A vector; of a long one its first numbers and how many there are."""
        if len(numbers) <= ENTRIES:
            return write_list(numbers, self.digits)
        begun = write_list(numbers[:FEW], self.digits).removesuffix("]")
        return f"{begun}, …] ({len(numbers)} numbers)"


def shares(told: Told, attention: Attention, listener: int) -> str:
    """ "sat gives 73 % of its attention to cat, 18 % to itself and 4 % to the"."""
    row, name = attention.weights[listener], told.names[listener]
    heard = heard_by(attention, listener)
    if not heard:
        return f"{name} may look at nothing, so that its weights and its output are 0"
    if len(heard) == 1:
        only = told.other(heard[0], listener)
        return f"{name} may look at {only} only, which gets 100 % of its attention"
    if len(set(row[heard].round(12))) == 1:
        each = write_percent(float(row[heard[0]]))
        among = "both words" if len(heard) == 2 else f"each of {len(heard)} words"
        return f"{name} shares its attention out evenly, {each} to {among}"
    order = sorted(heard, key=lambda j: (-row[j], j))
    kept = order if len(order) <= NAMED else order[:FEW]
    first, *more = ((write_percent(float(row[j])), f"to {told.other(j, listener)}") for j in kept)
    parts = [f"{first[0]} of its attention {first[1]}", *(" ".join(part) for part in more)]
    if rest := order[len(kept) :]:
        together = write_percent(float(row[rest].sum()))
        parts.append(f"{together} to the other {len(rest)} together")
    return f"{name} gives {listed(parts)}"


def heard_by(attention: Attention, listener: int) -> list[int]:
    """The words that a word may look at."""
    n = attention.weights.shape[-1]
    if attention.mask is None:
        return list(range(n))
    return [j for j in range(n) if attention.mask[listener, j]]


def closed_to(told: Told, attention: Attention, listener: int) -> str:
    """Whom a word may not look at; nothing where that is nobody, or everybody."""
    closed = sorted(set(range(len(told.names))) - set(heard_by(attention, listener)))
    if not closed or len(closed) == len(told.names):
        return ""
    named = [told.other(j, listener) for j in closed]
    what = listed(named) if len(closed) <= NAMED else f"{len(closed)} of the words"
    return f"It may not look at {what}: hatched, weight exactly 0."


def told_of_others(told: Told, attention: Attention) -> str:
    """Whom each of the other words listens to most; of many words only how many there are."""
    others = [i for i in range(len(told.names)) if i != told.focus]
    if not others:
        return ""
    if len(told.names) > NAMED:
        top = [strongest_for(attention, i) for i in others]
        found = [j for j in top if j >= 0]
        most = max(sorted(set(found)), key=found.count, default=-1)
        if most < 0:
            return ""
        return (
            f"Of the other {len(others)} words {found.count(most)} listen most to "
            f"{told.names[most]}."
        )
    return f"{'; '.join(shares(told, attention, i) for i in others)}."


def strongest_for(attention: Attention, listener: int) -> int:
    """The word that gets most; −1 where there is nothing to look at."""
    row = attention.weights[listener]
    return int(row.argmax()) if row.any() else -1


def leaders(numbers: FloatArray) -> list[int]:
    """Who has the most: several where they tie, nobody where all numbers (n,) are 0."""
    most = float(numbers.max(initial=0.0))
    return [int(j) for j in np.flatnonzero(numbers >= most * (1 - TIE))] if most > 0 else []


def axes_of(told: Told) -> str:
    axes = ["who listens (queries)", "who is heard (keys)"]
    first, second = axes if told.rows == "queries" else axes[::-1]
    return f"rows are {first}, columns are {second}"


def named(order: Sequence[int], say: Callable[[int], str], rest: Callable[[list[int]], str]) -> str:
    """What is said of each word, in this order; of many words of the first few and of the rest."""
    kept = order if len(order) <= NAMED else order[:FEW]
    parts = [say(j) for j in kept]
    if left := list(order[len(kept) :]):
        parts.append(rest(left))
    return "; ".join(parts)


def word_count(told: Told) -> str:
    return plural(len(told.names), "word")


def plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count:,} {what}s"
