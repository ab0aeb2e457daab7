"""Render ▸ Video…: what is to be rendered, and then how far it is. It never blocks the window."""

from __future__ import annotations

import os
import time
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import dialogs
from desktop.document import Document
from desktop.renders import Render, missing_packages
from desktop.settings import SettingsFile
from desktop.view_state import ViewState
from desktop.views.controls import name_control
from desktop.views.wheel import guard_wheel
from export.options import CAPTIONS, PACES, QUALITIES, THEMES, RenderOptions, choose_films
from export.placing import make_folders, refuse_taken, shown
from scenes import CATALOG, PARTS

__all__ = ["RenderDialog", "left_in_words"]

_CAPTIONS = {
    "all": "Drawn, and as files beside",
    "burn": "Drawn into the picture",
    "srt": "As a file (srt)",
    "vtt": "As a file (vtt)",
    "none": "None",
}


class RenderDialog(QDialog):
    """Asks, starts a render and shows how far it is; one at a time a window.

    changed: a render began, is further, or is over; `current` is it, or None before the first.
    """

    changed = Signal()

    def __init__(
        self, document: Document, state: ViewState, settings: SettingsFile, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._state = state
        self._settings = settings
        self.current: Render | None = None
        self.setWindowTitle("Render video")
        self.setModal(False)
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._show_progress)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._ask_page())
        self._pages.addWidget(self._progress_page())
        layout = QVBoxLayout(self)
        layout.addWidget(self._pages)

    @property
    def is_rendering(self) -> bool:
        """Whether a render is running."""
        return self.current is not None and self.current.is_running

    def open_again(self) -> None:
        """Show the dialog: the questions, or the progress of what runs."""
        if not self.is_rendering:
            self._pages.setCurrentIndex(0)
            self._check_packages()
        self.show()
        self.raise_()
        self.activateWindow()

    def stop(self) -> None:
        """Call a running render off and wait for its end: the window closes."""
        self._clock.stop()
        if self.current is not None:
            self.current.close()

    # Asking

    def _ask_page(self) -> QWidget:
        self.scene = QComboBox()
        self.scene.addItem("The whole lecture", "lecture")
        for number, part in enumerate(PARTS):
            self.scene.addItem(f"Part {number + 1}", part)
        self.scene.insertSeparator(self.scene.count())
        for entry in CATALOG:
            self.scene.addItem(entry.title, entry.name)
        self.quality = QComboBox()
        for name, quality in QUALITIES.items():
            text = f"{name}  ({quality.width} × {quality.height}, {quality.frame_rate} a second)"
            self.quality.addItem(text, name)
        _choose(self.quality, self._settings.now.render_quality)
        self.theme = QComboBox()
        for name in THEMES:
            self.theme.addItem(name.capitalize(), name)
        _choose(self.theme, self._state.look.theme.name)
        self.captions = QComboBox()
        for name in CAPTIONS:
            self.captions.addItem(_CAPTIONS[name], name)
        _choose(self.captions, "all")
        self.pace = QComboBox()
        for name in PACES:
            self.pace.addItem(name.capitalize(), name)
        _choose(self.pace, "normal")
        movies = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.MoviesLocation)
        home = movies if os.path.isdir(movies) else os.path.expanduser("~")
        self.folder = QLineEdit(self._settings.now.render_folder or home)
        browse = QPushButton("Choose…")
        browse.clicked.connect(self._choose_folder)
        where = QHBoxLayout()
        where.addWidget(self.folder, 1)
        where.addWidget(browse)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for label, widget in (
            ("&Scene", self.scene), ("&Quality", self.quality), ("&Theme", self.theme),
            ("&Captions", self.captions), ("&Pace", self.pace),
        ):  # fmt: skip
            name_control(widget, label.replace("&", ""))
            guard_wheel(widget)
            form.addRow(label, widget)
        self.folder.setAccessibleName("Folder to write into")
        caption = QLabel("&Folder")
        caption.setBuddy(self.folder)
        form.addRow(caption, where)
        self.trouble = QLabel()
        self.trouble.setWordWrap(True)
        self.trouble.setTextFormat(Qt.TextFormat.PlainText)
        self.trouble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.begin = QPushButton("Render")
        self.begin.setDefault(True)
        self.begin.clicked.connect(self.start)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(form)
        layout.addWidget(self.trouble)
        layout.addStretch(1)
        layout.addLayout(_row(self.begin, close))
        return page

    def _check_packages(self) -> None:
        missing = missing_packages()
        self.begin.setEnabled(not missing)
        self.trouble.setText(
            f"Rendering needs {' and '.join(missing)}, which aren't installed here. "
            "In a terminal: pip install 'byhand[video]'"
            if missing
            else ""
        )

    def _choose_folder(self) -> None:
        if (folder := dialogs.choose_folder(self, self.folder.text())) is not None:
            self.folder.setText(str(folder))

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

    def start(self) -> None:
        """Render what is asked for."""
        try:
            options = self.options()
            refuse_taken(options.files, force=True)
            there = [file for file in options.files if os.path.lexists(file)]
            if there and not dialogs.ask_overwrite(self, _about(there), "Overwrite"):
                return
            make_folders(options.files)
            render = Render(options, self)
        except (ValueError, OSError) as error:
            self.trouble.setText(str(error).replace(" with -o", ""))
            return
        self._settings.change(
            render_quality=options.quality, render_folder=os.path.abspath(self.folder.text())
        )
        if self.current is not None:
            self.current.deleteLater()
        self.current = render
        render.progressed.connect(self._progressed)
        render.ended.connect(self._ended)
        self.trouble.setText("")
        self._pages.setCurrentIndex(1)
        self._clock.start()
        self._show_progress()
        self._state.announce("The render has begun.")
        self.changed.emit()

    # Progress

    def _progress_page(self) -> QWidget:
        self.what = QLabel()
        self.what.setTextFormat(Qt.TextFormat.PlainText)
        self.what.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setAccessibleName("Progress of the render")
        self.left = QLabel()
        self.cancel_button = QPushButton("Cancel render")
        self.cancel_button.clicked.connect(self.cancel)
        self.folder_button = QPushButton("Open folder")
        self.folder_button.clicked.connect(self.open_folder)
        self.again = QPushButton("Another…")
        self.again.clicked.connect(self.open_again)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.what, self.bar, self.left):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addLayout(_row(self.cancel_button, self.folder_button, self.again, close))
        return page

    def open_folder(self) -> None:
        """Show where the files are."""
        folder = self.folder.text() if self.current is None else self.current.options.folder
        QDesktopServices.openUrl(QUrl.fromLocalFile(os.path.abspath(folder)))

    def cancel(self) -> None:
        """Call the running render off."""
        if self.current is not None:
            self.cancel_button.setEnabled(False)
            self.left.setText("Cancelling…")
            self.current.cancel()

    def _progressed(self) -> None:
        self._show_progress()
        self.changed.emit()

    def _show_progress(self) -> None:
        render = self.current
        if render is None or not self.isVisible():
            return
        running = render.is_running
        share = 1.0 if render.succeeded else render.progress.share
        # A bar that runs to and fro would be motion without news.
        self.bar.setValue(round(1000 * (share or 0)))
        self.bar.setVisible(running or render.succeeded)
        self.what.setText(render.outcome or self.at_work)
        seconds = render.progress.seconds_left(time.monotonic())
        self.left.setText(left_in_words(seconds) if running else "")
        self.cancel_button.setVisible(running)
        self.cancel_button.setEnabled(running)
        self.folder_button.setVisible(not running and bool(render.files))
        self.again.setVisible(not running)

    @property
    def at_work(self) -> str:
        """What is being done now, in words."""
        if self.current is None:
            return ""
        titles = {entry.name: entry.title for entry in CATALOG}
        progress = self.current.progress
        if not progress.at_work:
            return "Getting ready…"
        scene = titles.get(progress.at_work, progress.at_work)
        if progress.scenes == 1:
            return f"Rendering {scene}"
        done = min(len(progress.finished) + 1, progress.scenes)
        return f"Rendering {scene}: scene {done} of {progress.scenes}"

    def _ended(self) -> None:
        self._clock.stop()
        assert self.current is not None
        self._show_progress()
        self._state.announce(self.current.outcome)
        self.changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.is_rendering:
            self._clock.start()
        self._show_progress()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()


def left_in_words(seconds: float | None) -> str:
    """How long it will take yet, as one would say it."""
    if seconds is None:
        return "Counting the frames…"
    if seconds < 60:
        return f"About {max(5, round(seconds / 5) * 5)} seconds left"
    minutes = round(seconds / 60)
    return f"About {minutes} minute{'' if minutes == 1 else 's'} left"


def _about(there: list[Path]) -> str:
    if len(there) == 1:
        return f"{shown(there[0])} is there already. Overwrite it?"
    return f"{shown(there[0])} and {len(there) - 1} more are there already. Overwrite them?"


def _choose(box: QComboBox, data: str) -> None:
    box.setCurrentIndex(max(0, box.findData(data)))


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row
