"""A figure in one paragraph of words, for those who can't see it.

Every number is the engine's, written as the figure writes it; of a long sentence the strongest few
words are named, and the rest is told as one.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from engine import (
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
from engine.notation import write_entries, write_percent, write_share
from export.growth import grows_as_text, size_text, time_text
from export.measured import Measured
from export.prose import listed, named_in_prose
from export.telling import (
    FEW,
    NAMED,
    Told,
    axes_of,
    closed_to,
    heard_by,
    leaders,
    named,
    plural,
    shares,
    told_of_others,
    word_count,
)

__all__ = ["alt_text"]

MOST_TILES = 6
"""So many tiles a sentence is cut into at most, as in the figure."""


def alt_text(
    sentence: Sentence,
    head: int,
    figure: str,
    *,
    focus: int | None = None,
    digits: int = 2,
    rows: str = "queries",
    measured: Measured | None = None,
) -> str:
    """What a figure shows, in one paragraph of plain text.

    head and focus are indices (focus is the sentence's own unless given); figure is a figure's
    name with hyphens; digits are decimals; rows says what a grid's rows are, "queries" or "keys";
    measured are the times that the figure of growth shows.
    Raises ValueError where there is no such head, word or figure.
    """
    if figure not in _PARAGRAPHS:
        raise ValueError(f"no figure is called {figure!r}: try {', '.join(_PARAGRAPHS)}")
    focus = sentence.focus if focus is None else focus
    if not 0 <= focus < len(sentence.words):
        raise ValueError(f"focus must be from 0 to {len(sentence.words) - 1}, not {focus}")
    attention = attention_of(sentence, head)
    names = named_in_prose(sentence.words)
    told = Told(sentence, head, attention, names, focus, digits, rows)
    text = _PARAGRAPHS[figure](told)
    if figure == "growth" and measured is not None:
        text.append(_times(measured))
    return " ".join(filter(None, text))


def _query_plane(told: Told) -> list[str]:
    a, i = told.attention, told.focus
    order = sorted(range(len(told.names)), key=lambda j: (-a.scores[i, j], j))
    written = write_entries(a.scores[i], told.digits)

    def score(j: int) -> str:
        return f"{told.names[j]} {told.vector(a.key[j])} scores {written[j]}"

    def rest(left: list[int]) -> str:
        return f"none of the other {len(left)} scores above {written[left[0]]}"

    return [
        f"The query of {told.name}, {told.vector(a.query[i])}, among the keys of "
        f"{word_count(told)}{told.by_head}.",
        "From each key a perpendicular falls on the query's line: the further along the query its "
        "foot lies, the higher the score.",
        f"By score: {named(order, score, rest)}.",
        f"After softmax {shares(told, a, i)}.",
    ]


def _value_plane(told: Told) -> list[str]:
    a, i = told.attention, told.focus
    order = sorted(heard_by(a, i), key=lambda j: (-a.weights[i, j], j))

    def part(j: int) -> str:
        share = write_percent(float(a.weights[i, j]))
        return f"{share} of {told.names[j]} {told.vector(a.value[j])}"

    def rest(left: list[int]) -> str:
        share = write_percent(float(a.weights[i, left].sum()))
        added = told.vector(contributions(a)[i, left].sum(axis=0))
        return f"{share} of the other {len(left)} words, which adds {added}"

    text = [
        f"The values of {word_count(told)} and the output of {told.name}, "
        f"{told.vector(a.output[i])}{told.by_head}."
    ]
    if not order:
        return [*text, f"{told.name} may look at nothing, so its output is 0."]
    text.append(f"Laid head to tail it is made of {named(order, part, rest)}.")
    if a.value.shape[-1] == 2:
        corners = len(convex_hull(a.value[order]))
        text += [f"It lies within the hull of the values, which has {corners} corners."] * (
            corners > 2
        )
    return text


def _weights(told: Told) -> list[str]:
    a = told.attention
    return [
        f"A grid of the weights of {word_count(told)}{told.by_head}: {axes_of(told)}.",
        f"{shares(told, a, told.focus)}.",
        closed_to(told, a, told.focus),
        told_of_others(told, a),
    ]


def _causal_pair(told: Told) -> list[str]:
    free = attention_of(msgspec.structs.replace(told.sentence, causal=False), told.head)
    causal = attention_of(msgspec.structs.replace(told.sentence, causal=True), told.head)
    first, last = told.names[0], told.names[-1]
    text = [
        f"Two grids of the weights of {word_count(told)}{told.by_head}, without and with the "
        f"causal mask: {axes_of(told)}.",
        f"Without the mask {shares(told, free, told.focus)}.",
        f"With it {shares(told, causal, told.focus)}.",
    ]
    if len(told.names) > 1:
        side, row = ("above", "row") if told.rows == "queries" else ("below", "column")
        text.append(
            f"What lies {side} the diagonal is hatched: no word may look at a later one. "
            f"So {first} sees at most itself, and the {row} of {last} is the same in both."
        )
    return text


def _scaling(told: Told) -> list[str]:
    a, i = told.attention, told.focus
    plain = attend(a.query, a.key, a.value, mask=a.mask, scale=1.0)
    root = np.sqrt(a.key.shape[-1])
    scaled = attend(a.query, a.key, a.value, mask=a.mask, scale=1 / root)
    by = told.number(root)
    return [
        f"Softmax of the scores of {told.name} with and without scaling{told.by_head}.",
        f"Without scaling {shares(told, plain, i)}.",
        f"Divided by √d_k = {by} first, {shares(told, scaled, i)}.",
        *(["The sentence's temperature is left out of both."] * (told.sentence.temperature != 1)),
    ]


def _score_gap(told: Told) -> list[str]:
    a, i = told.attention, told.focus
    order = sorted(heard_by(a, i), key=lambda j: (-a.masked[i, j], j))
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


def _contributions(told: Told) -> list[str]:
    a, i = told.attention, told.focus
    parts = contributions(a)[i]
    lengths = np.hypot.reduce(parts, axis=-1)
    order = sorted(heard_by(a, i), key=lambda j: (-a.weights[i, j], j))

    def part(j: int) -> str:
        share = write_percent(float(a.weights[i, j]))
        return (
            f"{told.names[j]} has {share} and gives {told.vector(parts[j])}, of length "
            f"{write_share(float(lengths[j]), told.digits)}"
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
        return [*text, f"{shares(told, a, i)}."]
    text.append(f"By weight: {named(order, part, rest)}.")
    heaviest, most = leaders(a.weights[i]), leaders(lengths)
    if not most:
        return text
    said = "The largest contribution"
    if len(heaviest) == 1:
        said += " is" if most == heaviest else " isn't"
        said += " that of the largest weight: it"
    who = listed([told.names[j] for j in most]) if len(most) <= NAMED else f"{len(most)} words"
    return [*text, f"{said} comes from {who}{' alike' if len(most) > 1 else ''}."]


def _winning_word(told: Told) -> list[str]:
    a, d_k = told.attention, told.attention.key.shape[-1]
    winners = [tuple(leaders(row)) for row in a.weights]
    lines = []
    for tied in sorted(filter(None, set(winners)), key=lambda tied: (-winners.count(tied), tied)):
        who = [
            f"{told.names[i]} ({write_percent(float(a.weights[i, tied[0]]))})"
            for i, winner in enumerate(winners)
            if winner == tied
        ]
        whose = listed(who) if len(who) <= NAMED else f"{len(who)} words"
        names = (
            listed([told.names[j] for j in tied]) if len(tied) <= NAMED else f"{len(tied)} words"
        )
        lines.append(f"{names} {'wins' if len(tied) == 1 else 'tie'} for {whose}")
    left = len(lines) - FEW if len(lines) > NAMED else 0
    if left:
        lines[FEW:] = [f"{left} more words win for one or more"]
    wins = "; ".join(lines) or "none may look at a word"
    if d_k == 2:
        return [
            f"Which word wins where in the plane of queries{told.by_head}: each place has the "
            "colour or hatching of the word that a query there would listen to most.",
            f"Of the queries drawn, {wins}.",
        ]
    why = "lie on a line" if d_k == 1 else "lie in no plane"
    return [
        f"A list{told.by_head}, since queries of {plural(d_k, 'number')} {why}: for each word, "
        "whom it listens to most, and a bar as long as that share.",
        f"{wins[:1].upper()}{wins[1:]}." if not lines else f"By its keys, {wins}.",
    ]


def _growth(told: Told) -> list[str]:
    n, width = len(told.names), told.attention.key.shape[-1]
    heads = len(told.sentence.heads)
    here, double = (growth(size, width, heads=heads) for size in (n, 2 * n))
    needs = "needs" if n == 1 else "need"
    return [
        f"How the grid of weights grows: {word_count(told)} {needs} {plural(here.cells, 'cell')}, "
        f"{size_text(here.grid_bytes)} at 4 bytes a number; twice as many words "
        f"{double.cells:,} cells, {size_text(double.grid_bytes)}.",
        f"The causal mask leaves {here.causal_cells:,} of them open, and "
        f"{double.causal_cells:,} of twice as many words.",
        "Double the words and there are four times the cells, and four times the bytes to hold "
        "them, while the vectors only double: so does, in the end, what is held with tiles, which "
        "is the second curve.",
    ]


def _times(measured: Measured) -> str:
    took = []
    for name, way in (("grid", "the full grid"), ("tiles", "tiles")):
        timed = [(one.n, getattr(one, name)) for one in measured.times if getattr(one, name)]
        if timed:
            n, seconds = timed[-1]
            took.append(f"{way} took {time_text(seconds)} at {n:,} tokens")
    grows = f"; {said}" if (said := grows_as_text(measured.times)) else ""
    mask = " and the causal mask" if measured.causal else ""
    return (
        f"Under it times that were measured with {plural(measured.width, 'number')} a vector"
        f"{mask}: {listed(took)}{grows}."
    )


def _heads(told: Told) -> list[str]:
    text = [
        f"The weights of {word_count(told)} in {plural(len(told.sentence.heads), 'head')}, side by "
        f"side: {axes_of(told)}."
    ]
    for index, head in enumerate(told.sentence.heads):
        attention = attention_of(told.sentence, index)
        (name,) = named_in_prose([head.name])
        text.append(f"By head {name}, {shares(told, attention, told.focus)}.")
    return text


def _tiles(told: Told) -> list[str]:
    a, i, n = told.attention, told.focus, len(told.names)
    columns = -(-n // MOST_TILES)
    query, mask = a.query[i : i + 1], None if a.mask is None else a.mask[i : i + 1]
    *_, last = walk_tiles(query, a.key, a.value, scale=a.scale, mask=mask, tile=(1, columns))
    text = [
        f"The keys of {word_count(told)} met in tiles of {plural(columns, 'word')}{told.by_head}: "
        f"for {told.name} only the largest score so far, the total and the output so far are kept."
    ]
    if last.total[0] == 0:
        return [*text, f"{shares(told, a, i)}."]
    output = last.output[0] / last.total[0]
    return [
        *text,
        f"They end as maximum {told.number(last.maximum[0])} and total "
        f"{told.number(last.total[0])}, and the output divided by the total is "
        f"{told.vector(output)}: the same as with the whole grid.",
    ]


_PARAGRAPHS: dict[str, Callable[[Told], list[str]]] = {
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
