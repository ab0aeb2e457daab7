"""Laws that hold for attention however it is worked out: as a grid, in tiles, or step by step."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from threadpoolctl import threadpool_info, threadpool_limits

from engine import attend, attend_tiled, causal_mask, walk_tiles

Floats = NDArray[Any]
Bools = NDArray[np.bool_]

SEEDS = st.integers(0, 2**32 - 1)
TILES = st.tuples(st.integers(1, 9), st.integers(1, 9))
LEADS = st.sampled_from([
    ((), (), ()), ((2,), (2,), (2,)), ((3,), (), ()), ((), (2,), (2,)),
    ((2, 3), (2, 1), (2, 1)), ((2, 1), (1, 3), ()), ((2, 3), (3,), (2, 1)), ((0,), (1,), ()),
])  # fmt: skip


@dataclass(frozen=True)
class Task:
    """What can be asked of every way to work attention out."""

    query: Floats
    key: Floats
    value: Floats
    mask: Bools | None
    causal: bool
    offset: int
    scale: float | None
    tile: tuple[int, int]
    workers: int | None

    @property
    def allowed(self) -> Bools:
        """Who may look at whom, as one mask with all leading axes."""
        n, m = self.query.shape[-2], self.key.shape[-2]
        lead = np.broadcast_shapes(*(a.shape[:-2] for a in (self.query, self.key, self.value)))
        allowed = np.ones((*lead, n, m), np.bool_)
        if self.mask is not None:
            allowed &= self.mask
        if self.causal:
            allowed &= np.arange(m) <= self.offset + np.arange(n)[:, None]
        return allowed

    def tolerance(self, allowed: Bools) -> float:
        """What rounding may do to an output: as much as the largest score's own rounding does."""
        scaled = attend(self.query, self.key, self.value, mask=allowed, scale=self.scale).scaled
        largest = np.abs(scaled).max(initial=1) * self.query.shape[-1]
        eps = float(np.finfo(scaled.dtype).eps)
        return 8 * eps * (8 + float(largest)) * max(float(np.abs(self.value).max(initial=0)), 1e-35)


@st.composite
def tasks(draw: st.DrawFn, *, least: int = 0, lead: bool = True) -> Task:
    """Tasks of any shape, with all kinds of masks, small scores and scores of some ±10⁴."""
    n, m = draw(st.integers(least, 12)), draw(st.integers(least, 12))
    d_k, d_v = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    leads = draw(LEADS) if lead else ((), (), ())
    dtype, size = draw(st.sampled_from([np.float32, np.float64])), draw(st.sampled_from([1, 1e4]))
    rng = np.random.default_rng(draw(SEEDS))
    query, key, value = (
        rng.normal(size=(*axes, *shape)).astype(dtype)
        for axes, shape in zip(leads, ((n, d_k), (m, d_k), (m, d_v)), strict=True)
    )
    whole = (*np.broadcast_shapes(*leads), n, m)
    shape = draw(st.sampled_from([None, (m,), (n, 1), (n, m), whole]))
    return Task(
        query=query * dtype(size),
        key=key,
        value=value,
        mask=None if shape is None else rng.random(shape) < draw(st.sampled_from([0.2, 0.8])),
        causal=draw(st.booleans()),
        offset=draw(st.integers(0, 4)),
        scale=draw(st.sampled_from([None, 1.0, 0.3, -0.5, 0.0])),
        tile=draw(TILES),
        workers=draw(st.sampled_from([None, 1, 2, 3])),
    )


def in_a_grid(task: Task) -> Floats:
    allowed = task.allowed
    return attend(task.query, task.key, task.value, mask=allowed, scale=task.scale).output


def in_tiles(task: Task, tile: tuple[int, int] | None = (0, 0)) -> Floats:
    return attend_tiled(
        task.query, task.key, task.value, causal=task.causal, offset=task.offset, mask=task.mask,
        scale=task.scale, tile=task.tile if tile == (0, 0) else tile, workers=task.workers,
    )  # fmt: skip


def in_tiles_of_its_own(task: Task) -> Floats:
    return in_tiles(task, None)


def in_steps(task: Task) -> Floats:
    steps = walk_tiles(
        task.query, task.key, task.value, causal=task.causal, offset=task.offset, mask=task.mask,
        scale=task.scale, tile=task.tile,
    )  # fmt: skip
    output = np.zeros_like(in_a_grid(task))
    for step in steps:
        total = step.total[..., None]
        share = np.divide(step.output, total, out=np.zeros_like(step.output), where=total != 0)
        output[..., step.queries, :] = share
    return output


