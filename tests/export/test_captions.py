from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from export.captions import LONGEST, SHORTEST, Caption, captions_of, srt, vtt
from export.jobs import Plan
from scenes.beats import LINE_WIDTH, LINES, Beat, Cue, split_caption, text_width

WORDS = st.text(st.characters(categories=["L", "N", "P", "S", "Mn"]), min_size=1, max_size=50)
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@st.composite
def plans(draw):
    """A scene whose cues come one after another, some of them far too short or too long."""
    beats, now = [], 0.0
    for text in draw(st.lists(TEXTS, max_size=8)):
        now += draw(st.floats(0, 2))
        length = draw(st.sampled_from([0.0, 0.1, 0.9, 1.0, 1.5, 3.0, 7.0, 30.0]))
        cue = Cue(now, now + length, tuple(text.split()))
        beats.append(Beat("beat", text, now, now + length, (cue,)))
        now += length
    return Plan("scene", max(1, round(now * 30)), 30, tuple(beats))


def one_cue(text, start, end):
    return Beat("beat", text, start, end, (Cue(start, end, split_caption(text)[0]),))


def words_of(captions):
    return " ".join(line for caption in captions for line in caption.lines).split()


@given(st.lists(plans(), max_size=3))
def test_a_cue_has_at_most_two_lines_of_42_columns(scenes):
    for caption in captions_of(scenes):
        assert 0 < len(caption.lines) <= LINES
        assert all(0 < text_width(line) <= LINE_WIDTH for line in caption.lines)


@given(st.lists(plans(), max_size=3))
def test_a_cue_lasts_from_one_to_seven_seconds(scenes):
    assert all(SHORTEST <= c.end - c.start <= LONGEST for c in captions_of(scenes))


@given(st.lists(plans(), max_size=3))
def test_cues_never_overlap(scenes):
    captions = captions_of(scenes)
    assert all(one.end <= other.start for one, other in pairwise(captions))


@given(st.lists(plans(), max_size=3))
def test_no_word_is_lost(scenes):
    said = [
        line
        for plan in scenes
        for beat in plan.beats
        for cue in beat.cues
        for screen in split_caption(" ".join(cue.lines))
        for line in screen
    ]
    assert words_of(captions_of(scenes)) == " ".join(said).split()


def test_good_cues_stay_as_they_are():
    plan = Plan("scene", 300, 30, (one_cue("One thing.", 0.5, 3), one_cue("And then.", 3, 6)))
    assert captions_of([plan]) == (
        Caption(500, 3000, ("One thing.",)),
        Caption(3000, 6000, ("And then.",)),
    )


def test_a_second_scene_begins_where_the_first_ends():
    plan = Plan("scene", 100, 30, (one_cue("One thing.", 0, 3),))
    assert [caption.start for caption in captions_of([plan, plan])] == [0, 3333]


def test_a_short_cue_is_kept_where_there_is_room():
    plan = Plan("scene", 300, 30, (one_cue("Quick.", 1, 1.2), one_cue("Slow.", 4, 6)))
    assert captions_of([plan])[0] == Caption(1000, 2000, ("Quick.",))


def test_a_short_cue_without_room_is_joined_to_the_next():
    plan = Plan("scene", 300, 30, (one_cue("Quick.", 1, 1.2), one_cue("Slow.", 1.2, 4)))
    assert captions_of([plan]) == (Caption(1000, 4000, ("Quick. Slow.",)),)


def test_cues_that_would_be_cut_as_one_stay_two():
    texts = "[" + "0 " * 10, "0 " * 11 + "0]"
    beats = [one_cue(text, 0.1 * n, 0.1 * n + 0.1) for n, text in enumerate(texts)]
    captions = captions_of([Plan("scene", 300, 30, tuple(beats))])
    assert words_of(captions) == " ".join(texts).split()


def test_an_empty_cue_is_no_caption():
    beat = Beat("beat", "", 0, 2, (Cue(0, 2, ()), Cue(0, 2, ("",))))
    assert captions_of([Plan("scene", 60, 30, (beat,))]) == ()


def test_a_long_cue_ends_early():
    plan = Plan("scene", 900, 30, (one_cue("Still here.", 0, 30),))
    assert captions_of([plan]) == (Caption(0, 7000, ("Still here.",)),)


CAPTIONS = (Caption(500, 3000, ("e^1 > 2", "& <b>")), Caption(3_661_001, 3_663_000, ("猫",)))


def test_srt_numbers_its_cues_and_writes_a_comma():
    assert srt(CAPTIONS) == (
        "1\n00:00:00,500 --> 00:00:03,000\ne^1 > 2\n& <\u2060b>\n\n"
        "2\n01:01:01,001 --> 01:01:03,000\n猫\n"
    )


def test_vtt_has_its_heading_and_writes_entities():
    assert vtt(CAPTIONS) == (
        "WEBVTT\n\n00:00:00.500 --> 00:00:03.000\ne^1 &gt; 2\n&amp; &lt;b&gt;\n\n"
        "01:01:01.001 --> 01:01:03.000\n猫\n"
    )


@given(st.lists(plans(), max_size=2))
def test_an_arrow_in_a_word_is_no_time_line(scenes):
    captions = captions_of(scenes)
    assert len(re.findall("-->", vtt(captions))) == len(captions)
