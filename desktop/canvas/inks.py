"""The colours, pens and sizes that a plane draws with, made once a look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPen

from desktop.theme import Look, role_pen
from engine.palette import ROLES, blend, contrast

__all__ = ["STRENGTHS", "Inks"]

STRENGTHS = ("plain", "focus", "lit", "dim", "ghost")
"""How strongly a thing is drawn; a ghost is the state before a drag."""

WIDTHS = {"plain": 2.0, "focus": 2.75, "lit": 3.5, "dim": 2.0, "ghost": 2.0}
SIZES = {"plain": 1.0, "focus": 1.2, "lit": 1.4, "dim": 1.0, "ghost": 1.0}

Made = TypeVar("Made")


class Inks:
    """What a look draws arrows with; the same objects again and again, so don't change them.

    is_crowded: there are so many arrows that ordinary ones are drawn thinner.
    """

    def __init__(self, look: Look, *, is_crowded: bool = False) -> None:
        self.look, self.is_crowded = look, is_crowded
        self._made: dict[tuple[str, ...], object] = {}

    def color(self, role: str, strength: str = "plain") -> QColor:
        """The colour of a role; a dim one keeps 3:1 on the ground."""
        return self._once(("color", role, strength), lambda: self._color(role, strength))

    def pen(self, role: str, strength: str = "plain") -> QPen:
        """The pen of an arrow's line, dashed where the role is."""
        return self._once(("pen", role, strength), lambda: self._pen(role, strength))

    def outline(self, role: str, strength: str = "plain") -> QPen:
        """The pen of an arrow's head, never dashed."""
        return self._once(("outline", role, strength), lambda: self._outline(role, strength))

    def half(self, role: str, strength: str = "plain") -> QPen:
        """The pen of each of the two lines of a double one."""
        return self._once(
            ("half", role, strength),
            lambda: QPen(self.color(role, strength), max(1.0, self.width(strength) * 0.6)),
        )

    @property
    def veil(self) -> QColor:
        """The ground that texts stand on, which what is under it shines through a little."""
        return self._once(("veil",), self._veil)

    def _veil(self) -> QColor:
        ground = QColor(self.look.color("ground"))
        ground.setAlphaF(0.82)
        return ground

    def brush(self, role: str, strength: str = "plain") -> QBrush:
        """What an arrow's head is filled with."""
        return self._once(("brush", role, strength), lambda: QBrush(self.color(role, strength)))

    def line(self, name: str, width: float = 1.0) -> QPen:
        """A thin line in one of the theme's colours."""
        return self._once(
            ("line", name, str(width)),
            lambda: QPen(self.look.color(name), width * self.look.stroke),
        )

    def dotted(self, name: str, width: float = 1.0) -> QPen:
        """The same, dotted."""
        return self._once(("dotted", name, str(width)), lambda: self._dotted(name, width))

    def _dotted(self, name: str, width: float) -> QPen:
        pen = QPen(self.line(name, width))
        pen.setStyle(Qt.PenStyle.DotLine)
        return pen

    def thin(self, role: str, strength: str = "plain") -> QPen:
        """A thin line in a role's colour."""
        return self._once(
            ("thin", role, strength), lambda: QPen(self.color(role, strength), self.look.stroke)
        )

    def link(self, strength: str = "plain") -> QPen:
        """The pen of a weighted value."""
        return self._once(
            ("link", strength),
            lambda: QPen(self.color("value", strength), self.width(strength) * 0.8),
        )

    def size(self, strength: str = "plain") -> float:
        """How many times as large as usual a head is."""
        small = 0.8 if self.is_crowded and strength in ("plain", "dim", "ghost") else 1.0
        return SIZES[strength] * (1 + (self.look.stroke - 1) / 2) * small

    def width(self, strength: str = "plain") -> float:
        """The width of a solid line, in pixels."""
        thin = 0.6 if self.is_crowded and strength in ("plain", "dim", "ghost") else 1.0
        return WIDTHS[strength] * self.look.stroke * thin

    @property
    def apart(self) -> float:
        """From the middle of one arrow to that of the next where they coincide: 3 pixels free."""
        return 3.0 + self.width()

    def _color(self, role: str, strength: str) -> QColor:
        if strength == "ghost":
            return self.look.pale(role)
        if strength != "dim":
            return self.look.color(role)
        theme = self.look.theme
        full = theme.role(role) if role in ROLES else getattr(theme, role)
        share = 0.3
        while share < 1 and contrast(blend(theme.ground, full, share), theme.ground) < 3.05:
            share += 0.02
        return self.look.pale(role, min(share, 1.0))

    def _pen(self, role: str, strength: str) -> QPen:
        width = self.width(strength) / self.look.stroke
        pen = role_pen(self.look, role, width)
        # Nothing here is zoomed, but a screen may have two pixels for one.
        pen.setCosmetic(False)
        pen.setColor(self.color(role, strength))
        if pen.style() == Qt.PenStyle.DashLine:
            # As long whatever the width.
            pen.setDashPattern([dash / width for dash in (8.0, 5.0)])
        return pen

    def _outline(self, role: str, strength: str) -> QPen:
        pen = QPen(self.color(role, strength), self.width(strength))
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        return pen

    def _once(self, key: tuple[str, ...], make: Callable[[], Made]) -> Made:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]  # type: ignore[return-value]
