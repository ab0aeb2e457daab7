"""The document as data: its limits, its vectors, and how it is looked at."""

import math

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from engine.files import read_sentence, write_sentence
from engine.masks import causal_mask
from engine.positions import sinusoidal_positions
from engine.presets import load_preset
from engine.sentence import (
    Head,
    Sentence,
    attention_of,
    embeddings_of,
    find_head,
    find_word,
    joined_output,
    mask_of,
    new_sentence,
    problems,
    scale_of,
    vectors_of,
    with_settings,
)


@pytest.fixture
def cat():
    return load_preset("the-cat-sat-down")


@pytest.fixture
def two():
    return load_preset("two-heads")


def _with_head(sentence, **changes):
    return replace(sentence, heads=(replace(sentence.heads[0], **changes), *sentence.heads[1:]))


def _first_problem(sentence):
    return str(problems(sentence)[0])


# Vectors, scale and mask


def test_vectors_given_outright_are_used_as_they_are(cat):
    query, key, value = vectors_of(cat)
    assert query.tolist() == [[0, 1], [1, 1], [2, 0], [1, 0]]
    assert key.tolist() == [[0, 1], [2, 0], [1, 1], [0, 2]]
    assert value.tolist() == [[1, 0], [4, 0], [0, 2], [1, 1]]
    assert {query.dtype, key.dtype, value.dtype} == {np.dtype(np.float64)}


def test_projected_vectors_are_x_times_w(two):
    query, key, value = vectors_of(two, 0)
    assert query.tolist() == [[0, 2], [2, 4], [2, 0], [4, 2]]
    assert key.tolist() == [[1, 0], [2, 1], [0, 1], [1, 2]]
    assert value.tolist() == [[2, 0], [4, 1], [0, 1], [2, 2]]


def test_positions_are_added_to_embeddings_before_they_are_projected(two):
    moved = replace(two, positions="sinusoidal")
    x = np.array(two.embeddings) + sinusoidal_positions(4, 2)
    np.testing.assert_array_equal(embeddings_of(moved), x)
    np.testing.assert_array_equal(vectors_of(moved)[2], x @ np.array(two.heads[0].w_value))


def test_positions_are_added_to_query_and_key_where_vectors_are_given(cat):
    query, key, value = vectors_of(replace(cat, positions="sinusoidal"))
    plain_query, plain_key, plain_value = vectors_of(cat)
    np.testing.assert_array_equal(query, plain_query + sinusoidal_positions(4, 2))
    np.testing.assert_array_equal(key, plain_key + sinusoidal_positions(4, 2))
    np.testing.assert_array_equal(value, plain_value)


def test_scale_is_one_over_the_root_of_d_k(cat):
    assert scale_of(cat) == 1 / math.sqrt(2)


def test_unscaled_scale_is_one(cat):
    assert scale_of(replace(cat, scaled=False)) == 1


def test_temperature_divides_the_scale(cat):
    assert scale_of(replace(cat, scaled=False, temperature=4.0)) == 0.25
    assert scale_of(replace(cat, temperature=2.0)) == 1 / math.sqrt(2) / 2


def test_scale_of_a_projected_head_takes_d_k_from_its_matrix(two):
    wide = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0))
    assert scale_of(_with_head(two, w_query=wide, w_key=wide)) == 0.5


def test_each_head_is_scaled_by_its_own_d_k(two):
    wide = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0))
    unlike = replace(two, heads=(two.heads[0], replace(two.heads[1], w_query=wide, w_key=wide)))
    assert attention_of(unlike, 0).scale == 1 / math.sqrt(2)
    assert attention_of(unlike, 1).scale == 0.5


def test_scale_of_a_single_word_takes_d_k_from_it():
    assert scale_of(new_sentence("alone")) == 1 / math.sqrt(2)


@pytest.mark.parametrize("name", ["query", "key", "value"])
def test_a_head_that_lacks_one_of_its_vectors_has_none(cat, name):
    with pytest.raises(ValueError, match=r"^heads\[0\]: gives neither its vectors nor a way"):
        vectors_of(_with_head(cat, **{name: None}))


