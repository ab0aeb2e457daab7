"""What the softmax bars show, as data: a column a step, a bar a word. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from desktop.calculation import Calculation
from desktop.views.bars import Bar, spans
from desktop.views.shares import add_printed, write_changes, write_shares
from engine import Attention
from engine.notation import write_entries, write_list, write_number
from engine.softmax import FloatArray
from engine.working import write_exp

__all__ = ["Column", "Rows", "columns_of", "hidden_of", "names_of", "rows_of"]


NOTHING = ("", "")


@dataclass(frozen=True)
class Rows:
    """Which words have a row of their own, in their order; those of `others` share the last."""

    words: tuple[int, ...]
    others: tuple[int, ...] = ()


@dataclass(frozen=True)
class Column:
    """One step for every row: header and footer are what stands over and under it, each in words
    and, where these have no room, in short.

    step is the step of a `Thing`; color that of a theme or role; zero is where 0 lies, a share of
    the room.
    """

    name: str
    step: str
    header: tuple[str, str]
    footer: tuple[str, str]
    color: str
    bars: tuple[Bar, ...]
    zero: float = 0.0


def rows_of(calculation: Calculation, room: int) -> Rows:
    """At most `room` rows: the words the focus word listens to most, the rest as one."""
    n, focus = len(calculation.sentence.words), calculation.sentence.focus
    if n <= room:
        return Rows(tuple(range(n)))
    strongest = np.argsort(-calculation.attention.weights[focus], kind="stable")[: max(room - 1, 0)]
    chosen = tuple(sorted(strongest.tolist()))
    return Rows(chosen, tuple(word for word in range(n) if word not in set(chosen)))


def names_of(words: Sequence[str], rows: Rows) -> list[str]:
    """What stands before each row."""
    names = [words[word] for word in rows.words]
    return [*names, f"{len(rows.others)} others"] if rows.others else names


def columns_of(calculation: Calculation, before: Calculation | None, rows: Rows) -> list[Column]:
    """scores → scaled → exp → weights → what each word adds to the output."""
    attention, focus, digits = calculation.attention, calculation.sentence.focus, calculation.digits
    if before is not None and len(before.sentence.words) != len(calculation.sentence.words):
        before = None
    was = None if before is None else before.attention
    hidden = hidden_of(attention, focus, rows)
    scores, scaled, masked, exp, weights = (
        _row(numbers, focus, rows)
        for numbers in (attention.scores, attention.scaled, attention.masked, attention.exp,
                        attention.weights)
    )  # fmt: skip
    if rows.others:
        exp.append(_together(attention.exp, focus, rows))
        weights.append(_together(attention.weights, focus, rows))
    exp_texts = write_exp(exp, [*masked, 0.0][: len(exp)], digits)
    weight_texts = write_shares(np.array(weights), digits)
    before_scores = before_scaled = before_exp = before_weights = None
    changes: Sequence[str] = ()
    if was is not None:
        before_scores, before_scaled = (
            _row(numbers, focus, rows) for numbers in (was.scores, was.scaled)
        )
        before_exp, before_weights = _row(was.exp, focus, rows), _row(was.weights, focus, rows)
        if rows.others:
            before_exp.append(_together(was.exp, focus, rows))
            before_weights.append(_together(was.weights, focus, rows))
        changes = write_changes(np.array(before_weights), np.array(weights), digits)
    none, count = [False] * len(rows.words), len(rows.words) + bool(rows.others)
    total = write_number(float(attention.total[focus]), digits)
    scaled_header = ("scaled", "scaled") if attention.mask is None else ("scaled + mask", "masked")
    return [
        Column("score", "score", ("score", "score"), NOTHING, "dim", *_bars(
            count, write_entries(scores, digits), scores, before_scores, none)),
        Column("scaled", "scale", scaled_header, NOTHING, "dim", *_bars(
            count, write_entries(masked, digits), scaled, before_scaled, hidden)),
        Column("exp", "softmax", _exp_header(float(attention.shift[focus]), digits),
               (f"total {total}", f"Σ {total}"), "dim", *_bars(
            count, exp_texts, exp, before_exp, hidden)),
        Column("weight", "softmax", ("weight", "w"), _printed_sum(attention.weights[focus], digits),
               "weight", *_bars(
            count, ["" if hide else text for hide, text in zip([*hidden, False], weight_texts)],
            weights, before_weights, hidden, changes, 1.0)),
        _contributions(calculation, before, rows, hidden),
    ]  # fmt: skip


def _row(numbers: FloatArray, focus: int, rows: Rows) -> list[float]:
    row = numbers[focus].tolist()
    return [row[word] for word in rows.words]


def _together(numbers: FloatArray, focus: int, rows: Rows) -> float:
    """What the words without a row of their own have together."""
    row = numbers[focus].tolist()
    return sum(row[word] for word in rows.others)


def hidden_of(attention: Attention, focus: int, rows: Rows) -> list[bool]:
    """Which of the rows' words the focus word may not look at."""
    if attention.mask is None:
        return [False] * len(rows.words)
    allowed = attention.mask[focus].tolist()
    return [not allowed[word] for word in rows.words]


def _bars(
    count: int,
    texts: Sequence[str],
    numbers: Sequence[float],
    before: Sequence[float] | None,
    hidden: Sequence[bool],
    changes: Sequence[str] = (),
    most: float = 0.0,
) -> tuple[tuple[Bar, ...], float]:
    """`count` bars, those that have no number blank, and where 0 is among them."""
    drawn, ghosts, zero = spans(numbers, before, most)
    bars = [
        Bar(text, start, end, ghost, change, hide)
        for text, (start, end), ghost, change, hide in zip(
            texts, drawn, ghosts, changes or [""] * len(drawn), [*hidden, False]
        )
    ]
    return (*bars, *[Bar("")] * (count - len(bars))), zero


def _contributions(
    calculation: Calculation, before: Calculation | None, rows: Rows, hidden: Sequence[bool]
) -> Column:
    """What each word adds, w·v: as long as its bar, which its weight alone doesn't tell."""
    focus, digits = calculation.sentence.focus, calculation.digits

    def vectors(state: Calculation) -> list[list[float]]:
        added = state.contributions[focus]
        listed = added.tolist()
        return [listed[word] for word in rows.words] + (
            [added[list(rows.others)].sum(axis=0).tolist()] if rows.others else []
        )

    now = vectors(calculation)
    lengths = [math.hypot(*vector) for vector in now]
    was = None if before is None else [math.hypot(*vector) for vector in vectors(before)]
    texts = ["" if hide else write_list(vector, digits) for hide, vector in
             zip([*hidden, False], now)]  # fmt: skip
    bars, _ = _bars(len(texts), texts, lengths, was, hidden)
    output = write_list(calculation.attention.output[focus].tolist(), digits)
    return Column(
        "adds", "mix", ("adds w·v", "w·v"), (f"o = {output}", f"o {output}"), "value", bars
    )


def _exp_header(shift: float, digits: int) -> tuple[str, str]:
    """e^s, or what is taken from every score first where paper has no room for e^s."""
    if not shift:
        return "e^s", "e^s"
    sign = "−" if shift > 0 else "+"
    return f"e^(s {sign} {write_number(abs(shift), digits)})", "e^(s − max)"


def _printed_sum(weights: FloatArray, digits: int) -> tuple[str, str]:
    """What the weights add to as they are printed."""
    printed = add_printed(weights, digits)
    if printed == 1 or not weights.any():
        return f"sum {int(printed)}", f"Σ {int(printed)}"
    return f"printed sum {printed:f}", f"Σ {printed:f}"
