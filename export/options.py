"""What is to be rendered, and how: frozen, checked once, shared by the command and the app.

Importing this imports no NumPy, so that `byhand render --help` is instant.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from export.placing import quoted
from scenes import CARD, CATALOG, CLOSING, OPENING, PARTS, SceneEntry, find_scene
from scenes.settings import Card, Line

if TYPE_CHECKING:
    from engine.sentence import Sentence

__all__ = [
    "ASPECTS",
    "CAPTIONS",
    "FORMATS",
    "MOTIONS",
    "PACES",
    "QUALITIES",
    "ROWS",
    "THEMES",
    "TRANSPARENT",
    "Cut",
    "Film",
    "Piece",
    "Quality",
    "RenderOptions",
    "between",
    "choose_films",
    "ending_of",
    "one_of",
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
ASPECTS = ("16:9", "9:16", "1:1")
FORMATS = ("mp4", "webm", "mov", "gif", "png")
TRANSPARENT = ("webm", "mov", "png")
MOST_GIF_RATE = 50
"""Browsers show a gif's frame of less than 2/100 s for 1/10 s instead."""

ADDRESS = r"(?:\w+://)?[^\s/]+:\d{1,5}/?"
"""A scheduler's, as Dask says it."""

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
class Piece:
    """A clip of a film: what to render, and the name of the scene whose chapter it belongs to."""

    entry: SceneEntry
    chapter: str
    card: Card | None = None


