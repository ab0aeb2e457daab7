import errno
import json
import os

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton

from desktop import dialogs, edits
from desktop.dialogs import Answer
from desktop.files import NEW_VECTORS
from engine import read_sentence, write_sentence
from engine.files import format_sentence
from engine.presets import load_preset
from engine.sentence import new_sentence

DOG = new_sentence("the dog ran")


@pytest.fixture(autouse=True)
def _bare(bare_panels):
    pass


@pytest.fixture
def dog(tmp_path):
    path = tmp_path / "dog.byhand.json"
    write_sentence(DOG, path)
    return path


@pytest.fixture
def answers(monkeypatch):
    """What is answered to a question about unsaved changes; each question is noted."""

    class Answers(list):
        answer = Answer.CANCEL

    answers = Answers()

    def ask(parent, title, *, dirty, rendering):
        answers.append((title, dirty, rendering))
        return answers.answer

    monkeypatch.setattr(dialogs, "ask_about_changes", ask)
    return answers


def rename(window, text="a"):
    window.document.edit(edits.rename_word(window.document.sentence, 0, text))


def answer(window, qtbot, text):
    buttons = [b for b in window.notices.findChildren(QPushButton) if b.text() == text]
    qtbot.mouseClick(buttons[-1], Qt.MouseButton.LeftButton)


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, none = (
        Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    entered = QDragEnterEvent(window.rect().center(), copy, data, left, none)
    entered.ignore()
    QApplication.sendEvent(window, entered)
    if entered.isAccepted():
        dropped = QDropEvent(QPointF(window.rect().center()), copy, data, left, none)
        QApplication.sendEvent(window, dropped)
    return entered.isAccepted()


# New and open


def test_a_file_is_opened_and_named_in_the_title(window, dog):
    assert window.files.open(dog)
    assert window.document.sentence == DOG
    assert window.windowTitle() == "the dog ran[*] — byhand"
    assert window.session.settings.now.recent == (str(dog),)


def test_new_words_come_with_vectors_that_mean_nothing_and_that_is_said_once(window, monkeypatch):
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "the dog ran")
    window.files.new_from_words()
    assert window.document.sentence == DOG
    assert window.notices.texts["new"] == NEW_VECTORS
    assert "no language model" in NEW_VECTORS
    window.files.new_from_words()
    assert "new" not in window.notices.texts


@pytest.mark.parametrize("words", ["", "  ", "W" * 81, " ".join(["a"] * 65)])
def test_words_that_make_no_sentence_are_refused_in_one_line(window, monkeypatch, words):
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: words)
    before = window.document.sentence
    window.files.new_from_words()
    assert window.document.sentence is before
    assert window.notices.texts["new"].count("\n") == 0


def test_a_ready_sentence_takes_the_documents_place(window):
    window.action_set.do("preset-two-heads")
    assert window.document.sentence == load_preset("two-heads")
    assert not window.document.is_dirty


BAD = {
    "version": b'{"byhand": 99}',
    "unknown key": json.dumps({**json.loads(format_sentence(DOG)), "extra": 1}).encode(),
    "missing key": b'{"byhand": 1, "words": ["a"]}',
    "row counts": format_sentence(DOG).replace('"ran"]', '"ran", "off"]').encode(),
    "nested": b"[" * 10_000 + b"]" * 10_000,
    "twice": format_sentence(DOG).replace('"byhand": 1,', '"byhand": 1, "byhand": 1,').encode(),
    "utf-16": format_sentence(DOG).encode("utf-16"),
    "nul": format_sentence(DOG).replace("dog", "d\\u0000g").encode(),
    "empty": b"",
    "nan": format_sentence(DOG).replace("[1, 0]", "[NaN, 0]").encode(),
    "1e309": format_sentence(DOG).replace("[1, 0]", "[1e309, 0]").encode(),
    "no json": b"the dog ran",
}


@pytest.mark.case(21)
@pytest.mark.case(1)
@pytest.mark.parametrize("bad", BAD)
def test_a_bad_file_is_one_clear_line_and_the_document_stays(window, tmp_path, bad):
    path = tmp_path / "bad.byhand.json"
    path.write_bytes(BAD[bad])
    rename(window)
    before = window.document.sentence
    assert not window.files.open(path)
    assert window.document.sentence is before
    assert "bad.byhand.json" in window.notices.texts["open"]
    assert "\n" not in window.notices.texts["open"]
    assert path.read_bytes() == BAD[bad]


@pytest.mark.case(21)
def test_a_file_of_300_mb_is_refused_unread(window, tmp_path):
    path = tmp_path / "big.byhand.json"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    assert not window.files.open(path)
    assert "300,000,000 bytes" in window.notices.texts["open"]


