"""Which figures are to be drawn, and how: frozen, checked once, shared by the command and the app.

Importing this imports neither NumPy nor Matplotlib.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from export.figures import FIGURES, FigureEntry, find_figure
from export.options import ROWS, THEMES, between, ending_of, one_of
from export.placing import quoted

if TYPE_CHECKING:
    from engine.sentence import Sentence
    from export.measured import Measured

__all__ = [
    "FIGURE_FORMATS",
    "FIGURE_THEMES",
    "TEXTS",
    "FigureFile",
    "FigureOptions",
    "choose_figures",
]

FIGURE_FORMATS = ("svg", "pdf", "png")
TEXTS = ("embed", "keep", "outline")
FIGURE_THEMES = (*THEMES, "both")
MOST_DOTS = 16_384
"""A PNG wider than that opens in few programs."""


@dataclass(frozen=True)
class FigureFile:
    """One file that will be there in the end: a figure, its theme and its place."""

    entry: FigureEntry
    theme: str
    path: Path


@dataclass(frozen=True)
class FigureOptions:
    """Figures that can be drawn as asked; ValueError says in one line what can't, and what to try.

    head counts from 0. output is what -o says: a file to write, or a folder; None is the current
    folder. format None is what output ends in, or svg. width is in CSS pixels (1/96 inch), None
    what the figure asks for; scale is how many dots of a PNG a pixel is wide. text is what becomes
    of an SVG's. embed says whether files carry the document. measured are times for the figure of
    growth.
    """

    sentence: Sentence
    figures: tuple[FigureEntry, ...] = FIGURES
    head: int = 0
    format: str | None = None
    width: int | None = None
    scale: float = 2.0
    text: str = "embed"
    transparent: bool = False
    theme: str = "light"
    rows: str = "queries"
    digits: int = 2
    font_scale: float = 1.0
    output: str | None = None
    force: bool = False
    embed: bool = True
    measured: Measured | None = None

    def __post_init__(self) -> None:
        one_of("text", self.text, TEXTS)
        one_of("theme", self.theme, FIGURE_THEMES)
        one_of("rows", self.rows, ROWS)
        between("digits", self.digits, 0, 6)
        between("font-scale", self.font_scale, 0.5, 2.0)
        between("scale", self.scale, 0.5, 8.0)
        if self.width is not None:
            between("width", self.width, 50, MOST_DOTS)
        if self.measured and all(entry.name != "growth" for entry in self.figures):
            raise ValueError("--measured is for the figure of growth: name it, or leave it out")
        if not self.figures:
            raise ValueError(f"there is nothing to draw: name a figure, of {_names()}")
        if not 0 <= self.head < len(self.sentence.heads):
            raise ValueError(f"head should be from 0 to {len(self.sentence.heads) - 1}")
        object.__setattr__(self, "format", self._format())
        if self.format == "png" and (self.width or 0) * self.scale > MOST_DOTS:
            raise ValueError(
                f"{self.width} pixels at --scale {self.scale:g} are more than {MOST_DOTS} dots: "
                "try a smaller --width or --scale"
            )
        if self._names_a_file and len(self.files) > 1:
            raise ValueError(
                f"{quoted(self.output)} is one file, and there will be {len(self.files)}: "
                "give -o a folder"
            )

    @property
    def files(self) -> tuple[FigureFile, ...]:
        """Every file that will be there in the end, in order."""
        if self._names_a_file and len(self.figures) == 1 and len(self._themes) == 1:
            return (FigureFile(self.figures[0], self.theme, Path(self.output or "")),)
        folder = Path(self.output or "")

        def ending(theme: str) -> str:
            return f"-{theme}" if len(self._themes) > 1 else ""

        return tuple(
            FigureFile(
                entry, theme,
                folder / f"{entry.name}{ending(theme)}.{self.format}",
            )
            for entry in self.figures
            for theme in self._themes
        )  # fmt: skip

    @property
    def _themes(self) -> tuple[str, ...]:
        """An SVG holds both themes; of anything else there are two files."""
        return ("light", "dark") if self.theme == "both" and self.format != "svg" else (self.theme,)

    @property
    def _names_a_file(self) -> bool:
        return ending_of(self.output or "") != ""

    def _format(self) -> str:
        """What is asked for, or what -o ends in, or svg; they may not contradict each other."""
        if self.format is not None:
            one_of("format", self.format, FIGURE_FORMATS)
        if not self._names_a_file:
            return self.format or "svg"
        ending = ending_of(self.output or "")
        if ending not in FIGURE_FORMATS:
            raise ValueError(
                f"{quoted(self.output)} ends in .{ending}, which figure doesn't write: "
                f"try .{' or .'.join(FIGURE_FORMATS)}"
            )
        if self.format not in (None, ending):
            raise ValueError(
                f"{quoted(self.output)} contradicts --format {self.format}: "
                f"end it in .{self.format}, or leave out --format"
            )
        return ending


def choose_figures(names: Iterable[str] = ()) -> tuple[FigureEntry, ...]:
    """The figures of these names, in this order, each once; none = all.

    Raises ValueError, which names the figures, for a name that none has.
    """
    return tuple(dict.fromkeys(_figure(name) for name in names)) or FIGURES


def _figure(name: str) -> FigureEntry:
    if (entry := find_figure(name)) is not None:
        return entry
    known = [entry.name for entry in FIGURES]
    close = difflib.get_close_matches(name.lower().replace("_", "-"), known, n=1)
    guess = f"did you mean {close[0]}? " if close else ""
    raise ValueError(f"no figure is called {quoted(name)}: {guess}try {_names()}")


def _names() -> str:
    return ", ".join(entry.name for entry in FIGURES)
