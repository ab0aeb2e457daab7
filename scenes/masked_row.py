"""One word's row of attention with its later words forbidden, and two ways that fail.

The numbers behind the causal triangle; all are computed by the engine. No Manim here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine import attend, causal_mask
from engine.attention import Attention
from engine.masks import BoolArray
from engine.notation import round_half_up, write_entries, write_share
from engine.working import write_exp

__all__ = ["MaskedRow", "Row", "choose_listener", "masked_row", "only_own_mask", "with_causal_mask"]

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Row:
    """One row of attention, over all words; cut shares may add to less than 1."""

    masked: Floats
    exp: Floats
    total: float
    shift: float
    weights: Floats

    def scores_written(self, shown: Sequence[int], digits: int) -> list[str]:
        """The scores of the words shown."""
        return write_entries(self.masked[list(shown)], digits)

    def exp_written(self, shown: Sequence[int], digits: int) -> list[str]:
        """e to each score shown, then what the words not shown add (if any), then the total."""
        exp, masked = list(self.exp[list(shown)]), list(self.masked[list(shown)])
        if len(shown) < len(self.exp):
            exp.append(float(np.delete(self.exp, list(shown)).sum()))
        exp.append(self.total)
        masked += [0.0] * (len(exp) - len(masked))
        return write_exp(exp, masked, digits)

    def shares(self, shown: Sequence[int]) -> list[float]:
        """The shares of the words shown, then of the others together (if any)."""
        shares = [float(w) for w in self.weights[list(shown)]]
        if len(shown) < len(self.weights):
            shares.append(float(np.delete(self.weights, list(shown)).sum()))
        return shares

    def shares_written(self, shown: Sequence[int], digits: int) -> list[str]:
        """`shares`, then their sum."""
        texts = [write_share(share, digits) for share in self.shares(shown)]
        return [*texts, write_sum(float(self.weights.sum()), digits)]


@dataclass(frozen=True, eq=False)
class MaskedRow:
    """A listener's row: `before` the causal mask and `after` it, and two ways that fail.

    hidden: the words it may look at but for the mask. `zero_score` has a score of 0 in place of
    −∞; `zero_share` a 0 put in after softmax. star: the strongest word that it may still hear.
    """

    listener: int
    hidden: tuple[int, ...]
    star: int | None
    before: Row
    after: Row
    zero_score: Row
    zero_share: Row

    @property
    def is_shifted(self) -> bool:
        """Whether some exponential stands for e^(score − the largest)."""
        return any(row.shift != 0 for row in (self.before, self.after, self.zero_score))


def only_own_mask(attention: Attention, own: BoolArray | None) -> Attention:
    """The same attention without the causal mask; the document's own mask stays."""
    return attend(attention.query, attention.key, attention.value, mask=own, scale=attention.scale)


def with_causal_mask(attention: Attention, own: BoolArray | None) -> Attention:
    """The same attention with the causal mask; the document's own must allow as well."""
    causal = causal_mask(attention.weights.shape[-1])
    mask = causal if own is None else causal & own
    return attend(attention.query, attention.key, attention.value, mask=mask, scale=attention.scale)


def choose_listener(allowed: BoolArray, focus: int, shown: Sequence[int]) -> int:
    """The focus word if some word shown is hidden from it, else the last shown that has one.

    allowed (n, n): the document's own mask. A word that would be left with nothing is chosen only
    where there is no other; the focus word where nothing is hidden from anyone.
    """
    candidates = [focus, *reversed(shown)]
    hiding = [i for i in candidates if any(allowed[i, j] for j in shown if j > i)]
    keeping = [i for i in hiding if allowed[i, : i + 1].any()]
    return (keeping or hiding or [focus])[0]


def masked_row(
    before: Attention, after: Attention, listener: int, shown: Sequence[int]
) -> MaskedRow:
    """The listener's row before and after the mask, and in the two ways that fail."""
    scores, kept = before.masked[listener], after.masked[listener]
    is_hidden = np.isfinite(scores) & np.isneginf(kept)
    open_row = _row(scores)
    cut = Row(
        open_row.masked, open_row.exp, open_row.total, open_row.shift,
        np.where(is_hidden, 0.0, open_row.weights),
    )  # fmt: skip
    weights = after.weights[listener]
    heard = [j for j in shown if np.isfinite(kept[j])]
    return MaskedRow(
        listener=listener,
        hidden=tuple(int(j) for j in np.flatnonzero(is_hidden)),
        star=max(heard, key=lambda j: weights[j]) if heard else None,
        before=open_row,
        after=_row(kept),
        zero_score=_row(np.where(is_hidden, 0.0, scores)),
        zero_share=cut,
    )


def write_sum(total: float, digits: int) -> str:
    """A sum of shares: 1 and 0 as such, else with decimals, "<0.01" where it isn't quite 0."""
    return write_share(float(round_half_up(total, 9)) if total > 0.5 else total, digits)


def _row(scores: Floats) -> Row:
    """Softmax of scores given outright: one query of length 1 against keys of length 1."""
    attention = attend([[1.0]], scores_as_keys(scores), np.zeros((len(scores), 1)),
                       mask=np.isfinite(scores)[None, :], scale=1.0)  # fmt: skip
    return Row(
        masked=attention.masked[0],
        exp=attention.exp[0],
        total=float(attention.total[0]),
        shift=float(attention.shift[0]),
        weights=attention.weights[0],
    )


def scores_as_keys(scores: Floats) -> Floats:
    """Scores (n,) as keys (n, 1); a masked one's key is 0, since the mask stands for it."""
    return np.where(np.isfinite(scores), scores, 0.0)[:, None]
