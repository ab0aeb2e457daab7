"""How a table's cells and names are painted."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from desktop.theme import Look, role_pen
from desktop.views.spreadsheet import WORD
from desktop.views.table_model import MARK, TableModel

__all__ = ["Type", "paint_cell", "paint_column_name", "paint_row_name"]

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Type:
    """A look's text as tables set it: digit is the width of one, all being equally wide; pad is
    what stays free at a cell's sides, line its height.
    """

    look: Look
    metrics: QFontMetricsF
    digit: float
    pad: int
    line: int

    @classmethod
    def of(cls, look: Look) -> Type:
        """Measured once a look."""
        metrics = QFontMetricsF(look.font())
        digit = metrics.horizontalAdvance("0")
        return cls(look, metrics, digit, round(digit * 0.7), round(metrics.height() * 1.35))

    def inside(self, rect: QRect) -> QRect:
        """Where text may stand."""
        return rect.adjusted(self.pad, 0, -self.pad, 0)

    def cut(self, text: str, width: int) -> str:
        """As much of a text as there is room for."""
        return self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


def paint_cell(
    painter: QPainter,
    rect: QRect,
    type_: Type,
    table: TableModel,
    cell: tuple[int, int],
    *,
    is_selected: bool,
    outline: str,
) -> None:
    """Tint, text, and the lines round a cell; outline is a colour's name, "" for none."""
    look = type_.look
    row, column = cell
    part, entry = table.column(column)
    if is_selected:
        painter.fillRect(rect, look.pale("weight", 0.22))
    elif table.is_lit(row, column):
        painter.fillRect(rect, look.pale(part.role or "weight", 0.16))
    painter.setPen(look.color("grid"))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    if entry == 0 and column > 0:
        painter.setPen(QPen(look.color("faint"), 1.5 * look.stroke))
        painter.drawLine(rect.topLeft(), rect.bottomLeft())
    if text := table.text(row, column):
        painter.setPen(look.color("dim" if table.is_new(row) or not part.name else "ink"))
        painter.setFont(look.font())
        room = type_.inside(rect)
        if part.name == WORD or len(text) * type_.digit > room.width():
            text = type_.cut(text, room.width())
        painter.drawText(room, LEFT if part.name == WORD else RIGHT, text)
    if outline:
        width = (2 if outline == "weight" else 1) * look.stroke
        painter.setPen(QPen(look.color(outline), width))
        painter.drawRect(QRectF(rect).adjusted(width / 2, width / 2, -width / 2, -width / 2))


def paint_column_name(
    painter: QPainter, rect: QRect, type_: Type, table: TableModel, column: int
) -> None:
    """The name of a column in its role's colour, above its role's line."""
    look = type_.look
    part, entry = table.column(column)
    painter.fillRect(rect, look.color("panel"))
    painter.setFont(look.font(bold=True))
    painter.setPen(look.color(part.role or "ink"))
    room = type_.inside(rect)
    name = table.headerData(column, Qt.Orientation.Horizontal)
    painter.drawText(room, LEFT if part.name == WORD else RIGHT, name)
    if not part.name and entry == 0:
        _paint_lock(painter, room, type_)
    pen = role_pen(look, part.role, 1.5) if part.role else QPen(look.color("faint"), look.stroke)
    painter.setPen(pen)
    y = round(rect.bottom() - pen.widthF() / 2)
    painter.drawLine(rect.left() + 3, y, rect.right() - 2, y)


def paint_row_name(painter: QPainter, rect: QRect, type_: Type, name: str) -> None:
    """The name of a row; the focus word's is bold, with its mark."""
    look = type_.look
    painter.fillRect(rect, look.color("panel"))
    painter.setPen(look.color("grid"))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    is_focus = name.startswith(MARK)
    painter.setFont(look.font(bold=is_focus))
    painter.setPen(look.color("ink" if is_focus else "dim"))
    room = rect.adjusted(type_.pad // 2, 0, -type_.pad, 0)
    painter.drawText(room, RIGHT, type_.cut(name, room.width()))


def _paint_lock(painter: QPainter, room: QRect, type_: Type) -> None:
    """A padlock at the left: made by W."""
    size, color = type_.digit, painter.pen().color()
    left, middle = room.left() - type_.pad / 2, room.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(left, middle - size * 0.1, size, size * 0.8), color)
    painter.setPen(QPen(color, size * 0.17))
    bow = QRectF(left + size * 0.2, middle - size * 0.65, size * 0.6, size)
    painter.drawArc(bow, 0, 180 * 16)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
