"""What is asked about a figure: which one, and how it is drawn and written."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QListWidget, QSizePolicy, QVBoxLayout, QWidget

from desktop.dialog_parts import add_row, choice, choose, new_form
from desktop.settings import FigureChoices
from desktop.views.controls import WholeField
from export.figure_options import FIGURE_FORMATS, FIGURE_THEMES, MOST_DOTS
from export.figures import FIGURES
from export.options import THEMES

__all__ = ["FigureForm"]

_THEMES = {
    "light": "Light",
    "dark": "Dark",
    "projector": "Projector",
    "both": "Light and dark",
}
_FORMATS = {
    "svg": "SVG, for web pages",
    "pdf": "PDF, for papers",
    "png": "PNG, for slides and chats",
}
_TEXTS = {
    "embed": "With its font",
    "keep": "In a font of the reader's",
    "outline": "As outlines",
}
_SCALES = (0.5, 1.0, 2.0, 3.0, 4.0, 8.0)
_LEAST_WIDTH = 50


class _WidthField(WholeField):
    """CSS pixels, or what the figure asks for: that is the number that stepping starts from."""

    def __init__(self) -> None:
        # One below the least stands for the figure's own.
        super().__init__("Width in pixels", _LEAST_WIDTH - 1, MOST_DOTS)
        self.setToolTip(f"{_LEAST_WIDTH} to {MOST_DOTS} pixels")
        self.setSuffix(" px")
        self.set_own(None)

    def set_own(self, width: int | None) -> None:
        """How wide the figure is by itself, where that is known."""
        self._own = width
        self.setSpecialValueText("its own" if width is None else f"its own, {width} px")

    @property
    def wanted(self) -> int | None:
        """What is asked for; None = the figure's own width."""
        return None if self.value() == self.minimum() else self.value()

    def stepBy(self, steps: int) -> None:
        if self.wanted is None and self._own is not None and steps > 0:
            self.setValue(self._own + steps)
        else:
            super().stepBy(steps)


class _FigureList(QListWidget):
    """All figures by their titles, whole where there is room."""

    def __init__(self) -> None:
        super().__init__()
        for entry in FIGURES:
            self.addItem(entry.title)
            self.item(self.count() - 1).setToolTip(entry.title)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        frame = 2 * self.frameWidth()
        height = self.sizeHintForRow(0) * self.count()
        return QSize(self.sizeHintForColumn(0) + frame + 4, height + frame)

    def minimumSizeHint(self) -> QSize:
        line = self.sizeHintForRow(0)
        return QSize(8 * line, 4 * line)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if (item := self.currentItem()) is not None:
            self.scrollToItem(item)


class FigureForm(QWidget):
    """changed: something else is asked for."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.figure = _FigureList()
        self.format = choice({kind: _FORMATS[kind] for kind in FIGURE_FORMATS}, least=12)
        self.theme = choice({theme: _THEMES[theme] for theme in FIGURE_THEMES}, least=12)
        self.text = choice(_TEXTS, least=12)
        self.width_field = _WidthField()
        self.scale = choice({scale: f"{scale:g} a pixel" for scale in _SCALES})
        self.rows = choice(
            {"queries": "Who listens (queries)", "keys": "Who is heard (keys)"}, least=12
        )
        self.digits = WholeField("Decimals", 0, 6)
        self.font_scale = WholeField("Text size, in per cent", 50, 200)
        self.font_scale.setSuffix(" %")
        self.font_scale.setSingleStep(10)
        self.transparent = QCheckBox("T&ransparent")
        self.source = QCheckBox("Carries the &document")
        self.source.setToolTip("byhand opens the figure as it opens the document itself.")
        form = new_form()
        add_row(form, "&Figure", self.figure)
        for label, field in (
            ("For&mat", self.format), ("&Theme", self.theme), ("Te&xt", self.text),
            ("&Width", self.width_field), ("D&ots", self.scale), ("Row&s", self.rows),
            ("D&ecimals", self.digits), ("Text si&ze", self.font_scale),
        ):  # fmt: skip
            add_row(form, label, field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(form)
        layout.addWidget(self.transparent)
        layout.addWidget(self.source)
        layout.addStretch(1)
        self._form = form
        self._wanted_theme = "light"
        self.figure.currentRowChanged.connect(self._something_chosen)
        for box in (self.text, self.scale, self.rows):
            box.currentIndexChanged.connect(self._something_chosen)
        for spin in (self.width_field, self.digits, self.font_scale):
            spin.valueChanged.connect(self._something_chosen)
        for tick in (self.transparent, self.source):
            tick.toggled.connect(self._something_chosen)
        self.theme.activated.connect(self._theme_chosen)
        self.theme.currentIndexChanged.connect(self._something_chosen)
        self.format.currentIndexChanged.connect(self._format_chosen)

    @property
    def choices(self) -> FigureChoices:
        """What is asked for, to be remembered."""
        return FigureChoices(
            name=FIGURES[max(0, self.figure.currentRow())].name,
            theme=self.theme.currentData(),
            format=self.format.currentData(),
            text=self.text.currentData(),
            width=self.width_field.wanted,
            scale=self.scale.currentData(),
            font_scale=self.font_scale.value() / 100,
            transparent=self.transparent.isChecked(),
            source=self.source.isChecked(),
        )

    def show_choices(self, choices: FigureChoices, rows: str, digits: int) -> None:
        """Ask for this again; what isn't there is left at its first."""
        names = [entry.name for entry in FIGURES]
        self.blockSignals(True)
        self.figure.setCurrentRow(names.index(choices.name) if choices.name in names else 0)
        choose(self.format, choices.format)
        self._wanted_theme = choices.theme
        self._offer_themes()
        choose(self.text, choices.text)
        self.width_field.setValue(choices.width or self.width_field.minimum())
        choose(self.scale, choices.scale)
        choose(self.rows, rows)
        self.digits.setValue(digits)
        self.font_scale.setValue(round(100 * choices.font_scale))
        self.transparent.setChecked(choices.transparent)
        self.source.setChecked(choices.source)
        self.blockSignals(False)
        self.changed.emit()

    def _something_chosen(self) -> None:
        self.changed.emit()

    def _theme_chosen(self) -> None:
        self._wanted_theme = self.theme.currentData()

    def _format_chosen(self) -> None:
        self._offer_themes()
        self.changed.emit()

    def _offer_themes(self) -> None:
        """Only an SVG can follow its reader; what was wanted comes back with it."""
        kind = self.format.currentData()
        offered = FIGURE_THEMES if kind == "svg" else THEMES
        self.theme.blockSignals(True)
        self.theme.clear()
        for theme in offered:
            self.theme.addItem(_THEMES[theme], theme)
        choose(self.theme, self._wanted_theme)
        self.theme.blockSignals(False)
        self._form.setRowVisible(self.text, kind == "svg")
        self._form.setRowVisible(self.scale, kind == "png")
