"""Files into place: asked for before the work, put there whole after it, or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = [
    "NO_ROOM",
    "make_folders",
    "no_room",
    "place_all",
    "place_bytes",
    "place_file",
    "place_text",
    "quoted",
    "refuse_taken",
    "shown",
    "working_folder",
]

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""A disk that is full, or as full as its owner may make it."""


def refuse_taken(files: Iterable[Path], *, force: bool) -> None:
    """Raise ValueError where a file is there already and may not be overwritten."""
    for file in files:
        try:
            os.lstat(file)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            raise _unwritable(file, error) from error
        if file.is_dir():
            raise ValueError(f"{shown(file)} is a folder: try another name with -o")
        if not force:
            raise ValueError(f"{shown(file)} exists: try --force, or another place with -o")
        if file.exists() and not (file.is_file() and os.access(file, os.W_OK)):
            raise ValueError(f"{shown(file)} may not be overwritten: try another name with -o")


def make_folders(files: Iterable[Path]) -> None:
    """Make the folders that files will go into; ValueError where nothing can be written there."""
    for folder in dict.fromkeys(_followed(file).parent for file in files):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except (OSError, ValueError) as error:
            raise _unwritable(folder, error) from error


@contextmanager
def working_folder() -> Iterator[str]:
    """A folder for what isn't done yet, gone in the end.

    OSError says in one line whose disk is full where that of the folder is.
    """
    with tempfile.TemporaryDirectory(prefix="byhand-") as folder:
        try:
            yield folder
        except OSError as error:
            # libav has its own way of naming files, and a write names none.
            name = os.fsdecode(error.filename or folder).removeprefix("file:")
            if error.errno in NO_ROOM and Path(name).is_relative_to(folder):
                raise OSError(no_room(Path(folder))) from error
            raise


def no_room(folder: Path) -> str:
    """What to say where the disk of a folder for temporary files is full."""
    places = (place := Path(os.path.realpath(folder)), *place.parents)
    disk = next(filter(os.path.ismount, places), place)
    return (
        f"no space left on the disk of temporary files ({shown(disk)}): make room there, or set "
        "TMPDIR to a folder on another"
    )


def place_file(source: Path, target: Path) -> None:
    """Put a file at `target` in one step: who looks there sees the old one or the new one.

    A symbolic link is followed. OSError names the target where that fails.
    """
    with _beside(target) as temporary:
        shutil.copyfile(source, temporary)


def place_bytes(data: bytes, target: Path) -> None:
    """Put bytes at `target` in one step."""
    with _beside(target) as temporary:
        temporary.write_bytes(data)


def place_text(text: str, target: Path) -> None:
    """Put a text at `target`, as UTF-8, in one step."""
    with _beside(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def place_all(source: Path, target: Path, files: Iterable[Path]) -> tuple[Path, ...]:
    """Put files of one folder into another, folders within it included: all of them, or none.

    files are relative to both; those that are there are replaced. Where one can't be placed, or
    somebody interrupts, all is put back as it was. Returns the files in their places.
    """
    names = tuple(files)
    with working_folder() as kept, contextlib.ExitStack() as undo:
        before = Path(kept)
        for number, name in enumerate(names):
            place = target / name
            for folder in (p for p in reversed(place.parents) if not p.exists()):
                undo.callback(_remove_folder, folder)
            make_folders([place])
            old = before / str(number)
            if place.exists():
                shutil.copy2(place, old)
                undo.callback(place_file, old, place)
            else:
                undo.callback(place.unlink, missing_ok=True)
            place_file(source / name, place)
        undo.pop_all()
    return tuple(target / name for name in names)


def _remove_folder(folder: Path) -> None:
    """Remove a folder, unless somebody has put something into it, or it isn't there."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def shown(path: Path) -> str:
    """A path on one line, whatever is in it."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(path))


def quoted(text: str | None) -> str:
    """A name that somebody typed, in quotes, on one line whatever is in it."""
    return "'" + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text or "") + "'"


def _unwritable(path: Path, error: OSError | ValueError) -> ValueError:
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return ValueError(f"can't write to {shown(path)} ({reason}): try another place with -o")


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A file beside `target` that takes its place in the end, or vanishes."""
    place = _followed(target)
    try:
        # A name of its own: the target's may be as long as names can be.
        handle, name = tempfile.mkstemp(prefix=".byhand-", suffix=".part", dir=place.parent)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            temporary.chmod(_mode(place))
            _flush(temporary)
            temporary.replace(place)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        if error.errno is None:
            raise
        # The name of the temporary file would tell nobody anything.
        raise OSError(error.errno, error.strerror, shown(target)) from error


def _followed(file: Path) -> Path:
    """Where a file's bytes are: the end of a symbolic link, else the file itself."""
    return Path(os.path.realpath(file)) if os.path.islink(file) else file


def _mode(target: Path) -> int:
    """The mode that `target` has, or that a new file gets (a temporary one is private)."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
