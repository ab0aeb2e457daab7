"""Colours, letters and line styles of query, key, value and output; the three themes.

A role keeps its colour, line and letter everywhere, and is never told apart by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ROLES", "THEMES", "Role", "Theme", "blend", "contrast", "weight_colors"]


@dataclass(frozen=True)
class Role:
    """How one kind of vector looks.

    line: solid, dashed, thick or double; tip: filled, open or round.
    """

    name: str
    letter: str
    light: str
    dark: str
    line: str
    tip: str


ROLES = {
    "query": Role("query", "q", "#016CFC", "#4377F5", "solid", "filled"),
    "key": Role("key", "k", "#937216", "#DD8612", "dashed", "open"),
    "value": Role("value", "v", "#034826", "#5CD09E", "thick", "round"),
    "output": Role("output", "o", "#681A6C", "#EBB6FC", "double", "filled"),
}


@dataclass(frozen=True)
class Theme:
    """The colours of one theme, as #RRGGBB.

    ground: behind everything; panel: a quiet area on it; ink: text; dim: text that has done its
    work (4.5:1 still); faint: lines that have (3:1 still); grid: lines of a plane, which carry no
    meaning; highlight: the one thing at work; weight: the strongest cell of a weight grid.
    stroke multiplies every line's width; smallest_text is a share of the picture's height.
    """

    name: str
    ground: str
    panel: str
    ink: str
    dim: str
    faint: str
    grid: str
    highlight: str
    weight: str
    stroke: float
    smallest_text: float
    is_dark: bool

    def role(self, name: str) -> str:
        """The colour of query, key, value or output."""
        role = ROLES[name]
        return role.dark if self.is_dark else role.light


THEMES = {
    "light": Theme(
        "light", "#FFFFFF", "#F4F6F9", "#14181F", "#5A6472", "#868E9A", "#E3E7EC", "#C2185B",
        "#1B4F9C", 1.0, 1 / 32, False,
    ),
    "dark": Theme(
        "dark", "#11151B", "#1A2029", "#F1F4F8", "#98A3B3", "#6C7787", "#262E39", "#FF7AA8",
        "#8DBBFF", 1.0, 1 / 32, True,
    ),
    "projector": Theme(
        "projector", "#FFFFFF", "#FFFFFF", "#000000", "#4A4A4A", "#767676", "#D5D5D5", "#B0003A",
        "#123F80", 1.5, 1 / 24, False,
    ),
}  # fmt: skip


def blend(below: str, above: str, share: float) -> str:
    """`share` (0 to 1) of the colour `above` laid over `below`."""
    mixed = (
        round(b + (a - b) * share) for b, a in zip(_channels(below), _channels(above), strict=True)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 to 21 (WCAG 2.2, relative luminance)."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def weight_colors(theme: Theme, weight: float) -> tuple[str, str]:
    """(fill, ink) of a cell that holds `weight` (0 to 1): one hue, and text readable on it."""
    fill = blend(theme.ground, theme.weight, min(max(weight, 0.0), 1.0))
    ink = max(("#000000", "#FFFFFF"), key=lambda color: contrast(color, fill))
    return fill, ink


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(color))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