WAYS = [in_a_grid, in_tiles, in_tiles_of_its_own, in_steps]
Way = Callable[[Task], Floats]
each_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


def replaced(task: Task, **changes: Any) -> Task:
    return Task(**{**vars(task), **changes})


@pytest.mark.parametrize("way", WAYS[1:], ids=lambda way: way.__name__)
@given(task=tasks())
def test_every_way_gives_what_the_grid_gives(way: Way, task: Task) -> None:
    grid, output = in_a_grid(task), way(task)
    assert (output.shape, output.dtype) == (grid.shape, grid.dtype)
    np.testing.assert_allclose(output, grid, rtol=0, atol=task.tolerance(task.allowed))


@given(
    seed=SEEDS, n=st.integers(1, 500), m=st.integers(1, 500), offset=st.integers(0, 300),
    causal=st.booleans(), is_masked=st.booleans(), size=st.sampled_from([1, 50]),
    tile=st.none() | st.tuples(st.integers(20, 600), st.integers(20, 600)),
    dtype=st.sampled_from([np.float32, np.float64]),
)  # fmt: skip
def test_many_words_give_what_the_grid_gives_whatever_the_tile(
    seed: int, n: int, m: int, offset: int, causal: bool, is_masked: bool, size: float,
    tile: tuple[int, int] | None, dtype: type,
) -> None:  # fmt: skip
    rng = np.random.default_rng(seed)
    query, key, value = (rng.normal(size=(rows, 3)).astype(dtype) for rows in (n, m, m))
    mask = rng.random((n, m)) < 0.3 if is_masked else None
    task = Task(query * dtype(size), key, value, mask, causal, offset, None, (1, 1), None)
    np.testing.assert_allclose(
        in_tiles(task, tile), in_a_grid(task), rtol=0, atol=task.tolerance(task.allowed)
    )


@given(task=tasks())
def test_a_row_of_weights_adds_up_to_1_and_to_0_where_nothing_is_seen(task: Task) -> None:
    allowed = task.allowed
    weights = attend(task.query, task.key, task.value, mask=allowed, scale=task.scale).weights
    sums, expected = weights.sum(axis=-1), allowed.any(axis=-1).astype(float)
    np.testing.assert_allclose(sums, expected, rtol=20 * np.finfo(weights.dtype).eps)
    assert (weights[~allowed] == 0).all()


@each_way
@given(task=tasks())
def test_words_that_all_give_1_give_every_query_1_and_0_to_whom_sees_nothing(
    way: Way, task: Task
) -> None:
    output = way(replaced(task, value=np.ones_like(task.value)))
    sees = np.broadcast_to(task.allowed.any(axis=-1, keepdims=True), output.shape)
    np.testing.assert_allclose(output, sees, rtol=2e-6 if output.dtype == np.float32 else 1e-14)


@each_way
@given(task=tasks(least=1), direction=SEEDS)
def test_outputs_lie_in_the_hull_of_the_values_that_may_be_seen(
    way: Way, task: Task, direction: int
) -> None:
    """Seen from any side, no output lies before the first or behind the last visible value."""
    side = np.random.default_rng(direction).normal(size=task.value.shape[-1])
    allowed = task.allowed
    places = np.broadcast_to((task.value @ side)[..., None, :], allowed.shape)
    first = np.where(allowed, places, np.inf).min(axis=-1)
    last = np.where(allowed, places, -np.inf).max(axis=-1)
    output = way(task) @ side
    sees = allowed.any(axis=-1)
    slack = (2e-5 if task.value.dtype == np.float32 else 1e-13) * (
        1 + np.abs(places).max(initial=0)
    )
    assert (output[sees] >= first[sees] - slack).all()
    assert (output[sees] <= last[sees] + slack).all()
    assert (output[~sees] == 0).all()


@each_way
@given(task=tasks(least=1, lead=False), seed=SEEDS)
def test_shuffling_words_and_mask_alike_shuffles_outputs(way: Way, task: Task, seed: int) -> None:
    rng = np.random.default_rng(seed)
    allowed = task.allowed
    rows, columns = (rng.permutation(count) for count in allowed.shape)
    given_mask = replaced(task, causal=False, mask=allowed)
    shuffled = replaced(
        given_mask, query=task.query[rows], key=task.key[columns], value=task.value[columns],
        mask=allowed[rows][:, columns],
    )  # fmt: skip
    plain = way(given_mask)[rows]
    np.testing.assert_allclose(way(shuffled), plain, rtol=0, atol=2 * task.tolerance(allowed))


