"""`byhand render`: the lecture, a part of it, or scenes by themselves.

Importing this imports neither NumPy nor Manim, so that its help is instant.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from export.cli import DONE, FAILED, refuse
from export.completion import complete_files, complete_scenes
from export.cuts import parse_time
from export.options import (
    ASPECTS,
    CAPTIONS,
    FORMATS,
    MOTIONS,
    PACES,
    QUALITIES,
    TRANSPARENT,
    Film,
    RenderOptions,
    choose_films,
)
from export.placing import make_folders, place_text, refuse_taken, shown
from export.sentence_options import BadRequest, CommonOptions, common_options
from export.speech import say_json

if TYPE_CHECKING:
    from export.preparing import Prepared
    from export.progress import Report

__all__ = ["need_cluster_extra", "need_video_extra", "render", "telling_of"]

_SIZES = ", ".join(
    f"{name} {q.width}×{q.height} at {q.frame_rate}" for name, q in QUALITIES.items()
)


@click.command(epilog="Scenes: byhand render --list. No name is the whole lecture.")
@click.argument(
    "scenes", nargs=-1, metavar="[SCENE…|part1|part2|lecture]", shell_complete=complete_scenes
)
@click.option(
    "--quality",
    type=click.Choice(list(QUALITIES)),
    default="1080p",
    show_default=True,
    help=f"{_SIZES} frames a second.",
)
@click.option("--fps", type=int, metavar="N", help="Frames a second, if not the quality's.")
@click.option(
    "--aspect",
    type=click.Choice(ASPECTS),
    default="16:9",
    show_default=True,
    help="The picture's shape; 9:16 is upright, for phones.",
)
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    help="mp4 by default; webm (VP9), mov (ProRes 4444, to edit), gif (short ones), or a scene's "
    "last frame as png.",
)
@click.option("--transparent", is_flag=True, help=f"No ground; only {', '.join(TRANSPARENT)} can.")
@click.option(
    "--captions",
    type=click.Choice(CAPTIONS),
    default="all",
    show_default=True,
    help="Drawn (burn), as a file beside the video, both, or none.",
)
@click.option(
    "--pace",
    type=click.Choice(PACES),
    default="normal",
    show_default=True,
    help="How fast captions are read.",
)
@click.option(
    "--motion",
    type=click.Choice(MOTIONS),
    default="full",
    show_default=True,
    help="reduced: cuts and cross-fades, nothing travels.",
)
@click.option("--section", metavar="BEAT", help="Only this beat: its title, or its number.")
@click.option("--still", metavar="TIME", help="The picture at this moment, as png: 1:05, or 65.")
@click.option(
    "--script",
    metavar="FILE",
    help="Captions and beats' lengths, edited or translated; --list --script FILE writes one.",
)
@click.option("--handout", is_flag=True, help="A PDF beside a whole film: a row a beat.")
@click.option(
    "--sentences",
    metavar="DIR",
    help="Every *.byhand.json in a folder, each into a folder of its name.",
    shell_complete=complete_files,
)
@click.option("--jobs", type=int, metavar="N", help="Scenes at a time; default: one a core.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Draw on a Dask cluster: its scheduler's address."
)
@click.option("--no-cache", is_flag=True, help="Draw everything anew, and keep nothing of it.")
@click.option("--list", "listed", is_flag=True, help="List the scenes; with --json, their beats.")
@click.option("--dry-run", is_flag=True, help="Say which files there would be, and how long.")
@common_options
def render(
    common: CommonOptions,
    scenes: tuple[str, ...],
    fps: int | None,
    listed: bool,
    dry_run: bool,
    still: str | None,
    script: str | None,
    sentences: str | None,
    no_cache: bool,
    **asked: Any,
) -> int:
    """Render scenes as video, with your sentence's numbers, captions and chapters."""
    try:
        films = choose_films(scenes)
        if listed and not common.json and script is None:
            return _list_scenes(films)
        _refuse_contradictions(common, sentences, listed=listed)

        def options_of(one: CommonOptions) -> RenderOptions:
            sentence, head = one.read()
            return RenderOptions(
                sentence=sentence,
                films=films,
                head=head,
                frame_rate=fps,
                theme=one.theme,
                rows=one.rows,
                digits=one.digits,
                font_scale=one.font_scale,
                output=one.output,
                force=one.force,
                embed=not one.no_source,
                still=None if still is None else parse_time(still),
                keep=not no_cache,
                **asked,
            )

        if sentences is not None:
            return _do_course(sentences, options_of, common, script, dry_run=dry_run)
        options = options_of(common)
        need_video_extra()
        need_cluster_extra(options)
        return _do(options, common, script, listed=listed, dry_run=dry_run)
    except ValueError as error:
        raise BadRequest(str(error)) from error


def _refuse_contradictions(common: CommonOptions, sentences: str | None, *, listed: bool) -> None:
    if sentences is None:
        return
    if common.sentence is not None:
        raise ValueError("--sentence is one document, --sentences a folder of them: give one")
    if listed:
        raise ValueError("--list is of one document: try --sentence, or --sentences … --dry-run")


def _do(
    options: RenderOptions,
    common: CommonOptions,
    script: str | None,
    *,
    listed: bool,
    dry_run: bool,
) -> int:
    """What is asked for, once it is known to make sense; ValueError where it yet doesn't."""
    from export.jobs import SceneError
    from export.preparing import prepare

    try:
        if listed and script is not None:
            return _write_script(options, script, common)
        if listed:
            return _list_beats(options)
        refuse_taken(options.files, force=options.force)
        prepared = prepare(options, script, planned=dry_run)
    except SceneError as failure:
        return refuse(f"can't plan {failure}", FAILED)
    return _foresee([prepared], common) if dry_run else _render([prepared], [""], common)


