"""`byhand bundle`: all that a post about a sentence needs, in one folder.

Importing this imports neither NumPy nor Manim nor Matplotlib, so that its help is instant.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from export.bundle_options import (
    ALT_TEXT,
    BLANK_SHEET,
    DOCUMENT,
    INDEX,
    TABLES,
    WORKSHEET,
    WORKSHEET_TEXT,
    BundleOptions,
    choose_clips,
)
from export.cli import FAILED, refuse
from export.completion import complete_files, complete_scenes
from export.measured import measured_option
from export.options import QUALITIES
from export.placing import place_all, refuse_taken, shown, working_folder
from export.render import need_video_extra, telling_of
from export.sentence_options import BadRequest, CommonOptions, common_options
from export.speech import say_json

if TYPE_CHECKING:
    from export.bundle_clips import MadeClip
    from export.bundle_markup import ShownFigure
    from export.jobs import Failed
    from export.rendering import Event

    Report = Callable[[Event], None]

__all__ = ["bundle", "make_bundle"]


def make_bundle(options: BundleOptions, report: Report) -> tuple[Path, ...]:
    """Make a bundle and put it into its folder: all of it in the end, or nothing.

    report gets every event, from several threads; of figures it is told as of a scene of that
    name. A clip that fails is left out, and told as Failed. The files are returned, index.html
    first. Raises ValueError, before anything is drawn, where a file may not be written.
    """
    refuse_taken([options.folder / file for file in options.files()], force=options.force)
    with working_folder() as folder:
        root = Path(folder, "bundle")
        root.mkdir()
        clips = _draw(options, root, report)
        files = options.files([clip.name for clip in clips])
        return place_all(root, options.folder, files)


@click.command(
    epilog="DIR gets index.html, which shows all of it with the markup to paste; figures (SVG and "
    "PNG), clips (mp4 and webm, posters, captions), alt text, tables, worksheets, the document."
)
@click.argument("folder", metavar="DIR", shell_complete=complete_files)
@click.option(
    "--clip", "clips", multiple=True, metavar="SCENE[:BEATS]", shell_complete=complete_scenes,
    help="A scene, or some beats of it (softmax:4-6); may be given again; none leaves clips out. "
    "Default: value mixing and the causal triangle, two beats each.",
)  # fmt: skip
@click.option("--quality", type=click.Choice(list(QUALITIES)), default="720p", show_default=True,
              help="The clips', as of byhand render.")  # fmt: skip
@click.option("--jobs", type=int, metavar="N", help="Clips at a time; default: one a core.")
@measured_option
@common_options
def bundle(common: CommonOptions, folder: str, clips: tuple[str, ...], **asked: Any) -> int:
    """Make a folder with figures, clips, alt text, tables and worksheets for one post.

    Without --theme all of it comes in light and dark.
    """
    try:
        if common.output is not None:
            raise ValueError(f"DIR says where a bundle goes: try byhand bundle {common.output}")
        chosen = choose_clips(clips)
        sentence, head = common.read()
        options = BundleOptions(
            sentence=sentence, folder=Path(folder), clips=chosen, head=head,
            theme=common.theme if _is_given("theme") else "both", rows=common.rows,
            digits=common.digits, font_scale=common.font_scale, focuses_all=common.focus is None,
            force=common.force, embed=not common.no_source, **asked,
        )  # fmt: skip
        options, lack = _possible(options)
        return _do(options, common, lack)
    except ValueError as error:
        raise BadRequest(str(error)) from error


def _is_given(name: str) -> bool:
    """Whether an option was typed, rather than left to its default."""
    return click.get_current_context().get_parameter_source(name) != ParameterSource.DEFAULT


def _possible(options: BundleOptions) -> tuple[BundleOptions, str]:
    """The options without clips where they can't be made here, and why."""
    try:
        if options.clips:
            need_video_extra()
    except ValueError as error:
        return replace(options, clips=()), f"no clips: {error}"
    return options, ""


def _do(options: BundleOptions, common: CommonOptions, lack: str) -> int:
    failures: list[Failed] = []
    with telling_of(common) as report:

        def heard(event: Event) -> None:
            from export.jobs import Failed

            if isinstance(event, Failed):
                failures.append(event)
            report(event)

        made = make_bundle(options, heard)
    for failure in failures:
        refuse(f"can't render {failure.scene}: {failure.message}")
    if not common.quiet:
        for told in filter(None, (lack, _undrawable(options))):
            refuse(told)
    if common.json:
        say_json({"event": "done", "files": list(map(str, made))})
    elif not common.quiet:
        # The page itself last, where the eye rests.
        for file in (*made[1:], made[0]):
            print(shown(file))
    return FAILED if failures else 0


