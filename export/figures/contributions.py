"""What each word gives beside what it weighs: a high weight can carry little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention
from engine.influence import contributions
from engine.notation import write_entries, write_share
from engine.sentence import Sentence, attention_of
from engine.softmax import FloatArray
from export.figures.lettering import fit, width_of, write
from export.figures.marks import hatch
from export.figures.sheet import (
    MOST_WORDS,
    Area,
    as_sheet,
    fill,
    line,
    may_see,
    new_sheet,
    quoted,
    strongest,
    which_words,
    write_middle,
    write_notes,
)  # fmt: skip
from export.figures.theme import BODY, GAP, SMALL, FigureStyle
from export.prose import listed
from export.telling import TIE, leaders

__all__ = ["compose", "draw_contributions"]

WIDTH, ROW, HEAD, FOOT = 430.0, 25.0, 22.0, 34.0
AS_NAMED = 3
"""So many words that tie are named."""

BAR = 0.62
"""How much of a row its bar takes."""


def draw_contributions(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw the focus word's weights, times the values' lengths, and what that gives, as bars.

    attention's arrays are (n, …) of one head, words are n texts. Lengths are Euclidean, and what a
    word gives is the length of its weight times its value (Kobayashi et al. 2020). Of more than
    twelve words the focus word and those that weigh or give most are drawn. Returns `ax`.
    """
    style = style or FigureStyle()
    weights = attention.weights[focus]
    # hypot, since a square of something tiny vanishes.
    gives = np.hypot.reduce(contributions(attention)[focus], axis=-1)
    lengths = np.hypot.reduce(attention.value, axis=-1)
    shares = _shares(weights), _shares(gives)
    # Of equal ones those that do both.
    shown = strongest(np.maximum(*shares) + TIE * np.minimum(*shares), focus)
    seen = may_see(attention, focus)
    notes = [
        _comparison(words, focus, weights, gives, sum(seen)),
        which_words(shown, len(words), "that weigh or give most"),
    ]
    area = write_notes(ax, notes, as_sheet(ax, style), style)
    columns = _lay_out(ax, area, [words[j] for j in shown], lengths[shown], style)
    _name_rows(ax, columns, [words[j] for j in shown], shown.index(focus), style)
    _draw_factor(ax, columns, lengths[shown], [seen[j] for j in shown], style)
    written = [write_share(float(weight), style.digits) for weight in weights[shown]]
    entries = _written(gives[shown], style.digits)
    for place, numbers, texts, color in (
        (columns.weights, weights[shown], written, style.colors.weight),
        (columns.gives, gives[shown], entries, style.colors.role("value")),
    ):
        _draw_bars(ax, place, numbers, texts, [seen[j] for j in shown], color, style)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """One head's bars, a row a word."""
    rows = min(len(sentence.words), MOST_WORDS)
    ax = new_sheet(figure, WIDTH, HEAD + ROW * rows + FOOT, style)
    draw_contributions(
        attention_of(sentence, head), ax, words=sentence.words, focus=sentence.focus, style=style
    )


def _shares(numbers: FloatArray) -> FloatArray:
    """Numbers as shares of the largest."""
    largest = float(numbers.max(initial=0.0))
    return np.asarray(numbers / largest) if largest > 0 else numbers * 0


def _written(lengths: FloatArray, digits: int) -> list[str]:
    """Lengths as labels: what isn't quite 0 never says that it is."""
    return [
        write_share(float(length), digits) if 0 < length < 10.0**-digits else text
        for length, text in zip(lengths, write_entries(lengths, digits), strict=True)
    ]


def _comparison(
    words: Sequence[str], focus: int, weights: FloatArray, gives: FloatArray, seen: int
) -> str:
    """What the picture shows, in a sentence."""
    if not weights.any():
        return f"The word {quoted(words, focus)} may look at nothing: nothing is given to it."
    if not gives.any():
        return "Each value is 0 where there is weight: nothing is given, whoever has the weight."
    heaviest, most = leaders(weights), leaders(gives)
    who, s, much = _those(words, heaviest, seen)
    weigh = f"For {quoted(words, focus)}: {who} weigh{s} {much}"
    if most == heaviest:
        return f"{weigh} and give{s} {much}."
    who, s, much = _those(words, most, seen)
    if set(most) > set(heaviest):
        return f"{weigh}, and {who} give{s} {much}."
    longer = "its value" if len(most) == 1 else "their values"
    return f"{weigh}, but {who} give{s} {much}, {longer} being longer."


