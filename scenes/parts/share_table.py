"""One word's working as a table, and its shares as a bar of length 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from manim import Animation, FadeIn, FadeOut, Mobject, VGroup, VMobject

from engine.palette import Theme, weight_colors
from scenes.parts.grid import boxes_shape
from scenes.parts.layout import Box
from scenes.parts.number import Number, outline
from scenes.parts.type import Text, set_line
from scenes.parts.word import Word

__all__ = ["ShareBar", "ShareTable"]

GAP, WIDEST_GAP = 0.22, 0.55
NAMES = 1.2
ROW = 1.5882


class ShareTable(VGroup):
    """A row a name, a last row for totals, and columns of numbers that come and change.

    widest: heading → every text its column will ever hold, which sets how wide it is; where
    all don't fit at a readable size, the first is left out. `title` says whose working it is. It
    comes column by column: its `labels`, then its numbers by `change`.
    """

    def __init__(
        self,
        names: Sequence[str],
        widest: Mapping[str, Sequence[str]],
        box: Box,
        theme: Theme,
        size: float,
        small: float,
        title: str = "",
    ) -> None:
        super().__init__()
        self.labelled: set[str] = set()
        self.left_out = ""
        self.pitch = min(ROW * size, box.height / (len(names) + 2))
        wanted = max(set_line(name, 500).width for name in names) * size
        wanted = min(max(wanted, 0.7), NAMES)
        size = min(size, self.pitch * 0.88)
        size, widths = _fit(widest, box.width - wanted, size, small)
        if sum(widths) + GAP * len(widths) > box.width - 0.6:
            self.left_out = next(iter(widest))
            widest = {h: texts for h, texts in widest.items() if h != self.left_out}
            size, widths = _fit(widest, box.width - wanted, size, small)
        self.theme, self.size = theme, size
        spare = box.width - wanted - sum(widths)
        gap = min(max(spare / len(widths), GAP), WIDEST_GAP)
        self.rights = _column_edges(widest, widths, box.right, gap)
        self.ys = [box.top - self.pitch * (i + 1.5) for i in range(len(names) + 1)]
        self.numbers: dict[str, list[Number | None]] = {h: [None] * len(self.ys) for h in widest}
        room = next(iter(self.rights.values())) - widths[0] - gap
        self.names, self.headings = VGroup(), {}
        for name, y in zip(names, self.ys):
            width = max(room - box.left, 0.5)
            word = Word(name, size, theme.ink, width=width, height=self.pitch * 0.95)
            word.shift((box.left - float(word.get_left()[0]), y - 0.11 * word.size, 0.0))
            self.names.add(word)
        self.title = Word(title, size, theme.highlight, width=max(room - box.left, 0.5))
        left = box.left - float(self.title.get_left()[0])
        self.title.shift((left, box.top - self.pitch * 0.5 - 0.11 * self.title.size, 0.0))
        self.total = Text("total", small, theme.dim)
        self.total.shift((box.left, 0.0, 0.0)).on_baseline(self.ys[-1] - 0.36 * small)
        for heading, right in self.rights.items():
            text = Text(heading, small, theme.dim)
            text.shift((right - float(text.get_right()[0]), 0.0, 0.0))
            self.headings[heading] = text.on_baseline(box.top - self.pitch * 0.5 - 0.36 * small)
        y = self.ys[-1] + self.pitch / 2
        self.rule = VMobject(stroke_color=theme.faint, stroke_width=1.5 * theme.stroke)
        self.rule.set_points_as_corners([(box.left, y, 0.0), (box.right, y, 0.0)])

    def labels(self, column: str) -> list[Mobject]:
        """What must be drawn before a column: its heading, and all that comes with the first."""
        if column == self.left_out:
            return []
        first = [] if self.labelled else [self.title, self.names, self.rule, self.total]
        self.labelled.add(column)
        return [*first, self.headings[column]]

    def change(
        self,
        column: str,
        texts: Sequence[str],
        *,
        lit: Sequence[int] = (),
        start: Sequence[Mobject] = (),
    ) -> list[Animation]:
        """What fades a column to `texts` ("" for nothing); what stays the same stays.

        lit: rows in the highlight colour; start: where new numbers come from.
        """
        fades: list[Animation] = []
        for i, text in enumerate(texts):
            source = start[i] if i < len(start) else None
            fades += self.change_one(column, i, text, is_lit=i in lit, start=source)
        return fades

    def change_one(
        self,
        column: str,
        row: int,
        text: str,
        *,
        is_lit: bool = False,
        start: Mobject | None = None,
    ) -> list[Animation]:
        """The same for one number."""
        if column == self.left_out:
            return []
        color = self.theme.highlight if is_lit else self.theme.ink
        old, new = self.numbers[column][row], self._number(column, row, text, color)
        if old is not None and new is not None and _same(old, new):
            return []
        self.numbers[column][row] = new
        fades: list[Animation] = [] if old is None else [FadeOut(old)]
        if new is not None:
            travel = {} if start is None else {"target_position": start.get_center()}
            fades.append(FadeIn(new, **travel))
        return fades

    def forget(self) -> None:
        """Start again: nothing of it is on screen."""
        self.labelled.clear()
        self.numbers = {heading: [None] * len(self.ys) for heading in self.numbers}

    def standing(self) -> list[Mobject]:
        """All of the table that is on screen."""
        numbers = [n for column in self.numbers.values() for n in column if n is not None]
        frame = [self.title, self.names, self.rule, self.total] if self.labelled else []
        return [*frame, *(self.headings[column] for column in self.labelled), *numbers]

    def column(self, column: str) -> list[Mobject]:
        """A column's numbers, those there are."""
        return [number for number in self.numbers[column] if number is not None]

    def _number(self, column: str, row: int, text: str, color: str) -> Number | None:
        if not text:
            return None
        weight = 650 if row == len(self.ys) - 1 else 400
        number = Number(text, self.size, color, weight)
        number.rewrite(text, self.rights[column], self.ys[row], edge=1)
        number.text = text
        return number


