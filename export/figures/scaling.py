"""Softmax without and with the division by √d_k, side by side: how hard one word chooses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention, attend
from engine.notation import write_entries, write_share
from engine.sentence import Sentence, attention_of
from export.figures.lettering import fit, width_of, write
from export.figures.marks import hatch
from export.figures.sheet import (
    Area,
    as_sheet,
    fill,
    line,
    may_see,
    new_sheet,
    note_height,
    quoted,
    strongest,
    which_words,
    write_middle,
    write_notes,
)
from export.figures.theme import BODY, GAP, SMALL, STRONG, FigureStyle

__all__ = ["compose", "draw_scaling"]

ROW, WIDTH = 24.0, 500.0
HEADING = 44.0
LONGEST_NAME = 100.0


def draw_scaling(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw the focus word's scores and shares twice: as they are, and divided by √d_k.

    attention is (n, …) of the n words; of its own scale, a temperature in it is left out, and a
    note says so. Of more than twelve words the focus word and the eleven that weigh most are drawn.
    Returns `ax`.
    """
    style = style or FigureStyle()
    shown, columns = _columns(attention, focus, style)
    notes = _notes(attention, words, focus, shown)
    area = write_notes(ax, notes, as_sheet(ax, style), style)
    seen = may_see(attention, focus)
    longest = max(width_of(fit(words[j], BODY, LONGEST_NAME), BODY) for j in shown)
    left = area.left + longest + 2 * GAP
    panel = (area.right - left - 3 * GAP) / 2
    pitch = (area.height - HEADING) / len(shown)
    for i, j in enumerate(shown):
        y = area.top - HEADING - pitch * (i + 0.5)
        color = style.colors.ink if seen[j] else style.colors.dim
        text = fit(words[j], BODY, LONGEST_NAME)
        write_middle(ax, left - 2 * GAP, y, text, style, size=BODY, color=color, ha="right")
    numbers = max(
        *(width_of(text, BODY) for column in columns for text in column.scores),
        *(width_of(column.formula, SMALL) for column in columns),
    )
    shares = max(width_of(text, BODY) for column in columns for text in column.written)
    bars = max(panel - numbers - shares - 3 * GAP, width_of("softmax", SMALL))
    for place, column in enumerate(columns):
        start = left + place * (panel + 3 * GAP)
        sheet = Area(start, area.bottom, panel, area.height)
        _draw_column(ax, column, sheet, numbers, bars, pitch, seen, shown, style)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """The focus word's two columns, a row a word."""
    attention, words, focus = attention_of(sentence, head), sentence.words, sentence.focus
    shown, _ = _columns(attention, focus, style)
    notes = _notes(attention, words, focus, shown)
    height = HEADING + ROW * len(shown) + note_height(notes, WIDTH)
    ax = new_sheet(figure, WIDTH, height, style)
    draw_scaling(attention, ax, words=words, focus=focus, style=style)


@dataclass(frozen=True)
class _Column:
    """One way of doing it: its name, what is under it, and each shown word's score and share."""

    name: str
    formula: str
    scores: tuple[str, ...]
    shares: tuple[float, ...]
    written: tuple[str, ...]


def _columns(
    attention: Attention, focus: int, style: FigureStyle
) -> tuple[list[int], list[_Column]]:
    """The words that are drawn, and both columns."""
    d_k = attention.query.shape[-1]
    shown: list[int] = []
    columns = []
    for name, root, formula in (
        ("not scaled", 1.0, "q · k"), ("scaled", math.sqrt(d_k), "q · k / √d_k"),
    ):  # fmt: skip
        one = attend(
            attention.query, attention.key, attention.value, mask=attention.mask,
            scale=1 / root,
        )  # fmt: skip
        shown = shown or strongest(one.weights[focus], focus)
        row = one.weights[focus]
        scores = write_entries([float(one.masked[focus, j]) for j in shown], style.digits)
        shares = tuple(float(row[j]) for j in shown)
        written = tuple(write_share(share, style.digits) for share in shares)
        columns.append(_Column(name, formula, tuple(scores), shares, written))
    return shown, columns


def _draw_column(
    ax: Axes, column: _Column, area: Area, numbers: float, room: float, pitch: float,
    seen: Sequence[bool], shown: Sequence[int], style: FigureStyle,
) -> None:  # fmt: skip
    start = area.left + numbers + 2 * GAP
    write(ax, area.left, area.top - STRONG, column.name, style, size=STRONG)
    y = area.top - HEADING + 1.2 * GAP
    dim = style.colors.dim
    right = area.left + numbers
    write(ax, right, y, column.formula, style, size=SMALL, color=dim, ha="right")
    write(ax, start, y, "softmax", style, size=SMALL, color=dim)
    for i, j in enumerate(shown):
        middle = area.top - HEADING - pitch * (i + 0.5)
        high = min(0.62 * pitch, 18.0)
        ink = style.colors.ink if seen[j] else dim
        write_middle(ax, right, middle, column.scores[i], style, size=BODY, color=ink, ha="right")
        if not seen[j]:
            hatch(ax, [(start, middle - high / 2, room * 0.25, high)], style)
        bar = Area(start, middle - high / 2, room * column.shares[i], high)
        fill(ax, bar, style, style.colors.weight)
        at = start + (room * column.shares[i] if seen[j] else room * 0.25) + GAP
        write_middle(ax, at, middle, column.written[i], style, size=BODY, color=ink)
    line(ax, [start, start], [area.top - HEADING, area.top - HEADING - pitch * len(shown)],
         style, style.colors.faint)  # fmt: skip


def _notes(
    attention: Attention, words: Sequence[str], focus: int, shown: Sequence[int]
) -> list[str]:
    d_k = attention.query.shape[-1]
    root = write_entries([math.sqrt(d_k)], 3)[0]
    about = f"{quoted(words, focus)} listens. d_k = {d_k}, √d_k = {root}."
    if not any(math.isclose(attention.scale, scale) for scale in (1.0, 1 / math.sqrt(d_k))):
        about += " The sentence's temperature is left out of both."
    if attention.mask is not None and not attention.mask[focus].all():
        about += " Hatched: it may not look there."
    return [about, which_words(shown, len(words), "that weigh most unscaled")]
