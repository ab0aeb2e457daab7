"""Why data was refused, in words: a count by its name, msgspec's errors as a place and what would
be right there.
"""

import difflib
import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

LONGEST: Final = 40
"""Characters of a text from a document that a message repeats."""

UNKNOWN_KEY: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


class Problem(NamedTuple):
    """One thing wrong: where (`heads[0].key[2]`, "" for the whole) and what would be right."""

    place: str
    advice: str

    def __str__(self) -> str:
        return f"{self.place}: {self.advice}" if self.place else self.advice


@dataclass(frozen=True, slots=True)
class NotANumber:
    """What was written where JSON has no number for it: NaN, Infinity, 1e309."""

    text: str


def explain(
    error: msgspec.ValidationError,
    data: object,
    expected: Callable[[str], str],
    keys: Mapping[str, Iterable[str]],
) -> Problem:
    """The place of a msgspec error in plain data, and what would be right there.

    expected says what belongs at a place and keys which keys it may have; both know a place with
    `[]` for any index (`heads[].key[]`), and the whole as "".
    """
    message, place = _parted(str(error), data)
    kind = re.sub(r"\[\d+\]", "[]", place)
    if unknown := UNKNOWN_KEY.fullmatch(message):
        return _unknown_key(place, unknown[1], keys[kind])
    if missing := re.fullmatch(r"Object missing required field `(.*)`", message):
        key = missing[1]
        right = expected(_join(kind, key))
        return Problem(_join(place, key), f"is missing; it should be {right}")
    found = described(_at(data, place))
    return Problem(place, f"should be {expected(kind)}, not {found}")


def _parted(said: str, data: object) -> tuple[str, str]:
    """What msgspec said, as its message and the place, which it leaves out for the whole.

    An unknown key may hold anything, so also what looks like a place.
    """
    message, _, path = said.rpartition(" - at `$")
    unknown = UNKNOWN_KEY.fullmatch(said)
    if not message or (unknown and isinstance(data, dict) and unknown[1] in data):
        return said, ""
    return message, path[:-1].removeprefix(".")


def described(value: object) -> str:
    """A value from a document, short enough for a message of one line."""
    match value:
        case NotANumber(text):
            return text if len(text) <= 20 else f"{text[:12]}… ({len(text)} characters)"
        case str():
            return shown(value) if len(value) <= 80 else f"a text of {len(value)} characters"
        case list() | tuple():
            return f"a list of {len(value)}"
        case dict():
            return "an object"
        case _:
            return json.dumps(value)


def shown(text: str) -> str:
    """A text in quotation marks, on one line, cut where it is long."""
    written = printable(text[: LONGEST + 1])
    return f'"{written if len(written) <= LONGEST else written[: LONGEST - 1] + "…"}"'


def printable(text: str) -> str:
    """The text on one line: what can't be printed is written as its escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def check_count(name: str, count: int, least: int = 1) -> int:
    """`count` as a whole number of Python's own, which can't overflow.

    Raises ValueError with the argument's `name` where it isn't whole, or below `least`.
    """
    try:
        whole = operator.index(count)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {count!r}") from None
    if whole < least:
        raise ValueError(f"{name} must be at least {least}, not {whole}")
    return whole


def _unknown_key(place: str, key: str, known: Iterable[str]) -> Problem:
    known = list(known)
    # A long key is like none of ours, and to look would take 50 times its size in memory.
    close = difflib.get_close_matches(key, known, n=1) if len(key) <= LONGEST else []
    right = f"did you mean {close[0]}?" if close else f"the keys here are {', '.join(known)}"
    if re.fullmatch(rf"\w{{1,{LONGEST}}}", key):
        return Problem(_join(place, key), f"is an unknown key; {right}")
    return Problem(place, f"{shown(key)} is an unknown key; {right}")


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _at(data: object, place: str) -> object:
    """What stands at a place in plain data."""
    for key, index in re.findall(r"(\w+)|\[(\d+)\]", place):
        match data:
            case dict() if key:
                data = data[key]
            case list() | tuple() if index:
                data = data[int(index)]
    return data
