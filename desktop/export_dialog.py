"""A dialog that shows a file as it will be, of the document as it stands, and then saves it.

It stays open beside the work: whatever is moved in the window moves in the preview. Previews and
files are made in a process of their own (`desktop.drawing`), so that neither ever waits.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop.dialog_parts import (
    Scrolled,
    TroubleLine,
    button,
    fit_on_screen,
    row_of,
    said,
)
from desktop.document import Document
from desktop.drawing import Drawing
from desktop.settings import SettingsFile
from desktop.view_state import ViewState
from export.answering import Answer, Asked
from export.placing import place_bytes, quoted, refuse_taken, shown

__all__ = ["ExportDialog"]

_LONGEST_SAVE = 20_000
"""How long, in ms, a window that closes waits for each file that is being saved."""


class ExportDialog(QDialog):
    """A kind of file has a form and a preview beside it, and says what it asks for.

    title is the window's, copy_label the button's. `columns` makes both columns; `preview_of` is
    what is to be shown now, `show_answer` shows it; `save` asks where to. A form that has changed
    calls `choices_changed`.
    """

    title = "Export"
    copy_label = "&Copy"

    def __init__(
        self,
        document: Document,
        state: ViewState,
        settings: SettingsFile,
        drawing: Drawing,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._state = state
        self._settings = settings
        self._drawing = drawing
        self._wanted: Asked | None = None
        self._newest = 0
        self._is_behind = False
        self._asked: dict[int, Asked] = {}
        self._saves: dict[int, list[Path]] = {}
        self.setModal(False)
        self.setWindowTitle(self.title)
        self.trouble = TroubleLine()
        self.copy_button = button(self.copy_label, self.copy)
        self.save_button = button("Sa&ve…", self.save)
        whole = QVBoxLayout(self)
        form, beside = self.columns()
        both = QHBoxLayout()
        both.setSpacing(self.fontMetrics().height())
        both.addWidget(Scrolled(form), 1)
        both.addWidget(Scrolled(beside), 2)
        whole.addLayout(both, 1)
        whole.addWidget(self.trouble)
        whole.addLayout(row_of(self.copy_button, self.save_button, button("Close", self.close)))
        drawing.answered.connect(self._answered)
        document.changed.connect(self._document_changed)
        state.changed.connect(self.dress)

    # What a kind of file says

    def columns(self) -> tuple[QWidget, QWidget]:
        """The form, and what is beside it."""
        raise NotImplementedError

    def show_choices(self) -> None:
        """Ask again for what was asked for last."""
        raise NotImplementedError

    def remember(self) -> None:
        """Keep for the next time what is asked for."""
        raise NotImplementedError

    def preview_of(self) -> Asked:
        """What is to be shown now; ValueError where what is asked for can't be."""
        raise NotImplementedError

    def show_answer(self, answer: Answer) -> None:
        """Show a preview."""
        raise NotImplementedError

    def is_like(self, drawn: Asked, wanted: Asked) -> bool:
        """Whether only the document is another since: a drag is followed as far as one can."""
        raise NotImplementedError

    def copy(self) -> None:
        """Put it on the clipboard."""
        raise NotImplementedError

    def save(self) -> None:
        """Ask where to, and save it there."""
        raise NotImplementedError

    @property
    def is_one_thing(self) -> bool:
        """Whether it can be put on the clipboard."""
        return True

    def dress(self) -> None:
        """The window looks otherwise, or shows its grids otherwise."""

    # What is the same for all

    def open_again(self) -> None:
        """Show the dialog as it was last used; rows and decimals are the window's."""
        if not self.isVisible():
            self.trouble.say("")
            self.show_choices()
            line = self.fontMetrics().height()
            fit_on_screen(self, self.sizeHint().expandedTo(QSize(60 * line, 36 * line)))
        self.show()
        self.raise_()
        self.activateWindow()

    def tell(self, text: str, wrong: bool = False) -> None:
        """Say how something went, here and in the window."""
        self.trouble.say(text, wrong=wrong)
        self._state.announce(text)

    def choices_changed(self) -> None:
        """Something else is asked for."""
        self.trouble.say("")
        self._draw()

    def _document_changed(self) -> None:
        # In a drag this comes at every step: what can't be drawn yet isn't even asked for.
        self._is_behind = self._newest in self._asked
        if not self._is_behind:
            self._draw()

    def _draw(self) -> None:
        """Ask for the preview of what is asked for now; one that wasn't begun is forgotten."""
        if not self.isVisible():
            return
        try:
            wanted = self.preview_of()
        except ValueError as error:
            self._let(False)
            self.trouble.say(said(error), wrong=True)
            return
        self._let(True)
        if wanted != self._wanted:
            self._wanted = wanted
            self._newest = self._drawing.ask(wanted, instead_of=self._newest)
            self._asked[self._newest] = wanted

    def _let(self, possible: bool) -> None:
        self.save_button.setEnabled(possible)
        self.copy_button.setEnabled(possible and self.is_one_thing)

    def _answered(self, number: int, answer: Answer) -> None:
        if (files := self._saves.pop(number, None)) is not None:
            self._write(files, answer)
        elif (drawn := self._asked.pop(number, None)) is not None:
            # What was asked before it is answered, or was forgotten.
            self._asked = {one: asked for one, asked in self._asked.items() if one > number}
            self._take(drawn, answer)
            if self._is_behind:
                self._is_behind = False
                self._draw()

    def _take(self, drawn: Asked, answer: Answer) -> None:
        """Show a preview, unless something else is asked for since."""
        wanted = self._wanted
        if wanted is None or not (drawn == wanted or self.is_like(drawn, wanted)):
            return
        if answer.error:
            self._wanted = None  # the next change tries again
            self.trouble.say(f"There is no preview: {answer.error}", wrong=True)
        else:
            self.show_answer(answer)

    # Save

    def suggested(self, name: str) -> str:
        """Where a file of this name would go."""
        settings = self._settings.now
        return os.path.join(settings.export_folder or settings.folder or os.getcwd(), name)

    def is_possible(self, file: Path, endings: Sequence[str]) -> bool:
        """Whether a file's name ends as it must; said where it doesn't."""
        if file.suffix.lower().removeprefix(".") in endings:
            return True
        named = " or ".join(f".{one}" for one in endings)
        self.refuse(ValueError(f"{quoted(file.name)} should end in {named}"))
        return False

    def save_as(self, asked: Asked, files: Sequence[Path]) -> None:
        """Save what is asked for as these files, as soon as it is made."""
        try:
            refuse_taken(files, force=True)
        except ValueError as error:
            self.refuse(error)
            return
        self.remember()
        self._settings.change(export_folder=os.path.abspath(files[0].parent))
        self.trouble.say("Saving…")
        self._saves[self._drawing.ask(asked)] = list(files)

    def refuse(self, error: Exception) -> None:
        """Say why nothing is saved."""
        self.tell(f"Not saved. {said(error)}", wrong=True)

    def _write(self, files: list[Path], answer: Answer) -> None:
        if answer.error:
            self.tell(f"Not saved. {answer.error}", wrong=True)
            return
        for file, data in zip(files, answer.files, strict=True):
            try:
                place_bytes(data, file)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                self.tell(f"Not saved. {shown(file)}: {reason}; try another place", wrong=True)
                return
        self.tell(f"Saved as {', '.join(shown(Path(file.name)) for file in files)}")

    def finish(self) -> None:
        """Have what is being saved saved: the window goes."""
        for number in list(self._saves):
            self._drawing.finish(number, _LONGEST_SAVE)

    # Coming and going

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.remember()
