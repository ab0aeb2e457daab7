import random

import pytest

from desktop import edits
from desktop.document import Document
from engine import SentenceError, read_sentence
from engine.files import format_sentence
from engine.presets import load_preset, preset_names


def test_a_drag_of_two_hundred_moves_is_one_step(document):
    for i in range(200):
        document.preview(edits.move_vector(document.kept, 0, "query", 2, (2 + i / 100, 0)))
    document.keep()
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Move query of sat"
    document.undo()
    assert document.sentence.heads[0].query[2] == (2.0, 0.0)


def test_a_drag_back_to_the_start_leaves_no_step_and_no_dirty_mark(document):
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 0)))
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (2, 0)))
    document.keep()
    assert document.undo_stack.count() == 0
    assert not document.is_dirty


def test_undo_in_mid_drag_gives_up_the_drag_alone(document):
    document.edit(edits.rename_word(document.sentence, 0, "a"))
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 0)))
    document.undo()
    assert document.sentence.heads[0].query[2] == (2.0, 0.0)
    assert document.sentence.words[0] == "a"


def test_an_edit_that_would_break_the_document_changes_nothing(document):
    with pytest.raises(ValueError, match="words"):
        document.edit(edits.rename_word(document.sentence, 0, ""))
    assert document.sentence.words[0] == "the"
    assert document.undo_stack.count() == 0


def test_edits_that_merge_are_one_step_and_none_if_they_come_back(document):
    for x in (2.1, 2.2):
        document.edit(edits.move_vector(document.sentence, 0, "query", 2, (x, 0), merge="arrows"))
    assert document.undo_stack.count() == 1
    document.edit(edits.move_vector(document.sentence, 0, "query", 2, (2.0, 0), merge="arrows"))
    assert document.undo_stack.count() == 0
    assert not document.is_dirty


def test_focus_is_no_edit_and_undo_leaves_it_where_it_is(document):
    document.edit(edits.rename_word(document.sentence, 0, "a"))
    document.set_focus(3)
    document.undo()
    assert document.sentence.focus == 3
    assert not document.is_dirty


def test_a_refused_save_leaves_the_document_dirty(document, tmp_path):
    document.edit(edits.rename_word(document.sentence, 0, "a"))
    with pytest.raises(SentenceError):
        document.save(tmp_path / "no" / "folder.byhand.json")
    assert document.is_dirty
    document.save(tmp_path / "one.byhand.json")
    assert not document.is_dirty
    assert read_sentence(tmp_path / "one.byhand.json") == document.sentence


def _random_edit(sentence, rng):
    """Any verb with random arguments, valid or not."""
    n, heads = len(sentence.words), len(sentence.heads)
    word, other, head = rng.randrange(n), rng.randrange(n), rng.randrange(heads)
    role = rng.choice(edits.ROLES)
    number = rng.choice([0.0, -0.0, 1.5, -2.25, 1e6, 1e-300, rng.gauss(0, 3)])
    match rng.randrange(16):
        case 0:
            width = len(edits.vectors_of(sentence, head)[edits.ROLES.index(role)][0])
            return edits.move_vector(sentence, head, role, word, [number] * width)
        case 1:
            names = [name for name in edits.BLOCKS if edits.block(sentence, head, name)]
            name = rng.choice(names)
            rows = edits.block(sentence, head, name)
            row, column = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
            return edits.set_entries(sentence, head, name, row, column, [[number]])
        case 2:
            return edits.set_width(sentence, head, ("query", "key"), rng.randint(1, 5))
        case 3:
            return edits.set_width(sentence, head, ("value",), rng.randint(1, 5))
        case 4:
            return edits.make_free(sentence, head)
        case 5 | 6:
            return edits.add_word(sentence, rng.choice(["a", "שלום", "😀", "W" * 60]), word)
        case 7:
            return edits.remove_word(sentence, word)
        case 8:
            return edits.move_word(sentence, word, other)
        case 9:
            return edits.rename_word(sentence, word, rng.choice(["", "x", "猫", "the"]))
        case 10:
            return edits.allow(sentence, word, other, rng.random() < 0.5)
        case 11:
            return edits.set_causal(sentence, rng.random() < 0.5)
        case 12:
            return edits.set_scaled(sentence, rng.random() < 0.5)
        case 13:
            return edits.set_temperature(sentence, rng.choice([0.01, 1, 2.5, 1000]))
        case 14:
            return edits.add_head(sentence, head)
        case _:
            return edits.remove_head(sentence, head)


@pytest.mark.parametrize("preset", preset_names())
def test_two_thousand_edits_undone_and_redone(qapp, preset):
    rng = random.Random(preset)
    first = load_preset(preset)
    document = Document(first)
    states, tried = [first], 0
    while tried < 300:
        tried += 1
        try:
            document.edit(_random_edit(document.sentence, rng))
        except ValueError:
            continue
        if document.sentence != states[-1]:
            states.append(document.sentence)
        assert document.calculation.attention.weights.shape == (len(document.sentence.words),) * 2
    assert len(states) > 100
    for state in reversed(states[:-1]):
        document.undo()
        assert document.sentence == state
    assert format_sentence(document.sentence) == format_sentence(first)
    for state in states[1:]:
        document.redo()
        assert document.sentence == state
