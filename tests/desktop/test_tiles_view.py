import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop import edits
from desktop.calculation import Calculation
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.views.tiles_view import TilesView
from desktop.views.tiles_walk import walk
from engine import walk_tiles
from engine.notation import write_list, write_number
from engine.presets import load_preset, preset_names
from engine.sentence import new_sentence

Key = Qt.Key


@pytest.fixture
def show(qtbot, state):
    def shown(document):
        view = TilesView(document, state)
        qtbot.addWidget(view)
        view.resize(900, 260)
        view.show()
        view.activateWindow()
        QApplication.processEvents()
        return view

    return shown


@pytest.fixture
def view(show, document):
    return show(document)


# The walk


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("tile", [(1, 1), (2, 2), (3, 1), (64, 64)])
def test_it_ends_where_the_grid_does(preset, causal, tile):
    calculation = Calculation(edits.set_causal(load_preset(preset), causal).sentence, 0)
    walked = walk(calculation, tile)
    assert walked.is_equal
    np.testing.assert_allclose(walked.output, calculation.attention.output, atol=1e-12)


def test_a_row_that_may_look_at_nothing_ends_at_zero(post):
    for heard in range(4):
        post = edits.allow(post, 1, heard, False).sentence
    walked = walk(Calculation(post, 0), (2, 2))
    assert walked.is_equal
    assert walked.output[1].tolist() == [0, 0]


def test_a_walk_that_ends_elsewhere_is_not_called_equal(post, monkeypatch):
    from desktop.views import tiles_walk

    def wrong(*arguments, **options):
        for step in walk_tiles(*arguments, **options):
            step.output[0] += 1e-6
            yield step

    monkeypatch.setattr(tiles_walk, "walk_tiles", wrong)
    walked = tiles_walk.walk(Calculation(post, 0), (2, 2))
    assert not walked.is_equal
    assert walked.difference > 1e-8


def test_causal_tiles_above_the_diagonal_are_never_visited(post):
    steps = walk(Calculation(edits.set_causal(post, True).sentence, 0), (2, 2)).steps
    assert [(s.queries.start, s.keys.start) for s in steps] == [(0, 0), (2, 0), (2, 2)]


# Stepping


def test_it_begins_with_two_by_two_at_the_first_tile(view):
    assert (view.queries.value(), view.keys.value()) == (2, 2)
    assert view.place.text() == "tile 1 of 4"
    assert not view.back.isEnabled()


def test_buttons_go_on_and_back(view):
    QTest.mouseClick(view.on, Qt.MouseButton.LeftButton)
    QTest.mouseClick(view.on, Qt.MouseButton.LeftButton)
    assert view.place.text() == "tile 3 of 4"
    QTest.mouseClick(view.back, Qt.MouseButton.LeftButton)
    assert view.picture.step == 1
    assert view.slider.value() == 1


def test_arrow_keys_home_and_end_step_too(view):
    view.picture.setFocus()
    for key, step in ((Key.Key_Right, 1), (Key.Key_End, 3), (Key.Key_Left, 2), (Key.Key_Home, 0)):
        QTest.keyClick(view.picture, key)
        assert view.picture.step == step
    QTest.keyClick(view.picture, Key.Key_Left)
    assert view.picture.step == 0


def test_the_slider_steps(view):
    view.slider.setFocus()
    QTest.keyClick(view.slider, Key.Key_Right)
    assert view.picture.step == 1


def test_each_step_says_who_listens_to_whom(view):
    view.picture.go_to(1)
    plain = view.picture.said().replace("\u2068", "").replace("\u2069", "")
    assert plain == "tile 2 of 4: the, cat listen to sat, down; rows done"
    assert view.picture.accessibleDescription() == view.picture.said()


def test_the_end_is_compared_with_the_grid(view):
    assert view.picture.ending() == ""
    view.picture.go_to(3)
    assert view.picture.ending().startswith("Equals the grid's output: largest difference ")


def test_what_is_written_is_what_the_engine_holds(view, document):
    a = document.calculation.attention
    steps = list(walk_tiles(a.query, a.key, a.value, scale=a.scale, tile=(2, 2)))
    view.picture.go_to(2)
    step = steps[2]
    for row in (0, 1):
        assert view.picture._row(view.picture.walked.steps[2], row)[1:4] == (
            write_number(step.maximum[row]),
            write_number(step.total[row]),
            write_list(step.output[row]),
        )
    assert view.picture._row(view.picture.walked.steps[3], 0)[4] == write_list(a.output[2])


def test_another_size_begins_again(view):
    view.picture.go_to(2)
    view.queries.setFocus()
    view.queries.selectAll()
    QTest.keyClicks(view.queries, "1")
    QTest.keyClick(view.queries, Key.Key_Return)
    assert view.place.text() == "tile 1 of 8"


