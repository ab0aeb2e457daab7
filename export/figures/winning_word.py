"""Which word wins where in the plane of queries: a region a word, and every word's query."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path

from engine.attention import Attention
from engine.geometry import convex_hull, winning_word
from engine.notation import write_share
from engine.sentence import Sentence, attention_of
from engine.softmax import FloatArray
from export.figures.lettering import fit, width_of
from export.figures.plane import Plane, names_together, open_plane, together
from export.figures.plots import dot, new_plot, widest, write_under
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
from export.telling import leaders
from scenes.direction import isolated

__all__ = ["compose", "draw_winning_word", "winning_regions"]

WIDTH, HEIGHT, LEFT = 390.0, 320.0, 46.0
ROW, BAR = 24.0, 0.62
TINTS = (0.08, 0.26, 0.16, 0.34)
TURNS = (0.0, math.pi / 2, math.pi / 6, 2 * math.pi / 3)
"""Neighbouring regions differ in shade and in how their lines run; none has masking's slant."""


def winning_regions(attention: Attention, focus: int) -> list[tuple[float, float, int]]:
    """(from angle, to angle, word) for queries of two numbers, anticlockwise and without gaps.

    Scores are linear in the query, so that a region is a sector at 0. Borders stand at right angles
    on the edges of the keys' hull; who wins between two is `engine.winning_word`'s to say, among
    the keys that the focus word may see. Empty where it sees none. Raises ValueError where keys
    aren't of two numbers.
    """
    key = attention.key
    if key.shape[-1] != 2:
        raise ValueError(f"keys must be of two numbers to have regions in a plane: {key.shape}")
    seen = np.array(may_see(attention, focus))
    if not seen.any():
        return []
    corners = key[seen][convex_hull(key[seen])]
    edges = np.roll(corners, -1, axis=0) - corners
    angles = sorted(
        float(np.arctan2(-x, y)) % math.tau for x, y in edges if len(corners) > 1
    ) or [0.0]  # fmt: skip
    ends = [*angles[1:], angles[0] + math.tau]
    regions: list[tuple[float, float, int]] = []
    for start, end in zip(angles, ends):
        middle = (start + end) / 2
        way = np.array((math.cos(middle), math.sin(middle)))
        word = int(winning_word(way, key, scale=abs(attention.scale), mask=seen)[0])
        regions.append((start, end, word))
    return regions


