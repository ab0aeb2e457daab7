import locale as locale_module

import pytest
from PySide6.QtCore import QLocale

from desktop.views.typed import read_number, read_whole
from engine.files import format_sentence
from engine.sentence import Head, Sentence
from export.worksheets import write_worksheet


@pytest.fixture(params=["de_DE", "pt_BR", "C", "ar_EG"])
def locale(request):
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield
    QLocale.setDefault(before)


@pytest.mark.case(3)
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5", 1.5), ("1,5", 1.5), ("62,5", 62.5), ("1,234", 1.234), ("1.234", 1.234),
        ("1234.5", 1234.5), ("-2", -2.0), ("+3", 3.0), (".5", 0.5), (",5", 0.5), ("7.", 7.0),
        ("1e3", 1000.0), ("2,5E-3", 0.0025),
    ],
)  # fmt: skip
def test_point_and_comma_are_decimal_marks_under_every_locale(locale, text, number):
    assert read_number(text) == number


@pytest.mark.case(3)
def test_files_have_a_point_under_every_locale(locale, monkeypatch):
    monkeypatch.setitem(locale_module._override_localeconv, "decimal_point", ",")
    rows = ((read_number("1,5"), read_number("62,5")),)
    head = Head(name="one", query=rows, key=rows, value=rows)
    sentence = Sentence(byhand=1, words=("cat",), heads=(head,), temperature=0.5)
    text = format_sentence(sentence)
    assert "[1.5, 62.5]" in text
    assert '"temperature": 0.5' in text
    for style in ("csv", "numpy", "json"):
        sheet = write_worksheet(sentence, style=style)
        assert "62.5" in sheet
        assert "62,5" not in sheet


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("\u22121.5", -1.5), ("1.23×10⁴", 12300.0), ("4.00×10⁻³", 0.004), (" 2 ", 2.0),
        ("\u00a01\u202f000,5", 1000.5), ("١٫٥", 1.5), ("1.5", 1.5),
    ],
)  # fmt: skip
def test_numbers_copied_from_pictures_and_other_scripts_are_read(text, number):
    assert read_number(text) == number


@pytest.mark.case(1)
@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "inf",
        "-inf",
        "-",
        "abc",
        "1,2,3",
        "1.234,5",
        "0x10",
        "1_000",
        "²",
        "1e",
        "1 2",
        "- 1",
    ],
)
def test_what_is_no_number_is_refused_by_name(text):
    with pytest.raises(ValueError, match=f'"{text}" isn\'t a number'):
        read_number(text)


@pytest.mark.case(1)
@pytest.mark.parametrize("text", ["1e309", "1000000.1", "-1e7"])
def test_what_is_too_large_is_refused_by_name(text):
    with pytest.raises(ValueError, match=f'"{text}" is out of range: .*-1000000 to 1000000'):
        read_number(text)


@pytest.mark.case(1)
@pytest.mark.parametrize("text", ["", "  ", "\t"])
def test_nothing_is_no_number(text):
    with pytest.raises(ValueError, match="an empty cell isn't a number"):
        read_number(text)


def test_a_number_that_would_turn_into_zero_is_refused():
    with pytest.raises(ValueError, match="too close to 0"):
        read_number("1e-400")
    assert read_number("1e-300") == 1e-300
    assert read_number("0e5") == 0.0


def test_minus_zero_is_zero():
    assert str(read_number("-0")) == "0.0"


def test_a_whole_number_is_whole_and_within_its_limits():
    assert read_whole("64", 1, 64) == 64
    with pytest.raises(ValueError, match=r'"2\.5" isn\'t whole: a number from 1 to 64'):
        read_whole("2.5", 1, 64)
    with pytest.raises(ValueError, match='"65" is out of range: a number from 1 to 64'):
        read_whole("65", 1, 64)
