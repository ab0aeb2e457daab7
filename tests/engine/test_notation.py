"""How a number is written, everywhere."""

import math
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import (
    INFINITY,
    MINUS,
    round_half_up,
    write_entries,
    write_exactly,
    write_list,
    write_number,
    write_percent,
    write_share,
)

NUMBER = st.floats(-1e6, 1e6)
PART = st.floats(-9999, 9999).filter(lambda number: not number.is_integer())


def test_a_list_of_whole_numbers_has_no_decimals() -> None:
    assert write_list([0, 4, 2, 0]) == "[0, 4, 2, 0]"


def test_one_broken_number_gives_the_whole_list_decimals() -> None:
    assert write_list([0, 2.5, 1, 0]) == "[0.00, 2.50, 1.00, 0.00]"


def test_a_masked_score_counts_as_whole() -> None:
    assert write_list([1, -math.inf]) == "[1, −∞]"


def test_a_masked_score_among_broken_ones() -> None:
    assert write_list([0.5, -math.inf]) == "[0.50, −∞]"


def test_an_empty_list() -> None:
    assert write_list([]) == "[]"


@pytest.mark.case(10)
@pytest.mark.parametrize(
    ("number", "text", "data"),
    [
        (-0.0, "0", "0"),
        (-0.001, "0.00", "0.00"),
        (1e5, "1.00×10⁵", "1.00e5"),
        (1e-9, "0.00", "0.00"),
        (0.005, "0.01", "0.01"),
        (0.125, "0.13", "0.13"),
        (9999.996, "1.00×10⁴", "1.00e4"),
    ],
)
def test_the_hard_numbers(number: float, text: str, data: str) -> None:
    assert (write_number(number), write_number(number, data=True)) == (text, data)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (-0.005, "−0.01"),
        (-0.0049, "0.00"),
        (-0.125, "−0.13"),
        (2.675, "2.68"),            # the double lies below; the shortest decimal is the tie
        (1.005, "1.01"),
        (0.1 + 0.2, "0.30"),
        (9999.994, "9999.99"),
        (-9999.996, "−1.00×10⁴"),
        (9999, "9999"),
        (10_000, "1.00×10⁴"),
        (12_345, "1.23×10⁴"),
        (12_350, "1.24×10⁴"),       # 1.235, a tie
        (99_999, "1.00×10⁵"),
        (95_000, "9.50×10⁴"),
        (1e6, "1.00×10⁶"),
        (6.4e15, "6.40×10¹⁵"),
        (1.7976931348623157e308, "1.80×10³⁰⁸"),
        (5e-324, "0.00"),
        (-math.inf, "−∞"),
    ],
)  # fmt: skip
def test_numbers_at_the_edges_of_a_rule(number: float, text: str) -> None:
    assert write_number(number) == text


@pytest.mark.parametrize(
    ("digits", "text"),
    [(0, "[1, −∞, 0]"), (1, "[1.3, −∞, 0.0]"), (4, "[1.2500, −∞, 0.0001]")],
)
def test_digits_are_as_asked(digits: int, text: str) -> None:
    assert write_list([1.25, -math.inf, 0.0001], digits) == text


def test_a_tie_written_with_an_exponent_goes_away_from_zero_too() -> None:
    assert write_number(3.5e-05, 5) == "0.00004"  # the double lies below
    assert write_number(-3.5e-05, 5) == "−0.00004"


def test_a_decimal_is_rounded_with_all_its_digits() -> None:
    assert round_half_up(Decimal("0.12499999999999999999"), 2) == Decimal("0.12")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.0, "3"), (-0.0, "0"), (0.1, "0.1"), (-2.5, "-2.5"), (1e-9, "1e-9"), (1.5e-10, "1.5e-10"),
        (0.1 + 0.2, "0.30000000000000004"), (1_000_000, "1000000"), (1e-05, "1e-5"),
    ],
)  # fmt: skip
def test_a_number_in_a_document_is_the_shortest_that_reads_back(number: float, text: str) -> None:
    assert write_exactly(number) == text


def test_a_list_as_data_has_hyphens() -> None:
    assert write_list([-1.5, -math.inf], data=True) == "[-1.50, -inf]"


def test_a_large_number_has_as_many_digits_as_asked() -> None:
    assert write_number(123_456.7, 4) == "1.2346×10⁵"


