"""What a window has drawn and written for it: figures and worksheets, in a process of its own.

The process begins with the first request, answers one after the other, and ends when nothing was
asked for a while. Whatever becomes of it, every request is answered.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QProcess, Qt, QTimer, Signal

from desktop import renders
from desktop.__main__ import ANSWERING
from export.answering import Answer, Asked, answer_of, request_of

__all__ = ["Drawing"]

_IDLE = 60_000
"""How long, in ms, the process is kept after the last answer: the next comes a second sooner."""

_PATIENCE = 4000
"""How long, in ms, is waited for the process to be gone."""


class Drawing(QObject):
    """Asks, and hears the answers.

    answered: carries the number of a request, and its `Answer`.
    """

    answered = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._waiting: dict[int, Asked] = {}
        self._at_work: int | None = None
        self._unread = b""
        self._process: QProcess | None = None
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(_IDLE)
        self._resting.timeout.connect(self.close)

    @property
    def is_at_work(self) -> bool:
        """Whether an answer is yet to come."""
        return self._at_work is not None

    def ask(self, asked: Asked, *, instead_of: int = 0) -> int:
        """Ask for something; returns the request's number.

        instead_of is the number of an earlier request: if it hasn't begun, it is forgotten, and
        never answered.
        """
        self._waiting.pop(instead_of, None)
        self._number += 1
        self._waiting[self._number] = asked
        self._send()
        return self._number

    def finish(self, number: int, patience: int) -> None:
        """Wait until a request is answered, but no more than `patience` ms for each before it."""
        while self._process is not None and (number in self._waiting or number == self._at_work):
            if not self._process.waitForReadyRead(patience):
                return

    def close(self) -> None:
        """End the process, and forget what was asked."""
        self._resting.stop()
        self._waiting.clear()
        self._at_work = None
        process, self._process = self._process, None
        if process is not None:
            process.blockSignals(True)
            process.kill()  # it only draws: nothing is lost
            process.waitForFinished(_PATIENCE)
            process.deleteLater()

    def _send(self) -> None:
        if self._at_work is not None or not self._waiting:
            return
        self._resting.stop()
        self._at_work = next(iter(self._waiting))
        request = request_of(self._at_work, self._waiting.pop(self._at_work))
        process = self._process or self._start()
        process.write(request.encode())

    def _start(self) -> QProcess:
        self._unread = b""
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._hear)
        # Queued: a request has its number before its answer comes.
        process.errorOccurred.connect(self._failed, Qt.ConnectionType.QueuedConnection)
        process.finished.connect(self._finished)
        # What it complains of stands in its answers; a pipe that nobody reads would stop it.
        process.setStandardErrorFile(QProcess.nullDevice())
        self._process = process
        program, *before = renders.command()
        process.start(program, [*before, ANSWERING])
        return process

    def _hear(self) -> None:
        if self._process is None:
            return
        self._unread += self._process.readAllStandardOutput().data()
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            answer = answer_of(line)
            if answer is not None and answer[0] == self._at_work:
                self._take(*answer)

    def _take(self, number: int, answer: Answer) -> None:
        self._at_work = None
        self._send()
        if self._at_work is None:
            self._resting.start()
        self.answered.emit(number, answer)

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self._lost(f"what draws can't be started: {self._process.errorString()}")

    def _finished(self) -> None:
        self._lost("what draws ended unexpectedly: its process was killed or crashed")

    def _lost(self, why: str) -> None:
        """The process is gone: the request it was at is answered, the next gets a new one."""
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
        if self._at_work is not None:
            self._take(self._at_work, Answer(error=why))
