"""Curves of what n tokens cost: both axes logarithmic, in words, each curve named where it ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.theme import Look
from desktop.views.controls import name_control

__all__ = ["Curve", "GrowthPlot", "time_tick"]

FEWEST_TOKENS = 2
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


@dataclass(frozen=True)
class Curve:
    """A name, and (tokens, cost) in order; style "grid" or "tiles"; dots where it was measured."""

    name: str
    points: tuple[tuple[int, float], ...]
    style: str
    has_dots: bool = False


def time_tick(seconds: float) -> str:
    """A power of ten of seconds with the unit that leaves a whole number: "10 ms"."""
    size, unit = next(((s, u) for s, u in UNITS if seconds >= s * 0.999), UNITS[-1])
    return f"{seconds / size:.0f} {unit}"


class _Axis(pg.AxisItem):
    """Ticks at powers, written out; thinned to what there is room for."""

    def __init__(self, orientation: str, base: int, write: Callable[[float], str]) -> None:
        super().__init__(orientation)
        self._base, self._write = base, write
        self.room = 60.0

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        first, last = math.ceil(min(minVal, maxVal)), math.floor(max(minVal, maxVal))
        count = max(last - first + 1, 1)
        step = max(1, math.ceil(count * self.room / max(size, 1.0)))
        if self._base == 2:
            step = next((s for s in (1, 2, 5, 10) if s >= step), step)
        begin = math.ceil(first / step) * step
        return [(float(step), [float(x) for x in range(begin, last + 1, step)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [self._write(float(self._base) ** value) for value in values]


class GrowthPlot(pg.PlotWidget):
    """Tokens against one cost. base: 2 for bytes, 10 for seconds; write: how its ticks read.

    It stays where it is: no zoom, no menus. Between curves that lie close names make room.
    """

    def __init__(
        self, title: str, base: int, write: Callable[[float], str], parent: QWidget | None = None
    ) -> None:
        below = _Axis("bottom", 2, lambda n: f"{n:,.0f}".replace(",", "\u202f"))
        left = _Axis("left", base, write)
        super().__init__(parent, axisItems={"bottom": below, "left": left})
        self._title, self._base = title, base
        self._axes = (below, left)
        self._lines: list[pg.PlotDataItem] = []
        self._curves: tuple[Curve, ...] = ()
        self._n = FEWEST_TOKENS
        self._look = Look()
        self.note = ""
        name_control(self, title)
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.plotItem.vb.disableAutoRange()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)

    def set_look(self, look: Look) -> None:
        """Draw with these colours, widths and size of text."""
        self._look = look
        metrics = QFontMetricsF(look.font(0.9))
        self.setBackground(look.color("ground"))
        below, left = self._axes
        for axis in self._axes:
            axis.setPen(QPen(look.color("faint"), look.stroke))
            axis.setTextPen(look.color("ink"))
            axis.setTickFont(look.font(0.9))
            axis.setStyle(tickLength=4, hideOverlappingLabels=False)
        below.room = metrics.horizontalAdvance("131 072") * 1.4
        left.room = metrics.height() * 1.3
        left.setWidth(math.ceil(metrics.horizontalAdvance("1024 MiB") + 12))
        below.setHeight(math.ceil(metrics.height() + 8))
        self.setMinimumSize(
            round(24 * metrics.averageCharWidth()) + 40, round(9 * metrics.height())
        )
        # Above is the title's place, at the right the names'.
        names = QFontMetricsF(look.font(0.9, bold=True))
        self.plotItem.layout.setContentsMargins(
            4, names.height() * 1.9, names.horizontalAdvance("grid, n × n") + 18, 4
        )
        self._draw()

    def show_curves(self, curves: Sequence[Curve], n: int, top: float, bottom: float) -> None:
        """Show these, from n (where "your sentence" stands) to the most tokens; costs' range."""
        self._curves, self._n = tuple(curves), n
        most = max((x for curve in curves for x, _ in curve.points), default=1 << 14)
        self.plotItem.vb.setRange(
            xRange=(math.log2(n) - 0.4, math.log2(max(most, 2 * n)) + 0.2),
            yRange=(math.log(bottom, self._base), math.log(top, self._base)),
            padding=0,
        )
        self._draw()

    def _draw(self) -> None:
        while len(self._lines) < len(self._curves):
            line = pg.PlotDataItem()
            self.addItem(line, ignoreBounds=True)
            self._lines.append(line)
        for line, curve in zip(self._lines, self._curves):
            pen, dots = self._pen(curve), {}
            if curve.has_dots:
                is_filled = curve.style == "grid"
                edge = QPen(pen.color(), 1.5 * self._look.stroke)
                edge.setCosmetic(True)
                dots = {
                    "symbol": "s" if is_filled else "o",
                    "symbolSize": 7 * self._look.stroke,
                    "symbolBrush": pen.color() if is_filled else self._look.color("ground"),
                    "symbolPen": edge,
                }
            places = [self._at(*point) for point in curve.points]
            line.setData([x for x, _ in places], [y for _, y in places], pen=pen, **dots)
        self.viewport().update()

    def _at(self, tokens: int, cost: float) -> tuple[float, float]:
        return math.log2(tokens), math.log(cost, self._base)

    def _pen(self, curve: Curve) -> QPen:
        look = self._look
        color = look.color("highlight" if curve.style == "grid" else "weight")
        pen = QPen(color, 2.2 * look.stroke)
        pen.setCosmetic(True)
        if curve.style == "tiles":
            pen.setStyle(Qt.PenStyle.DashLine)
        return pen

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Names, the sentence's place, and what there is to say."""
        super().drawForeground(painter, rect)
        look, view = self._look, self.plotItem.vb
        area = view.sceneBoundingRect()
        names = QFontMetricsF(look.font(0.9, bold=True))
        painter.setFont(look.font(0.9, bold=True))
        painter.setPen(look.color("ink"))
        title = names.elidedText(self._title, Qt.TextElideMode.ElideRight, self.width() - 12)
        painter.drawText(QPointF(8, names.ascent() + 3), title)
        self._draw_sentence(painter, area)
        self._draw_names(painter, area, names)
        if self.note:
            painter.setFont(look.font())
            painter.setPen(look.color("dim"))
            flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(area.adjusted(24, 8, -8, -8), flags, self.note)

    def _draw_sentence(self, painter: QPainter, area: QRectF) -> None:
        look = self._look
        x = self.plotItem.vb.mapViewToScene(QPointF(math.log2(self._n), 0)).x()
        painter.setPen(QPen(look.color("faint"), look.stroke, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setPen(look.color("dim"))
        painter.setFont(look.font(0.9))
        small = QFontMetricsF(look.font(0.9))
        text = f"your sentence: n = {self._n}"
        if small.horizontalAdvance(text) > 0.7 * area.width():
            text = f"n = {self._n}"
        # Where no curve passes: they rise, and what is measured begins further right.
        is_free_below = all(curve.points[0][0] > self._n for curve in self._curves if curve.points)
        y = area.bottom() - small.descent() - 2 if is_free_below else area.top() + small.ascent()
        painter.drawText(QPointF(x + 5, y), text)

    def _draw_names(self, painter: QPainter, area: QRectF, names: QFontMetricsF) -> None:
        """Each at its curve's end: right of it, or left and above where another goes on."""
        view, gap = self.plotItem.vb, 8 * self._look.stroke
        curves = [curve for curve in self._curves if curve.points]
        furthest = max((curve.points[-1][0] for curve in curves), default=0)
        ends = sorted(
            (view.mapViewToScene(QPointF(*self._at(*curve.points[-1]))).y(), i)
            for i, curve in enumerate(curves)
        )
        painter.setFont(self._look.font(0.9, bold=True))
        free = area.top() - names.height()
        for y, i in ends:
            curve = curves[i]
            x = view.mapViewToScene(QPointF(*self._at(*curve.points[-1]))).x()
            painter.setPen(self._pen(curve).color())
            if curve.points[-1][0] < furthest:
                x -= names.horizontalAdvance(curve.name) + gap
                painter.drawText(QPointF(x, y - names.descent()), curve.name)
            else:
                free = max(y, free + names.height())
                painter.drawText(QPointF(x + gap, free + names.ascent() / 2 - 1), curve.name)
