"""Why data was refused, in words: short, on one line, with the place."""

import pytest

from engine.refusal import NotANumber, Problem, described, printable, shown


@pytest.mark.parametrize(
    ("problem", "said"),
    [(Problem("focus", "is missing"), "focus: is missing"), (Problem("", "is empty"), "is empty")],
)
def test_a_problem_of_the_whole_has_no_place(problem, said):
    assert str(problem) == said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '""'),
        ("x" * 40, f'"{"x" * 40}"'),
        ("x" * 41, f'"{"x" * 39}…"'),
        ("a\nb", '"a\\nb"'),
        ("\x1b[31mred", '"\\x1b[31mred"'),
        ("\u202e" * 7, '"\\u202e\\u202e\\u202e\\u202e\\u202e\\u202e\\u2…"'),
    ],
)
def test_a_text_is_shown_in_quotation_marks_in_at_most_40_characters(text, expected):
    assert shown(text) == expected


@pytest.mark.parametrize("text", ["猫", "naïve", "القط", "😀", "a b", "<b>&amp;"])
def test_what_can_be_printed_is_left_as_it_is(text):
    assert printable(text) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("x" * 80, f'"{"x" * 39}…"'),
        ("x" * 81, "a text of 81 characters"),
        (NotANumber("1234567890123456e309"), "1234567890123456e309"),
        (NotANumber("12345678901234567e309"), "123456789012… (21 characters)"),
        ([1, 2], "a list of 2"),
        ((1,), "a list of 1"),
        ({"a": 1}, "an object"),
        (None, "null"),
        (True, "true"),
        (1.0, "1.0"),
    ],
)
def test_a_value_is_described_in_a_few_characters(value, expected):
    assert described(value) == expected
