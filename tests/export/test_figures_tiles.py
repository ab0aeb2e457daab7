"""The online softmax, tile by tile."""

import numpy as np
import pytest
from matplotlib.text import Text

from engine import attention_of
from export.figures import find_figure, load_figure
from export.figures.theme import FigureStyle, new_figure
from export.figures.tiles import walk_keys
from export.hard_sentences import HARD_SENTENCES


def texts_of(sentence):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("tiles"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


@pytest.mark.parametrize("name", HARD_SENTENCES)
def test_the_walk_ends_where_the_grid_does(name):
    sentence = HARD_SENTENCES[name]
    attention = attention_of(sentence)
    assert walk_keys(attention, sentence.focus, 1).is_exact
    assert walk_keys(attention, sentence.focus, 3).is_exact


def test_what_was_kept_shrinks_when_a_larger_score_comes(post):
    walk = walk_keys(attention_of(post), post.focus, 1)
    assert walk.shrinks[1] == pytest.approx(np.exp(-4 / np.sqrt(2)))


def test_the_output_is_written_at_the_end(post):
    assert {"3.03", "0.40"} <= set(texts_of(post))
