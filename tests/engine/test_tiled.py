"""Tiles give what the grid gives, whatever the shapes, and never more than a tile is held."""

import threading
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from engine import attend, attend_tiled, causal_mask, convex_hull, walk_tiles
from engine.exponential import FACTOR, LOWEST, exp2_times_factor
from engine.presets import load_preset
from engine.sentence import vectors_of
from engine.threads import KEPT, workspace

SIZES = st.integers(1, 24)
SEEDS = st.integers(0, 2**32 - 1)


def vectors(seed, n, m, d=3, lead=(), dtype=np.float64, spread=1.0):
    rng = np.random.default_rng(seed)
    shapes = ((*lead, n, d), (*lead, m, d), (*lead, m, d + 1))
    return tuple((rng.normal(size=shape) * spread).astype(dtype) for shape in shapes)


@given(SEEDS, SIZES, SIZES, st.tuples(st.integers(1, 9), st.integers(1, 9)), st.booleans())
@settings(deadline=None)
def test_tiles_of_any_size_give_what_the_grid_gives(seed, n, m, tile, causal):
    query, key, value = vectors(seed, n, m)
    mask = causal_mask(n, m, offset=1) if causal else None
    grid = attend(query, key, value, mask=mask).output
    tiled = attend_tiled(query, key, value, causal=causal, offset=1, tile=tile)
    assert np.allclose(tiled, grid, rtol=1e-12, atol=1e-12)


@given(SEEDS, SIZES, SIZES, st.booleans())
@settings(deadline=None)
def test_a_mask_is_read_tile_by_tile(seed, n, m, causal):
    query, key, value = vectors(seed, n, m)
    mask = np.random.default_rng(seed).random((n, m)) < 0.6
    both = mask & causal_mask(n, m) if causal else mask
    tiled = attend_tiled(query, key, value, mask=mask, causal=causal, tile=(4, 5))
    assert np.allclose(tiled, attend(query, key, value, mask=both).output, atol=1e-12)


@given(SEEDS, st.integers(1, 12), st.integers(3, 12))
@settings(deadline=None)
def test_outputs_lie_in_the_hull_of_the_values(seed, n, m):
    rng = np.random.default_rng(seed)
    value = rng.normal(size=(m, 2))
    output = attend_tiled(rng.normal(size=(n, 3)), rng.normal(size=(m, 3)), value, tile=(3, 2))
    corners = value[convex_hull(value)]
    middle = corners.mean(axis=0)
    for point in middle + 0.999 * (output - middle):
        assert len(corners) not in convex_hull(np.concatenate((corners, [point])))


@given(SEEDS, st.integers(2, 12))
@settings(deadline=None)
def test_shuffling_words_and_mask_alike_shuffles_outputs(seed, n):
    query, key, value = vectors(seed, n, n)
    rng = np.random.default_rng(seed)
    mask, order = rng.random((n, n)) < 0.7, rng.permutation(n)
    plain = attend_tiled(query, key, value, mask=mask, tile=(3, 4))
    shuffled = attend_tiled(
        query[order], key[order], value[order], mask=mask[order][:, order], tile=(3, 4)
    )
    assert np.allclose(shuffled, plain[order], atol=1e-12)


@given(SEEDS, st.integers(2, 12))
@settings(deadline=None)
def test_a_masked_words_value_cannot_matter(seed, n):
    query, key, value = vectors(seed, n, n)
    mask = np.ones((n, n), bool)
    mask[:, 0] = False
    plain = attend_tiled(query, key, value, mask=mask, tile=(3, 4))
    value[0] = 1e300
    assert np.array_equal(attend_tiled(query, key, value, mask=mask, tile=(3, 4)), plain)


def test_decoding_a_word_at_a_time_gives_the_causal_grid():
    query, key, value = vectors(1, 9, 9)
    grid = attend(query, key, value, mask=causal_mask(9)).output
    for i in range(9):
        one = attend_tiled(
            query[i : i + 1], key[: i + 1], value[: i + 1], causal=True, offset=i, tile=(1, 4)
        )
        assert np.allclose(one[0], grid[i], atol=1e-12)


def test_the_first_word_collects_its_own_value_alone():
    query, key, value = vectors(2, 6, 6)
    assert np.allclose(attend_tiled(query, key, value, causal=True, tile=(4, 4))[0], value[0])


@pytest.mark.parametrize("tile", [None, (1, 2)])
def test_a_row_that_may_look_at_nothing_gets_zeros(tile):
    query, key, value = vectors(3, 4, 4)
    mask = np.ones((4, 4), bool)
    mask[2] = False
    assert not attend_tiled(query, key, value, mask=mask, tile=tile)[2].any()


