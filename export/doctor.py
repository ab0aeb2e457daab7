"""`byhand doctor`: what byhand needs, what of it is here, and what to do about the rest.

Nothing is taken for granted, so every import of another's package stands where it is tried.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from export.sentence_options import BadRequest

if TYPE_CHECKING:
    from engine.sentence import Sentence

__all__ = ["REQUIREMENTS", "VIDEO_REQUIREMENTS", "Finding", "doctor", "findings"]

OLDEST_PYTHON = (3, 11)
REQUIREMENTS = (
    "numpy>=2.1",
    "msgspec>=0.19",
    "threadpoolctl>=3.5",
    # 6.12 on Python 3.11 loses a reference to None at every call that returns nothing.
    "pyside6-essentials>=6.8,<6.12" if sys.version_info < (3, 12) else "pyside6-essentials>=6.8",
    "pyqtgraph>=0.14",
    "matplotlib>=3.11",
    "click>=8.1",
    "rich>=13",
    "fontpkg-inter>=4.1",
)
VIDEO_REQUIREMENTS = ("manim>=0.22", "typst", "av>=18", "pillow<13")
INSTALL_VIDEO = "pip install 'byhand[video]'"

# A script, a sample of it, and the Debian package whose fonts have it as outlines.
SCRIPTS = (
    ("Latin", "naïve ŵß", "fonts-dejavu-core"),
    ("Greek", "γάτα", "fonts-dejavu-core"),
    ("Cyrillic", "кошка", "fonts-dejavu-core"),
    ("Arabic", "القط", "fonts-noto-core"),
    ("Hebrew", "שלום", "fonts-noto-core"),
    ("Devanagari", "बिल्ली", "fonts-noto-core"),
    ("Thai", "แมว", "fonts-noto-core"),
    ("Chinese and Japanese", "猫ねこネコ", "fonts-droid-fallback"),
    ("Korean", "고양이", "fonts-nanum"),
    ("emoji", "😀🎉", "fonts-symbola"),
)

# What Qt loads on Linux for a window, and the Debian package that has it.
LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}

ROOM = 500_000_000
"""Bytes that a lecture at 4k takes on its way."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; advice is what to do, "" where all is well.

    Without what is essential byhand isn't byhand; the rest serves a part of it.
    """

    name: str
    ok: bool
    detail: str
    advice: str = ""
    essential: bool = False


def findings(sentence: Sentence | None = None) -> Iterator[Finding]:
    """Everything there is to look at, as it is found; with a sentence, whether it can be drawn."""
    checks: list[tuple[str, Callable[[], Iterable[Finding]]]] = [
        ("Python", _python),
        ("packages", _packages),
        ("house font", _house_font),
        ("video packages", _video_packages),
        ("H.264", _encoder),
        ("scenes", _scene),
        ("fonts", _scripts),
        ("window", _window),
        ("threads", _threads),
        ("temporary folder", _temporary_folder),
        ("current folder", _current_folder),
    ]
    if sentence is not None:
        checks.append(("the sentence's fonts", lambda: _words(sentence)))
    for name, check in checks:
        try:
            yield from check()
        except Exception as error:  # Whatever is broken, the rest is still looked at.
            said = " ".join(f"{type(error).__name__}: {error}".split())
            yield Finding(name, False, said, "install byhand again, in an environment of its own")


# Python and its packages


def _python() -> Iterator[Finding]:
    ok = sys.version_info >= OLDEST_PYTHON
    advice = "" if ok else "install Python {}.{} or newer".format(*OLDEST_PYTHON)
    detail = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding("Python", ok, detail, advice, essential=True)


def _packages() -> Iterator[Finding]:
    for requirement in REQUIREMENTS:
        yield _package(requirement, f"pip install '{requirement}'", essential=True)


def _video_packages() -> Iterator[Finding]:
    for requirement in VIDEO_REQUIREMENTS:
        yield _package(requirement, INSTALL_VIDEO, essential=False)


def _package(requirement: str, advice: str, *, essential: bool) -> Finding:
    name, *limits = re.split(r"(?=[<>])|,", requirement)
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, False, "isn't installed", advice, essential)
    unmet = [limit for limit in limits if limit and not _meets(version, limit)]
    if unmet:
        detail = f"{version}, where {' and '.join(unmet)} is needed"
        return Finding(name, False, detail, advice, essential)
    return Finding(name, True, version, essential=essential)


def _meets(version: str, limit: str) -> bool:
    least = limit.startswith(">=")
    given, bound = (_release(text) for text in (version, limit.lstrip("<>=")))
    return given >= bound if least else given < bound


def _release(version: str) -> tuple[int, ...]:
    """The leading numbers: (4, 1) of 4.1.post1."""
    leading = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in leading[0].split(".")) if leading else ()


# Videos


def _encoder() -> Iterator[Finding]:
    try:
        import av
    except ImportError as error:
        yield Finding("H.264", False, f"av can't be imported ({error})", INSTALL_VIDEO)
        return
    try:
        av.codec.Codec("libx264", "w")
    except ValueError:
        advice = "pip install --force-reinstall av: its wheels have it"
        yield Finding("H.264", False, "av has no encoder libx264", advice)
        return
    yield Finding("H.264", True, "av encodes it")


def _scene() -> Iterator[Finding]:
    """One picture drawn as `byhand render` draws, only smaller."""
    if find_spec("manim") is None:
        yield Finding("scenes", False, "can't be drawn without manim", INSTALL_VIDEO)
        return
    from engine.files import format_sentence
    from engine.presets import load_preset
    from export.jobs import Job, SceneError
    from export.pool import Children, render_clip
    from scenes import CATALOG

    entry = CATALOG[0]
    with tempfile.TemporaryDirectory(prefix="byhand-") as workspace, Children() as children:
        job = Job(
            scene=entry.name,
            target=entry.target,
            document=format_sentence(load_preset()),
            output="still",
            workspace=workspace,
            width=160,
            height=90,
        )
        try:
            render_clip(job, children=children)
        except SceneError as error:
            last = error.traceback.strip().splitlines()[-1:]
            detail = " ".join(dict.fromkeys([str(error), *last]))
            advice = f"{INSTALL_VIDEO}; on Debian first apt-get install libpangocairo-1.0-0"
            yield Finding("scenes", False, detail, advice)
            return
    yield Finding("scenes", True, f"{entry.name} was drawn")


# Fonts


def _house_font() -> Iterator[Finding]:
    advice = "pip install --force-reinstall fontpkg-inter"
    try:
        import fontpkg

        found = Path(fontpkg.path("Inter", nearest=True)).is_file()
    except Exception as error:  # It is its own package's matter what it raises.
        yield Finding("house font", False, f"Inter isn't found ({error})", advice, essential=True)
        return
    detail = "Inter" if found else "Inter isn't where its package says"
    yield Finding("house font", found, detail, "" if found else advice, essential=True)


def _scripts() -> Iterator[Finding]:
    if find_spec("typst") is None:
        yield Finding("fonts", False, "can't be looked at without typst", INSTALL_VIDEO)
        return
    from scenes.parts.typeset import undrawable

    for script, sample, package in SCRIPTS:
        missing = undrawable(sample)
        if not missing:
            yield Finding(script, True, f"{sample} can be drawn")
            continue
        advice = f"install any font that has them, on Debian apt-get install {package}"
        yield Finding(script, False, f"no font has {_named(missing)} as outlines", advice)


def _words(sentence: Sentence) -> Iterator[Finding]:
    """Every text of a document that a scene may show."""
    name = "the sentence's fonts"
    if find_spec("typst") is None:
        yield Finding(name, False, "can't be looked at without typst", INSTALL_VIDEO)
        return
    from scenes.parts.typeset import undrawable

    texts = (sentence.title, *(head.name for head in sentence.heads), *sentence.words)
    stories = (sentence.asks or (), sentence.shows or (), sentence.gives or ())
    texts += tuple(text for story in stories for text in story)
    bad = {text: missing for text in dict.fromkeys(texts) if (missing := undrawable(text))}
    if not bad:
        yield Finding(name, True, "all of it can be drawn", essential=True)
    for text, missing in bad.items():
        advice = f"install a font that has {'it' if len(missing) == 1 else 'them'} as outlines"
        if packages := _packages_for(missing):
            advice += f", on Debian apt-get install {packages}"
        detail = f"“{text}” can't be drawn: no font has {_named(missing)} as outlines"
        yield Finding(name, False, detail, advice, essential=True)


def _packages_for(characters: Iterable[str]) -> str:
    """The Debian packages of the scripts that these are of, where nothing has those scripts yet."""
    from scenes.parts.typeset import undrawable

    kinds = {_kind(character) for character in characters}
    return " ".join(
        dict.fromkeys(
            package
            for _, sample, package in SCRIPTS
            if kinds & set(map(_kind, sample)) and undrawable(sample)
        )
    )


def _kind(character: str) -> str:
    """The first word of a character's name (HANGUL, CJK, ARABIC); an emoji's is "emoji"."""
    if unicodedata.category(character[0]) == "So":
        return "emoji"
    return unicodedata.name(character[0], "?").split()[0].split("-")[0]


def _named(characters: Iterable[str]) -> str:
    return ", ".join(
        f"{text} ({' '.join(f'U+{ord(character):04X}' for character in text)})"
        for text in characters
    )


# The window


def _window() -> Iterator[Finding]:
    """Whether the app's window can open. Qt itself isn't loaded: without a screen it aborts."""
    spec = find_spec("PySide6")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    parts = ("QtCore", "QtGui", "QtWidgets")
    lacking = [p for p in parts if not any(any(Path(f).glob(f"{p}.*")) for f in folders)]
    if lacking:
        advice = "pip install --force-reinstall pyside6-essentials"
        yield Finding("Qt", False, f"{', '.join(lacking)} aren't there", advice, essential=True)
    else:
        yield Finding("Qt", True, ", ".join(parts), essential=True)
    if sys.platform != "linux":
        return
    missing = [library for library in LIBRARIES if not _loads(library)]
    if missing:
        packages = " ".join(LIBRARIES[library] for library in missing)
        advice = f"on Debian apt-get install {packages}"
        yield Finding("window libraries", False, f"{', '.join(missing)} can't be loaded", advice)
    else:
        yield Finding("window libraries", True, f"all {len(LIBRARIES)} of them")
    screens = [name for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)]
    if screens:
        yield Finding("screen", True, f"{screens[0]} is {os.environ[screens[0]]}")
    else:
        advice = "open the window from a desktop session; the other commands don't need one"
        yield Finding("screen", False, "neither DISPLAY nor WAYLAND_DISPLAY is set", advice)


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


# The machine


def _threads() -> Iterator[Finding]:
    import numpy  # noqa: F401  threadpoolctl sees what is loaded
    from threadpoolctl import threadpool_info

    cores = os.cpu_count() or 1
    blas = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    libraries = ", ".join(
        f"{pool['internal_api']} {pool['version'] or ''} with {pool['num_threads']} threads"
        for pool in blas
    )
    advice = "" if blas else "only large inputs are slower: install NumPy from its wheel"
    detail = f"{cores} cores; {libraries or 'no BLAS that threadpoolctl knows'}"
    yield Finding("threads", bool(blas), detail, advice)


def _temporary_folder() -> Iterator[Finding]:
    try:
        folder = tempfile.gettempdir()
    except OSError as error:
        advice = "set TMPDIR to a folder that can be written"
        yield Finding("temporary folder", False, str(error), advice, essential=True)
        return
    free = shutil.disk_usage(folder).free
    ok = free >= ROOM
    advice = "" if ok else "make room, or set TMPDIR to a folder that has some"
    yield Finding("temporary folder", ok, f"{free / 1e9:.1f} GB free in {folder}", advice)


def _current_folder() -> Iterator[Finding]:
    """Where files go without -o."""
    try:
        with tempfile.TemporaryFile(dir="."):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        advice = "go to another folder, or give -o one"
        yield Finding("current folder", False, f"can't be written ({reason})", advice)
    else:
        yield Finding("current folder", True, "can be written")


# The command


@click.command(
    epilog="Exit code 1 where something is MISSING that byhand can't do without, or a word of "
    "your sentence can't be drawn; 0 where only a part of byhand is missing something."
)
@click.option("--sentence", metavar="FILE", help="Also: can every word of it be drawn here?")
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def doctor(sentence: str | None, as_json: bool) -> int:
    """Say what byhand needs here, what is missing, and what to do about it."""
    read = None if sentence is None else _read(sentence)
    found: list[Finding] = []
    for finding in findings(read):
        found.append(finding)
        if not as_json:
            print(_line(finding), flush=True)
    if as_json:
        print(json.dumps([_as_data(one) for one in found], ensure_ascii=False, indent=2))
    else:
        print(_conclusion(found))
    return 0 if all(one.ok for one in found if one.essential) else 1


def _read(file: str) -> Sentence:
    from engine.files import SentenceError, read_sentence

    try:
        return read_sentence(file)
    except SentenceError as error:
        raise BadRequest(str(error)) from error


def _line(finding: Finding) -> str:
    state = "ok" if finding.ok else "MISSING" if finding.essential else "missing"
    told = f"{state:9}{finding.name}: {finding.detail}"
    return f"{told} → {finding.advice}" if finding.advice else told


def _as_data(finding: Finding) -> dict[str, object]:
    return {name: getattr(finding, name) for name in ("name", "ok", "detail", "advice")}


def _conclusion(found: Iterable[Finding]) -> str:
    missing = [one for one in found if not one.ok]
    if needed := _names(one for one in missing if one.essential):
        return f"byhand can't do without these: {needed}."
    if missing:
        return f"All essentials are there; not there: {_names(missing)}."
    return "All is there."


def _names(found: Iterable[Finding]) -> str:
    return ", ".join(dict.fromkeys(one.name for one in found))
