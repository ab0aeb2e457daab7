"""Render ▸ Video…: which scenes, how, and where to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFormLayout, QWidget

from desktop.dialog_parts import add_row, choice
from desktop.document import Document
from desktop.renders import Render, missing_packages
from desktop.settings import SettingsFile
from desktop.view_state import ViewState
from desktop.work_dialog import WorkDialog
from export.options import CAPTIONS, PACES, QUALITIES, THEMES, RenderOptions, choose_films
from scenes import CATALOG, PARTS

__all__ = ["RenderDialog", "quality_texts"]

_CAPTIONS = {
    "all": "Drawn, and as files beside",
    "burn": "Drawn into the picture",
    "srt": "As a file (srt)",
    "vtt": "As a file (vtt)",
    "none": "None",
}


def quality_texts() -> dict[str, str]:
    """The qualities, each with what it means."""
    return {
        name: f"{name}  ({quality.width} × {quality.height}, {quality.frame_rate} a second)"
        for name, quality in QUALITIES.items()
    }


class RenderDialog(WorkDialog):
    """Renders run by `byhand render`."""

    name = "render"

    def __init__(
        self, document: Document, state: ViewState, settings: SettingsFile, parent: QWidget
    ) -> None:
        super().__init__(document, state, settings, parent)
        self.setWindowTitle("Render video")

    def fill_form(self, form: QFormLayout) -> None:
        """Scene, quality, theme, captions, pace, folder."""
        scenes = {"lecture": "The whole lecture"}
        scenes |= {part: f"Part {number}" for number, part in enumerate(PARTS, start=1)}
        self.scene = choice(scenes | {entry.name: entry.title for entry in CATALOG})
        self.scene.insertSeparator(len(scenes))
        self.quality = choice(quality_texts(), self._settings.now.render_quality)
        themes = {name: name.capitalize() for name in THEMES}
        self.theme = choice(themes, self._state.look.theme.name)
        self.captions = choice({name: _CAPTIONS[name] for name in CAPTIONS}, "all")
        self.pace = choice({name: name.capitalize() for name in PACES}, "normal")
        for label, widget in (
            ("&Scene", self.scene), ("&Quality", self.quality), ("&Theme", self.theme),
            ("C&aptions", self.captions), ("&Pace", self.pace),
        ):  # fmt: skip
            add_row(form, label, widget)
        movies = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.MoviesLocation)
        home = movies if os.path.isdir(movies) else os.path.expanduser("~")
        self.add_folder(form, self._settings.now.render_folder or home)

    def check(self) -> None:
        """Without the extra there is nothing to begin."""
        missing = missing_packages()
        self.begin.setEnabled(not missing)
        self.trouble.say(
            f"Rendering needs {' and '.join(missing)}, which aren't installed here. "
            "In a terminal: pip install 'byhand[video]'"
            if missing
            else ""
        )

    def options(self) -> RenderOptions:
        """What is asked for now, with the document as it is now; ValueError where it can't be."""
        state = self._state
        return RenderOptions(
            sentence=self._document.kept,
            films=choose_films([self.scene.currentData()]),
            head=self._document.head,
            quality=self.quality.currentData(),
            format="mp4",
            captions=self.captions.currentData(),
            pace=self.pace.currentData(),
            motion="reduced" if state.reduced_motion else "full",
            theme=self.theme.currentData(),
            rows="queries" if state.rows_are_queries else "keys",
            digits=self._document.calculation.digits,
            # A folder always, even one that is called x.mp4.
            output=os.path.join(self.folder.text() or ".", ""),
            force=True,
        )

    def files_of(self, options: Any) -> list[Path]:
        """Every file there will be."""
        return list(options.files)

    def begin_work(self, options: Any) -> Render:
        """Begin it."""
        return Render(options, self)

    def remember(self, options: Any) -> None:
        """Quality and folder."""
        folder = os.path.abspath(self.folder.text())
        self._settings.change(render_quality=options.quality, render_folder=folder)

    @property
    def made_in(self) -> Path:
        """The folder of what was rendered last, or is asked for."""
        if isinstance(self.current, Render):
            return Path(self.current.options.folder)
        return Path(self.folder.text())
