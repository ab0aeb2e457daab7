"""Scene 13 keeps what the engine's tiles keep, and ends where the grid does."""

import math

import msgspec
import numpy as np
import pytest

from engine import attention_of
from engine.notation import write_entries, write_share
from engine.tiled import walk_tiles
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.number import read_back
from scenes.tiles import Tiles
from scenes.tiles_walk import meet_keys

BOTH = pytest.mark.parametrize(
    "which", ["post", pytest.param("random_sentence", marks=pytest.mark.slow)]
)


SCENE = Tiles


def note(scene):
    """What stands in the table."""
    return {at: read_back(number.points) for at, number in scene.table.numbers.items()}


@pytest.fixture
def rising(random_sentence):
    """The random sentence from a word whose scores have a larger one after some."""
    return msgspec.structs.replace(random_sentence, focus=2)


def steps_of(sentence, scene):
    """The engine's steps over the block that is told, one key at a time."""
    a = attention_of(sentence)
    first, rows = scene.walk.first, scene.rows
    walked = walk_tiles(a.query, a.key, a.value, scale=a.scale, tile=(rows, 1))
    return [step for step in walked if step.queries.start == first]


@BOTH
def test_what_is_kept_at_first_and_last_is_the_engines(which, told):
    scene, sentence, pages = told(which)
    steps = steps_of(sentence, scene)
    first, last = pages["What is kept"], pages["Divide once"]
    for i in range(len(scene.walk.meetings)):
        for row, series in (
            ("largest", [step.maximum[i] for step in steps]),
            ("total", [step.total[i] for step in steps]),
            ("output 0", [step.output[i, 0] for step in steps]),
            ("output 1", [step.output[i, 1] for step in steps]),
        ):
            written = write_entries(series)
            assert (first[row, i], last[row, i]) == (written[0], written[-1])


@BOTH
def test_it_ends_at_the_grids_output_to_every_printed_digit(which, told):
    scene, sentence, pages = told(which)
    end = pages["Divide once"]
    for i in range(len(scene.walk.meetings)):
        output = write_entries(attention_of(sentence).output[scene.walk.first + i])
        assert [end[f"tiles {k}", i] for k in range(2)] == output
        assert [end[f"grid {k}", i] for k in range(2)] == output
    said = next(beat.caption for beat in scene.beats if beat.title == "Divide once")
    assert "to every printed digit" in said


def test_in_the_post_a_score_of_2_83_shrinks_what_was_kept_to_0_06(told):
    scene, _, pages = told("post")
    page = pages["A larger score"]
    assert [page[row, 0] for row in ("score", "largest", "shrinks")] == ["2.83", "2.83", "0.06"]
    said = next(beat.caption for beat in scene.beats if beat.title == "A larger score")
    assert "“cat” scores 2.83, more than 0.00" in said
    assert "e^(−2.83) = 0.06" in said


@pytest.mark.parametrize("which", ["post", pytest.param("rising", marks=pytest.mark.slow)])
def test_the_factor_drawn_is_e_to_the_difference_of_both_largest(which, told):
    scene, sentence, pages = told(which)
    stop = scene.focused.larger()
    steps, i = steps_of(sentence, scene), scene.focus - scene.walk.first
    factor = math.exp(steps[stop - 1].maximum[i] - steps[stop].maximum[i])
    assert pages["A larger score"]["shrinks", i] == write_share(factor)


def test_the_beats_of_the_post_come_in_the_order_of_the_story(told):
    assert [beat.title for beat in told("post")[0].beats] == [
        "Only outlined", "One key at a time", "What is kept", "A larger score", "The other keys",
        "Divide once", "Every block", "Memory", "With a causal mask", "Exact",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(HARD_SENTENCES))
def test_the_pieces_of_the_bar_add_to_the_total(name):
    sentence = HARD_SENTENCES[name]
    shown = range(len(sentence.words))
    walk = meet_keys(sentence, attention_of(sentence), shown, sentence.focus, 1)
    (meeting,) = walk.meetings
    for stop, total in enumerate(meeting.total):
        assert sum(meeting.pieces(stop)) == pytest.approx(total)
    assert meeting.result == pytest.approx(meeting.exact)


def test_no_cell_of_the_grid_keeps_a_number(told):
    scene, _, _ = told("post")
    assert scene.in_cells == []
    drawn = {id(piece) for mobject in scene.mobjects for piece in mobject.get_family()}
    assert not any(id(number) in drawn for number in scene.grid.numbers.values())


def test_with_the_mask_the_post_visits_ten_tiles_of_sixteen(told):
    said = [beat.caption for beat in told("post")[0].beats if beat.title == "With a causal mask"]
    assert "tiles of 1 × 1" in said[0]
    assert "6 of 16 lie above the diagonal" in said[0]


def test_memory_is_flat_beside_the_grids(told):
    chart = told("post")[0].chart
    cells, held = ([read_back(n.points) for n in numbers] for numbers in chart.numbers)
    assert cells == ["16", "64", "256"]
    # a tile of 2 × 2 scores; for both queries a maximum, a total and an output of 2
    assert held == ["12", "12", "12"]


def test_a_causal_block_meets_no_later_key(post):
    sentence = msgspec.structs.replace(post, causal=True, focus=1)
    walk = meet_keys(sentence, attention_of(sentence), range(4), 1, 2)
    assert walk.columns == [0, 1]


def test_a_word_that_may_look_at_nothing_keeps_nothing(post):
    mask = ((True,) * 4, (True,) * 4, (False,) * 4, (True,) * 4)
    sentence = msgspec.structs.replace(post, mask=mask)
    meeting = meet_keys(sentence, attention_of(sentence), range(4), 2, 2).meetings[0]
    assert not meeting.total.any()
    assert np.array_equal(meeting.result, (0.0, 0.0))
    assert meeting.larger() is None


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(Tiles, hard_sentence).beats


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"rows": "keys", "digits": 4}, {"motion": "reduced"}])
def test_any_setting_is_told_without_a_warning(settings, post, run_scene):
    assert run_scene(Tiles, post, **settings).beats
