"""`byhand figure`: a sentence's pictures, as SVG, PDF or PNG."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from export.completion import complete_figures
from export.figure_options import FIGURE_FORMATS, TEXTS, FigureFile, FigureOptions, choose_figures
from export.figures import FIGURES
from export.figures.loading import load_matplotlib
from export.measured import Measured, measured_option
from export.placing import make_folders, place_file, refuse_taken, shown, working_folder
from export.sentence_options import BadRequest, CommonOptions, common_options

__all__ = ["draw_file", "draw_files", "figure", "undrawable_in"]


def draw_file(options: FigureOptions, file: FigureFile) -> bytes:
    """The bytes of one of `options.files`."""
    load_matplotlib()
    from export.figures.save import FileStyle, figure_file
    from export.figures.theme import FigureStyle

    style = FigureStyle(
        file.theme, options.digits, options.rows, options.font_scale, options.measured
    )  # fmt: skip
    kind = FileStyle(
        options.format or "svg", options.text, options.width, options.scale,
        options.transparent, options.embed,
    )  # fmt: skip
    return figure_file(file.entry, options.sentence, options.head, style, kind)


def draw_files(options: FigureOptions) -> Iterator[Path]:
    """Draw every figure and put it in its place, whole; each path as it is there.

    Raises ValueError, before anything is drawn, where a file may not be written.
    """
    paths = [file.path for file in options.files]
    refuse_taken(paths, force=options.force)
    make_folders(paths)
    with working_folder() as folder:
        drawn = Path(folder) / "figure"
        for file in options.files:
            drawn.write_bytes(draw_file(options, file))
            place_file(drawn, file.path)
            yield file.path


def undrawable_in(options: FigureOptions) -> tuple[str, ...]:
    """The characters of the sentence's words that no font at hand has."""
    load_matplotlib()
    from export.figures.lettering import undrawable

    return undrawable("".join(options.sentence.words))


@click.command(epilog="No NAME draws them all. Files are NAME.EXT, in the current folder or in -o.")
@click.argument("names", nargs=-1, metavar="[NAME]…", shell_complete=complete_figures)
@click.option("--format", "style", type=click.Choice(FIGURE_FORMATS),
              help="Default: what -o ends in, or svg.")  # fmt: skip
@click.option("--width", type=int, metavar="PX", help="CSS pixels; default: the figure's own.")
@click.option("--scale", type=float, default=2.0, metavar="X", show_default=True,
              help="Dots a pixel, of a PNG.")  # fmt: skip
@click.option("--text", type=click.Choice(TEXTS), default=TEXTS[0], show_default=True,
              help="An SVG's text: with its font, as it is, or as outlines.")  # fmt: skip
@measured_option
@click.option("--transparent", is_flag=True, help="No ground.")
@click.option("--list", "listing", is_flag=True, help="Name the figures, and draw none.")
@common_options
def figure(
    common: CommonOptions, names: tuple[str, ...], style: str | None, width: int | None,
    scale: float, text: str, measured: Measured | None, transparent: bool, listing: bool,
) -> int:  # fmt: skip
    """Draw figures of a sentence: vectors, grids, softmax, growth."""
    try:
        chosen = choose_figures(names)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    if listing:
        return _list(as_json=common.json)
    sentence, head = common.read()
    try:
        options = FigureOptions(
            sentence=sentence, figures=chosen, head=head, format=style, width=width, scale=scale,
            text=text, transparent=transparent, theme=common.theme, rows=common.rows,
            digits=common.digits, font_scale=common.font_scale, output=common.output,
            force=common.force, embed=not common.no_source,
            measured=measured,
        )  # fmt: skip
        files = []
        for path in draw_files(options):
            files.append(str(path))
            if not (common.json or common.quiet):
                print(shown(path), flush=True)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    missing = undrawable_in(options)
    if missing and not common.quiet:
        named = ", ".join(f"{one} (U+{ord(one):04X})" for one in missing)
        print(f"byhand: no font here has {named}: try 'byhand doctor'", file=sys.stderr)
    if common.json:
        print(json.dumps({"event": "done", "files": files}, ensure_ascii=False))
    return 0


def _list(*, as_json: bool) -> int:
    if as_json:
        listed = [{"name": entry.name, "title": entry.title} for entry in FIGURES]
        print(json.dumps(listed, ensure_ascii=False, indent=2))
    else:
        room = max(len(entry.name) for entry in FIGURES)
        for entry in FIGURES:
            print(f"{entry.name:{room}}  {entry.title}")
    return 0
