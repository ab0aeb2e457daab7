"""Exact attention that never holds the grid: tiles and the online softmax, in plain NumPy.

The online softmax is Milakov & Gimelshein 2018 (alg. 3), its use for attention FlashAttention (Dao
et al. 2022), the order of the loops (queries outside) FlashAttention-2 (Dao 2023). NumPy lets go of
the interpreter lock inside products and ufuncs, so that threads share the work.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from types import EllipsisType

import numpy as np
from numpy.typing import ArrayLike

from engine.attention import check_mask, check_scale, check_vectors
from engine.exponential import FACTOR, exp2_times_factor
from engine.masks import BoolArray
from engine.refusal import check_count
from engine.softmax import FloatArray, as_floats
from engine.threads import on_threads, workspace

__all__ = ["TileStep", "attend_tiled", "walk_tiles"]

_Grid = tuple[int, ...] | EllipsisType
"""Which grid: an index into the leading axes, or all."""

LOG2_E = math.log2(math.e)

SMALL = 1 << 14
"""So few cells are one tile: no pool, and no limit on BLAS."""

ROWS, CELLS = 512, 512 * 256
"""Queries and cells of a tile: few enough to stay in cache, enough to outweigh the calls."""

FEWEST = 256
"""Queries of the last blocks: few enough that no worker waits long for another."""

STEP = 128
"""Keys a tile on the causal diagonal, where half of the first queries' cells are done in vain."""

HIGHEST = 40.0
"""Powers of two up to which nothing is subtracted: their products with values stay far from
overflow and from 0."""

USUAL = 10.0
"""Scaled scores (in size) up to which float32 is exact enough for them."""

CROWD = 1024
"""Keys from which on a total says more of their number than of the largest score."""


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
    if tile is not None:
        _check_tile(tile)
    if workers is not None:
        workers = check_count("workers", workers)
    if task.cells <= (SMALL if tile is None else 0):
        return _attend_at_once(task)
    workers = workers or os.cpu_count() or 1
    blocks = list(task.blocks(tile, workers))
    work = partial(_work, task, blocks, iter(blocks), threading.Lock())
    on_threads(work, min(workers, len(blocks)))
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
    _check_tile(tile)
    return _steps(task, *tile)


def _steps(task: _Task, rows: int, columns: int) -> Iterator[TileStep]:
    """The steps of a task that has been checked."""
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


@dataclass(frozen=True)
class _Block:
    """Queries of one grid, and how many keys they meet at a time."""

    grid: tuple[int, ...]
    queries: slice
    columns: int

    @property
    def rows(self) -> int:
        return int(self.queries.stop - self.queries.start)


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
        query = as_floats(query, "query")
        key, value = as_floats(key, "key"), as_floats(value, "value")
        check_vectors(query, key, value)
        offset = check_count("offset", offset, 0)
        dtype = np.result_type(query, key, value)
        leads = {query.shape[:-2], key.shape[:-2], value.shape[:-2]}
        lead = leads.pop() if len(leads) == 1 else np.broadcast_shapes(*leads)
        query, key, value = (
            _spread(a.astype(dtype, copy=False), lead) for a in (query, key, value)
        )
        n, m = query.shape[-2], key.shape[-2]
        allowed = None if mask is None else check_mask(mask, (*lead, n, m))
        scale = check_scale(scale, query.shape[-1])
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

    def blocks(self, tile: tuple[int, int] | None, workers: int) -> Iterator[_Block]:
        """The blocks in the order in which workers take them: those that see most keys first.

        Where no tile is asked for they get smaller towards the end, so that workers end together
        (guided self-scheduling, Polychronopoulos & Kuck 1987).
        """
        fewest = ROWS if workers == 1 else FEWEST
        end = self.n
        while end:
            if tile is None:
                share = math.ceil(end * self.grids / workers)
                start = end - min(max(share, fewest), ROWS)
                start = 0 if start < fewest // 2 else start
            else:
                start = max(end - tile[0], 0)
            columns = CELLS // (end - start) if tile is None else tile[1]
            for grid in np.ndindex(self.output.shape[:-2]):
                yield _Block(grid, slice(start, end), columns)
            end = start

    def key_tiles(self, queries: slice, columns: int) -> Iterator[slice]:
        """The keys that some query of the block may see, `columns` at a time."""
        end = self.key.shape[-2]
        if self.causal:
            end = min(end, self.offset + queries.stop)
        for first in range(0, end, columns):
            yield slice(first, min(first + columns, end))

    def tiles(self, queries: slice, columns: int) -> Iterator[tuple[slice, slice, bool]]:
        """A block's tiles, and whether all their cells may be looked at.

        First the keys that all its queries may see, then those on the diagonal, STEP at a time.
        """
        end = before = self.key.shape[-2]
        if self.causal:
            before = min(before, self.offset + queries.start)
            end = min(end, self.offset + queries.stop)
        for first in range(0, before, columns):
            yield queries, slice(first, min(first + columns, before)), self.mask is None
        step = min(STEP, columns)
        for first in range(before, end, step):
            rows = slice(first - self.offset, queries.stop)
            yield rows, slice(first, min(first + step, end)), False

    def allowed(self, queries: slice, keys: slice, grid: _Grid = ...) -> BoolArray | None:
        """Which cells of a tile may be looked at, in one grid or in all; None where all may."""
        mask = None if self.mask is None else self.mask[grid][..., queries, keys]
        if self.causal and keys.stop - 1 > self.offset + queries.start:
            last = self.offset + np.arange(queries.start, queries.stop)
            before = np.arange(keys.start, keys.stop) <= last[:, None]
            mask = before if mask is None else mask & before
        return mask

    def allowed_first(self, queries: slice, keys: slice, grid: _Grid) -> BoolArray | None:
        """The same for the first queries alone, where causality lets the others see all."""
        if self.mask is None:
            queries = slice(queries.start, min(queries.stop, keys.stop - self.offset))
        return self.allowed(queries, keys, grid)


