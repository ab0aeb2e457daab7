"""A line of text set by Typst: its glyphs, and which of them no font has. No Manim here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from typing import NamedTuple
from xml.etree import ElementTree

import fontpkg
import svgelements
import typst

__all__ = ["EM", "FONTS", "Glyph", "Line", "typeset", "undrawable"]

FONTS = ("Inter", "DejaVu Sans", "Noto Sans", "Symbola", "Noto Emoji")
"""The house font, then fonts with outlines; what these lack Typst looks for in the system's."""

EM = 20.0
SOURCE = """\
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#set text(font: {fonts}, size: {em}pt, weight: {weight}, number-width: "tabular", \
hyphenate: false, features: ("calt": 0))
#let low(t) = text(size: {smaller}em, weight: {bolder}, baseline: 0.16em, t)
#let high(t) = text(size: {smaller}em, weight: {bolder}, baseline: -0.4em, t)
#box({{{runs}}})
"""
SMALLER, BOLDER = 0.72, 60
WEIGHTS = (600, 500, 400, 700, 300)
"""At which a character is tried that is blank at the weight asked for, the best first."""

RAISED_OR_LOWERED = re.compile(r"(ₖ|(?<=\bW)_[QKVO]\b)|(ᵀ|(?<=\be)\^\([^()]*\))")
"""What is written in small letters below or above the line: dₖ, W_O; Kᵀ, e^(−2.83)."""

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"

NOBODYS_CHARACTER = "\U0010fffd"
"""The last of those for private use: no font is known to have it."""


class Glyph(NamedTuple):
    """One glyph's outline as SVG path data, and how it is moved to its place on the page."""

    paths: tuple[str, ...]
    matrix: svgelements.Matrix
    x: float
    y: float


class Line(NamedTuple):
    """A line as set, in points of which an em has `EM`; the baseline is counted from the top.

    missing counts the glyphs that no font has as an outline: where none has it at all a box is
    drawn, and where one has it as a picture (a colour emoji) nothing is.
    """

    glyphs: tuple[Glyph, ...]
    width: float
    baseline: float
    missing: int


def typeset(text: str, weight: int = 400) -> Line:
    """Set one line of any text; weight is the font's, from 100 to 900.

    Characters for which the font that Typst takes at this weight has an empty glyph are set at
    another weight, and are missing where none draws them.
    """
    line = _set(text, weight)
    visible = [c for c in text if unicodedata.category(c)[0] in "LNPS"]
    if len(line.glyphs) + line.missing >= len(visible):
        return line
    blank = frozenset(c for c in visible if _is_blank(c, weight))
    drawn = {c: next((w for w in WEIGHTS if not _is_blank(c, w)), None) for c in blank}
    others = {c: w for c, w in drawn.items() if w is not None}
    lost = sum(c in blank and c not in others for c in text)
    line = _set(text, weight, others) if others else line
    return line._replace(missing=line.missing + lost)


def _set(text: str, weight: int, others: Mapping[str, int] | None = None) -> Line:
    """The line, with the characters in `others` at weights of their own."""
    root = ElementTree.fromstring(_compile(text, weight, others or {}))
    symbols = {symbol.get("id", ""): symbol for symbol in root.iter(f"{SVG}symbol")}
    leaves = _leaves(root, svgelements.Matrix())
    glyphs: list[Glyph] = []
    missing = 0
    for leaf, matrix in leaves:
        symbol = symbols.get(leaf.get(LINK, "#")[1:])
        if symbol is None:
            missing += 1
            continue
        paths = _paths(symbol)
        missing += bool(paths) and paths == _box(weight)
        glyphs.append(Glyph(paths, matrix, float(leaf.get("x", 0)), float(leaf.get("y", 0))))
    baselines = (float(matrix.f) for leaf, matrix in leaves if leaf.tag == f"{SVG}use")
    width = float(root.get("viewBox", "0 0 0 0").split()[2])
    return Line(tuple(glyphs), width, next(baselines, 0.0), missing)


def undrawable(text: str) -> tuple[str, ...]:
    """The characters of `text` that no font at hand has as an outline, each once, in order.

    A cluster that is missing though each of its characters is there comes as a whole.
    """
    if not typeset(text).missing:
        return ()
    alone = tuple(c for c in dict.fromkeys(text) if typeset(c).missing)
    return alone or (text,)


@cache
def _is_blank(character: str, weight: int) -> bool:
    """Whether nothing at all is drawn for it: a font has it, and its glyph is empty."""
    line = _set(character, weight)
    return not line.glyphs and not line.missing


@cache
def _box(weight: int) -> tuple[str, ...]:
    """What Typst draws for a character that no font has: the house font's empty box."""
    root = ElementTree.fromstring(_compile(NOBODYS_CHARACTER, weight, {}))
    symbol = root.find(f".//{SVG}symbol")
    return () if symbol is None else _paths(symbol)


def _paths(symbol: ElementTree.Element) -> tuple[str, ...]:
    return tuple(path.get("d", "") for path in symbol.iter(f"{SVG}path"))


@cache
def _compiler() -> typst.Compiler:
    return typst.Compiler(font_paths=[fontpkg.path("Inter", nearest=True).parent])


def _compile(text: str, weight: int, others: Mapping[str, int]) -> bytes:
    fonts = "(" + ", ".join(f'"{name}"' for name in FONTS) + ")"
    source = SOURCE.format(
        fonts=fonts,
        em=EM,
        weight=weight,
        runs=_runs(text, others),
        smaller=SMALLER,
        bolder=weight + BOLDER,
    )
    svg = _compiler().compile(input=source.encode(), format="svg")
    assert isinstance(svg, bytes)
    return svg


def _runs(text: str, others: Mapping[str, int]) -> str:
    """The line as Typst joins it: its text, with what is raised or lowered in between."""
    runs, start = [], 0
    for match in RAISED_OR_LOWERED.finditer(text):
        runs += _plain(text[start : match.start()], others)
        low, high = match.groups()
        inside = "k" if low == "ₖ" else "T" if high == "ᵀ" else (low or high).strip("_^()")
        runs.append(f"{'low' if low else 'high'}({_quoted(inside)})")
        start = match.end()
    return "; ".join([*runs, *_plain(text[start:], others)])


def _plain(text: str, others: Mapping[str, int]) -> list[str]:
    """Stretches of one weight."""
    stretches = groupby(text, key=others.get)
    return [
        f"text({_quoted(''.join(part))})" if weight is None
        else f"text(weight: {weight}, {_quoted(''.join(part))})"
        for weight, part in stretches
    ]  # fmt: skip


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _leaves(
    parent: ElementTree.Element, matrix: svgelements.Matrix
) -> list[tuple[ElementTree.Element, svgelements.Matrix]]:
    """Every glyph or picture that the line draws, with the transform it stands under."""
    leaves = []
    for element in parent:
        if element.tag in (f"{SVG}defs", f"{SVG}symbol"):
            continue
        inner = svgelements.Matrix(element.get("transform", "")) * matrix
        if element.tag in (f"{SVG}use", f"{SVG}image"):
            leaves.append((element, inner))
        leaves += _leaves(element, inner)
    return leaves
