"""One word's row of softmax as it is written: numbers, texts, and those that aren't shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine import Attention
from engine.notation import round_half_up, write_entries
from engine.working import write_exp

__all__ = ["SoftmaxRow", "read_row"]

Numbers = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class SoftmaxRow:
    """What e is raised to, e to it, and the shares: one a word shown, then one for all others.

    `inputs` has no entry for the others, since their exponentials are only known summed up.
    `masked` says which words shown may not be looked at, `count` how many of all words may be,
    `hidden` how many words aren't shown. Texts are those of the whole sentence's lists, as the
    worksheet prints them.
    """

    inputs: Numbers
    exps: Numbers
    shares: Numbers
    total: float
    masked: tuple[bool, ...]
    count: int
    hidden: int
    input_texts: tuple[str, ...]
    exp_texts: tuple[str, ...]
    share_texts: tuple[str, ...]
    total_text: str

    @property
    def open(self) -> list[int]:
        """The columns that may be looked at."""
        return [i for i, is_masked in enumerate(self.masked) if not is_masked]

    @property
    def printed(self) -> list[float]:
        """The shares as printed."""
        return [float(text) for text in self.share_texts]

    def left_out(self, digits: int) -> tuple[list[str], str]:
        """What printing left out of each share, and of all together, signed.

        As many decimals more as it takes for the column to add up, at most six.
        """
        rests = [share - shown for share, shown in zip(self.shares, self.printed)]
        for more in range(2, 7):
            rounded = [round_half_up(rest, digits + more) for rest in rests]
            total = round_half_up(1.0 - sum(self.printed), digits + more)
            if sum(rounded) == total:
                break
        texts = [f"{r:+f}".replace("-", "−") if r else f"{r:f}" for r in (*rounded, total)]
        return texts[:-1], texts[-1]


def read_row(
    attention: Attention, focus: int, shown: Sequence[int], digits: int, plus: float = 0.0
) -> SoftmaxRow:
    """The row of word `focus`, with `plus` added to every input."""
    kept = list(shown)
    hidden = [j for j in range(attention.weights.shape[-1]) if j not in set(kept)]
    masked = attention.masked[focus]
    inputs = masked - attention.shift[focus] + plus
    exps = np.exp(inputs) if plus else attention.exp[focus]
    total = float(exps.sum()) if plus else float(attention.total[focus])
    shares = attention.weights[focus]
    apart = [float(exps[hidden].sum())] if hidden else []
    share_apart = [float(shares[hidden].sum())] if hidden else []
    open_exps = [float(e) for e, score in zip(exps, masked) if score != -math.inf]
    input_texts = write_entries(inputs, digits)
    exp_texts = write_exp([float(e) for e in exps], [float(s) for s in masked], digits)
    rest_texts = write_entries([*open_exps, *apart, total], digits)[len(open_exps) :]
    share_texts = write_entries([*shares, *share_apart], digits)
    return SoftmaxRow(
        inputs=inputs[kept],
        exps=np.array([*exps[kept], *apart]),
        shares=np.array([*shares[kept], *share_apart]),
        total=total,
        masked=tuple(bool(score == -math.inf) for score in masked[kept]),
        count=len(open_exps),
        hidden=len(hidden),
        input_texts=tuple(input_texts[j] for j in kept),
        exp_texts=(*(exp_texts[j] for j in kept), *rest_texts[:-1]),
        share_texts=(*(share_texts[j] for j in kept), *share_texts[len(shares) :]),
        total_text=rest_texts[-1],
    )