def draw_winning_word(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw which word a query listens to most, by where it points, and where every query lies.

    attention's arrays are (n, …) of one head, words are n texts. Regions are those of the keys that
    the focus word may see. Where vectors have another length than 2 no plane shows them all, and
    each word's query is listed with who wins and with what share. Of more than twelve words the
    focus word and the first eleven others have their queries drawn. Returns `ax`.
    """
    style = style or FigureStyle()
    if attention.key.shape[-1] != 2:
        shown = _shown(words, focus)
        notes = _list_notes(attention, words, shown)
        area = write_notes(ax, notes, as_sheet(ax, style), style)
        _draw_list(ax, area, attention, words, shown, focus, style)
        return ax
    plane = open_plane(ax, attention.query, style, room=46.0)
    regions = winning_regions(attention, focus)
    _draw_queries(plane, attention.query, words, focus)
    _draw_regions(plane, regions, _winners(attention, words, focus))
    _name_queries(plane, attention.query, words, focus)
    write_under(ax, _plane_notes(words, focus, bool(regions)), style, left=LEFT)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """One head's regions, or its list of winners."""
    attention, words, focus = attention_of(sentence, head), sentence.words, sentence.focus
    if attention.key.shape[-1] == 2:
        notes = _plane_notes(words, focus, True)
        ax = new_plot(figure, WIDTH, HEIGHT, style, left=LEFT, notes=notes)
    else:
        rows = min(len(words), MOST_WORDS)
        ax = new_sheet(figure, WIDTH, ROW * (rows + 1) + 4 * SMALL * 1.45, style)
    draw_winning_word(attention, ax, words=words, focus=focus, style=style)


def _shown(words: Sequence[str], focus: int) -> list[int]:
    return strongest(np.zeros(len(words)), focus)


def _plane_notes(words: Sequence[str], focus: int, has_regions: bool) -> list[str]:
    own = quoted(words, focus)
    shown = which_words(
        _shown(words, focus), len(words), "from the beginning have their queries drawn"
    )
    if not has_regions:
        return [f"The word {own} may look at nothing: no word wins anywhere.", shown]
    return [
        f"A query in a region listens most to its word, k, of those that {own} may see. "
        "How far out it lies changes how much, not to whom.",
        shown,
    ]


def _winners(attention: Attention, words: Sequence[str], focus: int) -> list[str]:
    """Who wins with each word: itself, and all that have its key."""
    seen = [j for j, is_seen in enumerate(may_see(attention, focus)) if is_seen]
    return [
        together(
            [isolated(fit(words[j], BODY, 90)) for j in seen if (attention.key[j] == key).all()]
        )
        for key in attention.key
    ]


def _draw_regions(
    plane: Plane, regions: Sequence[tuple[float, float, int]], winners: Sequence[str]
) -> None:
    """Sectors with a shade and lines each, and who wins there where the frame is far."""
    ax, colors, style = plane.ax, plane.style.colors, plane.style
    brown, origin = colors.role("key"), plane.at(np.zeros(2))
    reach = float(np.hypot(*plane.size))
    frame = np.array(((0.0, 0.0), (plane.size[0], 0.0), plane.size, (0.0, plane.size[1])))
    for i, (start, end, word) in enumerate(regions):
        corners = frame
        if end - start < math.tau:
            halves = [(start + math.pi / 2), (end - math.pi / 2)]
            # A sector of half a turn or less: what is left of its beginning and right of its end.
            for angle in halves:
                corners = _cut(corners, origin, np.array((math.cos(angle), math.sin(angle))))
        if len(corners) < 3:
            continue
        place = i % len(TINTS) if len(regions) % len(TINTS) != 1 or i else 2
        data = corners / plane.scale + plane.low
        ax.add_patch(Polygon(data, closed=True, facecolor=brown, alpha=TINTS[place], linewidth=0,
                             zorder=0.2))  # fmt: skip
        _rule(plane, corners, TURNS[place])
        if end - start < math.tau:
            way = np.array((math.cos(start), math.sin(start)))
            xs, ys = zip(*(np.stack((origin, origin + reach * way)) / plane.scale + plane.low))
            ax.plot(xs, ys, color=brown, linewidth=style.stroke(1.4), zorder=0.8)
        middle = corners.mean(axis=0) / plane.scale + plane.low
        room = float(np.ptp(corners[:, 0])) - 2 * GAP
        text = f"k {winners[word]}"
        if width_of(text, BODY) < room:
            plane.name(middle, text, brown, size=BODY)


def _cut(corners: FloatArray, origin: FloatArray, normal: FloatArray) -> FloatArray:
    """The part of a convex polygon on the normal's side of a line through origin."""
    kept: list[FloatArray] = []
    sides = (corners - origin) @ normal
    for i in range(len(corners)):
        j = (i + 1) % len(corners)
        if sides[i] >= 0:
            kept.append(corners[i])
        if sides[i] * sides[j] < 0:
            share = sides[i] / (sides[i] - sides[j])
            kept.append(corners[i] + (corners[j] - corners[i]) * share)
    return np.array(kept).reshape(-1, 2)


def _rule(plane: Plane, corners: FloatArray, turn: float, gap: float = 9.0) -> None:
    """Fine parallel lines over a convex polygon, in points."""
    along = np.array((math.cos(turn), math.sin(turn)))
    across = np.array((-along[1], along[0]))
    heights = corners @ across
    vertices: list[tuple[float, float]] = []
    for height in np.arange(math.ceil(heights.min() / gap) * gap, heights.max(), gap):
        sides = heights - height
        ends = []
        for i in range(len(corners)):
            j = (i + 1) % len(corners)
            if (sides[i] < 0) != (sides[j] < 0):
                share = sides[i] / (sides[i] - sides[j])
                ends.append(corners[i] + (corners[j] - corners[i]) * share)
        if len(ends) == 2:
            vertices += [tuple(end / plane.scale + plane.low) for end in ends]
    if vertices:
        path = Path(vertices, [Path.MOVETO, Path.LINETO] * (len(vertices) // 2))
        color = plane.style.colors.role("key")
        plane.ax.add_patch(PathPatch(path, fill=False, edgecolor=color, alpha=0.35, zorder=0.3,
                                     linewidth=plane.style.stroke(0.5)))  # fmt: skip


def _draw_queries(plane: Plane, query: FloatArray, words: Sequence[str], focus: int) -> None:
    plane.arrow(np.zeros(2), query[focus], "query")
    for at in query[_shown(words, focus)]:
        color = plane.style.colors.role("query")
        dot(plane.ax, float(at[0]), float(at[1]), plane.style, color)
        point = plane.at(at)
        plane.taken.append((*(point - 3), *(point + 3)))


def _name_queries(plane: Plane, query: FloatArray, words: Sequence[str], focus: int) -> None:
    shown, blue = _shown(words, focus), plane.style.colors.role("query")
    groups = names_together(plane, query[shown], [words[j] for j in shown])
    for at, places in sorted(groups, key=lambda group: focus not in [shown[p] for p in group[1]]):
        names = [isolated(fit(words[shown[place]], SMALL, 80)) for place in places]
        is_focus = focus in [shown[place] for place in places]
        plane.name(at, f"q {together(names)}", blue, size=BODY if is_focus else SMALL)


def _list_notes(attention: Attention, words: Sequence[str], shown: Sequence[int]) -> list[str]:
    d = attention.key.shape[-1]
    why = (
        "Queries of one number lie on a line, where only the sign says who wins"
        if d == 1
        else f"Queries of {d} numbers lie in no plane"
    )
    return [
        f"{why}: for each word, whom it listens to most, and how much.",
        which_words(shown, len(words), "from the beginning"),
    ]


def _draw_list(
    ax: Axes, area: Area, attention: Attention, words: Sequence[str], shown: Sequence[int],
    focus: int, style: FigureStyle,
) -> None:  # fmt: skip
    """A row a query: its word, a bar as long as the winner's share, and the winner's name."""
    colors = style.colors
    pitch = min(area.height / (len(shown) + 1), 1.3 * ROW)
    names = min(max(width_of(words[j], BODY) for j in shown), 0.26 * area.width)
    names = max(names, width_of("q of", SMALL))
    left, winners = names + GAP, 0.3 * area.width
    shares = [write_share(float(attention.weights[j].max()), style.digits) for j in shown]
    reach = area.width - left - winners - 1.5 * GAP - widest(shares, BODY)
    top = area.top - 0.5 * pitch
    write_middle(ax, names, top, "q of", style, size=SMALL, color=colors.role("query"), ha="right")
    write_middle(ax, left, top, "the winner's share", style, size=SMALL, color=colors.weight)
    write_middle(ax, area.right - winners, top, "k of the winner", style, size=SMALL,
                 color=colors.role("key"))  # fmt: skip
    for row, j in enumerate(shown):
        y = area.top - (row + 1.5) * pitch
        most = leaders(attention.weights[j])
        color = colors.highlight if j == focus else colors.ink
        write_middle(ax, names, y, fit(words[j], BODY, names), style, size=BODY, color=color,
                     ha="right")  # fmt: skip
        long = reach * float(attention.weights[j].max())
        if long:
            bar = Area(left, y - BAR / 2 * pitch, long, BAR * pitch)
            fill(ax, bar, style, colors.weight)
        write_middle(ax, left + long + GAP / 2, y, shares[row], style, size=BODY)
        tied = together([isolated(fit(words[i], BODY, winners)) for i in most])
        name = fit(tied or "nobody", BODY, winners)
        write_middle(ax, area.right - winners, y, name, style, size=BODY,
                     color=colors.role("key") if most else colors.dim)  # fmt: skip
    line(ax, [left, left], [area.top - pitch * (len(shown) + 1), area.top - pitch], style,
         colors.faint)  # fmt: skip
