"""`byhand render`: the lecture, a part of it, or scenes by themselves.

Importing this imports neither NumPy nor Manim, so that its help is instant.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import click

from export.cli import FAILED, refuse
from export.options import (
    CAPTIONS,
    FORMATS,
    MOTIONS,
    PACES,
    QUALITIES,
    Film,
    RenderOptions,
    choose_films,
)
from export.placing import make_folders, refuse_taken, shown
from export.sentence_options import BadRequest, CommonOptions, common_options

__all__ = ["render"]

_SIZES = ", ".join(
    f"{name} {q.width}×{q.height} at {q.frame_rate}" for name, q in QUALITIES.items()
)


@click.command(epilog="Scenes: byhand render --list. No name is the whole lecture.")
@click.argument("scenes", nargs=-1, metavar="[SCENE…|part1|part2|lecture]")
@click.option(
    "--quality",
    type=click.Choice(list(QUALITIES)),
    default="1080p",
    show_default=True,
    help=f"{_SIZES} frames a second.",
)
@click.option("--fps", type=int, metavar="N", help="Frames a second, if not the quality's.")
@click.option("--format", type=click.Choice(FORMATS), help="mp4, or a scene's last frame as png.")
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
@click.option("--jobs", type=int, metavar="N", help="Scenes at a time; default: one a core.")
@click.option("--list", "listed", is_flag=True, help="List the scenes; with --json, their beats.")
@click.option("--dry-run", is_flag=True, help="Say which files there would be, and how long.")
@common_options
def render(
    common: CommonOptions,
    scenes: tuple[str, ...],
    fps: int | None,
    listed: bool,
    dry_run: bool,
    **asked: Any,
) -> int:
    """Render scenes as video, with your sentence's numbers, captions and chapters."""
    try:
        films = choose_films(scenes)
        if listed and not common.json:
            return _list_scenes(films)
        sentence, head = common.read()
        options = RenderOptions(
            sentence=sentence,
            films=films,
            head=head,
            frame_rate=fps,
            theme=common.theme,
            rows=common.rows,
            digits=common.digits,
            font_scale=common.font_scale,
            output=common.output,
            force=common.force,
            embed=not common.no_source,
            **asked,
        )
        _need_video_extra()
        if listed:
            return _list_beats(options)
        refuse_taken(options.files, force=options.force)
        if dry_run:
            return _foresee(options, common)
        make_folders(options.files)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return _render(options, common)


def _need_video_extra() -> None:
    if missing := [name for name in ("manim", "av") if find_spec(name) is None]:
        raise ValueError(
            f"rendering needs {' and '.join(missing)}, which aren't installed: "
            "try pip install 'byhand[video]'"
        )


def _render(options: RenderOptions, common: CommonOptions) -> int:
    from export import progress
    from export.rendering import render_films

    watched = not common.quiet and (common.json or sys.stderr.isatty())
    if common.json:
        telling = progress.as_json()
    elif common.quiet:
        telling = progress.as_nothing()
    else:
        telling = progress.as_bar() if watched else progress.as_lines()
    with telling as report:
        rendered = render_films(options, report, planned=watched)
    for failure in rendered.failures:
        refuse(f"can't render {failure}")
    if common.json:
        _say_json({"event": "done", "files": list(map(str, rendered.files))})
    elif not common.quiet:
        # The film itself last, where the eye rests.
        for film, *beside in rendered.films:
            print(*map(shown, (*beside, film)), sep="\n")
    return 1 if rendered.failures else 0


def _list_scenes(films: Sequence[Film]) -> int:
    """A line a scene: its name, its part, its title."""
    scenes = dict.fromkeys(scene for film in films for scene in film.scenes)
    width = max(len(scene.name) for scene in scenes)
    for scene in scenes:
        print(f"{scene.name:{width}}  {scene.part}  {scene.title}")
    return 0


def _list_beats(options: RenderOptions) -> int:
    """Every scene with its length, its beats and what they say, as one JSON list."""
    from export.jobs import SceneError
    from export.rendering import plan_scenes

    try:
        plans = {plan.scene: plan for plan in plan_scenes(options)}
    except SceneError as failure:
        return refuse(f"can't plan {failure}", FAILED)
    _say_json(
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


def _foresee(options: RenderOptions, common: CommonOptions) -> int:
    """Each file that there would be; for a video, how long."""
    from export.jobs import SceneError
    from export.rendering import plan_scenes

    try:
        seconds = {plan.scene: plan.seconds for plan in plan_scenes(options)}
    except SceneError as failure:
        return refuse(f"can't plan {failure}", FAILED)
    for film in options.films:
        length = sum(seconds[scene.name] for scene in film.scenes)
        main, *beside = options.files_of(film)
        if common.json:
            for file in (main, *beside):
                _say_json({"event": "planned", "file": str(file), "seconds": round(length, 3)})
        elif not common.quiet:
            lasts = f"  {length:.1f} s" if options.format == "mp4" else ""
            print(shown(main) + lasts, *map(shown, beside), sep="\n")
    if common.json:
        _say_json({"event": "done", "files": []})
    return 0


def _say_json(data: object) -> None:
    print(json.dumps(data, ensure_ascii=False))
