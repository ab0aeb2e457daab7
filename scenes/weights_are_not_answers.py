"""Scene 11: does a weight of 73 % mean that "sat" is about "cat"?"""

from __future__ import annotations

import numpy as np
from manim import (
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
)

from scenes.parts.board import Board
from scenes.stage import SMALL
from scenes.stretched_word import (
    Floats,
)  # fmt: skip
from scenes.weights_are_not_answers_picture import FEW, WeightsPicture
from scenes.weights_words import SOURCES


class WeightsAreNotAnswers(WeightsPicture):
    """A weight says where information could flow, not what was done with it."""

    title = "Weights are not answers"
    lit = ("softmax",)

    def construct(self) -> None:
        """Ask, make one value longer, measure, leave words out, find other weights."""
        self.choose_numbers()
        self.lay_out()
        self.show_weights_and_values()
        if not self.say.count:
            self.tell_of_nothing()
            return
        self.ask(self.say.question())
        self.make_a_value_longer()
        self.measure_what_it_gave()
        self.leave_one_out()
        if self.other is not None:
            self.find_other_weights(self.other)
        self.close()

    # The story

    def show_weights_and_values(self) -> None:
        """The weights under the words, the values, and what they mix."""
        self.play(FadeIn(self.shares), run_time=0.6)
        self.play(FadeIn(self.ground), run_time=0.5)
        if not self.is_flat:
            return
        self.play(LaggedStart(*self.picture.appear(), lag_ratio=0.1), run_time=1.6)

    def tell_of_nothing(self) -> None:
        """A word that may look at nothing."""
        with self.beat("Nothing", self.say.nothing()):
            self.wait(0.2)

    def make_a_value_longer(self) -> None:
        """One value grows a hundredfold, its weight stays, the output goes far away."""
        with self.beat("A hundred times", self.say.stretching()):
            if self.star is None:
                return
            self.light("value")
            self.mark = self.around(self.shares.cells[self.star_column])
            self.play(FadeIn(self.mark), run_time=0.4)
            self.write_product()
            self.stretch()
        with self.beat("Overturned", self.say.overturned()):
            marks = self.around(*self.shares.cells)
            note = self.text(self.say.rounding(), SMALL, self.theme.dim).on_baseline(0.0)
            self.board.skip(0.2)
            note = self.board.write(note)
            self.play(ReplacementTransform(self.mark, marks), FadeIn(note), run_time=0.7)

    def measure_what_it_gave(self) -> None:
        """Bars of weights, and under them bars of what each word really gave."""
        with self.beat("What each gave", self.say.giving()):
            self.light("softmax", "value")
            self.make_rows()
            standing = self.standing_in(self.zones.stage, self.zones.working)
            self.play(*(FadeOut(m) for m in standing if m is not self.shares), run_time=0.5)
            self.cells_to_bars()
            self.start_flat(1)
            self.raise_bars(1, self.gave * 0, self.gave, run_time=1.2)
        with self.beat("They disagree", self.say.disagreement()):
            self.name_first(0)
            self.name_first(1)

    def leave_one_out(self) -> None:
        """Without one word the others share its weight, and the output moves."""
        with self.beat("Leave one out", self.say.leaving()):
            self.start_flat(2)
            opened = [j for j, is_masked in enumerate(self.masked) if not is_masked]
            seen = np.zeros(len(self.words), np.bool_)
            for j in opened if len(opened) <= FEW else [self.most_missed]:
                self.leave_out(j, seen)
                seen[j] = True
            if not seen[opened].all():
                self.raise_bars(2, self.moved * seen, self.moved, run_time=1.2)
        with self.beat("Three measures", self.say.missed()):
            self.name_first(2)

    def find_other_weights(self, other: Floats) -> None:
        """Other weights that mix the same output of the sentence's own values."""
        with self.beat("Other weights", self.say.other()):
            standing = self.standing_in(self.zones.stage, self.zones.working)
            self.play(*map(FadeOut, standing), run_time=0.5)
            self.light("softmax")
            self.set_up_mixture()
            self.write_weights("weights", self.weights)
            self.play(self.moving_weights(other), run_time=2.2)
            self.write_weights("others", other)
            self.write_output_of_both()

    def close(self) -> None:
        """Where the argument stands, and who had it."""
        with self.beat("Begin asking", self.say.close()):
            self.light("softmax", "value")
            self.play(*map(FadeOut, self.standing_in(self.zones.working)), run_time=0.4)
            board = Board(self.zones.working, self.sized(SMALL) * 1.5, self.zones.zoom)
            for title, authors in SOURCES:
                name = self.text(title, SMALL, self.theme.ink)
                board.write(name.on_baseline(0.0))
                board.write(self.text(authors, SMALL, self.theme.dim).on_baseline(0.0))
                board.skip(0.5)
            self.play(FadeIn(board.lines), run_time=0.6)
