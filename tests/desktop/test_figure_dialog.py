import pytest
from PySide6.QtCore import QBuffer, QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop import dialogs, edits
from desktop.figure_copy import PNG, SVG
from desktop.figure_dialog import FigureDialog
from desktop.settings import SettingsFile
from desktop.views.controls import WholeField
from engine.files import format_sentence
from engine.presets import load_preset
from export.answering import Answer
from export.carried import document_in, read_document_or_carrier
from export.figures import FIGURES


@pytest.fixture
def asks(asks):
    asks.usual = Answer((png(),), "a picture")
    return asks


@pytest.fixture
def dialog(document, state, asks, private_home, qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = FigureDialog(document, state, SettingsFile(), asks, parent)
    shown.open_again()
    yield shown
    shown.close()
    parent.close()


def png(width=200, height=100):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    buffer = QBuffer()
    image.save(buffer, "PNG")
    return buffer.data().data()


def choose(box, data):
    """Choose by keyboard, as one would."""
    box.setFocus()
    for _ in range(box.count()):
        QTest.keyClick(box, Qt.Key.Key_Up)
    for _ in range(box.findData(data)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == data


# What is asked for


def test_the_first_figure_is_the_posts_pair_of_grids(dialog, asks, post):
    asked = asks.last
    assert (asked.figures[0].name, asked.sentence, asked.theme) == ("causal-pair", post, "light")
    assert asked.format == "png"  # the preview's


def test_every_figure_can_be_chosen_by_its_title(dialog):
    titles = [dialog.form.figure.item(i).text() for i in range(dialog.form.figure.count())]
    assert titles == [entry.title for entry in FIGURES]


def test_the_arrow_keys_choose_a_figure_and_its_preview_is_asked_for(dialog, asks):
    QTest.keyClick(dialog.form.figure, Qt.Key.Key_Up)
    assert asks.last.figures[0].name == "weights"
    QTest.keyClick(dialog.form.figure, Qt.Key.Key_Home)
    assert asks.last.figures[0].name == "query-plane"


def test_every_choice_is_in_the_options(dialog, asks):
    form = dialog.form
    choose(form.format, "png")
    choose(form.theme, "dark")
    choose(form.scale, 4.0)
    choose(form.rows, "keys")
    form.width_field.setValue(640)
    form.digits.setValue(4)
    form.font_scale.setValue(150)
    QTest.mouseClick(
        form.transparent,
        Qt.MouseButton.LeftButton,
        pos=_tick(form.transparent),
    )
    QTest.mouseClick(form.source, Qt.MouseButton.LeftButton, pos=_tick(form.source))
    options = dialog.options()
    assert (options.format, options.theme, options.scale, options.rows) == (
        "png", "dark", 4.0, "keys",
    )  # fmt: skip
    assert (options.width, options.digits, options.font_scale) == (640, 4, 1.5)
    assert (options.transparent, options.embed) == (True, False)


def _tick(box):
    """Where a check box is ticked."""
    return QPoint(8, box.height() // 2)


def test_text_is_asked_of_an_svg_and_dots_of_a_png(dialog):
    form = dialog.form
    assert form.text.isVisible()
    assert not form.scale.isVisible()
    choose(form.format, "png")
    assert form.scale.isVisible()
    assert not form.text.isVisible()
    choose(form.format, "pdf")
    assert not form.scale.isVisible()
    assert not form.text.isVisible()


def test_only_an_svg_is_both_light_and_dark_and_is_again_after_a_png(dialog):
    form = dialog.form
    choose(form.theme, "both")
    choose(form.format, "png")
    assert form.theme.findData("both") == -1
    assert dialog.options().theme == "light"
    choose(form.format, "svg")
    assert dialog.options().theme == "both"


def test_the_width_steps_on_from_the_figures_own(dialog, asks):
    asks.answer(files=(png(400, 200),))
    field = dialog.form.width_field
    assert (field.wanted, field.text()) == (None, "its own, 200 px")
    field.stepUp()
    assert field.wanted == 201
    assert dialog.options().width == 201


def test_rows_and_decimals_are_the_windows(document, state, asks, private_home, qtbot, dialog):
    dialog.close()
    state.set_rows_are_queries(False)
    document.set_digits(3)
    dialog.open_again()
    assert (dialog.options().rows, dialog.options().digits) == ("keys", 3)


def test_what_was_chosen_is_there_the_next_time(dialog, document, state, asks, private_home):
    choose(dialog.form.theme, "projector")
    QTest.keyClick(dialog.form.figure, Qt.Key.Key_End)
    dialog.close()
    again = FigureDialog(document, state, SettingsFile(), asks, dialog.parent())
    again.open_again()
    assert again.options().theme == "projector"
    assert again.options().figures == (FIGURES[-1],)
    again.close()


def test_what_the_options_refuse_is_said_and_nothing_can_be_saved(dialog):
    choose(dialog.form.format, "png")
    choose(dialog.form.scale, 8.0)
    dialog.form.width_field.setValue(9000)
    assert "are more than 16384 dots" in dialog.trouble.text()
    assert "--" not in dialog.trouble.text()
    assert not dialog.save_button.isEnabled()
    assert not dialog.copy_button.isEnabled()
    dialog.form.width_field.setValue(900)
    assert dialog.trouble.text() == ""
    assert dialog.save_button.isEnabled()


# The preview


def test_the_preview_is_shown_with_its_size_and_its_alt_text(dialog, asks):
    asks.answer(files=(png(400, 200),), alt_text="sat gives 73 %")
    assert dialog.preview.pictures[0].size() == QSize(400, 200)
    assert dialog.size_line.text() == "200 × 100 pixels"
    assert dialog.alt_text.toPlainText() == "sat gives 73 %"
    assert dialog.preview.accessibleDescription() == "sat gives 73 %"


def test_an_edit_undo_and_a_drag_are_followed(dialog, asks, document, post):
    asks.answer()
    moved = edits.move_vector(post, 0, "query", 2, (1.0, 1.0))
    document.edit(moved)
    assert asks.last.sentence == moved.sentence
    asks.answer()
    document.undo()
    assert asks.last.sentence == post
    asks.answer()
    dragged = edits.move_vector(post, 0, "query", 2, (1.5, 1.0))
    document.preview(dragged)
    assert asks.last.sentence == dragged.sentence
    asks.answer()
    document.give_up()
    assert asks.last.sentence == post


def test_a_drag_asks_for_one_preview_at_a_time_and_for_the_last(dialog, asks, document, post):
    asks.answer()
    before = len(asks.asked)
    for step in range(50):
        document.preview(edits.move_vector(post, 0, "query", 2, (step / 10, 1.0)))
    assert len(asks.asked) == before + 1
    asks.answer()
    assert len(asks.asked) == before + 2
    assert asks.last.sentence == document.sentence
    document.give_up()


def test_what_is_saved_in_mid_drag_is_the_kept_document(dialog, document, post):
    document.preview(edits.move_vector(post, 0, "query", 2, (1.5, 1.0)))
    assert dialog.options().sentence == post
    document.give_up()


def test_a_preview_of_another_figure_is_dropped(dialog, asks):
    asks.answer(alt_text="the pair")
    first = len(asks.asked)
    QTest.keyClick(dialog.form.figure, Qt.Key.Key_Up)
    QTest.keyClick(dialog.form.figure, Qt.Key.Key_Up)
    asks.answer(first + 1, alt_text="stale")
    assert dialog.alt_text.toPlainText() == "the pair"
    asks.answer(first + 2, alt_text="newest")
    assert dialog.alt_text.toPlainText() == "newest"


def test_a_preview_of_the_same_figure_a_moment_ago_is_shown(dialog, asks, document, post):
    asks.answer()
    document.preview(edits.move_vector(post, 0, "query", 2, (1.0, 1.0)))
    on_its_way = len(asks.asked)
    document.preview(edits.move_vector(post, 0, "query", 2, (1.1, 1.0)))
    asks.answer(on_its_way, alt_text="a moment ago")
    assert dialog.alt_text.toPlainText() == "a moment ago"
    document.give_up()


def test_the_same_preview_is_not_asked_for_twice(dialog, asks):
    before = len(asks.asked)
    choose(dialog.form.text, "keep")
    dialog.form.source.click()
    assert len(asks.asked) == before


def test_a_preview_that_fails_is_told_and_the_next_is_shown(dialog, asks):
    asks.answer(files=(), error="the plane is bent")
    assert "There is no preview: the plane is bent" in dialog.trouble.text()
    QTest.keyClick(dialog.form.figure, Qt.Key.Key_Up)
    asks.answer(alt_text="better")
    assert dialog.alt_text.toPlainText() == "better"
    assert dialog.trouble.text() == ""


def test_characters_that_no_font_has_are_named(dialog, asks):
    asks.answer(undrawable=("\U00012000",))
    assert "(U+12000)" in dialog.size_line.text()


def test_nothing_is_drawn_for_a_closed_dialog(dialog, asks, document, post):
    dialog.close()
    before = len(asks.asked)
    document.edit(edits.move_vector(post, 0, "query", 2, (1.0, 1.0)))
    assert len(asks.asked) == before


def test_pictures_are_whole_and_never_larger_than_they_are(dialog, qtbot):
    preview = dialog.preview
    for sizes in (((4000, 300),), ((40, 30),), ((300, 4000),), ((800, 600), (800, 600))):
        images = tuple(QImage(*size, QImage.Format.Format_RGB32) for size in sizes)
        preview.show_pictures(images)
        boxes = preview.boxes()
        for box, image in zip(boxes, images, strict=True):
            assert preview.rect().toRectF().adjusted(-1, -1, 1, 1).contains(box)
            assert box.width() <= image.width() / 2 + 1
            assert abs(box.width() / box.height() - image.width() / image.height()) < 0.02
        if len(boxes) == 2:
            assert not boxes[0].intersects(boxes[1])


# Clipboard and file


def test_the_alt_text_can_be_copied(dialog, asks, qtbot):
    asks.answer(alt_text="sat gives 73 %")
    qtbot.mouseClick(dialog.copy_text, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "sat gives 73 %"


def test_save_writes_the_file_where_it_was_asked_to(dialog, asks, tmp_path, monkeypatch, qtbot):
    given = []
    monkeypatch.setattr(
        dialogs, "choose_to_save", lambda *asked: given.append(asked) or tmp_path / "a.svg"
    )
    qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert given[0][1].endswith("causal-pair.svg")
    assert given[0][2:] == ("SVG (*.svg)", "svg")
    assert asks.last.format == "svg"
    assert not (tmp_path / "a.svg").exists()
    asks.answer(files=(b"<svg/>",))
    assert (tmp_path / "a.svg").read_bytes() == b"<svg/>"
    assert dialog.trouble.text() == "Saved as a.svg"


def test_another_ending_is_another_format(dialog, asks, tmp_path, monkeypatch):
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "a.pdf")
    dialog.save()
    assert (asks.last.format, dialog.form.format.currentData()) == ("pdf", "pdf")


def test_an_ending_that_no_figure_has_is_refused_by_name(dialog, asks, tmp_path, monkeypatch):
    before = len(asks.asked)
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "a.doc")
    dialog.save()
    assert "'a.doc' should end in .svg or .pdf or .png" in dialog.trouble.text()
    assert len(asks.asked) == before


def test_a_place_that_cannot_be_written_to_is_told(dialog, asks, tmp_path, monkeypatch):
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "no" / "a.svg")
    dialog.save()
    asks.answer(files=(b"<svg/>",))
    assert dialog.trouble.text().startswith("⚠  Not saved. ")
    assert "a.svg" in dialog.trouble.text()


def test_a_figure_that_cannot_be_drawn_leaves_the_old_file(dialog, asks, tmp_path, monkeypatch):
    (tmp_path / "a.svg").write_text("old")
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "a.svg")
    dialog.save()
    asks.answer(files=(), error="what draws was killed")
    assert (tmp_path / "a.svg").read_text() == "old"
    assert "what draws was killed" in dialog.trouble.text()


