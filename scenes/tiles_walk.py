"""A block of queries meeting its keys one after the other: the numbers behind the tiles.

All are the engine's; what was kept is only measured against what is kept now. No Manim here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.attention import Attention
from engine.notation import write_entries, write_share
from engine.sentence import Sentence
from engine.tiled import TileStep, walk_tiles

__all__ = ["ENTRIES", "LEAST", "Meeting", "TileWalk", "all_tiles", "meet_keys"]

Floats = NDArray[np.floating]

ENTRIES = 2
"""So many entries of an output are written."""

LEAST = 5e-324


@dataclass(frozen=True, eq=False)
class Meeting:
    """What one query holds after each stop: a key that is drawn, or the last of all (None).

    columns: the drawn keys' places; scores, largest and total have a number a stop; output is
    (stops, d_v); exact is the grid's output (d_v,).
    """

    columns: Sequence[int | None]
    scores: Floats
    largest: Floats
    total: Floats
    output: Floats
    exact: Floats

    def shrinks_by(self, stop: int) -> float | None:
        """e^(largest before − largest now); None where nothing was kept before."""
        if stop == 0 or self.total[stop - 1] == 0:
            return None
        return math.exp(float(self.largest[stop - 1]) - float(self.largest[stop]))

    def pieces(self, stop: int) -> list[float]:
        """What each stop so far has in the total now."""
        pieces: list[float] = []
        for now in range(stop + 1):
            kept = self.shrinks_by(now)
            pieces = [piece * (1.0 if kept is None else kept) for piece in pieces]
            pieces.append(max(float(self.total[now]) - sum(pieces), 0.0))
        return pieces

    def larger(self) -> int | None:
        """The first stop at which a drawn key's score is larger than all before, after some."""
        for stop in range(1, len(self.columns)):
            is_new = self.largest[stop] > self.largest[stop - 1] > -math.inf
            is_drawn = self.columns[stop] is not None
            if is_new and is_drawn and self.scores[stop] == self.largest[stop]:
                return stop
        return None

    @property
    def result(self) -> Floats:
        """The output so far divided by the total, at the end."""
        total = float(self.total[-1])
        ended: Floats = self.output[-1] / total if total else np.zeros_like(self.output[-1])
        return ended

    def written(self, digits: int) -> dict[str, list[str]]:
        """Every number as text, a list each with an entry a stop."""
        kept = [self.shrinks_by(stop) for stop in range(len(self.columns))]
        rows = {
            "score": write_entries(self.scores, digits),
            "largest": write_entries(self.largest, digits),
            "shrinks": ["" if k is None else write_share(k or LEAST, digits) for k in kept],
            "total": write_entries(self.total, digits),
        }
        for entry in range(min(ENTRIES, self.output.shape[1])):
            rows[f"output {entry}"] = write_entries(self.output[:, entry], digits)
        return rows

    def ends(self, digits: int) -> tuple[list[str], list[str]]:
        """The output by tiles and by the grid, as many entries as are written."""
        return (
            write_entries(self.result, digits)[:ENTRIES],
            write_entries(self.exact, digits)[:ENTRIES],
        )


@dataclass(frozen=True, eq=False)
class TileWalk:
    """A block of queries, from `first` on, each with what it holds."""

    first: int
    meetings: tuple[Meeting, ...]
    columns: Sequence[int | None]


def meet_keys(
    sentence: Sentence, attention: Attention, shown: Sequence[int], focus: int, rows: int
) -> TileWalk:
    """The block of `rows` queries that holds the focus, with one key at a time."""
    steps = [
        step
        for step in all_tiles(sentence, attention, (rows, 1), causal=sentence.causal)
        if step.queries.start <= focus < step.queries.stop
    ]
    stops: list[tuple[int | None, TileStep]] = [
        (column, steps[key]) for column, key in enumerate(shown) if key < len(steps)
    ]
    if not stops or stops[-1][1] is not steps[-1]:
        stops.append((None, steps[-1]))
    columns = [column for column, _ in stops]
    block = steps[0].queries
    meetings = tuple(
        Meeting(
            columns,
            np.array([step.scores[row, 0] for _, step in stops]),
            np.array([step.maximum[row] for _, step in stops]),
            np.array([step.total[row] for _, step in stops]),
            np.array([step.output[row] for _, step in stops]),
            attention.output[block.start + row],
        )
        for row in range(block.stop - block.start)
    )
    return TileWalk(block.start, meetings, columns)


def all_tiles(
    sentence: Sentence, attention: Attention, tile: tuple[int, int], *, causal: bool
) -> list[TileStep]:
    """Every step of the engine's walk, with the sentence's own mask and perhaps a causal one."""
    mask = None if sentence.mask is None else np.array(sentence.mask, dtype=np.bool_)
    return list(
        walk_tiles(
            attention.query, attention.key, attention.value,
            causal=causal, mask=mask, scale=attention.scale, tile=tile,
        )
    )  # fmt: skip
