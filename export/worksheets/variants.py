"""A sheet a pupil: the document's words with small whole numbers, no two sheets alike.

The numbers come from `random.Random(seed).random()`, the one stream that Python promises to keep,
so that the same seed gives the same sheets anywhere; the sheets of a smaller class are the first
of a larger one's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine import Attention, Head, Sentence, attend, attention_of
from engine.notation import write_list, write_number, write_share
from engine.sentence import mask_of
from engine.softmax import FloatArray
from export.worksheets.sheet import told_apart

__all__ = ["MOST_VARIANTS", "Question", "Variant", "make_variants"]

MOST_VARIANTS = 1000

ENTRIES = (0, 0, 1, 1, 1, 2, 2, 3, -1)
"""What queries and keys are drawn from: products that are done in the head."""

VALUES = (0, 0, 1, 1, 2, 3, 4)

CANDIDATES = np.array([(x, y) for x in range(-9, 10) for y in range(-9, 10)], dtype=np.float64)
"""Queries that a pupil may find: two whole numbers of one digit."""

SHARES = (0.9, 0.8, 0.7, 0.6)
MARGIN = 0.02
"""A share is well above what is asked, and well below it at the start: rounding decides nothing."""

LARGEST = 0.95
"""No word takes more of a row: its sum would be one number."""

STEEPEST = 6.0
"""No scaled score is larger: e to it has at most three figures before the point."""

TRIES = 400


@dataclass(frozen=True)
class Question:
    """A question the other way round, and an answer; others may be right as well.

    changes says whose vector is looked for ("query" or "key"), word whose it is, answer what it
    may be; gives is what the weights of the focus word are then.
    """

    text: str
    changes: str
    word: int
    answer: tuple[float, float]
    gives: tuple[float, ...]


@dataclass(frozen=True)
class Variant:
    """One pupil's sheet: its number from 1, a sentence with numbers of its own, questions."""

    number: int
    sentence: Sentence
    questions: tuple[Question, ...]


def make_variants(
    sentence: Sentence, count: int, seed: int = 0, *, head: int = 0
) -> Iterator[Variant]:
    """`count` sheets on the sentence's words, mask, scaling and temperature, for its focus word.

    head (an index) only lends its name: every sheet has one head, with numbers of its own.

    Vectors have two whole numbers. In no row does every word get the same, or one nearly all; no
    two sheets have the same weights and output. Each has two questions that are unsolved at the
    start and can be solved. Raises ValueError, before the first, where the words, the mask or the
    temperature leave no such numbers.
    """
    if not 1 <= count <= MOST_VARIANTS:
        raise ValueError(f"there can be 1 to {MOST_VARIANTS} variants, not {count}")
    if seed < 0:
        raise ValueError(f"a seed is a whole number from 0, not {seed}")
    word = f'"{sentence.words[sentence.focus]}"'
    mask = mask_of(sentence)
    heard = len(sentence.words) if mask is None else int(mask[sentence.focus].sum())
    if heard < 2:
        raise ValueError(
            f"{word} may look at {'one word' if heard else 'nothing'}, so there is nothing to work "
            "out: try another word with --focus"
        )
    one = msgspec.structs.replace(sentence, heads=(sentence.heads[head],))
    return _variants(one, count, random.Random(seed))


def _variants(sentence: Sentence, count: int, source: random.Random) -> Iterator[Variant]:
    seen: set[tuple[str, str]] = set()
    for number in range(1, count + 1):
        for _ in range(TRIES):
            drawn = _draw(sentence, source)
            if drawn is None:
                continue
            attention = attention_of(drawn)
            focus = sentence.focus
            result = (write_list(attention.weights[focus]), write_list(attention.output[focus]))
            if result in seen:
                continue
            questions = _questions(attention, sentence, source)
            if questions:
                seen.add(result)
                yield Variant(number, drawn, questions)
                break
        else:
            raise ValueError(
                f"no small numbers make a good sheet {number} of these words, at temperature "
                f"{write_number(sentence.temperature, data=True)}: try --temperature 1, "
                "fewer variants, or other words"
            )


