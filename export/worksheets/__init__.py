"""Worksheets: the calculation as one would do it on paper, worked out, left blank, or as data.

    sheet      what a worksheet says: parts, sections, blocks, and places to write
    build      from a sentence to that; blanks: the same steps as questions
    as_…       a format each
    variants   a sheet a pupil: small numbers, no two alike; variant_pages sets them

What may enter: the engine's numbers, written by `engine.notation`. What may not: arithmetic of its
own, and pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import Sentence
from export.worksheets.as_data import csv_of, worksheet_json
from export.worksheets.as_html import html_of
from export.worksheets.as_latex import latex_of
from export.worksheets.as_markdown import markdown_of
from export.worksheets.as_numpy import numpy_of
from export.worksheets.as_text import text_of
from export.worksheets.build import build_sheet

__all__ = ["BLANK", "ENDINGS", "worksheet_json", "worksheet_text", "write_worksheet"]

ENDINGS = {
    "text": "txt", "md": "md", "latex": "tex", "html": "html",
    "numpy": "py", "csv": "csv", "json": "json",
}  # fmt: skip
"""The formats, and what their files end in."""

BLANK = ("text", "md", "latex", "html")
"""The formats that can be left blank."""


def write_worksheet(
    sentence: Sentence,
    head: int = 0,
    style: str = "text",
    *,
    focuses: Sequence[int] = (),
    digits: int = 2,
    rows: str = "queries",
    blank: bool = False,
    theme: str = "light",
    font_scale: float = 1.0,
) -> str:
    """The worksheet in one of the formats in `ENDINGS`.

    head and focuses (words to be worked out; the sentence's focus word unless given) are indices,
    digits decimals; rows says what the rows of a weight grid are, "queries" or "keys". theme and
    font_scale are for html. csv and json are of all words and heads at full precision, whatever
    else is asked. Raises ValueError, in one line, for what isn't there or can't be blank.
    """
    if style not in ENDINGS:
        raise ValueError(f"no worksheet is written as {style!r}: try {', '.join(ENDINGS)}")
    if blank and style not in BLANK:
        raise ValueError(f"a blank {style} would hold nothing to fill in: try {', '.join(BLANK)}")
    if style == "json":
        return worksheet_json(sentence)
    if style == "csv":
        return csv_of(sentence)
    focuses = tuple(focuses) or (sentence.focus,)
    if style == "numpy":
        return numpy_of(sentence, head, focus=focuses[0], digits=digits)
    sheet = build_sheet(sentence, head, focuses=focuses, digits=digits, rows=rows, blank=blank)
    if style == "html":
        return html_of(sheet, theme=theme, font_scale=font_scale)
    return {"text": text_of, "md": markdown_of, "latex": latex_of}[style](sheet)


def worksheet_text(
    sentence: Sentence,
    head: int = 0,
    *,
    focus: int | None = None,
    digits: int = 2,
    rows: str = "queries",
) -> str:
    """The hand calculation for one word in one head, then the weights and outputs of all words.

    focus is a word's index (the sentence's own unless given); digits are decimals; rows says what
    the rows of the weight grid are, "queries" or "keys". The last line is for the answer key: what
    rounding at every step gives. Raises ValueError where there is no such head or word.
    """
    focuses = () if focus is None else (focus,)
    return text_of(build_sheet(sentence, head, focuses=focuses, digits=digits, rows=rows))
