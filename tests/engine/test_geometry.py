"""What the planes show: feet of perpendiculars and hulls."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from engine import attend, convex_hull, project
from engine.geometry import in_their_plane

Floats = NDArray[np.float64]
COORDINATE = st.floats(-10, 10)
VECTOR = arrays(np.float64, 2, elements=COORDINATE)
SOME_VECTOR = VECTOR.filter(lambda v: np.hypot(*v) > 1e-3)
POINTS = arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=COORDINATE)
WHOLE_POINTS = arrays(
    np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=st.integers(-3, 3).map(float)
)


# The foot of the perpendicular


def test_the_foot_of_cat_on_the_query_of_sat_is_the_key_itself() -> None:
    assert project([2, 0], [2, 0]).tolist() == [2, 0]


def test_at_right_angles_the_foot_is_the_origin() -> None:
    assert project([0, 2], [2, 0]).tolist() == [0, 0]


@given(VECTOR, SOME_VECTOR)
def test_from_key_to_foot_is_at_right_angles_to_the_query(key: Floats, query: Floats) -> None:
    assert math.isclose((key - project(key, query)) @ query, 0, abs_tol=1e-12)


@given(VECTOR, SOME_VECTOR)
def test_the_foot_lies_on_the_querys_line(key: Floats, query: Floats) -> None:
    foot = project(key, query)
    assert math.isclose(foot[0] * query[1], foot[1] * query[0], rel_tol=1e-9, abs_tol=1e-9)


@given(VECTOR, SOME_VECTOR)
def test_the_score_is_the_foot_times_the_query(key: Floats, query: Floats) -> None:
    assert math.isclose(project(key, query) @ query, key @ query, rel_tol=1e-12, abs_tol=1e-12)


@given(VECTOR, SOME_VECTOR, st.floats(0.01, 100))
def test_a_longer_query_has_the_same_foot(key: Floats, query: Floats, times: float) -> None:
    np.testing.assert_allclose(project(key, times * query), project(key, query), atol=1e-12)


@given(VECTOR, SOME_VECTOR)
def test_a_foot_is_its_own_foot(key: Floats, query: Floats) -> None:
    foot = project(key, query)
    np.testing.assert_allclose(project(foot, query), foot, atol=1e-12)


@pytest.mark.case(4)
def test_a_query_of_length_0_puts_every_foot_at_the_origin() -> None:
    assert project([[1, 2], [3, 4]], [0, 0]).tolist() == [[0, 0], [0, 0]]


@pytest.mark.case(2)
@pytest.mark.parametrize("size", [1e6, 1e-300, 5e-324, 1e300])
def test_the_foot_does_not_depend_on_how_long_the_query_is(size: float) -> None:
    np.testing.assert_allclose(project([3.0, 1.0], [size, size]), [2, 2], rtol=1e-15)


def test_many_keys_are_projected_at_once() -> None:
    keys = np.arange(12.0).reshape(3, 2, 2)
    feet = project(keys, [1.0, 2.0])
    assert feet.shape == (3, 2, 2)
    np.testing.assert_array_equal(feet[2, 1], project(keys[2, 1], [1.0, 2.0]))


def test_three_numbers_a_vector_work_as_well() -> None:
    np.testing.assert_allclose(project([1, 2, 3], [0, 0, 9]), [0, 0, 3])


def test_float32_feet_stay_float32() -> None:
    assert project(np.ones(2, np.float32), np.ones(2, np.float32)).dtype == np.float32


@pytest.mark.parametrize(("key", "query"), [([1, 2, 3], [1, 2]), ([1], [1, 2])])
def test_vectors_of_two_lengths_are_refused_by_name(key: list[int], query: list[int]) -> None:
    shapes = rf"key \({len(key)},\), query \({len(query)},\)"
    with pytest.raises(ValueError, match=f"key and query must be equally long: {shapes}"):
        project(key, query)


# The hull


def turn(a: Floats, b: Floats, c: Floats) -> float:
    """Twice the area of the triangle: above 0 where a → b → c turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def test_the_hull_of_the_posts_values_leaves_down_inside() -> None:
    assert convex_hull([[1, 0], [4, 0], [0, 2], [1, 1]]).tolist() == [2, 0, 1]


def test_a_square_goes_anticlockwise_from_its_leftmost_lowest_corner() -> None:
    assert convex_hull([[1, 1], [0, 0], [1, 0], [0, 1]]).tolist() == [1, 2, 0, 3]


def test_a_point_inside_is_left_out() -> None:
    assert 3 not in convex_hull([[0, 0], [4, 0], [0, 4], [1, 1]])


