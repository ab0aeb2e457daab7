"""Scene 2: how well does a key answer a query?"""

from __future__ import annotations

import math

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, ReplacementTransform, VGroup

from engine import in_their_plane, project
from engine.notation import write_entries, write_number
from engine.softmax import FloatArray
from scenes.beats import quoted, shorten
from scenes.parts.board import Board, Products, in_a_row, listed
from scenes.parts.columns import KeyColumns
from scenes.parts.fan import Fan, Named
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.pair import Pair, angle_of, turn
from scenes.parts.plane import Plane, on_plane
from scenes.stage import BODY, SMALL, AttentionScene

Vector = FloatArray


class DotProducts(AttentionScene):
    """A score is big when query and key are aligned or long, and zero at right angles."""

    title = "Dot products"
    lit = ("scores",)

    def construct(self) -> None:
        """Ask, multiply and add, drop the perpendicular, turn, lengthen, score every word."""
        self.choose_keys()
        self.lay_out()
        self.ask_which_key()
        self.multiply_and_add()
        if self.can_be_turned:
            self.drop_perpendiculars()
            self.turn_the_key()
            self.lengthen_the_key()
        self.score_every_word()

    # The story

    def ask_which_key(self) -> None:
        """The query and every key; no numbers yet."""
        if self.is_flat:
            arrows, labels = self.fan.arrows, self.fan.labels
            self.play(FadeIn(self.plane), run_time=0.5)
            self.play(arrows[0].grow(), FadeIn(labels[0]), run_time=0.8)
            grow = [part for a, b in zip(arrows[1:], labels[1:]) for part in (a.grow(), FadeIn(b))]
            self.play(LaggedStart(*grow, lag_ratio=0.12), run_time=1.4)
        else:
            self.play(FadeIn(self.columns), run_time=0.8)
        if len(self.words) == 1:
            self.ask(f"How well does the key of {self.quoted_focus} answer its own query?")
        else:
            self.ask(f"Which key answers {self.quoted_focus} best?")

    def multiply_and_add(self) -> None:
        """The best key's score, entry by entry, once slowly."""
        j = self.best
        products = Products(
            self.query, self.keys[j], self.query * self.keys[j], float(self.scores[j]),
            self.theme, self.sized(BODY) * 1.4, self.settings.digits,
        )  # fmt: skip
        names = f"{self.quoted_focus} · {quoted(self.names[j])}"
        with self.beat("Multiply and add", f"{names}: multiply entry by entry, then add."):
            self.dim_all_keys_but(j)
            self.head_board(j)
            self.board.write(products, space=len(products.rows) * 1.2 + 2, indent=0.2)
            for row in products.rows:
                self.play(FadeIn(row[:-2]), run_time=0.6)
                self.play(FadeIn(row[-2:]), run_time=0.5)
            self.play(Create(products.rule), run_time=0.3)
            self.play(FadeIn(products.total), run_time=0.5)
            self.carry_score(j, products.total)

    def drop_perpendiculars(self) -> None:
        """The same score as geometry: foot times length, first on a slanted key."""
        with self.beat(
            "The same as geometry",
            "Foot of the perpendicular, times the query's length: the same score.",
        ):
            self.show_pair(self.turned)
            self.drop(self.turned)
        if self.turned != self.best and self.is_flat:
            with self.beat("The best key", self.caption_of_best()):
                self.lift()
                self.show_pair(self.best)
                self.drop(self.best)

    def turn_the_key(self) -> None:
        """Toward the query it grows, at the right angle it is 0, past it it is below 0."""
        query, key = self.pair_vectors(self.turned)
        if len(self.query) == 1:
            with self.beat("Flip a key", "Flip the key: the score changes its sign."):
                self.play(self.pair.move(lambda alpha: key * (1 - 2 * alpha)), run_time=1.8)
            self.play(self.pair.move(lambda alpha: key * (2 * alpha - 1)), run_time=0.8)
            return
        toward, right_angle, past = self.angles(query, key)
        name = quoted(self.names[self.turned])
        steps = [
            ("Turn a key", f"Turn the key of {name} to the query: the score grows.", 0.0, toward),
            ("The right angle", "At a right angle the score is 0.", toward, right_angle),
            ("Past it", "Past the right angle it falls below 0.", right_angle, past),
        ]
        steps = steps if abs(toward) > 0.02 else steps[1:]
        for i, (title, caption, start, end) in enumerate(steps):
            with self.beat(title, caption):
                if i == 0:
                    self.take_up_slanted_key()
                self.turn_key(key, start, end, 1.8)
        self.turn_key(key, past, 0.0, 0.9)

    def lengthen_the_key(self) -> None:
        """Twice as long, twice the score."""
        if not self.scores[self.turned]:
            return
        _, key = self.pair_vectors(self.turned)
        with self.beat("Lengthen it", "Twice as long a key, twice the score."):
            self.play(self.pair.move(lambda alpha: key * (1 + alpha)), run_time=1.6)
        self.play(self.pair.move(lambda alpha: key * (2 - alpha)), run_time=0.6)

    def score_every_word(self) -> None:
        """All keys, all scores, each under its word."""
        n = len(self.words)
        start = f"All {n} keys, all {n} scores" if n > 1 else "One key, one score"
        caption = f"{start}: big when aligned or long, 0 at right angles."
        if not np.any(self.query):
            caption = "A query of length 0 asks for nothing: every score is 0."
        with self.beat("Every score", caption):
            self.undim_everything()
            self.carry_the_other_scores()
            self.board.write(self.text("scores", SMALL, self.theme.dim), space=0.85)
            size = self.sized(BODY) * 1.3
            width = self.zones.working.width
            scores = listed(self.scores, self.settings.digits, size, self.theme.ink, width)
            self.board.write(scores)
            self.play(FadeIn(self.board.lines), run_time=0.5)

    # The numbers

    def choose_keys(self) -> None:
        """Which key to multiply out (the best), and which to turn (one off the query's line)."""
        shown = list(self.shown)
        self.query = self.attention.query[self.focus]
        self.keys = self.attention.key[shown]
        self.scores = self.attention.scores[self.focus, shown]
        self.names = [shorten(word, 14 if len(shown) <= 6 else 8) for word in self.words]
        self.best = int(np.argmax(self.scores))
        heights = np.linalg.norm(self.keys - project(self.keys, self.query), axis=-1)
        lengths = np.linalg.norm(self.keys, axis=-1)
        scoring = np.abs(self.scores) > 1e-9 * np.abs(self.scores).max()
        slanted = np.flatnonzero((heights > 0.1 * lengths) & scoring)
        preferred = [j for j in (self.focus_column, self.best, *slanted) if j in slanted]
        self.turned = int(preferred[0]) if preferred else self.best
        self.is_flat = len(self.query) <= 2
        self.can_be_turned = bool(np.any(self.query) and lengths[self.turned] > 0)

    def pair_vectors(self, j: int) -> tuple[Vector, Vector]:
        """The query and key j as they lie in the picture, (2,) each."""
        if self.is_flat:
            query, key = on_plane([self.query, self.keys[j]])
            return query, key
        return in_their_plane(self.query, self.keys[j])

    def angles(self, query: Vector, key: Vector) -> tuple[float, float, float]:
        """How far to turn `key` to lie on the query, at a right angle to it, and past that."""
        to_query = math.remainder(angle_of(query) - angle_of(key), math.tau)
        side = -1.0 if to_query > 0 else 1.0
        return to_query, to_query + side * math.pi / 2, to_query + side * math.pi * 0.75

    def turning_room(self, j: int) -> list[Vector]:
        """Everywhere that key j will reach when turned and lengthened."""
        query, key = self.pair_vectors(j)
        if not self.can_be_turned:
            return []
        if len(self.query) == 1:
            return [2 * key, -key]
        return [2 * key, *(turn(key, angle) for angle in self.angles(query, key))]

    def caption_of_best(self) -> str:
        """What the foot of the best key shows."""
        name, (query, key) = quoted(self.names[self.best]), self.pair_vectors(self.best)
        length = float(np.linalg.norm(query))
        if np.linalg.norm(key - project(key, query)) > 0.02 * np.linalg.norm(key):
            return f"The key of {name}, in the same way: foot times length."
        foot = write_number(float(key @ query) / length, self.settings.digits)
        times = write_number(length, self.settings.digits)
        return f"The key of {name} lies along the query: its foot is its tip, {foot} times {times}."

    # The picture

    def lay_out(self) -> None:
        """Words on top, room for the scores under them, then the plane; the board at the right."""
        self.row = self.word_row()
        self.add(self.row)
        stage = self.zones.stage
        self.score_line = stage.top - 0.2
        self.plane_box = Box(stage.left, stage.right, stage.bottom, stage.top - 0.55)
        self.board = Board(self.zones.working, zoom=self.zones.zoom)
        self.placed: set[int] = set()
        self.hushed = VGroup()
        if self.is_flat:
            room = [*self.turning_room(self.turned)]
            flat = on_plane([self.query, *self.keys])
            line = len(self.query) == 1
            self.plane = Plane([*flat, *room], self.plane_box, self.theme, is_line=line)
            named = [Named("query", flat[0], self.focus_word)]
            named += [Named("key", key, name) for key, name in zip(flat[1:], self.names)]
            self.fan = Fan(named, self.plane, self.theme, self.sized(SMALL))
        else:
            self.columns = KeyColumns(
                self.query, self.keys, self.row.columns, self.plane_box, self.theme,
                self.sized(SMALL), self.settings.digits,
            )  # fmt: skip

    def head_board(self, j: int) -> None:
        """Write "sat · cat" at the top of the board."""
        self.play(FadeOut(self.board.wipe()), run_time=0.3) if len(self.board.lines) else None
        pieces = (
            self.word(self.focus_word, 1.8, BODY * 1.4, self.role("query")),
            self.figures("·", BODY * 1.4),
            self.word(self.names[j], 1.8, BODY * 1.4, self.role("key")),
        )
        self.play(FadeIn(self.board.write(in_a_row(*pieces), space=1.5)), run_time=0.4)

    def dim_all_keys_but(self, *lit: int) -> None:
        """Dim what isn't being told about."""
        if not self.is_flat:
            self.play(
                *(
                    column.animate.tint(self.role("key") if j in lit else self.theme.dim)
                    for j, column in enumerate(self.columns.keys)
                ),
                run_time=0.4,
            )
            return
        changes = []
        for j, (arrow, label) in enumerate(zip(self.fan.arrows[1:], self.fan.labels[1:])):
            is_lit = j in lit
            changes += [
                arrow.animate.tint(self.role("key") if is_lit else self.theme.faint),
                label.animate.set_color(self.role("key") if is_lit else self.theme.dim),
            ]
        self.play(*changes, run_time=0.4)

    def show_pair(self, j: int) -> None:
        """One key and the query on a plane, and a fresh board for their equation."""
        if self.is_flat:
            self.dim_all_keys_but(j)
            plane, fan, at = self.plane, self.fan, j + 1
        else:
            plane, fan, at = self.plane_of_pair(j)
        self.head_board(j)
        self.pair_of = j
        self.pair = Pair(
            plane, *self.pair_vectors(j), (fan.arrows[0], fan.arrows[at]),
            (fan.labels[0], fan.labels[at]), self.theme, self.sized(BODY) * 1.4,
            self.settings.digits,
        )  # fmt: skip

    def plane_of_pair(self, j: int) -> tuple[Plane, Fan, int]:
        """A plane that holds both, where the vectors are too long for one that holds all."""
        query, key = self.pair_vectors(j)
        plane = Plane([query, key, *self.turning_room(j)], self.plane_box, self.theme)
        named = [Named("query", query, self.focus_word), Named("key", key, self.names[j])]
        box, axis = self.plane_box, float(plane.origin[1])
        above = Box(box.left, box.right, axis, box.top)
        self.fan = Fan(named, plane, self.theme, self.sized(SMALL), keep_off=[above])
        self.pair_plane = VGroup(plane, self.fan)
        self.play(FadeOut(self.columns), run_time=0.4)
        self.play(FadeIn(self.pair_plane), run_time=0.6)
        return plane, self.fan, 1

    def drop(self, j: int) -> None:
        """Drop the perpendicular, then read the score off it."""
        self.board.write(self.pair.equation)
        foot = self.pair.perpendicular
        self.play(Create(foot.line), run_time=0.8)
        self.play(FadeIn(foot.mark), FadeIn(foot.along), run_time=0.5)
        for line in self.pair.equation.in_reading_order():
            self.play(FadeIn(line), run_time=0.5)
        self.carry_score(j, self.pair.equation.numbers[2])

    def take_up_slanted_key(self) -> None:
        """From the best key back to the one that is to turn; other names leave its way."""
        if self.pair_of != self.turned:
            self.lift()
            self.show_pair(self.turned)
            self.board.write(self.pair.equation)
            lines = self.pair.equation.in_reading_order()
            self.play(*map(FadeIn, (self.pair.perpendicular, *lines)), run_time=0.6)
        self.hush_other_labels()

    def lift(self) -> None:
        """Take the perpendicular away again."""
        self.play(FadeOut(self.pair.perpendicular), run_time=0.3)

    def hush_other_labels(self) -> None:
        """Take the other keys' names out of the turning key's way."""
        mine = (self.fan.labels[0], self.pair.label)
        self.hushed = VGroup(*(label for label in self.fan.labels if label not in mine))
        if len(self.hushed):
            self.play(FadeOut(self.hushed), run_time=0.4)

    def turn_key(self, key: Vector, start: float, end: float, run_time: float) -> None:
        """Turn the pair's key from `start` to `end` (radians from `key`)."""
        path = lambda alpha: turn(key, start + (end - start) * alpha)  # noqa: E731
        self.play(self.pair.move(path), run_time=run_time)

    def undim_everything(self) -> None:
        """Every key lit again, the board empty."""
        fades = [FadeOut(self.board.wipe())]
        if self.can_be_turned:
            fades.append(FadeOut(self.pair.perpendicular))
        if len(self.hushed):
            fades.append(FadeIn(self.hushed))
        if not self.is_flat and self.can_be_turned:
            fades.append(FadeOut(self.pair_plane))
        self.play(*fades, run_time=0.4)
        if not self.is_flat and self.can_be_turned:
            self.play(FadeIn(self.columns), run_time=0.5)
        self.dim_all_keys_but(*range(len(self.words)))

    def score_number(self, j: int) -> Number:
        """Word j's score, where it stands under the word."""
        texts = write_entries(self.scores, self.settings.digits)
        widest = max(float(self.figures(text, BODY, weight=650).width) for text in texts)
        number = self.figures(texts[j], BODY, weight=650)
        number.scale(min(1.0, 0.82 * self.row.pitch / widest))
        return number.shift((self.row.columns[j], self.score_line, 0.0))

    def carry_score(self, j: int, source: Number) -> None:
        """A copy of a score worked out travels to its place under the word."""
        if j in self.placed:
            return
        if not self.placed:
            label = self.text("score", SMALL, self.theme.dim).on_baseline(self.score_line - 0.1)
            label.align_to((self.zones.stage.left, 0.0, 0.0), (-1.0, 0.0, 0.0))
            self.add(label)
        self.placed.add(j)
        number = self.score_number(j)
        start = number.copy().match_height(source).move_to(source)
        self.play(ReplacementTransform(start, number), run_time=0.8)

    def carry_the_other_scores(self) -> None:
        """The scores not worked out in full come from their keys, one after another."""
        travels = []
        for j in (j for j in range(len(self.words)) if j not in self.placed):
            number = self.score_number(j)
            at = self.fan.labels[j + 1] if self.is_flat else self.columns.keys[j]
            start = number.copy().move_to(at).set_opacity(0.0)
            travels.append(ReplacementTransform(start, number))
            self.placed.add(j)
        if travels:
            self.play(LaggedStart(*travels, lag_ratio=0.4), run_time=min(0.8 * len(travels), 3.0))
