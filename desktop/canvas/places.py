"""Where arrows go on the screen, so that none hides another: pure functions, in pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from desktop.canvas.arrows import Arrow
from desktop.canvas.hit import side_by_side
from desktop.canvas.lens import Lens, Pixel

__all__ = ["Places", "in_lanes", "in_plane", "moved_from"]

Places = dict[Arrow, tuple[Pixel, Pixel]]
"""Tail and tip of each arrow."""


def in_plane(tips: Mapping[Arrow, Pixel], lens: Lens, apart: float) -> Places:
    """Arrows from 0 to their tips (in units); those that coincide are side by side."""
    x0, y0 = lens.pixel(0, 0)
    places: Places = {}
    pushes = side_by_side(tips.values(), lens.scale, apart)
    for (arrow, tip), push in zip(tips.items(), pushes, strict=True):
        x, y = lens.pixel(*tip)
        if not push:
            places[arrow] = ((x0, y0), (x, y))
            continue
        length = math.hypot(x - x0, y - y0)
        across, down = -(y - y0) / length * push, (x - x0) / length * push
        places[arrow] = ((x0 + across, y0 + down), (x + across, y + down))
    return places


def in_lanes(
    tips: Mapping[Arrow, Pixel], lens: Lens, roles: Sequence[str], line_height: float
) -> Places:
    """Arrows on a number line: the first role above it, the second below, a lane each."""
    x0, y0 = lens.pixel(0, 0)
    places: Places = {}
    for role, way in zip(roles, (-1, 1), strict=True):
        mine = [arrow for arrow in tips if arrow.role == role]
        room = min(line_height * 1.1, (lens.height / 2 - line_height) / (len(mine) + 1))
        # Words read downwards on both sides.
        for lane, arrow in enumerate(mine if way > 0 else reversed(mine), 1):
            y = y0 + way * lane * room
            places[arrow] = ((x0, y), (lens.pixel(tips[arrow][0], 0)[0], y))
    return places


def moved_from(
    before: Mapping[Arrow, Pixel], now: Mapping[Arrow, Pixel], drawn: Places, lens: Lens, *,
    is_line: bool,
) -> Places:  # fmt: skip
    """The ghosts: where arrows were that are elsewhere now, each in its lane on a number line."""
    places: Places = {}
    for arrow, tip in before.items():
        if now.get(arrow, tip) == tip:
            continue
        x, y = lens.pixel(*tip)
        if is_line:
            tail = drawn[arrow][0]
            places[arrow] = (tail, (x, tail[1]))
        else:
            places[arrow] = (lens.pixel(0, 0), (x, y))
    return places
