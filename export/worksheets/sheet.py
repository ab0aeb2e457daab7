"""What a worksheet says, before anybody has decided how it looks: parts, sections, blocks.

A word of the document is never in a text itself. In its place stands a mark, so that each format
can set it in its own way, whatever is in it: no word has a control character, and a mark is made
of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.working import Term

__all__ = [
    "Blank",
    "Block",
    "Fields",
    "Lines",
    "Note",
    "Part",
    "Piece",
    "Row",
    "Said",
    "Section",
    "Sheet",
    "Table",
    "mark",
    "spoken",
    "told_apart",
]

_MARK = re.compile("\0(\\d+)\0")


def mark(index: int) -> str:
    """What stands in a text for the document's own text of this index (`Sheet.quoted`)."""
    return f"\0{index}\0"


def told_apart(words: Sequence[str]) -> list[str]:
    """The marks of a sentence's words, with a word's number beside it where it occurs twice."""
    return [
        mark(place) if words.count(word) == 1 else f"{mark(place)} (word {place + 1})"
        for place, word in enumerate(words)
    ]


def spoken(
    text: str, quoted: tuple[str, ...], plain: Callable[[str], str], own: Callable[[str], str]
) -> str:
    """A text with our words set by `plain` and the document's, at their marks, by `own`."""
    pieces = _MARK.split(text)
    return "".join(
        own(quoted[int(piece)]) if place % 2 else plain(piece) for place, piece in enumerate(pieces)
    )


@dataclass(frozen=True)
class Blank:
    """A place to write in: `name` says what belongs there; is_long where it is a calculation."""

    name: str
    is_long: bool = False


Piece = Term | Blank


@dataclass(frozen=True)
class Row:
    """One line on paper: `label` `sign` pieces. word is the index of the word it's about."""

    label: str
    pieces: tuple[Piece, ...]
    word: int | None = None
    sign: str = "="


@dataclass(frozen=True)
class Lines:
    """Lines of a calculation, one under the other."""

    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Said:
    """A sentence that says what is to be done, or asked."""

    text: str


@dataclass(frozen=True)
class Note:
    """A remark on what is above it: what rounding makes odd, mostly."""

    text: str


@dataclass(frozen=True)
class Fields:
    """Lines to fill in at the top of a sheet: name, date."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table: its first column names the rows.

    kind is "vectors" (a list of numbers a cell, roles says whose), "grid" (a number a cell, as many
    columns as words), "answers" (to be filled in) or "keys" (answers to be compared).
    explained says what is to be known before reading it.
    """

    kind: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | Blank, ...], ...]
    roles: tuple[str, ...] = ()
    explained: tuple[str, ...] = ()


Block = Lines | Said | Note | Fields | Table


@dataclass(frozen=True)
class Section:
    """A step, or a table with its title; title "" where the part's own will do."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Part:
    """A page: what is to be done for one word, or what comes after.

    about says whose it is, on a line of its own; line is both in one, where there is room for no
    more. is_key: not for pupils.
    """

    title: str
    about: str
    line: str
    sections: tuple[Section, ...]
    is_key: bool = False


@dataclass(frozen=True)
class Sheet:
    """A whole worksheet. quoted are the document's own texts, which the marks stand for."""

    title: str
    parts: tuple[Part, ...]
    quoted: tuple[str, ...]
