"""Tiles against the full-grid formula and against PyTorch: `make bench`, on an idle machine.

Everything is timed in turn within one run, and what is quoted are ratios of medians.
"""

import json
import math
import statistics
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from engine import attend, attend_tiled
from engine.growth import fitted_exponent

pytestmark = pytest.mark.bench

RUNS = 7
SIZES = (1024, 2048, 4096, 8192)
FULL_GRID_UP_TO = 4096


def in_turn(*paths):
    """Each path's median seconds over RUNS rounds, after one round to warm up."""
    for path in paths:
        path()
    times = [[] for _ in paths]
    for _ in range(RUNS):
        for path, taken in zip(paths, times):
            start = time.perf_counter()
            path()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def whole_grid(query, key, value, causal):
    scores = query @ key.swapaxes(-1, -2) / np.float32(math.sqrt(query.shape[-1]))
    if causal:
        scores[..., ~np.tri(scores.shape[-1], dtype=bool)] = -np.inf
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True) @ value


def inputs(heads, n, d=64):
    rng = np.random.default_rng(0)
    return rng.standard_normal((3, heads, n, d), dtype=np.float32)


def matrix_product_rate():
    """This machine's float32 matrix product, in operations a nanosecond."""
    square = np.ones((2048, 2048), np.float32)
    (seconds,) = in_turn(lambda: square @ square)
    return 2 * 2048**3 / seconds / 1e9


def test_time_over_torch_and_over_the_grid():
    torch = pytest.importorskip("torch", reason="the bench extra isn't installed")
    attention = torch.nn.functional.scaled_dot_product_attention
    rows = []
    print(f"\nmatrix product: {matrix_product_rate():.0f} GFLOP/s")
    for n in SIZES:
        for heads in (1, 8):
            vectors = inputs(heads, n)
            tensors = [torch.from_numpy(array)[None] for array in vectors]
            for causal in (False, True):
                paths = [
                    partial(attend_tiled, *vectors, causal=causal),
                    partial(attention, *tensors, is_causal=causal),
                ]
                if n <= FULL_GRID_UP_TO and heads == 1:
                    paths.append(partial(whole_grid, *vectors, causal))
                tiles, torchs, *grid = in_turn(*paths)
                rows.append(
                    {
                        "n": n, "heads": heads, "causal": causal, "seconds": tiles,
                        "over_torch": tiles / torchs,
                        "grid_over_tiles": grid[0] / tiles if grid else None,
                    }
                )  # fmt: skip
                print(json.dumps(rows[-1]))
    single = [row for row in rows if row["heads"] == 1 and not row["causal"]]
    power = fitted_exponent([r["n"] for r in single], [r["seconds"] for r in single])
    print(f"time grows as n^{power:.2f}")
    Path("bench_tiled.json").write_text(json.dumps(rows, indent=1))


def test_a_sentence_of_four_words_is_quick():
    query, key, value = np.random.default_rng(0).normal(size=(3, 4, 2))
    runs = []
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(1000):
            attend_tiled(query, key, value)
        runs.append(time.perf_counter() - start)
    print(f"\nfour words: {statistics.median(runs) * 1000:.0f} µs")


def test_float32_error_beside_the_grids():
    for spread in (1, 10, 100, 1000):
        query, key, value = inputs(1, 1024)
        query = query * np.float32(spread)
        exact = attend(*(a.astype(np.float64) for a in (query, key, value)))
        tiled = np.abs(attend_tiled(query, key, value) - exact.output).max()
        grid = np.abs(attend(query, key, value).output - exact.output).max()
        top = np.abs(exact.scaled).max()
        print(f"\nscores to {top:.0f}: tiles {tiled:.1e}, grid {grid:.1e}")
