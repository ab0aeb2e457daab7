"""Scene 14: what must be remembered while writing?"""

from __future__ import annotations

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, Mobject, VGroup, VMobject

from engine.growth import Growth
from engine.notation import write_share
from engine.sentence import mask_of, vectors_of
from scenes.beats import shorten
from scenes.parts.bars import Bar
from scenes.parts.cache import ByteBars, CacheRow, QueryTile, link_points
from scenes.parts.columns import EntryColumn
from scenes.parts.growth_chart import GrowthTable, in_binary
from scenes.parts.layout import ROW_NAMES, Box
from scenes.parts.measured import MeasuredRow
from scenes.parts.type import Text
from scenes.parts.word import WordRow
from scenes.parts.word_lines import output_lines
from scenes.parts.written import output_written
from scenes.shared_keys_words import (
    BORROWED,
    HEADS,
    LAYERS,
    LONG,
    SHARINGS,
    SharedWords,
    answers_of,
    asked_of,
    cache,
)
from scenes.stage import BODY, SMALL, AttentionScene

MOST_DRAWN = 3
WRITTEN = ("own keys and values", "their mean, shared")


class SharedKeys(AttentionScene):
    """What is shared is what is stored.

    Whose heads come to share: the sentence's, or where it has one head only (or heads of unlike
    widths) the preset's, which the title line says.
    """

    title = "Shared keys"
    lit = ("scores", "value")
    working_share = 0.56
    heading: Text

    def construct(self) -> None:
        """A column a word, eight heads, two groups, one for all; then other answers."""
        self.choose_numbers()
        self.lay_out()
        self.write_a_column_a_word()
        self.give_every_head_its_own()
        self.weigh_the_cache()
        self.share_in_groups()
        self.share_with_all()
        self.weigh_a_long_text()
        self.share_ours()
        self.compare_outputs()
        self.close()

    # The story

    def write_a_column_a_word(self) -> None:
        """Word by word: the query goes, key and value stay."""
        with self.beat("A column a word", self.say.writing()):
            pace, old = min(1.1, 4.4 / len(self.words)), VGroup()
            self.play(FadeIn(self.ledger.headings), run_time=0.3)
            columns = zip(self.row, self.queries, self.keys, self.values, self.counted)
            for word, query, key, value, count in columns:
                self.play(FadeIn(word), FadeOut(old), run_time=0.25 * pace)
                come = (FadeIn(m, target_position=word) for m in (query, key, value))
                self.play(*come, FadeIn(count), run_time=0.45 * pace)
                self.wait(0.3 * pace)
                old = query
            self.play(FadeOut(old), run_time=0.3)

    def give_every_head_its_own(self) -> None:
        """The columns shrink into one head's row; seven more come out of it."""
        with self.beat("Every head its own", self.say.every_head()):
            first, goal = self.rows[0], self.rows[0].get_center()
            gone = [
                FadeOut(column, target_position=(x, goal[1], 0.0), scale=0.3)
                for column, x in (
                    *zip(self.keys, self.row.columns), *zip(self.values, self.row.columns),
                )
            ]  # fmt: skip
            gone.append(FadeOut(VGroup(self.ledger.headings, *self.counted)))
            self.play(*gone, FadeIn(first), run_time=0.9)
            self.add(*reversed(self.rows))
            moves = []
            for row, y in zip(self.rows[1:], self.ys[1:]):
                row.move_to(goal)
                moves.append(row.animate.move_to((goal[0], y, 0.0)))
            self.play(*moves, run_time=1.2)
            self.play(LaggedStart(*map(FadeIn, self.tiles), lag_ratio=0.1), run_time=0.8)
            self.play(*map(Create, self.links), run_time=0.6)

    def weigh_the_cache(self) -> None:
        """What that comes to for the sentence."""
        with self.beat("In bytes", self.say.bytes(self.size(0))):
            self.play(FadeIn(self.heading), run_time=0.4)
            bars = self.bars
            self.play(FadeIn(bars.names[0]), FadeIn(bars.sources[0]), run_time=0.4)
            self.play(FadeIn(bars.bars[0], target_position=self.rows[-1]), run_time=0.8)
            self.play(FadeIn(bars.figures[0]), run_time=0.4)

    def share_in_groups(self) -> None:
        """Four rows become one, twice."""
        with self.beat("Groups share", self.say.groups(self.size(1))):
            self.merge(1)

    def share_with_all(self) -> None:
        """The two that are left become one."""
        with self.beat("All share", self.say.all(self.size(2))):
            self.merge(2)

    def weigh_a_long_text(self) -> None:
        """The same bars, with the bytes of many tokens in all layers."""
        costs = [cache(LONG, one.kv_heads, LAYERS).cache_bytes for one in SHARINGS]
        first, second, third = (" ".join(in_binary(count)) for count in costs)
        with self.beat("A long text", self.say.long((first, second, third))):
            heading = self.bars.heading(f"{LONG:,} tokens, {LAYERS} layers")
            self.swap(self.heading, heading, run_time=0.7)
            self.heading = heading
            figures = VGroup(*(self.bars.figure(i, count) for i, count in enumerate(costs)))
            self.swap(self.bars.figures, figures, run_time=0.7)
            self.bars.figures = figures

    def share_ours(self) -> None:
        """Real heads given the mean of their keys and values: bars move to other weights."""
        with self.beat("Another model", self.say.other_weights()):
            standing = self.standing_in(self.zones.stage, self.zones.working)
            self.play(*map(FadeOut, standing), FadeOut(self.row), FadeIn(self.asked_row),
                      run_time=0.7)  # fmt: skip
            self.play(*map(FadeIn, self.measured), FadeIn(self.before[0]), run_time=0.7)
            self.play(FadeIn(self.before[1], target_position=self.measured[0]), run_time=0.6)
            self.wait(0.3)
            self.add(*self.ghosts)
            i, columns = self.asked.focus, list(self.asked_shown)
            changes = [
                row.change(own[i, columns], shared[i, columns], self.written)
                for row, own, shared in zip(
                    self.measured, self.answers.own_weights, self.answers.shared_weights
                )
            ]
            self.play(*changes, run_time=1.7)

    def compare_outputs(self) -> None:
        """The other answer under the first one."""
        with self.beat("Other answers", self.say.other_answers()):
            self.play(FadeIn(self.after[0]), run_time=0.4)
            self.play(FadeIn(self.after[1], target_position=self.measured[-1]), run_time=0.8)

    def close(self) -> None:
        """Eight queries, one row kept, and the three bars."""
        with self.beat("What is stored", self.say.close()):
            gone = (*self.measured, *self.ghosts, *self.before, *self.after)
            self.play(*map(FadeOut, gone), FadeOut(self.asked_row), FadeIn(self.row), run_time=0.6)
            bars = self.bars
            comes = (self.heading, bars.names, bars.bars, bars.figures, bars.sources, self.tiles,
                     self.links, self.rows[0])  # fmt: skip
            self.play(*map(FadeIn, comes), run_time=0.8)

    # The numbers

    def choose_numbers(self) -> None:
        """Whose heads share, and what comes of it."""
        self.asked = asked_of(self.sentence)
        self.answers = answers_of(self.asked)
        is_own = self.asked is self.sentence
        self.asked_shown = self.shown if is_own else tuple(range(len(self.asked.words)))
        self.say = SharedWords(self.sentence, self.asked, self.answers, self.settings.digits)

    def _title_note(self) -> str:
        note = super()._title_note()
        borrowed = "" if asked_of(self.sentence) is self.sentence else f"answers: preset {BORROWED}"
        return " · ".join(filter(None, (note, borrowed)))

    def cost(self, which: int) -> Growth:
        """What the sentence's cache costs in one layer."""
        return cache(len(self.sentence.words), SHARINGS[which].kv_heads)

    def size(self, which: int) -> str:
        """The cache's bytes, in a caption."""
        return "\u00a0".join(in_binary(self.cost(which).cache_bytes))

    def written(self, weights: np.ndarray) -> list[str]:
        """The weights under the bars; nothing for a word that may not be looked at."""
        masked = self.asked_masked()
        return [
            "" if is_masked else write_share(float(weight), self.settings.digits)
            for weight, is_masked in zip(weights, masked)
        ]

    def asked_masked(self) -> list[bool]:
        """Which of the words drawn the focus word may not look at."""
        mask = mask_of(self.asked)
        return [mask is not None and not mask[self.asked.focus, j] for j in self.asked_shown]

    # The picture

    def lay_out(self) -> None:
        """The words; a row of the cache a head; bars at the right; two rows of weights."""
        self.row = self.word_row()
        self.make_columns()
        self.count_numbers()
        stage, small = self.zones.stage, self.sized(SMALL)
        pitch = (stage.height - 0.1) / HEADS
        self.ys = [stage.top - 0.05 - pitch * (i + 0.5) for i in range(HEADS)]
        width = min(0.84 * self.row.pitch, 1.5)
        height = min(0.74 * pitch, 0.5)
        self.rows = [
            CacheRow(self.row.columns, width, y, height, self.theme, small) for y in self.ys
        ]
        x = stage.left + 0.3
        self.tiles = VGroup(*(QueryTile(x, y, height, self.theme, small) for y in self.ys))
        self.ends = x + 0.3, self.row.columns[0] - width / 2 - 0.08
        self.links = VGroup()
        for y in self.ys:
            line = VMobject(stroke_color=self.theme.faint, stroke_width=2.4 * self.theme.stroke)
            self.links.add(line.set_points(self.link(y, y)))
        self.make_bars()
        self.make_answers()

    def link(self, start: float, end: float) -> np.ndarray:
        """From the query at one height to the row at another."""
        return link_points((self.ends[0], start), (self.ends[1], end))

    def make_columns(self) -> None:
        """Query, key and value of every word: their numbers where there is room."""
        vectors = [rows[list(self.shown)] for rows in vectors_of(self.sentence, self.settings.head)]
        stage = self.zones.stage
        size, least = self.sized(BODY), self.sized(SMALL)
        upper = stage.top - 0.26 * stage.height
        lower = stage.top - 0.76 * stage.height
        width = min(0.92 * self.row.pitch, 1.6)
        made = [
            [EntryColumn(role, row, self.theme, size, max(width, 0.5), self.settings.digits)
             for row in rows] if rows.shape[1] <= MOST_DRAWN else []
            for role, rows in zip(("query", "key", "value"), vectors)
        ]  # fmt: skip
        columns = [column for group in made for column in group]
        em = min((n.em for column in columns for n in column.numbers), default=0.0)
        has_room = all(made) and em >= least * 0.98
        if not has_room:
            tall = min(1.5, stage.height * 0.36)
            made = [[self.block(role, width, tall) for _ in self.shown] for role in
                    ("query", "key", "value")]  # fmt: skip
        self.queries, self.keys, self.values = made
        for x, *column in zip(self.row.columns, *made):
            for mobject, at in zip(
                column, ((stage.left + ROW_NAMES * 0.45, upper), (x, upper), (x, lower))
            ):
                room = min(1.0, 0.47 * stage.height / float(mobject.height))
                mobject.scale(room).shift((*at, 0.0))

    def count_numbers(self) -> None:
        """A line a word: how many numbers of one head are kept then."""
        _, key, value = vectors_of(self.sentence, self.settings.head)
        width = key.shape[1] + value.shape[1]
        working = self.zones.working
        zoom, headings = self.zones.zoom, ("words", "numbers")
        sizes = self.sized(BODY) * zoom, self.sized(SMALL)
        self.ledger = GrowthTable(
            headings, working, self.theme, *sizes, 0.55 * zoom, len(self.shown)
        )
        self.counted = [self.ledger.row(f"{i + 1:,}", f"{(i + 1) * width:,}") for i in self.shown]

    def block(self, role: str, width: float, tall: float) -> VGroup:
        """A vector whose numbers have no room."""
        half, color = min(width, 0.6) / 2, self.theme.role(role)
        box = Box(-half, half, -tall / 2, tall / 2)
        letter = self.text(role[0], BODY, color, 650)
        letter.move_to((0.0, 0.0, 0.0))
        return VGroup(Bar(self.theme.ground, color, self.theme).put(box), letter)

    def make_bars(self) -> None:
        """The bytes of the three, to one scale."""
        counts = [self.cost(i).cache_bytes for i in range(len(SHARINGS))]
        names = [sharing.name for sharing in SHARINGS]
        sources = [sharing.source for sharing in SHARINGS]
        sizes = (self.sized(BODY), self.sized(SMALL))
        self.bars = ByteBars(counts, names, sources, self.zones.working, self.theme, sizes)
        self.heading = self.bars.heading(f"kept: {self.say.count}, one layer")

    def merge(self, which: int) -> None:
        """Rows that share become one, and so do their bars' bytes; every query stays."""
        count = SHARINGS[which].kv_heads
        before = SHARINGS[which - 1].kv_heads
        of_each, size = before // count, HEADS // count
        goals = [float(np.mean(self.ys[g * size : (g + 1) * size])) for g in range(count)]
        moves = [
            row.animate.move_to((row.get_center()[0], goals[i // of_each], 0.0))
            for i, row in enumerate(self.rows)
        ]
        moves += [
            line.animate.set_points(self.link(y, goals[i // size]))
            for i, (y, line) in enumerate(zip(self.ys, self.links))
        ]
        self.play(*moves, run_time=1.6)
        self.remove(*(row for i, row in enumerate(self.rows) if i % of_each))
        self.rows = self.rows[::of_each]
        self.shrink_bar(which)

    def shrink_bar(self, which: int) -> None:
        """A copy of the bar above comes down and falls to what is left."""
        bars = self.bars
        goal = bars.bars[which]
        copy = bars.bars[which - 1].copy()
        down = float(goal.get_center()[1] - copy.get_center()[1])
        self.play(copy.animate.shift((0.0, down, 0.0)), run_time=0.6)
        self.play(copy.animate.set_points(goal.points), FadeIn(bars.names[which]),
                  FadeIn(bars.sources[which]), run_time=0.8)  # fmt: skip
        self.remove(copy)
        self.add(goal)
        self.play(FadeIn(bars.figures[which]), run_time=0.4)

    def make_answers(self) -> None:
        """Two heads' weights as bars under the words, and room for both outputs."""
        stage, i, columns = self.zones.stage, self.asked.focus, list(self.asked_shown)
        words = [self.asked.words[j] for j in columns]
        self.asked_row = WordRow(words, self.zones.words, self.theme, self.sized(0.42))
        self.asked_row[columns.index(i)].set_color(self.theme.highlight)
        half, sizes = stage.height / 2, (self.sized(BODY), self.sized(SMALL))
        self.measured: list[MeasuredRow] = []
        for head in (0, 1):
            top = stage.top - half * head
            own, shared = (
                weights[head, i, columns]
                for weights in (self.answers.own_weights, self.answers.shared_weights)
            )
            row = MeasuredRow(
                shorten(self.asked.heads[head].name, 8), np.maximum(own, shared),
                [max(self.written(own) + self.written(shared), key=len)] * len(columns),
                self.asked_row.columns, self.asked_row.pitch,
                Box(stage.left, stage.right, top - half + 0.1, top - 0.15), self.theme.weight,
                self.theme, sizes, self.asked_masked(),
            )  # fmt: skip
            self.measured.append(row.show(own, self.written(own)))
        self.ghosts = [self.ghost(row) for row in self.measured]
        self.before, self.after = (self.answer(which) for which in (0, 1))

    def ghost(self, row: MeasuredRow) -> VGroup:
        """Where the bars stood, as outlines that stay in front."""
        bars = VGroup(*(
            bar.copy() for bar, is_masked in zip(row.bars.bars, self.asked_masked())
            if not is_masked
        ))  # fmt: skip
        return bars.set_fill(opacity=0.0).set_stroke(self.theme.highlight, 3.0 * self.theme.stroke)

    def answer(self, which: int) -> tuple[VGroup, Mobject]:
        """How the keys are had, and what the focus word gets then."""
        working, output = self.zones.working, (self.answers.own, self.answers.shared)[which]
        top = working.top - 0.5 - 1.9 * which
        name = self.text(WRITTEN[which], SMALL, self.theme.dim)
        name.shift((working.left + 0.4 - float(name.get_left()[0]), 0.0, 0.0)).on_baseline(top)
        swatch = Bar(self.theme.weight, self.theme.weight, self.theme)
        swatch.put(Box(working.left, working.left + 0.25, top - 0.02, top + 0.23))
        if which == 0:
            swatch.set_fill(opacity=0.0).set_stroke(self.theme.highlight, 3.0 * self.theme.stroke)
        written = output_written(output[self.asked.focus], self.settings.digits)
        size = self.sized(BODY) * 1.35
        line = output_lines([written], [top - 0.6], 0.0, size, self.role("output"))[0]
        line.scale(min(1.0, working.width / float(line.width)))
        return VGroup(swatch, name), line.shift(
            (working.left - float(line.get_left()[0]), 0.0, 0.0)
        )
