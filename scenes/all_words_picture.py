"""What scene 7 is made of: the grid with its vectors, bars a row, planes, NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from manim import (
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    LaggedStart,
    Mobject,
    ReplacementTransform,
    VGroup,
)
from numpy.typing import NDArray

from engine.notation import write_entries
from scenes.all_words_words import AllWordsWords, Seen, numpy_lines, telling_rows
from scenes.beats import shorten
from scenes.parts.bars import NumberRow
from scenes.parts.board import Board, Products, in_a_row
from scenes.parts.fan import Fan, Named
from scenes.parts.filling import Filling
from scenes.parts.grid import Cell, Grid
from scenes.parts.layout import Box
from scenes.parts.margins import Margins, cut_list
from scenes.parts.plane import Plane, on_plane
from scenes.parts.row_bars import RowBars
from scenes.scaling_words import write_divisor
from scenes.stage import BODY, SMALL, AttentionScene

Numbers = NDArray[np.floating]

HEADER = 0.42
MOST_KEYS = 6


class AllWordsPicture(AttentionScene):
    """The grid and all that stands beside it; `AllWords` tells the story."""

    # The numbers

    def compute(self) -> None:
        """What stands in each cell, and what there is to be said of it."""
        attention, shown, digits = self.attention, list(self.shown), self.settings.digits
        self.divisor = write_divisor(attention, self.focus, digits)
        self.say = AllWordsWords(
            attention, self.sentence.words, self.focus, shown, digits, self.divisor,
            self.sentence.scaled, turned=self.settings.rows == "keys",
        )  # fmt: skip
        told = telling_rows(attention, self.focus, shown)
        self.telling = [row for row in told if set(row.tops) <= set(shown)]
        self.star = int(np.argmax(attention.weights[:, shown].sum(axis=0)))
        i = next((i for i in range(len(shown)) if i != self.focus_column), 0)
        self.first_cell = (i, int(np.argmax(attention.scores[shown[i], shown])))
        self.statements = numpy_lines(self.sentence, attention)

    # The picture

    def lay_out(self) -> None:
        """Words on top, the grid under them with its vectors, bars or arithmetic at the right."""
        size, small, stage = self.sized(BODY), self.sized(SMALL), self.zones.stage
        working, self.words_row = self.zones.working, self.word_row()
        self.board = Board(working, zoom=self.zones.zoom)
        shown, turned = list(self.shown), self.settings.rows == "keys"
        attention, pitch = self.attention, self.words_row.pitch
        self.margins = Margins(
            attention.query[shown], attention.key[shown], attention.value[shown], self.theme,
            small, self.settings.digits,
        )  # fmt: skip
        self.with_vectors = self.margins.fit(pitch, stage.height, turned=turned)
        top = stage.top - (HEADER if self.with_vectors else 0.0)
        room = replace(self.zones, stage=Box(stage.left, stage.right, stage.bottom, top))
        self.grid = Grid(
            self.words, self.words_row.columns, self.words_row.pitch, room, self.theme,
            size=size * 1.1, small=small, rows=self.settings.rows,
        )  # fmt: skip
        self.color_names()
        self.filling = Filling(self.grid, attention, shown, self.settings.digits)
        self.masked = self.filling.masked
        self.hatching = self.grid.hatch(self.masked)
        scores = self.attention.scores[self.focus, list(self.shown)]
        self.under_words = NumberRow(
            write_entries(scores, self.settings.digits), self.words_row.columns,
            self.words_row.pitch, stage.top - 0.2, size, self.sized(0.0), self.theme.ink,
        )  # fmt: skip
        if self.with_vectors:
            self.margins.place(self.grid, stage.top - 0.12)
        self.bars, self.poured = self.make_bars(), VGroup()
        self.row_name = self.text("score", SMALL, self.theme.dim).on_baseline(stage.top - 0.3)
        self.row_name.align_to((stage.left, 0.0, 0.0), (-1.0, 0.0, 0.0))
        self.add(self.words_row, self.under_words, self.row_name)
        self.wait(0.3)

    def color_names(self) -> None:
        """The focus word lit at the rows' names as well, where these listen."""
        if not self.grid.is_turned:
            self.grid.names[self.focus_column].set_color(self.theme.highlight)

    def make_bars(self) -> RowBars:
        """A bar a row: beside the rows, or where these aren't listeners, by name on the board."""
        n, working = len(self.words), self.zones.working
        beside = not self.grid.is_turned and working.left > self.zones.stage.right
        pitch = min(0.62 * self.zones.zoom, working.height / (n + 1))
        ys = self.grid.rows if beside else [working.top - pitch * (i + 1) for i in range(n)]
        return RowBars(
            self.filling.weights, [shorten(word, 8) for word in self.words],
            f"{len(self.sentence.words) - n} others", [""] * n if beside else self.words, ys,
            working, self.theme, self.sized(SMALL),
        )  # fmt: skip

    def cells_of(self, query: int) -> list[Cell]:
        """A query's cells in order."""
        return [(query, j) for j in range(len(self.words))]

    def axes_by_role(self) -> tuple[Mobject, Mobject]:
        """The names of the axes: who listens, who is heard."""
        across, down = self.grid.axes
        return (across, down) if self.grid.is_turned else (down, across)

    # What rows hold

    def changes_of_rows(self, put: Callable[[Sequence[Cell]], list[Mobject]]) -> list[Animation]:
        """What stands in each row fades as what `put` puts there comes."""
        rows = [self.filling.change(self.cells_of(i), put) for i in range(len(self.words))]
        return [AnimationGroup(*row) for row in rows if row]

    def write_products(self, i: int, j: int) -> Products:
        """The words and the entries of one cell, on the board; the score in `total`."""
        query, key = self.shown[i], self.shown[j]
        q, k = self.attention.query[query], self.attention.key[key]
        names = [shorten(self.words[each], 10) for each in (i, j)]
        heading = (
            self.word(names[0], 1.8, BODY * 1.4, self.role("query")),
            self.figures("·", BODY * 1.4),
            self.word(names[1], 1.8, BODY * 1.4, self.role("key")),
        )
        self.board.write(in_a_row(*heading), space=1.5)
        products = Products(
            q, k, q * k, float(self.attention.scores[query, key]), self.theme,
            self.sized(BODY) * 1.4, self.settings.digits,
        )  # fmt: skip
        self.board.write(products, indent=0.2)
        return products

    def sources(self, i: int, j: int) -> tuple[Mobject, Mobject]:
        """Where a cell's query and key stand: the words' vectors, or the words."""
        if self.with_vectors:
            return self.margins.queries[i], self.margins.keys[j]
        top, side = self.words_row, self.grid.names
        return (top[i], side[j]) if self.grid.is_turned else (side[i], top[j])

    def pour(self, i: int) -> list[Animation]:
        """Copies of a row's cells join into its bar."""
        strip = self.bars.strips[i]
        if strip is None:
            self.poured.add(self.bars.rows[i])
            return [FadeIn(self.bars.rows[i])]
        moves: list[Animation] = []
        for j in range(len(self.words)):
            if self.filling.is_open[i, j]:
                cut = strip.pieces[j].copy().put(self.grid.cell(i, j))
                moves.append(ReplacementTransform(cut, strip.pieces[j]))
                self.poured.add(strip.pieces[j])
        rest = [*([strip.pieces[-1]] if strip.boxes[-1].width > 1e-6 else []), *strip.names]
        self.poured.add(*rest)
        return [*moves, *map(FadeIn, rest)]

    # What rows tell

    def mark_of(self, i: int, seen: Seen) -> Mobject:
        """A border round the largest weights of a row; round all of an empty one."""
        cells = [(i, self.shown.index(j)) for j in seen.tops] or self.cells_of(i)
        return self.grid.outline(cells, self.theme.highlight, 5.0)

    def plane_of(self, i: int, seen: Seen) -> list[Mobject]:
        """The listener's query among the keys, the largest lit; nothing beyond two entries."""
        if self.attention.key.shape[-1] > 2:
            return []
        few = len(self.words) <= MOST_KEYS
        tops = [self.shown.index(j) for j in seen.tops]
        drawn = [j for j in range(len(self.words)) if few or j in tops[:MOST_KEYS]]
        query = self.attention.query[self.shown[i]]
        keys = self.attention.key[[self.shown[j] for j in drawn]]
        flat = on_plane([query, *keys])
        plane = Plane(flat, self.zones.working, self.theme, is_line=len(query) == 1)
        named = [Named("query", flat[0], shorten(self.words[i], 8))]
        named += [Named("key", key, shorten(self.words[j], 8)) for key, j in zip(flat[1:], drawn)]
        fan = Fan(named, plane, self.theme, self.sized(SMALL))
        for arrow, label, j in zip(fan.arrows[1:], fan.labels[1:], drawn):
            if j not in tops:
                arrow.tint(self.theme.faint)
                label.set_color(self.theme.dim)
        return [plane, fan]

    # NumPy

    def do_again(self, name: str, top: float) -> None:
        """What a line of NumPy does, in the grid; outputs come on the board, under `top`."""
        if name == "Mask":
            gone = [self.grid.numbers.pop(cell) for cell in self.masked]
            self.play(*map(FadeOut, gone), FadeIn(self.hatching), run_time=0.9)
            return
        if name == "Outputs":
            self.write_outputs(top)
            return
        put = self.filling.scaled if name == "Scores" else self.filling.shares
        rows = self.changes_of_rows(put)
        hidden = [FadeOut(self.hatching)] if name == "Scores" and self.masked else []
        self.play(LaggedStart(*rows, lag_ratio=0.4), *hidden, run_time=1.4)

    def write_outputs(self, top: float) -> None:
        """Values in place of keys; then a new vector a word, as many as there is room for."""
        working, size = self.zones.working, self.sized(BODY)
        board = Board(Box(working.left, working.right, working.bottom, top), 1.45 * size)
        room = int(board.box.height / board.leading)
        n, turned = len(self.words), self.grid.is_turned
        if self.with_vectors and self.margins.values_fit(self.words_row.pitch, turned=turned):
            self.swap(self.margins.keys, self.margins.values, run_time=0.6)
        lines = range(n) if n <= room else [self.focus_column]
        for i in lines:
            color = self.theme.highlight if i == self.focus_column else self.theme.ink
            name = self.word(shorten(self.words[i], 8), 1.1, BODY, color)
            name.shift((-float(name.get_left()[0]), -0.11 * name.size, 0.0))
            output = cut_list(
                self.attention.output[self.shown[i]], self.settings.digits, size,
                self.role("output"), working.width - 1.3,
            )  # fmt: skip
            output.shift((1.3 - float(output.get_left()[0]), 0.0, 0.0))
            line = board.write(VGroup(name, output))
            start = self.grid.frame(self.cells_of(i), self.theme.ink)
            self.play(FadeIn(line, target_position=start), run_time=min(0.7, 3.0 / len(lines)))
        if len(lines) < n and room > 1:
            more = self.text(f"and {len(self.sentence.words) - 1} more", SMALL, self.theme.dim)
            self.play(FadeIn(board.write(more)), run_time=0.4)