def _undrawable(options: BundleOptions) -> str:
    """Which characters no font at hand has, if any."""
    from export.figure import undrawable_in

    missing = undrawable_in(options.figures(Path(), "svg"))
    named = ", ".join(f"{one} (U+{ord(one):04X})" for one in missing)
    return f"no font here has {named}: try 'byhand doctor'" if missing else ""


def _draw(options: BundleOptions, root: Path, report: Report) -> list[MadeClip]:
    """Everything into a folder of its own; the clips that could be made."""
    stop = threading.Event()
    with ThreadPoolExecutor(1) as executor:
        try:
            # Clips are filmed in processes of their own: figures are drawn meanwhile.
            drawing = executor.submit(_figures, options, root, report, stop)
            clips: list[MadeClip] = []
            if options.clips:
                from export.bundle_clips import make_clips

                clips = make_clips(options, root, report)
            figures = drawing.result()
        finally:
            stop.set()
    for name, text in _texts(options, root, figures, clips):
        (root / name).write_text(text, encoding="utf-8", newline="\n")
    return clips


def _figures(
    options: BundleOptions, root: Path, report: Report, stop: threading.Event
) -> list[ShownFigure]:
    """Draws every figure, and tells how many are drawn; ends early where the rest has."""
    from export.figure import draw_files
    from export.jobs import Progress, Started
    from export.rendering import Planned

    asked = [options.figures(root, kind) for kind in ("svg", "png")]
    count = sum(len(one.files) for one in asked)
    report(Planned("figures", count, 0.0))
    report(Started("figures"))
    drawn = (path for one in asked for path in draw_files(one))
    for number, _ in enumerate(drawn, start=1):
        report(Progress("figures", number, count))
        if stop.is_set():
            return []
    return list(_shown_figures(options, root))


def _shown_figures(options: BundleOptions, root: Path) -> Iterator[ShownFigure]:
    from export.alt_text import alt_text
    from export.bundle_markup import ShownFigure
    from export.bundle_words import figure_caption

    sentence = options.sentence
    for file in options.figures(root, "svg").files:
        name = file.entry.name
        width, height = _size(file.path.read_text("utf-8"))
        yield ShownFigure(
            name, file.entry.title, figure_caption(sentence, name),
            alt_text(
                sentence, options.head, name, digits=options.digits, rows=options.rows,
                measured=options.measured,
            ),
            width, height, options.themes,
        )  # fmt: skip


def _size(svg: str) -> tuple[int, int]:
    """An SVG's width and height, in whole pixels."""
    found = re.search(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    assert found is not None
    return round(float(found[1])), round(float(found[2]))


def _texts(
    options: BundleOptions, root: Path, figures: Sequence[ShownFigure], clips: Sequence[MadeClip]
) -> Iterator[tuple[str, str]]:
    """Every file that is text, by its name."""
    from engine.files import format_sentence
    from export.bundle_page import bundle_page
    from export.bundle_tables import tables_sheet
    from export.bundle_words import alt_texts
    from export.worksheets import write_worksheet
    from export.worksheets.as_markdown import markdown_of

    sentence, head = options.sentence, options.head
    tables = tables_sheet(sentence, head, digits=options.digits, rows=options.rows)
    markdown = markdown_of(tables)
    captions = [(root / "clips" / f"{clip.name}.vtt").read_text("utf-8") for clip in clips]
    yield INDEX, bundle_page(options, figures, clips, captions, tables, markdown)
    yield TABLES, markdown
    yield ALT_TEXT, alt_texts(sentence, figures, clips)
    words = range(len(sentence.words)) if options.focuses_all else (sentence.focus,)

    def sheet(style: str, focuses: Sequence[int], *, blank: bool = False) -> str:
        return write_worksheet(
            sentence, head, style, focuses=focuses, digits=options.digits, rows=options.rows,
            blank=blank, theme=options.theme, font_scale=options.font_scale,
        )  # fmt: skip

    yield WORKSHEET, sheet("html", words)
    yield BLANK_SHEET, sheet("html", words, blank=True)
    yield WORKSHEET_TEXT, sheet("md", (sentence.focus,))
    if options.embed:
        yield DOCUMENT, format_sentence(sentence)