def test_grouped_queries_share_keys_without_copying_them():
    rng = np.random.default_rng(4)
    query = rng.normal(size=(2, 3, 5, 4))
    key, value = rng.normal(size=(2, 2, 1, 7, 4))
    tiled = attend_tiled(query, key, value, tile=(2, 3))
    assert np.allclose(tiled, attend(query, key, value).output, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 3])
def test_many_words_on_many_threads_give_what_the_grid_gives(causal, heads):
    query, key, value = vectors(5, 700, 700, 16, (heads,), np.float32)
    tiled = attend_tiled(query, key, value, causal=causal)
    mask = causal_mask(700) if causal else None
    exact = attend(*(a.astype(float) for a in (query, key, value)), mask=mask).output
    assert tiled.dtype == np.float32
    assert np.abs(tiled - exact).max() <= 2e-6 * max(1, np.abs(value).max())


@pytest.mark.parametrize("spread", [3.0, 30.0, 300.0])
def test_large_scores_are_as_exact_as_the_float32_grid(spread):
    query, key, value = vectors(6, 400, 400, 16, (), np.float32)
    query *= np.float32(spread)
    exact = attend(*(a.astype(float) for a in (query, key, value))).output
    grid = np.abs(attend(query, key, value).output - exact).max()
    assert np.abs(attend_tiled(query, key, value) - exact).max() <= 2 * grid


def test_a_loose_bound_on_the_maximum_does_no_harm():
    """One huge key at a right angle to every query makes |q|·|k| say nothing about the scores."""
    query, key, value = vectors(7, 400, 400, 16, (), np.float32)
    query[:, 0], key[0] = 0, 0
    key[0, 0] = 1e6
    exact = attend(*(a.astype(float) for a in (query, key, value))).output
    assert np.abs(attend_tiled(query, key, value) - exact).max() <= 2e-6


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("spread", [1.5, 2.5, 8.0])
@pytest.mark.parametrize("loose", [False, True])
def test_the_error_is_never_twice_the_float32_grids(seed, spread, loose):
    """Also where one word takes nearly all, and the order of the sums shows."""
    query, key, value = vectors(seed, 300, 300, 4 if seed % 2 else 16, (), np.float32)
    query *= np.float32(spread)
    if loose:
        key[0] *= 50
    exact = attend(*(a.astype(float) for a in (query, key, value))).output
    grid = np.abs(attend(query, key, value).output - exact).max()
    error = np.abs(attend_tiled(query, key, value) - exact).max()
    scores = np.abs(attend(query, key, value).scaled).max()
    usual = 2e-6 * max(1.0, float(np.abs(value).max())) if scores <= 10 else 0.0
    assert error <= max(usual, 2 * grid)


@pytest.mark.parametrize("scale", [-0.5, -30.0, 0.0])
def test_any_scale_is_taken(scale):
    query, key, value = vectors(15, 200, 200, 8)
    tiled = attend_tiled(query, key, value, scale=scale)
    assert np.allclose(tiled, attend(query, key, value, scale=scale).output, atol=1e-12)


@pytest.mark.parametrize("size", [1e4, 1e-30])
def test_huge_and_tiny_scores_raise_no_warning(size):
    query, key, value = vectors(8, 300, 300, 4, (), np.float32)
    query *= np.float32(size)
    assert np.isfinite(attend_tiled(query, key, value)).all()


@pytest.mark.parametrize(("n", "m", "d"), [(0, 3, 2), (3, 0, 2), (0, 0, 1), (1, 1, 1)])
@pytest.mark.parametrize("tile", [None, (2, 2)])
def test_empty_and_single_inputs_have_the_right_shape(n, m, d, tile):
    output = attend_tiled(np.ones((n, d)), np.ones((m, d)), np.ones((m, 3)), tile=tile)
    assert output.shape == (n, 3)
    assert np.array_equal(output, np.full((n, 3), float(m > 0)))


@pytest.mark.parametrize("make", [
    lambda a: a[::2, ::-1], lambda a: np.asfortranarray(a), lambda a: a.astype(np.int64),
    lambda a: a.astype(np.float16), lambda a: np.broadcast_to(a[:1], a.shape),
])  # fmt: skip
def test_any_layout_and_type_of_numbers_is_taken(make):
    query, key, value = (make(np.round(4 * a)) for a in vectors(9, 300, 300, 8))
    for array in (query, key, value):
        array.flags.writeable = False
    assert np.allclose(attend_tiled(query, key, value), attend(query, key, value).output)


