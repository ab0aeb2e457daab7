"""What a weight alone doesn't tell: contributions, leaving a word out, sensitivity."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from engine import (
    Attention,
    attend,
    attention_of,
    causal_mask,
    contributions,
    leave_one_out,
    sensitivity,
    softmax,
)
from engine.presets import load_preset

THE, CAT, SAT, DOWN = range(4)
SOFT_AND_HARD = ("the-cat-sat-down", "a-hard-pick")
MEASURES = [contributions, leave_one_out, sensitivity]


@st.composite
def attentions(draw: st.DrawFn, size: float = 3) -> Attention:
    """Attention among a few words, some of them hidden from some."""
    n, m, d_k, d_v = (draw(st.integers(1, 4)) for _ in range(4))
    numbers = st.floats(-size, size)
    query, key, value = (
        draw(arrays(np.float64, shape, elements=numbers))
        for shape in ((n, d_k), (m, d_k), (m, d_v))
    )
    mask = draw(st.none() | arrays(np.bool_, (n, m)))
    return attend(query, key, value, mask=mask)


def some(*shape: int, dtype: type = np.float64) -> NDArray[Any]:
    """Numbers from −2 to 2, the same each time."""
    return np.random.default_rng(0).uniform(-2, 2, shape).astype(dtype)


def grouped(dtype: type = np.float64) -> Attention:
    """Two sentences, two groups of three heads that share keys and values, with a causal mask."""
    query = some(2, 2, 3, 4, 5, dtype=dtype)
    key, value = some(2, 2, 1, 4, 5, dtype=dtype), some(2, 2, 1, 4, 3, dtype=dtype)
    return attend(query, key, value, mask=causal_mask(4))


# Contributions


@given(attentions(size=100))
def test_contributions_add_up_to_the_output(attention: Attention) -> None:
    parts = contributions(attention)
    np.testing.assert_allclose(parts.sum(axis=-2), attention.output, rtol=1e-12, atol=1e-11)


def test_cat_gives_sat_its_weight_times_its_value() -> None:
    attention = attention_of(load_preset())
    given_by_cat = contributions(attention)[SAT, CAT]
    assert given_by_cat.tolist() == [4 * attention.weights[SAT, CAT], 0]


def test_a_small_weight_on_a_huge_value_contributes_most() -> None:
    attention = attention_of(load_preset("a-huge-value"))
    sizes = np.linalg.norm(contributions(attention)[SAT], axis=-1)
    assert attention.weights[SAT].argmax() == CAT
    assert sizes.argmax() == DOWN


def test_a_hidden_word_contributes_nothing() -> None:
    attention = attend(some(3, 2), some(3, 2), some(3, 2), mask=causal_mask(3))
    assert not contributions(attention)[0, 1:].any()


# Leaving a word out


@given(attentions(size=100))
def test_leaving_a_word_out_is_masking_it(attention: Attention) -> None:
    without = leave_one_out(attention)
    n, m = attention.weights.shape
    for word in range(m):
        mask = np.broadcast_to(np.arange(m) != word, (n, m))
        if attention.mask is not None:
            mask = mask & attention.mask
        masked = attend(attention.query, attention.key, attention.value, mask=mask)
        np.testing.assert_allclose(without[:, word], masked.output, rtol=1e-11, atol=1e-9)


@given(attentions(size=100))
def test_leaving_a_word_out_is_computing_again_without_it(attention: Attention) -> None:
    without = leave_one_out(attention)
    for word in range(attention.key.shape[0]):
        key, value = (np.delete(array, word, axis=0) for array in (attention.key, attention.value))
        mask = None if attention.mask is None else np.delete(attention.mask, word, axis=1)
        again = attend(attention.query, key, value, mask=mask)
        np.testing.assert_allclose(without[:, word], again.output, rtol=1e-11, atol=1e-8)


@given(attentions())
def test_the_others_share_the_weight_left_in_proportion(attention: Attention) -> None:
    without, parts = leave_one_out(attention), contributions(attention)
    left = 1 - attention.weights[..., None]
    others = (attention.output[:, None] - parts) / np.where(left > 1e-3, left, np.nan)
    told = ~np.isnan(others) & (attention.weights.sum(axis=-1) > 0)[:, None, None]
    np.testing.assert_allclose(without[told], others[told], rtol=1e-9, atol=1e-9)


@given(attentions())
def test_without_a_word_that_is_hidden_already_the_output_stays(attention: Attention) -> None:
    hidden = attention.weights == 0
    outputs = np.broadcast_to(attention.output[:, None], (*hidden.shape, attention.value.shape[1]))
    without = leave_one_out(attention)
    np.testing.assert_allclose(without[hidden], outputs[hidden], rtol=1e-12, atol=1e-12)


@pytest.mark.case(9)
def test_without_the_only_word_there_is_the_output_is_0() -> None:
    attention = attend(some(3, 2), some(3, 2), some(3, 2), mask=causal_mask(3))
    assert leave_one_out(attention)[0, 0].tolist() == [0, 0]
    assert leave_one_out(attend(some(2, 2), some(1, 2), some(1, 2))).tolist() == [[[0, 0]]] * 2


@pytest.mark.case(8)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_others_come_back_where_their_weights_had_vanished(dtype: type) -> None:
    key = np.array([[9000], [1], [0]], dtype)
    attention = attend(np.ones((1, 1), dtype), key, np.eye(3, dtype=dtype))
    assert attention.weights.tolist() == [[1, 0, 0]]
    expected = [0, *softmax([1.0, 0.0])]
    np.testing.assert_allclose(leave_one_out(attention)[0, 0], expected, rtol=1e-6)


def test_no_precision_is_lost_where_little_weight_is_left() -> None:
    attention = attend([[1.0]], [[30.0], [1.0], [0.0]], np.eye(3))
    expected = [0, *softmax([1.0, 0.0])]
    np.testing.assert_allclose(leave_one_out(attention)[0, 0], expected, rtol=1e-15)


def test_without_cat_sat_stays_with_itself() -> None:
    attention = attention_of(load_preset())
    one, e = 1.0, np.exp(2 / np.sqrt(2))  # the and down; sat
    expected = [(one + one) / (e + 2), (2 * e + one) / (e + 2)]
    np.testing.assert_allclose(leave_one_out(attention)[SAT, CAT], expected, rtol=1e-14)


# Sensitivity


@given(attentions())
def test_sensitivity_agrees_with_differences(attention: Attention) -> None:
    step = 1e-6
    slopes = sensitivity(attention)
    for word in range(attention.weights.shape[-1]):
        nudge = step * (np.arange(attention.weights.shape[-1]) == word)
        up, down = softmax(attention.masked + nudge), softmax(attention.masked - nudge)
        np.testing.assert_allclose(slopes[..., word], (up - down) / (2 * step), atol=1e-8)


@given(attentions(size=100))
def test_what_one_word_gains_the_others_lose(attention: Attention) -> None:
    np.testing.assert_allclose(sensitivity(attention).sum(axis=-1), 0, atol=1e-14)
    np.testing.assert_allclose(sensitivity(attention).sum(axis=-2), 0, atol=1e-14)


@given(attentions(size=100))
def test_a_words_own_input_never_lowers_its_weight(attention: Attention) -> None:
    assert (np.diagonal(sensitivity(attention), axis1=-2, axis2=-1) >= 0).all()


def test_a_hard_pick_barely_moves() -> None:
    soft, hard = (sensitivity(attention_of(load_preset(name)))[SAT] for name in SOFT_AND_HARD)
    assert np.abs(hard).max() < 1e-7 * np.abs(soft).max()


def test_a_hidden_word_moves_nothing() -> None:
    attention = attend(some(3, 2), some(3, 2), some(3, 2), mask=causal_mask(3))
    assert not sensitivity(attention)[1, 2].any()
    assert not sensitivity(attention)[1, :, 2].any()


# All three


@pytest.mark.parametrize("measure", MEASURES)
def test_leading_axes_are_sentences_and_heads_of_their_own(
    measure: Callable[[Attention], NDArray[Any]],
) -> None:
    a = grouped()
    together = measure(a)
    for batch, group, head in np.ndindex(2, 2, 3):
        query = a.query[batch, group, head]
        key, value = a.key[batch, group, 0], a.value[batch, group, 0]
        alone = measure(attend(query, key, value, mask=causal_mask(4)))
        np.testing.assert_allclose(together[batch, group, head], alone, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("measure", "width"), [(contributions, 3), (leave_one_out, 3), (sensitivity, 5)]
)
def test_each_query_has_a_row_a_word(
    measure: Callable[[Attention], NDArray[Any]], width: int
) -> None:
    assert measure(attend(some(4, 2), some(5, 2), some(5, 3))).shape == (4, 5, width)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float32_stays_float32(measure: Callable[[Attention], NDArray[Any]], dtype: type) -> None:
    assert measure(grouped(dtype)).dtype == dtype


@pytest.mark.case(9)
@pytest.mark.parametrize("measure", MEASURES)
def test_where_nobody_may_look_all_is_0(measure: Callable[[Attention], NDArray[Any]]) -> None:
    mask = np.zeros((3, 3), bool)
    assert not measure(attend(some(3, 2), some(3, 2), some(3, 2), mask=mask)).any()


@pytest.mark.parametrize("measure", MEASURES)
def test_without_keys_there_is_nothing_to_tell(
    measure: Callable[[Attention], NDArray[Any]],
) -> None:
    assert measure(attend(some(2, 3), some(0, 3), some(0, 4))).size == 0
