"""A bar with its number, as softmax bars and twins draw it: the bar as data, and how it looks."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from desktop.theme import Look
from desktop.views.fills import hatching
from desktop.views.lettering import SIZES, Lettering, Written

__all__ = [
    "HIGH_ROW",
    "SIZES",
    "Bar",
    "DrawnBars",
    "fitting_scale",
    "paint_bars",
    "place_bars",
    "spans",
]

CHANGE, THICKEST = 0.8, 0.8
MOST_NUMBERS = 0.88
"""Numbers before their bars have at most so much of the room."""
HIGH_ROW = 1.65
"""From so many lines of text on, a number stands over its bar instead of before it."""


@dataclass(frozen=True)
class Bar:
    """From start to end, shares of the room; ghost is the same before the drag.

    text is the number, change by how much it is another than before, "" for neither.
    """

    text: str
    start: float = 0.0
    end: float = 0.0
    ghost: tuple[float, float] | None = None
    change: str = ""
    is_masked: bool = False


def spans(
    numbers: Sequence[float], before: Sequence[float] | None, most: float = 0.0
) -> tuple[list[tuple[float, float]], list[tuple[float, float] | None], float]:
    """(bars, ghosts, where 0 is) for numbers drawn to one scale, which reaches `most` at least.

    What isn't finite has no length. A bar runs from 0 to its number, to the left where negative.
    """
    infinity = math.inf
    finite = [x for x in (*numbers, *(before or ())) if -infinity < x < infinity]
    low, high = min((0.0, *finite)), max((0.0, most, *finite))
    # Halved first: 1e308 − (−1e308) is no number.
    room = high / 2 - low / 2
    zero = -low / 2 / room if room else 0.0

    def span(number: float) -> tuple[float, float]:
        if not room or not -infinity < number < infinity:
            return zero, zero
        end = (number / 2 - low / 2) / room
        return (zero, end) if number > 0 else (end, zero)

    ghosts: list[tuple[float, float] | None] = [None] * len(numbers)
    if before is not None:
        ghosts = list(map(span, before))
    return list(map(span, numbers)), ghosts, zero


def fitting_scale(letters: Lettering, texts: Sequence[str], room: float) -> float:
    """The largest of SIZES at which the widest text fits; the smallest where none does."""
    widths = [letters.number_width(text) for text in texts]
    if not widths or max(widths) <= room:
        return 1.0
    widest = texts[widths.index(max(widths))]
    fitting = (size for size in SIZES[1:] if letters.number_width(widest, size) <= room)
    return next(fitting, SIZES[-1])


@dataclass
class DrawnBars:
    """Bars in their places, in whole pixels: areas are (left, top, width, height).

    texts and changes are (x of the left end, y of the baseline, text), in the size `scale` and
    `small`; cut are those that have no room, each with its upper left corner.
    """

    scale: float
    small: float
    fills: list[tuple[int, int, int, int]] = field(default_factory=list)
    axes: list[tuple[int, int, int, int]] = field(default_factory=list)
    hatched: list[tuple[int, int, int, int]] = field(default_factory=list)
    ghosts: list[QRectF] = field(default_factory=list)
    texts: list[tuple[int, int, str]] = field(default_factory=list)
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    cut: list[tuple[Written, float, float]] = field(default_factory=list)


def place_bars(
    letters: Lettering,
    box: QRectF,
    bars: Sequence[Bar],
    *,
    share: float = 0.6,
    zero: float = 0.0,
) -> DrawnBars:
    """Bars one under the other, each number over its bar or, in low rows, before it.

    share: of the room, what numbers may have in a low row; zero: where 0 is, a share of the bars'
    room. Numbers are as large as there is room for; one that is still too long is cut, and a
    change without room left out.
    """
    pitch = box.height() / max(len(bars), 1)
    is_high = pitch >= HIGH_ROW * letters.height()
    texts = [bar.text for bar in bars]
    scale = fitting_scale(letters, texts, box.width() * (1.0 if is_high else share))
    line, widths = letters.height(scale), [letters.number_width(text, scale) for text in texts]
    numbers = min(max(widths, default=0.0), MOST_NUMBERS * box.width())
    drawn = DrawnBars(scale, min(scale, CHANGE))
    box_left, box_top, room = box.left(), box.top(), box.width()
    left, width = box_left, room
    if is_high:
        thick = round(min(THICKEST * line, pitch - line - 4))
        text_top, bar_top = (pitch - thick - line - 2) / 2, (pitch - thick + line) / 2
    else:
        thick = max(round(min(pitch - 3, line)), 2)
        text_top, bar_top = (pitch - line) / 2, (pitch - thick) / 2
        left, width, room = left + numbers + 6, max(width - numbers - 6, 2.0), numbers + 1
    ascent, axis = letters.metrics(scale).ascent(), int(left + zero * width)
    lowered = letters.metrics(drawn.small).ascent() + (line - letters.height(drawn.small)) / 2
    for row, bar in enumerate(bars):
        top, text = int(box_top + row * pitch + bar_top), bar.text
        if bar.is_masked:
            drawn.hatched.append((int(left), top, int(width), thick))
        elif text:
            start, end = int(left + bar.start * width), int(left + bar.end * width)
            # A bar that is shorter than a pixel has one still.
            drawn.fills.append((start, top, max(end - start, 1), thick))
            drawn.axes.append((axis, top - 1, 1, thick + 2))
            if bar.ghost is not None:
                start, end = int(left + bar.ghost[0] * width), int(left + bar.ghost[1] * width)
                area = QRectF(start + 0.5, top + 0.5, max(end - start - 1, 0), thick - 1)
                drawn.ghosts.append(area)
        if not text:
            continue
        above = box_top + row * pitch + text_top
        wide = widths[row]
        if wide > room:
            drawn.cut.append((letters.cut(text, room, scale), box_left, above))
        else:
            x = box_left if is_high else box_left + numbers - wide
            drawn.texts.append((int(x), int(above + ascent), text))
        if bar.change:
            x = box.right() + 2 - letters.number_width(bar.change, drawn.small)
            if (box_left + wide if is_high else left + bar.end * width) + 4 <= x:
                drawn.changes.append((int(x), int(above + lowered), bar.change))
    return drawn


def paint_bars(painter: QPainter, look: Look, columns: Sequence[tuple[DrawnBars, str]]) -> None:
    """Draw columns of bars where they have been placed, each in its colour.

    All in one go: every change of font costs as much as several numbers.
    """
    faint = look.color("faint")
    ghosts: list[QRectF] = []
    texts: defaultdict[float, list[tuple[int, int, str]]] = defaultdict(list)
    for drawn, color in columns:
        fill = look.color(color)
        for area in drawn.fills:
            painter.fillRect(*area, fill)
        for area in drawn.axes:
            painter.fillRect(*area, faint)
        for area in drawn.hatched:
            _paint_hatched(painter, look, *area)
        ghosts += drawn.ghosts
        texts[drawn.scale] += drawn.texts
        texts[drawn.small] += drawn.changes
    painter.setPen(QPen(look.color("ink"), look.stroke))
    if ghosts:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRects(ghosts)
    for scale, placed in texts.items():
        painter.setFont(look.font(scale))
        for text in placed:
            painter.drawText(*text)
    for drawn, _ in columns:
        for written, x, y in drawn.cut:
            written.draw(painter, x, y)


def _paint_hatched(painter: QPainter, look: Look, *area: int) -> None:
    x, y, width, height = area
    ratio = painter.device().devicePixelRatio()
    painter.drawImage(QPointF(x, y), hatching(look, max(1, width), max(1, height), ratio))
    painter.setPen(QPen(look.color("faint"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(x + 0.5, y + 0.5, width - 1, height - 1))
