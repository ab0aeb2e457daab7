"""How a grid of weights is drawn: cells, names, frames, and the line under it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from desktop.spotlight import Thing
from desktop.views.fills import hatching, shades
from desktop.views.grid_layout import MARK
from desktop.views.grid_picture import MASKED, WAITING, Cell, GridPicture
from desktop.views.lettering import Lettering, lettering

__all__ = ["draw_caption", "draw_cells", "draw_frames", "draw_names", "stripe"]

CHANGE = 0.72
"""The size of a change under its number, as a share of the number's."""

Placed = tuple[int, int, int, int, Cell]
"""Left, top, width, height; what is there."""


def stripe(shown: GridPicture, listens: int | None = None, heard: int | None = None) -> QRectF:
    """A cell, or a row or column of them; all where neither is given."""
    layout, (row, column) = shown.layout, shown.place(listens, heard)
    left, right = (0, layout.count) if column is None else (column, column + 1)
    top, bottom = (0, layout.count) if row is None else (row, row + 1)
    x, y = layout.xs[left], layout.ys[top]
    return QRectF(x + 0.5, y + 0.5, layout.xs[right] - x, layout.ys[bottom] - y)


def draw_cells(painter: QPainter, shown: GridPicture, area: QRect) -> None:
    """Fills and numbers of the cells in `area`."""
    layout, look, letters = shown.layout, shown.look, lettering(shown.look)
    grid = QRect(QPoint(layout.xs[0], layout.ys[0]), QPoint(layout.xs[-1], layout.ys[-1]))
    if shown.image is not None:
        painter.drawImage(grid.topLeft(), shown.image)
        painter.setPen(QPen(look.color("faint"), 1))
        painter.drawRect(grid)
        return
    painter.fillRect(grid & area, look.color("faint" if look.stroke > 1 else "grid"))
    table, ground, ratio = shades(look), look.color("ground"), painter.device().devicePixelRatio()
    inked: dict[bool, list[Placed]] = {}
    for row, column in layout.within(area.left(), area.top(), area.right(), area.bottom()):
        left, top, width, height = layout.box(row, column)
        cell = shown.cells[row * layout.count + column]
        shade = cell[0]
        if shade == MASKED:
            tile = hatching(look, max(width - 1, 1), max(height - 1, 1), ratio)
            painter.drawImage(QPointF(left + 1, top + 1), tile)
            continue
        fill, ink = (ground, ground) if shade == WAITING else table[shade]
        painter.fillRect(left + 1, top + 1, width - 1, height - 1, fill)
        if shade != WAITING:
            inked.setdefault(ink.lightness() > 127, []).append((left, top, width, height, cell))
    if not shown.scale:
        return
    for light, cells in inked.items():
        painter.setPen(Qt.GlobalColor.white if light else Qt.GlobalColor.black)
        _draw_numbers(painter, shown, letters, cells)


def _draw_numbers(
    painter: QPainter, shown: GridPicture, letters: Lettering, cells: list[Placed]
) -> None:
    """The numbers of cells in one ink; a changed one has an outline, and its change below."""
    look, scale, small = shown.look, shown.scale, shown.scale * CHANGE
    usual, tiny = look.font(scale), look.font(shown.tiny_scale)
    has_room = shown.layout.cell_height > letters.height(scale) + letters.height(small)
    raised = letters.height(small) / 2 if has_room else 0.0
    painter.setFont(usual)
    for left, top, width, height, (_, _, text, change) in cells:
        is_tiny = text.startswith("<") and shown.tiny_scale < scale
        number = letters.write(text, shown.tiny_scale if is_tiny else scale)
        x, y = left + (width - number.width) / 2, top + (height - number.height) / 2
        if is_tiny:
            painter.setFont(tiny)
        assert number.static is not None
        painter.drawStaticText(round(x), round(y - raised * bool(change)), number.static)
        if is_tiny:
            painter.setFont(usual)
    outlines = [
        QRectF(left + 2.5, top + 2.5, width - 4, height - 4)
        for left, top, width, height, (_, changed, _, _) in cells
        if changed
    ]
    if outlines:
        ink = painter.pen()
        if not raised:
            painter.setPen(look.color("faint"))
        painter.drawRects(outlines)
        painter.setPen(ink)
    for left, top, width, height, (_, _, _, text) in cells if raised else ():
        if text:
            written = letters.write(text, small)
            y = top + height / 2 + letters.height(scale) / 2 - raised
            written.draw(painter, left + (width - written.width) / 2, y)


