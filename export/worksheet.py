"""`byhand worksheet`: the whole calculation, as one would do it on paper, or as data."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from export.options import ending_of
from export.placing import make_folders, place_text, quoted, refuse_taken, shown
from export.sentence_options import BadRequest, CommonOptions, common_options
from export.worksheet_options import KEY, SHEETS, VARIANT_STYLES, WorksheetOptions
from export.worksheets import ENDINGS, worksheet_json, worksheet_text

__all__ = ["worksheet", "worksheet_json", "worksheet_text"]


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
        if variants is None and seed is not None:
            raise ValueError("--seed chooses among variants: try --variants 30")
        style, place = _target(common, style, variants=variants is not None)
        options = _options(common, style, blank=blank, variants=variants, seed=seed or 0)
        if place is None:
            sys.stdout.write(options.texts()[0])
            return 0
        names = [place] if style is not None else options.names(place)
        refuse_taken(names, force=common.force)
        texts = options.texts()
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


def _options(
    common: CommonOptions, style: str | None, *, blank: bool, variants: int | None, seed: int
) -> WorksheetOptions:
    """What is to be written; html has a page a word, unless one was asked for."""
    sentence, head = common.read()
    every = style == "html" and variants is None and common.focus is None
    return WorksheetOptions(
        sentence=sentence, head=head, style=style,
        focuses=tuple(range(len(sentence.words))) if every else (sentence.focus,),
        blank=blank, variants=variants, seed=seed, digits=common.digits, rows=common.rows,
        theme=common.theme, font_scale=common.font_scale,
    )  # fmt: skip


def _target(
    common: CommonOptions, style: str | None, *, variants: bool
) -> tuple[str | None, Path | None]:
    """What is written, and where to; None is the terminal. What was asked must not contradict.

    Of variants, the style None stands for all files of the folder.
    """
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
