from __future__ import annotations

import pytest

from export.cuts import find_section, find_still, parse_time
from export.jobs import Plan
from export.options import Cut, choose_films
from scenes.beats import Beat

PLANS = [
    Plan("opening", 30, 10, (Beat("Ask", "?", 0.5, 2.5, ()),)),
    Plan("softmax", 60, 10, (Beat("Ask", "?", 0.0, 2.0, ()), Beat("Divide", "÷", 2.4, 6.0, ()))),
]
(FILM,) = choose_films(["lecture"])


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("65", 65), ("65.5", 65.5), ("1:05", 65), ("0:00", 0), ("1:01:05.25", 3665.25), (" 7 ", 7)],
)
def test_a_time_is_seconds_or_minutes_and_seconds(text, seconds):
    assert parse_time(text) == seconds


@pytest.mark.parametrize("text", ["", "x", "-1", "1:75", "1::2", "nan", "1e3", "1:2:3:4", "１"])
def test_what_is_no_time_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r"is no time: try 1:05, or 65\.5 seconds"):
        parse_time(text)


@pytest.mark.parametrize("asked", ["Divide", "divide", " DIVIDE ", "3"])
def test_a_section_goes_by_its_title_or_its_number_through_the_film(asked):
    assert find_section(FILM, PLANS, asked) == Cut("lecture", "softmax", 24, 60)


def test_a_title_that_two_beats_have_asks_for_the_number():
    with pytest.raises(ValueError, match="has 2 beats called 'Ask': try their numbers, 1, 2"):
        find_section(FILM, PLANS, "Ask")


def test_a_beat_that_is_not_there_is_told_the_nearest():
    with pytest.raises(ValueError, match="called 'Devide': did you mean 'Divide'"):
        find_section(FILM, PLANS, "Devide")


@pytest.mark.parametrize("number", ["0", "4", "9999"])
def test_a_number_that_is_not_there_is_told_how_many_there_are(number):
    with pytest.raises(ValueError, match=f"has no beat {number}: try --section 1 to 3"):
        find_section(FILM, PLANS, number)


@pytest.mark.parametrize(
    ("seconds", "scene", "frame"),
    [(0, "opening", 0), (2.95, "opening", 29), (3.0, "softmax", 0), (8.99, "softmax", 59)],
)
def test_a_moment_is_a_frame_of_the_scene_that_is_on_then(seconds, scene, frame):
    assert find_still(FILM, PLANS, seconds) == Cut("lecture", scene, frame)


def test_a_moment_after_the_end_is_told_when_that_is():
    with pytest.raises(ValueError, match=r"--still 9 is after the end of lecture: try 0 to 9\.0"):
        find_still(FILM, PLANS, 9.0)
