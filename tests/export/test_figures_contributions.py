"""What words give beside what they weigh."""

import pytest
from matplotlib.text import Text

from export.figures import find_figure, load_figure
from export.figures.theme import FigureStyle, new_figure
from export.hard_sentences import HARD_SENTENCES


def texts_of(sentence):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("contributions"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


def test_the_posts_weights_and_lengths_are_written(post):
    assert {"0.73", "× 4.00", "2.94"} <= set(texts_of(post))


def test_a_heavier_word_that_gives_less_is_told_of():
    words = texts_of(HARD_SENTENCES["sixty-four words"])
    assert any("“word20” weighs most, but “word29” gives most" in text for text in words)


def test_of_many_words_it_says_how_many_are_drawn():
    words = texts_of(HARD_SENTENCES["sixty-four words"])
    assert any(text.startswith("12 of 64 words") for text in words)
