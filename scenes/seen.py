"""What stands on the stage, read back line by line: for those who can't see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from manim import config

from scenes.parts.number import Number, Tick, read_back
from scenes.parts.type import Text
from scenes.parts.word import Word

if TYPE_CHECKING:
    from scenes.stage import AttentionScene

__all__ = ["lines_on"]

_SAME_LINE = 0.16
"""Pieces whose middles are no farther apart stand on one line."""


def lines_on(scene: AttentionScene) -> tuple[str, ...]:
    """The words and numbers on the stage, from the top, each line from left to right.

    What stands beside the stage follows it. Without the title line, the caption and the numbers
    along axes; numbers as they are drawn.
    """
    aside = {id(piece) for part in (scene.title_line, scene.caption) for piece in part.get_family()}
    pieces: list[tuple[float, float, str]] = []
    for mobject in scene.mobjects:
        _collect(mobject, aside, pieces)
    border = scene.zones.working.left
    is_beside = bool(scene.title) and border > scene.zones.stage.right
    aside_of = [piece for piece in pieces if is_beside and piece[0] > border]
    on_stage = [piece for piece in pieces if piece not in aside_of]
    return (*_lines(on_stage), *_lines(aside_of))


def _lines(pieces: list[tuple[float, float, str]]) -> list[str]:
    lines: list[list[tuple[float, float, str]]] = []
    for piece in sorted(pieces, key=lambda piece: -piece[1]):
        if lines and lines[-1][0][1] - piece[1] <= _SAME_LINE:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [" ".join(text for _, _, text in sorted(line)) for line in lines]


def _collect(mobject: Any, aside: set[int], pieces: list[tuple[float, float, str]]) -> None:
    if id(mobject) in aside:
        return
    aside.add(id(mobject))  # a piece may stand in two groups
    text = _text(mobject)
    if text is None:
        for part in mobject.submobjects:
            _collect(part, aside, pieces)
        return
    x, y, _ = mobject.get_center()
    if text and abs(x) <= config.frame_width / 2 and abs(y) <= config.frame_height / 2:
        pieces.append((float(x), float(y), text))


def _text(mobject: Any) -> str | None:
    """What a piece says: "" where it is there but not seen, None where it is no text."""
    match mobject:
        case Word():
            shown = any(line.get_fill_opacity() > 0 for line in mobject)
            return mobject.word if shown else ""
        case Text():
            return mobject.text if mobject.get_fill_opacity() > 0 and len(mobject.points) else ""
        case Tick():
            return ""
        case Number():
            is_seen = mobject.get_fill_opacity() > 0 and len(mobject.points) > 0
            return _spaced(read_back(mobject.points)) if is_seen else ""
    return None


def _spaced(text: str) -> str:
    """A list with the blanks that its outline doesn't show."""
    return text.replace(",", ", ").rstrip() if text.startswith("[") else text
