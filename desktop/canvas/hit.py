"""What lies under the pointer, and which arrows lie on each other: pure functions.

Places are vectors, distances pixels: `scale`, in pixels a unit, is an argument, so that the same
ten pixels catch a tip at every zoom.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

__all__ = ["GRAB", "NEAR", "after", "on_line", "side_by_side", "under"]

GRAB = 10.0
"""How far from its tip an arrow can be grabbed, in pixels."""

NEAR = 4.0
"""How far from its line an arrow is still meant, in pixels."""

Place = tuple[float, float]
Name = TypeVar("Name", bound=Hashable)


def under(
    place: Place,
    tips: Mapping[Name, Place],
    scale: float,
    first: Name | None = None,
    radius: float = GRAB,
) -> list[Name]:
    """The arrows whose tips are within `radius` pixels of a place, the one to be grabbed first.

    `first` comes before all others, the rest go by distance; those as good as equally far (within
    3 pixels) stay in the order of `tips`.
    """
    found = []
    for order, (name, tip) in enumerate(tips.items()):
        distance = math.hypot(tip[0] - place[0], tip[1] - place[1]) * scale
        if distance <= radius:
            found.append((name != first, round(distance / 3), order, name))
    return [name for *_, name in sorted(found, key=lambda item: item[:3])]


def on_line(
    place: Place,
    tips: Mapping[Name, Place],
    scale: float,
    first: Name | None = None,
    radius: float = NEAR,
) -> Name | None:
    """The arrow (from 0 to its tip) whose line is nearest to a place and within `radius` pixels.

    `first` is taken before any that is nearer.
    """
    best, nearest = None, math.inf
    for name, (x, y) in tips.items():
        length = math.hypot(x, y)
        if length * scale < 2 * GRAB:
            continue
        along = (place[0] * x + place[1] * y) / length
        aside = abs(place[0] * y - place[1] * x) / length * scale
        if 0 <= along <= length and aside <= radius and (aside < nearest or name == first):
            best, nearest = name, -1.0 if name == first else aside
    return best


def after(pile: Sequence[Name], taken: Name | None) -> Name:
    """The next arrow of a pile: the first where none of them is taken yet."""
    if taken not in pile:
        return pile[0]
    return pile[(pile.index(taken) + 1) % len(pile)]


def side_by_side(
    tips: Iterable[Place], scale: float, apart: float, room: float = 1.5
) -> list[float]:
    """How far to push each arrow sideways, in pixels, so that none lies on another.

    Arrows lie on each other where they start together and the shorter one's tip is within `room`
    pixels of the longer one's line. Those of a pile are `apart` pixels from each other, less where
    there are more than eight; the others are not pushed.
    """
    turned = []
    pushes = []
    for order, (x, y) in enumerate(tips):
        pushes.append(0.0)
        if (length := math.hypot(x, y) * scale) > room:
            turned.append((math.atan2(y, x), length, order))
    turned.sort()
    piles: list[list[tuple[float, float, int]]] = []
    for arrow in turned:
        if piles and _lie_together(piles[-1][0], arrow, room):
            piles[-1].append(arrow)
        else:
            piles.append([arrow])
    # The circle closes at half a turn.
    if len(piles) > 1:
        angle, length, order = piles[0][0]
        if _lie_together(piles[-1][0], (angle + math.tau, length, order), room):
            piles[0] = piles.pop() + piles[0]
    for pile in piles:
        if len(pile) == 1:
            continue
        gap = apart * min(1.0, 7 / (len(pile) - 1))
        # In the order they came in, so that a pile looks the same whatever its angles.
        for rank, order in enumerate(sorted(order for *_, order in pile)):
            pushes[order] = (rank - (len(pile) - 1) / 2) * gap
    return pushes


def _lie_together(
    one: tuple[float, float, int], other: tuple[float, float, int], room: float
) -> bool:
    return abs(other[0] - one[0]) * min(one[1], other[1]) <= room
