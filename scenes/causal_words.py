"""What the causal triangle says, worded from its numbers. No Manim here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.masks import BoolArray
from engine.notation import write_number, write_share
from scenes.beats import quoted, shorten
from scenes.masked_row import MaskedRow, write_sum

__all__ = ["CausalWords"]


@dataclass(frozen=True, eq=False)
class CausalWords:
    """The question and the captions, true for any row.

    words: the whole sentence; shown: which are drawn; allowed (n, n): the document's own
    mask. line: what a query's cells make in the picture, a row or (turned) a column.
    """

    words: Sequence[str]
    shown: Sequence[int]
    row: MaskedRow
    allowed: BoolArray
    has_own_mask: bool
    digits: int
    line: str = "row"

    def name(self, index: int) -> str:
        """A word in quotes, short enough for a caption."""
        return quoted(shorten(self.words[index], 12))

    @property
    def later(self) -> str:
        """The hidden words: by name where there is one."""
        return self.name(self.row.hidden[0]) if len(self.row.hidden) == 1 else "the later words"

    @property
    def listener(self) -> str:
        """Whose row it is."""
        return self.name(self.row.listener)

    def share(self, weight: float) -> str:
        """An open word's share, which is never quite 0."""
        return write_share(weight or 5e-324, self.digits)

    def question(self) -> str:
        """What is asked before anything is shown."""
        if len(self.words) == 1:
            return f"{self.listener} is the only word. Is there anything to forbid?"
        if not self.row.hidden:
            return "Who may hear whom, while the sentence is still being written?"
        go = "goes" if len(self.row.hidden) == 1 else "go"
        if self.row.star is None:
            return f"{self.listener} hears only later words. What is left when they go?"
        share = self.share(float(self.row.before.weights[self.row.star]))
        given = "itself" if self.row.star == self.row.listener else self.name(self.row.star)
        return f"{self.listener} gives {given} {share}. What if {self.later} {go}?"

    def writing(self) -> str:
        """Words come one by one."""
        if len(self.words) == 1:
            return f"{self.listener} is written, and no word comes after it."
        if not self.row.hidden:
            return "Written one by one, no word can hear a word that isn't there yet."
        isnt = "isn't" if len(self.row.hidden) == 1 else "aren't"
        return f"Written one by one: when {self.listener} comes, {self.later} {isnt} there yet."

    def one_pass(self) -> str:
        """All cells are scored, also those of words to come."""
        n = len(self.words)
        if n == 1:
            return "One word, one score: for itself."
        later = n * (n - 1) // 2
        is_are = "belongs" if later == 1 else "belong"
        text = f"Scored in one pass: {later:,} of {n * n:,} cells {is_are} to words still to come."
        if self.has_own_mask:
            text += " Hatched: what this sentence's own mask forbids already."
        return text

    def forbidding(self) -> str:
        """The mask itself."""
        if len(self.words) == 1:
            return "The mask makes the score of every later word −∞. Here there is none."
        return "Before softmax, the score of every later word becomes −∞."

    def zero_score(self) -> str:
        """What a score of 0 in place of −∞ would earn."""
        share = float(self.row.zero_score.weights[list(self.row.hidden)].sum())
        if share == 0:
            return "Why not a score of 0? It would still earn a share, if one too small to print."
        why = "" if self.row.zero_score.shift else " e⁰ = 1, so"
        return f"Why not a score of 0?{why} {self.later} would still get {self.share(share)}."

    def zero_share(self) -> str:
        """What the row adds to when a 0 is put in afterwards."""
        total = float(self.row.zero_share.weights.sum())
        text = "0" if self.row.star is None else write_sum(total or 5e-324, self.digits)
        if total != 1 and float(write_number(total, self.digits)) == 1:
            return f"Why not a 0 after softmax? The {self.line} adds to a little less than 1."
        return f"Why not a 0 after softmax? Then the {self.line} adds to {text}, not to 1."

    def total(self) -> str:
        """The exponentials of what is left."""
        total = self.row.after.total
        text = self.share(total) if total < 0.5 else write_number(total, self.digits)
        if total == 0:
            return f"e to −∞ is 0, and {self.listener} has nothing else: the total is 0."
        rest = "What is left adds to" if self.row.hidden else f"Its {self.line} adds to"
        return f"Only e to −∞ is exactly 0. {rest} {text}."

    def sharing(self) -> str:
        """What became of the strongest word's share."""
        star = self.row.star
        if star is None:
            return "With nothing to share out, every share is 0, and so is the output."
        before = self.share(float(self.row.before.weights[star]))
        after = self.share(float(self.row.after.weights[star]))
        if not self.row.hidden:
            return f"Divided by that: {self.name(star)} has {after}, and the {self.line} adds to 1."
        if before == after:
            return f"The {self.line} adds to 1 again. {self.name(star)} keeps its {after}."
        return f"The {self.line} adds to 1 again: {self.name(star)} goes from {before} to {after}."

    def triangle(self) -> str:
        """What the whole grid shows now."""
        n = len(self.words)
        if n == 1:
            return "The first word hears only itself, whatever its score." + (
                "" if self.allowed.all() else " Here its own mask forbids even that."
            )
        if len(self.shown) < n:
            drawn = f"Of {n} words {len(self.shown)} are drawn, so {self.line}s needn't add to 1."
            return f"No word hears a later one. {drawn}"
        if not self.allowed.all():
            return "No word hears a later one: now the order of the words counts."
        return "The first word hears only itself; the last hears all, as before."

    def questions(self) -> str:
        """What training makes of it."""
        if len(self.words) == 1:
            return f"In training its {self.line} is a question: which word comes next?"
        return f"Each {self.line} asks: what comes next? All train in one pass, and none can peek."
