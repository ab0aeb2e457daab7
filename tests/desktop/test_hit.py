import math

import numpy as np
import pytest

from desktop.canvas.hit import GRAB, after, on_line, side_by_side, under
from desktop.canvas.label_places import Label, offsets, place
from desktop.canvas.lens import FARTHEST, NEAREST, Lens, Margins, clipped, fitted, nice_step, ticks


@pytest.mark.parametrize("scale", [1e-4, 1.0, 300.0, 1e7])
def test_a_tip_is_caught_from_ten_pixels_at_every_zoom(scale):
    tips = {"q": (2.0, 1.0)}
    inside, outside = (GRAB - 0.5) / scale, (GRAB + 0.5) / scale
    assert under((2.0 + inside, 1.0), tips, scale) == ["q"]
    assert under((2.0, 1.0 + outside), tips, scale) == []


def test_the_first_is_caught_before_one_that_is_nearer():
    tips = {"k": (2.0, 0.0), "q": (2.05, 0.0)}
    assert under((2.0, 0.0), tips, 100.0) == ["k", "q"]
    assert under((2.0, 0.0), tips, 100.0, first="q") == ["q", "k"]


def test_equally_near_tips_keep_their_order():
    tips = {"c": (1.0, 0.0), "a": (1.0, 0.0), "b": (1.005, 0.0)}
    assert under((1.0, 0.0), tips, 100.0) == ["c", "a", "b"]


def test_a_second_click_takes_the_next_and_the_last_is_followed_by_the_first():
    assert after(["q", "k"], None) == "q"
    assert after(["q", "k"], "q") == "k"
    assert after(["q", "k"], "k") == "q"


def test_an_arrow_is_meant_along_its_line_but_not_behind_it():
    tips = {"q": (2.0, 0.0)}
    assert on_line((1.0, 0.03), tips, 100.0) == "q"
    assert on_line((1.0, 0.05), tips, 100.0) is None
    assert on_line((-0.5, 0.0), tips, 100.0) is None


def test_of_lines_that_coincide_the_first_is_meant():
    tips = {"k": (2.0, 0.0), "q": (2.0, 0.0)}
    assert on_line((1.0, 0.01), tips, 100.0) == "k"
    assert on_line((1.0, 0.01), tips, 100.0, first="q") == "q"


def test_arrows_that_coincide_are_pushed_apart():
    pushes = side_by_side([(2, 0), (2, 0), (0, 1)], 100.0, apart=5.0)
    assert sorted(pushes[:2]) == [-2.5, 2.5]
    assert pushes[2] == 0


def test_a_short_arrow_on_a_longer_one_is_pushed_too():
    assert side_by_side([(1, 1), (3, 3)], 100.0, apart=5.0) == [-2.5, 2.5]


def test_opposite_arrows_and_arrows_of_no_length_stay():
    assert side_by_side([(1, 0), (-1, 0), (0, 0)], 100.0, apart=5.0) == [0, 0, 0]


def test_arrows_on_both_sides_of_half_a_turn_coincide():
    pushes = side_by_side([(-2, 1e-9), (-2, -1e-9)], 100.0, apart=5.0)
    assert sorted(pushes) == [-2.5, 2.5]


def test_sixty_four_that_coincide_take_no_more_room_than_eight():
    pushes = side_by_side([(1e6, 1e6)] * 64, 1e-4, apart=5.0)
    assert max(pushes) - min(pushes) == pytest.approx(7 * 5.0)
    assert len(set(pushes)) == 64


# The lens


def test_a_pixel_and_its_vector_are_each_others():
    lens = Lens(1.5, -2.0, 80.0, 470.0, 330.0)
    assert lens.vector(lens.pixel(0.3, 0.7)) == pytest.approx((0.3, 0.7))
    assert lens.pixels(np.array([[0.3, 0.7]]))[0] == pytest.approx(lens.pixel(0.3, 0.7))


def test_zooming_keeps_the_vector_under_the_pointer():
    lens = Lens(1.0, 1.0, 100.0)
    assert lens.zoomed(3.0, (50, 70)).vector((50, 70)) == pytest.approx(lens.vector((50, 70)))


def test_zooming_ends_somewhere():
    assert Lens().zoomed(1e30, (0, 0)).scale == NEAREST
    assert Lens().zoomed(1e-30, (0, 0)).scale == FARTHEST


@pytest.mark.case(2)
@pytest.mark.parametrize("other", [(1.0, 2.0), (1e6, 1e6), (1e6, 0.0), (0.0, -1.0)])
def test_one_tiny_vector_among_others_fits(other):
    lens = fitted(np.array([other, (1e-300, 0.0)]), 470, 330, Margins(30, 20, 40, 30))
    for x, y in (other, (1e-300, 0.0)):
        across, down = lens.pixel(x, y)
        assert 0 <= across <= 470
        assert 0 <= down <= 330


