"""What n tokens cost, in exact whole numbers."""

import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import causal_mask, growth, measure_growth
from engine.growth import _tiles, _whole_grid, fitted_exponent, held_by_tile
from engine.tiled import walk_tiles

COUNT = st.integers(1, 10_000)


def test_four_words_make_a_grid_of_sixteen_cells() -> None:
    assert growth(4, 2).cells == 16


@given(COUNT, COUNT)
def test_double_the_length_and_the_grid_gets_four_times_bigger(n: int, d: int) -> None:
    assert growth(2 * n, d).cells == 4 * growth(n, d).cells
    assert growth(2 * n, d).operations == 4 * growth(n, d).operations


@given(COUNT, COUNT)
def test_double_the_length_and_the_vectors_only_double(n: int, d: int) -> None:
    assert growth(2 * n, d).vector_bytes == 2 * growth(n, d).vector_bytes


@given(st.integers(1, 30))
def test_a_causal_grid_has_the_cells_that_its_mask_leaves_open(n: int) -> None:
    assert growth(n, 1).causal_cells == causal_mask(n).sum()


def test_operations_are_two_for_each_product_of_two_entries() -> None:
    n, d = 3, 5
    products = sum(1 for _query in range(n) for _key in range(n) for _entry in range(d))
    products += sum(1 for _word in range(n) for _entry in range(d) for _value in range(n))
    assert growth(n, d).operations == 2 * products


def test_every_head_of_every_layer_has_a_grid() -> None:
    cost = growth(4, 2, heads=8, layers=6)
    assert cost.grids == 48
    assert cost.all_grid_bytes == 48 * cost.grid_bytes == 48 * 16 * 4


def test_every_grid_takes_as_many_operations() -> None:
    assert growth(4, 2, heads=8, layers=6).operations == 48 * growth(4, 2).operations


def test_grids_of_a_hundred_thousand_tokens_take_40_gb_each() -> None:
    assert growth(100_000, 64).grid_bytes == 40_000_000_000


def test_bytes_follow_the_bytes_a_number_takes() -> None:
    half, full = growth(10, 4, bytes_per_number=2), growth(10, 4)
    assert 2 * half.grid_bytes == full.grid_bytes
    assert 2 * half.cache_bytes == full.cache_bytes
    assert 2 * half.vector_bytes == full.vector_bytes


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_any_method_must_hold_query_key_value_and_output_of_every_head(kv_heads: int) -> None:
    query, key = np.zeros((4, 10, 6), np.float32), np.zeros((kv_heads, 10, 6), np.float32)
    value, output = np.zeros_like(key), np.zeros_like(query)
    held = sum(each.nbytes for each in (query, key, value, output))
    assert growth(10, 6, heads=4, kv_heads=kv_heads).vector_bytes == held


def test_the_cache_holds_a_key_and_a_value_a_token_a_layer() -> None:
    assert growth(10, 4, layers=3).cache_bytes == 2 * 10 * 4 * 3 * 4


@pytest.mark.parametrize(("kv_heads", "share"), [(8, 1), (2, 4), (1, 8)])
def test_shared_keys_shrink_the_cache_by_the_size_of_a_group(kv_heads: int, share: int) -> None:
    assert (
        growth(10, 4, heads=8).cache_bytes
        == share * growth(10, 4, heads=8, kv_heads=kv_heads).cache_bytes
    )


def test_shared_keys_do_not_shrink_the_grids() -> None:
    assert growth(10, 4, heads=8, kv_heads=1).cells == growth(10, 4, heads=8).cells
    assert growth(10, 4, heads=8, kv_heads=1).operations == growth(10, 4, heads=8).operations


def test_keys_and_values_have_as_many_heads_unless_told_otherwise() -> None:
    assert growth(10, 4, heads=8).kv_heads == 8


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 5))
def test_what_a_tile_holds_is_what_a_step_of_the_walk_hands_out(
    queries: int, keys: int, d_v: int
) -> None:
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(12, 3)), rng.normal(size=(12, 3)), rng.normal(size=(12, d_v))
    step = next(walk_tiles(q, k, v, tile=(queries, keys)))
    held = (step.scores, step.maximum, step.total, step.output)
    assert held_by_tile(queries, keys, d_v) == sum(each.size for each in held)


@pytest.mark.parametrize(("tile", "name"), [((0, 2, 2), "queries"), ((2, 0, 2), "keys"),
                                            ((2, 2, 0), "d_v")])  # fmt: skip
