"""What holds for every dialog that something leaves the window by."""

import re
from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
)

ROOM = QSize(1024 - 16, 700 - 48)
"""What a screen of 1024 × 700 leaves inside a frame."""

KINDS = (
    QAbstractButton, QComboBox, QSpinBox, QListWidget, QPlainTextEdit, QLineEdit,
)  # fmt: skip


@pytest.fixture(params=["figures", "worksheets", "bundles", "renders"])
def dialog(request, window, asks):
    window.exports.drawing.ask = asks.ask  # nothing is drawn here
    shown = getattr(window.exports, request.param)
    shown.open_again()
    QApplication.processEvents()
    yield shown
    shown.close()


def controls(dialog):
    """What the keyboard stops at."""
    return [
        one for kind in KINDS for one in dialog.findChildren(kind)
        if one.isVisibleTo(dialog) and one.isEnabled()
        and one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(one.parent(), QSpinBox | QComboBox)
    ]  # fmt: skip


def test_every_control_has_a_name(dialog):
    assert len(controls(dialog)) > 6
    for one in controls(dialog):
        text = one.text() if isinstance(one, QAbstractButton) else ""
        assert one.accessibleName() or text, one


def test_tab_reaches_every_control_and_comes_round(dialog):
    wanted = set(controls(dialog))
    at = dialog.focusWidget() or controls(dialog)[0]
    at.setFocus()
    first, reached = at, {at}
    for _ in range(60):
        QTest.keyClick(at, Qt.Key.Key_Tab)
        at = dialog.focusWidget()
        reached.add(at)
        if at is first:
            break
    assert wanted <= reached
    assert at is first


def test_no_mnemonic_is_taken_twice(dialog):
    texts = [one.text() for one in dialog.findChildren(QLabel) if one.isVisibleTo(dialog)]
    texts += [one.text() for one in controls(dialog) if isinstance(one, QAbstractButton)]
    letters = Counter(
        found[1].lower() for text in texts if (found := re.search(r"&(\w)", text)) is not None
    )
    assert letters
    assert [letter for letter, n in letters.items() if n > 1] == []


def test_every_label_with_a_mnemonic_leads_somewhere(dialog):
    for label in dialog.findChildren(QLabel):
        if re.search(r"&\w", label.text()):
            assert label.buddy() is not None, label.text()


def test_enter_in_a_field_begins_nothing_unless_the_button_says_so(dialog):
    started = [one for one in dialog.findChildren(QPushButton) if one.isDefault()]
    assert started in ([], [getattr(dialog, "begin", None)])
    assert not any(one.autoDefault() for one in dialog.findChildren(QPushButton))


@pytest.mark.parametrize(("theme", "size"), [("light", 1.0), ("dark", 2.5), ("projector", 2.5)])
def test_it_fits_on_a_small_screen_at_any_size_of_text(window, dialog, theme, size):
    dialog.close()
    window.session.set_appearance(theme=theme, text_size=size)
    dialog.open_again()
    QApplication.processEvents()
    least = dialog.minimumSizeHint()
    assert least.width() <= ROOM.width()
    assert least.height() <= ROOM.height()
    dialog.resize(ROOM)
    QApplication.processEvents()
    for area in dialog.findChildren(QScrollArea):
        if area.isVisible():
            assert area.widget().width() <= area.viewport().width()  # nothing is cut at the side


@pytest.mark.case(15)
def test_the_wheel_changes_nothing_without_focus(dialog):
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtGui import QWheelEvent

    turned = [one for one in controls(dialog) if isinstance(one, QComboBox | QSpinBox)]
    for box in turned:
        (turned[0] if box is not turned[0] else turned[1]).setFocus()
        before = box.currentText() if isinstance(box, QComboBox) else box.text()
        down = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(box, down)
        assert (box.currentText() if isinstance(box, QComboBox) else box.text()) == before


def test_escape_closes_it(dialog):
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("key", "name"), [(Qt.Key.Key_E, "figures"), (Qt.Key.Key_R, "renders")]
)  # fmt: skip
def test_its_key_opens_it(window, asks, key, name):
    window.exports.drawing.ask = asks.ask
    window.activateWindow()
    QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
    assert getattr(window.exports, name).isVisible()
    getattr(window.exports, name).close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_neither_matplotlib_nor_manim_is_imported_by_opening_them(private_home):
    import subprocess
    import sys

    program = (
        "import sys\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from desktop.app import Session\n"
        "app = QApplication([])\n"
        "session = Session()\n"
        "exports = session.start([]).exports\n"
        "for dialog in (exports.figures, exports.worksheets, exports.bundles, exports.renders):\n"
        "    dialog.open_again()\n"
        "app.processEvents()\n"
        "print([name for name in ('manim', 'matplotlib', 'av') if name in sys.modules])\n"
        "session.abandon()\n"
        "session.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split("\n")[0] == "[]", done.stderr
