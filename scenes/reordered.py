"""A sentence with its words in another order, with positions and without. No Manim here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from engine.sentence import Head, Sentence

__all__ = ["in_order", "with_positions", "without_order"]

Rows = TypeVar("Rows")


def without_order(sentence: Sentence) -> Sentence:
    """The sentence with nothing that knows of order: no positions, no causal mask."""
    return msgspec.structs.replace(sentence, positions="none", causal=False)


def with_positions(sentence: Sentence) -> Sentence:
    """The sentence with sines and cosines added to its vectors; still no causal mask."""
    return msgspec.structs.replace(sentence, positions="sinusoidal", causal=False)


def in_order(sentence: Sentence, order: Sequence[int]) -> Sentence:
    """The sentence with its words, and all that belongs to them, in this order.

    order: for each new place, which word (of the old places) stands there. Matrices stay, and
    positions are those of the new places.
    """
    mask = sentence.mask
    return msgspec.structs.replace(
        sentence,
        words=_taken(sentence.words, order),
        asks=_taken(sentence.asks, order),
        shows=_taken(sentence.shows, order),
        gives=_taken(sentence.gives, order),
        embeddings=_taken(sentence.embeddings, order),
        heads=tuple(_head_in_order(head, order) for head in sentence.heads),
        mask=None if mask is None else tuple(_taken(mask[i], order) for i in order),
        focus=list(order).index(sentence.focus),
    )


def _head_in_order(head: Head, order: Sequence[int]) -> Head:
    return msgspec.structs.replace(
        head,
        query=_taken(head.query, order),
        key=_taken(head.key, order),
        value=_taken(head.value, order),
    )


def _taken(rows: Rows, order: Sequence[int]) -> Rows:
    """A tuple's entries in this order; None stays None."""
    return rows if rows is None else tuple(rows[i] for i in order)  # type: ignore[index, return-value]