def _spread(array: FloatArray, lead: tuple[int, ...]) -> FloatArray:
    """`array` with the leading axes `lead`, as a view."""
    if array.shape[:-2] == lead:
        return array
    return np.broadcast_to(array, (*lead, *array.shape[-2:]))


def _check_tile(tile: tuple[int, int]) -> None:
    if len(tile) != 2 or min(tile) < 1:
        raise ValueError(f"tile must be (queries, keys), each at least 1, not {tile}")


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
    task: _Task, blocks: Sequence[_Block], left: Iterator[_Block], lock: threading.Lock
) -> None:
    """Do blocks of queries until none is left."""
    longest = cache(lambda grid: _largest(task.key[grid]))
    with _room_for(task, blocks) as room:
        while True:
            with lock:
                block = next(left, None)
            if block is None:
                return
            _attend_block(task, block, longest(block.grid), room)


@dataclass(frozen=True, eq=False)
class _Room:
    """A worker's arrays, for one block after the other."""

    folded: FloatArray
    output: FloatArray
    mixed: FloatArray
    total: FloatArray
    share: FloatArray
    tile: Callable[[int, int], tuple[FloatArray, ...]]
    """Three arrays for so many queries and keys; one of float64 in the place of the last two."""
    ones: FloatArray


@contextmanager
def _room_for(task: _Task, blocks: Sequence[_Block]) -> Iterator[_Room]:
    """Room for the largest of the blocks."""
    (m, d_k), d_v = task.key.shape[-2:], task.value.shape[-1]
    sizes = [(block.rows, min(block.columns, m)) for block in blocks]
    rows, columns = (max(size) for size in zip(*sizes))
    cells = max(math.prod(size) for size in sizes)
    shapes = (3 * cells,), (columns, 1), (rows, d_k), (rows, d_v), (rows, d_v), (rows, 1), (rows, 1)
    with workspace(task.dtype, *shapes) as arrays:
        tiles, ones, folded, output, mixed, total, share = arrays
        ones.fill(1)

        @cache
        def tile(count: int, width: int) -> tuple[FloatArray, ...]:
            size = count * width
            exact = tiles[: 2 * cells].view(np.float64)[:size]
            parts = exact, *(tiles[part * cells :][:size] for part in (2, 0, 1))
            scores, weight, fraction, whole = (part.reshape(count, width) for part in parts)
            return weight, fraction, whole, scores

        yield _Room(folded, output, mixed, total, share, tile, ones)


