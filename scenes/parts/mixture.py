"""Values on a plane, each shrunk to its share, and laid head to tail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Animation, UpdateFromAlphaFunc, VGroup, VMobject

from engine import convex_hull
from engine.palette import Theme
from engine.softmax import FloatArray
from scenes.parts.plane import Plane, on_plane
from scenes.parts.vector import Arrow

__all__ = ["Mixture"]

STACK = 0.17


class Mixture(VGroup):
    """Arrows weight · value on `plane`: `shares` from the origin or head to tail, and the output.

    value (n, 1 or 2), weights (n,). On a line (one number a value) arrows that are laid head to
    tail are stacked, so that none hides another.
    """

    def __init__(self, value: FloatArray, weights: FloatArray, plane: Plane, theme: Theme) -> None:
        super().__init__()
        self.value = on_plane(value)
        self.plane, self.theme = plane, theme
        self.is_line = value.shape[-1] == 1
        origin = plane.place(np.zeros(2))
        self.shares = VGroup(*(Arrow("value", origin, plane.place(v), theme) for v in self.value))
        self.output = Arrow("output", origin, self.tip(weights), theme)
        self.band = VMobject(
            stroke_color=theme.role("value"), stroke_width=2.5 * theme.stroke,
            fill_color=theme.role("value"), fill_opacity=0.1,
        )  # fmt: skip

    def tip(self, weights: FloatArray) -> FloatArray:
        """Where the mixture with these weights ends, as a frame point."""
        return self.plane.place(weights @ self.value)

    def shrink(self, j: int, weight: float) -> Animation:
        """Value j shrinking to its share, from the origin."""
        origin, end = self.plane.place(np.zeros(2)), self.plane.place(self.value[j])
        return UpdateFromAlphaFunc(
            self.shares[j],
            lambda arrow, alpha: arrow.put(
                origin, origin + (end - origin) * (1 + (weight - 1) * alpha)
            ),
        )

    def chain(self, weights: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        """Start and end of each share, laid head to tail in reading order."""
        ends = np.cumsum(weights[:, None] * self.value, axis=0)
        starts = np.concatenate((np.zeros((1, 2)), ends[:-1]))
        places = []
        for i, (start, end) in enumerate(zip(starts, ends)):
            aside = np.array((0.0, STACK * (i + 1) if self.is_line else 0.0, 0.0))
            places.append((self.plane.place(start) + aside, self.plane.place(end) + aside))
        return places

    def lay(self, j: int, weights: FloatArray) -> Animation:
        """Share j moving from the origin to its place in the chain."""
        arrow, (start, end) = self.shares[j], self.chain(weights)[j]
        was_start, was_end = arrow.start, arrow.end
        return UpdateFromAlphaFunc(
            arrow,
            lambda arrow, alpha: arrow.put(
                was_start + (start - was_start) * alpha, was_end + (end - was_end) * alpha
            ),
        )

    def set_weights(self, weights: FloatArray) -> None:
        """Redraw chain and output for other weights."""
        for arrow, (start, end) in zip(self.shares, self.chain(weights)):
            arrow.put(start, end)
        self.output.put(self.output.start, self.tip(weights))

    def reweigh(
        self,
        path: Callable[[float], FloatArray],
        followers: VGroup,
        follow: Callable[[FloatArray], None],
    ) -> Animation:
        """Weights moving along `path` (0 to 1); `follow` redraws the followers for each."""

        def update(_: VGroup, alpha: float) -> None:
            weights = path(alpha)
            self.set_weights(weights)
            follow(weights)

        # Whatever changes must be part of the animation, or Manim takes it for still.
        return UpdateFromAlphaFunc(VGroup(self.shares, self.output, followers), update)

    def stretch_band(self, seen: Sequence[int]) -> VMobject:
        """The hull of the values that may be looked at, as a rubber band."""
        values = self.value[list(seen)]
        corners = [self.plane.place(values[i]) for i in convex_hull(values)]
        if len(corners) == 1:
            corners = corners * 2
        self.band.set_points_as_corners([*corners, corners[0]])
        return self.band
