"""Hard cases held in the whole window, with every panel that shows them."""

import os
import re
import signal
import subprocess
import sys
import time
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QScrollBar,
    QTabBar,
    QToolTip,
    QWidget,
)

from desktop import dialogs, edits
from desktop.canvas.arrows import Arrow
from desktop.renders import arguments_of
from desktop.spotlight import Thing
from desktop.views.lettering import Written
from desktop.views.painted import PaintedPanel
from engine.files import format_sentence, read_sentence, write_sentence
from engine.presets import load_preset
from engine.sentence import Head, Sentence, new_sentence, problems
from export.figures import find_figure

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
PANELS = ("where", "copied", "mask", "causal", "bars", "twins", "tiles")
WORDS = (
    "猫", "القط", "naïve", "😀", "a\u0301", "W" * 60, "<b>&amp;", "#x_$]@ref", "//", "ffi", "שלום",
    "Wittenberg", "<b>&amp;" * 9,
)  # fmt: skip


def show(window, sentence, level="everything"):
    window.document.replace_all(sentence, None)
    window.state.set_level(level)
    window.resize(1400, 900)
    for name in PANELS:
        if level == "everything":
            window.docks.set_shown(name, True)
    QApplication.processEvents()
    window.fit_planes()
    QTest.qWait(250)


class Pen:
    """Notes every text that is drawn, and where on its picture."""

    def __init__(self, monkeypatch):
        self.texts = []
        draw = Written.draw

        def noted(written, painter, x, y):
            box = QRectF(x, y, written.width, written.height)
            on_device = painter.combinedTransform().mapRect(box)
            self.texts.append((written, on_device))
            draw(written, painter, x, y)

        monkeypatch.setattr(Written, "draw", noted)


@pytest.mark.case(6)
@pytest.mark.case(7)
@pytest.mark.parametrize("word", WORDS)
def test_each_word_is_drawn_whole_and_inside_in_every_panel(full_window, monkeypatch, word):
    """Whole where it fits (all but the two long ones), in its panel, and with ink there."""
    window = full_window
    sentence = replace(new_sentence(["a", word, "b"]), focus=1)
    show(window, sentence)
    pen = Pen(monkeypatch)
    panels = {name: window.docks.docks[name].panel for name in PANELS}
    panels["tiles"] = panels["tiles"].picture
    for name, panel in {**panels, "chips": window.top.chips}.items():
        if name in panels:
            window.docks.set_shown(name, True)
        QApplication.processEvents()
        pen.texts.clear()
        picture = panel.grab().toImage()
        ratio = picture.devicePixelRatio()
        mine = [(w, box) for w, box in pen.texts if word in w.full]
        if name in ("where", "copied"):  # Qt keeps to itself how it paints these
            mine = named(panel, word=1)
        assert mine, f"{name} doesn't draw {word}"
        area = QRectF(0, 0, picture.width() / ratio, picture.height() / ratio)
        for written, box in mine:
            assert area.adjusted(-1, -1, 1, 1).contains(box), (name, written.full, box, area)
            assert len(word) > 20 or not written.is_cut, (name, written.full)
            if written.is_cut and isinstance(panel, PaintedPanel):
                assert word in panel.tip_at(box.center()), (name, box)
        assert any(_has_ink(picture, box) for _, box in mine), f"{name}: {word} has no ink"
    window.abandon()


@pytest.mark.case(6)
@pytest.mark.parametrize("word", WORDS)
def test_each_word_stands_whole_in_the_working_the_table_and_the_heads(
    full_window, monkeypatch, word
):
    """All but the two long ones in the working and the table: their tips have them."""
    window, tips = full_window, []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, *_: tips.append(text))
    sentence = edits.rename_word(replace(load_preset("two-heads"), focus=1), 1, word).sentence
    show(window, sentence)
    panels = {}
    for name in ("working", "words", "heads"):
        window.docks.set_shown(name, True)
        QApplication.processEvents()
        panels[name] = window.docks.docks[name].panel
        panels[name].grab()

    paper = panels["working"].paper
    rows = [row for row in paper._rows if word in row.full]
    assert len(rows) > 4
    for row in rows:
        pieces = " ".join(piece.text for piece in row.pieces)
        assert len(word) > 20 or "…" not in pieces, pieces
        if "…" in pieces:
            tips.clear()
            at = QPoint(40, round(row.top + row.height / 2))
            event = QHelpEvent(QEvent.Type.ToolTip, at, paper.mapToGlobal(at))
            QApplication.sendEvent(paper.viewport(), event)
            assert escape(word) in tips[0]
    if len(word) < 20:
        assert any(word in piece.text for row in paper._rows for piece in row.pieces)

    window.docks.set_shown("words", True)
    QApplication.processEvents()
    view = panels["words"].view
    cell = view.table.index(1, 0)
    room = view._type.inside(view.visualRect(cell)).width()
    assert view.viewport().rect().contains(view.visualRect(cell))
    shown = view._type.cut(word, room)
    assert shown == word or (len(word) > 20 and shown[-1] == "…" and shown[:-1] in word)
    assert escape(word) in cell.data(Qt.ItemDataRole.ToolTipRole)

    window.docks.set_shown("heads", True)
    QApplication.processEvents()
    lines = panels["heads"].joining
    assert f"o({word}) = " in lines.text
    assert f"y({word}) = " in lines.text
    needed = QFontMetricsF(window.state.look.font()).boundingRect(
        QRectF(0, 0, lines.width() - 16, 999), int(Qt.TextFlag.TextWordWrap), lines.text
    )
    assert needed.height() <= lines.height()
    assert needed.width() <= lines.width() - 16
    assert escape(word) in lines.toolTip()
    window.abandon()


