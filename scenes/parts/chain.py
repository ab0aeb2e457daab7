"""A mixture taken apart: pale values, their shares head to tail, and the output, on one plane."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from engine.palette import Theme
from engine.softmax import FloatArray
from scenes.parts.fan import Fan, Named
from scenes.parts.layout import Box
from scenes.parts.mixture import Mixture
from scenes.parts.plane import Plane, on_plane

__all__ = ["ChainPicture"]


class ChainPicture:
    """Values (n, 1 or 2) that weights (n,) mix into output (1 or 2,), in `box`.

    names: the values' words; word: the output's. `behind` is what stands still, `front` the chain
    and the output's arrow, which `mixture` moves.
    """

    def __init__(
        self,
        value: FloatArray,
        weights: FloatArray,
        output: FloatArray,
        names: Sequence[str],
        word: str,
        box: Box,
        theme: Theme,
        size: float,
    ) -> None:
        points = [*on_plane(value), *on_plane([output])]
        plane = Plane(points, box, theme, is_line=len(output) == 1)
        named = [Named("value", v, name) for v, name in zip(value, names)]
        fan = Fan([*named, Named("output", output, word)], plane, theme, size)
        for arrow, label in zip(fan.arrows[:-1], fan.labels[:-1]):
            arrow.tint(theme.faint)
            label.set_color(theme.dim)
        self.mixture = Mixture(value, weights, plane, theme)
        self.mixture.set_weights(weights)
        self.behind = VGroup(plane, *fan.arrows[:-1], *fan.labels)
        self.front = VGroup(self.mixture.shares, self.mixture.output)
