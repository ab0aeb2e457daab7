"""How shapes look, as data: whether one has changed, where it is, and its outline kept for Cairo.

A shape of Manim's doesn't say when it changes, and laying its curves out for Cairo takes longer
than filling them. Both are answered by comparing its numbers with those of the frame before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import cairo
import numpy as np
from manim import Camera, LineJointType, VMobject
from numpy.typing import NDArray

__all__ = ["Look", "Looks", "PixelBox", "draw"]


class PixelBox(NamedTuple):
    """Pixels from left and top up to right and bottom, which aren't in it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """How many pixels are in it."""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its rows and columns in an array of pixels."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def meets(self, other: PixelBox) -> bool:
        """Whether they share a pixel."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def joined(self, other: PixelBox) -> PixelBox:
        """The smallest box that holds both."""
        return PixelBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


@dataclass(eq=False)
class Look:
    """What a shape's picture depends on, the pixels it may touch (None: it can't be seen) and,
    once it was drawn, its outline. The same look is the same object."""

    points: bytes
    style: tuple[Any, ...]
    box: PixelBox | None
    path: cairo.Path | None = None


class Looks:
    """The looks of shapes as a camera sees them, each kept until its shape changes."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._known: WeakKeyDictionary[VMobject, Look] = WeakKeyDictionary()

    def of(self, shape: VMobject) -> Look:
        """The shape's look now."""
        points = shape.points.tobytes()
        style = _style(shape)
        known = self._known.get(shape)
        if known is None or known.points != points:
            look = Look(points, style, self._box(shape))
        elif known.style != style:
            look = Look(points, style, self._box(shape), known.path)
        else:
            return known
        self._known[shape] = look
        return look

    def _box(self, shape: VMobject) -> PixelBox | None:
        """The pixels in which curves and their strokes lie, joints' points included."""
        points = shape.points
        is_filled, reach = _is_seen(shape.get_fill_rgbas()), 0.0
        for is_behind in (True, False):
            width = shape.get_stroke_width(is_behind)
            if width and _is_seen(shape.get_stroke_rgbas(is_behind)):
                # Cairo's mitres reach up to ten times half a stroke; caps and bevels less than two.
                is_pointed = shape.joint_type in (LineJointType.AUTO, LineJointType.MITER)
                half = width * self._camera.cairo_line_width_multiple / 2
                reach = max(reach, half * (10 if is_pointed else 2))
        if not (is_filled or reach) or not np.isfinite(points).all():
            return None
        camera = self._camera
        scale = camera.pixel_width / camera.frame_width, camera.pixel_height / camera.frame_height
        low, high = points[:, :2].min(axis=0) - reach, points[:, :2].max(axis=0) + reach
        middle = camera.frame_center
        # A pixel more on each side, for what rounds.
        left = int(camera.pixel_width / 2 + (low[0] - middle[0]) * scale[0]) - 2
        right = int(camera.pixel_width / 2 + (high[0] - middle[0]) * scale[0]) + 3
        top = int(camera.pixel_height / 2 - (high[1] - middle[1]) * scale[1]) - 2
        bottom = int(camera.pixel_height / 2 - (low[1] - middle[1]) * scale[1]) + 3
        box = PixelBox(
            max(left, 0),
            max(top, 0),
            min(right, camera.pixel_width),
            min(bottom, camera.pixel_height),
        )
        return box if box.left < box.right and box.top < box.bottom else None


def draw(shape: VMobject, look: Look, camera: Camera, context: cairo.Context) -> None:
    """What Manim's camera draws, with the outline kept in `look`, without what can't be seen."""
    if look.path is None:
        context.new_path()
        _trace(shape, context)
        look.path = context.copy_path()
    else:
        context.new_path()
        context.append_path(look.path)
    if _is_seen(shape.get_stroke_rgbas(True)):
        camera.apply_stroke(context, shape, background=True)
    if _is_seen(shape.get_fill_rgbas()):
        camera.apply_fill(context, shape)
    if _is_seen(shape.get_stroke_rgbas()):
        camera.apply_stroke(context, shape)


def _style(shape: VMobject) -> tuple[Any, ...]:
    fill, stroke, behind = (
        shape.get_fill_rgbas(),
        shape.get_stroke_rgbas(),
        shape.get_stroke_rgbas(True),
    )
    style = (
        fill.tobytes(),
        stroke.tobytes(),
        behind.tobytes(),
        shape.get_stroke_width(),
        shape.get_stroke_width(True),
        shape.joint_type,
        shape.cap_style,
    )
    if max(len(fill), len(stroke), len(behind)) > 1:
        return (*style, np.asarray(shape.get_gradient_start_and_end_points()).tobytes())
    return style


def _is_seen(rgbas: NDArray[np.float64]) -> bool:
    return bool(rgbas[:, 3].any())


def _trace(shape: VMobject, context: cairo.Context) -> None:
    """Lay a shape's curves out as Manim's camera does, whole curves at a time."""
    points = shape.points
    for start, end in shape.get_subpath_split_indices_from_points(points, n_dims=2):
        count = (end - start) // 4
        if not count:
            continue
        context.move_to(*points[start, :2].tolist())
        curves = points[start : start + 4 * count, :2].reshape(count, 8)
        for curve in curves[:, 2:].tolist():
            context.curve_to(*curve)
        if shape.consider_points_equals_2d(points[start], points[end - 1]):
            context.close_path()
