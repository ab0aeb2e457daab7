"""Type: texts and digits as outlines, set by Typst and cached, the same at every quality.

Typst shapes a line (any script, ligatures, right to left) once; its glyphs are kept as Bézier
outlines with the baseline's left end at the origin, one em high = 1. A text on screen is one shape
made of copies of them, which is what keeps sixteen changing numbers cheap to draw.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import svgelements
from manim import VMobject
from manim.mobject.svg.svg_mobject import VMobjectFromSVGPath
from numpy.typing import NDArray

from scenes.parts.typeset import EM, FONTS, Glyph, typeset

__all__ = ["FONTS", "Setting", "Text", "set_line"]

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Setting:
    """A line as set: outline points (n, 3) in em, baseline at y = 0; its advance in em.

    missing counts the glyphs that no font at hand has as an outline: boxes, or nothing.
    """

    points: Points
    width: float
    missing: int


@lru_cache(maxsize=4096)
def set_line(text: str, weight: int = 400) -> Setting:
    """Set one line of any text; weight is the font's, from 100 to 900."""
    line = typeset(text, weight)
    pieces = [_placed(glyph) for glyph in line.glyphs]
    points = np.concatenate(pieces) if pieces else np.zeros((0, 3))
    points = points * (1 / EM, -1 / EM, 0) + (0, line.baseline / EM, 0)
    return Setting(points, line.width / EM, line.missing)


class Text(VMobject):
    """One line of text as one filled shape, its baseline's left end at the origin.

    size is the em in frame units. `baseline` follows the text as it is moved.
    """

    def __init__(self, text: str, size: float, color: str, weight: int = 400) -> None:
        super().__init__(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
        setting = set_line(text, weight)
        self.text = text
        self.missing = setting.missing
        self.set_points(setting.points * size)
        self._drop = -float(self.get_bottom()[1]) if len(setting.points) else 0.0
        self._drawn_height = float(self.height)

    @property
    def baseline(self) -> float:
        """The y of the baseline."""
        grown = self.height / self._drawn_height if self._drawn_height else 1.0
        return float(self.get_bottom()[1]) + self._drop * grown

    def on_baseline(self, y: float) -> Text:
        """Move straight up or down until the baseline is at `y`."""
        self.shift((0.0, y - self.baseline, 0.0))
        return self


def _placed(glyph: Glyph) -> Points:
    """A glyph's outline where it stands in its line."""
    outline, matrix = _outline(*glyph.paths), glyph.matrix
    x, y = outline[:, 0] + glyph.x, outline[:, 1] + glyph.y
    placed = np.zeros_like(outline)
    placed[:, 0] = matrix.a * x + matrix.c * y + matrix.e
    placed[:, 1] = matrix.b * x + matrix.d * y + matrix.f
    return placed


@cache
def _outline(*paths: str) -> Points:
    """A glyph's outline, as Manim keeps curves: (4 n, 3)."""
    pieces = [
        VMobjectFromSVGPath(svgelements.Path(path)).points
        for path in paths
        if re.search("[A-Za-z]", path)
    ]
    return np.concatenate(pieces) if pieces else np.zeros((0, 3))
