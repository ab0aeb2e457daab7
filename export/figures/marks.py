"""What figures are made of beside text: cells, hatching, and the four roles' lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from engine.palette import ROLES
from export.figures.theme import FigureStyle

__all__ = ["Box", "boxes_path", "hatch", "line_style", "points_across"]

Box = tuple[float, float, float, float]
"""Left, bottom, width and height, in an Axes' data."""


def line_style(role: str, style: FigureStyle, *, width: float = 1.6) -> dict[str, Any]:
    """A role's colour, width and dashes as Matplotlib's keywords for a line.

    A double line is drawn by whoever draws it: once in this style, once thinner in the ground.
    """
    kind = ROLES[role].line
    factor = {"thick": 2.0, "double": 2.6}.get(kind, 1.0)
    dashes = (0, (4.0, 2.0)) if kind == "dashed" else "solid"
    return {
        "color": style.colors.role(role),
        "linewidth": style.stroke(width * factor),
        "linestyle": dashes,
        "solid_capstyle": "round" if kind == "thick" else "butt",
    }


def boxes_path(boxes: Iterable[Box]) -> Path:
    """Many boxes as one path."""
    corners = [
        ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)) for x, y, w, h in boxes
    ]  # fmt: skip
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(np.array(corners, dtype=float).reshape(-1, 2), codes * len(corners))


def hatch(ax: Axes, boxes: Iterable[Box], style: FigureStyle, *, gap: float = 5.0) -> None:
    """Slanted lines over boxes, `gap` points apart: masked, which is not the same as 0.

    Lines of their own rather than Matplotlib's hatching, which needs an id in an SVG and doesn't
    scale with the picture in every viewer.
    """
    across, up = points_across(ax, style)
    vertices: list[tuple[float, float]] = []
    for x, y, w, h in boxes:
        wide, high = abs(w) * across, abs(h) * up
        for at in np.arange(gap / 2, wide + high, gap):
            # From the left or top edge to the bottom or right one, at 45° on paper.
            first = (max(at - high, 0.0), min(at, high))
            last = (min(at, wide), max(at - wide, 0.0))
            vertices += [(x + a / wide * w, y + b / high * h) for a, b in (first, last)]
    if vertices:
        path = Path(vertices, [Path.MOVETO, Path.LINETO] * (len(vertices) // 2))
        color, width = style.colors.faint, style.stroke(0.8)
        ax.add_patch(PathPatch(path, fill=False, edgecolor=color, linewidth=width, zorder=1.5))


def points_across(ax: Axes, style: FigureStyle) -> tuple[float, float]:
    """How many points, before the style's scale, a unit of data is wide and high (linear axes)."""
    box, dpi = ax.get_window_extent(), ax.figure.dpi * style.scale
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    return (
        abs(box.width / (right - left)) * 72 / dpi,
        abs(box.height / (top - bottom)) * 72 / dpi,
    )
