"""What the softmax scene says, in the sentence's own words and numbers. No Manim here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.notation import round_half_up, write_entries, write_number, write_share
from scenes.beats import quoted
from scenes.parts.softmax_row import SoftmaxRow

__all__ = ["SoftmaxWords"]

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven", "twelve")  # fmt: skip


@dataclass(frozen=True, eq=False)
class SoftmaxWords:
    """The captions, each true of any row.

    names: the words shown, short; focus: which of them listens; scores: what stands under each,
    and its texts; turns: whether keys have a direction that can be turned.
    """

    row: SoftmaxRow
    names: Sequence[str]
    focus: int
    scores: NDArray[np.floating]
    score_texts: Sequence[str]
    digits: int
    turns: bool = True

    @property
    def lowest(self) -> int:
        """The first of the words that score lowest, of those that may be looked at."""
        return min(self.row.open, key=lambda i: float(self.scores[i]))

    @property
    def highest(self) -> int:
        """The first of the words that score highest."""
        return max(self.row.open, key=lambda i: float(self.scores[i]))

    def name(self, i: int) -> str:
        """A word in quotation marks, so that "the" can be told from the."""
        return quoted(self.names[i])

    def question(self) -> str:
        """What the viewer is asked before anything is shown."""
        listener, asked = self.name(self.focus), self.name(self.lowest)
        score = self.score_texts[self.lowest] if self.scores[self.lowest] else "0"
        whom = "itself" if self.lowest == self.focus else listener
        if self.row.count == 1:
            only = "itself" if self.row.open[0] == self.focus else asked
            return f"{listener} may look at {only} only. What share will it get?"
        if self.scores[self.lowest] == self.scores[self.highest]:
            return f"All scores are {score}. What share will {asked} get?"
        if self.scores[self.lowest] == 0:
            return f"{asked} doesn't match {whom} at all. What share will its score of 0 get?"
        of = f"of the {len(self.names)} shown" if self.row.hidden else "here"
        return f"{asked} scores lowest {of}, {score}. What share will it get?"

    def nothing(self) -> str:
        """For a word that may look at nothing."""
        return f"{self.name(self.focus)} may look at no word at all: every score is −∞."

    def cannot_divide(self, lowest: float) -> str:
        """Why dividing by the total won't do, where the scores show it already."""
        why, score = "Why not divide by the total?", float(self.scores[self.lowest])
        if score < 0:
            return f"{why} {self.name(self.lowest)} has {self._said(score)}: no share is below 0."
        if lowest < 0:
            return f"{why} A word not shown scores below 0, and no share is."
        return f"{why} Here all scores are 0, and so is the total."

    def turned(self, share: float) -> str:
        """Once a key has been turned past the right angle, or pushed past 0 on a line."""
        text = write_number(share, self.digits)
        how = "Turn a key past 90°" if self.turns else "Push a key past 0"
        return f"Why not divide by the total? {how}, and {text} is no share."

    def above_zero(self, score: float) -> str:
        """e to a number below 0 is above 0."""
        text = write_entries([score, 0.5], self.digits)[0]
        exp = write_share(math.exp(score), self.digits).replace("<", "less than ")
        return f"Even e to {text} is above 0: it is {exp}."

    def largest_off(self, shift: float) -> str:
        """Where exponentials overflow, or vanish, on paper."""
        text = write_number(shift, self.digits)
        size = "large" if shift > 0 else "small"
        return f"e to {text} is too {size} to write. Only differences count: take it off each."

    def raise_e(self) -> str:
        """The exponentials."""
        best = self.highest
        exp = self.row.exp_texts[best]
        masked = [self.name(i) for i, is_masked in enumerate(self.row.masked) if is_masked]
        if len(masked) == 1:
            return f"Raise e to each score. {masked[0]} is masked: e to −∞ is 0."
        if masked:
            return f"Raise e to each score. {len(masked)} words are masked: e to −∞ is 0."
        return f"Raise e, 2.718…, to each score: {self.name(best)} gets {exp}."

    def total(self) -> str:
        """The bars laid end to end."""
        if len(self.row.exps) == 1:
            return f"One bar only, so the total is {self.row.total_text}."
        return f"Laid end to end they make the total: {self.row.total_text}."

    def divide(self) -> str:
        """The total becomes 1."""
        if self.row.count == 1:
            return "Divided by the total, that is 1: the only word gets everything."
        return f"Divide each by {self.row.total_text}: one bar of length 1, cut into shares."

    def not_nothing(self) -> str:
        """The share of the lowest score."""
        i = self.lowest
        name, share = self.name(i), float(self.row.shares[i])
        power, exp = self.row.input_texts[i], write_share(float(self.row.exps[i]), self.digits)
        if self.row.count == 1:
            return "Whatever its score, a word that is alone gets all of it."
        if share == 0:
            return f"{name} gets a share too small for a computer to tell from 0, but not 0."
        text = write_share(share, self.digits)
        if text.startswith("<"):
            return f"{name} gets less than {text[1:]}, yet not nothing: e to any score is above 0."
        if self.row.inputs[i] == 0 and float(self.scores[i]) == 0:
            return f"A score of 0 isn't a share of 0: e to the 0 is 1, so {name} gets {text}."
        if self.scores[i] == self.scores[self.highest]:
            return f"Equal scores get equal shares: {text} each."
        lowest = "lowest shown" if self.row.hidden else "lowest score"
        return f"Even the {lowest} has a share: e to {power} is {exp}, a share of {text}."

    def only_differences(self, step: float) -> str:
        """What adding the same to every score does."""
        times = write_number(math.exp(step), self.digits)
        count = self.row.count
        many = f"all {COUNTS[count] if count <= 12 else count} scores"
        which = {1: "the score", 2: "both scores"}.get(count, many)
        does = f"Add {step:.0f} to {which}" if step > 0 else f"Take {-step:.0f} from {which}"
        return f"{does}: e to each grows {times} times, and no share changes."

    def missing(self, printed: float) -> str:
        """Where printed shares don't add up to 1."""
        text, gap = (write_number(x, self.digits) for x in (printed, abs(1 - printed)))
        if printed < 1:
            return f"Printed shares add to {text}. The missing {gap} is in the digits not printed."
        return f"Printed shares add to {text}. The {gap} too much is what rounding up put in."

    def _said(self, score: float) -> str:
        """A number below 0, also where it is printed as 0.00."""
        if round_half_up(score, self.digits) == 0:
            return "just under 0"
        return write_entries([score], self.digits)[0]
