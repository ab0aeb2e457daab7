"""The card before a scene of the lecture: its title, and its part of the formula lit."""

from __future__ import annotations

from importlib import import_module

from manim import FadeIn, FadeOut, VGroup

from scenes.parts.formula import Formula
from scenes.stage import SMALL, AttentionScene

__all__ = ["TitleCard"]

HOLD = 1.8
FADE = 0.4


class TitleCard(AttentionScene):
    """A scene's number, its title, and the formula with the part that will be at work."""

    def construct(self) -> None:
        """Everything at once, a moment to read, and gone."""
        card = self.settings.card
        assert card is not None
        module, _, name = card.target.partition(":")
        scene = getattr(import_module(module), name)
        room = self.zones.caption.width
        count = self.text(f"{card.number} of {card.count}", SMALL * 1.2, self.theme.dim)
        title = self.text(card.title, 0.8, weight=650)
        formula = Formula(self.theme, 1.3, mask=getattr(scene, "shows_mask", False))
        formula.light(*getattr(scene, "lit", ()))
        for piece in (title, formula):
            piece.scale(min(1.0, room / float(piece.width)))
        lines = VGroup(count.shift((0.0, 1.5, 0.0)), title, formula.shift((0.0, -1.7, 0.0)))
        for line in lines:
            line.shift((-float(line.get_center()[0]), 0.0, 0.0))
        self.play(FadeIn(lines), run_time=FADE)
        self.wait(HOLD)
        self.play(FadeOut(lines), run_time=FADE)
        self.wait(0.1)
