"""`byhand look`: contact sheets of scenes, rendered as `byhand render` does, to be looked at.

Importing this imports neither NumPy nor Manim, so that its help is instant.
"""

from __future__ import annotations

import os
import re
import shutil
import time
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from export.cli import refuse
from export.completion import complete_scenes
from export.options import ASPECTS, THEMES, RenderOptions, choose_films
from export.placing import (
    make_folders,
    place_file,
    place_text,
    refuse_taken,
    shown,
    working_folder,
)
from export.sentence_options import BadRequest

if TYPE_CHECKING:
    from engine.sentence import Sentence
    from export.jobs import Job, SceneError
    from export.pool import Children

__all__ = ["Look", "look"]

BOTH = ("light", "dark")
POST = "the-cat-sat-down"
INDEX = "index.html"
NAMED = re.compile(r"(?P<scene>[a-z0-9-]+)\.(?P<theme>[a-z]+)\.[\w-]+(\.\d+)?\.png", re.ASCII)
"""A sheet's file: scene, theme, sentence and, of more than one, its number."""


@dataclass(frozen=True)
class Look:
    """One scene, in one theme, told with one sentence (by its name, of ASCII letters)."""

    scene: str
    theme: str
    sentence: str
    job: Job

    @property
    def title(self) -> str:
        """What is looked at, in words."""
        return f"{self.scene}, {self.theme}, {self.sentence}"

    def files(self, folder: Path, pages: int) -> list[Path]:
        """Where its sheets go."""
        stem = f"{self.scene}.{self.theme}.{self.sentence}"
        numbers = [""] if pages == 1 else [f".{number}" for number in range(1, pages + 1)]
        return [folder / f"{stem}{number}.png" for number in numbers]

    def old_files(self, folder: Path) -> list[Path]:
        """Its sheets that are there."""
        first, stem = self.files(folder, 1)[0], f"{self.scene}.{self.theme}.{self.sentence}"
        numbered = [p for p in folder.glob(f"{stem}.*.png") if NAMED.fullmatch(p.name)]
        return [*([first] if first.exists() else []), *numbered]


@click.command(
    epilog="Scenes: byhand render --list. Each beat is shown a little after its start, in its "
    "middle and at its end; index.html has all sheets on one page."
)
@click.argument("scenes", nargs=-1, metavar="[SCENE…]", shell_complete=complete_scenes)
@click.option(
    "--theme",
    "themes",
    type=click.Choice((*THEMES, "both")),
    multiple=True,
    default=("both",),
    show_default=True,
    help="May be given again; both is light and dark.",
)
@click.option(
    "--sentence",
    "sentences",
    metavar="FILE",
    multiple=True,
    help="Whose numbers: a file, a preset, or a hard sentence's name; may be given again. "
    "Default: the post's.",
)
@click.option("--hostile", is_flag=True, help="With every hard sentence too; that takes long.")
@click.option(
    "--quality",
    type=click.Choice(("draft", "720p")),
    default="draft",
    show_default=True,
    help="As of byhand render.",
)
@click.option(
    "--aspect",
    type=click.Choice(ASPECTS),
    default="16:9",
    show_default=True,
    help="As of byhand render; sheets of another shape say so in their names.",
)
@click.option("--jobs", type=int, metavar="N", help="Scenes at a time; default: one a core.")
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    default="look",
    show_default=True,
    help="Where the sheets go; those that are there are made anew.",
)
def look(
    scenes: tuple[str, ...],
    themes: tuple[str, ...],
    sentences: tuple[str, ...],
    hostile: bool,
    quality: str,
    aspect: str,
    jobs: int | None,
    output: str,
) -> int:
    """Make contact sheets of scenes, so that every picture is looked at."""
    themes = tuple(dict.fromkeys(t for theme in themes for t in _themes(theme)))
    folder = Path(output)
    began = time.time()
    try:
        films = choose_films(scenes)
        read = _read_sentences(sentences, hostile=hostile)
        options = {
            (name, theme): RenderOptions(
                sentence=sentence,
                films=films,
                theme=theme,
                quality=quality,
                aspect=aspect,
                jobs=jobs,
            )
            for name, sentence in read.items()
            for theme in themes
        }
        _need_video_extra()
        _refuse_folder(folder)
        make_folders([folder / INDEX])
    except ValueError as error:
        raise BadRequest(str(error)) from error
    with working_folder() as workspace:
        looks = _looks(options, workspace, "" if aspect == ASPECTS[0] else aspect)
        workers = min(jobs or os.cpu_count() or 1, len(looks))
        failures = _look_at(looks, folder, workers)
    tracebacks = {one.title: failure.traceback or str(failure) for one, failure in failures}
    _write_index(folder, tracebacks, began)
    for one, failure in failures:
        refuse(f"can't render {one.title}: {failure.message}")
    return 1 if failures else 0


# What is looked at


def _themes(theme: str) -> tuple[str, ...]:
    return BOTH if theme == "both" else (theme,)


