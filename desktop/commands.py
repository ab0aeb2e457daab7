"""Undo: one command keeps the sentence before and after an edit.

Sentences are frozen and share what didn't change, so keeping both costs little and undoing can't
be wrong. The verbs are in `edits`; one class for all of them beats a class a verb.
"""

from __future__ import annotations

import weakref
import zlib
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtGui import QUndoCommand

from desktop.edits import Edit
from engine.sentence import Sentence

if TYPE_CHECKING:
    from desktop.document import Document

__all__ = ["EditCommand"]


class EditCommand(QUndoCommand):
    """One edit of one document."""

    def __init__(self, document: Document, before: Sentence, edit: Edit) -> None:
        super().__init__(edit.text)
        # A cycle through Qt's stack would be taken apart in an order that crashes Qt.
        self._document = weakref.ref(document)
        self._before = before
        self._edit = edit

    def redo(self) -> None:
        self._take(self._edit.sentence, self._before)

    def undo(self) -> None:
        self._take(self._before, self._edit.sentence)

    def _take(self, sentence: Sentence, instead_of: Sentence) -> None:
        if (document := self._document()) is not None:
            document.take(sentence, instead_of)

    def id(self) -> int:
        """Only edits with the same merge, not "", are one step."""
        return zlib.crc32(self._edit.merge.encode()) >> 1 if self._edit.merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, EditCommand) or other._edit.merge != self._edit.merge:
            return False
        after = other._edit.sentence
        if after.focus == other._before.focus:
            # Which word is looked at may have changed in between; that was no edit.
            after = replace(after, focus=self._edit.sentence.focus)
        self._edit = Edit(self._edit.text, after, self._edit.merge)
        self.setObsolete(after == self._before)
        return True
