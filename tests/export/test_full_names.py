"""Names that a figure cuts stand whole under it."""

import pytest

pytest.importorskip("matplotlib")

from engine.sentence import new_sentence
from export.figures import find_figure, load_figure
from export.figures.full_names import cut_names
from export.figures.lettering import pieces_of, width_of
from export.figures.theme import FigureStyle, new_figure


def height_of(name, words):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure(name))(figure, new_sentence(words), 0, style)
        return figure.get_size_inches()[1]


@pytest.mark.parametrize(
    ("name", "text", "is_cut"),
    [
        ("internationalisation", "k internation…: 4", True),
        ("internationalisation", "internationalisation", False),
        ("wait…", "wait…", False),
        ("cat", "[1, 2, …]", False),
        ("cat", "cat and 3 more…", False),
        ("two words", "two…", True),
    ],
)
def test_a_name_is_cut_where_a_text_has_its_beginning_alone(name, text, is_cut):
    assert list(cut_names([name, name], [text, "b"])) == [name] * is_cut


@pytest.mark.parametrize("text", ["W" * 60, "a\u0301" * 40, "b", "", "القط" * 15])
def test_pieces_fit_and_are_the_text(text):
    pieces = pieces_of(text, 9.0, 80.0)
    assert "".join(pieces) == text
    assert all(width_of(piece, 9.0) <= 80.0 for piece in pieces)
    assert not any(piece.startswith("\u0301") for piece in pieces)


def test_even_a_room_too_narrow_for_one_letter_ends():
    assert pieces_of("WWW", 9.0, 1.0) == ["W", "W", "W"]


def test_a_figure_grows_by_the_names_alone():
    short, long = (height_of("query-plane", ["W" * n, "b"]) for n in (3, 60))
    assert 0.2 < long - short < 1.0
    assert height_of("query-plane", ["WW", "b"]) == short
