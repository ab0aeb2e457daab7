"""A monkey at the whole window: whatever hands do, the document stays valid and undo goes back.

BYHAND_MONKEY=N lets it do N bursts a sentence, with seeds of its own, for a long run by hand;
`make bench` lets one work for ten minutes, from BYHAND_SEED on.
"""

import os
import random
import sys
import time
import traceback
from collections import deque
from contextlib import suppress

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, qInstallMessageHandler
from PySide6.QtGui import QInputMethodEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from desktop import dialogs
from desktop.actions import ACTIONS
from desktop.views import growth_timing
from engine.files import format_sentence, write_sentence
from engine.presets import load_preset, preset_names
from engine.sentence import Head, Sentence, new_sentence, problems

BURSTS = int(os.environ.get("BYHAND_MONKEY", "0"))
SEED = int(os.environ.get("BYHAND_SEED", "8"))
PER_BURST = 25

WORDS = (
    "猫", "القط", "naïve", "😀", "á", "W" * 60, "<b>&amp;", "#x_$]@ref", "//", "ffi", "שלום",
    "the cat the cat", "", " ", "[*]", "x" * 80, "x" * 81, "a\nb",
)  # fmt: skip

TEXTS = (
    "", "nan", "inf", "1e309", "-", "1,5", "1.5", "62,5", "-0.0", "9999.996", "1e6", "1e-300",
    "1\t2\r\n3\t4\r\n", "the\t1\t2\t3\t4\t5\t6\n", "1\t2\t3\t4\t5\t6\t7\t8\t9", '{"byhand": 99}',
    "\0", "W\t1\n" * 70,
)  # fmt: skip

KEYS = (
    "Up", "Down", "Left", "Right", "Tab", "Backtab", "Space", "Return", "Escape", "Delete",
    "Backspace", "Home", "End", "PageUp", "PageDown", "Plus", "Minus", "Comma", "Period", "Menu",
    "F1", "F2", "F6", "F10", *"MFAEZXCV01239",
)  # fmt: skip

NO_FAULT = ("plugin does not support", "occurs outside target window")
"""What Qt says of the machine, and QTest of a hand that leaves the window."""

NOT_FOR_MONKEYS = {"quit", "close", "new-window", "full-screen"}

MODIFIERS = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip


def hostile():
    """Sentences that break other people's tools, by name."""
    for name in preset_names():
        yield name, load_preset(name)
    yield "words", new_sentence([word for word in WORDS[:11] if word])
    yield "one word", new_sentence("alone")
    yield "sixty-four words", new_sentence([f"w{i}" for i in range(64)])
    for name, vector in {"huge": (1e6, 1e6), "tiny": (1e-300, 0.0), "zero": (0.0, 0.0)}.items():
        rows = (vector,) * 3
        head = Head(name="h", query=rows, key=rows, value=rows)
        yield name, Sentence(byhand=1, words=("a", "b", "a"), heads=(head,), focus=0)
    for width in (1, 3, 64):
        rows = tuple(tuple(float((i * j) % 5 - 2) for j in range(width)) for i in range(4))
        head = Head(name="h", query=rows, key=rows, value=rows)
        yield f"d = {width}", Sentence(byhand=1, words=tuple("abcd"), heads=(head,), focus=3)
    closed = ((False,) * 3,) * 3
    yield "nobody may look", replace(new_sentence("a b c"), mask=closed, causal=True)
    eye = ((1.0, 0.5), (-0.5, 1.0))
    made = Head(name="made", w_query=eye, w_key=eye, w_value=eye)
    yield (
        "made",
        Sentence(
            byhand=1, words=("a", "b", "c"), heads=(made, replace(made, name="twin")), focus=1,
            embeddings=((1.0, 0.0), (0.0, 1.0), (2.0, 1.0)), positions="sinusoidal",
            w_output=((1.0, 0.0), (0.0, 1.0), (0.5, 0.0), (0.0, 0.5)),
        ),
    )  # fmt: skip


