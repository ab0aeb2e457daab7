"""A dial with stops, and the plot that is drawn as it turns."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from manim import Arc, Dot, VGroup, VMobject
from numpy.typing import NDArray

from engine.notation import write_number
from engine.palette import Theme
from scenes.parts.layout import Box
from scenes.parts.number import Tick
from scenes.parts.type import Text

__all__ = ["Curve", "Dial", "StopPlot"]

Point = NDArray[np.float64]

FIRST, LAST = math.radians(220), math.radians(-40)
TICK = 0.1


class Dial(VGroup):
    """Stops round a dial of `radius` about `center`; `turn` points the hand at one, or between."""

    def __init__(
        self, stops: Sequence[int], center: tuple[float, float], radius: float, theme: Theme,
        size: float,
    ) -> None:  # fmt: skip
        super().__init__()
        self.stops, self.radius = stops, radius
        self.center = np.array((*center, 0.0))
        rim = Arc(radius, FIRST, LAST - FIRST, arc_center=self.center)
        rim.set_stroke(theme.faint, 3 * theme.stroke)
        self.add(rim)
        for i, stop in enumerate(stops):
            tick = VMobject(stroke_color=theme.dim, stroke_width=2.5 * theme.stroke)
            ends = [self._at(i, radius - TICK), self._at(i, radius + TICK / 2)]
            label = Tick(str(stop), size, theme.dim)
            x, y, _ = self._at(i, radius + 0.14 + size * 0.75)
            self.add(tick.set_points_as_corners(ends), label.rewrite(str(stop), x, y))
        self.hand = VMobject(stroke_color=theme.highlight, stroke_width=6 * theme.stroke)
        self.add(self.hand, Dot(self.center, 0.09, color=theme.highlight))
        self.turn(0.0)

    def turn(self, position: float) -> Dial:
        """Point at the stop of that index; between two where it isn't whole."""
        ends = [self.center, self._at(position, self.radius - 0.2)]
        self.hand.set_points_as_corners(ends)
        return self

    def _at(self, position: float, radius: float) -> Point:
        angle = FIRST + (LAST - FIRST) * position / (len(self.stops) - 1)
        return self.center + radius * np.array((math.cos(angle), math.sin(angle), 0.0))


class StopPlot(VGroup):
    """Shares from 0 to 1 (upwards) against the dial's stops, evenly spaced (to the right)."""

    def __init__(self, stops: Sequence[int], box: Box, theme: Theme, size: float) -> None:
        super().__init__()
        self.box, self.count = box, len(stops)
        for share in (0.0, 0.5, 1.0):
            y = self.at(0, share)[1]
            color = theme.faint if share == 0 else theme.grid
            line = VMobject(stroke_color=color, stroke_width=2 * theme.stroke)
            line.set_points_as_corners([(box.left, y, 0.0), (box.right, y, 0.0)])
            label = Tick(write_number(share, 1), size, theme.dim)
            text = write_number(share, 1)
            self.add(line, label.rewrite(text, box.left - 0.14, y, edge=1))
        for i, stop in enumerate(stops):
            if i % 2 == 0:
                x, text = float(self.at(i, 0.0)[0]), str(stop)
                label = Tick(text, size, theme.dim)
                self.add(label.rewrite(text, x, box.bottom - size * 0.85))
        name = Text("largest share", size, theme.dim)
        name.align_to((box.left - 0.14, 0.0, 0.0), (-1.0, 0.0, 0.0))
        name.on_baseline(box.top + size * 0.6)
        under = Text("entries a vector, dₖ", size, theme.dim)
        under.shift((box.center[0] - float(under.get_center()[0]), 0.0, 0.0))
        self.add(name, under.on_baseline(box.bottom - size * 2.4))

    def at(self, position: float, share: float) -> Point:
        """Where a share stands at the stop of that index, or between two."""
        x = self.box.left + self.box.width * position / (self.count - 1)
        return np.array((x, self.box.bottom + self.box.height * share, 0.0))


class Curve(VGroup):
    """The middle of many shares at each stop as a line, the middle half of them as a band.

    quartiles (stops, 3): lower quartile, median and upper quartile at each stop. `draw` shows
    the curve up to the stop of that index; between two stops the line is straight.
    """

    def __init__(
        self,
        quartiles: NDArray[np.floating],
        plot: StopPlot,
        color: str,
        theme: Theme,
    ) -> None:
        super().__init__()
        self.plot, self.quartiles = plot, quartiles.T.tolist()
        self.band = VMobject(fill_color=color, fill_opacity=0.16, stroke_width=0.0)
        self.line = VMobject(stroke_color=color, stroke_width=4.5 * theme.stroke)
        self.tip = Dot(radius=0.085, color=color)
        self.add(self.band, self.line, self.tip)
        self.draw(0.0)

    def draw(self, position: float) -> Curve:
        """Show the curve up to `position`."""
        low, middle, high = (self._points(shares, position) for shares in self.quartiles)
        self.tip.move_to(middle[-1])
        self.line.set_points_as_corners(middle if len(middle) > 1 else middle * 2)
        around = [*high, *reversed(low)]
        self.band.set_points_as_corners([*around, around[0]])
        return self

    def _points(self, shares: Sequence[float], position: float) -> list[Point]:
        whole = int(position + 1e-9)
        points = [self.plot.at(i, float(shares[i])) for i in range(whole + 1)]
        if position - whole > 1e-9:
            share = float(np.interp(position, range(len(shares)), shares))
            points.append(self.plot.at(position, share))
        return points
