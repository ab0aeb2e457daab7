"""Where the texts on a stage stand, which of them meet, and which leave the frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import MathTypst
from manim.mobject.svg.svg_mobject import VMobjectFromSVGPath

from scenes.parts.code import Code
from scenes.parts.layout import Box
from scenes.parts.number import Number, read_back
from scenes.parts.type import Text
from scenes.parts.word import Word

__all__ = ["HAIR", "Piece", "meeting", "outside", "pieces_of"]

HAIR = 0.02
"""Outlines that share no more than this, in either direction, do not meet."""

FAINTEST = 0.2
"""A text less opaque than this is not read: it is coming or going."""

WHOLE = (Word, Text, Number, MathTypst, Code)
"""The parts that own what is in them: the lines of a word, the symbols of a formula."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A text on the stage: the part that draws it, and its outline's box."""

    part: Any
    box: Box

    @property
    def text(self) -> str:
        """What it says, as far as that can be told."""
        match self.part:
            case Word():
                return str(self.part.word)
            case Text():
                return self.part.text
            case Number():
                return read_back(self.part.points)
            case Code():
                return "\n".join(self.part.sources)
        return f"symbols of {type(self.part).__name__}"


def pieces_of(mobjects: Iterable[Any]) -> list[Piece]:
    """Every text that can be seen among `mobjects`, each once, whichever groups hold it.

    A part of WHOLE is one piece; a symbol taken out of a formula is one by itself. Of texts that
    are the same in the same place one is kept: together they look like one.
    """
    found: dict[tuple[object, ...], Piece] = {}
    seen: set[int] = set()
    waiting = list(mobjects)
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        is_line = isinstance(part, (Text, Number))
        if is_line or not isinstance(part, (*WHOLE, VMobjectFromSVGPath)):
            waiting += part.submobjects
        if not isinstance(part, (*WHOLE, VMobjectFromSVGPath)):
            continue
        box = _box_of(part)
        if box is not None:
            place = np.round((box.left, box.right, box.bottom, box.top), 2)
            found.setdefault((type(part), len(part.get_all_points()), *place), Piece(part, box))
    return list(found.values())


def meeting(pieces: Sequence[Piece]) -> list[tuple[Piece, Piece]]:
    """The pairs of pieces whose boxes share more than a hair in both directions."""
    if not pieces:
        return []
    boxes = np.array([(p.box.left, p.box.right, p.box.bottom, p.box.top) for p in pieces])
    shared = [
        np.minimum(boxes[:, None, high], boxes[None, :, high])
        - np.maximum(boxes[:, None, low], boxes[None, :, low])
        for low, high in ((0, 1), (2, 3))
    ]
    rows, columns = np.nonzero(np.triu(np.minimum(*shared) > HAIR, 1))
    return [(pieces[int(i)], pieces[int(j)]) for i, j in zip(rows, columns)]


def outside(pieces: Iterable[Piece], frame: Box) -> list[Piece]:
    """The pieces that aren't wholly inside `frame`."""
    return [piece for piece in pieces if not frame.holds(piece.box)]


def _box_of(part: Any) -> Box | None:
    """The box of what is drawn of a part; None where nothing can be seen."""
    family = [part] if isinstance(part, (Text, Number)) else part.get_family()
    leaves = [leaf for leaf in family if len(leaf.points)]
    outlines = [leaf.points for leaf in leaves if leaf.get_fill_opacity() > FAINTEST]
    if not outlines:
        return None
    low = np.min([points.min(axis=0) for points in outlines], axis=0)
    high = np.max([points.max(axis=0) for points in outlines], axis=0)
    return Box(float(low[0]), float(high[0]), float(low[1]), float(high[1]))
