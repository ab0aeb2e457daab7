import gc
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QProcess, QThread, QTimer, Signal
from PySide6.QtWidgets import QApplication

from desktop.document import Document
from desktop.theme import Look
from desktop.view_state import ViewState
from engine.presets import load_preset
from engine.sentence import new_sentence
from export.answering import Answer


@pytest.fixture(autouse=True)
def leaves_nothing_behind(qapp):
    """A test may not leave a window, a running timer, a thread or a process."""
    gc.freeze()  # what was there before needn't be looked through each time
    threads = set(threading.enumerate())
    yield
    left = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    for widget in qapp.topLevelWidgets():
        widget.close()
        widget.deleteLater()
    _let_go()
    if QApplication.clipboard().ownsClipboard():
        QApplication.clipboard().clear()
    running = [thread for thread in set(threading.enumerate()) - threads if not thread.daemon]
    for thread in running:
        thread.join(2)
    assert not [thread for thread in running if thread.is_alive()], "a thread is left"
    assert not left, f"a window is left open: {left}"
    for thing in gc.get_objects():
        if type(thing) is QTimer:
            assert not _alive_and(thing, QTimer.isActive), "a timer is left running"
        elif type(thing) is QProcess:
            assert not _alive_and(thing, lambda p: p.state() != QProcess.ProcessState.NotRunning)
        elif type(thing) is QThread:
            assert not _alive_and(thing, QThread.isRunning), "a thread is left running"


def _alive_and(thing, holds):
    try:
        return holds(thing)
    except RuntimeError:  # Qt has deleted it
        return False


def _let_go():
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()


class Asks(QObject):
    """A `Drawing` that the test answers itself: `asked` holds the requests by number."""

    answered = Signal(int, object)

    def __init__(self):
        super().__init__()
        self.asked = {}
        self.usual = Answer()

    def ask(self, asked, *, instead_of=0):
        self.asked[len(self.asked) + 1] = asked
        return len(self.asked)

    def finish(self, number, patience):
        self.answer(number)

    def answer(self, number=None, **changes):
        self.answered.emit(number or len(self.asked), replace(self.usual, **changes))

    @property
    def last(self):
        return self.asked[len(self.asked)]


@pytest.fixture
def asks(qapp):
    return Asks()


@pytest.fixture
def post():
    return load_preset()


@pytest.fixture
def twelve():
    return new_sentence("one two three four five six seven eight nine ten eleven twelve")


@pytest.fixture
def document(post):
    return Document(post)


@pytest.fixture
def state():
    return ViewState(Look())


@pytest.fixture
def private_home(monkeypatch, tmp_path):
    """Settings and unsaved work go into a folder of the test's."""
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home" / name.lower()))
    return tmp_path / "home"


@pytest.fixture
def start(qapp, private_home):
    """Starts the app's session, as `byhand FILE…` does: all that start leaves is cleared away."""
    from desktop.app import Session

    before = QApplication.palette(), QApplication.font(), qapp.styleSheet()
    sessions = []

    def begin(*files, greeted=True):
        session = Session()
        session.settings.change(greeted=greeted)
        sessions.append(session)
        session.start(files)
        QApplication.processEvents()
        return session

    yield begin
    for session in sessions:
        session.abandon()
        session.close()
    QApplication.setPalette(before[0])
    QApplication.setFont(before[1])
    qapp.setStyleSheet(before[2])


@pytest.fixture
def bare_panels(monkeypatch):
    """Panels that show nothing, where a test isn't about what they show."""
    from desktop import docks, window

    blank = "desktop.views.panel:Panel"
    bare = tuple(replace(place, target=blank, options=()) for place in docks.PANELS)
    monkeypatch.setattr(docks, "PANELS", bare)
    monkeypatch.setattr(window, "FORMULA", blank)
    monkeypatch.setattr(window, "CHIPS", blank)


@pytest.fixture
def window(bare_panels, start):
    """The first window of a session, with the post's sentence and bare panels."""
    return next(iter(start().windows.values()))


@pytest.fixture
def full_window(start):
    """The same, with all that it shows."""
    return next(iter(start().windows.values()))
