"""Where chips lie in one line or two, the focus word's among them: pure functions, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Chip", "Chips", "lay_out", "lines_needed"]


@dataclass(frozen=True)
class Chip:
    """word is its index; x from its line's left end; line is 0 or 1."""

    word: int
    x: float
    width: float
    line: int


@dataclass(frozen=True)
class Chips:
    """The chips that have room; more is the (x, line) of the "…" after them, None if all have."""

    chips: tuple[Chip, ...]
    more: tuple[float, int] | None = None


def lay_out(
    widths: Sequence[float], room: float, lines: int, *, gap: float, more: float, focus: int
) -> Chips:
    """The first chips that fit `lines` lines of `room` pixels, or later ones up to the focus word.

    widths: a chip's, none wider than room; gap: between two; more: the width of the "…".
    """
    everything = _fill(widths, 0, room, lines, gap, 0.0)
    if len(everything) == len(widths):
        return Chips(everything)
    first, fitting = 0, _fill(widths, 0, room, lines, gap, more + gap)
    while first < focus and all(chip.word != focus for chip in fitting):
        first += 1
        fitting = _fill(widths, first, room, lines, gap, more + gap)
    if not fitting:
        return Chips((), (0.0, 0))
    last = fitting[-1]
    after = last.x + last.width + gap
    return Chips(fitting, (after, last.line) if after + more <= room else (0.0, last.line + 1))


def lines_needed(widths: Sequence[float], room: float, gap: float) -> int:
    """1 where all chips fit in one line, else 2."""
    return 1 if sum(widths) + gap * (len(widths) - 1) <= room else 2


def _fill(
    widths: Sequence[float], first: int, room: float, lines: int, gap: float, kept: float
) -> tuple[Chip, ...]:
    """Chips from `first` on, with `kept` pixels left over at the end of the last line."""
    chips: list[Chip] = []
    x, line = 0.0, 0
    for word in range(first, len(widths)):
        width = widths[word]
        if x + width > room - (kept if line == lines - 1 else 0.0):
            x, line = 0.0, line + 1
            if line == lines or x + width > room - (kept if line == lines - 1 else 0.0):
                break
        chips.append(Chip(word, x, width, line))
        x += width + gap
    return tuple(chips)