def _those(words: Sequence[str], places: Sequence[int], seen: int) -> tuple[str, str, str]:
    """Who has the most, their verb's ending, and how much it is: "all", "", "the same"."""
    if len(places) == seen > 1:
        return "all", "", "the same"
    if len(places) > AS_NAMED:
        return f"{len(places)} words", "", "most"
    return listed([quoted(words, j) for j in places]), "s" if len(places) == 1 else "", "most"


class _Columns:
    """Where the three columns stand, and the rows in them."""

    def __init__(self, area: Area, count: int, names: float, factor: float) -> None:
        bars = (area.width - names - factor - 5 * GAP) / 2
        self.pitch = min((area.height - HEAD) / count, 1.3 * ROW)
        self.count = count
        height = self.pitch * count
        bottom = area.top - HEAD - height
        left = area.left + names + GAP
        self.weights = Area(left, bottom, bars, height)
        self.factor = Area(left + bars + 2 * GAP, bottom, factor, height)
        self.gives = Area(left + bars + factor + 4 * GAP, bottom, bars, height)
        self.names = names

    def middle(self, row: int) -> float:
        """The y of a row."""
        return self.weights.top - (row + 0.5) * self.pitch


def _lay_out(
    ax: Axes, area: Area, words: Sequence[str], lengths: FloatArray, style: FigureStyle
) -> _Columns:
    """The columns with their headings."""
    names = min(max(width_of(word, BODY) for word in words), 0.24 * area.width)
    texts = [*_written(lengths, style.digits), "|v|"]
    factor = max(width_of(f"× {text}", BODY) for text in texts)
    columns = _Columns(area, len(words), names, factor)
    for place, text, color in (
        (columns.weights, "weight w", style.colors.weight),
        (columns.factor, "× |v|", style.colors.role("value")),
        (columns.gives, "= |w · v|, what it gives", style.colors.role("value")),
    ):
        room = place.width + (GAP if place is columns.factor else 0.0)
        write(
            ax, place.left, place.top + GAP, fit(text, SMALL, room), style, size=SMALL, color=color
        )
    return columns


def _name_rows(
    ax: Axes, columns: _Columns, words: Sequence[str], focus: int, style: FigureStyle
) -> None:
    """Each row's word; the one in focus lit."""
    for row, word in enumerate(words):
        color = style.colors.highlight if row == focus else style.colors.ink
        text = fit(word, BODY, columns.names)
        write_middle(
            ax, columns.weights.left - GAP, columns.middle(row), text, style, size=BODY,
            color=color, ha="right",
        )  # fmt: skip


def _draw_factor(
    ax: Axes, columns: _Columns, lengths: FloatArray, seen: Sequence[bool], style: FigureStyle
) -> None:
    """The lengths that weights are multiplied by."""
    for row, text in enumerate(_written(lengths, style.digits)):
        color = style.colors.role("value") if seen[row] else style.colors.dim
        write_middle(
            ax, columns.factor.left, columns.middle(row), f"× {text}", style, size=BODY,
            color=color,
        )  # fmt: skip


def _draw_bars(
    ax: Axes, place: Area, numbers: FloatArray, texts: Sequence[str], seen: Sequence[bool],
    color: str, style: FigureStyle,
) -> None:  # fmt: skip
    """A bar a row with its number behind it; hatched from side to side where it is masked."""
    pitch = place.height / len(numbers)
    reach = place.width - GAP - max(width_of(text, BODY) for text in texts)
    masked = []
    for row, share in enumerate(_shares(numbers)):
        middle = place.top - (row + 0.5) * pitch
        bottom, height = middle - BAR / 2 * pitch, BAR * pitch
        if not seen[row]:
            masked.append((place.left, bottom, reach, height))
        elif share > 0:
            fill(ax, Area(place.left, bottom, reach * float(share), height), style, color)
        end = place.left + (reach * float(share) if seen[row] else reach)
        ink = style.colors.ink if seen[row] else style.colors.dim
        write_middle(ax, end + GAP / 2, middle, texts[row], style, size=BODY, color=ink)
    hatch(ax, masked, style)
    line(ax, [place.left] * 2, [place.bottom, place.top], style, style.colors.faint)
