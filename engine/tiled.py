"""Exact attention that never holds the grid: tiles and the online softmax, in plain NumPy.

The online softmax is Milakov & Gimelshein 2018 (alg. 3), its use for attention FlashAttention (Dao
et al. 2022), the order of the loops (queries outside) FlashAttention-2 (Dao 2023). NumPy lets go of
the interpreter lock inside products and ufuncs, so that threads share the work.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from types import EllipsisType

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import ThreadpoolController

from engine.attention import check_mask, check_vectors
from engine.exponential import LOWEST, exp2_times_factor
from engine.masks import BoolArray
from engine.softmax import FloatArray, as_floats

__all__ = ["TileStep", "attend_tiled", "walk_tiles"]

_Grid = tuple[int, ...] | EllipsisType
"""Which grid: an index into the leading axes, or all."""

LOG2_E = math.log2(math.e)

SMALL = 1 << 14
"""So few cells are one tile: no pool, and no limit on BLAS."""

ROWS, CELLS = 384, 384 * 192
"""Queries and cells of a tile: few enough to stay in cache, enough to outweigh the calls."""

HIGHEST = {np.dtype(np.float32): 100.0, np.dtype(np.float64): 900.0}
"""Powers of two that may be added up without a shift: far from overflow and from 0."""


@dataclass(frozen=True, eq=False)
class TileStep:
    """What the online softmax holds after one tile; leading axes (...) as in `attend`.

    queries and keys say which rows and columns the tile covers. scores (..., b, c) are scaled and
    masked; maximum and total (..., b) are the largest score so far and Σ e^(score − maximum);
    output (..., b, d_v) is Σ e^(score − maximum) · value, not yet divided by the total.
    """

    queries: slice
    keys: slice
    scores: FloatArray
    maximum: FloatArray
    total: FloatArray
    output: FloatArray


def attend_tiled(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    causal: bool = False,
    offset: int = 0,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    tile: tuple[int, int] | None = None,
    workers: int | None = None,
) -> FloatArray:
    """The output of `attend`, without ever holding more of the grid than one tile a worker.

    query (..., n, d_k), key (..., m, d_k), value (..., m, d_v); leading axes broadcast without
    copying. causal: query i may see keys 0 … offset + i, and tiles beyond are never visited;
    mask (..., n, m) of bool, True = may look, is read tile by tile. scale defaults to 1/√d_k.
    tile: (queries, keys) a tile, by default chosen from the shapes; workers: threads, by default
    one a core. Returns (..., n, d_v): float32 for float32, else float64; a query that may look at
    nothing gets 0. Raises ValueError naming the argument and both shapes where they don't fit.
    """
    task = _Task.of(query, key, value, causal, offset, mask, scale)
    if tile is None and task.cells <= SMALL:
        return _attend_at_once(task)
    workers = workers or os.cpu_count() or 1
    rows, columns = _tile_of(task, tile, workers)
    blocks = iter(task.blocks(rows))
    workers = min(workers, math.ceil(task.n / rows) * task.grids)
    if workers <= 1:
        _work(task, blocks, threading.Lock(), rows, columns)
        return task.output
    lock = threading.Lock()
    with _one_thread_blas(), ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(_work, task, blocks, lock, rows, columns) for _ in range(workers)]
        for job in jobs:
            job.result()
    return task.output


def walk_tiles(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    causal: bool = False,
    offset: int = 0,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    tile: tuple[int, int],
) -> Iterator[TileStep]:
    """The same calculation tile by tile, to be shown: each step with copies of what is held.

    Arguments as for `attend_tiled`. A block of queries meets its keys from left to right, then the
    next block. The last step of a block holds its output times its total.
    """
    task = _Task.of(query, key, value, causal, offset, mask, scale)
    rows, columns = _tile_of(task, tile)
    lead = task.output.shape[:-2]
    for first in range(0, task.n, rows):
        queries = slice(first, min(first + rows, task.n))
        shape = (*lead, queries.stop - first)
        maximum = np.full(shape, -np.inf, task.dtype)
        total = np.zeros(shape, task.dtype)
        output = np.zeros((*shape, task.value.shape[-1]), task.dtype)
        for keys in task.key_tiles(queries, columns):
            scores = task.query[..., queries, :] @ task.key[..., keys, :].swapaxes(-1, -2)
            scores = scores * task.dtype.type(task.scale)
            if (allowed := task.allowed(queries, keys)) is not None:
                scores = np.where(allowed, scores, task.dtype.type(-np.inf))
            highest = np.maximum(maximum, scores.max(axis=-1, initial=-np.inf))
            shift = np.where(highest == -np.inf, task.dtype.type(0), highest)
            exp = np.exp(scores - shift[..., None])
            kept = np.exp(maximum - shift)
            total = total * kept + exp.sum(axis=-1)
            output = output * kept[..., None] + exp @ task.value[..., keys, :]
            maximum = highest
            yield TileStep(queries, keys, scores, maximum.copy(), total.copy(), output.copy())


@dataclass(frozen=True, eq=False)
class _Task:
    """Checked arguments: arrays of one dtype with the same leading axes, as views."""

    query: FloatArray
    key: FloatArray
    value: FloatArray
    mask: BoolArray | None
    causal: bool
    offset: int
    scale: float
    output: FloatArray

    @classmethod
    def of(
        cls,
        query: ArrayLike,
        key: ArrayLike,
        value: ArrayLike,
        causal: bool,
        offset: int,
        mask: ArrayLike | None,
        scale: float | None,
    ) -> _Task:
        query, key, value = as_floats(query), as_floats(key), as_floats(value)
        check_vectors(query, key, value)
        if offset < 0:
            raise ValueError(f"offset must not be negative: {offset}")
        dtype = np.result_type(query, key, value)
        leads = {query.shape[:-2], key.shape[:-2], value.shape[:-2]}
        lead = leads.pop() if len(leads) == 1 else np.broadcast_shapes(*leads)
        query, key, value = (
            _spread(a.astype(dtype, copy=False), lead) for a in (query, key, value)
        )
        n, m = query.shape[-2], key.shape[-2]
        allowed = None if mask is None else check_mask(mask, (*lead, n, m))
        scale = 1.0 / math.sqrt(query.shape[-1]) if scale is None else float(scale)
        output = np.empty((*lead, n, value.shape[-1]), dtype)
        return cls(query, key, value, allowed, causal, offset, scale, output)

    @property
    def dtype(self) -> np.dtype[np.floating]:
        return self.query.dtype

    @property
    def n(self) -> int:
        return int(self.query.shape[-2])

    @property
    def grids(self) -> int:
        return math.prod(self.output.shape[:-2])

    @property
    def cells(self) -> int:
        return self.grids * self.n * int(self.key.shape[-2])

    def blocks(self, rows: int) -> Iterator[tuple[tuple[int, ...], slice]]:
        """Each grid's blocks of queries; those that see most keys first, to end together."""
        starts = range(0, self.n, rows)
        for first in reversed(starts) if self.causal else starts:
            for grid in np.ndindex(self.output.shape[:-2]):
                yield grid, slice(first, min(first + rows, self.n))

    def key_tiles(self, queries: slice, columns: int) -> Iterator[slice]:
        """The keys that some query of the block may see, `columns` at a time."""
        end = self.key.shape[-2]
        if self.causal:
            end = min(end, self.offset + queries.stop)
        for first in range(0, end, columns):
            yield slice(first, min(first + columns, end))

    def allowed(self, queries: slice, keys: slice, grid: _Grid = ...) -> BoolArray | None:
        """Which cells of a tile may be looked at, in one grid or in all; None where all may."""
        mask = None if self.mask is None else self.mask[grid][..., queries, keys]
        if self.causal and keys.stop - 1 > self.offset + queries.start:
            last = self.offset + np.arange(queries.start, queries.stop)
            before = np.arange(keys.start, keys.stop) <= last[:, None]
            mask = before if mask is None else mask & before
        return mask


