"""What the scene of shared keys says, and the numbers that it says it of. No Manim here."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.growth import Growth, growth
from engine.heads import HeadWeights, attend_heads
from engine.notation import write_list
from engine.presets import load_preset
from engine.sentence import Sentence, mask_of, scale_of, vectors_of
from scenes.beats import quoted, shorten

__all__ = ["BORROWED", "HEADS", "KV_HEADS", "LAYERS", "LONG", "SHARINGS", "WIDTH", "Answers",
           "SharedWords", "Sharing", "answers_of", "asked_of", "cache", "can_share"]  # fmt: skip

Floats = NDArray[np.floating]

BORROWED = "two-heads"
HEADS, LAYERS, WIDTH = 8, 6, 64
"""The base model of Vaswani et al. 2017."""

LONG = 8_192


@dataclass(frozen=True)
class Sharing:
    """How many heads of keys and values eight heads of queries have, what that is called, whose."""

    kv_heads: int
    name: str
    source: str


SHARINGS = (
    Sharing(8, "each its own", "Vaswani et al. 2017"),
    Sharing(2, "groups of four", "Ainslie et al. 2023"),
    Sharing(1, "all eight share", "Shazeer 2019"),
)
KV_HEADS = tuple(sharing.kv_heads for sharing in SHARINGS)


def cache(n: int, kv_heads: int, layers: int = 1) -> Growth:
    """What n tokens of the 2017 model cost where it has so many heads of keys and values."""
    return growth(n, WIDTH, heads=HEADS, kv_heads=kv_heads, layers=layers)


def can_share(sentence: Sentence) -> bool:
    """Whether there are heads that could share: two or more, of equally many numbers."""
    heads = [vectors_of(sentence, head) for head in range(len(sentence.heads))]
    return len(heads) > 1 and len({(k.shape[1], v.shape[1]) for _, k, v in heads}) == 1


@dataclass(frozen=True, eq=False)
class Answers:
    """All heads' weights (heads, n, n) and what they give together (n, …), by two models.

    own: every head has its own keys and values; shared: all have the mean of these, which is what
    Ainslie et al. 2023 begin training from. The outputs are W_O's where the sentence has one, else
    the heads' own laid end to end.
    """

    own_weights: Floats
    shared_weights: Floats
    own: Floats
    shared: Floats


def answers_of(sentence: Sentence) -> Answers:
    """Both models' answers to a sentence of which `can_share` is true."""
    count, n = len(sentence.heads), len(sentence.words)
    heads = [vectors_of(sentence, head) for head in range(count)]
    # attend_heads divides by √d_k; the sentence may be warmer, or not scaled.
    queries = [q * scale_of(sentence, i) * math.sqrt(q.shape[1]) for i, (q, _, _) in
               enumerate(heads)]  # fmt: skip
    keys, values = [k for _, k, _ in heads], [v for _, _, v in heads]
    joined = count * values[0].shape[1]
    w_output = np.eye(joined) if sentence.w_output is None else np.array(sentence.w_output, float)
    weights, outputs = [], []
    for k, v, kv_heads in (
        (np.hstack(keys), np.hstack(values), count),
        (np.mean(keys, axis=0), np.mean(values, axis=0), 1),
    ):
        # x is the unit matrix, so that each word's vectors are what its row of them is; W_O, which
        # would have to be as wide, follows.
        wide = HeadWeights(np.hstack(queries), k, v, np.zeros((joined, n)), count, kv_heads)
        given = attend_heads(np.eye(n), wide, mask=mask_of(sentence))
        weights.append(np.array([given.head(head).weights for head in range(count)]))
        outputs.append(given.joined @ w_output)
    return Answers(*weights, *outputs)


@dataclass(frozen=True, eq=False)
class SharedWords:
    """The captions: of a sentence, and of another (or the same) whose heads come to share."""

    sentence: Sentence
    asked: Sentence
    answers: Answers
    digits: int

    @property
    def count(self) -> str:
        """How many words the sentence has."""
        n = len(self.sentence.words)
        return "1 word" if n == 1 else f"{n} words"

    @property
    def focus(self) -> str:
        """The word whose answers are compared."""
        return quoted(shorten(self.asked.words[self.asked.focus], 12))

    def writing(self) -> str:
        """One head's cache."""
        if len(self.sentence.words) == 1:
            return "A query is used once. Key and value are kept for every word to come: the cache."
        return "Each new word asks all so far, then its query goes. Key and value stay: the cache."

    def every_head(self) -> str:
        """Eight heads."""
        return f"{HEADS} heads, as in 2017: every head keeps keys and values of its own."

    def bytes(self, size: str) -> str:
        """What that comes to."""
        return f"{self.count}, vectors of {WIDTH} numbers, 4 bytes each: {size} in one layer."

    def groups(self, size: str) -> str:
        """Two groups."""
        return f"Four queries share one key and value: {size}. The queries stay as many."

    def all(self, size: str) -> str:
        """One for all."""
        return f"All eight share: {size}, an eighth. Eight queries still ask."

    def long(self, sizes: tuple[str, ...]) -> str:
        """A long text."""
        return (
            f"{LONG:,} tokens in {LAYERS} layers: {sizes[0]}, {sizes[1]} or {sizes[2]}, "
            "read for every new token."
        )

    def other_weights(self) -> str:
        """Why it isn't free."""
        count = "both" if len(self.asked.heads) == 2 else "all"
        return f"Unlike tiles, this is another model: {count} heads share their mean key and value."

    def other_answers(self) -> str:
        """What the focus word gets."""
        own, shared = self.outputs()
        if not self.answers.own_weights[:, self.asked.focus].any():
            return f"{self.focus} may look at nothing, so here both answers are 0."
        if own == shared:
            return f"{self.focus} happens to get the same as printed. In general it doesn't."
        if len(self.answers.own[0]) > 3:
            return f"{self.focus} gets another output. So such a model has to be trained to share."
        return f"{self.focus} gets {shared}, not {own}. Such a model has to be trained to share."

    def outputs(self) -> tuple[str, str]:
        """What the focus word gets from either model."""
        i = self.asked.focus
        own, shared = self.answers.own[i], self.answers.shared[i]
        return write_list(own, self.digits), write_list(shared, self.digits)

    def close(self) -> str:
        """What to take along."""
        return "What is shared is what is stored: keys and values, never queries."


def asked_of(sentence: Sentence) -> Sentence:
    """The sentence whose heads come to share: this one, or the preset's."""
    return sentence if can_share(sentence) else load_preset(BORROWED)