def _draw(sentence: Sentence, source: random.Random) -> Sentence | None:
    """The sentence with new vectors; None where a row would be dull."""
    n = len(sentence.words)
    key, value = _vectors(source, ENTRIES, n), _vectors(source, VALUES, n)
    if len(set(value)) < 2:
        return None
    mask = mask_of(sentence)
    scale = (1 / np.sqrt(2) if sentence.scaled else 1.0) / sentence.temperature
    query: list[tuple[float, float]] = []
    for row in range(n):
        for _ in range(40):
            drawn = _vectors(source, ENTRIES, 1)
            allowed = None if mask is None else mask[row : row + 1]
            attention = attend(drawn, key, value, scale=scale, mask=allowed)
            if np.abs(attention.scaled).max() > STEEPEST:
                continue
            open_words = attention.weights[0][... if allowed is None else allowed[0]]
            if len(open_words) < 2 or _is_lively(open_words):
                query += drawn
                break
        else:
            return None
    head = Head(name=sentence.heads[0].name, query=tuple(query), key=key, value=value)
    return msgspec.structs.replace(
        sentence, heads=(head,), embeddings=None, w_output=None, positions="none"
    )


def _vectors(
    source: random.Random, entries: Sequence[int], count: int
) -> tuple[tuple[float, float], ...]:
    def draw() -> float:
        return float(entries[int(source.random() * len(entries))])

    return tuple((draw(), draw()) for _ in range(count))


def _is_lively(weights: FloatArray) -> bool:
    """Whether some words get visibly more than others, and none nearly all."""
    return bool(weights.max() <= LARGEST and weights.max() - weights.min() >= 0.5 / len(weights))


def _questions(
    attention: Attention, sentence: Sentence, source: random.Random
) -> tuple[Question, ...]:
    """A query to find, and a key; none where either can't be asked."""
    names = told_apart(sentence.words)
    found = _find_query(attention, names, sentence.focus, source)
    other = _find_key(attention, names, sentence.focus, source)
    return (found, other) if found is not None and other is not None else ()


def _find_query(
    attention: Attention, names: Sequence[str], focus: int, source: random.Random
) -> Question | None:
    """Which query gives a word at least such a share?"""
    mask = None if attention.mask is None else attention.mask[focus]
    weights = attend(
        CANDIDATES, attention.key, attention.value, mask=mask, scale=attention.scale
    ).weights
    now = attention.weights[focus]
    can = [
        (word, share)
        for word in range(len(now))
        for share in SHARES
        if now[word] < share - MARGIN and weights[:, word].max() > share + MARGIN
    ]
    if not can:
        return None
    word, share = can[int(source.random() * len(can))]
    sizes = np.abs(CANDIDATES).sum(axis=1)
    solves = np.flatnonzero(weights[:, word] > share + MARGIN)
    best = int(solves[np.argmin(sizes[solves])])
    listener = names[focus]
    who = "itself" if word == focus else names[word]
    return Question(
        f"Find a query for {listener}, of two whole numbers, that gives {who} at least "
        f"{write_share(share)}.",
        "query", focus, _pair(CANDIDATES[best]), tuple(map(float, weights[best])),
    )  # fmt: skip


def _find_key(
    attention: Attention, names: Sequence[str], focus: int, source: random.Random
) -> Question | None:
    """Which key makes a word heard as much as another, and isn't the other's own?"""
    query, scores = attention.query[focus], attention.scores[focus]
    heard = [j for j in range(len(scores)) if attention.mask is None or attention.mask[focus, j]]
    pairs = [(j, other) for j in heard for other in heard if scores[j] != scores[other]]
    if not pairs or not query.any():
        return None
    word, other = pairs[int(source.random() * len(pairs))]
    # Along a right angle to the query a key moves and its score stays.
    sideways = np.array((-query[1], query[0])) / np.gcd(*np.abs(query).astype(int))
    keys = [attention.key[other] + sideways, attention.key[other] - sideways]
    answer = min(keys, key=lambda key: (float(np.abs(key).sum()), tuple(key)))
    changed = attention.key.copy()
    changed[word] = answer
    mask = attention.mask
    weights = attend(
        attention.query, changed, attention.value, mask=mask, scale=attention.scale
    ).weights[focus]
    return Question(
        f"Find a key for {names[word]}, other than that of {names[other]}, with which "
        f"{names[focus]} gives {names[word]} and {names[other]} the same.",
        "key", word, _pair(answer), tuple(map(float, weights)),
    )  # fmt: skip


def _pair(vector: NDArray[np.floating]) -> tuple[float, float]:
    return float(vector[0]) + 0.0, float(vector[1]) + 0.0
