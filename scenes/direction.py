"""Which way a document's words are written, and how they are kept from turning what is around."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["TURNING", "contained", "isolated"]

# What keeps a right-to-left word from turning the line around it: both marks take no room.
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
EMBEDDING, ISOLATING = {"LRE", "RLE", "LRO", "RLO"}, {"LRI", "RLI", "FSI"}
END_EMBEDDING = "\u202c"
MARKS = re.compile("[\u202a-\u202e\u2066-\u2069]")
TURNING = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}


def isolated(text: str) -> str:
    """The text between marks that hold its direction inside, where it has one of its own."""
    if any(unicodedata.bidirectional(character) in TURNING for character in text):
        return ISOLATE + contained(text) + END_ISOLATE
    return text


def contained(text: str) -> str:
    """The text with every mark of direction in it closed, and none that closes what it didn't open.

    Between marks that isolate it, it then turns nothing around it, whatever is in it.
    """
    if not MARKS.search(text):
        return text
    kept, ends = "", ""  # the ends that are due, the next one first
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in EMBEDDING:
            ends = END_EMBEDDING + ends
        elif kind in ISOLATING:
            ends = END_ISOLATE + ends
        elif kind == "PDF":
            if not ends.startswith(END_EMBEDDING):
                continue
            ends = ends[1:]
        elif kind == "PDI":
            if END_ISOLATE not in ends:
                continue
            ends = ends[ends.index(END_ISOLATE) + 1 :]
        kept += character
    return kept + ends
