"""One scene in one process: `python -P -m export.worker`, started by `export.pool`.

It reads one line from standard input, a JSON list of jobs, and does them in order. Messages
(`export.jobs`) go out as JSON lines on what was standard output; whatever Manim or a scene prints
goes to standard error instead. Standard input stays open as long as the parent lives: when it
closes, this process ends at once.

The current folder is private and empty, and so is HOME: no manim.cfg is found, and two renders
never meet.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from export.jobs import Done, Failed, Job, Message, Progress, Started
from export.placing import NO_ROOM, no_room

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scenes.beats import Beat
    from scenes.looks import PixelBox
    from scenes.settings import SceneSettings

__all__ = ["main"]

_BETWEEN_MESSAGES = 0.2


def main() -> int:
    """Do the jobs on standard input; 0 if all of them were done, 1 if one failed."""
    _die_with_parent()
    send = _private_channel()
    jobs = msgspec.json.decode(sys.stdin.buffer.readline(), type=list[Job])
    threading.Thread(target=_watch_parent, daemon=True).start()
    failures = [job for job in jobs if not _do(job, send)]
    return 1 if failures else 0


def _do(job: Job, send: Callable[[Message], None]) -> bool:
    try:
        send(_render(job, send))
    except Exception as error:
        send(Failed(job.scene, _one_line(error), traceback.format_exc()))
        return False
    return True


def _render(job: Job, send: Callable[[Message], None]) -> Done:
    from export.readings import places_read

    _configure_manim(job)
    scene_class = _scene_class(job.target)
    settings = _settings(job)
    send(Started(job.scene))
    match job.output:
        case "video":
            path, frames, beats = _film(scene_class, settings, job, send)
        case "still":
            path, frames, beats = _still(scene_class, settings, job)
        case "plan":
            path = ""
            frames, scene = _dry_run(scene_class, settings)
            beats = tuple(scene.beats)
    read = places_read(settings.sentence)
    return Done(job.scene, path, frames, job.frame_rate, beats, read)


def _film(
    scene_class: Any, settings: SceneSettings, job: Job, send: Callable[[Message], None]
) -> tuple[str, int, tuple[Beat, ...]]:
    """Every frame into one clip, through one encoder: no piece a movement, no joining."""
    from export.encoder import ClipEncoder, encoding_of
    from scenes.filming import Filming

    encoding = encoding_of(job.format, transparent=job.transparent)
    path = Path(f"{job.scene}.{encoding.container}")
    with ClipEncoder(
        path,
        width=job.width,
        height=job.height,
        frame_rate=job.frame_rate,
        encoding=encoding,
    ) as encoder:
        last, told = 0.0, 0

        def take(
            pixels: NDArray[np.uint8], repeat: int, changed: Sequence[PixelBox] | None
        ) -> None:
            nonlocal last, told
            begins, told = len(scene.beats) > told, len(scene.beats)
            encoder.write(_opened(pixels, job), repeat, begins=begins, changed=changed)
            if (now := time.monotonic()) - last > _BETWEEN_MESSAGES:
                send(Progress(job.scene, encoder.frames))
                last = now

        scene = scene_class(settings, renderer=Filming(take, job.first or 0, job.last))
        scene.render()
        if not encoder.frames:
            raise ValueError("the scene plays nothing, so there is nothing to film")
    send(Progress(job.scene, encoder.frames, encoder.frames))
    return str(path.absolute()), encoder.frames, _within(scene.beats, job)


def _within(beats: Sequence[Beat], job: Job) -> tuple[Beat, ...]:
    """The beats that were filmed, in the clip's own time."""
    if job.first is None:
        return tuple(beats)
    start = job.first / job.frame_rate
    half = 0.5 / job.frame_rate
    return tuple(_earlier(beat, start) for beat in beats if beat.start >= start - half)


def _earlier(beat: Beat, by: float) -> Beat:
    cues = (
        replace(cue, start=max(cue.start - by, 0.0), end=max(cue.end - by, 0.0))
        for cue in beat.cues
    )
    return replace(beat, start=max(beat.start - by, 0.0), end=beat.end - by, cues=tuple(cues))


