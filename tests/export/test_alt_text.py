"""Alt text: one paragraph a figure, from the engine's numbers."""

import msgspec
import pytest

from engine import attention_of
from engine.notation import write_list, write_percent
from export.alt_text import alt_text
from export.hard_sentences import HARD_SENTENCES

FIGURES = (
    "query-plane", "value-plane", "weights", "causal-pair", "scaling", "score-gap",
    "contributions", "winning-word", "growth", "heads", "tiles",
)  # fmt: skip


def test_the_posts_word_gives_its_attention_as_the_post_says(post):
    text = alt_text(post, 0, "weights")
    assert "sat gives 73 % of its attention to cat, 18 % to itself, 4 % to “the” and 4 %" in text


@pytest.mark.parametrize("word", ["the", "No", "#x_$]@ref", "a b", "<b>&amp;"])
def test_a_word_that_would_be_read_as_part_of_the_sentence_is_quoted(post, word):
    words = (word, *post.words[1:])
    text = alt_text(msgspec.structs.replace(post, words=words), 0, "causal-pair")
    assert f"So “{word}” sees at most itself" in text


def test_the_number_of_a_word_that_occurs_twice_stands_outside_its_quotation_marks(post):
    twice = msgspec.structs.replace(post, words=("the", "cat", "the", "cat"))
    assert "“the” (word 1) sees at most itself" in alt_text(twice, 0, "causal-pair")


def test_the_second_curve_of_growth_is_told(post):
    assert "held with tiles" in alt_text(post, 0, "growth")


def test_the_causal_pair_says_both_shares(post):
    text = alt_text(post, 0, "causal-pair")
    assert "Without the mask sat gives 73 %" in text
    assert "With it sat gives 77 %" in text


def test_the_value_plane_has_the_output(post):
    assert "output of sat, [3.03, 0.40]" in alt_text(post, 0, "value-plane")


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("name", HARD_SENTENCES)
def test_any_sentence_becomes_one_paragraph(name, figure):
    text = alt_text(HARD_SENTENCES[name], 0, figure)
    assert text.endswith(".")
    assert not {"\n", "  ", "nan"} & {text[i : i + k] for k in (1, 2, 3) for i in range(len(text))}


def test_of_a_long_sentence_the_rest_is_told_as_one():
    sentence = HARD_SENTENCES["sixty-four words"]
    row = attention_of(sentence).weights[sentence.focus]
    rest = write_percent(float(sum(sorted(row)[:-3])))
    assert f"{rest} to the other 61 together" in alt_text(sentence, 0, "weights")


@pytest.mark.case(9)
def test_a_word_that_may_look_at_nothing_is_said_so():
    text = alt_text(HARD_SENTENCES["may look at nothing"], 0, "weights")
    assert "sat may look at nothing" in text


def test_a_word_that_occurs_twice_has_its_number(post):
    twice = msgspec.structs.replace(post, words=("the", "cat", "the", "cat"))
    assert "to cat (word 2)" in alt_text(twice, 0, "weights")


def test_more_digits_are_written(post):
    written = write_list(attention_of(post).output[2], 4)
    assert written in alt_text(post, 0, "value-plane", digits=4)


def test_an_unknown_figure_is_refused_with_the_names(post):
    with pytest.raises(ValueError, match="try query-plane"):
        alt_text(post, 0, "pie")


@pytest.mark.parametrize(
    ("name", "why"), [("d_k 1", "lie on a line"), ("d_k 3", "lie in no plane")]
)
def test_the_winners_are_a_list_where_queries_lie_in_no_plane(name, why):
    text = alt_text(HARD_SENTENCES[name], 0, "winning-word")
    assert text.startswith("A list")
    assert why in text
    assert "plane of queries:" not in text
    assert "wins for" in text


def test_a_temperature_that_a_figure_leaves_out_is_said_so(post):
    said = "temperature is left out of both"
    assert said not in alt_text(post, 0, "scaling")
    assert said in alt_text(msgspec.structs.replace(post, temperature=2.0), 0, "scaling")


def test_a_tiny_length_is_not_said_to_be_0():
    assert "of length <0.01" in alt_text(HARD_SENTENCES["tiny"], 0, "contributions")