def _spread(array: FloatArray, lead: tuple[int, ...]) -> FloatArray:
    """`array` with the leading axes `lead`, as a view."""
    if array.shape[:-2] == lead:
        return array
    return np.broadcast_to(array, (*lead, *array.shape[-2:]))


def _tile_of(task: _Task, tile: tuple[int, int] | None, workers: int = 1) -> tuple[int, int]:
    """Queries and keys a tile: as asked, else blocks that share out evenly among the workers."""
    if tile is not None:
        if min(tile) < 1:
            raise ValueError(f"tile must be at least (1, 1), not {tile}")
        return tile
    blocks = workers * math.ceil(task.n / (workers * ROWS)) if task.grids < workers else 0
    rows = max(1, math.ceil(task.n / (blocks or math.ceil(task.n / ROWS) or 1)))
    return rows, CELLS // min(rows, ROWS)


def _attend_at_once(task: _Task) -> FloatArray:
    """All of a small task in one go, with the row's maximum as the shift."""
    scores = task.query @ task.key.swapaxes(-1, -2)
    scores *= task.dtype.type(task.scale)
    everything = slice(0, task.n), slice(0, task.key.shape[-2])
    if (allowed := task.allowed(*everything)) is not None:
        np.copyto(scores, -np.inf, where=~allowed)
    maximum = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    np.subtract(scores, maximum, out=scores, where=maximum != -np.inf)
    np.exp(scores, out=scores)
    total = scores.sum(axis=-1, keepdims=True)
    output: FloatArray = scores @ task.value
    np.divide(output, total, out=output, where=total != 0)
    return output