class Monkey:
    """Random hands at one window; `seen` holds the last that they did."""

    def __init__(self, window, seed, folder):
        self.window, self.folder = window, folder
        self.random = random.Random(seed)
        self.seen = deque(maxlen=60)
        self.held = False
        self.first = window.document.kept
        window.files.opened.connect(self._opened)
        # Some of Qt's own menus wait until they are answered.
        self.waiter = QTimer(interval=200)
        self.waiter.timeout.connect(self._shut_menus)
        self.waiter.start()

    def _opened(self):
        self.first = self.window.document.kept

    def burst(self, steps=PER_BURST):
        for _ in range(steps):
            self.step()
        self._let_go()
        QApplication.processEvents()

    def step(self):
        ways = (
            self.move, self.click, self.drag, self.grab, self.wheel, self.key, self.key, self.key,
            self.act, self.write, self.paste, self.undo, self.resize, self.aim,
        )  # fmt: skip
        way = self.random.choice(ways)
        self.seen.append(way.__name__)
        with suppress(RuntimeError, TypeError):  # a window that went between looking and pressing
            way()
        if self.random.random() < 0.3:
            QApplication.processEvents()

    # Where

    def _top(self):
        return (
            QApplication.activePopupWidget()
            or QApplication.activeModalWidget()
            or self.random.choice(
                [self.window] * 12
                + [w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowHandle()]
            )
        )

    def _place(self):
        """A widget that is to be seen, and a point in it."""
        top = self._top()
        inside = [w for w in top.findChildren(QWidget) if w.isVisible() and not w.isWindow()]
        widget = self.random.choice([top, *inside])
        point = QPoint(
            self.random.randrange(max(1, widget.width())),
            self.random.randrange(max(1, widget.height())),
        )
        self.seen.append((type(widget).__name__, widget.objectName(), point.toTuple()))
        return widget.window().windowHandle(), widget.mapTo(widget.window(), point)

    def _tip(self):
        planes = [
            dock.panel for name, dock in self.window.docks.docks.items()
            if name in ("where", "copied") and dock.isVisible() and dock.panel.isVisible()
            and dock.panel.drawn
        ]  # fmt: skip
        if not planes:
            return self._place()
        plane = self.random.choice(planes)
        arrow = self.random.choice(list(plane.drawn))
        at = QPointF(*plane.drawn[arrow][1])
        surface = plane.surface
        x = min(max(at.x(), 0), surface.width() - 1)
        y = min(max(at.y(), 0), surface.height() - 1)
        self.seen.append(arrow)
        top = surface.window()
        return top.windowHandle(), surface.mapTo(top, QPoint(round(x), round(y)))

    # What hands do

    def move(self):
        QTest.mouseMove(*self._place())

    def click(self):
        button = self.random.choice(
            [Qt.MouseButton.LeftButton] * 4
            + [Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton]
        )
        self._release()
        handle, at = self._place()
        click = QTest.mouseDClick if self.random.random() < 0.15 else QTest.mouseClick
        click(handle, button, self.random.choice(MODIFIERS), at)

    def drag(self):
        self._drag(*self._place())

    def grab(self):
        self._drag(*self._tip())

    def _drag(self, handle, at):
        """Often enough it isn't let go, and something else comes in between."""
        self._release()
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        self.held = True
        for _ in range(self.random.randrange(6)):
            reach = self.random.choice((3, 40, 400))
            at = at + QPoint(
                self.random.randrange(-reach, reach + 1), self.random.randrange(-reach, reach + 1)
            )
            QTest.mouseMove(handle, at)
        if self.random.random() < 0.7:
            QTest.mouseRelease(
                handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at
            )
            self.held = False

    def _let_go(self):
        """Every button is let go, and every menu is shut."""
        self._shut_menus()
        self._release()

    def _shut_menus(self):
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()

    def _release(self):
        """No mouse presses a button twice before it lets it go."""
        handle = self.window.windowHandle()
        if self.held:
            QTest.mouseRelease(
                handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(5, 5)
            )
            self.held = False

    def wheel(self):
        handle, at = self._place()
        turned = self.random.choice((120, -120, 15, -960))
        event = QWheelEvent(
            QPointF(at), QPointF(handle.mapToGlobal(at)), QPoint(), QPoint(0, turned),
            Qt.MouseButton.NoButton, self.random.choice(MODIFIERS),
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(handle, event)

    def key(self):
        name = self.random.choice(KEYS)
        modifiers = self.random.choice(MODIFIERS)
        self.seen.append((name, modifiers.name))
        if (name, modifiers) in (
            ("F10", Qt.KeyboardModifier.ShiftModifier),
            ("F6", Qt.KeyboardModifier.ControlModifier),
        ):
            return
        for _ in range(self.random.choice((1, 1, 1, 4))):
            QTest.keyClick(self._keyboard(), getattr(Qt.Key, f"Key_{name}"), modifiers)

    def _keyboard(self):
        popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        return popup or QApplication.focusWidget() or self.window

    def act(self):
        action = self.random.choice(ACTIONS)
        self.seen.append(action.name)
        if action.name not in NOT_FOR_MONKEYS:
            self.window.action_set.do(action.name)

    def write(self):
        text = self.random.choice((*TEXTS[:12], *WORDS[:11]))
        self.seen.append(text)
        for letter in text:
            if (widget := self._keyboard()) is None:
                return
            if letter.isascii() and letter.isprintable():
                QTest.keyClick(widget, letter)
            else:  # QTest types ASCII alone
                composed = QInputMethodEvent()
                composed.setCommitString(letter)
                QApplication.sendEvent(widget, composed)
        QTest.keyClick(self._keyboard(), Qt.Key.Key_Return)

    def paste(self):
        text = self.random.choice((*TEXTS, *WORDS, format_sentence(self.first)))
        self.seen.append(text[:40])
        QApplication.clipboard().setText(text)
        QTest.keyClick(self._keyboard(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def undo(self):
        key = self.random.choice((Qt.Key.Key_Z, Qt.Key.Key_Y))
        for _ in range(self.random.randrange(1, 5)):
            QTest.keyClick(self._keyboard(), key, Qt.KeyboardModifier.ControlModifier)

    def resize(self):
        if self.random.random() < 0.2:
            self.window.resize(self.random.choice((400, 800, 1024, 1400)), 700)

    def aim(self):
        """The keyboard somewhere else."""
        self._let_go()
        widgets = [
            w for w in self.window.findChildren(QWidget)
            if w.isVisible() and w.focusPolicy() != Qt.FocusPolicy.NoFocus
        ]  # fmt: skip
        widget = self.random.choice(widgets)
        self.seen.append(type(widget).__name__)
        self.window.activateWindow()
        widget.setFocus()

    # What holds afterwards

    def check(self):
        document = self.window.document
        assert document.before is None, "a drag is stuck"
        self.window.files.keep_typed()
        assert document.sentence is document.kept or document.sentence == document.kept
        assert problems(document.kept) == ()
        stack, now = document.undo_stack, document.kept
        steps = stack.index()
        while stack.canUndo():
            document.undo()
            assert problems(document.kept) == ()
        assert text_of(document.kept) == text_of(self.first), "undo to the start is another one"
        for _ in range(steps):
            document.redo()
        assert text_of(document.kept) == text_of(now), "redo to the end is another one"


def text_of(sentence):
    """A document byte for byte; which word is looked at is a view's."""
    return format_sentence(replace(sentence, focus=0))


@pytest.fixture
def answered(monkeypatch, tmp_path):
    """Dialogs that would wait are answered at random, and nothing is rendered or timed."""
    chance = random.Random(5)
    write_sentence(new_sentence("from a file"), tmp_path / "good.byhand.json")
    (tmp_path / "bad.byhand.json").write_text("{")
    answers = {
        "ask_about_changes": lambda *_, **__: chance.choice(list(dialogs.Answer)),
        "ask_overwrite": lambda *_: chance.random() < 0.5,
        "ask_text": lambda *_: chance.choice((None, *WORDS)),
        "choose_to_open": lambda *_: chance.choice((None, *sorted(tmp_path.glob("*.json")))),
        "choose_to_save": lambda *_: chance.choice((None, tmp_path / "saved.byhand.json")),
        "choose_folder": lambda *_: None,
    }
    for name, answer in answers.items():
        monkeypatch.setattr(dialogs, name, answer)
    monkeypatch.setattr("desktop.work_dialog.QDesktopServices.openUrl", lambda _: True)
    monkeypatch.setattr("desktop.renders.command", lambda: ("/nonexistent/byhand",))
    monkeypatch.setattr(growth_timing, "measure_growth", lambda *_, **__: iter(()))


@pytest.fixture
def faults(monkeypatch):
    """What went wrong where no test hears of it: in a slot, or in Qt."""
    found = []
    monkeypatch.setattr(
        sys, "excepthook", lambda *error: found.append("".join(traceback.format_exception(*error)))
    )
    before = qInstallMessageHandler(
        lambda kind, where, text: None if any(x in text for x in NO_FAULT) else found.append(text)
    )
    yield found
    qInstallMessageHandler(before)


@pytest.fixture
def cage(full_window, answered, tmp_path, monkeypatch):
    """A window that nothing closes before the monkey has gone, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    window = full_window
    window.session.quit = window.close = lambda: None
    yield window
    del window.close, window.session.quit
    for widget in QApplication.topLevelWidgets():
        if widget is not window and not isinstance(widget, QMenu):
            widget.close()
    window.abandon()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def let_loose(window, sentence, seed, folder, faults, bursts=1):
    """Open a sentence for a monkey; what it did is told where something is wrong after a burst."""
    window.files.keep_typed()
    window.document.replace_all(sentence, None)
    window.files.opened.emit()
    monkey = Monkey(window, seed, folder)
    window.state.set_level(("one", "all", "everything")[seed % 3])
    try:
        for _ in range(bursts):
            monkey.burst()
            assert not faults, (faults, list(monkey.seen))
            try:
                monkey.check()
            except AssertionError:
                stack = window.document.undo_stack
                steps = [stack.text(i) for i in range(stack.count())]
                print("seed", seed, list(monkey.seen), steps, stack.index())
                raise
            assert not faults, (faults, list(monkey.seen))
    finally:
        monkey.waiter.stop()


QUICK = ("the-cat-sat-down", "words", "huge", "d = 64", "made")
"""Done in `make quick` too; the others are slow."""


@pytest.mark.parametrize(
    ("sentence", "seed"),
    [
        pytest.param(sentence, i, id=name, marks=() if name in QUICK else pytest.mark.slow)
        for i, (name, sentence) in enumerate(hostile())
    ],
)
def test_whatever_hands_do_the_document_is_valid_and_undo_goes_back(
    cage, tmp_path, faults, sentence, seed
):
    seed = seed + (1000 * random.SystemRandom().randrange(1000) if BURSTS else 0)
    print("seed", seed)
    let_loose(cage, sentence, seed, tmp_path, faults, BURSTS or 2)


@pytest.mark.parametrize(
    "seconds",
    [pytest.param(20, marks=pytest.mark.slow), pytest.param(600, marks=pytest.mark.bench)],
)
def test_one_window_holds_out_for_long(cage, tmp_path, faults, seconds):
    """Sentence after sentence in one window, whatever the monkey before has left of it."""
    chance, sentences = random.Random(SEED), [sentence for _, sentence in hostile()]
    until, bursts = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        let_loose(cage, chance.choice(sentences), chance.randrange(10**6), tmp_path, faults)
        bursts += 1
    print(f"\n{bursts} bursts of {PER_BURST} in {seconds} s")