@dataclass(frozen=True)
class Cut:
    """A part of one scene: of a video the frames to film, of a still (last None) the one to draw.

    film is the film's name, scene that of the scene.
    """

    film: str
    scene: str
    first: int
    last: int | None = None


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
    def pieces(self) -> tuple[Piece, ...]:
        """What is shown one after another: of a whole film also an opening, cards and a closing."""
        if not self.joined:
            return tuple(Piece(scene, scene.name) for scene in self.scenes)
        pieces: list[Piece] = []
        for number, scene in enumerate(self.scenes, start=1):
            card = Card(number, len(self.scenes), scene.title, scene.target)
            entry = SceneEntry(f"card-{self.name}-{scene.name}", scene.title, scene.part, CARD)
            pieces += [Piece(entry, scene.name, card), Piece(scene, scene.name)]
        if self.name != "part2":
            pieces.insert(0, Piece(OPENING, self.scenes[0].name))
        if self.name != "part1":
            pieces.append(Piece(CLOSING, self.scenes[-1].name))
        return tuple(pieces)

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
    files carry the document. script is what to say instead, by scene; section (a beat's title or
    number) and still (seconds) render a part of a film: `export.cuts` finds it, as `cut`. cluster
    is the address of who draws instead of this machine; keep says whether what was rendered
    earlier is taken, and what is rendered now kept.
    """

    sentence: Sentence
    films: tuple[Film, ...]
    head: int = 0
    quality: str = "1080p"
    frame_rate: int | None = None
    aspect: str = "16:9"
    format: str | None = None
    transparent: bool = False
    section: str | None = None
    still: float | None = None
    cut: Cut | None = None
    script: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    handout: bool = False
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
    cluster: str | None = None
    keep: bool = True

    def __post_init__(self) -> None:
        one_of("quality", self.quality, QUALITIES)
        one_of("aspect", self.aspect, ASPECTS)
        one_of("captions", self.captions, CAPTIONS)
        one_of("pace", self.pace, PACES)
        one_of("motion", self.motion, MOTIONS)
        one_of("theme", self.theme, THEMES)
        one_of("rows", self.rows, ROWS)
        between("fps", self.size.frame_rate, 1, 120)
        between("digits", self.digits, 0, 6)
        between("font-scale", self.font_scale, 0.5, 2.0)
        between("jobs", self.workers, 1, 256)
        if self.cluster is not None and not re.fullmatch(ADDRESS, self.cluster):
            raise ValueError(
                f"--cluster {quoted(self.cluster)} is no address: try tcp://HOST:8786, "
                "as dask scheduler says it"
            )
        if self.cluster is not None and self.jobs is not None:
            raise ValueError(
                "--jobs is of this machine, not of a cluster: leave it out, or try "
                "dask worker --nthreads there"
            )
        if not self.scenes:
            raise ValueError("there is nothing to render: name a scene, or lecture")
        # What is left open is settled here, once; the rest of the house finds it settled.
        object.__setattr__(self, "format", self._format())
        if self.transparent and self.format not in TRANSPARENT:
            raise ValueError(
                f"--transparent can't be kept in {self.format}: try --format {_or(TRANSPARENT)}"
            )
        if self.format == "gif" and self.size.frame_rate > MOST_GIF_RATE:
            raise ValueError(
                f"a gif shows at most {MOST_GIF_RATE} frames a second: try --fps {MOST_GIF_RATE}"
            )
        self._check_parts()
        if self.format == "png" and self.still is None:
            object.__setattr__(self, "films", tuple(Film.of(scene) for scene in self.scenes))
        if self._names_a_file and len(self.films) > 1:
            raise ValueError(
                f"{quoted(self.output)} is one file, and there will be {len(self.films)}: "
                "give -o a folder"
            )

    def _check_parts(self) -> None:
        """Raise ValueError where --section, --still and --handout don't go with the rest."""
        if self.section is not None and self.still is not None:
            raise ValueError("--section and --still are two ways to choose: give one of them")
        if len(self.films) > 1 and not (self.section is None and self.still is None):
            raise ValueError("--section and --still are of one film: name one")
        if self.section is not None and self.format == "png":
            raise ValueError("--section is a video: leave out --format png, or try --still TIME")
        if self.still is not None and self.still < 0:
            raise ValueError(f"--still {self.still} is before the start: try --still 0")
        if self.handout and not any(self.is_whole(film) for film in self.films):
            raise ValueError("--handout is of a whole film: try lecture, part1 or part2")

    def is_whole(self, film: Film) -> bool:
        """Whether a film has what goes with a lecture: chapters, a poster, a transcript."""
        return (
            film.joined
            and self.format in ("mp4", "webm", "mov")
            and self.section is None
            and self.still is None
        )

    @property
    def size(self) -> Quality:
        """The pixels and the frame rate, as asked."""
        quality = QUALITIES[self.quality]
        width, height = quality.width, quality.height
        if self.aspect == "9:16":
            quality = quality._replace(width=height, height=width)
        elif self.aspect == "1:1":
            quality = quality._replace(width=height)
        return quality if self.frame_rate is None else quality._replace(frame_rate=self.frame_rate)

    @property
    def scenes(self) -> tuple[SceneEntry, ...]:
        """Every scene that is to be rendered, once."""
        return tuple(dict.fromkeys(scene for film in self.films for scene in film.scenes))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every clip that is to be rendered, once."""
        found = {piece.entry: piece for film in self.films for piece in film.pieces}
        if self.cut is None:
            return tuple(found.values())
        return tuple(piece for piece in found.values() if piece.entry.name == self.cut.scene)

    def pieces_of(self, film: Film) -> tuple[Piece, ...]:
        """The clips that a film is made of, in order."""
        return film.pieces if self.cut is None else self.pieces

    @property
    def workers(self) -> int:
        """How many scenes are rendered at a time."""
        return self.jobs if self.jobs is not None else min(os.cpu_count() or 1, len(self.pieces))

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
        if self.is_whole(film):
            endings += ["chapters.txt", "poster.png", "transcript.html"]
            endings += ["handout.pdf"] if self.handout else []
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
            one_of("format", self.format, FORMATS)
        if self.still is not None and self.format not in (None, "png"):
            raise ValueError(f"--still is a picture, and {self.format} isn't: try --format png")
        if not self._names_a_file:
            return self.format or ("mp4" if self.still is None else "png")
        if self._ending not in FORMATS:
            raise ValueError(
                f"{quoted(self.output)} ends in .{self._ending}, which render doesn't write: "
                f"try .{' or .'.join(FORMATS)}"
            )
        if self.still is not None and self._ending != "png":
            raise ValueError(
                f"--still is a picture: end {quoted(self.output)} in .png, or give -o a folder"
            )
        if self.format not in (None, self._ending):
            raise ValueError(
                f"{quoted(self.output)} contradicts --format {self.format}: "
                f"end it in .{self.format}, or leave out --format"
            )
        return self._ending


def _or(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


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
    raise ValueError(f"no scene is called {quoted(name)}: {guess}try {', '.join(known)}")


def one_of(option: str, value: str, choices: Iterable[str]) -> None:
    """Raise ValueError, which names the choices, where an option's value is none of them."""
    if value not in choices:
        raise ValueError(f"--{option} {value!r} isn't there: try {', '.join(choices)}")


def between(option: str, value: float, low: float, high: float) -> None:
    """Raise ValueError, which names both ends, where an option's value lies outside them."""
    if not low <= value <= high:
        raise ValueError(f"--{option} {value:g} is out of range: try {low:g} to {high:g}")
