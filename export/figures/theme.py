"""How figures look: the theme, the sizes, and Matplotlib set up for it without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine.palette import THEMES, Theme
from export.figures.lettering import HOUSE
from export.measured import Measured

__all__ = [
    "BODY",
    "GAP",
    "SMALL",
    "STRONG",
    "FigureStyle",
    "axes_at",
    "new_figure",
    "size_in_points",
]

STRONG, BODY, SMALL = 13.0, 11.0, 9.0
"""Sizes of text in points: a panel's name; words and numbers; notes and what axes are called."""

GAP = 6.0
"""Points between things that belong together."""

_PROJECTED = 4 / 3
"""How much larger a projector's text is: 1/24 of the height where a page has 1/32."""


@dataclass(frozen=True)
class FigureStyle:
    """How a figure is drawn: theme's name, decimals, what rows are, and how large the text is.

    rows is "queries" (rows listen) or "keys" (every grid turned). measured are the times that the
    figure of growth shows, if any.
    """

    theme: str = "light"
    digits: int = 2
    rows: str = "queries"
    font_scale: float = 1.0
    measured: Measured | None = None

    @property
    def colors(self) -> Theme:
        """The theme's colours."""
        return THEMES[self.theme]

    @property
    def is_turned(self) -> bool:
        """Whether rows are keys."""
        return self.rows == "keys"

    @property
    def scale(self) -> float:
        """What sizes of text, and the lengths that make room for it, are multiplied by."""
        return self.font_scale * (_PROJECTED if self.theme == "projector" else 1.0)

    def size(self, points: float) -> float:
        """A size of text, or a length that goes with it, in points."""
        return points * self.scale

    def stroke(self, points: float) -> float:
        """The width of a line, in points."""
        return points * self.colors.stroke

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Matplotlib as figures need it, whatever the machine's settings; put back afterwards."""
        ours: dict[Any, Any] = {
            "font.family": list(HOUSE),
            "font.size": self.size(BODY),
            "text.usetex": False,
            "text.hinting": "no_hinting",
            "text.parse_math": False,
            "text.color": self.colors.ink,
            "axes.formatter.use_mathtext": False,
            "axes.edgecolor": self.colors.faint,
            "figure.facecolor": self.colors.ground,
            "axes.facecolor": "none",
            "savefig.facecolor": "auto",
            "pdf.fonttype": 42,
            "path.simplify": False,
            "hatch.linewidth": self.stroke(1),
        }
        defaults: dict[Any, Any] = {
            key: value for key, value in mpl.rcParamsDefault.items() if "backend" not in key
        }
        with mpl.rc_context({**defaults, **ours}):
            yield


def size_in_points(figure: Figure, width: float, height: float, style: FigureStyle) -> None:
    """Give a figure its size, in points before the style's scale."""
    figure.set_size_inches(width * style.scale / 72, height * style.scale / 72)


def axes_at(
    figure: Figure, left: float, top: float, width: float, height: float, style: FigureStyle
) -> Axes:
    """New axes in a figure that has its size: counted from the left and from the top, in points."""
    whole_width, whole_height = (72 * inches / style.scale for inches in figure.get_size_inches())
    bottom = whole_height - top - height
    return figure.add_axes(
        (left / whole_width, bottom / whole_height, width / whole_width, height / whole_height)
    )


def new_figure(style: FigureStyle) -> Figure:
    """An empty figure on the theme's ground, at 72 dots an inch: a pixel is a point."""
    return Figure(dpi=72, facecolor=style.colors.ground)
