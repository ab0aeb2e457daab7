"""The names of a plane's arrows: written beside their tips, so many as have room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from desktop.canvas.arrow_item import NameItem
from desktop.canvas.arrows import Arrow
from desktop.canvas.inks import Inks
from desktop.canvas.label_places import Box, Label, Offset, place
from desktop.canvas.lens import Pixel
from desktop.canvas.picture import Picture
from desktop.canvas.places import Places

__all__ = ["Name", "Names"]


class Name(NamedTuple):
    """What is written beside an arrow, and how strongly."""

    arrow: Arrow
    text: str
    strength: str
    is_locked: bool


class Names:
    """The names in one picture."""

    def __init__(self, picture: Picture, height: float) -> None:
        self._picture, self._height = picture, height
        self._items: dict[Arrow, NameItem] = {}
        self._offsets: dict[Arrow, Offset] = {}
        self._asked: object = None

    def show(
        self,
        names: Iterable[Name],
        places: Places,
        bounds: Box,
        longest: float,
        inks: Inks,
        marks: Sequence[Pixel] = (),
        ring: Box | None = None,
        *,
        stay: bool,
    ) -> int:
        """Write names, the most important first; returns how many have no room.

        places: of all arrows; names stand neither on their tips nor on `marks` nor in `ring`.
        stay: where they can, names stay where they are from their tips.
        """
        labels = []
        for name in names:
            item = self._items.get(name.arrow)
            if item is None:
                item = self._items[name.arrow] = NameItem(self._picture, self._height)
            item.write(
                name.text, name.arrow.role, name.strength, inks, longest, name.is_locked
            )  # fmt: skip
            (x0, y0), tip = places[name.arrow]
            labels.append(Label(name.arrow, tip, (tip[0] - x0, tip[1] - y0), *item.size))
        asked = (labels, places, marks, ring, bounds, inks)
        if asked != self._asked:
            self._asked = asked
            kept = self._offsets if stay else None
            self._place(labels, places, marks, ring, bounds, inks, kept)
        return len(labels) - len(self._offsets)

    def boxes(self) -> dict[Arrow, Box]:
        """Where names stand, as left, top, right and bottom."""
        found = {}
        for arrow in self._offsets:
            item = self._items[arrow]
            x, y = item.at
            found[arrow] = (x, y, x + item.size[0], y + item.size[1])
        return found

    def _place(
        self,
        labels: list[Label[Arrow]],
        places: Places,
        marks: Sequence[Pixel],
        ring: Box | None,
        bounds: Box,
        inks: Inks,
        kept: Mapping[Arrow, Offset] | None,
    ) -> None:
        half = 5.5 * inks.size()
        lines = [(*tail, *tip) for tail, tip in places.values()]
        heads = [
            (x - half, y - half, x + half, y + half)
            for x, y in (*(tip for _, tip in places.values()), *marks)
        ]
        if ring is not None:
            heads.append(ring)
        self._offsets = place(labels, heads, lines, bounds, half + 1, kept)
        for arrow in [arrow for arrow in self._items if arrow not in places]:
            self._items.pop(arrow).take_away()
        for arrow, item in self._items.items():
            offset = self._offsets.get(arrow)
            item.show(offset is not None)
            if offset is not None:
                (x, y) = places[arrow][1]
                item.stand((round(x + offset[0]), round(y + offset[1])), (x, y))
