"""How a plane is drawn: arrows with their names, the paper, ghosts; nothing of what hands do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop.calculation import Calculation
from desktop.canvas.arrow_item import ArrowItems, RingItem
from desktop.canvas.arrows import LISTENS, Arrow, flat, label_of, lights, lit_pair
from desktop.canvas.component_chooser import ComponentChooser
from desktop.canvas.grid_lines import AxisNumbers, GridLines, step_of
from desktop.canvas.inks import Inks
from desktop.canvas.label_places import Box
from desktop.canvas.lens import Margins, Pixel, fitted
from desktop.canvas.names import Name, Names
from desktop.canvas.places import Places, in_lanes, in_plane, moved_from
from desktop.canvas.surface import Surface
from desktop.document import Document
from desktop.edits import is_made
from desktop.view_state import ViewState
from desktop.views.controls import name_control
from desktop.views.panel import Panel
from engine.softmax import FloatArray

__all__ = ["DrawnPlane"]

NAMES_UP_TO = 31
"""With more words than this only what is lit, taken or in focus has a name."""

HEIGHTS = {"paper": 0, "hull": 1, "ghost": 2, "sum": 3, "dim": 4, "plain": 4, "focus": 5, "lit": 5,
           "number": 6, "name": 7}  # fmt: skip
"""What lies above what: parts of the picture, and strengths of arrows."""

RING = 12.0
"""The radius of the ring around the tip that the keyboard is at, in pixels."""

CROWD = 20
"""With more words than this arrows are drawn thinner."""

RANKS = {"lit": 1, "focus": 2, "plain": 3, "dim": 3}
"""Whose name matters more, by strength; what the keyboard is at comes before all."""


class DrawnPlane(Panel):
    """Two roles of a head as arrows in one plane.

    A subclass says which roles these are, and draws what else there is.
    """

    roles: tuple[str, str]
    layers: tuple[str, str]
    """The layers that show each of the roles."""

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.surface = Surface(self)
        name_control(self.surface, self.title)
        self.surface.lens_changed.connect(self._lens_changed)
        self.surface.zoomed.connect(self._zoomed)
        self.surface.resized.connect(self._resized)
        self.surface.about_to_paint.connect(self._be_fresh)
        self.setFocusProxy(self.surface)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.surface)
        self.chooser = ComponentChooser(self)
        self.chooser.chosen.connect(self.show_components)
        self._more = QLabel(self)
        self._more.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._said_more: object = None

        self.components: tuple[int, ...] = (0, 1)
        self.taken: Arrow | None = None
        self.tips: dict[Arrow, Pixel] = {}
        """The arrows that are shown, in reading order: each one's tip, in units."""
        self.drawn: dict[Arrow, tuple[Pixel, Pixel]] = {}
        """Where tail and tip of each are, in pixels; those that coincide are side by side."""
        self._flat: dict[str, FloatArray] = {}
        self._inks = Inks(state.look)
        self.surface.set_ground(state.look.color("ground"))
        self._calculation: Calculation | None = None
        self._kind: tuple[object, ...] = ()
        self._opened, self._is_opened = document.kept, False
        document.saved.connect(self._saved_or_opened)
        self._is_stale = True
        self._is_fitted = True
        self._is_something_lit = False
        picture = self.surface
        self._items, self._ghosts = ArrowItems(picture), ArrowItems(picture)
        self._names = Names(picture, HEIGHTS["name"])
        self._grid = GridLines(picture, HEIGHTS["paper"])
        self._numbers = AxisNumbers(picture, HEIGHTS["number"])
        self._ring = RingItem(picture, HEIGHTS["sum"])
        self._glow = RingItem(picture, HEIGHTS["ghost"])

    # What there is

    @property
    def width_of_vectors(self) -> int:
        """d_k or d_v: how many numbers a vector of this plane has."""
        vectors: FloatArray = getattr(self.document.calculation.attention, self.roles[0])
        return int(vectors.shape[-1])

    @property
    def is_made(self) -> bool:
        """Whether the vectors are made by W."""
        calculation = self.document.calculation
        return is_made(calculation.sentence, calculation.head)

    @property
    def is_line(self) -> bool:
        """Whether there is but one number a vector: a line, with a lane an arrow."""
        return len(self.components) == 1

    def _arrows(self, calculation: Calculation) -> Iterable[Arrow]:
        """Those that level and layers show, word by word."""
        shown = [role for role, layer in zip(self.roles, self.layers) if layer in self.state.layers]
        focus, is_one = calculation.sentence.focus, self.state.level == "one"
        for word in range(len(calculation.sentence.words)):
            for role in shown:
                if not is_one or word == focus or role in ("key", "value"):
                    yield Arrow(role, word)

    def _tips_of(self, calculation: Calculation, arrows: Iterable[Arrow]) -> dict[Arrow, Pixel]:
        """The tips of these arrows in a calculation, in units; none of those it doesn't have."""
        points = {}
        for role in self.roles:
            vectors = getattr(calculation.attention, role)
            is_there = max(self.components) < vectors.shape[-1]
            points[role] = flat(vectors, self.components).tolist() if is_there else []
        tips = {}
        for arrow in arrows:
            if arrow.word < len(points[arrow.role]):
                x, y = points[arrow.role][arrow.word]
                tips[arrow] = (x, y)
        return tips

    def draw_sums(self, calculation: Calculation) -> None:
        """Draw what isn't an arrow: feet, hull, mixture."""

    def marks(self) -> Sequence[Pixel]:
        """Where small things are, in pixels, that names don't stand on."""
        return ()

    # Refreshing

    def refresh(self) -> None:
        """Draw the document as it is now; while nobody can see it, later."""
        if not self.is_seen:
            self._is_stale = True
            return
        self._take_stock()
        self._draw()

    def relight(self) -> None:
        # Another panel may light something while it draws a new calculation, before we have.
        is_known = self._calculation is self.document.calculation
        if self.isVisible() and not self._is_stale and is_known:
            self._draw()
        else:
            self._is_stale = True

    def _be_fresh(self) -> None:
        if self._is_stale:
            self._take_stock()
            self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._be_fresh()

    def _take_stock(self) -> None:
        self._is_stale = False
        calculation = self.document.calculation
        is_crowded = len(calculation.sentence.words) > CROWD
        is_dressed_anew = self._inks.look is not self.state.look
        if is_dressed_anew or self._inks.is_crowded != is_crowded:
            self._inks = Inks(self.state.look, is_crowded=is_crowded)
            self.surface.set_ground(self._inks.look.color("ground"))
        self._calculation = calculation
        width = self.width_of_vectors
        kind = (calculation.head, len(calculation.sentence.words), width)
        is_new, self._is_opened = self._is_opened or kind != self._kind, False
        if is_new or max(self.components) >= width:
            if not self._kind or self._kind[-1] != width:
                self.components = (0, 1)[:width]
            self._kind = kind
        attention = calculation.attention
        self._flat = {role: flat(getattr(attention, role), self.components) for role in self.roles}
        self.tips = self._tips_of(calculation, list(self._arrows(calculation)))
        if self.taken is not None and self.taken not in self.tips:
            self.taken = None
        self.chooser.offer(width, self.components, "d_k" if "key" in self.roles else "d_v")
        self._lay_out_corner()
        may_fit = self._is_fitted and self.document.before is None
        if is_new or (may_fit and (is_dressed_anew or self._is_out())):
            self._fit(animated=not is_new and not self.state.reduced_motion)

    def _saved_or_opened(self) -> None:
        """Where another sentence was opened, which leaves nothing to undo, it is fitted anew."""
        now = self.document.kept
        if not self.document.undo_stack.count() and now is not self._opened:
            before, self._opened = self._opened, now
            if replace(now, focus=0) != replace(before, focus=0):
                self._is_opened = True
                self.refresh()

    # Fit and zoom

    def fit(self) -> None:
        """Show 0 and every vector of the plane, as large as they go."""
        self._is_fitted = True
        self._be_fresh()
        self._fit(animated=not self.state.reduced_motion)

    def _fit(self, *, animated: bool) -> None:
        self._is_fitted = True
        lens = self.surface.lens
        # Both roles at every level: a level more or less moves nothing.
        points = np.concatenate(list(self._flat.values()))
        self.surface.set_lens(
            fitted(points, lens.width, lens.height, self._margins()), animated=animated
        )

    def _margins(self) -> Margins:
        lens, metrics = self.surface.lens, QFontMetricsF(self._inks.look.font())
        line = metrics.height()
        names = min(metrics.horizontalAdvance("q wwwww"), lens.width / 6)
        return Margins(
            left=max(self._numbers.left, metrics.horizontalAdvance("000")) + line * 0.6,
            top=line * 1.8 + self._top,
            right=names,
            bottom=line * 2.9,
        )

    def _is_out(self) -> bool:
        (left, right), (bottom, top) = self.surface.lens.ranges
        return any(not (left <= x <= right and bottom <= y <= top) for x, y in self.tips.values())

    @property
    def _top(self) -> float:
        """How much of the picture's upper edge the corner takes."""
        return self.chooser.height() if not self.chooser.isHidden() else 0.0

    def show_components(self, components: tuple[int, ...]) -> None:
        """Show these two entries of the vectors."""
        if components != self.components and max(components) < self.width_of_vectors:
            self.components = components
            self._take_stock()
            self._fit(animated=False)
            self._draw()
            names = " and ".join(str(component + 1) for component in components)
            self.state.announce(f"Shown: components {names} of {self.width_of_vectors}")

    def _lens_changed(self) -> None:
        if not self._is_stale:
            self._draw()

    def _zoomed(self) -> None:
        self._is_fitted = False

    def _resized(self) -> None:
        self._lay_out_corner()
        if self._is_fitted and self._flat:
            self._fit(animated=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out_corner()

    def _lay_out_corner(self) -> None:
        if not self.chooser.isHidden():
            self.chooser.resize(self.chooser.sizeHint())
            self.chooser.move(max(0, self.width() - self.chooser.width()), 0)
        if not self._more.isHidden():
            down = self.height() - self._numbers.below - self._more.height()
            self._more.move(max(0, self.width() - self._more.width() - 6), int(down))

    # Drawing

    def _draw(self) -> None:
        if (calculation := self._calculation) is None:
            return
        lens, inks = self.surface.lens, self._inks
        step = step_of(lens, self.line_height)
        self._grid.show_lines(
            lens, inks, step, is_line=self.is_line, grid="grid" in self.state.layers
        )
        self._numbers.show_numbers(lens, inks, step, is_line=self.is_line)
        if self.is_line:
            self.drawn = in_lanes(self.tips, lens, self.roles, self.line_height)
        else:
            self.drawn = in_plane(self.tips, lens, inks.apart)
        strengths = self._strengths()
        self._items.show(self.drawn, strengths, HEIGHTS, self.surface.size_in_pixels, inks)
        self._draw_ghosts()
        self.draw_sums(calculation)
        self._draw_names(calculation, strengths)
        self._draw_ring()

    def _strengths(self) -> dict[Arrow, str]:
        """How strongly each arrow is drawn."""
        lit, focus = self.state.lit, self.document.sentence.focus
        # What nothing here belongs to dims nothing.
        lit_ones = {arrow for arrow in self.tips if lights(lit, arrow)} if lit else set()
        self._is_something_lit = bool(lit_ones)
        if lit_ones:
            return {arrow: "lit" if arrow in lit_ones else "dim" for arrow in self.tips}
        return {
            arrow: "focus" if arrow.word == focus and arrow.role in LISTENS else "plain"
            for arrow in self.tips
        }

    def strength_of_pair(self, listens: int, heard: int, steps: Sequence[str]) -> str:
        """How strongly is drawn what one word gets from another in one of these steps."""
        if lit_pair(self.state.lit, listens, heard, steps):
            return "lit"
        return "dim" if self._is_something_lit else "plain"

    def _draw_ghosts(self) -> None:
        """In a drag, the arrows that it moves as they were before it."""
        ghosts: Places = {}
        if (before := self.document.before) is not None:
            was = self._tips_of(before, self.tips)
            ghosts = moved_from(was, self.tips, self.drawn, self.surface.lens, is_line=self.is_line)
        strengths = dict.fromkeys(ghosts, "ghost")
        self._ghosts.show(ghosts, strengths, HEIGHTS, self.surface.size_in_pixels, self._inks)

    def _draw_names(self, calculation: Calculation, strengths: dict[Arrow, str]) -> None:
        lens, sentence, is_made = self.surface.lens, calculation.sentence, self.is_made
        is_many = len(sentence.words) > NAMES_UP_TO
        ranked, is_any = [], False
        for order, (arrow, (_, (x, y))) in enumerate(self.drawn.items()):
            if not (0 <= x <= lens.width and 0 <= y <= lens.height):
                continue
            is_any = True
            rank = 0 if arrow == self.taken else RANKS[strengths[arrow]]
            if not is_many or rank < RANKS["plain"]:
                ranked.append((rank, order, arrow))
        ranked.sort(key=itemgetter(0, 1))
        names = [
            Name(
                arrow,
                label_of(arrow.role, sentence.words[arrow.word]),
                strengths[arrow],
                is_made and arrow.role != "output",
            )
            for *_, arrow in ranked
        ]
        bounds = (
            self._numbers.left,
            self._top + 1,
            lens.width - 2,
            lens.height - self._numbers.below,
        )
        # In a drag names stay where they are as long as they can.
        more = self._names.show(
            names,
            self.drawn,
            bounds,
            round(lens.width * 0.3),
            self._inks,
            self.marks(),
            self._ring_box(),
            stay=self.document.before is not None,
        )
        if self.drawn and not is_any:
            self._say_more("nothing in sight: F fits")
        elif is_many:
            self._say_more(f"{len(sentence.words)} words: point at an arrow for its name")
        else:
            self._say_more(f"+ {more} name{'s' * (more > 1)}" if more else "")

    def _say_more(self, text: str) -> None:
        look = self._inks.look
        if (text, look) != self._said_more:
            self._said_more = (text, look)
            self._more.setText(text)
            self._more.setFont(look.font(0.85))
            self._more.setStyleSheet(f"color: {look.theme.dim}")
            self._more.setVisible(bool(text))
            self._more.adjustSize()
            self._lay_out_corner()

    def _ring_box(self) -> Box | None:
        """What the ring takes of the picture: left, top, right and bottom."""
        if self.taken is None or not self.surface.hasFocus():
            return None
        (x, y), reach = self.drawn[self.taken][1], RING * self._inks.size() + 2
        return (x - reach, y - reach, x + reach, y + reach)

    def _draw_ring(self) -> None:
        """A ring where the keyboard is, under the arrow so that it hides nothing of it."""
        if self.taken is None or not self.surface.hasFocus():
            self._ring.show(False)
            return
        tip, radius = self.drawn[self.taken][1], RING * self._inks.size()
        self._ring.show_ring(tip, radius, self._inks.look.color("ink"), self._inks)
