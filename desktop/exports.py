"""What leaves a window as files or on the clipboard: figures, worksheets, videos, bundles.

Each is asked for in a dialog beside the work, which is made when it is first needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.document import Document
from desktop.drawing import Drawing
from desktop.notices import Notices
from desktop.settings import SettingsFile
from desktop.status_line import StatusLine
from desktop.view_state import ViewState

if TYPE_CHECKING:
    from desktop.bundle_dialog import BundleDialog
    from desktop.figure_copy import FigureCopy
    from desktop.figure_dialog import FigureDialog
    from desktop.render_dialog import RenderDialog
    from desktop.work_dialog import WorkDialog
    from desktop.worksheet_dialog import WorksheetDialog

__all__ = ["Exports"]


class Exports(QObject):
    """changed: a render or a bundle has begun, is further, or is over."""

    changed = Signal()

    def __init__(
        self,
        window: QWidget,
        document: Document,
        state: ViewState,
        notices: Notices,
        status: StatusLine,
        settings: SettingsFile,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._state = state
        self._notices = notices
        self._status = status
        self._settings = settings
        self.drawing = Drawing(self)
        self._figures: FigureDialog | None = None
        self._copies: FigureCopy | None = None
        self._worksheets: WorksheetDialog | None = None
        self._works: dict[str, WorkDialog] = {}
        status.wants_render.connect(self._show_work)
        notices.answered.connect(self._answered)

    # Figures and worksheets

    @property
    def figures(self) -> FigureDialog:
        """The dialog of File ▸ Export ▸ Figure…"""
        if self._figures is None:
            from desktop.figure_dialog import FigureDialog

            self._figures = FigureDialog(
                self._document, self._state, self._settings, self.drawing, self._window
            )
            self._figures.wants_copy.connect(self.copies.copy)
        return self._figures

    @property
    def copies(self) -> FigureCopy:
        """What puts figures on the clipboard."""
        if self._copies is None:
            from desktop.figure_copy import FigureCopy

            self._copies = FigureCopy(self.drawing, self)
            self._copies.told.connect(self._copied)
        return self._copies

    def copy_figure(self) -> None:
        """The figure chosen last on the clipboard, of the document as it is."""
        from desktop.figure_dialog import figure_options

        rows = "queries" if self._state.rows_are_queries else "keys"
        digits = self._document.calculation.digits
        try:
            options = figure_options(self._settings.now.figure, self._document, rows, digits)
        except ValueError as error:
            self._copied(f"The figure can't be copied: {error}", wrong=True)
            return
        self._state.announce(f"Drawing “{options.figures[0].title}”…")
        self.copies.copy(options)

    def _copied(self, text: str, wrong: bool) -> None:
        if self._figures is not None and self._figures.isVisible():
            self._figures.tell(text, wrong)
            return
        self._state.announce(text)
        if wrong:
            self._notices.say("copy", text, wrong=True)

    @property
    def worksheets(self) -> WorksheetDialog:
        """The dialog of File ▸ Export ▸ Worksheet…"""
        if self._worksheets is None:
            from desktop.worksheet_dialog import WorksheetDialog

            self._worksheets = WorksheetDialog(
                self._document, self._state, self._settings, self.drawing, self._window
            )
        return self._worksheets

    # Videos and bundles

    @property
    def renders(self) -> RenderDialog:
        """The dialog of Render ▸ Video…"""
        from desktop.render_dialog import RenderDialog

        if "render" not in self._works:
            self._add(
                "render", RenderDialog(self._document, self._state, self._settings, self._window)
            )
        dialog = self._works["render"]
        assert isinstance(dialog, RenderDialog)
        return dialog

    @property
    def bundles(self) -> BundleDialog:
        """The dialog of File ▸ Export ▸ Bundle for a post…"""
        from desktop.bundle_dialog import BundleDialog

        if "bundle" not in self._works:
            self._add(
                "bundle", BundleDialog(self._document, self._state, self._settings, self._window)
            )
        dialog = self._works["bundle"]
        assert isinstance(dialog, BundleDialog)
        return dialog

    def _add(self, name: str, dialog: WorkDialog) -> None:
        self._works[name] = dialog
        dialog.changed.connect(self._work_changed)
        dialog.told.connect(self._tell_outcome)

    @property
    def running(self) -> tuple[WorkDialog, ...]:
        """The dialogs whose work goes on."""
        return tuple(dialog for dialog in self._works.values() if dialog.is_working)

    @property
    def is_rendering(self) -> bool:
        """Whether a render goes on."""
        return "render" in self._works and self._works["render"].is_working

    def _show_work(self) -> None:
        for dialog in self.running[:1]:
            dialog.open_again()

    def _work_changed(self) -> None:
        for dialog in self.running[:1]:
            self._status.show_render(dialog.at_work, dialog.share)
        if not self.running:
            self._status.show_render("", None)
        self.changed.emit()

    def _tell_outcome(self, name: str) -> None:
        """Where the dialog, which says it too, is closed."""
        dialog = self._works[name]
        work = dialog.current
        if work is not None and not dialog.isVisible():
            answers = ("Open folder",) if work.files else ()
            self._notices.say(name, work.outcome, *answers, wrong=not work.succeeded)

    def _answered(self, name: str, answer: str) -> None:
        if name in self._works and answer:
            self._works[name].open_folder()

    # The end

    def close(self) -> None:
        """The window goes: what is being saved is saved, what is being made is called off."""
        for dialog in (self._figures, self._worksheets):
            if dialog is not None:
                dialog.finish()
        for work in self._works.values():
            work.stop()
        self.drawing.close()
