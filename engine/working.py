"""The hand calculation as data: what one would write on paper, with the numbers behind it.

The text rounds as `engine.notation` says and the numbers don't: where printed parts don't give the
printed whole, a step's notes say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from engine.attention import Attention
from engine.notation import MINUS, round_half_up, write_entries, write_list, write_number
from engine.softmax import FloatArray

__all__ = [
    "Line", "RoundedWorking", "Step", "Term", "each_step", "round_every_step", "work_through",
]  # fmt: skip

MULTIPLY = "·"
DIVIDE = "÷"


@dataclass(frozen=True)
class Term:
    """A piece of a line: its text, the number behind it (None for a sign), and whose it is.

    role is "query", "key", "value", "output", "weight" or "" for the rest.
    """

    text: str
    number: float | None = None
    role: str = ""


@dataclass(frozen=True)
class Line:
    """One line on paper: `label` = terms. word is the index of the word it's about, or None."""

    label: str
    terms: tuple[Term, ...]
    word: int | None = None

    @property
    def text(self) -> str:
        """The line as text, terms separated by spaces."""
        written = " ".join(term.text for term in self.terms)
        return f"{self.label} = {written}" if self.label else written


@dataclass(frozen=True)
class Step:
    """One step: its lines, its result at full precision, and what rounding makes odd.

    name is "score", "scale", "mask", "softmax" or "mix"; result holds one number a word (a number
    a value entry for "mix").
    """

    name: str
    title: str
    lines: tuple[Line, ...]
    result: tuple[float, ...]
    notes: tuple[str, ...] = ()


def work_through(
    attention: Attention, words: Sequence[str], focus: int, digits: int = 2
) -> list[Step]:
    """The calculation for one word, step by step: score, scale, (mask,) softmax, mix.

    attention: of one head, without leading axes, (n, …); words: n texts; focus: index of the word
    whose output is worked out; digits: decimals written. Raises ValueError where they don't fit, or
    where the scale isn't above 0 and so is no division.
    """
    return list(each_step(attention, words, focus, digits))


def each_step(
    attention: Attention, words: Sequence[str], focus: int, digits: int = 2
) -> Iterator[Step]:
    """The same steps, each worked out when it is asked for; ValueError before the first."""
    n = len(words)
    if attention.weights.shape != (n, n):
        raise ValueError(f"{n} words don't fit weights of shape {attention.weights.shape}")
    if not 0 <= focus < n:
        raise ValueError(f"focus must be from 0 to {n - 1}, not {focus}")
    if not attention.scale > 0:
        raise ValueError(f"scale must be above 0, not {attention.scale}")
    yield _score(attention, words, focus, digits)
    yield _scale(attention, focus, digits)
    if attention.mask is not None:
        yield _mask(attention, words, focus, digits)
    yield _softmax(attention, words, focus, digits)
    yield _mix(attention, focus, digits)


def _score(attention: Attention, words: Sequence[str], focus: int, digits: int) -> Step:
    query, result = attention.query[focus], _floats(attention.scores[focus])
    written = write_entries(result, digits)
    query_texts = write_entries(query, digits)
    lines = []
    for j, word in enumerate(words):
        key, terms = attention.key[j], []
        for q, q_text, k, k_text in zip(
            query, query_texts, key, write_entries(key, digits), strict=True
        ):
            terms += [
                Term("+"),
                Term(_factor(q_text), float(q), "query"),
                Term(MULTIPLY),
                Term(_factor(k_text), float(k), "key"),
            ]
        terms = [*terms[1:], Term("="), Term(written[j], result[j])]
        lines.append(Line(f"{words[focus]} {MULTIPLY} {word}", tuple(terms), j))
    lines.append(Line("scores", (Term(write_list(result, digits)),)))
    notes = _rounded_note(_scores_on_paper(attention, focus, digits), result, digits)
    return Step("score", "Score every word", tuple(lines), result, notes)


def _scores_on_paper(attention: Attention, focus: int, digits: int) -> list[Decimal]:
    """The scores of the query and keys as the page shows them."""
    query = [_shown(q, digits) for q in attention.query[focus]]
    return [
        sum((q * _shown(k, digits) for q, k in zip(query, key, strict=True)), Decimal(0))
        for key in attention.key
    ]


def _scale(attention: Attention, focus: int, digits: int) -> Step:
    scores, result = _floats(attention.scores[focus]), _floats(attention.scaled[focus])
    d_k = attention.key.shape[-1]
    # 1/(1/49) is 49.00000000000001: the last digits of a double aren't part of the divisor.
    divisor = float(f"{1.0 / attention.scale:.15g}")
    before, after = write_list(scores, digits), write_list(result, digits)
    if attention.scale == 1.0:
        line = Line("scaled", (Term(after),))
        return Step("scale", "Scale", (line,), result, ("The scores are left as they are.",))
    enough = digits + 1 + max(0, -math.floor(math.log10(divisor)))
    decimals = min(enough, _decimals_of(divisor))
    by = write_number(divisor, decimals)
    line = Line("", (Term(before), Term(DIVIDE), Term(by, divisor), Term("="), Term(after)))
    if math.isclose(divisor, math.sqrt(d_k), rel_tol=1e-12):
        note = f"{by} is √d_k, where d_k = {d_k} is the number of entries in a key."
    else:
        note = f"Every score is divided by {by}: √d_k where scaled, times the temperature."
    on_paper = [_shown(score, digits) / _shown(divisor, decimals) for score in scores]
    return Step("scale", "Scale", (line,), result, (note, *_rounded_note(on_paper, result, digits)))


