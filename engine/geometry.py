"""What the planes show: feet of perpendiculars, hulls, and which word wins where."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.attention import check_mask, check_scale
from engine.softmax import FloatArray, as_floats, softmax

__all__ = ["convex_hull", "in_their_plane", "project", "winning_word"]


def project(key: ArrayLike, query: ArrayLike) -> FloatArray:
    """The foot of the perpendicular from `key` onto the line through 0 along `query`.

    key and query (..., d), broadcast; returns (..., d). The score is the foot's signed length
    times the query's length. A query of length 0 has no line: the foot is 0. Raises ValueError
    where the two aren't equally long or don't broadcast.
    """
    key, query = as_floats(key, "key"), as_floats(query, "query")
    shapes = f"key {key.shape}, query {query.shape}"
    if not key.shape[-1:] == query.shape[-1:] > (0,):
        raise ValueError(f"key and query must be equally long and not empty: {shapes}")
    try:
        np.broadcast_shapes(key.shape, query.shape)
    except ValueError:
        raise ValueError(f"key's leading axes don't fit the query's: {shapes}") from None
    # Divided by its largest entry first, so that tiny and huge queries neither vanish nor overflow.
    size = np.abs(query).max(axis=-1, keepdims=True)
    direction = np.divide(query, size, out=np.zeros_like(query), where=size != 0)
    square = (direction * direction).sum(axis=-1, keepdims=True)
    along = (key * direction).sum(axis=-1, keepdims=True)
    share = np.divide(along, square, out=np.zeros_like(along * square), where=square != 0)
    return np.asarray(share * direction)


def convex_hull(points: ArrayLike) -> NDArray[np.intp]:
    """The corners of the smallest convex shape around `points`, anticlockwise.

    points (n, 2); returns indices into it, starting at the leftmost (then lowest) point. Points
    inside an edge and repeated points are left out, so that points on a line give its two ends and
    equal points give one. Raises ValueError where the points aren't in a plane or aren't finite.
    Monotone chain (Andrew 1979).
    """
    points = as_floats(points, "points")
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"points must be (n, 2), but have shape {points.shape}")
    if not np.isfinite(points).all():
        raise ValueError(f"points must be finite: {points.shape}")
    # Brought to entries of about 1, exactly, so that turns neither vanish nor overflow.
    exponent = int(np.frexp(np.abs(points).max(initial=0.0))[1])
    scaled: FloatArray = np.ldexp(points, -exponent)
    _, first = np.unique(scaled, axis=0, return_index=True)
    corners = [(float(scaled[i, 0]), float(scaled[i, 1]), int(i)) for i in first]
    if len(corners) < 3:
        return np.array([c[2] for c in corners], dtype=np.intp)
    lower, upper = _chain(corners), _chain(corners[::-1])
    return np.array([c[2] for c in lower[:-1] + upper[:-1]], dtype=np.intp)


def _chain(corners: list[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    chain: list[tuple[float, float, int]] = []
    for corner in corners:
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], corner) <= 0:
            chain.pop()
        chain.append(corner)
    return chain


def _turn(
    a: tuple[float, float, int], b: tuple[float, float, int], c: tuple[float, float, int]
) -> float:
    """Above 0 where a → b → c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def in_their_plane(query: ArrayLike, key: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two vectors of any length drawn flat: in the plane that holds both, the query along x.

    query and key (d,); returns two (2,), with the same lengths and the same dot product. Where the
    query is 0 the key lies along x. Raises ValueError where the two aren't equally long.
    """
    query, key = as_floats(query, "query"), as_floats(key, "key")
    dtype = np.result_type(query, key)
    if query.ndim != 1 or query.shape != key.shape:
        raise ValueError(
            f"query and key must be (d,), equally long: query {query.shape}, key {key.shape}"
        )
    # hypot, since a square of something tiny or huge vanishes or overflows.
    length = np.hypot.reduce(query)
    if length == 0:
        return np.zeros(2, dtype), np.array((np.hypot.reduce(key), 0), dtype)
    foot = project(key, query)
    along = np.copysign(np.hypot.reduce(foot), foot @ (query / length))
    return np.array((length, 0), dtype), np.array((along, np.hypot.reduce(key - foot)), dtype)


def winning_word(
    queries: ArrayLike,
    key: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
) -> tuple[NDArray[np.intp], FloatArray]:
    """Which word each query listens to most, and the share it gives that word.

    queries (..., d), as a plane's points; key (m, d); mask of bool that broadcasts to (..., m),
    True = may look; scale defaults to 1/√d. Returns indices (...) into key and shares (...) from 0
    to 1. Of equal scores the first wins; a query that may look at nothing has index −1 and
    share 0. Raises ValueError naming the argument and both shapes where they don't fit.
    """
    queries, key = as_floats(queries, "queries"), as_floats(key, "key")
    if queries.ndim < 1 or key.ndim != 2 or queries.shape[-1] != key.shape[-1] or not key.shape[-1]:
        raise ValueError(
            "queries must be (..., d) and key (m, d), equally long and not empty: "
            f"queries {queries.shape}, key {key.shape}"
        )
    scores = queries @ key.T * check_scale(scale, key.shape[-1])
    if mask is not None:
        scores = np.where(check_mask(mask, scores.shape), scores, scores.dtype.type(-np.inf))
    # A nothing before the first word: it wins only where no word can.
    nothing = np.full_like(scores, -np.inf, shape=(*scores.shape[:-1], 1))
    winner = np.concatenate((nothing, scores), axis=-1).argmax(axis=-1) - 1
    return np.asarray(winner), np.asarray(softmax(scores).max(axis=-1, initial=0))
