"""A line beside each row of the grid: the word's q, k and v as tiles, and what it collects."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from engine.palette import ROLES, Theme
from scenes.parts.grid import boxes_shape
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.type import Text

__all__ = ["RoleTiles", "output_lines"]

SIDE, GAP = 0.52, 0.1


class RoleTiles(VGroup):
    """Three tiles from `left` on: a word's query, key and value, by letter and colour.

    height: that of the row they stand in.
    """

    def __init__(self, left: float, y: float, height: float, theme: Theme, size: float) -> None:
        super().__init__()
        side = min(SIDE, height * 0.86)
        for i, name in enumerate(("query", "key", "value")):
            start, color = left + i * (side + GAP), theme.role(name)
            box = Box(start, start + side, y - side / 2, y + side / 2)
            tile = boxes_shape([box]).set_stroke(color, 2.5 * theme.stroke)
            letter = Text(ROLES[name].letter, min(size, side * 0.8), color, 650)
            letter.shift((box.center[0] - float(letter.get_center()[0]), 0.0, 0.0))
            self.add(VGroup(tile, letter.on_baseline(y - 0.25 * min(size, side * 0.8))))

    def light(self) -> RoleTiles:
        """Tint the tiles, so that one word's are told from the others'."""
        for tile, letter in self:
            tile.set_fill(letter.get_fill_color(), 0.22)
        return self


def output_lines(
    outputs: Sequence[tuple[str, bool]],
    ys: Sequence[float],
    right: float,
    size: float,
    color: str,
) -> VGroup:
    """Outputs as lists ending at `right`, one a row at `ys`.

    outputs: each list's text, and whether it goes on ("…]" is then written behind it).
    """
    lines = VGroup(*(_list(text, is_cut, size, color) for text, is_cut in outputs))
    for line, y in zip(lines, ys):
        line.shift((right - float(line.get_right()[0]), y, 0.0))
    return lines


def _list(text: str, is_cut: bool, size: float, color: str) -> VGroup:
    line = VGroup(Number(text, size, color, 600).rewrite(text, 0.0, 0.0, edge=-1))
    if is_cut:
        dots = Text("…]", size, color, 600)
        dots.shift((float(line.width) + 0.25 * size - float(dots.get_left()[0]), 0.0, 0.0))
        line.add(dots.on_baseline(-0.36 * size))
    return line
