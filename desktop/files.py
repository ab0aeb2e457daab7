"""A window's document and its file: new, open, save, drop, paste, and what is kept for a crash."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QTimer, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QWidget

from desktop import dialogs
from desktop.disk_watch import DiskWatch
from desktop.document import Document
from desktop.notices import Notices
from desktop.recovery import Recovered, Recovery
from desktop.settings import SettingsFile
from desktop.view_state import ViewState
from engine.files import SentenceError, format_sentence, parse_sentence
from engine.presets import load_preset
from engine.sentence import Sentence, new_sentence
from export.carried import document_in, read_document_or_carrier
from export.placing import shown

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NEW_VECTORS", "Files", "dropped_file"]

NEW_VECTORS = (
    "These vectors mean nothing yet: byhand runs no language model. They stand evenly round "
    "the unit circle, to be dragged, or typed in the table of words."
)

CARRIERS = ("image/png", "image/svg+xml", "application/pdf")
"""What a clipboard may hold with a document inside."""

_BEFORE_KEEPING = 2000
"""How long after a change, in ms, the unsaved document is written down."""


class Files(QObject):
    """What the File menu does, for one window.

    opened: another document is in the window. is_elsewhere is asked before a file is opened:
    where another window has it, that one comes to the front.
    """

    opened = Signal()

    def __init__(
        self,
        window: QWidget,
        document: Document,
        state: ViewState,
        notices: Notices,
        settings: SettingsFile,
        recovery: Recovery,
        name: str,
    ) -> None:
        super().__init__(window)
        self._window = window
        self.document = document
        self._state = state
        self._notices = notices
        self._settings = settings
        self._recovery = recovery
        self._name = name
        self._kept: Sentence | None = None
        self.is_elsewhere: Callable[[Path], bool] | None = None
        self.disk = DiskWatch(self)
        self.disk.changed.connect(self._changed_on_disk)
        self._keeping = QTimer(self)
        self._keeping.setSingleShot(True)
        self._keeping.setInterval(_BEFORE_KEEPING)
        self._keeping.timeout.connect(self.keep_for_recovery)
        document.changed.connect(self._document_changed)
        document.saved.connect(self._document_changed)
        notices.answered.connect(self._answered)

    # What it is called

    @property
    def title(self) -> str:
        """What the window calls its document."""
        sentence = self.document.kept
        if sentence.title:
            return sentence.title
        if self.document.path is not None:
            return shown(Path(self.document.path.name))
        return " ".join(sentence.words)[:60]

    @property
    def is_untouched(self) -> bool:
        """Whether another document may take this one's place and nobody would miss it."""
        return self.document.path is None and not self.document.is_dirty

    # New and open

    def new_from_preset(self, name: str) -> None:
        """A ready sentence in place of the document."""
        if self.may_go():
            self._take(load_preset(name), None)

    def new_from_words(self) -> None:
        """A sentence of words that are asked for, with vectors that mean nothing yet."""
        words = dialogs.ask_text(self._window, "New from words", "The words, parted by blanks:")
        if words is None:
            return
        try:
            sentence = new_sentence(words)
        except ValueError as error:
            self.refuse("new", f"No sentence of these words: {error}")
            return
        if self.may_go():
            self._take(sentence, None)
            self.tell_of_new_vectors()

    def tell_of_new_vectors(self) -> None:
        """Say, once and for all, that new vectors mean nothing yet."""
        if not self._settings.now.told_of_new_vectors:
            self._settings.change(told_of_new_vectors=True)
            self._notices.say("new", NEW_VECTORS)

    def open_chosen(self) -> None:
        """Open a file that is asked for."""
        folder = self.document.path.parent if self.document.path else self._settings.now.folder
        if (path := dialogs.choose_to_open(self._window, str(folder))) is not None:
            self.open(path)

    def open(self, path: Path) -> bool:
        """Open a document, or a picture or video that carries one; False where that isn't done."""
        try:
            sentence, carried = read_document_or_carrier(path)
        except SentenceError as error:
            if not os.path.lexists(path):
                self._settings.forget_file(path)
            self.refuse("open", str(error))
            return False
        if not carried and self.is_elsewhere is not None and self.is_elsewhere(path):
            return True
        if not self.may_go():
            return False
        self._take(sentence, None if carried else path)
        if carried:
            self._state.announce(f"This is the document that {shown(Path(path.name))} carries.")
        else:
            self._settings.change(folder=os.path.abspath(path.parent))
            self._settings.remember_file(path)
        return True

    def recover(self, recovered: Recovered) -> None:
        """Go on with a document that a crash has left unsaved."""
        self._take(recovered.sentence, recovered.file, recovered=True)
        self.keep_for_recovery()
        self._recovery.settle(recovered)

    def revert(self) -> None:
        """Back to what the file holds."""
        path = self.document.path
        if path is None:
            return
        self.keep_typed()
        question = f"Throw away all changes since “{self.title}” was saved?"
        if not self.document.is_dirty or dialogs.ask_overwrite(self._window, question, "Revert"):
            self._reload(path)

    def _reload(self, path: Path) -> None:
        try:
            sentence, _ = read_document_or_carrier(path)
        except SentenceError as error:
            self.refuse("open", str(error))
        else:
            self._take(sentence, path)

    def _take(self, sentence: Sentence, path: Path | None, *, recovered: bool = False) -> None:
        self._recovery.drop(self._name)
        self._kept = None
        for name in ("open", "save", "disk", "new", "paste"):
            self._notices.take_back(name)
        self.document.replace_all(sentence, path, recovered=recovered)
        self.disk.watch(path)
        self.opened.emit()

    # Save

    def save(self) -> bool:
        """Save to the document's own file, or to one that is asked for; whether it is saved."""
        self.keep_typed()
        path = self.document.path
        if path is None:
            return self.save_as()
        if self.disk.differs() and not dialogs.ask_overwrite(
            self._window,
            f"{shown(Path(path.name))} was changed by another program since it was opened here. "
            "Write over those changes?",
            "Overwrite",
        ):
            return False
        return self._save(path)

    def save_as(self) -> bool:
        """Save to a file that is asked for."""
        self.keep_typed()
        chosen = dialogs.choose_to_save(self._window, self._suggested())
        if chosen is None:
            return False
        if not chosen.name.endswith(".json"):
            chosen = chosen.with_name(f"{chosen.name}.byhand.json")
        return self._save(chosen)

    def _save(self, path: Path) -> bool:
        try:
            self.document.save(path)
        except SentenceError as error:
            self.refuse("save", f"Not saved. {error}")
            return False
        for name in ("open", "save", "disk"):
            self._notices.take_back(name)
        self.disk.watch(path)
        self._settings.change(folder=os.path.abspath(path.parent))
        self._settings.remember_file(path)
        self._state.announce(f"Saved as {shown(Path(path.name))}")
        return True

    def _suggested(self) -> str:
        if self.document.path is not None:
            return str(self.document.path)
        stem = re.sub(r"[^\w]+", "-", self.title.lower()).strip("-")[:60] or "sentence"
        return os.path.join(self._settings.now.folder or os.getcwd(), f"{stem}.byhand.json")

    def may_go(self, *, rendering: bool = False) -> bool:
        """Whether the document may be put away: it is saved, or wasn't to be."""
        self.keep_typed()
        dirty = self.document.is_dirty
        if not dirty and not rendering:
            return True
        match dialogs.ask_about_changes(self._window, self.title, dirty=dirty, rendering=rendering):
            case dialogs.Answer.SAVE:
                return self.save()
            case dialogs.Answer.DISCARD:
                return True
        return False

    def keep_typed(self) -> None:
        """End what hands are at: a drag is given up, what is half typed becomes an edit."""
        self.document.give_up()
        typing = QApplication.focusWidget()
        if not isinstance(typing, QLineEdit | QAbstractSpinBox):
            return
        if self._window.isAncestorOf(typing):
            home = typing.parentWidget() or self._window
            typing.clearFocus()
            if QApplication.focusWidget() is None:
                # A cell's editor goes as the keyboard leaves it; its table has it then.
                (typing if typing.isVisible() else home).setFocus()

    # Clipboard and drop

    def copy_text(self) -> None:
        """The whole document on the clipboard, as text."""
        QApplication.clipboard().setText(format_sentence(self.document.kept))
        self._state.announce("The document is on the clipboard, as text.")

    def paste_document(self) -> None:
        """The document on the clipboard, as text or inside a figure, in place of this one."""
        text = _document_on(QApplication.clipboard().mimeData())
        if not text.strip():
            self.refuse("paste", "There is no text on the clipboard: copy a document first.")
            return
        try:
            sentence = parse_sentence(text.encode(errors="replace"), "the clipboard")
        except SentenceError as error:
            self.refuse("paste", str(error))
            return
        if self.may_go():
            self._take(sentence, None)

    # What another program does, and a crash

    def _changed_on_disk(self) -> None:
        path = self.document.path
        if path is None:
            return
        name = shown(Path(path.name))
        if not os.path.lexists(path):
            self._notices.say("disk", f"{name} was moved or deleted; Save writes it again.")
            self._must_be_saved()
            return
        try:
            sentence, _ = read_document_or_carrier(path)
        except SentenceError as error:
            said = f"{name} was changed by another program, and can't be read now: {error}"
            self._notices.say("disk", said, "Keep mine", wrong=True)
            self._must_be_saved()
            return
        if sentence != self.document.kept:
            said = f"{name} was changed by another program."
            self._notices.say("disk", said, "Reload", "Keep mine")

    def _must_be_saved(self) -> None:
        """What is on disk is no longer what is here."""
        self.document.undo_stack.resetClean()

    def _answered(self, name: str, answer: str) -> None:
        if name == "disk" and self.document.path is not None:
            if answer == "Reload":
                self._reload(self.document.path)
            else:
                self._must_be_saved()

    def _document_changed(self) -> None:
        if not self.document.is_dirty:
            self._keeping.stop()
            if self._kept is not None:
                self._kept = None
                self._recovery.drop(self._name)
        elif self.document.kept is not self._kept and not self._keeping.isActive():
            self._keeping.start()

    def keep_for_recovery(self) -> None:
        """Write the unsaved document down now, for the next start should this one crash."""
        if not self.document.is_dirty or self.document.kept is self._kept:
            return
        if self.document.before is not None:
            self._keeping.start()  # not in the middle of a drag
            return
        try:
            self._recovery.keep(self._name, self.document.kept, self.document.path)
        except OSError as error:
            if self._kept is None:
                reason = (error.strerror or str(error)).lower()
                self.refuse(
                    "recovery-failed",
                    f"Unsaved work can't be kept for a crash here ({reason}): save now and then.",
                )
        self._kept = self.document.kept

    def close(self, *, keep: bool = False) -> None:
        """The window goes; the document was saved or thrown away, or is kept for the next start."""
        self._keeping.stop()
        self.disk.stop()
        if not keep:
            self._recovery.drop(self._name)

    def refuse(self, name: str, text: str) -> None:
        """Say in one line what can't be done."""
        self._notices.say(name, text, wrong=True)
        self._state.announce(text)


def _document_on(data: QMimeData) -> str:
    """What a figure carries that was copied; else the text."""
    for kind in CARRIERS:
        carried = document_in(bytes(data.data(kind).data())) if data.hasFormat(kind) else None
        if carried is not None:
            return carried
    return data.text()


def dropped_file(data: QMimeData) -> Path | None:
    """The one file that is being dragged here; None for anything else."""
    urls = data.urls()
    if len(urls) == 1 and urls[0].isLocalFile():
        return Path(urls[0].toLocalFile())
    return None
