"""What is to be rendered, and how: frozen, checked once, shared by the command and the app.

Importing this imports no NumPy, so that `byhand render --help` is instant.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scenes import CATALOG, PARTS, SceneEntry, find_scene

if TYPE_CHECKING:
    from engine.sentence import Sentence

__all__ = [
    "CAPTIONS",
    "FORMATS",
    "MOTIONS",
    "PACES",
    "QUALITIES",
    "ROWS",
    "THEMES",
    "Film",
    "Quality",
    "RenderOptions",
    "choose_films",
    "ending_of",
]


class Quality(NamedTuple):
    """The pixels of a picture, and how many pictures a second."""

    width: int
    height: int
    frame_rate: int


QUALITIES = {
    "draft": Quality(854, 480, 15),
    "720p": Quality(1280, 720, 30),
    "1080p": Quality(1920, 1080, 30),
    "4k": Quality(3840, 2160, 30),
}
FORMATS = ("mp4", "png")
CAPTIONS = ("burn", "srt", "vtt", "all", "none")
PACES = ("slow", "normal", "fast")
MOTIONS = ("full", "reduced")
THEMES = ("light", "dark", "projector")
ROWS = ("queries", "keys")

# What -o may end in, here or for another subcommand. Any other ending is part of a folder's name.
_EXTENSIONS = {
    *("mp4", "webm", "mov", "gif", "png", "svg", "pdf", "srt", "vtt"),
    *("txt", "md", "tex", "html", "py", "csv", "json"),
}


@dataclass(frozen=True)
class Film:
    """One video: its file's name without the ending, its title, and its scenes in order."""

    name: str
    title: str
    scenes: tuple[SceneEntry, ...]

    @classmethod
    def of(cls, scene: SceneEntry) -> Film:
        """A scene as a film of its own."""
        return cls(scene.name, scene.title, (scene,))

    @property
    def joined(self) -> bool:
        """Whether it is a part or the whole lecture, rather than a scene by itself."""
        return self.name in (*PARTS, "lecture")


