"""One of a word's three vectors on a panel: its role, a story, its numbers, and how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from engine.palette import ROLES, Theme
from scenes.parts.bars import BarRow, unit
from scenes.parts.layout import Box
from scenes.parts.margins import cut_list
from scenes.parts.paragraph import Paragraph
from scenes.parts.plane import Plane, on_plane
from scenes.parts.type import Text
from scenes.parts.vector import Arrow

__all__ = ["RolePanel", "Slots", "slots_across", "slots_down"]

Numbers = NDArray[np.floating]

HEADING, STORY, LIST, AIR = 0.45, 1.4, 0.5, 0.1
MOST_ON_AXIS = 999.0
"""Numbers beyond are too long for an axis; they stand in the list."""


@dataclass(frozen=True)
class Slots:
    """Where a panel's parts go: heading, story, list of numbers, picture."""

    heading: Box
    story: Box
    numbers: Box
    picture: Box


def slots_across(box: Box) -> list[Slots]:
    """Three panels side by side in `box`, each from its heading down to its picture."""
    gap = 0.45
    width = (box.width - 2 * gap) / 3
    slots = []
    for i in range(3):
        left = box.left + i * (width + gap)
        rows, top = [], box.top
        for height in (HEADING, 0.25 * box.height, LIST):
            rows.append(Box(left, left + width, top - height, top))
            top -= height
        heading, story, numbers = rows
        picture = Box(left, left + width, box.bottom, top - AIR)
        slots.append(Slots(heading, story, numbers, picture))
    return slots


def slots_down(box: Box) -> list[Slots]:
    """Three panels under one another in `box`, each with its picture at the right."""
    gap, middle = 0.35, box.left + 0.56 * box.width
    height = (box.height - 2 * gap) / 3
    slots = []
    for i in range(3):
        top, right = box.top - i * (height + gap), middle - 0.25
        bottom = top - height
        told = top - HEADING - min(STORY, height - HEADING - LIST)
        slots.append(
            Slots(
                Box(box.left, right, top - HEADING, top),
                Box(box.left, right, told, top - HEADING),
                Box(box.left, right, told - LIST, told),
                Box(middle, box.right, bottom, top),
            )
        )
    return slots


class RolePanel(VGroup):
    """The vector (d,) of one role as `heading`, `story` (if any), `numbers` and `picture`.

    The picture is an `arrow` on a plane that holds all that is `seen`, or where there are more
    than two entries a bar an entry. `shape` is what the numbers turn into.
    """

    def __init__(
        self,
        role: str,
        vector: Numbers,
        story: str,
        slots: Slots,
        theme: Theme,
        sizes: tuple[float, float],
        digits: int,
        seen: Sequence[Numbers],
    ) -> None:
        super().__init__()
        color, (size, least) = theme.role(role), sizes
        self.slots = slots
        self.heading = Text(f"{ROLES[role].letter}  {role}", 1.15 * size, color, 650)
        left = (slots.heading.left, 0.0, 0.0)
        self.heading.align_to(left, (-1.0, 0.0, 0.0)).on_baseline(slots.heading.bottom + 0.15)
        self.story = VGroup()
        if story:
            self.story = Paragraph(f"“{story}”", slots.story, size, least, theme.ink)
        self.numbers = cut_list(vector, digits, 1.15 * size, color, slots.numbers.width)
        self.numbers.shift((slots.numbers.left - float(self.numbers.get_left()[0]), 0.0, 0.0))
        self.numbers.shift((0.0, slots.numbers.center[1], 0.0))
        self.arrow: Arrow | None = None
        self.plane, self.shape = VGroup(), VGroup()
        if len(vector) > 2:
            self.shape = _bars(vector, slots.picture, color, theme)
        else:
            is_line = len(vector) == 1
            self.plane = Plane(seen, slots.picture, theme, margin=1.12, is_line=is_line)
            ends = self.plane.place(np.zeros(2)), self.plane.place(on_plane([vector])[0])
            self.arrow = self.shape = Arrow(role, *ends, theme)
            if max(float(np.abs(other).max()) for other in seen) > MOST_ON_AXIS:
                self.plane.clear_numbers([slots.picture])
            self.plane.clear_numbers(_along(*ends))
        self.add(self.heading, self.story, self.numbers, self.plane, self.shape)


def _along(start: Numbers, end: Numbers) -> list[Box]:
    """Small boxes strung along an arrow, which numbers keep off."""
    points = np.linspace(start, end, 24)[:, :2].tolist()
    return [Box(x - 0.17, x + 0.17, y - 0.17, y + 0.17) for x, y in points]


def _bars(vector: Numbers, box: Box, color: str, theme: Theme) -> BarRow:
    """A bar an entry, up or down."""
    pitch = box.width / len(vector)
    columns = [box.left + pitch * (i + 0.5) for i in range(len(vector))]
    high, low = max(float(vector.max()), 0.0), max(-float(vector.min()), 0.0)
    base = box.bottom + box.height * (low / (high + low) if high + low else 0.0)
    length = unit(vector, box.top - base, base - box.bottom)
    bars = BarRow(columns, pitch, base, theme, [False] * len(vector)).edge(color)
    return bars.stand(vector * length, [color] * len(vector))
