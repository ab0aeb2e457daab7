"""What the grid costs."""

import pytest
from matplotlib.text import Text

from export.figures import find_figure, load_figure
from export.figures.growth import draw_times, held_in_tiles
from export.figures.theme import FigureStyle, new_figure
from export.hard_sentences import HARD_SENTENCES


def texts_of(sentence):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("growth"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


def test_the_sentence_s_own_cells_and_bytes_are_told(post):
    assert "this sentence: 4 words, 16 cells, 64 B" in texts_of(post)


def test_with_tiles_what_is_held_grows_as_the_words_do():
    assert held_in_tiles(1 << 17, 64) < 2.1 * held_in_tiles(1 << 16, 64)


def test_times_are_asked_for_where_there_are_none():
    with pytest.raises(ValueError, match="measure_growth"):
        draw_times([], None)