def test_an_opened_file_takes_a_complaint_back(window, dog, tmp_path):
    window.files.open(tmp_path / "nowhere")
    window.files.open(dog)
    assert "open" not in window.notices.texts


@pytest.mark.case(22)
def test_a_recent_file_that_is_gone_is_said_and_forgotten(window, dog):
    window.files.open(dog)
    dog.unlink()
    window.files.new_from_preset("a-tie")
    window.action_set._list_recent()
    (recent,) = window.action_set._recents.actions()
    assert str(dog) in recent.text()
    recent.trigger()
    assert "there is no such file" in window.notices.texts["open"]
    assert window.session.settings.now.recent == ()


def test_a_file_that_is_open_in_another_window_comes_to_the_front(window, dog):
    window.files.open(dog)
    other = window.session.open_window()
    rename(other)
    assert other.files.open(dog)
    assert other.document.sentence.words[0] == "a"


# Drop, copy, paste


def test_a_document_that_is_dropped_is_opened(window, dog):
    assert drop(window, dog)
    assert window.document.path == dog


def test_a_picture_that_is_dropped_gives_its_document(window, tmp_path):
    about = PngInfo()
    about.add_itxt("byhand", format_sentence(DOG))
    Image.new("RGB", (9, 9)).save(tmp_path / "a.png", pnginfo=about)
    assert drop(window, tmp_path / "a.png")
    assert window.document.sentence == DOG
    assert window.document.path is None
    assert (tmp_path / "a.png").read_bytes()[1:4] == b"PNG"


def test_a_picture_without_a_document_says_so(window, tmp_path):
    Image.new("RGB", (9, 9)).save(tmp_path / "a.png")
    drop(window, tmp_path / "a.png")
    assert "carries no document" in window.notices.texts["open"]


def test_a_document_goes_over_the_clipboard(window):
    window.action_set.do("preset-two-heads")
    window.files.copy_text()
    window.action_set.do("preset-a-tie")
    window.files.paste_document()
    assert window.document.sentence == load_preset("two-heads")


@pytest.mark.parametrize("text", ["", "the dog ran", '{"byhand": 1}'])
def test_a_clipboard_without_a_document_is_refused_in_one_line(window, text):
    QApplication.clipboard().setText(text)
    before = window.document.sentence
    window.files.paste_document()
    assert window.document.sentence is before
    assert "clipboard" in window.notices.texts["paste"]


# Save


def test_save_writes_and_cleans(window, dog):
    window.files.open(dog)
    rename(window)
    assert window.isWindowModified()
    assert window.files.save()
    assert not window.isWindowModified()
    assert read_sentence(dog).words[0] == "a"


def test_a_document_without_a_file_asks_for_one(window, monkeypatch, tmp_path):
    asked = []

    def choose(parent, suggested):
        asked.append(suggested)
        return tmp_path / "mine"

    monkeypatch.setattr(dialogs, "choose_to_save", choose)
    assert window.files.save()
    assert os.path.basename(asked[0]) == "the-cat-sat-down.byhand.json"
    assert window.document.path == tmp_path / "mine.byhand.json"
    assert read_sentence(tmp_path / "mine.byhand.json") == window.document.sentence


def test_save_as_that_is_called_off_changes_nothing(window, monkeypatch):
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: None)
    rename(window)
    assert not window.files.save()
    assert window.document.is_dirty


@pytest.mark.case(19)
@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
def test_a_save_that_fails_leaves_the_old_file_and_a_modified_document(
    window, dog, monkeypatch, reason
):
    window.files.open(dog)
    rename(window)
    before = dog.read_bytes()

    def fail(descriptor):
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(os, "fsync", fail)
    assert not window.files.save()
    assert dog.read_bytes() == before
    assert window.isWindowModified()
    assert window.notices.texts["save"].startswith("Not saved. ")
    assert not list(dog.parent.glob(".byhand-*"))


@pytest.mark.case(19)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_save_to_a_full_device_fails_in_one_line(window, monkeypatch):
    monkeypatch.setattr(
        dialogs, "choose_to_save", lambda *_: __import__("pathlib").Path("/dev/full")
    )
    rename(window)
    window.document.path = __import__("pathlib").Path("/dev/full")
    assert not window.files.save()
    assert window.document.is_dirty
    assert "Not saved" in window.notices.texts["save"]


@pytest.mark.case(22)
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_a_folder_that_is_read_only_is_one_line(window, dog, monkeypatch):
    window.files.open(dog)
    rename(window)
    if os.geteuid() == 0:  # who may do everything is refused by nobody
        monkeypatch.setattr("engine.files.os.open", _refused)
    else:
        dog.parent.chmod(0o500)
    try:
        assert not window.files.save()
    finally:
        dog.parent.chmod(0o700)
    assert "may not be written" in window.notices.texts["save"]


