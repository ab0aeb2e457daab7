"""Every verb, done while a drag is under way: the drag is given up, and none of it is kept."""

import ast
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import desktop
from desktop import dialogs, edits
from desktop.canvas.arrows import Arrow
from engine.files import format_sentence

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def panel(window, name):
    window.docks.set_shown(name, True)
    QApplication.processEvents()
    return window.docks.docks[name].panel


def begin_drag(window, word=2):
    """Press on the tip of a query and move, with the mouse that the window has."""
    plane = window.docks.docks["where"].panel
    surface, handle = plane.surface, window.windowHandle()
    tip = QPointF(*plane.drawn[Arrow("query", word)][1]).toPoint()
    at = surface.mapTo(window, tip)
    QTest.mousePress(handle, LEFT, NONE, at)
    for step in (4, 15, 30):
        QTest.mouseMove(handle, at + QPoint(step, -step))
    assert window.document.before is not None
    assert window.document.sentence != window.document.kept
    return lambda: QTest.mouseRelease(handle, LEFT, NONE, at + QPoint(30, -30))


def type_a_cell(window):
    model = panel(window, "words").model
    assert model.setData(model.index(0, 1), "7")


def paste_cells(window):
    assert panel(window, "words").model.paste_text("8\t9\r\n7\t6\r\n", 0, 1)


def remove_row(window):
    view = panel(window, "words").view
    view.setCurrentIndex(view.model().index(0, 0))
    view.remove_words()


def forbid(window):
    QTest.keyClick(window.docks.docks["mask"].panel, Qt.Key.Key_M)


def rename_chip(window):
    chips = window.top.chips
    chips._renamed = 0
    chips.name_field.setText("a")
    assert chips._rename()


def rename_head(window):
    tabs = panel(window, "heads").tabs
    window.document.edit(edits.rename_head(window.document.kept, 0, "other"))
    assert tabs is not None


ACTIONS = (
    "scaled", "causal", "add-word", "rename-word", "remove-word", "move-left", "move-right",
    "title",
)  # fmt: skip

VERBS = {
    **{name: lambda window, name=name: window.action_set.do(name) for name in ACTIONS},
    "formula √d_k": lambda window: window.top.formula._set_scaled(False),
    "formula causal": lambda window: window.top.formula._set_causal(True),
    "a cell": type_a_cell,
    "cells": paste_cells,
    "forbid": forbid,
    "rename in a chip": rename_chip,
    "remove a row": remove_row,
    "move a row": lambda window: panel(window, "words").view._move(0, 2),
    "d_k": lambda window: panel(window, "words")._set_d_k(3),
    "d_v": lambda window: panel(window, "words")._set_d_v(1),
    "add a head": lambda window: panel(window, "heads").add_head(),
    "rename a head": rename_head,
    "temperature": lambda window: panel(window, "twins").sharpness._set(2.0),
    "a key on the plane": lambda window: window.docks.docks["where"].panel._move_by_key(
        Arrow("key", 0), [3.0, 3.0]
    ),
}


@pytest.mark.case(12)
@pytest.mark.parametrize("verb", VERBS)
def test_an_edit_in_mid_drag_holds_nothing_of_the_drag(full_window, monkeypatch, verb):
    window, document = full_window, full_window.document
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "new")
    for name in ("words", "heads", "twins"):
        if verb not in ACTIONS:
            panel(window, name)
    window.state.set_level("everything")
    QApplication.processEvents()
    first = document.kept
    release = begin_drag(window)
    dragged_to = document.sentence.heads[0].query[2]
    VERBS[verb](window)
    release()
    assert document.before is None
    assert document.undo_stack.count() <= 1
    for head in document.kept.heads:
        assert dragged_to not in [row[:2] for row in head.query]
    document.undo()
    assert replace(document.kept, focus=first.focus) == first
    window.abandon()


