"""Whether another program has changed the file that a window has open."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from engine.files import MAX_BYTES

__all__ = ["DiskWatch"]

_SETTLING = 250
"""How long, in ms, we let a program write before we look."""


class DiskWatch(QObject):
    """Looks after one file, also where it is replaced, removed and made again.

    changed: its contents are no longer those of the last `watch` (or it is gone).
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self._known: bytes | None = None
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._touched)
        self._watcher.directoryChanged.connect(self._touched)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLING)
        self._settling.timeout.connect(self._look)

    def watch(self, path: Path | None) -> None:
        """Look after this file from now on, as it is now; None: after none."""
        self._settling.stop()
        if old := [*self._watcher.files(), *self._watcher.directories()]:
            self._watcher.removePaths(old)
        # A link is replaced where it leads.
        self._path = None if path is None else Path(os.path.realpath(path))
        self._known = self._contents()
        self._follow()

    def differs(self) -> bool:
        """Whether the file is another than it was, looked at now; one that is gone isn't."""
        contents = self._contents()
        return contents is not None and contents != self._known

    def stop(self) -> None:
        """Look after nothing any more."""
        self.watch(None)

    def _follow(self) -> None:
        """Have the file and its folder watched; a file that was replaced has to be named again."""
        if self._path is None:
            return
        with suppress(OSError, ValueError):
            for path in (self._path, self._path.parent):
                name = str(path)
                name.encode()  # Qt can't hold every name that a file may have
                if path.exists() and name not in (
                    *self._watcher.files(),
                    *self._watcher.directories(),
                ):
                    self._watcher.addPath(name)

    def _touched(self) -> None:
        self._settling.start()

    def _look(self) -> None:
        self._follow()
        contents = self._contents()
        if contents != self._known:
            self._known = contents
            self.changed.emit()

    def _contents(self) -> bytes | None:
        if self._path is None:
            return None
        try:
            if not self._path.is_file():
                return None
            with self._path.open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except OSError:
            return None