def test_the_step_stays_while_the_document_changes(view, document):
    view.picture.go_to(2)
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 0)))
    document.keep()
    assert view.picture.step == 2
    a = document.calculation.attention
    ought = list(walk_tiles(a.query, a.key, a.value, scale=a.scale, tile=(2, 2)))[2]
    assert np.array_equal(view.picture.walked.steps[2].scores, ought.scores)


@pytest.mark.case(13)
def test_it_follows_every_change_of_shape(view, document):
    view.picture.go_to(3)
    for edit in (
        lambda s: edits.remove_word(s, 3),
        lambda s: edits.set_width(s, 0, ("value",), 5),
        lambda s: edits.remove_word(s, 0),
        lambda s: edits.remove_word(s, 0),
        lambda s: edits.add_word(s, "x"),
    ):
        document.edit(edit(document.sentence))
        QApplication.processEvents()
        view.grab()
        assert view.slider.maximum() == len(view.picture.walked.steps) - 1
        assert view.picture.walked.output.shape == document.calculation.attention.output.shape
    assert view.queries.maximum() == 2


def test_many_tiles_wait_for_the_end_of_a_drag(show):
    document = Document(new_sentence("a b c d e f g h i j k l m n o p"))
    view = show(document)
    before = view.picture.walked
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 0)))
    assert view.picture.walked is before
    document.keep()
    assert view.picture.walked is not before
    ought = document.calculation.attention.output
    np.testing.assert_allclose(view.picture.walked.output, ought, atol=1e-12)


def test_unseen_it_works_nothing_out(document, state, qtbot):
    view = TilesView(document, state)
    qtbot.addWidget(view)
    document.edit(edits.move_vector(document.sentence, 0, "query", 2, (3, 0)))
    assert view.picture._walk is None


def test_a_cell_under_the_pointer_lights_its_pair(view, state):
    box = view.picture._box(slice(2, 3), slice(1, 2))
    QTest.mouseMove(view.picture, box.center().toPoint())
    assert state.lit == Thing("score", listens=2, heard=1)
    state.set_rows_are_queries(False)
    QTest.mouseMove(view.picture, box.center().toPoint() + QPoint(1, 0))
    assert state.lit == Thing("score", listens=1, heard=2)


def test_rows_are_keys_where_the_grids_have_it_so(view, state):
    picture = view.picture
    tile = picture._box(slice(0, 2), slice(2, 4))
    state.set_rows_are_queries(False)
    view.grab()
    turned = picture._box(slice(0, 2), slice(2, 4))
    assert tile.left() > turned.left()
    assert tile.top() < turned.top()


@pytest.mark.parametrize("preset", ["a-huge-value", "a-tie"])
def test_hard_sentences_are_painted_at_every_step(show, preset):
    document = Document(load_preset(preset))
    view = show(document)
    for step in range(len(view.picture.walked.steps)):
        view.picture.go_to(step)
        view.grab()


def test_masked_rows_and_huge_scores_are_painted(show, post):
    for heard in range(4):
        post = edits.allow(post, 1, heard, False).sentence
    post = edits.set_entries(post, 0, "query", 0, 0, [[1e6, -1e6]]).sentence
    post = edits.set_entries(post, 0, "key", 0, 0, [[1e6, -1e6], [1e-300, 0]]).sentence
    view = show(Document(edits.set_causal(post, True).sentence))
    for step in range(len(view.picture.walked.steps)):
        view.picture.go_to(step)
        view.grab()


@pytest.mark.case(15)
@pytest.mark.parametrize("name", ["slider", "queries", "keys"])
def test_the_wheel_over_a_control_without_focus_changes_nothing(view, name):
    control = getattr(view, name)
    view.picture.setFocus()
    before, at = control.value(), QPointF(control.rect().center())
    event = QWheelEvent(
        at, control.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(control, event)
    assert control.value() == before


# Pointer


@pytest.mark.parametrize("rows_are_queries", [True, False])
def test_a_click_on_the_name_of_who_listens_makes_it_the_focus_word(
    view, state, document, qtbot, rows_are_queries
):
    state.set_rows_are_queries(rows_are_queries)
    picture = view.picture
    picture.settle()
    xs, ys = picture._xs, picture._ys
    middle = QPoint(round(xs[0] / 2), round((ys[1] + ys[2]) / 2))
    if not rows_are_queries:
        middle = QPoint(round((xs[1] + xs[2]) / 2), round(ys[0] / 2))
    qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=middle)
    assert document.kept.focus == 1
    assert document.undo_stack.count() == 0


def test_a_click_on_a_cell_keeps_it_lit(view, state, document, qtbot):
    picture = view.picture
    picture.settle()
    box = picture._box(slice(3, 4), slice(1, 2)).center().toPoint()
    qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=box)
    assert state.pinned == Thing("score", listens=3, heard=1)
    assert document.kept.focus == 2


def test_a_click_on_what_is_held_chooses_nothing(view, state, document, qtbot):
    picture = view.picture
    picture.settle()
    beside = QPoint(round(picture._xs[-1]) + 40, round(picture._ys[0]) + 4)
    qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=beside)
    assert state.pinned is None
    assert document.kept.focus == 2
