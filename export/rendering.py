"""A render from its options to its files: scenes side by side, films as soon as they are whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from engine.files import format_sentence
from export.jobs import Clip, Job, Message, Plan, Progress, SceneError
from export.options import Film, RenderOptions
from export.pool import CalledOffError, Children, plan_clips, render_clip
from export.writing import film_clips, write_film

__all__ = ["Event", "Planned", "Rendered", "Written", "jobs_of", "plan_scenes", "render_films"]


class Planned(Struct, frozen=True, tag_field="event", tag="planned"):
    """So many frames will the scene have."""

    scene: str
    frames: int
    seconds: float


class Written(Struct, frozen=True, tag_field="event", tag="written"):
    """A file is in its place."""

    file: str


Event = Message | Planned | Written
Report = Callable[[Event], None]


@dataclass(frozen=True)
class Rendered:
    """What a render has made, film by film (its own file, then those beside it), and what not."""

    films: tuple[tuple[Path, ...], ...]
    failures: tuple[SceneError, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that was made."""
        return tuple(file for film in self.films for file in film)


def jobs_of(options: RenderOptions, workspace: str = "") -> tuple[Job, ...]:
    """A job a scene, in order; private folders go into `workspace`."""
    document = format_sentence(options.sentence)
    return tuple(
        Job(
            scene=piece.entry.name,
            target=piece.entry.target,
            document=document,
            output="still" if options.format == "png" else "video",
            format=options.format or "mp4",
            transparent=options.transparent,
            first=None if options.cut is None else options.cut.first,
            last=None if options.cut is None else options.cut.last,
            embed=options.embed,
            workspace=workspace,
            head=options.head,
            theme=options.theme,
            digits=options.digits,
            rows=options.rows,
            pace=options.pace,
            motion=options.motion,
            captions=options.burns_captions,
            font_scale=options.font_scale,
            width=options.size.width,
            height=options.size.height,
            frame_rate=options.size.frame_rate,
            describe=any(map(options.is_whole, options.films)),
            card=piece.card,
            script=options.script.get(piece.entry.name, ()),
        )
        for piece in options.pieces
    )


def plan_scenes(options: RenderOptions) -> tuple[Plan, ...]:
    """How long each scene will be and what it says when; nothing is drawn or written.

    Raises SceneError where a scene can't be told.
    """
    with tempfile.TemporaryDirectory(prefix="byhand-") as workspace, Children() as children:
        plans = []
        for plan in plan_clips(jobs_of(options, workspace), children=children):
            if isinstance(plan, SceneError):
                raise plan
            plans.append(plan)
        return tuple(plans)


def render_films(options: RenderOptions, report: Report, *, planned: bool) -> Rendered:
    """Render the films of `options` into their places, each as soon as its scenes are done.

    report gets every event, from several threads; `planned` has the scenes counted beside the
    work, so that progress says of how many frames. A scene that fails doesn't hold up the others;
    of a joined film that lacks one, the scenes that are done become files of their own.
    """
    with ExitStack() as stack:
        workspace = stack.enter_context(tempfile.TemporaryDirectory(prefix="byhand-"))
        executor = stack.enter_context(ThreadPoolExecutor(options.workers))
        counter = stack.enter_context(ThreadPoolExecutor(1))
        # Closed first: executors wait for their threads, and they for their processes.
        children = stack.enter_context(Children())
        jobs = jobs_of(options, workspace)
        if planned:
            report = _with_frames(report, jobs, children, counter)
        futures = {executor.submit(render_clip, job, report, children): job for job in jobs}
        clips: dict[str, Clip] = {}
        failures: list[SceneError] = []
        written: dict[str, tuple[Path, ...]] = {}

        def write(film: Film, main: Path | None = None) -> None:
            files = written[film.name] = options.files_of(film, main)
            parts = film_clips(options, film, clips)
            assert parts is not None
            write_film(options, film, parts, files, workspace)
            report(Written(str(files[0])))

        for future in as_completed(futures):
            scene = futures[future].scene
            try:
                clips[scene] = future.result()
            except SceneError as failure:
                failures.append(failure)
                continue
            for film in options.films:
                names = [piece.entry.name for piece in options.pieces_of(film)]
                if scene in names and film_clips(options, film, clips) is not None:
                    write(film)
        for film in _apart(options, clips):
            main = options.folder / f"{film.name}.{options.format}"
            # Nobody could ask before the work: these files were meant to be one.
            if options.force or not any(map(os.path.lexists, options.files_of(film, main))):
                write(film, main)
        asked = [film.name for film in options.films]
        in_order = sorted(written, key=lambda name: asked.index(name) if name in asked else -1)
        return Rendered(tuple(written[name] for name in in_order), tuple(failures))


def _apart(options: RenderOptions, clips: Mapping[str, Clip]) -> list[Film]:
    """The scenes that are done, of joined films that aren't whole."""
    broken = [film for film in options.films if film_clips(options, film, clips) is None]
    done = [Film.of(s) for film in broken for s in film.scenes if s.name in clips]
    return [film for film in dict.fromkeys(done) if film not in options.films]


def _with_frames(
    report: Report, jobs: Sequence[Job], children: Children, executor: ThreadPoolExecutor
) -> Report:
    """`report`, told also how many frames there will be, once that is counted."""
    frames: dict[str, int] = {}

    def count() -> None:
        # Why a scene can't be planned is told by its own job.
        with suppress(SceneError, CalledOffError):
            for plan in plan_clips(jobs, children=children):
                if isinstance(plan, Plan):
                    frames[plan.scene] = plan.frames
                    report(Planned(plan.scene, plan.frames, plan.seconds))

    def fuller(event: Event) -> None:
        if isinstance(event, Progress) and not event.frames:
            event = Progress(event.scene, event.frame, frames.get(event.scene, 0))
        report(event)

    executor.submit(count)
    return fuller
