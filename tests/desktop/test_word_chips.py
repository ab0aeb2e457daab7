import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from desktop import edits
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.views.chip_layout import lay_out
from desktop.views.lettering import apart
from desktop.views.word_chips import WordChips
from engine.sentence import new_sentence


@pytest.fixture
def show(qtbot, state):
    def show(document, size=(400, 40)):
        chips = WordChips(document, state)
        qtbot.addWidget(chips)
        chips.resize(*size)
        chips.show()
        qtbot.waitExposed(chips)
        chips.activateWindow()
        chips.setFocus()
        QApplication.processEvents()
        return chips

    return show


def middle(chips, word):
    return chips.box(word).center().toPoint()


def rename(chips, text):
    chips.name_field.selectAll()
    QTest.keyClicks(chips.name_field, text)


def test_a_click_on_a_chip_makes_its_word_the_focus(show, document):
    chips = show(document)
    QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=middle(chips, 1))
    assert document.sentence.focus == 1
    assert document.undo_stack.count() == 0
    assert chips.accessibleDescription() == f"{apart('cat')}, word 2 of 4"


def test_keys_and_digits_choose_the_focus_word(show, document):
    chips = show(document)
    for key, word in (
        (Qt.Key.Key_Left, 1), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Left, 0), (Qt.Key.Key_End, 3),
        (Qt.Key.Key_Right, 3), (Qt.Key.Key_2, 1), (Qt.Key.Key_8, 1),
    ):  # fmt: skip
        QTest.keyClick(chips, key)
        assert document.sentence.focus == word


def test_the_focus_word_s_chip_is_filled(show, document, state):
    chips = show(document)
    chips.clearFocus()

    def color(word):
        at = chips.box(word).topLeft().toPoint() + QPoint(8, 3)
        return chips.grab().toImage().pixelColor(at)

    assert color(2) == state.look.color("ink")
    assert color(1) == state.look.color("panel")


def test_a_word_under_the_pointer_lights_its_query_and_its_key(show, document, state):
    chips = show(document)
    QTest.mouseMove(chips, middle(chips, 1) + QPoint(1, 0))
    QTest.mouseMove(chips, middle(chips, 1))
    assert state.lit.lights(listens=1)
    assert state.lit.lights(heard=1)
    assert not state.lit.lights(listens=2, heard=1)


def test_a_double_click_renames_in_place(show, document):
    chips = show(document)
    QTest.mouseDClick(chips, Qt.MouseButton.LeftButton, pos=middle(chips, 1))
    assert chips.name_field.text() == "cat"
    rename(chips, "dog")
    QTest.keyClick(chips.name_field, Qt.Key.Key_Return)
    assert document.sentence.words == ("the", "dog", "sat", "down")
    assert document.undo_stack.count() == 1
    assert not chips.name_field.isVisible()
    assert chips.hasFocus()


@pytest.mark.case(5)
def test_of_two_equal_words_only_the_one_pointed_at_is_renamed(show):
    document = Document(new_sentence("the cat the cat"))
    chips = show(document)
    QTest.mouseDClick(chips, Qt.MouseButton.LeftButton, pos=middle(chips, 2))
    rename(chips, "a")
    QTest.keyClick(chips.name_field, Qt.Key.Key_Return)
    assert document.sentence.words == ("the", "cat", "a", "cat")


def test_an_empty_name_is_refused_in_words_and_nothing_lost(show, document, state):
    chips, said = show(document), []
    state.announced.connect(said.append)
    QTest.keyClick(chips, Qt.Key.Key_F2)
    rename(chips, "  ")
    QTest.keyClick(chips.name_field, Qt.Key.Key_Return)
    assert document.sentence.words[2] == "sat"
    assert "can't be empty" in said[0]
    assert chips.name_field.isVisible()
    QTest.keyClick(chips.name_field, Qt.Key.Key_Escape)
    assert not chips.name_field.isVisible()
    assert document.undo_stack.count() == 0