def named(plane, word):
    """The names of a word's arrows that stand in a plane, and where."""
    found = []
    for arrow, (left, top, right, bottom) in plane._names.boxes().items():
        if arrow.word == word:
            written = plane._names._items[arrow]._written
            found.append((written, QRectF(left, top, right - left, bottom - top)))
    return found


def _has_ink(picture, box):
    colours = {
        picture.pixel(x, y)
        for x in range(max(0, int(box.left())), min(picture.width(), int(box.right()) + 1))
        for y in range(max(0, int(box.top())), min(picture.height(), int(box.bottom()) + 1))
    }
    return len(colours) > 1


@pytest.mark.case(2)
@pytest.mark.parametrize("vector", [(1e6, 1e6), (1e-300, 0.0), (0.0, 0.0)])
def test_huge_tiny_and_zero_vectors_fit_and_are_dragged_in_the_window(full_window, vector):
    window, rows = full_window, (vector,) * 3
    head = Head(name="h", query=rows, key=rows, value=rows)
    show(window, Sentence(byhand=1, words=("a", "b", "c"), heads=(head,), focus=1))
    plane = window.docks.docks["where"].panel
    tip = QPointF(*plane.drawn[Arrow("query", 1)][1])
    assert QRectF(plane.surface.rect()).contains(tip)
    at = plane.surface.mapTo(window, tip.toPoint())
    handle = window.windowHandle()
    QTest.mousePress(handle, LEFT, NONE, at)
    for step in (5, 20, 40):
        QTest.mouseMove(handle, at + QPoint(-step, step))
    QTest.mouseRelease(handle, LEFT, NONE, at + QPoint(-40, 40))
    assert window.document.undo_stack.count() == 1
    assert problems(window.document.kept) == ()
    window.grab()
    window.abandon()


def texts_of(window, monkeypatch):
    """All that the painted panels and the hand calculation write."""
    pen = Pen(monkeypatch)
    window.grab()
    for name in PANELS:
        window.docks.docks[name].panel.grab()
    paper = window.docks.docks["working"].panel.paper
    paper.grab()
    lines = [piece.text for row in paper._rows for piece in row.pieces]
    return [written.full for written, _ in pen.texts] + lines


@pytest.mark.case(5)
def test_of_two_equal_words_the_second_alone_is_renamed_dragged_and_exported(
    full_window, monkeypatch, tmp_path
):
    """Renamed, dragged, undone, saved, loaded, exported: only the second is another."""
    from export.figures.save import FileStyle, figure_file
    from export.figures.theme import FigureStyle

    window, document = full_window, full_window.document
    sentence = replace(load_preset(), words=("the", "cat", "the", "cat"), focus=2)
    show(window, sentence)
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "a")
    window.words.rename()
    plane = window.docks.docks["where"].panel
    at = plane.surface.mapTo(window, QPointF(*plane.drawn[Arrow("query", 2)][1]).toPoint())
    handle = window.windowHandle()
    QTest.mousePress(handle, LEFT, NONE, at)
    QTest.mouseMove(handle, at + QPoint(20, -20))
    QTest.mouseMove(handle, at + QPoint(30, -30))
    QTest.mouseRelease(handle, LEFT, NONE, at + QPoint(30, -30))
    was, now = sentence.heads[0].query, document.kept.heads[0].query
    assert [row for row, _ in enumerate(was) if was[row] != now[row]] == [2]
    window.action_set.do("undo")
    path = tmp_path / "a.byhand.json"
    document.save(path)
    expected = replace(sentence, words=("the", "cat", "a", "cat"))
    assert read_sentence(path) == expected
    svg = ElementTree.fromstring(
        figure_file(find_figure("weights"), document.kept, 0, FigureStyle(), FileStyle(text="keep"))
    )
    texts = (one.text for one in svg.iter("{http://www.w3.org/2000/svg}text"))
    assert [text for text in texts if text in expected.words] == [*expected.words] * 2
    window.abandon()


