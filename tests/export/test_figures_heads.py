"""All heads side by side."""

import pytest
from matplotlib.text import Text

from engine import attention_of
from export.figures import find_figure, load_figure
from export.figures.heads import draw_heads
from export.figures.theme import FigureStyle, new_figure
from export.hard_sentences import HARD_SENTENCES


def texts_of(sentence):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("heads"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


def test_every_head_is_named():
    sentence = HARD_SENTENCES["two heads"]
    assert {head.name for head in sentence.heads} <= set(texts_of(sentence))


def test_one_head_alone_is_said_to_be_alone(post):
    assert "This sentence has one head: its grid stands alone." in texts_of(post)


def test_axes_must_be_as_many_as_heads(post):
    with pytest.raises(ValueError, match="1 heads, 0 axes"):
        draw_heads(attention_of(post), [], words=post.words)
