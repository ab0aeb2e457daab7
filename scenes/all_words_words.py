"""What the scene of the whole grid says, worded from its numbers. No Manim here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import Attention, Sentence
from engine.notation import write_exactly, write_list, write_number, write_share
from scenes.beats import quoted, shorten

__all__ = ["AllWordsWords", "Seen", "look_at_row", "numpy_lines", "telling_rows"]

ALIKE = 1e-9
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven", "twelve")  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What is worth seeing in a listener's row: `kind` is nothing, only, even, split or most.

    tops: the words with the largest share, all of them where they tie.
    """

    listener: int
    kind: str
    tops: tuple[int, ...]


def look_at_row(attention: Attention, listener: int) -> Seen:
    """What there is to be seen in one row of weights."""
    weights = attention.weights[listener]
    may_see = np.isfinite(attention.masked[listener])
    if not may_see.any():
        return Seen(listener, "nothing", ())
    most = weights.max()
    tops = tuple(int(j) for j in np.flatnonzero(weights >= most * (1 - ALIKE)))
    if may_see.sum() == 1:
        return Seen(listener, "only", tops)
    if len(tops) == may_see.sum():
        return Seen(listener, "even", tops)
    return Seen(listener, "most" if len(tops) == 1 else "split", tops)


def telling_rows(attention: Attention, focus: int, shown: Sequence[int]) -> list[Seen]:
    """At most two rows to look at, not the focus word's own unless there is no other.

    One whose most is another word's, and one that is split; else the first there are.
    """
    others = [i for i in shown if i != focus] or [focus]
    seen = [look_at_row(attention, i) for i in others]
    seen = [row for row in seen if all(j in shown for j in row.tops)] or seen
    most = [row for row in seen if row.kind == "most" and row.tops != (row.listener,)]
    split = [row for row in seen if row.kind in ("split", "even", "nothing", "only")]
    chosen = [*most[:1], *split[:1]]
    chosen += [row for row in seen if row not in chosen][: 2 - len(chosen)]
    return sorted(chosen, key=lambda row: row.kind != "most")


