"""The opening, the cards and the closing: told with anyone's numbers, in every frame's shape."""

from itertools import pairwise

import numpy as np
import pytest

from engine.notation import write_entries
from scenes.cards import TitleCard
from scenes.closing import Closing
from scenes.framing_words import promise_of, reading_of
from scenes.geometry import meeting, pieces_of
from scenes.opening import Opening
from scenes.parts.layout import frame_size, zones
from scenes.parts.plane import Plane
from scenes.settings import Card, Line
from scenes.stage import AttentionScene

CARD = Card(2, 14, "The causal triangle", "scenes.causal_triangle:CausalTriangle")


def test_the_opening_promises_the_sentences_own_words(run_scene, post):
    beats = run_scene(Opening, post).beats
    assert [beat.title for beat in beats] == ["The formula", "The promise"]
    assert beats[1].caption.startswith("Four words, vectors of two numbers")


def test_the_closing_reads_the_formula_from_left_to_right_with_the_posts_numbers(run_scene, post):
    said = " ".join(beat.caption for beat in run_scene(Closing, post).beats)
    numbers = ["[0, 4, 2, 0]", "√2 = 1.41", "[0.00, 2.83, 1.41, 0.00]",
               "[0.04, 0.73, 0.18, 0.04]", "[3.03, 0.40]"]  # fmt: skip
    places = [said.find(number) for number in numbers]
    assert -1 not in places
    assert places == sorted(places)


def test_the_closing_shows_each_number_that_it_says(run_scene, post, drawn_numbers):
    seen = {}
    run_scene(
        Closing,
        post,
        at_beat_end=lambda scene, beat: seen.update({beat.title: drawn_numbers(scene)}),
    )
    assert [n for n in ("0.04", "0.73", "0.18", "2.83", "1.41") if n not in seen["Values"]] == []


@pytest.mark.parametrize("scene", [Opening, Closing])
def test_any_sentence_can_be_framed(run_scene, hard_sentence, scene):
    for beat in run_scene(scene, hard_sentence).beats:
        assert "nan" not in beat.caption


def test_the_closing_says_no_other_outputs_than_the_engine(random_sentence, run_scene):
    scene = run_scene(Closing, random_sentence)
    output = ", ".join(write_entries(scene.attention.output[scene.focus], 2))
    assert any(output in beat.caption for beat in scene.beats)


def test_a_mask_is_read_out_where_there_is_one(run_scene, post):
    import msgspec

    causal = msgspec.structs.replace(post, causal=True)
    assert "Mask" in [beat.title for beat in run_scene(Closing, causal).beats]


def test_unscaled_scores_are_not_said_to_be_divided(run_scene, post):
    import msgspec

    plain = msgspec.structs.replace(post, scaled=False)
    said = " ".join(beat.caption for beat in run_scene(Closing, plain).beats)
    assert "Divided" not in said


@pytest.mark.parametrize("shape", [(1920, 1080), (1080, 1920), (1080, 1080), (854, 480)])
def test_circles_are_round_in_every_shape(shape):
    width, height = frame_size(*shape)
    assert width / height == pytest.approx(shape[0] / shape[1])


@pytest.mark.parametrize("shape", [(1080, 1920), (1080, 1080)])
def test_upright_and_square_the_arithmetic_stands_under_the_stage(shape):
    parts = zones(*frame_size(*shape))
    order = [parts.title, parts.words, parts.stage, parts.working, parts.caption]
    assert all(upper.bottom > lower.top for upper, lower in pairwise(order))


@pytest.mark.parametrize("shape", [(1920, 1080), (1080, 1920), (1080, 1080)])
def test_no_zone_leaves_its_frame_and_the_stage_keeps_its_room(shape):
    width, height = frame_size(*shape)
    parts = zones(width, height)
    for box in (parts.title, parts.words, parts.stage, parts.working, parts.caption):
        assert -width / 2 < box.left < box.right < width / 2
        assert -height / 2 < box.bottom < box.top < height / 2
    assert parts.stage.width > 7.5
    assert parts.stage.height > 4


