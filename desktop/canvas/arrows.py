"""Which arrows there are, which of them are lit, and what is said of them: pure functions."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from desktop.calculation import Calculation
from desktop.edits import name_of
from desktop.spotlight import Thing
from desktop.views.lettering import apart
from engine.notation import write_entries, write_percent
from engine.palette import ROLES
from engine.softmax import FloatArray

__all__ = [
    "LISTENS",
    "STEPS_OF_MIX",
    "STEPS_OF_SCORE",
    "Arrow",
    "flat",
    "label_of",
    "lights",
    "lit_pair",
    "readout",
    "spoken",
    "written",
]

LISTENS = ("query", "output")
"""The roles of the word that listens; the others are the heard word's."""

ROLES_OF_STEP = {
    "": tuple(ROLES),
    "query": ("query",),
    "key": ("key",),
    "value": ("value",),
    "output": ("output",),
    "score": ("query", "key"),
    "scale": ("query", "key"),
    "mask": ("query", "key"),
    "softmax": ("query", "key", "value", "output"),
    "mix": ("value", "output"),
}

STEPS_OF_SCORE = ("", "key", "score", "scale", "mask", "softmax")
STEPS_OF_MIX = ("", "value", "softmax", "mix")


class Arrow(NamedTuple):
    """A vector of a word: its role and whose it is."""

    role: str
    word: int

    @property
    def thing(self) -> Thing:
        """What is lit where the pointer is on it."""
        if self.role in LISTENS:
            return Thing(self.role, listens=self.word)
        return Thing(self.role, heard=self.word)


def flat(vectors: FloatArray, components: tuple[int, ...]) -> FloatArray:
    """Vectors (n, d) as points (n, 2): two of their entries, or the only one and 0."""
    if vectors.shape[1] == 2 and components == (0, 1):
        return vectors
    chosen = vectors[:, list(components)]
    if len(components) == 1:
        return np.concatenate((chosen, np.zeros_like(chosen)), axis=1)
    return chosen


def lights(lit: Thing, arrow: Arrow) -> bool:
    """Whether an arrow is lit by a thing, whichever panel that is in."""
    if arrow.role not in ROLES_OF_STEP[lit.step]:
        return False
    if lit.listens is None and lit.heard is None:
        return True
    if arrow.role in LISTENS:
        return lit.lights(listens=arrow.word)
    return lit.lights(heard=arrow.word)


def lit_pair(lit: Thing | None, listens: int, heard: int, steps: Sequence[str]) -> bool:
    """Whether what one word gets from another, in one of these steps, is lit."""
    if lit is None or lit.step not in steps or lit.heard is None:
        return False
    return lit.lights(listens=listens, heard=heard)


@lru_cache(maxsize=512)
def label_of(role: str, word: str) -> str:
    """A letter and a word, "q sat"; a word written from the right keeps its own order."""
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in word):
        word = apart(word)
    return f"{ROLES[role].letter} {word}"


def written(vector: Iterable[float], digits: int) -> str:
    """A vector as (2.00, 0.00): always with decimals, so that nothing jumps in a drag."""
    # A list is written without decimals only where all of it is whole.
    return f"({', '.join(write_entries([*vector, 0.5], digits)[:-1])})"


def readout(calculation: Calculation, arrow: Arrow) -> str:
    """An arrow as the status bar shows it: "q(sat) = (2.00, 0.00)"."""
    vector = getattr(calculation.attention, arrow.role)[arrow.word]
    shown = vector if len(vector) <= 4 else vector[:4]
    text = written(shown.tolist(), calculation.digits)
    if len(vector) > 4:
        text = f"{text[:-1]}, … {len(vector)} numbers)"
    name = name_of(calculation.sentence, arrow.word)
    return f"{ROLES[arrow.role].letter}({name}) = {text}"


def spoken(calculation: Calculation, arrow: Arrow) -> str:
    """An arrow at rest in words: "query of sat 2, 0; cat 73 %"."""
    attention, sentence = calculation.attention, calculation.sentence
    vector = getattr(attention, arrow.role)[arrow.word].tolist()
    numbers = ", ".join(write_entries(vector[:4], calculation.digits))
    text = f"{arrow.role} of {name_of(sentence, arrow.word)} {numbers}"
    if arrow.role in LISTENS:
        weights = attention.weights[arrow.word]
        most = int(weights.argmax())
        if weights[most] == 0:
            return f"{text}; it may look at nothing"
        return f"{text}; {name_of(sentence, most)} {write_percent(float(weights[most]))}"
    share = write_percent(float(attention.weights[sentence.focus, arrow.word]))
    return f"{text}; {name_of(sentence, sentence.focus)} listens {share}"
