"""What n tokens cost: cells, operations and bytes, counted; and time, measured here."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.heads import check_heads
from engine.masks import causal_mask
from engine.refusal import check_count
from engine.softmax import FloatArray, softmax
from engine.tiled import attend_tiled

__all__ = [
    "Growth",
    "Measurement",
    "fitted_exponent",
    "growth",
    "held_by_tile",
    "measure_growth",
]

SMALLEST = 256
REPEATS = 3


@dataclass(frozen=True)
class Growth:
    """The cost of attention among `n` tokens with `heads` heads of `d` numbers in `layers` layers.

    Counts are whole numbers, never rounded. A "grid" is one head's n × n weights in one layer.
    """

    n: int
    d: int
    heads: int
    kv_heads: int
    layers: int
    bytes_per_number: int

    @property
    def cells(self) -> int:
        """Cells of one grid."""
        return self.n * self.n

    @property
    def causal_cells(self) -> int:
        """Cells of one grid that a causal mask leaves open."""
        return self.n * (self.n + 1) // 2

    @property
    def grids(self) -> int:
        """How many grids there are: one a head a layer."""
        return self.heads * self.layers

    @property
    def operations(self) -> int:
        """Multiplications and additions of Q Kᵀ and of weights times V, over all grids.

        Counted as is usual: each product of two entries is multiplied and then added, two each.
        """
        return 4 * self.cells * self.d * self.grids

    @property
    def grid_bytes(self) -> int:
        """One grid written down in full."""
        return self.cells * self.bytes_per_number

    @property
    def all_grid_bytes(self) -> int:
        """All grids of all layers kept at once, as plain training does."""
        return self.grid_bytes * self.grids

    @property
    def vector_bytes(self) -> int:
        """Query, key, value and output of all heads in one layer: what any method must hold."""
        rows = 2 * self.heads + 2 * self.kv_heads
        return rows * self.n * self.d * self.bytes_per_number

    @property
    def cache_bytes(self) -> int:
        """Keys and values of all layers, remembered while writing."""
        return 2 * self.kv_heads * self.layers * self.n * self.d * self.bytes_per_number


def growth(
    n: int,
    d: int,
    *,
    heads: int = 1,
    kv_heads: int | None = None,
    layers: int = 1,
    bytes_per_number: int = 4,
) -> Growth:
    """What attention among `n` tokens costs, counted exactly.

    d: numbers a vector in one head; kv_heads: heads of keys and values (default: as many as
    `heads`; 1 is multi-query, Shazeer 2019; between them grouped-query, Ainslie et al. 2023).
    Raises ValueError for a count that isn't a whole number from 1, or where kv_heads doesn't
    divide heads.
    """
    heads, kv_heads = check_heads(heads, kv_heads)
    return Growth(
        n=check_count("n", n),
        d=check_count("d", d),
        heads=heads,
        kv_heads=kv_heads,
        layers=check_count("layers", layers),
        bytes_per_number=check_count("bytes_per_number", bytes_per_number),
    )


def held_by_tile(queries: int, keys: int, d_v: int) -> int:
    """How many numbers the online softmax holds at once for a tile of `queries` × `keys`.

    The tile's scores, and for each query its largest score, its total and its output so far of
    `d_v` numbers (Milakov & Gimelshein 2018; Dao et al. 2022, algorithm 1), however many tokens
    there are; not counted are the vectors that go in and the outputs that are done. Raises
    ValueError for a count that isn't a whole number from 1.
    """
    queries, keys = check_count("queries", queries), check_count("keys", keys)
    return queries * keys + queries * (2 + check_count("d_v", d_v))


@dataclass(frozen=True)
class Measurement:
    """Seconds that attention among `n` tokens took here; None where a limit was met.

    grid: the formula as it stands, holding the n × n grid; tiles: `attend_tiled`.
    """

    n: int
    grid: float | None
    tiles: float | None


def measure_growth(
    up_to: int,
    d: int = 64,
    *,
    causal: bool = False,
    seconds: float = 10.0,
    bytes_held: int = 2 << 30,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Measurement]:
    """Time both paths for n = 256, 512, … up_to tokens, one head of `d` float32 numbers.

    Each measurement is yielded as it is made, the median of three runs, after one of each path
    that isn't timed. A path is given up where
    its next run must be expected to take longer than `seconds` (four times the last), or to hold
    more than `bytes_held` (of the grid three, of tiles the vectors); both given up, or
    `is_stopped`, asked before every run, ends it. Raises ValueError where up_to is below 256 or d
    below 1, or seconds isn't a number from 0.
    """
    up_to, d = check_count("up_to", up_to, SMALLEST), check_count("d", d)
    if not seconds >= 0:
        raise ValueError(f"seconds must be at least 0, not {seconds}")
    rng = np.random.default_rng(0)
    grid_takes = tiles_take = 0.0
    n = SMALLEST
    while n <= up_to and not is_stopped():
        cost = growth(n, d)
        holds = 3 * cost.grid_bytes  # scores, their exponentials, weights
        can_grid = 4 * grid_takes <= seconds and holds <= bytes_held
        can_tile = 4 * tiles_take <= seconds and cost.vector_bytes <= bytes_held
        if not (can_grid or can_tile):
            return
        vectors = rng.standard_normal((3, n, d), dtype=np.float32)
        if n == SMALLEST:
            # Whoever runs first pays for what is done once a process: neither is timed for that.
            for path, can in ((_whole_grid, can_grid), (_tiles, can_tile)):
                if can:
                    path(vectors, causal)
        grid = _seconds(_whole_grid, vectors, causal, is_stopped) if can_grid else None
        tiles = _seconds(_tiles, vectors, causal, is_stopped) if can_tile else None
        if is_stopped():
            return
        yield Measurement(n, grid, tiles)
        grid_takes = math.inf if grid is None else grid
        tiles_take = math.inf if tiles is None else tiles
        n *= 2


def fitted_exponent(sizes: list[int], costs: list[float]) -> float:
    """The p for which costs grow as size^p, by least squares of logarithms.

    Raises ValueError for fewer than two sizes.
    """
    if len(sizes) < 2 or len(sizes) != len(costs):
        raise ValueError(f"an exponent needs two costs or more: {len(sizes)} sizes, {len(costs)}")
    slope, _ = np.polyfit(np.log(sizes), np.log(costs), 1)
    return float(slope)


def _seconds(
    path: Callable[[FloatArray, bool], FloatArray],
    v: FloatArray,
    causal: bool,
    is_stopped: Callable[[], bool],
) -> float | None:
    """The median of a few runs; None where it was stopped between them."""
    runs = []
    for _ in range(REPEATS):
        if is_stopped():
            return None
        start = time.perf_counter()
        path(v, causal)
        runs.append(time.perf_counter() - start)
    return float(np.median(runs))


def _whole_grid(vectors: FloatArray, causal: bool) -> FloatArray:
    query, key, value = vectors
    scores = query @ key.T / np.float32(math.sqrt(query.shape[-1]))
    if causal:
        np.copyto(scores, -np.inf, where=~causal_mask(len(scores)))
    output: FloatArray = softmax(scores) @ value
    return output


def _tiles(vectors: FloatArray, causal: bool) -> FloatArray:
    return attend_tiled(*vectors, causal=causal)
