import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop import edits
from desktop.document import Document
from desktop.views.heads_view import HeadsView
from engine import attention_of
from engine.notation import write_list
from engine.presets import load_preset
from engine.sentence import checked, joined_output

Key = Qt.Key


@pytest.fixture
def two():
    return Document(load_preset("two-heads"))


@pytest.fixture
def show(qtbot, state):
    def shown(document):
        view = HeadsView(document, state)
        qtbot.addWidget(view)
        view.resize(900, 320)
        view.show()
        view.activateWindow()
        QApplication.processEvents()
        return view

    return shown


@pytest.fixture
def said(state):
    texts = []
    state.announced.connect(texts.append)
    return texts


def matrix(view, name):
    return next(m for m in view.matrices if m.name == name)


def test_every_head_has_a_tab_with_its_name(show, two):
    view = show(two)
    tabs = view.tabs
    assert [tabs.tabText(i) for i in range(tabs.count())] == ["subject", "place"]


def test_a_click_on_a_tab_shows_that_head(show, two, said):
    view = show(two)
    QTest.mouseClick(view.tabs, Qt.MouseButton.LeftButton, pos=view.tabs.tabRect(1).center())
    assert two.head == 1
    assert said[-1].startswith("head place: sat listens most to ")


def test_the_tab_follows_the_document(show, two):
    view = show(two)
    two.set_head(1)
    assert view.tabs.currentIndex() == 1


def test_arrow_keys_go_from_head_to_head(show, two, qtbot):
    view = show(two)
    view.tabs.setFocus()
    qtbot.waitUntil(view.tabs.hasFocus)
    QTest.keyClick(view.tabs, Key.Key_Right)
    assert two.head == 1


def test_each_tab_shows_its_own_weights(show, two, state):
    view = show(two)
    full, ground = state.look.color("weight"), state.look.color("ground")
    for head in (0, 1):
        picture = view.tabs.grab().toImage()
        rect = view.tabs.tabRect(head)
        side, pad = view.tabs._side(), view.tabs._pad()
        weights = attention_of(two.sentence, head).weights
        for row, column in np.ndindex(4, 4):
            x = rect.left() + pad + (column + 0.5) * side / 4
            y = rect.top() + pad + (row + 0.5) * side / 4
            seen = picture.pixelColor(int(x), int(y)).red()
            ought = ground.red() + weights[row, column] * (full.red() - ground.red())
            assert abs(seen - ought) < 2


def test_weights_in_small_are_those_in_force(show, two):
    view = show(two)
    two.edit(edits.set_causal(two.sentence, True))
    for head in (0, 1):
        ought = attention_of(two.sentence, head).weights
        assert np.array_equal(view.tabs._attentions[head].weights, ought)


def test_a_head_is_added_shown_and_removed(show, two):
    view = show(two)
    QTest.mouseClick(view._add, Qt.MouseButton.LeftButton)
    assert [head.name for head in two.sentence.heads] == ["subject", "place", "head 1"]
    assert two.head == 2
    QTest.mouseClick(view._remove, Qt.MouseButton.LeftButton)
    assert len(two.sentence.heads) == 2
    assert view.tabs.count() == 2
    assert two.undo_stack.count() == 2


def test_the_only_head_stays(show, document):
    assert not show(document)._remove.isEnabled()


def test_a_double_click_renames(show, two):
    view = show(two)
    QTest.mouseDClick(view.tabs, Qt.MouseButton.LeftButton, pos=view.tabs.tabRect(0).center())
    editor = view.tabs.editor
    editor.selectAll()
    QTest.keyClicks(editor, "who")
    QTest.keyClick(editor, Key.Key_Return)
    assert two.sentence.heads[0].name == "who"
    assert view.tabs.tabText(0) == "who"
    assert view.tabs.editor is None


@pytest.mark.parametrize("name", ["", "place"])
def test_a_name_that_cannot_be_is_told_and_kept_for_correction(show, two, said, name):
    view = show(two)
    view.tabs.rename(0)
    view.tabs.editor.selectAll()
    QTest.keyClick(view.tabs.editor, Key.Key_Backspace)
    QTest.keyClicks(view.tabs.editor, name)
    QTest.keyClick(view.tabs.editor, Key.Key_Return)
    assert two.sentence.heads[0].name == "subject"
    assert view.tabs.editor.text() == name
    assert "name" in said[-1]
    QTest.keyClick(view.tabs.editor, Key.Key_Escape)
    assert view.tabs.editor is None


def test_the_joined_output_is_the_engines(show, two):
    view = show(two)
    joined, output = joined_output(two.sentence)
    text = view.joining.text
    assert f"{write_list(joined[2, :2])} subject" in text
    assert f"{write_list(joined[2, 2:])} place" in text
    assert f"y(sat) = {write_list(output[2])}" in text
    two.set_focus(1)
    assert f"y(cat) = {write_list(output[1])}" in view.joining.text


