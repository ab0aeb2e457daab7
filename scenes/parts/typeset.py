"""A line of text set by Typst: its glyphs, and which of them no font has. No Manim here."""

from __future__ import annotations

from functools import cache
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
#box(text("{text}"))
"""
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
    """Set one line of any text; weight is the font's, from 100 to 900."""
    root = ElementTree.fromstring(_compile(text, weight))
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
def _box(weight: int) -> tuple[str, ...]:
    """What Typst draws for a character that no font has: the house font's empty box."""
    root = ElementTree.fromstring(_compile(NOBODYS_CHARACTER, weight))
    symbol = root.find(f".//{SVG}symbol")
    return () if symbol is None else _paths(symbol)


def _paths(symbol: ElementTree.Element) -> tuple[str, ...]:
    return tuple(path.get("d", "") for path in symbol.iter(f"{SVG}path"))


@cache
def _compiler() -> typst.Compiler:
    return typst.Compiler(font_paths=[fontpkg.path("Inter", nearest=True).parent])


def _compile(text: str, weight: int) -> bytes:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    fonts = "(" + ", ".join(f'"{name}"' for name in FONTS) + ")"
    source = SOURCE.format(fonts=fonts, em=EM, weight=weight, text=quoted)
    svg = _compiler().compile(input=source.encode(), format="svg")
    assert isinstance(svg, bytes)
    return svg


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
