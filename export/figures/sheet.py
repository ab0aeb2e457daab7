"""Axes as a sheet of paper, and what stands on several of them: notes, bars, a choice of words.

On a sheet places are points from the lower left corner, before the style's scale.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from engine.attention import Attention
from engine.softmax import FloatArray
from export.figures.lettering import fit, pieces_of, width_of, write
from export.figures.theme import SMALL, FigureStyle, axes_at, size_in_points
from scenes.direction import isolated

__all__ = [
    "LEADING", "MARGIN", "MOST_WORDS", "Area", "as_sheet", "fill", "line", "may_see", "new_sheet",
    "note_height", "quoted", "strongest", "which_words", "wrap", "write_middle", "write_notes",
]  # fmt: skip

MARGIN = 12.0
"""Points round everything."""

MOST_WORDS = 12
"""Of a longer sentence the word in focus and the strongest others are drawn."""

LEADING = 1.45
"""From one line of text to the next, in its size."""


@dataclass(frozen=True)
class Area:
    """A rectangle on a sheet."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.left + self.width

    @property
    def top(self) -> float:
        """The y of its upper side."""
        return self.bottom + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return self.left + self.width / 2, self.bottom + self.height / 2

    @property
    def box(self) -> tuple[float, float, float, float]:
        """As `marks` takes it."""
        return self.left, self.bottom, self.width, self.height


def new_sheet(figure: Figure, width: float, height: float, style: FigureStyle) -> Axes:
    """Axes of this size, in points before the style's scale, in a figure just large enough."""
    size_in_points(figure, width + 2 * MARGIN, height + 2 * MARGIN, style)
    return axes_at(figure, MARGIN, MARGIN, width, height, style)


def as_sheet(ax: Axes, style: FigureStyle) -> Area:
    """Make places on `ax` points before the style's scale; returns all of it."""
    box, dpi = ax.get_window_extent(), ax.figure.dpi * style.scale
    width, height = float(box.width) * 72 / dpi, float(box.height) * 72 / dpi
    ax.set_axis_off()
    ax.set_xlim(0, width)
    ax.set_ylim(0, height)
    return Area(0.0, 0.0, width, height)


def wrap(text: str, size: float, room: float) -> list[str]:
    """The lines of a note, about equally long, broken between words but not in a product or sum.

    A word that is longer than a line goes on in the next ones.
    """
    text = re.sub(r" ([·×=+]) ", "\u00a0\\1\u00a0", text)
    words = [piece for word in text.split(" ") for piece in pieces_of(word, size, room)]
    lines = _broken(words, size, room)
    if len(lines) == 1:
        return lines
    narrow = max(width_of(text, size) / len(lines), *(width_of(word, size) for word in words))
    while len(even := _broken(words, size, min(narrow, room))) > len(lines):
        narrow *= 1.05
    return even


def _broken(words: Sequence[str], size: float, room: float) -> list[str]:
    """Words in as few lines as their order allows, each as full as it gets."""
    lines = [words[0]]
    for word in words[1:]:
        if width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def note_height(notes: Sequence[str], room: float) -> float:
    """The height that `write_notes` takes."""
    count = sum(len(wrap(note, SMALL, room)) for note in notes if note)
    return SMALL * (LEADING * count + 0.7) if count else 0.0


def write_notes(ax: Axes, notes: Sequence[str], area: Area, style: FigureStyle) -> Area:
    """Notes at the foot of an area, each begun on a line of its own; returns what is left above."""
    lines = [text for note in notes if note for text in wrap(note, SMALL, area.width)]
    for i, text in enumerate(lines, start=1):
        y = area.bottom + SMALL * (0.3 + LEADING * (len(lines) - i))
        write(ax, area.left, y, text, style, size=SMALL, color=style.colors.dim)
    taken = note_height(notes, area.width)
    return Area(area.left, area.bottom + taken, area.width, area.height - taken)


def write_middle(
    ax: Axes, x: float, y: float, text: str, style: FigureStyle, *, size: float,
    color: str = "", ha: str = "left",
) -> None:  # fmt: skip
    """Write a line whose digits and capitals have their middle at y."""
    write(ax, x, y, text, style, size=size, color=color, ha=ha, offset=(0.0, -0.36 * size))


def fill(
    ax: Axes, area: Area, style: FigureStyle, color: str, *, alpha: float = 1.0, edge: str = "",
    width: float = 0.0, zorder: float = 1.0,
) -> None:  # fmt: skip
    """A filled rectangle, with an edge of `width` points where one is given."""
    ax.add_patch(
        Rectangle(
            (area.left, area.bottom), area.width, area.height, facecolor=color or "none",
            alpha=alpha, edgecolor=edge or "none", linewidth=style.stroke(width), zorder=zorder,
            clip_on=False,
        )
    )  # fmt: skip


def line(
    ax: Axes, xs: Sequence[float], ys: Sequence[float], style: FigureStyle, color: str,
    width: float = 1.0,
) -> None:  # fmt: skip
    """A plain line through points."""
    ax.plot(
        xs, ys, color=color, linewidth=style.stroke(width), solid_capstyle="butt", clip_on=False
    )  # fmt: skip


# Which words


def strongest(strength: FloatArray, focus: int, most: int = MOST_WORDS) -> list[int]:
    """The focus word and the strongest others, at most so many, in the sentence's order.

    strength (n,) is any measure; of equal ones the first are taken.
    """
    order = [int(j) for j in np.argsort(-strength, kind="stable") if j != focus]
    return sorted([focus, *order[: most - 1]])


def which_words(shown: Sequence[int], n: int, chosen: str) -> str:
    """Which words are drawn; nothing where all are."""
    if len(shown) == n:
        return ""
    return f"{len(shown)} of {n} words: the one in focus, and {len(shown) - 1} {chosen}."


def may_see(attention: Attention, focus: int) -> list[bool]:
    """Whether the focus word may look at each word."""
    return [bool(score > -np.inf) for score in attention.masked[focus]]


def quoted(words: Sequence[str], j: int, room: float = 90.0) -> str:
    """Word j as it stands in a note: elided beyond `room` points, numbered where it repeats."""
    text = f"“{isolated(fit(words[j], SMALL, room))}”"
    return text if words.count(words[j]) == 1 else f"{text} (word {j + 1})"