def _decimals_of(number: float) -> int:
    """How many decimals the shortest decimal has that reads back as `number`."""
    return max(0, -int(Decimal(repr(number)).as_tuple().exponent))


def _mask(attention: Attention, words: Sequence[str], focus: int, digits: int) -> Step:
    assert attention.mask is not None
    result = _floats(attention.masked[focus])
    allowed = attention.mask[focus]
    forbidden = [word for word, may in zip(words, allowed, strict=True) if not may]
    lines = (Line("masked", (Term(write_list(result, digits)),)),)
    if len(forbidden) == len(words):
        note = f"{words[focus]} may look at nothing."
    elif forbidden:
        become = "the score becomes" if len(forbidden) == 1 else "their scores become"
        note = f"{words[focus]} may not look at {', '.join(forbidden)}: {become} −∞."
    else:
        note = f"{words[focus]} may look at every word: nothing changes."
    return Step("mask", "Mask", lines, result, (note,))


def _softmax(attention: Attention, words: Sequence[str], focus: int, digits: int) -> Step:
    masked, exp = _floats(attention.masked[focus]), _floats(attention.exp[focus])
    total, shift = float(attention.total[focus]), float(attention.shift[focus])
    result = _floats(attention.weights[focus])
    if total == 0:
        line = Line("weights", (Term(write_list(result, digits)),))
        note = "Every score is −∞, so there is nothing to share out: all weights are 0."
        return Step("softmax", "Softmax", (line,), result, (note,))

    notes = []
    inputs = tuple(score - shift for score in masked)
    lines = []
    if shift:
        by = write_number(shift, digits)
        lines.append(
            Line(
                "shifted",
                (Term(write_list(masked, digits)), Term("−"), Term(_factor(by), shift), Term("="),
                 Term(write_list(inputs, digits))),
            )
        )  # fmt: skip
        notes.append(
            f"On paper e^({by}) has no place: {by}, the largest score, is taken from every score "
            "first, which changes no share."
        )
        on_paper = [_shown(score, digits) - _shown(shift, digits) for score in masked]
        notes += _rounded_note(on_paper, inputs, digits)
    exp_texts = write_exp(exp, masked, digits)
    powers = write_entries(inputs, digits)
    for j, (word, power) in enumerate(zip(words, powers, strict=True)):
        lines.append(
            Line(f"{word}: e^{_factor(power)}", (Term(exp_texts[j], exp[j]),), j),
        )
    total_text = write_entries([*_open(exp, masked), total], digits)[-1]
    added: list[Term] = []
    for j, text in enumerate(exp_texts):
        added += [Term("+"), Term(text, exp[j])]
    # Of one number there is nothing to add up.
    sum_of = (*added[1:], Term("=")) if len(exp) > 1 else ()
    lines.append(Line("total", (*sum_of, Term(total_text, total))))
    shares = f"[{', '.join(exp_texts)}]"
    lines.append(
        Line(
            "weights",
            (Term(shares), Term(DIVIDE), Term(total_text, total), Term("="),
             Term(write_list(result, digits), None, "weight")),
        )
    )  # fmt: skip
    notes += _softmax_notes(inputs, exp, total, result, digits)
    return Step("softmax", "Softmax", tuple(lines), result, tuple(notes))


def write_exp(exp: Sequence[float], masked: Sequence[float], digits: int) -> list[str]:
    """The exponentials of one row as text; a masked score's is a plain 0."""
    open_texts = iter(write_entries(_open(exp, masked), digits))
    return ["0" if score == -math.inf else next(open_texts) for score in masked]


def _open(exp: Sequence[float], masked: Sequence[float]) -> list[float]:
    return [e for e, score in zip(exp, masked, strict=True) if score != -math.inf]


def _softmax_notes(
    inputs: Sequence[float],
    exp: Sequence[float],
    total: float,
    weights: Sequence[float],
    digits: int,
) -> list[str]:
    notes = _exp_note(inputs, exp, digits)
    exp_shown, total_shown = [_shown(e, digits) for e in exp], _shown(total, digits)
    added = float(sum(exp_shown))
    if _shown(added, digits) != total_shown:
        notes.append(
            f"The printed numbers add to {write_number(added, digits)}; with all their digits they "
            f"add to {write_number(total, digits)}."
        )
    if total_shown:
        notes += _rounded_note([e / total_shown for e in exp_shown], weights, digits)
    else:
        notes.append(f"The total printed as {round_half_up(total, digits):f} isn't quite zero.")
    printed = sum(_shown(w, digits) for w in weights)
    if printed != 1:
        notes.append(
            f"The rounded weights add to {printed:f}. The unrounded ones add to exactly 1."
        )
    if any(w == 0 and power != -math.inf for w, power in zip(weights, inputs, strict=True)):
        notes.append("A weight of 0 here is too small for a computer to tell from 0.")
    elif any(w > 0 and _shown(w, digits) == 0 for w in weights):
        notes.append(f"A weight printed as {round_half_up(0, digits):f} here isn't quite zero.")
    return notes


