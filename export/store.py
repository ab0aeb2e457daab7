"""A folder of what took long to make: found by name, checked when it is read, never too large.

A name is a folder and a file in it. What is kept under a name is a few words about it and any
number of parts (whole files), all in one file that comes into its place at once, so that renders
at the same time don't meet. Nothing here raises OSError: what can't be kept isn't, and what can't
be read isn't there.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

__all__ = ["FOLDER", "LIMIT", "Entry", "Item", "Store", "in_words", "limit", "store_folder"]

FOLDER = "BYHAND_CACHE"
"""The environment variable that says where the store is, if not where the system has them."""

LIMIT = "BYHAND_CACHE_LIMIT"
"""The environment variable that says how large the store may get: 20GB, 500MB, 0 for none."""

DEFAULT_LIMIT = 10 * 10**9
MAGIC = b"byhand kept 1\n"
ENDING = ".kept"
PART = ".kept-part"
"""The ending of what is still being written, or was when somebody pulled the plug."""

CHUNK = 1 << 20


class _Part(msgspec.Struct, frozen=True):
    size: int
    hash: str


class _Head(msgspec.Struct, frozen=True):
    about: msgspec.Raw
    parts: tuple[_Part, ...]


class Entry(NamedTuple):
    """What is kept under a name: its file, the words about it (JSON), where its parts are."""

    path: Path
    about: bytes
    parts: tuple[tuple[int, _Part], ...]


class Item(NamedTuple):
    """A file of the store: its path, its bytes, when it was last of use (seconds since 1970)."""

    path: str
    size: int
    used: float


class Store:
    """Whatever is kept in a folder, up to `limit` bytes; the folder is made when it is needed."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit

    def names(self, folder: str) -> list[str]:
        """The names of what is kept in one folder."""
        with suppress(OSError):
            return sorted(
                name.removesuffix(ENDING)
                for name in os.listdir(self.folder / folder)
                if name.endswith(ENDING)
            )
        return []

    def find(self, folder: str, name: str) -> Entry | None:
        """What is kept under a name; its parts aren't looked into yet."""
        path = self._path(folder, name)
        try:
            with path.open("rb") as file:
                entry = _read_head(file, path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, msgspec.MsgspecError):
            _remove(path)
            return None
        # What was of use is the last to go.
        with suppress(OSError):
            os.utime(path)
        return entry

    def lay_out(self, entry: Entry, targets: Sequence[Path]) -> bool:
        """Write an entry's parts as files; False where it is damaged (then it is removed) or gone.

        Only a True says that the targets are whole.
        """
        if len(targets) != len(entry.parts):
            return False
        try:
            with entry.path.open("rb") as file:
                for (start, part), target in zip(entry.parts, targets):
                    file.seek(start)
                    if not _copy_out(file, part, target):
                        _remove(entry.path)
                        return False
        except OSError:
            return False
        return True

    def keep(self, folder: str, name: str, about: object, files: Sequence[Path] = ()) -> None:
        """Keep files, and a few words about them, under a name; what was kept there goes."""
        path = self._path(folder, name)
        with suppress(OSError):
            parts = tuple(_part_of(file) for file in files)
            size = sum(part.size for part in parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            if size > self.room() or size > self.limit:
                return
            handle, temporary = tempfile.mkstemp(prefix=".", suffix=PART, dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as out:
                    raw = msgspec.Raw(msgspec.json.encode(about))
                    head = msgspec.json.encode(_Head(raw, parts)) + b"\n"
                    out.write(MAGIC + _hash(head).encode() + b"\n" + head)
                    for file in files:
                        with file.open("rb") as one:
                            shutil.copyfileobj(one, out, CHUNK)
                os.replace(temporary, path)
            except BaseException:
                _remove(Path(temporary))
                raise

    def items(self) -> list[Item]:
        """Every file of the store's, the one longest out of use first; others' aren't seen."""
        found = []
        for folder in _scan(self.folder):
            for entry in _scan(folder.path):
                if not entry.name.endswith((ENDING, PART)):
                    continue
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append(Item(entry.path, status.st_size, status.st_mtime))
        return sorted(found, key=lambda item: (item.used, item.path))

    def trim(self) -> None:
        """Let go of what is longest out of use, until all the rest is within the limit."""
        items = self.items()
        most = min(self.limit, sum(item.size for item in items) + self.room())
        excess = sum(item.size for item in items) - most
        for item in items:
            if excess <= 0:
                return
            _remove(Path(item.path))
            excess -= item.size

    def clear(self) -> tuple[int, int]:
        """Let go of all of it; how many files that were, and how many bytes."""
        items = self.items()
        for item in items:
            _remove(Path(item.path))
        return len(items), sum(item.size for item in items)

    def room(self) -> int:
        """What may still be written: a tenth of the disk is left to others."""
        try:
            disk = shutil.disk_usage(self.folder if self.folder.exists() else Path.home())
        except OSError:
            return 0
        return disk.free - disk.total // 10

    def _path(self, folder: str, name: str) -> Path:
        return self.folder / folder / (name + ENDING)


def store_folder() -> Path:
    """Where the system has programs keep what they can make again, or where `FOLDER` says."""
    if own := os.environ.get(FOLDER):
        return Path(own).absolute()
    home = Path.home()
    match sys.platform:
        case "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
            return base / "byhand" / "Cache" / "clips"
        case "darwin":
            return home / "Library" / "Caches" / "byhand" / "clips"
        case _:
            base = Path(os.environ.get("XDG_CACHE_HOME") or "")
            return (base if base.is_absolute() else home / ".cache") / "byhand" / "clips"


def limit() -> int:
    """How many bytes may be kept, as `LIMIT` says; ValueError where that is no size."""
    said = os.environ.get(LIMIT, "").strip()
    if not said:
        return DEFAULT_LIMIT
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\s*([kMGT]?)B?", said, re.ASCII)
    if found is None:
        raise ValueError(f"{LIMIT}={said!r} is no size: try 20GB, 500MB, or 0 to keep nothing")
    return int(float(found[1]) * 1000 ** " kMGT".index(found[2] or " "))


def in_words(size: int) -> str:
    """A number of bytes as people say it: 61.2 MB."""
    for unit, bytes_ in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= bytes_:
            return f"{size / bytes_:.1f} {unit}".replace(".0 ", " ")
    return f"{size} bytes"


def _read_head(file: IO[bytes], path: Path) -> Entry:
    """What stands before an entry's parts; ValueError where it isn't as it was written."""
    magic, said, head = (file.readline() for _ in range(3))
    if magic != MAGIC or said.strip() != _hash(head).encode():
        raise ValueError("damaged")
    told = msgspec.json.decode(head, type=_Head)
    start = file.tell()
    parts = []
    for part in told.parts:
        parts.append((start, part))
        start += part.size
    if os.fstat(file.fileno()).st_size != start:
        raise ValueError("cut off")
    return Entry(path, bytes(told.about), tuple(parts))


def _copy_out(file: IO[bytes], part: _Part, target: Path) -> bool:
    """Copy a part out of an entry; False where its bytes aren't those that were kept."""
    hashed = blake2b(digest_size=20)
    with target.open("wb") as out:
        for chunk in _chunks(file, part.size):
            hashed.update(chunk)
            out.write(chunk)
    return hashed.hexdigest() == part.hash


def _part_of(file: Path) -> _Part:
    hashed = blake2b(digest_size=20)
    size = file.stat().st_size
    with file.open("rb") as opened:
        for chunk in _chunks(opened, size):
            hashed.update(chunk)
    return _Part(size, hashed.hexdigest())


def _chunks(file: IO[bytes], size: int) -> Iterator[bytes]:
    while size and (chunk := file.read(min(size, CHUNK))):
        size -= len(chunk)
        yield chunk


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=20).hexdigest()


def _scan(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _remove(path: Path) -> None:
    """Remove a file, and its folder where that was the last in it."""
    with suppress(OSError):
        path.unlink()
        path.parent.rmdir()
