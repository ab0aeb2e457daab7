"""What a picture depends on besides what was asked for: code, packages, libraries, fonts.

It is looked up for every render, in a third of a second: files of ours by what is in them, files
of the system's by name, size and time.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib import metadata
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

__all__ = ["beside_films", "digest", "here", "module_source", "portable"]

ROOMS = ("engine", "scenes")
"""Ours that draw, as a whole; of export only what the worker imports."""

PACKAGES = ("byhand", "manim", "typst", "av", "numpy", "msgspec", "pillow", "fontpkg-inter")
"""Others' that draw; what these need counts as well."""

IMPORT = re.compile(
    r"^\s*(?:from|import) (export(?:\.\w+)*)(?: import ([\w, ]+|\([\w,\s]+\)))?", re.M
)

LIBRARIES = re.compile(r"lib(cairo|pixman|pango|freetype|fontconfig|harfbuzz|fribidi|glib|m|c)\b")
REQUIRED = re.compile(r"^Requires-Dist: ([\w.-]+)(.*)$", re.MULTILINE)
SETTINGS = re.compile(r"FONTCONFIG|FC_|FREETYPE|PANGO|CAIRO|PIXMAN|TYPST|MANIM")
FONT_SETTINGS = "/etc/fonts"


def digest(*parts: bytes | str) -> str:
    """A short name for these parts in this order: other parts, another name."""
    hashed = blake2b(digest_size=20)
    for part in parts:
        data = part.encode(errors="surrogateescape") if isinstance(part, str) else part
        hashed.update(len(data).to_bytes(8, "little") + data)
    return hashed.hexdigest()


@cache
def here() -> Mapping[str, str]:
    """All that pictures depend on in this process, by name.

    What `portable` gives, and what only tells one state of this machine from another.
    """
    return portable() | {
        "system": sysconfig.get_platform(),
        "libraries": digest(*map(str, map(_state, sorted(_libraries())))),
        "font files": digest(*map(str, _font_files())),
        "font settings": digest(*map(str, map(_state, _font_settings()))),
        "environment": digest(*(f"{k}={v}" for k, v in _environment())),
    }


def portable() -> dict[str, str]:
    """What should be the same wherever pictures of one film are drawn, by name; looked up anew."""
    return {
        "Python": platform.python_version(),
        "byhand's code": _code("export.worker")[:16],
        **_packages(PACKAGES),
        **_compiled(),
        "fonts": _fonts(),
    }


def module_source(name: str) -> bytes | None:
    """What stands in the file of a module; None where it has none that can be read."""
    try:
        spec = _spec(name)
        return None if spec is None or spec.origin is None else Path(spec.origin).read_bytes()
    except (ImportError, OSError, ValueError):
        return None


@cache
def beside_films() -> str:
    """A name for what films' other files depend on besides: their code, and what sets a handout."""
    return digest(
        _code("export.writing"), *(f"{k} {v}" for k, v in _packages(["matplotlib"]).items())
    )


# Our own code


def _code(module: str) -> str:
    """Every file of the rooms that draw, and of what a module of export imports."""
    rooms = (part for room in ROOMS for part in _files_in(_folder_of(room)))
    return digest(*rooms, *_imported(module))


def _imported(module: str) -> Iterator[str | bytes]:
    """The files of a module of export, and of all in export that it imports, wherever."""
    root = _folder_of("export")
    wanted, found = [module], {"export": b""}
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        path = root.joinpath(*name.split(".")[1:])
        source = path.with_suffix(".py")
        if path.is_dir():
            found[name] = digest(*_files_in(path)).encode()
            texts = [file.read_text("utf-8") for file in path.rglob("*.py")]
        elif source.is_file():
            found[name] = source.read_bytes()
            texts = [found[name].decode()]
        else:
            continue  # a name in a module, not a module
        for text in texts:
            for imported, names in IMPORT.findall(text):
                wanted += [imported, *(f"{imported}.{one}" for one in re.findall(r"\w+", names))]
    for name, data in sorted(found.items()):
        yield name
        yield data


def _folder_of(package: str) -> Path:
    spec = _spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _spec(name: str) -> ModuleSpec | None:
    """The module that a worker will import: it doesn't look into the current folder, as we may."""
    room, _, inner = name.partition(".")
    spec = PathFinder.find_spec(room, sys.path if sys.flags.safe_path else sys.path[1:])
    for part in inner.split(".") if inner else ():
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(f"{spec.name}.{part}", list(spec.submodule_search_locations))
    return spec


def _files_in(folder: Path) -> Iterator[str | bytes]:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            yield str(file.relative_to(folder.parent))
            yield file.read_bytes()


