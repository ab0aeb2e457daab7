"""`byhand check`: a document read, and its calculation done a second time with other arithmetic.

The second calculation uses decimal numbers of 50 digits and the document alone. It shares nothing
with the engine's arithmetic, so that a fault in either shows.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from operator import mul
from pathlib import Path
from typing import Any, TypeAlias

import click

from engine import Head, Sentence, SentenceError, attention_of, read_sentence
from export.cli import FAILED, refuse
from export.completion import complete_files
from export.placing import shown

__all__ = ["Difference", "check", "exact_attention", "largest_difference", "rounding_explains"]

DIGITS = 50
COMPARED = ("query", "key", "value", "scores", "scaled", "exp", "total", "weights", "output")

Row: TypeAlias = list[Decimal]
Rows: TypeAlias = list[Row]
Numbers: TypeAlias = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Difference:
    """How far the engine is from the second calculation at most, and where.

    size is relative to the number itself where that is above 1.
    """

    size: float
    place: str


def largest_difference(sentence: Sentence) -> Difference:
    """The largest difference between the engine's numbers and those of 50 digits, in all heads."""
    found = [Difference(0.0, "")]
    with localcontext(Context(prec=DIGITS, traps=[])):
        for index in range(len(sentence.heads)):
            computed = attention_of(sentence, index)
            exact = exact_attention(sentence, index, shifted=(computed.shift != 0).tolist())
            for name in COMPARED:
                array = getattr(computed, name).tolist()
                found += _differences(array, exact[name], f"heads[{index}].{name}")
    return max(found, key=lambda difference: difference.size)


def _differences(computed: Any, exact: Any, place: str) -> Iterator[Difference]:
    if isinstance(exact, list):
        for i, (one, other) in enumerate(zip(computed, exact, strict=True)):
            yield from _differences(one, other, f"{place}[{i}]")
    else:
        size = float(abs(Decimal(computed) - exact) / max(Decimal(1), abs(exact)))
        yield Difference(math.inf if math.isnan(size) else size, place)


def rounding_explains(difference: Difference, sentence: Sentence) -> bool:
    """Whether float64 may be as far off as this: each sum rounds as often as it has terms."""
    n, reach, terms = len(sentence.words), 1.0, 0
    x = sentence.embeddings or ()
    for head in sentence.heads:
        query, key, value = (
            _size(given) if given else len(x[0]) * (_size(x) + 1) * _size(projection or ())
            for given, projection in (
                (head.query, head.w_query), (head.key, head.w_key), (head.value, head.w_value)
            )
        )  # fmt: skip
        d_k = len((head.query or head.w_query or ((),))[0])
        score = d_k * (query + 1) * (key + 1) * max(1.0, 1 / sentence.temperature)
        reach = max(reach, (1 + score) * (1 + value))
        terms = max(terms, 10 + n + d_k + len(x[0] if x else ()))
    return difference.size <= terms * sys.float_info.epsilon * reach


def _size(rows: Numbers) -> float:
    return max((abs(number) for row in rows for number in row), default=0.0)


# The second calculation


def exact_attention(
    sentence: Sentence, head: int = 0, *, shifted: Sequence[bool] = ()
) -> dict[str, Any]:
    """Every step for one head, in decimals: lists of rows, `total` a list.

    shifted says in which rows exp is taken after the row's maximum is subtracted; none by default.
    """
    query, key, value = _vectors(sentence, sentence.heads[head])
    scale = 1 / Decimal(repr(float(sentence.temperature)))
    if sentence.scaled:
        scale /= Decimal(len(key[0])).sqrt()
    scores = _times(query, _turned(key))
    scaled = [[score * scale for score in row] for row in scores]
    exp = []
    for i, row in enumerate(scaled):
        seen = [_may_look(sentence, i, j) for j in range(len(row))]
        top = max((score for score, see in zip(row, seen, strict=True) if see), default=Decimal(0))
        shift = top if i < len(shifted) and shifted[i] else Decimal(0)
        exp.append(
            [
                (score - shift).exp() if see else Decimal(0)
                for score, see in zip(row, seen, strict=True)
            ]
        )
    total = [sum(row, Decimal(0)) for row in exp]
    weights = [[e / t if t else t for e in row] for row, t in zip(exp, total, strict=True)]
    return {
        "query": query, "key": key, "value": value, "scores": scores, "scaled": scaled,
        "exp": exp, "total": total, "weights": weights, "output": _times(weights, value),
    }  # fmt: skip