def _work(
    task: _Task,
    blocks: Iterator[tuple[tuple[int, ...], slice]],
    lock: threading.Lock,
    rows: int,
    columns: int,
) -> None:
    """Do blocks of queries until none is left."""
    columns = min(columns, max(task.key.shape[-2], 1))
    room = np.empty((3, min(rows, max(task.n, 1)) * columns), task.dtype)
    while True:
        with lock:
            block = next(blocks, None)
        if block is None:
            return
        _attend_block(task, *block, columns, room)


def _attend_block(task: _Task, grid: _Grid, queries: slice, columns: int, room: FloatArray) -> None:
    """One block of queries against all its keys.

    Powers are of two: scale and log₂e go into the queries. Where no power can overflow or vanish
    (|q|·|k| bounds it, by Cauchy and Schwarz) nothing is subtracted; else the running maximum is.
    """
    key, value = task.key[grid], task.value[grid]
    folded = task.query[grid][queries] * task.dtype.type(task.scale * LOG2_E)
    count, width = folded.shape[0], value.shape[-1]
    total, output = np.zeros((count, 1), task.dtype), np.zeros((count, width), task.dtype)
    bound = _largest(folded) * _largest(key)
    is_bounded = bound <= HIGHEST[task.dtype]
    maximum = np.full((count, 1), -np.inf, task.dtype)
    mixed, share, ones = (
        np.empty_like(output),
        np.empty_like(total),
        np.ones((columns, 1), task.dtype),
    )
    for keys in task.key_tiles(queries, columns):
        tiles = room[:, : count * (keys.stop - keys.start)].reshape(3, count, -1)
        power, spare, weight = tiles
        np.matmul(folded, key[keys].T, out=power)
        allowed = task.allowed(queries, keys, grid)
        if not is_bounded:
            if allowed is not None:
                np.copyto(power, -np.inf, where=~allowed)
            highest = np.maximum(maximum, power.max(axis=1, keepdims=True))
            shift = np.where(highest == -np.inf, task.dtype.type(0), highest)
            np.subtract(power, shift, out=power)
            kept = np.exp2(maximum - shift)
            total *= kept
            output *= kept
            maximum = highest
        if task.dtype == np.float32 and math.isfinite(bound):
            if not is_bounded:
                np.maximum(power, np.float32(LOWEST), out=power)
            exp2_times_factor(power, spare, weight)
        else:
            np.exp2(power, out=weight)
        if allowed is not None:
            np.multiply(weight, allowed, out=weight)
        total += np.matmul(weight, ones[: weight.shape[1]], out=share)
        output += np.matmul(weight, value[keys], out=mixed)
    np.divide(output, total, out=output, where=total != 0)
    task.output[grid][queries] = output


def _largest(vectors: FloatArray) -> float:
    """The longest vector's length."""
    squares = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
    return math.sqrt(squares.max(initial=0.0))


class _BlasLimit:
    """BLAS on one thread while anyone needs it, then as it was found.

    Its limits are the process's, so users are counted: two calls at once would otherwise each put
    back what the other had set.
    """

    def __init__(self) -> None:
        self._controller = ThreadpoolController()
        self._lock = threading.Lock()
        self._users = 0

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        with self._lock:
            if self._users == 0:
                self._limit = self._controller.limit(limits=1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._limit.restore_original_limits()


@cache
def _blas() -> _BlasLimit:
    return _BlasLimit()


def _one_thread_blas() -> AbstractContextManager[None]:
    return _blas().one_thread()
