"""Clips, plans and films' side files that were made already, kept for the next render.

What a clip depends on is its name. The folder it is kept in is named after all that was asked for
(every field of its job but the workspace), the rest of the document, and `dependencies.here`; the
file in it after the words and heads that its scene has read (`export.readings`), and what stood
there. So a lookup knows the folder, sees from any file in it what was read, and looks whether the
document says the same in these places.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import msgspec

from engine.files import parse_sentence
from engine.sentence import Sentence
from export.dependencies import beside_films, digest, here, module_source
from export.jobs import Clip, Job, Plan
from export.options import Film, RenderOptions
from export.readings import read_at, unread
from export.store import Entry, Store, limit, store_folder
from scenes.beats import Beat

__all__ = ["KeptClips", "as_plan", "asked_digest", "film_name", "kept_clips"]

ELSEWHERE = ("workspace",)
"""What of a job has no part in its picture: where it is drawn."""

AROUND = ("output", "force", "jobs", "films", "cluster", "keep")
"""What of the options has no part in a film's files: where they go, and who draws."""


class _About(msgspec.Struct, frozen=True):
    """What is kept of a scene besides its file."""

    read: tuple[str, ...]
    frames: int
    frame_rate: int
    beats: tuple[Beat, ...]
    suffix: str = ""


@dataclass(frozen=True)
class KeptClips:
    """What was made already; without a store nothing is found, and nothing kept."""

    store: Store | None

    def clip(self, job: Job) -> Clip | None:
        """The clip of a job, in a folder of its own in the workspace; None if it isn't kept."""
        for entry, about in self._found(job):
            assert self.store is not None
            target = Path(tempfile.mkdtemp(prefix="clip-", dir=job.workspace or None))
            target /= f"{job.scene}{about.suffix}"
            if self.store.lay_out(entry, [target]):
                return Clip(
                    job.scene, about.frames, about.frame_rate, about.beats, target, read=about.read
                )
            shutil.rmtree(target.parent, ignore_errors=True)
        return None

    def plan(self, job: Job) -> Plan | None:
        """The plan of a job; None where it isn't kept."""
        for _, about in self._found(as_plan(job)):
            return Plan(job.scene, about.frames, about.frame_rate, about.beats, read=about.read)
        return None

    def keep_clip(self, job: Job, clip: Clip) -> None:
        """Keep the clip that a job has given."""
        self._keep(job, clip, [clip.path])

    def keep_plan(self, job: Job, plan: Plan) -> None:
        """Keep the plan that a job has given."""
        self._keep(as_plan(job), plan, [])

    def files(self, name: str | None, targets: Sequence[Path]) -> bool:
        """Write a film's files, kept under a name of `film_name`'s; False if they aren't."""
        if self.store is None or name is None:
            return False
        entry = self.store.find(name, "film")
        return entry is not None and self.store.lay_out(entry, targets)

    def keep_files(self, name: str | None, files: Sequence[Path]) -> None:
        """Keep files of a film under a name of `film_name`'s."""
        if self.store is not None and name is not None and files:
            self.store.keep(name, "film", None, files)

    def _found(self, job: Job) -> Iterator[tuple[Entry, _About]]:
        if self.store is None or (folder := asked_digest(job)) is None:
            return
        sentence = _sentence_of(job.document)
        tried: dict[str, str] = {}
        for name in self.store.names(folder):
            places, _, said = name.partition("-")
            if places not in tried:
                if (about := _about(self.store.find(folder, name))) is None:
                    continue
                tried[places] = _said(sentence, about.read)
            if said == tried[places]:
                entry = self.store.find(folder, name)
                if entry is not None and (about := _about(entry)) is not None:
                    yield entry, about

    def _keep(self, job: Job, told: Plan, files: Sequence[Path]) -> None:
        if self.store is None or told.read is None or (folder := asked_digest(job)) is None:
            return
        suffix = files[0].suffix if files else ""
        about = _About(told.read, told.frames, told.frame_rate, told.beats, suffix)
        name = f"{digest(*told.read)[:16]}-{_said(_sentence_of(job.document), told.read)}"
        self.store.keep(folder, name, about, files)


@contextmanager
def kept_clips(*, wanted: bool = True) -> Iterator[KeptClips]:
    """What is kept in the user's own folder, trimmed to its limit in the end."""
    most = limit()
    store = Store(store_folder(), most) if wanted and most else None
    try:
        yield KeptClips(store)
    finally:
        if store is not None:
            store.trim()


def as_plan(job: Job) -> Job:
    """The job that only plans what `job` draws."""
    return msgspec.structs.replace(job, output="plan")


def asked_digest(job: Job) -> str | None:
    """A name for all that a job's picture depends on, but for what its scene reads by itself.

    None where a module that it is drawn by can't be looked into.
    """
    sources = [module_source(target.partition(":")[0]) for target in _targets(job)]
    if any(source is None for source in sources):
        return None
    sentence = _sentence_of(job.document)
    # A still carries its document, whatever it shows.
    whole = job.output == "still" and job.embed
    rest = sentence if whole else unread(sentence)
    asked = {
        name: value
        for name, value in msgspec.structs.asdict(job).items()
        if name not in (*ELSEWHERE, "document")
    }
    surroundings = (f"{name}: {value}" for name, value in here().items())
    return digest(
        msgspec.json.encode(asked, order="deterministic"),
        msgspec.json.encode(rest),
        *(source for source in sources if source is not None),
        *surroundings,
    )


def film_name(
    options: RenderOptions, film: Film, jobs: Sequence[Job], clips: Sequence[Clip]
) -> str | None:
    """A name for all that a film's side files depend on; None where that isn't known.

    jobs and clips are the film's, in order.
    """
    parts: list[str] = []
    for job, clip in zip(jobs, clips, strict=True):
        folder = asked_digest(job)
        if clip.read is None or folder is None:
            return None
        parts += [folder, _said(_sentence_of(job.document), clip.read)]
    asked = (f"{f.name}={getattr(options, f.name)!r}" for f in fields(options))
    told = [one for one in asked if one.partition("=")[0] not in AROUND]
    return digest(repr(film), beside_films(), *told, *parts)


def _about(entry: Entry | None) -> _About | None:
    """What is kept of a scene besides its file; None where it was written otherwise than we do."""
    try:
        return None if entry is None else msgspec.json.decode(entry.about, type=_About)
    except msgspec.MsgspecError:
        return None


@lru_cache(maxsize=64)
def _sentence_of(document: str) -> Sentence:
    return parse_sentence(document.encode(), "the job's document")


def _said(sentence: Sentence, places: Sequence[str]) -> str:
    """A name for what a sentence says in these places."""
    return digest(msgspec.json.encode([(place, read_at(sentence, place)) for place in places]))


def _targets(job: Job) -> list[str]:
    """Whose code draws: the scene, and for a card the scene that it announces."""
    return [job.target] if job.card is None else [job.target, job.card.target]