def _refused(*_args, **_options):
    raise PermissionError(errno.EACCES, "Permission denied")


def test_revert_asks_and_goes_back_to_the_file(window, dog, monkeypatch):
    monkeypatch.setattr(dialogs, "ask_overwrite", lambda *_: True)
    window.files.open(dog)
    rename(window)
    window.files.revert()
    assert window.document.sentence == DOG
    assert not window.document.is_dirty


# Another program


@pytest.mark.case(22)
@pytest.mark.parametrize("how", ["replaced", "written", "removed and made again"])
def test_a_file_changed_by_another_program_can_be_reloaded(window, dog, qtbot, how):
    window.files.open(dog)
    other = edits.rename_word(DOG, 1, "cat").sentence
    if how == "written":
        dog.write_text(format_sentence(other))
    else:
        if how != "replaced":
            dog.unlink()
        write_sentence(other, dog)
    qtbot.waitUntil(lambda: "changed by another" in window.notices.texts.get("disk", ""))
    assert window.document.sentence == DOG
    answer(window, qtbot, "Reload")
    assert window.document.sentence == other


@pytest.mark.case(22)
def test_keep_mine_leaves_something_to_be_saved(window, dog, qtbot):
    window.files.open(dog)
    write_sentence(load_preset(), dog)
    qtbot.waitUntil(lambda: "disk" in window.notices.texts)
    answer(window, qtbot, "Keep mine")
    assert window.document.is_dirty
    assert window.files.save()
    assert read_sentence(dog) == DOG


@pytest.mark.case(22)
def test_a_second_change_is_noticed_after_the_file_was_replaced(window, dog, qtbot):
    window.files.open(dog)
    for word in ("cat", "cow"):
        write_sentence(edits.rename_word(DOG, 1, word).sentence, dog)
        qtbot.waitUntil(lambda: "disk" in window.notices.texts)
        answer(window, qtbot, "Reload")
        assert window.document.sentence.words[1] == word


@pytest.mark.case(22)
def test_a_replaced_file_that_is_then_written_in_place_is_noticed_again(window, dog, qtbot):
    window.files.open(dog)
    write_sentence(load_preset(), dog)
    qtbot.waitUntil(lambda: "disk" in window.notices.texts)
    answer(window, qtbot, "Keep mine")
    qtbot.wait(400)
    with dog.open("r+b") as file:
        file.write(format_sentence(load_preset()).replace("The cat", "A cat").encode())
        file.truncate()
    qtbot.waitUntil(lambda: "disk" in window.notices.texts)


def test_our_own_save_is_no_change_by_another(window, dog, qtbot):
    window.files.open(dog)
    rename(window)
    window.files.save()
    qtbot.wait(600)
    assert "disk" not in window.notices.texts


def test_a_file_that_is_deleted_has_to_be_saved_again(window, dog, qtbot):
    window.files.open(dog)
    dog.unlink()
    qtbot.waitUntil(lambda: "moved or deleted" in window.notices.texts.get("disk", ""))
    assert window.document.is_dirty
    assert window.files.save()
    assert read_sentence(dog) == DOG


def test_a_file_that_is_broken_from_outside_is_told_and_mine_kept(window, dog, qtbot):
    window.files.open(dog)
    dog.write_text("{")
    qtbot.waitUntil(lambda: "can't be read now" in window.notices.texts.get("disk", ""))
    assert window.document.sentence == DOG


@pytest.mark.case(22)
def test_a_file_that_was_gone_for_a_while_is_noticed_when_it_is_back(window, dog, qtbot):
    window.files.open(dog)
    dog.unlink()
    qtbot.waitUntil(lambda: "moved or deleted" in window.notices.texts.get("disk", ""))
    qtbot.wait(400)
    write_sentence(load_preset(), dog)
    qtbot.waitUntil(lambda: "changed by another" in window.notices.texts["disk"])


@pytest.mark.case(22)
def test_saving_over_anothers_change_is_asked_first(window, dog, monkeypatch):
    window.files.open(dog)
    rename(window)
    write_sentence(load_preset(), dog)
    monkeypatch.setattr(dialogs, "ask_overwrite", lambda *_: False)
    assert not window.files.save()
    assert read_sentence(dog) == load_preset()


# Unsaved changes


def test_closing_a_clean_window_asks_nothing(window, answers):
    assert window.close()
    assert answers == []


