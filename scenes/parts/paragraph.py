"""A few lines of text in a box: broken between words, shrunk or cut where there is no room."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from scenes.parts.layout import Box
from scenes.parts.type import Text, set_line

__all__ = ["Paragraph"]

LEADING = 1.3


class Paragraph(VGroup):
    """`text` from the top of `box`, left-aligned, from `size` down to `least`.

    What doesn't fit at `least` ends in an ellipsis, a word that is too wide for a line too.
    """

    def __init__(self, text: str, box: Box, size: float, least: float, color: str) -> None:
        super().__init__()
        self.size, lines = _fitted(text.split(), box, size, least)
        for i, line in enumerate(lines):
            piece = Text(line, self.size, color)
            piece.align_to((box.left, 0.0, 0.0), (-1.0, 0.0, 0.0))
            self.add(piece.on_baseline(box.top - self.size * (0.95 + LEADING * i)))


def _fitted(words: Sequence[str], box: Box, size: float, least: float) -> tuple[float, list[str]]:
    while True:
        size, lines = max(size, least), _broken(words, box.width / max(size, least))
        room = max(1, int((box.height / size - 1.0) / LEADING + 1.0))
        if len(lines) <= room or size == least:
            break
        size *= 0.93
    kept = [_cut(line, box.width / size, must=False) for line in lines[:room]]
    if len(lines) > room:
        kept[-1] = _cut(f"{kept[-1]} …", box.width / size, must=True)
    return size, kept


def _broken(words: Sequence[str], width: float) -> list[str]:
    """Lines no wider than `width` em, where no single word is."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and set_line(longer).width <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _cut(line: str, width: float, *, must: bool) -> str:
    """As much of `line` as is no wider than `width` em, with an ellipsis where it is cut."""
    kept = line.removesuffix(" …")
    if set_line(kept + "…" * must).width <= width:
        return kept + "…" * must
    while kept and set_line(kept + "…").width > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"
