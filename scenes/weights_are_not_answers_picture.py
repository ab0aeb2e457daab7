"""What scene 11 is made of: the values, three rows of bars, and other weights."""

from __future__ import annotations

import numpy as np
from manim import (
    Animation,
    FadeIn,
    FadeOut,
    Mobject,
    ReplacementTransform,
    UpdateFromAlphaFunc,
    VGroup,
)

from engine.attention import Attention
from engine.notation import write_list
from scenes.beats import shorten
from scenes.parts.board import Board, Equation
from scenes.parts.chain import ChainPicture
from scenes.parts.columns import ValueColumns
from scenes.parts.grid import boxes_shape
from scenes.parts.layout import Box
from scenes.parts.measured import MeasuredRow
from scenes.parts.number import Number
from scenes.parts.plane import Plane
from scenes.parts.shares import ShareCells
from scenes.parts.stretch import Stretch
from scenes.stage import BODY, SMALL, AttentionScene
from scenes.stretched_word import (
    TIMES,
    Floats,
    Places,
    choose_word,
    measure,
    other_weights,
    stretched,
    weights_without,
)  # fmt: skip
from scenes.weights_words import WeightsWords

FEW = 6
BOARD_LINES, LEADING = 8.0, 1.45
NAMES = ("weight", "|w · v|", "moved")
LEADS = ("largest weight", "gave most", "most missed")


