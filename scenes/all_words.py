"""Scene 7: and for the other words?"""

from __future__ import annotations

from manim import (
    AnimationGroup,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    VGroup,
)

from scenes.all_words_picture import AllWordsPicture
from scenes.parts.code import Code
from scenes.parts.formula import math
from scenes.parts.grid import Cell
from scenes.stage import BODY

TITLES = {"most": "Listens most", "split": "Splits evenly", "even": "Spreads evenly",
          "only": "Only one", "nothing": "Nothing"}  # fmt: skip
LIT = {"Scores": ("scores", "scale"), "Mask": ("mask",), "Weights": ("softmax",),
       "Outputs": ("value",)}  # fmt: skip
CODE_ROLES = {"Q": "query", "K": "key", "V": "value", "out": "output"}


class AllWords(AllWordsPicture):
    """Q Kᵀ is every question against every label; softmax goes a row at a time."""

    title = "All words at once"
    lit = ("scores",)

    def setup(self) -> None:
        """The formula has its mask only where the sentence has one."""
        self.shows_mask = self.attention.mask is not None
        super().setup()

    def construct(self) -> None:
        """One row, one cell, all cells; scale, softmax; rows and columns; three lines of NumPy."""
        self.compute()
        self.lay_out()
        self.lay_down_one_row()
        if len(self.words) > 1:
            self.open_every_row()
            self.sweep_one_cell()
            self.sweep_them_all()
        if self.divisor:
            self.scale_every_cell()
        if self.masked:
            self.mask_cells()
        self.share_out_rows()
        if len(self.words) > 1:
            self.name_the_axes()
            self.look_at_rows()
        self.write_numpy()

    # The story

    def lay_down_one_row(self) -> None:
        """The focus word's scores slide from under the words into their row."""
        focus = self.focus_column
        with self.beat("One row", self.say.one_row()):
            cells = self.cells_of(focus)
            lines = self.grid.outline(cells)
            word, name = self.words_row[focus], self.grid.names[focus]
            names = [FadeIn(self.grid.names)]
            if not self.grid.is_turned:  # it is lit where it listens, so no longer on top
                names = [FadeIn(name, target_position=word), word.animate.set_color(self.theme.ink)]
            self.play(*names, FadeIn(lines), FadeOut(self.row_name), run_time=0.8)
            slides = zip(self.under_words, self.filling.scores(cells))
            self.play(*(ReplacementTransform(*pair) for pair in slides), run_time=1.2)

    def open_every_row(self) -> None:
        """The other rows, empty, and the vectors that meet in them."""
        with self.beat("Every question", self.say.every_question()):
            focus = self.focus_column
            rest = [cell for cell in self.grid.cells if cell[0] != focus]
            lines = self.grid.outline(rest)
            names = [] if self.grid.is_turned else [
                name for i, name in enumerate(self.grid.names) if i != focus
            ]  # fmt: skip
            self.play(FadeIn(self.grid.axes), *map(FadeIn, names), FadeIn(lines), run_time=0.7)
            if self.with_vectors:
                self.play(FadeIn(self.margins.keys), FadeIn(self.margins.queries), run_time=0.6)

    def sweep_one_cell(self) -> None:
        """A row of Q and a column of Kᵀ meet on the board, entry by entry; their sum goes home."""
        i, j = self.first_cell
        with self.beat("One cell", self.say.one_cell(self.shown[i], self.shown[j])):
            mark = self.grid.frame([(i, j)], self.theme.highlight)
            products = self.write_products(i, j)
            self.play(FadeIn(mark), FadeIn(self.board.lines[0]), run_time=0.5)
            query, key = self.sources(i, j)
            whole = [row for row in products.rows if len(row) == 5]
            q, k = (VGroup(*(row[part] for row in whole)) for part in (0, 2))
            self.play(FadeIn(q, target_position=query), FadeIn(k, target_position=key),
                      run_time=1.0)  # fmt: skip
            for row in products.rows:
                rest = (row[1], row[3], row[4]) if len(row) == 5 else row
                self.play(*map(FadeIn, rest), run_time=0.4)
            self.play(Create(products.rule), FadeIn(products.total), run_time=0.5)
            (number,) = self.filling.scores([(i, j)])
            self.play(ReplacementTransform(products.total.copy(), number), run_time=0.7)
        self.play(FadeOut(mark), FadeOut(self.board.wipe()), run_time=0.4)

    def sweep_them_all(self) -> None:
        """The same for all that are left, as a wave from the first cell to the last."""
        with self.beat("All at once", self.say.all_at_once()):
            symbol = math("{{ Q : q }} {{ K^TT : k }}", self.theme.ink, 0.85)
            symbol.select("q").set_color(self.role("query"))
            symbol.select("k").set_color(self.role("key"))
            self.play(FadeIn(symbol.move_to((*self.zones.working.center, 0.0))), run_time=0.5)
            left = [cell for cell in self.grid.cells if cell not in self.grid.numbers]
            waves: dict[int, list[Cell]] = {}
            for cell in left:
                waves.setdefault(sum(cell), []).append(cell)
            fades = [FadeIn(VGroup(*self.filling.scores(waves[k]))) for k in sorted(waves)]
            self.play(LaggedStart(*fades, lag_ratio=0.35), run_time=2.2)
        self.play(FadeOut(symbol), run_time=0.4)

    def scale_every_cell(self) -> None:
        """One number divides them all."""
        self.light("scale")
        with self.beat("Scale", self.say.scale()):
            divisor = self.figures(f"÷ {self.divisor}", BODY * 1.6, self.theme.highlight, 650)
            self.play(FadeIn(divisor.move_to((*self.zones.working.center, 0.0))), run_time=0.5)
            rows = (
                self.filling.change(self.cells_of(i), self.filling.scaled)
                for i in range(len(self.words))
            )
            changes = (AnimationGroup(*change) for change in rows)
            self.play(LaggedStart(*changes, lag_ratio=0.5), run_time=1.5)
        self.play(FadeOut(divisor), run_time=0.4)

    def mask_cells(self) -> None:
        """What may not be looked at."""
        self.light("mask")
        with self.beat("Mask", self.say.mask()):
            gone = [self.grid.numbers.pop(cell) for cell in self.masked]
            self.play(*map(FadeOut, gone), FadeIn(self.hatching), run_time=0.9)

    def share_out_rows(self) -> None:
        """Softmax: each row becomes shares, and a bar of length 1."""
        self.light("softmax")
        with self.beat("Softmax", self.say.softmax()):
            self.poured.add(self.bars.measure, *self.bars.names)
            self.play(*map(FadeIn, self.poured), run_time=0.5)
            each = min(0.7, 4.0 / len(self.words))
            for i in range(len(self.words)):
                self.play(
                    *self.filling.change(self.cells_of(i), self.filling.shares), run_time=0.6 * each
                )
                self.play(*self.pour(i), run_time=0.8 * each)

    def name_the_axes(self) -> None:
        """Along a row, then down a column."""
        down, across = self.axes_by_role()
        dim, lit = self.theme.dim, self.theme.highlight
        full = [i for i in range(len(self.words)) if self.filling.is_open[i].any()] or [0]
        listener = self.focus_column if self.focus_column in full else full[0]
        row = self.grid.frame(self.cells_of(listener), lit)
        cells = [(i, self.star) for i in range(len(self.words))]
        column = self.grid.frame(cells, lit)
        with self.beat("Rows and columns", self.say.rows_and_columns(self.shown[self.star])):
            self.play(down.animate.set_color(lit), FadeIn(row), run_time=0.7)
            self.wait(1.0)
            colors = down.animate.set_color(dim), across.animate.set_color(lit)
            self.swap(row, column, *colors, run_time=0.7)
        self.play(FadeOut(column), across.animate.set_color(dim), run_time=0.4)

    def look_at_rows(self) -> None:
        """What two of the rows show, and why: their arrows, where these lie in a plane."""
        titles: list[str] = []
        self.play(*map(FadeOut, self.poured), run_time=0.4)
        for seen in self.telling:
            i, title = self.shown.index(seen.listener), TITLES[seen.kind]
            with self.beat(f"{title} too" if title in titles else title, self.say.seen(seen)):
                shown = [self.mark_of(i, seen), *self.plane_of(i, seen)]
                self.play(*map(FadeIn, shown), run_time=0.8)
            self.play(*map(FadeOut, shown), run_time=0.4)
            titles.append(title)

    def write_numpy(self) -> None:
        """The grid once more, a line of NumPy a step."""
        if len(self.words) == 1:
            self.play(*map(FadeOut, self.poured), run_time=0.4)
        code = Code(
            list(self.statements.values()), CODE_ROLES, self.zones.working, self.theme,
            self.sized(BODY),
        )  # fmt: skip
        for which, name in enumerate(self.statements):
            with self.beat(f"{name} in NumPy", self.say.code(name)):
                if which == 0:
                    self.play(FadeIn(code), run_time=0.6)
                self.light(*LIT[name])
                lit = code.copy().light(which)
                self.swap(code, lit, run_time=0.4)
                code = lit
                self.do_again(name, code.bottom)
