"""One tile after another over the grid of scores, with what is held while it is done."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.document import Document
from desktop.edits import name_of
from desktop.spotlight import Thing
from desktop.view_state import ViewState
from desktop.views.fills import hatching
from desktop.views.lettering import Written, apart
from desktop.views.lists import shortened, write_short_list
from desktop.views.painted import PaintedPanel
from desktop.views.tiles_walk import Walk, walk
from engine.notation import write_entries, write_number
from engine.tiled import TileStep

__all__ = ["TilesPicture"]

Key = Qt.Key
MOST_IN_A_DRAG = 40
"""With more steps than these, what is held is worked out when the drag has ended."""

NUMBERS_END, NAMES_END = 16, 32
SMALL = 0.85
LEAST, MOST = 0.6, 2.0
"""Text grows and shrinks with the panel, so far."""

GAP, LONGEST = 1.2, 4
OUTPUT = 4
"""Which of HEADS is known only at a block's end."""
HEADS = ("", "largest m", "Σe^(s−m)", "Σe^(s−m)·v", "÷ Σ = output")


class TilesPicture(PaintedPanel):
    """At the left the grid: done, at work, never visited; at the right the rows at work.

    stepped: another step, or another number of them.
    """

    title = "Tiles"
    stepped = Signal()

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self._wanted = (2, 2)
        self._step = 0
        self._walk: Walk | None = None
        self._of: object = None
        self._small = SMALL
        self.setMinimumSize(240, 110)
        document.drag_ended.connect(self.refresh)

    # Where it is

    @property
    def walked(self) -> Walk:
        """All steps, as the document is (in a long drag: as it was before)."""
        self._catch_up()
        assert self._walk is not None
        return self._walk

    @property
    def step(self) -> int:
        """Which step is shown, from 0."""
        return min(self._step, len(self.walked.steps) - 1)

    @property
    def tile(self) -> tuple[int, int]:
        """Queries and keys of a tile, no more of either than there are words."""
        n = len(self.document.sentence.words)
        return min(self._wanted[0], n), min(self._wanted[1], n)

    def set_tile(self, queries: int, keys: int) -> None:
        """Take tiles of another size, from the beginning."""
        if (queries, keys) != self._wanted:
            self._wanted, self._step = (queries, keys), 0
            self.refresh()
            self.say(self._all_said())
            self.stepped.emit()

    def go_to(self, step: int) -> None:
        """Show a step; those beyond an end are the end."""
        step = min(max(step, 0), len(self.walked.steps) - 1)
        if step != self.step:
            self._step = step
            self.update()
            self.say(self._all_said())
            self.stepped.emit()

    def _catch_up(self) -> None:
        calculation, tile = self.document.calculation, self.tile
        old = self._walk
        if self._of is calculation and old is not None and old.tile == tile:
            return
        n, width = calculation.attention.output.shape
        if (
            self.document.before is not None
            and old is not None
            and old.tile == tile
            and old.output.shape == (n, width)
            and len(old.steps) > MOST_IN_A_DRAG
        ):
            return
        self._of, self._walk = calculation, walk(calculation, tile)

    # In words

    def said(self) -> str:
        """The step in a sentence."""
        walked, step = self.walked, self.step
        here = walked.steps[step]
        listen, heard = self._names(here.queries), self._names(here.keys)
        is_one = len(self._words(here.queries)) == 1
        verb, rows = ("listens", "row") if is_one else ("listen", "rows")
        text = f"tile {step + 1} of {len(walked.steps)}: {listen} {verb} to {heard}"
        return f"{text}; {rows} done" if walked.ends_block(step) else text

    def _all_said(self) -> str:
        return ". ".join(filter(None, (self.said(), self.ending())))

    def ending(self) -> str:
        """How the end compares with the grid's output; "" before it."""
        walked = self.walked
        if self.step + 1 < len(walked.steps):
            return ""
        difference = f"{walked.difference:.1e}" if walked.difference else "0"
        verb = "Equals" if walked.is_equal else "Differs from"
        return f"{verb} the grid's output: largest difference {difference}"

    def _words(self, part: slice) -> list[int]:
        return list(range(part.start, part.stop))

    def _names(self, part: slice) -> str:
        words = [apart(name_of(self.document.sentence, i)) for i in self._words(part)]
        return ", ".join(words) if len(words) <= 4 else f"{words[0]} … {words[-1]}"

    # Geometry

    def arrange(self) -> None:
        self._small = SMALL
        for _ in range(2):  # the size of the numbers is that of the cells, the names' also
            self._place_cells()

    def _place_cells(self) -> None:
        words, letters, small = self.document.sentence.words, self.letters, self._small
        n, line = len(words), letters.height(small)
        named = words if n < NAMES_END else ()
        widest = max((letters.width(word, small, bold=True) for word in named), default=0.0)
        names = min(widest, 0.13 * self.width()) + 8
        above = line * 1.15 if named else 0.4 * line
        room_x = 0.46 * self.width() - names
        room_y = self.height() - above - 1.5 * letters.height()
        height = max(min(room_y / n, 7 * letters.height()), 1.0)
        width = max(min(room_x / n, 1.7 * height), 1.0)
        self._xs = [names + width * i for i in range(n + 1)]
        self._ys = [above + height * i for i in range(n + 1)]
        fits = min(width / (1.4 * letters.number_width("−0.00")), height / (1.7 * letters.height()))
        self._small = _in_steps(min(max(fits, LEAST), MOST), SMALL)

    def _box(self, queries: slice, keys: slice) -> QRectF:
        across, down = (keys, queries) if self.state.rows_are_queries else (queries, keys)
        left, top = self._xs[across.start], self._ys[down.start]
        return QRectF(left, top, self._xs[across.stop] - left, self._ys[down.stop] - top)

    def thing_at(self, at: QPointF) -> Thing | None:
        column = next((i for i, x in enumerate(self._xs[1:]) if self._xs[0] <= at.x() < x), None)
        row = next((i for i, y in enumerate(self._ys[1:]) if self._ys[0] <= at.y() < y), None)
        if row is None and column is None:
            return None
        if not self.state.rows_are_queries:
            row, column = column, row
        step = "score" if row is not None and column is not None else ""
        return Thing(step, listens=row, heard=column)

    def tip_at(self, at: QPointF) -> str:
        thing = self.thing_at(at)
        if thing is None or at.x() > self._xs[-1]:
            return self._all_said()
        words = [i for i in (thing.listens, thing.heard) if i is not None]
        return " listens to ".join(name_of(self.document.sentence, i) for i in words)

    def reached(self) -> Thing | None:
        return None

    # Painting

    def paint(self, painter: QPainter, area: QRect) -> None:
        self._catch_up()
        self._paint_names(painter)
        self._paint_cells(painter)
        self._paint_held(painter)
        text = self.letters.cut(self.said(), self.width() - 16)
        painter.setPen(self.state.look.color("ink"))
        text.draw(painter, 8, self.height() - 1.25 * self.letters.height())

    def _paint_names(self, painter: QPainter) -> None:
        words, look = self.document.sentence.words, self.state.look
        n = len(words)
        if n >= NAMES_END:
            return
        here, lit = self.walked.steps[self.step], self.state.lit
        is_usual = self.state.rows_are_queries
        for i, word in enumerate(words):
            for is_row in (True, False):
                listens = is_row == is_usual
                part = here.queries if listens else here.keys
                is_lit = lit is not None and lit.lights(**{"listens" if listens else "heard": i})
                is_bold = part.start <= i < part.stop
                painter.setPen(look.color("highlight" if is_lit else "ink" if is_bold else "dim"))
                if is_row:
                    height = self._ys[i + 1] - self._ys[i]
                    if height < 0.8 * self.letters.height(self._small):
                        continue
                    text = self.letters.name(word, self._xs[0] - 8, self._small, bold=is_bold)
                    x = self._xs[0] - 4 - text.width
                    text.draw(painter, x, self._ys[i] + (height - text.height) / 2)
                else:
                    width = self._xs[i + 1] - self._xs[i]
                    if width < 1.5 * self.letters.width("m", self._small):
                        continue
                    text = self.letters.name(word, width - 3, self._small, bold=is_bold)
                    x = self._xs[i] + (width - text.width) / 2
                    text.draw(painter, x, self._ys[0] - text.height - 1)

    def _paint_cells(self, painter: QPainter) -> None:
        look, walked, now = self.state.look, self.walked, self.step
        n = len(self.document.sentence.words)
        everything = self._box(slice(0, n), slice(0, n))
        self._paint_never(painter, everything)
        painter.setPen(QPen(look.color("faint"), look.stroke))
        for i, step in enumerate(walked.steps):
            box = self._box(step.queries, step.keys)
            if i <= now:
                painter.fillRect(box, look.pale("weight", 0.13 if i < now else 0.0))
            else:
                painter.fillRect(box, look.color("ground"))
            painter.drawRect(box)
        if n < NUMBERS_END:
            for i in range(now + 1):
                self._paint_scores(painter, i)
        painter.setPen(QPen(look.color("highlight"), 2.5 * look.stroke))
        here = walked.steps[now]
        painter.drawRect(self._box(here.queries, here.keys))

    def _paint_never(self, painter: QPainter, box: QRectF) -> None:
        """What no tile covers stays hatched."""
        size = box.size().toSize()
        if self.document.sentence.causal and size.width() > 0 and size.height() > 0:
            picture = hatching(
                self.state.look, size.width(), size.height(), self.devicePixelRatioF()
            )
            painter.drawImage(box.topLeft(), picture)

    def _paint_scores(self, painter: QPainter, at: int) -> None:
        look, step = self.state.look, self.walked.steps[at]
        digits = self.document.calculation.digits
        least = self._box(slice(0, 1), slice(0, 1))
        is_room = least.width() > self.letters.number_width("0", self._small)
        if not is_room or least.height() + 2 < self.letters.height(self._small):
            return
        flat = [max(x, -1e300) if x != -math.inf else x for x in step.scores.ravel().tolist()]
        texts = iter(write_entries(flat, digits))
        painter.setPen(look.color("ink" if at == self.step else "dim"))
        for query in self._words(step.queries):
            for key in self._words(step.keys):
                box = self._box(slice(query, query + 1), slice(key, key + 1))
                text = self.letters.number(next(texts), self._small)
                if text.width < box.width() - 3 and text.height < box.height() + 2:
                    x = box.center().x() - text.width / 2
                    text.draw(painter, x, box.center().y() - text.height / 2)

    def _paint_held(self, painter: QPainter) -> None:
        """A row a query at work: largest, total, output so far, and what they were before."""
        look, letters, walked, now = self.state.look, self.letters, self.walked, self.step
        here, was = walked.steps[now], walked.before(now)
        count, is_done = here.queries.stop - here.queries.start, walked.ends_block(now)
        texts = [self._row(here, i) for i in range(count)]
        before = [self._row(was or here, i) for i in range(count)]
        left = self._xs[-1] + 1.8 * letters.width("m")
        ending = self.ending()
        area = QRectF(left, 0, self.width() - left - 6, self.height() - 1.6 * letters.height())
        fits = min(
            0.97 * area.width() / sum(self._widths(texts, before, 1.0)),
            area.height() / (letters.height() * (1.2 + 2.1 * count + 2.2 * bool(ending))),
        )
        scale = _in_steps(min(max(fits, LEAST), MOST), 1.0)
        line, gap = letters.height(scale), GAP * letters.width("m", scale)
        xs = _columns(left, area.width(), self._widths(texts, before, scale))
        y = 0.15 * line
        for i, head in enumerate(HEADS):
            painter.setPen(look.color("output" if i == OUTPUT else "dim"))
            name = letters.cut(head, xs[i + 1] - xs[i] - gap, SMALL * scale, bold=i == OUTPUT)
            name.draw(painter, xs[i], y)
        y += 1.2 * line
        room = area.height() - y - (2.2 * line if ending else 0)
        height = max(min(room / count, 2.1 * line), line)
        shown = min(count, max(int(room / height), 1))
        for i in range(shown):
            for column, text in enumerate(texts[i][: OUTPUT + is_done]):
                width = xs[column + 1] - xs[column] - gap
                painter.setPen(look.color("output" if column == OUTPUT else "ink"))
                if column == 0:
                    letters.name(text, width, scale, bold=True).draw(painter, xs[0], y)
                else:
                    self._fitting(text, width, scale).draw(painter, xs[column], y)
                if was is not None and height >= 1.75 * line and 0 < column < OUTPUT:
                    painter.setPen(look.color("dim"))
                    old = self._fitting(f"was {before[i][column]}", width, SMALL * scale)
                    old.draw(painter, xs[column], y + 0.95 * line)
            y += height
        if shown < count:
            painter.setPen(look.color("dim"))
            letters.write(f"… {count - shown} more", scale).draw(painter, xs[0], y)
            y += line
        if ending:
            painter.setPen(look.color("ink"))
            painter.setFont(look.font(scale, bold=True))
            below = QRectF(left, y + 0.2 * line, area.width(), 2.2 * line)
            painter.drawText(below, int(Qt.TextFlag.TextWordWrap), ending)

    def _fitting(self, text: str, width: float, scale: float) -> Written:
        """A number, or as many of a list as there is room for, none of them in half."""
        while self.letters.number_width(text, scale) > width and text != shortened(text):
            text = shortened(text)
        return self.letters.cut(text, width, scale)

    def _widths(
        self, texts: Sequence[Sequence[str]], before: Sequence[Sequence[str]], scale: float
    ) -> list[float]:
        """How wide each column wants to be."""
        letters, small = self.letters, SMALL * scale
        gap = GAP * letters.width("m", scale) + 1  # fractions of a pixel cut nothing
        widths = []
        for column, head in enumerate(HEADS):
            wants = [letters.width(head, small, bold=column == OUTPUT)]
            if column == 0:
                wants += [letters.width(row[0], scale, bold=True) for row in texts]
            else:
                wants += [letters.number_width(row[column], scale) for row in texts]
                wants += [letters.number_width(f"was {row[column]}", small) for row in before]
            widths.append(max(wants) + gap)
        return widths

    def _row(self, step: TileStep, row: int) -> tuple[str, ...]:
        """What is written of a query: HEADS."""
        digits, query = self.document.calculation.digits, step.queries.start + row
        output, undivided = self.walked.output[query].tolist(), step.output[row].tolist()
        return (
            self.document.sentence.words[query],
            write_number(float(step.maximum[row]), digits),
            write_number(float(step.total[row]), digits),
            write_short_list(undivided, digits, LONGEST),
            write_short_list(output, digits, LONGEST),
        )

    # Pointer and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The name of who listens is chosen by a click; a cell, or who is heard, stays lit."""
        self.settle()
        at = event.position()
        thing = self.thing_at(at)
        if event.button() != Qt.MouseButton.LeftButton or thing is None or at.x() > self._xs[-1]:
            super().mousePressEvent(event)
        elif thing.listens is not None and thing.heard is None:
            self.document.set_focus(thing.listens)
        else:
            self.state.pin(thing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go a step, Home and End to the ends."""
        match event.key():
            case Key.Key_Right | Key.Key_Down:
                self.go_to(self.step + 1)
            case Key.Key_Left | Key.Key_Up:
                self.go_to(self.step - 1)
            case Key.Key_Home:
                self.go_to(0)
            case Key.Key_End:
                self.go_to(len(self.walked.steps) - 1)
            case _:
                super().keyPressEvent(event)


def _columns(left: float, room: float, widths: list[float]) -> list[float]:
    """Where the columns begin, and the last ends: as wide as they want, or the lists less."""
    if sum(widths) > room:
        numbers = [min(width, room * 0.2) for width in widths[:3]]
        share = (room - sum(numbers)) / sum(widths[3:])
        widths = [*numbers, *(width * min(share, 1.0) for width in widths[3:])]
    return [left + sum(widths[:i]) for i in range(len(widths) + 1)]


def _in_steps(zoom: float, of: float) -> float:
    """A size of text, one of a few."""
    return of * math.floor(zoom * 8) / 8
