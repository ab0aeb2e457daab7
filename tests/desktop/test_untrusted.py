"""A stranger's words in the window: only words, where Qt would find markup, a key or a folder."""

import re
from dataclasses import replace as changed
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6 import QtGui
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QInputDialog,
    QLabel,
    QMessageBox,
    QTabBar,
    QTreeWidget,
    QWidget,
)

from desktop import dialogs, edits
from desktop.canvas.number_entry import NumberEntry
from desktop.recovery import Recovered
from desktop.views.lettering import apart, plain_tip
from engine.presets import load_preset
from engine.sentence import new_sentence
from export.hard_sentences import STRANGERS_WORDS

is_markup = QtGui.Qt.mightBeRichText

NASTY = '<img src="file:///etc/passwd"> R&D &lt;b&gt; [*]'


@pytest.fixture
def stranger():
    """The post's sentence in a stranger's words: each panel has something to show."""
    two = load_preset("two-heads")
    names = iter((NASTY, "<b>R&D</b> &x"))
    heads = tuple(replace(head, name=next(names)) for head in two.heads)
    words = (*STRANGERS_WORDS[:3], NASTY, *STRANGERS_WORDS[4:])[: len(two.words)]
    return replace(two, title=NASTY, words=words, heads=heads, focus=1)


@pytest.fixture
def shown(full_window, stranger):
    """A window that shows a stranger's document, with every panel open."""
    full_window.document.replace_all(stranger, None)
    full_window.state.set_level("everything")
    for name in full_window.docks.docks:
        full_window.docks.set_shown(name, True)
        full_window.docks.docks[name].made()
    QApplication.processEvents()
    yield full_window
    full_window.abandon()


def widgets_of(window):
    return [window, *window.findChildren(QWidget)]


def is_plain(label):
    if label.textFormat() == Qt.TextFormat.AutoText:
        return not is_markup(label.text())
    return label.textFormat() == Qt.TextFormat.PlainText


def is_a_plain_tip(tip):
    """Whether Qt shows a tooltip as it was meant: as text, or as one paragraph of escaped text."""
    inner = re.fullmatch(r"<p>([^<>]*)</p>", tip, re.DOTALL)
    return inner is not None or not is_markup(tip)


def test_what_would_be_markup_is_found():
    assert is_markup(NASTY)
    assert not is_a_plain_tip(NASTY)
    assert not is_a_plain_tip(f"<p>{NASTY}</p>")


def test_no_label_takes_a_strangers_word_for_markup(shown):
    labels = [one for one in widgets_of(shown) if isinstance(one, QLabel)]
    assert len(labels) > 10
    assert [label.text() for label in labels if not is_plain(label)] == []


def test_no_tooltip_takes_a_strangers_word_for_markup(shown):
    tips = [widget.toolTip() for widget in widgets_of(shown)]
    for bar in shown.findChildren(QTabBar):
        tips += [bar.tabToolTip(index) for index in range(bar.count())]
    for view in shown.findChildren(QTreeWidget):
        tips += [view.topLevelItem(i).toolTip(0) for i in range(view.topLevelItemCount())]
    assert any("R&amp;D" in tip for tip in tips)
    assert [tip for tip in tips if not is_a_plain_tip(tip)] == []


def test_no_tab_is_reached_by_a_key_of_a_strangers(shown):
    bars = shown.findChildren(QTabBar)
    texts = [bar.tabText(index) for bar in bars for index in range(bar.count())]
    assert any("\u2060lt;" in text for text in texts), "no panel's tab names the focus word"
    assert [text for text in texts if not QKeySequence.mnemonic(text).isEmpty()] == []


def test_the_title_of_a_panel_is_drawn_as_it_is(shown):
    assert shown.docks.docks["working"].title == f"{shown.document.sentence.words[1]}, by hand"


def test_the_tabs_of_heads_are_called_what_they_are_called(shown):
    (tabs,) = (bar for bar in shown.findChildren(QTabBar) if bar.accessibleName() == "heads")
    assert tabs.count() == 2
    assert [tabs.name_of(index) for index in range(2)] == [NASTY, "<b>R&D</b> &x"]


