"""What the command and its workers say to each other: jobs out, messages back, clips kept.

Plain data that pickles and goes through JSON, so that any executor can carry it. No Manim here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from scenes.beats import Beat
from scenes.settings import Card, Line

__all__ = ["Clip", "Done", "Failed", "Job", "Message", "Plan", "Progress", "SceneError", "Started"]


class Job(Struct, frozen=True, kw_only=True):
    """One scene to be rendered, and all that its picture depends on.

    output: "video" is a clip encoded for `format`, "still" a PNG, "plan" nothing but beats and
    frames. first and last are the frames to film (last not included, None for all); of a still,
    first is the frame to draw, None the last. document is the sentence as text; embed says whether
    the file carries it. workspace is the folder to make private folders in, "" for the system's.
    describe has each beat say what is on the stage as it ends. card and script are
    `scenes.settings.SceneSettings`'s.
    """

    scene: str
    target: str
    document: str
    output: Literal["video", "still", "plan"] = "video"
    format: str = "mp4"
    transparent: bool = False
    first: int | None = None
    last: int | None = None
    embed: bool = True
    workspace: str = ""
    head: int = 0
    theme: str = "light"
    digits: int = 2
    rows: str = "queries"
    pace: str = "normal"
    motion: str = "full"
    captions: bool = True
    font_scale: float = 1.0
    width: int = 1920
    height: int = 1080
    frame_rate: int = 30
    describe: bool = False
    card: Card | None = None
    script: tuple[Line, ...] = ()


class Started(Struct, frozen=True, tag_field="event", tag="started"):
    """The scene's process is up and its code is imported."""

    scene: str


class Progress(Struct, frozen=True, tag_field="event", tag="progress"):
    """`frame` frames are drawn, of `frames` (0 where nobody has planned the scene)."""

    scene: str
    frame: int
    frames: int = 0


class Done(Struct, frozen=True, tag_field="event", tag="done"):
    """The scene is finished; path is "" for a plan.

    read says which places of the document were read (`export.readings`), None where that isn't
    known.
    """

    scene: str
    path: str
    frames: int
    frame_rate: int
    beats: tuple[Beat, ...]
    read: tuple[str, ...] | None = None


class Failed(Struct, frozen=True, tag_field="event", tag="failed"):
    """The scene can't be rendered: why, in one line, and the traceback."""

    scene: str
    message: str
    traceback: str = ""


Message = Started | Progress | Done | Failed


class _Reader(Struct, frozen=True, kw_only=True):
    read: tuple[str, ...] | None = None


class Plan(_Reader, frozen=True):
    """How long a scene is and what it says when, without a picture; read is `Done`'s."""

    scene: str
    frames: int
    frame_rate: int
    beats: tuple[Beat, ...]

    @property
    def seconds(self) -> float:
        """The scene's length."""
        return self.frames / self.frame_rate


class Clip(Plan, frozen=True):
    """A rendered scene: its frames, its beats, and its file in a private folder."""

    path: Path


class SceneError(Exception):
    """A scene couldn't be rendered; `scene`, `message` (one line) and `traceback` say why."""

    def __init__(self, scene: str, message: str, traceback: str = "") -> None:
        super().__init__(scene, message, traceback)
        self.scene = scene
        self.message = message
        self.traceback = traceback

    def __str__(self) -> str:
        return f"{self.scene}: {self.message}"