def _attend_block(task: _Task, block: _Block, longest: float, room: _Room) -> None:
    """One block of queries against all its keys.

    longest: the length of the longest key. Where no power of two can overflow or vanish (|q|·|k|
    bounds it, by Cauchy and Schwarz) nothing is subtracted; where one may, or did grow large, the
    running maximum is.
    """
    query = task.query[block.grid][block.queries]
    bound = _largest(query) * longest * abs(task.scale) * LOG2_E
    sums = _sum_powers(task, block, room) if bound <= HIGHEST else None
    output, total = sums or _sum_shifted(task, block, room)
    total[total == 0] = 1
    np.divide(output, total, out=task.output[block.grid][block.queries], casting="same_kind")


def _sum_powers(task: _Task, block: _Block, room: _Room) -> tuple[FloatArray, FloatArray] | None:
    """A block's outputs, undivided, and totals: scale and log₂e are folded into the queries.

    None where float32 may be too coarse: a total tells that a score was large.
    """
    grid, queries, count = block.grid, block.queries, block.rows
    key, value, dtype = task.key[grid], task.value[grid], task.dtype
    factor = dtype.type(task.scale * LOG2_E)
    folded = np.multiply(task.query[grid][queries], factor, out=room.folded[:count])
    output, total = room.output[:count], room.total[:count]
    output.fill(0)
    total.fill(0)
    for seeing, keys, is_open in task.tiles(queries, block.columns):
        rows = slice(seeing.start - queries.start, count)
        weight, fraction, whole, _ = room.tile(count - rows.start, keys.stop - keys.start)
        np.matmul(folded[rows], key[keys].T, out=weight)
        if dtype == np.float32:
            exp2_times_factor(weight, fraction, whole)
        else:
            np.exp2(weight, out=weight)
        if not is_open and (allowed := task.allowed_first(seeing, keys, grid)) is not None:
            np.multiply(weight[: len(allowed)], allowed, out=weight[: len(allowed)])
        sums = np.matmul(weight, room.ones[: weight.shape[1]], out=room.share[rows])
        np.add(total[rows], sums, out=total[rows])
        sums = np.matmul(weight, value[keys], out=room.mixed[rows])
        np.add(output[rows], sums, out=output[rows])
    if dtype == np.float32:
        most = FACTOR * math.exp(USUAL) * max(1.0, len(key) / CROWD)
        least = FACTOR * math.exp(-USUAL)
        if total.max() > most or total.min(where=total > 0, initial=1.0) < least:
            return None
    return output, total


def _sum_shifted(task: _Task, block: _Block, room: _Room) -> tuple[FloatArray, FloatArray]:
    """The same less the running maximum, in float64 but for the exponentials themselves.

    In float32 a large score's rounding would show in its weight, and where a few weights are nearly
    all, so would the order of the sums.
    """
    grid, queries, count = block.grid, block.queries, block.rows
    key, value = task.key[grid], task.value[grid]
    query = task.query[grid][queries].astype(np.float64) * task.scale
    output = np.zeros((count, value.shape[-1]))
    total, maximum = np.zeros((count, 1)), np.full((count, 1), -np.inf)
    for seeing, keys, is_open in task.tiles(queries, block.columns):
        rows = slice(seeing.start - queries.start, count)
        weight, _, _, exact = room.tile(count - rows.start, keys.stop - keys.start)
        np.matmul(query[rows], key[keys].T.astype(np.float64, copy=False), out=exact)
        if not is_open and (allowed := task.allowed_first(seeing, keys, grid)) is not None:
            np.copyto(exact[: len(allowed)], -np.inf, where=~allowed)
        highest = np.maximum(maximum[rows], exact.max(axis=1, keepdims=True))
        shift = np.where(highest == -np.inf, 0.0, highest)
        np.subtract(exact, shift, out=weight, casting="same_kind")
        np.copyto(exact, np.exp(weight, out=weight))
        kept = np.exp(maximum[rows] - shift)
        maximum[rows] = highest
        total[rows] = total[rows] * kept + exact.sum(axis=1, keepdims=True)
        output[rows] = output[rows] * kept + exact @ value[keys]
    return output, total


def _largest(vectors: FloatArray) -> float:
    """The longest vector's length."""
    return math.sqrt(np.einsum("ij,ij->i", vectors, vectors).max(initial=0.0))
