"""The hand calculation laid out as lines of coloured pieces: where each stands, and whose it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from desktop.theme import Look
from desktop.views.lettering import lettering
from engine import Line, Step
from engine.notation import write_list

__all__ = ["NARROWEST", "RAISED", "Piece", "Row", "lay_out"]

POWER = ": e^"
RAISED = 0.8
"""The size of a power beside what it is raised from."""
NARROWEST = 10
"""The least width of the paper, in lines of text."""
BREAK_BEFORE = ("+", "=", "÷")
COLORS = {"": "ink", "weight": "ink"}
"""The colours of terms that belong to no role."""


class Piece(NamedTuple):
    """A text at x, in a colour of the look; style is "plain", "bold" or "raised" (a power)."""

    x: float
    text: str
    color: str = "ink"
    style: str = "plain"


@dataclass(slots=True)
class Row:
    """A line on the paper: top and height in pixels, its pieces, what it is about.

    kind is "title", "line" or "note"; step is its step's name; word an index or None; full is the
    whole line as text, for a tooltip, for copying and for screen readers.
    """

    kind: str
    step: str
    top: float
    height: float
    full: str
    word: int | None = None
    pieces: list[Piece] = field(default_factory=list)


def lay_out(
    steps: Iterable[Step],
    look: Look,
    width: float,
    folded: frozenset[str],
    digits: int,
    until: float = math.inf,
) -> list[Row]:
    """The rows of the paper that begin above `until`, top to bottom, none wider than `width`."""
    rows = _Paper(look, width, digits).rows(steps, folded)
    return list(takewhile(lambda row: row.top < until, rows))


class _Paper:
    def __init__(self, look: Look, width: float, digits: int) -> None:
        self.letters = lettering(look)
        self.height = self.letters.height()
        self.space = self.width_of(" ")
        self.indent = 1.4 * self.height
        self.width = max(width, NARROWEST * self.height)
        self.digits = digits
        self.top = 0.3 * self.height

    def width_of(self, text: str) -> float:
        return self.letters.write(text).width

    def raised_width_of(self, text: str) -> float:
        return self.letters.write(text, RAISED).width

    def rows(self, steps: Iterable[Step], folded: frozenset[str]) -> Iterator[Row]:
        for number, step in enumerate(steps, 1):
            yield self._title(number, step, step.name in folded)
            if step.name not in folded:
                labels = [self._label_width(line) for line in step.lines]
                column = min(max(labels), 0.42 * self.width)
                for line in step.lines:
                    yield from self._line(step, line, column)
                for note in step.notes:
                    yield from self._note(step, note)
            self.top += 0.5 * self.height

    def _add(self, kind: str, step: Step, full: str, word: int | None = None) -> Row:
        row = Row(kind, step.name, self.top, 1.25 * self.height, full, word)
        self.top += row.height
        return row

    def _title(self, number: int, step: Step, is_folded: bool) -> Row:
        row = self._add("title", step, f"{number}. {step.title}: {self._result(step)}")
        row.pieces.append(Piece(0.0, "▸" if is_folded else "▾", "dim"))
        title = f"{number}  {step.title}"
        title = self.letters.shortened(title, self.width - self.indent, bold=True)
        row.pieces.append(Piece(self.indent, title, style="bold"))
        left = self.indent + self.letters.width(title, bold=True) + 2 * self.space
        if is_folded and left < self.width - 2 * self.height:
            result = self.letters.shortened(self._result(step), self.width - left)
            x = max(left, self.width - self.width_of(result))
            row.pieces.append(Piece(x, result, "output" if step.name == "mix" else "ink"))
        return row

    def _result(self, step: Step) -> str:
        return write_list(step.result, self.digits)

    def _label_width(self, line: Line) -> float:
        before, power, raised = line.label.rpartition(POWER)
        if not power:
            return self.width_of(line.label)
        return self.width_of(f"{before}: e") + self.raised_width_of(raised)

    def _line(self, step: Step, line: Line, column: float) -> Iterator[Row]:
        """A line, its equals sign at `column`; what is too long goes on below, further in."""
        row = self._add("line", step, line.text, line.word)
        x = self.indent
        if line.label:
            self._label(row, line.label, column)
            x += column + self.space
            row.pieces.append(Piece(x, "="))
            x += self.width_of("=") + self.space
        widths = [self.width_of(term.text) for term in line.terms]
        if x + sum(widths) + self.space * (len(widths) - 1) <= self.width:
            for term, width in zip(line.terms, widths):
                row.pieces.append(Piece(x, term.text, COLORS.get(term.role, term.role)))
                x += width + self.space
            yield row
        else:
            yield from self._long_line(step, line, row, x, self.indent + column)

    def _long_line(
        self, step: Step, line: Line, row: Row, x: float, further_in: float
    ) -> Iterator[Row]:
        """The terms of a line from x on, broken before signs, and inside lists where need be."""
        start = x
        for group in _groups(line):
            needed = sum(self.width_of(text) for text, _ in group)
            needed += self.space * (len(group) - 1)
            if x > start and x + needed > self.width:
                yield row
                row = self._add("line", step, line.text, line.word)
                x = start = min(start, further_in)
            for text, color in group:
                for part in self._fitting(text, self.width - x, self.width - start):
                    if x > start and x + self.width_of(part) > self.width:
                        yield row
                        row = self._add("line", step, line.text, line.word)
                        x = start
                    row.pieces.append(Piece(x, part, color))
                    x += self.width_of(part) + self.space
        yield row

    def _fitting(self, text: str, left: float, whole: float) -> list[str]:
        """A text as it is, or a list of numbers broken behind its commas where it must be."""
        if self.width_of(text) <= max(left, whole) or ", " not in text:
            return [text]
        parts: list[str] = []
        part = ""
        for item in text.split(", "):
            longer = f"{part}, {item}" if part else item
            if part and self.width_of(longer) > (whole if parts else max(left, 0)):
                parts.append(part + ",")
                part = item
            else:
                part = longer
        return [*parts, part]

    def _label(self, row: Row, label: str, column: float) -> None:
        before, power, raised = label.rpartition(POWER)
        if not power:
            text = self.letters.shortened(label, column)
            row.pieces.append(Piece(self.indent, text, "dim"))
            return
        # The word by itself, or one written from right to left would turn the sign about.
        foot = ": e"
        room = column - self.width_of(foot) - self.raised_width_of(raised)
        base = self.letters.shortened(before, room)
        x = self.indent
        row.pieces.append(Piece(x, base, "dim"))
        x += self.width_of(base)
        row.pieces.append(Piece(x, foot, "dim"))
        row.pieces.append(Piece(x + self.width_of(foot), raised, style="raised"))

    def _note(self, step: Step, note: str) -> Iterator[Row]:
        """A sentence, broken at its blanks."""
        row, text = self._add("note", step, note), ""
        for word in note.split(" "):
            longer = f"{text} {word}" if text else word
            if text and self.indent + self.width_of(longer) > self.width:
                row.pieces.append(Piece(self.indent, self._whole(text), "dim"))
                yield row
                row, text = self._add("note", step, note), word
            else:
                text = longer
        row.pieces.append(Piece(self.indent, self._whole(text), "dim"))
        yield row

    def _whole(self, text: str) -> str:
        return self.letters.shortened(text, self.width - self.indent)


def _groups(line: Line) -> Iterator[list[tuple[str, str]]]:
    """The terms of a line in the groups that stay together: a sign with what it is before."""
    group: list[tuple[str, str]] = []
    for term in line.terms:
        if term.text in BREAK_BEFORE and group:
            yield group
            group = []
        group.append((term.text, COLORS.get(term.role, term.role)))
    if group:
        yield group
