"""Scene 8: does attention know which word came first?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import (
    Animation,
    FadeIn,
    FadeOut,
    LaggedStart,
    Mobject,
    ReplacementTransform,
    Restore,
    VGroup,
)
from numpy.typing import NDArray

from engine import attention_of, sinusoidal_positions
from engine.attention import Attention
from engine.notation import write_list
from engine.sentence import embeddings_of
from scenes.parts.columns import EntryColumn
from scenes.parts.grid import Grid, boxes_shape
from scenes.parts.hands import Hands
from scenes.parts.layout import ROW_NAMES, Box
from scenes.parts.moving_grid import MovingGrid, travel
from scenes.parts.number import Number
from scenes.parts.word import WordRow
from scenes.parts.word_lines import RoleTiles, output_lines
from scenes.parts.written import output_written
from scenes.reordered import in_order, with_positions, without_order
from scenes.shuffle_words import ShuffleWords
from scenes.stage import BODY, SMALL, AttentionScene

Floats = NDArray[np.floating]

GAP, ARC = 0.3, 0.26
DIMMED = 0.5
HAND, BESIDE_HAND = 0.28, 0.2
"""The radius of a dial beside a line, and the room between the two."""


class Shuffle(AttentionScene):
    """To attention alone a sentence is a bag of words, until positions are added."""

    title = "Shuffle"
    lit = ("scores", "value")

    cells: MovingGrid
    outputs: VGroup
    head: Mobject

    def construct(self) -> None:
        """What words collect; shuffled it is the same; with positions it isn't."""
        self.choose_numbers()
        self.lay_out()
        if len(self.words) == 1:
            self.tell_of_one_word()
            return
        self.show_what_words_collect()
        self.change_rows_of_q_k_v()
        self.let_the_grid_follow()
        self.collect_the_same()
        self.give_places_hands()
        self.send_words_back()
        self.add_positions()
        self.shuffle_again()
        self.close()

    # The story

    def tell_of_one_word(self) -> None:
        """Nothing to shuffle."""
        with self.beat("One word", self.say.alone()):
            self.wait(0.2)

    def show_what_words_collect(self) -> None:
        """The grid of weights, and each word's output beside its row."""
        with self.beat("What words collect", self.say.collecting()):
            names = (self.grid.names, self.line_names)
            self.play(FadeIn(self.grid.axes), *map(FadeIn, names), run_time=0.5)
            self.show_grid(self.plain)
            self.outputs = self.output_column(self.plain.output, self.zones.working.right)
            self.head = self.heading("output", self.zones.working.right)
            self.play(FadeIn(self.outputs), FadeIn(self.head), run_time=0.6)

    def change_rows_of_q_k_v(self) -> None:
        """The rows of Q, K and V change places."""
        with self.beat("Rows change places", self.say.changing()):
            left, size = self.zones.working.left + self.room_for_names, self.sized(BODY)
            height = self.line_pitch
            self.tiles = [RoleTiles(left, y, height, self.theme, size) for y in self.line_ys]
            self.tiles[self.focus_column].light()
            self.play(*map(FadeIn, self.tiles), run_time=0.6)
            # What stands in a row until it follows isn't that row's word's.
            self.cells.save_state()
            dims = (self.cells.animate.fade(DIMMED), self.outputs.animate.fade(DIMMED))
            self.play(*dims, run_time=0.4)
            self.play(*self.moving_lines(self.tiles, bend=0.5), *self.moving_names(), run_time=1.8)

    def let_the_grid_follow(self) -> None:
        """Rows follow the queries, columns the keys; every number stays as it is."""
        with self.beat("The grid follows", self.say.following()):
            self.play(Restore(self.cells), run_time=0.3)
            self.play(*self.cells.move_rows(self.places), run_time=1.6)
            self.play(
                *self.cells.move_columns(self.places), *self.move_words(self.goals), run_time=1.6
            )

    def collect_the_same(self) -> None:
        """Outputs follow their words."""
        with self.beat("The same again", self.say.same()):
            self.play(*self.moving_lines(self.outputs, bend=-0.6), run_time=1.5)
            self.play(self.outputs.animate.set_opacity(1.0), run_time=0.4)
            self.mark = self.around_focus(self.outputs)
            self.play(FadeIn(self.mark), run_time=0.4)
        with self.beat("A bag of words", self.say.bag()):
            self.play(FadeOut(self.mark), run_time=0.3)

    def give_places_hands(self) -> None:
        """Positions, as hands on a dial under each place."""
        with self.beat("Hands", self.say.hands()):
            standing = self.standing_in(self.below_words)
            gone = dict.fromkeys((*standing, self.grid.axes, self.head))
            self.play(*map(FadeOut, gone), run_time=0.5)
            self.light()
            self.make_hands()
            self.play(FadeIn(self.legend), run_time=0.3)
            come = [FadeIn(VGroup(*parts)) for parts in zip(self.hands, self.hand_numbers)]
            self.play(LaggedStart(*come, lag_ratio=0.4), run_time=1.8)

    def send_words_back(self) -> None:
        """Words return to their old order; the hands stay."""
        with self.beat("Place, not word", self.say.staying()):
            self.play(*self.move_words(self.homes), run_time=1.6)

    def add_positions(self) -> None:
        """Weights and outputs with positions added."""
        with self.beat("Added", self.say.adding()):
            self.light("scores", "value")
            self.shrink_hands()
            self.make_grid()
            names = (self.grid.names, self.line_names)
            self.play(FadeIn(self.grid.axes), *map(FadeIn, names), run_time=0.4)
            self.show_grid(self.placed)
            middle = self.zones.working.right - self.line_width - GAP
            self.outputs = self.output_column(self.placed.output, middle)
            self.head = self.heading("in order", middle)
            self.play(FadeIn(self.outputs), FadeIn(self.head), run_time=0.6)

    def shuffle_again(self) -> None:
        """The same shuffle: now weights change, and so do outputs."""
        with self.beat("Shuffle again", self.say.changed()):
            self.play(
                *self.moving_names(), *self.cells.move_rows(self.places),
                *self.moving_lines(self.outputs, bend=-0.3), run_time=1.4,
            )  # fmt: skip
            self.play(
                *self.cells.move_columns(self.places), *self.move_words(self.goals), run_time=1.4
            )
            new = self.filled(self.shuffled)
            self.play(FadeOut(self.cells), FadeIn(new), run_time=0.8)
            self.cells = new
            right = self.zones.working.right
            others = self.output_column(self.shuffled.output, right)
            self.play(FadeIn(others), FadeIn(self.heading("shuffled", right)), run_time=0.6)
            both = [VGroup(self.outputs[place], line) for place, line in zip(self.places, others)]
            self.mark = self.around_focus([both[place] for place in self.places])
            self.play(FadeIn(self.mark), run_time=0.4)

    def close(self) -> None:
        """What to take along."""
        with self.beat("Until positions", self.say.close()):
            self.wait(0.2)

    # The numbers

    def choose_numbers(self) -> None:
        """Attention without anything that knows of order, then with positions, in both orders."""
        shown, sentence = list(self.shown), self.sentence
        order = np.arange(len(sentence.words))
        order[shown] = shown[::-1]
        self.order = [int(j) for j in order]
        self.places = list(range(len(shown)))[::-1]
        head = self.settings.head
        self.plain = attention_of(without_order(sentence), head)
        self.placed = attention_of(with_positions(sentence), head)
        self.shuffled = attention_of(in_order(with_positions(sentence), self.order), head)
        self.say = ShuffleWords(
            sentence, self.words[::-1], self.placed.output[self.focus],
            self.shuffled.output[self.order.index(self.focus)], self.settings.digits,
            "column" if self.settings.rows == "keys" else "row",
            self.position_rows().shape[-1],
        )  # fmt: skip

    def position_rows(self) -> Floats:
        """The positions of the places shown, as wide as what they are added to."""
        x = embeddings_of(self.sentence)
        has_own = self.sentence.heads[self.settings.head].query is not None
        width = self.placed.query.shape[-1] if has_own or x is None else x.shape[-1]
        rows = sinusoidal_positions(len(self.sentence.words), width)
        return np.asarray(rows[list(self.shown)])

    # The picture

    def lay_out(self) -> None:
        """Words on top, the grid under them, outputs beside its rows."""
        self.row = self.word_row()
        self.add(self.row)
        turned = WordRow(self.words[::-1], self.zones.words, self.theme, self.sized(0.42))
        self.goals = [np.array(word.get_center()) for word in turned][::-1]
        self.homes = [np.array(word.get_center()) for word in self.row]
        stage, working = self.zones.stage, self.zones.working
        self.is_stacked = working.left < stage.right
        self.below_words = Box(
            stage.left, max(stage.right, working.right), min(stage.bottom, working.bottom),
            stage.top + 0.1,
        )  # fmt: skip
        self.make_grid()

    def make_grid(self) -> None:
        """An empty grid under the words."""
        self.grid = Grid(
            self.words, self.row.columns, self.row.pitch, self.zones, self.theme,
            size=self.sized(BODY) * 1.1, small=self.sized(SMALL), rows=self.settings.rows,
        )  # fmt: skip
        self.grid.names[self.focus_column].set_color(self.theme.highlight)
        self.lines = self.grid.outline(self.grid.cells)
        self.place_lines()

    def place_lines(self) -> None:
        """Where each word's line is: beside its row, or upright under the grid, named again."""
        working, n = self.zones.working, len(self.words)
        self.line_names = VGroup()
        if not self.is_stacked:
            self.line_ys, self.line_pitch = self.grid.rows, self.grid.cell_height
            self.room_for_names, hands = 0.0, HAND + BESIDE_HAND - 0.05
            self.line_width = (working.width - hands - GAP) / 2
            return
        self.line_pitch = min(0.8, (working.height - 0.5) / n)
        self.line_ys = [working.top - 0.5 - self.line_pitch * (i + 0.5) for i in range(n)]
        self.room_for_names = ROW_NAMES + 0.12 + 2 * HAND + BESIDE_HAND
        self.line_width = (working.width - self.room_for_names - GAP) / 2
        for word, y in zip(self.grid.names, self.line_ys):
            name = word.copy()
            x = working.left + ROW_NAMES - float(name.get_right()[0])
            self.line_names.add(name.shift((x, y - float(name.get_center()[1]), 0.0)))

    def filled(self, attention: Attention) -> MovingGrid:
        """The cells of an attention among the words shown."""
        drawn = np.ix_(list(self.shown), list(self.shown))
        return MovingGrid(
            self.grid, attention.weights[drawn], np.isfinite(attention.masked[drawn]),
            self.settings.digits,
        )  # fmt: skip

    def show_grid(self, attention: Attention) -> None:
        """Cells come a row after another."""
        self.cells = self.filled(attention)
        rows = (FadeIn(VGroup(*row)) for row in self.cells.rows)
        self.play(FadeIn(self.lines), run_time=0.3)
        self.play(LaggedStart(*rows, lag_ratio=0.4), run_time=1.2)

    def move_words(self, goals: Sequence[Floats]) -> list[Animation]:
        """The words on top on their way, those to the right above those to the left."""
        ways = [goal - word.get_center() for word, goal in zip(self.row, goals)]
        bends = [np.array((0.0, ARC * np.sign(way[0]), 0.0)) for way in ways]
        return travel([[word] for word in self.row], ways, bends)

    def output_column(self, outputs: Floats, right: float) -> VGroup:
        """The outputs of the words shown beside their rows, ending at `right`."""
        width, size = self.line_width, self.sized(BODY) * 0.95
        for most in (2, 1):
            written = [output_written(outputs[j], self.settings.digits, most) for j in self.shown]
            lines = output_lines(written, self.line_ys, right, size, self.role("output"))
            widest = max(float(line.width) for line in lines)
            if widest * self.sized(SMALL) / size <= width:
                break
        for line in lines:
            line.scale(min(1.0, width / widest), about_point=(right, line.get_center()[1], 0.0))
        return lines

    def heading(self, text: str, right: float) -> Mobject:
        """The name of a column of outputs, over it."""
        name = self.text(text, SMALL, self.theme.dim)
        y = self.zones.working.top - 0.25 if self.is_stacked else self.zones.words.center[1]
        return name.align_to((right, 0.0, 0.0), (1.0, 0.0, 0.0)).on_baseline(y - 0.1)

    def moving_names(self) -> list[Animation]:
        """The names of the grid's rows, and of the lines where those are elsewhere."""
        moves = self.moving_lines(self.grid.names, ys=self.grid.rows)
        return [*moves, *self.moving_lines(self.line_names)] if self.is_stacked else moves

    def moving_lines(
        self, lines: Sequence[Mobject], bend: float = 0.0, ys: Sequence[float] = ()
    ) -> list[Animation]:
        """Lines at `ys` on their way; those that go down step aside by `bend`."""
        ys = ys or self.line_ys
        ways = [np.array((0.0, ys[place] - y, 0.0)) for y, place in zip(ys, self.places)]
        bends = [np.array((bend if way[1] < 0 else 0.0, 0.0, 0.0)) for way in ways]
        return travel([[line] for line in lines], ways, bends)

    def around_focus(self, lines: Sequence[Mobject]) -> Mobject:
        """A frame round what the focus word collects; lines are by word."""
        line = lines[self.focus_column]
        left, right = float(line.get_left()[0]), float(line.get_right()[0])
        y = self.line_ys[self.places[self.focus_column]]
        half = min(self.line_pitch * 0.42, 0.36)
        box = Box(left - 0.12, right + 0.12, y - half, y + half)
        return boxes_shape([box]).set_stroke(self.theme.highlight, 4 * self.theme.stroke)

    # Hands

    def make_hands(self) -> None:
        """A dial under each place, its number and what it adds."""
        stage, columns = self.zones.stage, self.row.columns
        radius = min(0.42 * self.row.pitch, 0.8)
        y = stage.center[1] + 0.5
        if self.is_stacked:
            y = (stage.top + self.zones.working.bottom) / 2 + radius + 0.6
        rows = self.position_rows()
        self.hands = VGroup(*(
            Hands(row, (x, y), radius, self.theme) for row, x in zip(rows, columns)
        ))  # fmt: skip
        self.hand_numbers = VGroup(*(VGroup() for _ in rows))
        size = self.sized(BODY)
        for group, x, j in zip(self.hand_numbers, columns, self.shown):
            group.add(Number(str(j), size, self.theme.dim).rewrite(str(j), x, y + radius + 0.35))
        texts = [write_list(row[:2], self.settings.digits) for row in rows]
        widest = max(float(Number(text, 1.0, self.theme.ink, 500).width) for text in texts)
        fits = min(size, self.row.pitch * 0.86 / widest)
        if fits >= 0.9 * size:
            for group, x, text in zip(self.hand_numbers, columns, texts):
                number = Number(text, fits, self.theme.ink, 500)
                group.add(number.rewrite(text, x, y - radius - 0.4))
        elif self.row.pitch > 2.6 * size:  # one under the other
            for group, x, row in zip(self.hand_numbers, columns, rows):
                width, digits = min(0.92 * self.row.pitch, 1.6), self.settings.digits
                column = EntryColumn("query", row[:2], self.theme, size, width, digits)
                lines = VGroup(column.numbers, column.brackets)
                column.numbers.set_color(self.theme.ink)
                top = np.array((x, y - radius - 0.3, 0.0))
                group.add(lines.shift(top - lines.get_top()))
        at = y - radius - 3.0 if self.is_stacked else y
        self.legend = self.explained(rows.shape[-1], at)

    def explained(self, width: int, y: float) -> VGroup:
        """What a hand is, at the right."""
        lines = ["at place p", "right: sin p", "up: cos p"][: 2 if width == 1 else 3]
        if width > 2:
            lines += ["further hands turn", "ever more slowly"]
        legend, leading = VGroup(), self.sized(BODY) * 1.5
        for i, line in enumerate(lines):
            text = self.text(line, BODY, self.theme.dim if i == 0 or i > 2 else self.theme.ink)
            text.align_to((self.zones.working.left + 0.25, 0.0, 0.0), (-1.0, 0.0, 0.0))
            legend.add(text.on_baseline(y + ((len(lines) - 1) / 2 - i) * leading - 0.1))
        return legend

    def shrink_hands(self) -> None:
        """Each dial travels to its place beside the grid's rows."""
        x = self.zones.working.right - 2 * self.line_width - GAP - BESIDE_HAND - HAND
        radius = min(HAND, 0.4 * self.line_pitch)
        rows = self.position_rows()
        small = VGroup(*(
            Hands(row, (x, y), radius, self.theme) for row, y in zip(rows, self.line_ys)
        ))  # fmt: skip
        for dial in small:
            dial.hands.set_stroke(width=3 * self.theme.stroke)
            dial[-1].scale(0.5)
        travel = [ReplacementTransform(a, b) for a, b in zip(self.hands, small)]
        gone = (FadeOut(self.legend), FadeOut(self.hand_numbers))
        self.play(*travel, *gone, run_time=1.0)
