"""The better of two scores, by their gap."""

import numpy as np
import pytest
from matplotlib.text import Text

from export.figures import find_figure, load_figure
from export.figures.score_gap import share_and_gradient
from export.figures.theme import FigureStyle, new_figure
from export.hard_sentences import HARD_SENTENCES


def texts_of(sentence):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("score-gap"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


def test_a_tie_gives_half_and_the_steepest_gradient():
    share, gradient = share_and_gradient(np.zeros(1))
    assert (share[0], gradient[0]) == (0.5, 0.25)


def test_the_posts_gaps_are_named(post):
    assert {"sat: 1.41", "the, down: 2.83"} <= set(texts_of(post))


def test_a_word_alone_has_no_rival():
    assert any(
        "no score stands against it" in text for text in texts_of(HARD_SENTENCES["one word"])
    )
