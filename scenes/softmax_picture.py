"""What scene 4 is made of: the row in numbers, its bars, the bar of shares and the ledger."""

from __future__ import annotations

import math
from collections.abc import Sequence

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

from engine.notation import write_entries
from engine.palette import weight_colors
from scenes.beats import shorten
from scenes.parts.bars import BarRow, Measure, NumberRow, Piece, Strip, ribbons, unit
from scenes.parts.board import Board
from scenes.parts.layout import Box
from scenes.parts.ledger import Ledger
from scenes.parts.number import Number
from scenes.parts.softmax_row import SoftmaxRow, read_row
from scenes.parts.turning import TurningKey, farthest_below
from scenes.parts.type import Text
from scenes.softmax_words import SoftmaxWords
from scenes.stage import BODY, SMALL, AttentionScene

OVER, HANG, AROUND_BARS = 1.6, 1.4, 3.0


class SoftmaxPicture(AttentionScene):
    """The row of the focus word, as numbers and as a picture; `Softmax` tells its story."""

    scores: NumberRow
    score_name: Mobject
    length: Number
    share_head: Text
    ledger: Ledger

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
        self.board = Board(self.zones.working, zoom=self.zones.zoom)
        self.bars = BarRow(columns, self.columns_of.pitch, self.base, self.theme, self.row.masked)
        self.scores = self.number_row(self.score_texts)
        # The tallest bar has its own number over it, under the scores on however many lines.
        free = float(self.scores.get_bottom()[1]) - self.base - 1.2 * self.sizes[0]
        self.over_base = min(max(OVER, stage.height - AROUND_BARS), free)
        is_scaled = self.attention.scale != 1.0
        self.score_name = self.row_name("scaled" if is_scaled else "score", self.score_line)
        self.add(self.columns_of)
        self.play(FadeIn(self.scores), FadeIn(self.score_name), FadeIn(self.bars), run_time=0.5)
        heights = np.where(np.isfinite(self.values), self.values, 0.0)
        self.bar_unit = unit(heights, self.over_base, HANG)
        self.play(self.bars.animate.stand(heights * self.bar_unit), run_time=0.7)
        self.lay_shares()

    def lay_shares(self) -> None:
        """Ready to be brought in: exponentials, the bar of shares, the ledger."""
        row, n, box = self.row, len(self.words), self.zones.words
        self.fills = [weight_colors(self.theme, float(share))[0] for share in row.shares[:n]]
        self.exp_unit = unit(row.exps[:n], self.over_base)
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
            self.theme, (self.sizes[0] * self.zones.zoom, self.sizes[1]),
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
        box, self.board = self.zones.working, Board(self.zones.working, zoom=self.zones.zoom)
        standing = [m for m in self.mobjects if len(m.get_all_points())
                    and box.left - 0.2 < float(m.get_center()[0])
                    and box.bottom - 0.3 < float(m.get_center()[1]) < box.top + 0.2]  # fmt: skip
        return [FadeOut(piece) for piece in standing]


def so_many_others(count: int) -> str:
    """The words not shown, as one."""
    return f"{count} other{'s' if count > 1 else ''}"
