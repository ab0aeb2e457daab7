"""What training asks of each row: words heard so far, an arrow, the word that comes next."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from engine.palette import Theme
from scenes.parts.layout import Box
from scenes.parts.type import Text
from scenes.parts.word import Word

__all__ = ["Questions"]

ROW = 0.62
SPACE = 0.14


class Questions(VGroup):
    """One line a word of `shown`: what it has heard, as much of it as fits, → the next word."""

    def __init__(
        self,
        words: Sequence[str],
        shown: Sequence[int],
        box: Box,
        theme: Theme,
        size: float,
        small: float,
    ) -> None:
        super().__init__()
        self.theme, self.size, self.box = theme, size, box
        self.pitch = min(ROW, box.height / (len(shown) + 1))
        self.size = min(size, max(self.pitch * 0.8, small))
        self.arrow_x = box.left + box.width * 0.6
        heading = VGroup(Text("heard so far", small, theme.dim), Text("next", small, theme.dim))
        heading[0].shift((self.arrow_x - 0.3 - float(heading[0].get_right()[0]), 0.0, 0.0))
        heading[1].shift((self.arrow_x + 0.3 - float(heading[1].get_left()[0]), 0.0, 0.0))
        y = box.top - self.pitch / 2
        self.heading = VGroup(*(text.on_baseline(y - 0.36 * small) for text in heading))
        self.lines = VGroup(
            *(self._line(words, i, y - self.pitch * (k + 1)) for k, i in enumerate(shown))
        )
        self.add(self.heading, self.lines)

    def _line(self, words: Sequence[str], index: int, y: float) -> VGroup:
        arrow = Text("→", self.size, self.theme.dim)
        arrow.shift((self.arrow_x - float(arrow.get_center()[0]), 0.0, 0.0))
        line = VGroup(arrow.on_baseline(y - 0.26 * self.size))
        following = words[index + 1] if index + 1 < len(words) else "?"
        room = self.box.right - self.arrow_x - 0.3
        answer = Word(following, self.size, self.theme.highlight, width=room, height=self.pitch)
        line.add(answer.shift((self.arrow_x + 0.3 - float(answer.get_left()[0]), y, 0.0)))
        right, left = self.arrow_x - 0.3, self.box.left
        for i in range(index, -1, -1):
            need = 0.0 if i == 0 else 0.45
            room = right - left - need
            width = max(room, 0.4)
            word = Word(words[i], self.size, self.theme.ink, width=width, height=self.pitch)
            if i < index and (room < 0.4 or word.size < 0.85 * self.size or len(word) > 1):
                dots = Text("…", self.size, self.theme.dim)
                dots.shift((right - float(dots.get_right()[0]), 0.0, 0.0))
                line.add(dots.on_baseline(y - 0.26 * self.size))
                break
            line.add(word.shift((right - float(word.get_right()[0]), y, 0.0)))
            right -= float(word.width) + SPACE
        return line
