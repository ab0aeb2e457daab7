"""Beats and their captions: what is said, on which lines, for how long. No Manim here."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from scenes.direction import isolated
from scenes.settings import PACES

__all__ = [
    "LINES",
    "LINE_WIDTH",
    "LONGEST_CUE",
    "SHORTEST_HOLD",
    "Beat",
    "Cue",
    "quoted",
    "reading_time",
    "shorten",
    "split_caption",
    "text_width",
]

LINE_WIDTH = 42
NO_BREAK = "\u00a0"
KEPT_WHOLE = re.compile(r"\[[^\[\]]{1,32}\]|\d [KMG]iB\b|\d s\b")
"""What stays on one line: a list in brackets, a number with its unit."""

LINES = 2
AFTER_SENTENCE, AFTER_COMMA, AFTER_SHORT, AT_SIGN = 14, 8, 10, 20
"""Columns by which two lines may differ for the sake of where they are broken."""

SHORT, CLOSING = 3, "\"'”’)]"
LONGEST_CUE = 7.0
SHORTEST_HOLD = 1.5


@dataclass(frozen=True)
class Cue:
    """A caption on screen from `start` to `end` (seconds from the scene's beginning)."""

    start: float
    end: float
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Beat:
    """One idea of a scene: its title, its whole caption, its time and its cues in order.

    seen: the lines on the stage as it ended, from the top, where somebody asked for them.
    """

    title: str
    caption: str
    start: float
    end: float
    cues: tuple[Cue, ...]
    seen: tuple[str, ...] = ()


def text_width(text: str) -> int:
    """The columns `text` takes: two for a wide (East Asian) character, none for a combining one.

    Nor for a mark of direction, which nobody sees.
    """
    return sum(
        2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
        if not unicodedata.combining(c) and unicodedata.category(c) != "Cf"
    )


def shorten(text: str, columns: int) -> str:
    """`text`, or as much of its beginning as fits in `columns` with an ellipsis."""
    if text_width(text) <= columns:
        return text
    kept = ""
    for character in text:
        if text_width(kept + character) > columns - 1:
            break
        kept += character
    return kept.rstrip() + "…"


def quoted(word: str) -> str:
    """A word of the sentence, as it stands in a caption: it turns nothing around it."""
    return f"“{isolated(word)}”"


def split_caption(caption: str) -> tuple[tuple[str, ...], ...]:
    """A caption as screens of at most two lines of at most 42 columns.

    Screens break after a sentence where one ends in the screen's second half, else between
    words, never inside a list in brackets or before a unit; a word longer than a line is cut with
    an ellipsis, since it stands whole on the stage.
    """
    kept_whole = KEPT_WHOLE.sub(lambda match: match[0].replace(" ", NO_BREAK), caption)
    words = [shorten(word, LINE_WIDTH) for word in re.split(r"[ \n\t]+", kept_whole.strip())]
    screens: list[tuple[str, ...]] = []
    while words:
        count = _words_that_fit(words)
        if count < len(words):
            count = _sentence_end(words, count) or count
        screens.append(_balanced_lines(words[:count]))
        words = words[count:]
    return tuple(screens)


def reading_time(caption: str, pace: str) -> float:
    """Seconds that a caption takes to read at `pace`, never less than 1.5."""
    return max(SHORTEST_HOLD, text_width(caption) / PACES[pace])


def _fill(words: list[str], width: int) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and text_width(lines[-1]) + 1 + text_width(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def _words_that_fit(words: list[str]) -> int:
    count = len(words)
    while count > 1 and len(_fill(words[:count], LINE_WIDTH)) > LINES:
        count -= 1
    return count


def _sentence_end(words: list[str], count: int) -> int | None:
    ends = [i + 1 for i in range(count) if words[i][-1] in ".?!"]
    return ends[-1] if ends and ends[-1] * 2 >= count else None


def _balanced_lines(words: list[str]) -> tuple[str, ...]:
    """One line, or two: broken where one would pause, about as long as each other."""
    whole = " ".join(words)
    if text_width(whole) <= LINE_WIDTH:
        return (whole,)
    pairs = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    fitting = [pair for pair in pairs if max(map(text_width, pair)) <= LINE_WIDTH]
    return min(fitting, key=_awkwardness)


def _awkwardness(lines: tuple[str, str]) -> int:
    """How ill a caption is broken into two lines: by their lengths, and by what stands there."""
    first, second = lines
    last, following = first.split(" ")[-1], second.split(" ")[0]
    cost = abs(text_width(first) - text_width(second))
    if last.rstrip(CLOSING)[-1:] in (*".?!:;",):
        return cost - AFTER_SENTENCE
    if last.endswith(","):
        return cost - AFTER_COMMA
    is_sign = any(not any(map(str.isalnum, word)) for word in (last, following))
    return cost + (AT_SIGN if is_sign else AFTER_SHORT if text_width(last) <= SHORT else 0)
