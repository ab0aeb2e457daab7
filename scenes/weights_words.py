"""What "weights are not answers" says, worded from its numbers. No Manim here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.attention import Attention
from engine.notation import round_half_up, write_list, write_number, write_share
from scenes.beats import quoted, shorten
from scenes.stretched_word import TIMES, Floats, Measures, lengths

__all__ = ["SOURCES", "WeightsWords"]

SOURCES = (
    ("Attention is not Explanation", "Jain & Wallace 2019"),
    ("Attention is not not Explanation", "Wiegreffe & Pinter 2019"),
)
COUNTS = {1: "one answer", 2: "two answers", 3: "three answers"}


@dataclass(frozen=True, eq=False)
class WeightsWords:
    """The captions, true of any row.

    words: the whole sentence; shown: which are drawn; star: the word whose value is stretched;
    before and after: attention without and with that; measures: those of `after`.
    """

    words: Sequence[str]
    shown: Sequence[int]
    focus: int
    star: int | None
    before: Attention
    after: Attention
    measures: Measures
    digits: int

    @property
    def count(self) -> int:
        """How many words may be looked at."""
        return int(np.isfinite(self.before.masked[self.focus]).sum())

    def name(self, index: int) -> str:
        """A word in quotes, short enough for a caption."""
        return quoted(shorten(self.words[index], 12))

    def question(self) -> str:
        """What is asked before anything is shown."""
        if self.count == 1:
            return f"{self.name(self.focus)} listens to one word only. Does its weight say all?"
        return f"Which word's value could overturn what {self.name(self.focus)} collects?"

    def nothing(self) -> str:
        """For a word that may look at nothing."""
        return f"{self.name(self.focus)} may look at nothing: no weight, no output, no answer."

    def stretching(self) -> str:
        """Whose value is made longer."""
        if self.star is None:
            return "Every value is 0, so the output is 0, wherever the weights lie."
        weight = float(self.before.weights[self.focus, self.star])
        share = self.share(weight).replace("<", "less than ")
        only = "only " if share[0] == "0" and 0 < weight < 0.5 / self.count else ""
        name = self.name(self.star)
        return f"{name} has a weight of {only}{share}. Make its value a hundred times longer."

    def overturned(self) -> str:
        """What that does to the output."""
        before, after = self.before.output[self.focus], self.after.output[self.focus]
        if len(before) > 2:
            was, now = (self.number(float(lengths(output))) for output in (before, after))
            if was == now:
                return f"The output's length stays {was} as printed, so little does it give."
            return f"The output's length goes from {was} to {now}, and no weight has moved."
        was, now = (write_list(output, self.digits) for output in (before, after))
        if was == now:
            return f"The output stays {was} as printed, so little does it give."
        return f"The output goes from {was} to {now}, and no weight has moved."

    def giving(self) -> str:
        """The second row of bars."""
        return "What each word really gave: the length of weight times value."

    def disagreement(self) -> str:
        """Whom the two rows put first."""
        m = self.measures
        if not m.gave.any():
            return "However the weight is shared out, no word gave anything."
        if self.count == 1:
            return "One word leads both rows. But its weight was 1 before its value grew, too."
        if self.leaders(m.weights) == self.leaders(m.gave):
            return f"Here {self.lead(m.gave)} leads both rows. It needn't be so."
        return f"Largest weight: {self.lead(m.weights)}. Gave most: {self.lead(m.gave)}."

    def leaving(self) -> str:
        """The third row of bars."""
        if self.count == 1:
            return "Leave the only word out, and nothing is left: the output is 0."
        return "Leave each word out in turn: how far does the output move?"

    def missed(self) -> str:
        """Whom the third row puts first, and how many answers there are."""
        m = self.measures
        if not m.moved.any():
            return "Whichever is left out, the output doesn't move at all."
        by = self.share(float(m.moved[list(self.shown)].max())).replace("<", "less than ")
        answers = COUNTS[len({self.leaders(row) for row in (m.weights, m.gave, m.moved)})]
        end = "Here all three agree." if answers == COUNTS[1] else f"Three measures, {answers}."
        return f"Most missed: {self.lead(m.moved)}, by {by}. {end}"

    def other(self) -> str:
        """Other weights that give the same output, with the sentence's own values."""
        output = self.before.output[self.focus]
        same = f"{write_list(output, self.digits)} again" if len(output) <= 2 else "the same"
        own = "" if self.star is None else "Its own values again. "
        return f"{own}Other weights, and the output is {same}."

    def close(self) -> str:
        """What to take along."""
        return (
            "A weight says where information could flow, not what was done with it. "
            "It is a place to begin asking."
        )

    def product(self, times: float) -> list[str]:
        """The star's weight, its value's length when `times` as long, and what it then gives."""
        weight, length = self._star()
        long = length * times
        return [self.share(weight), self.number(long), self.share(weight * long)]

    def rounding(self) -> str:
        """What the printed weight stands for, where the printed product doesn't come out."""
        weight, length = self._star()
        printed, gives = self.share(weight), self.product(TIMES)[-1]
        finer = [
            write_share(weight, digits)
            for digits in range(self.digits, self.digits + 7)
            if self.share(float(round_half_up(weight, digits)) * length * TIMES) == gives
        ]
        if not finer or finer[0] == printed or printed.startswith("<"):
            return ""
        return f"{printed} stands for {finer[0]}…"

    def output(self, output: Floats) -> str:
        """An output on the board: a list, or its length where that would be a long one."""
        if len(output) <= 2:
            return write_list(output, self.digits)
        return self.number(float(lengths(output)))

    def written(self, measured: Floats) -> list[str]:
        """A measure of the words shown; nothing for one that may not be looked at."""
        open_ = np.isfinite(self.before.masked[self.focus, list(self.shown)])
        return [self.share(number) if may else "" for number, may in zip(measured, open_)]

    def _star(self) -> tuple[float, float]:
        """The star's weight, and how long its own value is."""
        star = self.star or 0
        weight = float(self.before.weights[self.focus, star])
        return weight, float(lengths(self.before.value[star]))

    def leaders(self, measured: Floats) -> frozenset[int]:
        """Which of the words shown a measure puts first: several where it is written alike."""
        shown = list(self.shown)
        most = float(measured[shown].max())
        if not most:
            return frozenset()
        written = self.share(most)
        return frozenset(j for j in shown if self.share(measured[j]) == written)

    def lead(self, measured: Floats) -> str:
        """Who that is, in a caption."""
        leaders = self.leaders(measured)
        return self.name(next(iter(leaders))) if len(leaders) == 1 else "several alike"

    def share(self, number: float) -> str:
        """A weight or a length by itself, "<0.01" where it isn't quite 0."""
        return write_share(float(number), self.digits)

    def number(self, number: float) -> str:
        """A number by itself."""
        return write_number(number, self.digits)
