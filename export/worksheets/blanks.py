"""The same steps as questions: places to write instead of results, and room for the arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine import Attention, Step, work_through
from engine.notation import write_list
from engine.working import Term
from export.worksheets.sheet import Blank, Block, Lines, Piece, Row, Said, Section, Table

__all__ = ["blank_sections", "blank_table"]

MOST_ENTRIES = 6
"""Of so many entries of an output each has room for its own arithmetic."""


def blank_sections(
    attention: Attention, words: Sequence[str], focus: int, digits: int = 2
) -> list[Section]:
    """Each step of the calculation for one word, to be filled in.

    attention, words, focus and digits as for `engine.work_through`, which raises the ValueErrors.
    """
    steps = {step.name: step for step in work_through(attention, words, focus, digits)}
    makers: dict[str, Callable[[], Iterator[Block]]] = {
        "score": lambda: _score(attention, words, focus),
        # The first note says what the divisor is, or that there is none; it gives no result away.
        "scale": lambda: _scale(words, steps["scale"]),
        "mask": lambda: _mask(words, steps["mask"].notes[0]),
        "softmax": lambda: _softmax(attention, words, focus),
        "mix": lambda: _mix(attention, words, digits),
    }
    return [
        Section(f"{number}. {step.title}", tuple(makers[step.name]()))
        for number, step in enumerate(steps.values(), 1)
    ]


def blank_table(table: Table, hidden: str) -> Table:
    """The same table with a place to write in every cell, but where nobody may look."""

    def cell(text: str | Blank, row: tuple[str | Blank, ...], column: int) -> str | Blank:
        if not column or text == hidden:
            return text
        return Blank(f"{table.caption}: {table.head[column] or 'word'}, row {row[0]}")

    rows = tuple(
        tuple(cell(text, row, column) for column, text in enumerate(row)) for row in table.rows
    )
    return replace(table, rows=rows)


def _score(attention: Attention, words: Sequence[str], focus: int) -> Iterator[Block]:
    yield Said(
        f"Multiply the query of {words[focus]} with each key, entry by entry, and add."
        if attention.key.shape[-1] > 1
        else f"Multiply the query of {words[focus]} with each key."
    )
    yield Lines(
        tuple(
            Row(
                f"{words[focus]} · {word}",
                (Blank(f"working of {word}'s score", True), Term("="), Blank(f"score of {word}")),
                j,
            )
            for j, word in enumerate(words)
        )
    )


def _scale(words: Sequence[str], step: Step) -> Iterator[Block]:
    yield Said(step.notes[0])
    terms = step.lines[0].terms
    if len(terms) == 1:  # left as they are
        return
    divisor = terms[2]
    yield Lines(
        tuple(
            Row(
                word,
                (Blank(f"score of {word} again"), Term("÷"), divisor, Term("="),
                 Blank(f"scaled score of {word}")),
                j,
                ":",
            )
            for j, word in enumerate(words)
        )
    )  # fmt: skip


def _mask(words: Sequence[str], about: str) -> Iterator[Block]:
    yield Said(about)
    yield Lines((Row("masked", _list([f"masked score of {word}" for word in words])),))


def _softmax(attention: Attention, words: Sequence[str], focus: int) -> Iterator[Block]:
    power = "masked score" if attention.mask is not None else "scaled score"
    yield Said("Raise e to each score (e to −∞ is 0), add, and divide each by the total.")
    head = ["", power, "e to that", "that ÷ total = weight"]
    if attention.shift[focus]:
        yield Said(
            "e to these scores has no place on paper. Take the largest score from every score "
            "first, which changes no share."
        )
        head[1:3] = [power, f"{power} − the largest", "e to that"]
    rows: list[tuple[str | Blank, ...]] = [
        (word, *(Blank(f"{name}, {word}") for name in head[1:])) for word in words
    ]
    empty = [""] * (len(head) - 3)
    total: tuple[str | Blank, ...] = (
        "total",
        *empty,
        Blank("total"),
        Blank("total of the weights"),
    )
    yield Table("answers", "From scores to weights", tuple(head), (*rows, total))


def _mix(attention: Attention, words: Sequence[str], digits: int) -> Iterator[Block]:
    yield Said("Take each value as often as its weight says, and add.")
    pieces: list[Piece] = []
    for word, value in zip(words, attention.value, strict=True):
        pieces += [
            Term("+"),
            Blank(f"weight of {word} again"),
            Term("·"),
            Term(write_list(value, digits), None, "value"),
        ]
    output = Row("output", tuple(pieces[1:]))
    names = [f"entry {entry} of the output" for entry in range(1, attention.value.shape[-1] + 1)]
    if len(names) > MOST_ENTRIES:
        yield Lines((output, Row("output", _list(names))))
        return
    rooms = (
        Row(
            f"entry {entry}",
            (Blank(f"working of entry {entry} of the output", True), Term("="), Blank(name)),
        )
        for entry, name in enumerate(names, 1)
    )
    yield Lines((output, *rooms))


def _list(names: Sequence[str]) -> tuple[Piece, ...]:
    """Places for a list of numbers, in its brackets."""
    pieces: list[Piece] = []
    for name in names:
        pieces += [Term(","), Blank(name)]
    return (Term("["), *pieces[1:], Term("]"))
