"""Text in a figure: which fonts have it, how wide it is, and what of it fits.

Words are anybody's: nothing in them is markup, any script may come, and a font that the house
lacks is looked for among the system's. Matplotlib shapes them (HarfBuzz, through libraqm).
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fontpkg
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font, LoadFlags

if TYPE_CHECKING:
    from matplotlib.text import Annotation, Text

    from export.figures.theme import FigureStyle

__all__ = [
    "HOUSE",
    "clusters",
    "fit",
    "font_files",
    "font_names",
    "pieces_of",
    "undrawable",
    "width_of",
    "write",
]

HOUSE = ("Inter", "DejaVu Sans")
"""The house font, and what always comes with Matplotlib."""

PREFERRED = (
    "Noto Sans",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Sans CJK JP",
    "Droid Sans Fallback",
    "NanumBarunGothic",
    "Symbola",
    "Noto Emoji",
)
"""What is asked next, of the system's fonts that have outlines; then all the others by name."""

_HOUSE_FILE = Path(fontpkg.path("Inter", nearest=True))
# Matplotlib finds fonts by name in its own list. The house font is added to it once, for good:
# a figure that a notebook saves later must still find it.
if not any(entry.name == HOUSE[0] for entry in font_manager.fontManager.ttflist):
    font_manager.fontManager.addfont(_HOUSE_FILE)


def font_names(text: str) -> list[str]:
    """The families that `text` is set in: the house's, and those that have what these lack."""
    names = list(HOUSE)
    missing = _needed(text) - _house_characters()
    for name in _candidates() if missing else ():
        if found := missing & _characters(name):
            names.append(name)
            missing -= found
            if not missing:
                break
    return names


def font_files(text: str) -> list[Path]:
    """The files of `font_names`, in the same order."""
    return [Path(_file(name)) for name in font_names(text)]


def undrawable(text: str) -> tuple[str, ...]:
    """The characters of `text` that no font at hand has as an outline, each once, in order."""
    names = font_names(text)
    missing = _needed(text).difference(*(_characters(name) for name in names))
    return tuple(c for c in dict.fromkeys(text) if ord(c) in missing)


@cache
def width_of(text: str, size: float) -> float:
    """How wide a line is, in points."""
    if not text:
        return 0.0
    font = font_manager.get_font([str(file) for file in font_files(text)])
    font.set_size(100.0, 72.0)
    with warnings.catch_warnings():
        # What is missing is told by `undrawable`.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        # A bar at the end, so that blanks count.
        font.set_text(text + "|", 0.0, flags=LoadFlags.NO_HINTING)
        whole = font.get_width_height()[0]
        font.set_text("|", 0.0, flags=LoadFlags.NO_HINTING)
        bar = font.get_width_height()[0]
    return float(whole - bar) / 64 * size / 100


def fit(text: str, size: float, room: float) -> str:
    """The text, or as much of its beginning as `room` points hold, with an ellipsis."""
    if width_of(text, size) <= room:
        return text
    parts = clusters(text)
    return "".join(parts[: _as_many(parts, "…", size, room)]).rstrip() + "…"


def pieces_of(text: str, size: float, room: float) -> list[str]:
    """The text in pieces that `room` points hold, each as long as it gets; itself if it fits."""
    pieces, parts = [], clusters(text)
    while width_of(rest := "".join(parts), size) > room and len(parts) > 1:
        count = _as_many(parts, "", size, room)
        pieces.append("".join(parts[:count]))
        parts = parts[count:]
    return [*pieces, rest]


def _as_many(parts: list[str], end: str, size: float, room: float) -> int:
    """How many of the parts, with `end` after them, `room` points hold; one in any case."""
    low, high = 1, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of("".join(parts[:middle]).rstrip() + end, size) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def clusters(text: str) -> list[str]:
    """The text in pieces that mustn't be parted: a letter with its marks, a joined emoji."""
    pieces: list[str] = []
    for character in text:
        joins = unicodedata.category(character).startswith("M") or character == "\u200d"
        joins |= "\U0001f3fb" <= character <= "\U0001f3ff"  # a colour of skin
        if pieces and (joins or pieces[-1].endswith("\u200d")):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def write(
    place: Any, x: float, y: float, text: str, style: FigureStyle, *, size: float,
    color: str = "", offset: tuple[float, float] = (0.0, 0.0), **options: Any,
) -> Text:  # fmt: skip
    """Write a line at (x, y) of an Axes' data, `offset` points away; the ink's colour unless given.

    size and offset are in points before the style's scale. Options are Matplotlib's (ha, va,
    rotation, xycoords, …); text stands on its baseline, to the right of (x, y), unless they say
    otherwise.
    """
    settings: dict[str, Any] = {"ha": "left", "va": "baseline", "rotation_mode": "anchor"}
    note: Annotation = place.annotate(
        text, (x, y), tuple(style.size(length) for length in offset),
        textcoords="offset points", annotation_clip=False,
        fontfamily=font_names(text), fontsize=style.size(size), parse_math=False,
        color=color or style.colors.ink, **{**settings, **options},
    )  # fmt: skip
    return note


def _needed(text: str) -> set[int]:
    """The characters that must be seen: not blanks, joiners and marks of direction."""
    return {
        ord(c) for c in text
        if unicodedata.category(c) not in ("Cf", "Zs") and not "\ufe00" <= c <= "\ufe0f"
    }  # fmt: skip


@cache
def _house_characters() -> frozenset[int]:
    return frozenset().union(*(_characters(name) for name in HOUSE))


@cache
def _characters(name: str) -> frozenset[int]:
    try:
        return frozenset(FT2Font(_file(name)).get_charmap())
    except (OSError, RuntimeError, ValueError):  # a font that can't be read has nothing
        return frozenset()


@cache
def _file(name: str) -> str:
    if name == HOUSE[0]:
        return str(_HOUSE_FILE)
    return str(font_manager.findfont(name, fallback_to_default=False))


def _candidates() -> Iterator[str]:
    """The system's families, those that we prefer first."""
    there = {entry.name for entry in font_manager.fontManager.ttflist} - set(HOUSE)
    there = {name for name in there if not name.startswith((".", "Last"))}
    yield from (name for name in PREFERRED if name in there)
    yield from sorted(there.difference(PREFERRED))
