"""Pictures of which only what changed is drawn again.

Manim keeps what doesn't move as one picture, and draws all else anew for each frame. Here both are
layers: of each, the shapes whose look changed say which boxes are stale, those boxes are taken
from below, and what meets them is drawn again. Where nothing changed nothing is
drawn, converted or encoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from manim import Camera, VMobject
from numpy.typing import NDArray

from scenes.looks import Look, Looks, PixelBox, draw

__all__ = ["Easel", "Layer", "LayeredPicture", "apart"]

Pixels = NDArray[np.uint8]
Shown = tuple[VMobject, Look]

MOST_BOXES = 8


class LayeredPicture:
    """What a camera sees: what stands still, and above it what moves, in the camera's own pixels.

    For shapes only, not for images. draws counts the shapes drawn, for those who measure.
    """

    def __init__(self, camera: Camera) -> None:
        self._looks = Looks(camera)
        self._ground = camera.background
        easel = Easel(camera)
        self._still = Layer(easel, self._ground.copy())
        self._moving = Layer(easel, camera.pixel_array)
        self._stale = [PixelBox(0, 0, camera.pixel_width, camera.pixel_height)]
        self._easel = easel

    @property
    def draws(self) -> int:
        """How many shapes have been drawn."""
        return self._easel.draws

    @property
    def ground(self) -> Pixels:
        """The background it was begun on."""
        return self._ground

    def set_still(self, shapes: Iterable[VMobject]) -> Pixels:
        """What stands still from now on; its picture, as Manim keeps it."""
        self._stale += self._still.show(self._looking_at(shapes), self._ground, ())
        return self._still.pixels

    def show(self, shapes: Iterable[VMobject]) -> list[PixelBox]:
        """Draw what moves over what stands still; the boxes, apart, that are new."""
        changed = self._moving.show(self._looking_at(shapes), self._still.pixels, self._stale)
        self._stale = []
        return changed

    def _looking_at(self, shapes: Iterable[VMobject]) -> list[Shown]:
        return [(shape, self._looks.of(shape)) for shape in shapes]


class Easel:
    """Where boxes are drawn before they are put into their picture.

    Shapes are drawn whole, and only the boxes taken: Cairo clips curves to other edges, up to ten
    levels off. What lies around the boxes is never read.
    """

    def __init__(self, camera: Camera) -> None:
        self.draws = 0
        self._camera = camera
        self._pixels = np.zeros_like(camera.pixel_array)
        self._context = camera.get_cairo_context(self._pixels)

    def paint(
        self, shapes: Iterable[Shown], boxes: Sequence[PixelBox], below: Pixels, into: Pixels
    ) -> None:
        """In `boxes`, which are apart, put the shapes over what is `below` into a picture."""
        for box in boxes:
            self._pixels[box.slices] = below[box.slices]
        for shape, look in shapes:
            if look.box is not None and any(map(look.box.meets, boxes)):
                draw(shape, look, self._camera, self._context)
                self.draws += 1
        for box in boxes:
            into[box.slices] = self._pixels[box.slices]


class Layer:
    """Shapes drawn over pixels from below."""

    def __init__(self, easel: Easel, pixels: Pixels) -> None:
        self.pixels = pixels
        self._easel = easel
        self._shown: list[Shown] = []

    def show(self, shapes: list[Shown], below: Pixels, stale: Sequence[PixelBox]) -> list[PixelBox]:
        """Show these shapes over what is below, of which `stale` is new; the boxes drawn again."""
        before, self._shown = self._shown, shapes
        boxes = apart([*stale, *_changed([s[1] for s in before], [s[1] for s in shapes])])
        self._easel.paint(shapes, boxes, below, self.pixels)
        return boxes


def _changed(before: Sequence[Look], now: Sequence[Look]) -> list[PixelBox]:
    """Where two lists of looks, from the lowest to the topmost, differ."""
    start, most = 0, min(len(before), len(now))
    while start < most and before[start] is now[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] is now[-1 - end]:
        end += 1
    gone, come = before[start : len(before) - end], now[start : len(now) - end]
    kept = set(gone) & set(come)
    # What is the same but lies in another order has to be drawn again.
    if [look for look in gone if look in kept] != [look for look in come if look in kept]:
        kept = set()
    return [look.box for look in (*gone, *come) if look.box and look not in kept]


def apart(boxes: Iterable[PixelBox]) -> list[PixelBox]:
    """A few boxes that share no pixel and hold all of `boxes`."""
    joined: list[PixelBox] = []
    for box in boxes:
        while met := [other for other in joined if other.meets(box)]:
            joined = [other for other in joined if other not in met]
            for other in met:
                box = box.joined(other)
        joined.append(box)
    while len(joined) > MOST_BOXES:
        # Which two hardly matters: so many are rare, and small.
        *joined, one, other = sorted(joined, key=lambda box: -box.area)
        joined = apart([*joined, one.joined(other)])
    return joined
