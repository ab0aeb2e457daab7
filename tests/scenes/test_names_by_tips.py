"""Names stand by the tips of their arrows, off the axes; numbers under an axis, in its box."""

import math

import numpy as np
import pytest
from manim import Square

from engine.palette import THEMES
from scenes.parts.fan import Fan, Named
from scenes.parts.layout import Box, box_of
from scenes.parts.plane import Plane
from scenes.parts.tip import beside_tip, settle
from scenes.stage import AttentionScene

LIGHT = THEMES["light"]
VECTORS = [np.array(v, dtype=float) for v in ((2, 0), (0, 1), (2, 0), (1, 1), (0, 2))]


@pytest.fixture
def fan():
    plane = Plane(VECTORS, Box(-4, 4, -2, 2), LIGHT)
    named = [Named("key", v, word) for v, word in zip(VECTORS, ("sat", "the", "cat", "on", "down"))]
    return Fan(named, plane, LIGHT, 0.27)


def test_no_axis_runs_through_a_name(fan):
    x, y = fan.plane.origin
    for box in map(box_of, fan.labels):
        assert not box.bottom < y < box.top
        assert not box.left < x < box.right


def test_names_stand_near_their_tips(fan):
    for arrow, label in zip(fan.arrows, fan.labels):
        assert np.linalg.norm(arrow.end - label.get_center()) < 1.3


def test_the_numbers_under_an_axis_stay_in_its_box():
    box = Box(-2, 2, -1, 1)
    plane = Plane([np.array((2.0, 0.0)), np.array((0.0, 2.0))], box, LIGHT, margin=1.05)
    assert all(number.get_bottom()[1] >= box.bottom for number in plane[2])
    assert plane.place(np.array((0.0, 2.0)))[1] <= box.top + 1e-9


def test_a_long_number_at_the_end_of_an_axis_is_left_out():
    box = Box(-2, 2, -1, 1)
    plane = Plane([np.array((8e5, 0.0)), np.array((-8e5, 4e5))], box, LIGHT)
    assert len(plane[2])
    assert all(number.get_left()[0] > box.left - 0.3 for number in plane[2])
    assert all(number.get_right()[0] < box.right + 0.3 for number in plane[2])


def test_a_name_beside_a_turning_arrow_never_jumps():
    label = Square(0.5)
    ways = [(math.cos(a), math.sin(a)) for a in np.linspace(0, math.tau, 721)]
    places = np.array([beside_tip(np.array(way), label) for way in ways])
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 0.03


def test_a_movement_begins_with_the_name_where_it_stood():
    start, goal = np.array((1.0, 0.0, 0.0)), np.array((0.0, 1.0, 0.0))
    assert np.array_equal(settle(start, goal, 0.0), start)
    assert np.array_equal(settle(start, goal, 1.0), goal)


class Gap(AttentionScene):
    """A beat, something between, a beat."""

    def construct(self):
        square = Square()
        self.add(square)
        with self.beat("One", "The first."):
            pass
        self.play(square.animate.shift((1, 0, 0)), run_time=0.5)
        self.between = (len(self.caption), square.get_center()[0])
        with self.beat("Two", "The second."):
            pass


def test_a_caption_goes_with_what_comes_after_its_beat(run_scene, post):
    scene = run_scene(Gap, post)
    assert scene.between == (0, 1.0)
    assert len(scene.caption) == 1
