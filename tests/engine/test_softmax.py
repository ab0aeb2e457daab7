"""Softmax turns any list of numbers into shares that add up to 1."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from engine import log_sum_exp, softmax, softmax_jacobian

FINITE = st.floats(-1e6, 1e6)
SCORES = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=6), elements=FINITE)
GENTLE = arrays(np.float64, st.integers(1, 6), elements=st.floats(-20, 20))


@given(SCORES)
def test_shares_add_up_to_1(scores: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(softmax(scores).sum(axis=-1), 1, rtol=1e-14)


@given(SCORES)
def test_no_share_is_negative(scores: NDArray[np.float64]) -> None:
    assert (softmax(scores) >= 0).all()


@given(GENTLE)
def test_every_score_gets_some_share(scores: NDArray[np.float64]) -> None:
    assert (softmax(scores) > 0).all()


@given(GENTLE, st.floats(-100, 100))
def test_adding_a_number_to_all_scores_changes_no_share(
    scores: NDArray[np.float64], number: float
) -> None:
    np.testing.assert_allclose(softmax(scores + number), softmax(scores), rtol=1e-12)


@given(GENTLE, st.data())
def test_shuffled_scores_give_the_same_shares_shuffled(
    scores: NDArray[np.float64], data: st.DataObject
) -> None:
    order = np.array(data.draw(st.permutations(range(len(scores)))))
    np.testing.assert_allclose(softmax(scores[order]), softmax(scores)[order], rtol=1e-14)


@given(GENTLE)
def test_a_higher_score_never_gets_a_smaller_share(scores: NDArray[np.float64]) -> None:
    shares = softmax(scores)
    assert (np.diff(shares[np.argsort(scores)]) >= 0).all()


@given(GENTLE)
def test_shares_are_exponentials_over_their_total(scores: NDArray[np.float64]) -> None:
    exp = [math.exp(score) for score in scores]
    np.testing.assert_allclose(softmax(scores), np.array(exp) / math.fsum(exp), rtol=1e-13)


@given(SCORES)
def test_axis_0_works_as_the_last_axis_of_the_transpose(scores: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(softmax(scores, axis=0), softmax(scores.T).T, rtol=1e-14)


def test_huge_scores_do_not_overflow() -> None:
    assert softmax([1e4, 0.0, -1e4]).tolist() == [1, 0, 0]


def test_scores_further_apart_than_a_float_can_say_give_no_warning() -> None:
    assert softmax([1.7e308, -1.7e308]).tolist() == [1, 0]
    assert log_sum_exp([1.7e308, -1.7e308]) == 1.7e308


def test_a_masked_score_gets_no_share() -> None:
    assert softmax([0.0, -np.inf, 0.0]).tolist() == [0.5, 0, 0.5]


@pytest.mark.case(9)
def test_a_row_of_nothing_but_minus_infinity_gives_zeros() -> None:
    assert softmax([[-np.inf, -np.inf], [0.0, 0.0]]).tolist() == [[0, 0], [0.5, 0.5]]


def test_an_empty_row_gives_an_empty_row() -> None:
    assert softmax(np.zeros((3, 0))).shape == (3, 0)


def test_what_is_not_a_number_is_not_hidden_as_0() -> None:
    assert np.isnan(softmax([np.nan, 1.0])).all()


@pytest.mark.parametrize("function", [softmax, log_sum_exp, softmax_jacobian])
@pytest.mark.parametrize(
    ("given_type", "type_back"),
    [
        (np.float32, np.float32), (np.float64, np.float64), (np.float16, np.float64),
        (np.int64, np.float64), (np.bool_, np.float64),
    ],
)  # fmt: skip
def test_float32_stays_float32_and_all_else_is_float64(
    function: Callable[..., NDArray[np.floating]], given_type: type, type_back: type
) -> None:
    assert function(np.ones((2, 3), given_type)).dtype == type_back


def test_the_scores_handed_in_are_left_alone() -> None:
    scores = np.array([1.0, 2.0, -np.inf])
    softmax(scores)
    log_sum_exp(scores)
    assert scores.tolist() == [1, 2, -np.inf]


@given(GENTLE)
def test_log_sum_exp_is_the_log_of_the_total(scores: NDArray[np.float64]) -> None:
    total = math.fsum(math.exp(score) for score in scores)
    assert math.isclose(log_sum_exp(scores), math.log(total), rel_tol=1e-12, abs_tol=1e-12)


@given(GENTLE)
def test_a_share_is_e_to_the_score_less_log_sum_exp(scores: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(np.exp(scores - log_sum_exp(scores)), softmax(scores), rtol=1e-12)


def test_log_sum_exp_of_huge_scores_does_not_overflow() -> None:
    assert log_sum_exp([1e4, 1e4]) == pytest.approx(1e4 + math.log(2), abs=1e-11)


def test_log_sum_exp_of_nothing_to_see_is_minus_infinity() -> None:
    assert log_sum_exp([[-np.inf, -np.inf], [0, -np.inf]]).tolist() == [-np.inf, 0]


def test_log_sum_exp_takes_away_the_axis_it_sums_over() -> None:
    assert log_sum_exp(np.zeros((2, 3, 4)), axis=1).shape == (2, 4)
    assert log_sum_exp(np.zeros((2, 1, 4))).shape == (2, 1)


@given(GENTLE)
def test_the_jacobian_agrees_with_differences(scores: NDArray[np.float64]) -> None:
    step = 1e-6
    nudges = step * np.eye(len(scores))
    differences = (softmax(scores + nudges) - softmax(scores - nudges)) / (2 * step)
    np.testing.assert_allclose(softmax_jacobian(softmax(scores)), differences.T, atol=1e-8)


@given(GENTLE)
def test_what_one_share_gains_the_others_lose(scores: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(softmax_jacobian(softmax(scores)).sum(axis=-1), 0, atol=1e-15)


@given(GENTLE)
def test_the_jacobian_is_symmetric(scores: NDArray[np.float64]) -> None:
    jacobian = softmax_jacobian(softmax(scores))
    np.testing.assert_array_equal(jacobian, jacobian.T)


def test_the_jacobian_of_a_grid_is_one_square_a_row() -> None:
    weights = softmax(np.arange(24.0).reshape(2, 3, 4))
    jacobian = softmax_jacobian(weights)
    assert jacobian.shape == (2, 3, 4, 4)
    np.testing.assert_array_equal(jacobian[1, 2], softmax_jacobian(weights[1, 2]))


def test_one_number_is_no_row_of_weights() -> None:
    with pytest.raises(ValueError, match=r"weights must be \(\.\.\., n\), but have shape \(\)"):
        softmax_jacobian(1.0)


@pytest.mark.parametrize("function", [softmax, log_sum_exp])
def test_an_axis_that_is_not_there_is_refused(
    function: Callable[..., NDArray[np.floating]],
) -> None:
    with pytest.raises(ValueError, match="axis 2 is out of bounds"):
        function(np.ones((2, 3)), axis=2)


@pytest.mark.parametrize("function", [softmax, log_sum_exp, softmax_jacobian])
@pytest.mark.parametrize(
    ("given_values", "said"),
    [([[1, 2], [3]], "numbers in rows equally long"), ([1j, 2], "of real numbers, not complex128")],
)
def test_what_is_no_array_of_numbers_is_refused_by_name(
    function: Callable[..., NDArray[np.floating]], given_values: list[Any], said: str
) -> None:
    with pytest.raises(ValueError, match=f"(scores|weights) must be {said}"):
        function(given_values)


def test_a_hard_pick_hardly_moves_when_nudged() -> None:
    soft, hard = (softmax_jacobian(softmax(s)) for s in ([0, 4, 2, 0], [0, 40, 20, 0]))
    assert np.abs(hard).max() < 1e-7 * np.abs(soft).max()