def _exp_note(inputs: Sequence[float], exp: Sequence[float], digits: int) -> list[str]:
    """One sentence where e to the printed number isn't the printed exponential (e^2.83)."""
    for power, e in sorted(zip(inputs, exp, strict=True), reverse=True):
        if power == -math.inf or e >= 10_000:
            continue
        shown = _shown(power, digits)
        on_paper = math.exp(shown)
        if _shown(on_paper, digits) == _shown(e, digits):
            continue
        text, exact = write_number(power, digits), f"{Decimal(repr(power)):f}".replace("-", MINUS)
        more = exact[: len(text) + 2] + "…" if len(exact) > len(text) + 2 else exact
        return [
            f"e^{_factor(text)} is {write_number(on_paper, digits)}, but {text} stands for {more}, "
            f"and e to that is {write_number(e, digits)}."
        ]
    return []


def _mix(attention: Attention, focus: int, digits: int) -> Step:
    weights, result = _floats(attention.weights[focus]), _floats(attention.output[focus])
    weight_texts = write_entries(weights, digits)
    terms: list[Term] = []
    for j, weight in enumerate(weights):
        terms += [
            Term("+"),
            Term(weight_texts[j], weight, "weight"),
            Term(MULTIPLY),
            Term(write_list(attention.value[j], digits), None, "value"),
        ]
    written = write_list(result, digits)
    lines = (Line("output", (*terms[1:], Term("="), Term(written, None, "output"))),)
    on_paper = _mixed([_shown(w, digits) for w in weights], attention.value, digits)
    notes = [*_rounded_note(on_paper, result, digits, "weights")]
    if not any(weights):
        notes.append("With no weight on any word, nothing is collected: the output is 0.")
    return Step("mix", "Weighted average of the values", lines, result, tuple(notes))


@dataclass(frozen=True)
class RoundedWorking:
    """What a pupil gets who rounds after every step; −∞ for a masked score."""

    scores: tuple[Decimal, ...]
    scaled: tuple[Decimal, ...]
    exp: tuple[Decimal, ...]
    total: Decimal
    weights: tuple[Decimal, ...]
    output: tuple[Decimal, ...]


def round_every_step(attention: Attention, focus: int, digits: int = 2) -> RoundedWorking | None:
    """The same row worked out by a pupil who rounds to `digits` after every step.

    Answer keys list it, so that no honest pupil is marked wrong. It starts from the vectors as the
    page shows them. None where paper doesn't reach: nothing to look at, or exponentials that need
    a shift or round to a total of 0.
    """
    if attention.shift[focus] != 0 or attention.total[focus] == 0:
        return None

    def rounded(numbers: Iterable[Decimal]) -> tuple[Decimal, ...]:
        return tuple(_shown(float(number), digits) for number in numbers)

    scores = rounded(_scores_on_paper(attention, focus, digits))
    scale = Decimal(repr(attention.scale))
    scaled = rounded(
        Decimal("-Infinity") if masked == -math.inf else score * scale
        for score, masked in zip(scores, attention.masked[focus], strict=True)
    )
    exp = rounded(power.exp() for power in scaled)
    total = sum(exp, Decimal(0))
    if total == 0:
        return None
    weights = rounded(e / total for e in exp)
    output = rounded(_mixed(weights, attention.value, digits))
    return RoundedWorking(scores, scaled, exp, total, weights, output)


def _mixed(weights: Sequence[Decimal], value: FloatArray, digits: int) -> list[Decimal]:
    """The average of the values as the page shows them."""
    return [
        sum((w * _shown(v, digits) for w, v in zip(weights, column, strict=True)), Decimal(0))
        for column in value.T
    ]


def _rounded_note(
    on_paper: Sequence[Decimal], result: Sequence[float], digits: int, what: str = "numbers"
) -> tuple[str, ...]:
    """One sentence where the numbers as printed don't give the result as printed."""
    reached = [float(number) for number in on_paper]
    if [_shown(x, digits) for x in reached] == [_shown(x, digits) for x in result]:
        return ()
    return (
        f"That uses the unrounded {what}. With the rounded ones shown you get "
        f"{write_list(reached, digits)}.",
    )


@lru_cache(maxsize=4096)
def _shown(number: float, digits: int) -> Decimal:
    """A number as the page shows it: with `digits` decimals, or 1.23×10⁴ from ten thousand up."""
    return Decimal(write_number(number, digits, data=True))


def _factor(text: str) -> str:
    """A number as one factor of a product: negative ones in brackets."""
    return f"({text})" if text.startswith("−") else text


def _floats(array: FloatArray) -> tuple[float, ...]:
    return tuple(float(x) for x in array)
