"""The perpendicular from a key onto the query's line, with its foot."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject

from engine.palette import Theme
from engine.softmax import FloatArray

__all__ = ["Perpendicular"]

Point = FloatArray

MARK = 0.16


class Perpendicular(VGroup):
    """A thin line from a key's tip to its foot, the right angle marked, 0 to foot made strong."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.line = VMobject(stroke_color=theme.highlight, stroke_width=2.5 * theme.stroke)
        self.mark = VMobject(stroke_color=theme.highlight, stroke_width=2 * theme.stroke)
        self.along = VMobject(stroke_color=theme.highlight, stroke_width=9 * theme.stroke)
        self.along.set_stroke(opacity=0.45)
        self.add(self.along, self.line, self.mark)

    def put(self, origin: Point, tip: Point, foot: Point) -> Perpendicular:
        """Drop it from `tip` to `foot` on the line from `origin`."""
        self.along.set_points_as_corners([origin, foot])
        self.line.set_points_as_corners([tip, foot])
        down, back = tip - foot, origin - foot
        height, base = float(np.linalg.norm(down)), float(np.linalg.norm(back))
        if height < 2 * MARK or base < 2 * MARK:
            self.mark.set_points_as_corners([foot, foot])
        else:
            up, side = down / height * MARK, back / base * MARK
            self.mark.set_points_as_corners([foot + up, foot + up + side, foot + side])
        return self
