"""Scene 12: what does it cost?"""

from __future__ import annotations

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, VGroup

from engine.growth import Growth, growth
from engine.notation import write_number, write_share
from engine.palette import blend
from scenes.parts.board import in_a_row
from scenes.parts.grid import HEARD, LISTENS, Grid, boxes_shape
from scenes.parts.growth_chart import Curves, GrowthTable, in_binary
from scenes.parts.layout import Box
from scenes.parts.nest import Nest
from scenes.recorded import MACHINE, MEASURED
from scenes.stage import BODY, MOST_WORDS, SMALL, AttentionScene

TOKENS = (1_024, 8_192, 131_072)
HEADS, LAYERS, WIDTH = 8, 6, 64
SOURCE = (
    "The 2017 base model:",
    f"{WIDTH} numbers a vector,",
    f"{LAYERS} layers of {HEADS} heads.",
)
"""The base model of Vaswani et al. 2017: 8 heads of 64 numbers each, 6 layers."""

PATHS = ("grid", "tiles")
TIMED = ("Times measured on an", f"{MACHINE};", "one head, float32.")
BESIDE_CURVE = 0.55


class GridGrowth(AttentionScene):
    """Twice the tokens, four times the grid."""

    title = "Growth"
    lit = ("scores",)

    def construct(self) -> None:
        """Count the cells, double, double again to a dot; then bytes, heads, curves."""
        self.lay_out()
        self.count_cells()
        self.double_once()
        self.double_to_a_dot()
        self.weigh_one_grid()
        self.weigh_longer_texts()
        self.strike_out_half()
        self.keep_every_grid()
        self.draw_memory()
        self.draw_operations()
        self.show_measured_times()

    # The story

    def count_cells(self) -> None:
        """The sentence's own grid, every cell of it."""
        n = self.n
        with self.beat("Count the cells", self.caption_of_counting()):
            self.play(FadeIn(self.around), run_time=0.6)
            rows = [VGroup(part) for part in (*self.nest.cells, self.nest.hatching)]
            self.play(FadeIn(self.nest.lines), FadeIn(self.nest.border), run_time=0.5)
            self.play(LaggedStart(*map(FadeIn, rows), lag_ratio=0.1), run_time=1.0)
            if len(self.numbers):
                self.play(FadeIn(self.numbers), run_time=0.5)
            self.play(FadeIn(self.ledger.headings), run_time=0.4)
            self.play(FadeIn(self.ledger.row(f"{n:,}", f"{n * n:,}")), run_time=0.6)

    def double_once(self) -> None:
        """Slowly: three more grids like the first, and none of the cells is anyone's yet."""
        n = 2 * self.n
        caption = f"Twice the words, {n:,}: four grids like the first, {n * n:,} cells."
        with self.beat("Twice the words", caption):
            self.play(FadeOut(self.around), FadeOut(self.numbers), run_time=0.4)
            self.play(*self.nest.square(), run_time=0.9)
            self.play(FadeIn(self.nest.mark), FadeIn(self.first), FadeIn(self.nest.label()),
                      run_time=0.4)  # fmt: skip
            self.double(1.8)
            self.play(FadeIn(self.times(1)), run_time=0.5)

    def double_to_a_dot(self) -> None:
        """Again and again, ever faster, until the first grid is a dot."""
        with self.beat("And again", self.caption_of_doubling()):
            pace = 1.2
            while self.nest.n * 2 <= TOKENS[0]:
                self.double(pace)
                pace = max(0.62 * pace, 0.45)

    def weigh_one_grid(self) -> None:
        """From here on tokens, and bytes."""
        n = TOKENS[0]
        figure, unit = in_binary(self.cost(n).grid_bytes)
        caption = f"{n:,} tokens (words or parts of words), 4 bytes a cell: {figure}\u00a0{unit}."
        with self.beat("In bytes", caption):
            self.play(FadeOut(VGroup(self.ledger.headings, self.ledger.rows, self.signs)),
                      run_time=0.4)  # fmt: skip
            if self.nest.n != n:
                self.surround(n, 0.8)
            self.play(FadeIn(self.bytes.headings[:2]), run_time=0.3)
            self.play(FadeIn(self.bytes_row(n), target_position=self.nest), run_time=0.9)

    def weigh_longer_texts(self) -> None:
        """Eight times the tokens, and sixteen times again."""
        parts = []
        for n in TOKENS[1:]:
            figure, unit = in_binary(self.cost(n).grid_bytes)
            parts.append(f"{n:,} tokens: {figure}\u00a0{unit}")
        with self.beat("Longer texts", f"{'. '.join(parts)}, for one head in one layer."):
            for n in TOKENS[1:]:
                self.surround(n, 1.2)
                self.play(FadeIn(self.bytes_row(n), target_position=self.nest), run_time=0.6)

    def strike_out_half(self) -> None:
        """What a causal mask forbids."""
        cost = self.cost(TOKENS[-1])
        whole, unit = in_binary(cost.grid_bytes)
        left, its_unit = in_binary(cost.causal_cells * cost.bytes_per_number)
        caption = (
            "A causal mask strikes out half: "
            f"of {whole}\u00a0{unit}, {left}\u00a0{its_unit} are left."
        )
        with self.beat("Half when causal", caption):
            self.struck = self.nest.struck_out(self.settings.rows == "keys")
            self.play(Create(self.struck), run_time=1.4)

    def keep_every_grid(self) -> None:
        """Every head of every layer has a grid of its own."""
        n = TOKENS[1]
        cost = growth(n, WIDTH, heads=HEADS, layers=LAYERS)
        figure, unit = in_binary(cost.all_grid_bytes)
        caption = (
            f"{HEADS} heads in {LAYERS} layers: {cost.grids} grids, "
            f"{figure}\u00a0{unit} at {n:,} tokens if all are kept."
        )
        with self.beat("Heads and layers", caption):
            gone = VGroup(*self.nest.standing(), self.first, self.struck)
            self.play(FadeOut(gone), run_time=0.5)
            self.play(FadeIn(self.tile_names), run_time=0.4)
            self.play(LaggedStart(*map(FadeIn, self.tiles), lag_ratio=0.06), run_time=2.0)
            self.source = self.note(*SOURCE)
            self.play(FadeIn(self.total_row(cost)), FadeIn(self.source), run_time=0.6)
            self.kept = VGroup(self.tiles, self.tile_names)

    def draw_memory(self) -> None:
        """The grid bends up; what it is made from stays a line."""
        with self.beat("Memory", "The grid grows as n²; the vectors it is made from only as n."):
            self.play(FadeOut(self.kept), run_time=0.5)
            third = [line[2:] for line in (self.bytes.headings, *self.bytes.rows[:3])]
            comes = VGroup(self.memory, *(cell for line in third for cell in line))
            self.play(FadeIn(comes), run_time=0.5)
            grid = self.memory.curve(lambda n: self.cost(n).grid_bytes, self.theme.highlight)
            vectors = self.memory.curve(lambda n: self.cost(n).vector_bytes, self.theme.ink)
            self.play(Create(grid), Create(vectors), run_time=1.8)
            self.play(FadeIn(self.memory_labels()), run_time=0.5)

    def draw_operations(self) -> None:
        """Any exact method multiplies as much."""
        caption = "Any exact method does n² work. Only a written grid needs n² memory."
        with self.beat("Operations", caption):
            self.play(FadeIn(self.work), run_time=0.5)
            curve = self.work.curve(lambda n: self.cost(n).operations, self.theme.highlight)
            self.play(Create(curve), run_time=1.8)
            self.counted = VGroup(self.work, curve, self.work_label())
            self.play(FadeIn(self.counted[2]), run_time=0.5)

    def show_measured_times(self) -> None:
        """Both paths as they were timed once, on a machine that is named."""
        last = MEASURED[-1]
        grid, tiles = self.seconds(last.grid), self.seconds(last.tiles)
        caption = (
            f"{last.n:,} tokens took {grid}\u00a0s with the grid, {tiles}\u00a0s in tiles "
            "that never hold it. Both times grow as n²; in memory only the grid does."
        )
        with self.beat("Measured", caption):
            self.play(FadeOut(self.counted), FadeOut(self.source), run_time=0.4)
            self.play(FadeIn(self.times_chart), FadeIn(self.note(*TIMED)), run_time=0.5)
            for i, (name, color) in enumerate(zip(PATHS, (self.theme.highlight, self.theme.ink))):
                points = [(one.n, getattr(one, name)) for one in MEASURED]
                curve = self.times_chart.through(points, color)
                self.play(Create(curve[0]), FadeIn(curve[1:]), run_time=1.2)
                self.play(FadeIn(self.time_label(i, color)), run_time=0.4)

    # The numbers

    def cost(self, n: int) -> Growth:
        """What one head costs among n tokens."""
        return growth(n, WIDTH)

    def caption_of_counting(self) -> str:
        """How many cells the sentence has."""
        n = self.n
        if n == 1:
            return "One word, scored against itself: 1 cell."
        every = "both" if n == 2 else f"all {n}"
        return f"{n} words, each scored against {every}: {n * n:,} cells."

    def caption_of_doubling(self) -> str:
        """What becomes of the first grid."""
        last = self.n
        while last * 2 <= TOKENS[0]:
            last *= 2
        first = "the first word" if self.n == 1 else f"the first {self.n}"
        size = "a dot" if self.n / last < 0.03 else "a small square"
        return f"Double, four times. At {last:,} words {first} are {size} in the corner.".replace(
            "word are", "word is"
        )

    # The picture

    def lay_out(self) -> None:
        """The sentence's own grid where the lecture draws it; the square; two tables."""
        self.n = len(self.sentence.words)
        stage, working, small = self.zones.stage, self.zones.working, self.sized(SMALL)
        side = stage.height + 0.15
        x = (stage.left + 1.4 + stage.right - side) / 2
        self.box = Box(x, x + side, stage.bottom, stage.bottom + side)
        weights = self.attention.weights
        mask = self.attention.mask
        allowed = np.ones_like(weights, dtype=np.bool_) if mask is None else mask
        if self.settings.rows == "keys":
            weights, allowed = weights.T, allowed.T
        area = self.lay_out_words() if self.n <= MOST_WORDS else self.lay_out_axes()
        self.nest = Nest(weights, allowed, area, self.box, self.theme, small)
        self.first = self.text("1 word" if self.n == 1 else f"{self.n} words", BODY,
                               self.theme.highlight)  # fmt: skip
        at = np.array((self.box.left - 0.2, self.box.top - 0.2, 0.0))
        self.first.shift(at - self.first.get_right())
        zoom, rows = self.zones.zoom, (TOKENS[0] // self.n).bit_length()
        size, counted = self.sized(BODY) * zoom, ("words", "cells")
        self.ledger = GrowthTable(counted, working, self.theme, size, small, 0.5 * zoom, rows)
        room_for_three = self.sized(0.3) * 12.3 + 0.3 < working.width
        headings = ("tokens", "one grid", "vectors")[: 3 if room_for_three else 2]
        size, rows = self.sized(0.3), len(TOKENS) + 1
        self.bytes = GrowthTable(headings, working, self.theme, size, small, 0.56, rows)
        self.signs = VGroup()
        self.lay_out_tiles()
        self.lay_out_curves()

    def lay_out_words(self) -> Box:
        """Words, names and numbers around and in the first grid; returns where it stands."""
        row = self.word_row()
        grid = Grid(
            self.words, row.columns, row.pitch, self.zones, self.theme,
            size=self.sized(BODY) * 1.1, small=self.sized(SMALL), rows=self.settings.rows,
        )  # fmt: skip
        digits, attention = self.settings.digits, self.attention
        texts = {cell: write_share(float(attention.weights[cell]), digits) for cell in grid.cells}
        size = grid.fitting(texts.values())
        self.numbers = VGroup()
        for cell, text in texts.items() if size else ():
            if attention.mask is None or attention.mask[cell]:
                self.numbers.add(grid.weight(cell, float(attention.weights[cell]), text, size))
        self.around = VGroup(row, grid.names, grid.axes)
        first, last = grid.cell(0, 0), grid.cell(self.n - 1, self.n - 1)
        return Box(first.left, last.right, last.bottom, first.top)

    def lay_out_axes(self) -> Box:
        """Only the names of both axes, where there are too many words to write down."""
        across, down = (LISTENS, HEARD) if self.settings.rows == "keys" else (HEARD, LISTENS)
        top = self.text(across + " →", SMALL, self.theme.dim)
        side = self.text(down + " ↓", SMALL, self.theme.dim)
        top.move_to((self.box.right, self.box.top + 0.25, 0.0), (1.0, 0.0, 0.0))
        side.move_to((self.box.left - 0.2, self.box.top - 0.2, 0.0), (1.0, 0.0, 0.0))
        self.around, self.numbers = VGroup(top, side), VGroup()
        return self.box

    def double(self, run_time: float) -> None:
        """Twice the words: the picture, its label and the table."""
        moves, settle = self.nest.double()
        n = self.nest.n
        self.play(*moves, run_time=run_time)
        row = self.ledger.row(f"{n:,}", f"{n * n:,}")
        settled = max(0.3, run_time * 0.4)
        self.play(*settle, FadeIn(self.nest.label()), FadeIn(row), run_time=settled)

    def surround(self, n: int, run_time: float) -> None:
        """A grid of n tokens drawn round what there is."""
        moves, settle = self.nest.surround(n)
        self.play(*moves, run_time=run_time)
        self.play(*settle, FadeIn(self.nest.label()), run_time=0.5)

    def times(self, row: int) -> VGroup:
        """×2 and ×4, before the figures of a row."""
        for cell, sign in zip(self.ledger.rows[row], ("×2", "×4")):
            number = self.figures(sign, SMALL, self.theme.highlight, 600)
            number.move_to(cell.get_left() + np.array((-0.25, 0.0, 0.0)), (1.0, 0.0, 0.0))
            self.signs.add(number)
        return self.signs

    def bytes_row(self, n: int) -> VGroup:
        """Tokens and the bytes of one grid; its vectors' bytes wait for their beat."""
        cost = self.cost(n)
        row = self.bytes.row(f"{n:,}", in_binary(cost.grid_bytes), in_binary(cost.vector_bytes))
        return VGroup(row[0], row[1])

    def total_row(self, cost: Growth) -> VGroup:
        """All grids of all heads and layers."""
        total = in_binary(cost.all_grid_bytes)
        return self.bytes.row((str(cost.grids), "grids"), total, color=self.theme.highlight)

    def note(self, *texts: str) -> VGroup:
        """Small lines under the table, which say where its numbers are from."""
        working, lines = self.zones.working, VGroup()
        for i, text in enumerate(texts):
            y = self.bytes.box.top - self.bytes.pitch * 6 - 0.4 * i
            line = self.text(text, SMALL, self.theme.dim)
            lines.add(line.move_to((working.left, y, 0.0), (-1.0, 0.0, 0.0)))
        return lines

    def _title_note(self) -> str:
        """Nothing: all words' cells are drawn."""
        return ""

    def lay_out_tiles(self) -> None:
        """A small grid for every head of every layer."""
        stage = self.zones.stage
        heads = self.text(f"{HEADS} heads →", BODY, self.theme.dim)
        layers = self.text(f"{LAYERS} layers ↓", BODY, self.theme.dim)
        left, top = max(self.box.left - 0.6, stage.left + layers.width + 0.2), stage.top - 0.1
        room = min(stage.width - 1.4, stage.right - left)
        pitch = min(room / HEADS, (stage.height - 0.1) / LAYERS)
        side = pitch * 0.84
        fill = blend(self.theme.ground, self.theme.weight, 0.17)
        self.tiles = VGroup()
        for layer in range(LAYERS):
            for head in range(HEADS):
                x, y = left + pitch * head, top - pitch * layer
                tile = boxes_shape([Box(x, x + side, y - side, y)])
                self.tiles.add(tile.set_stroke(self.theme.faint, 2).set_fill(fill, 1.0))
        heads.move_to((left, top + 0.3, 0.0), (-1.0, 0.0, 0.0))
        layers.move_to((left - 0.2, top - side / 2, 0.0), (1.0, 0.0, 0.0))
        self.tile_names = VGroup(heads, layers)

    def lay_out_curves(self) -> None:
        """Memory at the left, operations at the right."""
        stage, most, small = self.zones.stage, TOKENS[-1], self.sized(SMALL)
        cost, width = self.cost(most), (stage.width - 0.9) / 2
        low, high = stage.bottom + 0.5, self.zones.words.top - 0.3
        left = Box(stage.left, stage.left + width, low, high)
        right = Box(stage.right - width, stage.right, low, high)
        self.memory = Curves("bytes held", left, most, cost.grid_bytes, self.theme, small)
        self.work = Curves("operations (× and +)", right, most, cost.operations, self.theme, small)
        last = MEASURED[-1]
        longest = max(last.grid or 0.0, last.tiles or 0.0)
        self.times_chart = Curves("seconds", right, last.n, 1.1 * longest, self.theme, small)

    def memory_labels(self) -> VGroup:
        """What each curve is, and what it comes to."""
        cost, box = self.cost(TOKENS[-1]), self.memory.box
        labels = VGroup()
        for name, count, at, color in (
            ("grid", cost.grid_bytes, box.top - 0.15, self.theme.highlight),
            ("vectors", cost.vector_bytes, box.bottom + 0.25, self.theme.ink),
        ):
            label = self.curve_label(name, *in_binary(count), color)
            right = box.right - (BESIDE_CURVE if name == "grid" else 0.0)
            labels.add(*label.shift((right - float(label.get_right()[0]), at, 0.0)))
        return labels

    def curve_label(self, name: str, figure: str, unit: str, color: str) -> VGroup:
        """A curve's name and what it comes to, on a line; it begins at x = 0."""
        texts = [self.text(text, SMALL, color) for text in (name, unit)]
        first, last = (text.on_baseline(-0.36 * self.sized(SMALL)) for text in texts)
        return in_a_row(first, self.figures(figure, SMALL, color, 600), last, gap=0.1)

    def seconds(self, measured: float | None) -> str:
        """A time that was measured, in seconds."""
        return write_number(measured or 0.0, self.settings.digits)

    def time_label(self, i: int, color: str) -> VGroup:
        """A path's name and its last time, in the chart's empty corner."""
        name, box = PATHS[i], self.times_chart.box
        time = self.seconds(getattr(MEASURED[-1], name))
        label = self.curve_label(name, time, "s", color)
        return label.shift((box.left + 0.25, box.top - 0.25 - 0.45 * i, 0.0))

    def work_label(self) -> VGroup:
        """How many operations at the end of the curve."""
        box = self.work.box
        count = self.figures(write_number(self.cost(TOKENS[-1]).operations, self.settings.digits),
                             SMALL, self.theme.highlight, 600)  # fmt: skip
        count.move_to((box.right - BESIDE_CURVE, box.top - 0.15, 0.0), (1.0, 0.0, 0.0))
        return VGroup(count)