def _do_course(
    folder: str,
    options_of: Callable[[CommonOptions], RenderOptions],
    common: CommonOptions,
    script: str | None,
    *,
    dry_run: bool,
) -> int:
    """The same for a folder of documents; one that can't be rendered is told of, and left out."""
    from export.course import read_course
    from export.jobs import SceneError
    from export.preparing import prepare

    need_video_extra()
    course = read_course(folder, common, options_of)
    for order in course.orders[:1]:
        need_cluster_extra(order.options)
    refuse_taken((f for order in course.orders for f in order.options.files), force=common.force)
    complaints = list(course.complaints)
    prepared, names = [], []
    for order in course.orders:
        try:
            prepared.append(prepare(order.options, script, planned=dry_run))
            names.append(order.name)
        except (SceneError, ValueError) as failure:
            complaints.append(f"{order.name}: {failure}")
    for complaint in complaints:
        refuse(complaint)
    code = DONE
    if prepared:
        code = _foresee(prepared, common) if dry_run else _render(prepared, names, common)
    return FAILED if complaints else code


def need_video_extra() -> None:
    """Raise ValueError where the extra `video` isn't installed."""
    if missing := [name for name in ("manim", "av") if find_spec(name) is None]:
        raise ValueError(
            f"rendering needs {' and '.join(missing)}, which aren't installed: "
            "try pip install 'byhand[video]'"
        )


def need_cluster_extra(options: RenderOptions) -> None:
    """Raise ValueError where a cluster is asked for and the extra `cluster` isn't installed."""
    if options.cluster is not None and find_spec("distributed") is None:
        raise ValueError(
            "--cluster needs distributed, which isn't installed: try pip install 'byhand[cluster]'"
        )


def telling_of(common: CommonOptions) -> AbstractContextManager[Report]:
    """How a render tells how far it is, as was asked."""
    from export import progress

    if common.json:
        return progress.as_json()
    if common.quiet:
        return progress.as_nothing()
    return progress.as_bar() if sys.stderr.isatty() else progress.as_lines()


def _render(prepared: Sequence[Prepared], names: Sequence[str], common: CommonOptions) -> int:
    from export.pool import PoolError
    from export.rendering import Order, render_all

    make_folders(file for one in prepared for file in one.options.files)
    if not (common.json or common.quiet):
        for warning in (warning for one in prepared for warning in one.warnings):
            print(warning)
    orders = [Order(one.options, name) for one, name in zip(prepared, names, strict=True)]
    watched = not common.quiet and (common.json or sys.stderr.isatty())
    try:
        with telling_of(common) as report:
            rendered = render_all(orders, report, planned=watched)
    except PoolError as error:
        return refuse(str(error), FAILED)
    failures = [failure for one in rendered for failure in one.failures]
    for failure in failures:
        refuse(f"can't render {failure}")
    if common.json:
        files = [str(file) for one in rendered for file in one.files]
        say_json({"event": "done", "files": files})
    elif not common.quiet:
        # The film itself last, where the eye rests.
        for film, *beside in (film for one in rendered for film in one.films):
            print(*map(shown, (*beside, film)), sep="\n")
    return FAILED if failures else DONE


def _list_scenes(films: Sequence[Film]) -> int:
    """A line a scene: its name, its part, its title."""
    scenes = dict.fromkeys(scene for film in films for scene in film.scenes)
    width = max(len(scene.name) for scene in scenes)
    for scene in scenes:
        print(f"{scene.name:{width}}  {scene.part}  {scene.title}")
    return 0


def _list_beats(options: RenderOptions) -> int:
    """Every scene with its length, its beats and what they say, as one JSON list."""
    from export.rendering import plan_scenes

    plans = {plan.scene: plan for plan in plan_scenes(options)}
    say_json(
        [
            {
                "name": scene.name,
                "title": scene.title,
                "part": scene.part,
                "seconds": round(plans[scene.name].seconds, 3),
                "beats": [
                    {"title": beat.title, "caption": beat.caption, "start": round(beat.start, 3)}
                    for beat in plans[scene.name].beats
                ],
            }
            for scene in options.scenes
        ]
    )
    return 0


def _write_script(options: RenderOptions, script: str, common: CommonOptions) -> int:
    """What the scenes say, into the file `script`."""
    from export.rendering import plan_scenes
    from export.script import format_script

    file = Path(script)
    refuse_taken([file], force=options.force)
    make_folders([file])
    place_text(format_script(plan for plan in plan_scenes(options) if plan.beats), file)
    if common.json:
        say_json({"event": "done", "files": [str(file)]})
    elif not common.quiet:
        print(shown(file))
    return 0


def _foresee(prepared: Sequence[Prepared], common: CommonOptions) -> int:
    """Each file that there would be; for a video, how long."""
    from export.preparing import seconds_of

    films = [(one, film) for one in prepared for film in one.options.films]
    for one, film in films:
        options = one.options
        length = seconds_of(options, film, one.plans)
        main, *beside = options.files_of(film)
        if common.json:
            for file in (main, *beside):
                say_json({"event": "planned", "file": str(file), "seconds": round(length, 3)})
        elif not common.quiet:
            lasts = f"  {length:.1f} s" if options.format != "png" else ""
            print(shown(main) + lasts, *map(shown, beside), sep="\n")
    if common.json:
        say_json({"event": "done", "files": []})
    return 0
