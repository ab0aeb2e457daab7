"""Tiles against the full-grid formula and against PyTorch: `make bench`, on an idle machine.

Everything is timed in turn within one run, and what is quoted are ratios of medians. Times are
printed and never asserted; errors are asserted, since they don't depend on what else runs.
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
WARM_SECONDS = 3
SETTLE_SECONDS = 0.2
"""Threads of torch and of BLAS go on spinning after their work, and new ones may share a core for
some hundredths of a second: each path runs untimed for so long, right before it is timed."""

SIZES = (1024, 2048, 4096, 8192)


def in_turn(*paths):
    """Each path's median seconds over RUNS rounds."""
    times = [[] for _ in paths]
    for _ in range(RUNS):
        for path, taken in zip(paths, times):
            run_for(SETTLE_SECONDS, path)
            start = time.perf_counter()
            path()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def run_for(seconds, path):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        path()


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
    run_for(WARM_SECONDS, partial(attend_tiled, *inputs(2, 1024)))
    rate = matrix_product_rate()
    print(f"\nmatrix product: {rate:.0f} GFLOP/s")
    rows = []
    for heads in (1, 8):
        for n in SIZES:
            vectors = inputs(heads, n)
            tensors = [torch.from_numpy(array)[None] for array in vectors]
            for causal in (False, True):
                ours = partial(attend_tiled, *vectors, causal=causal)
                tiles, torchs = in_turn(ours, partial(attention, *tensors, is_causal=causal))
                grid = None
                if heads == 1:
                    beside, whole = in_turn(ours, partial(whole_grid, *vectors, causal))
                    grid = whole / beside
                row = {"n": n, "heads": heads, "causal": causal, "milliseconds": 1e3 * tiles}
                row["over_torch"] = tiles / torchs
                row["grid_over_tiles"] = grid
                rows.append(row)
                print(
                    f"n {n:5}, {heads} heads, {'causal' if causal else 'full  '}: "
                    f"{1e3 * tiles:7.1f} ms, {tiles / torchs:.2f} of torch's"
                    + (f", the grid takes {grid:.1f} times as long" if grid else ""),
                    flush=True,
                )
    exponents = {}
    for causal in (False, True):
        single = [row for row in rows if row["heads"] == 1 and row["causal"] == causal]
        power = fitted_exponent([r["n"] for r in single], [r["milliseconds"] for r in single])
        exponents["causal" if causal else "full"] = power
        print(f"{'causal' if causal else 'full'}: time grows as n^{power:.2f}")
    written = {"matrix_product_gflops": rate, "rows": rows, "exponents": exponents}
    Path("bench_tiled.json").write_text(json.dumps(written, indent=1))


def test_a_sentence_of_four_words_is_quick():
    query, key, value = np.random.default_rng(0).normal(size=(3, 4, 2))
    runs = []
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(1000):
            attend_tiled(query, key, value)
        runs.append(time.perf_counter() - start)
    print(f"\nfour words: {statistics.median(runs) * 1000:.0f} µs")


SPREADS = (0.1, 1, 1.5, 2, 3, 10, 100, 1000)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("loose", [False, True])
def test_float32_error_beside_the_grids(causal, loose):
    """2e-6 of the largest value while no score passes 10; twice the float32 grid's error beyond.

    loose: one key 1,000 times as long as the others, at a right angle to every query, so that the
    product of lengths bounds nothing.
    """
    n = 1024
    mask = np.tri(n, dtype=bool) if causal else None
    for spread in SPREADS:
        query, key, value = (array[0].copy() for array in inputs(1, n))
        query *= np.float32(spread)
        if loose:
            query[:, 0], key[0] = 0, 0
            key[0, 0] = 1000 * np.linalg.norm(key, axis=-1).max()
        exact = attend(*(a.astype(np.float64) for a in (query, key, value)), mask=mask)
        tiled = np.abs(attend_tiled(query, key, value, causal=causal) - exact.output).max()
        grid = np.abs(attend(query, key, value, mask=mask).output - exact.output).max()
        top, largest = np.abs(exact.scaled).max(), max(1, np.abs(value).max())
        bound = 2e-6 * largest if top <= 10 else 2 * grid
        print(
            f"\n{'causal' if causal else 'full'}, {'loose' if loose else 'close'} bound, scores to "
            f"{top:.1f}: tiles {tiled:.1e}, grid {grid:.1e}, allowed {bound:.1e}",
            end="",
        )
        assert tiled <= bound