def test_a_point_inside_an_edge_is_left_out() -> None:
    assert 1 not in convex_hull([[0, 0], [1, 1], [2, 2], [0, 2]])


def test_points_on_a_line_give_its_two_ends() -> None:
    assert convex_hull([[1, 1], [0, 0], [3, 3], [2, 2]]).tolist() == [1, 2]


def test_points_on_an_upright_line_give_its_two_ends() -> None:
    assert convex_hull([[5, 1], [5, 0], [5, 3]]).tolist() == [1, 2]


@pytest.mark.case(2)
@pytest.mark.parametrize("size", [1e6, 1e-300, 0.0])
def test_equal_points_give_one(size: float) -> None:
    assert convex_hull(np.full((4, 2), size)).tolist() == [0]


def test_minus_zero_is_the_same_place_as_zero() -> None:
    assert convex_hull([[0.0, 0.0], [-0.0, 0.0], [0.0, -0.0]]).tolist() == [0]


def test_no_points_have_no_hull() -> None:
    assert convex_hull(np.zeros((0, 2))).tolist() == []


@pytest.mark.case(2)
@pytest.mark.parametrize("size", [1e6, 1e-300, 1e-320, 1e300])
def test_a_triangle_of_any_size_has_three_corners(size: float) -> None:
    assert len(convex_hull(np.array([[0, 0], [1, 0], [0, 1]]) * size)) == 3


@pytest.mark.case(2)
def test_a_tiny_vector_among_huge_ones_gives_no_warning() -> None:
    assert len(convex_hull([[1e6, 1e6], [1e-300, 0], [-1e6, 1e6]])) == 3


@given(WHOLE_POINTS)
def test_every_corner_turns_left(points: Floats) -> None:
    corners = points[convex_hull(points)]
    for i in range(len(corners) if len(corners) > 2 else 0):
        assert turn(corners[i - 2], corners[i - 1], corners[i]) > 0


@given(WHOLE_POINTS)
def test_no_point_lies_outside_the_hull(points: Floats) -> None:
    corners = points[convex_hull(points)]
    for point in points:
        for i in range(len(corners) if len(corners) > 2 else 0):
            assert turn(corners[i - 1], corners[i], point) >= 0


@given(POINTS)
def test_no_point_lies_outside_the_hull_by_more_than_rounding(points: Floats) -> None:
    corners = points[convex_hull(points)]
    for point in points:
        for i in range(len(corners) if len(corners) > 2 else 0):
            assert turn(corners[i - 1], corners[i], point) >= -1e-11


@given(POINTS)
def test_the_corners_alone_have_the_same_hull(points: Floats) -> None:
    corners = points[convex_hull(points)]
    assert convex_hull(corners).tolist() == list(range(len(corners)))


@given(POINTS, SOME_VECTOR)
def test_no_output_leaves_the_hull_of_its_values(values: Floats, query: Floats) -> None:
    output = attend(query[None], values, values).output[0]
    corners = values[convex_hull(values)]
    for i in range(len(corners) if len(corners) > 2 else 0):
        assert turn(corners[i - 1], corners[i], output) >= -1e-11


@pytest.mark.parametrize("shape", [(3,), (3, 3), (2, 3, 2)])
def test_points_that_are_not_in_a_plane_are_refused_by_name(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=rf"points must be \(n, 2\), but have shape \({shape[0]}"):
        convex_hull(np.zeros(shape))


# Longer vectors, drawn flat


@given(st.integers(1, 5), st.data())
def test_vectors_drawn_flat_keep_their_lengths_and_their_score(d: int, data: st.DataObject) -> None:
    numbers = arrays(np.float64, d, elements=COORDINATE)
    query, key = data.draw(numbers), data.draw(numbers)
    flat_query, flat_key = in_their_plane(query, key)
    assert math.isclose(math.hypot(*flat_query), np.linalg.norm(query), abs_tol=1e-12)
    assert math.isclose(math.hypot(*flat_key), np.linalg.norm(key), abs_tol=1e-12)
    assert math.isclose(flat_query @ flat_key, query @ key, abs_tol=1e-10)


def test_a_query_drawn_flat_lies_along_x() -> None:
    flat_query, flat_key = in_their_plane([0, 3, 4], [0, -3, -4])
    assert flat_query.tolist() == [5, 0]
    np.testing.assert_allclose(flat_key, [-5, 0], atol=1e-15)


@pytest.mark.case(4)
def test_next_to_a_query_of_0_the_key_lies_along_x() -> None:
    flat_query, flat_key = in_their_plane([0, 0, 0], [0, 3, 4])
    assert (flat_query.tolist(), flat_key.tolist()) == ([0, 0], [5, 0])
