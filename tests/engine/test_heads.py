"""Several attentions side by side, joined and mixed; keys and values that heads share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine import (
    HeadWeights,
    MultiHeadAttention,
    attend,
    attend_heads,
    attention_of,
    causal_mask,
    growth,
    padding_mask,
)
from engine.heads import join_heads, split_heads
from engine.presets import load_preset
from engine.sentence import embeddings_of, mask_of, with_settings

STEPS = ("scores", "scaled", "masked", "shift", "exp", "total", "weights", "output")
NAMES = ("query", "key", "value", *STEPS)
KINDS = [8, 2, 1]  # heads of keys and values for eight of queries


def some(*shape: int, dtype: type = np.float64, seed: int = 0) -> NDArray[Any]:
    """Numbers from −2 to 2, the same each time."""
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype(dtype)


def some_weights(
    heads: int = 8,
    kv_heads: int | None = None,
    *,
    d_model: int = 6,
    d_k: int = 4,
    d_v: int = 3,
    dtype: type = np.float64,
) -> HeadWeights:
    """Weights of fitting shapes, no two matrices alike."""
    shared = heads if kv_heads is None else kv_heads
    return HeadWeights(
        w_query=some(d_model, heads * d_k, dtype=dtype, seed=1),
        w_key=some(d_model, shared * d_k, dtype=dtype, seed=2),
        w_value=some(d_model, shared * d_v, dtype=dtype, seed=3),
        w_output=some(heads * d_v, d_model, dtype=dtype, seed=4),
        heads=heads,
        kv_heads=kv_heads,
    )


COUNTS = st.tuples(*(st.integers(1, 4) for _ in range(6)))  # kv_heads group n d_model d_k d_v


def drawn(counts: tuple[int, ...]) -> tuple[NDArray[Any], HeadWeights]:
    """A sentence of n words, and weights for kv_heads · group heads."""
    kv_heads, group, n, d_model, d_k, d_v = counts
    return some(n, d_model), some_weights(
        kv_heads * group, kv_heads, d_model=d_model, d_k=d_k, d_v=d_v
    )


# The document


def sentence_weights() -> HeadWeights:
    """The document's projections, one a head, laid side by side."""
    sentence = load_preset("two-heads")
    queries, keys, values = (
        join_heads([getattr(head, kind) for head in sentence.heads])
        for kind in ("w_query", "w_key", "w_value")
    )
    w_output = np.array(sentence.w_output, float)
    return HeadWeights(queries, keys, values, w_output, heads=len(sentence.heads))


@pytest.mark.parametrize("causal", [False, True])
def test_the_documents_heads_joined_by_its_w_output_are_attend_heads(causal: bool) -> None:
    sentence = with_settings(load_preset("two-heads"), causal=causal)
    outputs = [attention_of(sentence, head).output for head in range(len(sentence.heads))]
    expected = np.hstack(outputs) @ np.array(sentence.w_output)
    together = attend_heads(embeddings_of(sentence), sentence_weights(), mask=mask_of(sentence))
    np.testing.assert_allclose(together.output, expected, rtol=1e-14)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("head", [0, 1])
def test_each_step_of_a_documents_head_is_that_of_attend_heads(head: int, name: str) -> None:
    sentence = load_preset("two-heads")
    together = attend_heads(embeddings_of(sentence), sentence_weights()).head(head)
    expected = getattr(attention_of(sentence, head), name)
    np.testing.assert_allclose(getattr(together, name), expected, rtol=1e-14)


# Two ways to tell the story


@given(COUNTS)
def test_one_wide_projection_split_is_one_projection_a_head(counts: tuple[int, ...]) -> None:
    x, weights = drawn(counts)
    wide = split_heads(x @ weights.w_query, weights.heads)
    a_head = x @ split_heads(weights.w_query, weights.heads)
    np.testing.assert_allclose(wide, a_head, rtol=1e-13, atol=1e-14)


@given(COUNTS)
def test_heads_told_one_by_one_give_the_same_output(counts: tuple[int, ...]) -> None:
    x, weights = drawn(counts)
    kv_heads = counts[0]
    w_query = split_heads(weights.w_query, weights.heads)
    w_key, w_value = split_heads(weights.w_key, kv_heads), split_heads(weights.w_value, kv_heads)
    outputs = []
    for head in range(weights.heads):
        shared = head // weights.group
        outputs.append(attend(x @ w_query[head], x @ w_key[shared], x @ w_value[shared]).output)
    expected = np.hstack(outputs) @ weights.w_output
    np.testing.assert_allclose(attend_heads(x, weights).output, expected, rtol=1e-11, atol=1e-12)


