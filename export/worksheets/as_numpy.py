"""A worksheet as a Python script that needs NumPy alone and prints the same numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine import Sentence, attention_of
from engine.notation import write_exactly

__all__ = ["numpy_of"]

SCRIPT = '''\
"""Attention by hand, with NumPy: every step for one word, and the weights and outputs of all."""

import math
import sys
from decimal import ROUND_HALF_UP, Decimal, localcontext

import numpy as np

WORDS = [
{words}]
FOCUS = {focus}  # {word}, counted from 0
DIGITS = {digits}

# One row a word.
Q = np.array([
{query}])
K = np.array([
{key}])
V = np.array([
{value}])
{scale}
{mask}

scores = Q @ K.T
scaled = scores * scale
masked = scaled{masked}

# e to the scores as on paper; where that is too large or too small for a computer, the largest
# score of the row is subtracted first, which changes no weight.
with np.errstate(over="ignore"):
    plain = np.exp(masked).sum(axis=1)
largest = masked.max(axis=1)
on_paper = (np.isfinite(plain) & (plain >= np.finfo(float).tiny)) | (largest == -np.inf)
shift = np.where(on_paper, 0, largest)
exp = np.exp(masked - shift[:, None])
total = exp.sum(axis=1)
weights = np.divide(exp, total[:, None], out=np.zeros_like(exp), where=total[:, None] != 0)
output = weights @ V


def rounded(number, digits):
    """Ties away from zero, from the shortest decimal that reads back."""
    with localcontext() as context:
        context.prec = 400
        result = Decimal(number).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return abs(result) if result == 0 else result


def written(number, digits):
    """A number as the worksheet has it: 1.23×10⁴ from ten thousand up."""
    if number == -math.inf:
        return "−∞"
    exact = Decimal(repr(float(number)))
    result = rounded(exact, digits)
    text = f"{{result:f}}"
    if abs(result) >= 10_000:
        power = exact.adjusted()
        mantissa = rounded(exact.scaleb(-power), DIGITS)
        if abs(mantissa) >= 10:
            power += 1
            mantissa = rounded(exact.scaleb(-power), DIGITS)
        raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
        text = f"{{mantissa:f}}×10" + str(power).translate(raised)
    return text.replace("-", "−")


def entries(numbers):
    """The numbers of a list, each as text: without decimals where every one is whole."""
    numbers = [float(number) for number in numbers]
    whole = all(number.is_integer() or number == -math.inf for number in numbers)
    return [written(number, 0 if whole else DIGITS) for number in numbers]


def listed(numbers):
    """The same in brackets."""
    return "[" + ", ".join(entries(numbers)) + "]"


sys.stdout.reconfigure(encoding="utf-8")
print("scores  =", listed(scores[FOCUS]))
print("scaled  =", listed(scaled[FOCUS]))
print("masked  =", listed(masked[FOCUS]))
if shift[FOCUS]:
    print("shifted =", listed(masked[FOCUS] - shift[FOCUS]))
open_words = masked[FOCUS] != -np.inf
texts = iter(entries([*exp[FOCUS][open_words], total[FOCUS]]))
print("exp     =", "[" + ", ".join(next(texts) if is_open else "0" for is_open in open_words) + "]")
print("total   =", next(texts))
print("weights =", listed(weights[FOCUS]))
print("output  =", listed(output[FOCUS]))
print()
print("weights of all words")
for word, row in zip(WORDS, weights):
    print(listed(row), word)
print()
print("outputs of all words")
for word, row in zip(WORDS, output):
    print(listed(row), word)
'''


def numpy_of(
    sentence: Sentence, head: int = 0, *, focus: int | None = None, digits: int = 2
) -> str:
    """The script for one word (the sentence's focus word unless given) in one head.

    It runs with Python and NumPy and prints the steps of that word, then the weights and outputs of
    all words, written as the worksheet writes them. Raises ValueError where there is no such head
    or word.
    """
    focus = sentence.focus if focus is None else focus
    if not 0 <= focus < len(sentence.words):
        raise ValueError(f"focus must be from 0 to {len(sentence.words) - 1}, not {focus}")
    attention = attention_of(sentence, head)
    size = "1 / np.sqrt(K.shape[1])" if sentence.scaled else "1.0"
    if sentence.temperature != 1:
        size = f"{size} / {sentence.temperature!r}"
    mask = attention.mask
    rows = {name: _matrix(getattr(attention, name)) for name in ("query", "key", "value")}
    return SCRIPT.format(
        words="".join(f"    {word!a},{_named(word)}\n" for word in sentence.words),
        word=_commented(sentence.words[focus]),
        focus=focus,
        digits=digits,
        scale=f"scale = {size}",
        mask="# Every word may look at every word." if mask is None else _mask(mask),
        masked="" if mask is None else "\nmasked = np.where(may_look, scaled, -np.inf)",
        **rows,
    )


def _matrix(rows: Iterable[Iterable[float]]) -> str:
    return "".join(f"    [{', '.join(_float(x) for x in row)}],\n" for row in rows)


def _float(number: float) -> str:
    """Digits that read back as a float, whole numbers too."""
    text = write_exactly(number)
    return text if any(c in text for c in ".e") else f"{text}.0"


def _mask(mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    if np.array_equal(mask, np.tri(len(mask), dtype=np.bool_)):
        return (
            "# Causal: no word may look at a later one.\nmay_look = np.tri(len(WORDS), dtype=bool)"
        )
    rows = "".join(f"    {[int(x) for x in row]},\n" for row in mask)
    about = "# Row: who listens; column: who is heard; 1 = may look."
    return f"{about}\nmay_look = np.array([\n{rows}]) == 1"


def _named(word: str) -> str:
    """A word that isn't plain ASCII once more as it is read, in a comment."""
    return "" if word.isascii() else f"  # {_commented(word)}"


def _commented(word: str) -> str:
    """A word in a comment: nothing that can't be seen, and nothing that turns the line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in word)
