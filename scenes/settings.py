"""How a scene is to be told: whose numbers, which theme, how fast. No Manim here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.sentence import Sentence

__all__ = ["MOTIONS", "PACES", "Card", "Line", "SceneSettings"]

PACES = {"slow": 10.0, "normal": 13.0, "fast": 17.0}
"""Reading speed of captions, in characters a second."""

MOTIONS = ("full", "reduced")


@dataclass(frozen=True)
class Card:
    """What the card before a scene says: which of how many it is, and its title.

    target is the scene's "module:Class", whose part of the formula is lit.
    """

    number: int
    count: int
    title: str
    target: str


@dataclass(frozen=True)
class Line:
    """What to say in a scene's beat instead: the `occurrence`th of that title, from 0.

    caption None leaves it as it is; the beat lasts at least `seconds`.
    """

    title: str
    occurrence: int = 0
    caption: str | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class SceneSettings:
    """Everything a scene's picture depends on besides its code.

    `head` counts from 0. `rows` says what a grid's rows are ("queries" or "keys"). `captions`
    says whether they are drawn. `script` says other captions; `describe` has each beat keep what
    was seen as it ended; `card` is for the card before a scene.
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
    script: tuple[Line, ...] = ()
    describe: bool = False
    card: Card | None = None
