"""The document as the window holds it: a sentence, its undo stack, and one calculation a change."""

from __future__ import annotations

from dataclasses import replace as changed_field
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from desktop.calculation import Calculation
from desktop.commands import EditCommand
from desktop.edits import Edit
from engine import Sentence, write_sentence
from engine.sentence import checked

__all__ = ["Document"]


class Document(QObject):
    """The only truth of a window; views draw it and send it edits.

    changed: something to be drawn is different (an edit, a preview, the focus word, the head).
    drag_ended: a preview was kept or given up. saved: the file or the dirty mark is different.
    """

    changed = Signal()
    drag_ended = Signal()
    saved = Signal()

    def __init__(self, sentence: Sentence, path: Path | None = None) -> None:
        super().__init__()
        self.path = path
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._clean_changed)
        self._kept = sentence
        self._preview: Edit | None = None
        self._recovered = False
        self._calculation = Calculation(sentence, 0)
        self._before: Calculation | None = None

    # What there is

    @property
    def sentence(self) -> Sentence:
        """The sentence as it is shown: in mid-drag, the one under the pointer."""
        return self._calculation.sentence

    @property
    def kept(self) -> Sentence:
        """The sentence without an unfinished drag: what a save would write."""
        return self._kept

    @property
    def head(self) -> int:
        """The head that is shown."""
        return self._calculation.head

    @property
    def calculation(self) -> Calculation:
        """What is shown, worked out."""
        return self._calculation

    @property
    def before(self) -> Calculation | None:
        """In mid-drag, the state it began with: the ghost."""
        return self._before

    @property
    def is_dirty(self) -> bool:
        """Whether there is something to be saved."""
        return self._recovered or not self.undo_stack.isClean()

    # Edits

    def edit(self, edit: Edit) -> None:
        """Do an edit, as one step of undo; one that changes nothing leaves no step.

        An unfinished drag is given up first. Raises ValueError, and changes nothing, where the
        sentence after it would not be a valid document.
        """
        self.give_up()
        checked(edit.sentence)
        if edit.sentence != self._kept:
            self.undo_stack.push(EditCommand(self, self._kept, edit))
            self.changed.emit()

    def preview(self, edit: Edit) -> None:
        """Show an edit without doing it: a drag. `keep` or `give_up` ends it."""
        if self._before is None:
            self._before = self._calculation
        self._preview = edit
        self._show(edit.sentence)

    def keep(self) -> None:
        """End a drag: what it shows is an edit now."""
        edit, self._preview, self._before = self._preview, None, None
        if edit is None:
            return
        try:
            checked(edit.sentence)
            if edit.sentence != self._kept:
                self.undo_stack.push(EditCommand(self, self._kept, edit))
        finally:
            self._show(self._kept)
            self.drag_ended.emit()

    def give_up(self) -> None:
        """End a drag: everything is as it was before it."""
        if self._preview is None:
            return
        self._preview = self._before = None
        self._show(self._kept)
        self.drag_ended.emit()

    def undo(self) -> None:
        """Take the last edit back; in mid-drag, that is the drag."""
        if self._preview is not None:
            self.give_up()
        elif self.undo_stack.canUndo():
            self.undo_stack.undo()
            self.changed.emit()

    def redo(self) -> None:
        """Do again what was taken back."""
        self.give_up()
        if self.undo_stack.canRedo():
            self.undo_stack.redo()
            self.changed.emit()

    def take(self, sentence: Sentence, instead_of: Sentence) -> None:
        """Called by undo commands: the sentence is this one now.

        The focus is a view's: it stays with its word unless the edit itself moved it. `changed`
        waits until the step is done, for what was half typed may become another one with it.
        """
        focus = self._kept.focus
        if sentence.focus == instead_of.focus and focus < len(sentence.words):
            sentence = replace(sentence, focus=focus)
        self._kept = sentence
        self._work_out(sentence)

    # Views

    def set_focus(self, word: int) -> None:
        """Look at another word; no edit, but a save writes it."""
        if word == self._kept.focus or not 0 <= word < len(self._kept.words):
            return
        self.give_up()
        self._kept = replace(self._kept, focus=word)
        self._show(self._kept)

    def set_head(self, head: int) -> None:
        """Show another head."""
        if head == self.head or not 0 <= head < len(self._kept.heads):
            return
        self.give_up()
        self._calculation = changed_field(self._calculation, head=head)
        self.changed.emit()

    def set_digits(self, digits: int) -> None:
        """Write numbers with so many decimals."""
        self._calculation = changed_field(self._calculation, digits=digits)
        self.changed.emit()

    def _clean_changed(self) -> None:
        self.saved.emit()

    def _show(self, sentence: Sentence) -> None:
        self._work_out(sentence)
        self.changed.emit()

    def _work_out(self, sentence: Sentence) -> None:
        head = min(self.head, len(sentence.heads) - 1)
        self._calculation = Calculation(sentence, head, self._calculation.digits)

    # The file

    def save(self, path: Path) -> None:
        """Write the sentence, whole or not at all; SentenceError leaves everything as it was."""
        self.give_up()
        write_sentence(self._kept, path)
        self.path, self._recovered = path, False
        self.undo_stack.setClean()
        self.saved.emit()

    def replace_all(
        self, sentence: Sentence, path: Path | None, *, recovered: bool = False
    ) -> None:
        """Another sentence, with nothing to undo: opened, new, or recovered after a crash."""
        self.give_up()
        self.path, self._recovered = path, recovered
        self._kept = sentence
        self.undo_stack.clear()
        self._calculation = Calculation(sentence, 0, self._calculation.digits)
        self.changed.emit()
        self.saved.emit()
