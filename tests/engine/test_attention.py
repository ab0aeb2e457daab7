"""softmax(Q Kᵀ · scale + mask) V with every step kept."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from engine import Attention, attend, causal_mask, padding_mask, softmax

STEPS = ("scores", "scaled", "masked", "shift", "exp", "total", "weights", "output")
Floats = NDArray[np.float64]


@st.composite
def vectors(draw: st.DrawFn, size: float = 10) -> tuple[Floats, Floats, Floats]:
    """Query, key and value of one sentence, of fitting shapes."""
    n, m, d_k, d_v = (draw(st.integers(1, 5)) for _ in range(4))
    numbers = st.floats(-size, size)
    return (
        draw(arrays(np.float64, (n, d_k), elements=numbers)),
        draw(arrays(np.float64, (m, d_k), elements=numbers)),
        draw(arrays(np.float64, (m, d_v), elements=numbers)),
    )


def some(*shape: int, dtype: type = np.float64) -> NDArray[Any]:
    """Numbers from −2 to 2, the same each time."""
    return np.random.default_rng(0).uniform(-2, 2, shape).astype(dtype)


@given(vectors())
def test_each_output_is_the_formula_written_out(given_vectors: tuple[Floats, ...]) -> None:
    query, key, value = given_vectors
    expected = softmax(query @ key.T / np.sqrt(query.shape[1])) @ value
    np.testing.assert_allclose(attend(query, key, value).output, expected, rtol=1e-9, atol=1e-11)


@given(vectors())
def test_each_step_follows_from_the_one_before(given_vectors: tuple[Floats, ...]) -> None:
    a = attend(*given_vectors)
    np.testing.assert_array_equal(a.scaled, a.scores * a.scale)
    np.testing.assert_array_equal(a.exp, np.exp(a.masked - a.shift[:, None]))
    np.testing.assert_array_equal(a.total, a.exp.sum(axis=-1))
    np.testing.assert_array_equal(a.weights, a.exp / a.total[:, None])
    np.testing.assert_array_equal(a.output, a.weights @ a.value)


@given(vectors(size=1e6))
def test_each_row_of_weights_adds_up_to_1(given_vectors: tuple[Floats, ...]) -> None:
    np.testing.assert_allclose(attend(*given_vectors).weights.sum(axis=-1), 1, rtol=1e-14)


@given(vectors(size=1e6))
def test_no_output_leaves_the_range_of_the_values(given_vectors: tuple[Floats, ...]) -> None:
    a = attend(*given_vectors)
    slack = 1e-13 * np.abs(a.value).max() + 1e-300
    assert (a.output >= a.value.min(axis=0) - slack).all()
    assert (a.output <= a.value.max(axis=0) + slack).all()


@given(vectors(size=1e6))
def test_the_shift_changes_no_weight(given_vectors: tuple[Floats, ...]) -> None:
    a = attend(*given_vectors)
    np.testing.assert_allclose(a.weights, softmax(a.masked), rtol=1e-12, atol=1e-300)


@given(vectors())
def test_each_row_is_worked_out_by_itself(given_vectors: tuple[Floats, ...]) -> None:
    query, key, value = given_vectors
    alone = np.vstack([attend(row[None], key, value).output for row in query])
    np.testing.assert_allclose(attend(query, key, value).output, alone, rtol=1e-9, atol=1e-11)


def test_scale_defaults_to_1_over_the_root_of_d_k() -> None:
    assert attend(some(2, 16), some(3, 16), some(3, 2)).scale == 0.25


def test_scale_1_leaves_the_scores_as_they_are() -> None:
    a = attend(some(2, 4), some(3, 4), some(3, 2), scale=1.0)
    np.testing.assert_array_equal(a.scaled, a.scores)


def test_scale_0_listens_to_all_words_alike() -> None:
    a = attend(some(2, 4), some(4, 4), some(4, 2), scale=0)
    assert (a.weights == 0.25).all()


# Types


@pytest.mark.parametrize("step", STEPS)
def test_float32_stays_float32_at_every_step(step: str) -> None:
    f = np.float32
    mask = causal_mask(3)
    a = attend(some(3, 2, dtype=f), some(3, 2, dtype=f), some(3, 2, dtype=f), mask=mask, scale=0.3)
    assert getattr(a, step).dtype == np.float32


@pytest.mark.parametrize("step", STEPS)
def test_float32_stays_float32_where_rows_are_shifted_or_hidden(step: str) -> None:
    query = np.array([[100], [1]], np.float32)
    a = attend(query, query, query, mask=[[True, True], [False, False]])
    assert a.shift[0] == 10_000
    assert getattr(a, step).dtype == np.float32


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("dtype", [np.int64, np.float16, np.float64, np.bool_])
def test_all_else_is_float64_at_every_step(dtype: type, step: str) -> None:
    a = attend(np.ones((3, 2), dtype), np.ones((3, 2), dtype), np.ones((3, 2), dtype))
    assert getattr(a, step).dtype == np.float64


@pytest.mark.parametrize("exact", [0, 1, 2])
def test_one_float64_among_them_makes_all_float64(exact: int) -> None:
    dtypes = [np.float64 if i == exact else np.float32 for i in range(3)]
    a = attend(*(some(3, 2, dtype=dtype) for dtype in dtypes))
    assert {getattr(a, name).dtype for name in (*STEPS, "query", "key", "value")} == {
        np.dtype(np.float64)
    }


def test_the_arrays_handed_in_are_left_alone() -> None:
    given_vectors = [some(3, 2), some(3, 2), some(3, 2)]
    before = [array.copy() for array in given_vectors]
    attend(*given_vectors, mask=causal_mask(3))
    for array, was in zip(given_vectors, before, strict=True):
        np.testing.assert_array_equal(array, was)


# Batches, heads and groups


@pytest.mark.parametrize("mask", [None, causal_mask(3, 5)])
def test_leading_axes_are_sentences_and_heads_of_their_own(mask: NDArray[np.bool_] | None) -> None:
    query, key, value = some(2, 4, 3, 6), some(2, 4, 5, 6), some(2, 4, 5, 7)
    together = attend(query, key, value, mask=mask)
    for batch in range(2):
        for head in range(4):
            alone = attend(query[batch, head], key[batch, head], value[batch, head], mask=mask)
            np.testing.assert_allclose(
                together.output[batch, head], alone.output, rtol=1e-12, atol=1e-14
            )


def grouped() -> Attention:
    """Two groups of three heads: the three of a group share keys and values."""
    return attend(some(2, 3, 4, 8), some(2, 1, 5, 8), some(2, 1, 5, 6))


def test_grouped_queries_share_a_groups_keys_and_values() -> None:
    a = grouped()
    assert a.output.shape == (2, 3, 4, 6)
    for group in range(2):
        for head in range(3):
            alone = attend(a.query[group, head], a.key[group, 0], a.value[group, 0])
            np.testing.assert_allclose(a.output[group, head], alone.output, rtol=1e-12, atol=1e-14)


def test_grouped_keys_and_values_are_kept_once() -> None:
    a = grouped()
    assert (a.key.shape, a.value.shape) == ((2, 1, 5, 8), (2, 1, 5, 6))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_keys_and_values_are_not_copied(dtype: type) -> None:
    query, key, value = (some(2, g, 5, 8, dtype=dtype) for g in (3, 1, 1))
    a = attend(query, key, value)
    for name, array in (("query", query), ("key", key), ("value", value)):
        assert np.shares_memory(getattr(a, name), array)


def test_keys_broadcast_by_hand_stay_one_copy() -> None:
    key = some(2, 1, 5, 8)
    a = attend(some(2, 3, 5, 8), np.broadcast_to(key, (2, 3, 5, 8)), some(2, 1, 5, 8))
    assert np.shares_memory(a.key, key)
    assert a.key.strides[1] == 0


def test_a_mask_is_broadcast_without_being_copied() -> None:
    mask = causal_mask(4)
    a = attend(some(2, 3, 4, 8), some(2, 1, 4, 8), some(2, 1, 4, 8), mask=mask)
    assert a.mask is not None
    assert np.shares_memory(a.mask, mask)
    assert a.mask.strides[:2] == (0, 0)


def test_padding_hides_each_sentences_own_padding() -> None:
    mask = padding_mask([3, 1], 3)
    a = attend(some(2, 3, 4), some(2, 3, 4), some(2, 3, 4), mask=mask)
    assert (a.weights[1] == [[1, 0, 0]] * 3).all()
    assert (a.weights[0] > 0).all()


# Masks


@given(vectors(), st.data())
def test_what_is_hidden_changes_nothing(
    given_vectors: tuple[Floats, ...], data: st.DataObject
) -> None:
    query, key, value = given_vectors
    hidden = data.draw(st.integers(0, len(key) - 1))
    mask = np.arange(len(key)) != hidden
    other_key, other_value = key.copy(), value.copy()
    other_key[hidden], other_value[hidden] = 3, -7
    one = attend(query, key, value, mask=mask[None]).output
    other = attend(query, other_key, other_value, mask=mask[None]).output
    np.testing.assert_array_equal(one, other)


@given(vectors(), st.data())
def test_hiding_a_word_shares_its_weight_out_in_proportion(
    given_vectors: tuple[Floats, ...], data: st.DataObject
) -> None:
    query, key, value = given_vectors
    mask = np.arange(len(key)) != data.draw(st.integers(0, len(key) - 1))
    plain = attend(query / 10, key / 10, value).weights
    masked = attend(query / 10, key / 10, value, mask=mask[None]).weights
    left = plain * mask
    if mask.any():
        left = left / left.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(masked, left, rtol=1e-11, atol=1e-15)


def test_a_mask_that_hides_nothing_changes_nothing() -> None:
    query, key, value = some(3, 2), some(3, 2), some(3, 2)
    masked = attend(query, key, value, mask=np.ones((3, 3), bool))
    np.testing.assert_array_equal(masked.output, attend(query, key, value).output)


def test_without_a_mask_there_is_none() -> None:
    assert attend(some(2, 2), some(2, 2), some(2, 2)).mask is None


@pytest.mark.case(9)
def test_a_word_that_may_look_at_nothing_gets_weights_0_and_output_0() -> None:
    mask = np.array([[True, True], [False, False]])
    a = attend(some(2, 2), some(2, 2), some(2, 2), mask=mask)
    assert a.weights[1].tolist() == [0, 0]
    assert a.output[1].tolist() == [0, 0]
    assert (a.shift[1], a.total[1]) == (0, 0)


@pytest.mark.case(9)
def test_where_nobody_may_look_no_step_has_a_nan() -> None:
    a = attend(some(3, 2), some(3, 2), some(3, 2), mask=np.zeros((3, 3), bool))
    assert not any(np.isnan(getattr(a, step)).any() for step in STEPS)


@pytest.mark.case(9)
def test_a_sentence_without_keys_gives_outputs_of_0() -> None:
    a = attend(some(2, 3), np.zeros((0, 3)), np.zeros((0, 4)))
    assert a.output.tolist() == [[0] * 4] * 2


# When paper doesn't reach


def row(*scores: float, dtype: type = np.float64) -> Attention:
    """One query of [1] against keys that are the scores themselves."""
    key: NDArray[Any] = np.array(scores, dtype)[:, None]
    return attend(np.ones((1, 1), dtype), key, key)


@pytest.mark.case(8)
@pytest.mark.parametrize(
    ("scores", "shift"),
    [
        ((0, 4, 2, 0), 0),
        ((709, 0), 0),           # e^709 is 8.2e307
        ((709.7, 709.7), 709.7),   # each is finite, their total isn't
        ((710, 0), 710),         # e^710 overflows
        ((-708, -710), 0),       # a total of 3.8e-308 is a normal number
        ((-709, -740), -709),    # a total of 1.2e-308 isn't
        ((-1e4, -2e4), -1e4),    # a total of 0
        ((-1e4, 3), 0),          # one that vanishes is no harm
        ((1e12, 1e12), 1e12),
    ],
)  # fmt: skip
def test_the_shift_is_0_exactly_where_paper_reaches(
    scores: tuple[float, ...], shift: float
) -> None:
    assert row(*scores).shift.tolist() == [shift]


@pytest.mark.case(8)
@pytest.mark.parametrize(("score", "shift"), [(88, 0), (89, 89), (-87, 0), (-88, -88)])
def test_float32_reaches_less_far_on_paper(score: float, shift: float) -> None:
    assert row(score, -200, dtype=np.float32).shift.tolist() == [shift]


@pytest.mark.case(8)
def test_weights_stay_right_where_exp_overflows() -> None:
    a = row(1000, 999, -1000)
    np.testing.assert_allclose(a.weights, [softmax([1.0, 0.0, -1999.0])], rtol=1e-15)
    assert np.isfinite(a.exp).all()


@pytest.mark.case(8)
def test_each_row_is_shifted_by_itself() -> None:
    a = attend([[1.0], [1000.0]], [[1.0], [2.0]], [[1.0], [0.0]])
    assert a.shift.tolist() == [0, 2000]


@pytest.mark.case(8)
def test_a_hidden_score_does_not_make_a_shift() -> None:
    a = attend([[1.0]], [[1e5], [1.0]], [[1.0], [0.0]], mask=[[False, True]])
    assert a.shift.tolist() == [0]
    assert a.weights.tolist() == [[0, 1]]


@pytest.mark.case(2)
@pytest.mark.parametrize("size", [1e6, -1e6, 1e-300, 5e-324, 0.0])
def test_equal_vectors_of_any_size_share_evenly(size: float) -> None:
    same = np.full((4, 2), size)
    a = attend(same, same, same)
    assert a.weights.tolist() == [[0.25] * 4] * 4
    np.testing.assert_allclose(a.output, same, rtol=1e-15, atol=1e-323)


@pytest.mark.case(2)
def test_a_tiny_vector_among_huge_ones_gives_finite_numbers() -> None:
    mixed = np.array([[1e6, 1e6], [1e-300, 1e-300], [-1e6, 1e6]])
    a = attend(mixed, mixed, mixed, scale=100 / np.sqrt(2))
    assert all(np.isfinite(getattr(a, step)).all() for step in STEPS)


def test_scores_further_apart_than_a_float_can_say_give_no_warning() -> None:
    assert row(3e38, -3e38, dtype=np.float32).weights.tolist() == [[1, 0]]


# Refusals


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: attend(some(3), some(3, 2), some(3, 2)),
            r"query must be \(..., n, d\), but has shape \(3,\)",
        ),
        (
            lambda: attend(some(3, 2), some(3), some(3, 2)),
            r"key must be \(..., n, d\), but has shape \(3,\)",
        ),
        (
            lambda: attend(some(3, 2), some(3, 2), some(3)),
            r"value must be \(..., n, d\), but has shape \(3,\)",
        ),
        (
            lambda: attend(some(3, 2), some(4, 5), some(4, 2)),
            r"query and key must be equally long.*query \(3, 2\), key \(4, 5\)",
        ),
        (
            lambda: attend(some(3, 0), some(4, 0), some(4, 2)),
            r"not empty: query \(3, 0\), key \(4, 0\)",
        ),
        (
            lambda: attend(some(2, 3, 0), some(2, 4, 0), some(2, 4, 2)),
            r"not empty: query \(2, 3, 0\), key \(2, 4, 0\)",
        ),
        (
            lambda: attend(some(3, 2), some(4, 2), some(5, 2)),
            r"key and value must have as many rows: key \(4, 2\), value \(5, 2\)",
        ),
        (
            lambda: attend(some(2, 3, 2), some(3, 4, 2), some(4, 2)),
            r"key's leading axes don't fit the query's: query \(2, 3, 2\), key \(3, 4, 2\)",
        ),
        (
            lambda: attend(some(5, 2, 3, 2), some(5, 4, 2), some(5, 4, 2)),
            r"key's leading axes don't fit the query's: query \(5, 2, 3, 2\), key \(5, 4, 2\)",
        ),
        (
            lambda: attend(some(5, 6, 2, 3, 2), some(5, 6, 4, 2), some(5, 6, 4, 2)),
            r"key's leading axes don't fit the query's: query \(5, 6, 2, 3, 2\), key \(5, 6,",
        ),
        (
            lambda: attend(some(5, 6, 3, 2), some(5, 6, 3, 4, 2), some(5, 6, 3, 4, 2)),
            r"key's leading axes don't fit the query's: query \(5, 6, 3, 2\), key \(5, 6, 3, 4,",
        ),
        (
            lambda: attend(some(5, 6, 3, 2), some(5, 6, 2, 4, 2), some(5, 6, 4, 2)),
            r"key's leading axes don't fit the query's: query \(5, 6, 3, 2\), key \(5, 6, 2, 4,",
        ),
        (
            lambda: attend(some(5, 6, 3, 2), some(5, 6, 4, 2), some(5, 6, 2, 4, 2)),
            r"value's leading axes don't fit the query's: query \(5, 6, 3, 2\), value \(5, 6, 2,",
        ),
        (
            lambda: attend(some(2, 3, 2), some(4, 2), some(3, 4, 2)),
            r"value's leading axes don't fit the query's: query \(2, 3, 2\), value \(3, 4, 2\)",
        ),
        (
            lambda: attend(some(3, 2), some(2, 4, 2), some(3, 4, 2)),
            r"value's leading axes don't fit the key's: key \(2, 4, 2\), value \(3, 4, 2\)",
        ),
        (
            lambda: attend(some(3, 2), some(4, 2), some(4, 2), mask=causal_mask(3)),
            r"mask \(3, 3\) doesn't fit the scores \(3, 4\)",
        ),
        (
            lambda: attend(some(3, 2), some(4, 2), some(4, 2), mask=np.ones((2, 3, 4), bool)),
            r"mask \(2, 3, 4\) doesn't fit the scores \(3, 4\)",
        ),
        (
            lambda: attend(some(3, 2), some(3, 2), some(3, 2), mask=np.ones((3, 3))),
            r"mask must be of bool \(True = may look\), not float64",
        ),
        (
            lambda: attend(some(3, 2), some(3, 2), some(3, 2), mask=[[True], [True, False]]),
            "mask must be of bool in rows equally long",
        ),
        (
            lambda: attend([[1, 2], [3]], some(3, 2), some(3, 2)),
            "query must be numbers in rows equally long",
        ),
        (
            lambda: attend(some(3, 2), [[1, 2], [3]], some(3, 2)),
            "key must be numbers in rows equally long",
        ),
        (
            lambda: attend(some(3, 2), some(3, 2), some(3, 2) * 1j),
            r"value must be of real numbers, not complex128: \(3, 2\)",
        ),
        (
            lambda: attend(some(3, 2), some(3, 2), some(3, 2), scale=float("nan")),
            "scale must be a finite number, not nan",
        ),
    ],
)
def test_a_refusal_names_the_argument_and_both_shapes(
    call: Callable[[], Attention], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()
