"""Scenes rendered in processes of their own, on any `concurrent.futures.Executor`.

`executor.map(render_clip, jobs)` gives the clips: jobs and clips pickle, and the work is done in
child processes, so that threads do.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self

import msgspec

from export.jobs import Clip, Done, Failed, Job, Message, Plan, SceneError

__all__ = [
    "CalledOffError",
    "Children",
    "Draw",
    "PoolError",
    "local_pool",
    "plan_clips",
    "render_clip",
]

Report = Callable[[Message], None]
Draw = Callable[[Job, Report], "Future[Clip]"]
"""Has a scene drawn by whoever is free; what comes of it is `render_clip`'s."""


class CalledOffError(Exception):
    """The render was called off; its processes are gone."""


class PoolError(Exception):
    """Nobody can draw: why, in one line."""


class Children:
    """The processes that run now, so that they can all be ended at once.

    `cancel` ends them and refuses new ones. Use as a context: whatever still runs when it closes
    is ended, by an exception or by Ctrl+C as well.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._cancelled = False

    def start(self, folder: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Start a worker in a folder of its own; raises CalledOffError after `cancel`."""
        with self._lock:
            if self._cancelled:
                raise CalledOffError
            process = _start_worker(folder, log)
            self._running.add(process)
            return process

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End a worker, and all that it started."""
        _kill_group(process)
        process.wait()
        with self._lock:
            self._running.discard(process)

    def cancel(self) -> None:
        """End every worker; whoever waits for one gets CalledOffError."""
        with self._lock:
            self._cancelled = True
            for process in self._running:
                _kill_group(process)

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()


def render_clip(job: Job, report: Report | None = None, children: Children | None = None) -> Clip:
    """The clip of one scene, rendered in a process and a private folder of its own.

    report gets each message as it comes. Raises SceneError where the scene can't be rendered,
    CalledOffError where `children` was cancelled. The clip's file stays where it is, for its
    reader to take and remove.
    """
    (told,) = _run([job], report, children)
    if isinstance(told, Failed):
        raise _error(told)
    return Clip(
        told.scene, told.frames, told.frame_rate, told.beats, Path(told.path), read=told.read
    )


@contextmanager
def local_pool(workers: int) -> Iterator[Draw]:
    """This machine, so many scenes at a time; what still runs in the end is ended."""
    # Closed first are the children: the executor waits for its threads, and they for them.
    with ThreadPoolExecutor(workers) as executor, Children() as children:
        yield lambda job, report: executor.submit(render_clip, job, report, children)


def plan_clips(
    jobs: Sequence[Job], report: Report | None = None, children: Children | None = None
) -> Iterator[Plan | SceneError]:
    """How long each scene is and what it says when: all in one process, nothing drawn.

    Plans come as they are made, with a SceneError in place of each that can't be.
    """
    plans = [msgspec.structs.replace(job, output="plan") for job in jobs]
    for told in _run(plans, report, children):
        if isinstance(told, Failed):
            yield _error(told)
        else:
            yield Plan(told.scene, told.frames, told.frame_rate, told.beats, read=told.read)


def _error(told: Failed) -> SceneError:
    return SceneError(told.scene, told.message, told.traceback)


def _run(
    jobs: Sequence[Job], report: Report | None, children: Children | None
) -> Iterator[Done | Failed]:
    """What comes of each job, in one worker; its folder stays, unless the worker was ended."""
    folder = Path(tempfile.mkdtemp(prefix="clip-", dir=jobs[0].workspace or None))
    try:
        with tempfile.TemporaryFile() as log:
            yield from _listen(jobs, folder, log, report, children or Children())
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _listen(
    jobs: Sequence[Job],
    folder: Path,
    log: IO[bytes],
    report: Report | None,
    children: Children,
) -> Iterator[Done | Failed]:
    scenes = [job.scene for job in jobs]
    with children.start(folder, log) as process:
        try:
            _tell(process, jobs)
            assert process.stdout is not None
            for line in process.stdout:
                if not line.endswith(b"\n"):
                    break  # It was ended in mid-word.
                message = msgspec.json.decode(line, type=Message)
                if report is not None:
                    report(message)
                if isinstance(message, Done | Failed):
                    scenes.remove(message.scene)
                    yield message
                if not scenes:
                    return
            if children.cancelled:
                raise CalledOffError
            how = _ending(process.wait())
            raise SceneError(scenes[0], f"its process ended with {how}", _text(log))
        finally:
            children.end(process)


def _start_worker(folder: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """A worker that leads a process group: Ctrl+C in the terminal reaches only us."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "export.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=folder,
        env=_environment(folder),
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        process_group=None if sys.platform == "win32" else 0,
    )


def _environment(folder: Path) -> dict[str, str]:
    """The environment of a worker: no settings of the user's, but his fonts and his packages."""
    home = os.environ.get("HOME") or str(Path.home())
    private = {
        # Manim obeys ~/.config/manim/manim.cfg.
        "HOME": str(folder),
        "USERPROFILE": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        # Fonts that he installed, their index, and packages of `pip install --user`.
        "XDG_DATA_HOME": os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"),
        "PYTHONUSERBASE": site.getuserbase(),
        # Packages of Manim's look it up even where there is none.
        "PATH": os.environ.get("PATH", os.defpath),
        # The same bytes each time, whatever the locale; scenes share the cores, not one product.
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    return {**os.environ, **private}


def _tell(process: subprocess.Popen[bytes], jobs: Sequence[Job]) -> None:
    """Hand the jobs over; the pipe stays open, and tells the worker that we live."""
    assert process.stdin is not None
    # Where it is gone already, its silence is told by the reader.
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(msgspec.json.encode(jobs) + b"\n")
        process.stdin.flush()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _ending(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _text(log: IO[bytes]) -> str:
    """The last that the worker wrote to standard error."""
    log.seek(0)
    return log.read().decode(errors="replace")[-4000:]
