"""A worksheet as a LaTeX document of the plain article class, without any package.

Words beyond Latin letters need XeLaTeX or LuaLaTeX and a font that has them; then the preamble says
so. Nothing in a word is read as LaTeX.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from engine.palette import ROLES
from export.worksheets.sheet import (
    Blank,
    Block,
    Fields,
    Lines,
    Note,
    Part,
    Piece,
    Row,
    Said,
    Section,
    Sheet,
    Table,
    spoken,
)
from scenes.direction import TURNING

__all__ = ["latex_of"]

PLACES = 62
"""A grid's columns are parted so that a row has about so many places."""

MOST_ROWS = 30
"""A longer table would leave the page: it becomes a list."""

PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
%FONTS%\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\setlength{\topmargin}{-20mm}
\setlength{\textheight}{250mm}
\setlength{\oddsidemargin}{-5mm}
\setlength{\textwidth}{170mm}
\raggedright
\newcommand{\blank}[1]{\underline{\hspace{#1}}}
"""

LATIN = r"""\usepackage[T1]{fontenc}
"""

BEYOND_LATIN = r"""% These words need XeLaTeX or LuaLaTeX, and a font that has their letters.
\usepackage{fontspec}
\IfFontExistsTF{DejaVu Sans}{\setmainfont{DejaVu Sans}}{}
"""

RIGHT_TO_LEFT = r"""\ifdefined\XeTeXversion\TeXXeTstate=1
  \newcommand{\righttoleft}[1]{\beginR #1\endR}
\else\ifdefined\directlua
  \newcommand{\righttoleft}[1]{{\textdir TRT #1}}
\else
  \newcommand{\righttoleft}[1]{#1}
\fi\fi
"""

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"$<$", ">": r"$>$", "|": r"$|$", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
    "[": "{[}", "]": "{]}", "-": "{-}", "'": r"\textquotesingle{}",
}  # fmt: skip
"""Characters that LaTeX reads as its own, or joins with the next."""

SIGNS = {
    "−": "$-$", "∞": r"$\infty$", "·": r"$\cdot$", "÷": r"$\div$", "×": r"$\times$",
    "√": r"$\surd$", "…": r"\ldots{}", "’": "'",
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMBER = r"\(?−?[\d.]+(?:×10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?\)?"


def latex_of(sheet: Sheet) -> str:
    """The sheet as a LaTeX document, a page a part."""
    quoted = sheet.quoted
    own = "".join(quoted)
    fonts = BEYOND_LATIN if any(map(_is_beyond_latin, own)) else LATIN
    if any(unicodedata.bidirectional(character) in TURNING for character in own):
        fonts += RIGHT_TO_LEFT
    lines = [PREAMBLE.replace("%FONTS%", fonts) + r"\begin{document}"]
    if sheet.title:
        lines.append(rf"\section*{{{_set(sheet.title, quoted)}}}")
    for place, part in enumerate(sheet.parts):
        if place:
            lines.append(r"\newpage")
        lines += _part(part, quoted)
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def _is_beyond_latin(character: str) -> bool:
    return ord(character) > 0x17F and character not in "–—‘’“”"


def _part(part: Part, quoted: tuple[str, ...]) -> Iterator[str]:
    yield rf"\subsection*{{{_set(part.title, quoted)}}}"
    yield rf"\textit{{{_set(part.about, quoted)}}}" + "\n"
    for section in part.sections:
        yield from _section(section, quoted)


def _section(section: Section, quoted: tuple[str, ...]) -> Iterator[str]:
    if section.title:
        yield rf"\subsubsection*{{{_set(section.title, quoted)}}}"
    for block in section.blocks:
        yield from _block(block, quoted)


def _block(block: Block, quoted: tuple[str, ...]) -> Iterator[str]:
    match block:
        case Lines(rows):
            yield from (f"{_row(row, quoted)}\n" for row in rows)
        case Said(text):
            yield f"{_set(text, quoted)}\n"
        case Note(text):
            yield rf"{{\small ({_set(text, quoted)})}}" + "\n"
        case Fields(names):
            fields = (rf"{_plain(name)} \blank{{60mm}}" for name in names)
            yield r" \quad ".join(fields) + "\n"
        case Table():
            yield from (f"{_plain(text)}\n" for text in block.explained)
            yield from _table(block, quoted)


def _row(row: Row, quoted: tuple[str, ...]) -> str:
    label, sign = _set(row.label, quoted), _plain(row.sign)
    start = [] if not row.label else [label + sign] if sign.startswith(":") else [label, sign]
    # A product holds together: no line ends at its sign.
    text = " ".join([*start, *(_piece(piece, quoted) for piece in row.pieces)])
    return text.replace(r" $\cdot$ ", r"~$\cdot$~")


def _piece(piece: Piece, quoted: tuple[str, ...]) -> str:
    if isinstance(piece, Blank):
        return r"\blank{60mm}" if piece.is_long else r"\blank{18mm}"
    return _set(piece.text, quoted)


def _table(table: Table, quoted: tuple[str, ...]) -> Iterator[str]:
    if table.kind == "vectors" and _is_too_large(table):
        for row in table.rows:
            parts = (
                f"{_plain(name)} {_cell(cell, quoted)}"
                for name, cell in zip(table.head[1:], row[1:], strict=True)
            )
            yield rf"\textbf{{{_cell(row[0], quoted)}}}: {'; '.join(parts)}" + "\n"
        return
    for block in _blocks(table, quoted):
        align = "r" if table.kind == "grid" else "l"
        yield rf"\begin{{tabular}}{{|l|{(align + '|') * len(block)}}}" + "\n" + r"\hline"
        heads = (rf"\textbf{{{_head(table.head[j], quoted)}}}" for j in block)
        yield " & ".join(["", *heads]) + r" \\ \hline"
        for row in table.rows:
            cells = (_cell(row[j], quoted) for j in block)
            yield " & ".join([rf"\textbf{{{_cell(row[0], quoted)}}}", *cells]) + r" \\ \hline"
        yield r"\end{tabular}" + "\n"


def _is_too_large(table: Table) -> bool:
    widest = max(sum(len(str(cell)) for cell in row[1:]) for row in table.rows)
    return widest > PLACES or len(table.rows) > MOST_ROWS


def _blocks(table: Table, quoted: tuple[str, ...]) -> list[range]:
    """The columns in runs that fit the page."""

    def width(text: str | Blank) -> int:
        return 9 if isinstance(text, Blank) else len(spoken(text, quoted, str, str)) + 2

    widths = [
        max(width(cell) for cell in (head, *(row[j] for row in table.rows)))
        for j, head in enumerate(table.head)
    ]
    blocks, start, used = [], 1, widths[0]
    for j in range(1, len(widths)):
        if j > start and used + widths[j] > PLACES + 10:
            blocks.append(range(start, j))
            start, used = j, widths[0]
        used += widths[j]
    return [*blocks, range(start, len(widths))]


def _head(text: str, quoted: tuple[str, ...]) -> str:
    role = ROLES.get(text)
    return _set(text, quoted) if role is None else f"{text} ${role.letter}$"


def _cell(cell: str | Blank, quoted: tuple[str, ...]) -> str:
    if isinstance(cell, Blank):
        return r"\hspace{18mm}"
    return _set(cell, quoted)


def _set(text: str, quoted: tuple[str, ...]) -> str:
    return spoken(text, quoted, _plain, _own)


def _plain(text: str) -> str:
    """Our own text: numbers and signs as mathematics."""
    pieces = re.split(rf"(e\^{NUMBER}|√?d_k|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", text)
    return "".join(_math(x) if place % 2 else _letters(x) for place, x in enumerate(pieces))


def _math(text: str) -> str:
    if text.endswith("d_k"):
        return r"$\sqrt{d_k}$" if text.startswith("√") else "$d_k$"
    if text.startswith("e^"):
        power = re.sub(r"×10(\S+?)(?=\)|$)", lambda m: r"\times 10^{" + m[1] + "}", text[2:])
        return f"$e^{{{power.replace('−', '-').translate(SUPERSCRIPTS)}}}$"
    return f"$^{{{text.translate(SUPERSCRIPTS)}}}$"


def _letters(text: str) -> str:
    return "".join(SIGNS.get(c) or SPECIAL.get(c, c) for c in text)


def _own(text: str) -> str:
    """A text of the document: every letter as itself, and in its own direction."""
    escaped = "".join(SPECIAL.get(c, c) for c in text)
    # LaTeX makes one blank of several, and none at the end of a line.
    escaped = escaped.replace(" ", r"\ ")
    if any(unicodedata.bidirectional(character) in TURNING for character in text):
        return rf"\righttoleft{{{escaped}}}"
    return f"{{{escaped}}}"
