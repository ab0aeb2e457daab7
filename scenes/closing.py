"""The lecture's closing: the formula read from left to right, and credits."""

from __future__ import annotations

from manim import FadeIn, FadeOut, VGroup, config

from engine.notation import write_entries
from scenes.framing_words import CREDITS, reading_of
from scenes.parts.board import listed
from scenes.parts.formula import Formula
from scenes.parts.layout import Box
from scenes.parts.word import WordRow
from scenes.stage import BODY, SMALL, AttentionScene

__all__ = ["Closing"]

LEADING = 0.11875
"""Lines of numbers are at most so far apart, as a share of the frame's height."""


class Closing(AttentionScene):
    """Every part of the formula with the focus word's numbers, each under its word."""

    def construct(self) -> None:
        """Light a part, say it, and set its numbers under the words; then the credits."""
        zone = self.zones.caption
        top, bottom = self.zones.title.top - 0.2, zone.top + 0.2
        has_mask = self.sentence.causal or self.attention.mask is not None
        formula = Formula(self.theme, 1.5, mask=has_mask)
        formula.scale(min(self.zones.zoom, zone.width / float(formula.width)))
        formula.move_to((0.0, top - self.zones.zoom, 0.0))
        under = top - 2.1 * self.zones.zoom
        self.row = self._words(Box(-zone.width / 2 + 1.6, zone.width / 2, under - 0.6, under))
        self.play(FadeIn(formula), FadeIn(self.row), run_time=0.6)
        self.leading = min(LEADING * config.frame_height, (under - 0.7 - bottom) / 5)
        self.y = under - 0.7 - self.leading / 2
        lines = VGroup()
        for part, title, caption in reading_of(
            self.attention, self.sentence, self.shown, self.settings.digits
        ):
            with self.beat(title, caption):
                formula.light(part)
                if (line := self._line(title)) is not None:
                    lines.add(line)
                    self.play(FadeIn(line), run_time=0.6)
        self.play(FadeOut(VGroup(formula, self.row, lines)), run_time=0.5)
        self.say_credits()

    def say_credits(self) -> None:
        """Whose formula it is, and what drew it."""
        middle = (self.zones.title.top + self.zones.caption.top) / 2
        credits_ = VGroup()
        for i, text in enumerate(CREDITS):
            line = self.text(text, BODY * 1.2, self.theme.ink if i == 0 else self.theme.dim)
            line.scale(min(1.0, self.zones.caption.width / float(line.width)))
            line.shift((-float(line.get_center()[0]), middle + 0.4 - 0.8 * i, 0.0))
            credits_.add(line)
        with self.beat("Credits", "One word at a time, by hand: that is attention."):
            self.play(FadeIn(credits_), run_time=0.6)

    def _words(self, box: Box) -> WordRow:
        row = WordRow(self.words, box, self.theme, self.sized(0.42))
        row[self.focus_column].set_color(self.theme.highlight)
        if note := self._title_note():
            line = self.text(note, SMALL, self.theme.dim)
            edge = (self.zones.caption.right, self.zones.title.top, 0.0)
            self.add(line.move_to(edge, (1.0, 1.0, 0.0)))
        return row

    def _line(self, title: str) -> VGroup | None:
        """A part's numbers, each under its word, and its name at the left."""
        steps = self.attention
        kinds = {
            "Scores": ("score", steps.scores),
            "Scale": ("scaled", steps.scaled),
            "Mask": ("masked", steps.masked),
            "Shares": ("share", steps.weights),
        }
        zoom = self.zones.zoom
        if title in kinds:
            name, numbers = kinds[title]
            color, line = self.theme.ink, VGroup()
            texts = write_entries(numbers[self.focus, list(self.shown)], self.settings.digits)
            for text, x in zip(texts, self.row.columns):
                number = self.figures(text, BODY * zoom, weight=500)
                number.scale(min(1.0, 0.92 * self.row.pitch / float(number.width)))
                line.add(number.shift((x, self.y, 0.0)))
        elif title == "Values":
            name, color = "output", self.role("output")
            width, size = self.zones.caption.width - 1.8, self.sized(BODY * 1.1 * zoom)
            line = listed(steps.output[self.focus], self.settings.digits, size, color, width, 8)
            line.shift((self.row.columns[0] - 0.3 - float(line.get_left()[0]), self.y, 0.0))
        else:
            return None
        label = self.text(name, SMALL, self.theme.dim if color == self.theme.ink else color)
        edge = self.row.columns[0] - min(self.row.pitch / 2, 0.8) - 0.3
        label.align_to((edge, 0.0, 0.0), (1.0, 0.0, 0.0))
        line.add(label.on_baseline(self.y - 0.1))
        self.y -= self.leading
        return line
