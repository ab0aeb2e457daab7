"""A place in the sentence as a dial with hands: sines to the right, cosines upward."""

from __future__ import annotations

import numpy as np
from manim import Circle, Dot, VGroup, VMobject

from engine.palette import Theme
from engine.softmax import FloatArray

__all__ = ["Hands"]

MOST = 3
SHORTER = 0.72


class Hands(VGroup):
    """The first pairs of `position` (d,) as hands on a dial of `radius` about `center`.

    A hand ends at (sine, cosine): at place 0 all point up, and they turn clockwise from there, each
    slower than the one before, drawn shorter and thicker. An odd last number is a sine alone.
    """

    def __init__(
        self, position: FloatArray, center: tuple[float, float], radius: float, theme: Theme
    ) -> None:
        super().__init__()
        middle = np.array((*center, 0.0))
        rim = Circle(radius, stroke_color=theme.faint, stroke_width=2.5 * theme.stroke)
        self.rim = rim.move_to(middle)
        self.hands = VGroup()
        pairs = [position[i : i + 2] for i in range(0, min(len(position), 2 * MOST), 2)]
        for i, pair in enumerate(pairs):
            sine, cosine = float(pair[0]), float(pair[1]) if len(pair) > 1 else 0.0
            end = middle + np.array((sine, cosine, 0.0)) * radius * 0.9 * SHORTER**i
            hand = VMobject(stroke_color=theme.highlight if i == 0 else theme.ink)
            hand.set_stroke(width=(5 + 2 * i) * theme.stroke)
            self.hands.add(hand.set_points_as_corners([middle, end]))
        self.add(self.rim, self.hands, Dot(middle, 0.07, color=theme.ink))