@dataclass(frozen=True)
class RenderOptions:
    """A render that can be done as asked; ValueError says in one line what can't, and what to try.

    head counts from 0. output is what -o says: a file to write, or a folder; None is the current
    folder. format None is what output ends in, or mp4; a png is a film's last frame, so there each
    scene is a film. frame_rate None is the quality's; jobs None is one a core. embed says whether
    files carry the document.
    """

    sentence: Sentence
    films: tuple[Film, ...]
    head: int = 0
    quality: str = "1080p"
    frame_rate: int | None = None
    format: str | None = None
    captions: str = "all"
    pace: str = "normal"
    motion: str = "full"
    theme: str = "light"
    rows: str = "queries"
    digits: int = 2
    font_scale: float = 1.0
    jobs: int | None = None
    output: str | None = None
    force: bool = False
    embed: bool = True

    def __post_init__(self) -> None:
        _one_of("quality", self.quality, QUALITIES)
        _one_of("captions", self.captions, CAPTIONS)
        _one_of("pace", self.pace, PACES)
        _one_of("motion", self.motion, MOTIONS)
        _one_of("theme", self.theme, THEMES)
        _one_of("rows", self.rows, ROWS)
        _between("fps", self.size.frame_rate, 1, 120)
        _between("digits", self.digits, 0, 6)
        _between("font-scale", self.font_scale, 0.5, 2.0)
        _between("jobs", self.workers, 1, 256)
        if not self.scenes:
            raise ValueError("there is nothing to render: name a scene, or lecture")
        # What is left open is settled here, once; the rest of the house finds it settled.
        object.__setattr__(self, "format", self._format())
        if self.format == "png":
            object.__setattr__(self, "films", tuple(Film.of(scene) for scene in self.scenes))
        if self._names_a_file and len(self.films) > 1:
            raise ValueError(
                f"{_quoted(self.output)} is one file, and there will be {len(self.films)}: "
                "give -o a folder"
            )

    @property
    def size(self) -> Quality:
        """The pixels and the frame rate, as asked."""
        quality = QUALITIES[self.quality]
        return quality if self.frame_rate is None else quality._replace(frame_rate=self.frame_rate)

    @property
    def scenes(self) -> tuple[SceneEntry, ...]:
        """Every scene that is to be rendered, once."""
        return tuple(dict.fromkeys(scene for film in self.films for scene in film.scenes))

    @property
    def workers(self) -> int:
        """How many scenes are rendered at a time."""
        return self.jobs if self.jobs is not None else min(os.cpu_count() or 1, len(self.scenes))

    @property
    def burns_captions(self) -> bool:
        """Whether captions are drawn into the picture."""
        return self.captions in ("burn", "all")

    @property
    def folder(self) -> Path:
        """Where the files go."""
        if self.output is None:
            return Path()
        return Path(self.output).parent if self._names_a_file else Path(self.output)

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that will be there in the end: each film's own, then those beside it."""
        return tuple(file for film in self.films for file in self.files_of(film))

    def files_of(self, film: Film, main: Path | None = None) -> tuple[Path, ...]:
        """A film's file (`main`, if it goes elsewhere than asked) and what stands beside it."""
        if main is None:
            main = self._target(film)
        if self.format == "png":
            return (main,)
        endings = [end for end in ("srt", "vtt") if self.captions in (end, "all")]
        if film.joined:
            endings.append("chapters.txt")
        return (main, *(main.with_name(f"{main.stem}.{end}") for end in endings))

    def _target(self, film: Film) -> Path:
        if self._names_a_file:
            return Path(self.output or "")
        return self.folder / f"{film.name}.{self.format}"

    @property
    def _ending(self) -> str:
        return ending_of(self.output or "")

    @property
    def _names_a_file(self) -> bool:
        return self._ending != ""

    def _format(self) -> str:
        """What is asked for, or what -o ends in, or mp4; they may not contradict each other."""
        if self.format is not None:
            _one_of("format", self.format, FORMATS)
        if not self._names_a_file:
            return self.format or "mp4"
        if self._ending not in FORMATS:
            raise ValueError(
                f"{_quoted(self.output)} ends in .{self._ending}, which render doesn't write: "
                f"try .{' or .'.join(FORMATS)}"
            )
        if self.format not in (None, self._ending):
            raise ValueError(
                f"{_quoted(self.output)} contradicts --format {self.format}: "
                f"end it in .{self.format}, or leave out --format"
            )
        return self._ending


def ending_of(output: str) -> str:
    """The known ending of a file that -o names ("mp4"), or "" where -o names a folder."""
    ending = os.path.splitext(output)[1].lower().removeprefix(".")
    return ending if ending in _EXTENSIONS else ""


def choose_films(names: Iterable[str] = ()) -> tuple[Film, ...]:
    """The films of these names, in this order: scenes, part1, part2, lecture; none = lecture.

    A scene is named with hyphens, with underscores or by its class. Raises ValueError, which
    names the scenes, for any other.
    """
    return tuple(dict.fromkeys(_film(name) for name in (list(names) or ["lecture"])))


def _film(name: str) -> Film:
    if name == "lecture":
        return Film(name, "Attention, drawn by hand", CATALOG)
    if name in PARTS:
        title = f"Attention, drawn by hand: part {PARTS.index(name) + 1}"
        return Film(name, title, tuple(entry for entry in CATALOG if entry.part == name))
    if (entry := find_scene(name)) is not None:
        return Film.of(entry)
    known = [entry.name for entry in CATALOG] + [*PARTS, "lecture"]
    close = difflib.get_close_matches(name.lower().replace("_", "-"), known, n=1)
    guess = f"did you mean {close[0]}? " if close else ""
    raise ValueError(f"no scene is called {_quoted(name)}: {guess}try {', '.join(known)}")


def _one_of(option: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise ValueError(f"--{option} {value!r} isn't there: try {', '.join(choices)}")


def _between(option: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"--{option} {value} is out of range: try {low} to {high}")


def _quoted(text: str | None) -> str:
    """A name that somebody typed, on one line whatever is in it."""
    return "'" + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text or "") + "'"
