"""A worksheet as plain text, on lines of at most 100 places."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from export.worksheets.sheet import (
    Blank,
    Fields,
    Lines,
    Note,
    Part,
    Row,
    Said,
    Section,
    Sheet,
    Table,
    spoken,
)
from scenes.direction import isolated

__all__ = ["INDENT", "WIDTH", "text_of"]

WIDTH = 100
INDENT = "   "
SHORT, LONG = "_" * 10, "_" * 40


def text_of(sheet: Sheet) -> str:
    """The sheet as text; the end of the pupils' part is a line across."""
    said = _Said(sheet.quoted)
    paragraphs = [said.own(sheet.title)] if sheet.title else []
    for place, part in enumerate(sheet.parts):
        if place:
            paragraphs.append(("=" if part.is_key else "-") * WIDTH)
        paragraphs += said.part(part)
    return "\n\n".join(paragraphs) + "\n"


class _Said:
    """The blocks of a sheet as text, with the document's words in their places."""

    def __init__(self, quoted: tuple[str, ...]) -> None:
        self.quoted = quoted

    def own(self, text: str) -> str:
        return spoken(text, self.quoted, str, isolated)

    def part(self, part: Part) -> Iterator[str]:
        """The paragraphs of a part."""
        yield self.own(part.line)
        for section in part.sections:
            yield from self.section(section)

    def section(self, section: Section) -> Iterator[str]:
        match section.blocks:
            case (Table(kind="grid") as table,):
                yield from self.grid(table, section.title)
            case (Table() as table,):
                yield self.vectors(table, section.title)
            case blocks:
                lines = [section.title] if section.title else []
                for block in blocks:
                    lines += self.lines(block)
                yield "\n".join(map(self.own, lines[:1])) + "".join(f"\n{x}" for x in lines[1:])

    def lines(self, block: object) -> list[str]:
        match block:
            case Lines(rows):
                return self.rows(rows)
            case Said(text):
                return [wrapped(self.own(text))]
            case Note(text):
                return [wrapped(f"({self.own(text)})")]
            case Table():
                return in_columns(self.cells(block)).splitlines()
            case Fields(names):
                return [INDENT + "   ".join(f"{name} {LONG[:30]}" for name in names)]
        raise TypeError(f"no way to write {block!r} as text")

    def rows(self, rows: Sequence[Row]) -> list[str]:
        labels = [self.own(row.label) for row in rows]
        room = max(
            (cell_len(label) for label, row in zip(labels, rows) if row.word is not None), default=0
        )
        lines = []
        for label, row in zip(labels, rows, strict=True):
            if row.word is not None:
                label = padded(label, room)
            start = label + (
                row.sign if row.sign.startswith(":") else f" {row.sign}" * bool(row.sign)
            )
            pieces = " ".join(map(self.piece, row.pieces))
            lines.append(wrapped(f"{start} {pieces}" if start else pieces))
        return lines

    def piece(self, piece: object) -> str:
        match piece:
            case Blank(is_long=is_long):
                return LONG if is_long else SHORT
            case _:
                return self.own(getattr(piece, "text", str(piece)))

    def cells(self, table: Table) -> list[list[str]]:
        rows = [[self.own(cell) for cell in table.head]]
        for row in table.rows:
            rows.append([SHORT if isinstance(cell, Blank) else self.own(cell) for cell in row])
        return rows

    def vectors(self, table: Table, title: str) -> str:
        """Vectors side by side; a role after the other where that is too wide."""
        cells = self.cells(table)
        if len(table.head) == 2:
            return (
                f"{title}\n{by_word([row[0] for row in cells[1:]], [row[1] for row in cells[1:]])}"
            )
        text = in_columns(cells)
        if max(map(cell_len, text.splitlines())) <= WIDTH:
            return f"{title}\n{text}"
        names, *columns = zip(*cells[1:], strict=True)
        return "\n\n".join(
            f"{role} of each word\n{by_word(names, column)}"
            for role, column in zip(cells[0][1:], columns, strict=True)
        )

    def grid(self, table: Table, title: str) -> Iterator[str]:
        """A grid in blocks of as many columns as fit the page."""
        yield "\n".join([title, *(INDENT + text for text in table.explained)])
        (_, *head), *rows = self.cells(table)
        words = [row[0] for row in rows]
        columns = list(zip(head, *(row[1:] for row in rows), strict=True))
        for block in _blocks([max(map(cell_len, column)) + 2 for column in columns], words):
            lines = zip(("", *words), *(columns[j] for j in block), strict=True)
            yield in_columns(list(lines), right=True)


def by_word(words: Sequence[str], texts: Sequence[str]) -> str:
    """A line a word: the word and what is said of it."""
    room = max(map(cell_len, words))
    return "\n".join(
        wrapped(f"{padded(word, room)}  {text}") for word, text in zip(words, texts, strict=True)
    )


def in_columns(lines: Sequence[Sequence[str]], *, right: bool = False) -> str:
    """Columns side by side, the first to the left, the others to the left or to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        (INDENT + "  ".join(
            padded(cell, width, right=right and column > 0)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )).rstrip()
        for line in lines
    )  # fmt: skip


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Text filled up to a width as it is seen: 猫 takes two places and an accent none."""
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank


def wrapped(text: str) -> str:
    """Text on lines that fit the page; a product is never parted at its sign."""
    # No text of a document has a control character, so NUL can stand for a blank that holds.
    return textwrap.fill(
        text.replace(" · ", "\0·\0"),
        WIDTH,
        initial_indent=INDENT,
        subsequent_indent=INDENT + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    ).replace("\0", " ")


def _blocks(widths: Sequence[int], words: Sequence[str]) -> list[range]:
    """The columns in runs that fit the page beside the words; one at least in each."""
    room = WIDTH - len(INDENT) - max(map(cell_len, words))
    blocks, start, used = [], 0, 0
    for j, width in enumerate(widths):
        if j > start and used + width > room:
            blocks.append(range(start, j))
            start, used = j, 0
        used += width
    return [*blocks, range(start, len(widths))]
