"""What the tiles say, worded from their numbers. No Manim here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.notation import write_entries, write_number, write_share
from scenes.beats import quoted, shorten
from scenes.tiles_walk import LEAST, Meeting

__all__ = ["TileWords"]


@dataclass(frozen=True, eq=False)
class TileWords:
    """The captions, true for any sentence.

    words: the whole sentence; shown: which are drawn; block: the queries at work; meeting: what
    the focus word holds after each key.
    """

    words: Sequence[str]
    shown: Sequence[int]
    block: Sequence[int]
    meeting: Meeting
    focus: int
    digits: int

    def name(self, index: int) -> str:
        """A word in quotes, short enough for a caption."""
        return quoted(shorten(self.words[index], 12))

    def key_at(self, stop: int) -> str:
        """The key met at a stop."""
        column = self.meeting.columns[stop]
        return "the last key" if column is None else self.name(self.shown[column])

    def outlined(self) -> str:
        """What isn't there."""
        n = len(self.words)
        cells = "Its 1 cell is" if n == 1 else f"Its {n * n:,} cells are"
        return f"Must the grid ever be written down? {cells} only outlined."

    def first_key(self) -> str:
        """The first tile."""
        queries = " and ".join(self.name(i) for i in self.block)
        verb = "meets" if len(self.block) == 1 else "meet"
        return f"{queries} {verb} one key at a time."

    def kept(self) -> str:
        """The three things."""
        each = " for each" if len(self.block) > 1 else ""
        return f"Kept{each}: the largest score, the total, the output so far."

    def larger(self, stop: int) -> str:
        """What a larger score does to what was kept."""
        before, now = self.meeting.largest[stop - 1 : stop + 1]
        old, new = write_entries(self.meeting.largest, self.digits)[stop - 1 : stop + 1]
        power = write_number(float(before - now), self.digits)
        kept = write_share((self.meeting.shrinks_by(stop) or 0.0) or LEAST, self.digits)
        equals = "is" if kept.startswith("<") else "="
        return (
            f"{self.key_at(stop)} scores {new}, more than {old}. "
            f"What {self.name(self.focus)} kept shrinks by e^({power}) {equals} {kept}."
        )

    def next_keys(self) -> str:
        """Keys without a larger score, before one with it."""
        return f"No larger score for {self.name(self.focus)} yet: what comes is added to the total."

    def rest(self, is_larger_again: bool) -> str:
        """The other keys."""
        skipped = len(self.words) - len(self.shown)
        also = f" The {skipped} keys that aren't drawn are met as well." if skipped else ""
        if is_larger_again:
            return f"The other keys. A larger score shrinks it again.{also}"
        return f"The other scores are used, then forgotten.{also}"

    def nothing_larger(self) -> str:
        """A row whose first score is its largest."""
        name = self.name(self.focus)
        if self.meeting.total[-1] == 0:
            return f"{name} may look at none of them: nothing is kept."
        if len(self.meeting.columns) == 1:
            return "There is no other key: nothing has to shrink."
        return f"No later score of {name} is larger than what it has: nothing shrinks."

    def divide(self) -> str:
        """The end of the block."""
        tiles, grid = self.meeting.ends(self.digits)
        if self.meeting.total[-1] == 0:
            return f"{self.name(self.focus)} has a total of 0: its output is 0, as by the grid."
        same = "to every printed digit" if tiles == grid else "but for rounding"
        return f"Divide once by the total: the grid's output, {same}."

    def sweep(self, tile: int, count: int) -> str:
        """All blocks."""
        if len(self.words) == 1:
            return "One word is one tile: nothing is left to do."
        return f"So every block, in tiles of any size: here {count} of {tile} × {tile}."

    def memory(self, held: int, sizes: Sequence[int]) -> str:
        """What is held at once, for longer texts."""
        cells = [f"{n * n:,}" for n in sizes]
        return (
            f"Held at once: {held} numbers, however many words. The grid: {', then '.join(cells)}."
        )

    def masked(self, tile: int, visited: int, every: int) -> str:
        """The causal mask, and in what tiles, which may be smaller than before."""
        left = every - visited
        if left == 0:
            return "With a causal mask tiles above the diagonal go unvisited. Here there are none."
        rest = "lies above the diagonal and is" if left == 1 else "lie above the diagonal and are"
        return f"Causal, in tiles of {tile} × {tile}: {left} of {every} {rest} never visited."

    def exact(self) -> str:
        """What to take home."""
        return "Exact: only the order of the work changed. It saves memory, not multiplications."
