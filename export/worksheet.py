"""`byhand worksheet`: the whole calculation, as one would do it on paper, or as data.

worksheet_text   one word worked out step by step, then what every word listens to and gets
worksheet_json   every head and every step at full precision
"""

from __future__ import annotations

import json
import math
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from rich.cells import cell_len

from engine import Attention, Sentence, Step, attention_of, work_through
from engine.notation import write_list, write_share
from engine.working import round_every_step
from export.options import ending_of
from export.placing import make_folders, place_text, refuse_taken, shown
from export.sentence_options import BadRequest, CommonOptions, common_options

__all__ = ["worksheet", "worksheet_json", "worksheet_text"]

WIDTH = 100
INDENT = "   "
HIDDEN = "--"
ENDINGS = {"text": "txt", "json": "json"}
# What keeps a right-to-left word from turning the line around it: both marks take no room.
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
TURNING = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}


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
    focus = sentence.focus if focus is None else focus
    attention = attention_of(sentence, head)
    words = [_isolated(word) for word in sentence.words]
    steps = work_through(attention, words, focus, digits)
    name = _isolated(sentence.heads[head].name)
    parts = [
        f"Attention by hand: what {words[focus]} (word {focus + 1} of {len(words)}) takes from "
        f'each word, by head "{name}"',
        _vectors(attention, words, digits),
        *(_step(number, step) for number, step in enumerate(steps, 1)),
        _weight_grid(attention, words, digits, rows),
        "Outputs of all words\n" + _rows(words, attention.output, digits),
        *_answer_key(attention, focus, digits),
    ]
    if sentence.title:
        parts.insert(0, _isolated(sentence.title))
    return "\n\n".join(parts) + "\n"


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


# Text


def _vectors(attention: Attention, words: Sequence[str], digits: int) -> str:
    roles = {"query": attention.query, "key": attention.key, "value": attention.value}
    written = [[write_list(row, digits) for row in array] for array in roles.values()]
    table = _table([("", *roles), *zip(words, *written, strict=True)])
    if max(map(cell_len, table.splitlines())) <= WIDTH:
        return f"Vectors\n{table}"
    each = (f"{role} of each word\n{_rows(words, array, digits)}" for role, array in roles.items())
    return "\n\n".join(each)


def _step(number: int, step: Step) -> str:
    about = [line for line in step.lines if line.word is not None]
    room = max((cell_len(line.label) for line in about), default=0)
    texts = [
        f"{_padded(line.label, room)}{line.text.removeprefix(line.label)}" if line in about
        else line.text
        for line in step.lines
    ]  # fmt: skip
    lines = [_wrapped(text) for text in texts] + [_wrapped(f"({note})") for note in step.notes]
    return "\n".join([f"{number}. {step.title}", *lines])


def _weight_grid(attention: Attention, words: Sequence[str], digits: int, rows: str) -> str:
    """All weights, in blocks of as many columns as fit the page."""
    n = len(words)
    cells = [[_cell(attention, i, j, digits) for j in range(n)] for i in range(n)]
    axes = ["who listens (queries)", "who is heard (keys)"]
    if rows == "keys":
        cells, axes = [list(column) for column in zip(*cells, strict=True)], axes[::-1]
    text = [f"Weights of all words\n{INDENT}Rows: {axes[0]}. Columns: {axes[1]}."]
    if attention.mask is not None and not attention.mask.all():
        text[0] += f"\n{INDENT}{HIDDEN}: may not look, so the weight is exactly 0."
    columns = [list(column) for column in zip(words, *cells, strict=True)]
    for block in _blocks([max(map(cell_len, column)) + 2 for column in columns], words):
        lines = zip(("", *words), *(columns[j] for j in block), strict=True)
        text.append(_table(list(lines), right=True))
    return "\n\n".join(text)


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


def _cell(attention: Attention, i: int, j: int, digits: int) -> str:
    if attention.mask is not None and not attention.mask[i, j]:
        return HIDDEN
    return write_share(float(attention.weights[i, j]), digits)


def _answer_key(attention: Attention, focus: int, digits: int) -> list[str]:
    rounded = round_every_step(attention, focus, digits)
    if rounded is None:
        return []
    weights, output = (
        write_list(map(float, numbers), digits) for numbers in (rounded.weights, rounded.output)
    )
    exact = (write_list(row[focus], digits) for row in (attention.weights, attention.output))
    if (weights, output) == tuple(exact):
        return []
    lines = (f"weights = {weights}", f"output = {output}")
    return ["Also right: rounded at every step\n" + "\n".join(map(_wrapped, lines))]


def _rows(words: Sequence[str], array: Iterable[Iterable[float]], digits: int) -> str:
    """A line a word: the word and its vector."""
    room = max(map(cell_len, words))
    return "\n".join(
        _wrapped(f"{_padded(word, room)}  {write_list(row, digits)}")
        for word, row in zip(words, array, strict=True)
    )


def _table(lines: Sequence[Sequence[str]], *, right: bool = False) -> str:
    """Columns side by side, the first to the left, the others to the left or to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        (INDENT + "  ".join(
            _padded(cell, width, right=right and column > 0)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )).rstrip()
        for line in lines
    )  # fmt: skip


def _padded(text: str, width: int, *, right: bool = False) -> str:
    """Text filled up to a width as it is seen: 猫 takes two places and an accent none."""
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank


def _wrapped(text: str) -> str:
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


def _isolated(text: str) -> str:
    if any(unicodedata.bidirectional(character) in TURNING for character in text):
        return ISOLATE + text + END_ISOLATE
    return text


# JSON


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


# The command


@click.command(epilog="Without -o it is printed.")
@click.option(
    "--format", "style", type=click.Choice(list(ENDINGS)), help="Default: what -o ends in, or text."
)
@common_options
def worksheet(common: CommonOptions, style: str | None) -> int:
    """Work the calculation out on paper: every step of one word, and the weights of all."""
    try:
        style, target = _target(common.output, style, as_json=common.json)
        if not 0 <= common.digits <= 12:
            raise ValueError(f"--digits {common.digits} is out of range: try 0 to 12")
        sentence, head = common.read()
        if style == "json":
            text = worksheet_json(sentence)
        else:
            text = worksheet_text(sentence, head, digits=common.digits, rows=common.rows)
        if target is None:
            sys.stdout.write(text)
            return 0
        refuse_taken([target], force=common.force)
        make_folders([target])
    except ValueError as error:
        raise BadRequest(str(error)) from error
    place_text(text, target)
    if common.json:
        print(json.dumps({"event": "done", "files": [str(target)]}, ensure_ascii=False))
    elif not common.quiet:
        print(shown(target))
    return 0


def _target(output: str | None, style: str | None, *, as_json: bool) -> tuple[str, Path | None]:
    """What is written, and where to; None is the terminal. What was asked must not contradict."""
    if output is None:
        if as_json and style == "text":
            raise ValueError("--json contradicts --format text: leave one of them out")
        return style or ("json" if as_json else "text"), None
    ending = ending_of(output)
    if not ending:
        style = style or "text"
        return style, Path(output) / f"worksheet.{ENDINGS[style]}"
    written = {end: name for name, end in ENDINGS.items()}
    if ending not in written:
        raise ValueError(
            f"'{shown(Path(output))}' ends in .{ending}, which worksheet doesn't write: "
            f"try .{' or .'.join(written)}"
        )
    if style not in (None, written[ending]):
        raise ValueError(
            f"'{shown(Path(output))}' contradicts --format {style}: "
            f"end it in .{ENDINGS[style or '']}, or leave out --format"
        )
    return written[ending], Path(output)