def _read_sentences(given: Sequence[str], *, hostile: bool) -> dict[str, Sentence]:
    """The sentences asked for, by their names; ValueError where one can't be read."""
    from export.hard_sentences import HARD_SENTENCES

    found = [_read_sentence(one) for one in given or (POST,)]
    if hostile:
        found += HARD_SENTENCES.items()
    named: dict[str, Sentence] = {}
    for name, sentence in found:
        name = plain = _plain(name)
        number = 1
        while named.setdefault(name, sentence) != sentence:
            number += 1
            name = f"{plain}-{number}"
    return named


def _read_sentence(text: str) -> tuple[str, Sentence]:
    from engine.files import read_sentence
    from engine.presets import load_preset, preset_names
    from export.hard_sentences import HARD_SENTENCES

    if os.path.lexists(text) or re.search(r"[./\\]", text):
        return Path(text).name.removesuffix(".json").removesuffix(".byhand"), read_sentence(text)
    ready = {name: load_preset(name) for name in preset_names()}
    ready |= {_plain(name): sentence for name, sentence in HARD_SENTENCES.items()}
    if _plain(text) not in ready:
        raise ValueError(f"no file and no sentence is called {text!r}: try {', '.join(ready)}")
    return text, ready[_plain(text)]


def _plain(name: str) -> str:
    """A name of ASCII letters, digits, - and _, which is a good file's name anywhere."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^\w-]+", "-", ascii_only).strip("-").lower()[:60] or "sentence"


def _need_video_extra() -> None:
    if missing := [name for name in ("manim", "av", "PIL") if find_spec(name) is None]:
        raise ValueError(
            f"looking needs {' and '.join(missing)}, which aren't installed: "
            "try pip install 'byhand[video]'"
        )


def _refuse_folder(folder: Path) -> None:
    """Raise ValueError where the folder isn't one for sheets."""
    if folder.suffix.lower() in (".png", ".html", ".mp4", ".pdf", ".json"):
        raise ValueError(f"'{shown(folder)}' is a file's name: give -o a folder")
    index = folder / INDEX
    if index.exists():
        from export.sheets import MARK

        with index.open(encoding="utf-8", errors="replace") as page:
            if MARK not in page.read(1000):
                refuse_taken([index], force=False)


def _looks(
    options: Mapping[tuple[str, str], RenderOptions], workspace: str, shape: str
) -> list[Look]:
    """Every scene × sentence × theme, scene by scene; `shape` is told in names if it isn't ""."""
    from export.rendering import jobs_of

    jobs = {key: jobs_of(one, workspace) for key, one in options.items()}
    return [
        Look(job.scene, theme, f"{sentence}-{shape.replace(':', 'x')}".rstrip("-"), job)
        for alike in zip(*jobs.values())
        for (sentence, theme), job in zip(jobs, alike)
        if job.card is None  # cards are all alike
    ]


# Looking


def _look_at(looks: Sequence[Look], folder: Path, workers: int) -> list[tuple[Look, SceneError]]:
    """Render all, and say each sheet as it is done; what couldn't be rendered, in order."""
    from export.jobs import SceneError
    from export.pool import Children
    from export.progress import say

    failures: dict[Look, SceneError] = {}
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(workers))
        # Closed first: the executor waits for its threads, and they for their processes.
        children = stack.enter_context(Children())
        futures = {executor.submit(_make_sheets, one, folder, children): one for one in looks}
        for done, future in enumerate(as_completed(futures), start=1):
            try:
                said = " ".join(shown(file) for file in future.result())
            except SceneError as error:
                one = futures[future]
                failures[one] = error
                _remove(one.old_files(folder))
                said = f"{one.title}: failed"
            say(f"{done}/{len(looks)}  {said}")
    return [(one, failures[one]) for one in looks if one in failures]


def _make_sheets(one: Look, folder: Path, children: Children) -> list[Path]:
    """One scene's sheets, in their place instead of its old ones."""
    from export.pool import render_clip
    from export.sheets import draw_sheets

    clip = render_clip(one.job, children=children)
    sheets = draw_sheets(clip, one.title)
    files = one.files(folder, len(sheets))
    for sheet, file in zip(sheets, files):
        whole = clip.path.with_name(file.name)
        sheet.save(whole)
        place_file(whole, file)
    _remove(file for file in one.old_files(folder) if file not in files)
    shutil.rmtree(clip.path.parent, ignore_errors=True)
    return files


def _remove(files: Iterable[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _write_index(folder: Path, tracebacks: Mapping[str, str], began: float) -> None:
    """One page of all sheets in the folder, those of earlier runs too."""
    from export.sheets import index_page

    scenes = [scene.name for scene in choose_films()[0].scenes]
    found: dict[str, list[Path]] = {scene: [] for scene in scenes}
    for file in sorted(folder.glob("*.png"), key=_in_order):
        if named := NAMED.fullmatch(file.name):
            found.setdefault(named["scene"], []).append(file)
    sheets = {scene: files for scene, files in found.items() if files}
    place_text(index_page(sheets, tracebacks, began), folder / INDEX)
    print(shown(folder / INDEX))


def _in_order(file: Path) -> list[tuple[int, str]]:
    """Names sorted as people do: 10 after 9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in file.name.split(".")]