def test_a_window_that_closes_finishes_what_is_being_saved(dialog, asks, tmp_path, monkeypatch):
    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "a.svg")
    dialog.save()
    dialog.close()
    dialog.finish()
    assert (tmp_path / "a.svg").exists()


# With what really draws


@pytest.mark.slow
def test_a_figure_is_previewed_saved_copied_and_pasted_again(window, qtbot, tmp_path, monkeypatch):
    """One start of what draws for all of it: that takes a second or two."""
    window.action_set.do("export-figure")
    dialog = window.exports.figures
    qtbot.waitUntil(lambda: bool(dialog.preview.pictures), timeout=60_000)
    assert "73 %" in dialog.alt_text.toPlainText()

    monkeypatch.setattr(dialogs, "choose_to_save", lambda *_: tmp_path / "pair.svg")
    dialog.save()
    qtbot.waitUntil((tmp_path / "pair.svg").exists, timeout=60_000)
    assert read_document_or_carrier(tmp_path / "pair.svg") == (load_preset(), True)
    dialog.close()

    window.action_set.do("copy-figure")
    qtbot.waitUntil(lambda: "is on the clipboard" in window.status.text, timeout=60_000)
    copied = QApplication.clipboard().mimeData()
    assert copied.imageData().width() == 2 * 760
    assert "73 %" in copied.text()
    for kind in (PNG, SVG):
        assert document_in(copied.data(kind).data()) == format_sentence(load_preset())

    window.files.new_from_preset("two-heads")
    window.action_set.do("paste-document")
    assert window.document.kept == load_preset()


def test_a_figure_that_cannot_be_copied_is_told(window, qtbot, monkeypatch):
    monkeypatch.setattr("desktop.renders.command", lambda: ["/nonexistent/byhand"])
    window.action_set.do("copy-figure")
    qtbot.waitUntil(lambda: "copy" in window.notices.texts)
    assert "can't be copied: what draws can't be started" in window.notices.texts["copy"]


# For all


def test_every_control_has_a_name_and_the_keyboard_reaches_it(dialog):
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QListWidget, QPlainTextEdit

    kinds = (QComboBox, WholeField, QListWidget, QPlainTextEdit, QAbstractButton)
    controls = [
        one for kind in kinds for one in dialog.findChildren(kind)
        if one.isVisible() and one.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]  # fmt: skip
    assert len(controls) > 12
    assert all(one.accessibleName() or one.text() for one in controls)
    reached, at = set(), dialog.form.figure
    at.setFocus()
    for _ in range(40):
        reached.add(at)
        QTest.keyClick(at, Qt.Key.Key_Tab)
        at = dialog.focusWidget()
    assert set(controls) <= reached