@each_way
@given(task=tasks(least=1), constant=st.floats(-1e4, 1e4), seed=SEEDS)
@example(task=Task(np.ones((2, 1)), np.eye(3, 1), np.eye(3), None, False, 0, 1.0, (1, 2), 1),
         constant=-9e3, seed=0)  # fmt: skip
def test_adding_a_number_to_a_row_of_scores_changes_nothing(
    way: Way, task: Task, constant: float, seed: int
) -> None:
    """By a column more: queries have what is to be added there, keys have 1."""
    query, key = task.query, task.key
    scale = task.scale or 0.7  # of a scale of 0 nothing is left to add
    added = np.random.default_rng(seed).uniform(-1, 1, (*query.shape[:-1], 1)) * constant
    more = replaced(
        task,
        query=np.concatenate((query, added.astype(query.dtype)), axis=-1),
        key=np.concatenate((key, np.ones((*key.shape[:-1], 1), key.dtype)), axis=-1),
        scale=scale,
    )
    allowed = task.allowed
    np.testing.assert_allclose(
        way(more), way(replaced(task, scale=scale)), rtol=0, atol=2 * more.tolerance(allowed)
    )


@each_way
@given(
    task=tasks(least=1, lead=False), word=st.integers(0, 11), huge=st.sampled_from([1, 1e6, 1e30])
)
def test_a_hidden_word_cannot_matter_however_large(
    way: Way, task: Task, word: int, huge: float
) -> None:
    word %= len(task.key)
    mask = task.allowed
    mask[:, word] = False
    hidden = replaced(task, mask=mask)
    key, value = task.key.copy(), task.value.copy()
    key[word], value[word] = np.minimum(huge, 1e6), -huge
    other = replaced(hidden, key=key, value=value)
    np.testing.assert_allclose(way(other), way(hidden), rtol=0, atol=2 * task.tolerance(mask))


@each_way
@given(task=tasks(least=1, lead=False))
def test_the_first_word_of_a_causal_sentence_gets_its_own_value(way: Way, task: Task) -> None:
    alone = replaced(task, causal=True, offset=0, mask=None)
    np.testing.assert_allclose(way(alone)[0], task.value[0], rtol=1e-6, atol=1e-30)


@given(task=tasks(least=1, lead=False))
def test_the_first_row_of_a_causal_grid_is_1_and_zeros(task: Task) -> None:
    n, m = len(task.query), len(task.key)
    weights = attend(task.query, task.key, task.value, mask=causal_mask(n, m)).weights
    assert weights[0].tolist() == [1.0, *[0.0] * (m - 1)]


@each_way
@given(task=tasks(least=1, lead=False), count=st.integers(1, 5), is_cut=st.booleans())
def test_decoding_from_a_cache_gives_the_rows_of_the_causal_grid(
    way: Way, task: Task, count: int, is_cut: bool
) -> None:
    """A few words at a time, with the later keys there already or not yet."""
    words = len(task.key)
    query = np.resize(task.query, (words, task.query.shape[-1]))
    whole = replaced(task, query=query, causal=True, offset=0, mask=None)
    rows = in_a_grid(whole)
    for start in range(0, words, count):
        stop = min(start + count, words)
        known = slice(0, stop if is_cut else words)
        next_words = replaced(
            whole, query=query[start:stop], key=task.key[known], value=task.value[known],
            offset=start,
        )  # fmt: skip
        np.testing.assert_allclose(
            way(next_words), rows[start:stop], rtol=0, atol=2 * whole.tolerance(whole.allowed)
        )


@each_way
@given(
    task=tasks(least=1, lead=False), groups=st.integers(1, 3), size=st.integers(1, 3), seed=SEEDS
)
def test_a_group_shares_keys_as_if_each_head_had_a_copy(
    way: Way, task: Task, groups: int, size: int, seed: int
) -> None:
    """groups = heads is multi-head, one group multi-query."""
    rng = np.random.default_rng(seed)
    query, key, value = (
        rng.normal(size=(groups, heads, *array.shape)).astype(array.dtype)
        for heads, array in ((size, task.query), (1, task.key), (1, task.value))
    )
    shared = replaced(task, query=query, key=key, value=value)
    copies = replaced(
        shared, key=np.repeat(key, size, axis=1), value=np.repeat(value, size, axis=1)
    )
    np.testing.assert_allclose(
        way(shared), way(copies), rtol=0, atol=2 * shared.tolerance(shared.allowed)
    )


