"""File ▸ Export ▸ Worksheet…: the calculation on paper, for one's own words or a whole class."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from desktop import dialogs
from desktop.dialog_parts import TextBox, add_row, choice, choose, new_form, rows_choice
from desktop.export_dialog import ExportDialog
from desktop.settings import WorksheetChoices
from desktop.views.controls import WholeField
from export.answering import Answer, Asked, Preview
from export.options import ending_of
from export.placing import shown
from export.worksheet_options import KEY, SHEETS, WorksheetOptions
from export.worksheets import BLANK, ENDINGS

__all__ = ["WorksheetDialog"]

_STYLES = {
    "html": "HTML, a page to print",
    "text": "Text",
    "md": "Markdown",
    "latex": "LaTeX",
    "numpy": "NumPy, a program",
    "csv": "CSV, for spreadsheets",
    "json": "JSON, all numbers",
}
_FOLDER = "folder"
_VARIANT_STYLES = {
    "html": "HTML, sheets and then the key",
    _FOLDER: "A folder: sheets, key, key as CSV",
    "csv": "CSV, the key only",
}
_WITH_WORDS = ("text", "md", "latex", "html")
_LONGEST_PREVIEW = 100_000
"""Characters; nobody reads more, and a text box takes its time with them."""


class WorksheetDialog(ExportDialog):
    """The form beside what will be written."""

    title = "Export worksheet"
    # The number of what is asked for the clipboard; answers are numbered from 1.
    _copying = 0

    def columns(self) -> tuple[QWidget, QWidget]:
        """The form; the preview."""
        self._wanted_style = "html"
        self.variants = WholeField("Sheets, each with numbers of its own", 0, 1000)
        self.variants.setSpecialValueText("none")
        self.seed = WholeField("Seed: the same, the same sheets", 0, 2_000_000_000)
        self.style_box = choice(_STYLES, least=12)
        self.words = choice({False: "The focus word", True: "Every word"}, least=12)
        self.blank = QCheckBox("&Blank")
        self.blank.setToolTip("Places to fill in, and an answer key at the end.")
        self.rows = rows_choice()
        self.digits = WholeField("Decimals", 0, 12)
        self.form = new_form()
        for label, field in (
            ("For&mat", self.style_box), ("&Words", self.words), ("&Rows", self.rows),
            ("&Decimals", self.digits),
        ):  # fmt: skip
            add_row(self.form, label, field)
        self.form.addRow(self.blank)
        about = QLabel(
            "For a class: so many sheets with small numbers of their own, no two alike, and a key."
        )
        about.setWordWrap(True)
        self.form.addRow(about)
        add_row(self.form, "S&heets", self.variants)
        add_row(self.form, "S&eed", self.seed)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self.form)
        column.addStretch(1)

        self.caption = QLabel()
        self.caption.setWordWrap(True)
        self.preview = TextBox("Preview", 88, 30)
        self.preview.setLineWrapMode(TextBox.LineWrapMode.NoWrap)
        # A line that begins with an Arabic word begins at the left all the same.
        option = self.preview.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.preview.document().setDefaultTextOption(option)
        self.caption.setBuddy(self.preview)
        self.dress()
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self.caption)
        beside.addWidget(self.preview, 1)

        self.style_box.activated.connect(self._style_chosen)
        for box in (self.style_box, self.words, self.rows):
            box.currentIndexChanged.connect(self._something_chosen)
        for spin in (self.digits, self.seed):
            spin.valueChanged.connect(self._something_chosen)
        self.blank.toggled.connect(self._something_chosen)
        self.variants.valueChanged.connect(self._variants_chosen)
        self._drawing.answered.connect(self._copy_made)
        return left, right

    def dress(self) -> None:
        """A grid of text needs letters all equally wide."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self._state.look.points)
        self.preview.setFont(font)

    # What is asked for

    @property
    def choices(self) -> WorksheetChoices:
        """What is asked for, to be remembered."""
        return WorksheetChoices(
            style=self.style_box.currentData(),
            all_words=self.words.currentData(),
            blank=self.blank.isChecked(),
            variants=self.variants.value(),
            seed=self.seed.value(),
        )

    def show_choices(self) -> None:
        """As it was last used; rows and decimals are the window's."""
        choices = self._settings.now.worksheet
        self.variants.setValue(choices.variants)
        self._wanted_style = choices.style
        self._offer_styles()
        choose(self.words, choices.all_words)
        self.blank.setChecked(choices.blank)
        self.seed.setValue(choices.seed)
        choose(self.rows, "queries" if self._state.rows_are_queries else "keys")
        self.digits.setValue(self._document.calculation.digits)
        self._allow()
        self.style_box.setFocus()

    def remember(self) -> None:
        """All but rows and decimals, which are the window's."""
        self._settings.change(worksheet=self.choices)

    def options(self) -> WorksheetOptions:
        """What is asked for, of the document as it is now; ValueError where it can't be."""
        sentence, choices = self._document.kept, self.choices
        everything = choices.all_words and self.words.isEnabled()
        return WorksheetOptions(
            sentence=sentence,
            head=self._document.head,
            style=None if choices.style == _FOLDER else choices.style,
            focuses=tuple(range(len(sentence.words))) if everything else (sentence.focus,),
            blank=choices.blank and self.blank.isEnabled(),
            variants=choices.variants or None,
            seed=choices.seed if choices.variants else 0,
            digits=self.digits.value(),
            rows=self.rows.currentData(),
        )

    def _something_chosen(self) -> None:
        self._allow()
        self.choices_changed()

    def _style_chosen(self) -> None:
        self._wanted_style = self.style_box.currentData()

    def _variants_chosen(self) -> None:
        self._offer_styles()
        self._something_chosen()

    def _offer_styles(self) -> None:
        """A class gets sheets and a key; own numbers bring back what was wanted."""
        texts = _VARIANT_STYLES if self.variants.value() else _STYLES
        self.style_box.blockSignals(True)
        self.style_box.clear()
        for style, text in texts.items():
            self.style_box.addItem(text, style)
        choose(self.style_box, self._wanted_style)
        self.style_box.blockSignals(False)

    def _allow(self) -> None:
        """Only what makes a difference can be chosen."""
        style, own = self.style_box.currentData(), not self.variants.value()
        self.words.setEnabled(own and style in _WITH_WORDS)
        self.blank.setEnabled(own and style in BLANK)
        self.rows.setEnabled(own and style in _WITH_WORDS)
        self.digits.setEnabled(not own or style not in ("csv", "json"))
        self.seed.setEnabled(not own)

    @property
    def is_one_thing(self) -> bool:
        """A folder of files can't be put on the clipboard."""
        return self.style_box.currentData() != _FOLDER

    # The preview

    def preview_of(self) -> Preview:
        """What will be written, as text; in mid-drag as it is under the pointer."""
        options = replace(self.options(), sentence=self._document.sentence)
        if options.variants is not None:
            options = replace(options, variants=1)  # the first is the same, however many follow
        return Preview(options)

    def is_like(self, drawn: Asked, wanted: Asked) -> bool:
        """Whether only the document is another since."""
        if not (isinstance(drawn, Preview) and isinstance(wanted, Preview)):
            return False
        now = wanted.worksheet
        return replace(drawn.worksheet, sentence=now.sentence, focuses=now.focuses) == now

    def show_answer(self, answer: Answer) -> None:
        """The text, where it was looked at."""
        text = answer.files[0].decode()
        if len(text) > _LONGEST_PREVIEW:
            text = text[:_LONGEST_PREVIEW] + "\n…"
        if text != self.preview.toPlainText():
            place = self.preview.verticalScrollBar().value()
            self.preview.setPlainText(text)
            self.preview.verticalScrollBar().setValue(place)
        choices = self.choices
        if choices.variants and choices.style != "csv":
            said = "The first sheet, and its key"
        elif choices.variants:
            said = "The first sheet's key"
        else:
            said = "What the &page says" if choices.style == "html" else "What will be written"
        self.caption.setText(said)

    # Clipboard and file

    def copy(self) -> None:
        """All of it on the clipboard, as soon as it is written."""
        self.remember()
        self._copying = self._drawing.ask(self.options())
        self.trouble.say("Copying…")

    def _copy_made(self, number: int, answer: Answer) -> None:
        if number != self._copying:
            return
        self._copying = 0
        if answer.error:
            self.tell(f"The worksheet can't be copied: {answer.error}", wrong=True)
            return
        text = answer.files[0].decode()
        data = QMimeData()
        data.setText(text)
        if text.startswith("<!DOCTYPE html>"):
            data.setHtml(text)
        QApplication.clipboard().setMimeData(data)
        self.tell("The worksheet is on the clipboard.")

    def save(self) -> None:
        """Ask where to, and save it there; the name's ending says as what."""
        options = self.options()
        if options.style is None:
            self._save_folder(options)
            return
        wanted = ENDINGS[options.style]
        stem = Path(SHEETS).stem if options.variants else "worksheet"
        name = f"{KEY if options.variants and options.style == 'csv' else stem}.{wanted}"
        kinds = f"{wanted.upper()} (*.{wanted})"
        chosen = dialogs.choose_to_save(self, self.suggested(name), kinds, wanted)
        styles = {ENDINGS[one]: one for one in ENDINGS if self.style_box.findData(one) >= 0}
        if chosen is None or not self.is_possible(chosen, tuple(styles)):
            return
        style = styles[ending_of(str(chosen))]
        self._wanted_style = style
        choose(self.style_box, style)
        self.save_as(self.options(), [chosen])

    def _save_folder(self, options: WorksheetOptions) -> None:
        folder = dialogs.choose_folder(self, self.suggested(""))
        if folder is None:
            return
        files = options.names(folder)
        there = [file.name for file in files if os.path.lexists(file)]
        question = f"{' and '.join(there)} would be written over in {shown(folder)}."
        if not there or dialogs.ask_overwrite(self, question, "Overwrite"):
            self.save_as(options, files)
