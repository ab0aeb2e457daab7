"""The two planes: where to look (queries and keys), and what is copied (values and outputs)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QWidget

from desktop.calculation import Calculation
from desktop.canvas.arrows import STEPS_OF_MIX, STEPS_OF_SCORE, flat
from desktop.canvas.drawn_plane import HEIGHTS
from desktop.canvas.handled_plane import HandledPlane
from desktop.canvas.hit import under
from desktop.canvas.hull_item import FeetItem, Foot, HullItem, MixtureItem
from desktop.canvas.lens import Pixel
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from engine import convex_hull, project
from engine.softmax import FloatArray

__all__ = ["CopyPlane", "LookPlane"]


class LookPlane(HandledPlane):
    """Queries and keys, and the perpendicular from each key onto the focus word's query."""

    title = "Where to look"
    roles = ("query", "key")
    layers = ("queries", "keys")

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.feet: dict[int, Pixel] = {}
        """The foot of each word's key, in pixels, where there are any."""
        self._feet_item = FeetItem(self.surface, HEIGHTS["sum"])

    def draw_sums(self, calculation: Calculation) -> None:
        attention, focus = calculation.attention, calculation.sentence.focus
        lens, inks = self.surface.lens, self._inks
        self.feet = {}
        feet: list[Foot] = []
        rail = None
        query = attention.query[focus]
        # Of more numbers than two a foot in the picture would be no score.
        is_shown = (
            "feet" in self.state.layers
            and "keys" in self.state.layers
            and self.width_of_vectors == 2
            and bool(query.any())
        )
        if is_shown:
            places = project(self._flat["key"], query)
            pixels = lens.pixels(places).tolist()
            keys = lens.pixels(self._flat["key"]).tolist()
            heard = None if attention.mask is None else attention.mask[focus]
            for word, (key, foot) in enumerate(zip(keys, pixels)):
                self.feet[word] = (foot[0], foot[1])
                strength = self.strength_of_pair(focus, word, STEPS_OF_SCORE)
                is_heard = heard is None or bool(heard[word])
                feet.append(Foot((key[0], key[1]), (foot[0], foot[1]), strength, is_heard))
            along = places @ (query / math.hypot(*query.tolist()))
            rail = (tuple(pixels[int(along.argmin())]), tuple(pixels[int(along.argmax())]))
        self._feet_item.show_feet(
            tuple(feet), lens.pixel(0, 0), rail, self.surface.size_in_pixels, inks
        )

    def marks(self) -> Sequence[Pixel]:
        return tuple(self.feet.values())

    def sum_at(self, at: Pixel) -> Thing | None:
        found = under(at, self.feet, 1.0)
        if not found:
            return None
        return Thing("score", listens=self.document.sentence.focus, heard=found[0])


class CopyPlane(HandledPlane):
    """Values and outputs; the focus word's output as the sum of its weighted values, in the hull
    of those that it can see."""

    title = "What is copied"
    roles = ("value", "output")
    layers = ("values", "outputs")

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self._hull_item = HullItem(self.surface, HEIGHTS["hull"])
        self._hull: tuple[bytes, FloatArray] = (b"", np.empty((0, 2)))
        self._mixture_item = MixtureItem(self.surface, HEIGHTS["sum"])

    def draw_sums(self, calculation: Calculation) -> None:
        lens, size, focus = (
            self.surface.lens,
            self.surface.size_in_pixels,
            calculation.sentence.focus,
        )
        attention = calculation.attention
        corners: tuple[Pixel, ...] = ()
        if "hull" in self.state.layers:
            points = self._flat["value"]
            if attention.mask is not None:
                points = points[attention.mask[focus]]
            if len(points):
                corners = tuple((x, y) for x, y in lens.pixels(self._hull_of(points)).tolist())
        self._hull_item.show_hull(corners, size, self._inks)
        joints: tuple[Pixel, ...] = ()
        strengths: tuple[str, ...] = ()
        if "mixture" in self.state.layers:
            added = np.cumsum(flat(calculation.contributions[focus], self.components), axis=0)
            joints = (
                lens.pixel(0.0, 0.0),
                *((x, y) for x, y in lens.pixels(added).tolist()),
            )
            strengths = tuple(
                self.strength_of_pair(focus, word, STEPS_OF_MIX) for word in range(len(added))
            )
        self._mixture_item.show_mixture(joints, strengths, size, self._inks)

    def _hull_of(self, points: FloatArray) -> FloatArray:
        """The corners of the hull of these; in most drags no value moves, so they are kept."""
        key = points.tobytes()
        if key != self._hull[0]:
            self._hull = (key, points[convex_hull(points)])
        return self._hull[1]
