"""Blocks of cells on their way from and to spreadsheets: pure, and one edit for a whole block."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from desktop import edits
from desktop.edits import Edit
from desktop.views.typed import read_number
from engine.sentence import Sentence

__all__ = ["WORD", "paste", "read_block", "write_block"]

WORD = "word"
"""The column of the words themselves, among those of edits.BLOCKS."""

MAX_TEXT = 2_000_000
"""Characters of a clipboard that may still be meant for a table of 64 words."""


def read_block(text: str) -> list[list[str]]:
    """The cells of a copied block, row by row: tabs between, quotes round what holds one.

    A line end after the last row is none of its cells. Raises ValueError where there is nothing,
    or where rows aren't equally long.
    """
    if not text.strip("\r\n"):
        raise ValueError("there is no text to paste: copy cells of a spreadsheet first")
    if len(text) > MAX_TEXT:
        raise ValueError(f"{len(text):,} characters are no block of cells for this table")
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), dialect="excel-tab"))
    except csv.Error as error:
        raise ValueError(f"what was copied isn't a block of cells: {error}") from None
    rows = [row or [""] for row in rows]  # an empty line is a row of one empty cell
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise ValueError(
                f"row {number} of what was copied has {_count(len(row), 'cell')}, "
                f"row 1 has {len(rows[0])}"
            )
    return rows


def write_block(rows: Sequence[Sequence[str]]) -> str:
    """Cells as spreadsheets take them: tabs between, quotes where a cell needs them."""
    text = io.StringIO(newline="")
    csv.writer(text, dialect="excel-tab", lineterminator="\n").writerows(rows)
    return text.getvalue()


def paste(
    sentence: Sentence,
    head: int,
    columns: Sequence[tuple[str, int]],
    row: int,
    cells: Sequence[Sequence[str]],
) -> Edit:
    """Write a block of cells into the words from `row` on, as one edit.

    columns are those from the upper left cell on: a block's name (or WORD) and which of its
    columns; "" where nothing can be written. Rows below the last word are new words, if the block
    brings their texts. Raises ValueError, in words, where any cell has no place or is no number.
    """
    width = len(cells[0])
    if width > len(columns):
        there = _are(len(columns), "column")
        raise ValueError(f"{_count(width, 'column')} don't fit: there {there} from here on")
    targets = columns[:width]
    if any(not name for name, _ in targets):
        raise ValueError("these vectors are made by W: make them free to paste over them")
    has_words = targets[0][0] == WORD
    n = len(sentence.words if has_words else edits.block(sentence, head, targets[0][0]) or ())
    if row + len(cells) > n and not has_words:
        there = _are(max(n - row, 0), "row")
        raise ValueError(
            f"{_count(len(cells), 'row')} don't fit: there {there} from here on; "
            "only a block that begins with words adds rows"
        )
    after = sentence
    for text in [line[0] for line in cells[max(n - row, 0) :]]:
        after = edits.add_word(after, text).sentence
    for name in dict.fromkeys(name for name, _ in targets):
        places = [i for i, (other, _) in enumerate(targets) if other == name]
        if name == WORD:
            for i, line in enumerate(cells):
                after = edits.rename_word(after, row + i, line[places[0]]).sentence
            continue
        numbers = [[_number(cells, i, j) for j in places] for i in range(len(cells))]
        first = targets[places[0]][1]
        after = edits.set_entries(after, head, name, row, first, numbers).sentence
    return Edit(f"Paste {len(cells)} × {width} cells", after)


def _number(cells: Sequence[Sequence[str]], row: int, column: int) -> float:
    try:
        return read_number(cells[row][column])
    except ValueError as error:
        if len(cells) == len(cells[0]) == 1:
            raise
        place = f"row {row + 1}, column {column + 1} of what was copied"
        raise ValueError(f"{place}: {error}") from None


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _are(number: int, thing: str) -> str:
    return f"{'is' if number == 1 else 'are'} {_count(number, thing) if number else f'no {thing}s'}"