@given(task=tasks(least=1))
def test_after_each_tile_a_step_holds_attention_to_the_keys_so_far(task: Task) -> None:
    allowed = task.allowed
    steps = walk_tiles(
        task.query, task.key, task.value, causal=task.causal, offset=task.offset, mask=task.mask,
        scale=task.scale, tile=task.tile,
    )  # fmt: skip
    for step in steps:
        rows, so_far = step.queries, slice(0, step.keys.stop)
        seen = attend(
            task.query[..., rows, :], task.key[..., so_far, :], task.value[..., so_far, :],
            mask=allowed[..., rows, so_far], scale=task.scale,
        )  # fmt: skip
        np.testing.assert_allclose(
            step.output, seen.output * step.total[..., None],
            rtol=0, atol=task.tolerance(allowed) * (1 + step.total.max(initial=0)),
        )  # fmt: skip
        maximum = np.broadcast_to(seen.masked.max(axis=-1), step.maximum.shape)
        products = np.abs(task.query).max(initial=0) * np.abs(task.key).max(initial=0)
        rounding = 8 * np.finfo(maximum.dtype).eps * task.query.shape[-1] * products
        np.testing.assert_allclose(step.maximum, maximum, rtol=1e-5, atol=max(rounding, 1e-4))
        assert (step.scores.shape[-2:]) == (
            rows.stop - rows.start,
            step.keys.stop - step.keys.start,
        )


def blas_threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.mark.parametrize("is_first_to_leave", [False, True])
def test_of_two_calls_that_overlap_the_last_to_end_puts_blas_back(
    monkeypatch: pytest.MonkeyPatch, is_first_to_leave: bool
) -> None:
    """This thread's call and another's, in either order; this thread lives on after both."""
    from engine import tiled

    work = tiled._attend_block
    mine, other = 0.25, 0.5
    first, last = (mine, other) if is_first_to_leave else (other, mine)
    first_is_in, first_is_out = threading.Event(), threading.Event()
    last_is_in, during = threading.Event(), []

    def held_up(task: Any, *arguments: Any) -> None:
        during.append(blas_threads())
        if task.scale == first:
            first_is_in.set()
            assert last_is_in.wait(60)
        else:
            last_is_in.set()
            assert first_is_out.wait(60)
        work(task, *arguments)

    def call(scale: float) -> None:
        vectors = np.ones((8, 2))
        if scale == last:
            assert first_is_in.wait(60)
        attend_tiled(vectors, vectors, vectors, tile=(2, 2), workers=2, scale=scale)
        if scale == first:
            during.append(blas_threads())
            first_is_out.set()

    monkeypatch.setattr(tiled, "_attend_block", held_up)
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        thread = threading.Thread(target=call, args=(other,))
        thread.start()
        call(mine)
        thread.join()
        after = blas_threads()
    assert before == [2] * len(before)
    assert all(threads == [1] * len(before) for threads in during)
    assert after == before


@pytest.mark.parametrize(
    ("dtype", "score", "size"),
    [
        (np.float32, 0, 1e6), (np.float32, 0, 1e-30), (np.float32, 1e4, 1e6),
        (np.float32, -1e4, 1e-30), (np.float32, 1e-30, 1e-30), (np.float32, 20, 1e6),
        (np.float32, 55, 1e6), (np.float32, 69, 1e6), (np.float32, -69, 1e-15),
        (np.float64, 620, 1e6), (np.float64, -1e4, 1e-60), (np.float64, 1e4, 1e300),
        (np.float32, -55, 1e-30), (np.float64, -620, 1e-60),
    ],
)  # fmt: skip
def test_equal_values_of_any_size_come_out_as_they_are(
    dtype: type, score: float, size: float
) -> None:
    """Many words with one score and one value: to be added up, then divided."""
    root = abs(score) ** 0.5
    query, key = np.full((300, 1), root, dtype), np.full((300, 1), np.copysign(root, score), dtype)
    value = np.full((300, 1), size, dtype)
    output = attend_tiled(query, key, value, scale=1.0)
    np.testing.assert_allclose(output, value, rtol=1e-5 if dtype == np.float32 else 1e-12)
