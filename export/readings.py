"""Which parts of a document a scene reads: what its picture depends on, and what it doesn't.

A scene is handed a sentence whose words, heads and stories note which of them are looked at. They
are no tuples, so nothing can read past them: copied, sliced, compared, hashed or written down,
they note it. All else in a document (focus, mask, settings, …) counts as read by every scene, but
for the title, which no scene is given.

Places are written as in `SentenceError`: "words[2]" and "heads[0]" are an item, "words" is how
many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast, overload

import msgspec

from engine.sentence import Sentence

__all__ = ["places_read", "read_at", "unread", "watched"]

Item = TypeVar("Item", covariant=True)

NOTED = ("words", "heads", "asks", "shows", "gives")
"""The fields whose items are noted one by one."""


class Noted(Sequence[Item]):
    """Items that write down, in `places`, which of them are read."""

    def __init__(self, name: str, items: Sequence[Item], places: set[str]) -> None:
        self.places = places
        self._name = name
        self._items = items

    def __len__(self) -> int:
        self.places.add(self._name)
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        place = index.__index__()
        # From the end, or beyond it: that depends on where it is.
        if not 0 <= place < len(self._items):
            place += len(self)
        if not 0 <= place < len(self._items):
            raise IndexError(f"{self._name}[{index}]")
        self.places.add(f"{self._name}[{place}]")
        return self._items[place]

    def __iter__(self) -> Iterator[Item]:
        for place in range(len(self)):
            yield self[place]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, Noted) else other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __add__(self, other: Iterable[Any]) -> tuple[Any, ...]:
        return (*self, *other)

    def __radd__(self, other: Iterable[Any]) -> tuple[Any, ...]:
        return (*other, *self)

    # What a copy is asked is asked of us.

    def __copy__(self) -> Noted[Item]:
        return self

    def __deepcopy__(self, memo: object) -> Noted[Item]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)


def watched(sentence: Sentence) -> Sentence:
    """The sentence as a scene gets it: `places_read` says afterwards what was read of it."""
    places: set[str] = set()
    noted = {
        name: Noted(name, items, places)
        for name in NOTED
        if (items := getattr(sentence, name)) is not None
    }
    return msgspec.structs.replace(sentence, title="", **cast(Any, noted))


def places_read(sentence: Sentence) -> tuple[str, ...]:
    """What has been read of a `watched` sentence so far, in alphabetical order."""
    return tuple(sorted(cast("Noted[str]", sentence.words).places))


def unread(sentence: Sentence) -> Sentence:
    """The sentence without all that is noted when it is read, and without its title.

    It is no valid document: what is left is what every scene depends on.
    """
    empty = {name: () for name in NOTED if getattr(sentence, name) is not None}
    return msgspec.structs.replace(sentence, title="", **empty)


def read_at(sentence: Sentence, place: str) -> object:
    """What a scene reads at a place: an item, or how many there are; None where nothing is."""
    found = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", place)
    if found is None or found[1] not in NOTED:
        raise ValueError(f"{place} is no place that is noted")
    items = getattr(sentence, found[1])
    if items is None:
        return None
    if found[2] is None:
        return len(items)
    return items[int(found[2])] if int(found[2]) < len(items) else None
