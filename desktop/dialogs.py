"""The few questions that must be answered before anything goes on, each a function."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLabel, QMessageBox, QWidget

__all__ = [
    "Answer", "ask_about_changes", "ask_overwrite", "ask_text", "choose_folder", "choose_to_open",
    "choose_to_save",
]  # fmt: skip

OPENS = (
    "Documents and what carries them "
    "(*.byhand.json *.json *.png *.svg *.pdf *.mp4 *.webm *.mov *.gif *.html);;All files (*)"
)
SAVES = "byhand documents (*.byhand.json)"


class Answer(Enum):
    """What is to become of unsaved changes."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


def ask_about_changes(parent: QWidget, title: str, *, dirty: bool, rendering: bool) -> Answer:
    """One question about all that would be lost: unsaved changes, what is still being made."""
    box = _warning(parent)
    said = [f"“{title}” has changes that aren't saved."] if dirty else []
    if rendering:
        said.append("A video or a bundle is being made; closing stops it.")
    box.setText("\n".join(said))
    buttons = QMessageBox.StandardButton
    if dirty:
        box.setInformativeText("Save them before closing?")
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
    else:
        box.setInformativeText("Stop it and close?")
        box.setStandardButtons(buttons.Discard | buttons.Cancel)
        box.button(buttons.Discard).setText("Stop and close")
        box.setDefaultButton(buttons.Cancel)
    box.setEscapeButton(buttons.Cancel)
    chosen = box.exec()
    box.deleteLater()
    return {
        buttons.Save.value: Answer.SAVE,
        buttons.Discard.value: Answer.DISCARD,
    }.get(chosen, Answer.CANCEL)


def ask_overwrite(parent: QWidget, question: str, accept: str) -> bool:
    """Whether something may be lost that is named in the question."""
    box = _warning(parent)
    box.setText(question)
    yes = box.addButton(accept, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    chosen = box.clickedButton() is yes
    box.deleteLater()
    return chosen


def ask_text(parent: QWidget, title: str, label: str, text: str = "") -> str | None:
    """A line of text; None where nothing was to be said."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    # The label leads to the field, so that one & would be a key.
    dialog.setLabelText(label.replace("&", "&&"))
    dialog.setTextValue(text)
    _show_plainly(dialog)
    given = dialog.textValue() if dialog.exec() else None
    dialog.deleteLater()
    return given


def choose_to_open(parent: QWidget, folder: str) -> Path | None:
    """A file to open."""
    name, _ = QFileDialog.getOpenFileName(parent, "Open", folder, OPENS)
    return Path(name) if name else None


def choose_to_save(
    parent: QWidget, suggested: str, kinds: str = SAVES, suffix: str = "byhand.json"
) -> Path | None:
    """A file to save to; the dialog has asked about one that is there.

    kinds are Qt's filters; suffix is what a name without an ending gets.
    """
    dialog = QFileDialog(parent, "Save as", suggested, kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    # With the suffix set, the question about a file that is there names the right one.
    dialog.setDefaultSuffix(suffix)
    dialog.selectFile(suggested)
    chosen = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return Path(chosen[0]) if chosen else None


def choose_folder(parent: QWidget, folder: str) -> Path | None:
    """A folder to write into."""
    name = QFileDialog.getExistingDirectory(parent, "Where to", folder)
    return Path(name) if name else None


def _warning(parent: QWidget) -> QMessageBox:
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("byhand")
    box.setTextFormat(Qt.TextFormat.PlainText)
    return box


def _show_plainly(dialog: QWidget) -> None:
    """Have a title, a word or a file's name never be taken for markup."""
    for label in dialog.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