# Packages and libraries


def _packages(roots: Iterable[str]) -> dict[str, str]:
    """The versions of packages, and of all that they need."""
    found: dict[str, str] = {}
    wanted = list(roots)
    while wanted:
        name = _canonical(wanted.pop())
        if name in found:
            continue
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        # metadata's own parser takes as long for the description as we do for all of it.
        head = (package.read_text("METADATA") or "").partition("\n\n")[0]
        found[name] = (re.findall(r"^Version: (.*)$", head, re.MULTILINE) or [package.version])[0]
        # What byhand needs besides doesn't draw scenes.
        if name != "byhand":
            wanted += (n for n, rest in re.findall(REQUIRED, head) if "extra ==" not in rest)
    return dict(sorted(found.items()))


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _compiled() -> dict[str, str]:
    """The versions of what draws and encodes behind Python's back."""
    found = {}
    if find_spec("cairo") is not None:
        import cairo

        found["cairo library"] = cairo.cairo_version_string()
    if find_spec("manimpango") is not None:
        import manimpango  # type: ignore[import-untyped]

        found["pango library"] = manimpango.pango_version()
    if find_spec("av") is not None:
        import av

        found["FFmpeg"] = " ".join(
            f"{name} {'.'.join(map(str, version))}"
            for name, version in sorted(av.library_versions.items())
        )
    return found


def _libraries() -> set[str]:
    """The shared libraries that drawing has loaded, where the system says."""
    _compiled()
    try:
        maps = Path("/proc/self/maps").read_text(errors="surrogateescape")
    except OSError:
        return set()
    paths = {line.split(maxsplit=5)[5] for line in maps.splitlines() if "/" in line}
    # What comes in a package's own folder has the package's version.
    return {p for p in paths if LIBRARIES.match(os.path.basename(p)) and "site-packages" not in p}


# Fonts


def _fonts() -> str:
    """How many font files there are, and a digest of their names and sizes."""
    files = sorted(f"{os.path.basename(file.path)} {file.size}" for file in _font_files())
    return f"{len(files)} files ({digest(*files)[:8]})"


def _font_files() -> tuple[_File, ...]:
    """Every file in the folders where fonts are looked for, and the house font's."""
    folders = dict.fromkeys(os.path.expanduser(folder) for folder in _font_folders())
    return tuple(sorted({file for folder in folders for file in _below(folder)}))


def _house_font() -> str:
    import fontpkg

    return str(Path(fontpkg.path("Inter", nearest=True)).parent)


def _below(folder: str, depth: int = 8) -> Iterator[_File]:
    """The files in a folder and those within it; a link that leads in a circle comes to an end."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir():
            if depth:
                yield from _below(entry.path, depth - 1)
        else:
            yield _state(entry.path)


def _font_folders() -> Iterator[str]:
    yield _house_font()
    match sys.platform:
        case "win32":
            yield os.path.join(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")
            for variable in ("LOCALAPPDATA", "APPDATA"):
                if folder := os.environ.get(variable):
                    yield os.path.join(folder, "Microsoft", "Windows", "Fonts")
        case "darwin":
            yield from ("/Library/Fonts", "/System/Library/Fonts", "/Network/Library/Fonts")
            yield from ("~/Library/Fonts", "/System/Library/AssetsV2")
        case _:
            yield from ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts")
            yield os.path.join(os.environ.get("XDG_DATA_HOME") or "~/.local/share", "fonts")
            for file in _font_settings():
                text = Path(file).read_text(errors="replace")
                yield from re.findall(r"<dir>\s*([~/][^<]*?)\s*</dir>", text)


def _font_settings() -> list[str]:
    """fontconfig's files, where there are any."""
    folders = [FONT_SETTINGS, os.environ.get("FONTCONFIG_PATH", FONT_SETTINGS)]
    files = {str(file) for folder in folders for file in Path(folder).rglob("*.conf")}
    files.add(os.environ.get("FONTCONFIG_FILE", ""))
    return sorted(file for file in files if os.path.isfile(file))


# The process


def _environment() -> list[tuple[str, str]]:
    """The variables that fonts and drawing listen to."""
    return sorted((name, value) for name, value in os.environ.items() if SETTINGS.match(name))


class _File(NamedTuple):
    """A file as the system knows it: rewritten, it has another time."""

    path: str
    size: int
    time: int


def _state(path: str) -> _File:
    try:
        status = os.stat(path)
    except OSError:
        return _File(path, -1, -1)
    return _File(path, status.st_size, status.st_mtime_ns)
