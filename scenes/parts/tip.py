"""Where a name stands that keeps to the tip of an arrow which moves."""

from __future__ import annotations

import math

import numpy as np
from manim import Mobject

from engine.softmax import FloatArray

__all__ = ["beside_tip", "settle"]

AIR = 0.26
ASIDE, NEAR = math.radians(50), math.radians(30)
SETTLED = 0.3
"""The share of a movement in which a name goes from where it stood to the tip's side."""


def beside_tip(way: FloatArray, label: Mobject) -> FloatArray:
    """The middle (3,) of `label` as seen from the tip of an arrow that goes `way` (2 or 3,).

    It is beyond the tip; of an arrow near an axis it is aside, always to the same side, so that
    the axis doesn't run through the name and nothing jumps as the arrow turns.
    """
    angle = math.atan2(float(way[1]), float(way[0]))
    off_axis = abs(math.remainder(angle, math.pi / 2))
    angle += ASIDE * max(0.0, 1.0 - off_axis / NEAR)
    x, y = math.cos(angle), math.sin(angle)
    reach = AIR + abs(x) * float(label.width) / 2 + abs(y) * float(label.height) / 2
    return np.array((x * reach, y * reach, 0.0))


def settle(start: FloatArray, goal: FloatArray, alpha: float) -> FloatArray:
    """Between two places (3,) of a name by its tip, a movement that is `alpha` (0 to 1) done."""
    return np.asarray(goal + (start - goal) * (1.0 - min(alpha / SETTLED, 1.0)))
