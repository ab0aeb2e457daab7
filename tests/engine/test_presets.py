"""The ready sentences: each shows what its name says."""

from importlib.resources import files

import numpy as np
import pytest

from engine.files import format_sentence
from engine.presets import load_preset, preset_names
from engine.sentence import attention_of, problems

NAMES = preset_names()


def _text(name):
    return files("engine.presets").joinpath(f"{name}.byhand.json").read_bytes().decode()


def test_the_posts_sentence_comes_first():
    assert NAMES[0] == "the-cat-sat-down"
    assert load_preset() == load_preset("the-cat-sat-down")


def test_every_document_in_the_folder_has_its_name_in_the_list():
    found = [file.name for file in files("engine.presets").iterdir()]
    documents = {name.removesuffix(".byhand.json") for name in found if name.endswith(".json")}
    assert documents == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_written_in_canonical_form(name):
    assert _text(name) == format_sentence(load_preset(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_valid_and_has_a_title(name):
    sentence = load_preset(name)
    assert problems(sentence) == ()
    assert sentence.title


def test_titles_differ():
    assert len({load_preset(name).title for name in NAMES}) == len(NAMES)


def test_an_unknown_preset_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match=r"no preset is 'dog'.*the-cat-sat-down.*two-heads"):
        load_preset("dog")


def test_the_posts_vectors_are_the_posts():
    sentence = load_preset("the-cat-sat-down")
    (head,) = sentence.heads
    assert sentence.words == ("the", "cat", "sat", "down")
    assert head.query == ((0, 1), (1, 1), (2, 0), (1, 0))
    assert head.key == ((0, 1), (2, 0), (1, 1), (0, 2))
    assert head.value == ((1, 0), (4, 0), (0, 2), (1, 1))


def test_the_posts_sentence_looks_at_sat_scaled_and_unmasked():
    sentence = load_preset("the-cat-sat-down")
    assert sentence.words[sentence.focus] == "sat"
    assert (sentence.scaled, sentence.causal, sentence.temperature) == (True, False, 1)


def test_the_posts_sentence_tells_what_each_word_asks_shows_and_gives():
    sentence = load_preset("the-cat-sat-down")
    assert sentence.asks is not None
    assert sentence.asks[2] == "who is the subject here?"
    assert all(sentence.asks + (sentence.shows or ()) + (sentence.gives or ()))


def test_two_heads_are_projections_with_four_numbers_mixed_back_to_two():
    sentence = load_preset("two-heads")
    assert all(head.query is None and head.w_query is not None for head in sentence.heads)
    assert np.shape(sentence.embeddings) == (4, 2)
    assert np.shape(sentence.w_output) == (4, 2)


def test_two_heads_pick_other_winners_for_every_word():
    sentence = load_preset("two-heads")
    subject, place = (attention_of(sentence, head).weights.argmax(axis=1) for head in (0, 1))
    assert (subject != place).all()


def test_two_heads_let_sat_hear_cat_as_subject_and_down_as_place():
    sentence = load_preset("two-heads")
    winners = [int(attention_of(sentence, head).weights[2].argmax()) for head in (0, 1)]
    assert [sentence.words[winner] for winner in winners] == ["cat", "down"]


def test_seven_words_have_seven():
    assert len(load_preset("seven-words").words) == 7


def test_seven_words_let_each_verb_hear_its_own_subject():
    sentence = load_preset("seven-words")
    heard = attention_of(sentence).weights.argmax(axis=1)
    pairs = {sentence.words[i]: sentence.words[j] for i, j in enumerate(heard)}
    assert (pairs["said"], pairs["sat"]) == ("she", "cat")


def test_a_hard_pick_gives_nearly_all_to_one_word():
    sentence = load_preset("a-hard-pick")
    weights = attention_of(sentence).weights[sentence.focus]
    assert weights.max() > 0.999


def test_a_hard_pick_has_the_posts_scores_times_ten():
    sentence = load_preset("a-hard-pick")
    assert attention_of(sentence).scaled[sentence.focus].tolist() == [0, 40, 20, 0]


def test_an_even_spread_gives_every_word_as_much():
    assert (attention_of(load_preset("an-even-spread")).weights == 0.25).all()


def test_a_tie_has_two_words_that_share_the_top():
    sentence = load_preset("a-tie")
    weights = attention_of(sentence).weights[sentence.focus]
    top = [sentence.words[i] for i in np.flatnonzero(weights == weights.max())]
    assert top == ["cat", "dog"]


def test_a_huge_value_behind_a_small_weight_swings_the_output():
    plain, swung = load_preset("the-cat-sat-down"), load_preset("a-huge-value")
    weights = attention_of(swung).weights[2]
    assert weights[3] == attention_of(plain).weights[2, 3] < 0.05
    assert attention_of(swung).output[2].round(2).tolist() == [7.32, 4.70]
