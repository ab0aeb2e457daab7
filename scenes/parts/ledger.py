"""The running arithmetic of softmax: a line a word, e to its score, its share; a total below."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup, VMobject

from engine.palette import Theme
from scenes.beats import shorten
from scenes.parts.layout import Box
from scenes.parts.number import Number
from scenes.parts.type import Text
from scenes.parts.word import Word

__all__ = ["Ledger", "Power"]

GAP, GAP_IN_EMS = 0.16, 0.42
"""Between columns there is the larger of both."""

LEADING = 1.85
RAISED = 0.4
LEAST_NAME = 0.68
LETTER, SMALLEST_NAME = 0.56, 0.8
DENSEST, AROUND = 1.22, 2.1
PARTED = 1.8


class Power(VGroup):
    """e with a number for exponent: its left end at x = 0, the middle of its line at y = 0."""

    def __init__(self, exponent: str, size: float, least: float, raised: float, color: str) -> None:
        super().__init__()
        small = min(max(0.72 * size, least), size)
        self.base = Text("e", size, color)
        self.exponent = Number(exponent, small, color)
        x = float(self.base.width) + 0.08 * size
        self.exponent.rewrite(exponent, x, raised, edge=-1)
        self.base.on_baseline(-0.36 * size)
        self.add(self.base, self.exponent)


class Ledger(VGroup):
    """Columns: the word, e to its score, what that is, its share; under a rule the total.

    A power may be "": a line that sums up words not shown has no one exponent. All of it is laid
    out at once, so that a story can bring it in piece by piece: `names`, `powers`, `exps` and
    `shares` hold a piece a line. `sizes` are what one would like and what one must be able to read.
    """

    def __init__(
        self,
        names: Sequence[str],
        powers: Sequence[str],
        exps: Sequence[str],
        total: str,
        shares: Sequence[str],
        box: Box,
        theme: Theme,
        sizes: tuple[float, float],
    ) -> None:
        super().__init__()
        self.theme, self.box, self.least, self.count = theme, box, sizes[1], len(names)
        self.leading = min(LEADING * sizes[0], box.height / (self.count + AROUND))
        self.top = box.top - self.leading
        self.size = min(sizes[0], self.leading / DENSEST)
        room = self._set_edges(powers, exps, total, shares)
        while room < LEAST_NAME and self.size > 0.6 * self.least:
            self.size *= 0.94
            room = self._set_edges(powers, exps, total, shares)
        room -= self._part_shares(room, names)
        self.names = VGroup(*(self._name(name, room, i) for i, name in enumerate(names)))
        self.powers = VGroup(*(self._power(power, i) for i, power in enumerate(powers)))
        equals = ["=" if power else "" for power in powers]
        self.signs = self.column(equals, self.right_of_power + 1.05 * self.gap + self.size * 0.3)
        self.exps = self.column(exps, self.right_of_exp)
        self.shares = self.column(shares, self.right_of_share, weight=650)
        self.rule = self.rule_between(self.right_of_power + 2 * self.gap, self.right_of_exp)
        self.total = self.figure(total, self.right_of_exp, self.count, weight=650)
        self.total_name = self._name("total", 2 * room, self.count)

    @property
    def gap(self) -> float:
        """The room between columns."""
        return max(GAP, GAP_IN_EMS * self.size)

    @staticmethod
    def lines_in(box: Box, least: float) -> int:
        """How many words a ledger in `box` has room for when its letters are `least` high."""
        return int(box.height / (DENSEST * least) - AROUND)

    def y(self, line: int) -> float:
        """The middle of a line; the total's, under the rule, comes after the last word's."""
        return self.top - self.leading * (line + (0.25 if line >= self.count else 0.0))

    def figure(
        self, text: str, right: float, line: int, color: str | None = None, weight: int = 500
    ) -> Number:
        """A number on `line`, its right end at `right`."""
        number = Number(text, self.size, color or self.theme.ink, weight)
        return number.rewrite(text, right, self.y(line), edge=1)

    def column(
        self, texts: Sequence[str], right: float, color: str | None = None, weight: int = 500
    ) -> VGroup:
        """A number a line, right-aligned."""
        return VGroup(*(self.figure(t, right, i, color, weight) for i, t in enumerate(texts)))

    def rule_between(self, left: float, right: float) -> VMobject:
        """The rule over the total, from `left` to `right`."""
        y = self.top - self.leading * (self.count - 0.4)
        rule = VMobject(stroke_color=self.theme.dim, stroke_width=2 * self.theme.stroke)
        return rule.set_points_as_corners([(left, y, 0.0), (right, y, 0.0)])

    def head(self, text: str, right: float) -> Text:
        """The name of a column, above it."""
        label = Text(text, self.least, self.theme.dim)
        label.shift((right - float(label.get_right()[0]), 0.0, 0.0))
        return label.on_baseline(self.top + self.leading * 0.66)

    def _set_edges(
        self, powers: Sequence[str], exps: Sequence[str], total: str, shares: Sequence[str]
    ) -> float:
        """Where each column ends at this size; returns the room that is left for names."""

        def widest(texts: Sequence[str], weight: int) -> float:
            return max(float(Number(t, self.size, self.theme.ink, weight).width) for t in texts)

        self.right_of_share = self.box.right
        self.right_of_exp = self.right_of_share - widest(shares, 650) - 1.7 * self.gap
        self.right_of_power = self.right_of_exp - widest([*exps, total], 650) - 2.9 * self.gap
        return self._room_for_names(powers)

    def _part_shares(self, room: float, names: Sequence[str]) -> float:
        """Set shares further apart from what they are shares of, as names leave room for it."""
        size = min(self.size, 1.05 * self.least)
        wanted = max(float(Text(name, size, self.theme.dim, 500).width) for name in names)
        wider = min(max(room - wanted, 0.0), PARTED * self.gap)
        self.right_of_exp -= wider
        self.right_of_power -= wider
        return wider

    def _room_for_names(self, powers: Sequence[str]) -> float:
        wide = (self._power(power, 0).width for power in powers if power)
        left = self.right_of_power - max(map(float, wide)) - 0.9 * self.gap
        return max(left - self.box.left, 0.4)

    def _name(self, name: str, width: float, line: int) -> Word:
        size = min(self.size, self.least * 1.05)
        word = self._fitted(name, size, width)
        if word.size < SMALLEST_NAME * size or len(word) > 1:
            word = self._fitted(shorten(name, max(3, int(width / (LETTER * size)))), size, width)
        return word.shift((self.box.left - float(word.get_left()[0]), self.y(line), 0.0))

    def _fitted(self, name: str, size: float, width: float) -> Word:
        return Word(name, size, self.theme.dim, width=width, height=size * 1.2, weight=500)

    def _power(self, exponent: str, line: int) -> VGroup:
        if not exponent:
            return VGroup()
        least = min(self.least, self.size)
        raised = min(RAISED * self.size, 0.62 * self.leading - 0.38 * least)
        power = Power(exponent, self.size, least, raised, self.theme.ink)
        return power.shift((self.right_of_power - float(power.get_right()[0]), self.y(line), 0.0))
