"""What the Words menu does to the focus word, and the switches of the formula."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop import dialogs, edits
from desktop.document import Document
from desktop.edits import Edit
from desktop.view_state import ViewState

__all__ = ["WordVerbs"]


class WordVerbs(QObject):
    """Each asks what it needs, and does one edit; a refusal is said, and nothing is changed.

    added: there are words with vectors that mean nothing yet.
    """

    added = Signal()

    def __init__(self, window: QWidget, document: Document, state: ViewState) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._state = state

    @property
    def focus_name(self) -> str:
        """The focus word, as messages name it."""
        sentence = self._document.kept
        return edits.name_of(sentence, sentence.focus)

    def add(self) -> None:
        """Add words after the focus word."""
        given = dialogs.ask_text(self._window, "Add word", f"The word after {self.focus_name}:")
        if given is not None and given.strip():
            sentence = self._document.kept
            if self._do(edits.add_word(sentence, given.strip(), sentence.focus + 1)):
                self._document.set_focus(self._document.kept.focus + 1)
                self.added.emit()

    def rename(self) -> None:
        """Write the focus word otherwise."""
        sentence = self._document.kept
        text = sentence.words[sentence.focus]
        given = dialogs.ask_text(
            self._window, "Rename word", f"Instead of {self.focus_name}:", text
        )
        if given is not None:
            self._do(edits.rename_word(sentence, sentence.focus, given.strip()))

    def remove(self) -> None:
        """Take the focus word out."""
        name, sentence = self.focus_name, self._document.kept
        if len(sentence.words) > 1 and self._do(edits.remove_word(sentence, sentence.focus)):
            self._state.announce(f"{name} is removed; Undo brings it back.")

    def move(self, step: int) -> None:
        """Move the focus word one place."""
        sentence = self._document.kept
        place = sentence.focus + step
        if 0 <= place < len(sentence.words):
            self._do(edits.move_word(sentence, sentence.focus, place))
            self._state.announce(f"{self.focus_name} is word {self._document.kept.focus + 1} now.")

    def look(self, step: int) -> None:
        """Make the word before or after the focus word it, round the ends."""
        sentence = self._document.kept
        self._document.set_focus((sentence.focus + step) % len(sentence.words))
        self._state.announce(f"Looking at {self.focus_name}.")

    def set_title(self) -> None:
        """Give the document a title."""
        sentence = self._document.kept
        given = dialogs.ask_text(self._window, "Title", "What is it called?", sentence.title)
        if given is not None:
            self._do(edits.set_title(sentence, given.strip()))

    def flip_scaled(self) -> None:
        """Divide scores by √d_k, or no longer."""
        sentence = self._document.kept
        self._do(edits.set_scaled(sentence, not sentence.scaled))

    def flip_causal(self) -> None:
        """Mask later words, or no longer."""
        sentence = self._document.kept
        self._do(edits.set_causal(sentence, not sentence.causal))

    def open_mask(self) -> None:
        """Let every word look everywhere, but for the causal mask."""
        self._do(edits.set_mask(self._document.kept, None))

    def _do(self, edit: Edit) -> bool:
        try:
            self._document.edit(edit)
        except ValueError as error:
            self._state.announce(str(error))
            return False
        return True
