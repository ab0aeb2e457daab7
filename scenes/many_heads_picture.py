"""What scene 10 is made of: two heads' grids and planes, W_O, and the paper's bar."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
from manim import FadeIn, FadeOut, LaggedStart, Mobject, VGroup

from engine import attention_of
from engine.attention import Attention
from engine.notation import write_share
from engine.presets import load_preset
from scenes.beats import shorten
from scenes.many_heads_words import PAPER, HeadsWords, join
from scenes.parts.bars import Measure, Piece, Strip
from scenes.parts.board import Products
from scenes.parts.formula import math
from scenes.parts.grid import Grid
from scenes.parts.head_picture import HeadPicture
from scenes.parts.layout import Box
from scenes.parts.mixing import Mixing
from scenes.settings import SceneSettings
from scenes.stage import BODY, SMALL, AttentionScene

BORROWED = "two-heads"
BETWEEN = 0.5
FEW = 5
SPREAD = 0.2
MIXING = 7.0
"""About how wide the numbers, their names and W_O are."""


class HeadsPicture(AttentionScene):
    """Two heads of a sentence, or of the preset; `ManyHeads` tells the story."""

    def __init__(self, settings: SceneSettings | None = None, **kwargs: Any) -> None:
        settings = settings or SceneSettings(load_preset())
        self.is_borrowed = len(settings.sentence.heads) < 2
        super().__init__(_with_two_heads(settings) if self.is_borrowed else settings, **kwargs)

    # The numbers

    def choose_numbers(self) -> None:
        """Which two heads, and what all of them give the focus word."""
        other = self.settings.head or 1
        self.heads = (0, other)
        first, second = (attention_of(self.sentence, head) for head in self.heads)
        self.attentions: tuple[Attention, Attention] = (first, second)
        self.joined = join(self.sentence, self.focus)
        self.say = HeadsWords(
            self.sentence, self.heads, self.attentions, self.shown, self.joined,
            self.settings.digits,
        )  # fmt: skip
        self.texts = [
            [[write_share(float(w), self.settings.digits) for w in row]
             for row in a.weights[np.ix_(list(self.shown), list(self.shown))]]
            for a in self.attentions
        ]  # fmt: skip

    def _title_note(self) -> str:
        note = super()._title_note()
        return f"preset {BORROWED}" if self.is_borrowed else note

    def entries_of_heads(self) -> list[list[int]]:
        """Which of the numbers drawn end to end come from each of the two heads drawn."""
        ends = np.cumsum([0, *self.joined.widths])
        spans = [range(ends[h], ends[h + 1]) for h in self.heads]
        return [[r for r, i in enumerate(self.mixing.kept) if i in span] for span in spans]

    # The picture

    def lay_out(self) -> None:
        """Words on top, a grid for each head under them, a plane for each at the right."""
        self.row = self.word_row()
        self.add(self.row)
        stage, working = self.zones.stage, self.zones.working
        height = (stage.height - BETWEEN) / 2
        self.is_stacked = working.left < stage.right
        halves = self.halves()
        self.grids, self.names, self.name_goals, self.pictures = [], [], [], []
        for which, top in enumerate((stage.top, stage.top - height - BETWEEN)):
            self.grids.append(
                self.make_grid(which, Box(stage.left, stage.right, top - height, top))
            )
            small = self.aside(which, Box(working.left, working.right, top - height, top))
            name = self.word(shorten(self.sentence.heads[self.heads[which]].name, 18), 3.0)
            half = float(name.width) / 2
            self.name_goals.append(np.array((small.left + 0.25 + half, small.top + 0.24, 0.0)))
            name.move_to((halves[which].left + 0.25 + half, halves[which].top + 0.3, 0.0))
            self.names.append(name)
            self.pictures.append(self.make_picture(which, halves[which], small))
        self.make_mixing()

    def halves(self) -> tuple[Box, Box]:
        """Where the heads' planes stand while they are large: side by side, or upright stacked."""
        stage, working = self.zones.stage, self.zones.working
        if self.is_stacked:
            return (Box(stage.left, stage.right, stage.bottom, stage.top - 0.4),
                    Box(stage.left, stage.right, working.bottom, working.top - 0.4))  # fmt: skip
        return (Box(stage.left, -0.2, stage.bottom, stage.top - 0.4),
                Box(0.2, working.right, stage.bottom, stage.top - 0.4))  # fmt: skip

    def aside(self, which: int, beside: Box) -> Box:
        """Where a head's small plane goes: beside its grid, or upright half of what is under."""
        if not self.is_stacked:
            return beside
        stage, working = self.zones.stage, self.zones.working
        left, width = stage.left + which * stage.width / 2, stage.width / 2 - 0.15
        return Box(left, left + width, working.bottom, working.top - 0.5)

    def make_grid(self, which: int, zone: Box) -> Grid:
        """An empty grid in its half of the stage, its columns under the words."""
        grid = Grid(
            self.words, self.row.columns, self.row.pitch, replace(self.zones, stage=zone),
            self.theme, size=self.sized(BODY), small=self.sized(SMALL), rows=self.settings.rows,
        )  # fmt: skip
        grid.names[self.focus_column].set_color(self.theme.highlight)
        return grid

    def row_names(self, grid: Grid) -> list[Mobject]:
        """The names of the rows there is room for: all, or the focus word's."""
        if len(self.words) <= FEW:
            return list(grid.names)
        return [] if grid.is_turned else [grid.names[self.focus_column]]

    def make_picture(self, which: int, large: Box, small: Box) -> HeadPicture:
        """The focus word's query and every key of a head, in a plane first large, then small."""
        a, width = self.attentions[which], 14 if len(self.words) <= FEW else 8
        names = [shorten(word, width) for word in (self.focus_word, *self.words)]
        return HeadPicture(
            a.query[self.focus], a.key[list(self.shown)], names, large, small, self.theme,
            self.sized(SMALL),
        )  # fmt: skip

    def make_mixing(self) -> None:
        """The column of all numbers end to end, and W_O."""
        stage = self.zones.stage
        names = [shorten(head.name, 14) for head in self.sentence.heads]
        heads = list(zip(names, self.joined.widths))
        sizes = (self.sized(BODY), self.sized(SMALL))
        left = stage.left + 0.9
        if self.is_stacked:  # in the middle, as far as it isn't as wide as the frame
            left = stage.left + max(0.0, (stage.width - MIXING) / 2)
        box = Box(left, stage.right, stage.bottom, stage.top)
        self.mixing = Mixing(
            self.joined.numbers, heads, self.joined.w_output, self.joined.output, box, self.theme,
            sizes, self.settings.digits,
        )  # fmt: skip
        self.w_o = VGroup(math("W_O", self.theme.ink, 0.36))
        if self.joined.output is not None:
            cells = self.mixing.matrix_cells
            x, y = float(cells.get_right()[0]) + 0.45, float(cells.get_center()[1])
            if self.is_stacked:  # no room beside it: over it, where the word stands over its column
                x, y = float(cells.get_center()[0]), self.zones.words.center[1]
            self.w_o.move_to((x, y, 0.0))

    def filled_rows(self, which: int) -> list[list[Mobject]]:
        """What stands in each row of a head's grid."""
        grid, attention = self.grids[which], self.attentions[which]
        size = grid.fitting(text for row in self.texts[which] for text in row)
        rows: list[list[Mobject]] = [[] for _ in self.words]
        for i, j in grid.cells:
            at = (self.shown[i], self.shown[j])
            piece = VGroup()
            if np.isneginf(attention.masked[at]):
                piece.add(grid.hatch([(i, j)]))
            else:
                weight = float(attention.weights[at])
                piece.add(grid.fill((i, j), weight))
                if size:
                    piece.add(grid.weight((i, j), weight, self.texts[which][i][j], size))
            rows[i].append(piece)
        return rows

    def beside(self, grid: Grid) -> Box:
        """The board beside the focus word's row of a grid."""
        working, y = self.zones.working, self.height_of_focus(grid)
        return Box(working.left, working.right, y - 0.3, y + 0.3)

    def height_of_focus(self, grid: Grid) -> float:
        """Where the focus word's row is; where the picture is turned, the grid's middle."""
        if grid.is_turned:
            return (grid.rows[0] + grid.rows[-1]) / 2
        return grid.rows[self.focus_column]

    # W_O

    def mix_column(self, column: int, mark: Mobject) -> Mobject:
        """One column of W_O at work; its number comes from the sum on the board."""
        mixing, joined = self.mixing, self.joined
        assert joined.w_output is not None
        assert joined.output is not None
        result = mixing.results[mixing.kept_columns.index(column)]
        frame = mixing.column_box(column)
        if not mixing.is_whole:
            self.play(FadeOut(mark), FadeIn(frame), FadeIn(result), run_time=0.7)
            return frame
        weights = joined.w_output[:, column]
        products = Products(
            joined.numbers, weights, joined.numbers * weights, float(joined.output[column]),
            self.theme, self.sized(BODY) * 1.15, self.settings.digits, most=6,
        )  # fmt: skip
        for row in products.rows:
            row[0].set_color(self.role("output"))
            row[2].set_color(self.theme.ink)
        self.put_on_board(products)
        self.play(FadeOut(mark), FadeIn(frame), run_time=0.4)
        self.play(LaggedStart(*map(FadeIn, products.rows), lag_ratio=0.4), run_time=1.0)
        self.play(FadeIn(products.rule), FadeIn(products.total), run_time=0.4)
        self.play(FadeIn(result, target_position=products.total), run_time=0.6)
        return VGroup(frame, products)

    def put_on_board(self, products: Products) -> None:
        """At the top of the board, no wider than it."""
        box = self.zones.working
        room = box.width - 0.5
        products.scale(min(self.zones.zoom, room / float(products.width)))
        left = box.left + 0.4 - float(products.get_left()[0])
        top = min(box.top, self.zones.stage.top) - 0.1 - float(products.get_top()[1])
        products.shift((left, top, 0.0))

    # The paper

    def draw_eight(self) -> None:
        """One bar of 512, cut in eight of 64, and laid end to end again."""
        box, color = self.wide_bar(), self.role("output")
        small = self.sized(SMALL)
        pieces = [Piece(str(PAPER.width), self.theme.panel, color, color)] * PAPER.heads
        whole = Piece(str(PAPER.joined), self.theme.panel, color, color)
        one = Strip([PAPER.joined], [whole], box, self.theme, self.sized(BODY) * 1.3)
        eight = Strip([PAPER.width] * PAPER.heads, pieces, box, self.theme, self.sized(BODY) * 1.2)
        self.play(FadeIn(one), run_time=0.5)
        self.play(FadeOut(one.names), FadeIn(eight.pieces), FadeIn(eight.names), run_time=0.5)
        self.remove(one)
        named = [self.text(f"head {i + 1}", SMALL, self.theme.dim) for i in range(PAPER.heads)]
        if max(float(name.width) for name in named) > 0.9 * eight.boxes[0].width:
            named = [self.text(str(i + 1), SMALL, self.theme.dim) for i in range(PAPER.heads)]
        heads = VGroup(*named)
        for i, (head, piece) in enumerate(zip(heads, eight.boxes)):
            x = piece.center[0] + (i - (PAPER.heads - 1) / 2) * SPREAD
            head.shift((x - float(head.get_center()[0]), 0.0, 0.0)).on_baseline(box.top + 0.2)
        apart = [
            part.animate.shift(((i - (PAPER.heads - 1) / 2) * SPREAD, 0.0, 0.0))
            for i, pair in enumerate(zip(eight.pieces, eight.names)) for part in pair
        ]  # fmt: skip
        self.play(*apart, FadeIn(heads), run_time=0.9)
        self.wait(0.6)
        together = [
            part.animate.shift(((i - (PAPER.heads - 1) / 2) * -SPREAD, 0.0, 0.0))
            for i, group in enumerate(zip(eight.pieces, eight.names, heads)) for part in group
        ]  # fmt: skip
        self.play(*together, run_time=0.9)
        length = self.figures(str(PAPER.joined), BODY * 1.2, weight=600)
        measure = Measure(box.left, box.right, box.bottom - 0.4, 0.9, self.theme)
        length.rewrite(str(PAPER.joined), box.center[0], box.bottom - 0.4)
        self.play(FadeIn(measure), FadeIn(length), run_time=0.5)
        self.below = box.bottom - 0.4 - 2 * small

    def wide_bar(self) -> Box:
        """Across stage and board, with room for the pieces to move apart."""
        aside = SPREAD * (PAPER.heads - 1) / 2
        left = self.zones.stage.left + aside
        right = max(self.zones.stage.right, self.zones.working.right) - aside
        y = self.zones.stage.top - 0.9
        if self.is_stacked:  # in the middle of the height, with our own strip under it
            y = (self.zones.stage.top + self.zones.working.bottom) / 2 + 1.2
        return Box(left, right, y - 0.45, y + 0.45)

    def our_strip(self) -> VGroup:
        """The two numbers of each head, side by side."""
        names = [shorten(head.name, 12) for head in self.sentence.heads]
        color, width = self.role("output"), min(2.2, 7.6 / len(names))
        half = width * len(names) / 2
        box = Box(-half, half, self.below - 1.1, self.below - 0.3)
        pieces = [Piece("2", self.theme.panel, color, color)] * len(names)
        strip = Strip([2] * len(names), pieces, box, self.theme, self.sized(BODY) * 1.2)
        labels = VGroup()
        for name, piece in zip(names, strip.boxes):
            word = self.word(name, width * 0.9, SMALL, self.theme.dim)
            labels.add(word.shift((piece.center[0], box.bottom - 0.35, 0.0)))
        return VGroup(strip, labels)


def _with_two_heads(settings: SceneSettings) -> SceneSettings:
    """The preset's sentence, told as this one is: scaled, masked and as warm."""
    sentence = settings.sentence
    borrowed = msgspec.structs.replace(
        load_preset(BORROWED), scaled=sentence.scaled, causal=sentence.causal,
        temperature=sentence.temperature,
    )  # fmt: skip
    return replace(settings, sentence=borrowed, head=0)