def test_a_tile_of_nothing_is_refused_by_name(tile: tuple[int, int, int], name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be at least 1, not 0"):
        held_by_tile(*tile)


def test_huge_counts_stay_exact() -> None:
    assert growth(10**12, 1).cells == 10**24
    assert growth(10**12, 1).causal_cells == (10**24 + 10**12) // 2


def test_counts_from_an_array_stay_exact() -> None:
    assert growth(np.int32(100_000), np.int32(64)).operations == 4 * 10**10 * 64


@pytest.mark.parametrize("count", [2.5, float("nan"), "4"])
def test_a_count_that_is_not_whole_is_refused_by_name(count: object) -> None:
    with pytest.raises(ValueError, match=f"^n must be a whole number, not {count!r}"):
        growth(count, 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["n", "d", "heads", "kv_heads", "layers", "bytes_per_number"])
def test_a_count_below_1_is_refused_by_name(name: str) -> None:
    counts = {"n": 4, "d": 2} | {name: 0}
    with pytest.raises(ValueError, match=f"^{name} must be at least 1, not 0"):
        growth(**counts)


@pytest.mark.parametrize("kv_heads", [3, 16])
def test_groups_that_do_not_come_out_even_are_refused(kv_heads: int) -> None:
    with pytest.raises(ValueError, match=f"kv_heads = {kv_heads} must divide heads = 8"):
        growth(4, 2, heads=8, kv_heads=kv_heads)


def test_both_paths_are_measured_for_doubling_sizes():
    measured = list(measure_growth(1024, 8))
    assert [one.n for one in measured] == [256, 512, 1024]
    assert all(one.grid > 0 and one.tiles > 0 for one in measured)


def test_each_path_runs_once_untimed_before_it_is_timed(monkeypatch):
    module, ran = sys.modules["engine.growth"], []
    monkeypatch.setattr(module, "_tiles", lambda v, causal: ran.append("tiles"))
    monkeypatch.setattr(module, "_whole_grid", lambda v, causal: ran.append("grid"))
    list(measure_growth(256, 8))
    assert ran == ["grid", "tiles", *["grid"] * 3, *["tiles"] * 3]


def test_a_path_that_would_take_too_long_is_given_up():
    first, *rest = measure_growth(4096, 8, seconds=0.0)
    assert first.n == 256
    assert rest == []


def test_a_grid_that_would_hold_too_much_is_given_up_and_tiles_go_on():
    measured = list(measure_growth(1024, 8, bytes_held=3 * 512**2 * 4))
    assert [one.grid is None for one in measured] == [False, False, True]
    assert measured[-1].tiles is not None


def test_a_grid_that_would_take_too_long_is_given_up_and_tiles_go_on(monkeypatch):
    """With times that are made up: 1 s for the first grid, four times that for the next."""
    made_up = {_whole_grid: lambda n: (n / 256) ** 2, _tiles: lambda n: n / 256e6}
    module = sys.modules["engine.growth"]  # the attribute of that name is the function
    monkeypatch.setattr(module, "_seconds", lambda path, v, *_: made_up[path](v.shape[1]))
    measured = list(measure_growth(2048, 8, seconds=5.0))
    assert [one.grid for one in measured] == [1, 4, None, None]
    assert None not in [one.tiles for one in measured]


def test_vectors_that_would_hold_too_much_end_the_measuring():
    measured = list(measure_growth(1 << 20, 8, bytes_held=growth(512, 8).vector_bytes))
    assert [(one.n, one.grid) for one in measured] == [(256, None), (512, None)]


def test_a_stop_ends_the_measuring():
    assert list(measure_growth(1 << 20, 8, is_stopped=lambda: True)) == []


def test_each_measurement_can_be_shown_before_the_next_is_made():
    shown = []
    for one in measure_growth(1 << 20, 8, is_stopped=lambda: len(shown) == 2):
        shown.append(one.n)
    assert shown == [256, 512]


@pytest.mark.parametrize("causal", [False, True])
def test_what_is_timed_are_two_ways_to_the_same_outputs(causal):
    vectors = np.random.default_rng(0).standard_normal((3, 300, 8), dtype=np.float32)
    grid, tiles = _whole_grid(vectors, causal), _tiles(vectors, causal)
    np.testing.assert_allclose(grid, tiles, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_the_whole_grid_holds_what_the_limit_counts(causal):
    vectors = np.zeros((3, 512, 8), dtype=np.float32)
    tracemalloc.start()
    _whole_grid(vectors, causal)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.9 * 3 * growth(512, 8).grid_bytes < held < 1.1 * 3 * growth(512, 8).grid_bytes


@pytest.mark.parametrize(("arguments", "said"), [
    ({"up_to": 100}, "up_to must be at least 256, not 100"),
    ({"up_to": 256, "d": 0}, "d must be at least 1, not 0"),
    ({"up_to": 256, "seconds": float("nan")}, "seconds must be at least 0, not nan"),
])  # fmt: skip
def test_what_cannot_be_measured_is_refused_by_name(arguments, said):
    with pytest.raises(ValueError, match=said):
        next(measure_growth(**arguments))


def test_the_fitted_exponent_of_squares_is_two():
    assert fitted_exponent([1, 2, 4, 8], [3.0, 12.0, 48.0, 192.0]) == pytest.approx(2)


def test_one_size_has_no_exponent():
    with pytest.raises(ValueError, match="two costs or more"):
        fitted_exponent([1], [1.0])
