"""Grids inside grids: each is drawn round the last, which shrinks into its corner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Create, FadeIn, FadeOut, Mobject, VGroup, VMobject
from numpy.typing import NDArray

from engine.palette import Theme, blend, weight_colors
from scenes.parts.grid import boxes_shape, hatch_shape
from scenes.parts.layout import Box
from scenes.parts.number import Number

__all__ = ["Nest"]

SHADES = 24
EXACT = 12
FINEST = 0.09
TINTS = (0.07, 0.17)
DIGIT = 0.2
LABEL_GAP = 0.24


class Nest(VGroup):
    """A grid of n × n cells whose top left corner stays, while ever larger grids surround it.

    weights (n, n) and allowed (n, n) are the first grid's own, rows and columns as drawn; larger
    ones are empty, since nobody has given their numbers. `area` is where the first is drawn,
    `box` the square that all the others fill. Moves come in two parts, to be played in turn.
    """

    def __init__(
        self,
        weights: NDArray[np.floating],
        allowed: NDArray[np.bool_],
        area: Box,
        box: Box,
        theme: Theme,
        small: float,
    ) -> None:
        super().__init__()
        self.box, self.theme, self.small = box, theme, small
        self.corner = np.array((box.left, box.top, 0.0))
        self.n = self.first = weights.shape[0]
        self.level = 0
        cells = _cell_boxes(area, self.n)
        self.cells = _weight_shapes(weights, allowed, cells, theme)
        masked = [b for b, is_open in zip(cells, allowed.flat) if not is_open]
        self.hatching = hatch_shape(masked, 0.16).set_stroke(theme.faint, 1.2 * theme.stroke)
        self.lines = VGroup(self._lines_of(area, self.n))
        self.border = boxes_shape([area]).set_stroke(theme.faint, 2 * theme.stroke)
        self.picture = VGroup(self.cells, self.hatching, self.lines, self.border)
        self.mark = boxes_shape([box]).set_stroke(theme.highlight, 4 * theme.stroke).set_z_index(1)
        self.labels: dict[int, Number] = {}
        self.coming: list[VMobject] = []

    def square(self) -> list[Animation]:
        """The first grid takes the square."""
        box = self.box
        wide = self.picture.animate.stretch_to_fit_width(box.width)
        return [wide.stretch_to_fit_height(box.height).move_to((*box.center, 0.0))]

    def double(self) -> tuple[list[Animation], list[Animation]]:
        """Three outlines part from the grid as it shrinks; then the new cells are filled in."""
        w, h = self.box.width / 2, -self.box.height / 2
        offsets = [np.array(offset) for offset in ((w, 0, 0), (0, h, 0), (w, h, 0))]
        edges = [self._edge() for _ in offsets]
        lines = [self._lines_of(self.box, self.n) for _ in offsets]
        moves = self._shrink(0.5, self.n * 2)
        for edge, inner, offset in zip(edges, lines, offsets):
            moves.append(edge.animate.scale(0.5, about_point=self.corner).shift(offset))
            thinner = inner.animate.scale(0.5, about_point=self.corner).shift(offset)
            moves.append(thinner.set_stroke(**self._line_style()))
        faces = [self._piece(offset) for offset in offsets]
        self.lines.add(*lines)
        self.picture.add(*edges)
        self.coming += faces
        return moves, [FadeIn(face) for face in faces]

    def surround(self, n: int) -> tuple[list[Animation], list[Animation]]:
        """The grid shrinks by any ratio, and one of side `n` is drawn round it."""
        ratio = self.n / n
        moves = self._shrink(ratio, n)
        face, edge = self._rest(ratio), self._edge()
        settle: list[Animation] = [FadeIn(face), Create(edge)]
        self.coming += [face, edge]
        return moves, settle

    def standing(self) -> list[Mobject]:
        """All of it that is on screen."""
        return [self.picture, self.mark, *self.coming, *self.labels.values()]

    def label(self) -> Number:
        """How many words the square has now, at the end of its upper edge."""
        text = label_text(self.n)
        label = Number(text, self.small, self.theme.ink, 600)
        label.rewrite(text, self.box.right, self.box.top + LABEL_GAP, edge=1)
        self.labels[self.n] = label
        return label

    def struck_out(self, turned: bool) -> VMobject:
        """Hatching over what a causal mask forbids in the whole square: a triangle."""
        side, points = self.box.width, []
        for level in np.arange(0.14, 2 * side, 0.14):  # along x + y = level, from the corner
            far = min(level, side)
            points.append(((level / 2, level / 2), (far, level - far)))
        shape = VMobject(stroke_color=self.theme.dim, stroke_width=1.5 * self.theme.stroke)
        for pair in points:
            start, end = (
                self.corner + np.array((y, -x, 0.0) if turned else (x, -y, 0.0)) for x, y in pair
            )
            shape.start_new_path(start)
            shape.add_line_to(end)
        return shape

    def _shrink(self, ratio: float, n: int) -> list[Animation]:
        """What scales all that is drawn, thins its lines and moves its labels."""
        self.n, self.level = n, self.level + 1
        self.picture.add(*self.coming)
        self.coming.clear()
        moves: list[Animation] = []
        for part in self.picture:
            change = part.animate.scale(ratio, about_point=self.corner)
            if part is self.lines and len(self.lines):
                change = change.set_stroke(**self._line_style())
            moves.append(change)
        moves.append(self.mark.animate.scale(ratio, about_point=self.corner))
        keys = sorted(self.labels)
        for key, following in zip(keys, [*keys[1:], n]):
            room = self.box.width * (following - key) / n
            if room < DIGIT * len(label_text(following)) + LABEL_GAP:
                moves.append(FadeOut(self.labels.pop(key)))
            else:
                x = self.box.left + self.box.width * key / n
                right = float(self.labels[key].get_right()[0])
                moves.append(self.labels[key].animate.shift((x - right, 0.0, 0.0)))
        return moves

    def _piece(self, offset: NDArray[np.float64]) -> VMobject:
        box, x, y = self.box, float(offset[0]), float(offset[1])
        quarter = Box(
            box.left + x, box.left + x + box.width / 2, box.top + y - box.height / 2, box.top + y
        )
        return self._tinted(boxes_shape([quarter]))

    def _rest(self, ratio: float) -> VMobject:
        """The square without the part that the shrunken picture covers."""
        box = self.box
        x, y = box.left + box.width * ratio, box.top - box.height * ratio
        right = Box(x, box.right, y, box.top)
        below = Box(box.left, box.right, box.bottom, y)
        return self._tinted(boxes_shape([right, below]))

    def _tinted(self, shape: VMobject) -> VMobject:
        tint = blend(self.theme.ground, self.theme.weight, TINTS[self.level % 2])
        return shape.set_stroke(width=0.0).set_fill(tint, 1.0).set_z_index(-1)

    def _edge(self) -> VMobject:
        return boxes_shape([self.box]).set_stroke(self.theme.faint, 2 * self.theme.stroke)

    def _line_style(self) -> dict[str, float]:
        """Thinner as the cells get smaller, gone where they would be a blur."""
        width = 1.6 * self.theme.stroke * (self.first / self.n) ** 0.4
        return {"width": width, "opacity": float(self.box.width / self.n >= FINEST)}

    def _lines_of(self, box: Box, n: int) -> VMobject:
        """The lines between n × n cells, as one shape; none where they would be a blur."""
        shape = VMobject(stroke_color=self.theme.faint).set_stroke(**self._line_style())
        if self.box.width / n < FINEST:
            return shape
        for i in range(n + 1):
            x, y = box.left + box.width * i / n, box.top - box.height * i / n
            for a, b in (((x, box.top), (x, box.bottom)), ((box.left, y), (box.right, y))):
                shape.start_new_path(np.array((*a, 0.0)))
                shape.add_line_to(np.array((*b, 0.0)))
        return shape


def label_text(n: int) -> str:
    """A count of words, written in full."""
    return f"{n:,}"


def _cell_boxes(area: Box, n: int) -> list[Box]:
    w, h = area.width / n, area.height / n
    return [
        Box(area.left + w * j, area.left + w * (j + 1), area.top - h * (i + 1), area.top - h * i)
        for i in range(n)
        for j in range(n)
    ]


def _weight_shapes(
    weights: NDArray[np.floating], allowed: NDArray[np.bool_], cells: Sequence[Box], theme: Theme
) -> VGroup:
    """One filled shape a shade; of many cells, weights are sorted into 24 shades."""
    shades: dict[str, list[Box]] = {}
    for weight, is_open, box in zip(weights.flat, allowed.flat, cells):
        if is_open:
            exact = len(weights) <= EXACT
            shade = float(weight) if exact else round(float(weight) * SHADES) / SHADES
            shades.setdefault(weight_colors(theme, shade)[0], []).append(box)
    return VGroup(
        *(boxes_shape(boxes).set_stroke(width=0.0).set_fill(color, 1.0)
          for color, boxes in shades.items())
    )  # fmt: skip
