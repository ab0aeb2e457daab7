"""The paper of a plane: its lines, its two axes, and the numbers at its edges."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from desktop.canvas.inks import Inks
from desktop.canvas.lens import Lens, nice_step, ticks
from desktop.canvas.picture import Drawing, Picture

__all__ = ["AxisNumbers", "GridLines", "step_of"]


def step_of(lens: Lens, line_height: float) -> float:
    """How far grid lines are apart, in units: a nice number, and some four lines of text."""
    return nice_step(max(3.2 * line_height, 40.0) / lens.scale)


class GridLines(Drawing):
    """Lines at nice numbers, and the axes; on a number line only those across it."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._shown: tuple[object, ...] = ()
        self._inks: Inks | None = None
        self._lines: list[QLineF] = []
        self._axes: list[QLineF] = []

    def show_lines(self, lens: Lens, inks: Inks, step: float, *, is_line: bool, grid: bool) -> None:
        """Draw the paper that a lens sees; without `grid` only the axes."""
        shown = (lens, inks, step, is_line, grid)
        if shown == self._shown:
            return
        self._shown, self._inks = shown, inks
        self._lines, self._axes = [], []
        (left, right), (bottom, top) = lens.ranges
        for number in ticks(left, right, step)[0]:
            x = round(lens.pixel(number, 0)[0]) + 0.5
            (self._lines if number else self._axes).append(QLineF(x, 0, x, lens.height))
        rows = [0.0] if is_line else ticks(bottom, top, step)[0]
        for number in rows:
            y = round(lens.pixel(0, number)[1]) + 0.5
            (self._lines if number else self._axes).append(QLineF(0, y, lens.width, y))
        if not grid:
            self._lines = []
        self.change(QRectF(0, 0, lens.width, lens.height))

    def paint(self, painter: QPainter) -> None:
        if (inks := self._inks) is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(inks.line("grid"))
        painter.drawLines(self._lines)
        painter.setPen(inks.line("faint"))
        painter.drawLines(self._axes)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


class AxisNumbers(Drawing):
    """The numbers of the grid lines, along the left and the lower edge, so many as have room."""

    def __init__(self, picture: Picture, height: float) -> None:
        super().__init__(picture, height)
        self._shown: tuple[object, ...] = ()
        self._inks: Inks | None = None
        self._strips: list[QRectF] = []
        self.numbers: list[tuple[QRectF, str]] = []
        self.left = self.below = 0.0

    def show_numbers(self, lens: Lens, inks: Inks, step: float, *, is_line: bool) -> None:
        """Write the numbers of the paper that a lens sees."""
        shown = (lens, inks, step, is_line)
        if shown == self._shown:
            return
        self._shown, self._inks = shown, inks
        metrics = QFontMetricsF(inks.look.font(0.85))
        height, space = metrics.height(), metrics.horizontalAdvance("0")
        (left, right), (bottom, top) = lens.ranges
        self.below = height + 2
        columns, rows = ticks(left, right, step), ([], []) if is_line else ticks(bottom, top, step)
        widths = [metrics.horizontalAdvance(text) for text in rows[1]]
        self.left = max(widths, default=-space) + space
        self.numbers = []
        for number, text in zip(*rows):
            y = lens.pixel(0, number)[1] - height / 2
            if 0 <= y <= lens.height - self.below - height and metrics.height() < step * lens.scale:
                width = metrics.horizontalAdvance(text)
                self.numbers.append((QRectF(self.left - space / 2 - width, y, width, height), text))
        widest = max((metrics.horizontalAdvance(text) for text in columns[1]), default=0.0)
        every = max(1, math.ceil((widest + space) / (step * lens.scale)))
        for number, text in zip(*columns):
            if round(number / step) % every:
                continue
            width = metrics.horizontalAdvance(text)
            x = lens.pixel(number, 0)[0] - width / 2
            if self.left <= x <= lens.width - width:
                y = lens.height - self.below + 1
                self.numbers.append((QRectF(x, y, width, height), text))
        self._strips = [
            QRectF(0, 0, self.left, lens.height),
            QRectF(0, lens.height - self.below, lens.width, self.below),
        ]
        self.change(self._strips[0].united(self._strips[1]))

    def paint(self, painter: QPainter) -> None:
        if (inks := self._inks) is None:
            return
        for strip in self._strips:
            painter.fillRect(strip, inks.veil)
        painter.setFont(inks.look.font(0.85))
        painter.setPen(inks.look.color("dim"))
        ascent = QFontMetricsF(painter.font()).ascent()
        for box, text in self.numbers:
            painter.drawText(QPointF(box.x(), box.y() + ascent), text)
