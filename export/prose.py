"""Words of a document inside our own sentences: isolated, told apart, and listed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

__all__ = ["isolated", "listed", "word_names"]

# What keeps a right-to-left word from turning the line around it: both marks take no room.
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
TURNING = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}


def isolated(text: str) -> str:
    """The text between marks that hold its direction inside, where it has one of its own."""
    if any(unicodedata.bidirectional(character) in TURNING for character in text):
        return ISOLATE + text + END_ISOLATE
    return text


def word_names(words: Sequence[str]) -> tuple[str, ...]:
    """What to call each word in a sentence: itself, and its number where it occurs twice."""
    count = Counter(words)
    return tuple(
        isolated(word) if count[word] == 1 else f"{isolated(word)} (word {number})"
        for number, word in enumerate(words, 1)
    )


def listed(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
