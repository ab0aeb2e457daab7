"""A dialog that asks what is to be made, starts it, and shows how far it is, beside the work."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import dialogs
from desktop.dialog_parts import (
    Scrolled,
    TroubleLine,
    add_row,
    button,
    fit_on_screen,
    new_form,
    row_of,
    said,
)
from desktop.document import Document
from desktop.renders import Work
from desktop.settings import SettingsFile
from desktop.view_state import ViewState
from export.placing import make_folders, refuse_taken, shown
from scenes import CATALOG

__all__ = ["WorkDialog", "left_in_words"]


class WorkDialog(QDialog):
    """One kind of work, called `name`; one at a time a window.

    A kind has a form (`fill_form`), what that asks for (`options`), where its files go (`folder_of`
    and `files_of`), how it is begun (`begin_work`) and what is remembered of it.

    changed: work began, is further, or is over; `current` is it, or None before the first. told:
    work is over; carries the name.
    """

    changed = Signal()
    told = Signal(str)
    name = "work"

    def __init__(
        self, document: Document, state: ViewState, settings: SettingsFile, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._state = state
        self._settings = settings
        self.current: Work | None = None
        self.setModal(False)
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._show_progress)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._ask_page())
        self._pages.addWidget(self._progress_page())
        layout = QVBoxLayout(self)
        layout.addWidget(self._pages)

    # What a kind of work says

    def fill_form(self, form: QFormLayout) -> None:
        """Put its questions in."""
        raise NotImplementedError

    def options(self) -> Any:
        """What is asked for, of the document as it is now; ValueError where it can't be."""
        raise NotImplementedError

    def files_of(self, options: Any) -> list[Path]:
        """Every file there will be."""
        raise NotImplementedError

    def begin_work(self, options: Any) -> Work:
        """Begin it."""
        raise NotImplementedError

    def remember(self, options: Any) -> None:
        """Keep for the next time what was asked for."""
        raise NotImplementedError

    def check(self) -> None:
        """Say what is missing here, if anything."""

    @property
    def made_in(self) -> Path:
        """The folder of what was made last, or is asked for."""
        raise NotImplementedError

    @property
    def is_working(self) -> bool:
        """Whether it goes on."""
        return self.current is not None and self.current.is_running

    @property
    def share(self) -> float | None:
        """How much is done, 0 to 1; None where that isn't known yet."""
        return None if self.current is None else self.current.progress.share

    def open_again(self) -> None:
        """Show the dialog: the questions, or the progress of what goes on."""
        if not self.is_working:
            self._pages.setCurrentIndex(0)
            self.check()
        if not self.isVisible():
            line = self.fontMetrics().height()
            fit_on_screen(self, self.sizeHint().expandedTo(QSize(28 * line, 0)))
        self.show()
        self.raise_()
        self.activateWindow()

    def stop(self) -> None:
        """Call running work off and wait for its end: the window closes."""
        self._clock.stop()
        if self.current is not None:
            self.current.close()

    # Asking

    def _ask_page(self) -> QWidget:
        form = new_form()
        self.fill_form(form)
        self.trouble = TroubleLine()
        self.begin = button(f"&{self.name.capitalize()}", self.start)
        self.begin.setDefault(True)
        asked = QWidget()
        asked.setLayout(form)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Scrolled(asked))
        layout.addWidget(self.trouble)
        layout.addStretch(1)
        layout.addLayout(row_of(self.begin, button("Close", self.close)))
        return page

    def add_folder(self, form: QFormLayout, folder: str) -> None:
        """The question where to, with a button to choose from what is there."""
        self.folder = QLineEdit(folder)
        browse = button("C&hoose…", self._choose_folder)
        browse.setAccessibleName("Choose the folder")
        add_row(form, "&Folder", self.folder, browse)
        self.folder.setAccessibleName("Folder to write into")

    def _choose_folder(self) -> None:
        if (folder := dialogs.choose_folder(self, self.folder.text())) is not None:
            self.folder.setText(str(folder))

    def start(self) -> None:
        """Begin what is asked for."""
        try:
            options = self.options()
            files = self.files_of(options)
            refuse_taken(files, force=True)
            there = [file for file in files if os.path.lexists(file)]
            if there and not dialogs.ask_overwrite(self, _about(there), "Overwrite"):
                return
            make_folders(files)
            work = self.begin_work(options)
        except (ValueError, OSError) as error:
            self.trouble.say(said(error), wrong=True)
            return
        self.remember(options)
        if self.current is not None:
            self.current.deleteLater()
        self.current = work
        work.progressed.connect(self._progressed)
        work.ended.connect(self._ended)
        self.trouble.say("")
        self._pages.setCurrentIndex(1)
        self._clock.start()
        self._show_progress()
        self._state.announce(f"The {self.name} has begun.")
        self.changed.emit()

    # Progress

    def _progress_page(self) -> QWidget:
        self.what = QLabel()
        self.what.setTextFormat(Qt.TextFormat.PlainText)
        self.what.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setAccessibleName(f"Progress of the {self.name}")
        self.left = QLabel()
        self.cancel_button = button(f"&Cancel {self.name}", self.cancel)
        self.folder_button = button("&Open folder", self.open_folder)
        self.again = button("&Another…", self.open_again)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.what, self.bar, self.left):
            layout.addWidget(widget)
        layout.addStretch(1)
        close = button("Close", self.close)
        layout.addLayout(row_of(self.cancel_button, self.folder_button, self.again, close))
        return page

    def open_folder(self) -> None:
        """Show where the files are."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(os.path.abspath(self.made_in)))

    def cancel(self) -> None:
        """Call running work off."""
        if self.current is not None:
            self.cancel_button.setEnabled(False)
            self.left.setText("Cancelling…")
            self.current.cancel()

    def _progressed(self) -> None:
        self._show_progress()
        self.changed.emit()

    def _show_progress(self) -> None:
        work = self.current
        if work is None or not self.isVisible():
            return
        running = work.is_running
        share = 1.0 if work.succeeded else work.progress.share
        # A bar that runs to and fro would be motion without news.
        self.bar.setValue(round(1000 * (share or 0)))
        self.bar.setVisible(running or work.succeeded)
        self.what.setText(work.outcome or self.at_work)
        seconds = work.progress.seconds_left(time.monotonic())
        self.left.setText(left_in_words(seconds) if running else "")
        self.cancel_button.setVisible(running)
        self.cancel_button.setEnabled(running)
        self.folder_button.setVisible(not running and bool(work.files))
        self.again.setVisible(not running)

    @property
    def at_work(self) -> str:
        """What is being done now, in words."""
        if self.current is None:
            return ""
        progress = self.current.progress
        if not progress.at_work:
            return "Getting ready…"
        titles = {entry.name: entry.title for entry in CATALOG}
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
        self.told.emit(self.name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.is_working:
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
