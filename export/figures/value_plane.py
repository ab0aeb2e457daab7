"""What a word collects: values shrunk to their weights, laid head to tail, ending at the output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from engine.attention import Attention
from engine.geometry import convex_hull
from engine.influence import contributions
from engine.notation import write_entries, write_list, write_share
from engine.palette import blend
from engine.sentence import Sentence, attention_of
from engine.softmax import FloatArray
from export.figures.lettering import fit, width_of
from export.figures.plane import Plane, as_points, height_for, names_together, open_plane, together
from export.figures.plots import new_plot, write_under
from export.figures.sheet import (
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
from scenes.direction import isolated

__all__ = ["compose", "draw_value_plane"]

WIDTH, HEIGHT, LEFT = 390.0, 320.0, 46.0
LINE_ROW, ROW = 22.0, 22.0
ENTRIES = 6
"""So many numbers of longer values are written."""

LONG_ENOUGH = 26.0
"""A piece of the chain that is shorter, in points, stays unnamed."""


def draw_value_plane(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw the values, the hull of those that the focus word can see, its mixture and its output.

    attention's arrays are (n, …) of one head, words are n texts. Values of one number lie on a
    line with the mixture under it; of three numbers and more, which no plane holds, the sum is
    written entry by entry. Of more than twelve words the focus word and the eleven that weigh most
    are drawn, and the others together as one. Returns `ax`.
    """
    style = style or FigureStyle()
    mixture = _mixture(attention, words, focus)
    notes = _notes(mixture, attention, words, focus, style)
    if attention.value.shape[-1] > 2:
        area = write_notes(ax, notes, as_sheet(ax, style), style)
        _write_sum(ax, area, mixture, focus, style)
        return ax
    if attention.value.shape[-1] == 1:
        _draw_line(ax, mixture, style)
    else:
        _draw_plane(ax, mixture, style)
    write_under(ax, notes, style, left=LEFT)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """One head's values and the focus word's mixture of them."""
    attention, words, focus = attention_of(sentence, head), sentence.words, sentence.focus
    mixture = _mixture(attention, words, focus)
    notes = _notes(mixture, attention, words, focus, style)
    if attention.value.shape[-1] > 2:
        rows = len(mixture.names) + 2
        ax = new_sheet(figure, WIDTH + LEFT, ROW * rows + SMALL * 1.45 * (len(notes) + 2), style)
    else:
        is_line = attention.value.shape[-1] == 1
        height = (
            LINE_ROW * (len(mixture.names) + 4.5)
            if is_line
            else height_for(mixture.points, WIDTH, HEIGHT)
        )
        ax = new_plot(figure, WIDTH, height, style, left=LEFT, notes=notes)
    draw_value_plane(attention, ax, words=words, focus=focus, style=style)


@dataclass(frozen=True, eq=False)
class _Mixture:
    """What is drawn: names, weights (k,), values and parts w·v (k, d), who is seen; the output.

    indices are the words', −1 for all others together, which come last; hull holds the corners
    among all values that are seen, (c, d), and `hidden` counts the words that have no place.
    """

    names: tuple[str, ...]
    indices: tuple[int, ...]
    weights: FloatArray
    values: FloatArray
    parts: FloatArray
    seen: tuple[bool, ...]
    output: FloatArray
    name: str
    visible: FloatArray

    @property
    def ends(self) -> FloatArray:
        """Where each part ends, head to tail."""
        ends = np.cumsum(self.parts, axis=0)
        ends[-1] = self.output  # the same, but for rounding
        return ends

    @property
    def points(self) -> FloatArray:
        """All that a plane must show of values of two numbers."""
        return np.concatenate((self.values, self.visible, self.ends))


def _mixture(attention: Attention, words: Sequence[str], focus: int) -> _Mixture:
    weights, parts = attention.weights[focus], contributions(attention)[focus]
    shown = strongest(weights, focus)
    seen = may_see(attention, focus)
    names, indices = [words[j] for j in shown], list(shown)
    rest = [j for j in range(len(words)) if j not in shown and seen[j]]
    drawn = [weights[shown], attention.value[shown], parts[shown]]
    can = [seen[j] for j in shown]
    if rest and (total := float(weights[rest].sum())) > 0:
        added = parts[rest].sum(axis=0)
        for i, more in enumerate((np.array([total]), (added / total)[None], added[None])):
            drawn[i] = np.concatenate((drawn[i], more))
        names.append(f"{len(rest)} others")
        indices.append(-1)
        can.append(True)
    return _Mixture(
        tuple(names), tuple(indices), drawn[0], drawn[1], drawn[2], tuple(can),
        attention.output[focus], words[focus], attention.value[np.array(seen)],
    )  # fmt: skip


