import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop import edits
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.views.panel import CALM
from desktop.views.word_table import WordTable
from engine import attention_of
from engine.presets import load_preset
from engine.sentence import new_sentence

Key = Qt.Key
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def show(qtbot, state):
    def shown(document):
        table = WordTable(document, state)
        qtbot.addWidget(table)
        table.resize(800, 260)
        table.show()
        table.activateWindow()
        table.view.setFocus()
        qtbot.waitUntil(table.view.hasFocus)
        return table

    return shown


@pytest.fixture
def table(show, document):
    return show(document)


@pytest.fixture
def said(state):
    texts = []
    state.announced.connect(texts.append)
    return texts


def go(table, row, column):
    table.view.setCurrentIndex(table.model.index(row, column))


def editor_of(table):
    editors = [e for e in table.view.viewport().findChildren(QLineEdit) if e.isVisible()]
    return editors[0] if editors else None


def type_into(table, row, column, text):
    """As a person does: go to the cell, type, Enter; gives the editor if it stayed open."""
    go(table, row, column)
    QTest.keyClick(table.view, Key.Key_F2)
    editor = editor_of(table)
    editor.selectAll()
    QTest.keyClick(editor, Key.Key_Backspace)
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Key.Key_Return)
    QApplication.processEvents()
    return editor_of(table)


# What it shows


def test_every_row_is_a_word_with_its_vectors(table, post):
    model = table.model
    for row, word in enumerate(post.words):
        shown = [model.text(row, column) for column in range(model.columnCount())]
        head = post.heads[0]
        numbers = [*head.query[row], *head.key[row], *head.value[row]]
        assert shown[0] == word
        assert [float(text) for text in shown[1:]] == numbers


def test_columns_carry_the_letter_of_their_role(table):
    names = [table.model.headerData(i, Qt.Orientation.Horizontal) for i in range(7)]
    assert names == ["word", "q1", "q2", "k1", "k2", "v1", "v2"]


@pytest.mark.parametrize("number", [1 / 3, 1e-300, 1e6, -123456.789, 0.1 + 0.2])
def test_what_is_shown_reads_back_to_the_number(table, document, number):
    document.edit(edits.set_entries(document.sentence, 0, "query", 0, 0, [[number]]))
    assert float(table.model.text(0, 1).replace("\u2212", "-")) == number


def test_vectors_made_by_w_are_shown_and_locked(show):
    document = Document(load_preset("two-heads"))
    table = show(document)
    model = table.model
    assert [model.headerData(i, Qt.Orientation.Horizontal) for i in range(5)] == [
        "word", "x1", "x2", "q1", "q2"
    ]  # fmt: skip
    query = attention_of(document.sentence, 0).query
    assert [float(model.text(2, 3)), float(model.text(2, 4))] == query[2].tolist()
    assert not model.flags(model.index(2, 3)) & Qt.ItemFlag.ItemIsEditable
    assert table.free.isVisible()


def test_making_free_keeps_the_vectors_and_unlocks_them(show):
    document = Document(load_preset("two-heads"))
    table = show(document)
    before = attention_of(document.sentence, 0).query
    QTest.mouseClick(table.free, Qt.MouseButton.LeftButton)
    assert document.sentence.heads[0].query == tuple(map(tuple, before.tolist()))
    assert not table.free.isVisible()
    assert type_into(table, 0, 1, "7") is None
    assert document.sentence.heads[0].query[0][0] == 7


def test_typing_into_a_locked_cell_says_why_not(show, said):
    table = show(Document(load_preset("two-heads")))
    go(table, 0, 3)
    QTest.keyClicks(table.view, "5")
    assert editor_of(table) is None
    assert "make it free" in said[-1]


# Typing


@pytest.mark.case(3)
@pytest.mark.parametrize("locale", ["de_DE", "pt_BR", "C"])
@pytest.mark.parametrize(("text", "number"), [("1.5", 1.5), ("1,5", 1.5), ("62,5", 62.5)])
def test_point_and_comma_mean_the_same_everywhere(show, post, locale, text, number):
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        document = Document(post)
        assert type_into(show(document), 2, 1, text) is None
        assert document.sentence.heads[0].query[2] == (number, 0)
    finally:
        QLocale.setDefault(before)


