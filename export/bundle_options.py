"""What goes into a bundle, and where: frozen, checked once, shared by the command and the app.

Importing this imports neither NumPy nor Manim nor Matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from export.figure_options import FigureOptions
from export.options import Film, RenderOptions, choose_films
from export.placing import quoted
from scenes import CATALOG, SceneEntry, find_scene

if TYPE_CHECKING:
    from engine.sentence import Sentence
    from export.measured import Measured

__all__ = ["BundleOptions", "ClipChoice", "choose_clips", "default_clips"]

CLIP_FORMATS = ("webm", "mp4")
"""In the order in which a browser is offered them."""

INDEX, ALT_TEXT, TABLES = "index.html", "alt-text.txt", "tables.md"
WORKSHEET, WORKSHEET_TEXT, BLANK_SHEET = "worksheet.html", "worksheet.md", "worksheet-blank.html"
DOCUMENT = "sentence.byhand.json"


@dataclass(frozen=True)
class ClipChoice:
    """A clip: a whole scene (beats None), or its beats from one to another, both included.

    Beats are their numbers from 1, or their titles; titles that the scene doesn't have for this
    sentence stand for the whole scene.
    """

    scene: SceneEntry
    beats: tuple[int, int] | tuple[str, str] | None = None

    @property
    def asked(self) -> str:
        """What `--clip` is told for it."""
        if self.beats is None:
            return self.scene.name
        first, last = self.beats
        return f"{self.scene.name}:{first}-{last}"


_EXCERPTS = (
    ("value-mixing", "Each to its share", "Head to tail"),
    ("causal-triangle", "Shared out again", "The triangle"),
)
"""The post's two pictures that move: what a word collects, and the triangle of a causal mask."""


def default_clips() -> tuple[ClipChoice, ...]:
    """The clips of a bundle for which none was asked."""
    found = ((find_scene(name), beats) for name, *beats in _EXCERPTS)
    return tuple(
        ClipChoice(scene, (first, last)) for scene, (first, last) in found if scene is not None
    )


def choose_clips(asked: Iterable[str]) -> tuple[ClipChoice, ...]:
    """The clips that `--clip` asks for: SCENE, SCENE:3, SCENE:2-4, or none by itself.

    Nothing asked is `default_clips`. Raises ValueError, in one line, for what isn't there.
    """
    asked = tuple(asked)
    if not asked:
        return default_clips()
    if "none" in asked:
        if len(asked) > 1:
            raise ValueError("--clip none is no clip at all: leave it out, or the others")
        return ()
    return tuple(map(_choice, asked))


def _choice(asked: str) -> ClipChoice:
    name, colon, beats = asked.partition(":")
    scene = find_scene(name)
    if scene is None:
        if name in ("lecture", "part1", "part2"):
            raise ValueError(f"{name} is too long for a clip: try {_names()}")
        choose_films([name])  # says which scenes there are
        raise AssertionError
    if not colon:
        return ClipChoice(scene)
    found = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", beats.strip())
    if found is None:
        raise ValueError(f"--clip {quoted(asked)} names no beats: try {scene.name}:2 or :2-3")
    first, last = int(found[1]), int(found[2] or found[1])
    if not 1 <= first <= last:
        raise ValueError(
            f"--clip {quoted(asked)} should go from a beat to a later one: try {scene.name}:2-3"
        )
    return ClipChoice(scene, (first, last))


def _names() -> str:
    return ", ".join(entry.name for entry in CATALOG)


@dataclass(frozen=True)
class BundleOptions:
    """A bundle that can be made as asked; ValueError says in one line what can't, and what to try.

    folder is where it goes; head counts from 0. theme "both" has figures that follow the reader's
    setting, and light and dark of all else; any other has that one only. focuses_all says whether
    the worksheet has a page a word rather than the focus word's. embed says whether the document
    is in the folder and in its files; measured are times for the figure of growth. quality, jobs
    and keep are the clips', as in `RenderOptions`.
    """

    sentence: Sentence
    folder: Path
    clips: tuple[ClipChoice, ...] = ()
    head: int = 0
    quality: str = "720p"
    jobs: int | None = None
    keep: bool = True
    theme: str = "both"
    rows: str = "queries"
    digits: int = 2
    font_scale: float = 1.0
    focuses_all: bool = True
    force: bool = False
    embed: bool = True
    measured: Measured | None = None

    def __post_init__(self) -> None:
        # What both can't do neither can this; they say it.
        self.figures(Path(), "svg")
        for theme in self.themes:
            if self.clips:
                self.render(theme, "mp4")
        names = [clip.scene.name for clip in self.clips]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(
                f"{twice} is asked for twice, and a clip is called after its scene: "
                f"try one --clip {twice}:FIRST-LAST"
            )

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes of what has only one; the first is what to fall back to."""
        return ("light", "dark") if self.theme == "both" else (self.theme,)

    def suffix(self, theme: str) -> str:
        """What stands after a file's stem where there is one of each theme."""
        return f"-{theme}" if len(self.themes) > 1 else ""

    def figures(self, root: Path, format: str) -> FigureOptions:
        """All figures as svg or png, in the folder of a bundle at `root`."""
        return FigureOptions(
            sentence=self.sentence, head=self.head, format=format, theme=self.theme,
            rows=self.rows, digits=self.digits, font_scale=self.font_scale,
            output=str(root / "figures"), embed=self.embed, measured=self.measured,
        )  # fmt: skip

    def render(self, theme: str, format: str) -> RenderOptions:
        """All clips' scenes in one theme and format."""
        films = tuple(Film.of(clip.scene) for clip in self.clips)
        return RenderOptions(
            sentence=self.sentence, films=films, head=self.head, quality=self.quality,
            format=format, captions="none", theme=theme, rows=self.rows, digits=self.digits,
            font_scale=self.font_scale, jobs=self.jobs, embed=self.embed, keep=self.keep,
        )  # fmt: skip

    @property
    def figure_files(self) -> tuple[Path, ...]:
        """Every figure's file, within the bundle."""
        return tuple(
            file.path for kind in ("svg", "png") for file in self.figures(Path(), kind).files
        )

    def clip_files(self, scene: str) -> tuple[Path, ...]:
        """Every file of one clip, within the bundle: films, posters, captions."""
        names = [
            f"{scene}{self.suffix(theme)}.{end}"
            for theme in self.themes
            for end in (*CLIP_FORMATS, "png")
        ]
        return tuple(Path("clips", name) for name in (*names, f"{scene}.vtt"))

    @property
    def page_files(self) -> tuple[Path, ...]:
        """The files at the top of the bundle."""
        names = [INDEX, ALT_TEXT, TABLES, WORKSHEET, WORKSHEET_TEXT, BLANK_SHEET]
        return tuple(map(Path, [*names, *([DOCUMENT] if self.embed else [])]))

    def files(self, scenes: Sequence[str] | None = None) -> tuple[Path, ...]:
        """Every file there will be, within the bundle, index.html first.

        scenes are those that became clips, all of them unless given.
        """
        if scenes is None:
            scenes = [clip.scene.name for clip in self.clips]
        clips = (file for scene in scenes for file in self.clip_files(scene))
        return (*self.page_files, *self.figure_files, *clips)
