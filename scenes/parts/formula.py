"""The formula, set by Typst; its parts can be lit one at a time."""

from __future__ import annotations

from manim import MathTypst, VGroup

from engine.palette import Theme

__all__ = ["PARTS", "Formula", "math"]

PARTS = ("scores", "scale", "mask", "softmax", "value")

PLAIN = '{{ op("softmax") : softmax }} ( frac({{ Q K^TT : scores }}, {{ sqrt(d_k) : scale }})'
MASK = " {{ + M : mask }}"
END = ") {{ V : value }}"


class Formula(VGroup):
    """softmax(Q Kᵀ / √d_k) V, with + M where a mask is part of the story.

    `light(part)` lights one of PARTS and dims the rest.
    """

    def __init__(self, theme: Theme, height: float, *, mask: bool = False) -> None:
        super().__init__()
        source = PLAIN + (MASK if mask else "") + " " + END
        self.theme = theme
        self.maths = math(source, theme.dim, height)
        self.add(self.maths)

    def light(self, *parts: str) -> Formula:
        """Light `parts`, dim the others; raises KeyError for a part it hasn't."""
        self.maths.set_color(self.theme.dim)
        for part in parts:
            self.maths.select(part).set_color(self.theme.highlight)
        return self


def math(source: str, color: str, height: float) -> MathTypst:
    """A mathematical expression in Typst's markup, `height` frame units high."""
    expression = MathTypst(source.replace("TT", '"T"'), color=color)
    return expression.scale_to_fit_height(height)
