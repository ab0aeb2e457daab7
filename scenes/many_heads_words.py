"""What the scene of many heads says, and the numbers that it says it of. No Manim here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.attention import Attention
from engine.notation import write_list, write_number, write_share
from engine.sentence import Sentence, attention_of
from scenes.beats import quoted, shorten

__all__ = ["PAPER", "HeadsWords", "Joined", "join"]

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Paper:
    """The base model of Vaswani et al. 2017, §3.2.2."""

    heads: int = 8
    width: int = 64

    @property
    def joined(self) -> int:
        """How many numbers the heads' outputs have, end to end."""
        return self.heads * self.width


PAPER = Paper()


@dataclass(frozen=True, eq=False)
class Joined:
    """One word's outputs of all heads laid end to end, (Σ d_v,), and what W_O makes of them.

    widths: how many numbers each head gives; w_output (Σ d_v, d_model) and output (d_model,) are
    None where the sentence has no W_O.
    """

    numbers: Floats
    widths: tuple[int, ...]
    w_output: Floats | None
    output: Floats | None


def join(sentence: Sentence, word: int) -> Joined:
    """What all heads give one word, joined and mixed (Vaswani et al. 2017, §3.2.2)."""
    outputs = [attention_of(sentence, h).output[word] for h in range(len(sentence.heads))]
    numbers = np.concatenate(outputs)
    matrix = None if sentence.w_output is None else np.array(sentence.w_output, float)
    return Joined(
        numbers, tuple(len(output) for output in outputs), matrix,
        None if matrix is None else numbers @ matrix,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class HeadsWords:
    """The captions, true of any sentence of two heads or more.

    heads: the two that are drawn; attentions: theirs; shown: which words are drawn.
    """

    sentence: Sentence
    heads: tuple[int, int]
    attentions: tuple[Attention, Attention]
    shown: tuple[int, ...]
    joined: Joined
    digits: int

    @property
    def focus(self) -> str:
        """The focus word in quotes."""
        return self.word(self.sentence.focus)

    def word(self, index: int) -> str:
        """A word in quotes, short enough for a caption."""
        return quoted(shorten(self.sentence.words[index], 12))

    def name(self, which: int) -> str:
        """A drawn head's name in quotes."""
        return quoted(shorten(self.sentence.heads[self.heads[which]].name, 12))

    def asking(self) -> str:
        """Two heads."""
        count = len(self.sentence.heads)
        of = "Two heads" if count == 2 else f"{count} heads, two of them drawn"
        return f"{of}: each asks the same words a question of its own."

    def sharing(self) -> str:
        """Two grids."""
        return "Each scores and shares for itself: the same words, two grids."

    def winners(self) -> str:
        """Whom the focus word listens to most in each."""
        first, second = (self.winner(which) for which in (0, 1))
        if first is None and second is None:
            return f"{self.focus} may look at nothing, in one head as in the other."
        assert first is not None
        assert second is not None
        names = self.name(0), self.name(1)
        if first == second:
            shares = (self.share(which, first) for which in (0, 1))
            text = " and ".join(shares)
            return f"{self.focus} listens most to {self.word(first)} in both, with {text}."
        to = (f"{self.word(j)} in {name}" for j, name in zip((first, second), names))
        return f"{self.focus} listens most to {' and to '.join(to)}."

    def winner(self, which: int) -> int | None:
        """The word shown that the focus word listens to most in a head; None where to nothing."""
        weights = self.attentions[which].weights[self.sentence.focus]
        best = max(self.shown, key=lambda j: float(weights[j]))
        return best if weights[best] > 0 else None

    def share(self, which: int, word: int) -> str:
        """A weight of the focus word in a head."""
        return write_share(float(self.attentions[which].weights[self.sentence.focus, word]),
                           self.digits)  # fmt: skip

    def collecting(self) -> str:
        """Each head's output."""
        return f"Each head hands {self.focus} an output of its own."

    def joining(self) -> str:
        """End to end."""
        count, widths = len(self.joined.numbers), self.joined.widths
        if len(widths) > 4:
            return f"The outputs of all {len(widths)} heads, end to end: {count:,} numbers."
        each = " + ".join(map(str, widths))
        return f"Laid end to end: {each} = {count} numbers."

    def mixing(self) -> str:
        """W_O."""
        if self.joined.output is None:
            return "A real layer mixes them by one more matrix, W_O. This sentence gives none."
        width = len(self.joined.output)
        numbers = "one number" if width == 1 else f"{width} numbers"
        return f"One more matrix, W_O, mixes them into {numbers}."

    def mixed(self) -> str:
        """What came out."""
        output = self.joined.output
        if output is None:
            return ""
        written = write_list(output, self.digits) if len(output) <= 3 else "The result"
        return f"{written}: as wide as a word's own vector, to be added to it."

    def paper(self) -> str:
        """The 2017 model."""
        return (
            f"In the 2017 paper {PAPER.heads} heads take {PAPER.width} numbers each: "
            f"{PAPER.joined} again, end to end."
        )

    def ours(self) -> str:
        """Why ours are as they are."""
        widths = set(self.joined.widths)
        if widths == {2}:
            return "Ours keep two each, so that we can draw them."
        return "Smaller heads, but more of them: about as much work as a single large one."

    def close(self) -> str:
        """What to take along."""
        return "Several smaller attentions, joined by one matrix."

    def number(self, number: float) -> str:
        """A number by itself."""
        return write_number(number, self.digits)
