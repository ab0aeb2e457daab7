"""What n words cost: the cells of the grid, its bytes, what is held with tiles, and times."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention
from engine.growth import Growth, Measurement, growth
from engine.notation import write_number
from engine.sentence import Sentence, attention_of
from export.figures.lettering import width_of, write
from export.figures.plots import (
    add_plot,
    dot,
    dress,
    name_axes,
    new_plot,
    put_ticks,
    room_of,
    write_under,
)
from export.figures.theme import GAP, SMALL, FigureStyle
from export.growth import grows_as_text, size_text, time_text
from export.measured import Measured

__all__ = ["MOST", "TILE", "compose", "draw_growth", "draw_times", "held_in_tiles"]

MOST = 1 << 17
"""So many tokens are counted up to."""

NAMED = (1 << 10, 1 << 13, MOST)
"""Numbers of tokens whose grid is written out."""

TILE = (512, 256)
"""Queries and keys of the tile that is counted: as large as the engine's own by default."""

WIDTH, HEIGHT, LEFT, RIGHT = 390.0, 250.0, 40.0, 46.0
TIMES_HEIGHT = 170.0

DASHES = (0, (5, 2))
WAYS = {"grid": "full grid", "tiles": "with tiles"}
MOST_POWERS = 6
"""So many times are written along an axis at most."""


def held_in_tiles(n: int, d: int) -> int:
    """Numbers that are held among n tokens of d numbers: all vectors, and one tile of the grid."""
    cost = growth(n, d)
    return cost.vector_bytes // cost.bytes_per_number + min(n, TILE[0]) * min(n, TILE[1])


