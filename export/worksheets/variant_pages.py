"""Variants as sheets to hand out and a key to keep: pages to print, and the key as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import Sentence, attention_of
from engine.notation import write_entries, write_exactly, write_list
from engine.working import Term
from export.worksheets.as_data import held_text, write_table
from export.worksheets.as_html import html_of
from export.worksheets.blanks import blank_sections
from export.worksheets.build import rounded_answers, vectors_table, written_answer
from export.worksheets.sheet import (
    Blank,
    Block,
    Fields,
    Lines,
    Part,
    Row,
    Said,
    Section,
    Sheet,
    Table,
    mark,
    spoken,
    told_apart,
)
from export.worksheets.variants import Question, Variant

__all__ = ["KEY_COLUMNS", "key_csv", "variant_pages", "variant_sheet"]

KEY_COLUMNS = (
    "sheet", "step", "word_number", "word", "entry", "value", "written", "rounded", "question",
)  # fmt: skip
"""value is at full precision (−∞ empty), written as on paper, rounded what rounding at every step
gives; question says what was asked the other way round, and value is one answer of it."""

STEPS = ("scores", "scaled", "masked", "exp", "total", "weights", "output")


def variant_pages(
    sentence: Sentence,
    variants: Sequence[Variant],
    seed: int,
    *,
    sheets: bool = True,
    key: bool = True,
    digits: int = 2,
    theme: str = "light",
    font_scale: float = 1.0,
) -> str:
    """One HTML page with the sheets, a sheet of paper each, then the key, or either of them."""
    whole = variant_sheet(sentence, variants, seed, sheets=sheets, key=key, digits=digits)
    return html_of(whole, theme=theme, font_scale=font_scale)


def variant_sheet(
    sentence: Sentence,
    variants: Sequence[Variant],
    seed: int,
    *,
    sheets: bool = True,
    key: bool = True,
    digits: int = 2,
) -> Sheet:
    """What those pages say."""
    n = len(sentence.words)
    quoted = (*sentence.words, sentence.title)
    title = mark(n) if sentence.title else ""
    handed_out = variants if sheets else ()
    parts = [_sheet(sentence, variant, seed, title, digits) for variant in handed_out]
    if key:
        sections = tuple(_key(variant, digits) for variant in variants)
        about = ", ".join([*filter(None, (title,)), _numbered(len(variants)), f"seed {seed}"])
        line = f"Answer key: {about}"
        parts.append(Part("Answer key", about, line, sections, is_key=True))
    return Sheet(title, tuple(parts), quoted)


def key_csv(variants: Sequence[Variant], digits: int = 2) -> str:
    """The key as data: a row a number, under the names in `KEY_COLUMNS`."""
    rows = (row for variant in variants for row in _key_rows(variant, digits))
    return write_table(KEY_COLUMNS, rows)


def _numbered(count: int) -> str:
    return "1 sheet" if count == 1 else f"{count} sheets"


def _sheet(sentence: Sentence, variant: Variant, seed: int, title: str, digits: int) -> Part:
    """What one pupil gets."""
    attention = attention_of(variant.sentence)
    words = told_apart(sentence.words)
    about = ", ".join(
        [*filter(None, (title,)), f"what {words[sentence.focus]} takes from each word"]
    )
    sections = (
        Section("", (Fields(("Name", "Date")),)),
        Section("Vectors", (vectors_table(attention, words, digits),)),
        *blank_sections(attention, words, sentence.focus, digits),
        Section("The other way round", tuple(_asked(variant.questions, words))),
    )
    name = f"Sheet {variant.number} (seed {seed})"
    return Part(name, about, f"{name}: {about}", sections)


def _asked(questions: Sequence[Question], words: Sequence[str]) -> Iterator[Block]:
    for number, question in enumerate(questions, 1):
        yield Said(f"Question {number}. {question.text}")
        of = f"{question.changes} of {words[question.word]}, question {number}"
        pieces = (
            Blank(f"working of the {of}", is_long=True),
            Term("["),
            Blank(f"first entry of the {of}"),
            Term(","),
            Blank(f"second entry of the {of}"),
            Term("]"),
        )
        yield Lines((Row(question.changes, pieces),))


def _key(variant: Variant, digits: int) -> Section:
    """The answers of one sheet: worked out, rounded at every step, and one answer a question."""
    sentence = variant.sentence
    attention, focus = attention_of(sentence), sentence.focus
    rounded = rounded_answers(attention, focus, digits) or {}
    rows = []
    for step, numbers in _answers(sentence).items():
        also = [float(number) for number in rounded.get(step, ())]
        both = (written_answer(attention, focus, step, x, digits) for x in (numbers, also))
        rows.append((step, *both))
    words = told_apart(sentence.words)
    for number, question in enumerate(variant.questions, 1):
        rows.append(
            (
                f"question {number}",
                f"{question.changes} of {words[question.word]}: {write_list(question.answer)}",
                f"then weights = {write_list(question.gives, digits)}",
            )
        )
    head = ("", "worked out", "also right: rounded at every step")
    return Section("", (Table("keys", f"Sheet {variant.number}", head, tuple(rows)),))


def _answers(sentence: Sentence) -> dict[str, list[float]]:
    """The numbers of the focus word's row, by step."""
    attention, focus = attention_of(sentence), sentence.focus
    steps = [step for step in STEPS if step != "masked" or attention.mask is not None]
    return {
        step: [float(x) for x in (row if row.ndim else row[None])]
        for step, row in ((step, getattr(attention, step)[focus]) for step in steps)
    }


def _key_rows(variant: Variant, digits: int) -> Iterator[tuple[object, ...]]:
    sentence = variant.sentence
    attention, focus = attention_of(sentence), sentence.focus
    words = tuple(map(held_text, sentence.words))
    for role in ("query", "key", "value"):
        for place, row in enumerate(getattr(attention, role)):
            for entry, number in enumerate(row, 1):
                value = write_exactly(float(number))
                yield (variant.number, role, place + 1, words[place], entry, value, value, "", "")
    rounded = rounded_answers(attention, focus, digits) or {}
    for step, numbers in _answers(sentence).items():
        texts = write_entries(numbers, digits, data=True)
        also = [*map(float, rounded.get(step, ()))]
        also_texts = write_entries(also, digits, data=True) if also else [""] * len(numbers)
        for place, number in enumerate(numbers):
            word = (focus + 1, words[focus]) if step in ("total", "output") else (
                place + 1, words[place]
            )  # fmt: skip
            of_output = place + 1 if step == "output" else ""
            value = "" if number == float("-inf") else write_exactly(number)
            written, round_text = (
                "" if text == "-inf" else text for text in (texts[place], also_texts[place])
            )
            yield (variant.number, step, *word, of_output, value, written, round_text, "")
    for number, question in enumerate(variant.questions, 1):
        asked = held_text(spoken(question.text, sentence.words, str, str))
        whose = question.word
        for part, answer in enumerate(map(write_exactly, question.answer), 1):
            name = f"question {number}"
            yield (variant.number, name, whose + 1, words[whose], part, answer, answer, "", asked)