@pytest.mark.parametrize("name", ["w_query", "w_key", "w_value"])
def test_a_head_that_lacks_one_of_its_matrices_has_no_vectors(two, name):
    with pytest.raises(ValueError, match=r"^heads\[0\]: gives neither its vectors nor a way"):
        vectors_of(_with_head(two, **{name: None}))


def test_without_embeddings_there_is_nothing_to_project(two):
    with pytest.raises(ValueError, match=r"^heads\[0\]: gives neither its vectors nor a way"):
        vectors_of(replace(two, embeddings=None))


def test_without_queries_there_is_no_scale(cat):
    with pytest.raises(ValueError, match=r"^heads\[0\]: gives neither query nor w_query$"):
        scale_of(_with_head(cat, query=None))


def test_vectors_of_whole_numbers_are_floats_too(cat):
    assert vectors_of(_with_head(cat, query=((0, 1),) * 4))[0].dtype == np.float64


def test_without_mask_all_may_look_at_all(cat):
    assert mask_of(cat) is None


def test_causal_mask_is_the_triangle(cat):
    np.testing.assert_array_equal(mask_of(replace(cat, causal=True)), causal_mask(4))


def test_own_mask_alone_is_as_given(cat):
    own = ((False, True, True, True), *[(True,) * 4] * 3)
    np.testing.assert_array_equal(mask_of(replace(cat, mask=own)), own)


def test_own_mask_and_causal_must_both_allow(cat):
    own = ((False, True, True, True), *[(True,) * 4] * 3)
    allowed = mask_of(replace(cat, mask=own, causal=True))
    np.testing.assert_array_equal(allowed, np.array(own) & causal_mask(4))


def test_attention_gives_the_posts_output_for_sat(cat):
    attention = attention_of(cat)
    assert attention.weights[2].round(2).tolist() == [0.04, 0.73, 0.18, 0.04]
    assert attention.output[2].round(2).tolist() == [3.03, 0.40]


def test_attention_with_causal_gives_the_posts_masked_weights(cat):
    weights = attention_of(replace(cat, causal=True)).weights
    assert weights[2].round(2).tolist() == [0.05, 0.77, 0.19, 0.00]


@pytest.mark.parametrize("head", [-1, 1])
def test_a_head_that_is_not_there_is_refused(cat, head):
    with pytest.raises(ValueError, match=f"head should be from 0 to 0, not {head}"):
        attention_of(cat, head)


# What a document may be


def test_limits_are_shown_in_the_schema():
    schema = msgspec.json.schema(Sentence)["$defs"]
    words = schema["Sentence"]["properties"]["words"]
    assert (words["minItems"], words["maxItems"]) == (1, 64)
    assert words["items"]["maxLength"] == 80
    vectors = schema["Head"]["properties"]["query"]["anyOf"][0]
    assert vectors["items"]["maxItems"] == 64
    assert vectors["items"]["items"]["maximum"] == 1e6
    assert schema["Sentence"]["required"] == ["byhand", "words", "heads"]
    assert schema["Head"]["required"] == ["name"]


