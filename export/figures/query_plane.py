"""One word's query among all keys: the further along it a foot falls, the higher the score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.attention import Attention
from engine.geometry import in_their_plane, project
from engine.notation import write_entries
from engine.sentence import Sentence, attention_of
from engine.softmax import FloatArray
from export.figures.lettering import fit
from export.figures.plane import as_points, height_for, names_together, open_plane, together
from export.figures.plots import new_plot, write_under
from export.figures.sheet import may_see, quoted, strongest, which_words
from export.figures.theme import BODY, SMALL, FigureStyle
from scenes.direction import isolated

__all__ = ["compose", "draw_query_plane"]

WIDTH, HEIGHT, LEFT = 420.0, 320.0, 52.0
LINE_HEIGHT = 84.0
NAME = 96.0
"""What a name takes at most, in points."""


def draw_query_plane(
    attention: Attention,
    ax: Axes,
    *,
    words: Sequence[str],
    focus: int = 0,
    style: FigureStyle | None = None,
) -> Axes:
    """Draw the focus word's query, the keys, and the foot of each key's perpendicular on it.

    attention's arrays are (n, …) of one head, words are n texts. Vectors of one number lie on a
    line; of three and more each key is turned about the query's line into one plane, which keeps
    every length, every foot and so every score. Of more than twelve words the focus word and the
    eleven that score highest are drawn. Returns `ax`.
    """
    style = style or FigureStyle()
    shown = _shown(attention, focus)
    query, keys, feet = _flat(attention, focus, shown)
    is_line = attention.query.shape[-1] == 1
    plane = open_plane(ax, np.concatenate((keys, query[None], feet)), style, is_line=is_line)
    colors, zero = style.colors, np.zeros(2)
    _draw_query_line(ax, query, style)
    seen = may_see(attention, focus)
    # Under the keys, and wider: a key that points the same way is still seen.
    plane.arrow(zero, query, "query", width=4.0, zorder=2.5)
    for key, foot in zip(keys, feet, strict=True):
        if np.any(query) and float(np.hypot(*(plane.at(key) - plane.at(foot)))) > 1:
            ax.plot(
                [key[0], foot[0]], [key[1], foot[1]], color=colors.faint,
                linewidth=style.stroke(1), linestyle=(0, (1, 2)), zorder=2,
            )  # fmt: skip
            ax.plot(
                [foot[0]], [foot[1]], "o", markersize=style.size(4), color=colors.highlight,
                markeredgewidth=0, zorder=4,
            )  # fmt: skip
        plane.arrow(zero, key, "key")
    plane.name(
        query, f"q {isolated(fit(words[focus], BODY, NAME))}", colors.role("query"), size=BODY
    )
    scores = write_entries([float(attention.scores[focus, j]) for j in shown], style.digits)
    for point, places in names_together(plane, keys, [words[j] for j in shown]):
        named = together(
            [
                isolated(fit(words[shown[i]], SMALL, NAME))
                + ("" if seen[shown[i]] else " (masked)")
                for i in places
            ]
        )
        text = f"k {named}: {scores[places[0]]}"
        plane.name(point, text, colors.role("key"), longest=3 * NAME)
    write_under(ax, _notes(attention, words, focus, shown), style, left=LEFT)
    return ax


def compose(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
    """The focus word's query of one head among all keys."""
    attention, words, focus = attention_of(sentence, head), sentence.words, sentence.focus
    shown = _shown(attention, focus)
    notes = _notes(attention, words, focus, shown)
    query, keys, feet = _flat(attention, focus, shown)
    height = height_for(np.concatenate((keys, query[None], feet)), WIDTH, HEIGHT)
    height = LINE_HEIGHT if attention.query.shape[-1] == 1 else height
    ax = new_plot(figure, WIDTH, height, style, left=LEFT, notes=notes)
    draw_query_plane(attention, ax, words=words, focus=focus, style=style)


def _shown(attention: Attention, focus: int) -> list[int]:
    return strongest(attention.scores[focus], focus)


def _flat(
    attention: Attention, focus: int, shown: Sequence[int]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The query (2,), the shown words' keys (k, 2) and their feet, in the plane that is drawn."""
    query, keys = attention.query[focus], attention.key[list(shown)]
    if len(query) <= 2:
        query, keys = as_points(query[None])[0], as_points(keys)
    else:
        pairs = [in_their_plane(query, key) for key in keys]
        query, keys = pairs[0][0], np.array([key for _, key in pairs])
    return query, keys, np.array([project(key, query) for key in keys])


def _draw_query_line(ax: Axes, query: FloatArray, style: FigureStyle) -> None:
    """The line that feet fall on, right across the plane."""
    if not np.any(query):
        return
    corners = np.array([(x, y) for x in ax.get_xlim() for y in ax.get_ylim()])
    way = query / np.hypot(*query)
    along = corners @ way
    ends = np.outer((along.min(), along.max()), way)
    ax.plot(
        ends[:, 0], ends[:, 1], color=style.colors.role("query"), linewidth=style.stroke(0.8),
        alpha=0.5, zorder=1.5, scalex=False, scaley=False,
    )  # fmt: skip


def _notes(
    attention: Attention, words: Sequence[str], focus: int, shown: Sequence[int]
) -> list[str]:
    d_k = attention.query.shape[-1]
    notes = [
        f"The query of {quoted(words, focus)}, the keys, and their scores q · k: "
        "the further along the query a foot falls, the higher."
    ]
    if not np.any(attention.query[focus]):
        notes = [f"The query of {quoted(words, focus)} is 0: every score is 0."]
    if d_k > 2:
        notes.append(
            f"d_k = {d_k}: each key is turned about the query's line into one plane, "
            "which keeps lengths and scores."
        )
    return [*notes, which_words(shown, len(words), "that score highest")]
