"""Scene 4: how do scores become shares?"""

from __future__ import annotations

import numpy as np
from manim import (
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
)

from engine.notation import round_half_up, write_number, write_share
from scenes.parts.bars import unit
from scenes.parts.board import in_a_row
from scenes.parts.formula import math as typeset
from scenes.parts.ledger import Power
from scenes.softmax_picture import SoftmaxPicture

STEP, LARGEST = 5.0, 700.0


class Softmax(SoftmaxPicture):
    """Exponentiate, add, divide: scores become shares, and only −∞ gets nothing."""

    title = "Softmax"
    lit = ("softmax",)

    def construct(self) -> None:
        """Ask; why not divide; e to each; the total; the shares; what changes nothing."""
        self.read_numbers()
        self.lay_out()
        if not self.row.open:
            self.tell_of_nothing()
            return
        self.ask(self.say.question())
        if self.row.count > 1:
            self.why_not_divide()
        self.take_the_largest_off()
        self.raise_e()
        self.add_up()
        self.divide()
        self.zero_is_not_nothing()
        self.add_to_all()
        self.find_what_is_missing()
        self.close_with_the_symbol()

    # The story

    def tell_of_nothing(self) -> None:
        """A word that may look at nothing."""
        with self.beat("Nothing", self.say.nothing()):
            self.mark(*self.scores)
        with self.beat("Nothing to share", "e to −∞ is 0, and so is the total: nothing to share."):
            power = Power("−∞", *self.sizes, 0.4 * self.sizes[0], self.theme.ink)
            line = in_a_row(power, self.figures("= 0", self.sizes[0]))
            self.play(FadeIn(self.board.write(line)))

    def why_not_divide(self) -> None:
        """A score below 0 can't be a share; where there is none, a key turned makes one."""
        j, total = self.say.lowest, self.scores_total
        if self.lowest < 0 or total == 0:
            score = float(self.values[j])
            with self.beat("Just divide?", self.say.cannot_divide(self.lowest)):
                self.mark(self.scores[j])
                if score < 0 < total:
                    self.board.skip(1.2)
                    self.write_division(j, score, total)
            self.play(*self.unmark(self.scores[j]), *self.wipe(), run_time=0.4)
            return
        if self.turned is not None:
            self.turn_a_key(self.turned)

    def turn_a_key(self, j: int) -> None:
        """Turn a key past the right angle, until its score is below 0."""
        score, others = self.target(j), self.scores_total - float(self.values[j])
        total = others + score
        with self.beat("Just divide?", self.say.turned(score / total)):
            self.show_plane(j, score)
            self.write_division(j, float(self.values[j]), self.scores_total)
            self.play(*self.move_key(j), run_time=1.5)
            self.mark(self.scores[j], self.write_division(j, score, total))
        if not self.shift:
            with self.beat("Above 0", self.say.above_zero(score)):
                exps = np.exp(np.where(np.arange(len(self.values)) == j, score, self.values))
                heights, digits = exps * unit(exps, self.over_base), self.settings.digits
                self.play(self.bars.animate.stand(heights), run_time=1.2)
                x, y = self.columns_of.columns[j], self.base + float(heights[j]) + 0.28
                text = write_share(float(exps[j]), digits)
                number = self.figures(text, self.sizes[0], self.theme.highlight)
                self.play(FadeIn(number.rewrite(text, x, y)), run_time=0.4)
            self.play(FadeOut(number), run_time=0.3)
        self.play(*self.move_key(j, back=True), run_time=0.9)
        self.play(*self.unmark(self.scores[j]), *self.wipe(), run_time=0.4)

    def take_the_largest_off(self) -> None:
        """Where e to the scores has no place on paper: only differences count."""
        if not self.shift:
            return
        with self.beat("Largest off first", self.say.largest_off(self.shift)):
            new = self.number_row(self.row.input_texts)
            name = self.row_name("less max", self.score_line)
            self.swap_all((self.scores, new), (self.score_name, name))
            self.scores, self.score_name = new, name

    def raise_e(self) -> None:
        """e to each score: bars that all stand above 0."""
        ledger, row = self.ledger, self.row
        with self.beat("e to each", self.say.raise_e()):
            listed = list(zip(self.listed, ledger.powers))
            bases = [FadeIn(power.base) for _, power in listed]
            self.play(FadeIn(ledger.names), *bases, run_time=0.4)
            fly = [self.fly(self.scores[i], power.exponent) for i, power in listed]
            self.play(LaggedStart(*fly, lag_ratio=0.15), run_time=1.1)
            heights = row.exps[: len(self.words)] * self.exp_unit
            stand = self.bars.animate.stand(heights, self.fills).edge(self.theme.weight)
            self.play(stand, run_time=1.2)
            self.play(*map(FadeIn, (self.over, ledger.signs, ledger.exps)), run_time=0.5)

    def add_up(self) -> None:
        """The bars laid end to end: their total."""
        ledger, pieces = self.ledger, self.strip.pieces
        with self.beat("Add", self.say.total()):
            lay = [self.fly(self.bars.bars[i], pieces[i]) for i in self.row.open]
            self.play(LaggedStart(*lay, lag_ratio=0.35), run_time=1.6)
            rest = (*pieces[len(self.words) :], *self.strip.names)
            sums = (ledger.rule, ledger.total, ledger.total_name)
            self.play(*map(FadeIn, (*rest, *sums)), run_time=0.5)
            self.play(FadeIn(self.measure), self.fly(ledger.total, self.length), run_time=0.7)

    def divide(self) -> None:
        """The same bar, now of length 1: its pieces are the shares."""
        shares = self.ledger.shares
        with self.beat("Divide", self.say.divide()):
            one = self.length_number("1")
            self.swap(self.length, one, run_time=0.6)
            self.length = one
            self.play(Create(self.ribbons, lag_ratio=0.2), run_time=0.6)
            self.play(FadeIn(self.shares), FadeIn(self.share_name), run_time=0.4)
            carry = [self.fly(self.shares[i], share) for i, share in zip(self.listed, shares)]
            rest = map(FadeIn, (self.share_head, *shares[len(self.listed) :]))
            self.play(LaggedStart(*carry, lag_ratio=0.1), *rest)

    def zero_is_not_nothing(self) -> None:
        """The question's answer: the lowest score has its share too."""
        j, ledger = self.say.lowest, self.ledger
        line = self.listed.index(j)
        columns = (ledger.powers, ledger.exps, ledger.shares)
        lit = (self.scores[j], self.shares[j], *(column[line] for column in columns))
        with self.beat("Not nothing", self.say.not_nothing()):
            self.mark(*lit)
        self.play(*self.unmark(*lit), run_time=0.4)

    def add_to_all(self) -> None:
        """The same added to every score: no share changes."""
        if self.shift:
            return
        ledger, step = self.ledger, STEP if max(self.row.inputs) + STEP < LARGEST else -STEP
        moved, listed = (self.read(columns, step) for columns in (None, self.listed))
        name = f"plus {step:.0f}" if step > 0 else f"less {-step:.0f}"
        scores = self.number_row(moved.input_texts).set_color(self.theme.highlight)
        total = ledger.figure(listed.total_text, ledger.right_of_exp, ledger.count, weight=650)
        changes = (
            (self.scores, scores),
            (self.score_name, self.row_name(name, self.score_line)),
            (self.over, self.numbers_over(moved.exp_texts)),
            (ledger.exps, ledger.column(listed.exp_texts, ledger.right_of_exp)),
            (ledger.total, total),
        )
        powers = (ledger.powers, ledger.signs)
        with self.beat("Only differences", self.say.only_differences(step)):
            self.swap_all(*changes, others=[FadeOut(piece) for piece in powers])
        back = ((after, before) for before, after in changes)
        self.swap_all(*back, others=[FadeIn(piece) for piece in powers])

    def find_what_is_missing(self) -> None:
        """Where the printed shares don't add up to 1: what the digits not printed hold."""
        ledger, digits = self.ledger, self.settings.digits
        printed = float(sum(round_half_up(share, digits) for share in self.row.printed))
        if printed == 1 or len(self.listed) < len(self.words):
            return
        rests, rest = self.row.left_out(digits)
        with self.beat("Digits not printed", self.say.missing(printed)):
            gone = (ledger.powers, ledger.signs, ledger.exps, ledger.total, ledger.rule)
            self.play(*map(FadeOut, gone), run_time=0.4)
            left = ledger.right_of_power + 0.3
            aside = (left - ledger.right_of_share, 0.0, 0.0)
            moving = (ledger.shares, self.share_head)
            self.play(*(piece.animate.shift(aside) for piece in moving), run_time=0.6)
            color, right = self.theme.highlight, ledger.right_of_share
            head, column = ledger.head("left out", right), ledger.column(rests, right, color)
            self.play(FadeIn(column), FadeIn(head), run_time=0.5)
            text = write_number(printed, digits)
            sums = [
                ledger.figure(text, left, ledger.count, weight=650),
                ledger.figure(rest, right, ledger.count, color, weight=650),
            ]
            rules = [ledger.rule_between(at - 1.0, at) for at in (left, right)]
            self.play(*map(FadeIn, (*rules, *sums)), run_time=0.5)

    def close_with_the_symbol(self) -> None:
        """Exponentiate, add, divide, in one line of symbols."""
        symbol = typeset("w_j = frac(e^(s_j), sum_i e^(s_i))", self.theme.ink, 1.3)
        symbol.move_to((*self.zones.working.center, 0.0))
        with self.beat("Softmax", "Exponentiate, add, divide. Only a score of −∞ gets nothing."):
            self.play(*self.wipe(), run_time=0.5)
            self.play(FadeIn(symbol), run_time=0.7)
