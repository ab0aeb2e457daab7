"""A worksheet as Markdown with GitHub's tables.

A word made of letters stands as it is; any other is set as code, so that nothing in it becomes
markup, a link or a mention.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

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
from scenes.direction import isolated

__all__ = ["markdown_of"]

SHORT, LONG = r"\_" * 8, r"\_" * 30


def markdown_of(sheet: Sheet) -> str:
    """The sheet as Markdown; a line across parts its pages."""
    quoted = sheet.quoted
    blocks = [f"# {_set(sheet.title or 'Attention by hand', quoted)}"]
    for place, part in enumerate(sheet.parts):
        if place:
            blocks.append("---")
        blocks += _part(part, quoted)
    return "\n\n".join(blocks) + "\n"


def _part(part: Part, quoted: tuple[str, ...]) -> Iterator[str]:
    yield f"## {_set(part.title, quoted)}"
    yield _set(part.about, quoted)
    for section in part.sections:
        yield from _section(section, quoted)


def _section(section: Section, quoted: tuple[str, ...]) -> Iterator[str]:
    if section.title:
        yield f"### {_set(section.title, quoted)}"
    for block in section.blocks:
        yield from _block(block, quoted)


def _block(block: Block, quoted: tuple[str, ...]) -> Iterator[str]:
    match block:
        case Lines(rows):
            yield "\n".join(f"- {_row(row, quoted)}" for row in rows)
        case Said(text):
            yield _set(text, quoted)
        case Note(text):
            yield f"({_set(text, quoted)})"
        case Fields(names):
            yield " ".join(f"{_plain(name)} {LONG}" for name in names)
        case Table():
            yield from map(_plain, block.explained)
            yield _table(block, quoted)


def _row(row: Row, quoted: tuple[str, ...]) -> str:
    label, sign = _set(row.label, quoted), _plain(row.sign)
    start = [] if not row.label else [label + sign] if sign.startswith(":") else [label, sign]
    return " ".join([*start, *(_piece(piece, quoted) for piece in row.pieces)])


def _piece(piece: Piece, quoted: tuple[str, ...]) -> str:
    if isinstance(piece, Blank):
        return LONG if piece.is_long else SHORT
    return _set(piece.text, quoted)


def _table(table: Table, quoted: tuple[str, ...]) -> str:
    rows = [table.head, *table.rows]
    lines = [
        "| " + " | ".join(
            # A blank cell of a table is empty: there is its border to write in.
            " " if isinstance(cell, Blank) else _set(cell, quoted).replace("|", r"\|")
            for cell in row
        ) + " |"
        for row in rows
    ]  # fmt: skip
    side = "---:" if table.kind == "grid" else "---"
    lines.insert(1, "|" + "|".join(["---", *[side] * (len(table.head) - 1)]) + "|")
    return "\n".join(lines)


def _set(text: str, quoted: tuple[str, ...]) -> str:
    return spoken(text, quoted, _plain, _own)


def _plain(text: str) -> str:
    """Our own text, with what Markdown would read as its own held back."""
    return re.sub(r"([\\`*<>#|~])", r"\\\1", text)


def _own(text: str) -> str:
    """A text of the document: as it is where that is only letters, else as code."""
    if all(_is_harmless(c) for c in text.replace(" ", "")) and "  " not in f" {text} ":
        return isolated(text)
    # A fence longer than any inside; blanks that code loses at its ends are put there twice.
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    edge = " " if text[0] in "` " or text[-1] in "` " else ""
    return isolated(f"{fence}{edge}{text}{edge}{fence}")


def _is_harmless(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM" or character in "’"
