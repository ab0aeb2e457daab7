"""Scene 3: what is √d_k doing there?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from manim import (
    Animation,
    Create,
    FadeIn,
    FadeOut,
    ReplacementTransform,
    UpdateFromAlphaFunc,
    VGroup,
)  # fmt: skip
from numpy.typing import NDArray

from engine.notation import write_entries
from scenes.parts.bars import BarRow, NumberRow
from scenes.parts.board import Board, Products, in_a_row, listed
from scenes.parts.columns import MOST_ENTRIES, EntryColumn
from scenes.parts.formula import math
from scenes.parts.layout import ROW_NAMES, Box
from scenes.parts.number import Number
from scenes.parts.spread import Cloud, ValueAxis, Walk
from scenes.parts.type import Text
from scenes.scaling_words import DRAWS, SEED, STOPS, ScalingWords, draw_pairs
from scenes.stage import BODY, SMALL, AttentionScene

Numbers = NDArray[np.floating]

EXACT = 2
"""Decimals of what entries of one decimal multiply to."""


class Scaling(AttentionScene):
    """Dividing by √d_k keeps scores the same size, however many entries a vector has."""

    title = "Scaling"
    lit = ("scale",)

    def construct(self) -> None:
        """Count the entries, add terms, watch clouds widen, divide them, divide our scores."""
        self.lay_out()
        self.count_the_entries()
        self.add_term_after_term()
        self.draw_a_thousand()
        self.widen_the_cloud()
        self.divide_the_clouds()
        self.divide_our_scores()
        self.keep_the_size()

    # The story

    def count_the_entries(self) -> None:
        """d_k is a count, not a length in the plane."""
        with self.beat("How many entries", self.say.entries()):
            self.play(FadeIn(self.columns), run_time=0.6)
            self.count_down_the_key()

    def add_term_after_term(self) -> None:
        """One pair of random vectors: a row of arithmetic, and a step of the sum, an entry."""
        with self.beat("One more term", self.say.one_more_term()):
            gone = (self.columns, self.board.wipe())
            self.play(*map(FadeOut, gone), *self.dimmed(self.theme.dim), run_time=0.5)
            board = Board(self.pair_box, zoom=self.zones.zoom)
            terms, products = self.pairs.query * self.pairs.key, self.products_of_a_pair(board)
            axis = self.axis(np.cumsum(terms), bottom=self.under.bottom)
            walk = Walk(terms, axis, self.theme)
            self.play(*map(FadeIn, (axis, walk.dot, self.source)), run_time=0.6)
            for i, row in enumerate(products.rows):
                self.play(FadeIn(row), run_time=0.25)
                self.play(walk.step(i), run_time=0.45)
            total = FadeIn(products.total, target_position=walk.dot)
            self.play(Create(products.rule), total, run_time=0.7)
        self.play(FadeOut(VGroup(axis, walk.steps, walk.dot, board.lines)), run_time=0.5)

    def draw_a_thousand(self) -> None:
        """The dot products of many pairs with few entries, each a dot."""
        with self.beat("A thousand pairs", self.say.a_thousand()):
            numbers, unit = self.pairs.products[0], self.unit_of(self.wide)
            first = self.clouds[0].put(0.0 * numbers, unit)
            self.play(*map(FadeIn, (self.wide, *self.headings, self.stops[0], first)), run_time=0.6)
            self.play(first.move(numbers, unit), run_time=1.2)
            self.measure(0)

    def widen_the_cloud(self) -> None:
        """The same pairs with more of their entries: each dot walks on."""
        with self.beat("The cloud widens", self.say.wider()):
            for i in range(1, len(STOPS)):
                above, cloud = self.clouds[i - 1], self.clouds[i]
                cloud.put(above.numbers, above.unit, above.row.top - cloud.row.top)
                spread = cloud.move(self.pairs.products[i], above.unit)
                self.play(spread, FadeIn(self.stops[i]), run_time=1.2)
                self.measure(i)

    def divide_the_clouds(self) -> None:
        """Each by its own root: all narrow, then all alike when looked at closely."""
        with self.beat("Divide", self.say.alike()):
            self.play(*self.write_divisors(), run_time=0.5)
            moves = zip(self.clouds, self.pairs.scaled)
            self.play(*(cloud.move(row, self.unit_of(self.wide)) for cloud, row in moves),
                      run_time=1.6)  # fmt: skip
            self.play(*self.write_deviations(), run_time=0.6)
            near = self.axis(self.pairs.scaled)
            closer = [cloud.move(cloud.numbers, self.unit_of(near)) for cloud in self.clouds]
            self.play(*closer, FadeOut(self.wide), FadeIn(near), run_time=1.6)
        gone = (near, self.source, self.signs, *self.headings, *self.stops, *self.clouds,
                *self.deviations, *self.roots)  # fmt: skip
        self.play(*map(FadeOut, gone), *self.dimmed(self.theme.ink), run_time=0.6)

    def divide_our_scores(self) -> None:
        """The sentence's own scores, each under its word."""
        with self.beat("Our scores", self.say.ours()):
            bars, outlines = self.score_bars()
            self.play(FadeIn(bars), self.write_list("scores", self.scores), run_time=0.7)
            self.add(outlines)
            divisor = self.write_divisor()
            if divisor:
                self.play(FadeIn(divisor), run_time=0.5)
                self.play(*(self.send(divisor, score) for score in self.before), run_time=0.9)
                name = self.name_of_row("scaled")
                renamed = (FadeOut(self.row_name), FadeIn(name))
                self.swap(self.before, self.after, *renamed, self.shrink(bars), run_time=1.2)
                self.play(self.write_list("scaled", self.scaled), run_time=0.6)

    def keep_the_size(self) -> None:
        """In one symbol."""
        with self.beat("The same size", self.say.same_size()):
            self.play(FadeOut(self.board.wipe()), run_time=0.4)
            symbol = math("frac({{ q : q }} dot.op {{ k : k }}, sqrt(d_k))", self.theme.ink, 1.5)
            symbol.select("q").set_color(self.role("query"))
            symbol.select("k").set_color(self.role("key"))
            self.play(FadeIn(symbol.move_to((*self.zones.working.center, 0.0))), run_time=0.7)

    # The picture

    def lay_out(self) -> None:
        """Words and scores on top, the keys under them; below, room for clouds and numbers."""
        self.small, digits = self.sized(SMALL), self.settings.digits
        shown, focus = list(self.shown), self.focus
        self.scores = self.attention.scores[focus, shown]
        self.scaled = self.attention.scaled[focus, shown]
        self.say = ScalingWords(
            self.attention, focus, self.sentence.scaled, self.sentence.temperature, digits
        )
        self.pairs = draw_pairs()
        self.row = self.word_row()
        stage = self.zones.stage
        self.score_line = stage.top - 0.2
        self.before, self.after = self.score_row(self.scores), self.score_row(self.scaled)
        self.row_name = self.name_of_row("score")
        depth = max(self.before.depth, self.after.depth) + 0.3
        self.under = Box(stage.left, stage.right, stage.bottom, stage.top - depth)
        self.columns = self.key_columns()
        self.board = Board(self.zones.working, zoom=self.zones.zoom)
        self.lists_to_come = 2.6
        self.lay_out_clouds()
        self.add(self.row, self.before, self.row_name)

    def key_columns(self) -> VGroup:
        """Each key under its word; where room is short only the focus word's own, in the middle."""
        keys, digits = self.attention.key[list(self.shown)], self.settings.digits
        rows = min(self.say.d_k, MOST_ENTRIES) + 1
        size = min(self.sized(BODY) * 1.4, self.under.height / (1.6 * rows))
        width, y = min(self.row.pitch * 0.92, 1.6), self.under.center[1]
        columns = VGroup(*(EntryColumn("key", k, self.theme, size, width, digits) for k in keys))
        if min(number.em for column in columns for number in column.numbers) < self.sized(0.0):
            own = keys[self.focus_column]
            only = EntryColumn("key", own, self.theme, size, 0.8 * self.under.width, digits)
            return VGroup(only.shift((*self.under.center, 0.0)))
        for column, x in zip(columns, self.row.columns):
            column.shift((x, y, 0.0))
        return columns

    def score_row(self, scores: Numbers) -> NumberRow:
        """Scores, each under its word."""
        return NumberRow(
            write_entries(scores, self.settings.digits), self.row.columns, self.row.pitch,
            self.score_line, self.sized(BODY), self.sized(0.0), self.theme.ink,
        )  # fmt: skip

    def name_of_row(self, text: str) -> Text:
        """What stands in the row under the words."""
        name = self.text(text, SMALL, self.theme.dim)
        left, first = self.zones.stage.left, self.row.columns[0]
        room = first - max(float(row[0].width) for row in (self.before, self.after)) / 2 - 0.12
        name.scale(min(1.0, (room - left) / name.width))
        name.align_to((left, 0.0, 0.0), (-1.0, 0.0, 0.0))
        return name.on_baseline(self.score_line - 0.1)

    def dimmed(self, color: str) -> list[Animation]:
        """Words and scores in `color`; the focus word is lit again with ink."""
        colors = [color] * len(self.row)
        if color == self.theme.ink:
            colors[self.focus_column] = self.theme.highlight
        words = [word.animate.set_color(c) for word, c in zip(self.row, colors)]
        return [*words, self.before.animate.set_color(color)]

    # Entries and terms

    def count_down_the_key(self) -> None:
        """Every key's entries lit one after another, and counted on the board."""
        size, d_k = self.sized(0.8), self.say.d_k
        name = self.text("dₖ =", 0.8).on_baseline(-0.36 * size)
        count = self.figures("1", 0.8, self.role("key"), 650)
        line = self.board.write(in_a_row(name, count, gap=0.25))
        line.shift((0.0, self.zones.working.center[1] - float(line.get_center()[1]), 0.0))
        left, middle = float(count.get_left()[0]), count.middle
        keys = self.columns
        for i in range(len(keys[0].numbers)):
            comes = [FadeIn(line)] if i == 0 else []
            count.rewrite(str(i + 1), left, middle, edge=-1)
            entries = [key.numbers[i].animate.set_color(self.theme.highlight) for key in keys]
            self.play(*comes, *entries, run_time=0.45)
        if len(keys[0].numbers) < d_k:
            count.rewrite(str(d_k), left, middle, edge=-1)
            dots = [key.dots.animate.set_color(self.theme.highlight) for key in keys]
            self.play(*dots, run_time=0.45)
        self.play(*(key.animate.tint(self.role("key")) for key in keys), run_time=0.4)

    def products_of_a_pair(self, board: Board) -> Products:
        """The first of the random pairs on the board, entry by entry."""
        query, key = self.pairs.query, self.pairs.key
        size = min(self.sized(BODY), board.box.height / (1.5 * (len(query) + 1.8)))
        terms = query * key
        products = Products(
            query, key, terms, float(terms.sum()), self.theme, size, EXACT, most=len(query)
        )  # fmt: skip
        board.write(products)
        return products

    # Clouds

    def lay_out_clouds(self) -> None:
        """A row a stop: its d_k at the left, dots, and on the board what they measure."""
        under, working = self.under, self.zones.working
        top, beside = under.top - 1.3 * self.small, working
        is_below, bottom = working.left < under.right, under.bottom
        if is_below:  # numbers still stand beside their cloud, and clouds on the board as well
            beside = Box(under.right - 0.4 * under.width, under.right, bottom, top)
            bottom = working.bottom + 2.6 * self.small
        right = min(under.right, beside.left - 0.3)
        self.cloud_box = Box(under.left + 0.8 * ROW_NAMES, right, bottom, top)
        self.wide = self.axis(self.pairs.products)
        box = self.wide.box
        pitch = box.height / len(STOPS)
        rows = [Box(box.left, box.right, top - pitch * (i + 1), top - pitch * i)
                for i in range(len(STOPS))]  # fmt: skip
        zero = self.wide.at(0.0)
        self.clouds = [Cloud(self.pairs.heights, row, zero, self.theme) for row in rows]
        edges = (box.left - 0.3, beside.left + 0.5 * beside.width, beside.right)
        columns = [
            [str(stop) for stop in STOPS],
            write_entries(self.pairs.products.std(axis=1), self.settings.digits),
            write_entries(np.sqrt(np.array(STOPS)), self.settings.digits),
        ]
        ink, texts = self.theme.ink, [f"÷ {text}" for column in columns for text in column]
        widest = max(float(Number(text, 1.0, ink, 600).width) for text in texts)
        room = min(pitch * 0.8, (0.5 * beside.width - 0.35) / widest)
        self.figure_size = min(BODY * 1.1, room / self.settings.font_scale)
        self.stops, self.deviations, self.roots = (
            [self.figure(text, edge, row.center[1]) for text, row in zip(texts, rows)]
            for texts, edge in zip(columns, edges)
        )
        names = zip(("dₖ", "deviation", "√dₖ"), edges)
        self.headings = [self.heading(name, edge, top + 0.3 * self.small) for name, edge in names]
        self.name_the_source(is_below=is_below)

    def name_the_source(self, *, is_below: bool) -> None:
        """Where random numbers come from: on top of the board, or at the end of one below."""
        working, side = self.zones.working, 1.0 if is_below else -1.0
        lines = (f"{DRAWS:,} pairs, seed {SEED};", "entries: mean 0, variance 1")
        self.source = VGroup(*(self.text(line, SMALL, self.theme.dim) for line in lines))
        self.source.scale(min(1.0, working.width / self.source.width))
        for i, line in enumerate(self.source):
            line.align_to(
                (self.zones.stage.right if is_below else working.left, 0, 0), (side, 0, 0)
            )
            first = working.bottom + 1.65 * self.small if is_below else working.top - self.small
            line.on_baseline(first - 1.35 * self.small * i)
        top = working.top - (0.0 if is_below else 3.2 * self.small)
        bottom = working.bottom + (3.1 * self.small if is_below else 0.0)
        self.pair_box = Box(working.left, working.right, bottom, top)

    def axis(self, numbers: Numbers, bottom: float | None = None) -> ValueAxis:
        """A line of numbers that holds all of `numbers`, under the clouds or at `bottom`."""
        most, box = 1.04 * float(np.abs(numbers).max()), self.cloud_box
        box = box if bottom is None else replace(box, bottom=bottom)
        return ValueAxis(most, box, self.theme, self.small)

    def unit_of(self, axis: ValueAxis) -> float:
        """How long 1 is."""
        return axis.at(1.0) - axis.at(0.0)

    def figure(self, text: str, right: float, y: float) -> Number:
        """A number in a cloud's row."""
        return self.figures(text, self.figure_size, weight=600).rewrite(text, right, y, edge=1)

    def heading(self, text: str, right: float, baseline: float) -> Text:
        """The name of a column of numbers."""
        label = self.text(text, SMALL, self.theme.dim).on_baseline(baseline)
        return label.align_to((right, 0.0, 0.0), (1.0, 0.0, 0.0))

    def measure(self, i: int) -> None:
        """What the bracket measures, and the root beside it."""
        comes = FadeIn(self.deviations[i], target_position=self.clouds[i].bracket)
        self.play(comes, run_time=0.6)
        self.play(FadeIn(self.roots[i]), run_time=0.3)

    def write_divisors(self) -> list[Animation]:
        """A ÷ before every root."""
        self.signs = VGroup()
        for root in self.roots:
            sign = self.figures("÷", self.figure_size, self.theme.highlight, 600)
            left = float(root.get_left()[0]) - 0.15
            self.signs.add(sign.rewrite("÷", left, root.middle, edge=1))
        lit = [root.animate.set_color(self.theme.highlight) for root in self.roots]
        return [FadeIn(self.signs), *lit]

    def write_deviations(self) -> list[Animation]:
        """What the divided clouds measure, in place of what they measured."""
        texts = write_entries(self.pairs.scaled.std(axis=1), self.settings.digits)
        old, self.deviations = self.deviations, [
            self.figure(text, float(was.get_right()[0]), was.middle)
            for text, was in zip(texts, self.deviations)
        ]  # fmt: skip
        return [*map(FadeOut, old), *map(FadeIn, self.deviations)]

    # Our scores

    def score_bars(self) -> tuple[BarRow, VGroup]:
        """The scores as bars under their words, and their outlines, which stay."""
        both = np.concatenate((self.scores, self.scaled))
        high, low = max(float(both.max()), 0.0), max(-float(both.min()), 0.0)
        box, reach = self.under, (high + low) or 1.0
        self.bar_unit = box.height / reach
        base = box.bottom + low * self.bar_unit
        bars = BarRow(
            self.row.columns, self.row.pitch, base, self.theme, [False] * len(self.scores)
        ).stand(self.scores * self.bar_unit, [self.theme.weight] * len(self.scores))
        outlines = bars.bars.copy().set_fill(opacity=0.0).set_stroke(self.theme.faint)
        return bars, outlines

    def shrink(self, bars: BarRow) -> Animation:
        """Bars on their way from the scores to the scaled ones."""
        start, way = self.scores, self.scaled - self.scores
        stand = lambda row, alpha: row.stand((start + way * alpha) * self.bar_unit)  # noqa: E731
        return UpdateFromAlphaFunc(bars, stand)

    def write_list(self, name: str, numbers: Numbers) -> Animation:
        """The numbers as a list on the board, where all of them find room there."""
        board, digits = self.board, self.settings.digits
        label = self.text(name, SMALL, self.theme.dim)
        for size in (1.15 * self.sized(BODY), self.sized(BODY), self.small):
            block = listed(numbers, digits, size, self.theme.ink, board.box.width)
            if len(block) == 1:
                break
        lines = len(block) * 1.4 * size / board.leading
        if board.leading * (lines + 1) > (board.cursor - board.box.bottom) / self.lists_to_come:
            return Animation(self.row)
        self.lists_to_come = 1
        return FadeIn(VGroup(board.write(label, space=0.85), board.write(block, space=lines + 0.4)))

    def write_divisor(self) -> Number | None:
        """What all are divided by, on the board; None where nothing is."""
        if not self.say.divisor:
            return None
        text = f"÷ {self.say.divisor}"
        divisor = self.figures(text, BODY * 1.3, self.theme.highlight, 650)
        self.board.write(divisor, space=1.4)
        return divisor

    def send(self, divisor: Number, score: Number) -> Animation:
        """A copy of the divisor on its way to a score, where it is used up."""
        goal = divisor.copy().move_to(score).set_opacity(0.0)
        return ReplacementTransform(divisor.copy(), goal)