@pytest.mark.case(2)
@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-6, 1.0, 1e6])
def test_vectors_of_every_size_fit(size):
    points = np.array([[size, size]] * 4)
    lens = fitted(points, 470, 330, Margins(30, 20, 40, 30))
    for x, y in ((0.0, 0.0), (size, size)):
        across, down = lens.pixel(x, y)
        assert 0 <= across <= 470
        assert 0 <= down <= 330
    assert math.isfinite(lens.scale)


def test_a_fit_fills_the_picture_up_to_its_margins():
    lens = fitted(np.array([[4.0, 0.0], [0.0, 2.0]]), 460, 400, Margins(30, 20, 30, 20))
    assert lens.pixel(0, 0)[0] == pytest.approx(30)
    assert lens.pixel(4, 0)[0] == pytest.approx(430)


def test_the_way_to_another_lens_ends_there():
    one, other = Lens(0, 0, 10), Lens(3, 4, 1000)
    assert one.towards(other, 1.0).pixel(3, 4) == pytest.approx(other.pixel(3, 4))
    assert one.towards(other, 0.0).scale == one.scale


@pytest.mark.parametrize(("least", "step"), [(0.3, 0.5), (1.0, 1.0), (11, 20), (6e5, 1e6)])
def test_grid_lines_stand_at_nice_numbers(least, step):
    assert nice_step(least) == pytest.approx(step)


def test_numbers_of_an_axis_have_equally_many_decimals():
    numbers, texts = ticks(-0.6, 1.1, 0.5)
    assert numbers == [-0.5, 0.0, 0.5, 1.0]
    assert texts == ["−0.5", "0.0", "0.5", "1.0"]


def test_a_line_of_a_billion_pixels_is_clipped():
    assert clipped((-1e9, 50), (1e9, 50), 400, 300) == ((0, 50), (400, 50))
    assert clipped((-5, -5), (-1, 400), 400, 300) is None


# Names


def _boxes(labels, places):
    for label in labels:
        if label.name in places:
            x = label.tip[0] + places[label.name][0]
            y = label.tip[1] + places[label.name][1]
            yield x, y, x + label.width, y + label.height


def _overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _some_labels(count, seed):
    random = np.random.default_rng(seed)
    tips = random.uniform((40, 40), (430, 290), (count, 2))
    return [Label(i, tuple(tip), (1.0, 0.0), 60.0, 16.0) for i, tip in enumerate(tips.tolist())]


@pytest.mark.parametrize("seed", range(5))
def test_names_lie_on_no_other_name_no_head_and_no_edge(seed):
    labels = _some_labels(24, seed)
    tips = np.array([label.tip for label in labels])
    heads = np.concatenate((tips - 5, tips + 5), axis=1).tolist()
    lines = np.concatenate((np.full_like(tips, 200), tips), axis=1).tolist()
    places = place(labels, heads, lines, (0, 0, 470, 330), 6)
    boxes = list(_boxes(labels, places))
    assert len(boxes) > 15
    for i, box in enumerate(boxes):
        assert 0 <= box[0] <= box[2] <= 470
        assert 0 <= box[1] <= box[3] <= 330
        assert not any(_overlap(box, other) for other in boxes[:i])
        assert not any(_overlap(box, head) for head in heads)


def test_the_first_name_has_the_best_place():
    labels = [Label(name, (100, 100), (1.0, 0.0), 40.0, 16.0) for name in "ab"]
    places = place(labels, [], [], (0, 0, 400, 300), 6)
    assert places["a"] == offsets(labels[0], 6)[0]


def test_a_name_without_room_is_left_out():
    labels = [Label(name, (10, 10), (1.0, 0.0), 40.0, 16.0) for name in "ab"]
    places = place(labels, [], [], (0, 0, 60, 20), 6)
    assert list(places) == ["a"]


def test_a_name_rather_does_not_stand_on_a_line():
    label = Label("a", (100, 100), (1.0, 0.0), 40.0, 16.0)
    line = [(100.0, 100.0, 400.0, 100.0)]
    places = place([label], [], line, (0, 0, 400, 300), 6)
    (box,) = _boxes([label], places)
    assert box[3] <= 100 or box[1] >= 100


def test_a_kept_place_stays_until_something_is_in_its_way():
    label = Label("a", (100, 100), (1.0, 0.0), 40.0, 16.0)
    kept = {"a": (-60.0, 20.0)}
    bounds, nothing = (0, 0, 400, 300), []
    assert place([label], nothing, nothing, bounds, 6, kept) == kept
    blocked = [(50.0, 120.0, 60.0, 130.0)]
    assert place([label], blocked, nothing, bounds, 6, kept) != kept
