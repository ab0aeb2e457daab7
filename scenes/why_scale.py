"""Scene 5: what goes wrong without scaling?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, FadeIn, FadeOut, Mobject, UpdateFromAlphaFunc, VGroup, linear
from numpy.typing import NDArray

from engine.notation import write_entries, write_share
from scenes.beats import shorten
from scenes.parts.bars import Twin
from scenes.parts.dial import Curve, Dial, StopPlot
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.type import Text
from scenes.stage import BODY, SMALL, AttentionScene
from scenes.why_scale_words import DRAWS, NUDGE, SEED, STOPS, Row, WhyScaleWords, largest_shares

Numbers = NDArray[np.floating]


class WhyScale(AttentionScene):
    """Without scaling softmax makes a hard pick, and a hard pick can't learn."""

    title = "Why scale"
    lit = ("scale",)
    has_notes = True

    def construct(self) -> None:
        """Twins, the dial of d_k, ten times the scores, a nudge, and scaling again."""
        self.lay_out()
        if self.say.count > 0:
            self.compare_twins()
        self.turn_the_dial()
        if self.say.count > 1:
            self.make_scores_large()
            self.nudge_both()
            self.scale_again()

    # The story

    def compare_twins(self) -> None:
        """Softmax of the same scores, scaled and not scaled."""
        with self.beat("Twins", self.say.twins()):
            tallest = max(float(row.shares.max()) for row in (self.say.scaled, self.say.plain))
            self.show_twins(tallest, (0, self.say.scaled, "scaled"))
            self.show_twins(tallest, (1, self.say.plain, "raw"))
        with self.beat("With few entries", self.say.difference()):
            self.write_largest()

    def turn_the_dial(self) -> None:
        """Random vectors, longer and longer: not scaled, the largest share goes to 1."""
        words = self.say.count if self.say.count > 1 else 4
        plain, scaled = largest_shares(words)
        with self.beat("A dial for d", self.say.draws(words)):
            self.play(*self.clear(), self.row.animate.set_color(self.theme.dim), run_time=0.5)
            self.show_dial(plain, scaled, words)
        with self.beat("Turn it", self.say.turned(plain)):
            self.play(*self.turn(plain, scaled), run_time=3.2, rate_func=linear)
        with self.beat("Still a choice", self.say.choice(scaled)):
            self.play(self.curves[0].animate.fade(0.7), run_time=0.5)

    def make_scores_large(self) -> None:
        """The scores as they are against ten times the scores."""
        with self.beat("Ten times", self.say.ten_times()):
            self.play(*self.clear(), *self.relight(), run_time=0.5)
            self.show_twins(1.0, (0, self.say.plain, "raw"), (1, self.say.large, "× 10"))
        with self.beat("A hard pick", self.say.pick()):
            self.write_largest()

    def nudge_both(self) -> None:
        """The same added to one input of both: how far does its share move?"""
        with self.beat("Nudge", self.say.nudge()):
            self.play(*self.clear_board(), *self.mark(self.theme.highlight), run_time=0.5)
            self.play(*self.nudge(), run_time=1.6)
            self.write_blocks("moved by", [self.say.moved(row) for row in self.rows.values()])
        with self.beat("Nothing to learn from", self.say.learning()):
            self.play(*self.nudge(back=True), run_time=0.9)
        self.play(*self.mark(self.theme.ink), *self.clear_board(), run_time=0.4)

    def scale_again(self) -> None:
        """The large scores over the root of as many entries: the first shares again."""
        old, old_name = self.twins[1], self.names[1][0]
        with self.beat("Scale", self.say.scaling()):
            self.write_divisor()
            twin = self.twin(self.say.scaled, self.boxes[1], 1.0)
            name = self.row_name("scaled", twin.line_of_inputs)
            outs = map(FadeOut, (old.inputs, old.numbers, old_name))
            self.play(*outs, FadeIn(twin.inputs), FadeIn(name), run_time=0.6)
            self.play(self.changing(old, self.say.large, self.say.scaled), run_time=1.0)
            self.rows[1] = self.say.scaled
            self.play(FadeIn(twin.numbers), *self.clear_board(), run_time=0.4)
            self.write_largest()

    # The picture

    def lay_out(self) -> None:
        """The words, and room for two rows of bars under them."""
        names = {j: shorten(word, 12) for j, word in zip(self.shown, self.words)}
        self.say = WhyScaleWords(
            self.attention, self.focus, self.sentence.temperature, names, self.settings.digits
        )
        self.sizes = (self.sized(BODY), self.sized(SMALL))
        self.row = self.word_row()
        self.add(self.row)
        stage = self.zones.stage
        bottom = min(stage.bottom, self.zones.working.bottom)
        middle = (stage.top + bottom) / 2
        self.boxes = (
            Box(stage.left, stage.right, middle + 0.12, stage.top),
            Box(stage.left, stage.right, bottom, middle - 0.12),
        )
        self.rows: dict[int, Row] = {}
        self.twins: dict[int, Twin] = {}
        self.names: dict[int, VGroup] = {}
        self.wait(0.3)

    def twin(self, row: Row, box: Box, tallest: float) -> Twin:
        """A row of softmax as bars over the words, the share `tallest` as high as there's room."""
        shown, digits = list(self.shown), self.settings.digits
        return Twin(
            [write_entries(row.inputs, digits)[j] for j in shown], row.shares[shown],
            self.share_texts(row), self.row.columns, self.row.pitch, box, tallest, self.theme,
            self.sizes, [bool(self.say.masked[j]) for j in shown],
        )  # fmt: skip

    def share_texts(self, row: Row) -> list[str]:
        """The shares of the words shown, as of one list."""
        texts = write_entries(row.shares, self.settings.digits)
        return [texts[j] for j in self.shown]

    def show_twins(self, tallest: float, *new: tuple[int, Row, str]) -> None:
        """Bring in what goes into softmax, let the bars grow, then write the shares.

        new: which of the two, its row and the name of what goes in; tallest: the largest share.
        """
        grow = []
        for which, row, name in new:
            twin = self.twin(row, self.boxes[which], tallest)
            lines = ((name, twin.line_of_inputs), ("share", twin.line_of_shares))
            self.rows[which], self.twins[which] = row, twin
            self.names[which] = VGroup(*(self.row_name(text, y) for text, y in lines))
            nothing = Row(row.inputs, 0 * row.shares)
            twin.show(nothing.shares[list(self.shown)], self.share_texts(row))
            grow.append(self.changing(twin, nothing, row))
        indices = [which for which, _, _ in new]
        twins, names = ([all_of[i] for i in indices] for all_of in (self.twins, self.names))
        comes = [piece for twin in twins for piece in (twin.inputs, twin.row)]
        self.play(*map(FadeIn, (*comes, *(name[0] for name in names))), run_time=0.4)
        self.play(*grow, run_time=0.7)
        written = (*(twin.numbers for twin in twins), *(name[1] for name in names))
        self.play(*map(FadeIn, written), run_time=0.3)

    def changing(self, twin: Twin, before: Row, after: Row) -> Animation:
        """The bars of a twin on their way from one row's shares to another's."""
        shown, texts = list(self.shown), self.share_texts(after)
        start, way = before.shares[shown], (after.shares - before.shares)[shown]
        return UpdateFromAlphaFunc(twin.row, lambda _, alpha: twin.show(start + way * alpha, texts))

    def write_divisor(self) -> None:
        """What the large scores are divided by, beside them."""
        x, y = self.zones.beside.left + 0.25, self.twins[1].line_of_inputs
        text = f"÷ {self.say.divisor}"
        self.play(FadeIn(self.figures(text, weight=600).rewrite(text, x, y, edge=-1)), run_time=0.5)

    def row_name(self, text: str, y: float) -> Mobject:
        """The name of a row, at the stage's left."""
        name = self.text(text, SMALL, self.theme.dim).on_baseline(y - 0.1)
        return name.align_to((self.zones.stage.left, 0.0, 0.0), (-1.0, 0.0, 0.0))

    def write_largest(self) -> None:
        """The largest share of both rows, on the board beside them; what words not shown have."""
        rows = list(self.rows.values())
        self.write_blocks("largest share", [self.say.largest(row) for row in rows])
        hidden = [j for j in range(len(self.sentence.words)) if j not in self.shown]
        if hidden:
            name = f"{len(hidden)} other{'s' if len(hidden) > 1 else ''}:"
            rests = [float(row.shares[hidden].sum()) for row in rows]
            self.write_others(name, [write_share(rest, self.settings.digits) for rest in rests])

    def write_blocks(self, name: str, texts: Sequence[str]) -> None:
        """A number beside each row, with its name under it."""
        left, pieces = self.zones.beside.left + 0.25, []
        for text, box in zip(texts, self.boxes):
            number = self.figures(text, 0.8, weight=600)
            number.rewrite(text, left, box.center[1] + 0.1, edge=-1)
            room = (self.zones.title.right - left) / float(number.width)
            pieces.append(number.scale(min(1.0, room), about_point=number.get_left()))
            pieces.append(self.on_board(name, left, box.center[1] - 0.65))
        self.play(*map(FadeIn, pieces), run_time=0.5)

    def write_others(self, name: str, texts: Sequence[str]) -> None:
        """The share of the words not shown, under the block of each row."""
        left, size, pieces = self.zones.beside.left + 0.25, self.sized(SMALL), []
        for text, box in zip(texts, self.boxes):
            baseline = box.center[1] - 0.65 - 1.35 * size
            label = self.on_board(name, left, baseline)
            x, y = float(label.get_right()[0]) + 0.12, baseline + 0.365 * size
            number = self.figures(text, SMALL, self.theme.dim).rewrite(text, x, y, edge=-1)
            pieces += [label, number]
        self.play(*map(FadeIn, pieces), run_time=0.3)

    def on_board(self, text: str, left: float, baseline: float) -> Text:
        """A small text that starts at `left`."""
        label = self.text(text, SMALL, self.theme.dim).on_baseline(baseline)
        return label.align_to((left, 0.0, 0.0), (-1.0, 0.0, 0.0))

    def mark(self, color: str) -> list[Animation]:
        """The nudged word's input and share in both rows, in this colour."""
        j = self.shown.index(self.say.second)
        pieces = [
            piece for twin in self.twins.values() for piece in (twin.inputs[j], twin.numbers[j])
        ]
        return [piece.animate.set_color(color) for piece in pieces]

    def nudge(self, *, back: bool = False) -> list[Animation]:
        """One input grows in both rows, and the shares follow."""
        word, digits = self.say.second, self.settings.digits
        column = self.shown.index(word)

        def put(_: Mobject, alpha: float) -> None:
            for twin, row in zip(self.twins.values(), self.rows.values()):
                now = row.nudged(word, NUDGE * (1 - alpha if back else alpha))
                twin.show(now.shares[list(self.shown)], self.share_texts(now))
                twin.nudge(column, write_entries(now.inputs, digits)[word])

        moving = [
            piece for twin in self.twins.values() for piece in (twin.row, twin.inputs, twin.numbers)
        ]
        return [UpdateFromAlphaFunc(moving[0], put), *map(Animation, moving[1:])]

    # The dial

    def show_dial(self, plain: Numbers, scaled: Numbers, words: int) -> None:
        """A dial, the plot beside it, and on the board the numbers and where they're from."""
        stage, board, small = self.zones.stage, self.zones.working, self.sizes[1]
        # The board is beside the stage, or under it: then the dial stands on the board.
        is_below, plot_box = board.left < stage.right, self.plot_box()
        middle, x = (board, board.right - 1.55) if is_below else (stage, stage.left + 1.45)
        self.dial = Dial(STOPS, (x, middle.center[1]), 1.0, self.theme, small)
        plot = StopPlot(STOPS, plot_box, self.theme, small)
        colors = (self.theme.highlight, self.theme.weight)
        self.curves = [
            Curve(quartiles, plot, color, self.theme)
            for quartiles, color in zip((plain, scaled), colors)
        ]
        self.figures_of_dial: list[Number] = []
        pieces: list[Mobject] = [self.dial, plot, *self.curves]
        beside = board if is_below else stage
        left, y = board.left + 0.25, beside.top - 0.35
        pitch = min(1.25, (beside.height - 1.8) / 2)  # the source stands under all three
        texts = self.dial_texts(plain, scaled, 0)
        names = ("dₖ, entries a vector", "not scaled", "scaled, ÷ √dₖ")
        for text, name, color in zip(texts, names, (self.theme.ink, *colors)):
            number = self.figures(text, 0.62, color, weight=600).rewrite(text, left, y, edge=-1)
            label = self.on_board(name, left, y - 0.58)
            self.figures_of_dial.append(number)
            pieces += [number, label]
            y -= pitch
        source = (f"median, {words} words each", f"{DRAWS:,} draws, seed {SEED}")
        for i, text in enumerate(source):
            pieces.append(self.on_board(text, left, beside.bottom + 0.42 * (1 - i)))
        self.play(*map(FadeIn, pieces), run_time=0.7)

    def plot_box(self) -> Box:
        """Beside the dial; where that is on a board below, the whole width of the frame."""
        stage, board, width = self.zones.stage, self.zones.working, self.zones.title
        left, right = stage.left + 4.1, stage.right - 0.1
        if board.left < stage.right:
            left, right = width.left + 0.75, width.right - 0.1
        return Box(left, right, stage.bottom + 0.85, stage.top - 0.5)

    def dial_texts(self, plain: Numbers, scaled: Numbers, stop: int) -> list[str]:
        """What stands on the board when the dial is at that stop."""
        medians = [write_share(float(q[stop, 1]), self.settings.digits) for q in (plain, scaled)]
        return [str(STOPS[stop]), *medians]

    def turn(self, plain: Numbers, scaled: Numbers) -> list[Animation]:
        """The dial from its first stop to its last; numbers change where there are some."""
        places = [(float(n.get_left()[0]), float(n.get_center()[1])) for n in self.figures_of_dial]

        def put(_: Mobject, alpha: float) -> None:
            position = alpha * (len(STOPS) - 1)
            self.dial.turn(position)
            for curve in self.curves:
                curve.draw(position)
            texts = self.dial_texts(plain, scaled, int(position + 1e-9))
            for number, text, place in zip(self.figures_of_dial, texts, places):
                number.rewrite(text, *place, edge=-1)

        moving = (*self.curves, *self.figures_of_dial)
        return [UpdateFromAlphaFunc(self.dial, put), *map(Animation, moving)]

    # What goes

    def clear(self) -> list[Animation]:
        """Everything but the words, the title and the caption fades."""
        return [FadeOut(piece) for piece in self.standing()]

    def clear_board(self) -> list[Animation]:
        """All that stands on the board fades."""
        left = self.zones.beside.left - 0.1
        return [FadeOut(m) for m in self.standing() if float(m.get_center()[0]) > left]

    def standing(self) -> list[Mobject]:
        """What stands between the words and the caption."""
        low, high = self.zones.caption.top, self.zones.words.top
        drawn = [m for m in self.mobjects if len(m.get_all_points()) and m is not self.row]
        return [m for m in drawn if low < float(m.get_center()[1]) < high]

    def relight(self) -> list[Animation]:
        """The words in ink again, the focus word lit."""
        colors = [self.theme.ink] * len(self.row)
        colors[self.focus_column] = self.theme.highlight
        return [word.animate.set_color(color) for word, color in zip(self.row, colors)]
