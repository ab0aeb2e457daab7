"""The figures: pictures of one sentence for posts, papers and slides, drawn by Matplotlib.

What may enter: one module a figure, how figures look (`theme`, `lettering`, `marks`) and how they
become files (`save`). What may not: arithmetic (that is `engine`), options and places (`export`).
Importing this package imports no Matplotlib: the table is plain data, so that listing is instant.

Each figure's module has two functions:

    draw_NAME(attention, ax, *, words, focus=0, style=FigureStyle()) -> Axes
        draws on axes that somebody else made (in a notebook: `plt.subplots()`), fits what it
        writes to their size, and returns them
    compose(figure, sentence, head, style) -> None
        sizes an empty Matplotlib figure for the sentence, lays out its axes and draws on them;
        the same for all, so that the command needs to know no figure by name

A size is in inches and lengths are in points (1/72 inch) at `style`'s font scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from engine.sentence import Sentence
    from export.figures.theme import FigureStyle

    Compose = Callable[[Figure, Sentence, int, FigureStyle], None]

__all__ = ["FIGURES", "FigureEntry", "find_figure", "load_figure"]


@dataclass(frozen=True)
class FigureEntry:
    """A figure that the command draws; `target` is "module:function", the module's `compose`."""

    name: str
    title: str
    target: str


FIGURES = (
    FigureEntry("query-plane", "A query among the keys", "export.figures.query_plane:compose"),
    FigureEntry(
        "value-plane", "What a word collects from the values", "export.figures.value_plane:compose"
    ),
    FigureEntry("weights", "Who listens to whom", "export.figures.weights:compose"),
    FigureEntry(
        "causal-pair", "Without and with the causal mask", "export.figures.causal_pair:compose"
    ),
    FigureEntry("scaling", "Softmax without and with scaling", "export.figures.scaling:compose"),
    FigureEntry(
        "score-gap", "The better of two scores, by their gap", "export.figures.score_gap:compose"
    ),
    FigureEntry(
        "contributions",
        "What each word gives beside what it weighs",
        "export.figures.contributions:compose",
    ),
    FigureEntry("winning-word", "Which word wins where", "export.figures.winning_word:compose"),
    FigureEntry("growth", "What the grid costs as the text grows", "export.figures.growth:compose"),
    FigureEntry("heads", "All heads side by side", "export.figures.heads:compose"),
    FigureEntry("tiles", "The online softmax, tile by tile", "export.figures.tiles:compose"),
)


def find_figure(text: str) -> FigureEntry | None:
    """The figure called `text`: its hyphenated name, in any case, with underscores or none."""
    wanted = _plain(text)
    return next((entry for entry in FIGURES if _plain(entry.name) == wanted), None)


def load_figure(entry: FigureEntry) -> Compose:
    """The function that composes a figure, imported now; a name that it cuts stands whole below."""
    module, _, name = entry.target.partition(":")
    compose: Compose = getattr(import_module(module), name)
    from export.figures.full_names import spell_out

    def composed(figure: Figure, sentence: Sentence, head: int, style: FigureStyle) -> None:
        compose(figure, sentence, head, style)
        spell_out(figure, (*sentence.words, *(one.name for one in sentence.heads)), style)

    return composed


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