@pytest.mark.case(1)
@pytest.mark.parametrize("text", ["nan", "inf", "1e309", "-", "", "1e7"])
def test_what_is_no_number_is_refused_and_stays_to_be_corrected(table, document, post, said, text):
    editor = type_into(table, 2, 1, text)
    assert document.sentence == post
    assert document.undo_stack.count() == 0
    assert editor is not None
    assert editor.text() == text
    assert (text or "an empty cell") in said[-1]
    QTest.keyClick(editor, Key.Key_Escape)
    assert editor_of(table) is None
    assert table.model.text(2, 1) == "2"


@pytest.mark.case(1)
def test_a_refused_text_that_is_left_behind_is_put_back(table, document, post, said):
    editor = type_into(table, 2, 1, "nan")
    QTest.mouseClick(
        table.view.viewport(), Qt.MouseButton.LeftButton,
        pos=table.view.visualRect(table.model.index(0, 5)).center(),
    )  # fmt: skip
    QApplication.processEvents()
    assert editor is None or editor_of(table) is None
    assert document.sentence == post
    assert '"nan" isn\'t a number' in said[-1]


@pytest.mark.case(14)
@pytest.mark.parametrize("key", [Key.Key_Delete, Key.Key_Backspace])
def test_delete_in_a_cell_empties_its_editor_alone(table, document, post, key):
    go(table, 1, 3)
    QTest.keyClick(table.view, key)
    editor = editor_of(table)
    assert editor.text() == ""
    assert document.sentence == post
    QTest.keyClick(editor, Key.Key_Escape)
    assert document.sentence == post


@pytest.mark.case(14)
@pytest.mark.parametrize("key", [Key.Key_Delete, Key.Key_Backspace])
def test_delete_inside_an_open_editor_takes_a_character(table, document, post, key):
    go(table, 1, 0)
    QTest.keyClick(table.view, Key.Key_F2)
    editor = editor_of(table)
    editor.setCursorPosition(1)
    QTest.keyClick(editor, key)
    assert editor.text() == ("ct" if key == Key.Key_Delete else "at")
    assert document.sentence == post


@pytest.mark.case(14)
def test_undo_inside_an_open_editor_is_of_its_text(table, document):
    document.edit(edits.rename_word(document.sentence, 0, "a"))
    go(table, 1, 0)
    QTest.keyClick(table.view, Key.Key_F2)
    editor = editor_of(table)
    QTest.keyClicks(editor, "dog")
    QTest.keyClick(editor, Key.Key_Z, CONTROL)
    assert editor.text() != "dog"
    assert document.sentence.words[0] == "a"
    assert document.undo_stack.count() == 1


def test_an_open_editor_keeps_its_text_while_the_document_changes(table, document):
    go(table, 2, 1)
    QTest.keyClick(table.view, Key.Key_F2)
    editor = editor_of(table)
    editor.selectAll()
    QTest.keyClicks(editor, "12")
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 0)))
    document.keep()
    document.edit(edits.rename_word(document.sentence, 0, "a"))
    assert editor_of(table) is editor
    assert editor.text() == "12"


def test_typing_replaces_and_enter_goes_down(table, document):
    go(table, 0, 1)
    QTest.keyClicks(table.view, "3")
    QTest.keyClick(editor_of(table), Key.Key_Return)
    assert document.sentence.heads[0].query[0] == (3, 1)
    assert (table.view.currentIndex().row(), table.view.currentIndex().column()) == (1, 1)


def test_tab_types_and_goes_right(table, document):
    go(table, 0, 1)
    QTest.keyClicks(table.view, "3")
    QTest.keyClick(editor_of(table), Key.Key_Tab)
    QApplication.processEvents()
    assert document.sentence.heads[0].query[0] == (3, 1)
    assert table.view.currentIndex().column() == 2


# Words


def test_typing_into_the_last_empty_row_adds_a_word(table, document):
    assert type_into(table, 4, 0, "again") is None
    assert document.sentence.words == ("the", "cat", "sat", "down", "again")
    assert document.undo_stack.count() == 1


def test_the_row_button_opens_a_new_word(table, document):
    QTest.mouseClick(table._add, Qt.MouseButton.LeftButton)
    editor = editor_of(table)
    QTest.keyClicks(editor, "up")
    QTest.keyClick(editor, Key.Key_Return)
    assert document.sentence.words[4:] == ("up",)


