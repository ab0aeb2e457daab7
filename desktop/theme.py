"""How the window looks: the house's colours as Qt's, one font, line widths, text size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import fontpkg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette, QPen

from engine.palette import ROLES, THEMES, Theme, blend, weight_colors

__all__ = ["Look", "family", "palette_of", "pen_style", "role_pen"]

BASE_POINTS = 10.0
"""The size of text at 100 %."""


@dataclass(frozen=True)
class Look:
    """A theme at a text size (1.0 = 100 %). Colours are cached QColors: don't change them."""

    theme: Theme = THEMES["light"]
    text_size: float = 1.0

    @property
    def points(self) -> float:
        """The size of ordinary text, in points."""
        return BASE_POINTS * self.text_size * (1.2 if self.theme.name == "projector" else 1.0)

    @property
    def stroke(self) -> float:
        """What every line's width is multiplied by."""
        return self.theme.stroke

    def color(self, name: str) -> QColor:
        """A colour by its name in the theme (ground, ink, dim, …) or by its role (query, …)."""
        return _color(self.theme.role(name) if name in ROLES else getattr(self.theme, name))

    def pale(self, name: str, share: float = 0.35) -> QColor:
        """A colour laid over the ground: ghosts, fills."""
        full = self.theme.role(name) if name in ROLES else getattr(self.theme, name)
        return _color(blend(self.theme.ground, full, share))

    def weight(self, weight: float) -> tuple[QColor, QColor]:
        """(fill, ink) of a cell that holds this weight."""
        fill, ink = weight_colors(self.theme, weight)
        return _color(fill), _color(ink)

    def font(self, scale: float = 1.0, *, bold: bool = False) -> QFont:
        """The house's font at a multiple of ordinary text, digits all equally wide."""
        return _font(self.points * scale, bold)


@cache
def _color(name: str) -> QColor:
    return QColor(name)


@cache
def _font(points: float, bold: bool) -> QFont:
    font = QFont(family())
    font.setPointSizeF(points)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    # Of a variable font Qt takes the weight from its axis alone.
    font.setVariableAxis(QFont.Tag("wght"), 600 if bold else 400)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@cache
def family() -> str:
    """The house's font, loaded from its package; the system's own where that can't be."""
    number = QFontDatabase.addApplicationFont(str(fontpkg.path("Inter", nearest=True)))
    families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return (
        families[0]
        if families
        else QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    )


def pen_style(role: str) -> Qt.PenStyle:
    """How a role's lines are drawn; "double" and "thick" are matters of width."""
    return Qt.PenStyle.DashLine if ROLES[role].line == "dashed" else Qt.PenStyle.SolidLine


def role_pen(look: Look, role: str, width: float = 2.0) -> QPen:
    """The pen of a role's lines, cosmetic: as wide at every zoom."""
    pen = QPen(look.color(role), width * look.stroke * (1.75 if role == "value" else 1.0))
    pen.setStyle(pen_style(role))
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if role == "value" else Qt.PenCapStyle.FlatCap)
    return pen


def palette_of(theme: Theme) -> QPalette:
    """Qt's own palette in a theme's colours, so that every widget follows it."""
    palette = QPalette()
    ground, panel, ink = _color(theme.ground), _color(theme.panel), _color(theme.ink)
    dim, highlight = _color(theme.dim), _color(theme.weight)
    button = _color(blend(theme.panel, theme.ink, 0.06))
    colors = {
        QPalette.ColorRole.Window: panel,
        QPalette.ColorRole.WindowText: ink,
        QPalette.ColorRole.Base: ground,
        QPalette.ColorRole.AlternateBase: panel,
        QPalette.ColorRole.Text: ink,
        QPalette.ColorRole.Button: button,
        QPalette.ColorRole.ButtonText: ink,
        QPalette.ColorRole.BrightText: ink,
        QPalette.ColorRole.ToolTipBase: panel,
        QPalette.ColorRole.ToolTipText: ink,
        QPalette.ColorRole.PlaceholderText: dim,
        QPalette.ColorRole.Highlight: highlight,
        QPalette.ColorRole.HighlightedText: ground,
        QPalette.ColorRole.Link: _color(theme.role("query")),
        QPalette.ColorRole.Light: _color(blend(theme.panel, "#FFFFFF", 0.3)),
        QPalette.ColorRole.Midlight: _color(theme.grid),
        QPalette.ColorRole.Mid: _color(theme.faint),
        QPalette.ColorRole.Dark: _color(theme.faint),
        QPalette.ColorRole.Shadow: _color(theme.faint),
    }
    for role, color in colors.items():
        palette.setColor(role, color)
    for role in (
        QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText
    ):  # fmt: skip
        palette.setColor(QPalette.ColorGroup.Disabled, role, _color(theme.faint))
    return palette