def test_copying_in_mid_drag_copies_what_a_save_would_write(full_window):
    release = begin_drag(full_window)
    QTest.keyClick(full_window, Qt.Key.Key_C, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert QGuiApplication.clipboard().text() == format_sentence(full_window.document.kept)
    release()
    full_window.abandon()


@pytest.mark.case(12)
@pytest.mark.parametrize("how", ["Delete", "Ctrl+Z", "Ctrl+V", "Escape", "focus", "hidden", "lost"])
def test_what_comes_in_mid_drag_leaves_no_half_edit(full_window, how):
    window, document = full_window, full_window.document
    first = document.kept
    other = window.session.open_window() if how == "focus" else None
    window.activateWindow()
    window.docks.docks["where"].focus()
    QApplication.processEvents()
    release = begin_drag(window)
    plane = window.docks.docks["where"].panel
    QGuiApplication.clipboard().setText("1\t2\r\n3\t4\r\n")
    if how == "focus":
        other.activateWindow()
        QApplication.processEvents()
    elif how == "hidden":
        window.docks.set_shown("where", False)
    elif how == "lost":
        plane.surface.leaveEvent(None)
        QTest.mouseRelease(plane.surface, LEFT)  # goes to a widget that ignores it
        release()
        document.undo()
    else:
        key, modifier = {
            "Delete": (Qt.Key.Key_Delete, NONE), "Escape": (Qt.Key.Key_Escape, NONE),
            "Ctrl+Z": (Qt.Key.Key_Z, CONTROL), "Ctrl+V": (Qt.Key.Key_V, CONTROL),
        }[how]  # fmt: skip
        QTest.keyClick(window.focusWidget(), key, modifier)
    release()
    QApplication.processEvents()
    assert document.before is None
    assert plane._gesture is None
    if how in ("Delete", "Ctrl+V"):  # they mean nothing on a plane: the drag goes on
        document.undo()
    assert document.kept == first
    if other is not None:
        other.abandon()
    window.abandon()


def test_a_button_let_go_where_nobody_told_us_ends_the_drag(full_window):
    window, document = full_window, full_window.document
    begin_drag(window)
    plane = window.docks.docks["where"].panel
    QApplication.sendEvent(plane.surface, _moved(plane, QPointF(50, 50)))
    assert document.before is None
    assert plane._gesture is None
    assert not document.is_dirty


def _moved(plane, at):
    return QMouseEvent(
        QEvent.Type.MouseMove, at, QPointF(plane.surface.mapToGlobal(at)),
        Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, NONE,
    )  # fmt: skip


VERB_NAMES = {*edits.__all__} - {"BLOCKS", "LETTERS", "Edit", "name_of", "block", "is_made"}


def test_no_edit_is_built_from_what_a_drag_shows():
    """In mid-drag `document.sentence` holds the drag: a verb's first argument is never it."""
    calls = 0
    for path in Path(desktop.__path__[0]).rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            shown = {
                target.id
                for node in ast.walk(function)
                if isinstance(node, ast.Assign) and _is_shown(node.value)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and _verb(node.func) in VERB_NAMES and node.args:
                    calls += 1
                    first = node.args[0]
                    is_named = isinstance(first, ast.Name) and first.id in shown
                    is_wrong = is_named or _is_shown(first)
                    assert not is_wrong, f"{path}:{node.lineno}"
    assert calls > 15


def _verb(function):
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_shown(node):
    text = ast.unparse(node)
    return text.endswith(("document.sentence", "calculation.sentence"))


def test_steps_that_merge_around_a_look_elsewhere_leave_the_look_alone(document, post):
    for word, x in ((2, 5.0), (0, 7.0)):
        document.set_focus(word)
        document.edit(edits.move_vector(document.kept, 0, "query", 1, (x, 1), merge="keys"))
    assert document.undo_stack.count() == 1
    document.undo()
    assert document.kept.focus == 0
    document.redo()
    document.edit(edits.move_vector(document.kept, 0, "query", 1, post.heads[0].query[1], "keys"))
    assert not document.is_dirty
    assert document.undo_stack.count() == 0
