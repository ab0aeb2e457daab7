"""The online softmax for one word: what is kept, tile by tile, and that the grid gives the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention
from engine.notation import write_entries, write_list, write_share
from engine.palette import blend
from engine.sentence import Sentence, attention_of
from engine.softmax import FloatArray
from engine.tiled import walk_tiles
from export.figures.lettering import fit, width_of, write
from export.figures.marks import hatch
from export.figures.sheet import (
    LEADING,
    Area,
    as_sheet,
    fill,
    line,
    new_sheet,
    quoted,
    write_middle,
    write_notes,
)  # fmt: skip
from export.figures.theme import BODY, GAP, SMALL, FigureStyle

__all__ = ["MOST_TILES", "Walk", "compose", "draw_tiles", "walk_keys"]

MOST_TILES = 6
"""So many tiles stand side by side; a longer sentence gets wider ones."""

ENTRIES = 2
"""An output of more than three numbers is told by so many."""

ROUNDING = 1e-12
"""Two ways to the same number may differ by so much of the largest there is."""

LABELS, COLUMN, ROW, HEAD, BARS, FOOT = 112.0, 62.0, 19.0, 34.0, 54.0, 42.0
SMALLEST = 5.0
LEAST = 5e-324


@dataclass(frozen=True, eq=False)
class Walk:
    """What one query holds after each tile, in order; None in `shrinks` where nothing was kept.

    best, largest and total have a number a tile; output is (tiles, d_v), undivided; keys are the
    tiles' columns; ended (d_v,) is the last output over the last total, and exact is the grid's.
    """

    keys: tuple[range, ...]
    best: FloatArray
    largest: FloatArray
    total: FloatArray
    shrinks: tuple[float | None, ...]
    output: FloatArray
    ended: FloatArray
    exact: FloatArray

    @property
    def is_exact(self) -> bool:
        """Whether it has ended where the grid does, but for rounding."""
        most = float(np.abs(self.exact).max(initial=0.0))
        return bool(np.abs(self.ended - self.exact).max(initial=0.0) <= ROUNDING * most)

    def pieces(self, tile: int) -> list[float]:
        """What each tile so far has in the total after this one."""
        pieces: list[float] = []
        for now in range(tile + 1):
            pieces = [piece * (self.shrinks[now] or 0.0) for piece in pieces]
            pieces.append(max(float(self.total[now]) - sum(pieces), 0.0))
        return pieces


def walk_keys(attention: Attention, focus: int, columns: int) -> Walk:
    """The focus word's query meeting all keys, so many `columns` at a time (walk_tiles)."""
    a, one = attention, slice(focus, focus + 1)
    steps = list(
        walk_tiles(
            a.query[one], a.key, a.value, scale=a.scale, tile=(1, columns),
            mask=None if a.mask is None else a.mask[one],
        )
    )  # fmt: skip
    total = np.array([step.total[0] for step in steps])
    largest = np.array([step.maximum[0] for step in steps])
    shrinks = [None] + [
        math.exp(float(largest[i - 1] - largest[i])) if total[i - 1] else None
        for i in range(1, len(steps))
    ]
    output = np.array([step.output[0] for step in steps])
    return Walk(
        tuple(range(step.keys.start, step.keys.stop) for step in steps),
        np.array([step.scores.max() for step in steps]), largest, total, tuple(shrinks), output,
        output[-1] / total[-1] if total[-1] else output[-1], a.output[focus],
    )  # fmt: skip


def draw_tiles(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
    columns: int | None = None,
) -> Axes:
    """Draw the focus word's walk over the tiles: largest score, total and output after each.

    attention's arrays are (n, …) of one head, words are n texts; `columns` keys make a tile, by
    default as few as give six tiles at most. Raises ValueError where columns is below 1. Source:
    Milakov & Gimelshein 2018. Returns `ax`.
    """
    style = style or FigureStyle()
    columns = _columns(len(words)) if columns is None else columns
    if columns < 1:
        raise ValueError(f"columns must be at least 1, not {columns}")
    walk = walk_keys(attention, focus, columns)
    area = write_notes(ax, _notes(walk, quoted(words, focus), style), as_sheet(ax, style), style)
    pitch = (area.width - LABELS) / (len(walk.keys) + 1)
    _name_tiles(ax, area, walk, words, pitch, style)
    rows = _rows(walk, style.digits)
    row_height = min(ROW, (area.height - HEAD - BARS) / len(rows))
    bars = Area(LABELS, area.bottom + row_height * len(rows), pitch * len(walk.keys),
                area.height - HEAD - row_height * len(rows))  # fmt: skip
    _draw_totals(ax, bars, walk, pitch, style)
    _write_rows(ax, Area(0, area.bottom, area.width, bars.bottom - area.bottom), rows, pitch, style)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """One head's walk, a column a tile."""
    attention = attention_of(sentence, head)
    tiles = math.ceil(len(sentence.words) / _columns(len(sentence.words)))
    rows = 4 + len(_entries(attention.value.shape[-1]))
    width = LABELS + COLUMN * max(tiles + 1, 4)
    ax = new_sheet(figure, width, HEAD + BARS + ROW * rows + FOOT, style)
    draw_tiles(attention, ax, words=sentence.words, focus=sentence.focus, style=style)