def test_no_edit_and_no_recent_file_is_a_key_in_a_menu(shown, tmp_path):
    shown.document.edit(edits.rename_word(shown.document.sentence, 3, "A&B"))
    shown.document.edit(edits.rename_word(shown.document.sentence, 3, "x"))
    shown.session.settings.remember_file(tmp_path / "R&D <b>.byhand.json")
    shown.action_set.refresh()
    shown.action_set._list_recent()
    texts = [made.text() for made in shown.findChildren(QAction)]
    foreign = [text for text in texts if "A&" in text or "R&" in text]
    assert len(foreign) == 2
    assert [text for text in foreign if not QKeySequence.mnemonic(text).isEmpty()] == []


def test_no_button_has_a_strangers_word_on_it(shown):
    for button in shown.findChildren(QAbstractButton):
        assert "<" not in button.text()


def test_the_title_of_the_window_is_the_documents_letter_by_letter(shown):
    assert shown.windowTitle() == f"{NASTY.replace('[*]', '[*][*]')}[*] — byhand"


def test_the_command_palette_shows_an_edit_as_it_is_called(shown):
    shown.document.edit(edits.rename_word(shown.document.sentence, 3, "x"))
    shown.action_set.do("palette")
    lists = shown.findChildren(QTreeWidget)
    items = (one.topLevelItem(i) for one in lists for i in range(one.topLevelItemCount()))
    tips = [item.toolTip(0) for item in items]
    assert [tip for tip in tips if "passwd" in tip]
    assert [tip for tip in tips if not is_a_plain_tip(tip)] == []


@pytest.mark.parametrize("word", STRANGERS_WORDS)
def test_a_plain_tip_says_just_the_word(qapp, word):
    page = QTextDocument()
    page.setHtml(plain_tip(word))
    assert page.toPlainText().split() == word.split()


# Questions


@pytest.fixture
def asked(monkeypatch):
    """What a question shows, as it shows it: text and whether it is plain."""
    seen = []

    def look(dialog):
        labels = dialog.findChildren(QLabel)
        seen.extend((label.text(), is_plain(label)) for label in labels if label.text())
        return 0

    for kind in (QMessageBox, QInputDialog):
        monkeypatch.setattr(kind, "exec", look)
    return seen


def test_questions_show_a_title_a_word_and_a_file_as_they_are(qtbot, asked):
    window = QWidget()
    qtbot.addWidget(window)
    dialogs.ask_about_changes(window, NASTY, dirty=True, rendering=False)
    dialogs.ask_overwrite(window, f"Write over {NASTY}?", "Overwrite")
    dialogs.ask_text(window, "Rename word", f"Instead of {NASTY}:", "x")
    texts = [text for text, _ in asked if "passwd" in text]
    assert len(texts) == 3
    assert [text for text, plain in asked if not plain] == []
    assert QKeySequence.mnemonic(texts[-1]).isEmpty()


def test_a_question_gives_what_was_typed_and_nothing_where_it_was_left(qtbot, monkeypatch):
    window = QWidget()
    qtbot.addWidget(window)
    monkeypatch.setattr(QInputDialog, "exec", lambda dialog: 1)
    assert dialogs.ask_text(window, "Title", "What?", "as it was") == "as it was"
    monkeypatch.setattr(QInputDialog, "exec", lambda dialog: 0)
    assert dialogs.ask_text(window, "Title", "What?", "as it was") is None


def test_numbers_are_asked_for_under_a_name_that_is_no_markup(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    entry = NumberEntry(f"q({NASTY})", (1.0, 2.0), window)
    assert all(is_plain(label) for label in entry.findChildren(QLabel))


# Files


@pytest.mark.parametrize(
    "title", [*STRANGERS_WORDS, "..", "/", "\\\\host\\x", "x" * 200, "猫" * 200]
)
def test_a_title_never_leads_out_of_the_folder(window, tmp_path, title):
    window.session.settings.change(folder=str(tmp_path))
    window.document.replace_all(replace(load_preset(), title=title), None)
    suggested = Path(window.files._suggested())
    assert suggested.parent == tmp_path
    assert re.fullmatch(r"[\w-]+\.byhand\.json", suggested.name)
    assert len(suggested.name.encode()) <= 255


def test_what_a_crash_has_left_is_called_by_its_title_in_one_line(window, tmp_path):
    sentence = new_sentence(STRANGERS_WORDS, title=NASTY)
    left = Recovered(sentence, tmp_path / "a\n<b>.byhand.json", 0.0, tmp_path / "x.json")
    assert "\n" not in left.title
    assert changed(left, file=None).title == NASTY


def test_a_word_in_a_sentence_turns_nothing_around_it():
    assert apart("\u202eout\u2069") == "\u2068\u202eout\u202c\u2069"