class ShareBar(VGroup):
    """A bar of length 1, one piece a share, in order; a piece carries its name if it fits.

    `cut` makes shares smaller where they lie; `stretch` moves all to new shares, side by side.
    """

    def __init__(
        self, names: Sequence[str], shares: Sequence[float], box: Box, theme: Theme, size: float
    ) -> None:
        super().__init__()
        self.box, self.theme, self.size, self.names = box, theme, size, names
        self.track = boxes_shape([box]).set_stroke(theme.faint, 1.5 * theme.stroke)
        self.lefts = [sum(shares[:i]) for i in range(len(shares))]
        self.shares = list(shares)
        places = list(zip(self.lefts, shares))
        self.pieces = VGroup(*(self._piece(*place) for place in places))
        self.labels = VGroup(*(self._label(n, *place) for n, place in zip(names, places)))
        self.add(self.track, self.pieces, self.labels)

    def standing(self) -> list[Mobject]:
        """All of the bar that is on screen."""
        there = [i for i, share in enumerate(self.shares) if share]
        return [self.track, *(part[i] for part in (self.pieces, self.labels) for i in there)]

    def light(self, pieces: Sequence[int]) -> ShareBar:
        """Some pieces in the highlight colour."""
        for i in pieces:
            self.pieces[i].set_fill(self.theme.highlight)
            self.labels[i].set_color(self.theme.ground)
        return self

    def cut(self, shares: Sequence[float]) -> list[Animation]:
        """What leaves of each piece only its new share, where it lies."""
        moves: list[Animation] = []
        for i, share in enumerate(shares):
            if share == 0 < self.shares[i]:
                moves += [FadeOut(self.pieces[i]), FadeOut(self.labels[i])]
            elif share < self.shares[i]:
                piece = self._piece(self.lefts[i], share)
                moves.append(self.pieces[i].animate.set_points(piece.points))
        self.shares = list(shares)
        return moves

    def stretch(self, shares: Sequence[float]) -> list[Animation]:
        """What moves every piece still there to its new share, side by side from the left."""
        moves: list[Animation] = []
        new = ShareBar(self.names, shares, self.box, self.theme, self.size)
        for piece, label, there, its_piece, its_label in zip(
            self.pieces, self.labels, self.shares, new.pieces, new.labels
        ):
            if not there:
                continue
            moves.append(piece.animate.become(its_piece))
            if len(label) and len(its_label):
                moves.append(label.animate.move_to(its_label))
            elif len(its_label):
                moves.append(FadeIn(label.add(*its_label)))
        return moves

    def _piece(self, left: float, share: float) -> VMobject:
        box, gap = self.box, 0.015
        start = box.left + left * box.width
        width = max(share * box.width - gap, 0.0)
        piece = boxes_shape([Box(start, start + width, box.bottom, box.top)])
        return piece.set_stroke(width=0.0).set_fill(self._colors(share)[0], 1.0)

    def _label(self, name: str, left: float, share: float) -> VGroup:
        room = share * self.box.width - 0.12
        if room < self.size * 0.8:
            return VGroup()
        label = Word(name, self.size, self._colors(share)[1], width=room, height=self.box.height)
        if label.size < self.size * 0.85:
            return VGroup()
        x = self.box.left + (left + share / 2) * self.box.width
        return VGroup(label.shift((x, self.box.center[1] - 0.11 * self.size, 0.0)))

    def _colors(self, share: float) -> tuple[str, str]:
        """Never so pale that a piece is lost on the ground."""
        return weight_colors(self.theme, max(share, 0.15))


def _widths(widest: Mapping[str, Sequence[str]], size: float, small: float) -> list[float]:
    """How wide each column is: its longest text or its heading."""
    widths = []
    for heading, texts in widest.items():
        numbers = [float(np.ptp(outline(text, 650)[:, 0])) * size for text in texts if text]
        widths.append(max([float(Text(heading, small, "#000000").width), *numbers]))
    return widths


def _fit(
    widest: Mapping[str, Sequence[str]], room: float, size: float, small: float
) -> tuple[float, list[float]]:
    """The size at which all columns and the gaps between them fit in `room`, and their widths."""
    least = 0.93 * small
    size = max(size, least)
    widths = _widths(widest, size, small)
    while size > least and sum(widths) + GAP * len(widths) > room:
        size = max(size - 0.01, least)
        widths = _widths(widest, size, small)
    return size, widths


def _column_edges(
    headings: Iterable[str], widths: Sequence[float], right: float, gap: float
) -> dict[str, float]:
    """Each column's right edge, the last one's at `right`."""
    edges = {}
    for heading, width in reversed(list(zip(headings, widths))):
        edges[heading] = right
        right -= width + gap
    return dict(reversed(edges.items()))


def _same(old: Number, new: Number) -> bool:
    return old.text == new.text and old.fill_color == new.fill_color
