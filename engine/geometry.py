"""What the planes show: feet of perpendiculars, hulls, and which word wins where."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.softmax import FloatArray, as_floats, softmax

__all__ = ["convex_hull", "in_their_plane", "project", "winning_word"]


def project(key: ArrayLike, query: ArrayLike) -> FloatArray:
    """The foot of the perpendicular from `key` onto the line through 0 along `query`.

    key and query (..., d), broadcast; returns (..., d). The score is the foot's signed length
    times the query's length. A query of length 0 has no line: the foot is 0. Raises ValueError
    where the two aren't equally long.
    """
    key, query = as_floats(key), as_floats(query)
    if key.shape[-1:] != query.shape[-1:]:
        raise ValueError(
            f"key and query must be equally long: key {key.shape}, query {query.shape}"
        )
    # Divided by its largest entry first, so that tiny and huge queries neither vanish nor overflow.
    size = np.abs(query).max(axis=-1, keepdims=True)
    direction = np.divide(query, size, out=np.zeros_like(query), where=size > 0)
    square = (direction * direction).sum(axis=-1, keepdims=True)
    along = (key * direction).sum(axis=-1, keepdims=True)
    share = np.divide(along, square, out=np.zeros_like(along * square), where=square > 0)
    return np.asarray(share * direction)


def convex_hull(points: ArrayLike) -> NDArray[np.intp]:
    """The corners of the smallest convex shape around `points`, anticlockwise.

    points (n, 2); returns indices into it, starting at the leftmost (then lowest) point. Points
    inside an edge and repeated points are left out, so that points on a line give its two ends and
    equal points give one. Raises ValueError where the points aren't in a plane. Monotone chain
    (Andrew 1979).
    """
    points = as_floats(points)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"points must be (n, 2), but have shape {points.shape}")
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
    query is 0 the key lies along x.
    """
    query, key = as_floats(query), as_floats(key)
    length = np.linalg.norm(query)
    if length == 0:
        return np.zeros(2), np.array((np.linalg.norm(key), 0.0))
    foot = project(key, query)
    along = np.copysign(np.linalg.norm(foot), foot @ query)
    return np.array((length, 0.0)), np.array((along, np.linalg.norm(key - foot)))


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
    queries, key = as_floats(queries), as_floats(key)
    if queries.ndim < 1 or key.ndim != 2 or queries.shape[-1] != key.shape[-1] or not key.shape[-1]:
        raise ValueError(
            "queries must be (..., d) and key (m, d), equally long and not empty: "
            f"queries {queries.shape}, key {key.shape}"
        )
    scale = 1.0 / math.sqrt(key.shape[-1]) if scale is None else float(scale)
    scores = queries @ key.T * scale
    if mask is not None:
        scores = np.where(_may_look(mask, scores), scores, scores.dtype.type(-np.inf))
    # A nothing before the first word: it wins only where no word can.
    nothing = np.full_like(scores, -np.inf, shape=(*scores.shape[:-1], 1))
    winner = np.concatenate((nothing, scores), axis=-1).argmax(axis=-1) - 1
    return np.asarray(winner), np.asarray(softmax(scores).max(axis=-1, initial=0))


def _may_look(mask: ArrayLike, scores: FloatArray) -> NDArray[np.bool_]:
    allowed = np.asarray(mask)
    if allowed.dtype != np.bool_:
        raise ValueError(f"mask must be of bool (True = may look), not {allowed.dtype}")
    try:
        return np.broadcast_to(allowed, scores.shape)
    except ValueError:
        raise ValueError(f"mask {allowed.shape} doesn't fit the scores {scores.shape}") from None
