from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from desktop import dialogs
from desktop.actions import ACTIONS, MENUS, keys_in_words
from desktop.command_palette import CommandPalette, fit

# What asks, opens or ends something is tried where that is tested.
ASKS = {
    "new-words", "open", "save", "save-as", "close", "quit", "new-window", "preferences",
    "add-word", "rename-word", "title", "render", "open-folder", "tour", "keys", "about",
    "palette", "no-recent", "paste-document", "full-screen", "export-figure", "copy-figure",
    "export-worksheet", "bundle",
}  # fmt: skip


def test_names_are_unique():
    assert [name for name, n in Counter(a.name for a in ACTIONS).items() if n > 1] == []


def test_every_action_is_in_one_of_the_menus():
    assert {action.menu.partition("/")[0] for action in ACTIONS} == set(MENUS)


def test_no_key_does_two_things():
    keys = Counter(QKeySequence(key).toString() for action in ACTIONS for key in action.keys)
    assert [key for key, n in keys.items() if n > 1] == []


def test_every_key_can_be_pressed():
    for action in ACTIONS:
        for key in action.keys:
            sequence = QKeySequence(key)
            assert sequence.count() == 1
            assert sequence[0].key() != Qt.Key.Key_unknown, key


def test_the_usual_keys_are_set_by_hand():
    keys = {action.name: action.keys for action in ACTIONS}
    assert keys["quit"] == ("Ctrl+Q",)
    assert keys["preferences"] == ("Ctrl+,",)
    assert "Ctrl+Shift+Z" in keys["redo"]


def test_every_key_stands_in_its_menu(window):
    for action in ACTIONS:
        made = window.action_set.actions[action.name]
        assert [key.toString() for key in made.shortcuts()] == [
            QKeySequence(key).toString() for key in action.keys
        ]


def test_every_action_can_be_done_at_any_time_and_its_tick_says_what_holds(window):
    for action in ACTIONS:
        if action.name not in ASKS:
            window.action_set.do(action.name)
            if action.checked:
                made = window.action_set.actions[action.name]
                assert made.isChecked() == action.checked(window), action.name


def test_undo_is_named_after_what_it_undoes(window):
    undo = window.action_set.actions["undo"]
    assert (undo.text(), undo.isEnabled()) == ("Undo", False)
    window.words.flip_causal()
    assert (undo.text(), undo.isEnabled()) == ("Undo Mask later words", True)
    window.action_set.do("undo")
    assert window.action_set.actions["redo"].text() == "Redo Mask later words"


def test_undo_and_redo_are_said_so_that_nothing_older_stands_in_the_status_bar(window):
    window.words.flip_causal()
    window.action_set.do("undo")
    assert window.status.text == "Undone: Mask later words"
    window.action_set.do("redo")
    assert window.status.text == "Done again: Mask later words"


def test_a_word_with_an_ampersand_is_written_whole_in_a_menu(window, monkeypatch):
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "a&b")
    window.words.rename()
    assert window.action_set.actions["remove-word"].text() == "Remove a&&b"


def test_keys_work_in_the_window(window, qtbot):
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.state.level == "everything"
    QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert window.document.sentence.causal
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not window.document.sentence.causal


@pytest.mark.case(14)
def test_undo_in_a_text_field_is_the_fields_own(window, qtbot):
    window.words.flip_causal()
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    QTest.keyClicks(field, "abc")
    for key in (Qt.Key.Key_Z, Qt.Key.Key_Delete):
        QTest.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert window.document.sentence.causal
    assert len(window.document.sentence.words) == 4


def test_the_palette_lists_every_action_with_its_keys(window):
    window.open_palette()
    (palette,) = window.findChildren(CommandPalette)
    shown = {action.name for action in ACTIONS} - {"palette", "no-recent"}
    assert set(palette.found) == shown
    texts = {palette.list.topLevelItem(i).text(1) for i in range(palette.list.topLevelItemCount())}
    assert texts >= {keys_in_words(action) for action in ACTIONS if action.name in shown}


def test_a_few_letters_and_enter_do_it(window, qtbot):
    window.open_palette()
    (palette,) = window.findChildren(CommandPalette)
    QTest.keyClicks(palette.line, "dark")
    assert palette.found[0] == "theme-dark"
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert window.state.look.theme.name == "dark"
    assert not palette.isVisible()


def test_escape_closes_the_palette_and_gives_the_keyboard_back(window):
    before = window.focusWidget()
    window.open_palette()
    (palette,) = window.findChildren(CommandPalette)
    QTest.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert window.focusWidget() is before


def test_what_cannot_be_done_now_is_not_done_by_the_palette(window):
    window.open_palette()
    (palette,) = window.findChildren(CommandPalette)
    QTest.keyClicks(palette.line, "undo")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    QTest.keyClick(palette.line, Qt.Key.Key_Escape)


def test_the_fit_of_letters():
    assert fit("svas", "Save as…") is not None
    assert fit("zzz", "Save as…") is None
    assert fit("sa", "Save as…") > fit("sa", "Reset all")
    assert fit("nw", "New window") > fit("nw", "Unwind")
    assert fit("", "anything") is not None
