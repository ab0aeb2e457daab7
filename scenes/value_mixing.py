"""Scene 6: what does the word collect?"""

from __future__ import annotations

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, ReplacementTransform, VGroup

from engine import work_through
from engine.notation import write_list, write_share
from engine.softmax import FloatArray
from scenes.beats import quoted, shorten
from scenes.parts.board import LEADING, Board, in_a_row, listed
from scenes.parts.columns import ValueColumns
from scenes.parts.fan import Fan, Named
from scenes.parts.layout import Box, box_of
from scenes.parts.mixture import Mixture
from scenes.parts.number import Number
from scenes.parts.plane import Plane, on_plane
from scenes.parts.shares import ShareCells
from scenes.parts.tip import beside_tip
from scenes.parts.word import Word
from scenes.stage import BODY, SMALL, AttentionScene

OUTPUT = 8
"""So many entries of an output, at most, are listed."""


class ValueMixing(AttentionScene):
    """The output is a weighted average of the values, so it lies among them."""

    title = "Value mixing"
    lit = ("value",)

    def construct(self) -> None:
        """Ask, shrink each value to its share, lay them head to tail, stretch the band, compare."""
        self.choose_numbers()
        self.lay_out()
        self.ask_where()
        if not np.any(self.weights):
            self.collect_nothing()
            return
        self.shrink_to_shares()
        self.head_to_tail()
        self.stretch_the_band()
        self.compare_with_own()

    # The story

    def ask_where(self) -> None:
        """The values, and the weights that will mix them."""
        self.play(FadeIn(self.shares), run_time=0.6)
        if self.is_flat:
            self.play(FadeIn(self.plane), run_time=0.5)
            grow = [
                part
                for arrow, label in zip(self.fan.arrows, self.fan.labels)
                for part in (arrow.grow(), FadeIn(label))
            ]
            self.play(LaggedStart(*grow, lag_ratio=0.12), run_time=1.4)
        else:
            self.play(FadeIn(self.columns), run_time=0.8)
        self.ask(f"Where will the mixture that {self.quoted_focus} collects land?")

    def collect_nothing(self) -> None:
        """A word that may look at nothing."""
        with self.beat(
            "Nothing", f"{self.quoted_focus} may look at nothing, so it collects nothing."
        ):
            self.board.write(self.text("output", SMALL, self.theme.dim), space=0.9)
            size = self.sized(BODY) * 1.3
            output = listed(
                self.output, self.digits, size, self.role("output"), self.board.box.width, OUTPUT
            )
            self.play(FadeIn(self.board.write(output)), run_time=0.6)

    def shrink_to_shares(self) -> None:
        """Each weight slides to its value, which shrinks to its share."""
        with self.beat("Each to its share", "Each value shrinks to its word's share of attention."):
            for group in self.in_groups():
                self.play(*(self.slide_weight(j) for j in group), run_time=0.9)
                self.shrink(group)
                self.play(*(FadeIn(self.write_share_of(j)) for j in group), run_time=0.4)

    def head_to_tail(self) -> None:
        """The shares laid one after another end at the output."""
        written = write_list(self.output[:6], self.digits)
        if not self.is_flat:
            with self.beat("Add", "Added entry by entry, they are the output."):
                self.show_output_column()
                self.write_output()
            return
        with self.beat("Head to tail", f"Laid head to tail, they end at {written}. {self.note}"):
            self.play(FadeOut(self.fan.labels), run_time=0.3)
            for j in range(len(self.mixture.shares)):
                self.play(self.mixture.lay(j, self.weights), run_time=self.brief(0.8))
            self.show_output_arrow()
            self.write_output()

    def stretch_the_band(self) -> None:
        """However the weight is moved, the tip stays among the values."""
        seen = [j for j, weight in enumerate(self.weights) if weight > 0 or self.may_see[j]]
        if not self.is_flat:
            return
        with self.beat("A rubber band", "Stretch a rubber band around the values it can see."):
            self.play(Create(self.mixture.stretch_band(seen)), run_time=1.2)
        if len(seen) > 1:
            caption = "Move weight from word to word: the tip travels inside, never out."
            with self.beat("Move the weight", caption):
                self.move_weight_round(seen)

    def compare_with_own(self) -> None:
        """What the word had, what it has collected, and what a real layer does next."""
        own = write_list(self.value[self.focus_column][:6], self.digits)
        top = int(np.argmax(self.weights[: len(self.words)]))
        toward = (
            "That value still weighs most."
            if top == self.focus_column
            else f"What it collects is pulled toward {quoted(self.names[top])}."
        )
        caption = f"The value of {self.quoted_focus} itself was {own}. {toward}"
        with self.beat("Its own value", caption):
            if self.is_flat:
                self.light_own_value()
        with self.beat(
            "What comes next",
            f"A real layer takes this through W_O and adds it to what {self.quoted_focus} was.",
        ):
            self.wait(0.2)

    # The numbers

    def choose_numbers(self) -> None:
        """Weights and values of the words shown; the others together are one more share."""
        shown = list(self.shown)
        attention = self.attention
        weights, value = attention.weights[self.focus], attention.value
        self.output = attention.output[self.focus]
        self.digits = self.settings.digits
        self.names = [shorten(word, 14 if len(shown) <= 6 else 8) for word in self.words]
        self.weights, self.value = weights[shown], value[shown]
        rest = [j for j in range(len(weights)) if j not in shown]
        if rest and (total := weights[rest].sum()) > 0:
            self.weights = np.append(self.weights, total)
            mean = weights[rest] @ value[rest] / total
            self.value = np.concatenate((self.value, mean[None]))
            self.names.append(f"{len(rest)} others")
        mask = attention.mask
        allowed = np.ones(len(weights), bool) if mask is None else mask[self.focus]
        self.may_see = [*allowed[shown], *([True] * (len(self.names) - len(shown)))]
        self.is_flat = self.value.shape[-1] <= 2
        steps = work_through(attention, self.sentence.words, self.focus, self.digits)
        notes = [note for note in steps[-1].notes if "rounded ones" in note]
        self.note = "With the printed weights: " + notes[0].rpartition(" get ")[2] if notes else ""

    def in_groups(self) -> list[list[int]]:
        """Words to show one by one; of more than six, all at once."""
        each = list(range(len(self.names)))
        return [[j] for j in each] if len(each) <= 6 else [each]

    def brief(self, seconds: float) -> float:
        """Less time for each of many."""
        return seconds if len(self.names) <= 6 else seconds * 4 / len(self.names)

    # The picture

    def lay_out(self) -> None:
        """Words and weights on top, the plane of values under them, the board at the right."""
        self.row = self.word_row()
        self.add(self.row)
        stage, n = self.zones.stage, len(self.words)
        y = stage.top - 0.2
        self.shares = ShareCells(
            self.weights[:n], self.may_see[:n], self.row.columns, y, self.row.pitch, self.theme,
            self.sized(SMALL), self.digits,
        )  # fmt: skip
        label = self.text("weight", SMALL, self.theme.dim).on_baseline(y - 0.1)
        label.align_to((stage.left, 0.0, 0.0), (-1.0, 0.0, 0.0))
        self.shares.add(label)
        self.plane_box = Box(stage.left, stage.right, stage.bottom, stage.top - 0.6)
        self.written_weights: list[Number] = []
        leading = self.zones.working.height / (len(self.names) + 2.5)
        zoom = max(1.0, min(self.zones.zoom, leading / LEADING))
        self.board = Board(self.zones.working, min(LEADING, leading), zoom)
        if self.is_flat:
            flat = on_plane(self.value)
            points = [*flat, *on_plane([self.output])]
            line = self.value.shape[-1] == 1
            self.plane = Plane(points, self.plane_box, self.theme, is_line=line)
            named = [Named("value", value, name) for value, name in zip(flat, self.names)]
            self.fan = Fan(named, self.plane, self.theme, self.sized(SMALL))
            self.mixture = Mixture(self.value, self.weights, self.plane, self.theme)
        else:
            self.columns = self.value_columns(self.value).values

    def value_columns(self, vectors: FloatArray) -> ValueColumns:
        """A column of entries under each word, and the output's at the left."""
        return ValueColumns(
            vectors[: len(self.words)], self.output, self.row.columns, self.plane_box, self.theme,
            self.sized(SMALL), self.digits,
        )  # fmt: skip

    def slide_weight(self, j: int) -> ReplacementTransform:
        """A copy of word j's weight on its way to the value it weighs."""
        source = self.shares.numbers[min(j, len(self.words) - 1)].copy()
        goal = self.fan.labels[j] if self.is_flat else self.columns[min(j, len(self.columns) - 1)]
        travelling = source.copy().move_to(goal).set_opacity(0.0)
        return ReplacementTransform(source, travelling)

    def shrink(self, group: list[int]) -> None:
        """Values to their shares: arrows shrink over pale ones, columns change in place."""
        if self.is_flat:
            for j in group:
                self.fan.arrows[j].tint(self.theme.faint)
                self.fan.labels[j].set_color(self.theme.dim)
            self.play(
                *(self.mixture.shrink(j, float(self.weights[j])) for j in group), run_time=0.9
            )
            return
        shrunk = self.value_columns(self.weights[:, None] * self.value).values
        for j in (j for j in group if j < len(self.columns)):
            self.swap(self.columns[j], shrunk[j])
            self.columns.submobjects[j] = shrunk[j]

    def write_share_of(self, j: int) -> VGroup:
        """One line on the board: weight · value."""
        size = min(self.sized(BODY) * 1.1, self.board.leading / self.board.zoom / 1.35)
        weight = self.figures(write_share(float(self.weights[j]), self.digits), BODY)
        widest = self.figures(write_share(1e-9, self.digits), BODY)
        grows = (
            float(widest.width - weight.width) * size / weight.em if len(self.names) > 1 else 0.0
        )
        name = Word(
            self.names[j], size, self.theme.dim, width=1.37 - min(max(grows, 0.0), 0.6), weight=400
        )
        value = self.figures(write_list(self.value[j][:2], self.digits), BODY, self.role("value"))
        pieces = [weight, self.figures("·", BODY), value] if self.is_flat else [weight]
        for piece in pieces:
            piece.scale(size / piece.em, about_point=np.zeros(3))
        line = in_a_row(*pieces)
        name.shift((-float(name.get_left()[0]), -0.1 * size, 0.0))
        line.shift((1.45, 0.0, 0.0))
        self.written_weights.append(weight)
        return self.board.write(VGroup(name, line))

    def write_output(self) -> None:
        """The sum, under the shares."""
        self.board.skip(0.4)
        size = min(self.sized(BODY) * 1.3, self.board.leading / self.board.zoom * 0.9)
        label = self.text("output", SMALL, self.theme.dim)
        name = label.on_baseline(-0.1).shift((-float(label.get_left()[0]), 0, 0))
        room = self.board.box.width - 1.45
        output = listed(self.output, self.digits, size, self.role("output"), room, OUTPUT)
        if len(self.output) <= 2:
            output = self.figures(write_list(self.output, self.digits), BODY, self.role("output"))
            output.scale(min(size / output.em, room / output.width))
            self.written_output = output
        output.shift((1.45 - float(output.get_left()[0]), 0.0, 0.0))
        self.play(FadeIn(self.board.write(VGroup(name, output))), run_time=0.6)

    def rewrite_board(self, weights: FloatArray) -> None:
        """Other weights, and what they give, in the places of those written."""
        texts = [write_share(float(weight), self.digits) for weight in weights]
        texts.append(write_list(weights @ self.value, self.digits))
        for number, text in zip([*self.written_weights, self.written_output], texts):
            number.rewrite(text, float(number.get_right()[0]), number.middle, edge=1)

    def show_output_arrow(self) -> None:
        """The arrow from the origin to the chain's end, with its name."""
        arrow = self.mixture.output
        self.output_label = Word(
            f"o {self.focus_word}", self.sized(SMALL), self.role("output"), width=1.6, weight=650
        )
        self.follow_tip(self.weights)
        self.plane.clear_numbers([box_of(self.output_label)])
        self.play(arrow.grow(), FadeIn(self.output_label), run_time=1.0)

    def show_output_column(self) -> None:
        """The output's column at the left, its entries the sums of the rows."""
        column = self.value_columns(self.value).output
        copies = [c.copy() for c in self.columns]
        self.play(*(ReplacementTransform(c, column) for c in copies), run_time=1.2)

    def move_weight_round(self, seen: list[int]) -> None:
        """All weight to one word after another, and back."""
        stops = [j for j in seen if j < len(self.words)][:4]
        last = self.weights
        goals = [*(np.eye(len(self.weights))[j] * 0.94 + self.weights * 0.06 for j in stops)]
        written = [*self.written_weights, self.written_output]

        def follow(weights: FloatArray) -> None:
            self.shares.show(weights[: len(self.words)])
            self.follow_tip(weights)
            self.rewrite_board(weights)

        for goal in [*goals, self.weights]:
            path = lambda alpha, a=last, b=goal: a + (b - a) * alpha  # noqa: E731
            self.follow_tip(goal)
            self.plane.clear_numbers([box_of(self.output_label)])
            self.follow_tip(last)
            self.play(
                self.mixture.reweigh(
                    path, VGroup(self.shares, self.output_label, *written), follow
                ),
                run_time=1.1,
            )
            last = goal

    def follow_tip(self, weights: FloatArray) -> None:
        """The output's name keeps to its arrow."""
        tip, label = self.mixture.tip(weights), self.output_label
        above = np.array((0.0, 0.18 + label.height / 2, 0.0))
        way = tip - self.plane.place(np.zeros(2))
        label.move_to(tip + (above if self.mixture.is_line else beside_tip(way, label)))

    def light_own_value(self) -> None:
        """The focus word's own value, lit again, beside what it collected."""
        j = self.focus_column
        label, output = self.fan.labels[j], self.output_label
        label.shift((*box_of(label).off(box_of(output)), 0.0))
        self.plane.clear_numbers([box_of(label)])
        self.play(
            self.fan.arrows[j].animate.tint(self.role("value")),
            FadeIn(self.fan.labels[j].set_color(self.role("value"))),
            *(share.animate.tint(self.theme.faint) for share in self.mixture.shares),
            run_time=0.8,
        )