@given(COUNTS)
def test_w_output_on_joined_heads_is_a_sum_over_heads(counts: tuple[int, ...]) -> None:
    x, weights = drawn(counts)
    a = attend_heads(x, weights)
    rows = weights.w_output.reshape(weights.heads, -1, x.shape[-1])
    expected = sum(a.head(head).output @ rows[head] for head in range(weights.heads))
    np.testing.assert_allclose(a.output, expected, rtol=1e-11, atol=1e-12)


@given(st.integers(1, 4), st.integers(0, 4), st.integers(0, 4), st.integers(1, 3))
def test_what_is_split_is_joined_again(heads: int, n: int, d: int, batch: int) -> None:
    vectors = some(batch, n, heads * d)
    np.testing.assert_array_equal(join_heads(split_heads(vectors, heads)), vectors)


def test_a_heads_piece_is_its_own_columns() -> None:
    assert split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2).tolist() == [
        [[1, 2], [5, 6]],
        [[3, 4], [7, 8]],
    ]


def test_splitting_copies_nothing() -> None:
    vectors = some(5, 8)
    assert np.shares_memory(split_heads(vectors, 4), vectors)


def test_one_head_with_w_output_of_ones_on_the_diagonal_is_plain_attention() -> None:
    x, one = some(4, 3), np.eye(3)
    a = attend_heads(x, HeadWeights(one, one, one, one, heads=1))
    np.testing.assert_array_equal(a.output, attend(x, x, x).output)


def test_each_head_divides_by_the_root_of_its_own_d_k() -> None:
    assert attend_heads(some(4, 6), some_weights(8, d_k=4)).attention.scale == 0.5


# Shared keys and values


def repeated(weights: HeadWeights) -> HeadWeights:
    """The same heads with each its own copy of the keys and values it shares."""
    kv_heads = weights.heads // weights.group
    w_key, w_value = (
        join_heads(np.repeat(split_heads(matrix, kv_heads), weights.group, axis=0))
        for matrix in (weights.w_key, weights.w_value)
    )
    return HeadWeights(weights.w_query, w_key, w_value, weights.w_output, heads=weights.heads)


@given(COUNTS)
def test_sharing_gives_what_copies_of_the_shared_would(counts: tuple[int, ...]) -> None:
    x, weights = drawn(counts)
    expected = attend_heads(x, repeated(weights)).output
    np.testing.assert_allclose(attend_heads(x, weights).output, expected, rtol=1e-11, atol=1e-12)


@given(COUNTS)
def test_multi_head_is_grouped_with_a_group_a_head(counts: tuple[int, ...]) -> None:
    heads, _, *sizes = counts
    x, weights = drawn((heads, 1, *sizes))
    query, key, value = (
        split_heads(x @ matrix, heads)
        for matrix in (weights.w_query, weights.w_key, weights.w_value)
    )
    multi_head = attend(query, key, value).output
    expected = np.hstack(list(multi_head)) @ weights.w_output
    np.testing.assert_allclose(attend_heads(x, weights).output, expected, rtol=1e-11, atol=1e-12)


def test_without_a_number_of_groups_every_head_has_its_own() -> None:
    x = some(5, 6)
    grouped, multi_head = attend_heads(x, some_weights(8, 8)), attend_heads(x, some_weights(8))
    np.testing.assert_array_equal(grouped.output, multi_head.output)


def test_multi_query_heads_all_hear_the_same_keys_and_values() -> None:
    a = attend_heads(some(5, 6), some_weights(8, 1))
    for head in range(1, 8):
        assert np.shares_memory(a.head(head).key, a.head(0).key)
        assert np.shares_memory(a.head(head).value, a.head(0).value)


def test_neighbouring_heads_share() -> None:
    a = attend_heads(some(5, 6), some_weights(8, 2))
    assert np.shares_memory(a.head(3).key, a.head(0).key)
    assert not np.array_equal(a.head(4).key, a.head(0).key)