def draw_names(painter: QPainter, shown: GridPicture, lit: Thing | None) -> None:
    """The names of both axes, of rows and of columns; the focus word's bold and marked."""
    layout, look, letters = shown.layout, shown.look, lettering(shown.look)
    line, step = letters.height(shown.name), 1.1 * letters.height(shown.axis)
    axis = layout.names_top - 1.15 * line
    painter.setPen(look.color("dim"))
    across = letters.write("who is heard →" if shown.rows_listen else "who listens →", shown.axis)
    across.draw(painter, layout.xs[0], axis)
    for place, text in enumerate(shown.down):
        y = max(axis, layout.ys[0] - 0.2 * line - 2 * step)
        letters.write(text, shown.axis).draw(painter, layout.names_left, y + step * place)
    for is_row in (False, True):
        listens = is_row == shown.rows_listen
        is_named = layout.has_row_names if is_row else layout.has_column_names
        for place, word in enumerate(shown.words):
            is_focus = listens and place == shown.focus
            is_lit = lit is not None and place == (lit.listens if listens else lit.heard)
            waits = listens and shown.is_one_word and not is_focus
            painter.setPen(look.color("highlight" if is_lit else "dim" if waits else "ink"))
            if is_row:
                named = is_named or is_focus or is_lit
                _draw_row_name(painter, shown, place, word if named else "", is_focus)
            elif is_named:
                _draw_column_name(painter, shown, place, word, is_focus)


def _draw_row_name(
    painter: QPainter, shown: GridPicture, row: int, word: str, is_focus: bool
) -> None:
    layout, letters = shown.layout, lettering(shown.look)
    line, (_, top, _, height) = letters.height(shown.name), layout.box(row, 0)
    right, middle = layout.xs[0] - 0.3 * line, top + height / 2
    room = right - layout.names_left - MARK * line
    if word and room > line:
        size = shown.name * min(1.0, max(0.72, int(20 * height / line) / 20))
        name = letters.cut(word, room, size, bold=is_focus)
        name.draw(painter, right - name.width, middle - name.height / 2)
        right -= name.width + 0.1 * line
    if is_focus:
        mark = letters.write("▸", shown.name)
        mark.draw(painter, right - mark.width, middle - mark.height / 2)


def _draw_column_name(
    painter: QPainter, shown: GridPicture, column: int, word: str, is_focus: bool
) -> None:
    layout, letters = shown.layout, lettering(shown.look)
    left, _, width, _ = layout.box(0, column)
    bottom = layout.ys[0] - 0.15 * letters.height(shown.name)
    if layout.is_turned:
        room = bottom - layout.names_top
        name = letters.cut(("▸" if is_focus else "") + word, room, shown.name, bold=is_focus)
        painter.save()
        painter.translate(round(left + width / 2 - name.height / 2), round(bottom))
        painter.rotate(-90)
        name.draw(painter, 0, 0)
        painter.restore()
        return
    name = letters.cut(("▾" if is_focus else "") + word, width - 2, shown.name, bold=is_focus)
    name.draw(painter, left + (width - name.width) / 2, bottom - name.height)


def draw_frames(
    painter: QPainter, shown: GridPicture, lit: Thing | None, cursor: tuple[int, int] | None
) -> None:
    """Frames around the focus word's line, what is lit, and the cell the keyboard is at."""
    look = shown.look
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if shown.layout.count > 1:
        painter.setPen(QPen(look.color("ink"), 2 * look.stroke))
        painter.drawRect(stripe(shown, listens=shown.focus))
    if lit is not None:
        painter.setPen(QPen(look.color("highlight"), 2 * look.stroke))
        painter.drawRect(stripe(shown, lit.listens, lit.heard))
    if cursor is not None:
        inset = min(3, shown.layout.cell_height // 4)
        box = stripe(shown, *cursor).adjusted(inset, inset, -inset, -inset)
        painter.setPen(QPen(look.color("ink"), 3))
        painter.drawRect(box)
        painter.setPen(QPen(look.color("ground"), 1, Qt.PenStyle.DotLine))
        painter.drawRect(box)


def draw_caption(painter: QPainter, shown: GridPicture, area: QRect, readout: str) -> None:
    """What the grid is, and at the right what is lit; that alone where both have no room."""
    look, letters = shown.look, lettering(shown.look)
    margin = 0.4 * letters.height(shown.name)
    room = area.width() - 2 * margin
    if readout:
        text = letters.cut(readout, room, shown.name)
        painter.setPen(look.color("ink"))
        text.draw(painter, area.right() - margin - text.width, area.top())
        room -= text.width + 2 * margin
    if not readout or room >= letters.width(shown.caption, shown.name):
        painter.setPen(look.color("ink" if "●" in shown.caption else "dim"))
        letters.cut(shown.caption, room, shown.name).draw(painter, area.left() + margin, area.top())
