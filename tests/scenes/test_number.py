"""Numbers are drawn from cached digits, and can be read back from their outlines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.notation import write_number
from scenes.parts.number import Number, outline, read_back

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(write_number)


@given(NUMBERS, st.floats(0.1, 3), st.floats(-5, 5))
@settings(deadline=None)
def test_what_is_drawn_is_what_is_read(text, size, shift):
    number = Number(text, 0.4, "#000000").scale(size).shift((shift, -shift, 0.0))
    assert read_back(number.points) == text


@pytest.mark.parametrize("text", ["−∞", "<0.01", "1.23×10⁴", "0", "2·2+0·0=4", "[0.04,0.73]"])
def test_every_sign_of_the_notation_reads_back(text):
    assert read_back(outline(text, 650)) == text


def test_a_swapped_digit_is_noticed():
    honest = outline("16.92")
    swapped = np.concatenate((outline("19"), honest[len(outline("16")) :]))
    assert read_back(swapped) == "19.92"


def test_a_shape_that_is_no_digit_is_a_question_mark():
    points = outline("7") * (1.0, 2.5, 1.0) + outline("7")[::-1] * (0.4, 0.1, 0.0)
    assert "?" in read_back(points)


def test_a_point_is_not_a_times_sign():
    assert read_back(outline("2·5")) == "2·5"
    assert read_back(outline("2.5")) == "2.5"


def test_rewriting_keeps_the_size_and_the_line():
    number = Number("4", 0.4, "#000000").scale(1.5).shift((1.0, 2.0, 0.0))
    em, middle = number.em, number.middle
    number.rewrite("−12.34", 1.0, middle)
    assert number.em == pytest.approx(em)
    assert number.middle == pytest.approx(middle)
    assert read_back(number.points) == "−12.34"


def test_a_character_that_no_number_has_is_refused():
    with pytest.raises(ValueError, match="no character of a number"):
        Number("4x", 0.4, "#000000")