@pytest.mark.parametrize("kv_heads", KINDS)
def test_keys_and_values_are_kept_once_a_group(kv_heads: int) -> None:
    a = attend_heads(some(5, 6), some_weights(8, kv_heads)).attention
    assert a.query.shape == (kv_heads, 8 // kv_heads, 5, 4)
    assert (a.key.shape, a.value.shape) == ((kv_heads, 1, 5, 4), (kv_heads, 1, 5, 3))


@pytest.mark.parametrize("kv_heads", KINDS)
def test_what_is_kept_of_keys_and_values_is_the_cache_that_growth_counts(kv_heads: int) -> None:
    weights = some_weights(8, kv_heads, d_k=4, d_v=4, dtype=np.float32)
    a = attend_heads(some(5, 6, dtype=np.float32), weights).attention
    cost = growth(5, 4, heads=8, kv_heads=kv_heads)
    assert a.key.nbytes + a.value.nbytes == cost.cache_bytes


# Masks, batches, types


@pytest.mark.parametrize("kv_heads", KINDS)
def test_every_head_sees_the_same_mask(kv_heads: int) -> None:
    a = attend_heads(some(4, 6), some_weights(8, kv_heads), mask=causal_mask(4))
    for head in range(8):
        np.testing.assert_array_equal(a.head(head).weights > 0, causal_mask(4))


@pytest.mark.parametrize("kv_heads", KINDS)
def test_sentences_of_a_batch_do_not_see_each_other(kv_heads: int) -> None:
    x, weights, mask = some(2, 3, 4, 6), some_weights(8, kv_heads), causal_mask(4)
    together = attend_heads(x, weights, mask=mask)
    for i, j in np.ndindex(2, 3):
        alone = attend_heads(x[i, j], weights, mask=mask)
        np.testing.assert_allclose(together.output[i, j], alone.output, rtol=1e-12, atol=1e-13)


def test_padding_hides_each_sentences_own_padding() -> None:
    a = attend_heads(some(2, 3, 6), some_weights(8, 2), mask=padding_mask([3, 1], 3))
    for head in range(8):
        assert a.head(head).weights[1].tolist() == [[1, 0, 0]] * 3
        assert (a.head(head).weights[0] > 0).all()


@pytest.mark.case(9)
def test_words_that_may_look_at_nothing_give_outputs_of_0() -> None:
    a = attend_heads(some(3, 6), some_weights(8, 2), mask=np.zeros((3, 3), bool))
    assert not a.output.any()


def test_without_words_there_are_no_outputs() -> None:
    assert attend_heads(some(0, 6), some_weights(8, 2)).output.shape == (0, 6)


@pytest.mark.parametrize("name", ["joined", "output"])
def test_float32_stays_float32(name: str) -> None:
    a = attend_heads(some(3, 6, dtype=np.float32), some_weights(8, 2, dtype=np.float32))
    assert getattr(a, name).dtype == np.float32
    assert a.attention.weights.dtype == np.float32


@pytest.mark.parametrize("dtype", [np.int64, np.float16, np.float64])
def test_all_else_is_float64(dtype: type) -> None:
    a = attend_heads(some(3, 6, dtype=dtype), some_weights(8, 2, dtype=dtype))
    assert a.output.dtype == a.attention.weights.dtype == np.float64


def test_one_float64_matrix_makes_all_float64() -> None:
    f = np.float32
    one = np.eye(3, dtype=f)
    weights = HeadWeights(one, one, one, np.eye(3), heads=1)
    assert attend_heads(some(3, 3, dtype=f), weights).attention.weights.dtype == np.float64


def test_arrays_that_may_not_be_written_and_lie_askew_work_as_well() -> None:
    x, weights = some(6, 5).T, some_weights(8, 2)
    x.flags.writeable = False
    expected = attend_heads(np.ascontiguousarray(x), weights).output
    np.testing.assert_allclose(attend_heads(x, weights).output, expected, rtol=1e-12)


# One head by itself


def test_a_head_by_itself_has_no_axes_of_heads() -> None:
    a = attend_heads(some(2, 5, 6), some_weights(8, 2), mask=causal_mask(5)).head(3)
    assert a.mask is not None
    assert (a.query.shape, a.value.shape, a.mask.shape) == ((2, 5, 4), (2, 5, 3), (2, 5, 5))
    assert (a.total.shape, a.weights.shape) == ((2, 5), (2, 5, 5))


@pytest.mark.parametrize("kv_heads", KINDS)
def test_joined_outputs_stand_in_the_order_of_heads(kv_heads: int) -> None:
    a = attend_heads(some(5, 6), some_weights(8, kv_heads))
    np.testing.assert_array_equal(a.joined, np.hstack([a.head(h).output for h in range(8)]))


@pytest.mark.parametrize("index", [-1, 8])
def test_a_head_that_is_not_there_is_refused(index: int) -> None:
    with pytest.raises(ValueError, match=f"index should be from 0 to 7, not {index}"):
        attend_heads(some(5, 6), some_weights(8, 2)).head(index)


# Refusals


def weights_with(**changes: Any) -> HeadWeights:
    """Weights of four heads of three numbers, two of keys and values, but for the changes."""
    fitting: dict[str, Any] = {
        "w_query": some(6, 12), "w_key": some(6, 6), "w_value": some(6, 6),
        "w_output": some(12, 6), "heads": 4, "kv_heads": 2,
    }  # fmt: skip
    return HeadWeights(**fitting | changes)


def test_matrices_of_one_type_are_kept_as_they_are() -> None:
    given_weights = some_weights()
    again = HeadWeights(
        given_weights.w_query, given_weights.w_key, given_weights.w_value, given_weights.w_output, 8
    )
    assert again.w_query is given_weights.w_query
    assert again.w_output is given_weights.w_output


def test_how_many_heads_there_are_is_told_in_whole_numbers_of_pythons_own() -> None:
    made = some_weights(np.int8(8))
    assert (made.heads, made.kv_heads, made.group) == (8, 8, 1)
    assert {type(made.heads), type(made.kv_heads), type(made.group)} == {int}


def test_one_heads_attention_has_the_scale_of_all() -> None:
    made = attend_heads(some(3, 6), some_weights())
    assert made.head(5).scale == made.attention.scale == 0.5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heads": 0}, "heads must be at least 1, not 0"),
        ({"heads": 4.0}, r"heads must be a whole number, not 4\.0"),
        ({"w_query": some(6, 12) * 1j}, r"w_query must be of real numbers, not complex128"),
        ({"kv_heads": 0}, "kv_heads must be at least 1, not 0"),
        ({"kv_heads": 3}, "kv_heads = 3 must divide heads = 4"),
        (
            {"w_query": some(6, 13)},
            r"w_query must be \(d_model, heads · d\) with heads = 4, but has shape \(6, 13\)",
        ),
        ({"w_query": some(6, 0)}, r"w_query must be .* but has shape \(6, 0\)"),
        ({"w_query": some(12)}, r"w_query must be .* but has shape \(12,\)"),
        ({"w_key": some(6, 7)}, r"w_key must be .* with kv_heads = 2, but has shape \(6, 7\)"),
        (
            {"w_value": some(2, 6, 3)},
            r"w_value must be \(d_model, kv_heads · d\) with kv_heads = 2, "
            r"but has shape \(2, 6, 3\)",
        ),
        (
            {"w_key": some(5, 6)},
            r"w_query and w_key must have as many rows: w_query \(6, 12\), w_key \(5, 6\)",
        ),
        (
            {"w_value": some(5, 6)},
            r"w_query and w_value must have as many rows: w_query \(6, 12\), w_value \(5, 6\)",
        ),
        (
            {"w_key": some(6, 12)},
            r"queries must be as long as .* keys: w_query \(6, 12\), w_key \(6, 12\)",
        ),
        (
            {"w_output": some(6, 12)},
            r"w_output must be .* = \(12, 6\): w_value \(6, 6\), w_output \(6, 12\)",
        ),
    ],
)
def test_weights_that_do_not_fit_are_refused_by_name_and_shape(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        weights_with(**changes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attend_heads(some(3, 5), weights_with()), r"x \(3, 5\), w_query \(6, 12\)"),
        (lambda: attend_heads(some(6), weights_with()), r"x \(6,\), w_query \(6, 12\)"),
        (
            lambda: attend_heads(some(3, 6), weights_with(), mask=causal_mask(4)),
            r"mask \(4, 4\) doesn't fit the grid \(3, 3\) of each head: x \(3, 6\)",
        ),
        (
            lambda: attend_heads(some(3, 6), weights_with(), mask=np.ones((2, 3, 3), bool)),
            r"mask \(2, 3, 3\) doesn't fit the grid \(3, 3\)",
        ),
        (
            lambda: attend_heads(some(3, 6), weights_with(), mask=np.ones((3, 3))),
            r"mask must be of bool \(True = may look\), not float64",
        ),
        (lambda: split_heads(some(3, 8), 3), r"vectors \(3, 8\) can't be cut into heads = 3"),
        (lambda: split_heads(some(3, 8), 0), "heads must be at least 1, not 0"),
        (lambda: split_heads(some(3, 8), 2.0), r"heads must be a whole number, not 2\.0"),
        (lambda: split_heads(some(8), 2), r"vectors must be .* but have shape \(8,\)"),
        (lambda: join_heads(some(3, 8)), r"vectors must be .* but have shape \(3, 8\)"),
    ],
)
def test_a_refusal_names_the_argument_and_both_shapes(
    call: Callable[[], MultiHeadAttention], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()
