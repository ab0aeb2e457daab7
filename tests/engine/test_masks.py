"""Masks say which query may look at which key: True = may look."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import causal_mask, padding_mask, window_mask

COUNT = st.integers(0, 12)


def test_first_word_can_only_see_itself() -> None:
    assert causal_mask(4)[0].tolist() == [True, False, False, False]


def test_last_word_sees_everything() -> None:
    assert causal_mask(4)[-1].all()


@given(st.integers(1, 12))
def test_every_word_sees_itself(n: int) -> None:
    assert causal_mask(n).diagonal().all()


@given(COUNT, COUNT, COUNT)
def test_query_i_sees_the_keys_up_to_its_own_place(n: int, m: int, offset: int) -> None:
    expected = [[j <= offset + i for j in range(m)] for i in range(n)]
    assert causal_mask(n, m, offset=offset).tolist() == expected


@given(COUNT, COUNT)
def test_keys_default_to_those_before_and_those_of_the_queries(n: int, offset: int) -> None:
    assert causal_mask(n, offset=offset).shape == (n, offset + n)


@given(st.integers(1, 12), COUNT)
def test_decoding_a_word_at_a_time_sees_what_reading_at_once_does(n: int, offset: int) -> None:
    n_keys = offset + n
    rows = [causal_mask(1, n_keys, offset=offset + i)[0] for i in range(n)]
    np.testing.assert_array_equal(np.array(rows), causal_mask(n, n_keys, offset=offset))


@given(COUNT, COUNT, st.integers(1, 5), COUNT)
def test_a_window_opens_the_keys_fewer_than_width_places_away(
    n: int, m: int, width: int, offset: int
) -> None:
    expected = [[abs(offset + i - j) < width for j in range(m)] for i in range(n)]
    assert window_mask(n, m, width=width, offset=offset).tolist() == expected


def test_a_window_of_width_1_is_the_word_itself() -> None:
    np.testing.assert_array_equal(window_mask(4, width=1), np.eye(4, dtype=bool))


@given(st.integers(1, 12))
def test_a_window_as_wide_as_the_sentence_hides_nothing(n: int) -> None:
    assert window_mask(n, width=n).all()


def test_padding_hides_what_lies_behind_each_sentence() -> None:
    assert padding_mask([3, 1], 3).tolist() == [[[True, True, True]], [[True, False, False]]]


def test_padding_broadcasts_over_queries() -> None:
    assert padding_mask(np.ones((2, 5), int), 7).shape == (2, 5, 1, 7)


def test_padding_of_length_0_hides_everything() -> None:
    assert not padding_mask([0], 4).any()


@pytest.mark.parametrize("mask", [causal_mask(3), window_mask(3, width=2), padding_mask([1, 2], 3)])
def test_masks_are_of_bool(mask: np.ndarray) -> None:
    assert mask.dtype == np.bool_


@pytest.mark.parametrize(
    ("n", "m", "offset", "name"),
    [(-1, 3, 0, "n_queries"), (3, -1, 0, "n_keys"), (3, 3, -1, "offset"), (3, None, -1, "offset")],
)
def test_a_negative_count_is_refused_by_name(n: int, m: int | None, offset: int, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least 0, not -1"):
        causal_mask(n, m, offset=offset)
    with pytest.raises(ValueError, match=f"{name} must be at least 0, not -1"):
        window_mask(n, m, width=1, offset=offset)


def test_half_a_word_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"n_queries must be a whole number, not 2\.5"):
        causal_mask(2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"width must be a whole number, not 1\.5"):
        window_mask(3, width=1.5)  # type: ignore[arg-type]


def test_a_window_without_width_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="width must be at least 1, not 0"):
        window_mask(3, width=0)


@pytest.mark.parametrize("length", [-1, 4])
def test_a_length_outside_the_keys_is_refused_by_name(length: int) -> None:
    with pytest.raises(ValueError, match=f"lengths must be from 0 to n_keys = 3, not {length}"):
        padding_mask([1, length], 3)


@pytest.mark.parametrize("lengths", [[1.5], [np.nan], [True, False], ["1"]])
def test_lengths_that_are_not_whole_numbers_are_refused(lengths: list[object]) -> None:
    with pytest.raises(ValueError, match=r"lengths must be whole numbers, not .*: \("):
        padding_mask(lengths, 3)


def test_no_sentences_need_no_padding() -> None:
    assert padding_mask([], 3).shape == (0, 1, 3)


def test_fewer_keys_than_none_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="n_keys must be at least 0, not -1"):
        padding_mask([], -1)
