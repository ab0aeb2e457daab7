"""A plane of vectors on given axes: numbered lines, arrows of the four roles, names beside tips.

Data are the vectors' own numbers, and a unit is as wide as it is high.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from engine.notation import MINUS, SUPERSCRIPTS, write_entries
from engine.palette import ROLES
from engine.softmax import FloatArray
from export.figures.lettering import fit, width_of, write
from export.figures.marks import line_style
from export.figures.plots import dot, put_ticks, room_of, widest
from export.figures.sheet import MARGIN
from export.figures.theme import GAP, SMALL, FigureStyle

__all__ = ["Plane", "as_points", "height_for", "names_together", "open_plane", "together"]

SMALLEST = 1e-9
"""Vectors shorter than this are drawn as 0: nothing is fitted to them."""

LINES = 6
"""About so many numbered lines cross the shorter side."""

HEAD = 9.0
"""An arrow's head, in points."""

ROOM = 34.0
"""What is free round all points, in points, for their names."""

LONGEST = 120.0
"""A name beside a tip takes so much at most."""

AS_NAMED = 3
"""Names of so many words stand at one place at most."""


@dataclass
class Plane:
    """What has been drawn on a plane, so that names keep clear of it.

    low (2,) is the vector in the lower left corner; scale is points a unit; taken are rectangles
    (left, bottom, right, top) and crossed are points (n, 2), all in points from that corner.
    """

    ax: Axes
    style: FigureStyle
    low: FloatArray
    scale: float
    size: tuple[float, float]
    taken: list[tuple[float, float, float, float]] = field(default_factory=list)
    crossed: list[FloatArray] = field(default_factory=list)

    def at(self, vector: FloatArray) -> FloatArray:
        """Where a vector lies, in points from the lower left corner."""
        return np.asarray((np.asarray(vector, dtype=np.float64) - self.low) * self.scale)

    def arrow(
        self, start: FloatArray, end: FloatArray, role: str, *, width: float = 1.6, color: str = "",
        zorder: float = 3.0,
    ) -> None:  # fmt: skip
        """An arrow in a role's line and tip; one that is too short to be seen is a dot."""
        start, end = np.asarray(start, np.float64), np.asarray(end, np.float64)
        way = (end - start) * self.scale
        length = float(np.hypot(*way))
        look: dict[str, Any] = line_style(role, self.style, width=width)
        look |= {"color": color} if color else {}
        look["zorder"] = zorder
        if length < 1.0:
            self._dot(end, look["color"], zorder)
            return
        self.crossed.append(self.at(start) + np.linspace(0, 1, 2 + int(length / 4))[:, None] * way)
        kind, head = ROLES[role].tip, min(HEAD, 0.6 * length)
        stop = end if kind == "round" else end - (end - start) * (0.8 * head / length)
        shaft = [(start[0], stop[0] if kind == "filled" else end[0]),
                 (start[1], stop[1] if kind == "filled" else end[1])]  # fmt: skip
        self.ax.plot(*shaft, **look)
        if ROLES[role].line == "double":
            inner = {**look, "color": self.style.colors.ground, "linewidth": look["linewidth"] / 3}
            self.ax.plot(*shaft, **inner)
        if kind == "round":
            self._dot(end, look["color"], zorder)
            return
        self._head(end, way / length, head, look["color"], zorder, is_open=kind == "open")

    def _dot(self, at: FloatArray, color: str, zorder: float) -> None:
        dot(self.ax, float(at[0]), float(at[1]), self.style, color, size=5.5, zorder=zorder)

    def _head(
        self, end: FloatArray, way: FloatArray, length: float, color: str, zorder: float, *,
        is_open: bool,
    ) -> None:  # fmt: skip
        across = np.array((-way[1], way[0])) * 0.42
        back = end - way * length / self.scale
        sides = [back + across * length / self.scale, back - across * length / self.scale]
        if is_open:
            xs, ys = zip(sides[0], end, sides[1])
            width = self.style.stroke(1.6)
            self.ax.plot(xs, ys, color=color, linewidth=width, zorder=zorder)
            return
        self.ax.add_patch(Polygon([sides[0], end, sides[1]], color=color, linewidth=0,
                                  zorder=zorder))  # fmt: skip

    def name(
        self, vector: FloatArray, text: str, color: str, *, outward: FloatArray | None = None,
        size: float = SMALL, plate: bool = True, longest: float = LONGEST,
    ) -> bool:  # fmt: skip
        """Write a name beside a vector's tip, clear of other names; False where no place is free.

        outward (2,) is the side to try first: away from the origin unless given.
        """
        text = fit(text, size, min(longest, self.size[0] - 2 * GAP))
        wide, high = width_of(text, size), 1.15 * size
        tip = self.at(vector)
        way = np.asarray(vector, np.float64) if outward is None else outward
        angle = math.atan2(float(way[1]), float(way[0])) if np.any(way) else math.pi / 4
        best: tuple[float, FloatArray] | None = None
        for far in (GAP, 2 * GAP, 3.5 * GAP):
            for turn in (0, 0.5, -0.5, 1, -1, 1.6, -1.6, 2.3, -2.3, math.pi):
                way = np.array((math.cos(angle + turn), math.sin(angle + turn)))
                middle = tip + way * (far + np.abs(way) @ (wide / 2, high / 2))
                cost = self._cost(middle, wide, high) + far / 2 + abs(turn)
                if math.isfinite(cost) and (best is None or cost < best[0]):
                    best = cost, middle
        if best is None:
            return False
        x, y = best[1]
        self.taken.append((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
        place = best[1] / self.scale + self.low
        box = {"boxstyle": "square,pad=0.05", "facecolor": self.style.colors.ground, "linewidth": 0,
               "alpha": 0.75}  # fmt: skip
        write(
            self.ax, float(place[0]), float(place[1]), text, self.style, size=size, color=color,
            ha="center", offset=(0, -0.36 * size), zorder=6, bbox=box if plate else None,
        )  # fmt: skip
        return True

    def _cost(self, middle: FloatArray, wide: float, high: float) -> float:
        """How bad a place for a name is; infinite where it would meet another or leave."""
        left, bottom = middle[0] - wide / 2 - 1, middle[1] - high / 2 - 1
        right, top = left + wide + 2, bottom + high + 2
        if left < 0 or bottom < 0 or right > self.size[0] or top > self.size[1]:
            return math.inf
        for l, b, r, t in self.taken:  # noqa: E741
            if left < r and l < right and bottom < t and b < top:
                return math.inf
        lines = np.concatenate(self.crossed) if self.crossed else np.zeros((0, 2))
        inside = (
            (lines[:, 0] > left) & (lines[:, 0] < right)
            & (lines[:, 1] > bottom) & (lines[:, 1] < top)
        )  # fmt: skip
        return float(inside.sum())


def as_points(vectors: FloatArray) -> FloatArray:
    """Vectors (n, 1 or 2) as points (n, 2); one number lies on the x axis."""
    vectors = np.asarray(vectors, dtype=np.float64)
    if vectors.shape[-1] == 1:
        return np.concatenate((vectors, np.zeros_like(vectors)), axis=-1)
    return vectors


def height_for(points: FloatArray, width: float, most: float) -> float:
    """How high a plane of this width is for points (n, 2): below `most` where they are flat."""
    across, up = np.ptp(np.concatenate((points, np.zeros((1, 2)))), axis=0)
    if up >= across:
        return most
    return float(np.clip((width - 2 * ROOM) * up / across + 2 * ROOM + 2 * SMALL, 0.6 * most, most))


def open_plane(
    ax: Axes, points: FloatArray, style: FigureStyle, *, room: float = ROOM, is_line: bool = False
) -> Plane:
    """A plane on `ax` that shows 0 and all points (n, 2), `room` points of it free on each side.

    On a line (`is_line`) 0 is near the top, and only x is numbered.
    """
    width, height = room_of(ax, style)
    low = np.minimum(points.min(axis=0, initial=0.0), 0.0)
    high = np.maximum(points.max(axis=0, initial=0.0), 0.0)
    if float((high - low).max()) < SMALLEST:
        low, high = np.full(2, -1.0), np.full(2, 1.0)
    inner = np.maximum((width - 2 * room, height - 2 * room), 1.0)
    spans = np.maximum(high - low, SMALLEST / 10)
    scale = float((inner / spans).min() if not is_line else inner[0] / spans[0])
    middle = (low + high) / 2
    corner = middle - np.array((width, height)) / 2 / scale
    if is_line:
        corner[1] = -(height - room) / scale
    ax.set_axis_on()
    ax.set_xlim(corner[0], corner[0] + width / scale)
    ax.set_ylim(corner[1], corner[1] + height / scale)
    plane = Plane(ax, style, corner, scale, (width, height))
    _number(plane, is_line)
    return plane


def _number(plane: Plane, is_line: bool) -> None:
    """Lines at round numbers, the two through 0 stronger; numbers along the lower and left edge."""
    ax, style = plane.ax, plane.style
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(which="both", left=False, bottom=False, pad=style.size(3))
    ax.set_facecolor("none")
    shorter = plane.size[0] / 2 if is_line else min(plane.size)
    step = _nice_step(shorter / plane.scale / LINES)
    while widest(_written(_places(plane, 0, step), step)) + 2 * GAP > step * plane.scale:
        step = _nice_step(1.5 * step)
    for axis in (0, 1):
        places = _places(plane, axis, step)
        if is_line and axis == 1:
            put_ticks(ax, "y", [], [], style)
            ax.axhline(0.0, color=style.colors.faint, linewidth=style.stroke(1), zorder=0.6)
            continue
        texts = _written(places, step)
        kept = [i for i, text in enumerate(texts) if axis or _fits(plane, places[i], text)]
        put_ticks(ax, "xy"[axis], [places[i] for i in kept], [texts[i] for i in kept], style)
        draw = ax.axvline if axis == 0 else ax.axhline
        for place in places:
            color = style.colors.grid if place else style.colors.faint
            draw(place, color=color, linewidth=style.stroke(1), zorder=0.6 if place else 0.7)


def _places(plane: Plane, axis: int, step: float) -> list[float]:
    """The multiples of a step that an axis shows."""
    low = float(plane.low[axis])
    first = math.ceil(low / step - 1e-9)
    last = math.floor((low + plane.size[axis] / plane.scale) / step + 1e-9)
    return [float(f"{i * step:.12g}") + 0.0 for i in range(first, last + 1)]


def _written(places: Sequence[float], step: float) -> list[str]:
    """Numbers along an axis: with the decimals of their step, or all as powers of ten."""
    if step >= 0.001 and max(map(abs, places), default=0.0) < 10_000:
        return write_entries(places, max(0, -math.floor(math.log10(step) + 1e-9)))
    return [_as_power(place) for place in places]


def _as_power(place: float) -> str:
    """A round number as 1.5×10⁶, without needless decimals."""
    if not place:
        return "0"
    mantissa, exponent = f"{place:.6e}".split("e")
    raised = str(int(exponent)).translate(SUPERSCRIPTS)
    return f"{mantissa.rstrip('0').rstrip('.')}×10{raised}".replace("-", MINUS)


def _fits(plane: Plane, place: float, text: str) -> bool:
    """Whether what is written under a place on the lower axis ends inside the picture."""
    at = (place - float(plane.low[0])) * plane.scale
    return at + width_of(text, SMALL) / 2 <= plane.size[0] + MARGIN


def _nice_step(least: float) -> float:
    """The smallest of 1, 2, 5 × a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least * 0.999)


def names_together(
    plane: Plane, points: FloatArray, names: Sequence[str]
) -> list[tuple[FloatArray, list[int]]]:
    """Points that look like one (not two points apart), each with the places of its names."""
    groups: list[tuple[FloatArray, list[int]]] = []
    for i in range(len(names)):
        at = plane.at(points[i])
        for point, places in groups:
            if float(np.hypot(*(plane.at(point) - at))) < 2.0:
                places.append(i)
                break
        else:
            groups.append((points[i], [i]))
    return groups


def together(names: Sequence[str]) -> str:
    """Names of one place: three at most, and how many more there are."""
    more = len(names) - AS_NAMED
    return ", ".join(names[:AS_NAMED]) + (f", +{more}" if more > 0 else "")
