import pytest
from PySide6.QtCore import Qt

from desktop import edits
from desktop.canvas.gestures import DragTip, PanGround, snapped, turned
from desktop.canvas.keys import moved_by_key
from desktop.canvas.lens import Lens

LENS = Lens(0, 0, 100.0, 400.0, 300.0)
NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@pytest.fixture
def drag(document):
    return DragTip(LENS.pixel(2, 0), document, "query", 2, [2.0, 0.0], (0, 1), LENS)


def _query(document, word=2):
    return document.calculation.attention.query[word].tolist()


def test_a_drag_shows_where_it_is_and_becomes_one_edit(qapp, document, drag, qtbot):
    drag.move(LENS.pixel(2.5, 0.5), LENS)
    assert _query(document) == [2.5, 0.5]
    assert document.undo_stack.count() == 0
    with qtbot.waitSignal(drag.finished):
        drag.release()
    assert document.sentence.heads[0].query[2] == (2.5, 0.5)
    assert document.undo_stack.count() == 1


def test_a_press_that_hardly_moves_is_a_click(qapp, document, drag, qtbot):
    x, y = drag.pressed
    drag.move((x + 1, y + 1), LENS)
    with qtbot.waitSignal(drag.clicked):
        drag.release()
    assert document.before is None
    assert document.undo_stack.count() == 0


def test_a_cancelled_drag_leaves_nothing(qapp, document, drag, qtbot):
    drag.move(LENS.pixel(0, 1), LENS)
    with qtbot.waitSignal(drag.cancelled):
        drag.cancel()
    assert _query(document) == [2.0, 0.0]
    assert not document.is_dirty
    drag.move(LENS.pixel(1, 1), LENS)
    assert document.before is None


@pytest.mark.case(11)
def test_a_drag_back_to_the_start_leaves_the_document_unmodified(qapp, document, drag):
    start = drag.pressed
    for at in (LENS.pixel(1, 1), LENS.pixel(-2, 1), start):
        drag.move(at, LENS)
    drag.release()
    assert document.undo_stack.count() == 0
    assert not document.is_dirty


def test_a_tip_grabbed_off_its_middle_does_not_jump(qapp, document):
    x, y = LENS.pixel(2, 0)
    drag = DragTip((x + 7, y - 4), document, "query", 2, [2.0, 0.0], (0, 1), LENS)
    drag.move((x + 7 + 30, y - 4), LENS)
    assert _query(document) == [2.3, 0.0]


def test_a_drag_along_one_axis_leaves_all_digits_of_the_other(qapp, document):
    document.edit(edits.move_vector(document.sentence, 0, "query", 2, (2.0, 0.123456)))
    drag = DragTip(LENS.pixel(2, 0), document, "query", 2, [2.0, 0.123456], (0, 1), LENS)
    drag.move(LENS.pixel(3, 0), LENS)
    assert _query(document) == [3.0, 0.123456]


def test_a_drag_writes_no_more_digits_than_a_pixel_shows(qapp, document, drag):
    drag.move((333.3333, 77.7777), LENS)
    assert all(number == round(number, 2) for number in _query(document))


def test_a_drag_snaps_to_multiples_of_a_step(qapp, document, drag):
    drag.move(LENS.pixel(1.3, 0.8), LENS, step=0.5)
    assert _query(document) == [1.5, 1.0]


def test_other_components_than_those_dragged_stay(qapp, document):
    document.edit(edits.set_width(document.sentence, 0, ("query", "key"), 3))
    document.edit(edits.move_vector(document.sentence, 0, "query", 2, (2.0, 0.0, 7.0)))
    drag = DragTip(LENS.pixel(0, 2), document, "query", 2, [2.0, 0.0, 7.0], (1, 0), LENS)
    drag.move(LENS.pixel(1, 3), LENS)
    assert _query(document) == [3.0, 1.0, 7.0]


def test_the_ground_goes_with_the_pointer(qapp, qtbot):
    pan = PanGround((100, 100), LENS)
    with qtbot.waitSignal(pan.moved) as moved:
        pan.move((150, 80), LENS)
    vector = LENS.vector((100, 100))
    assert moved.args[0].pixel(*vector) == pytest.approx((150, 80))


@pytest.mark.parametrize(
    ("modifiers", "step"),
    [(NONE, 0.1), (SHIFT, 1.0), (CTRL, 0.01)],
)
def test_arrow_keys_move_by_a_tenth_or_tenfold_or_a_tenth_of_that(modifiers, step):
    assert moved_by_key([2, 0], Qt.Key.Key_Right, modifiers) == [2 + step, 0]
    assert moved_by_key([2, 0], Qt.Key.Key_Down, modifiers) == [2, -step]


def test_ten_steps_of_a_tenth_are_one():
    vector = [0.0, 0.0]
    for _ in range(10):
        vector = moved_by_key(vector, Qt.Key.Key_Up, NONE)
    assert vector == [0.0, 1.0]


def test_alt_turns_and_stretches():
    alt = Qt.KeyboardModifier.AltModifier
    vector = [2.0, 0.0]
    for _ in range(18):
        vector = moved_by_key(vector, Qt.Key.Key_Left, alt)
    assert vector == pytest.approx([0.0, 2.0], abs=1e-6)
    assert moved_by_key([2.0, 1.0], Qt.Key.Key_Up, alt) == pytest.approx([2.2, 1.1])


def test_other_keys_move_nothing():
    assert moved_by_key([2, 0], Qt.Key.Key_A, NONE) is None


def test_a_quarter_turn_has_no_crumbs():
    assert turned([2.0, 0.0], 90.0) == [0.0, 2.0]


def test_snapping_is_exact():
    assert snapped(0.30000000000000004, 0.1) == 0.3
    assert str(snapped(-0.001, 0.5)) == "0.0"
