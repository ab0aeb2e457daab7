"""Scene 13: must the grid ever be written down?"""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, FadeIn, FadeOut, Transform, VGroup

from engine.growth import held_by_tile
from engine.tiled import TileStep
from scenes.beats import quoted, shorten
from scenes.parts.grid import Grid, hatch_shape
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.tile import HeldChart, KeptTable, TileArea, TotalBar
from scenes.stage import BODY, MOST_WORDS, SMALL, AttentionScene
from scenes.tiles_walk import ENTRIES, Meeting, all_tiles, meet_keys
from scenes.tiles_words import TileWords

BLOCK = 2
MOST_TILES = 8
"""A long sentence's grid is cut into at most so many tiles a side."""
LINES, BAR_AT = 12.0, 8.4
SIZES = (1, 2, 4)
FEW = 6
"""Among so few words a mask is shown with tiles of one cell."""


class Tiles(AttentionScene):
    """The same output without the grid: a tile at a time, and three things kept."""

    title = "Tiles"
    lit = ("scores", "softmax", "value")
    working_share = 0.6

    def construct(self) -> None:
        """Outline, meet a key, keep, shrink, meet the rest, divide, sweep, weigh, mask."""
        self.compute()
        self.lay_out()
        self.outline_the_grid()
        self.meet_the_first_key()
        self.name_what_is_kept()
        self.meet_the_others()
        self.divide_once()
        self.sweep_every_block()
        self.weigh_what_is_held()
        self.skip_what_is_masked()
        self.say_it_is_exact()

    # The story

    def outline_the_grid(self) -> None:
        """Lines, and nothing in them."""
        with self.beat("Only outlined", self.say.outlined()):
            self.play(FadeIn(self.words_row), FadeIn(self.grid.axes), run_time=0.6)
            self.play(FadeIn(self.grid.names), FadeIn(self.lines), run_time=0.8)

    def meet_the_first_key(self) -> None:
        """The tile at work, its scores, and the first copies in the table."""
        with self.beat("One key at a time", self.say.first_key()):
            self.play(FadeIn(self.table.headings), FadeIn(self.table.labels["score"]),
                      run_time=0.5)  # fmt: skip
            if self.frame is not None:
                self.play(FadeIn(self.frame), run_time=0.4)
            self.show_scores(0, 0.7)

    def name_what_is_kept(self) -> None:
        """Largest, total, output."""
        with self.beat("What is kept", self.say.kept()):
            for row in ("largest", "total", "output"):
                names = self.rows_called(row)
                labels = [FadeIn(self.table.labels[name]) for name in names]
                fades = [fade for name in names for fade in self.to_stop(name, 0)]
                self.play(*labels, *fades, run_time=0.7)
            self.play(FadeIn(self.bar_label), run_time=0.3)
            self.grow_bar(0, 0.4)

    def meet_the_others(self) -> None:
        """Key after key; the first that is larger has its own beat."""
        last, larger = len(self.columns) - 1, self.focused.larger()
        if larger is None:
            with self.beat("Nothing shrinks", self.say.nothing_larger()):
                self.pass_keys(range(1, last + 1), 3.6)
            return
        if larger > 1:
            with self.beat("The next keys", self.say.next_keys()):
                self.pass_keys(range(1, larger), 2.4)
        with self.beat("A larger score", self.say.larger(larger)):
            self.meet_slowly(larger)
        if larger < last:
            largest = self.focused.largest
            again = bool(largest[last] > largest[larger])
            with self.beat("The other keys", self.say.rest(again)):
                self.pass_keys(range(larger + 1, last + 1), 3.0)

    def divide_once(self) -> None:
        """The output, and the one that needed the grid."""
        with self.beat("Divide once", self.say.divide()):
            gone = [self.table.labels[name] for name in ("score", "shrinks")]
            fades = [fade for name in ("score", "shrinks") for fade in self.clear_row(name)]
            gone += [self.bar, self.bar_label]
            if self.frame is not None:
                gone.append(self.frame)
            self.play(*(FadeOut(part) for part in gone), *fades, *self.leave_cells(),
                      run_time=0.5)  # fmt: skip
            ends = [meeting.ends(self.settings.digits) for meeting in self.walk.meetings]
            for way, row, color in ((0, "tiles", self.role("output")), (1, "grid", "")):
                names = self.rows_called(row)
                labels = [FadeIn(self.table.labels[name]) for name in names]
                fades = []
                for entry, name in enumerate(names):
                    texts = [end[way][entry] for end in ends]
                    start = self.numbers_of(f"output {entry}") if way == 0 else ()
                    fades += self.table.change(name, texts, color, start)
                self.play(*labels, *fades, run_time=1.0)

    def sweep_every_block(self) -> None:
        """All tiles of the grid; each is forgotten as the next is met."""
        steps = self.steps(causal=self.sentence.causal)
        with self.beat("Every block", self.say.sweep(self.side, len(steps))):
            gone = VGroup(self.lines)
            if len(self.shown) < len(self.sentence.words):
                gone.add(self.words_row, self.grid.names)
            self.play(FadeOut(gone), FadeIn(self.tile_lines), run_time=0.5)
            frame = self.area.frame(self.box_of(steps[0]))
            self.play(FadeIn(frame), run_time=0.3)
            for step in steps[1:]:
                target = self.area.frame(self.box_of(step))
                self.play(Transform(frame, target), run_time=max(0.12, 2.0 / len(steps)))
            self.play(FadeOut(frame), run_time=0.3)

    def weigh_what_is_held(self) -> None:
        """Flat beside the grid's."""
        n = len(self.sentence.words)
        held = held_by_tile(self.side, self.side, self.attention.value.shape[-1])
        sizes = [n * factor for factor in SIZES]
        with self.beat("Memory", self.say.memory(held, sizes)):
            labels = [self.table.labels[r] for r in self.table.rows if r not in UNLABELLED]
            gone = VGroup(self.table.standing(), self.table.headings, *labels)
            self.play(FadeOut(gone), run_time=0.5)
            counts = {"cells of the grid": [size * size for size in sizes],
                      "held, with tiles": [held] * len(sizes)}  # fmt: skip
            self.chart = HeldChart(sizes, counts, self.zones.working, self.theme,
                                   (self.sized(BODY), self.sized(SMALL)))  # fmt: skip
            self.play(FadeIn(self.chart.names), FadeIn(self.chart.sizes), run_time=0.5)
            for bars, numbers in zip(self.chart.bars, self.chart.numbers):
                self.play(FadeIn(bars), FadeIn(numbers), run_time=0.8)

    def skip_what_is_masked(self) -> None:
        """Above the diagonal no tile is visited."""
        if len(self.sentence.words) <= FEW:
            self.side = 1
        steps = self.steps(causal=True)
        boxes = [self.box_of(step) for step in steps]
        every = self.every_box()
        never = [box for box in every if box not in boxes]
        with self.beat("With a causal mask", self.say.masked(self.side, len(boxes), len(every))):
            frame = self.area.frame(boxes[0])
            lines = self.area.lines(every)
            self.swap(self.tile_lines, lines, FadeIn(frame), run_time=0.4)
            pace = max(0.12, 2.0 / len(boxes))
            for i, box in enumerate(boxes):
                done = FadeIn(self.area.done(box))
                moves: list[Animation] = [done]
                if i + 1 < len(boxes):
                    moves.append(Transform(frame, self.area.frame(boxes[i + 1])))
                self.play(*moves, run_time=pace)
            self.play(FadeOut(frame), run_time=0.3)
            if never:
                hatch = hatch_shape(never, 0.16)
                hatch.set_stroke(self.theme.faint, 1.5 * self.theme.stroke)
                self.play(FadeIn(hatch), run_time=0.7)

    def say_it_is_exact(self) -> None:
        """What to be able to say afterwards."""
        with self.beat("Exact", self.say.exact()):
            self.light("scores", "softmax", "value")

    # Meeting keys

    def pass_keys(self, stops: Sequence[int], seconds: float) -> None:
        """Several keys at a steady pace."""
        pace = max(0.3, seconds / max(len(stops), 1))
        for stop in stops:
            moves, comes = self.bar.follow(self.focused.pieces(stop))
            names = [name for name in self.kept_rows if name != "score"]
            fades = [fade for name in names for fade in self.to_stop(name, stop)]
            scores = self.scores_at(stop)
            self.play(*self.leave_cells(), *self.move_frame(stop), *(FadeIn(s) for s in scores),
                      *self.to_stop("score", stop), *fades, *moves, *comes,
                      run_time=pace)  # fmt: skip
            self.in_cells = scores

    def meet_slowly(self, stop: int) -> None:
        """A larger score: the tile moves, the score comes, what was kept shrinks, then adds."""
        self.play(*self.leave_cells(), *self.move_frame(stop), run_time=0.6)
        self.show_scores(stop, 0.7)
        label = self.table.labels["shrinks"]
        self.play(FadeIn(label), *self.to_stop("largest", stop, self.theme.highlight),
                  *self.to_stop("shrinks", stop, self.theme.highlight), run_time=0.8)  # fmt: skip
        self.is_shrinking = True
        moves, comes = self.bar.follow(self.focused.pieces(stop))
        if moves:
            self.play(*moves, run_time=1.2)
        rows = ["total", *self.rows_called("output")]
        fades = [fade for name in rows for fade in self.to_stop(name, stop)]
        self.play(*comes, *fades, run_time=0.8)

    def show_scores(self, stop: int, run_time: float) -> None:
        """Scores in the tile, and copies of them in the table."""
        self.in_cells = self.scores_at(stop)
        if self.in_cells:
            self.play(*(FadeIn(score) for score in self.in_cells), run_time=0.4)
        self.play(*self.to_stop("score", stop, start=self.in_cells), run_time=run_time)

    def grow_bar(self, stop: int, run_time: float) -> None:
        """The total's pieces after a stop."""
        moves, comes = self.bar.follow(self.focused.pieces(stop))
        self.play(*moves, *comes, run_time=run_time)

    def to_stop(
        self, row: str, stop: int, color: str = "", start: Sequence[Number] = ()
    ) -> list[Animation]:
        """A row of the table as it is after a stop."""
        if row == "shrinks" and not (self.is_shrinking or color):
            return []
        return self.table.change(row, [texts[row][stop] for texts in self.texts], color, start)

    def clear_row(self, row: str) -> list[Animation]:
        """A row's numbers go."""
        return self.table.change(row, [""] * len(self.walk.meetings))

    def numbers_of(self, row: str) -> list[Number]:
        """The numbers that stand in a row, one a query."""
        return [self.table.numbers[row, i] for i in range(len(self.walk.meetings))]

    def scores_at(self, stop: int) -> list[Number]:
        """The scores in the tile of a stop; none where numbers don't fit or it isn't drawn."""
        column = self.columns[stop]
        if column is None or not self.score_size:
            return []
        return [
            self.grid.number((row, column), texts["score"][stop], self.score_size)
            for row, texts in zip(self.block, self.texts)
        ]

    def leave_cells(self) -> list[Animation]:
        """What stands in the tile goes: nothing of it is written down."""
        fades: list[Animation] = [FadeOut(number) for number in self.in_cells]
        self.in_cells = []
        return fades

    def move_frame(self, stop: int) -> list[Animation]:
        """The tile's border goes to the key of a stop."""
        column = self.columns[stop]
        if column is None or self.frame is None:
            return []
        return [Transform(self.frame, self.frame_at(column))]

    # The numbers

    def compute(self) -> None:
        """The walk of the block with the focus, two queries where both are drawn."""
        self.rows = BLOCK
        self.take_block()
        partner = [self.walk.first + i for i in range(len(self.walk.meetings))]
        if any(query not in self.shown for query in partner):
            self.take_one()

    def take_one(self) -> None:
        """The focus word alone."""
        self.rows = 1
        self.take_block()

    def take_block(self) -> None:
        """What the block's queries hold after every key, and how that is written."""
        self.walk = meet_keys(self.sentence, self.attention, self.shown, self.focus, self.rows)
        self.columns = self.walk.columns
        self.focused: Meeting = self.walk.meetings[self.focus - self.walk.first]
        self.texts = [meeting.written(self.settings.digits) for meeting in self.walk.meetings]

    def steps(self, *, causal: bool) -> list[TileStep]:
        """Every tile that is visited."""
        return all_tiles(self.sentence, self.attention, (self.side, self.side), causal=causal)

    # The picture

    def lay_out(self) -> None:
        """Words on top, the outlined grid under them, the table at the right."""
        n, small = len(self.sentence.words), self.sized(SMALL)
        self.words_row = self.word_row()
        self.grid = Grid(
            self.words, self.words_row.columns, self.words_row.pitch, self.zones, self.theme,
            size=self.sized(BODY) * 1.1, small=small, rows=self.settings.rows,
        )  # fmt: skip
        if not self.grid.is_turned:
            self.grid.names[self.focus_column].set_color(self.theme.highlight)
        self.lines = self.grid.outline(self.grid.cells)
        self.lay_out_table(small)
        queries = [self.walk.first + i for i in range(len(self.walk.meetings))]
        self.block = [self.shown.index(query) for query in queries]
        self.say = TileWords(
            self.sentence.words, self.shown, queries, self.focused, self.focus,
            self.settings.digits,
        )  # fmt: skip
        self.score_size = self.grid.fitting(t for texts in self.texts for t in texts["score"])
        self.in_cells = []
        self.is_shrinking = False
        first = self.columns[0]
        self.frame = None if first is None else self.frame_at(first)
        cells = [self.grid.cell(0, 0), self.grid.cell(len(self.words) - 1, len(self.words) - 1)]
        whole = Box(cells[0].left, cells[1].right, cells[1].bottom, cells[0].top)
        self.area = TileArea(n, whole, self.theme, turned=self.grid.is_turned)
        self.side = min(2, n) if n <= MOST_WORDS else -(-n // MOST_TILES)
        self.tile_lines = self.area.lines(self.every_box())

    def lay_out_table(self, small: float) -> None:
        """The table of what is kept, for one query where two don't fit; the bar under it."""
        working = self.zones.working
        pitch = min(0.5, working.height / LINES)
        self.table = self.make_table(pitch, small)
        if not self.table.fits and len(self.walk.meetings) > 1:
            self.take_one()
            self.table = self.make_table(pitch, small)
        self.kept_rows = [
            name for name in self.table.rows if not name.startswith(("tiles", "grid"))
        ]
        top = working.top - BAR_AT * pitch
        box = Box(working.left, working.right, top - 0.9 * pitch, top)
        self.bar = TotalBar(float(max(self.focused.total)), box, self.theme)
        name = quoted(shorten(self.sentence.words[self.focus], 6))
        self.bar_label = self.text(f"{name}: total, key by key", SMALL, self.theme.dim)
        self.bar_label.shift((box.left - float(self.bar_label.get_left()[0]), 0.0, 0.0))
        self.bar_label.on_baseline(box.top + 0.12)

    def make_table(self, pitch: float, small: float) -> KeptTable:
        """Rows for what is kept and for both ends, wide enough for every number to come."""
        width = self.attention.value.shape[-1]
        entries = range(min(ENTRIES, width))
        more = f"first {ENTRIES} of {width}" if width > ENTRIES else " "
        rows = [("score", "score s"), ("largest", "largest m"), ("shrinks", "shrinks by"),
                ("total", "total")]  # fmt: skip
        for name, label in (("output", "output so far"), ("tiles", "÷ total"),
                            ("grid", "by the grid")):  # fmt: skip
            rows += [(f"{name} {i}", more if i else label) for i in entries]
        digits = self.settings.digits
        widest = {text for texts in self.texts for row in texts.values() for text in row}
        widest |= {t for m in self.walk.meetings for end in m.ends(digits) for t in end}
        first = self.walk.first
        words = self.sentence.words[first : first + len(self.walk.meetings)]
        return KeptTable(
            words, rows, sorted(widest), self.zones.working, pitch, self.theme,
            (self.sized(BODY), small),
        )  # fmt: skip

    def rows_called(self, name: str) -> list[str]:
        """The rows of an entry each, or the row of that name."""
        return [row for row in self.table.rows if row.partition(" ")[0] == name]

    def frame_at(self, column: int) -> VGroup:
        """The border of the block's tile at a key."""
        cells = [(row, column) for row in self.block]
        return VGroup(self.grid.frame(cells, self.theme.highlight))

    def box_of(self, step: TileStep) -> Box:
        """Where a tile lies."""
        return self.area.tile(step.queries, step.keys)

    def every_box(self) -> list[Box]:
        """All tiles of the grid, visited or not."""
        n, side = len(self.sentence.words), self.side
        parts = [slice(start, min(start + side, n)) for start in range(0, n, side)]
        return [self.area.tile(queries, keys) for queries in parts for keys in parts]


UNLABELLED = ("score", "shrinks")
"""Rows that are gone once the block has ended."""