def _vectors(sentence: Sentence, head: Head) -> tuple[Rows, Rows, Rows]:
    moved = sentence.positions == "sinusoidal"
    if head.query is not None:
        query, key, value = (_exact(rows or ()) for rows in (head.query, head.key, head.value))
        if moved:
            query, key = _with_positions(query), _with_positions(key)
        return query, key, value
    x = _exact(sentence.embeddings or ())
    if moved:
        x = _with_positions(x)
    projections = (_exact(rows or ()) for rows in (head.w_query, head.w_key, head.w_value))
    query, key, value = (_times(x, projection) for projection in projections)
    return query, key, value


def _may_look(sentence: Sentence, query: int, key: int) -> bool:
    allowed = sentence.mask is None or sentence.mask[query][key]
    return allowed and (key <= query or not sentence.causal)


def _exact(rows: Numbers) -> Rows:
    """The numbers as they are written in the document."""
    return [[Decimal(repr(float(number))) for number in row] for row in rows]


def _times(left: Rows, right: Rows) -> Rows:
    columns = _turned(right)
    return [[sum(map(mul, row, column), Decimal(0)) for column in columns] for row in left]


def _turned(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def _with_positions(rows: Rows) -> Rows:
    """Sine in even columns, cosine in odd ones (Vaswani et al. 2017, §3.5)."""
    d = len(rows[0])
    slowness = [Decimal(10_000) ** (Decimal(i - i % 2) / d) for i in range(d)]
    return [
        [
            number + _wave(p / slow, i % 2)
            for i, (number, slow) in enumerate(zip(row, slowness, strict=True))
        ]
        for p, row in enumerate(rows)
    ]


def _wave(angle: Decimal, power: int) -> Decimal:
    """The sine's series for an angle, or from power 1 on the cosine's."""
    with localcontext() as context:
        context.prec = 2 * DIGITS  # an angle of 63 has terms of 10²⁶, which must cancel
        power = 1 - power
        term = angle if power else Decimal(1)
        total = Decimal(0)
        while total + term != total:
            total += term
            term *= -angle * angle / ((power + 1) * (power + 2))
            power += 2
    return +total


# The command


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", shell_complete=complete_files)
@click.option("--json", "as_json", is_flag=True, help="Say everything as JSON lines.")
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Check documents: are they valid, and does a second calculation of 50 digits agree?"""
    return max(_check(file, as_json) for file in files)


def _check(file: str, as_json: bool) -> int:
    try:
        sentence = read_sentence(file)
    except SentenceError as error:
        if as_json:
            refusal = {"place": error.place, "advice": error.advice}
            print(json.dumps({"file": file, "ok": False, **refusal}, ensure_ascii=False))
        return refuse(str(error))
    difference = largest_difference(sentence)
    agrees = rounding_explains(difference, sentence)
    words, heads = len(sentence.words), len(sentence.heads)
    if as_json:
        found: dict[str, object] = {"file": file, "ok": agrees, "words": words, "heads": heads}
        size = difference.size if math.isfinite(difference.size) else None
        found |= {"largest_difference": size, "place": difference.place}
        print(json.dumps(found, ensure_ascii=False))
    else:
        outcome = "checked" if agrees else "DIFFERS from a calculation of 50 digits"
        where = f" at {difference.place}" if difference.place else ""
        print(
            f"{shown(Path(file))}: {outcome}; {_count(words, 'word')}, {_count(heads, 'head')}, "
            f"largest difference {difference.size:.1e}{where}"
        )
    return 0 if agrees else FAILED


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"
