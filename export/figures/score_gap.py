"""The share of the better of two scores against the gap between them, and how it still moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention
from engine.notation import write_entries, write_number
from engine.sentence import Sentence, attention_of
from engine.softmax import FloatArray, softmax, softmax_jacobian
from export.figures.lettering import fit, width_of, write
from export.figures.plots import dot, dress, name_axes, new_plot, put_ticks, room_of, write_under
from export.figures.sheet import LEADING, may_see, quoted, strongest
from export.figures.theme import BODY, GAP, SMALL, FigureStyle
from scenes.direction import isolated

__all__ = ["compose", "draw_score_gap", "share_and_gradient"]

WIDTH, HEIGHT, LEFT = 400.0, 230.0, 30.0
USUAL, FARTHEST = 6.0, 12.0
"""Gaps up to here are on the axis in any case, and up to there where the sentence has them."""

TOP, BOTTOM = 0.8, 0.34
"""Between these shares the words' names stand: under the one curve and over the other."""

LONGEST = 130.0
CLEAR = 0.03


def share_and_gradient(gaps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of two scores that are `gaps` (n,) apart: the better one's weight w, and d w / d s = w(1−w).

    Softmax of two, and its Jacobian's first entry (Vaswani et al. 2017, §3.2.1).
    """
    gaps = np.asarray(gaps, dtype=np.float64)
    weights = softmax(np.stack((gaps, np.zeros_like(gaps)), axis=-1))
    return weights[..., 0], softmax_jacobian(weights)[..., 0, 0]


def draw_score_gap(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw both curves, and on them the gaps between the focus word's best score and the others.

    attention's arrays are (n, …) of one head, words are n texts. Gaps are those of the softmax's
    inputs: scaled, and of words that it may look at. What lies beyond the axis is named at its end;
    of more than twelve words the focus word and the nearest are named. Returns `ax`.
    """
    style = style or FigureStyle()
    marks = _marks(attention, words, focus, style)
    most = _most([mark.gap for mark in marks])
    dress(ax, style)
    ax.set_xlim(0, most)
    ax.set_ylim(0, 1.04)
    step = 1 if most <= 8 else 2
    places = list(range(0, math.floor(most) + 1, step))
    put_ticks(ax, "x", places, write_entries(places), style)
    shares = [0, 0.25, 0.5, 0.75, 1]
    put_ticks(ax, "y", shares, [write_number(share) for share in shares], style)
    for share in shares[1:]:
        ax.axhline(share, color=style.colors.grid, linewidth=style.stroke(0.8), zorder=0.5)
    name_axes(ax, "gap between two scores, as softmax gets them →", "", style)
    _draw_curves(ax, most, style)
    unnamed = _draw_marks(ax, marks, most, style)
    write_under(ax, _notes(attention, words, focus, unnamed), style, left=LEFT)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """The curves, with one head's gaps."""
    attention, words, focus = attention_of(sentence, head), sentence.words, sentence.focus
    notes = _notes(attention, words, focus, 1)
    ax = new_plot(figure, WIDTH, HEIGHT, style, left=LEFT, notes=notes)
    draw_score_gap(attention, ax, words=words, focus=focus, style=style)


@dataclass(frozen=True)
class _Mark:
    """Words whose score lies `gap` under the best one, and how that is written."""

    gap: float
    names: tuple[str, ...]
    written: str

    @property
    def label(self) -> str:
        """The names, as many as there is room for, and the gap."""
        first, *more = (isolated(fit(name, SMALL, LONGEST)) for name in self.names)
        text = first
        for at, name in enumerate(more):
            if width_of(f"{text}, {name}", SMALL) > LONGEST:
                return f"{text} and {len(more) - at} more: {self.written}"
            text = f"{text}, {name}"
        return f"{text}: {self.written}"


def _rivals(attention: Attention, focus: int) -> tuple[int, list[int]]:
    """The word with the best score (the first of several, −1 if none), and its rivals."""
    seen = [j for j, is_seen in enumerate(may_see(attention, focus)) if is_seen]
    if not seen:
        return -1, []
    row = attention.masked[focus]
    best = max(seen, key=lambda j: (row[j], -j))
    kept = strongest(row, best)
    return best, [j for j in seen if j != best and j in kept]


def _marks(
    attention: Attention, words: Sequence[str], focus: int, style: FigureStyle
) -> list[_Mark]:
    """The gaps in order, words of one written gap together."""
    best, others = _rivals(attention, focus)
    row = attention.masked[focus]
    gaps = sorted((float(row[best] - row[j]), j) for j in others)
    written = write_entries([gap for gap, _ in gaps], style.digits)
    marks: list[_Mark] = []
    for (gap, j), text in zip(gaps, written):
        if marks and marks[-1].written == text:
            last = marks.pop()
            marks.append(_Mark(last.gap, (*last.names, words[j]), text))
        else:
            marks.append(_Mark(gap, (words[j],), text))
    return marks


def _most(gaps: Sequence[float]) -> float:
    """Where the axis ends."""
    near = max((gap for gap in gaps if gap <= 0.96 * FARTHEST), default=0.0)
    return max(USUAL, float(math.ceil(near / 0.96)))


def _draw_curves(ax: Axes, most: float, style: FigureStyle) -> None:
    gaps = np.linspace(0, most, 161)
    share, gradient = share_and_gradient(gaps)
    colors, width = style.colors, style.stroke(2)
    ax.plot(gaps, share, color=colors.weight, linewidth=width, zorder=3, solid_capstyle="butt")
    ax.plot(
        gaps, gradient, color=colors.highlight, linewidth=width, zorder=3, linestyle=(0, (5, 2))
    )  # fmt: skip
    for y, text, color, away in (
        (share[-1], "weight w of the better one", colors.weight, -1.5 * BODY),
        (gradient[-1], "gradient w (1 − w)", colors.highlight, BODY),
    ):
        write(ax, most, y, text, style, size=BODY, color=color, ha="right", offset=(0, away))


def _draw_marks(ax: Axes, marks: Sequence[_Mark], most: float, style: FigureStyle) -> int:
    """Dots on both curves and names between them; returns how many words stay unnamed."""
    width, height = room_of(ax, style)
    leading = SMALL * LEADING
    ends = [-GAP] * int((TOP - BOTTOM) / 1.04 * height / leading)
    unnamed = 0
    for mark in marks:
        is_far = mark.gap > most
        x = width if is_far else mark.gap / most * width
        if not is_far:
            share, gradient = (float(y[0]) for y in share_and_gradient(np.array([mark.gap])))
            ax.plot(
                [mark.gap] * 2, [gradient, share], color=style.colors.faint, zorder=2,
                linewidth=style.stroke(0.8), linestyle=(0, (1, 2)),
            )  # fmt: skip
            dot(ax, mark.gap, share, style, style.colors.weight)  # fmt: skip
            dot(ax, mark.gap, gradient, style, style.colors.highlight, is_hollow=True)  # fmt: skip
        text = f"{mark.label} →" if is_far else mark.label
        room = width_of(text, SMALL)
        left = x - room if is_far else min(x + GAP / 2, width - room)
        # Under the curve, which rises: a name's upper left corner is nearest to it.
        under = float(share_and_gradient(np.array([left / width * most]))[0][0])
        row = next(
            (
                i for i, end in enumerate(ends)
                if end + GAP <= left and TOP - i * leading / height * 1.04 < under - CLEAR
            ),
            None,
        )  # fmt: skip
        if row is None:
            unnamed += len(mark.names)
            continue
        ends[row] = left + room
        plate = {"boxstyle": "square,pad=0.1", "facecolor": style.colors.ground, "linewidth": 0}
        y = TOP - (row + 0.8) * leading / height * 1.04
        write(ax, left / width * most, y, text, style, size=SMALL, zorder=5, bbox=plate)
    return unnamed


def _notes(attention: Attention, words: Sequence[str], focus: int, unnamed: int) -> list[str]:
    """Whose gaps these are."""
    best, others = _rivals(attention, focus)
    own = quoted(words, focus)
    if best < 0:
        return [f"The word {own} may look at nothing: it has no scores to compare."]
    if not others:
        return [
            f"The word {own} may look at {quoted(words, best)} only: no score stands against it."
        ]
    seen = sum(may_see(attention, focus))
    notes = [f"For {own}: how far each score is below the best one, that of {quoted(words, best)}."]
    if len(others) + 1 < seen:
        notes.append(f"The {len(others)} nearest of {seen - 1} words.")
    elif unnamed > 1:
        notes.append(f"{unnamed} more marks have no room for a name.")
    return notes