def test_the_wide_zones_are_as_they_were():
    parts = zones(128 / 9, 8.0)
    assert parts.working.left > parts.stage.right
    assert parts.stage.height == pytest.approx(4.4)


class Said(AttentionScene):
    """A caption of two lines, as long as they get."""

    def construct(self):
        with self.beat("Said", "Forty-two letters are a line of a caption, and as many once more."):
            pass


@pytest.mark.parametrize("font_scale", [1.0, 1.3, 2.0])
@pytest.mark.parametrize("shape", [(64, 36), (36, 64), (64, 64)])
def test_two_lines_of_a_caption_keep_apart_and_inside_their_zone(
    font_scale, shape, run_scene, post
):
    scene = run_scene(Said, post, font_scale=font_scale, shape=shape)
    upper, lower = scene.caption
    assert upper.get_bottom()[1] - lower.get_top()[1] > 0.1 * lower.height
    assert scene.caption.width <= scene.zones.caption.width + 1e-6
    assert scene.caption.height <= scene.zones.caption.height + 1e-6


class Titled(Said):
    title = "Weights are not answers"

    def _title_note(self):
        return "answers: preset two-heads"


@pytest.mark.parametrize("shape", [(64, 36), (36, 64), (64, 64)])
def test_however_large_the_type_title_and_note_leave_the_formula_its_room(shape, run_scene, post):
    scene = run_scene(Titled, post, font_scale=2.5, shape=shape)
    title, formula, note = scene.title_line
    assert max(title.get_right()[0], note.get_right()[0]) < formula.get_left()[0]
    assert not meeting(pieces_of([title, note]))


def test_a_card_says_nothing_and_ends_empty(run_scene, post):
    scene = run_scene(TitleCard, post, card=CARD)
    assert scene.beats == []
    assert not [m for m in scene.mobjects if len(m.get_all_points())]


def test_a_script_changes_what_is_said_and_keeps_a_beat_longer(run_scene, post):
    script = (Line("The promise", 0, "Vier Wörter, von Hand.", 20.0),)
    beats = run_scene(Opening, post, script=script).beats
    assert beats[1].caption == "Vier Wörter, von Hand."
    assert beats[1].end - beats[1].start == pytest.approx(20.0, abs=0.25)
    assert beats[0].caption.startswith("This one line")


def test_a_script_makes_no_beat_shorter(run_scene, post):
    usual = run_scene(Opening, post).beats[0]
    scripted = run_scene(Opening, post, script=(Line("The formula", 0, None, 0.1),)).beats[0]
    assert scripted.end == usual.end


def test_what_is_seen_is_read_back_from_the_stage(run_scene, post):
    beats = run_scene(Closing, post, describe=True).beats
    values = next(beat for beat in beats if beat.title == "Values")
    assert values.seen[0] == "the cat sat down"
    assert "share 0.04 0.73 0.18 0.04" in values.seen
    assert values.seen[-1] == "output [3.03, 0.40]"


def test_numbers_along_an_axis_are_not_told_as_seen(run_scene, post):
    class Pointed(AttentionScene):
        def construct(self):
            with self.beat("Seven", "A plane, and a number on it."):
                plane = Plane([np.array((2.0, 1.0))], self.zones.stage, self.theme)
                self.add(plane, self.number(7.0))

    assert run_scene(Pointed, post, describe=True).beats[0].seen == ("7",)


def test_nobody_asked_nothing_is_read_back(run_scene, post):
    assert all(beat.seen == () for beat in run_scene(Opening, post).beats)


def test_the_promise_counts_one_as_one(post):
    import msgspec

    from engine.sentence import Head, attention_of

    head = Head(name="a", query=((1.0,),), key=((1.0,),), value=((1.0,),))
    one = msgspec.structs.replace(post, words=("so",), heads=(head,), focus=0, asks=(), shows=(),
                                  gives=())  # fmt: skip
    attention = attention_of(one, 0)
    assert promise_of(attention, one).startswith("One word, vectors of one number:")
    assert np.isfinite(attention.output).all()
    assert len(reading_of(attention, one, (0,), 2)) == 5