def _notes(
    mixture: _Mixture, attention: Attention, words: Sequence[str], focus: int, style: FigureStyle
) -> list[str]:
    own = quoted(words, focus)
    if not mixture.weights.any():
        return [f"The word {own} may look at nothing: it collects nothing, and its output is 0."]
    width = len(mixture.output)
    written = write_list(mixture.output[:ENTRIES], style.digits)
    written = written if width <= ENTRIES else written.removesuffix("]") + ", …]"
    said = {
        1: "Values of one number lie on a line. Below it each times its weight, head to tail",
        2: "Each value times its weight, head to tail",
    }.get(width, f"No plane holds values of {width} numbers, so the sum is written out")
    inside = "" if width > 2 else ", within the hull of what it can see"
    shown = [j for j in mixture.indices if j >= 0]
    return [
        f"{said}: for {own} they end at {written}{inside}.",
        which_words(shown, len(words), "that weigh most"),
    ]


# Two numbers a value


def _draw_plane(ax: Axes, mixture: _Mixture, style: FigureStyle) -> None:
    ends = mixture.ends
    starts = np.concatenate((np.zeros((1, 2)), ends[:-1]))
    plane = open_plane(ax, mixture.points, style)
    colors, green = style.colors, style.colors.role("value")
    _draw_hull(plane, mixture)
    pale = blend(colors.ground, green, 0.5)
    for value, is_seen, index in zip(mixture.values, mixture.seen, mixture.indices):
        color = pale if is_seen else colors.faint
        if index >= 0:
            plane.arrow(np.zeros(2), value, "value", width=0.5, color=color, zorder=2.5)
    for start, end, weight in zip(starts, ends, mixture.weights):
        if weight > 0:
            plane.arrow(start, end, "value", width=1.5, zorder=4)
    if mixture.weights.any():
        plane.arrow(np.zeros(2), mixture.output, "output", zorder=5)
    plane.taken += [
        (*(plane.at(point) - 3.5), *(plane.at(point) + 3.5)) for point in (*mixture.values, *ends)
    ]
    if mixture.weights.any():
        name = f"o {isolated(mixture.name)}"
        plane.name(mixture.output, name, colors.role("output"), size=BODY)
    _name_values(plane, mixture)
    _name_parts(plane, mixture, starts, ends)


def _draw_hull(plane: Plane, mixture: _Mixture) -> None:
    """The smallest shape round all values that may be looked at."""
    colors, style = plane.style.colors, plane.style
    if not len(mixture.visible):
        return
    corners = mixture.visible[convex_hull(mixture.visible)]
    green = colors.role("value")
    plane.ax.add_patch(
        Polygon(
            corners, closed=True, facecolor=blend(colors.ground, green, 0.1), edgecolor=green,
            linewidth=style.stroke(1), linestyle=(0, (1, 2)), zorder=0.5,
        )
    )  # fmt: skip


def _name_values(plane: Plane, mixture: _Mixture) -> None:
    colors = plane.style.colors
    drawn = [i for i, index in enumerate(mixture.indices) if index >= 0]
    names = [mixture.names[i] for i in drawn]
    for point, places in names_together(plane, as_points(mixture.values)[drawn], names):
        text = "v " + together([isolated(fit(names[place], SMALL, 80)) for place in places])
        is_seen = any(mixture.seen[drawn[place]] for place in places)
        if not is_seen:
            text += " (masked)"
        plane.name(point, text, colors.role("value") if is_seen else colors.dim)


def _name_parts(plane: Plane, mixture: _Mixture, starts: FloatArray, ends: FloatArray) -> None:
    """Beside the longer pieces of the chain whose they are, and how much of it."""
    lengths = np.hypot.reduce(ends - starts, axis=-1) * plane.scale
    for i in np.argsort(-lengths):
        if lengths[i] < LONG_ENOUGH:
            break
        weight = write_share(float(mixture.weights[i]), plane.style.digits)
        text = f"{weight} v {isolated(fit(mixture.names[i], SMALL, 70))}"
        way = ends[i] - starts[i]
        side = np.array((way[1], -way[0]))
        plane.name(
            (starts[i] + ends[i]) / 2, text, plane.style.colors.ink,
            outward=side if side[1] < 0 else -side,
        )  # fmt: skip


# One number a value


