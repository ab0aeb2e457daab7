"""What byhand remembers between starts: one JSON file in the user's own configuration folder.

A file that can't be understood never stops the start: it is set aside, and said so once.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from PySide6.QtCore import QStandardPaths

from export.placing import place_text

__all__ = [
    "RECENT_FILES", "BundleChoices", "FigureChoices", "Settings", "SettingsFile",
    "WorksheetChoices", "config_folder", "set_aside", "state_folder",
]  # fmt: skip

RECENT_FILES = 10
_LARGEST = 1_000_000


class FigureChoices(Struct, frozen=True, kw_only=True):
    """What figure was asked for last, and how; words are those of `FigureOptions`."""

    name: str = "causal-pair"
    theme: str = "light"
    format: str = "svg"
    text: str = "embed"
    width: int | None = None
    scale: float = 2.0
    font_scale: float = 1.0
    transparent: bool = False
    source: bool = True


class WorksheetChoices(Struct, frozen=True, kw_only=True):
    """What worksheet was asked for last; variants 0 = the document's own numbers."""

    style: str = "html"
    all_words: bool = False
    blank: bool = False
    variants: int = 0
    seed: int = 0


class BundleChoices(Struct, frozen=True, kw_only=True):
    """How a bundle was asked for last."""

    folder: str = ""
    theme: str = "both"
    clips: str = "excerpts"
    quality: str = "720p"
    source: bool = True


class Settings(Struct, frozen=True, kw_only=True):
    """All of it, with what holds at the very first start."""

    theme: Literal["system", "light", "dark", "projector"] = "system"
    text_size: Annotated[float, Meta(ge=1.0, le=2.5)] = 1.0
    reduced_motion: bool = False
    digits: Annotated[int, Meta(ge=0, le=6)] = 2
    rows_are_queries: bool = True
    snap: Annotated[float, Meta(ge=0, le=100)] = 0.0
    hidden_layers: tuple[str, ...] = ()
    level: Literal["one", "all", "everything"] = "one"
    # Where the window was: x, y, width and height of what is inside its frame.
    place: tuple[int, int, int, int] | None = None
    maximized: bool = False
    # Qt's own description of the docks, base64; and panels that were opened or closed by hand.
    docks: str = ""
    docks_by_hand: bool = False
    shown: dict[str, bool] = {}
    recent: tuple[str, ...] = ()
    folder: str = ""
    greeted: bool = False
    told_of_new_vectors: bool = False
    render_quality: str = "1080p"
    render_folder: str = ""
    # Where figures and worksheets were saved last.
    export_folder: str = ""
    figure: FigureChoices = FigureChoices()
    worksheet: WorksheetChoices = WorksheetChoices()
    bundle: BundleChoices = BundleChoices()


class SettingsFile:
    """The settings as they are on disk; `now` is what was read or written last.

    complaint says, where the file was damaged, what was done about it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = config_folder() / "settings.json" if path is None else path
        self.complaint = ""
        self.now = self._read(aside=True) or Settings()

    def change(self, **changes: object) -> bool:
        """Remember something else; False where it can't be written (it holds until the end).

        What another byhand has written meanwhile stays, but for what is changed here.
        """
        wanted = msgspec.structs.replace(self._read(aside=False) or self.now, **changes)
        known = self.now
        self.now = msgspec.structs.replace(self.now, **changes)
        if wanted == known == self.now and self.path.exists():
            return True
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = msgspec.json.format(msgspec.json.encode(wanted), indent=2).decode()
            place_text(text + "\n", self.path)
        except OSError:
            return False
        self.now = wanted
        return True

    def remember_file(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        name = os.path.abspath(path)
        with suppress(UnicodeEncodeError):  # a name that is no text can't be kept in JSON
            name.encode()
            others = [other for other in self._recent() if other != name]
            self.change(recent=(name, *others)[:RECENT_FILES])

    def forget_file(self, path: Path) -> None:
        """Take a file off the recent ones."""
        name = os.path.abspath(path)
        self.change(recent=tuple(other for other in self._recent() if other != name))

    def _recent(self) -> tuple[str, ...]:
        return (self._read(aside=False) or self.now).recent

    def _read(self, *, aside: bool) -> Settings | None:
        try:
            if not self.path.exists():
                return None
            if self.path.stat().st_size > _LARGEST:
                raise ValueError("it is too large")
            return msgspec.json.decode(self.path.read_bytes(), type=Settings)
        except (OSError, ValueError, RecursionError):
            if aside:
                kept = set_aside(self.path)
                self.complaint = (
                    "The settings couldn't be read, so byhand starts with fresh ones"
                    + (f"; the old file is kept as {kept.name}." if kept else ".")
                )
            return None


def set_aside(path: Path) -> Path | None:
    """Rename a damaged file, so that it neither stands in the way nor is lost; its new name."""
    target = path.with_name(f"{path.name}.damaged")
    try:
        os.replace(path, target)
    except OSError:
        return None
    return target


def config_folder() -> Path:
    """Where settings are kept: ~/.config/byhand, or what the system has for it."""
    return _folder(QStandardPaths.StandardLocation.GenericConfigLocation)


def state_folder() -> Path:
    """Where unsaved work is kept: ~/.local/state/byhand, or what the system has for it."""
    return _folder(QStandardPaths.StandardLocation.GenericStateLocation)


def _folder(location: QStandardPaths.StandardLocation) -> Path:
    return Path(QStandardPaths.writableLocation(location)) / "byhand"