def test_a_valid_sentence_has_no_problems(cat, two):
    assert problems(cat) == problems(two) == ()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"focus": 4}, "focus: should be a word from 0 to 3, not 4"),
        ({"asks": ("why?",)}, "asks: should have 4 texts, one a word; it has 1"),
        ({"mask": ((True,) * 4,) * 3}, "mask: should have 4 rows, one a word; it has 3"),
        ({"mask": ((True,) * 3,) * 4}, "mask[0]: should have 4 entries, one a word; it has 3"),
        ({"embeddings": ((1.0,),) * 5}, "embeddings: should have 4 rows, one a word; it has 5"),
        (
            {"w_output": ((1.0,),)},
            "w_output: should have 2 rows, the heads' values laid end to end; it has 1",
        ),
        ({"temperature": 0.0}, "temperature: should be a number from 0.01 to 100, not 0.0"),
        (
            {"title": "x" * 201},
            "title: should be a text of at most 200 characters, "
            "without control characters or line breaks, not a text of 201 characters",
        ),
        ({"words": ()}, "words: should be a list of 1 to 64 words, not a list of 0"),
        ({"heads": ()}, "heads: should be a list of 1 to 16 heads, not a list of 0"),
        ({"positions": "x"}, 'positions: should be "none" or "sinusoidal", not "x"'),
    ],
)
def test_a_part_that_does_not_fit_is_named_with_what_would(cat, changes, problem):
    assert _first_problem(replace(cat, **changes)) == problem


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"key": ((0.0, 1.0),) * 3},
            "heads[0].key: should have 4 rows, one a word; it has 3",
        ),
        (
            {"key": ((0.0, 1.0), (1.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0))},
            "heads[0].key[2]: should have 2 entries, as in query; it has 3",
        ),
        (
            {"value": ((0.0, 1.0), (1.0,), (1.0, 1.0), (0.0, 0.0))},
            "heads[0].value[1]: should have 2 entries, as in heads[0].value[0]; it has 1",
        ),
        (
            {"query": ((0.0, 1.0), (math.nan, 0.0), (1.0, 1.0), (0.0, 0.0))},
            "heads[0].query[1][0]: should be a number from -1000000 to 1000000, not NaN",
        ),
        (
            {"query": None},
            "heads[0]: should give exactly query, key and value, or exactly w_query, w_key and "
            "w_value; it gives key, value",
        ),
        (
            {"w_key": ((1.0,),)},
            "heads[0]: should give exactly query, key and value, or exactly w_query, w_key and "
            "w_value; it gives query, key, value, w_key",
        ),
    ],
)
def test_a_head_that_does_not_fit_is_named_with_what_would(cat, changes, problem):
    assert _first_problem(_with_head(cat, **changes)) == problem


@pytest.mark.parametrize(
    ("words", "changes", "problem"),
    [
        ("alone", {"focus": 1}, "focus: should be 0, the only word, not 1"),
        ("a pair", {"focus": 2}, "focus: should be a word from 0 to 1, not 2"),
        ("alone", {"mask": ((True,),) * 2}, "mask: should have 1 row, one a word; it has 2"),
        ("alone", {"mask": ((True,) * 2,)}, "mask[0]: should have 1 entry, one a word; it has 2"),
    ],
)
def test_of_one_word_there_is_one_of_each(words, changes, problem):
    assert _first_problem(replace(new_sentence(words), **changes)) == problem


def test_a_key_shorter_than_the_query_is_the_one_to_mend(cat):
    problem = _first_problem(_with_head(cat, key=((1.0,),) * 4))
    assert problem == "heads[0].key[0]: should have 2 entries, as in query; it has 1"


def test_what_no_document_is_made_of_is_named_by_its_type(cat):
    with pytest.raises(TypeError, match="made of texts, numbers and tuples, not complex"):
        problems(replace(cat, temperature=1j))


def test_values_may_be_longer_than_keys(cat):
    assert problems(_with_head(cat, value=((1.0, 2.0, 3.0),) * 4)) == ()


def test_projections_need_embeddings(two):
    expected = "embeddings: is missing; heads[0].w_query multiplies it: one vector a word"
    assert _first_problem(replace(two, embeddings=None)) == expected


def test_projections_need_a_row_for_every_number_of_an_embedding(two):
    problem = _first_problem(replace(two, embeddings=((1.0, 0.0, 0.0),) * 4))
    assert problem.startswith("heads[0].w_query: should have 3 rows, as many as embeddings")


def test_w_output_is_as_wide_as_the_embeddings(two):
    problem = _first_problem(replace(two, w_output=((1.0,),) * 4))
    assert problem == "w_output[0]: should have 2 entries, as in embeddings; it has 1"


def test_two_heads_of_one_name_are_refused(two):
    twins = (two.heads[0], replace(two.heads[1], name="subject"))
    expected = 'heads[1].name: "subject" is taken; names differ'
    assert _first_problem(replace(two, heads=twins)) == expected


def test_words_may_repeat():
    assert problems(new_sentence("the cat the cat")) == ()