def _still(
    scene_class: Any, settings: SceneSettings, job: Job
) -> tuple[str, int, tuple[Beat, ...]]:
    """A frame as a PNG that carries the document."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    from scenes.filming import Looking

    if job.first is None:
        frames, scene = _dry_run(scene_class, settings)
        pixels = scene.renderer.picture(scene)
    else:
        renderer = Looking(job.first)
        scene = scene_class(settings, renderer=renderer)
        scene.render()
        frames, pixels = job.first + 1, renderer.pixels
        if pixels is None:
            raise ValueError(f"the scene ends before its frame {job.first}")
    about = PngInfo()
    if job.embed:
        about.add_itxt("byhand", job.document)
    path = Path(f"{job.scene}.png")
    picture = Image.fromarray(_opened(pixels, job))
    picture.convert("RGBA" if job.transparent else "RGB").save(path, pnginfo=about)
    return str(path.absolute()), frames, tuple(scene.beats)


def _dry_run(scene_class: Any, settings: SceneSettings) -> tuple[int, Any]:
    """The scene told without drawing: how many frames that takes, and the scene at its end."""
    from scenes.filming import Counting

    scene = scene_class(settings, renderer=Counting(), skip_animations=True)
    scene.render()
    return scene.renderer.frames, scene


# Manim


def _configure_manim(job: Job) -> None:
    """Set every option of Manim's that a picture or a file depends on."""
    from manim import config

    from scenes.parts.layout import frame_size

    frame_width, frame_height = frame_size(job.width, job.height)
    config.update(
        {
            "renderer": "cairo",
            # Nothing of Manim's is written: frames go to our own encoder.
            "format": "none",
            "dry_run": False,
            "disable_caching": True,
            "disable_caching_warning": True,
            "save_sections": False,
            "write_all": False,
            "media_dir": ".",
            "log_to_file": False,
            "progress_bar": "none",
            "verbosity": "CRITICAL",
            "notify_outdated_version": False,
            "preview": False,
            "live_preview": False,
            "show_in_file_browser": False,
            "enable_gui": False,
            "from_animation_number": 0,
            "upto_animation_number": -1,
            "seed": 0,
            "background_opacity": 0.0 if job.transparent else 1.0,
            "pixel_width": job.width,
            "pixel_height": job.height,
            "frame_height": frame_height,
            "frame_width": frame_width,
            "frame_rate": job.frame_rate,
        }
    )


def _opened(pixels: NDArray[np.uint8], job: Job) -> NDArray[np.uint8]:
    """The frame as it goes into a file: a transparent one without the ground in its edges."""
    if not job.transparent:
        return pixels
    from engine.palette import THEMES
    from export.encoder import without_ground

    return without_ground(pixels, THEMES[job.theme].ground)


def _scene_class(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _settings(job: Job) -> SceneSettings:
    from engine.files import parse_sentence
    from export.readings import watched
    from scenes.settings import SceneSettings

    return SceneSettings(
        sentence=watched(parse_sentence(job.document.encode(), "the job's document")),
        head=job.head,
        theme=job.theme,
        digits=job.digits,
        rows=job.rows,
        pace=job.pace,
        motion=job.motion,
        captions=job.captions,
        font_scale=job.font_scale,
        script=job.script,
        describe=job.describe,
        card=job.card,
    )


# The process


def _private_channel() -> Callable[[Message], None]:
    """A way to the parent that nobody else here knows; prints go to standard error from now on."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    lock = threading.Lock()

    def send(message: Message) -> None:
        with lock:
            channel.write(msgspec.json.encode(message) + b"\n")
            channel.flush()

    return send


def _die_with_parent() -> None:
    """Linux ends us with the thread that started us; `_watch_parent` does elsewhere."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _watch_parent() -> None:
    """End when standard input does: the parent holds its other end, and is gone."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return no_room(Path.cwd())
    said = " ".join(str(error).split())
    kind = type(error).__name__
    return f"{kind}: {said}" if said else kind


if __name__ == "__main__":
    sys.exit(main())