def test_insert_adds_a_word_before_the_current_one(table, document):
    go(table, 1, 0)
    QTest.keyClick(table.view, Key.Key_Insert)
    editor = editor_of(table)
    QTest.keyClicks(editor, "black")
    QTest.keyClick(editor, Key.Key_Return)
    assert document.sentence.words == ("the", "black", "cat", "sat", "down")


def insert(table, text, end):
    go(table, 1, 0)
    QTest.keyClick(table.view, Key.Key_Insert)
    editor = editor_of(table)
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, end)
    QApplication.processEvents()


@pytest.mark.parametrize("end", [Key.Key_Return, Key.Key_Tab, Key.Key_Escape])
def test_inserting_a_word_and_typing_it_is_one_step_back(table, document, post, end):
    insert(table, "black", end)
    assert len(document.sentence.words) == 5
    assert document.undo_stack.count() == 1
    document.undo()
    assert document.sentence == post
    document.redo()
    assert document.sentence.words[1] == ("word" if end == Key.Key_Escape else "black")


@pytest.mark.parametrize("end", [Key.Key_Return, Key.Key_Tab, Key.Key_Escape])
def test_what_is_typed_after_an_inserted_word_is_a_step_of_its_own(table, document, end):
    insert(table, "black", end)
    if editor := editor_of(table):
        QTest.keyClick(editor, Key.Key_Escape)
    type_into(table, 1, 0, "white")
    type_into(table, 1, 1, "7")
    insert(table, "big", Key.Key_Return)
    assert document.undo_stack.count() == 4


def test_control_delete_removes_the_word_with_its_vectors(table, document, post):
    go(table, 1, 2)
    QTest.keyClick(table.view, Key.Key_Delete, CONTROL)
    assert document.sentence.words == ("the", "sat", "down")
    assert document.sentence.heads[0].key == (post.heads[0].key[0], *post.heads[0].key[2:])


def test_the_last_word_stays(show, said):
    document = Document(new_sentence("alone"))
    table = show(document)
    go(table, 0, 0)
    QTest.keyClick(table.view, Key.Key_Delete, CONTROL)
    assert document.sentence.words == ("alone",)
    assert "at least one word" in said[-1]


@pytest.mark.parametrize(("key", "words"), [
    (Key.Key_Up, ("cat", "the", "sat", "down")), (Key.Key_Down, ("the", "sat", "cat", "down")),
])  # fmt: skip
def test_alt_with_an_arrow_moves_the_word_and_stays_with_it(table, document, key, words):
    go(table, 1, 3)
    QTest.keyClick(table.view, key, ALT)
    assert document.sentence.words == words
    assert table.view.currentIndex().row() == words.index("cat")


def test_a_row_dragged_by_its_name_moves_the_word(table, document):
    header = table.view.verticalHeader()
    x = header.width() // 2

    def middle(row):
        return QPoint(x, header.sectionViewportPosition(row) + header.sectionSize(row) // 2)

    QTest.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=middle(0))
    for step in range(1, 11):
        QTest.mouseMove(header.viewport(), middle(0) + (middle(2) - middle(0)) * step / 10)
    QTest.mouseMove(header.viewport(), middle(2) + QPoint(0, 3))
    QTest.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=middle(2) + QPoint(0, 3))
    QApplication.processEvents()
    assert document.sentence.words == ("cat", "sat", "the", "down")
    assert [header.visualIndex(i) for i in range(4)] == [0, 1, 2, 3]
    assert document.undo_stack.count() == 1


@pytest.mark.case(5)
def test_of_two_words_alike_only_the_one_typed_into_changes(show):
    document = Document(new_sentence("the cat the cat"))
    table = show(document)
    type_into(table, 3, 0, "dog")
    assert document.sentence.words == ("the", "cat", "the", "dog")
    type_into(table, 2, 1, "5")
    assert document.sentence.heads[0].query[0] != document.sentence.heads[0].query[2]
    document.undo()
    document.undo()
    assert document.sentence.words == ("the", "cat", "the", "cat")


def test_a_row_name_makes_its_word_the_focus(table, document):
    header = table.view.verticalHeader()
    at = QPoint(4, header.sectionViewportPosition(3) + 5)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert document.sentence.focus == 3
    assert table.model.headerData(3, Qt.Orientation.Vertical) == "▸ 4"