def _columns(n: int) -> int:
    """How many keys a tile has by default."""
    return -(-n // MOST_TILES)


def _entries(width: int) -> range:
    """Which numbers of an output are written."""
    return range(width if width <= ENTRIES + 1 else ENTRIES)


@dataclass(frozen=True)
class _Row:
    """A row of the table: what it is, a text a tile, the text at its end, and its colour's role."""

    label: str
    texts: tuple[str, ...]
    end: str = ""
    role: str = ""


def _rows(walk: Walk, digits: int) -> list[_Row]:
    is_one = all(len(keys) == 1 for keys in walk.keys)
    shrinks = ["" if by is None else f"× {write_share(by or LEAST, digits)}" for by in walk.shrinks]
    rows = [
        _Row("score s" if is_one else "best score", tuple(write_entries(walk.best, digits))),
        _Row("largest so far m", tuple(write_entries(walk.largest, digits))),
        _Row("kept shrinks by", tuple(shrinks)),
        _Row("total Σ eˢ⁻ᵐ", tuple(write_entries(walk.total, digits))),
    ]
    entries = _entries(walk.output.shape[1])
    ends = write_entries(walk.ended, digits)
    for entry in entries:
        label = "output Σ eˢ⁻ᵐ v" if entry == 0 else ""
        if entry == 1 and len(entries) < walk.output.shape[1]:
            label = f"(first {len(entries)} of {walk.output.shape[1]})"
        texts = write_entries(walk.output[:, entry], digits)
        rows.append(_Row(label, tuple(texts), ends[entry], "output"))
    return rows


def _notes(walk: Walk, word: str, style: FigureStyle) -> list[str]:
    if not walk.total[-1]:
        return [f"The word {word} may look at nothing: its total and its output are 0."]
    entries = _entries(len(walk.exact))
    written = write_list(walk.exact[entries.start : entries.stop], style.digits)
    if len(entries) < len(walk.exact):
        written = written.removesuffix("]") + ", …]"
    same = "the same" if walk.is_exact else "the same but for rounding"
    return [
        f"For {word}. Bars: the total, of which the pale part was kept and the dark part is new.",
        f"The whole grid gives {written}: {same}.",
    ]


def _name_tiles(
    ax: Axes, area: Area, walk: Walk, words: Sequence[str], pitch: float, style: FigureStyle
) -> None:
    """Over each column which words the tile holds."""
    first, second = area.top - SMALL, area.top - SMALL - BODY * LEADING
    color = style.colors.role("key")
    for i, keys in enumerate(walk.keys):
        x = LABELS + (i + 0.5) * pitch
        room = pitch - GAP
        name, text = f"tile {i + 1}", words[keys[0]]
        if len(keys) > 1:
            name, text = f"{name}: {len(keys)}", f"{keys[0] + 1}–{keys[-1] + 1}"
        name = name if width_of(name, SMALL) <= room else str(i + 1)
        write(ax, x, first, name, style, size=SMALL, color=style.colors.dim, ha="center")
        text = fit(text, BODY, room)
        write(ax, x, second, text, style, size=BODY, color=color, ha="center")
    is_one = all(len(keys) == 1 for keys in walk.keys)
    label = "key of" if is_one else "keys of words"
    write(ax, 0, second, label, style, size=SMALL, color=color)
    x = LABELS + (len(walk.keys) + 0.5) * pitch
    write(ax, x, first, fit("÷ total", SMALL, pitch), style, size=SMALL,
          color=style.colors.dim, ha="center")  # fmt: skip
    write(ax, x, second, fit("= output", BODY, pitch), style, size=BODY, ha="center",
          color=style.colors.role("output"))  # fmt: skip


def _draw_totals(ax: Axes, bars: Area, walk: Walk, pitch: float, style: FigureStyle) -> None:
    """A bar a tile: the pieces of the total, those that were kept paler."""
    colors = style.colors
    write(ax, 0, bars.bottom + 2 * GAP, "total", style, size=SMALL, color=colors.dim)
    most, room = float(walk.total.max()), bars.height - 2 * GAP
    bottom, masked = bars.bottom + GAP, []
    pale = blend(colors.ground, colors.weight, 0.3)
    for i, best in enumerate(walk.best):
        left, width = bars.left + (i + 0.2) * pitch, 0.6 * pitch
        if best == -np.inf:
            masked.append((left, bottom, width, room))
            continue
        at = bottom
        for j, piece in enumerate(walk.pieces(i)):
            height = room * piece / most
            color = colors.weight if j == i else pale
            if height > 0:
                fill(ax, Area(left, at, width, height), style, color, edge=colors.ground, width=0.6)
            at += height
    hatch(ax, masked, style)
    line(ax, [bars.left, bars.right], [bottom] * 2, style, colors.faint)


def _write_rows(
    ax: Axes, area: Area, rows: Sequence[_Row], pitch: float, style: FigureStyle
) -> None:
    """The table, its numbers of one size."""
    texts = {text for row in rows for text in (*row.texts, row.end)}
    widest = max(width_of(text, BODY) for text in texts)
    size = max(min(BODY, BODY * (pitch - GAP) / widest), SMALLEST)
    height = area.height / len(rows)
    for i, row in enumerate(rows):
        y = area.top - (i + 0.5) * height
        color = style.colors.role(row.role) if row.role else style.colors.ink
        if row.label and i:
            top = [area.top - i * height] * 2
            line(ax, [0, area.right], top, style, style.colors.grid, 0.8)
        label = fit(row.label, SMALL, LABELS - GAP)
        write_middle(ax, 0, y, label, style, size=SMALL, color=style.colors.dim)
        for column, text in enumerate((*row.texts, row.end)):
            x = LABELS + (column + 0.5) * pitch
            write_middle(ax, x, y, text, style, size=size, color=color, ha="center")
