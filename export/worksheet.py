"""`byhand worksheet`: the whole calculation, as one would do it on paper, or as data."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from engine import Sentence
from export.options import ending_of
from export.placing import make_folders, place_text, quoted, refuse_taken, shown
from export.sentence_options import BadRequest, CommonOptions, common_options
from export.worksheets import ENDINGS, worksheet_json, worksheet_text, write_worksheet
from export.worksheets.variant_pages import key_csv, variant_pages
from export.worksheets.variants import make_variants

__all__ = ["worksheet", "worksheet_json", "worksheet_text"]

VARIANT_STYLES = ("html", "csv")
SHEETS, KEY = "worksheets.html", "answers"


@dataclass(frozen=True)
class _Request:
    """What is to be written: one format, or (style None, of variants) all files of a folder."""

    common: CommonOptions
    style: str | None
    blank: bool
    variants: int | None
    seed: int


@click.command(
    epilog="Without -o it is printed. --variants in a folder (-o FOLDER) writes worksheets.html, "
    "a sheet of paper a pupil, and the key as answers.html and answers.csv; as one .html the "
    "sheets and then the key; as .csv the key."
)
@click.option(
    "--format", "style", type=click.Choice(list(ENDINGS)), help="Default: what -o ends in, or text."
)
@click.option("--blank", is_flag=True, help="Places to fill in, and a key at the end.")
@click.option("--variants", type=int, metavar="N", help="A sheet a pupil, 1 to 1000, and a key.")
@click.option("--seed", type=int, metavar="S", help="Which variants; the same, the same sheets.")
@common_options
def worksheet(
    common: CommonOptions,
    style: str | None,
    blank: bool,
    variants: int | None,
    seed: int | None,
) -> int:
    """Work the calculation out on paper: every step of one word, and the weights of all.

    In html every word has its page, unless --focus names one.
    """
    try:
        _check(common, variants, seed)
        style, place = _target(common, style, variants=variants is not None)
        request = _Request(common, style, blank, variants, seed or 0)
        sentence, head = common.read()
        if place is None:
            sys.stdout.write(_texts(request, sentence, head)[0])
            return 0
        if variants is not None and style is None:
            names = [place / SHEETS, place / f"{KEY}.html", place / f"{KEY}.csv"]
        else:
            names = [place]
        refuse_taken(names, force=common.force)
        texts = _texts(request, sentence, head)
        make_folders(names)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    for name, text in zip(names, texts, strict=True):
        place_text(text, name)
    if common.json:
        files = [str(name) for name in names]
        print(json.dumps({"event": "done", "files": files}, ensure_ascii=False))
    elif not common.quiet:
        for name in names:
            print(shown(name))
    return 0


def _check(common: CommonOptions, variants: int | None, seed: int | None) -> None:
    """ValueError where what was asked contradicts itself, before anything is read."""
    if not 0 <= common.digits <= 12:
        raise ValueError(f"--digits {common.digits} is out of range: try 0 to 12")
    if not 0.5 <= common.font_scale <= 2:
        raise ValueError(f"--font-scale {common.font_scale} is out of range: try 0.5 to 2")
    if variants is None and seed is not None:
        raise ValueError("--seed chooses among variants: try --variants 30")
    if seed is not None and seed < 0:
        raise ValueError(f"--seed {seed} is below 0: try --seed {-seed}")
    if variants is not None and not 1 <= variants <= 1000:
        raise ValueError(f"--variants {variants} is out of range: try 1 to 1000")


def _texts(request: _Request, sentence: Sentence, head: int) -> list[str]:
    """What is to be written: one text, or the three of a folder of variants."""
    common, digits = request.common, request.common.digits
    if request.variants is None:
        style = request.style or "text"
        every = style == "html" and common.focus is None
        focuses = range(len(sentence.words)) if every else (sentence.focus,)
        text = write_worksheet(
            sentence, head, style, focuses=focuses, digits=digits, rows=common.rows,
            blank=request.blank, theme=common.theme, font_scale=common.font_scale,
        )  # fmt: skip
        return [text]
    variants = list(make_variants(sentence, request.variants, request.seed, head=head))

    def pages(*, sheets: bool, key: bool) -> str:
        return variant_pages(
            sentence, variants, request.seed, sheets=sheets, key=key, digits=digits,
            theme=common.theme, font_scale=common.font_scale,
        )  # fmt: skip

    if request.style == "csv":
        return [key_csv(variants, digits)]
    if request.style == "html":
        return [pages(sheets=True, key=True)]
    return [
        pages(sheets=True, key=False),
        pages(sheets=False, key=True),
        key_csv(variants, digits),
    ]


def _target(
    common: CommonOptions, style: str | None, *, variants: bool
) -> tuple[str | None, Path | None]:
    """What is written, and where to; None is the terminal. What was asked must not contradict.

    Of variants, the style None stands for all files of the folder.
    """
    if variants and style not in (None, *VARIANT_STYLES):
        raise ValueError(f"--variants can't be written as {style}: try html or csv")
    output = common.output
    if output is None:
        if variants:
            if common.json:
                raise ValueError("--json says which files there are: give variants a place with -o")
            return style or "html", None
        if common.json and style not in (None, "json"):
            raise ValueError(f"--json contradicts --format {style}: leave one of them out")
        return style or ("json" if common.json else "text"), None
    ending = ending_of(output)
    if not ending:
        if variants and style is None:
            return None, Path(output)
        name = f"worksheet.{ENDINGS[style or 'text']}"
        if variants:
            name = SHEETS if style == "html" else f"{KEY}.csv"
        return style or "text", Path(output) / name
    written = {end: name for name, end in ENDINGS.items()}
    if variants:
        written = {end: name for end, name in written.items() if name in VARIANT_STYLES}
    if ending not in written:
        what = "worksheet doesn't write" + (" for --variants" if variants else "")
        raise ValueError(
            f"{quoted(output)} ends in .{ending}, which {what}: try .{' or .'.join(written)}"
        )
    if style not in (None, written[ending]):
        raise ValueError(
            f"{quoted(output)} contradicts --format {style}: "
            f"end it in .{ENDINGS[style or '']}, or leave out --format"
        )
    return written[ending], Path(output)
