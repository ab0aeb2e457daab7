"""What is to be rendered, scene by scene, and what becomes of it as the scenes come in."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from engine.files import format_sentence
from export.jobs import Clip, Job, Message, SceneError
from export.kept_clips import KeptClips, film_name
from export.options import Film, RenderOptions
from export.placing import place_file
from export.writing import film_clips, write_beside, write_main

__all__ = ["Event", "Kept", "Order", "Planned", "Rendered", "Report", "Work", "Written", "jobs_of"]


class Planned(Struct, frozen=True, tag_field="event", tag="planned"):
    """So many frames will the scene have."""

    scene: str
    frames: int
    seconds: float


class Kept(Struct, frozen=True, tag_field="event", tag="kept"):
    """The scene was rendered earlier, and nothing has changed."""

    scene: str
    frames: int
    frame_rate: int


class Written(Struct, frozen=True, tag_field="event", tag="written"):
    """A file is in its place."""

    file: str


Event = Message | Planned | Kept | Written
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


@dataclass(frozen=True)
class Order:
    """One of several renders: its options, and the name that its scenes are told apart by."""

    options: RenderOptions
    name: str = ""

    def called(self, scene: str) -> str:
        """A scene's name among those of all orders."""
        return f"{self.name}/{scene}" if self.name else scene


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


class Work:
    """An order while its scenes come in: films are written as soon as they are whole."""

    def __init__(self, order: Order, kept: KeptClips, report: Report, workspace: str) -> None:
        self.order = order
        self._kept = kept
        self._report = report
        # A folder of its own: it goes as soon as the order is done.
        self._workspace = tempfile.mkdtemp(prefix="order-", dir=workspace)
        self._jobs = {job.scene: job for job in jobs_of(order.options, self._workspace)}
        self._left = set(self._jobs)
        self._clips: dict[str, Clip] = {}
        self._failures: list[SceneError] = []
        self._written: dict[str, tuple[Path, ...]] = {}

    def take_kept(self) -> list[Job]:
        """Take what was rendered earlier; the jobs that are left to do."""
        missing = []
        for job in self._jobs.values():
            if (clip := self._kept.clip(job)) is None:
                missing.append(job)
                continue
            called = self.order.called(job.scene)
            self._report(Planned(called, clip.frames, clip.seconds))
            self._report(Kept(called, clip.frames, clip.frame_rate))
            self._take(clip)
        return missing

    def add(self, clip: Clip) -> None:
        """Take a clip that was drawn, and write the films that are whole with it."""
        self._kept.keep_clip(self._jobs[clip.scene], clip)
        self._take(clip)

    def fail(self, failure: SceneError) -> None:
        """Do without a scene."""
        name = self.order.called(failure.scene)
        self._failures.append(SceneError(name, failure.message, failure.traceback))
        self._done(failure.scene)

    def rendered(self) -> Rendered:
        """What was made, once every scene is in or has failed."""
        asked = [film.name for film in self.order.options.films]
        in_order = sorted(self._written, key=lambda n: asked.index(n) if n in asked else -1)
        return Rendered(tuple(self._written[name] for name in in_order), tuple(self._failures))

    def _take(self, clip: Clip) -> None:
        self._clips[clip.scene] = clip
        options = self.order.options
        for film in options.films:
            names = [piece.entry.name for piece in options.pieces_of(film)]
            if clip.scene in names and film_clips(options, film, self._clips) is not None:
                self._write(film)
        self._done(clip.scene)

    def _done(self, scene: str) -> None:
        self._left.discard(scene)
        if self._left:
            return
        options = self.order.options
        for film in self._apart():
            main = options.folder / f"{film.name}.{options.format}"
            # Nobody could ask before the work: these files were meant to be one.
            if options.force or not any(map(os.path.lexists, options.files_of(film, main))):
                self._write(film, main)
        shutil.rmtree(self._workspace, ignore_errors=True)

    def _apart(self) -> list[Film]:
        """The scenes that are done, of joined films that aren't whole."""
        options, clips = self.order.options, self._clips
        broken = [film for film in options.films if film_clips(options, film, clips) is None]
        done = [Film.of(s) for film in broken for s in film.scenes if s.name in clips]
        return [film for film in dict.fromkeys(done) if film not in options.films]

    def _write(self, film: Film, main: Path | None = None) -> None:
        options = self.order.options
        files = self._written[film.name] = options.files_of(film, main)
        clips = film_clips(options, film, self._clips)
        assert clips is not None
        if options.format != "gif":
            write_main(options, film, clips, files[0], self._workspace)
        if not self._place_kept(film, clips, files):
            if options.format == "gif":
                write_main(options, film, clips, files[0], self._workspace)
            write_beside(options, film, clips, files[1:], self._workspace)
            self._kept.keep_files(self._name(film, clips), self._costly(film, files))
        self._report(Written(str(files[0])))

    def _place_kept(self, film: Film, clips: list[Clip], files: tuple[Path, ...]) -> bool:
        """Put what took long to make in its place, if it is kept; whether it was."""
        costly = self._costly(film, files)
        taken = [Path(self._workspace, f"kept-{file.name}") for file in costly]
        if not costly or not self._kept.files(self._name(film, clips), taken):
            return False
        for source, file in zip(taken, costly):
            place_file(source, file)
        return True

    def _costly(self, film: Film, files: tuple[Path, ...]) -> tuple[Path, ...]:
        """Of a film's files those that take long; clips are joined in a moment."""
        if self.order.options.format == "gif":
            return files
        return files[1:] if self.order.options.is_whole(film) else ()

    def _name(self, film: Film, clips: list[Clip]) -> str | None:
        jobs = [self._jobs[clip.scene] for clip in clips]
        return film_name(self.order.options, film, jobs, clips)
