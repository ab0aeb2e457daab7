"""Times attention on this machine, beside the window: a thread that can be stopped."""

from __future__ import annotations

from PySide6.QtCore import QObject, QThread, Signal

from engine.growth import measure_growth

__all__ = ["MOST_TOKENS", "WIDTH", "GrowthTiming"]

WIDTH = 64
"""Numbers a vector, as in the heads of real models."""

MOST_TOKENS = 1 << 17


class GrowthTiming(QThread):
    """Runs engine.growth.measure_growth; `finished` comes in any case.

    measured: a Measurement, as soon as it is made. failed: why it could not go on.
    """

    measured = Signal(object)
    failed = Signal(str)

    def __init__(self, seconds: float, bytes_held: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seconds, self._bytes_held = seconds, bytes_held

    def run(self) -> None:
        """Measure until a limit is met or `stop`."""
        try:
            for measurement in measure_growth(
                MOST_TOKENS,
                WIDTH,
                seconds=self._seconds,
                bytes_held=self._bytes_held,
                is_stopped=self.isInterruptionRequested,
            ):
                self.measured.emit(measurement)
        except MemoryError:
            self.failed.emit("this machine has no more memory to give: what was measured stays")

    def stop(self) -> None:
        """End after the run that is under way, some `seconds` at most."""
        self.requestInterruption()