def test_each_number_of_a_list_decides_by_itself_whether_it_is_large() -> None:
    assert write_list([0.5, 20_000]) == "[0.50, 2.00×10⁴]"


def test_minus_is_u_2212_in_pictures_and_a_hyphen_in_data() -> None:
    assert write_entries([-1.5, -1]) == ["\u22121.50", "\u22121.00"]
    assert write_entries([-1.5, -1], data=True) == ["-1.50", "-1.00"]
    assert (MINUS, INFINITY) == ("\u2212", "\u221e")


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_what_is_no_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="has no way of being written"):
        write_number(number)


@given(NUMBER, st.integers(0, 8))
def test_minus_zero_is_never_written(number: float, digits: int) -> None:
    text = write_number(number, digits)
    assert not (text.startswith(MINUS) and set(text) <= set("−0."))


@given(NUMBER, st.integers(0, 8))
def test_a_picture_and_data_show_the_same_digits(number: float, digits: int) -> None:
    picture, data = write_number(number, digits), write_number(number, digits, data=True)
    mantissa, _, exponent = data.partition("e")
    raised = "×10" + exponent.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    assert picture == mantissa.replace("-", MINUS) + (raised if exponent else "")


@given(PART, st.integers(0, 8))
def test_what_is_written_is_the_shortest_decimal_rounded_at_school(
    number: float, digits: int
) -> None:
    written = Decimal(write_number(number, digits, data=True))
    school = Decimal(repr(number)).quantize(Decimal(10) ** -digits, rounding=ROUND_HALF_UP)
    assert written == (school if abs(school) < 10_000 else written)


@given(NUMBER, st.integers(0, 8))
def test_what_is_written_lies_within_half_a_last_digit(number: float, digits: int) -> None:
    written = Decimal(write_number(number, digits, data=True))
    large = 10 ** max(0, written.adjusted()) if abs(written) >= 10_000 else 1
    assert abs(written - Decimal(number)) <= Decimal("0.5001") * large / 10**digits


@given(st.floats(-1e4, 1e4), st.integers(0, 6))
def test_a_number_and_its_opposite_are_written_alike(number: float, digits: int) -> None:
    assert write_number(-number, digits).lstrip(MINUS) == write_number(number, digits).lstrip(MINUS)


@given(st.lists(st.floats(-9000, 9000), min_size=1))
def test_all_numbers_of_a_list_have_as_many_decimals(numbers: list[float]) -> None:
    texts = write_entries(numbers)
    assert len({len(text.partition(".")[2]) for text in texts}) == 1


@given(NUMBER, st.integers(0, 8))
def test_rounding_twice_is_rounding_once(number: float, digits: int) -> None:
    once = round_half_up(number, digits)
    assert round_half_up(once, digits) == once


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        (0, "0"), (1, "1"), (0.5, "0.50"), (0.0043, "<0.01"), (1e-300, "<0.01"),
        (0.005, "0.01"), (0.7345767, "0.73"), (0.9999, "1.00"),
    ],
)  # fmt: skip
def test_a_weight_in_a_cell_is_never_0_00(weight: float, text: str) -> None:
    assert write_share(weight) == text


def test_a_weight_has_as_many_digits_as_asked() -> None:
    assert write_share(0.5, 3) == "0.500"


@pytest.mark.parametrize(("digits", "text"), [(0, "<1"), (1, "<0.1"), (7, "<0.0000001")])
def test_a_tiny_weight_is_below_the_last_digit_shown(digits: int, text: str) -> None:
    assert write_share(1e-9, digits) == text


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        (0.7345767, "73 %"), (0, "0 %"), (1, "100 %"), (0.0043, "<1 %"), (0.005, "1 %"),
        (0.145, "15 %"), (0.285, "29 %"),
    ],
)  # fmt: skip
def test_a_weight_in_a_sentence_is_a_percentage(weight: float, text: str) -> None:
    assert write_percent(weight) == text


@given(st.integers(-(10**7), 10**7), st.integers(0, 6))
def test_a_tie_goes_away_from_zero_however_many_decimals(tens: int, digits: int) -> None:
    tie = float(Decimal(10 * tens + 5).scaleb(-digits - 1))
    expected = round_half_up(tie, digits)
    if abs(expected) < 10_000 and not tie.is_integer():
        assert Decimal(write_number(tie, digits, data=True)) == expected
