"""A font with a few letters of another, to be carried inside a picture."""

from __future__ import annotations

import base64
import hashlib
import io
import logging
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from matplotlib import _text_helpers

from export.figures.lettering import font_files

__all__ = ["font_faces", "outlines_alone", "placed_as_shaped"]


def font_faces(texts: Iterable[str]) -> tuple[str, str]:
    """`@font-face` rules with all letters of the texts as data, and the family they make.

    The family's name comes from what is in it, so that two figures in one page, each with letters
    of its own, don't take each other's. Shaping (Arabic's joined letters) is kept.
    """
    wanted: dict[Path, set[int]] = {}
    for text in texts:
        composed = unicodedata.normalize("NFC", text)
        left = set(map(ord, text + composed))
        for file in font_files(text):
            wanted.setdefault(file, set()).update(left)
    faces: list[bytes] = []
    done: set[int] = set()
    for file, characters in wanted.items():
        data, has = _subset(file, frozenset(characters - done))
        done |= has
        if has:
            faces.append(data)
    name = "byhand-" + hashlib.sha256(b"".join(faces)).hexdigest()[:8]
    families = [name if i == 0 else f"{name}-{i}" for i in range(len(faces))]
    rules = "".join(
        f"@font-face{{font-family:'{family}';"
        f"src:url(data:font/woff;base64,{base64.b64encode(data).decode()}) format('woff')}}"
        for family, data in zip(families, faces, strict=True)
    )
    return rules, "', '".join(families)


@contextmanager
def outlines_alone() -> Iterator[None]:
    """While a PDF is written: of a font only what draws its glyphs.

    In a PDF every glyph has its place already, and reading what places and joins letters takes
    Matplotlib ten times as long as the rest. It asks for fontTools' defaults, so these change.
    """
    before = subset.Options._drop_tables_default
    subset.Options._drop_tables_default = [*before, *_VARIATIONS, *_LAYOUT]
    try:
        yield
    finally:
        subset.Options._drop_tables_default = before


@contextmanager
def placed_as_shaped() -> Iterator[None]:
    """While a PDF is written: each run of letters stands where shaping has put it.

    Matplotlib begins a run (letters of another font, or of another part of one) at its place, and
    then moves it by the kerning before it as well. After a mark of direction, a blank that shaping
    has taken the width from, that is a whole blank: "kשלום".
    """
    before = _text_helpers.layout

    def layout(*line: Any, **options: Any) -> Iterator[_Placed]:
        for item in before(*line, **options):
            unmoved = item.x - item.prev_kern
            yield _Placed(
                item.ft_object, item.char, item.glyph_index, unmoved, item.y, item.prev_kern
            )

    _text_helpers.layout = layout  # type: ignore[assignment]
    try:
        yield
    finally:
        _text_helpers.layout = before


class _Placed(NamedTuple):
    """A glyph of a line as Matplotlib's PDFs ask for it."""

    ft_object: Any
    char: str
    glyph_index: int
    x: float
    y: float
    prev_kern: float


def _subset(file: Path, characters: frozenset[int]) -> tuple[bytes, frozenset[int]]:
    """A WOFF with what of the characters the font has, and which these are.

    A variable font becomes its default. What joins and places letters is kept only for characters
    that need it: reading it takes longer than all the rest, and Latin letters need it for nothing
    but kerning.
    """
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    with TTFont(file, fontNumber=0, lazy=True, recalcTimestamp=False) as font:
        has = characters & set(font.getBestCmap() or ())
        if not has:
            return b"", frozenset()
        plain = not any(_is_shaped(chr(character)) for character in has)
        options = subset.Options(
            notdef_outline=True,
            hinting=False,
            name_IDs=[1, 2],
            drop_tables=[*_VARIATIONS, *(_LAYOUT if plain else ())],
        )
        chosen = subset.Subsetter(options)
        chosen.populate(unicodes=has | {ord(" ")})
        chosen.subset(font)
        font.flavor = "woff"
        buffer = io.BytesIO()
        font.save(buffer)
        return buffer.getvalue(), frozenset(has)


def _is_shaped(character: str) -> bool:
    """Whether it changes with, or stands on, the letters beside it."""
    return unicodedata.category(character)[0] == "M" or (
        "\u0590" <= character <= "\u1cff" and not "\u10a0" <= character <= "\u13ff"
    )


_VARIATIONS = ("avar", "cvar", "fvar", "gvar", "HVAR", "MVAR", "STAT", "VVAR", "DSIG")
_LAYOUT = ("GDEF", "GPOS", "GSUB", "kern", "morx", "kerx")