@pytest.mark.parametrize("given", list(Answer))
def test_closing_asks_once_about_unsaved_changes(window, dog, answers, given):
    window.files.open(dog)
    rename(window)
    answers.answer = given
    assert window.close() == (given != Answer.CANCEL)
    assert answers == [("the dog ran", True, False)]
    assert read_sentence(dog).words[0] == ("a" if given == Answer.SAVE else "the")


def test_a_save_that_fails_at_closing_keeps_the_window_open(window, answers, monkeypatch):
    rename(window)
    answers.answer = Answer.SAVE
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: None)
    assert not window.close()
    assert window.isVisible()


@pytest.mark.parametrize("action", ["new", "preset-a-tie", "paste-document"])
def test_another_document_does_not_push_unsaved_changes_out(window, answers, action):
    window.files.copy_text()
    rename(window)
    window.action_set.do(action)
    assert window.document.sentence.words[0] == "a"
    assert len(answers) == 1


# A crash


def test_unsaved_work_is_offered_after_a_crash(start, qtbot, dog, private_home):
    first = start()
    (window,) = first.windows.values()
    window.files.open(dog)
    rename(window)
    first.abandon()
    first.close()
    second = start()
    (window,) = second.windows.values()
    assert "“dog.byhand.json”" in window.notices.texts["recovery"]
    answer(window, qtbot, "Recover")
    assert window.document.sentence.words[0] == "a"
    assert window.document.path == dog
    assert window.document.is_dirty
    assert read_sentence(dog) == DOG


def test_what_is_discarded_is_not_offered_again(start, qtbot):
    first = start()
    rename(*first.windows.values())
    first.abandon()
    first.close()
    second = start()
    answer(*second.windows.values(), qtbot, "Discard")
    second.abandon()
    second.close()
    assert "recovery" not in next(iter(start().windows.values())).notices.texts


def test_two_documents_are_recovered_in_two_windows(start, qtbot):
    first = start()
    first.open_window()
    for window, word in zip(first.windows.values(), "ab", strict=True):
        rename(window, word)
    first.abandon()
    first.close()
    second = start()
    answer(*second.windows.values(), qtbot, "Recover")
    assert {w.document.sentence.words[0] for w in second.windows.values()} == {"a", "b"}


def test_unsaved_work_is_written_down_while_one_works(window, qtbot, private_home):
    window.files._keeping.setInterval(10)
    rename(window)
    folder = private_home / "state" / "byhand" / "recovery"
    qtbot.waitUntil(lambda: list(folder.glob("*/window-0.json")) != [])
    kept = json.loads(next(folder.glob("*/window-0.json")).read_text())
    assert '"a", "cat"' in kept["document"]
    window.document.undo()
    assert list(folder.glob("*/window-0.json")) == []


def test_nothing_is_written_in_the_middle_of_a_drag(window, private_home):
    rename(window)
    moved = edits.move_vector(window.document.kept, 0, "query", 2, (3, 3))
    window.document.preview(moved)
    window.files.keep_for_recovery()
    assert list(private_home.glob("state/byhand/recovery/*/*.json")) == []
    window.document.give_up()
    window.files.keep_for_recovery()
    assert len(list(private_home.glob("state/byhand/recovery/*/*.json"))) == 1


@pytest.mark.case(20)
@pytest.mark.parametrize("damage", [b"{", b"\0\0", b"[]", b""])
def test_damaged_files_never_stop_the_start_and_are_said_once(start, private_home, damage):
    settings = private_home / "config" / "byhand" / "settings.json"
    recovery = private_home / "state" / "byhand" / "recovery" / "1-dead" / "window-0.json"
    for path in (settings, recovery):
        path.parent.mkdir(parents=True)
        path.write_bytes(damage)
    first = start()
    said = next(iter(first.windows.values())).notices.texts
    assert "fresh ones" in said["settings"]
    assert "recovery file couldn't be read" in said["damaged"]
    first.abandon()
    first.close()
    assert next(iter(start().windows.values())).notices.texts == {}


def test_a_copied_figure_is_pasted_as_the_document_that_it_carries(window):
    svg = f"<svg><metadata><d>{format_sentence(new_sentence('a b c'))}</d></metadata></svg>"
    data = QMimeData()
    data.setData("image/svg+xml", svg.encode())
    data.setText("what the figure shows, in words")
    QApplication.clipboard().setMimeData(data)
    window.files.paste_document()
    assert window.document.kept == new_sentence("a b c")


def test_a_copied_picture_without_a_document_leaves_the_text_to_be_pasted(window):
    data = QMimeData()
    data.setData("image/svg+xml", b"<svg/>")
    data.setText(format_sentence(new_sentence("d e")))
    QApplication.clipboard().setMimeData(data)
    window.files.paste_document()
    assert window.document.kept == new_sentence("d e")
