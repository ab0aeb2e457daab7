import numpy as np
import pytest
from msgspec.structs import replace

from desktop import edits
from engine import attention_of, read_sentence
from engine.files import format_sentence
from engine.presets import load_preset
from engine.sentence import Sentence, checked, vectors_of


@pytest.fixture
def made() -> Sentence:
    """Two heads whose vectors are made by W, joined by W_O, with sinusoidal positions."""
    rng = np.random.default_rng(0)

    def rows(*shape):
        return tuple(map(tuple, rng.integers(-3, 4, shape).astype(float).tolist()))

    heads = tuple(
        edits.Head(name=name, w_query=rows(3, 2), w_key=rows(3, 2), w_value=rows(3, 2))
        for name in ("a", "b")
    )
    return checked(
        Sentence(
            byhand=1, words=("x", "y", "z"), heads=heads, embeddings=rows(3, 3),
            w_output=rows(4, 3), positions="sinusoidal",
        )
    )  # fmt: skip


def test_moving_a_vector_moves_it_and_nothing_else():
    before = load_preset()
    after = edits.move_vector(before, 0, "key", 1, (5, -1)).sentence
    assert after.heads[0].key[1] == (5, -1)
    assert replace(after, heads=(replace(after.heads[0], key=before.heads[0].key),)) == before


def test_a_moved_vector_is_where_it_was_put_though_positions_are_added():
    sentence = replace(load_preset(), positions="sinusoidal")
    after = edits.move_vector(sentence, 0, "query", 1, (5.0, -1.0)).sentence
    assert vectors_of(after)[0][1] == pytest.approx([5.0, -1.0])


def test_a_vector_dragged_beyond_the_limit_stays_at_it():
    after = edits.move_vector(load_preset(), 0, "key", 1, (1e300, -1e300)).sentence
    assert checked(after).heads[0].key[1] == (1e6, -1e6)


def test_a_vector_made_by_w_is_not_moved(made):
    with pytest.raises(ValueError, match="make it free"):
        edits.move_vector(made, 0, "key", 1, (1, 1))


def test_vectors_made_free_give_the_same_attention(made):
    after = checked(edits.make_free(made, 1).sentence)
    assert not edits.is_made(after, 1)
    assert edits.is_made(after, 0)
    expected = attention_of(made, 1)
    assert attention_of(after, 1).output == pytest.approx(expected.output)


@pytest.mark.case(5)
def test_of_two_equal_words_only_the_second_changes(tmp_path):
    from engine import write_sentence

    sentence = edits.rename_word(load_preset(), 2, "the").sentence
    after = edits.rename_word(sentence, 2, "cat").sentence
    assert after.words == ("the", "cat", "cat", "down")
    moved = edits.move_vector(after, 0, "key", 2, (9, 9))
    assert moved.text == "Move key of cat (3)"
    write_sentence(moved.sentence, tmp_path / "a.byhand.json")
    again = read_sentence(tmp_path / "a.byhand.json")
    assert again.heads[0].key == ((0, 1), (2, 0), (9, 9), (0, 2))


@pytest.mark.parametrize("preset", ["the-cat-sat-down", "two-heads", "seven-words"])
@pytest.mark.parametrize("at", [0, 1, None])
def test_a_word_added_and_taken_out_again_leaves_the_document_as_it_was(preset, at):
    before = load_preset(preset)
    added = checked(edits.add_word(before, "new", at).sentence)
    place = len(before.words) if at is None else at
    assert added.words[place] == "new"
    assert format_sentence(edits.remove_word(added, place).sentence) == format_sentence(before)


def test_a_word_added_before_the_focus_leaves_the_focus_on_its_word():
    after = edits.add_word(load_preset(), "new", 0).sentence
    assert after.words[after.focus] == "sat"


def test_a_moved_word_takes_its_vectors_its_mask_and_the_focus_along():
    before = edits.allow(load_preset(), 2, 0, False).sentence
    after = checked(edits.move_word(before, 2, 0).sentence)
    assert after.words == ("sat", "the", "cat", "down")
    assert after.heads[0].query[0] == (2, 0)
    assert after.mask[0] == (True, False, True, True)
    assert after.focus == 0
    assert attention_of(after).output[0] == pytest.approx(attention_of(before).output[2])


def test_the_only_word_cannot_be_removed():
    sentence = load_preset()
    for _ in range(3):
        sentence = edits.remove_word(sentence, 0).sentence
    with pytest.raises(ValueError, match="at least one word"):
        edits.remove_word(sentence, 0)


def test_a_mask_that_allows_everything_again_is_no_mask():
    forbidden = edits.allow(load_preset(), 2, 1, False)
    assert forbidden.text == "Forbid sat to hear cat"
    assert forbidden.sentence.mask[2] == (True, False, True, True)
    assert edits.allow(forbidden.sentence, 2, 1, True).sentence == load_preset()


def test_a_pasted_rectangle_is_written_and_one_too_large_is_not():
    before = load_preset()
    after = edits.set_entries(before, 0, "query", 1, 0, [[7, 8], [9, -0.0]]).sentence
    assert after.heads[0].query == ((0, 1), (7, 8), (9, 0), (1, 0))
    with pytest.raises(ValueError, match="4 × 2"):
        edits.set_entries(before, 0, "query", 3, 0, [[7, 8], [9, 0]])


def test_wider_vectors_get_zeros_and_w_o_follows(made):
    after = checked(edits.set_width(made, 0, ("value",), 3).sentence)
    assert len(after.heads[0].w_value[0]) == 3
    assert after.w_output == (*made.w_output[:2], (0, 0, 0), *made.w_output[2:])
    back = edits.set_width(after, 0, ("value",), 2).sentence
    assert back == made


def test_query_and_key_change_their_width_together():
    after = checked(edits.set_width(load_preset(), 0, ("query", "key"), 3).sentence)
    assert after.heads[0].query[0] == (0, 1, 0)
    assert attention_of(after).scores == pytest.approx(attention_of(load_preset()).scores)
    with pytest.raises(ValueError, match="1 to 64"):
        edits.set_width(load_preset(), 0, ("query", "key"), 65)


def test_a_new_head_adds_nothing_to_the_joined_output_until_it_is_set(made):
    after = checked(edits.add_head(made, 0).sentence)
    assert after.heads[-1].name == "head 1"
    assert after.w_output[4:] == ((0, 0, 0), (0, 0, 0))
    assert edits.remove_head(after, 2).sentence == made


def test_a_removed_head_takes_its_own_rows_of_w_o_along(made):
    after = checked(edits.remove_head(made, 0).sentence)
    assert after.w_output == made.w_output[2:]
