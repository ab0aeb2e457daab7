"""Words of a document inside our own sentences: isolated, told apart, and listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scenes.direction import isolated

__all__ = ["listed", "named_in_prose", "word_names"]


def word_names(words: Sequence[str]) -> tuple[str, ...]:
    """What to call each word in a sentence: itself, and its number where it occurs twice."""
    count = Counter(words)
    return tuple(
        isolated(word) if count[word] == 1 else f"{isolated(word)} (word {number})"
        for number, word in enumerate(words, 1)
    )


def named_in_prose(words: Sequence[str]) -> tuple[str, ...]:
    """The same inside an English sentence: in quotation marks where it would be read as part of it.

    "4 % to “the”", but "73 % to cat".
    """
    return tuple(
        name if _stands_out(word) else name.replace(isolated(word), f"“{isolated(word)}”", 1)
        for word, name in zip(words, word_names(words), strict=True)
    )


def _stands_out(word: str) -> bool:
    """Whether a word is taken for a name: one word, and none that holds sentences together."""
    return word.isalnum() and word.lower() not in _SMALL_WORDS.split()


_SMALL_WORDS = """
    a above after all alone also an and any are as at be been before below both but by can could
    did do does down each every few for from had has have he her here him his how i if in into
    is it its itself just may me might more most my no none nor not nothing now of off on one
    only or other our out over same she should so some such than that the their them then there
    these they this those three to too two under up us very was we were what when where which
    who whom whose why will with word words would yes yet you your
"""
"""English words that would join the sentence they are named in: "to the", "in only", "so no"."""


def listed(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
