"""The board on the right where the arithmetic is written, line under line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Mobject, VGroup, VMobject

from engine.notation import write_entries, write_number
from engine.palette import Theme
from engine.softmax import FloatArray
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.type import Text

__all__ = ["LEADING", "Board", "Equation", "Products", "in_a_row", "listed"]

LEADING = 0.55


class Board:
    """Lines written downwards in `box`; `cursor` is where the next one goes.

    They are written `zoom` times as large as they come, as far as there is room.
    """

    def __init__(self, box: Box, leading: float = LEADING, zoom: float = 1.0) -> None:
        self.box, self.zoom = box, zoom
        self.leading = leading * zoom
        self.cursor = box.top - self.leading / 2
        self.lines = VGroup()

    def write(self, line: Mobject, *, space: float = 1.0, indent: float = 0.0) -> Mobject:
        """Put `line` at the cursor, left-aligned, no wider than the board; returns it."""
        room, below = self.cursor - self.box.bottom, -float(line.get_bottom()[1])
        zoom = max(1.0, min(self.zoom, room / max(below, 0.01)))
        zoom = min(zoom, (self.box.width - indent) / max(float(line.width), 0.01))
        if zoom != 1.0:
            line.scale(zoom, about_point=np.zeros(3))
        line.shift((self.box.left + indent - float(line.get_left()[0]), 0.0, 0.0))
        line.shift((0.0, self.cursor, 0.0))
        self.cursor -= self.leading * space
        self.lines.add(line)
        return line

    def skip(self, space: float = 0.5) -> None:
        """Leave some room."""
        self.cursor -= self.leading * space

    def wipe(self) -> VGroup:
        """Start again at the top; returns what was written, to be faded out."""
        written, self.lines = self.lines, VGroup()
        self.cursor = self.box.top - self.leading / 2
        return written


def listed(
    numbers: FloatArray,
    digits: int,
    size: float,
    color: str,
    width: float,
    most: int | None = None,
) -> VGroup:
    """The numbers as "[0, 4, 2, 0]", continued on further lines where `width` ends.

    Of more than `most` numbers the first, dots and the last.
    """
    texts = write_entries(numbers, digits)
    if most is not None and len(texts) > most:
        texts = [*texts[: most - 2], "···", texts[-1]]
    texts = [text + ("," if i < len(texts) - 1 else "]") for i, text in enumerate(texts)]
    texts[0] = "[" + texts[0]
    lines = [texts[0]]
    for text in texts[1:]:
        longer = f"{lines[-1]} {text}"
        if Number(longer, size, color).width <= width:
            lines[-1] = longer
        else:
            lines.append(text)
    block = VGroup()
    for i, line in enumerate(lines):
        block.add(Number(line, size, color).rewrite(line, 0.0, -i * size * 1.4, edge=-1))
    return block


def in_a_row(*pieces: Mobject, gap: float = 0.14) -> VGroup:
    """Pieces side by side, each keeping its own height on the line; the row starts at x = 0."""
    x = 0.0
    for piece in pieces:
        piece.shift((x - float(piece.get_left()[0]), 0.0, 0.0))
        x += float(piece.width) + gap
    return VGroup(*pieces)


class Products(VGroup):
    """A dot product entry by entry: one row "2 · 2 = 4" an entry, a rule, the sum.

    query, key and products (d,); of more than `most` entries the first few are written out and the
    rest is one row. `rows` hold (query entry, sign, key entry, sign, product), the last of a long
    one (text, sign, product); `total` is the sum.
    """

    def __init__(
        self,
        query: FloatArray,
        key: FloatArray,
        products: FloatArray,
        score: float,
        theme: Theme,
        size: float,
        digits: int,
        most: int = 5,
    ) -> None:
        super().__init__()
        count = len(query) if len(query) <= most else most - 1
        rest = [float(np.sum(products[count:]))] if count < len(query) else []
        written = write_entries([*products[:count], *rest], digits)
        colors = (theme.role("query"), theme.ink, theme.role("key"), theme.ink, theme.ink)
        weights = (600, 400, 600, 400, 400)
        self.rows = VGroup()
        for q, k, product in zip(
            write_entries(query, digits), write_entries(key, digits), written[:count]
        ):
            texts = (q, "·", k, "=", product)
            row = (Number(t, size, c, w) for t, c, w in zip(texts, colors, weights))
            self.rows.add(VGroup(*row))
        _align(self.rows, size * 1.5)
        if rest:
            self._add_rest(f"{len(query) - count} more", written[-1], theme, size)
        self._add_total(write_number(score, digits), theme, size)

    def _add_rest(self, text: str, product: str, theme: Theme, size: float) -> None:
        model = self.rows[-1]
        drop = np.array((0.0, -size * 1.5, 0.0))
        label = Text(text, size, theme.dim)
        label.shift(model[2].get_right() - label.get_right()).on_baseline(0.0)
        y = float(model[3].get_center()[1]) + float(drop[1])
        label.on_baseline(y - 0.36 * size)
        sign = model[3].copy().shift(drop)
        number = Number(product, size, theme.ink)
        number.rewrite(product, float(model[4].get_right()[0]), y, edge=1)
        self.rows.add(VGroup(label, sign, number))

    def _add_total(self, score: str, theme: Theme, size: float) -> None:
        leading = size * 1.5
        right = max(float(row[-1].get_right()[0]) for row in self.rows)
        left = float(self.rows.get_left()[0])
        rule_y = -leading * (len(self.rows) - 1) - leading * 0.55
        self.rule = VMobject(stroke_color=theme.dim, stroke_width=2 * theme.stroke)
        self.rule.set_points_as_corners([(left, rule_y, 0.0), (right, rule_y, 0.0)])
        self.total = Number(score, size * 1.15, theme.ink, 650)
        self.total.rewrite(score, right, rule_y - leading * 0.65, edge=1)
        self.add(self.rows, self.rule, self.total)


class Equation(VGroup):
    """Named numbers under one another: factors with × before them, a rule, the result.

    entries are (number's text, its name, colour); the last is the result. `numbers` stand
    right-aligned, so that they can change in place; `names` and `signs` go with them.
    """

    def __init__(
        self, entries: Sequence[tuple[str, str, str]], theme: Theme, size: float, room: float
    ) -> None:
        super().__init__()
        self.numbers, self.names, self.signs = VGroup(), VGroup(), VGroup()
        leading, names = size * 1.45, [name for _, name, _ in entries]
        left = max(float(Text(name, size * 0.72, theme.dim).width) for name in names) + 0.7
        self.right = left + room
        for i, (text, name, color) in enumerate(entries):
            y = -leading * i - (leading * 0.2 if i == len(entries) - 1 else 0.0)
            label = Text(name, size * 0.72, theme.dim)
            label.align_to((0.0, 0.0, 0.0), (-1, 0, 0)).on_baseline(y - 0.36 * size)
            self.names.add(label)
            self.numbers.add(Number(text, size, color, 600).rewrite(text, self.right, y, edge=1))
            if 0 < i < len(entries) - 1:
                self.signs.add(Number("×", size, theme.ink).rewrite("×", left - 0.35, y))
        rule_y = -leading * (len(entries) - 1.5) - leading * 0.1
        self.rule = VMobject(stroke_color=theme.dim, stroke_width=2 * theme.stroke)
        self.rule.set_points_as_corners([(0.0, rule_y, 0.0), (self.right, rule_y, 0.0)])
        self.add(self.numbers, self.signs, self.names, self.rule)

    def in_reading_order(self) -> list[VGroup]:
        """What to show after what: a line each, the rule with the result."""
        lines = [VGroup(*pair) for pair in zip(self.names, self.numbers)]
        for line, sign in zip(lines[1:], self.signs):
            line.add(sign)
        lines[-1].add(self.rule)
        return lines

    def rewrite(self, texts: Sequence[str]) -> None:
        """Show other numbers in the same places."""
        right = float(self.rule.get_right()[0])
        for number, text in zip(self.numbers, texts):
            number.rewrite(text, right, number.middle, edge=1)


def _align(rows: VGroup, leading: float) -> None:
    """Columns right-aligned, rows `leading` apart."""
    x = 0.0
    for column in range(len(rows[0])):
        cells = [row[column] for row in rows]
        right = x + max(float(cell.width) for cell in cells)
        for i, cell in enumerate(cells):
            cell.shift((right - float(cell.get_right()[0]), -leading * i, 0.0))
        x = right + 0.16