def draw_growth(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw what one head's grid holds, and what is held with tiles, from n words to 131,072.

    attention's arrays are (n, …) of one head, of whose vectors the length is counted; words are n
    texts; `focus` changes nothing here. Numbers held stand on the left axis, bytes of float32 on
    the right. Both axes are logarithmic. Returns `ax`.
    """
    style = style or FigureStyle()
    n, d = len(words), attention.key.shape[-1]
    sizes = [n, *(1 << power for power in range(MOST.bit_length()) if 1 << power > n)]
    grid = [growth(size, d).cells for size in sizes]
    tiles = [held_in_tiles(size, d) for size in sizes]
    low = min(grid[0], tiles[0]) / 3
    dress(ax, style)
    _scale(ax, n, (low, grid[-1] * 3), style)
    _name_bytes(ax, low, grid[-1] * 3, style)
    name_axes(ax, "n words (tokens), each with a vector →", "numbers held", style)
    colors, width = style.colors, style.stroke(2)
    ax.plot(sizes, grid, color=colors.weight, linewidth=width, zorder=3)
    ax.plot(sizes, tiles, color=colors.highlight, linewidth=width, zorder=3, linestyle=DASHES)
    _name_curves(ax, tiles[-1], style)
    _name_points(ax, d, n, style)
    _mark_sentence(ax, n, tiles[0], growth(n, d), style)
    write_under(ax, _notes(d), style, left=LEFT, right=RIGHT)
    return ax


def draw_times(
    measured: Sequence[Measurement], ax: Axes, *, style: FigureStyle | None = None
) -> Axes:
    """Draw how long both ways took, as `engine.growth.measure_growth` has measured it somewhere.

    Both axes are logarithmic. Raises ValueError where nothing was measured. Returns `ax`.
    """
    style = style or FigureStyle()
    timed = {
        name: [(one.n, getattr(one, name)) for one in measured if getattr(one, name)]
        for name in ("grid", "tiles")
    }
    seconds = [time for points in timed.values() for _, time in points]
    if not seconds:
        raise ValueError("measured holds no time: measure_growth(1024) gives three sizes")
    dress(ax, style)
    first, last = min(one.n for one in measured), max(one.n for one in measured)
    # Room for what is written under the first point, and over the last.
    room = max(3.0, (max(seconds) / min(seconds)) ** 0.12)
    low, high = min(seconds) / room, max(seconds) * room
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xlim(first / 1.2, last * 1.2)
    ax.set_ylim(low, high)
    _token_ticks(ax, first, last, style)
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    powers = powers[:: math.ceil(len(powers) / MOST_POWERS)]
    put_ticks(ax, "y", [10.0**power for power in powers], list(map(_time_tick, powers)), style)
    for power in powers:
        ax.axhline(10.0**power, color=style.colors.grid, linewidth=style.stroke(0.8), zorder=0.5)
    name_axes(ax, "n tokens →", "time, as measured", style)
    for name, color, dashes in (
        ("grid", style.colors.weight, "solid"), ("tiles", style.colors.highlight, DASHES)
    ):  # fmt: skip
        if timed[name]:
            ax.plot(*zip(*timed[name]), color=color, linewidth=style.stroke(2), zorder=3,
                    linestyle=dashes)  # fmt: skip
        for at, took in timed[name]:
            dot(ax, at, took, style, color, is_hollow=name == "tiles")
    _name_times(ax, timed, style)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """What is counted, and under it the times of `style`; none are measured here.

    So the figure is the same each time.
    """
    attention = attention_of(sentence, head)
    notes, measured = _notes(attention.key.shape[-1]), style.measured
    ax = new_plot(figure, WIDTH, HEIGHT, style, left=LEFT, right=RIGHT, notes=notes)
    if measured is not None:
        times_notes = _times_notes(measured)
        under = add_plot(figure, WIDTH, TIMES_HEIGHT, style, left=LEFT, right=RIGHT,
                         notes=times_notes)  # fmt: skip
        draw_times(measured.times, under, style=style)
        write_under(under, times_notes, style, left=LEFT, right=RIGHT)
    draw_growth(attention, ax, words=sentence.words, focus=sentence.focus, style=style)


def _notes(d: int) -> list[str]:
    return [
        f"One head, {d} {'number' if d == 1 else 'numbers'} a vector, 4 bytes a number. Twice as "
        "many words: four times the grid. With tiles: query, key, value and output, and one tile "
        f"of {TILE[0]} × {TILE[1]} at most."
    ]


def _times_notes(measured: Measured) -> list[str]:
    wide = f"{measured.width} {'number' if measured.width == 1 else 'numbers'} a vector"
    mask = ", with the causal mask" if measured.causal else ""
    text = f"The median of three runs on one machine: one head, {wide}, 4 bytes a number{mask}."
    grows = grows_as_text(measured.times)
    return [f"{text} {grows.capitalize()}." if grows else text]


def _time_tick(power: int) -> str:
    """A power of ten of a second, as it stands on an axis: 10 ms, 1 s."""
    return f"{10**power:g} s" if power >= 0 else f"{10.0 ** (power + 3):g} ms"


def _name_times(ax: Axes, timed: dict[str, list[tuple[int, float]]], style: FigureStyle) -> None:
    """What the last of each way took: over the upper curve, and under the lower where it is free.

    The curves rise: left of a point, over the upper one, there is nothing, nor right of a point,
    under the lower one.
    """
    width = room_of(ax, style)[0]
    left, right = ax.get_xlim()
    upper = _upper(timed)
    for name, points in timed.items():
        if not points:
            continue
        n, took = points[-1]
        text = f"{WAYS[name]}: {time_text(took)} at {n:,}"
        color = style.colors.weight if name == "grid" else style.colors.highlight
        if name == upper:
            write(ax, n, took, text, style, size=SMALL, color=color, ha="right",
                  offset=(-GAP, GAP))  # fmt: skip
            continue
        ends = [
            width * math.log(size / left) / math.log(right / left) + width_of(text, SMALL) + 2 * GAP
            for size, _ in points
        ]
        place = max((i for i, end in enumerate(ends) if end <= width + RIGHT), default=0)
        write(ax, *points[place], text, style, size=SMALL, color=color,
              offset=(GAP, -1.4 * SMALL))  # fmt: skip


def _upper(timed: dict[str, list[tuple[int, float]]]) -> str:
    """Which way took longer at the most tokens that both were timed at."""
    grid, tiles = (dict(timed[name]) for name in ("grid", "tiles"))
    both = grid.keys() & tiles.keys()
    if not both:
        return "grid" if grid else "tiles"
    return "grid" if grid[max(both)] >= tiles[max(both)] else "tiles"


def _scale(ax: Axes, n: int, across: tuple[float, float], style: FigureStyle) -> None:
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xlim(n / 1.3, MOST * 1.25)
    ax.set_ylim(*across)
    _token_ticks(ax, n, MOST, style)
    powers = range(math.ceil(math.log10(across[0])), math.floor(math.log10(across[1])) + 1)
    kept = [power for power in powers if power % 2 == 0]
    put_ticks(ax, "y", [10.0**power for power in kept], [_power(power) for power in kept], style)
    for power in kept:
        ax.axhline(10.0**power, color=style.colors.grid, linewidth=style.stroke(0.8), zorder=0.5)


def _power(power: int) -> str:
    """A power of ten, as it stands on an axis: 100, 10⁴."""
    return write_number(10.0**power).removeprefix("1.00×")


def _token_ticks(ax: Axes, first: int, last: int, style: FigureStyle) -> None:
    """Powers of two from the last downwards, as many as there is room for."""
    low, high = math.ceil(math.log2(first)), math.floor(math.log2(last))
    room = room_of(ax, style)[0] / max(math.log2(last / first), 1.0)
    step = math.ceil((width_of(f"{last:,}", SMALL) + 2 * GAP) / room)
    powers = range(high, low - 1, -step)
    put_ticks(ax, "x", [1 << power for power in powers], [f"{1 << p:,}" for p in powers], style)


def _name_bytes(ax: Axes, low: float, high: float, style: FigureStyle) -> None:
    """The right axis: the same heights in bytes."""
    each = growth(1, 1).bytes_per_number
    for power in range(0, 60, 10):
        if low < (1 << power) / each < high:
            right = ax.get_xlim()[1]
            text = size_text(1 << power)
            offset = (GAP, -0.36 * SMALL)
            color = style.colors.dim
            write(ax, right, (1 << power) / each, text, style, size=SMALL, color=color,
                  offset=offset)  # fmt: skip
            write(ax, right, (1 << power) / each, "–", style, size=SMALL, color=style.colors.faint,
                  ha="center", offset=(0.0, -0.3 * SMALL))  # fmt: skip
    write(ax, 1, 1, "bytes", style, size=SMALL, color=style.colors.dim, offset=(GAP, GAP / 2),
          xycoords="axes fraction")  # fmt: skip


def _name_curves(ax: Axes, tiles: int, style: FigureStyle) -> None:
    at = 1 << 14
    write(ax, at, at * at, "full grid: n²", style, size=SMALL, color=style.colors.weight,
          offset=(1.2 * GAP, -SMALL))  # fmt: skip
    write(ax, MOST, tiles, "with tiles: n", style, size=SMALL, color=style.colors.highlight,
          ha="right", offset=(0, -3.2 * SMALL))  # fmt: skip


def _name_points(ax: Axes, d: int, n: int, style: FigureStyle) -> None:
    """What a few grids come to, left of where they lie on the curve."""
    for size in NAMED:
        cost = growth(size, d)
        dot(ax, size, cost.cells, style, style.colors.weight)  # fmt: skip
        text = f"{cost.cells:,} cells, {size_text(cost.grid_bytes)}"
        write(ax, size, cost.cells, text, style, size=SMALL, ha="right", offset=(-GAP, GAP / 2),
              zorder=5, bbox=_plate(style))  # fmt: skip


def _mark_sentence(ax: Axes, n: int, tiles: int, cost: Growth, style: FigureStyle) -> None:
    """Where the sentence stands, in the corner that no curve comes to."""
    colors = style.colors
    ax.axvline(n, color=colors.faint, linewidth=style.stroke(1), linestyle=(0, (1, 2)), zorder=1)
    dot(ax, n, cost.cells, style, colors.weight)
    dot(ax, n, tiles, style, colors.highlight, is_hollow=True)  # fmt: skip
    plural = "" if n == 1 else "s"
    counted = f"{n} word{plural}, {cost.cells:,} cell{plural}"
    text = f"this sentence: {counted}, {size_text(cost.grid_bytes)}"
    top = ax.get_ylim()[1]
    write(ax, n, top, text, style, size=SMALL, offset=(GAP, -1.4 * SMALL), bbox=_plate(style))


def _plate(style: FigureStyle) -> dict[str, object]:
    """The ground behind a text that a line would cross."""
    return {"boxstyle": "square,pad=0.15", "facecolor": style.colors.ground, "linewidth": 0}
