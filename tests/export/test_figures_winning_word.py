"""Which word wins where."""

import msgspec
import numpy as np
import pytest
from matplotlib.text import Text

from engine import attention_of, winning_word
from engine.presets import load_preset
from export.alt_text import alt_text
from export.figures import find_figure, load_figure
from export.figures.theme import FigureStyle, new_figure
from export.figures.winning_word import winning_regions
from export.hard_sentences import HARD_SENTENCES


def texts_of(sentence):
    style = FigureStyle()
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("winning-word"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def flat(sentence):
    """The sentence with one key for all words."""
    head = sentence.heads[0]
    head = msgspec.structs.replace(head, key=head.key[:1] * len(head.key))
    return msgspec.structs.replace(sentence, heads=(head,))


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


@pytest.mark.parametrize("name", ["twelve words", "any script", "huge", "causal", "negative"])
def test_regions_agree_with_the_engine_wherever_a_query_points(name):
    sentence = HARD_SENTENCES[name]
    attention, focus = attention_of(sentence), sentence.focus
    regions = winning_regions(attention, focus)
    mask = np.isfinite(attention.masked[focus])
    for start, end, word in regions:
        for angle in np.linspace(start, end, 7)[1:-1]:
            way = np.array((np.cos(angle), np.sin(angle)))
            assert winning_word(way, attention.key, mask=mask)[0] == word


def test_regions_go_once_round(post):
    regions = winning_regions(attention_of(post), post.focus)
    assert sum(end - start for start, end, _ in regions) == pytest.approx(2 * np.pi)


def test_where_no_plane_holds_the_queries_it_says_so():
    assert any("lie in no plane" in text for text in texts_of(HARD_SENTENCES["d_k 3"]))


def test_words_of_one_key_win_together():
    even = load_preset("an-even-spread")
    assert "k the, cat, sat, +1" in texts_of(even)
    assert "“the”, cat, sat and “down” tie for" in alt_text(even, 0, "winning-word")


def test_words_that_tie_for_a_query_are_listed_together():
    assert "the, cat, sat, +1" in texts_of(flat(HARD_SENTENCES["d_k 3"]))