class WeightsPicture(AttentionScene):
    """What is measured, and how it is drawn; `WeightsAreNotAnswers` tells the story."""

    # The numbers

    def choose_numbers(self) -> None:
        """Whose value to stretch, what that changes, and which other weights would do."""
        shown, focus, digits = list(self.shown), self.focus, self.settings.digits
        words, attention = self.sentence.words, self.attention
        star = choose_word(attention, focus, shown)
        self.star = star
        self.after = attention if star is None else stretched(attention, star, TIMES)
        self.star_column = -1 if star is None else shown.index(star)
        measures = measure(self.after, focus)
        self.say = WeightsWords(
            words, shown, focus, star, attention, self.after, measures, digits
        )  # fmt: skip
        self.gave, self.moved = measures.gave[shown], measures.moved[shown]
        self.most_missed = int(np.argmax(self.moved))
        row: Floats = attention.weights[focus]
        self.masked = [bool(np.isneginf(attention.masked[focus, j])) for j in shown]
        self.weights: Floats = row[shown]
        self.value: Floats = attention.value[shown]
        self.names = [shorten(word, 14 if len(shown) <= FEW else 8) for word in self.words]
        rest = [j for j in range(len(words)) if j not in shown]
        if rest and (total := row[rest].sum()) > 0:
            self.weights = np.append(self.weights, total)
            mean = row[rest] @ attention.value[rest] / total
            self.value = np.concatenate((self.value, mean[None]))
            self.names.append(f"{len(rest)} others")
        movable = np.arange(len(self.weights)) < len(shown)
        movable[: len(shown)] &= ~np.array(self.masked)
        self.other = other_weights(self.weights, self.value, movable)
        self.is_flat = self.value.shape[-1] <= 2

    # The picture

    def lay_out(self) -> None:
        """Words and weights on top, the values under them, the board at the right."""
        self.row = self.word_row()
        self.add(self.row)
        stage, n = self.zones.stage, len(self.words)
        y = stage.top - 0.2
        self.shares = ShareCells(
            self.weights[:n], [not m for m in self.masked], self.row.columns, y, self.row.pitch,
            self.theme, self.sized(SMALL), self.settings.digits,
        )  # fmt: skip
        label = self.text("weight", SMALL, self.theme.dim).on_baseline(y - 0.1)
        self.shares.add(label.align_to((stage.left, 0.0, 0.0), (-1.0, 0.0, 0.0)))
        self.plane_box = Box(stage.left, stage.right, stage.bottom, stage.top - 0.6)
        self.set_up_values()

    def set_up_values(self) -> None:
        """The values and the output, on a plane that also holds the output to come."""
        output, after = (a.output[self.focus] for a in (self.attention, self.after))
        if not self.is_flat:
            self.ground: Plane | ValueColumns = self.value_columns(self.attention)
            return
        self.picture = Stretch(
            self.value, self.names, output, after, max(self.star_column, 0), TIMES,
            self.focus_word, self.plane_box, self.theme, self.sized(SMALL),
        )  # fmt: skip
        self.ground = self.picture.plane

    def value_columns(self, attention: Attention) -> ValueColumns:
        """Values of more than two numbers, under their words, and what they mix."""
        return ValueColumns(
            attention.value[list(self.shown)], attention.output[self.focus], self.row.columns,
            self.plane_box, self.theme, self.sized(SMALL), self.settings.digits,
        )  # fmt: skip

    def around(self, *cells: Mobject) -> Mobject:
        """A frame round neighbouring cells."""
        group = VGroup(*cells)
        left, right = float(group.get_left()[0]), float(group.get_right()[0])
        box = Box(left, right, float(group.get_bottom()[1]), float(group.get_top()[1]))
        return boxes_shape([box]).set_stroke(self.theme.highlight, 5 * self.theme.stroke)

    def write_product(self) -> None:
        """Weight times length on the board, and the output under it."""
        theme, room = self.theme, self.zones.working.height / BOARD_LINES
        size = min(self.sized(BODY) * 1.25, room / LEADING)
        reach = [text for times in (1.0, TIMES) for text in self.say.product(times)]
        room = max(float(Number(text, size, theme.ink, 600).width) for text in reach)
        names = ("weight", "length of its value", "what it gives")
        colors = (theme.ink, self.role("value"), theme.ink)
        entries = list(zip(self.say.product(1.0), names, colors))
        self.product = Equation(entries, theme, size, room)
        self.board = Board(self.zones.working, size * LEADING)
        name = self.word(self.names[self.star_column], 2.5, BODY * 1.2, theme.highlight)
        self.board.write(name)
        self.board.write(self.product, space=3.6)
        self.output_number, label = self.output_line()
        self.play(FadeIn(name), *map(FadeIn, self.product.in_reading_order()), run_time=0.6)
        self.play(FadeIn(label), FadeIn(self.output_number), run_time=0.4)

    def output_line(self) -> tuple[Number, Mobject]:
        """The output as a number that can change, with its name over it."""
        texts = [self.say.output(a.output[self.focus]) for a in (self.attention, self.after)]
        label = self.text("output" if self.is_flat else "length of the output", SMALL,
                          self.theme.dim)  # fmt: skip
        self.board.write(label.on_baseline(0.0), space=0.75)
        size = min(self.sized(BODY) * 1.4, self.board.leading * 0.85)
        widest = max(float(Number(text, size, self.theme.ink, 600).width) for text in texts)
        size *= min(1.0, self.board.box.width * 0.9 / widest)
        number = Number(texts[0], size, self.role("output"), 600)
        self.board.write(number)
        return number, label

    # The value that grows

    def stretch(self) -> None:
        """The star's value and all that follows from it."""
        left, middle = self.output_number.get_left()[0], self.output_number.middle
        moving: list[Mobject] = [self.product, self.output_number]
        if self.is_flat:
            back = self.picture.step_back()
            if back:
                self.play(*back, run_time=0.9)
            output, label = self.picture.fan.arrows[-1], self.picture.fan.labels[-1]
            self.add(self.picture.leave_trace(), output, label)
            moving += self.picture.moving

        def update(_: Mobject, alpha: float) -> None:
            times = TIMES**alpha
            output = stretched(self.attention, self.star or 0, times).output[self.focus]
            self.product.rewrite(self.say.product(times))
            self.output_number.rewrite(self.say.output(output), float(left), middle, edge=-1)
            if self.is_flat:
                self.picture.grow(times, output)

        fades = [] if self.is_flat else self.changed_columns()
        self.play(UpdateFromAlphaFunc(moving[0], update), *map(Animation, moving[1:]), *fades,
                  run_time=2.8)  # fmt: skip

    def changed_columns(self) -> list[Animation]:
        """The star's column and the output's fade to what they become."""
        old, new, j = self.ground, self.value_columns(self.after), self.star_column
        assert isinstance(old, ValueColumns)
        come = (new.values[j], new.output)
        return [FadeOut(old.values[j]), FadeOut(old.output), *map(FadeIn, come)]

    # The measures

    def make_rows(self) -> None:
        """Three rows of bars under one another, each to a scale of its own."""
        stage, sizes = self.zones.stage, (self.sized(BODY), self.sized(SMALL))
        pitch = stage.height / 3
        measured = (self.weights[: len(self.words)], self.gave, self.moved)
        colors = (self.theme.weight, self.role("value"), self.role("output"))
        self.rows = []
        for i, (name, numbers, color) in enumerate(zip(NAMES, measured, colors)):
            top = stage.top - i * pitch
            box = Box(stage.left, stage.right, top - pitch + 0.1, top - 0.1)
            texts = self.say.written(numbers)
            self.rows.append(MeasuredRow(
                name, numbers, texts, self.row.columns, self.row.pitch, box, color, self.theme,
                sizes, self.masked,
            ))  # fmt: skip

    def cells_to_bars(self) -> None:
        """The weights' cells give way to bars; their numbers travel under them."""
        row, weights = self.rows[0], self.weights[: len(self.words)]
        row.show(weights * 0, self.say.written(weights))
        numbers = row.numbers.copy()
        cells = VGroup(*(part for part in self.shares if part is not self.shares.numbers))
        self.remove(self.shares.numbers)
        travel = ReplacementTransform(self.shares.numbers.copy(), numbers)
        self.play(travel, FadeOut(cells), FadeIn(row.bars), FadeIn(row.name), run_time=0.7)
        self.remove(numbers)
        texts = self.say.written(weights)
        self.play(row.change(weights * 0, weights, lambda _: texts), run_time=0.8)

    def start_flat(self, which: int) -> None:
        """A row comes without bars and without numbers."""
        row, nothing = self.rows[which], np.zeros(len(self.words))
        row.show(nothing, [""] * len(nothing))
        self.play(FadeIn(row.bars), FadeIn(row.name), run_time=0.4)
        self.add(row)

    def raise_bars(self, which: int, start: Floats, end: Floats, run_time: float) -> None:
        """Bars and their numbers on their way to another state."""
        self.play(self.rows[which].change(start, end, self.say.written), run_time=run_time)

    def leave_out(self, j: int, seen: Places) -> None:
        """Word j goes, the others share its weight, and how far the output moves is shown.

        seen: for which words that has been shown before.
        """
        weights, is_here = self.weights[: len(self.words)], np.arange(len(self.words)) != j
        without = weights_without(self.after, self.focus, self.shown[j])[list(self.shown)]
        word, color = self.row[j], self.row[j][0].get_fill_color()

        def others(numbers: Floats) -> list[str]:
            return [t if here else "" for t, here in zip(self.say.written(numbers), is_here)]

        def moved(numbers: Floats) -> list[str]:
            return [t if s else "" for t, s in zip(self.say.written(numbers), seen | ~is_here)]

        row, moves = self.rows[0], self.rows[2]
        goes = word.animate.set_opacity(0.25)
        self.play(goes, row.change(weights, without, others), run_time=0.55)
        start, end = self.moved * seen, self.moved * (seen | ~is_here)
        self.play(moves.change(start, end, moved), run_time=0.45)
        comes = word.animate.set_opacity(1.0).set_color(color)
        self.play(comes, row.change(without, weights, self.say.written), run_time=0.4)

    def name_first(self, which: int) -> None:
        """The word that a measure puts first, at its right."""
        m, row = self.say.measures, self.rows[which]
        leaders = self.say.leaders((m.weights, m.gave, m.moved)[which])
        if not leaders:
            return
        columns = [self.shown.index(j) for j in leaders]
        text = self.words[columns[0]] if len(columns) == 1 else "several"
        name = self.word(text, 3.2, BODY * 1.6, self.theme.highlight)
        left, y = self.zones.working.left + 0.25, row.bars.base + 0.62
        if self.zones.working.left < self.zones.stage.right:  # upright: under the rows
            pitch = min(1.5, (self.zones.working.height - 1.2) / 2)
            y = self.zones.working.top - 0.4 - pitch * which
        name.shift((left - float(name.get_left()[0]), y, 0.0))
        label = self.text(LEADS[which], SMALL, self.theme.dim)
        label.align_to((left, 0.0, 0.0), (-1.0, 0.0, 0.0)).on_baseline(y - 0.7)
        lit = (row.numbers[j].animate.set_color(self.theme.highlight) for j in columns)
        self.play(FadeIn(name), FadeIn(label), *lit, run_time=0.5)

    # Other weights

    def set_up_mixture(self) -> None:
        """The sentence's own values again, their shares head to tail, and the output."""
        self.shares.show(self.weights[: len(self.words)])
        self.board = Board(self.zones.working, self.sized(BODY) * 1.5, self.zones.zoom)
        output = self.attention.output[self.focus]
        if not self.is_flat:
            columns = self.value_columns(self.attention)
            self.play(FadeIn(self.shares), FadeIn(columns), run_time=0.7)
            return
        chain = ChainPicture(
            self.value, self.weights, output, self.names, self.focus_word, self.plane_box,
            self.theme, self.sized(SMALL),
        )  # fmt: skip
        self.mixture = chain.mixture
        self.play(FadeIn(self.shares), FadeIn(chain.behind), run_time=0.7)
        self.play(*map(FadeIn, chain.front), run_time=0.6)

    def moving_weights(self, other: Floats) -> Animation:
        """The weights on their way to others; the chain bends, and its end stays."""
        start = self.weights

        def path(alpha: float) -> Floats:
            return np.asarray(start + (other - start) * alpha)

        def follow(weights: Floats) -> None:
            self.shares.show(weights[: len(self.words)])

        if self.is_flat:
            return self.mixture.reweigh(path, self.shares, follow)
        return UpdateFromAlphaFunc(self.shares, lambda _, alpha: follow(path(alpha)))

    def write_weights(self, name: str, weights: Floats) -> None:
        """A list of weights on the board, where it is short enough."""
        if len(self.weights) > 4:
            return
        self.write_on_board(name, write_list(weights, self.settings.digits), self.theme.ink)

    def write_output_of_both(self) -> None:
        """What both give."""
        output = self.attention.output[self.focus]
        name = "output of both" if self.is_flat else "length of the output of both"
        self.write_on_board(name, self.say.output(output), self.role("output"))

    def write_on_board(self, name: str, text: str, color: str) -> None:
        """Numbers with a name over them."""
        label = self.text(name, SMALL, self.theme.dim)
        number = self.figures(text, BODY * 1.15, color, 600)
        lines = VGroup(
            self.board.write(label.on_baseline(0.0), space=0.75),
            self.board.write(number, space=1.35),
        )
        self.play(FadeIn(lines), run_time=0.5)