def test_a_number_typed_into_w_o_changes_the_joined_output(show, two):
    view = show(two)
    table = matrix(view, "w_output").view
    table.setFocus()
    table.setCurrentIndex(table.table.index(0, 1))
    QTest.keyClicks(table, "3")
    QTest.keyClick(table.viewport().focusWidget() or QApplication.focusWidget(), Key.Key_Return)
    assert two.sentence.w_output[0] == (1, 3)
    assert write_list(joined_output(two.sentence)[1][2]) in view.joining.text
    assert two.undo_stack.count() == 1


@pytest.mark.parametrize("name", ["w_query", "w_key", "w_value"])
def test_the_w_of_a_head_are_shown(show, two, name):
    view = show(two)
    two.set_head(1)
    model = matrix(view, name).model
    rows = getattr(two.sentence.heads[1], name)
    shown = [[float(model.typed_text(r, c)) for c in range(2)] for r in range(2)]
    assert shown == [list(row) for row in rows]


@pytest.mark.case(16)
def test_a_block_too_large_for_w_is_told(show, two, said):
    view = show(two)
    model = matrix(view, "w_query").model
    assert not model.paste_text("1\t2\n3\t4\n5\t6\n", 0, 0)
    assert "3 rows don't fit: there are 2 rows from here on" in said[-1]
    assert model.paste_text("1\t2\n3\t4\n", 0, 0)
    assert two.sentence.heads[0].w_query == ((1, 2), (3, 4))


def test_without_w_it_says_so(show, document):
    view = show(document)
    assert "given outright" in view.joining.text
    assert "nothing has to be joined" in view.joining.text
    assert not any(m.isVisible() for m in view.matrices)


def test_w_come_and_go_with_the_head(show, two):
    view = show(two)
    two.edit(edits.make_free(two.sentence, 0))
    assert not matrix(view, "w_query").isVisible()
    assert matrix(view, "w_output").isVisible()
    two.set_head(1)
    assert matrix(view, "w_query").isVisible()
    two.edit(edits.remove_head(two.sentence, 0))
    two.undo()
    two.edit(edits.set_width(two.sentence, 1, ("value",), 3))
    assert matrix(view, "w_output").model.rowCount() == 5


@pytest.mark.case(15)
def test_the_wheel_over_the_tabs_without_focus_changes_nothing(show, two):
    view = show(two)
    view.matrices[0].view.setFocus()
    at = QPointF(view.tabs.tabRect(0).center())
    event = QWheelEvent(
        at, view.tabs.mapToGlobal(at), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.tabs, event)
    assert two.head == 0


# W_O


@pytest.mark.parametrize("preset", ["the-cat-sat-down", "two-heads"])
def test_a_w_o_can_be_made_and_is_one_step_of_undo(show, said, qtbot, preset):
    sentence = replace(load_preset(preset), w_output=None)
    document = Document(sentence)
    view = show(document)
    assert matrix(view, "w_output").isHidden()
    qtbot.mouseClick(view._join, Qt.MouseButton.LeftButton)
    assert said[-1] == "Join the heads by W_O"
    assert matrix(view, "w_output").isVisible()
    assert document.undo_stack.count() == 1
    document.undo()
    assert document.kept == sentence
    assert view._join.text() == "+ W_O"


def test_to_begin_with_w_o_adds_the_heads_up(show):
    sentence = replace(load_preset("two-heads"), w_output=None)
    joined = edits.join_heads(sentence).sentence
    total = sum(attention_of(sentence, head).output for head in range(len(sentence.heads)))
    width = min(total.shape[1], len(joined.w_output[0]))
    np.testing.assert_allclose(joined_output(joined)[1][:, :width], total[:, :width])


def test_w_o_is_taken_away_by_the_same_button(show, two, qtbot):
    view = show(two)
    if two.kept.w_output is None:
        two.edit(edits.join_heads(two.kept))
    assert view._join.accessibleName() == "take W_O away"
    qtbot.mouseClick(view._join, Qt.MouseButton.LeftButton)
    assert two.kept.w_output is None
    assert matrix(view, "w_output").isHidden()


@pytest.mark.parametrize("head", ["three", "one"])
def test_heads_of_other_widths_can_be_joined(head):
    rows = {"three": (1.0, 2.0, 3.0), "one": (1.0,)}[head]
    first = load_preset().heads[0]
    other = replace(first, name=head, value=(rows,) * 4)
    sentence = replace(load_preset(), heads=(first, other))
    assert checked(edits.join_heads(sentence).sentence).w_output is not None
