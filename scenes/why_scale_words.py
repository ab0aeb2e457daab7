"""What the why-scale scene says, and the numbers that it says it of. No Manim here."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine import Attention, softmax
from engine.notation import round_half_up, write_number, write_share
from scenes.beats import quoted

__all__ = ["DRAWS", "NUDGE", "SEED", "STOPS", "TIMES", "Row", "WhyScaleWords", "largest_shares"]

Numbers = NDArray[np.floating]

STOPS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
DRAWS, SEED = 1000, 2017
TIMES, NUDGE = 10.0, 1.0


@dataclass(frozen=True, eq=False)
class Row:
    """What goes into softmax, one number a word of the sentence, and the shares it makes."""

    inputs: Numbers
    shares: Numbers

    @classmethod
    def of(cls, inputs: Numbers) -> Row:
        """The row with these inputs."""
        return cls(inputs, softmax(inputs))

    def nudged(self, word: int, by: float) -> Row:
        """The same with `by` added to one word's input."""
        return Row.of(self.inputs + by * (np.arange(len(self.inputs)) == word))

    def moved(self, word: int) -> float:
        """How far a word's share moves when its input is nudged."""
        return float(self.nudged(word, NUDGE).shares[word] - self.shares[word])


def largest_shares(words: int) -> tuple[Numbers, Numbers]:
    """How large the largest share is for random vectors, without scaling and with.

    Queries and keys of DRAWS sentences of that many words, every entry normal with mean 0 and
    variance 1, the first d of 512 entries used at each of STOPS. Returns two (stops, 3): the lower
    quartile, the median and the upper quartile.
    """
    random = np.random.default_rng(SEED)
    scores = np.zeros((len(STOPS), DRAWS, words))
    for draw in range(DRAWS):
        products = random.standard_normal((words, STOPS[-1])) * random.standard_normal(STOPS[-1])
        scores[:, draw] = [products[:, :d].sum(axis=1) for d in STOPS]
    root = np.sqrt(np.array(STOPS))[:, None, None]

    def quartiles(inputs: Numbers) -> Numbers:
        return np.quantile(softmax(inputs).max(axis=-1), (0.25, 0.5, 0.75), axis=-1).T

    return quartiles(scores), quartiles(scores / root)


class WhyScaleWords:
    """The captions, each true of any sentence's row.

    scaled, plain and large are softmax of the scores divided by √d_k, as they are, and ten times as
    large (all over the temperature). `best` and `second` are the words that score highest of those
    in `names` (text by index); count is how many may be looked at.
    """

    def __init__(
        self,
        attention: Attention,
        focus: int,
        temperature: float,
        names: dict[int, str],
        digits: int,
    ) -> None:
        scores = attention.scores[focus] / temperature
        self.masked = attention.masked[focus] == -math.inf
        self.d_k, self.digits = attention.key.shape[-1], digits
        self.scaled, self.plain, self.large = (
            Row.of(np.where(self.masked, -math.inf, scores * times))
            for times in (1 / math.sqrt(self.d_k), 1.0, TIMES)
        )
        self.names = {j: quoted(name) for j, name in names.items()}
        self.count = int(np.sum(~self.masked))
        ranked = sorted((j for j in names if not self.masked[j]), key=lambda j: -scores[j])
        self.best, self.second = [*ranked, 0, 0][:2]
        self.root = f"√{self.d_k} = {self.number(math.sqrt(self.d_k))}"
        self.divisor = self.number(math.sqrt(100 * self.d_k))

    def number(self, number: float) -> str:
        """A number as it is written."""
        return write_number(number, self.digits)

    def largest(self, row: Row) -> str:
        """The largest share of a row."""
        return write_share(float(row.shares.max()), self.digits)

    def moved(self, row: Row) -> str:
        """How far the second-best word's share moves when nudged."""
        return write_share(row.moved(self.second), self.digits)

    def twins(self) -> str:
        """What the two rows are."""
        if self.d_k == 1:
            return "Softmax twice. Vectors have one entry here: dividing by √1 changes nothing."
        return f"Softmax twice, of the same scores: above divided by {self.root}, below not."

    def difference(self) -> str:
        """How much that matters for this sentence."""
        scaled, plain = self.largest(self.scaled), self.largest(self.plain)
        if self.count == 1:
            return "One word gets everything, scaled or not: it has no choice to make."
        entries = "1 entry" if self.d_k == 1 else f"{self.d_k} entries"
        if scaled == plain:
            return f"The largest share is {scaled} either way. But what if vectors are longer?"
        return f"Not scaled, {plain} instead of {scaled}. That is with {entries} a vector."

    def draws(self, words: int) -> str:
        """What the dial is."""
        return f"{DRAWS:,} times {words} random words: how does the largest share depend on dₖ?"

    def turned(self, plain: Numbers) -> str:
        """What the dial shows without scaling; the medians from the first stop to the last."""
        first, last = self._ends(plain)
        return f"Not scaled, the median largest share goes from {first} to {last}: a hard pick."

    def choice(self, scaled: Numbers) -> str:
        """What scaling makes of it."""
        first, last = self._ends(scaled)
        return f"Divided by √dₖ it stays a choice: {first} at first, {last} in the end."

    def ten_times(self) -> str:
        """Why scores may be ten times as large."""
        return "A hundred times as many entries make scores about ten times as large."

    def pick(self) -> str:
        """What ten times the scores do to the largest share."""
        plain, large = self.largest(self.plain), self.largest(self.large)
        name = self.names[self.best]
        before, now = (
            round_half_up(float(row.shares.max()), self.digits) for row in (self.plain, self.large)
        )
        is_hard = now == 1
        if before == now:
            why = "a hard pick already" if is_hard else "it makes no difference here"
            return f"The largest share is {plain} both times: {why}."
        pick = "No soft choice any more, a hard pick" if is_hard else "A harder pick"
        return f"{pick}: {name} had {plain}, and now has {large}."

    def nudge(self) -> str:
        """The same nudge on both sides, and what comes of it."""
        above, below = (self._said(self.moved(row)) for row in (self.plain, self.large))
        name = self.names[self.second]
        if above == below:
            return f"Add 1 to the input of {name}: its share moves {above} in both."
        return f"Add 1 to the input of {name}: its share moves {above} above, {below} below."

    def learning(self) -> str:
        """What the nudge tells about learning."""
        above, below = self.plain.moved(self.second), self.large.moved(self.second)
        if below < 0.01:
            lesson = "Learning is nudging. Where nothing moves, there is nothing to learn from."
            return f"{lesson} Here that is so in both." if above < 0.01 else lesson
        if below < above / 2:
            return "Learning is nudging. The harder the pick, the less a nudge tells."
        return "Learning is nudging. Here both still move: neither is a hard pick."

    def scaling(self) -> str:
        """The large scores, scaled."""
        d_k = 100 * self.d_k
        return f"With {d_k} entries, divide by √{d_k} = {self.divisor}: the first shares again."

    def _ends(self, quartiles: Numbers) -> tuple[str, str]:
        first, last = (write_share(float(quartiles[i, 1]), self.digits) for i in (0, -1))
        return first, last

    def _said(self, share: str) -> str:
        return "by nothing" if share == "0" else share.replace("<", "less than ")
