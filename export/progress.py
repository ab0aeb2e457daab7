"""How a render tells how far it is: a bar on a terminal, lines in a pipe, JSON, or nothing."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec

from export.jobs import Done, Failed, Progress, Started
from export.orders import Event, Kept, Planned, Report

__all__ = ["Report", "as_bar", "as_json", "as_lines", "as_nothing", "say"]

_SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def as_nothing() -> Iterator[Report]:
    """Say nothing."""
    yield lambda event: None


@contextmanager
def as_json() -> Iterator[Report]:
    """A JSON object a line, on standard output; a scene that is done is an event "rendered".

    One that was rendered earlier, and is taken as it is, is "kept".
    """

    def report(event: Event) -> None:
        if isinstance(event, Done | Kept):
            seconds = round(event.frames / event.frame_rate, 3)
            said = {"event": "rendered", "scene": event.scene, "seconds": seconds}
            if isinstance(event, Kept):
                said["kept"] = True
        else:
            said = msgspec.to_builtins(event)
        # Not msgspec's encoder: a file's name may be no UTF-8.
        say(json.dumps(said, ensure_ascii=False))

    yield report


@contextmanager
def as_lines() -> Iterator[Report]:
    """Plain lines on standard output: a scene's begin and end, and now and then how far it is."""
    last: dict[str, float] = {}

    def report(event: Event) -> None:
        match event:
            case Started(scene):
                last[scene] = time.monotonic()
                say(f"{scene}: started")
            case Progress(scene, frame) if time.monotonic() - last[scene] > _SECONDS_BETWEEN_LINES:
                last[scene] = time.monotonic()
                say(f"{scene}: {frame} frames")
            case Done(scene, _, frames, frame_rate):
                say(f"{scene}: done, {frames / frame_rate:.1f} s")
            case Kept(scene, frames, frame_rate):
                say(f"{scene}: as it was, {frames / frame_rate:.1f} s")

    yield report


@contextmanager
def as_bar() -> Iterator[Report]:
    """A bar a scene and one for all of it, with the time left, on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("frames"),
        TimeRemainingColumn(),
    )
    lock = threading.Lock()
    tasks: dict[str, TaskID] = {}
    drawn: dict[str, int] = {}
    totals: dict[str, int] = {}
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        whole = bars.add_task("all", total=None)

        def show(scene: str) -> None:
            if scene in tasks:
                bars.update(tasks[scene], completed=drawn.get(scene, 0), total=totals.get(scene))
            # Before every scene is counted, the whole has no end yet.
            total = sum(totals.values()) if totals.keys() >= drawn.keys() else None
            bars.update(whole, completed=sum(drawn.values()), total=total)

        def report(event: Event) -> None:
            with lock:
                match event:
                    case Planned(scene, frames):
                        totals[scene] = frames
                        show(scene)
                    case Kept(scene, frames):
                        drawn[scene] = frames
                        show(scene)
                    case Started(scene):
                        # Once more, where a worker of a cluster was lost.
                        drawn[scene] = 0
                        if scene not in tasks:
                            tasks[scene] = bars.add_task(scene, total=None)
                        show(scene)
                    case Progress(scene, frame):
                        drawn[scene] = frame
                        show(scene)
                    case Done(scene) | Failed(scene):
                        if scene in tasks:
                            bars.remove_task(tasks.pop(scene))

        yield report


def say(line: str) -> None:
    """One line on standard output, whole even where several threads speak.

    It is only news: where nobody reads it any more, the work goes on.
    """
    with suppress(OSError):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