class AllWordsWords:
    """The captions, each true of any sentence.

    words: the whole sentence; focus: whose row comes first; shown: which are drawn. turned: whether
    the picture's rows are keys. divisor: what scores are divided by, "" where they aren't.
    """

    def __init__(
        self,
        attention: Attention,
        words: Sequence[str],
        focus: int,
        shown: Sequence[int],
        digits: int,
        divisor: str,
        is_scaled: bool,
        *,
        turned: bool,
    ) -> None:
        self.attention, self.words, self.focus, self.shown = attention, words, focus, shown
        self.digits, self.divisor, self.is_scaled = digits, divisor, is_scaled
        self.row, self.column = ("column", "row") if turned else ("row", "column")
        self.n = len(words)

    def name(self, index: int) -> str:
        """A word in quotes, short enough for a caption."""
        return quoted(shorten(self.words[index], 10))

    def one_row(self) -> str:
        """The focus word's scores."""
        if self.n == 1:
            return "One word, one score: the grid has a single cell."
        return f"The scores of {self.name(self.focus)} are one {self.row} of a grid."

    def every_question(self) -> str:
        """The cells still empty."""
        n = self.n
        drawn = "" if len(self.shown) == n else f" {len(self.shown)} words are drawn."
        others = "The other word asks" if n == 2 else f"The other {_count(n - 1)} words ask"
        return f"{others} as well: {n}\u00a0×\u00a0{n}\u00a0= {n * n:,} cells.{drawn}"

    def one_cell(self, query: int, key: int) -> str:
        """The sweep, once slowly."""
        score = write_number(float(self.attention.scores[query, key]), self.digits)
        whom = "its own key" if query == key else f"the key of {self.name(key)}"
        return f"One cell: the query of {self.name(query)} times {whom} is {score}."

    def all_at_once(self) -> str:
        """The product of matrices."""
        return "Q Kᵀ is every question against every label."

    def scale(self) -> str:
        """The root, or what else divides."""
        if self.divisor and self.is_scaled:
            return f"Divide every cell by {self.divisor}."
        return f"This sentence isn't scaled; its temperature divides every cell by {self.divisor}."

    def mask(self) -> str:
        """Cells that may not be looked at."""
        return "Hatched is what the mask forbids: those scores become −∞, before softmax."

    def softmax(self) -> str:
        """Rows become shares."""
        each = f"Softmax, {self.row} by {self.row}"
        if self.n == 1:
            return "Softmax: a single word has the whole bar of length 1."
        return f"{each}: each becomes a bar of length 1."

    def rows_and_columns(self, key: int) -> str:
        """What a row is and what a column is, which adds to anything."""
        total = write_share(float(self.attention.weights[:, key].sum()), self.digits)
        row, column = self.row.capitalize(), self.column.capitalize()
        is_full = bool(self.attention.weights.any(axis=-1).all())
        adds = "add to 1" if is_full else "add to 1 or are empty"
        return f"{row}s listen, and {adds}. {column}s are heard: {self.name(key)} gets {total}."

    def seen(self, seen: Seen) -> str:
        """What is to be seen in a row, and why."""
        listener, weights = self.name(seen.listener), self.attention.weights[seen.listener]
        if seen.kind == "nothing":
            return f"{listener} may look at nothing: its {self.row} stays empty."
        top = seen.tops[0]
        whom = "itself" if top == seen.listener else self.name(top)
        if seen.kind == "only":
            return f"{listener} may look at {whom} only, so that gets all."
        share = write_share(float(weights[top]), self.digits)
        if seen.kind == "even":
            return f"{listener} spreads evenly over {_count(len(seen.tops))} words: {share} each."
        if seen.kind == "split":
            return f"{listener} splits evenly between {_count(len(seen.tops))} words: {share} each."
        return f"{listener} listens most to {whom}: {self._reason(seen.listener, top)}."

    def code(self, which: str) -> str:
        """What a line of NumPy does."""
        focus = self.focus
        if which == "Mask":
            return "One line for the mask, before softmax."
        if which == "Scores":
            return "In NumPy: one line for every score."
        if which == "Weights":
            return f"One line for softmax, {self.row} by {self.row}."
        output = write_list(self.attention.output[focus][:2], self.digits)
        if self.attention.output.shape[-1] > 2:
            output = output.replace("]", ", …]")
        return f"One line for every mixture: {self.name(focus)} gets {output}."

    def _reason(self, listener: int, top: int) -> str:
        """Why the top word's key scores best: its direction, its length, or both."""
        query, keys = self.attention.query[listener], self.attention.key
        open_keys = np.flatnonzero(np.isfinite(self.attention.masked[listener]))
        lengths = np.linalg.norm(keys, axis=-1)
        if not lengths[top] or self.attention.scores[listener, top] <= 0:
            return "no key points its way, this one least away"
        cosines = {j: float(query @ keys[j] / lengths[j]) if lengths[j] else 0.0 for j in open_keys}
        best = max(cosines.values())
        along = [j for j in open_keys if cosines[j] >= best * (1 - 1e-6)]
        lies = best >= float(np.linalg.norm(query)) * (1 - 1e-6)
        where = "its key lies along the query" if lies else "its key is best aligned"
        if top in along:
            if len(along) > 1:
                return f"{where}, and is {'longer' if len(along) == 2 else 'longest of those'}"
            is_longest = all(lengths[top] > lengths[j] for j in open_keys if j != top)
            return f"{where}, and is longest" if is_longest else where
        return "its key is long, though not best aligned"


def numpy_lines(sentence: Sentence, attention: Attention) -> dict[str, tuple[str, str]]:
    """What each step is in NumPy: as one line, and broken where one has no room."""
    divisors = [f"np.sqrt({attention.key.shape[-1]})"] if sentence.scaled else []
    if sentence.temperature != 1:
        divisors.append(write_exactly(sentence.temperature))
    over = "".join(f" / {divisor}" for divisor in divisors)
    broken = f"scores = (Q @ K.T\n   {over})" if over else "scores = Q @ K.T"
    lines = {"Scores": (f"scores = Q @ K.T{over}", broken)}
    if attention.mask is not None:
        lines["Mask"] = ("scores[~mask] = -np.inf", "scores[~mask] = (\n    -np.inf)")
    lines["Weights"] = ("weights = softmax(scores)", "weights = softmax(\n    scores)")
    lines["Outputs"] = ("out = weights @ V", "out = weights @ V")
    return lines


def _count(number: int) -> str:
    return COUNTS[number] if number < len(COUNTS) else str(number)
