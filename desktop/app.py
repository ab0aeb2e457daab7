"""The app: one process, its windows, and what they share."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from desktop.recovery import Recovered, Recovery
from desktop.settings import SettingsFile
from desktop.style import style_sheet
from desktop.theme import Look, palette_of
from desktop.window import Window
from engine.palette import THEMES
from engine.presets import load_preset
from engine.sentence import Sentence

__all__ = ["Session", "run"]

INTERRUPTED = 130


class Session(QObject):
    """The windows of this process, their settings and appearance, and unsaved work."""

    def __init__(self) -> None:
        super().__init__()
        self.settings = SettingsFile()
        self.recovery = Recovery()
        self.windows: dict[str, Window] = {}
        self._opened = 0
        self._told_unwritable = False
        self._is_closed = False
        self.look = self._wanted_look()
        self._dress()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._restyle)

    # Windows

    def start(self, files: Sequence[Path]) -> Window:
        """Open the first window, and one for each further file; say what was found damaged."""
        window = self.open_window()
        for number, file in enumerate(files):
            (window if number == 0 else self.open_window()).files.open(file)
        if self.settings.complaint:
            window.notices.say("settings", self.settings.complaint, wrong=True)
        left, damaged = self.recovery.left_behind()
        if damaged:
            many = "A recovery file" if damaged == 1 else f"{damaged} recovery files"
            said = (
                f"{many} couldn't be read, and was set aside."
                if damaged == 1
                else (f"{many} couldn't be read, and were set aside.")
            )
            window.notices.say("damaged", said, wrong=True)
        if left:
            window.offer(left)
        if not self.settings.now.greeted:
            window.hint()
        return window

    def open_window(self, sentence: Sentence | None = None) -> Window:
        """One more window, with a sentence or the post's."""
        name = f"window-{self._opened}"
        self._opened += 1
        window = Window(self, name, load_preset() if sentence is None else sentence)
        window.closed.connect(self._closed)
        self.windows[name] = window
        window.show()
        window.be_ready()
        return window

    def show_if_open(self, path: Path) -> bool:
        """Bring the window that has this file to the front; False where none has."""
        for window in self.windows.values():
            mine = window.document.path
            with suppress(OSError):
                if mine is not None and os.path.samefile(mine, path):
                    window.raise_()
                    window.activateWindow()
                    window.state.announce("This file is open here.")
                    return True
        return False

    def _closed(self, name: str) -> None:
        self.windows.pop(name, None)

    def quit(self) -> None:
        """Close all windows; one that may not be closed ends it."""
        for window in list(self.windows.values()):
            if not window.close():
                return
        QApplication.quit()

    def abandon(self) -> None:
        """Close all windows without a question, keeping what isn't saved for the next start."""
        for window in list(self.windows.values()):
            window.abandon()

    def close(self) -> None:
        """The end of the process: let go of what is shared."""
        if not self._is_closed:
            self._is_closed = True
            QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._restyle)
            self.recovery.close()

    # What a crash has left

    def settle(self, left: Sequence[Recovered], *, recover: bool, window: Window) -> None:
        """Open unsaved documents of a dead byhand again, or throw them away."""
        for one in left:
            if not recover:
                self.recovery.settle(one)
            elif window.files.is_untouched:
                window.files.recover(one)
            else:
                self.open_window().files.recover(one)

    # Appearance

    def set_appearance(self, **changes: object) -> None:
        """Change theme, text_size or reduced_motion, in every window at once."""
        if not self.settings.change(**changes) and not self._told_unwritable:
            self._told_unwritable = True
            for window in self.windows.values():
                window.notices.say(
                    "settings", f"Settings can't be written to {self.settings.path}.", wrong=True
                )
        self._restyle()

    def open_preferences(self, window: Window) -> None:
        """Ask for all of them, and more, in a dialog."""
        from desktop.preferences import Preferences

        dialog = Preferences(window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _restyle(self) -> None:
        look = self._wanted_look()
        if look != self.look:
            self.look = look
            self._dress()
        for window in self.windows.values():
            window.state.set_look(look)
            window.state.set_reduced_motion(self.settings.now.reduced_motion)
            window.action_set.refresh()

    def _wanted_look(self) -> Look:
        name = self.settings.now.theme
        if name == "system":
            scheme = QGuiApplication.styleHints().colorScheme()
            name = "dark" if scheme == Qt.ColorScheme.Dark else "light"
        return Look(THEMES[name], self.settings.now.text_size)

    def _dress(self) -> None:
        """All that Qt draws by itself, in our colours and our font."""
        QApplication.setPalette(palette_of(self.look.theme))
        QApplication.setFont(self.look.font())
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setStyleSheet(style_sheet(self.look))


def run(arguments: Sequence[str] = ()) -> int:
    """Open the window on these files and stay until it is closed; returns the exit code."""
    app = QApplication([sys.argv[0] or "byhand"])
    app.setApplicationName("byhand")
    app.setDesktopFileName("byhand")
    app.setStyle("Fusion")
    app.setWindowIcon(_icon())
    session = Session()
    session.start([Path(name) for name in arguments])
    with _interruptible(session) as interrupted:
        code = app.exec()
    # Windows go before what they share, and all of it before the interpreter.
    session.abandon()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    session.close()
    gc.collect()
    return INTERRUPTED if interrupted else code


@contextmanager
def _interruptible(session: Session) -> Iterator[list[int]]:
    """Ctrl+C and a plain kill end the app tidily; what isn't saved is kept for the next start.

    Python hears of a signal only when it runs, and Qt's loop may wait for long: a socket wakes it.
    """
    caught: list[int] = []
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)

    def catch(number: int, frame: FrameType | None) -> None:
        caught.append(number)

    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, catch) for number in numbers}
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    ending = _Ending(session, ours, caught)
    notifier.activated.connect(ending.come)
    try:
        yield caught
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        ours.close()
        theirs.close()


class _Ending(QObject):
    """Closes everything when a signal has come."""

    def __init__(self, session: Session, wakes: socket.socket, caught: Sequence[int]) -> None:
        super().__init__()
        self._session, self._wakes, self._caught = session, wakes, caught

    def come(self) -> None:
        """The socket has something to say."""
        with suppress(BlockingIOError):
            self._wakes.recv(64)
        if self._caught:
            self._session.abandon()
            QApplication.exit(INTERRUPTED)


def _icon() -> QIcon:
    """A query's arrow and a key's, drawn as large as a system asks for."""
    return QIcon(str(files("export") / "share" / "byhand.svg"))
