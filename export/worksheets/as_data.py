"""The whole calculation at full precision, as JSON or as a tidy table of CSV."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator

from engine import Attention, Sentence, attention_of
from engine.notation import write_exactly

__all__ = ["CSV_COLUMNS", "csv_of", "held_text", "worksheet_json", "write_table"]

CSV_COLUMNS = (
    "head", "step", "query_number", "query_word", "key_number", "key_word", "entry", "value",
)  # fmt: skip
"""Numbers of words and entries count from 1."""

BY_PAIR = ("scores", "scaled", "masked", "exp", "weights")
BY_QUERY = ("shift", "total")
OF_KEY = ("key", "value")


def worksheet_json(sentence: Sentence) -> str:
    """Every head and every step at full precision, as JSON: one row a word, null for −∞."""
    heads = []
    for index, head in enumerate(sentence.heads):
        attention = attention_of(sentence, index)
        steps = ("scores", "scaled", "masked", "shift", "exp", "total", "weights", "output")
        numbers = {step: _nulled(getattr(attention, step).tolist()) for step in steps}
        heads.append({"name": head.name, "scale": attention.scale, **numbers})
    data = {
        "words": list(sentence.words),
        "focus": sentence.focus,
        "scaled": sentence.scaled,
        "causal": sentence.causal,
        "temperature": sentence.temperature,
        "heads": heads,
    }
    return _json(data) + "\n"


def csv_of(sentence: Sentence) -> str:
    """Every head, step and number in a row of its own, under the names in `CSV_COLUMNS`.

    A number has the shortest digits that read back; −∞ is left empty. A score, an exponential or a
    weight is of a query word and a key word; a shift or a total of a query word; an entry of a
    query or an output of a query word and that entry; of a key or a value of a key word. A text
    that a spreadsheet would run as a formula has an apostrophe before it (`held_text`).
    """
    rows = (
        row
        for index in range(len(sentence.heads))
        for row in _rows(sentence, index, attention_of(sentence, index))
    )
    return write_table(CSV_COLUMNS, rows)


_RUNS = re.compile(r"'*[=+\-@＝＋－＠]")


def held_text(text: str) -> str:
    """A text for a cell, with an apostrophe before what a spreadsheet would take for a formula.

    So `=1+1` becomes `'=1+1`, and `'=1+1` becomes `''=1+1`: one apostrophe off before such a sign,
    and the text is what it was.
    """
    return f"'{text}" if _RUNS.match(text) else text


def write_table(columns: tuple[str, ...], rows: Iterator[tuple[object, ...]]) -> str:
    """Rows as CSV under their columns' names."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _rows(sentence: Sentence, head: int, a: Attention) -> Iterator[tuple[object, ...]]:
    name = held_text(sentence.heads[head].name)
    words = list(enumerate(map(held_text, sentence.words), 1))
    nobody = ("", "")

    def number(value: float) -> str:
        return "" if value == -math.inf else write_exactly(value)

    for step, array in (("query", a.query), ("key", a.key), ("value", a.value)):
        for word, row in zip(words, array, strict=True):
            who = (*nobody, *word) if step in OF_KEY else (*word, *nobody)
            for entry, value in enumerate(row, 1):
                yield (name, step, *who, entry, number(value))
    for step in BY_PAIR:
        for query, row in zip(words, getattr(a, step), strict=True):
            for key, value in zip(words, row, strict=True):
                yield (name, step, *query, *key, "", number(value))
    for step in BY_QUERY:
        for query, value in zip(words, getattr(a, step), strict=True):
            yield (name, step, *query, *nobody, "", number(value))
    for query, row in zip(words, a.output, strict=True):
        for entry, value in enumerate(row, 1):
            yield (name, "output", *query, *nobody, entry, number(value))


def _nulled(numbers: object) -> object:
    if isinstance(numbers, list):
        return [_nulled(number) for number in numbers]
    return None if numbers == -math.inf else numbers


def _json(value: object, indent: str = "") -> str:
    """JSON with a row of numbers a line."""
    inner = indent + "  "
    match value:
        case dict():
            items = [f"{json.dumps(key)}: {_json(item, inner)}" for key, item in value.items()]
            opening, closing = "{}"
        case [list() | dict(), *_]:
            items = [_json(item, inner) for item in value]
            opening, closing = "[]"
        case _:
            return json.dumps(value, ensure_ascii=False, allow_nan=False)
    lines = ",\n".join(inner + item for item in items)
    return f"{opening}\n{lines}\n{indent}{closing}"
