"""What the planes show: feet of perpendiculars, hulls, and which word wins where."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from engine import attend, attention_of, causal_mask, convex_hull, project, winning_word
from engine.geometry import in_their_plane
from engine.presets import load_preset

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


def test_each_query_of_many_has_a_line_of_its_own() -> None:
    query = np.array([[1e200, 2e200, 0], [3e-200, 0, 1e-200], [1, -1, 2], [0, 0, 0]])
    key = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10], [1, 1, 1]])
    feet = [project(one, other) for one, other in zip(key, query)]
    np.testing.assert_allclose(project(key, query), feet, rtol=1e-15)
    np.testing.assert_allclose(feet[0], [1, 2, 0], rtol=1e-15)


@pytest.mark.parametrize(("key", "query"), [([1, 2, 3], [1, 2]), ([1], [1, 2])])
def test_vectors_of_two_lengths_are_refused_by_name(key: list[int], query: list[int]) -> None:
    shapes = rf"key \({len(key)},\), query \({len(query)},\)"
    with pytest.raises(ValueError, match=f"key and query must be equally long .*: {shapes}"):
        project(key, query)


@pytest.mark.parametrize(("key", "query"), [((), ()), ((0,), (0,)), ((3, 0), (0,))])
def test_vectors_without_numbers_have_no_foot(key: tuple[int, ...], query: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"not empty: key \(.*\), query \("):
        project(np.ones(key), np.ones(query))


def test_keys_and_queries_that_do_not_pair_up_are_refused_by_name_and_shape() -> None:
    said = r"key's leading axes don't fit the query's: key \(3, 2\), query \(4, 2\)"
    with pytest.raises(ValueError, match=said):
        project(np.ones((3, 2)), np.ones((4, 2)))


def test_a_foot_that_is_not_a_number_is_not_hidden_as_0() -> None:
    assert np.isnan(project([1.0, 1.0], [np.nan, 1.0])).all()


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


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_points_that_are_nowhere_are_refused_by_name(number: float) -> None:
    with pytest.raises(ValueError, match=r"points must be finite: \(4, 2\)"):
        convex_hull([[number, 1], [0, 0], [1, 1], [2, 0]])


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


@pytest.mark.case(2)
@pytest.mark.parametrize("size", [1e-300, 1e-30, 1e6, 1e300])
def test_vectors_of_any_size_are_drawn_flat(size: float) -> None:
    query, key = (size * np.array(vector) for vector in ([0.0, 3.0, 4.0], [0.0, -3.0, 4.0]))
    flat_query, flat_key = in_their_plane(query, key)
    np.testing.assert_allclose(flat_query / size, [5, 0], rtol=1e-14)
    np.testing.assert_allclose(flat_key / size, [1.4, 4.8], rtol=1e-14)


@pytest.mark.parametrize("query", [[0, 0, 0], [0, 3, 4]])
def test_float32_vectors_drawn_flat_stay_float32(query: list[int]) -> None:
    flat = in_their_plane(np.array(query, np.float32), np.ones(3, np.float32))
    assert {vector.dtype for vector in flat} == {np.dtype(np.float32)}


@pytest.mark.parametrize(("query", "key"), [((3,), (2,)), ((2, 2), (2, 2)), ((), ())])
def test_what_cannot_be_drawn_flat_is_refused_by_name_and_shape(
    query: tuple[int, ...], key: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=r"query and key must be \(d,\).*: query \(.*, key \("):
        in_their_plane(np.zeros(query), np.ones(key))


# Which word wins where


def test_sat_picks_cat() -> None:
    post = attention_of(load_preset())
    winner, share = winning_word(post.query, post.key)
    assert winner[2] == 1
    assert round(float(share[2]), 2) == 0.73


@given(POINTS, POINTS, st.floats(0.1, 5))
def test_the_winner_has_the_largest_weight(queries: Floats, key: Floats, scale: float) -> None:
    weights = attend(queries, key, key, scale=scale).weights
    winner, share = winning_word(queries, key, scale=scale)
    np.testing.assert_allclose(share, weights.max(axis=-1), rtol=1e-12)
    np.testing.assert_allclose(weights[np.arange(len(queries)), winner], share, rtol=1e-12)


@given(POINTS, POINTS, st.data())
def test_the_winner_is_one_that_may_be_looked_at(
    queries: Floats, key: Floats, data: st.DataObject
) -> None:
    mask = data.draw(arrays(np.bool_, (len(queries), len(key))))
    winner, share = winning_word(queries, key, mask=mask)
    weights = attend(queries, key, key, mask=mask).weights
    np.testing.assert_allclose(share, weights.max(axis=-1), rtol=1e-12)
    assert all(mask[i, winner[i]] for i in np.flatnonzero(mask.any(axis=-1)))
    assert (winner[~mask.any(axis=-1)] == -1).all()


@given(WHOLE_POINTS, WHOLE_POINTS)
def test_of_equal_scores_the_first_wins(queries: Floats, key: Floats) -> None:
    winner, _ = winning_word(queries, key)
    for query, word in zip(queries, winner, strict=True):
        assert all(query @ earlier < query @ key[word] for earlier in key[:word])


@given(POINTS, POINTS, st.floats(0.1, 10))
def test_a_longer_query_listens_to_its_winner_no_less(
    queries: Floats, key: Floats, times: float
) -> None:
    shorter, longer = sorted((1.0, times))
    less, more = (winning_word(length * queries, key)[1] for length in (shorter, longer))
    assert (more >= less - 1e-12).all()


def test_a_tie_goes_to_the_first() -> None:
    tie = attention_of(load_preset("a-tie"))
    sat, cat, dog = 4, 1, 3
    winner, share = winning_word(tie.query, tie.key)
    assert winner[sat] == cat
    assert share[sat] == tie.weights[sat, cat] == tie.weights[sat, dog]


@pytest.mark.case(4)
def test_a_query_of_length_0_picks_the_first_with_an_even_share() -> None:
    winner, share = winning_word([0, 0], [[1, 2], [3, 4], [5, 6], [7, 8]])
    assert (int(winner), float(share)) == (0, 0.25)


@pytest.mark.case(9)
def test_a_query_that_may_look_at_nothing_picks_nothing() -> None:
    winner, share = winning_word([[1, 2], [3, 4]], [[1, 2]], mask=[[True], [False]])
    assert (winner.tolist(), share.tolist()) == ([0, -1], [1, 0])


@pytest.mark.case(9)
def test_where_there_are_no_words_every_query_picks_nothing() -> None:
    winner, share = winning_word(np.ones((3, 2)), np.zeros((0, 2)))
    assert (winner.tolist(), share.tolist()) == ([-1] * 3, [0] * 3)


@pytest.mark.case(8)
def test_the_share_stays_right_where_exp_overflows() -> None:
    winner, share = winning_word([[1e4, 0.0]], [[1.0, 0.0], [2.0, 0.0]], scale=1)
    assert (winner.tolist(), share.tolist()) == ([1], [1])


def test_a_whole_plane_of_queries_is_answered_at_once() -> None:
    plane = np.stack(np.meshgrid(np.linspace(-2, 2, 5), np.linspace(-1, 1, 3)), axis=-1)
    key = np.array([[1.0, 0.0], [-1.0, 0.5]])
    winner, share = winning_word(plane, key)
    assert winner.shape == share.shape == (3, 5)
    for at in np.ndindex(3, 5):
        alone = winning_word(plane[at], key)
        assert (winner[at], share[at]) == (alone[0], pytest.approx(float(alone[1]), rel=1e-14))


def test_one_mask_serves_a_whole_plane() -> None:
    key = np.array([[1.0, 0.0], [-1.0, 0.5]])
    winner, _ = winning_word(np.ones((3, 5, 2)), key, mask=[False, True])
    assert (winner == 1).all()


def test_the_winner_needs_no_plane() -> None:
    assert winning_word([[0, 0, 1.0]], np.eye(3))[0].tolist() == [2]


def test_float32_shares_stay_float32() -> None:
    ones = np.ones((2, 2), np.float32)
    assert winning_word(ones, ones, mask=causal_mask(2))[1].dtype == np.float32


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: winning_word(np.ones((4, 2)), np.ones((3, 3))),
            r"equally long and not empty: queries \(4, 2\), key \(3, 3\)",
        ),
        (
            lambda: winning_word(np.ones((4, 2)), np.ones(2)),
            r"key \(m, d\).* queries \(4, 2\), key \(2,\)",
        ),
        (
            lambda: winning_word(np.ones((4, 0)), np.ones((3, 0))),
            r"not empty: queries \(4, 0\), key \(3, 0\)",
        ),
        (lambda: winning_word(1.0, np.ones((3, 1))), r"queries \(\), key \(3, 1\)"),
        (
            lambda: winning_word(np.ones((4, 2)), np.ones((3, 2)), mask=causal_mask(4)),
            r"mask \(4, 4\) doesn't fit the scores \(4, 3\)",
        ),
        (
            lambda: winning_word(np.ones((4, 2)), np.ones((3, 2)), mask=np.ones((4, 3))),
            r"mask must be of bool \(True = may look\), not float64",
        ),
        (
            lambda: winning_word(np.ones((4, 2)), np.ones((3, 2)), scale=math.nan),
            "scale must be a finite number, not nan",
        ),
    ],
)
def test_a_winner_that_cannot_be_told_is_refused_by_name_and_shape(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()
