"""Names that a figure had to cut, whole, under it: a label may be short, a word never lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from matplotlib.figure import Figure
from matplotlib.text import Text

from export.figures.lettering import clusters
from export.figures.plots import axes_under
from export.figures.sheet import MARGIN, as_sheet, note_height, write_notes
from export.figures.theme import FigureStyle
from scenes.direction import isolated

__all__ = ["cut_names", "spell_out"]


def spell_out(figure: Figure, names: Iterable[str], style: FigureStyle) -> None:
    """Write the names that a drawn figure cuts under all that it has, each whole; it grows so far.

    names are the sentence's words and the heads' names, in any number. A figure that cuts none
    stays as it is.
    """
    written = [text.get_text() for text in figure.findobj(Text)]
    cut = [f"“{isolated(name)}”" for name in cut_names(names, written)]
    if not cut:
        return
    note = f"In full: {', '.join(cut)}."
    width, top = (72 * inches / style.scale for inches in figure.get_size_inches())
    room = width - 2 * MARGIN
    height = note_height([note], room)
    ax = axes_under(figure, (MARGIN, top - MARGIN, room, height), height, style)
    write_notes(ax, [note], as_sheet(ax, style), style)


def cut_names(names: Iterable[str], written: Iterable[str]) -> Iterator[str]:
    """Which of the names some text has only the beginning of, before "…"; each once, in order."""
    kept = [text for text in written if "…" in text]
    for name in dict.fromkeys(names):
        parts = clusters(name)
        starts = ["".join(parts[:end]).rstrip() + "…" for end in range(1, len(parts))]
        whole = [text for text in kept if name not in text]
        if any(start in text for start in starts for text in whole):
            yield name