def _draw_line(ax: Axes, mixture: _Mixture, style: FigureStyle) -> None:
    ends = np.cumsum(mixture.parts, axis=0)[:, 0]
    starts = np.concatenate((np.zeros(1), ends[:-1]))
    values = as_points(mixture.values)
    reach = np.concatenate((values[:, 0], mixture.visible[:, 0], ends, mixture.output))
    points = np.stack((reach, np.zeros_like(reach)), axis=-1)
    plane = open_plane(ax, points, style, is_line=True, room=2 * LINE_ROW)
    colors, step = style.colors, LINE_ROW / plane.scale
    if len(mixture.visible):
        low, high = float(mixture.visible.min()), float(mixture.visible.max())
        hull = blend(colors.ground, colors.role("value"), 0.25)
        ax.plot([low, high], [0, 0], color=hull, linewidth=style.size(6), zorder=1,
                solid_capstyle="round")  # fmt: skip
    for value, is_seen, index in zip(values, mixture.seen, mixture.indices):
        if index >= 0:
            color = colors.role("value") if is_seen else colors.faint
            plane.arrow(value, value, "value", color=color)
    plane.crossed.append(plane.at(np.stack((reach, np.zeros_like(reach)), axis=-1)))
    bottom = plane.at(np.zeros(2))[1]
    plane.taken.append((0.0, 0.0, plane.size[0], float(bottom) + 3))
    _name_values(plane, mixture)
    plane.taken.clear()
    for row, (start, end, weight) in enumerate(zip(starts, ends, mixture.weights)):
        y = -(row + 1.2) * step
        if weight > 0:
            plane.arrow(np.array((start, y)), np.array((end, y)), "value")
        share = write_share(float(weight), style.digits)
        text = f"{share} v {isolated(fit(mixture.names[row], SMALL, 80))}"
        if not mixture.seen[row]:
            text = f"{isolated(fit(mixture.names[row], SMALL, 80))} (masked)"
        _name_row(plane, max(start, end), min(start, end), y, text, colors.ink)
    y = -(len(ends) + 1.2) * step
    plane.arrow(np.array((0.0, y)), np.array((float(mixture.output[0]), y)), "output")
    text = f"o {isolated(fit(mixture.name, SMALL, 80))}"
    right, left = max(0.0, float(mixture.output[0])), min(0.0, float(mixture.output[0]))
    _name_row(plane, right, left, y, text, colors.role("output"))


def _name_row(plane: Plane, right: float, left: float, y: float, text: str, color: str) -> None:
    """A row's name, right of its arrow or, where that has no room, left of it."""
    has_room = plane.at(np.array((right, y)))[0] + width_of(text, SMALL) + 2 * GAP < plane.size[0]
    x, away, side = (right, 1.2, "left") if has_room else (left, -1.2, "right")
    write_middle(plane.ax, x + away * GAP / plane.scale, y, text, plane.style, size=SMALL,
                 color=color, ha=side)  # fmt: skip


# Three numbers and more


def _write_sum(ax: Axes, area: Area, mixture: _Mixture, focus: int, style: FigureStyle) -> None:
    """A row a word, a column an entry: each weight times each value, and under them the output."""
    colors, shown = style.colors, min(len(mixture.output), ENTRIES)
    count = len(mixture.names) + 2
    pitch = min(area.height / count, 1.3 * ROW)
    names = min(max(width_of(name, BODY) for name in mixture.names), 0.22 * area.width)
    names = max(names, width_of("output o", BODY))
    shares = [write_share(float(weight), style.digits) for weight in mixture.weights]
    weights = max(width_of(text, BODY) for text in [*shares, "weight"]) + GAP
    left = names + weights + 2 * GAP
    cell = (area.width - left) / shown
    columns = [
        write_entries([*mixture.parts[:, entry], mixture.output[entry]], style.digits)
        for entry in range(shown)
    ]
    widest = max(width_of(text, BODY) for texts in columns for text in texts)
    size = min(BODY, BODY * (cell - GAP) / widest)
    top = area.top - 0.5 * pitch
    more = f" (first {shown} of {len(mixture.output)})" if shown < len(mixture.output) else ""
    write_middle(ax, names + GAP + weights, top, "weight", style, size=SMALL, color=colors.dim,
                 ha="right")  # fmt: skip
    write_middle(ax, left + GAP, top, f"w · v, entry by entry{more}", style, size=SMALL,
                 color=colors.role("value"))  # fmt: skip
    most = float(np.abs(mixture.parts[:, :shown]).max(initial=0.0))
    most = max(most, float(np.abs(mixture.output[:shown]).max())) or 1.0
    pale = {role: blend(colors.ground, colors.role(role), 0.22) for role in ("value", "output")}
    for row in range(count - 1):
        y = area.top - (row + 1.5) * pitch
        is_sum = row == count - 2
        ink = colors.role("output" if is_sum else "value")
        name = "output o" if is_sum else fit(mixture.names[row], BODY, names)
        color = ink if is_sum else colors.ink
        if not is_sum and mixture.indices[row] == focus:
            color = colors.highlight
        write_middle(ax, names, y, name, style, size=BODY, color=color, ha="right")
        if not is_sum:
            share = shares[row] if mixture.seen[row] else "masked"
            tint = colors.ink if mixture.seen[row] else colors.dim
            write_middle(ax, names + GAP + weights, y, share, style, size=BODY
                         if mixture.seen[row] else SMALL, color=tint, ha="right")  # fmt: skip
        for entry in range(shown):
            number = float(mixture.output[entry] if is_sum else mixture.parts[row, entry])
            middle = left + (entry + 0.5) * cell
            long = (cell - GAP) / 2 * number / most
            bar = Area(min(middle, middle + long), y - 0.36 * pitch, abs(long), 0.72 * pitch)
            if long:
                fill(ax, bar, style, pale["output" if is_sum else "value"])
            write_middle(ax, middle, y, columns[entry][row], style, size=size, color=ink,
                         ha="center")  # fmt: skip
    rule = area.top - (count - 1) * pitch
    line(ax, [0, area.right], [rule, rule], style, colors.faint)
