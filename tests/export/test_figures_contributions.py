"""What words give beside what they weigh."""

import msgspec
import pytest
from matplotlib.text import Text

from engine.presets import load_preset
from export.alt_text import alt_text
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


@pytest.mark.parametrize(
    ("preset", "said", "told"),
    [
        ("a-tie", "“cat” and “dog” weigh most and give most.", "comes from cat and dog alike."),
        (
            "an-even-spread",
            "all weigh the same, but “cat” gives most, its value being longer.",
            "The largest contribution comes from cat.",
        ),
    ],
)
def test_of_words_that_tie_none_is_put_before_the_others(preset, said, told):
    sentence = load_preset(preset)
    assert any(text.endswith(said) for text in texts_of(sentence))
    assert alt_text(sentence, 0, "contributions").endswith(told)


def test_the_word_that_gives_most_is_drawn_though_all_weigh_the_same():
    sentence = HARD_SENTENCES["sixty-four words"]
    zero = tuple((0.0, 0.0) for _ in sentence.words)
    head = msgspec.structs.replace(sentence.heads[0], query=zero)
    texts = texts_of(msgspec.structs.replace(sentence, heads=(head,)))
    (said,) = [text for text in texts if "gives most" in text]
    assert said.split("“")[2].partition("”")[0] in texts
