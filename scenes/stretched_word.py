"""What weights don't tell: one word's value made longer, words left out, other weights.

The numbers behind "weights are not answers"; all attention is computed by the engine. No Manim
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine import attend, contributions, leave_one_out
from engine.attention import Attention

__all__ = [
    "TIMES", "Floats", "Measures", "Places", "choose_word", "lengths", "measure", "other_weights",
    "stretched", "weights_without",
]  # fmt: skip

Floats = NDArray[np.floating]
Places = NDArray[np.bool_]

TIMES = 100.0
SMALL = 0.5
SEEN, NOTHING = 0.02, 1e-12


@dataclass(frozen=True, eq=False)
class Measures:
    """Three answers to how much each word counts for one word's output, (n,) each.

    weights; gave: how long weight · value is; moved: how far the output moves when it is left out.
    """

    weights: Floats
    gave: Floats
    moved: Floats


def measure(attention: Attention, focus: int) -> Measures:
    """The three measures of every word, for the output of word `focus`."""
    left_out = leave_one_out(attention)[focus] - attention.output[focus]
    given = contributions(attention)[focus]
    return Measures(attention.weights[focus], lengths(given), lengths(left_out))


def lengths(vectors: Floats) -> Floats:
    """How long vectors (..., d) are; hypot, since a square of something tiny vanishes."""
    return np.asarray(np.hypot.reduce(vectors, axis=-1))


def choose_word(attention: Attention, focus: int, shown: Sequence[int]) -> int | None:
    """The word to stretch: of those with a small share, the one whose value points away most.

    Small is up to half of an even share; where there is none the smallest. Only words whose
    stretched value would outweigh the output are asked; where none does, the one that gives most.
    None where every value it may see is 0.
    """
    weights, value = attention.weights[focus], attention.value
    seen = [j for j in shown if attention.masked[focus, j] > -np.inf and value[j].any()]
    if not seen:
        return None
    allowed = int(np.isfinite(attention.masked[focus]).sum())
    limit = max(SMALL / allowed, float(weights[seen].min()) * (1 + 1e-9))
    small = [j for j in seen if weights[j] <= limit]
    long, output = lengths(value), attention.output[focus]
    strong = [j for j in small if TIMES * weights[j] * long[j] >= lengths(output)]
    toward = _direction(output)
    if not strong:
        return max(small, key=lambda j: float(weights[j] * long[j]))
    return min(strong, key=lambda j: round(float(_direction(value[j]) @ toward), 9))


def stretched(attention: Attention, word: int, times: float) -> Attention:
    """The same attention with one word's value `times` as long: not one weight changes."""
    factors = np.where(np.arange(len(attention.value)) == word, times, 1.0)
    a = attention
    return attend(a.query, a.key, a.value * factors[:, None], mask=a.mask, scale=a.scale)


def weights_without(attention: Attention, focus: int, word: int) -> Floats:
    """The row of `focus` with `word` left out: the others share the whole weight, (n,)."""
    a, others = attention, np.arange(len(attention.key)) != word
    mask = np.isfinite(a.masked[focus]) & others
    return attend(a.query[focus, None], a.key, a.value, mask=mask[None], scale=a.scale).weights[0]


def other_weights(weights: Floats, value: Floats, movable: Places) -> Floats | None:
    """Weights as unlike the given as can be that mix the same output, or None.

    weights (n,), value (n, d_v); movable: which weights may change. They stay positive and add to
    as much. None unless more than d_v + 1 are movable, and where the change can't be seen.
    """
    places = np.flatnonzero(movable)
    if len(places) <= value.shape[-1] + 1:
        return None
    size = float(np.abs(value[places]).max()) or 1.0
    constraints = np.vstack([value[places].T / size, np.ones(len(places))])
    _, strengths, rows = np.linalg.svd(constraints)
    rank = int(np.sum(strengths > 1e-9 * strengths[0]))
    free = rows[rank:].T @ rows[rank:]
    changes = [_farthest(weights[places], sign * way) for way in free for sign in (1.0, -1.0)]
    best = max(changes, key=lambda change: float(np.abs(change).max()))
    if np.abs(best).max() < SEEN:
        return None
    changed = weights.copy()
    moved = weights[places] + best
    moved = np.where(moved > NOTHING, moved, 0.0)
    changed[places] = moved * (weights[places].sum() / moved.sum())
    return changed


def _farthest(weights: Floats, way: Floats) -> Floats:
    """How much weights can change along `way` before one of them is 0."""
    falling = way < -1e-9
    steps = weights[falling] / -way[falling]
    return np.asarray(way * float(steps.min(initial=1.0) if falling.any() else 0.0))


def _direction(vector: Floats) -> Floats:
    size = float(np.abs(vector).max(initial=0.0))
    if not size:
        return np.zeros_like(vector)
    scaled = vector / size
    return np.asarray(scaled / np.hypot.reduce(scaled))