@pytest.mark.parametrize(("field", "block", "width"), [("d_k", "query", 3), ("d_v", "value", 5)])
def test_widths_are_whole_numbers_and_one_step(table, document, field, block, width):
    field = getattr(table, field)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, str(width))
    QTest.keyClick(field, Key.Key_Return)
    assert len(getattr(document.sentence.heads[0], block)[0]) == width
    assert document.undo_stack.count() == 1
    document.undo()
    assert field.value() == 2


@pytest.mark.case(15)
@pytest.mark.parametrize("name", ["d_k", "d_v"])
def test_the_wheel_over_a_field_without_focus_changes_nothing(table, document, post, name):
    field = getattr(table, name)
    at = QPointF(field.rect().center())
    event = QWheelEvent(
        at, field.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(field, event)
    assert document.sentence == post
    assert not field.hasFocus()


# The clipboard


def select(table, top, left, bottom, right):
    model, view = table.model, table.view
    view.setCurrentIndex(model.index(top, left))
    flags = view.selectionModel().SelectionFlag
    selection = type(view.selectionModel().selection())(
        model.index(top, left), model.index(bottom, right)
    )
    view.selectionModel().select(selection, flags.ClearAndSelect)


def test_a_selection_is_copied_as_spreadsheets_take_it(table):
    select(table, 1, 0, 2, 2)
    QTest.keyClick(table.view, Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "cat\t1\t1\nsat\t2\t0\n"


@pytest.mark.case(16)
def test_two_rows_of_two_numbers_pasted_top_left_are_one_step(table, document, post):
    QGuiApplication.clipboard().setText("1\t2\r\n3\t4\r\n")
    go(table, 0, 1)
    QTest.keyClick(table.view, Key.Key_V, CONTROL)
    assert document.sentence.heads[0].query == ((1, 2), (3, 4), (2, 0), (1, 0))
    assert document.undo_stack.count() == 1
    document.undo()
    assert document.sentence == post


@pytest.mark.case(16)
@pytest.mark.parametrize("text", ["1\t2\t3\r\n", "1\t2\r\n3\tx\r\n", "1\n2\n3\n4\n5\n", "\r\n"])
def test_a_block_that_does_not_fit_is_told_and_nothing_is_pasted(table, document, post, said, text):
    QGuiApplication.clipboard().setText(text)
    go(table, 0, 5)
    QTest.keyClick(table.view, Key.Key_V, CONTROL)
    assert document.sentence == post
    assert document.undo_stack.count() == 0
    assert said


@pytest.mark.case(16)
def test_a_picture_is_told_and_nothing_is_pasted(table, document, post, said):
    QGuiApplication.clipboard().setImage(QImage(4, 4, QImage.Format.Format_RGB32))
    go(table, 0, 1)
    QTest.keyClick(table.view, Key.Key_V, CONTROL)
    assert document.sentence == post
    assert "picture" in said[-1]


def test_one_number_pasted_fills_the_selection(table, document):
    QGuiApplication.clipboard().setText("7,5")
    select(table, 0, 1, 1, 2)
    QTest.keyClick(table.view, Key.Key_V, CONTROL)
    assert document.sentence.heads[0].query[:2] == ((7.5, 7.5), (7.5, 7.5))


# What is lit, and what is told of changes


def test_a_cell_under_the_pointer_lights_its_vector(table, state):
    view = table.view
    QTest.mouseMove(view.viewport(), view.visualRect(table.model.index(2, 1)).center())
    assert state.lit == Thing("query", listens=2)
    QTest.mouseMove(view.viewport(), view.visualRect(table.model.index(1, 6)).center())
    assert state.lit == Thing("value", heard=1)


def test_the_keyboard_lights_what_it_is_at_and_lets_go(table, state):
    go(table, 1, 3)
    assert state.lit == Thing("key", heard=1)
    table.d_k.setFocus()
    assert state.lit is None


def test_a_pair_lights_the_query_that_listens_and_the_key_that_is_heard(table, state):
    state.hover(Thing(listens=2, heard=1))
    lit = {(r, c) for r in range(4) for c in range(7) if table.model.is_lit(r, c)}
    assert lit == {(2, 0), (1, 0), (2, 1), (2, 2), (1, 3), (1, 4), (1, 5), (1, 6)}


def test_a_drag_tells_of_the_cells_that_change_and_of_no_others(table, document):
    told = []
    table.model.dataChanged.connect(
        lambda a, b: told.append((a.row(), a.column(), b.row(), b.column()))
    )
    table.model.modelReset.connect(lambda: told.append("reset"))
    document.preview(edits.move_vector(document.kept, 0, "key", 1, (2.5, 0.5)))
    QTest.qWait(2 * CALM)
    document.preview(edits.move_vector(document.kept, 0, "key", 1, (2.5, 0.75)))
    QTest.qWait(2 * CALM)
    document.give_up()
    assert told == [(1, 3, 1, 4), (1, 4, 1, 4), (1, 3, 1, 4)]


@pytest.mark.case(13)
def test_removing_the_word_under_the_pointer_leaves_no_trace(table, document, state):
    view = table.view
    QTest.mouseMove(view.viewport(), view.visualRect(table.model.index(3, 2)).center())
    go(table, 3, 2)
    document.edit(edits.remove_word(document.sentence, 3))
    QTest.mouseMove(view.viewport(), view.visualRect(table.model.index(0, 0)).center())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    QTest.keyRelease(view, Key.Key_Shift)
    assert table.model.rowCount() == 4


@pytest.mark.case(13)
def test_what_is_drawn_before_the_table_hears_of_a_removal_is_what_it_was(table, document):
    table.hide()
    document.replace_all(new_sentence("alone"), None)
    model, header = table.model, table.view.verticalHeader()
    assert model.rowCount() == 5
    for row in range(5):
        assert model.headerData(row, Qt.Orientation.Vertical)
        assert (
            model.headerData(row, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole) or row == 4
        )
        assert model.said(row, 1)
    table.view.horizontalScrollBar().setRange(0, 9)
    table.view.horizontalScrollBar().setValue(5)
    assert header.width() > 0
    table.show()
    assert model.rowCount() == 2


@pytest.mark.parametrize("way", ["undo", "edit"])
def test_what_is_half_typed_when_another_step_comes_is_a_step_after_it(show, way):
    document = Document(new_sentence("a b c"))
    table, start = show(document), document.kept
    document.edit(edits.remove_word(document.sentence, 1))
    go(table, 2, 0)
    QTest.keyClick(table.view, Key.Key_F2)
    QTest.keyClicks(editor_of(table), "zz")
    if way == "undo":
        document.undo()
    else:
        document.edit(edits.add_word(document.sentence, "b", 1))
    assert document.kept.words == ("a", "b", "c", "zz")
    for _ in range(document.undo_stack.count()):
        document.undo()
    assert document.kept == start


def test_it_follows_every_change_of_shape(table, document):
    for edit in (
        lambda s: edits.add_word(s, "x", 1),
        lambda s: edits.set_width(s, 0, ("query", "key"), 5),
        lambda s: edits.remove_word(s, 0),
        lambda s: edits.add_head(s, 0),
        lambda s: edits.set_width(s, 0, ("value",), 1),
        lambda s: edits.move_word(s, 3, 0),
    ):
        document.edit(edit(document.sentence))
        sentence, model = document.sentence, table.model
        head = sentence.heads[document.head]
        assert model.rowCount() == len(sentence.words) + 1
        rows = [(*q, *k, *v) for q, k, v in zip(head.query, head.key, head.value)]
        assert [
            tuple(float(model.typed_text(r, c)) for c in range(1, model.columnCount()))
            for r in range(len(rows))
        ] == rows


def test_a_full_sentence_has_no_row_for_a_new_word(show):
    table = show(Document(new_sentence("w " * 64)))
    assert table.model.rowCount() == 64


def test_every_cell_says_itself(table):
    index = table.model.index(2, 1)
    assert index.data() == "2"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "<p>q1 of sat: 2</p>"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "q1 of sat: 2"


def test_computed_numbers_follow_the_digits_asked_for(show):
    document = Document(edits.set_entries(
        load_preset("two-heads"), 0, "w_query", 0, 0, [[1 / 3]]
    ).sentence)  # fmt: skip
    table = show(document)
    told = []
    table.model.dataChanged.connect(lambda a, b: told.append((a.column(), b.column())))
    document.set_digits(4)
    assert table.model.text(0, 3) == "0.3333"
    assert told == [(0, table.model.columnCount() - 1)]
