"""A render as the window runs it: the command in a process of its own, which ends when we do.

What is rendered is the document as it was at the start: it is written beside, and the process
reads that. The process's standard input stays open as long as the window wants it to go on.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from desktop.__main__ import ATTENDED
from engine import Sentence, write_sentence
from export.options import RenderOptions

__all__ = ["Progress", "Render", "Work", "arguments_of", "command", "missing_packages"]

_PATIENCE = 4000
"""How long, in ms, a process may take to end by itself once its input is closed."""


def missing_packages() -> tuple[str, ...]:
    """Of what video needs, what isn't installed here."""
    return tuple(name for name in ("manim", "av") if find_spec(name) is None)


def command() -> list[str]:
    """How byhand's own command line is started from here."""
    if getattr(sys, "frozen", False):
        return [sys.executable]  # the app itself
    return [sys.executable, "-P", "-m", "desktop"]


def arguments_of(options: RenderOptions, sentence_file: Path) -> list[str]:
    """What the command is told for the same render; --force, since the window has asked that."""
    output = [] if options.output is None else ["-o", os.path.abspath(options.output)]
    return [
        "render",
        *(film.name for film in options.films),
        "--sentence", str(sentence_file),
        "--head", str(options.head + 1),
        "--quality", options.quality,
        "--format", options.format or "mp4",
        "--captions", options.captions,
        "--pace", options.pace,
        "--motion", options.motion,
        "--theme", options.theme,
        "--rows", options.rows,
        "--digits", str(options.digits),
        "--jobs", str(options.workers),
        *output,
        *([] if options.embed else ["--no-source"]),
        "--force",
        "--json",
    ]  # fmt: skip


@dataclass
class Progress:
    """How far a render is, from the events that it tells."""

    scenes: int
    frames: dict[str, int] = field(default_factory=dict)
    drawn: dict[str, int] = field(default_factory=dict)
    finished: set[str] = field(default_factory=set)
    at_work: str = ""
    began: float | None = None

    def hear(self, event: dict[str, object], now: float) -> None:
        """Take in one event of `byhand render --json`."""
        scene = str(event.get("scene", ""))
        match event.get("event"):
            case "planned":
                self.frames[scene] = _number(event.get("frames"))
            case "started":
                self.at_work = scene
                self.began = now if self.began is None else self.began
            case "progress":
                self.at_work = scene
                self.drawn[scene] = _number(event.get("frame"))
            case "rendered" | "failed":
                self.finished.add(scene)
                self.drawn[scene] = self.frames.get(scene, self.drawn.get(scene, 0))

    @property
    def share(self) -> float | None:
        """How much is drawn, 0 to 1; None before every scene's frames are counted."""
        total = sum(self.frames.values())
        if len(self.frames) < self.scenes or not total:
            return len(self.finished) / self.scenes if self.finished else None
        drawn = sum(min(self.drawn.get(scene, 0), n) for scene, n in self.frames.items())
        return drawn / total

    def seconds_left(self, now: float) -> float | None:
        """How long it will take yet, at the pace so far; None while that can't be told."""
        share = self.share
        if self.began is None or share is None or share < 0.02:
            return None
        return (now - self.began) * (1 - share) / share


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


class Work(QObject):
    """One command at work on a sentence, begun at once; `noun` is what it is called.

    arguments says, given the sentence's file, what the command is told; scenes is how many it will
    count the frames of. progressed: there is news. ended: it is over, `outcome` says in words how,
    `files` what there is now; `succeeded` whether all went well.
    """

    progressed = Signal()
    ended = Signal()
    noun = "work"

    def __init__(
        self,
        sentence: Sentence,
        arguments: Callable[[Path], list[str]],
        scenes: int,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.progress = Progress(scenes)
        self.outcome = ""
        self.files: tuple[Path, ...] = ()
        self.succeeded = False
        self.is_running = True
        self._cancelled = False
        self._unread = b""
        self._complaints = b""
        self._folder = Path(tempfile.mkdtemp(prefix="byhand-"))
        document = self._folder / "as-it-was.byhand.json"
        write_sentence(sentence, document)
        self._killing = QTimer(self)
        self._killing.setSingleShot(True)
        self._killing.setInterval(_PATIENCE)
        self._process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        # Its temporary files go with ours, however it ends.
        environment.insert("TMPDIR", str(self._folder))
        environment.remove("QT_QPA_PLATFORM")
        self._process.setProcessEnvironment(environment)
        self._process.readyReadStandardOutput.connect(self._hear)
        self._process.readyReadStandardError.connect(self._hear_complaints)
        self._process.errorOccurred.connect(self._could_not_start)
        self._process.finished.connect(self._finished)
        self._killing.timeout.connect(self._process.kill)
        program, *before = command()
        self._process.start(program, [*before, ATTENDED, *arguments(document)])

    def cancel(self) -> None:
        """Call it off; `ended` comes when its processes are gone."""
        if self.is_running and not self._cancelled:
            self._cancelled = True
            self._process.closeWriteChannel()
            self._killing.start()

    def close(self) -> None:
        """Call it off and wait until it is gone."""
        if not self.is_running:
            return
        self.cancel()
        self._killing.stop()
        if not self._process.waitForFinished(_PATIENCE):
            self._process.kill()
            self._process.waitForFinished(_PATIENCE)

    def _hear(self) -> None:
        self._unread += self._process.readAllStandardOutput().data()
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                continue  # somebody else has printed
            if isinstance(event, dict):
                self._take(event)
        self.progressed.emit()

    def _take(self, event: dict[str, object]) -> None:
        self.progress.hear(event, time.monotonic())
        files = event.get("files")
        if event.get("event") == "done" and isinstance(files, list):
            self.files = tuple(Path(str(file)) for file in files)

    def _hear_complaints(self) -> None:
        self._complaints = (self._complaints + self._process.readAllStandardError().data())[-8000:]

    def _could_not_start(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._end(f"The {self.noun} can't be started: {self._process.errorString()}.")

    def _finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._hear()
        self._hear_complaints()
        said = self._complaints.decode(errors="replace").strip().splitlines()
        reason = said[-1].removeprefix("byhand: ") if said else ""
        if self._cancelled:
            self._end(f"The {self.noun} was cancelled.")
        elif status == QProcess.ExitStatus.CrashExit:
            self._end(f"The {self.noun} ended unexpectedly: its process was killed or crashed.")
        elif code == 0:
            self.succeeded = True
            self._end(f"{self._made()}.")
        elif self.files:
            self._end(f"{self._made()}, but not all: {reason}")
        else:
            self._end(f"The {self.noun} failed: {reason or f'exit code {code}'}")

    def _made(self) -> str:
        """What there is now, in words."""
        raise NotImplementedError

    def _end(self, outcome: str) -> None:
        if not self.is_running:
            return
        self.is_running = False
        self.outcome = outcome
        self._killing.stop()
        shutil.rmtree(self._folder, ignore_errors=True)
        self.ended.emit()


class Render(Work):
    """One render."""

    noun = "render"

    def __init__(self, options: RenderOptions, parent: QObject | None = None) -> None:
        self.options = options
        super().__init__(
            options.sentence, partial(arguments_of, options), len(options.scenes), parent
        )

    def _made(self) -> str:
        films = [file.name for file in self.files if file.suffix in (".mp4", ".png")]
        return f"Rendered {', '.join(films) if len(films) < 4 else f'{len(films)} videos'}"
