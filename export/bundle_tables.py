"""The tables of a bundle: a word's calculation, the weights by head, vectors and outputs."""

from __future__ import annotations

from dataclasses import replace

from engine import Attention, Sentence, attention_of, contributions
from engine.notation import write_entries, write_list, write_number
from engine.working import write_exp
from export.worksheets.build import HIDDEN, outputs_section, vectors_table, weights_section
from export.worksheets.sheet import Part, Section, Sheet, Table, mark

__all__ = ["tables_sheet"]


def tables_sheet(sentence: Sentence, head: int, *, digits: int, rows: str) -> Sheet:
    """Every table of one head's calculation, and the weights of all heads.

    head is an index, digits are decimals; rows says what the rows of a weight grid are, "queries"
    or "keys". Raises ValueError where there is no such head.
    """
    attention = attention_of(sentence, head)
    n = len(sentence.words)
    words = [mark(i) for i in range(n)]
    names = [mark(n + i) for i in range(len(sentence.heads))]
    title = mark(n + len(names)) if sentence.title else ""
    quoted = (*sentence.words, *(one.name for one in sentence.heads), sentence.title)
    focus = words[sentence.focus]
    about = f"word {sentence.focus + 1} of {n}, head {names[head]}"
    sections = [
        Section(f"What {focus} takes from each word", (_calculation(attention, sentence, digits),)),
        *(
            _weights(attention_of(sentence, i), words, name, digits, rows, of_many=len(names) > 1)
            for i, name in enumerate(names)
        ),
        outputs_section(attention, words, digits),
        Section("Vectors of all words", (vectors_table(attention, words, digits),)),
    ]
    part = Part(f"Attention of {focus} by hand", about, about, tuple(sections))
    return Sheet(title, (part,), quoted)


def _calculation(attention: Attention, sentence: Sentence, digits: int) -> Table:
    """A row a word: score, scaled, power of e, weight, what it gives; and all of it together."""
    i = sentence.focus
    open_to = [
        attention.mask is None or bool(attention.mask[i, j]) for j in range(len(sentence.words))
    ]
    scaled = [float(number) for number in attention.masked[i]]
    columns = [
        write_entries(map(float, attention.scores[i]), digits),
        write_entries(scaled, digits),
        write_exp([float(number) for number in attention.exp[i]], scaled, digits),
        _shown(write_entries(map(float, attention.weights[i]), digits), open_to),
        _shown([write_list(part, digits) for part in contributions(attention)[i]], open_to),
    ]
    shift = float(attention.shift[i])
    power = "e^scaled" if shift == 0 else f"e^(scaled − {write_number(shift, digits)})"
    together = (
        "together", "", "", write_number(float(attention.total[i]), digits),
        write_number(float(attention.weights[i].any()), digits),
        write_list(attention.output[i], digits),
    )  # fmt: skip
    lines = [(mark(j), *cells) for j, cells in enumerate(zip(*columns, strict=True))]
    explained = ["The last row is the total, and the output."]
    if not all(open_to):
        explained.append(f"{HIDDEN}: may not look, so the weight is exactly 0.")
    return Table(
        "grid",
        f"What {mark(i)} takes from each word",
        ("", "score", "scaled", power, "weight", "weight · value"),
        (*lines, together),
        explained=tuple(explained),
    )


def _shown(cells: list[str], open_to: list[bool]) -> list[str]:
    return [cell if is_open else HIDDEN for cell, is_open in zip(cells, open_to, strict=True)]


def _weights(
    attention: Attention, words: list[str], name: str, digits: int, rows: str, *, of_many: bool
) -> Section:
    section = weights_section(attention, words, digits, rows)
    if not of_many:
        return section
    title = f"{section.title}, head {name}"
    (table,) = section.blocks
    assert isinstance(table, Table)
    return Section(title, (replace(table, caption=title),))
