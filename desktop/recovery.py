"""Unsaved work, kept where the next start finds it after a crash.

Each running byhand has a folder of its own with a lock that the system lets go when it dies: a
folder whose lock is free is a dead one's, and what lies in it was never saved.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct
from PySide6.QtCore import QLockFile

from desktop.settings import set_aside, state_folder
from engine.files import MAX_BYTES, SentenceError, format_sentence, parse_sentence
from engine.sentence import Sentence
from export.placing import place_text, shown

__all__ = ["Recovered", "Recovery"]


class _Kept(Struct, frozen=True):
    """What a recovery file holds: the document's text, and the file it belongs to ("" = none)."""

    document: str
    file: str = ""
    when: float = 0.0


@dataclass(frozen=True)
class Recovered:
    """A document that was never saved; place is the file that keeps it until that is settled."""

    sentence: Sentence
    file: Path | None
    when: float
    place: Path

    @property
    def title(self) -> str:
        """What to call it: its file, else its title, else its words."""
        if self.file is not None:
            return shown(Path(self.file.name))
        return self.sentence.title or " ".join(self.sentence.words)[:40]


class Recovery:
    """The folder of this process, and what dead ones have left."""

    def __init__(self, folder: Path | None = None) -> None:
        self._root = state_folder() / "recovery" if folder is None else folder
        self._own = self._root / f"{os.getpid()}-{os.urandom(4).hex()}"
        self._locks: dict[Path, QLockFile] = {}

    def keep(self, name: str, sentence: Sentence, file: Path | None) -> None:
        """Write down an unsaved document, in one step; OSError where that can't be.

        name tells this process's windows apart.
        """
        self._ensure()
        kept = _Kept(format_sentence(sentence), _text(file), time.time())
        place_text(msgspec.json.encode(kept).decode(), self._own / f"{name}.json")

    def drop(self, name: str) -> None:
        """Forget a document: it was saved, or thrown away on purpose."""
        with suppress(OSError):
            (self._own / f"{name}.json").unlink()

    def left_behind(self) -> tuple[tuple[Recovered, ...], int]:
        """What dead processes left, the newest first, and how many of their files are damaged.

        Damaged ones are set aside. The rest stay theirs until `settle`, so that they are offered
        again where nobody answers; another byhand won't see them meanwhile.
        """
        found: list[Recovered] = []
        damaged = 0
        for folder in self._dead():
            for place in sorted(folder.glob("*.json")):
                kept = _read(place)
                if kept is None:
                    set_aside(place)
                    damaged += 1
                else:
                    found.append(kept)
            self._tidy(folder)
        return tuple(sorted(found, key=lambda one: -one.when)), damaged

    def settle(self, recovered: Recovered) -> None:
        """The document has been taken over, or isn't wanted: its file goes."""
        with suppress(OSError):
            recovered.place.unlink()
        self._tidy(recovered.place.parent)

    def close(self) -> None:
        """Let go of everything; what is still kept is for the next start."""
        self._tidy(self._own)
        for lock in self._locks.values():
            lock.unlock()
        self._locks.clear()

    def _ensure(self) -> None:
        if self._own in self._locks and self._own.exists():
            return
        self._own.mkdir(parents=True, exist_ok=True)
        self._lock(self._own)

    def _dead(self) -> Iterator[Path]:
        """Folders whose processes are gone, locked by us from now on."""
        with suppress(OSError):
            for folder in sorted(self._root.iterdir()):
                if folder.is_dir() and folder != self._own and self._lock(folder):
                    yield folder

    def _lock(self, folder: Path) -> bool:
        if folder in self._locks:
            return True
        lock = QLockFile(str(folder / "lock"))
        # However old: it is a dead one's only if its process is gone.
        lock.setStaleLockTime(0)
        if not lock.tryLock(0):
            return False
        self._locks[folder] = lock
        return True

    def _tidy(self, folder: Path) -> None:
        """Remove a folder of ours that holds nothing more than its lock."""
        with suppress(OSError):
            if folder in self._locks and {path.name for path in folder.iterdir()} <= {"lock"}:
                self._locks.pop(folder).unlock()
                shutil.rmtree(folder, ignore_errors=True)


def _read(place: Path) -> Recovered | None:
    """What a recovery file holds; None where it is damaged."""
    try:
        if place.stat().st_size > 2 * MAX_BYTES:
            return None
        kept = msgspec.json.decode(place.read_bytes(), type=_Kept)
        sentence = parse_sentence(kept.document.encode(), place.name)
    except (OSError, ValueError, RecursionError, SentenceError):
        return None
    return Recovered(sentence, Path(kept.file) if kept.file else None, kept.when, place)


def _text(file: Path | None) -> str:
    """A file's name where JSON can hold it."""
    if file is None:
        return ""
    name = os.path.abspath(file)
    return name if name.isprintable() else ""
