"""Where names go beside the tips of arrows, none on another: pure functions, all in pixels."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.softmax import FloatArray

__all__ = ["Box", "Label", "offsets", "place"]

Name = TypeVar("Name", bound=Hashable)
Offset = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Label(NamedTuple, Generic[Name]):
    """A text of some size at a tip; points: the way its arrow points, on the screen."""

    name: Name
    tip: tuple[float, float]
    points: tuple[float, float]
    width: float
    height: float


def offsets(label: Label[Name], gap: float) -> list[Offset]:
    """The places tried for a label, as its upper left corner from the tip: the best first.

    Ahead of the arrow, then to its sides, then behind; after that the same farther out, a line at
    a time, so that the labels of one pile stand in a stack.
    """
    dx, dy = label.points
    angle = math.atan2(dy, dx) if dx or dy else -math.pi / 4
    width, height = label.width, label.height
    found = []
    for ring in range(4):
        far = gap + ring * height * 0.5
        for eighths in (0, 1, -1, 2, -2, 3, -3, 4):
            x, y = _on_square(angle + eighths * math.pi / 4)
            # Its side, or its corner on the slant, touches a square of `far` around the tip.
            across, down = _held(x * 1.5) * width / 2, _held(y * 1.5) * height / 2
            found.append((x * far + across - width / 2, y * far + down - height / 2))
        # A stack: a line above or below the best place.
        for line in (1, -1):
            x, y = found[0]
            found.append((x, y + line * (ring + 1) * (height + 1)))
    return found


def _on_square(angle: float) -> Offset:
    """Where a ray meets the sides of a square of 2 by 2 around 0."""
    x, y = math.cos(angle), math.sin(angle)
    longer = max(abs(x), abs(y))
    return x / longer, y / longer


def _held(number: float) -> float:
    return min(max(number, -1.0), 1.0)


def place(
    labels: Sequence[Label[Name]],
    obstacles: Sequence[Box],
    lines: Sequence[Box],
    bounds: Box,
    gap: float,
    kept: Mapping[Name, Offset] | None = None,
) -> dict[Name, Offset]:
    """Where each label goes, as its upper left corner from its tip; left out where nothing is free.

    labels: the most important first. obstacles: boxes that no label may touch. lines: arrows
    (x, y, x, y) that a label rather doesn't stand on. bounds: the box that labels stay in. kept:
    places that stay as long as they are free.
    """
    placed, taken = _staying(labels, obstacles, bounds, kept or {})
    if len(placed) == len(labels):
        return placed
    boxes_taken = np.array(taken, dtype=np.float64).reshape(-1, 4)
    ends = np.array(lines, dtype=np.float64).reshape(-1, 4)
    for label in labels:
        if label.name in placed:
            continue
        tries = offsets(label, gap)
        boxes = _boxes(label, tries)
        free = np.flatnonzero(_free(boxes, boxes_taken, bounds))
        if not free.size:
            continue
        crossed = _crossings(boxes[free], ends)
        # A line crossed is as bad as four places further down the list.
        best = int(free[np.argmin(crossed * 4 + free)])
        placed[label.name] = tries[best]
        boxes_taken = np.vstack((boxes_taken, boxes[best]))
    return placed


def _staying(
    labels: Sequence[Label[Name]],
    obstacles: Sequence[Box],
    bounds: Box,
    kept: Mapping[Name, Offset],
) -> tuple[dict[Name, Offset], list[Box]]:
    """Those that can stay where they were, most of them in a drag; and all boxes taken then.

    No arrays: for the few of a small sentence these loops are faster.
    """
    placed: dict[Name, Offset] = {}
    taken = list(obstacles)
    left, top, right, bottom = bounds
    for label in labels:
        if (offset := kept.get(label.name)) is None:
            continue
        x, y = label.tip[0] + offset[0], label.tip[1] + offset[1]
        to_x, to_y = x + label.width, y + label.height
        if x < left or y < top or to_x > right or to_y > bottom:
            continue
        for other in taken:
            if x < other[2] and other[0] < to_x and y < other[3] and other[1] < to_y:
                break
        else:
            placed[label.name] = offset
            taken.append((x, y, to_x, to_y))
    return placed, taken


def _boxes(label: Label[Name], tries: Sequence[Offset]) -> FloatArray:
    corner = np.array(tries) + label.tip
    return np.hstack((corner, corner + np.array((label.width, label.height))))


def _free(boxes: FloatArray, taken: FloatArray, bounds: Box) -> NDArray[np.bool_]:
    left, top, right, bottom = bounds
    inside = (
        (boxes[:, 0] >= left)
        & (boxes[:, 1] >= top)
        & (boxes[:, 2] <= right)
        & (boxes[:, 3] <= bottom)
    )
    return np.asarray(inside & ~_overlaps(boxes, taken).any(axis=1))


def _overlaps(boxes: FloatArray, others: FloatArray) -> NDArray[np.bool_]:
    """Which of `boxes` (n, 4) touch which of `others` (m, 4): (n, m)."""
    return np.asarray(
        (boxes[:, None, 0] < others[:, 2])
        & (boxes[:, None, 2] > others[:, 0])
        & (boxes[:, None, 1] < others[:, 3])
        & (boxes[:, None, 3] > others[:, 1])
    )


def _crossings(boxes: FloatArray, lines: FloatArray) -> NDArray[np.intp]:
    """How many lines go through each box."""
    if not lines.size:
        return np.zeros(len(boxes), dtype=np.intp)
    start, step = lines[:, :2], lines[:, 2:] - lines[:, :2]
    step = np.where(step == 0, 1e-9, step)
    # The part of each line within the box's columns, then within its rows.
    enters, leaves = np.zeros(()), np.ones(())
    for axis in (0, 1):
        low = (boxes[:, None, axis] - start[:, axis]) / step[:, axis]
        high = (boxes[:, None, axis + 2] - start[:, axis]) / step[:, axis]
        enters = np.maximum(enters, np.minimum(low, high))
        leaves = np.minimum(leaves, np.maximum(low, high))
    return np.asarray((enters < leaves).sum(axis=1))
