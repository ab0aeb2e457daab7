"""How a scene is to be told: whose numbers, which theme, how fast. No Manim here."""

from __future__ import annotations

from dataclasses import dataclass

from engine.sentence import Sentence

__all__ = ["MOTIONS", "PACES", "SceneSettings"]

PACES = {"slow": 10.0, "normal": 13.0, "fast": 17.0}
"""Reading speed of captions, in characters a second."""

MOTIONS = ("full", "reduced")


@dataclass(frozen=True)
class SceneSettings:
    """Everything a scene's picture depends on besides its code.

    `head` counts from 0. `rows` says what a grid's rows are ("queries" or "keys"). `captions`
    says whether they are drawn.
    """

    sentence: Sentence
    head: int = 0
    theme: str = "light"
    digits: int = 2
    rows: str = "queries"
    pace: str = "normal"
    motion: str = "full"
    captions: bool = True
    font_scale: float = 1.0
