"""`byhand slides`: one page that steps through the beats, forwards and backwards.

Importing this imports neither NumPy nor Manim, so that its help is instant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from export.cli import FAILED, refuse
from export.completion import complete_scenes
from export.options import (
    ASPECTS,
    MOTIONS,
    PACES,
    QUALITIES,
    Film,
    RenderOptions,
    choose_films,
    ending_of,
)
from export.placing import (
    make_folders,
    place_text,
    quoted,
    refuse_taken,
    shown,
    working_folder,
)
from export.render import need_video_extra, telling_of
from export.sentence_options import BadRequest, CommonOptions, common_options
from export.speech import say_json

if TYPE_CHECKING:
    from export.jobs import Clip, SceneError

__all__ = ["slides"]


@click.command(
    epilog="Keys: → and ← step, Space plays and pauses, N opens the notes, C hides captions, F is "
    "full screen. Scenes: byhand render --list. No name is the whole lecture."
)
@click.argument(
    "scenes", nargs=-1, metavar="[SCENE…|part1|part2|lecture]", shell_complete=complete_scenes
)
@click.option(
    "--quality",
    type=click.Choice(list(QUALITIES)),
    default="720p",
    show_default=True,
    help="As of byhand render.",
)
@click.option(
    "--aspect", type=click.Choice(ASPECTS), default="16:9", show_default=True, help="The shape."
)
@click.option("--pace", type=click.Choice(PACES), default="fast", show_default=True)
@click.option("--motion", type=click.Choice(MOTIONS), default="full", show_default=True)
@click.option("--script", metavar="FILE", help="Other captions, as of byhand render.")
@click.option("--jobs", type=int, metavar="N", help="Scenes at a time; default: one a core.")
@common_options
def slides(common: CommonOptions, scenes: tuple[str, ...], script: str | None, **asked: Any) -> int:
    """Make one HTML file of the beats, to present: it pauses after each, and has notes."""
    try:
        films = choose_films(scenes)
        file = _target(common.output, films)
        sentence, head = common.read()
        options = RenderOptions(
            sentence=sentence,
            films=films,
            head=head,
            theme=common.theme,
            rows=common.rows,
            digits=common.digits,
            font_scale=common.font_scale,
            force=common.force,
            embed=not common.no_source,
            # The page says them: they can be read aloud, copied and switched off.
            captions="none",
            **asked,
        )
        need_video_extra()
        refuse_taken([file], force=options.force)
        options = _scripted(options, script)
        make_folders([file])
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return _make(options, file, common)


def _target(output: str | None, films: Sequence[Film]) -> Path:
    """The page that -o asks for; ValueError where it asks for another kind of file."""
    name = f"{films[0].name if len(films) == 1 else 'slides'}.html"
    if output is None:
        return Path(name)
    if (ending := ending_of(output)) not in ("", "html"):
        raise ValueError(
            f"{quoted(output)} ends in .{ending}, which slides doesn't write: try .html"
        )
    return Path(output) if ending else Path(output, name)


def _scripted(options: RenderOptions, script: str | None) -> RenderOptions:
    if script is None:
        return options
    from export.jobs import SceneError
    from export.preparing import prepare

    try:
        return prepare(options, script, planned=True).options
    except SceneError as failure:
        raise ValueError(f"can't plan {failure}: try byhand render --list --json") from failure


def _make(options: RenderOptions, file: Path, common: CommonOptions) -> int:
    from export.slide_page import slide_page

    with working_folder() as workspace:
        with telling_of(common) as report:
            clips, failures = _clips(options, workspace, report)
        for failure in failures:
            refuse(f"can't render {failure}")
        if failures:
            return FAILED
        place_text(slide_page(options, clips), file)
    if common.json:
        say_json({"event": "done", "files": [str(file)]})
    elif not common.quiet:
        print(shown(file))
    return 0


def _clips(
    options: RenderOptions, workspace: str, report: Any
) -> tuple[Mapping[str, Clip], Sequence[SceneError]]:
    """The clips of every piece that says something, by its name."""
    from msgspec.structs import replace

    from export.jobs import SceneError
    from export.pool import Children, render_clip
    from export.rendering import jobs_of

    # A card says nothing that its scene doesn't.
    jobs = [replace(job, describe=True) for job in jobs_of(options, workspace) if job.card is None]
    clips: dict[str, Clip] = {}
    failures: list[SceneError] = []
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(options.workers))
        # Closed first: the executor waits for its threads, and they for their processes.
        children = stack.enter_context(Children())
        futures = {executor.submit(render_clip, job, report, children): job for job in jobs}
        for future in as_completed(futures):
            try:
                clips[futures[future].scene] = future.result()
            except SceneError as failure:
                failures.append(failure)
    return clips, failures
