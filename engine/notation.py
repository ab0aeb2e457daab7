"""How a number is written: the same on every screen, frame and page.

Pictures use U+2212 for minus, −∞ for a masked score and 1.23×10⁴ from ten thousand up; data
(`data=True`) uses "-" and 1.23e4. Ties round away from zero, from the shortest decimal that reads
back, as taught at school: 0.125 is written 0.13.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal, localcontext

__all__ = [
    "INFINITY",
    "MINUS",
    "round_half_up",
    "write_entries",
    "write_exactly",
    "write_list",
    "write_number",
    "write_percent",
    "write_share",
]

MINUS = "\u2212"
INFINITY = "\u221e"
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
LARGE = Decimal(10_000)
QUICK = 9_999.0


def round_half_up(number: float | Decimal, digits: int) -> Decimal:
    """`number` with `digits` decimals, ties away from zero; never minus zero."""
    exact = number if isinstance(number, Decimal) else Decimal(repr(float(number)))
    with localcontext() as context:
        context.prec = 400
        rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return abs(rounded) if rounded == 0 else rounded


def write_entries(numbers: Iterable[float], digits: int = 2, *, data: bool = False) -> list[str]:
    """The numbers of one list, each as text: no decimals if every one is whole, else `digits`.

    A −∞ (a masked score) counts as whole and is written −∞. Raises ValueError for NaN or +∞.
    """
    numbers = [float(number) for number in numbers]
    whole = all(number.is_integer() or number == -math.inf for number in numbers)
    return [_write(number, 0 if whole else digits, digits, data) for number in numbers]


def write_exactly(number: float) -> str:
    """The shortest digits that read back, as data; whole numbers without .0, and -0.0 as 0."""
    if float(number).is_integer():
        return str(int(number))
    return re.sub(r"e-0+", "e-", repr(float(number)))


def write_list(numbers: Iterable[float], digits: int = 2, *, data: bool = False) -> str:
    """The numbers as "[0, 4, 2, 0]" or "[0.00, 2.83, 1.41, 0.00]"."""
    return f"[{', '.join(write_entries(numbers, digits, data=data))}]"


def write_number(number: float, digits: int = 2, *, data: bool = False) -> str:
    """One number by itself: a list of one."""
    return write_entries([number], digits, data=data)[0]


def write_share(weight: float, digits: int = 2) -> str:
    """A weight in a cell or label: always with decimals, "<0.01" where it is not quite zero.

    Exactly 0 and exactly 1 are written 0 and 1.
    """
    if weight > 0 and round_half_up(weight, digits) == 0:
        return f"<{Decimal(1).scaleb(-digits):f}"
    return write_number(weight, digits)


def write_percent(weight: float) -> str:
    """A weight in a sentence: "73 %", "<1 %" where it is not quite zero."""
    percent = round_half_up(Decimal(repr(float(weight))).scaleb(2), 0)
    return "<1 %" if percent == 0 < weight else f"{percent} %"


def _write(number: float, decimals: int, digits: int, data: bool) -> str:
    if number == -math.inf:
        return "-inf" if data else MINUS + INFINITY
    if not math.isfinite(number):
        raise ValueError(f"{number} has no way of being written; only finite numbers and −∞ do")
    if -QUICK < number < QUICK and (quick := _write_quickly(number, decimals)):
        return quick if data else quick.replace("-", MINUS)
    rounded = round_half_up(number, decimals)
    text = f"{rounded:f}" if abs(rounded) < LARGE else _write_large(number, digits, data)
    return text if data else text.replace("-", MINUS)


def _write_quickly(number: float, decimals: int) -> str:
    """A number below QUICK by Python's own rounding, ten times as fast; "" where it might differ.

    That rounds the exact binary number; we round the shortest decimal that reads back. A tie of
    decimals lies between the two only if it is that shortest decimal itself.
    """
    shortest = repr(number)
    if "e" in shortest or (
        shortest[-1] == "5" and shortest.find(".") == len(shortest) - decimals - 2
    ):
        return ""
    text = f"{number:.{decimals}f}"
    return text if number > 0 or text.strip("-0.") else text.lstrip("-")


def _write_large(number: float, digits: int, data: bool) -> str:
    exact = Decimal(repr(number))
    exponent = exact.adjusted()
    mantissa = round_half_up(exact.scaleb(-exponent), digits)
    if abs(mantissa) >= 10:
        exponent += 1
        mantissa = round_half_up(exact.scaleb(-exponent), digits)
    if data:
        return f"{mantissa:f}e{exponent}"
    return f"{mantissa:f}×10{str(exponent).translate(SUPERSCRIPTS)}"
