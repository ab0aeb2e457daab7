"""Numbers as one shape of cached digit outlines: cheap to change, and readable back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VMobject

from engine.notation import INFINITY, MINUS, write_number
from scenes.parts.type import Points, set_line

__all__ = ["CHARACTERS", "Number", "Tick", "outline", "read_back"]

CHARACTERS = "0123456789" + MINUS + INFINITY + ".,×<⁰¹²³⁴⁵⁶⁷⁸⁹⁻[]()+=÷·%≈ "
"""Everything a drawn number or a line of arithmetic may hold."""

WEIGHTS = (400, 500, 600, 650, 700)
"""The weights that numbers are drawn in."""


class Number(VMobject):
    """A number, or a short line of arithmetic, as one filled shape.

    text: made of CHARACTERS; size: the em in frame units. It is centred where it is put;
    `rewrite` changes the digits and keeps the place (its centre, or the edge `anchor` names).
    """

    def __init__(self, text: str, size: float, color: str, weight: int = 400) -> None:
        super().__init__(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
        self.weight = weight
        self._set(text, size, 0.0, 0.0, 0)

    @classmethod
    def of(
        cls, number: float, size: float, color: str, digits: int = 2, weight: int = 400
    ) -> Number:
        """The number as the notation writes it."""
        return cls(write_number(number, digits), size, color, weight)

    @property
    def em(self) -> float:
        """The size it has now, in frame units."""
        return float(self.height) / self._tall if self._tall else 0.0

    @property
    def middle(self) -> float:
        """The y of its line's middle: half a digit's height above the baseline."""
        return float(self.get_bottom()[1]) - self._low * self.em

    def rewrite(self, text: str, x: float, y: float, edge: int = 0) -> Number:
        """Show `text` at the size it has, with its line's middle at y, and at x its centre
        (edge 0), its left edge (−1) or its right edge (1)."""
        return self._set(text, self.em, x, y, edge)

    def _set(self, text: str, size: float, x: float, y: float, edge: int) -> Number:
        points = outline(text, self.weight) - np.array((0.0, digit_height(self.weight) / 2, 0.0))
        low, high = (points[:, 0].min(), points[:, 0].max()) if len(points) else (0.0, 0.0)
        anchor = (low + high) / 2 + edge * (high - low) / 2
        self._tall = float(np.ptp(points[:, 1])) if len(points) else 0.0
        self._low = float(points[:, 1].min()) if len(points) else 0.0
        self.set_points((points - (anchor, 0.0, 0.0)) * size + np.array((x, y, 0.0)))
        return self


class Tick(Number):
    """A number along an axis: it says where one is, and isn't told with what is seen."""


def outline(text: str, weight: int = 400) -> Points:
    """The outline of `text`, glyph after glyph without kerning, in em, baseline at 0.

    Raises ValueError for a character that isn't in CHARACTERS.
    """
    pieces: list[Points] = []
    x = 0.0
    for character in text:
        if character not in CHARACTERS:
            raise ValueError(f"{character!r} of {text!r} is no character of a number")
        setting = set_line(character, weight)
        pieces.append(setting.points + np.array((x, 0.0, 0.0)))
        x += setting.width if character != " " else 0.26
    return np.concatenate(pieces) if pieces else np.zeros((0, 3))


def digit_height(weight: int = 400) -> float:
    """How high a digit stands, in em."""
    return float(set_line("0", weight).points[:, 1].max())


def read_back(points: Points, weights: Sequence[int] = WEIGHTS) -> str:
    """The characters that an outline draws, found by matching each glyph's points.

    points (n, 3), moved and scaled at will. Returns the text without spaces; "?" stands for a
    glyph that is none of CHARACTERS.
    """
    best = "?"
    for weight in weights:
        text = _read(points, weight)
        if text.count("?") < best.count("?") or best == "?":
            best = text
    return best


def _read(points: Points, weight: int) -> str:
    shapes = {c: set_line(c, weight).points for c in CHARACTERS if c != " "}
    # The longest first: a ÷ begins with the outline of a minus.
    shapes = dict(sorted(shapes.items(), key=lambda shape: -len(shape[1])))
    size, baseline = _size_and_baseline(points, shapes)
    text, at = "", 0
    while at < len(points):
        for character, shape in shapes.items():
            piece = points[at : at + len(shape)]
            if len(piece) == len(shape) and _same(piece, shape * size, baseline):
                text, at = text + character, at + len(shape)
                break
        else:
            return text + "?"
    return text


def _size_and_baseline(points: Points, shapes: dict[str, Points]) -> tuple[float, float]:
    """The em and the baseline that make an outline's first glyph one of `shapes`."""
    for shape in shapes.values():
        piece = points[: len(shape)]
        if len(piece) == len(shape):
            size = float(np.ptp(piece[:, 1]) / np.ptp(shape[:, 1]))
            baseline = float(piece[0, 1] - shape[0, 1] * size)
            if size > 0 and _same(piece, shape * size, baseline):
                return size, baseline
    return 1.0, 0.0


def _same(piece: Points, shape: Points, baseline: float) -> bool:
    """Whether the glyph `piece` is `shape`, wherever along the baseline it stands."""
    away = piece - shape
    away -= (away[0, 0], baseline, 0.0)
    return bool(np.abs(away).max() <= 0.004 * np.ptp(shape, axis=0).max())
