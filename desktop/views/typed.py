"""A number as people type it, under any locale: a point and a comma are both decimal marks."""

from __future__ import annotations

import re

from engine.notation import write_exactly
from engine.refusal import shown
from engine.sentence import MAX_NUMBER

__all__ = ["read_number", "read_whole"]

THOUSANDS = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f](?=\d{3}(?!\d))")
SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0d": "-", "\u066b": ".", ",": "."})
POWER = re.compile(r"[×x·*]10\^?([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|-?\d+)$")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def read_number(
    text: str, lowest: float = -float(MAX_NUMBER), highest: float = float(MAX_NUMBER)
) -> float:
    """The number that is meant: "1.5" and "1,5" are 1.5, "62,5" is 62.5.

    Also as byhand's own pictures write it (−1.5, 1.23×10⁴). Thousands may be parted by a blank,
    never by a mark, since 1,234 would then be two numbers. Raises ValueError, which names what was
    typed and says what would do, where it is no finite number from `lowest` to `highest`.
    """
    plain = THOUSANDS.sub("", text.strip()).translate(SIGNS)
    plain = POWER.sub(lambda found: "e" + found[1].translate(RAISED), plain)
    if not plain:
        raise ValueError("an empty cell isn't a number: type one, such as 1.5")
    if not NUMBER.fullmatch(plain):
        raise ValueError(f"{shown(text.strip())} isn't a number: type one such as 1.5 or -2")
    number = float(plain)
    if not lowest <= number <= highest:
        least, most = write_exactly(lowest), write_exactly(highest)
        raise ValueError(f"{shown(text.strip())} is out of range: a number from {least} to {most}")
    if number == 0 and re.search("[1-9]", plain.lower().partition("e")[0]):
        raise ValueError(f"{shown(text.strip())} is too close to 0 to be told from it: type 0")
    return number + 0.0


def read_whole(text: str, lowest: int, highest: int) -> int:
    """A whole number from `lowest` to `highest`; ValueError, in words, where it is none."""
    number = read_number(text, lowest, highest)
    if not number.is_integer():
        raise ValueError(f"{shown(text.strip())} isn't whole: a number from {lowest} to {highest}")
    return int(number)
