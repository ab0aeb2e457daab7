"""Fixed sine and cosine positions (Vaswani et al. 2017, §3.5)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.positions import sinusoidal_positions


def test_first_word_has_sine_0_and_cosine_1():
    assert sinusoidal_positions(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]


def test_two_numbers_are_the_sine_and_cosine_of_the_place():
    expected = [[math.sin(place), math.cos(place)] for place in range(5)]
    np.testing.assert_allclose(sinusoidal_positions(5, 2), expected, rtol=0, atol=1e-15)


def test_later_pairs_turn_more_slowly_by_powers_of_10000():
    angle = 3 / 10_000 ** (2 / 4)
    expected = [math.sin(angle), math.cos(angle)]
    np.testing.assert_allclose(sinusoidal_positions(4, 4)[3, 2:], expected, rtol=0, atol=1e-15)


def test_odd_width_ends_on_a_sine():
    angle = 2 / 10_000 ** (2 / 3)
    row = sinusoidal_positions(3, 3)[2]
    assert row.shape == (3,)
    assert row[2] == pytest.approx(math.sin(angle), abs=1e-15)


def test_no_words_have_no_positions():
    assert sinusoidal_positions(0, 4).shape == (0, 4)


@settings(deadline=None)
@given(n=st.integers(1, 64), d_model=st.integers(1, 64))
def test_every_number_is_float64_and_between_minus_1_and_1(n, d_model):
    positions = sinusoidal_positions(n, d_model)
    assert positions.shape == (n, d_model)
    assert positions.dtype == np.float64
    assert np.abs(positions).max() <= 1


@settings(deadline=None)
@given(shift=st.integers(0, 30), pairs=st.integers(1, 8))
def test_products_depend_only_on_the_distance_between_two_words(shift, pairs):
    positions = sinusoidal_positions(64, 2 * pairs)
    here, there = positions[3] @ positions[8], positions[3 + shift] @ positions[8 + shift]
    assert here == pytest.approx(there, abs=1e-12)


@settings(deadline=None)
@given(n=st.integers(1, 64), d_model=st.integers(1, 64))
def test_every_number_is_the_formula_of_2017(n, d_model):
    def entry(place, column):
        angle = place / 10_000 ** (2 * (column // 2) / d_model)
        return math.cos(angle) if column % 2 else math.sin(angle)

    expected = [[entry(place, column) for column in range(d_model)] for place in range(n)]
    np.testing.assert_allclose(sinusoidal_positions(n, d_model), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("n", "d_model", "said"),
    [
        (-1, 2, "n must be at least 0, not -1"), (3, 0, "d_model must be at least 1, not 0"),
        (2.5, 2, r"n must be a whole number, not 2\.5"),
        (3, 2.5, r"d_model must be a whole number, not 2\.5"),
    ],
)  # fmt: skip
def test_a_size_that_cannot_be_is_refused_by_name(n, d_model, said):
    with pytest.raises(ValueError, match=rf"^{said}"):
        sinusoidal_positions(n, d_model)
