"""Scene 9: what may a word see while the sentence is still being written?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from manim import Animation, AnimationGroup, FadeIn, FadeOut, LaggedStart, Mobject, VGroup
from numpy.typing import NDArray

from engine.notation import INFINITY, MINUS, write_entries, write_list, write_share
from scenes.beats import shorten
from scenes.causal_words import CausalWords
from scenes.masked_row import choose_listener, masked_row, only_own_mask, with_causal_mask
from scenes.parts.grid import Cell, Grid
from scenes.parts.layout import Box
from scenes.parts.questions import Questions
from scenes.parts.share_table import ShareBar, ShareTable
from scenes.stage import BODY, SMALL, AttentionScene

FORBIDDEN = MINUS + INFINITY
SCORE, EXP, EXP_SHIFTED, SHARE = "score", "e to it", "e to it *", "share"


class CausalTriangle(AttentionScene):
    """Each word may look at itself and at what came before: −∞ before softmax."""

    title = "The causal triangle"
    lit = ("mask",)
    shows_mask = True

    def construct(self) -> None:
        """Ask, write word by word, forbid, two ways that fail, share out, every row a question."""
        self.compute()
        self.lay_out()
        self.show_the_full_row()
        self.ask(self.say.question())
        self.write_word_by_word()
        self.score_in_one_pass()
        self.forbid_later_words()
        if self.row.hidden:
            self.fail_with_a_score_of_zero()
            self.fail_with_a_zero_after()
        self.exponentiate()
        self.share_out()
        self.fill_the_triangle()
        self.ask_every_row()

    # The story

    def show_the_full_row(self) -> None:
        """The listener's shares while every word is there."""
        self.light("softmax")
        row = self.cells_of(self.listener)
        self.play(FadeIn(self.words_row), FadeIn(self.grid.axes), run_time=0.6)
        lines = self.grid.outline(row)
        self.play(FadeIn(self.names_of_row()), FadeIn(lines), run_time=0.5)
        self.full_row = VGroup(lines, *self.weigh(row, self.before))
        self.play(FadeIn(self.full_row[1:]), run_time=0.6)
        shares = self.row.before.shares_written(self.shown, self.settings.digits)
        fades = self.table.change(SHARE, shares)
        self.play(
            *(FadeIn(part) for part in self.table.labels(SHARE)), *fades, FadeIn(self.bar),
            run_time=0.8,
        )  # fmt: skip
        if self.star is not None and self.row.hidden:
            self.mark = self.grid.frame([(self.listener, self.star)], self.theme.highlight)
            self.play(FadeIn(self.mark), run_time=0.4)

    def write_word_by_word(self) -> None:
        """The sentence again from its first word: each word has only what came before."""
        with self.beat("Word by word", self.say.writing()):
            gone = VGroup(self.words_row, self.full_row, self.bar, *self.table.standing())
            gone.add(self.names_of_row())
            self.play(FadeOut(gone), FadeOut(self.mark), run_time=0.6)
            self.table.forget()
            self.grid.clear_cells()
            pause = min(0.6, 3.0 / len(self.words))
            for i, word in enumerate(self.words_row):
                lines = self.grid.outline([(i, j) for j in range(i + 1)])
                self.stairs.add(lines)
                name = FadeIn(self.grid.names[i], target_position=word)
                self.play(FadeIn(word), name, FadeIn(lines), run_time=pause)

    def score_in_one_pass(self) -> None:
        """Every query meets every key at once, later ones too."""
        with self.beat("In one pass", self.say.one_pass()):
            self.light("scores")
            upper = self.grid.outline([(i, j) for i, j in self.grid.cells if j > i])
            hatched = self.grid.hatch(self.own_masked)
            self.play(FadeIn(upper), FadeIn(hatched), run_time=0.4)
            self.hatching.add(hatched)
            rows = [VGroup(*self.put_scores(self.cells_of(i))) for i in range(len(self.words))]
            self.play(LaggedStart(*(FadeIn(row) for row in rows), lag_ratio=0.5), run_time=1.3)
            scores = self.row.before.scores_written(self.shown, self.settings.digits)
            labels = [FadeIn(part) for part in self.table.labels(SCORE)]
            self.play(*labels, *self.table.change(SCORE, scores, start=self.spots()), run_time=0.9)

    def forbid_later_words(self) -> None:
        """Cells above the diagonal go to −∞, a column at a time."""
        with self.beat("Minus infinity", self.say.forbidding()):
            self.light("mask")
            columns = range(1, len(self.words))
            for j in columns:
                cells = [cell for cell in self.later if cell[1] == j]
                if not cells:
                    continue
                hatched, fades = self.grid.hatch(cells), self.forbid(cells)
                if self.shown[j] in self.row.hidden:
                    after = self.row.after.scores_written([self.shown[j]], self.settings.digits)
                    fades += self.table.change_one(SCORE, j, after[0])
                self.play(FadeIn(hatched), *fades, run_time=max(0.2, 1.8 / len(columns)))
                self.hatching.add(hatched)

    def fail_with_a_score_of_zero(self) -> None:
        """A score of 0 is a score like any other: e⁰ = 1, and that earns a share."""
        row, digits = self.row.zero_score, self.settings.digits
        with self.beat("A score of 0 fails", self.say.zero_score()):
            self.light("softmax")
            scores, exp = (
                row.scores_written(self.shown, digits), row.exp_written(self.shown, digits)
            )  # fmt: skip
            self.play(*self.table.change(SCORE, scores, lit=self.hidden), run_time=0.6)
            labels = [FadeIn(part) for part in self.table.labels(self.exp)]
            self.play(*labels, *self.table.change(self.exp, exp, lit=self.hidden), run_time=0.7)
            shares = row.shares_written(self.shown, digits)
            self.bar = self.make_bar(row.shares(self.shown), lit=self.hidden)
            fades = self.table.change(SHARE, shares, lit=self.hidden)
            fades += [FadeIn(part) for part in self.table.labels(SHARE)]
            self.play(*fades, FadeIn(self.bar), run_time=0.7)

    def fail_with_a_zero_after(self) -> None:
        """Softmax first, a 0 put in afterwards: the row no longer adds to 1."""
        digits, total = self.settings.digits, len(self.table.ys) - 1
        with self.beat("A 0 after softmax fails", self.say.zero_share()):
            before, cut = self.row.before, self.row.zero_share
            bar = self.make_bar(before.shares(self.shown))
            fades = [
                *self.table.change(SCORE, before.scores_written(self.shown, digits)),
                *self.table.change(self.exp, before.exp_written(self.shown, digits)),
                *self.table.change(SHARE, before.shares_written(self.shown, digits)),
            ]
            self.swap(self.bar, bar, *fades, run_time=0.7)
            self.bar = bar
            lit = [*self.hidden, total]
            fades = self.table.change(SHARE, cut.shares_written(self.shown, digits), lit=lit)
            self.play(*self.bar.cut(cut.shares(self.shown)), *fades, run_time=0.9)

    def exponentiate(self) -> None:
        """e to −∞ is 0, and only −∞ gives that."""
        row, digits = self.row.after, self.settings.digits
        with self.beat("e to −∞ is 0", self.say.total()):
            self.light("softmax")
            scores = self.table.change(SCORE, row.scores_written(self.shown, digits))
            shares = self.table.change(SHARE, [""] * len(self.table.ys))
            self.play(*scores, *shares, run_time=0.6)
            labels = [] if self.row.hidden else self.table.labels(self.exp)
            exp = row.exp_written(self.shown, digits)
            fades = self.table.change(self.exp, exp, lit=self.hidden)
            self.play(*(FadeIn(part) for part in labels), *fades, run_time=0.9)

    def share_out(self) -> None:
        """Divided by the new total, what is left fills the row again."""
        row, digits = self.row.after, self.settings.digits
        with self.beat("Shared out again", self.say.sharing()):
            lit = [] if self.star is None else [self.star]
            shares = self.table.change(SHARE, row.shares_written(self.shown, digits), lit=lit)
            shares += self.table.change(self.exp, row.exp_written(self.shown, digits))
            if not self.row.hidden:
                self.bar = self.make_bar(row.shares(self.shown))
                labels = [FadeIn(part) for part in self.table.labels(SHARE)]
                self.play(*labels, *shares, FadeIn(self.bar), run_time=1.2)
            else:
                self.play(*shares, *self.bar.stretch(row.shares(self.shown)), run_time=1.2)
            self.play(*self.reweigh(self.listener, start=self.table.column(SHARE)), run_time=0.9)

    def fill_the_triangle(self) -> None:
        """The other rows in the same way."""
        with self.beat("The triangle", self.say.triangle()):
            gone = VGroup(*self.table.standing(), *self.bar.standing())
            rest = [i for i in range(len(self.words)) if i != self.listener]
            self.play(FadeOut(gone), run_time=0.4)
            if rest:
                waves = [AnimationGroup(*self.reweigh(i)) for i in rest]
                self.play(LaggedStart(*waves, lag_ratio=0.4), run_time=1.6)
            self.notes = self.row_notes()
            if len(self.notes):
                self.play(FadeIn(self.notes), run_time=0.6)

    def ask_every_row(self) -> None:
        """Each row asks for the word behind its first hatched cell; none can see it."""
        with self.beat("Every row a question", self.say.questions()):
            if len(self.notes):
                self.play(FadeOut(self.notes), run_time=0.4)
            self.light("mask", "softmax")
            questions = Questions(
                self.sentence.words, self.shown, self.zones.working, self.theme,
                self.sized(BODY) * self.zones.zoom, self.sized(SMALL),
            )  # fmt: skip
            self.play(FadeIn(questions.heading), run_time=0.4)
            old: list[Animation] = []
            for i, line in enumerate(questions.lines):
                mark = self.grid.frame(self.heard_cells(i), self.theme.highlight)
                start = self.grid.names[i].get_left() + np.array((line.width / 2, 0.0, 0.0))
                if self.zones.working.left < self.zones.stage.right:  # upright: along its own line
                    start[1] = float(line.get_center()[1])
                self.play(*old, FadeIn(mark), FadeIn(line, target_position=start),
                          run_time=min(0.8, 2.8 / len(self.words)))  # fmt: skip
                old = [FadeOut(mark)]
            self.play(*old, run_time=0.3)

    # The numbers

    def compute(self) -> None:
        """Attention with and without the causal mask; the row that tells the story."""
        n = len(self.sentence.words)
        own = None if self.sentence.mask is None else np.array(self.sentence.mask, dtype=np.bool_)
        allowed = np.ones((n, n), dtype=np.bool_) if own is None else own
        shown = list(self.shown)
        before = only_own_mask(self.attention, own)
        after = with_causal_mask(self.attention, own)
        listener = choose_listener(allowed, self.focus, shown)
        self.row = masked_row(before, after, listener, shown)
        line = "column" if self.settings.rows == "keys" else "row"
        self.say = CausalWords(
            self.sentence.words, shown, self.row, allowed, own is not None,
            self.settings.digits, line,
        )  # fmt: skip
        drawn = np.ix_(shown, shown)
        self.before, self.after = before.weights[drawn], after.weights[drawn]
        self.open_before, self.open_after = allowed[drawn], np.isfinite(after.masked[drawn])
        self.scores = before.masked[drawn]
        self.listener = shown.index(listener)
        self.star = None if self.row.star is None else shown.index(self.row.star)
        self.hidden = [k for k, j in enumerate(shown) if j in self.row.hidden]
        self.exp = EXP_SHIFTED if self.row.is_shifted else EXP

    # The picture

    def lay_out(self) -> None:
        """Words on top, the grid under them, the table and the bar at the right."""
        n, small, digits = len(self.words), self.sized(SMALL), self.settings.digits
        self.words_row = self.word_row()
        self.grid = Grid(
            self.words, self.words_row.columns, self.words_row.pitch, self.zones, self.theme,
            size=self.sized(BODY) * 1.1, small=small, rows=self.settings.rows,
        )  # fmt: skip
        self.score_texts = [write_entries(row, digits) for row in self.scores]
        weights = [write_share(w, digits) for w in (*self.before.flat, *self.after.flat)]
        self.weight_size = self.grid.fitting(weights)
        self.forbidden_size = self.grid.fitting([FORBIDDEN])
        scores = [text for row in self.score_texts for text in row]
        self.score_size = self.grid.fitting([*scores, FORBIDDEN])
        self.own_masked = [cell for cell in self.grid.cells if not self.open_before[cell]]
        self.later = [(i, j) for i, j in self.grid.cells if j > i and self.open_before[i, j]]
        self.color_names()
        working = self.zones.working
        bar = Box(working.left, working.right, working.bottom + 0.3, working.bottom + 0.75)
        table = Box(working.left, working.right, bar.top + 0.2, working.top)
        others = len(self.sentence.words) - n
        self.parties = [*self.words, *([f"{others} others"] if others else [])]
        states = [self.row.before, self.row.after, self.row.zero_score, self.row.zero_share]
        widest = {
            SCORE: [t for s in states for t in s.scores_written(self.shown, digits)],
            self.exp: [t for s in states for t in s.exp_written(self.shown, digits)],
            SHARE: [t for s in states for t in s.shares_written(self.shown, digits)],
        }
        self.table = ShareTable(
            self.parties, widest, table, self.theme, self.sized(BODY) * self.zones.zoom, small,
            self.words[self.listener],
        )  # fmt: skip
        self.bar_box = bar
        if self.row.is_shifted:
            note = self.text("* minus the largest score", SMALL, self.theme.dim)
            note.move_to((working.left, working.bottom + 0.05, 0.0), (-1.0, 0.0, 0.0))
            self.table.headings[self.exp].add(note)
        self.bar = self.make_bar(self.row.before.shares(self.shown))
        self.stairs, self.hatching, self.mark, self.notes = VGroup(), VGroup(), VGroup(), VGroup()

    def color_names(self) -> None:
        """The listener lit, wherever it stands."""
        self.words_row.set_color(self.theme.ink)
        self.words_row[self.listener].set_color(self.theme.highlight)
        if not self.grid.is_turned:
            self.grid.names[self.listener].set_color(self.theme.highlight)

    def names_of_row(self) -> Mobject:
        """What names the listener's cells at the left: itself, or turned every word it hears."""
        names: VGroup = self.grid.names
        return names if self.grid.is_turned else names[self.listener]

    def make_bar(self, shares: Sequence[float], lit: Sequence[int] = ()) -> ShareBar:
        """The listener's shares as a bar of length 1."""
        bar = ShareBar(self.parties, shares, self.bar_box, self.theme, self.sized(SMALL))
        return bar.light(lit)

    def cells_of(self, query: int) -> list[Cell]:
        """A query's cells in order."""
        return [(query, j) for j in range(len(self.words))]

    def weigh(self, cells: Iterable[Cell], weights: NDArray[np.floating]) -> list[Mobject]:
        """Fills and numbers of weights, hatching where the sentence's own mask forbids."""
        cells = list(cells)
        drawn: list[Mobject] = [self.grid.hatch([c for c in cells if not self.open_before[c]])]
        for cell in cells:
            if self.open_before[cell]:
                drawn += self.weighed(cell, float(weights[cell]))
        return drawn

    def weighed(self, cell: Cell, weight: float) -> list[Mobject]:
        """The fill of one weight, and its number where numbers fit."""
        fill = self.grid.fill(cell, weight)
        if not self.weight_size:
            return [fill]
        text = write_share(weight, self.settings.digits)
        return [fill, self.grid.weight(cell, weight, text, self.weight_size)]

    def put_scores(self, cells: Iterable[Cell]) -> list[Mobject]:
        """Scores in their cells; dots where numbers don't fit."""
        if not self.score_size:
            return [self.grid.dot(cell) for cell in cells if self.open_before[cell]]
        texts, size = self.score_texts, self.score_size
        return [self.grid.number((i, j), texts[i][j], size) for i, j in cells]

    def forbid(self, cells: Iterable[Cell]) -> list[Animation]:
        """Scores become −∞ where they stand."""
        fades: list[Animation] = []
        for cell in cells:
            fades.append(FadeOut(self.grid.numbers.pop(cell)))
            size = self.score_size or self.forbidden_size
            if size:
                fades.append(FadeIn(self.grid.number(cell, FORBIDDEN, size)))
        return fades

    def reweigh(self, query: int, start: Sequence[Mobject] = ()) -> list[Animation]:
        """A row's scores become its weights; what is masked is left empty and hatched."""
        fades: list[Animation] = []
        for cell in self.cells_of(query):
            if cell in self.grid.numbers:
                fades.append(FadeOut(self.grid.numbers.pop(cell)))
            if self.open_after[cell]:
                fill, *number = self.weighed(cell, float(self.after[cell]))
                travel = {"target_position": start[cell[1]]} if start else {}
                fades += [FadeIn(fill), *(FadeIn(part, **travel) for part in number)]
        return fades

    def spots(self) -> list[Mobject]:
        """Where the listener's scores stand in the grid."""
        cells = self.cells_of(self.listener)
        return [self.grid.numbers[cell] for cell in cells] if self.score_size else []

    def heard_cells(self, query: int) -> list[Cell]:
        """What a query may hear at most: itself and what came before."""
        return self.cells_of(query)[: query + 1]

    def row_notes(self) -> VGroup:
        """What the first and the last row became, beside them."""
        notes, n, working = VGroup(), len(self.words), self.zones.working
        if not self.open_before.all() or n < len(self.sentence.words) or n == 1:
            return notes
        texts = ("only itself", "as before")
        if self.grid.is_turned:
            texts = ("first column: only itself", "last column: as before")
        size = BODY * self.zones.zoom
        half = 0.62 * self.sized(size)
        for i, text in zip((0, n - 1), texts):
            x, y, room = self.zones.beside.left, self.grid.rows[i], self.zones.beside.width
            has_height = self.grid.cell_height > 0.8
            if working.left < self.zones.stage.right:  # upright: under the grid, by name
                x, y, room = working.left, working.top - 0.9 - 1.5 * (i > 0), working.width
                has_height = True
                text = text if self.grid.is_turned else f"{shorten(self.words[i], 12)}: {text}"
            numbers = self.figures(write_list(self.after[i], self.settings.digits), size)
            narrower = min(1.0, room / float(numbers.width))
            fits = has_height and narrower * self.sized(size) >= self.sized(SMALL)
            label = self.text(text, size, self.theme.highlight)
            label.scale(min(1.0, room / float(label.width)))
            notes.add(label.move_to((x, y + half * fits, 0.0), (-1.0, 0.0, 0.0)))
            if fits:
                numbers.scale(narrower).move_to((x, y - half, 0.0), (-1.0, 0.0, 0.0))
                notes.add(numbers)
        return notes
