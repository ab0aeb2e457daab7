"""Scene 10: what if a word needs two things?"""

from __future__ import annotations

from manim import FadeIn, FadeOut, LaggedStart, Mobject, VGroup

from scenes.many_heads_picture import HeadsPicture
from scenes.parts.word_lines import output_lines
from scenes.parts.written import output_written
from scenes.stage import BODY


class ManyHeads(HeadsPicture):
    """Several smaller attentions, joined by one matrix.

    A sentence of one head only borrows the preset's two, which the title line says.
    """

    title = "Many heads"
    lit = ("scores", "softmax", "value")

    def construct(self) -> None:
        """Two planes, two grids, other winners, end to end, W_O, and the paper's eight."""
        self.choose_numbers()
        self.lay_out()
        self.ask_two_questions()
        self.fill_two_grids()
        self.find_other_winners()
        self.collect_two_outputs()
        self.lay_end_to_end()
        self.mix_by_w_o()
        self.show_the_papers_eight()
        self.close()

    # The story

    def ask_two_questions(self) -> None:
        """The focus word's query and all keys, in each head's own plane."""
        with self.beat("Two questions", self.say.asking()):
            for picture, name in zip(self.pictures, self.names):
                self.play(FadeIn(name), FadeIn(picture.large), run_time=0.5)
                if picture.grow:
                    self.play(LaggedStart(*picture.grow, lag_ratio=0.1), run_time=1.2)

    def fill_two_grids(self) -> None:
        """The planes step aside; every word's weights in both heads, a row at a time."""
        with self.beat("Two grids", self.say.sharing()):
            moves = [move for picture in self.pictures for move in picture.step_aside()]
            names = (n.animate.move_to(goal) for n, goal in zip(self.names, self.name_goals))
            self.play(*moves, *names, run_time=1.0)
            frames = [part for grid in self.grids for part in (*self.row_names(grid),
                      grid.outline(grid.cells))]  # fmt: skip
            self.play(FadeIn(self.grids[0].axes), *map(FadeIn, frames), run_time=0.5)
            waves = [
                FadeIn(VGroup(*row))
                for rows in zip(*(self.filled_rows(which) for which in (0, 1)))
                for row in rows
            ]
            self.play(LaggedStart(*waves, lag_ratio=0.3), run_time=1.8)

    def find_other_winners(self) -> None:
        """Whom the focus word listens to most in each."""
        with self.beat("Other winners", self.say.winners()):
            self.marks = VGroup()
            for which, grid in enumerate(self.grids):
                j = self.say.winner(which)
                if j is None:
                    continue
                cell = (self.focus_column, self.shown.index(j))
                mark = grid.frame([cell], self.theme.highlight)
                self.marks.add(mark)
                self.play(FadeIn(mark), *self.pictures[which].dim_all_but(cell[1]), run_time=0.7)

    def collect_two_outputs(self) -> None:
        """The output of the focus word in each head, beside its row."""
        with self.beat("Two outputs", self.say.collecting()):
            self.light("value")
            self.play(*map(FadeOut, (p for one in self.pictures for p in one.drawn)), run_time=0.5)
            outputs = [a.output[self.focus] for a in self.attentions]
            written = [output_written(output, self.settings.digits) for output in outputs]
            boxes = [self.aside(i, self.beside(grid)) for i, grid in enumerate(self.grids)]
            ys = [box.center[1] for box in boxes]
            size = self.sized(BODY) * 1.35
            self.outputs = output_lines(written, ys, 0.0, size, self.role("output"))
            for line, box in zip(self.outputs, boxes):
                line.scale(min(1.0, (box.width - 0.25) / float(line.width)))
                line.shift((box.left + 0.25 - float(line.get_left()[0]), 0.0, 0.0))
            rows = (self.height_of_focus(grid) for grid in self.grids)
            starts = ((self.zones.stage.right, y, 0.0) for y in rows)
            come = [FadeIn(line, target_position=at) for line, at in zip(self.outputs, starts)]
            self.play(LaggedStart(*come, lag_ratio=0.5), run_time=1.4)

    def lay_end_to_end(self) -> None:
        """Outputs become one column of numbers."""
        with self.beat("End to end", self.say.joining()):
            self.light()
            standing = self.standing_in(self.zones.stage, self.zones.working)
            gone = [m for m in standing if m not in self.outputs.submobjects]
            gone += [word for j, word in enumerate(self.row) if j != self.focus_column]
            fades = map(FadeOut, (*gone, self.grids[0].axes, self.names[0]))
            above = (float(self.mixing.cells.get_center()[0]), self.zones.words.center[1], 0.0)
            self.play(*fades, run_time=0.6)
            self.play(self.row[self.focus_column].animate.move_to(above), run_time=0.7)
            mixing, moves = self.mixing, []
            for line, mine in zip(self.outputs, self.entries_of_heads()):
                left, step = line.get_left(), (line.get_right() - line.get_left()) / len(mine)
                starts = (left + step * (k + 0.5) for k in range(len(mine)))
                moves += [FadeOut(line), *(FadeIn(mixing.entries[row], target_position=start)
                                           for row, start in zip(mine, starts))]  # fmt: skip
            self.play(*moves, run_time=1.2)
            rest = VGroup(*(e for e in mixing.entries if e not in self.mobjects))
            self.play(*map(FadeIn, (mixing.cells, mixing.names, *rest)), run_time=0.5)

    def mix_by_w_o(self) -> None:
        """Each column of W_O weighs all of them and gives one number."""
        mixing, joined = self.mixing, self.joined
        with self.beat("W_O", self.say.mixing()):
            if joined.output is None:
                return
            self.play(FadeIn(self.w_o), FadeIn(mixing.matrix_cells), FadeIn(mixing.matrix),
                      run_time=0.6)  # fmt: skip
            self.play(FadeIn(mixing.result_cells), run_time=0.3)
            mark: Mobject = VGroup()
            for column in mixing.kept_columns:
                mark = self.mix_column(column, mark)
            self.play(FadeOut(mark), run_time=0.3)
        with self.beat("One vector again", self.say.mixed()):
            self.wait(0.2)

    def show_the_papers_eight(self) -> None:
        """512 numbers cut in eight and joined again."""
        with self.beat("Eight heads", self.say.paper()):
            standing = self.standing_in(self.zones.stage, self.zones.working)
            over = [self.w_o] if self.w_o in self.mobjects else []
            gone = dict.fromkeys((*standing, self.row[self.focus_column], *over))
            self.play(*map(FadeOut, gone), run_time=0.5)
            self.draw_eight()
        with self.beat("Ours", self.say.ours()):
            if set(self.joined.widths) == {2}:
                self.play(FadeIn(self.our_strip()), run_time=0.7)

    def close(self) -> None:
        """What to take along."""
        with self.beat("One matrix", self.say.close()):
            self.light("scores", "softmax", "value")
