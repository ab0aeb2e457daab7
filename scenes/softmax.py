"""Scene 4: how do scores become shares?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from manim import (
    Animation,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    Mobject,
    ReplacementTransform,
    UpdateFromAlphaFunc,
    VGroup,
)

from engine.notation import round_half_up, write_entries, write_number, write_share
from engine.palette import weight_colors
from scenes.beats import shorten
from scenes.parts.bars import BarRow, Measure, NumberRow, Piece, Strip, ribbons, unit
from scenes.parts.board import Board, in_a_row
from scenes.parts.formula import math as typeset
from scenes.parts.layout import Box
from scenes.parts.ledger import Ledger, Power
from scenes.parts.number import Number
from scenes.parts.softmax_row import SoftmaxRow, read_row
from scenes.parts.turning import TurningKey, farthest_below
from scenes.parts.type import Text
from scenes.softmax_words import SoftmaxWords
from scenes.stage import BODY, SMALL, AttentionScene

STEP, LARGEST = 5.0, 700.0
OVER, HANG = 1.6, 1.4


class Softmax(AttentionScene):
    """Exponentiate, add, divide: scores become shares, and only −∞ gets nothing."""

    title = "Softmax"
    lit = ("softmax",)

    scores: NumberRow
    score_name: Mobject
    length: Number
    share_head: Text
    ledger: Ledger

    def construct(self) -> None:
        """Ask; why not divide; e to each; the total; the shares; what changes nothing."""
        self.read_numbers()
        self.lay_out()
        if not self.row.open:
            self.tell_of_nothing()
            return
        self.ask(self.say.question())
        if self.row.count > 1:
            self.why_not_divide()
        self.take_the_largest_off()
        self.raise_e()
        self.add_up()
        self.divide()
        self.zero_is_not_nothing()
        self.add_to_all()
        self.find_what_is_missing()
        self.close_with_the_symbol()

    # The story

    def tell_of_nothing(self) -> None:
        """A word that may look at nothing."""
        with self.beat("Nothing", self.say.nothing()):
            self.mark(*self.scores)
        with self.beat("Nothing to share", "e to −∞ is 0, and so is the total: nothing to share."):
            power = Power("−∞", *self.sizes, 0.4 * self.sizes[0], self.theme.ink)
            line = in_a_row(power, self.figures("= 0", self.sizes[0]))
            self.play(FadeIn(self.board.write(line)))

    def why_not_divide(self) -> None:
        """A score below 0 can't be a share; where there is none, a key turned makes one."""
        j, total = self.say.lowest, self.scores_total
        if self.lowest < 0 or total == 0:
            score = float(self.values[j])
            with self.beat("Just divide?", self.say.cannot_divide(self.lowest)):
                self.mark(self.scores[j])
                if score < 0 < total:
                    self.board.skip(1.2)
                    self.write_division(j, score, total)
            self.play(*self.unmark(self.scores[j]), *self.wipe(), run_time=0.4)
            return
        if self.turned is not None:
            self.turn_a_key(self.turned)

    def turn_a_key(self, j: int) -> None:
        """Turn a key past the right angle, until its score is below 0."""
        score, others = self.target(j), self.scores_total - float(self.values[j])
        total = others + score
        with self.beat("Just divide?", self.say.turned(score / total)):
            self.show_plane(j, score)
            self.write_division(j, float(self.values[j]), self.scores_total)
            self.play(*self.move_key(j), run_time=1.5)
            self.mark(self.scores[j], self.write_division(j, score, total))
        if not self.shift:
            with self.beat("Above 0", self.say.above_zero(score)):
                exps = np.exp(np.where(np.arange(len(self.values)) == j, score, self.values))
                heights, digits = exps * unit(exps, OVER), self.settings.digits
                self.play(self.bars.animate.stand(heights), run_time=1.2)
                x, y = self.columns_of.columns[j], self.base + float(heights[j]) + 0.28
                text = write_share(float(exps[j]), digits)
                number = self.figures(text, self.sizes[0], self.theme.highlight)
                self.play(FadeIn(number.rewrite(text, x, y)), run_time=0.4)
            self.play(FadeOut(number), run_time=0.3)
        self.play(*self.move_key(j, back=True), run_time=0.9)
        self.play(*self.unmark(self.scores[j]), *self.wipe(), run_time=0.4)

    def take_the_largest_off(self) -> None:
        """Where e to the scores has no place on paper: only differences count."""
        if not self.shift:
            return
        with self.beat("Largest off first", self.say.largest_off(self.shift)):
            new = self.number_row(self.row.input_texts)
            name = self.row_name("less max", self.score_line)
            self.swap_all((self.scores, new), (self.score_name, name))
            self.scores, self.score_name = new, name

    def raise_e(self) -> None:
        """e to each score: bars that all stand above 0."""
        ledger, row = self.ledger, self.row
        with self.beat("e to each", self.say.raise_e()):
            listed = list(zip(self.listed, ledger.powers))
            bases = [FadeIn(power.base) for _, power in listed]
            self.play(FadeIn(ledger.names), *bases, run_time=0.4)
            fly = [self.fly(self.scores[i], power.exponent) for i, power in listed]
            self.play(LaggedStart(*fly, lag_ratio=0.15), run_time=1.1)
            heights = row.exps[: len(self.words)] * self.exp_unit
            stand = self.bars.animate.stand(heights, self.fills).edge(self.theme.weight)
            self.play(stand, run_time=1.2)
            self.play(*map(FadeIn, (self.over, ledger.signs, ledger.exps)), run_time=0.5)

    def add_up(self) -> None:
        """The bars laid end to end: their total."""
        ledger, pieces = self.ledger, self.strip.pieces
        with self.beat("Add", self.say.total()):
            lay = [self.fly(self.bars.bars[i], pieces[i]) for i in self.row.open]
            self.play(LaggedStart(*lay, lag_ratio=0.35), run_time=1.6)
            rest = (*pieces[len(self.words) :], *self.strip.names)
            sums = (ledger.rule, ledger.total, ledger.total_name)
            self.play(*map(FadeIn, (*rest, *sums)), run_time=0.5)
            self.play(FadeIn(self.measure), self.fly(ledger.total, self.length), run_time=0.7)

    def divide(self) -> None:
        """The same bar, now of length 1: its pieces are the shares."""
        shares = self.ledger.shares
        with self.beat("Divide", self.say.divide()):
            one = self.length_number("1")
            self.swap(self.length, one, run_time=0.6)
            self.length = one
            self.play(Create(self.ribbons, lag_ratio=0.2), run_time=0.6)
            self.play(FadeIn(self.shares), FadeIn(self.share_name), run_time=0.4)
            carry = [self.fly(self.shares[i], share) for i, share in zip(self.listed, shares)]
            rest = map(FadeIn, (self.share_head, *shares[len(self.listed) :]))
            self.play(LaggedStart(*carry, lag_ratio=0.1), *rest)

    def zero_is_not_nothing(self) -> None:
        """The question's answer: the lowest score has its share too."""
        j, ledger = self.say.lowest, self.ledger
        line = self.listed.index(j)
        columns = (ledger.powers, ledger.exps, ledger.shares)
        lit = (self.scores[j], self.shares[j], *(column[line] for column in columns))
        with self.beat("Not nothing", self.say.not_nothing()):
            self.mark(*lit)
        self.play(*self.unmark(*lit), run_time=0.4)

    def add_to_all(self) -> None:
        """The same added to every score: no share changes."""
        if self.shift:
            return
        ledger, step = self.ledger, STEP if max(self.row.inputs) + STEP < LARGEST else -STEP
        moved, listed = (self.read(columns, step) for columns in (None, self.listed))
        name = f"plus {step:.0f}" if step > 0 else f"less {-step:.0f}"
        scores = self.number_row(moved.input_texts).set_color(self.theme.highlight)
        total = ledger.figure(listed.total_text, ledger.right_of_exp, ledger.count, weight=650)
        changes = (
            (self.scores, scores),
            (self.score_name, self.row_name(name, self.score_line)),
            (self.over, self.numbers_over(moved.exp_texts)),
            (ledger.exps, ledger.column(listed.exp_texts, ledger.right_of_exp)),
            (ledger.total, total),
        )
        powers = (ledger.powers, ledger.signs)
        with self.beat("Only differences", self.say.only_differences(step)):
            self.swap_all(*changes, others=[FadeOut(piece) for piece in powers])
        back = ((after, before) for before, after in changes)
        self.swap_all(*back, others=[FadeIn(piece) for piece in powers])

    def find_what_is_missing(self) -> None:
        """Where the printed shares don't add up to 1: what the digits not printed hold."""
        ledger, digits = self.ledger, self.settings.digits
        printed = float(sum(round_half_up(share, digits) for share in self.row.printed))
        if printed == 1 or len(self.listed) < len(self.words):
            return
        rests, rest = self.row.left_out(digits)
        with self.beat("Digits not printed", self.say.missing(printed)):
            gone = (ledger.powers, ledger.signs, ledger.exps, ledger.total, ledger.rule)
            self.play(*map(FadeOut, gone), run_time=0.4)
            left = ledger.right_of_power + 0.3
            aside = (left - ledger.right_of_share, 0.0, 0.0)
            moving = (ledger.shares, self.share_head)
            self.play(*(piece.animate.shift(aside) for piece in moving), run_time=0.6)
            color, right = self.theme.highlight, ledger.right_of_share
            head, column = ledger.head("left out", right), ledger.column(rests, right, color)
            self.play(FadeIn(column), FadeIn(head), run_time=0.5)
            text = write_number(printed, digits)
            sums = [
                ledger.figure(text, left, ledger.count, weight=650),
                ledger.figure(rest, right, ledger.count, color, weight=650),
            ]
            rules = [ledger.rule_between(at - 1.0, at) for at in (left, right)]
            self.play(*map(FadeIn, (*rules, *sums)), run_time=0.5)

    def close_with_the_symbol(self) -> None:
        """Exponentiate, add, divide, in one line of symbols."""
        symbol = typeset("w_j = frac(e^(s_j), sum_i e^(s_i))", self.theme.ink, 1.3)
        symbol.move_to((*self.zones.working.center, 0.0))
        with self.beat("Softmax", "Exponentiate, add, divide. Only a score of −∞ gets nothing."):
            self.play(*self.wipe(), run_time=0.5)
            self.play(FadeIn(symbol), run_time=0.7)

    # The numbers

    def read_numbers(self) -> None:
        """The row, what to say about it, and which key to turn."""
        attention, digits = self.attention, self.settings.digits
        self.row = self.read()
        masked = attention.masked[self.focus]
        texts = write_entries(masked, digits)
        self.values = masked[list(self.shown)]
        self.shift = float(attention.shift[self.focus])
        self.scores_total = float(masked[np.isfinite(masked)].sum())
        self.score_texts = [texts[j] for j in self.shown]
        names = [shorten(word, 12) for word in self.words]
        self.say = SoftmaxWords(
            self.row, names, self.focus_column, self.values, self.score_texts, digits,
            turns=attention.key.shape[-1] > 1,
        )  # fmt: skip
        self.lowest = float(masked[np.isfinite(masked)].min(initial=math.inf))
        self.turned = self.key_to_turn()

    def read(self, columns: Sequence[int] | None = None, plus: float = 0.0) -> SoftmaxRow:
        """The row in these columns (None: all that are shown), `plus` added to every input."""
        shown = self.shown if columns is None else [self.shown[i] for i in columns]
        return read_row(self.attention, self.focus, shown, self.settings.digits, plus)

    def choose_lines(self) -> list[int]:
        """Columns that the ledger has a line for: all, or the question's and the strongest."""
        lines = Ledger.lines_in(self.zones.working, self.sizes[1])
        n, row = len(self.words), self.row
        if n + (row.hidden > 0) <= lines:
            return list(range(n))
        asked = self.say.lowest
        others = [i for i in np.argsort(-row.shares[:n], kind="stable") if i != asked]
        return sorted([asked, *(int(i) for i in others[: lines - 2])])

    def key_to_turn(self) -> int | None:
        """The lowest-scored word whose key can be turned past the right angle, if any."""
        keys = np.abs(self.attention.key[list(self.shown)]).max(axis=-1)
        can = [i for i in self.row.open if keys[i] > 0 and self.attention.query[self.focus].any()]
        return min(can, key=lambda i: float(self.values[i]), default=None)

    def target(self, j: int) -> float:
        """A score below 0 that key j can reach by turning and that leaves the total above 0."""
        query, key = self.attention.query[self.focus], self.attention.key[self.shown[j]]
        reach = farthest_below(query, key, self.attention.scale)
        others = self.scores_total - float(self.values[j])
        return max(reach, min(-1.0, -float(self.values.max()) / 4), -others / 2)

    # The picture

    def lay_out(self) -> None:
        """Words, their scores as numbers and bars; what comes later is made ready."""
        self.columns_of = self.word_row()
        stage, columns = self.zones.stage, self.columns_of.columns
        self.sizes = (self.sized(BODY * 1.1), self.sized(SMALL))
        self.score_line, self.base = stage.top - 0.2, stage.bottom + 1.72
        self.board = Board(self.zones.working)
        self.bars = BarRow(columns, self.columns_of.pitch, self.base, self.theme, self.row.masked)
        self.scores = self.number_row(self.score_texts)
        is_scaled = self.attention.scale != 1.0
        self.score_name = self.row_name("scaled" if is_scaled else "score", self.score_line)
        self.add(self.columns_of)
        self.play(FadeIn(self.scores), FadeIn(self.score_name), FadeIn(self.bars), run_time=0.5)
        heights = np.where(np.isfinite(self.values), self.values, 0.0)
        self.bar_unit = unit(heights, OVER, HANG)
        self.play(self.bars.animate.stand(heights * self.bar_unit), run_time=0.7)
        self.lay_shares()

    def lay_shares(self) -> None:
        """Ready to be brought in: exponentials, the bar of shares, the ledger."""
        row, n, box = self.row, len(self.words), self.zones.words
        self.fills = [weight_colors(self.theme, float(share))[0] for share in row.shares[:n]]
        self.exp_unit = unit(row.exps[:n], OVER)
        self.over = self.numbers_over(row.exp_texts)
        y = self.base - 0.28
        self.shares = self.number_row(row.share_texts[:n], y, weight=650)
        self.share_name = self.row_name("share", y)
        bottom = self.zones.stage.bottom + 0.36
        strip = Box(box.left, box.right, bottom, bottom + 0.42)
        pieces = []
        for word, share in zip(self.words, row.shares):
            fill, ink = weight_colors(self.theme, float(share))
            pieces.append(Piece(word, fill, ink, self.theme.weight))
        if row.hidden:
            name = so_many_others(row.hidden)
            pieces.append(Piece(name, self.theme.panel, self.theme.dim, self.theme.faint))
        self.strip = Strip(row.exps, pieces, strip, self.theme, self.sizes[1])
        under = y - (self.shares.lines - 0.35) * self.shares.size
        is_open = [not masked for masked in row.masked]
        columns, boxes = self.columns_of.columns, self.strip.boxes
        self.ribbons = ribbons(columns, under, boxes, is_open, self.theme)
        self.length = self.length_number(row.total_text)
        y, gap = strip.bottom - 0.24, float(self.length.width) + 0.3
        self.measure = Measure(strip.left, strip.right, y, gap, self.theme)
        self.ledger = self.lay_ledger()
        self.share_head = self.ledger.head("share", self.ledger.right_of_share)

    def lay_ledger(self) -> Ledger:
        """The arithmetic on the board."""
        self.listed = self.choose_lines()
        row = self.read(self.listed)
        names = [self.words[i] for i in self.listed]
        rest = [(so_many_others(row.hidden), "")] if row.hidden else []
        names, powers = map(list, zip(*zip(names, row.input_texts), *rest))
        return Ledger(
            names, powers, row.exp_texts, row.total_text, row.share_texts, self.zones.working,
            self.theme, self.sizes,
        )  # fmt: skip

    def number_row(
        self, texts: Sequence[str], y: float | None = None, weight: int = 500
    ) -> NumberRow:
        """Numbers under the words: their scores, unless y says where else."""
        at = self.score_line if y is None else y
        columns, pitch = self.columns_of.columns, self.columns_of.pitch
        return NumberRow(texts, columns, pitch, at, *self.sizes, self.theme.ink, weight)

    def numbers_over(self, texts: Sequence[str]) -> VGroup:
        """Exponentials over their bars, where the columns are wide enough."""
        heights = np.maximum(self.row.exps[: len(self.words)] * self.exp_unit, 0.05)
        heights = np.where(self.row.masked, 0.4, heights)
        tops = (heights + self.base + 0.3 * self.sizes[0] + 0.16).tolist()
        columns, pitch = self.columns_of.columns, self.columns_of.pitch
        texts = texts[: len(self.words)]
        row = NumberRow(texts, columns, pitch, tops, *self.sizes, self.theme.ink)
        return row if row.lines == 1 else VGroup()

    def length_number(self, text: str) -> Number:
        """How long the bar of shares is, in the gap of its measure."""
        y = self.zones.stage.bottom + 0.12
        return self.figures(text, BODY, weight=650).rewrite(text, self.zones.words.center[0], y)

    def row_name(self, text: str, y: float) -> Mobject:
        """The name of a row, at the stage's left."""
        name = self.text(text, SMALL, self.theme.dim).on_baseline(y - 0.1)
        return name.align_to((self.zones.stage.left, 0.0, 0.0), (-1.0, 0.0, 0.0))

    def show_plane(self, j: int, score: float) -> None:
        """The query and key j on a small plane on the board."""
        working = self.zones.working
        query, key = self.attention.query[self.focus], self.attention.key[self.shown[j]]
        box = Box(working.left, working.right, working.bottom + 1.75, working.top)
        self.turning = TurningKey(
            query, key, self.attention.scale, score, (self.focus_word, self.say.names[j]), box,
            self.theme, self.sizes[1],
        )  # fmt: skip
        self.play(FadeIn(self.turning), run_time=0.5)
        self.board.cursor = working.bottom + 0.85

    def move_key(self, j: int, *, back: bool = False) -> list[Animation]:
        """Key j turning, with its score and bar; back to where it was where `back`."""
        now, number = self.values.copy(), self.scores[j]
        x, y = (float(c) for c in number.get_center()[:2])

        def put(_: Mobject, alpha: float) -> None:
            now[j] = self.turning.put(1 - alpha if back else alpha).score
            number.rewrite(write_entries(now, self.settings.digits)[j], x, y)
            self.bars.stand(np.where(np.isfinite(now), now, 0.0) * self.bar_unit)

        moved = (self.turning.label, number, self.bars)
        return [UpdateFromAlphaFunc(self.turning.arrow, put), *map(Animation, moved)]

    def write_division(self, j: int, score: float, total: float) -> Number:
        """A line on the board, under word j's name: its score divided by the total of all."""
        texts = write_entries((score, total, score / total), self.settings.digits)
        line = f"{texts[0]} ÷ {texts[1]} = {texts[2]}"
        figures = self.figures(line, BODY * 1.1)
        if figures.width > self.board.box.width:
            figures = self.figures(line, SMALL)
        comes = [self.board.write(figures)]
        if len(self.board.lines) == 1:
            name = self.word(self.say.names[j], 3.0, BODY, self.theme.dim)
            name.shift((self.board.box.left - float(name.get_left()[0]), 0.0, 0.0))
            comes.append(name.shift((0.0, float(figures.get_center()[1]) + 0.5, 0.0)))
        self.play(*map(FadeIn, comes), run_time=0.4)
        return figures

    # How it moves

    def fly(self, source: Mobject, target: Mobject) -> Animation:
        """A copy of `source` travels and becomes `target`."""
        return ReplacementTransform(source.copy(), target)

    def mark(self, *pieces: Mobject) -> None:
        """Light these, as the one thing looked at."""
        color = self.theme.highlight
        self.play(*(piece.animate.set_color(color) for piece in pieces), run_time=0.5)

    def unmark(self, *pieces: Mobject) -> list[Animation]:
        """As they were."""
        return [piece.animate.set_color(self.theme.ink) for piece in pieces]

    def swap_all(self, *changes: tuple[Mobject, Mobject], others: Sequence[Animation] = ()) -> None:
        """Several things change in place at once, where there is something to change."""
        filled = [pair for pair in changes if len(pair[0].get_all_points())]
        fades = [fade for old, new in filled for fade in (FadeOut(old), FadeIn(new))]
        self.play(*fades, *others, run_time=0.6)

    def wipe(self) -> list[Animation]:
        """All that stands on the board fades."""
        box, self.board = self.zones.working, Board(self.zones.working)
        standing = [m for m in self.mobjects if len(m.get_all_points())
                    and box.left - 0.2 < float(m.get_center()[0])
                    and box.bottom - 0.3 < float(m.get_center()[1]) < box.top + 0.2]  # fmt: skip
        return [FadeOut(piece) for piece in standing]


def so_many_others(count: int) -> str:
    """The words not shown, as one."""
    return f"{count} other{'s' if count > 1 else ''}"
