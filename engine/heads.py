"""Several attentions side by side: multi-head, and heads that share keys and values."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from engine.attention import Attention, attend
from engine.refusal import check_count
from engine.softmax import FloatArray, as_floats

__all__ = [
    "HeadWeights", "MultiHeadAttention", "attend_heads", "check_heads", "join_heads", "split_heads",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class HeadWeights:
    """W_Q, W_K, W_V and W_O of all heads, each as one wide matrix (Vaswani et al. 2017, §3.2.2).

    w_query (d_model, heads · d_k), w_key (d_model, kv_heads · d_k), w_value (d_model,
    kv_heads · d_v), w_output (heads · d_v, d_model): head h's columns, and its rows of W_O, follow
    those of head h − 1. kv_heads is how many heads there are of keys and values: as many as
    `heads` unless given, 1 is multi-query (Shazeer 2019), between them grouped-query (Ainslie et
    al. 2023); `group` neighbouring heads share each. One matrix a head, (heads, d_model, d_k),
    becomes a wide one by `join_heads`, and a wide one comes apart by `split_heads`. float32 stays
    float32, everything else is float64. Raises ValueError naming the arguments and their shapes
    where they don't fit.
    """

    w_query: FloatArray
    w_key: FloatArray
    w_value: FloatArray
    w_output: FloatArray
    heads: int
    kv_heads: int | None = None
    group: int = field(init=False)

    def __post_init__(self) -> None:
        names = ("w_query", "w_key", "w_value", "w_output")
        matrices = [as_floats(getattr(self, name), name) for name in names]
        dtype = np.result_type(*matrices)
        for name, matrix in zip(names, matrices):
            object.__setattr__(self, name, matrix.astype(dtype, copy=False))
        heads, kv_heads = check_heads(self.heads, self.kv_heads)
        object.__setattr__(self, "heads", heads)
        object.__setattr__(self, "kv_heads", kv_heads)
        object.__setattr__(self, "group", heads // kv_heads)
        _check_matrices(self)


@dataclass(frozen=True, eq=False)
class MultiHeadAttention:
    """What each head saw and gave, their outputs side by side, and what W_O makes of them.

    attention: every step of every head, with the axes (..., kv_heads, group, n, …), where heads of
    one group share keys and values (..., kv_heads, 1, n, …), kept once; joined
    (..., n, heads · d_v); output (..., n, d_model).
    """

    attention: Attention
    joined: FloatArray
    output: FloatArray

    def head(self, index: int) -> Attention:
        """One head's attention by itself, without the axes of heads; views, not copies.

        Raises ValueError where there is no such head.
        """
        a = self.attention
        kv_heads, group = a.query.shape[-4:-2]
        if not 0 <= index < kv_heads * group:
            raise ValueError(f"index should be from 0 to {kv_heads * group - 1}, not {index}")
        shared, own = divmod(index, group)
        at = (..., shared, own, slice(None), slice(None))
        shared_at = (..., shared, 0, slice(None), slice(None))
        row_at = (..., shared, own, slice(None))
        return Attention(
            query=a.query[at], key=a.key[shared_at], value=a.value[shared_at],
            mask=None if a.mask is None else a.mask[at], scale=a.scale, scores=a.scores[at],
            scaled=a.scaled[at], masked=a.masked[at], shift=a.shift[row_at], exp=a.exp[at],
            total=a.total[row_at], weights=a.weights[at], output=a.output[at],
        )  # fmt: skip


def split_heads(vectors: ArrayLike, heads: int) -> FloatArray:
    """Wide rows cut into equal pieces, one a head: (..., n, heads · d) → (..., heads, n, d).

    A view where the memory allows. Of a wide matrix W it gives each head's own, (heads, d_model,
    d), so that splitting x W and multiplying x by each piece of W are the same. Raises ValueError
    where the rows don't come out even.
    """
    vectors = as_floats(vectors, "vectors")
    if vectors.ndim < 2:
        raise ValueError(f"vectors must be (..., n, heads · d), but have shape {vectors.shape}")
    *leading, n, width = vectors.shape
    heads = check_count("heads", heads)
    if width % heads:
        raise ValueError(f"vectors {vectors.shape} can't be cut into heads = {heads} equal pieces")
    return vectors.reshape(*leading, n, heads, width // heads).swapaxes(-3, -2)


def join_heads(vectors: ArrayLike) -> FloatArray:
    """The heads' rows laid end to end: (..., heads, n, d) → (..., n, heads · d).

    The way back from `split_heads`. Raises ValueError where there is no axis of heads.
    """
    vectors = as_floats(vectors, "vectors")
    if vectors.ndim < 3:
        raise ValueError(f"vectors must be (..., heads, n, d), but have shape {vectors.shape}")
    *leading, heads, n, width = vectors.shape
    return vectors.swapaxes(-3, -2).reshape(*leading, n, heads * width)


def attend_heads(
    x: ArrayLike, weights: HeadWeights, *, mask: ArrayLike | None = None
) -> MultiHeadAttention:
    """Self-attention by several heads, joined and mixed by W_O (Vaswani et al. 2017, §3.2.2).

    x (..., n, d_model); mask (..., n, n) of bool, True = may look, with leading axes of x, and the
    same for every head. Each head divides by √d_k. Keys and values that a group of heads shares
    (Shazeer 2019; Ainslie et al. 2023) are broadcast, never copied. float32 stays float32,
    everything else is float64. Raises ValueError naming the argument and both shapes where they
    don't fit.
    """
    x = as_floats(x, "x")
    if x.ndim < 2 or x.shape[-1] != len(weights.w_query):
        raise ValueError(
            "x must be (..., n, d_model), as wide as w_query has rows: "
            f"x {x.shape}, w_query {weights.w_query.shape}"
        )
    kv_heads, group = weights.heads // weights.group, weights.group
    attention = attend(
        split_heads(split_heads(x @ weights.w_query, kv_heads), group),
        split_heads(x @ weights.w_key, kv_heads)[..., None, :, :],
        split_heads(x @ weights.w_value, kv_heads)[..., None, :, :],
        mask=None if mask is None else _for_every_head(mask, x),
    )
    joined = join_heads(join_heads(attention.output))
    return MultiHeadAttention(attention, joined, joined @ weights.w_output)


def _for_every_head(mask: ArrayLike, x: FloatArray) -> ArrayLike:
    """The mask with its two axes of heads, (..., 1, 1, n, n)."""
    mask = np.asarray(mask)
    grid = (*x.shape[:-1], x.shape[-2])
    try:
        return np.broadcast_to(mask, grid)[..., None, None, :, :]
    except ValueError:
        raise ValueError(
            f"mask {mask.shape} doesn't fit the grid {grid} of each head: x {x.shape}"
        ) from None


def check_heads(heads: int, kv_heads: int | None) -> tuple[int, int]:
    """How many heads there are of queries, and of keys and values: as many where it is None.

    Raises ValueError for a count that isn't a whole number from 1, or where kv_heads doesn't
    divide heads.
    """
    heads = check_count("heads", heads)
    kv_heads = heads if kv_heads is None else check_count("kv_heads", kv_heads)
    if heads % kv_heads:
        raise ValueError(f"kv_heads = {kv_heads} must divide heads = {heads}")
    return heads, kv_heads


def _check_matrices(weights: HeadWeights) -> None:
    query, heads = weights.w_query, weights.heads
    key, value, output = weights.w_key, weights.w_value, weights.w_output
    kv_heads = heads // weights.group
    for name, matrix, pieces, kind in (
        ("w_query", query, heads, "heads"),
        ("w_key", key, kv_heads, "kv_heads"),
        ("w_value", value, kv_heads, "kv_heads"),
    ):
        if matrix.ndim != 2 or matrix.shape[1] % pieces or matrix.shape[1] == 0:
            raise ValueError(
                f"{name} must be (d_model, {kind} · d) with {kind} = {pieces}, "
                f"but has shape {matrix.shape}"
            )
        if len(matrix) != len(query):
            raise ValueError(
                f"w_query and {name} must have as many rows: "
                f"w_query {query.shape}, {name} {matrix.shape}"
            )
    if query.shape[1] // heads != key.shape[1] // kv_heads:
        raise ValueError(
            f"each of heads = {heads} queries must be as long as each of kv_heads = {kv_heads} "
            f"keys: w_query {query.shape}, w_key {key.shape}"
        )
    joined = heads * (value.shape[1] // kv_heads)
    if output.shape != (joined, len(query)):
        raise ValueError(
            f"w_output must be (heads · d_v, d_model) = {(joined, len(query))}: "
            f"w_value {value.shape}, w_output {output.shape}"
        )
