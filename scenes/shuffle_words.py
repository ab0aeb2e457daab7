"""What the shuffle scene says, worded from its numbers. No Manim here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.sentence import Sentence
from scenes.beats import quoted, shorten, text_width
from scenes.direction import isolated
from scenes.parts.written import output_written

__all__ = ["ShuffleWords"]

Floats = NDArray[np.floating]

SPOKEN = 30


@dataclass(frozen=True, eq=False)
class ShuffleWords:
    """The captions, true of any sentence.

    shuffled: the words shown, in the new order; before and after: what the focus word collects with
    positions, in the old order and in the new; line: what a query's cells make in the picture;
    width: how many numbers a position has.
    """

    sentence: Sentence
    shuffled: Sequence[str]
    before: Floats
    after: Floats
    digits: int
    line: str
    width: int

    @property
    def focus(self) -> str:
        """The focus word in quotes."""
        return quoted(shorten(self.sentence.words[self.sentence.focus], 12))

    @property
    def spoken(self) -> str:
        """The words in their new order, if they are few and short enough to be said."""
        text = " ".join(map(isolated, self.shuffled))
        is_short = text_width(text) <= SPOKEN and len(self.shuffled) == len(self.sentence.words)
        return quoted(text) if is_short else "In the new order"

    def collecting(self) -> str:
        """Weights and outputs, before anything is moved."""
        left_out = []
        if self.sentence.positions != "none":
            left_out.append("positions")
        if self.sentence.causal:
            left_out.append("the causal mask")
        without = f", without {' and '.join(left_out)}" if left_out else ""
        return f"What every word listens to, and what it collects{without}."

    def alone(self) -> str:
        """For a sentence of one word."""
        return f"{self.focus} is the only word: there is no order to lose."

    def changing(self) -> str:
        """Rows of Q, K and V in another order."""
        return "Each word has its row of Q, K and V. Let the rows change places."

    def following(self) -> str:
        """What that does to the grid."""
        moved = "rows follow the queries, its columns the keys"
        if self.line == "column":
            moved = "columns follow the queries, its rows the keys"
        return f"The grid's {moved}. Not one number changes."

    def same(self) -> str:
        """Outputs follow as well."""
        collects = "every word collects what it did before"
        spoken = self.spoken
        return f"{spoken}: {collects}." if spoken[0] == "“" else f"{spoken} {collects}."

    def bag(self) -> str:
        """What that means."""
        return "To attention alone, a sentence is a bag of words."

    def hands(self) -> str:
        """Positions."""
        if self.width == 1:
            return "So every place gets a number of its own: a sine."
        if self.width == 2:
            return "So every place gets a hand that turns: a sine and a cosine, two numbers."
        return "So every place gets hands that turn: a sine and a cosine each, two numbers."

    def staying(self) -> str:
        """They belong to the places."""
        thing = ("number", "hand")[self.width > 1]
        if self.width <= 2:
            return f"The {thing} belongs to the place, not to the word: words go, it stays."
        return "The hands belong to the place, not to the word: words go, they stay."

    def adding(self) -> str:
        """What they are added to."""
        is_given = self.sentence.heads[0].query is not None
        what = "every query and key" if is_given else "every word's vector"
        they = "it changes" if self.width <= 2 else "they change"
        return f"Added to {what}, {they} what listens to what."

    def changed(self) -> str:
        """The same shuffle with positions."""
        before, after = (self._said(output) for output in (self.before, self.after))
        if before == after:
            return (
                f"Shuffle again: {self.focus} still collects {before}, as far as that is printed."
            )
        return f"Shuffle again: {self.focus} collected {before}, and now {after}."

    def close(self) -> str:
        """What to take along."""
        return "A bag of words, until positions are added."

    def _said(self, output: Floats) -> str:
        text, is_cut = output_written(output, self.digits)
        return f"{text} …]" if is_cut else text
