"""The lecture's opening: the formula, and a promise."""

from __future__ import annotations

from manim import FadeIn, FadeOut, VGroup

from scenes.framing_words import promise_of
from scenes.parts.formula import PARTS, Formula
from scenes.parts.word import WordRow
from scenes.stage import BODY, SMALL, AttentionScene

__all__ = ["Opening"]


class Opening(AttentionScene):
    """One line of mathematics, and the words that it will be worked out for by hand."""

    def construct(self) -> None:
        """The formula as a whole, its parts one after another, then the words."""
        zone = self.zones.caption
        middle = (self.zones.title.top + zone.top) / 2
        formula = self._formula(middle, zone.width)
        title = self.text("Attention, drawn by hand", 0.72, weight=650)
        title.scale(min(1.0, zone.width / float(title.width)))
        rise = middle + 2.1 * self.zones.zoom - title.baseline
        title.shift((-float(title.get_center()[0]), rise, 0.0))
        self.play(FadeIn(title), FadeIn(formula), run_time=0.8)
        with self.beat("The formula", "This one line is attention: which word listens to which?"):
            for part in PARTS:
                if part != "mask" or self.sentence.causal:
                    formula.light(part)
                    self.wait(0.7)
            formula.set_color(self.theme.ink)
        words = self._words(middle)
        with self.beat("The promise", promise_of(self.attention, self.sentence)):
            self.play(FadeIn(words), run_time=0.8)
        self.play(FadeOut(VGroup(title, formula, words)), FadeOut(self.caption), run_time=0.5)
        self.wait(0.1)

    def _formula(self, middle: float, width: float) -> Formula:
        formula = Formula(self.theme, 1.7, mask=self.sentence.causal)
        formula.scale(min(self.zones.zoom**2, width / float(formula.width)))
        formula.move_to((0.0, middle + 0.3, 0.0)).set_color(self.theme.ink)
        return formula

    def _words(self, middle: float) -> VGroup:
        box = self.zones.words
        half = (self.zones.caption.width - 0.4) / 2
        zoom = self.zones.zoom
        room = type(box)(-half, half, middle - 2.2 * zoom, middle - 1.6 * zoom)
        row = WordRow(self.words, room, self.theme, self.sized(BODY * 1.4 * zoom))
        row[self.focus_column].set_color(self.theme.highlight)
        words = VGroup(row)
        if note := self._title_note():
            line = self.text(note, SMALL, self.theme.dim)
            line.shift((-float(line.get_center()[0]), middle - 2.6 * zoom, 0.0))
            words.add(line)
        return words