@pytest.mark.parametrize("word", ["a\0", "a\n", "a\x7f", "a\x85", "a\u2028", "a\ufffe"])
def test_a_control_character_in_a_word_is_refused(cat, word):
    problem = _first_problem(replace(cat, words=("the", word, "sat", "down")))
    assert problem.startswith("words[1]: should be a text of 1 to 80 characters, without control")


@pytest.mark.parametrize("field", ["words", "asks", "shows", "gives"])
def test_half_a_character_is_refused_wherever_a_text_stands(cat, field):
    texts = getattr(cat, field)
    problem = _first_problem(replace(cat, **{field: (*texts[:3], "a\ud83d")}))
    assert problem == f'{field}[3]: holds a lone surrogate (half a character): "a\\ud83d"'


@pytest.mark.parametrize("word", ["猫", "القط", "naïve", "😀", "a\u0301", "W" * 80, "👩‍🚀", " "])
def test_words_of_any_script_are_welcome(cat, word):
    assert problems(replace(cat, words=("the", word, "sat", "down"))) == ()


@pytest.mark.case(5)
def test_renaming_one_of_two_equal_words_changes_only_that_one(tmp_path):
    """ "the cat the cat": rename the second, save, load: only the second changed."""
    sentence = new_sentence("the cat the cat")
    renamed = replace(sentence, words=(*sentence.words[:3], "dog"))
    write_sentence(renamed, tmp_path / "a.byhand.json")
    assert read_sentence(tmp_path / "a.byhand.json").words == ("the", "cat", "the", "dog")


# New sentences


def test_a_new_sentence_is_the_same_each_time():
    assert new_sentence("a dog sat") == new_sentence(["a", "dog", "sat"])


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64])
def test_a_new_sentence_stands_on_the_unit_circle_in_two_decimals(n):
    sentence = new_sentence(["w"] * n)
    for vectors in vectors_of(sentence):
        np.testing.assert_allclose(np.hypot(*vectors.T), 1, atol=0.01)
        np.testing.assert_array_equal(vectors, vectors.round(2))
    assert problems(sentence) == ()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64])
def test_each_new_query_points_at_the_key_before_and_values_are_a_quarter_on(n):
    query, key, value = vectors_of(new_sentence(["w"] * n))
    np.testing.assert_array_equal(query, np.roll(key, 1, axis=0))
    np.testing.assert_allclose(value, np.stack([-key[:, 1], key[:, 0]], axis=1), atol=1e-9)


def test_new_keys_go_anticlockwise_from_the_right():
    _, key, _ = vectors_of(new_sentence("a b c d"))
    assert key.tolist() == [[1, 0], [0, 1], [-1, 0], [0, -1]]


def test_a_new_sentence_holds_no_minus_zero():
    vectors = np.array(vectors_of(new_sentence("a b c d")))
    assert not np.signbit(vectors[vectors == 0]).any()


def test_a_new_sentence_has_one_head_named_by_its_number():
    assert [head.name for head in new_sentence("a dog sat").heads] == ["head 1"]


def test_a_new_title_is_as_long_as_a_title_may_be_and_ends_in_no_blank():
    assert new_sentence(["w" * 80] * 9).title == f"{'w' * 80} {'w' * 80} {'w' * 38}"
    assert new_sentence(["w" * 66] * 9).title == f"{'w' * 66} {'w' * 66} {'w' * 66}"
    assert new_sentence(["w" * 66, "w" * 66, "w" * 65, "w"]).title.endswith(" " + "w" * 65)


def test_a_new_sentence_depends_on_the_number_of_words_and_not_on_the_words():
    assert new_sentence("a b c").heads == new_sentence("x y z").heads


def test_a_new_sentence_has_its_words_for_a_title():
    assert new_sentence("a dog  sat").title == "a dog sat"
    assert new_sentence("a dog sat", title="Dog").title == "Dog"


@pytest.mark.parametrize("words", ["", ["w"] * 65, ["w" * 81], [""], ["a\nb"]])
def test_new_words_that_break_a_limit_are_refused(words):
    with pytest.raises(ValueError, match=r"^words"):
        new_sentence(words, title="")


