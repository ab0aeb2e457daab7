"""A figure in one paragraph of words, for those who can't see it.

Every number is the engine's, written as the figure writes it; of a long sentence the strongest few
words are named, and the rest is told as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from engine import (
    Attention,
    Sentence,
    attend,
    attention_of,
    contributions,
    convex_hull,
    growth,
    softmax,
    softmax_jacobian,
    walk_tiles,
)
from engine.notation import write_entries, write_list, write_number, write_percent
from engine.softmax import FloatArray
from export.growth import size_text
from export.prose import isolated, listed, word_names

__all__ = ["alt_text"]

FEW = 3
"""Of a long sentence so many words are named."""

NAMED = 5
"""A sentence that is not longer is told whole."""

MOST_TILES = 6
"""So many tiles a sentence is cut into at most, as in the figure."""

ENTRIES = 4
"""A vector that is longer is told by its first numbers."""


@dataclass(frozen=True)
class _Told:
    """What a paragraph is about: a sentence seen by one head, and how to say it."""

    sentence: Sentence
    head: int
    attention: Attention
    names: tuple[str, ...]
    focus: int
    digits: int
    rows: str

    @property
    def name(self) -> str:
        """The focus word."""
        return self.names[self.focus]

    @property
    def by_head(self) -> str:
        """Which head, where there are several."""
        heads = self.sentence.heads
        return f", by head {isolated(heads[self.head].name)}" if len(heads) > 1 else ""

    def other(self, word: int, listener: int) -> str:
        """A word as `listener` hears it: itself, or its name."""
        return "itself" if word == listener else self.names[word]

    def number(self, number: float) -> str:
        """One number."""
        return write_number(float(number), self.digits)

    def vector(self, numbers: FloatArray) -> str:
        """A vector; of a long one its first numbers and how many there are."""
        if len(numbers) <= ENTRIES:
            return write_list(numbers, self.digits)
        begun = write_list(numbers[:FEW], self.digits).removesuffix("]")
        return f"{begun}, …] ({len(numbers)} numbers)"


def alt_text(
    sentence: Sentence,
    head: int,
    figure: str,
    *,
    focus: int | None = None,
    digits: int = 2,
    rows: str = "queries",
) -> str:
    """What a figure shows, in one paragraph of plain text.

    head and focus are indices (focus is the sentence's own unless given); figure is a figure's
    name with hyphens; digits are decimals; rows says what a grid's rows are, "queries" or "keys".
    Raises ValueError where there is no such head, word or figure.
    """
    if figure not in _PARAGRAPHS:
        raise ValueError(f"no figure is called {figure!r}: try {', '.join(_PARAGRAPHS)}")
    focus = sentence.focus if focus is None else focus
    if not 0 <= focus < len(sentence.words):
        raise ValueError(f"focus must be from 0 to {len(sentence.words) - 1}, not {focus}")
    attention = attention_of(sentence, head)
    names = word_names(sentence.words)
    told = _Told(sentence, head, attention, names, focus, digits, rows)
    return " ".join(filter(None, _PARAGRAPHS[figure](told)))


# Sentences that several figures share


def _shares(told: _Told, attention: Attention, listener: int) -> str:
    """ "sat gives 73 % of its attention to cat, 18 % to itself and 4 % to the"."""
    row, name = attention.weights[listener], told.names[listener]
    heard = _heard(attention, listener)
    if not heard:
        return f"{name} may look at nothing, so that its weights and its output are 0"
    if len(heard) == 1:
        only = told.other(heard[0], listener)
        return f"{name} may look at {only} only, which gets 100 % of its attention"
    if len(set(row[heard].round(12))) == 1:
        each = write_percent(float(row[heard[0]]))
        among = "both words" if len(heard) == 2 else f"each of {len(heard)} words"
        return f"{name} shares its attention out evenly, {each} to {among}"
    order = sorted(heard, key=lambda j: (-row[j], j))
    kept = order if len(order) <= NAMED else order[:FEW]
    first, *more = ((write_percent(float(row[j])), f"to {told.other(j, listener)}") for j in kept)
    parts = [f"{first[0]} of its attention {first[1]}", *(" ".join(part) for part in more)]
    if rest := order[len(kept) :]:
        together = write_percent(float(row[rest].sum()))
        parts.append(f"{together} to the other {len(rest)} together")
    return f"{name} gives {listed(parts)}"


def _heard(attention: Attention, listener: int) -> list[int]:
    """The words that a word may look at."""
    n = attention.weights.shape[-1]
    if attention.mask is None:
        return list(range(n))
    return [j for j in range(n) if attention.mask[listener, j]]


def _closed(told: _Told, attention: Attention, listener: int) -> str:
    """Whom a word may not look at; nothing where that is nobody, or everybody."""
    closed = sorted(set(range(len(told.names))) - set(_heard(attention, listener)))
    if not closed or len(closed) == len(told.names):
        return ""
    named = [told.other(j, listener) for j in closed]
    what = listed(named) if len(closed) <= NAMED else f"{len(closed)} of the words"
    return f"It may not look at {what}: hatched, weight exactly 0."


def _others(told: _Told, attention: Attention) -> str:
    """Whom each of the other words listens to most; of many words only how many there are."""
    others = [i for i in range(len(told.names)) if i != told.focus]
    if not others:
        return ""
    if len(told.names) > NAMED:
        top = [_strongest(attention, i) for i in others]
        found = [j for j in top if j >= 0]
        most = max(sorted(set(found)), key=found.count, default=-1)
        if most < 0:
            return ""
        return (
            f"Of the other {len(others)} words {found.count(most)} listen most to "
            f"{told.names[most]}."
        )
    return f"{'; '.join(_shares(told, attention, i) for i in others)}."


def _strongest(attention: Attention, listener: int) -> int:
    """The word that gets most; −1 where there is nothing to look at."""
    row = attention.weights[listener]
    return int(row.argmax()) if row.any() else -1


def _axes(told: _Told) -> str:
    axes = ["who listens (queries)", "who is heard (keys)"]
    first, second = axes if told.rows == "queries" else axes[::-1]
    return f"rows are {first}, columns are {second}"


def _named(
    order: Sequence[int], say: Callable[[int], str], rest: Callable[[list[int]], str]
) -> str:
    """What is said of each word, in this order; of many words of the first few and of the rest."""
    kept = order if len(order) <= NAMED else order[:FEW]
    parts = [say(j) for j in kept]
    if left := list(order[len(kept) :]):
        parts.append(rest(left))
    return "; ".join(parts)


# The figures


def _query_plane(told: _Told) -> list[str]:
    a, i = told.attention, told.focus
    order = sorted(range(len(told.names)), key=lambda j: (-a.scores[i, j], j))
    written = write_entries(a.scores[i], told.digits)

    def score(j: int) -> str:
        return f"{told.names[j]} {told.vector(a.key[j])} scores {written[j]}"

    def rest(left: list[int]) -> str:
        return f"none of the other {len(left)} scores above {written[left[0]]}"

    return [
        f"The query of {told.name}, {told.vector(a.query[i])}, among the keys of "
        f"{_count(told)}{told.by_head}.",
        "From each key a perpendicular falls on the query's line: the further along the query its "
        "foot lies, the higher the score.",
        f"By score: {_named(order, score, rest)}.",
        f"After softmax {_shares(told, a, i)}.",
    ]


def _value_plane(told: _Told) -> list[str]:
    a, i = told.attention, told.focus
    order = sorted(_heard(a, i), key=lambda j: (-a.weights[i, j], j))

    def part(j: int) -> str:
        share = write_percent(float(a.weights[i, j]))
        return f"{share} of {told.names[j]} {told.vector(a.value[j])}"

    def rest(left: list[int]) -> str:
        share = write_percent(float(a.weights[i, left].sum()))
        added = told.vector(contributions(a)[i, left].sum(axis=0))
        return f"{share} of the other {len(left)} words, which adds {added}"

    text = [
        f"The values of {_count(told)} and the output of {told.name}, "
        f"{told.vector(a.output[i])}{told.by_head}."
    ]
    if not order:
        return [*text, f"{told.name} may look at nothing, so its output is 0."]
    text.append(f"Laid head to tail it is made of {_named(order, part, rest)}.")
    if a.value.shape[-1] == 2:
        corners = len(convex_hull(a.value[order]))
        text += [f"It lies within the hull of the values, which has {corners} corners."] * (
            corners > 2
        )
    return text


def _weights(told: _Told) -> list[str]:
    a = told.attention
    return [
        f"A grid of the weights of {_count(told)}{told.by_head}: {_axes(told)}.",
        f"{_shares(told, a, told.focus)}.",
        _closed(told, a, told.focus),
        _others(told, a),
    ]


def _causal_pair(told: _Told) -> list[str]:
    free = attention_of(msgspec.structs.replace(told.sentence, causal=False), told.head)
    causal = attention_of(msgspec.structs.replace(told.sentence, causal=True), told.head)
    first, last = told.names[0], told.names[-1]
    text = [
        f"Two grids of the weights of {_count(told)}{told.by_head}, without and with the causal "
        f"mask: {_axes(told)}.",
        f"Without the mask {_shares(told, free, told.focus)}.",
        f"With it {_shares(told, causal, told.focus)}.",
    ]
    if len(told.names) > 1:
        side, row = ("above", "row") if told.rows == "queries" else ("below", "column")
        text.append(
            f"What lies {side} the diagonal is hatched: no word may look at a later one. "
            f"So {first} sees at most itself, and the {row} of {last} is the same in both."
        )
    return text


def _scaling(told: _Told) -> list[str]:
    a, i = told.attention, told.focus
    plain = attend(a.query, a.key, a.value, mask=a.mask, scale=1.0)
    root = np.sqrt(a.key.shape[-1])
    scaled = attend(a.query, a.key, a.value, mask=a.mask, scale=1 / root)
    by = told.number(root)
    return [
        f"Softmax of the scores of {told.name} with and without scaling{told.by_head}.",
        f"Without scaling {_shares(told, plain, i)}.",
        f"Divided by √d_k = {by} first, {_shares(told, scaled, i)}.",
    ]


def _score_gap(told: _Told) -> list[str]:
    a, i = told.attention, told.focus
    order = sorted(_heard(a, i), key=lambda j: (-a.masked[i, j], j))
    text = [
        "The share that softmax gives the better of two scores, and its gradient, against the gap "
        f"between them: 50 % and a gradient of {told.number(0.25)} where they tie; the wider the "
        "gap, the nearer the share to 100 % and the gradient to 0."
    ]
    if len(order) < 2:
        return text
    best, next_best = order[:2]
    gap = float(a.masked[i, best] - a.masked[i, next_best])
    share = softmax([gap, 0.0])
    steepness = float(softmax_jacobian(share)[0, 0])
    return [
        *text,
        f"For {told.name} the best score, that of {told.other(best, i)}, is {told.number(gap)} "
        f"above the next, that of {told.other(next_best, i)}: between the two its share is "
        f"{write_percent(float(share[0]))} and its gradient {told.number(steepness)}.",
    ]


def _contributions(told: _Told) -> list[str]:
    a, i = told.attention, told.focus
    parts = contributions(a)[i]
    lengths = np.hypot.reduce(parts, axis=-1)
    order = sorted(_heard(a, i), key=lambda j: (-a.weights[i, j], j))

    def part(j: int) -> str:
        share = write_percent(float(a.weights[i, j]))
        return (
            f"{told.names[j]} has {share} and gives {told.vector(parts[j])}, of length "
            f"{told.number(lengths[j])}"
        )

    def rest(left: list[int]) -> str:
        share = write_percent(float(a.weights[i, left].sum()))
        added = told.vector(parts[left].sum(axis=0))
        return f"the other {len(left)} have {share} together and give {added}"

    text = [
        f"What each word weighs for {told.name}, beside what it contributes to the output: its "
        f"weight times its value{told.by_head}."
    ]
    if not order:
        return [*text, f"{_shares(told, a, i)}."]
    most = int(lengths.argmax())
    text.append(f"By weight: {_named(order, part, rest)}.")
    if not lengths.any():
        return text
    agree = "The largest contribution is that of the largest weight"
    differ = "The largest contribution isn't that of the largest weight"
    return [*text, f"{agree if most == order[0] else differ}: it comes from {told.names[most]}."]


def _winning_word(told: _Told) -> list[str]:
    a = told.attention
    winners = [_strongest(a, i) for i in range(len(told.names))]
    lines = []
    for word in sorted({j for j in winners if j >= 0}, key=lambda j: -winners.count(j)):
        who = [
            f"{told.names[i]} ({write_percent(float(a.weights[i, word]))})"
            for i, winner in enumerate(winners)
            if winner == word
        ]
        whose = listed(who) if len(who) <= NAMED else f"{len(who)} words"
        lines.append(f"{told.names[word]} wins for {whose}")
    left = len(lines) - FEW if len(lines) > NAMED else 0
    if left:
        lines[FEW:] = [f"{left} more words win for one or more"]
    wins = "; ".join(lines) or "none may look at a word"
    return [
        f"Which word wins where in the plane of queries{told.by_head}: each place has the colour "
        "or hatching of the word that a query there would listen to most.",
        f"Of the queries drawn, {wins}.",
    ]


def _growth(told: _Told) -> list[str]:
    n, width = len(told.names), told.attention.key.shape[-1]
    heads = len(told.sentence.heads)
    here, double = (growth(size, width, heads=heads) for size in (n, 2 * n))
    needs = "needs" if n == 1 else "need"
    return [
        f"How the grid of weights grows: {_count(told)} {needs} {_plural(here.cells, 'cell')}, "
        f"{size_text(here.grid_bytes)} at 4 bytes a number; twice as many words "
        f"{double.cells:,} cells, {size_text(double.grid_bytes)}.",
        f"The causal mask leaves {here.causal_cells:,} of them open, and "
        f"{double.causal_cells:,} of twice as many words.",
        "Double the words and there are four times the cells, and four times the bytes to hold "
        "them, while the vectors only double.",
    ]


def _heads(told: _Told) -> list[str]:
    text = [
        f"The weights of {_count(told)} in {_plural(len(told.sentence.heads), 'head')}, side by "
        f"side: {_axes(told)}."
    ]
    for index, head in enumerate(told.sentence.heads):
        attention = attention_of(told.sentence, index)
        text.append(f"In {isolated(head.name)} {_shares(told, attention, told.focus)}.")
    return text


def _tiles(told: _Told) -> list[str]:
    a, i, n = told.attention, told.focus, len(told.names)
    columns = -(-n // MOST_TILES)
    query, mask = a.query[i : i + 1], None if a.mask is None else a.mask[i : i + 1]
    *_, last = walk_tiles(query, a.key, a.value, scale=a.scale, mask=mask, tile=(1, columns))
    text = [
        f"The keys of {_count(told)} met in tiles of {_plural(columns, 'word')}{told.by_head}: for "
        f"{told.name} only the largest score so far, the total and the output so far are kept."
    ]
    if last.total[0] == 0:
        return [*text, f"{_shares(told, a, i)}."]
    output = last.output[0] / last.total[0]
    return [
        *text,
        f"They end as maximum {told.number(last.maximum[0])} and total "
        f"{told.number(last.total[0])}, and the output divided by the total is "
        f"{told.vector(output)}: the same as with the whole grid.",
    ]


def _count(told: _Told) -> str:
    return _plural(len(told.names), "word")


def _plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count:,} {what}s"


_PARAGRAPHS: dict[str, Callable[[_Told], list[str]]] = {
    "query-plane": _query_plane,
    "value-plane": _value_plane,
    "weights": _weights,
    "causal-pair": _causal_pair,
    "scaling": _scaling,
    "score-gap": _score_gap,
    "contributions": _contributions,
    "winning-word": _winning_word,
    "growth": _growth,
    "heads": _heads,
    "tiles": _tiles,
}
