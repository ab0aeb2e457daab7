"""Scene 1: why does a word need others?"""

from __future__ import annotations

import numpy as np
from manim import (
    AnimationGroup,
    Arrow,
    FadeIn,
    FadeOut,
    GrowArrow,
    LaggedStart,
    Mobject,
    ReplacementTransform,
    RoundedRectangle,
    Square,
    VGroup,
)
from numpy.typing import NDArray

from engine.notation import write_list
from engine.palette import ROLES
from engine.sentence import embeddings_of
from scenes.parts.board import in_a_row
from scenes.parts.formula import math
from scenes.parts.layout import Box
from scenes.parts.margins import cut_list
from scenes.parts.role_panel import RolePanel, slots_across, slots_down
from scenes.parts.type import Text
from scenes.parts.word import Word
from scenes.stage import BODY, SMALL, AttentionScene
from scenes.three_roles_words import ROLE_NAMES, ThreeRolesWords

Numbers = NDArray[np.floating]

PLACES, TAKEN = 4, (1, 3)
"""How many places another sentence has, and which of them the word takes in two of those."""

CELLS, MOST_TIMES = 4, 8.0
MATRICES = ("W_Q", "W_K", "W_V")


class ThreeRoles(AttentionScene):
    """A query asks, a key answers, a value is what travels."""

    title = "Three roles"
    lit = ("scores", "value")

    def construct(self) -> None:
        """The same vector everywhere; what it asks, shows and hands over; where they come from."""
        self.choose_numbers()
        self.lay_out()
        self.meet_in_three_sentences()
        self.miss_the_others()
        for panel, role in zip(self.panels, ROLE_NAMES):
            self.take_a_role(panel, role)
        self.multiply_by_matrices()
        self.put_to_work()

    # The story

    def meet_in_three_sentences(self) -> None:
        """The same word among other neighbours, and its vector beside each: the same."""
        with self.beat("The same vector", self.say.same_vector()):
            own = self.row[self.focus_column]
            self.show_vector(0, own)
            blanks = iter(self.blanks)
            for i, word in enumerate(self.copies, start=1):
                comes = (FadeIn(next(blanks)) for _ in range(PLACES - 1))
                self.play(*comes, ReplacementTransform(own.copy(), word), run_time=0.9)
                self.show_vector(i, word)

    def show_vector(self, i: int, word: Mobject) -> None:
        """x comes out of its word."""
        pointers = [FadeIn(self.pointers[i])] if len(self.pointers) else []
        self.play(FadeIn(self.vectors[i], target_position=word), *pointers, run_time=0.7)

    def miss_the_others(self) -> None:
        """Its neighbours, known or not, are what makes the difference."""
        others = [word for j, word in enumerate(self.row) if j != self.focus_column]
        lit, ink, own = self.theme.highlight, self.theme.ink, self.row[self.focus_column]
        with self.beat("Not enough", self.say.needs_others()):
            marks = [word.animate.set_color(lit) for word in others]
            marks += [blank.animate.set_stroke(lit) for blank in self.blanks]
            marks += [word.animate.set_color(ink) for word in (own, *self.copies)]
            self.play(*marks, run_time=0.8)
        first, *rest = self.vectors
        moves = [vector.animate.move_to(first) for vector in rest]
        gone = map(FadeOut, (*self.blanks, *self.copies, *self.pointers))
        back = [word.animate.set_color(ink) for word in others]
        self.play(*gone, *moves, *back, own.animate.set_color(lit), run_time=1.0)
        self.play(FadeOut(self.vectors), run_time=0.4)

    def take_a_role(self, panel: RolePanel, role: str) -> None:
        """A story, if there is one, turns into numbers, and these into an arrow."""
        word = self.row[self.focus_column]
        with self.beat(role.capitalize(), self.say.role(role)):
            self.play(FadeIn(panel.heading, target_position=word), run_time=0.7)
            start: Mobject = panel.heading
            if len(panel.story):
                self.play(FadeIn(panel.story), run_time=0.7)
                self.wait(1.0)
                start = panel.story
            # Straight down: a long list centred on a short story would begin outside the frame.
            way = (panel.numbers.get_center() - start.get_center()) * (0.0, 1.0, 0.0)
            self.play(FadeIn(panel.numbers, shift=way), run_time=0.8)
            if len(panel.plane):
                self.play(FadeIn(panel.plane), run_time=0.4)
            if panel.arrow is not None:
                self.play(panel.arrow.grow(), run_time=0.9)
            else:
                self.play(FadeIn(panel.shape), run_time=0.9)

    def multiply_by_matrices(self) -> None:
        """x in the place of each story, and a short arrow to the numbers under it."""
        with self.beat("Where they come from", self.say.where_from()):
            stories = [FadeOut(panel.story) for panel in self.panels if len(panel.story)]
            word, ways = self.row[self.focus_column], [self.way(i) for i in range(3)]
            comes = (FadeIn(x, target_position=word) for x, _, _ in ways)
            self.play(*stories, *comes, run_time=1.0)
            for _, arrow, matrix in ways:
                self.play(GrowArrow(arrow), FadeIn(matrix), run_time=0.8)

    def put_to_work(self) -> None:
        """The query goes to every word, the keys answer, and a value comes back."""
        with self.beat("At work", self.say.at_work()):
            places = range(len(self.words))
            mine = self.tag("query", self.focus_column)
            self.play(FadeIn(mine, target_position=self.panels[0].heading), run_time=0.7)
            asked = [self.tag("query", j) for j in places]
            goes = (ReplacementTransform(mine.copy(), tag) for tag in asked)
            self.play(*goes, FadeOut(mine), run_time=1.0)
            keys = [self.tag("key", j) for j in places]
            answers = (AnimationGroup(FadeOut(q), FadeIn(k)) for q, k in zip(asked, keys))
            self.play(LaggedStart(*answers, lag_ratio=0.2), run_time=1.2)
            if self.heard is None:
                self.play(*map(FadeOut, keys), run_time=0.5)
                return
            value = self.tag("value", self.heard)
            self.play(*map(FadeOut, keys), FadeIn(value), run_time=0.7)
            home = self.tag("value", self.focus_column)
            self.play(ReplacementTransform(value, home, path_arc=-1.2), run_time=1.2)

    # The numbers

    def choose_numbers(self) -> None:
        """The focus word's three vectors, its x, its matrices, and whom it hears most."""
        sentence, attention, head = self.sentence, self.attention, self.settings.head
        self.vectors_of_roles = [
            rows[self.focus] for rows in (attention.query, attention.key, attention.value)
        ]
        weights = attention.weights[self.focus, list(self.shown)]
        self.heard = int(np.argmax(weights)) if weights.any() else None
        heard = None if self.heard is None else self.shown[self.heard]
        self.say = ThreeRolesWords(sentence, head, heard)
        chosen = sentence.heads[head]
        given = (chosen.w_query, chosen.w_key, chosen.w_value)
        self.matrices = [None if rows is None else np.array(rows) for rows in given]
        bare = sentence.embeddings
        self.bare_x = None if bare is None else np.array(bare[self.focus])
        x = embeddings_of(sentence)
        self.full_x = None if x is None or not self.say.has_matrices else x[self.focus]

    # The picture

    def lay_out(self) -> None:
        """Our words on top; two other sentences under them, then three panels in their place."""
        self.row = self.word_row()
        self.is_stacked = self.zones.working.left < self.zones.stage.right
        stage, working = self.zones.stage, self.zones.working
        bottom = min(stage.bottom, working.bottom)
        right = max(stage.right, working.right)
        box = Box(stage.left, right, bottom, stage.top - 0.42)
        slots = slots_down(box) if self.is_stacked else slots_across(box)
        sizes = self.sized(BODY), self.sized(0.0)
        self.panels = [
            RolePanel(role, vector, self.say.story(role), slot, self.theme, sizes,
                      self.settings.digits, self.seen_beside(vector))
            for role, vector, slot in zip(ROLE_NAMES, self.vectors_of_roles, slots)
        ]  # fmt: skip
        self.lay_out_sentences()
        self.add(self.row)
        self.wait(0.4)

    def seen_beside(self, vector: Numbers) -> list[Numbers]:
        """The vectors that a plane has room for as well, so that all three are on one scale."""
        lengths = [float(np.linalg.norm(other)) for other in self.vectors_of_roles]
        flat = all(len(other) == len(vector) for other in self.vectors_of_roles)
        alike = max(lengths) <= MOST_TIMES * (float(np.linalg.norm(vector)) or max(lengths))
        return self.vectors_of_roles if flat and alike else [vector]

    def lay_out_sentences(self) -> None:
        """Two sentences of blanks with the word in them, and its vector beside it in all three."""
        words, stage = self.zones.words, self.zones.stage
        pitch, first = words.width / PLACES, words.center[1]
        bottom = min(stage.bottom, self.zones.working.bottom) + (1.2 if self.is_stacked else 0.7)
        apart = (first - bottom) / len(TAKEN)
        own = self.row[self.focus_column]
        places = [(float(own.get_center()[0]), words.center[1])]
        self.blanks, self.copies = VGroup(), VGroup()
        for i, taken in enumerate(TAKEN):
            y = first - apart * (i + 1)
            for place in range(PLACES):
                x = words.left + pitch * (place + 0.5)
                if place == taken:
                    places.append((x, y))
                    copy = Word(self.sentence.words[self.focus], self.sized(0.42),
                                self.theme.highlight, width=0.86 * pitch)  # fmt: skip
                    self.copies.add(copy.shift((x, y, 0.0)))
                else:
                    self.blanks.add(self.blank(0.72 * pitch).move_to((x, y, 0.0)))
        self.vectors, self.pointers = VGroup(), VGroup()
        for x, y in places:
            vector = self.x_itself(self.bare_x, self.zones.working.width - 0.8, BODY * 1.2)
            if self.is_stacked:
                half = float(vector.width) / 2
                x = min(max(x, stage.left + half), stage.right - half)
                self.vectors.add(vector.move_to((x, y - 0.8, 0.0)))
                continue
            left = self.zones.working.left
            pointer = self.text("→", BODY * 1.2, self.theme.dim).move_to((left, y, 0.0))
            self.pointers.add(pointer)
            self.vectors.add(vector.move_to((left + 0.45, y, 0.0), (-1.0, 0.0, 0.0)))

    def blank(self, width: float) -> Mobject:
        """A word that isn't ours to know."""
        shape = RoundedRectangle(corner_radius=0.12, width=width, height=0.46)
        shape.set_fill(self.theme.panel, 1.0)
        return shape.set_stroke(self.theme.faint, 1.6 * self.theme.stroke)

    def x_itself(self, x: Numbers | None, width: float, size: float) -> VGroup:
        """x and its numbers where the document has them, else cells without numbers."""
        em = self.sized(size)
        name = self.text("x", size, weight=650).on_baseline(-0.365 * em)
        if x is not None:
            room = width - 0.5
            return in_a_row(name, cut_list(x, self.settings.digits, em, self.theme.ink, room),
                            gap=0.2)  # fmt: skip
        cells = VGroup(*(Square(1.05 * em) for _ in range(CELLS))).arrange(buff=0.0)
        cells.set_stroke(self.theme.dim, 2 * self.theme.stroke)
        return in_a_row(name, cells, gap=0.2)

    def way(self, i: int) -> tuple[VGroup, Arrow, VGroup]:
        """From x down to a role's numbers: x, an arrow, and the matrix beside it."""
        box = self.panels[i].slots.story
        line = min(1.5 * self.sized(SMALL), 0.36 * box.height)
        x = self.x_itself(self.full_x, box.width, SMALL)
        x.scale(min(1.0, line / (1.2 * float(x.height))))
        x.move_to((box.left, box.top - 0.45 * line, 0.0), (-1.0, 0.0, 0.0))
        start, end, at = box.top - line, box.bottom + 0.03, box.left + 0.25
        arrow = Arrow((at, start, 0.0), (at, end, 0.0), buff=0.0, color=self.theme.dim,
                      stroke_width=4 * self.theme.stroke, tip_length=0.16)  # fmt: skip
        y = (start + end) / 2
        name = math(MATRICES[i], self.theme.ink, min(self.sized(BODY), 0.75 * (start - end)))
        matrix = VGroup(name.move_to((at + 0.3, y, 0.0), (-1.0, 0.0, 0.0)))
        rows = self.rows_of(self.matrices[i], start - end)
        left = float(name.get_right()[0]) + 0.25
        if len(rows) and left + rows.width < box.right:
            matrix.add(rows.move_to((left, y, 0.0), (-1.0, 0.0, 0.0)))
        return x, arrow, matrix

    def rows_of(self, matrix: Numbers | None, height: float) -> VGroup:
        """A small matrix's numbers, a list a row; nothing of one too large."""
        size, rows = self.sized(SMALL), VGroup()
        if matrix is None or 1.2 * size * (len(matrix) - 1) > height:
            return rows
        for i, row in enumerate(matrix):
            text = write_list(row, self.settings.digits)
            rows.add(self.figures(text, SMALL).rewrite(text, 0.0, -1.2 * size * i, edge=-1))
        return rows

    def tag(self, role: str, j: int) -> Text:
        """A role's letter under word j."""
        tag = self.text(ROLES[role].letter, BODY * 1.25, self.role(role), 700)
        return tag.move_to((self.row.columns[j], self.zones.stage.top - 0.15, 0.0))