def test_a_name_that_is_too_long_is_refused_in_words(show, document, state):
    chips, said = show(document), []
    state.announced.connect(said.append)
    QTest.keyClick(chips, Qt.Key.Key_F2)
    chips.name_field.setText("x" * 81)
    QTest.keyClick(chips.name_field, Qt.Key.Key_Return)
    assert document.sentence.words[2] == "sat"
    assert "80" in said[0]
    assert chips.name_field.text() == "x" * 81
    QTest.keyClick(chips.name_field, Qt.Key.Key_Escape)


def test_a_name_is_kept_when_the_keyboard_goes_elsewhere(show, document, qtbot):
    chips = show(document)
    other = QLineEdit(chips)
    other.show()
    QTest.keyClick(chips, Qt.Key.Key_F2)
    rename(chips, "stood")
    other.setFocus()
    assert document.sentence.words[2] == "stood"
    assert not chips.name_field.isVisible()
    assert other.hasFocus()


@pytest.mark.case(14)
def test_delete_and_undo_in_the_name_change_only_its_text(show, document):
    chips = show(document)
    QTest.keyClick(chips, Qt.Key.Key_F2)
    QTest.keyClick(chips.name_field, Qt.Key.Key_Delete)
    assert chips.name_field.text() == ""
    QTest.keyClick(chips.name_field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert chips.name_field.text() == "sat"
    assert document.sentence.words == ("the", "cat", "sat", "down")
    assert document.undo_stack.count() == 0
    QTest.keyClick(chips.name_field, Qt.Key.Key_Escape)


@pytest.mark.case(13)
def test_removing_the_word_that_is_being_renamed_ends_it(show, document):
    chips = show(document)
    QTest.keyClick(chips, Qt.Key.Key_F2)
    document.edit(edits.remove_word(document.sentence, 2))
    assert not chips.name_field.isVisible()
    assert document.sentence.words == ("the", "cat", "down")
    chips.grab()


def test_words_without_room_are_in_a_menu_and_the_focus_word_never_is(show):
    document = Document(new_sentence([f"word{i}" for i in range(64)]))
    chips = show(document)
    assert chips.box(0) is not None
    assert chips.box(63) is None
    QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips.more_box.center().toPoint())
    menu = chips.findChild(QMenu)
    assert len(menu.actions()) == 64
    menu.actions()[63].trigger()
    menu.close()
    assert document.sentence.focus == 63
    assert chips.box(63) is not None


def test_two_lines_are_used_where_there_is_room(show, twelve):
    chips = show(Document(twelve), (400, 40))
    assert chips.more_box is not None
    chips.resize(400, chips.heightForWidth(400))
    assert chips.more_box is None
    assert chips.box(11).top() > chips.box(0).bottom()


@pytest.mark.case(6)
@pytest.mark.parametrize("word", ["猫", "القط", "😀", "a\u0301", "W" * 80, "<b>&amp;", "ffi"])
def test_a_chip_stays_in_its_box_and_has_its_word_whole_in_its_tip(show, document, word):
    document.edit(edits.rename_word(document.sentence, 1, word))
    chips = show(document)
    assert chips.tip_at(chips.box(1).center()) == word
    assert chips.box(1).right() < chips.box(2).left()
    assert chips.box(3).right() <= chips.width()


def test_nothing_is_drawn_anew_where_no_word_changes(show, document, monkeypatch):
    chips = show(document)
    painted = []
    monkeypatch.setattr(chips, "paint", lambda painter, area: painted.append(area))
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 1)))
    QApplication.processEvents()
    document.give_up()
    QApplication.processEvents()
    assert not painted


def test_space_pins_the_focus_word(show, document, state):
    chips = show(document)
    QTest.keyClick(chips, Qt.Key.Key_Space)
    assert state.pinned == Thing("", 2, 2)


@pytest.mark.parametrize("focus", range(0, 40, 3))
def test_chips_never_overlap_nor_leave_their_lines(focus):
    widths = [20 + 7 * (i % 5) for i in range(40)]
    for room in (60, 200, 400, 3000):
        placed = lay_out(widths, room, 2, gap=5, more=15, focus=focus)
        assert focus in [chip.word for chip in placed.chips]
        for chip in placed.chips:
            assert chip.x + chip.width <= room
        for one, other in zip(placed.chips, placed.chips[1:]):
            assert other.line > one.line or other.x >= one.x + one.width + 5
        if placed.more:
            assert placed.more[0] + 15 <= room
