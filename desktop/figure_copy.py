"""A figure on the clipboard: as pixels, as an SVG, and in words for what takes neither."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from desktop.drawing import Drawing
from export.answering import Answer
from export.figure_options import MOST_DOTS, FigureOptions

__all__ = ["PNG", "SVG", "FigureCopy"]

PNG, SVG = "image/png", "image/svg+xml"


class FigureCopy(QObject):
    """Copies one figure after the other; where two are asked for, the later one.

    told: how it went, and whether it failed.
    """

    told = Signal(str, bool)

    def __init__(self, drawing: Drawing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing
        self._asked: dict[int, str] = {}
        self._drawn: dict[str, Answer] = {}
        self._title = ""
        drawing.answered.connect(self._answered)

    def copy(self, options: FigureOptions) -> None:
        """Put a figure on the clipboard when it is drawn; a PNG has two dots a pixel."""
        self._asked.clear()
        self._drawn.clear()
        self._title = options.figures[0].title
        theme = "light" if options.theme == "both" else options.theme
        as_svg = replace(options, format="svg", output=None)
        scale = min(2.0, MOST_DOTS / (options.width or 1))
        as_png = replace(options, format="png", theme=theme, scale=scale, output=None)
        for kind, asked in ((SVG, as_svg), (PNG, as_png)):
            self._asked[self._drawing.ask(asked)] = kind

    @property
    def is_at_work(self) -> bool:
        """Whether a figure is yet to come to the clipboard."""
        return bool(self._asked)

    def _answered(self, number: int, answer: Answer) -> None:
        kind = self._asked.pop(number, None)
        if kind is None:
            return
        if answer.error:
            self._asked.clear()
            self.told.emit(f"The figure can't be copied: {answer.error}", True)
            return
        self._drawn[kind] = answer
        if not self._asked:
            QApplication.clipboard().setMimeData(_mime_data(self._drawn))
            self._drawn.clear()
            self.told.emit(
                f"“{self._title}” is on the clipboard: PNG, SVG, and its alt text.", False
            )


def _mime_data(drawn: dict[str, Answer]) -> QMimeData:
    data = QMimeData()
    # As they are: the document inside would not survive being decoded.
    for kind, answer in drawn.items():
        data.setData(kind, answer.files[0])
    data.setImageData(QImage.fromData(drawn[PNG].files[0]))
    data.setText(drawn[PNG].alt_text)
    return data
