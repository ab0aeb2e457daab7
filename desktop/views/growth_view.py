"""What n tokens cost: cells and bytes counted, time measured here when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.document import Document
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.controls import dress, name_control
from desktop.views.flow import FlowRow
from desktop.views.growth_timing import WIDTH, GrowthTiming
from desktop.views.panel import Panel
from desktop.views.wheel import guard_wheel
from engine.growth import Measurement, growth

if TYPE_CHECKING:
    from desktop.views.growth_plot import GrowthPlot

__all__ = ["GrowthView"]

SECONDS = {f"up to {seconds} s a run": seconds for seconds in (0.25, 0.5, 1.0, 2.0)}
MEMORY = {
    "grid up to 128 MiB": 1 << 27, "grid up to 512 MiB": 1 << 29,
    "grid up to 1 GiB": 1 << 30, "grid up to 2 GiB": 1 << 31,
}  # fmt: skip
COUNTED = tuple(1 << power for power in range(8, 18))
"""The numbers of tokens whose cells and bytes are shown, measured or not."""

COLUMNS = ("tokens", "cells of one grid", "one grid", "vectors alone", "grid takes", "tiles take")


class GrowthView(Panel):
    """Bytes and time against n; nothing is measured until Start."""

    title = "Growth"

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(document, state, parent)
        self.measured: list[Measurement] = []
        self.timing: GrowthTiming | None = None
        self._plots: tuple[GrowthPlot, GrowthPlot] | None = None
        self._drawn: tuple[object, ...] = ()
        self.start = QPushButton("Start", self)
        self.start.setToolTip("measure both ways on this machine, in the background")
        self.start.clicked.connect(self.start_or_stop)
        self.seconds = self._choice(SECONDS, 1, "longest run")
        self.memory = self._choice(MEMORY, 1, "most memory for the grid")
        self.numbers = QPushButton("Numbers", self)
        self.numbers.setCheckable(True)
        self.numbers.setToolTip("show the same as a table")
        self.numbers.toggled.connect(self._show_numbers)
        self.said = QLabel(self)
        self.said.setWordWrap(True)
        self.said.setContentsMargins(6, 0, 6, 2)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = QTableWidget(self)
        self.table.setAccessibleName("what n tokens cost")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._lay_out()
        self._look: Look | None = None

    def _choice(
        self, choices: dict[str, float] | dict[str, int], first: int, tip: str
    ) -> QComboBox:
        choice = QComboBox(self)
        choice.addItems(list(choices))
        choice.setCurrentIndex(first)
        choice.setToolTip(tip)
        name_control(choice, tip)
        guard_wheel(choice)
        return choice

    def _lay_out(self) -> None:
        row = FlowRow()
        for widget in (self.start, self.seconds, self.memory, self.numbers):
            row.add(widget)
        self._pictures = QWidget(self)
        self._side_by_side = QHBoxLayout(self._pictures)
        self._side_by_side.setContentsMargins(0, 0, 0, 0)
        self._side_by_side.setSpacing(0)
        area = QScrollArea(self)  # large text needs more room than a low dock has
        area.setWidget(self._pictures)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(area)
        self._stack.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.said)
        column.addWidget(self._stack, 1)
        self.setFocusProxy(self.start)

    # Measuring

    def start_or_stop(self) -> None:
        """Begin to measure, or end it after the run that is under way."""
        if self.timing is not None:
            self.timing.stop()
            self.start.setText("Stopping …")
            self.start.setEnabled(False)
            return
        self.measured = []
        timing = GrowthTiming(
            SECONDS[self.seconds.currentText()], MEMORY[self.memory.currentText()], self
        )
        timing.measured.connect(self._take)
        timing.failed.connect(self.state.announce)
        timing.finished.connect(self._ended)
        self.timing = timing
        self.start.setText("Stop")
        self.state.announce("measuring attention on this machine")
        timing.start()
        self._show()

    def _take(self, measurement: Measurement) -> None:
        if self.timing is not None:
            self.measured.append(measurement)
            self._show()

    def _ended(self) -> None:
        timing, self.timing = self.timing, None
        if timing is not None:
            timing.wait()
            timing.deleteLater()
        self.start.setText("Start")
        self.start.setEnabled(True)
        self._show()
        self.state.announce(self._grows() or "nothing was measured")

    def _grows(self) -> str:
        """How time grows, by what was measured; "" before there are two sizes."""
        from export.growth import grows_as_text

        return grows_as_text(self.measured)

    def end(self) -> None:
        """Stop, and wait until the thread is gone: before the window goes."""
        timing, self.timing = self.timing, None
        if timing is not None:
            timing.finished.disconnect(self._ended)
            timing.measured.disconnect(self._take)
            timing.stop()
            timing.wait()
            timing.deleteLater()
            self.start.setText("Start")
            self.start.setEnabled(True)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing is left running."""
        self.end()
        super().closeEvent(event)

    # What there is now

    def refresh(self) -> None:
        """The number of words is all that counts of the sentence here."""
        if self.isVisible():
            self._show()

    def relight(self) -> None:
        """Nothing here belongs to a word."""

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was missed."""
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        n = len(self.document.sentence.words)
        now = (n, self.state.look, len(self.measured), self.timing is None)
        if now == self._drawn or not self.is_seen:
            return
        self._drawn = now
        look = self.state.look
        by_bytes, by_time = self._plots or self._make_plots()
        if look != self._look:
            self._look = look
            dress(self, look)
            by_bytes.set_look(look)
            by_time.set_look(look)
        self._show_curves(by_bytes, by_time, n)
        if self.numbers.isChecked():
            self._fill_table(n)
        own = growth(n, WIDTH)
        text = self._grows()
        self.said.setText(
            f"your sentence: n = {n}, {own.cells:,} cells; twice as many words, four times as many"
            + (f".  Measured here: {text}" if text else "")
        )
        self.setAccessibleDescription(self.said.text())

    def _make_plots(self) -> tuple[GrowthPlot, GrowthPlot]:
        # Here, since pyqtgraph takes half a second that starting the app needn't wait for.
        from desktop.views.growth_plot import GrowthPlot, time_tick
        from export.growth import size_text

        self._plots = (
            GrowthPlot(
                "bytes held, 4 a number", 2, lambda size: size_text(int(size)), self._pictures
            ),
            GrowthPlot(
                f"time on this machine, {WIDTH} numbers a vector", 10, time_tick, self._pictures
            ),
        )
        for plot in self._plots:
            self._side_by_side.addWidget(plot)
        return self._plots

    def _show_curves(self, by_bytes: GrowthPlot, by_time: GrowthPlot, n: int) -> None:
        from desktop.views.growth_plot import Curve

        sizes = [n, *(size for size in COUNTED if size > n)]
        costs = [growth(size, WIDTH) for size in sizes]
        least = min(costs[0].grid_bytes, costs[0].vector_bytes)
        by_bytes.show_curves(
            [
                Curve("grid, n × n", tuple((c.n, c.grid_bytes) for c in costs), "grid"),
                Curve("vectors, n", tuple((c.n, c.vector_bytes) for c in costs), "tiles"),
            ],
            n, top=4 * costs[-1].grid_bytes, bottom=least / 2,
        )  # fmt: skip
        timed = {
            name: tuple((m.n, getattr(m, name)) for m in self.measured if getattr(m, name))
            for name in ("grid", "tiles")
        }
        seconds = [s for points in timed.values() for _, s in points] or [1e-3, 1.0]
        by_time.note = ""
        if not self.measured:
            by_time.note = "measuring …" if self.timing else "Start measures it here"
        by_time.show_curves(
            [
                Curve("whole grid", timed["grid"], "grid", has_dots=True),
                Curve("tiles", timed["tiles"], "tiles", has_dots=True),
            ],
            n, top=5 * max(seconds), bottom=min(seconds) / 5,
        )  # fmt: skip

    def _fill_table(self, n: int) -> None:
        from export.growth import size_text, time_text

        timed = {one.n: one for one in self.measured}
        sizes = [n, *(size for size in COUNTED if size > n)]
        self.table.setRowCount(len(sizes))
        self.table.setColumnCount(len(COLUMNS))
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.verticalHeader().hide()
        for row, size in enumerate(sizes):
            cost, time = growth(size, WIDTH), timed.get(size)
            texts = (
                f"{size:,}", f"{cost.cells:,}", size_text(cost.grid_bytes),
                size_text(cost.vector_bytes), time_text(time.grid if time else None),
                time_text(time.tiles if time else None),
            )  # fmt: skip
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.resizeRowsToContents()

    def _show_numbers(self, is_wanted: bool) -> None:
        if is_wanted:
            self._fill_table(len(self.document.sentence.words))
        self._stack.setCurrentIndex(int(is_wanted))
