"""All that the window shows of one state, computed by the engine when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine import Attention, Step, attend, attention_of, causal_mask, contributions
from engine.sentence import Sentence, scale_of
from engine.softmax import FloatArray
from engine.working import each_step

__all__ = ["Calculation"]


@dataclass(frozen=True)
class Calculation:
    """One head of one sentence, worked out; n words.

    Frozen, so that two states (before a drag and in the middle of it) can be shown side by side.
    """

    sentence: Sentence
    head: int
    digits: int = 2

    @cached_property
    def attention(self) -> Attention:
        """The attention in force: your mask, and the causal one where the document says so."""
        return attention_of(self.sentence, self.head)

    @cached_property
    def open(self) -> Attention:
        """Under your mask alone."""
        return self._under(causal=False)

    @cached_property
    def causal(self) -> Attention:
        """Under your mask and the causal one."""
        return self._under(causal=True)

    @cached_property
    def unscaled(self) -> Attention:
        """As in force, but with scores not divided by √d_k (the temperature stays)."""
        here = self.attention
        if not self.sentence.scaled:
            return here
        scale = 1 / self.sentence.temperature
        return attend(here.query, here.key, here.value, mask=here.mask, scale=scale)

    @cached_property
    def scaled(self) -> Attention:
        """As in force, but with scores divided by √d_k."""
        here = self.attention
        if self.sentence.scaled:
            return here
        scale = 1 / (np.sqrt(here.query.shape[-1]) * self.sentence.temperature)
        return attend(here.query, here.key, here.value, mask=here.mask, scale=float(scale))

    @cached_property
    def contributions(self) -> FloatArray:
        """(n, n, d_v): what each word (second axis) adds to each word's output."""
        return contributions(self.attention)

    def steps(self) -> Iterator[Step]:
        """The hand calculation for the focus word, each step worked out when it is asked for."""
        return each_step(self.attention, self.sentence.words, self.sentence.focus, self.digits)

    def _under(self, *, causal: bool) -> Attention:
        if self.sentence.causal == causal:
            return self.attention
        here, n = self.attention, len(self.sentence.words)
        own = None if self.sentence.mask is None else np.array(self.sentence.mask, dtype=np.bool_)
        mask = own if not causal else causal_mask(n) if own is None else own & causal_mask(n)
        scale = scale_of(self.sentence, self.head)
        return attend(here.query, here.key, here.value, mask=mask, scale=scale)
