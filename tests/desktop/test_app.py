import os
import shutil
import signal
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop import edits
from engine import write_sentence
from engine.sentence import new_sentence


def app_process(code, *, display=None):
    """A byhand of its own: `code` runs in it with `session` and `window`, once it is up."""
    program = f"""
import gc, os, sys, time, types
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
import desktop.app
real = desktop.app.Session.start
def start(self, files):
    window = real(self, files)
    def go():
        session = self
        try:
{chr(10).join("            " + line for line in code.strip().splitlines())}
        except BaseException:
            import traceback
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(3)
    QTimer.singleShot(0, go)
    return window
desktop.app.Session.start = start
sys.exit(desktop.app.run([]))
"""
    wrapped = [sys.executable, "-X", "faulthandler", "-c", program]
    environment = dict(os.environ)
    if display is not None:
        wrapped = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", *wrapped]
        environment.pop("QT_QPA_PLATFORM", None)
    return subprocess.Popen(
        wrapped, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.case(17)
def test_undo_is_the_focused_windows(start, bare_panels):
    session = start()
    one, other = *session.windows.values(), session.open_window()
    other.document.edit(edits.rename_word(other.document.sentence, 0, "b"))
    one.document.edit(edits.rename_word(one.document.sentence, 0, "a"))
    other.activateWindow()
    QApplication.processEvents()
    assert QApplication.activeWindow() is other
    QTest.keyClick(other, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert one.document.sentence.words[0] == "a"
    assert other.document.sentence.words[0] == "the"


def test_several_files_are_opened_in_windows_of_their_own(start, bare_panels, tmp_path):
    paths = [tmp_path / f"{name}.byhand.json" for name in ("cat", "dog")]
    for path in paths:
        write_sentence(new_sentence(f"the {path.name}"), path)
    session = start(*paths)
    assert [window.document.path for window in session.windows.values()] == paths


def test_a_closed_window_is_forgotten_and_the_others_stay(start, bare_panels):
    session = start()
    (first,) = session.windows.values()
    other = session.open_window()
    first.close()
    assert list(session.windows.values()) == [other]
    assert other.isVisible()


def test_quit_stops_at_a_window_that_may_not_close(start, bare_panels, monkeypatch):
    from desktop import dialogs

    monkeypatch.setattr(dialogs, "ask_about_changes", lambda *_, **__: dialogs.Answer.CANCEL)
    session = start()
    (window,) = session.windows.values()
    window.document.edit(edits.rename_word(window.document.sentence, 0, "a"))
    session.quit()
    assert window.isVisible()


def test_settings_that_cannot_be_written_are_said_once(window, monkeypatch):
    monkeypatch.setattr(window.session.settings, "change", lambda **_: False)
    window.action_set.do("theme-dark")
    assert "can't be written" in window.notices.texts["settings"]
    window.notices.take_back("settings")
    window.action_set.do("theme-light")
    assert "settings" not in window.notices.texts


def test_neither_manim_nor_matplotlib_is_in_the_app(private_home):
    app = app_process(
        "window.state.set_level('everything')\n"
        "QApplication.processEvents()\n"
        "print([name for name in ('manim', 'matplotlib', 'av') if name in sys.modules])\n"
        "session.quit()"
    )
    out, err = app.communicate(timeout=60)
    assert (app.returncode, out.strip()) == (0, "[]"), err


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_app_tidily_and_keeps_what_is_not_saved(private_home, number):
    app = app_process(
        "from desktop import edits\n"
        "window.document.edit(edits.rename_word(window.document.sentence, 0, 'kept'))\n"
        "print('up', flush=True)"
    )
    assert app.stdout.readline() == "up\n"
    app.send_signal(number)
    _, err = app.communicate(timeout=30)
    assert app.returncode == 130
    assert "Traceback" not in err
    (kept,) = private_home.glob("state/byhand/recovery/*/window-0.json")
    assert '\\"kept\\", \\"cat\\"' in kept.read_text()


@pytest.mark.case(35)
def test_the_app_runs_where_no_program_is_on_the_path(private_home, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    app = app_process(
        """
for name in window.docks.docks:
    window.docks.set_shown(name, True)
window.state.set_level('everything')
QApplication.processEvents()
session.quit()
"""
    )
    _, err = app.communicate(timeout=60)
    assert app.returncode == 0, err
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.case(18)
def test_fifty_times_open_drag_close_ends_well_and_memory_stays_flat(private_home):
    app = app_process(
        """
from desktop import edits
from PySide6.QtCore import QEvent
def kilobytes():
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGESIZE') // 1024
used = []
for turn in range(50):
    other = session.open_window()
    other.state.set_level('everything' if turn % 2 else 'one')
    QApplication.processEvents()
    for step in range(5):
        sentence = other.document.kept
        other.document.preview(edits.move_vector(sentence, 0, 'query', 2, (step, 1)))
        QApplication.processEvents()
    other.document.give_up() if turn % 3 else other.document.keep()
    other._abandoned = True
    other.close()
    del other
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    used.append(kilobytes())
windows = [w for w in gc.get_objects() if type(w).__name__ == 'Window']
print(used[14], used[-1], len(windows))
session.quit()
"""
    )
    out, err = app.communicate(timeout=300)
    assert app.returncode == 0, err
    early, late, windows = map(int, out.split())
    assert windows == 1
    assert late - early < 12_000, f"{early} kB grew to {late} kB"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs Xvfb")
def test_a_real_window_takes_mouse_and_keys(private_home):
    app = app_process(
        """
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtGui import QGuiApplication
assert QGuiApplication.platformName() == 'xcb'
window.activateWindow()
assert QTest.qWaitForWindowActive(window, 5000)
before = window.document.sentence
where = window.docks.docks['where']
where.focus()
focused = window.focusWidget()
QTest.keyClick(focused, Qt.Key.Key_Up)
assert window.document.sentence != before, 'an arrow key moves the arrow'
QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
assert window.document.sentence == before, 'and Ctrl+Z takes that back'
level = window.top.levels.buttons['everything']
QTest.mouseClick(level, Qt.MouseButton.LeftButton)
QTest.qWait(200)
assert window.docks.is_shown('heads')
title = window.docks.docks['mask'].title_bar
QTest.mouseDClick(title, Qt.MouseButton.LeftButton, pos=QPoint(60, 6))
QTest.qWait(200)
assert window.docks.filling == 'mask'
QTest.keyClick(window, Qt.Key.Key_F10)
QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
QTest.qWait(100)
QTest.keyClicks(window.focusWidget(), 'projector')
QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
assert window.state.look.theme.name == 'projector'
print('well')
session.quit()
""",
        display="xvfb",
    )
    out, err = app.communicate(timeout=120)
    assert (app.returncode, out.strip()) == (0, "well"), err


def test_icons_are_drawn_at_every_size(qapp):
    from desktop.app import _icon

    for size in (16, 32, 64, 128, 256):
        picture = _icon().pixmap(size).toImage()
        assert picture.width() == size
        colors = {picture.pixel(x, y) for x in range(size) for y in range(size)}
        assert len(colors) > 8


def test_the_window_closes_with_the_last_one(start, bare_panels):
    session = start()
    assert QApplication.quitOnLastWindowClosed()
    session.quit()
    assert session.windows == {}


def test_a_new_window_has_the_keyboard_at_the_focus_words_query_and_nothing_lit(start):
    window = next(iter(start().windows.values()))
    plane = window.docks.docks["where"].panel
    assert plane.surface.hasFocus()
    assert (plane.taken.role, plane.taken.word) == ("query", 2)
    assert window.state.lit is None
