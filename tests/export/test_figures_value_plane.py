"""What a word collects."""

import pytest
from matplotlib.text import Text

from engine import attention_of
from engine.notation import write_entries
from export.figures import find_figure, load_figure
from export.figures.theme import FigureStyle, new_figure
from export.hard_sentences import HARD_SENTENCES


def texts_of(sentence):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("value-plane"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


def test_the_note_tells_the_posts_output(post):
    assert any("[3.03, 0.40]" in text for text in texts_of(post))


def test_values_of_three_numbers_are_summed_entry_by_entry():
    sentence = HARD_SENTENCES["d_k 3"]
    output = write_entries(attention_of(sentence).output[sentence.focus])
    assert set(output) <= set(texts_of(sentence))


def test_a_masked_value_says_so():
    assert "v down (masked)" in texts_of(HARD_SENTENCES["causal"])
