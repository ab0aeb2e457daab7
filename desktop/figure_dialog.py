"""File ▸ Export ▸ Figure…: which figure, how it is drawn, and what it will look like."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop import dialogs
from desktop.dialog_parts import TextBox, button, choose, row_of
from desktop.document import Document
from desktop.export_dialog import ExportDialog
from desktop.figure_form import FigureForm
from desktop.picture_preview import DOTS, PicturePreview
from desktop.settings import FigureChoices
from export.answering import Answer, Asked
from export.figure_options import FIGURE_FORMATS, FigureOptions, choose_figures
from export.figures import FIGURES
from export.options import ending_of

__all__ = ["FigureDialog", "figure_options"]


def figure_options(
    choices: FigureChoices, document: Document, rows: str, digits: int
) -> FigureOptions:
    """A figure of the document as it is, drawn as was chosen; ValueError where it can't be."""
    known = [entry.name for entry in FIGURES]
    return FigureOptions(
        sentence=document.kept,
        figures=choose_figures([choices.name if choices.name in known else known[0]]),
        head=document.head,
        format=choices.format,
        width=choices.width,
        scale=choices.scale,
        text=choices.text,
        transparent=choices.transparent,
        theme=choices.theme,
        rows=rows,
        digits=digits,
        font_scale=choices.font_scale,
        embed=choices.source,
        force=True,
    )


class FigureDialog(ExportDialog):
    """wants_copy: carries the options of a figure for the clipboard."""

    wants_copy = Signal(object)
    title, copy_label = "Export figure", "&Copy figure"

    def columns(self) -> tuple[QWidget, QWidget]:
        """The form; the picture with its size and its alt text."""
        self.form = FigureForm()
        self.form.changed.connect(self.choices_changed)
        self._undrawable = ""
        self.preview = PicturePreview(self._state.look)
        self.preview.say("Drawing…")
        self.size_line = QLabel()
        self.size_line.setTextFormat(Qt.TextFormat.PlainText)
        self.size_line.setWordWrap(True)
        self.alt_text = TextBox("Alt text", 40, 5)
        self.alt_text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        caption = QLabel("&Alt text, for those who can't see it")
        caption.setWordWrap(True)
        caption.setBuddy(self.alt_text)
        self.copy_text = button("Copy a&lt text", self._copy_text)
        right = QWidget()
        layout = QVBoxLayout(right)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.preview, 1)
        layout.addWidget(self.size_line)
        layout.addWidget(caption)
        layout.addWidget(self.alt_text)
        layout.addLayout(row_of(self.copy_text))
        return self.form, right

    def dress(self) -> None:
        """The picture's surroundings follow the window."""
        self.preview.set_look(self._state.look)

    def show_choices(self) -> None:
        """As it was last used; rows and decimals are the window's."""
        rows = "queries" if self._state.rows_are_queries else "keys"
        digits = self._document.calculation.digits
        self.form.show_choices(self._settings.now.figure, rows, digits)
        self.form.figure.setFocus()

    def remember(self) -> None:
        """All but rows and decimals, which are the window's."""
        self._settings.change(figure=self.form.choices)

    def options(self) -> FigureOptions:
        """What is asked for, of the document as it is now; ValueError where it can't be."""
        rows, digits = self.form.rows.currentData(), self.form.digits.value()
        return figure_options(self.form.choices, self._document, rows, digits)

    # The preview

    def preview_of(self) -> FigureOptions:
        """The figure as pixels, at its own size; in mid-drag as it is under the pointer."""
        self._tell_size()
        return replace(
            self.options(), sentence=self._document.sentence, format="png", scale=DOTS,
            width=None, text="embed", embed=False,
        )  # fmt: skip

    def is_like(self, drawn: Asked, wanted: Asked) -> bool:
        """Whether only the document is another since."""
        return (
            isinstance(drawn, FigureOptions)
            and drawn.head < len(wanted.sentence.heads)
            and replace(drawn, sentence=wanted.sentence) == wanted
        )

    def show_answer(self, answer: Answer) -> None:
        """The picture, what it says in words, and how large it is."""
        pictures = tuple(QImage.fromData(file) for file in answer.files)
        self.preview.show_pictures(pictures)
        self.preview.setAccessibleDescription(answer.alt_text)
        if answer.alt_text != self.alt_text.toPlainText():
            self.alt_text.setPlainText(answer.alt_text)
        self._undrawable = ", ".join(f"{one} (U+{ord(one):04X})" for one in answer.undrawable)
        self.form.width_field.set_own(round(pictures[0].width() / DOTS))
        self._tell_size()

    def _tell_size(self) -> None:
        if not self.preview.pictures:
            return
        picture, choices = self.preview.pictures[0], self.form.choices
        width = choices.width or picture.width() / DOTS
        height = width * picture.height() / picture.width()
        size = f"{width:.0f} × {height:.0f} pixels"
        if choices.format == "png":
            size += f", {width * choices.scale:.0f} × {height * choices.scale:.0f} dots"
        elif choices.format == "pdf":
            size = f"{width / 96 * 2.54:.1f} × {height / 96 * 2.54:.1f} cm"
        if self._undrawable:
            size += f". No font here has {self._undrawable}."
        self.size_line.setText(size)

    # Clipboard and file

    def copy(self) -> None:
        """The figure on the clipboard."""
        self.remember()
        self.wants_copy.emit(self.options())

    def _copy_text(self) -> None:
        QApplication.clipboard().setText(self.alt_text.toPlainText())
        self.tell("The alt text is on the clipboard.")

    def save(self) -> None:
        """Ask where to, and save the figure there; the name's ending says as what."""
        choices = self.form.choices
        suggested = self.suggested(f"{choices.name}.{choices.format}")
        kinds = f"{choices.format.upper()} (*.{choices.format})"
        chosen = dialogs.choose_to_save(self, suggested, kinds, choices.format)
        if chosen is None or not self.is_possible(chosen, FIGURE_FORMATS):
            return
        choose(self.form.format, ending_of(str(chosen)))
        try:
            options = replace(self.options(), format=None, output=str(chosen))
        except ValueError as error:
            self.refuse(error)
        else:
            self.save_as(options, [chosen])