# Looking at it otherwise


def test_settings_change_what_they_name_and_nothing_else(cat):
    changed = with_settings(cat, focus="cat", causal=True, scaled=False, temperature=2.0)
    expected = replace(cat, focus=1, causal=True, scaled=False, temperature=2.0)
    assert changed == expected
    assert with_settings(cat) == cat


def test_a_temperature_out_of_range_is_refused(cat):
    with pytest.raises(ValueError, match=r"^temperature: should be a number from 0.01 to 100"):
        with_settings(cat, temperature=0.0)


@pytest.mark.parametrize(("text", "index"), [("1", 0), ("4", 3), ("sat", 2), (" 2 ", 1)])
def test_a_word_is_found_by_number_from_1_or_by_its_text(cat, text, index):
    assert find_word(cat, text) == index


def test_a_word_is_found_however_its_accents_are_composed():
    assert find_word(new_sentence("so nai\u0308ve"), "na\u00efve") == 1


def test_a_number_is_a_place_before_it_is_a_text():
    assert find_word(new_sentence("2 1"), "2") == 1
    assert find_word(new_sentence("2024 began"), "2024") == 0


def test_a_word_that_occurs_twice_is_refused_with_its_numbers():
    with pytest.raises(ValueError, match=r'^"the" is word 1 and 3: give the number$'):
        find_word(new_sentence("the cat the dog"), "the")


@pytest.mark.parametrize("word", ["\u202e", "\U000e0001" * 80, "W" * 80, " "])
@pytest.mark.parametrize("text", ["dog", "\x1b[2J\n" * 40])
def test_a_word_that_is_not_there_is_refused_in_one_line_of_300_whatever_the_words(word, text):
    words = [word, *(f"{word}{i}"[-80:] for i in range(63))]
    with pytest.raises(ValueError, match=r"^no word is .* …$") as caught:
        find_word(new_sentence(words, title=""), text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_of_two_words_either_number_will_do():
    with pytest.raises(ValueError, match=r'give a number from 1 to 2, or one of "a", "b"$'):
        find_word(new_sentence("a b"), "c")


def test_a_word_that_occurs_64_times_is_refused_with_the_first_of_its_numbers():
    with pytest.raises(
        ValueError, match=r'^"a" is word 1 and 2 and 3 .* …: give the number$'
    ) as caught:
        find_word(new_sentence(["a"] * 64, title=""), "a")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["dog", "0", "5", "-1", "", "1.0", "²"])
def test_a_word_that_is_not_there_is_refused_with_what_there_is(cat, text):
    match = r'^no word is ".*": give a number from 1 to 4, or one of "the", "cat", "sat", "down"$'
    with pytest.raises(ValueError, match=match):
        find_word(cat, text)


@pytest.mark.parametrize(("text", "index"), [("subject", 0), ("place", 1), ("1", 0), ("2", 1)])
def test_a_head_is_found_by_name_or_by_number_from_1(two, text, index):
    assert find_head(two, text) == index


def test_a_head_is_its_name_before_it_is_a_number(two):
    named = replace(two, heads=(replace(two.heads[0], name="2"), two.heads[1]))
    assert find_head(named, "2") == 0


def test_a_head_that_is_not_there_is_refused_with_what_there_is(cat):
    with pytest.raises(ValueError, match=r'^no head is "x": give 1, or one of "subject"$'):
        find_head(cat, "x")


def test_documents_are_frozen(cat):
    with pytest.raises(AttributeError):
        cat.title = "x"
    assert isinstance(cat.heads[0], Head)


def test_heads_are_laid_end_to_end_and_multiplied_by_w_o(two):
    joined, output = joined_output(two)
    first, second = attention_of(two, 0).output, attention_of(two, 1).output
    assert np.array_equal(joined, np.hstack([first, second]))
    by_hand = [
        [sum(x * w for x, w in zip(row, column)) for column in zip(*two.w_output)] for row in joined
    ]
    np.testing.assert_allclose(output, by_hand, rtol=1e-14)


def test_without_w_o_nothing_is_joined(cat):
    assert joined_output(cat) is None