def test_a_nan_is_handed_on_and_not_hidden():
    query, key, value = vectors(10, 300, 300, 4, (), np.float32)
    query[5, 0] = np.nan
    output = attend_tiled(query, key, value)
    assert np.isnan(output[5]).all()


@pytest.mark.parametrize(("change", "said"), [
    ({"key": np.ones((3, 5))}, r"query and key .*\(3, 2\).*\(3, 5\)"),
    ({"value": np.ones((4, 2))}, r"key and value .*\(3, 2\).*\(4, 2\)"),
    ({"mask": np.ones((2, 3), bool)}, r"mask \(2, 3\)"),
    ({"mask": np.ones((3, 3))}, "mask must be of bool"),
    ({"tile": (0, 4)}, "tile must be \\(queries, keys\\)"),
    ({"tile": (4,)}, "tile must be \\(queries, keys\\)"),
    ({"workers": -1}, "workers must be at least 1"),
    ({"scale": float("nan")}, "scale must be a finite number"),
    ({"offset": -1}, "offset must be at least 0, not -1"),
    ({"offset": 0.5}, r"offset must be a whole number, not 0\.5"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_by_name(change, said):
    arguments = {"query": np.ones((3, 2)), "key": np.ones((3, 2)), "value": np.ones((3, 2))}
    with pytest.raises(ValueError, match=said):
        attend_tiled(**{**arguments, **change})


def test_the_steps_end_where_the_grid_does():
    query, key, value = vectors_of(load_preset())
    grid = attend(query, key, value)
    last = {}
    for step in walk_tiles(query, key, value, tile=(2, 2)):
        last[step.queries.start] = step.output / step.total[:, None]
    assert np.allclose(np.concatenate([last[0], last[2]]), grid.output, atol=1e-15)


def test_a_step_keeps_the_running_maximum_and_total():
    query, key, value = vectors_of(load_preset())
    steps = [s for s in walk_tiles(query, key, value, tile=(4, 1)) if s.queries.start == 0]
    assert [float(step.maximum[2].round(2)) for step in steps] == [0.0, 2.83, 2.83, 2.83]
    assert steps[-1].total[2] == pytest.approx(23.032079057340823 / 16.918828678557897)


def test_causal_steps_never_visit_a_tile_above_the_diagonal():
    query, key, value = vectors(11, 8, 8)
    steps = list(walk_tiles(query, key, value, causal=True, tile=(2, 2)))
    assert len(steps) == 1 + 2 + 3 + 4
    assert all(step.keys.start < step.queries.stop for step in steps)


def test_steps_are_copies():
    query, key, value = vectors(12, 4, 4)
    steps = list(walk_tiles(query, key, value, tile=(4, 2)))
    assert not np.shares_memory(steps[0].output, steps[1].output)
    assert not np.array_equal(steps[0].output, steps[1].output)


@pytest.mark.parametrize(("size", "is_kept"), [(KEPT, True), (KEPT + 8, False)])
def test_a_workspace_is_kept_for_the_next_call_unless_it_is_large(monkeypatch, size, is_kept):
    kept = deque()
    monkeypatch.setattr("engine.threads._kept", lambda: kept)
    assert KEPT == 4 * 2**20
    with workspace(np.dtype(float), (size // 8,)) as (numbers,):
        assert numbers.nbytes == size
    assert bool(kept) is is_kept


def test_two_calls_at_once_leave_blas_as_they_found_it():
    def threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    before = threads()
    query, key, value = vectors(13, 900, 900, 16, (), np.float32)
    calls = [threading.Thread(target=attend_tiled, args=(query, key, value)) for _ in range(4)]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert threads() == before


def test_an_error_in_a_thread_reaches_the_caller_and_blas_is_put_back(monkeypatch):
    before = [pool["num_threads"] for pool in threadpool_info()]
    monkeypatch.setattr("engine.tiled._attend_block", lambda *_: 1 / 0)
    query, key, value = vectors(14, 900, 900, 16, (), np.float32)
    with pytest.raises(ZeroDivisionError):
        attend_tiled(query, key, value)
    assert [pool["num_threads"] for pool in threadpool_info()] == before


@given(st.lists(st.floats(LOWEST, 100.0, width=32), min_size=1, max_size=50))
def test_the_fast_exponential_is_exact_to_eight_in_ten_million(powers):
    power = np.array(powers, np.float32)
    exact = np.exp2(power.astype(np.float64)) * FACTOR
    exp2_times_factor(power, np.empty_like(power), np.empty_like(power))
    assert np.allclose(power, exact, rtol=8e-7, atol=0)