@pytest.mark.case(8)
@pytest.mark.case(9)
@pytest.mark.case(10)
@pytest.mark.parametrize("kind", ["overflow", "nothing to look at", "numbers"])
def test_no_panel_ever_writes_nan_or_a_number_that_no_rule_writes(
    full_window, monkeypatch, post, kind
):
    hard = ((-0.0, -0.001), (1e5, 1e-9), (0.005, 0.125), (9999.996, 1.0))
    huge = ((1e6, 1e6),) * 4
    sentence = {
        "overflow": replace(post, heads=(replace(post.heads[0], query=huge, key=huge),)),
        "nothing to look at": replace(post, mask=((False,) * 4,) * 4),
        "numbers": replace(post, heads=(replace(post.heads[0], query=hard, value=hard),)),
    }[kind]
    show(full_window, sentence)
    texts = texts_of(full_window, monkeypatch)
    assert len(texts) > 60
    for text in texts:
        assert not re.search(r"\b(nan|inf)\b|-\d|\d[eE][+-]?\d|−0(?![.,\d])", text), text
        assert not re.search(r"−0\.0+(?!\d)", text), text
    full_window.abandon()


@pytest.mark.case(13)
@pytest.mark.parametrize("name", ["where", "copied", "mask", "causal", "working", "bars", "twins"])
def test_the_last_word_goes_while_the_pointer_is_on_it_in_every_panel(full_window, name):
    window = full_window
    show(window, window.document.kept)
    panel = window.docks.docks[name].panel
    handle = window.windowHandle()
    for x in range(10, panel.width(), 37):
        at = panel.mapTo(window, QPoint(x, panel.height() * 2 // 3))
        QTest.mouseMove(handle, at)
    window.document.set_focus(len(window.document.kept.words) - 1)
    window.action_set.do("remove-word")
    QTest.mouseMove(handle, at + QPoint(-3, 0))
    QTest.mouseClick(handle, LEFT, NONE, at)
    QTest.keyRelease(window.focusWidget() or window, Qt.Key.Key_Down)
    QApplication.processEvents()
    lit = window.state.lit
    assert lit is None or max(lit.listens or 0, lit.heard or 0) < 3
    window.abandon()


def turn_wheel(widget):
    for way in (120, -120):
        at = QPointF(widget.rect().center())
        event = QWheelEvent(
            at, widget.mapToGlobal(at), QPoint(), QPoint(0, way), Qt.MouseButton.NoButton,
            NONE, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)


def said_by(widget):
    """What a control says, as far as a wheel might change it."""
    if isinstance(widget, (QComboBox, QTabBar)):
        return widget.currentIndex()
    if isinstance(widget, QAbstractSpinBox):
        return widget.text()
    if isinstance(widget, QAbstractSlider) and not isinstance(widget, QScrollBar):
        return widget.value()
    if isinstance(widget, QLineEdit):
        return widget.text()
    if isinstance(widget, QAbstractButton):
        return widget.isChecked()
    return None


@pytest.mark.case(13)
@pytest.mark.parametrize("how", ["hover", "pin", "reach"])
def test_what_is_lit_of_a_word_goes_with_it(full_window, how):
    window = full_window
    show(window, window.document.kept)
    getattr(window.state, how)(Thing("score", 3, 3))
    window.document.edit(edits.remove_word(window.document.kept, 3))
    assert window.state.lit is None
    window.abandon()


@pytest.mark.case(15)
@pytest.mark.parametrize("where", ["window", "preferences", "render"])
def test_the_wheel_over_any_control_without_focus_changes_nothing(full_window, where):
    """Whatever there is, also what will be added: planes zoom and pages scroll, that is all."""
    window = full_window
    show(window, window.document.kept)
    tops = [window]
    if where == "preferences":
        window.action_set.do("preferences")
    elif where == "render":
        window.action_set.do("render")
    QApplication.processEvents()
    if where != "window":
        tops = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not window]
        assert tops
    controls = [w for top in tops for w in top.findChildren(QWidget)]
    kinds = (QComboBox, QTabBar, QAbstractSpinBox, QAbstractSlider, QLineEdit, QAbstractButton)
    assert sum(isinstance(w, kinds) for w in controls) > 5
    before = window.document.kept, window.state.level, window.document.head, window.state.snap
    for widget in controls:
        if isinstance(widget, (QAbstractScrollArea, QScrollBar)) or not widget.isVisible():
            continue
        if (focused := QApplication.focusWidget()) is not None:
            focused.clearFocus()
        said = [(other, said_by(other)) for other in controls]
        turn_wheel(widget)
        changed = [(other, was) for other, was in said if said_by(other) != was]
        assert not changed, (widget, changed)
    assert before == (
        window.document.kept, window.state.level, window.document.head, window.state.snap
    )  # fmt: skip
    for top in tops:
        if top is not window:
            top.close()
    window.abandon()


@pytest.mark.case(19)
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_in_a_loop_of_document_saves_leaves_a_whole_file(tmp_path, post):
    path = tmp_path / "cat.byhand.json"
    program = """
import os, sys, time
from pathlib import Path
from desktop import edits
from desktop.document import Document
from engine.files import read_sentence
path = Path(sys.argv[1])
document = Document(read_sentence(path), path)
print("ready", flush=True)
for turn in range(10**9):
    document.edit(edits.rename_word(document.kept, 0, "x" * 60 if turn % 2 else "the"))
    assert document.is_dirty
    document.save(path)
    assert not document.is_dirty
"""
    write_sentence(post, path)
    wholes = {format_sentence(edits.rename_word(post, 0, x).sentence) for x in ("the", "x" * 60)}
    for turn in range(50):
        with subprocess.Popen(
            [sys.executable, "-c", program, path], stdout=subprocess.PIPE
        ) as saving:
            assert saving.stdout.readline() == b"ready\n"
            time.sleep(0.002 + 0.0009 * turn)
            saving.send_signal(signal.SIGKILL)
        assert path.read_text(encoding="utf-8") in wholes


@pytest.mark.case(19)
@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux's")
def test_a_document_saved_into_a_full_tmpfs_stays_modified(tmp_path, post):
    program = """
import os, sys
from pathlib import Path
from desktop import edits
from desktop.document import Document
from engine.files import SentenceError, read_sentence, write_sentence
folder = Path(sys.argv[1])
path = folder / "cat.byhand.json"
write_sentence(read_sentence(sys.argv[2]), path)
before = path.read_bytes()
document = Document(read_sentence(path), path)
document.edit(edits.rename_word(document.kept, 0, "a"))
try:
    with open(folder / "filler", "wb", buffering=0) as filler:
        while filler.write(b"0" * 1024):
            pass
except OSError:
    pass
try:
    document.save(path)
except SentenceError as error:
    print("refused", document.is_dirty, path.read_bytes() == before)
"""
    source, folder = tmp_path / "source.byhand.json", tmp_path / "small"
    folder.mkdir()
    write_sentence(post, source)
    space = ["unshare", "--mount", "--user", "--map-root-user"]
    mount = ["mount", "-t", "tmpfs", "-o", "size=60k", "none", str(folder)]
    try:
        subprocess.run([*space, *mount], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system may be mounted here")
    script = f'{" ".join(mount[:-1])} "$1" && exec "$2" -c "$3" "$1" "$4"'
    done = subprocess.run(
        [*space, "sh", "-c", script, "sh", folder, sys.executable, program, source],
        capture_output=True, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stdout.split() == ["refused", "True", "True"], done.stderr


@pytest.mark.case(34)
@pytest.mark.parametrize("how", ["hover", "pinned", "keyboard", "zoom and level"])
def test_what_is_exported_and_copied_knows_nothing_of_what_is_lit(full_window, monkeypatch, how):
    window, copied = full_window, []
    show(window, window.document.kept)
    monkeypatch.setattr(window.exports.copies, "copy", copied.append)

    def leaves():
        options = window.exports.renders.options()
        window.files.copy_text()
        window.exports.bundles.folder.setText("there")
        window.exports.copy_figure()
        return (
            arguments_of(options, Path("there.byhand.json")),
            format_sentence(options.sentence), QApplication.clipboard().text(),
            copied[-1], window.exports.figures.options(), window.exports.worksheets.options(),
            window.exports.bundles.options(),
        )  # fmt: skip

    before = leaves()
    thing = Thing("score", 1, 0)  # not the focus word's
    if how == "hover":
        window.state.hover(thing)
    elif how == "pinned":
        window.state.pin(thing)
    elif how == "keyboard":
        window.docks.docks["mask"].focus()
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    else:
        window.docks.docks["where"].panel.surface.zoom(3.0)
        window.state.set_level("one")
    QApplication.processEvents()
    assert leaves() == before
    window.abandon()


def test_more_rows_of_w_o_than_words_can_be_looked_at_first(full_window):
    """It crashed: Qt asked for a row's name before there were any."""
    eye = ((1.0, 0.5), (-0.5, 1.0))
    head = Head(name="made", w_query=eye, w_key=eye, w_value=eye)
    sentence = Sentence(
        byhand=1, words=("a",), heads=(head, replace(head, name="twin")), focus=0,
        embeddings=((1.0, 0.0),), w_output=(*eye, *eye),
    )  # fmt: skip
    full_window.document.replace_all(sentence, None)
    full_window.state.set_level("everything")
    full_window.docks.docks["heads"].focus()
    QApplication.processEvents()
    assert full_window.docks.docks["heads"].panel.matrices[-1].model.rowCount() == 4
    full_window.abandon()
