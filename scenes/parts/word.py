"""A word, whole, in whatever room there is; and the row that words stand in."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from engine.palette import Theme
from scenes.parts.layout import Box
from scenes.parts.type import Text, set_line

__all__ = ["Word", "WordRow"]

LEADING = 1.1

TIGHT = 0.94
"""Words high and low are outlined no higher than this share of their half of the row."""

ALIKE = 0.7
"""Words take the size of the smallest of a row where that is more than this share of the size."""


class Word(VGroup):
    """A word centred at the origin, never wider than `width` nor higher than `height`.

    size: the em in frame units, shrunk where the room is small; a word too long for one line at
    45 % of it is broken into two or three, whichever stays largest.
    """

    def __init__(
        self,
        text: str,
        size: float,
        color: str,
        *,
        width: float = 4.0,
        height: float = 0.6,
        weight: int = 500,
    ) -> None:
        super().__init__()
        self.word = text
        lines, self.size = _best_lines(text, size, width, height, weight)
        for i, line in enumerate(lines):
            piece = Text(line, self.size, color, weight)
            piece.shift((-float(piece.get_center()[0]), 0.0, 0.0))
            middle = (len(lines) - 1) / 2 - i
            self.add(piece.on_baseline(middle * self.size * LEADING - 0.26 * self.size))


def _best_lines(
    text: str, size: float, width: float, height: float, weight: int
) -> tuple[list[str], float]:
    best: tuple[list[str], float] = ([text], 0.0)
    for count in (1, 2, 3):
        lines = _cut(text, count)
        widest = max(set_line(line, weight).width for line in lines)
        fits = min(size, width / widest if widest else size, height / (LEADING * count) * 1.15)
        if fits > best[1] * 1.02:
            best = (lines, fits)
        if best[1] >= 0.45 * size:
            break
    return best


def _cut(text: str, count: int) -> list[str]:
    length = -(-len(text) // count)
    return [text[i : i + length] for i in range(0, len(text), length)]


class WordRow(VGroup):
    """The sentence across `box`: one column a word, the same for the whole lecture.

    More than seven words stand alternately high and low, which gives each twice the room. All
    are as large as the one that must be smallest, unless that is far smaller.
    """

    def __init__(self, words: Sequence[str], box: Box, theme: Theme, size: float = 0.42) -> None:
        super().__init__()
        self.pitch = min(box.width / len(words), 2.0)
        start = box.center[0] - self.pitch * (len(words) - 1) / 2
        self.columns = [start + self.pitch * i for i in range(len(words))]
        is_staggered = len(words) > 7
        width = self.pitch * (1.8 if is_staggered else 0.86)
        height = box.height / 2 if is_staggered else box.height
        fitting = [_best_lines(text, size, width, height, 500)[1] for text in words]
        if min(fitting) > ALIKE * size:
            size = min(fitting)
        for i, (text, x) in enumerate(zip(words, self.columns)):
            aside = (0.5 - i % 2) * height if is_staggered else 0.0
            word = Word(text, size, theme.ink, width=width, height=height)
            if is_staggered and word.height > TIGHT * height:
                word.scale(TIGHT * height / word.height, about_point=(0.0, 0.0, 0.0))
            self.add(word.shift((x, box.center[1] + aside, 0.0)))
