"""What is half typed when the document is saved or put away belongs to that document."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop import dialogs
from desktop.dialogs import Answer
from desktop.views.controls import WholeField
from engine import read_sentence, write_sentence


@pytest.fixture
def table(full_window):
    window = full_window
    window.state.set_level("everything")
    window.activateWindow()
    window.docks.docks["words"].raise_()
    return window.docks.docks["words"].panel


def type_in_table(table, text):
    view = table.view
    view.setFocus()
    view.setCurrentIndex(table.model.index(0, 0))
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, text)


def test_a_save_writes_it(full_window, table, tmp_path):
    path = tmp_path / "saved.byhand.json"
    write_sentence(full_window.document.kept, path)
    assert full_window.files.open(path)
    type_in_table(table, "dog")
    assert full_window.files.save()
    assert read_sentence(path).words[0] == "dog"
    assert not full_window.document.is_dirty
    assert QApplication.focusWidget() is table.view


def test_it_is_asked_about_before_another_document_comes(full_window, table, monkeypatch):
    asked = []
    monkeypatch.setattr(
        dialogs, "ask_about_changes", lambda *_, dirty, **__: asked.append(dirty) or Answer.CANCEL
    )
    type_in_table(table, "dog")
    full_window.files.new_from_preset("seven-words")
    assert asked == [True]
    assert full_window.document.kept.words[0] == "dog"


def test_it_is_no_step_of_the_next_document(full_window, table, monkeypatch):
    monkeypatch.setattr(dialogs, "ask_about_changes", lambda *_, **__: Answer.DISCARD)
    type_in_table(table, "dog")
    full_window.files.new_from_preset("seven-words")
    QApplication.processEvents()
    assert full_window.document.kept.words[0] != "dog"
    assert full_window.document.undo_stack.count() == 0


def test_a_whole_number_is_kept_and_its_field_keeps_the_keyboard(full_window, table):
    field = next(field for field in full_window.findChildren(WholeField) if field.isVisible())
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, str(field.maximum()))
    full_window.files.keep_typed()
    assert field.value() == field.maximum()
    assert QApplication.focusWidget() is field


def test_a_number_that_cannot_be_is_left_out(full_window, table):
    view = table.view
    view.setFocus()
    view.setCurrentIndex(table.model.index(0, 1))
    QTest.keyClick(view, Qt.Key.Key_F2)
    QTest.keyClicks(QApplication.focusWidget(), "nan")
    before = full_window.document.kept
    full_window.files.keep_typed()
    assert full_window.document.kept is before
