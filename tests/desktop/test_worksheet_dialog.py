import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop import dialogs, edits
from desktop.settings import SettingsFile
from desktop.worksheet_dialog import WorksheetDialog
from export.answering import Preview
from export.worksheets import ENDINGS


@pytest.fixture
def dialog(document, state, asks, private_home, qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = WorksheetDialog(document, state, SettingsFile(), asks, parent)
    shown.open_again()
    yield shown
    shown.close()
    parent.close()


def choose(box, data):
    index = box.findData(data)
    assert index >= 0
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(index):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == data


def styles(dialog):
    return [dialog.style_box.itemData(i) for i in range(dialog.style_box.count())]


def test_every_format_of_the_command_is_offered(dialog):
    assert set(styles(dialog)) == set(ENDINGS)


def test_it_begins_with_the_page_of_the_focus_word(dialog, post):
    options = dialog.options()
    assert (options.style, options.focuses, options.blank) == ("html", (post.focus,), False)
    assert (options.variants, options.sentence) == (None, post)


def test_every_word_can_be_asked_for(dialog):
    choose(dialog.words, True)
    assert dialog.options().focuses == (0, 1, 2, 3)


@pytest.mark.parametrize("style", ENDINGS)
def test_what_makes_no_difference_cannot_be_chosen(dialog, style):
    dialog.blank.setChecked(True)
    choose(dialog.style_box, style)
    paper = style in ("text", "md", "latex", "html")
    assert dialog.words.isEnabled() == paper
    assert dialog.blank.isEnabled() == paper
    assert dialog.options().blank == paper  # a blank csv would be refused
    assert dialog.trouble.text() == ""
    assert not dialog.seed.isEnabled()


def test_sheets_for_a_class_are_pages_a_folder_or_the_key(dialog):
    choose(dialog.style_box, "md")
    dialog.variants.setValue(25)
    assert styles(dialog) == ["html", "folder", "csv"]
    dialog.seed.setValue(7)
    options = dialog.options()
    assert (options.style, options.variants, options.seed) == ("html", 25, 7)
    dialog.variants.setValue(0)
    assert dialog.options().style == "md"
    assert dialog.options().variants is None


def test_the_preview_is_asked_for_and_shown(dialog, asks):
    assert asks.last == Preview(dialog.options())
    asks.answer(files=("sat · cat = 4".encode(),))
    assert dialog.preview.toPlainText() == "sat · cat = 4"
    assert dialog.caption.text() == "What the &page says"


def test_a_longer_class_has_the_same_preview(dialog, asks):
    dialog.variants.setValue(10)
    before = len(asks.asked)
    assert asks.last.worksheet.variants == 1
    dialog.variants.setValue(200)
    assert len(asks.asked) == before
    dialog.seed.setValue(3)
    assert asks.last.worksheet.seed == 3


def test_an_edit_is_followed_even_one_of_the_words(dialog, asks, document, post):
    choose(dialog.words, True)
    document.edit(edits.remove_word(post, 3))
    asks.answer(files=(b"a moment ago",))
    assert asks.last.worksheet.focuses == (0, 1, 2)
    asks.answer(files=(b"now",))
    assert dialog.preview.toPlainText() == "now"


def test_a_long_preview_is_cut_and_says_so(dialog, asks):
    asks.answer(files=(b"0.25, " * 100_000,))
    assert len(dialog.preview.toPlainText()) < 101_000
    assert dialog.preview.toPlainText().endswith("…")


def test_save_writes_the_file(dialog, asks, tmp_path, monkeypatch, qtbot):
    given = []
    monkeypatch.setattr(
        dialogs, "choose_to_save", lambda *asked: given.append(asked) or tmp_path / "w.html"
    )
    qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert given[0][1].endswith("worksheet.html")
    assert asks.last == dialog.options()
    asks.answer(files=(b"<!DOCTYPE html>",))
    assert (tmp_path / "w.html").read_bytes() == b"<!DOCTYPE html>"
    assert dialog.trouble.text() == "Saved as w.html"


def test_another_ending_is_another_format(dialog, asks, tmp_path, monkeypatch):
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "w.tex")
    dialog.save()
    assert asks.last.style == "latex"
    assert dialog.style_box.currentData() == "latex"


def test_an_ending_that_no_worksheet_has_is_refused(dialog, asks, tmp_path, monkeypatch):
    dialog.variants.setValue(3)
    before = len(asks.asked)
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "w.tex")
    dialog.save()
    assert "'w.tex' should end in .html or .csv" in dialog.trouble.text()
    assert len(asks.asked) == before


def test_a_folder_gets_sheets_and_key_and_nothing_is_overwritten_unasked(
    dialog, asks, tmp_path, monkeypatch
):
    dialog.variants.setValue(3)
    choose(dialog.style_box, "folder")
    assert not dialog.copy_button.isEnabled()
    (tmp_path / "answers.csv").write_text("old")
    asked = []
    monkeypatch.setattr(dialogs, "choose_folder", lambda *_: tmp_path)
    monkeypatch.setattr(dialogs, "ask_overwrite", lambda *given: asked.append(given[1]))
    dialog.save()
    assert "answers.csv would be written over" in asked[0]
    monkeypatch.setattr(dialogs, "ask_overwrite", lambda *given: True)
    dialog.save()
    assert asks.last.style is None
    asks.answer(files=(b"sheets", b"key", b"table"))
    names = ("worksheets.html", "answers.html", "answers.csv")
    assert [(tmp_path / name).read_bytes() for name in names] == [b"sheets", b"key", b"table"]


def test_copy_puts_the_whole_text_on_the_clipboard(dialog, asks, qtbot):
    choose(dialog.style_box, "md")
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert asks.last == dialog.options()
    asks.answer(files=("## sat · cat".encode(),))
    assert QApplication.clipboard().text() == "## sat · cat"


def test_a_page_is_copied_as_one(dialog, asks):
    dialog.copy()
    asks.answer(files=(b"<!DOCTYPE html>\n<p>sat</p>",))
    assert "<p>sat</p>" in QApplication.clipboard().mimeData().html()


def test_a_worksheet_that_cannot_be_is_told(dialog, asks):
    asks.answer(error='"sat" may look at one word, so there is nothing to work out')
    assert "There is no preview" in dialog.trouble.text()
    dialog.copy()
    asks.answer(error="no such numbers")
    assert "can't be copied: no such numbers" in dialog.trouble.text()


def test_what_was_chosen_is_there_the_next_time(dialog, document, state, asks):
    dialog.variants.setValue(25)
    choose(dialog.style_box, "folder")
    dialog.seed.setValue(7)
    dialog.close()
    again = WorksheetDialog(document, state, SettingsFile(), asks, dialog.parent())
    again.open_again()
    options = again.options()
    assert (options.style, options.variants, options.seed) == (None, 25, 7)
    again.close()


@pytest.mark.slow
def test_the_preview_in_the_window_is_the_commands_text(window, qtbot):
    from export.worksheet import worksheet_text

    window.action_set.do("export-worksheet")
    dialog = window.exports.worksheets
    qtbot.waitUntil(lambda: dialog.preview.toPlainText() != "", timeout=60_000)
    assert dialog.preview.toPlainText().strip() == worksheet_text(window.document.kept).strip()
    dialog.close()
