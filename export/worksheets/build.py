"""From a sentence to what its worksheet says: worked out, or left blank with a key at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine import Attention, Sentence, Step, attention_of, work_through
from engine.notation import write_list, write_share
from engine.working import RoundedWorking, Term, round_every_step, write_exp
from export.worksheets.blanks import blank_sections, blank_table
from export.worksheets.sheet import (
    Block,
    Fields,
    Lines,
    Note,
    Part,
    Row,
    Said,
    Section,
    Sheet,
    Table,
    mark,
    told_apart,
)

__all__ = [
    "HIDDEN",
    "build_sheet",
    "outputs_section",
    "rounded_answers",
    "vectors_table",
    "weights_section",
    "written_answer",
]

HIDDEN = "--"
"""What stands in a cell where nobody may look: it must not look like 0."""

AXES = ("who listens (queries)", "who is heard (keys)")


def build_sheet(
    sentence: Sentence,
    head: int = 0,
    *,
    focuses: Sequence[int] = (),
    digits: int = 2,
    rows: str = "queries",
    blank: bool = False,
) -> Sheet:
    """The worksheet of these words (the sentence's focus word unless given), a part each.

    head and focuses are indices, digits decimals; rows says what the rows of a weight grid are,
    "queries" or "keys". Of one word all is one part, of several the weights and outputs of all
    words are a part of their own. blank: places to write instead of results, and all of them in a
    key at the end. Raises ValueError where there is no such head or word.
    """
    focuses = focuses or (sentence.focus,)
    attention = attention_of(sentence, head)
    n = len(sentence.words)
    words = [mark(i) for i in range(n)]
    quoted = (*sentence.words, sentence.heads[head].name, sentence.title)
    title = mark(n + 1) if sentence.title else ""
    named = _Names(words, title, mark(n))
    everything = [
        weights_section(attention, words, digits, rows),
        outputs_section(attention, words, digits),
    ]
    parts: list[Part] = []
    for focus in focuses:
        vectors = Section("Vectors", (vectors_table(attention, words, digits),))
        if blank:
            fields = Section("", (Fields(("Name", "Date")),))
            sections = (
                fields,
                vectors,
                *blank_sections(attention, told_apart(sentence.words), focus, digits),
            )
        else:
            others = everything if len(focuses) == 1 else []
            also = _also_right(attention, focus, digits)
            sections = (vectors, *_steps(attention, words, focus, digits), *others, *also)
        parts.append(named.part_of(focus, sections))
    if blank:
        parts += _blank_end(attention, named, focuses, digits, rows, everything)
    elif len(focuses) > 1:
        parts.append(named.part_of_all(everything))
    return Sheet(title, tuple(parts), quoted)


@dataclass(frozen=True)
class _Names:
    """What parts are called."""

    words: Sequence[str]
    title: str
    head: str

    def part_of(self, focus: int, sections: Sequence[Section], *, is_key: bool = False) -> Part:
        """A part about one word."""
        word, place = self.words[focus], f"word {focus + 1} of {len(self.words)}"
        key = "Answer key: what" if is_key else "What"
        line = (
            f"{'Answer key' if is_key else 'Attention by hand'}: what {word} ({place}) takes from "
            f'each word, by head "{self.head}"'
        )
        return Part(
            f"{key} {word} takes from each word", self._about(place), line, tuple(sections), is_key
        )

    def part_of_all(self, sections: Sequence[Section], *, is_key: bool = False) -> Part:
        """A part about all words."""
        title = "Answer key: all words" if is_key else "All words"
        line = f'{title}, by head "{self.head}"'
        return Part(title, self._about(), line, tuple(sections), is_key)

    def _about(self, *more: str) -> str:
        return ", ".join([*filter(None, (self.title, *more)), f"head {self.head}"])


def vectors_table(attention: Attention, words: Sequence[str], digits: int) -> Table:
    """Query, key and value of every word."""
    roles = {"query": attention.query, "key": attention.key, "value": attention.value}
    written = [[write_list(row, digits) for row in array] for array in roles.values()]
    lines = tuple(zip(words, *written, strict=True))
    return Table("vectors", "Vectors of all words", ("", *roles), lines, tuple(roles))


def weights_section(
    attention: Attention, words: Sequence[str], digits: int, rows: str, *, blank: bool = False
) -> Section:
    """The grid of all weights, or an empty one to collect them in."""
    n = len(words)
    cells = [[_cell(attention, i, j, digits) for j in range(n)] for i in range(n)]
    axes = AXES
    if rows == "keys":
        cells, axes = [list(column) for column in zip(*cells, strict=True)], AXES[::-1]
    explained = [f"Rows: {axes[0]}. Columns: {axes[1]}."]
    if attention.mask is not None and not attention.mask.all():
        explained.append(f"{HIDDEN}: may not look, so the weight is exactly 0.")
    lines = tuple((word, *row) for word, row in zip(words, cells, strict=True))
    table = Table("grid", "Weights of all words", ("", *words), lines, explained=tuple(explained))
    return Section("Weights of all words", (blank_table(table, HIDDEN) if blank else table,))


def rounded_answers(
    attention: Attention, focus: int, digits: int
) -> dict[str, tuple[Decimal, ...]] | None:
    """What rounding at every step gives, by step; None where paper doesn't reach."""
    rounded: RoundedWorking | None = round_every_step(attention, focus, digits)
    if rounded is None:
        return None
    masked = {} if attention.mask is None else {"masked": rounded.scaled}
    scaled = tuple(
        score * Decimal(repr(attention.scale)) if power == Decimal("-Infinity") else power
        for score, power in zip(rounded.scores, rounded.scaled, strict=True)
    )
    return {
        "scores": rounded.scores,
        "scaled": scaled,
        **masked,
        "exp": rounded.exp,
        "total": (rounded.total,),
        "weights": rounded.weights,
        "output": rounded.output,
    }


def _steps(attention: Attention, words: Sequence[str], focus: int, digits: int) -> list[Section]:
    steps = work_through(attention, words, focus, digits)
    return [
        Section(f"{number}. {step.title}", _step_blocks(step))
        for number, step in enumerate(steps, 1)
    ]


def _step_blocks(step: Step) -> tuple[Block, ...]:
    rows = tuple(
        Row(line.label, line.terms, line.word, "=" if line.label else "") for line in step.lines
    )
    return (Lines(rows), *(Note(note) for note in step.notes))


def outputs_section(
    attention: Attention, words: Sequence[str], digits: int, *, blank: bool = False
) -> Section:
    """The output of every word, or places to collect them in."""
    lines = tuple(
        (word, write_list(row, digits)) for word, row in zip(words, attention.output, strict=True)
    )
    table = Table("vectors", "Outputs of all words", ("", "output"), lines, ("output",))
    return Section("Outputs of all words", (blank_table(table, HIDDEN) if blank else table,))


def _cell(attention: Attention, i: int, j: int, digits: int) -> str:
    if attention.mask is not None and not attention.mask[i, j]:
        return HIDDEN
    return write_share(float(attention.weights[i, j]), digits)


def _also_right(attention: Attention, focus: int, digits: int) -> list[Section]:
    """Weights and output of a pupil who rounds at every step, where they differ."""
    rounded = round_every_step(attention, focus, digits)
    if rounded is None:
        return []
    weights, output = (
        write_list(map(float, numbers), digits) for numbers in (rounded.weights, rounded.output)
    )
    exact = (write_list(row[focus], digits) for row in (attention.weights, attention.output))
    if (weights, output) == tuple(exact):
        return []
    return [
        Section(
            "Also right: rounded at every step",
            (_answers((("weights", weights), ("output", output))),),
        )
    ]


def _answers(lines: Iterable[tuple[str, str]]) -> Lines:
    roles = {"weights": "weight", "output": "output"}
    return Lines(tuple(Row(name, (Term(text, None, roles.get(name, "")),)) for name, text in lines))


def _blank_end(
    attention: Attention,
    named: _Names,
    focuses: Sequence[int],
    digits: int,
    rows: str,
    everything: Sequence[Section],
) -> Iterator[Part]:
    """What follows the pupils' pages: a page to collect results on, and the key."""
    words = named.words
    if len(focuses) > 1:
        weights = weights_section(attention, words, digits, rows, blank=True)
        yield named.part_of_all((weights, outputs_section(attention, words, digits, blank=True)))
    for focus in focuses:
        steps = _steps(attention, words, focus, digits)
        sections = (*steps, _every_rounding(attention, focus, digits))
        yield named.part_of(focus, sections, is_key=True)
    yield named.part_of_all(everything, is_key=True)


def _every_rounding(attention: Attention, focus: int, digits: int) -> Section:
    """All that a pupil gets who rounds at every step, so that nobody honest is marked wrong."""
    answers = rounded_answers(attention, focus, digits)
    title = "Also right: rounded at every step"
    if answers is None:
        said = "Rounded at every step, this can't be worked out on paper."
        return Section(title, (Said(said),))
    return Section(
        title,
        (
            _answers(
                (name, written_answer(attention, focus, name, [*map(float, numbers)], digits))
                for name, numbers in answers.items()
            ),
        ),
    )


def written_answer(
    attention: Attention, focus: int, step: str, numbers: Sequence[float], digits: int
) -> str:
    """The answer of one step as the page writes it; "" where there is none.

    A list, but the total by itself; the exponential of a masked score is a plain 0.
    """
    if not numbers:
        return ""
    if step == "exp":
        masked = [float(score) for score in attention.masked[focus]]
        return f"[{', '.join(write_exp(numbers, masked, digits))}]"
    text = write_list(numbers, digits)
    return text[1:-1] if step == "total" else text
