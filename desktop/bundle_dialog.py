"""File ▸ Export ▸ Bundle for a post…: a folder with all that a post about the sentence needs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QStandardPaths, Qt
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QWidget

from desktop.bundles import Bundling
from desktop.clip_rows import ClipRows
from desktop.dialog_parts import add_row, choice, fit_on_screen
from desktop.document import Document
from desktop.render_dialog import quality_texts
from desktop.renders import missing_packages
from desktop.settings import BundleChoices, SettingsFile
from desktop.view_state import ViewState
from desktop.work_dialog import WorkDialog
from export.bundle_options import BundleOptions, ClipChoice, choose_clips, default_clips
from scenes import find_scene

__all__ = ["BundleDialog"]

_THEMES = {
    "both": "Light and dark",
    "light": "Light",
    "dark": "Dark",
    "projector": "Projector",
}
_EXCERPTS, _CHOSEN, _NONE = "excerpts", "chosen", "none"


class BundleDialog(WorkDialog):
    """Bundles made by `byhand bundle`."""

    name = "bundle"
    _asked_height = 0

    def __init__(
        self, document: Document, state: ViewState, settings: SettingsFile, parent: QWidget
    ) -> None:
        super().__init__(document, state, settings, parent)
        self.setWindowTitle("Bundle for a post")

    def fill_form(self, form: QFormLayout) -> None:
        """Folder, theme, clips, their quality."""
        before = self._settings.now.bundle
        about = QLabel(
            "Figures, clips, alt text, tables and worksheets in one folder, and an index.html "
            "that shows them with the markup to paste."
        )
        about.setWordWrap(True)
        form.addRow(about)
        self.theme = choice(_THEMES, before.theme)
        titles = " and ".join(clip.scene.title for clip in default_clips())
        kinds = {_EXCERPTS: "Two short ones", _CHOSEN: "Chosen ones", _NONE: "None"}
        self.clips = choice(kinds, before.clips if before.clips in kinds else _CHOSEN)
        self.clips.setItemData(0, f"Some beats of {titles}", Qt.ItemDataRole.ToolTipRole)
        self.chosen = ClipRows()
        self.chosen.show_asked(() if before.clips in kinds else before.clips.split())
        self.quality = choice(quality_texts(), before.quality)
        self.source = QCheckBox("Files carry the &document")
        self.source.setChecked(before.source)
        self.source.setToolTip("byhand opens them as it opens the document itself.")
        for label, field in (
            ("&Theme", self.theme), ("&Clips", self.clips), ("&Quality of clips", self.quality),
        ):  # fmt: skip
            add_row(form, label, field)
            if field is self.clips:
                form.addRow(self.chosen)
        documents = QStandardPaths.writableLocation(
            QStandardPaths.StandardLocation.DocumentsLocation
        )
        home = documents if os.path.isdir(documents) else os.path.expanduser("~")
        self.add_folder(form, before.folder or os.path.join(home, "post"))
        form.addRow(self.source)
        self.clips.currentIndexChanged.connect(self._clips_chosen)
        self._clips_chosen()

    def _clips_chosen(self) -> None:
        asked = self.clips.currentData() if self.clips.isEnabled() else _NONE
        self.quality.setEnabled(asked != _NONE)
        self.chosen.setVisible(asked == _CHOSEN)

    def event(self, event: QEvent) -> bool:
        """A row more makes the dialog higher, as far as its screen has room."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            before, self._asked_height = self._asked_height, self.sizeHint().height()
            if 0 < before < self._asked_height:
                fit_on_screen(self, self.sizeHint().expandedTo(self.size()))
        return handled

    def check(self) -> None:
        """Without the extra all but the clips can be made."""
        missing = missing_packages()
        self.clips.setEnabled(not missing)
        self._clips_chosen()
        self.trouble.say(
            f"There will be no clips: they need {' and '.join(missing)}, which aren't installed "
            "here. In a terminal: pip install 'byhand[video]'"
            if missing
            else ""
        )

    def options(self) -> BundleOptions:
        """What is asked for now, with the document as it is now; ValueError where it can't be."""
        if not self.folder.text().strip():
            raise ValueError("a bundle needs a folder of its own: name one")
        return BundleOptions(
            sentence=self._document.kept,
            folder=Path(self.folder.text()),
            clips=self._clips(),
            head=self._document.head,
            quality=self.quality.currentData(),
            theme=self.theme.currentData(),
            rows="queries" if self._state.rows_are_queries else "keys",
            digits=self._document.calculation.digits,
            force=True,
            embed=self.source.isChecked(),
        )

    def _clips(self) -> tuple[ClipChoice, ...]:
        asked = self.clips.currentData()
        if asked == _NONE or not self.clips.isEnabled():
            return ()
        return choose_clips(() if asked == _EXCERPTS else self.chosen.asked)

    def files_of(self, options: Any) -> list[Path]:
        """Every file there will be."""
        return [options.folder / file for file in options.files()]

    def begin_work(self, options: Any) -> Bundling:
        """Begin it."""
        return Bundling(options, self)

    def remember(self, options: Any) -> None:
        """All that was chosen."""
        kind = self.clips.currentData()
        self._settings.change(
            bundle=BundleChoices(
                folder=os.path.abspath(self.folder.text()),
                theme=options.theme,
                clips=" ".join(self.chosen.asked) if kind == _CHOSEN else kind,
                quality=options.quality,
                source=options.embed,
            )
        )

    @property
    def made_in(self) -> Path:
        """The folder of what was made last, or is asked for."""
        if isinstance(self.current, Bundling):
            return self.current.options.folder
        return Path(self.folder.text())

    @property
    def at_work(self) -> str:
        """What is being done now, in words."""
        if self.current is None or not (name := self.current.progress.at_work):
            return super().at_work
        progress = self.current.progress
        if name == "figures":
            return "Drawing the figures"
        stem, _, kind = name.rpartition(".")
        entry = find_scene(stem) or find_scene(stem.rpartition("-")[0])
        clip = entry.title if entry is not None else stem
        films = progress.scenes - 1
        done = min(len(progress.finished - {"figures"}) + 1, films)
        return f"Filming {clip} ({kind}): film {done} of {films}"
