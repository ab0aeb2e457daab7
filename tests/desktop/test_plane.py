import gc
import weakref

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget

from desktop import edits
from desktop.canvas.arrows import Arrow, lights, spoken
from desktop.canvas.plane import CopyPlane, LookPlane
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.theme import Look
from desktop.view_state import ViewState
from engine import convex_hull, project
from engine.palette import THEMES, contrast
from engine.presets import load_preset
from engine.sentence import new_sentence

LEFT = Qt.MouseButton.LeftButton
Q_SAT, K_CAT, K_SAT = Arrow("query", 2), Arrow("key", 1), Arrow("key", 2)


class Planes:
    """Both planes in a window of their own, and hands to work them with."""

    def __init__(self, qtbot, document, state):
        self.document, self.state = document, state
        self.window = QWidget()
        qtbot.addWidget(self.window)
        layout = QHBoxLayout(self.window)
        layout.setContentsMargins(0, 0, 0, 0)
        self.look = LookPlane(document, state, self.window)
        self.copy = CopyPlane(document, state, self.window)
        layout.addWidget(self.look)
        layout.addWidget(self.copy)
        self.window.resize(946, 330)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitActive(self.window)
        self.said = []
        state.announced.connect(self.said.append)
        QApplication.processEvents()

    def tip(self, arrow, plane=None):
        return QPointF(*(plane or self.look).drawn[arrow][1])

    def press(self, at, plane=None):
        self._send(QEvent.Type.MouseButtonPress, at, plane, LEFT)

    def double(self, at, plane=None):
        self._send(QEvent.Type.MouseButtonDblClick, at, plane, LEFT)

    def move(self, at, plane=None, *, held=True, modifiers=Qt.KeyboardModifier.NoModifier):
        self._send(QEvent.Type.MouseMove, at, plane, None, held, modifiers)

    def release(self, at, plane=None):
        self._send(QEvent.Type.MouseButtonRelease, at, plane, LEFT, False)

    def click(self, at, plane=None):
        self.press(at, plane)
        self.release(at, plane)

    def drag(self, start, *ways, plane=None):
        self.press(start, plane)
        for at in ways:
            self.move(at, plane)
        self.release(ways[-1], plane)

    def at(self, x, y, plane=None):
        return QPointF(*(plane or self.look).surface.lens.pixel(x, y))

    def key(self, key, modifiers=Qt.KeyboardModifier.NoModifier, plane=None):
        QTest.keyClick((plane or self.look).surface, key, modifiers)

    def _send(
        self, kind, at, plane, button, held=True, modifiers=Qt.KeyboardModifier.NoModifier
    ):  # fmt: skip
        viewport = (plane or self.look).surface
        event = QMouseEvent(
            kind,
            at,
            QPointF(viewport.mapToGlobal(at.toPoint())),
            button or Qt.MouseButton.NoButton,
            LEFT if held else Qt.MouseButton.NoButton,
            modifiers,
        )
        QApplication.sendEvent(viewport, event)


@pytest.fixture
def planes(qtbot, document, state):
    state.set_reduced_motion(True)
    made = Planes(qtbot, document, state)
    yield made
    made.window.close()


def _query(document, word=2):
    return document.sentence.heads[0].query[word]


# What is shown


def test_one_word_shows_its_query_all_keys_all_values_and_its_output(planes):
    assert set(planes.look.tips) == {Q_SAT, *(Arrow("key", j) for j in range(4))}
    assert set(planes.copy.tips) == {Arrow("output", 2), *(Arrow("value", j) for j in range(4))}


def test_all_words_show_every_arrow_in_reading_order(planes):
    planes.state.set_level("all")
    roles = [(arrow.word, arrow.role) for arrow in planes.look.tips]
    assert roles == [(word, role) for word in range(4) for role in ("query", "key")]


def test_a_layer_can_be_hidden(planes):
    planes.state.set_layer("keys", False)
    assert set(planes.look.tips) == {Q_SAT}
    assert planes.look.feet == {}


def test_arrows_end_where_the_engine_says(planes):
    lens, attention = planes.copy.surface.lens, planes.document.calculation.attention
    x, y = planes.copy.drawn[Arrow("output", 2)][1]
    assert lens.vector((x, y)) == pytest.approx(attention.output[2].tolist())


def test_feet_are_the_engines_projections(planes):
    attention, lens = planes.document.calculation.attention, planes.look.surface.lens
    feet = project(attention.key, attention.query[2])
    for word in range(4):
        assert planes.look.feet[word] == pytest.approx(lens.pixel(*feet[word]))


def test_the_hull_is_that_of_the_values_the_focus_word_can_see(planes):
    planes.document.edit(edits.allow(planes.document.sentence, 2, 1, False))
    value = planes.document.calculation.attention.value[[0, 2, 3]]
    lens = planes.copy.surface.lens
    corners = lens.pixels(value[convex_hull(value)])
    shown = planes.copy._hull_item._polygon
    assert [point.toTuple() for point in shown] == [pytest.approx(at) for at in corners.tolist()]


def test_weighted_values_head_to_tail_end_at_the_output(planes):
    joints = planes.copy._mixture_item._joints
    assert joints[-1].toTuple() == pytest.approx(planes.copy.drawn[Arrow("output", 2)][1])


def test_both_axes_have_one_scale(planes):
    for plane in (planes.look, planes.copy):
        lens = plane.surface.lens
        (x, y), right, up = lens.pixel(0, 0), lens.pixel(1, 0), lens.pixel(0, 1)
        assert right == pytest.approx((x + lens.scale, y))
        assert up == pytest.approx((x, y - lens.scale))


def test_the_queries_of_the_post_are_beside_the_keys_they_lie_on(planes):
    (_, query), (_, key) = planes.look.drawn[Q_SAT], planes.look.drawn[K_CAT]
    assert query != key
    assert np.hypot(query[0] - key[0], query[1] - key[1]) == pytest.approx(5.0)


def _boxes_overlap(boxes):
    boxes = list(boxes)
    return any(
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
        for i, one in enumerate(boxes)
        for other in boxes[:i]
    )


@pytest.mark.parametrize("size", [1.0, 2.5])
def test_names_overlap_at_no_text_size(planes, size):
    planes.state.set_look(Look(text_size=size))
    planes.state.set_level("everything")
    for plane in (planes.look, planes.copy):
        boxes = plane._names.boxes()
        assert len(boxes) > 4
        assert not _boxes_overlap(boxes.values())


@pytest.mark.parametrize("power", np.linspace(-6, 6, 31).tolist())
def test_numbers_of_the_axes_never_collide(planes, power):
    planes.look.surface.zoom(10**power)
    numbers = planes.look._numbers.numbers
    assert len(numbers) >= 2
    boxes = [
        (box.left(), box.top(), box.right(), box.bottom()) for box, text in numbers
    ]  # fmt: skip
    assert not _boxes_overlap(boxes)


def test_of_sixty_four_words_only_the_lit_and_the_focus_word_have_names(qtbot, state):
    sentence = new_sentence(" ".join(f"w{i}" for i in range(64)))
    state.set_level("everything")
    planes = Planes(qtbot, Document(sentence), state)
    assert set(planes.look._names.boxes()) == {Arrow("query", 0)}
    state.hover(Thing("key", heard=5))
    assert Arrow("key", 5) in planes.look._names.boxes()
    planes.window.close()


@pytest.mark.parametrize("theme", list(THEMES))
def test_dimmed_arrows_keep_three_to_one(planes, theme):
    planes.state.set_look(Look(THEMES[theme]))
    for role in ("query", "key", "value", "output"):
        dimmed = planes.look._inks.color(role, "dim").name()
        assert contrast(dimmed, THEMES[theme].ground) >= 3


@pytest.mark.parametrize("role", ["query", "key", "value"])
def test_lines_are_twice_as_wide_where_a_pixel_is_two(planes, role):
    assert not planes.look._inks.pen(role).isCosmetic()


def test_nothing_is_drawn_anew_while_hidden(planes):
    planes.look.hide()
    before = planes.look.tips
    planes.document.edit(edits.move_vector(planes.document.sentence, 0, "query", 2, (1, 1)))
    assert planes.look.tips is before
    planes.look.show()
    assert planes.look.tips[Q_SAT] == (1, 1)


# Extremes


def _with_all(vector):
    post = load_preset()
    rows = (tuple(map(float, vector)),) * 4
    return replace(post, heads=(replace(post.heads[0], query=rows, key=rows, value=rows),))


@pytest.mark.case(2)
@pytest.mark.parametrize("vector", [(1e6, 1e6), (1e-300, 1e-300), (0, 0), (-1e6, 1e-300)])
def test_equal_huge_tiny_and_zero_vectors_fit_and_can_be_dragged(qtbot, state, vector):
    document = Document(_with_all(vector))
    state.set_level("everything")
    planes = Planes(qtbot, document, state)
    planes.window.grab()
    tip = planes.tip(Q_SAT)
    assert planes.look.rect().contains(tip.toPoint())
    planes.drag(tip, tip - QPointF(15, 10), tip - QPointF(30, 20))
    assert document.undo_stack.undoText() == "Move query of sat"
    planes.window.close()


@pytest.mark.case(4)
def test_a_zero_query_is_a_dot_that_can_be_grabbed(planes):
    planes.document.edit(edits.move_vector(planes.document.sentence, 0, "query", 2, (0, 0)))
    item = planes.look._items[Q_SAT]
    assert item._head is None
    assert item._dot > 0
    assert planes.look.feet == {}
    planes.drag(planes.tip(Q_SAT), planes.at(0.5, 0.5), planes.at(1, 1))
    assert _query(planes.document) == (1.0, 1.0)


@pytest.mark.parametrize("words", ["猫 القط naïve 😀", "a\u0301 שלום <b>&amp; ffi", "W" * 60])
def test_any_words_are_drawn_and_none_is_cut_at_the_edge(qtbot, state, words):
    planes = Planes(qtbot, Document(new_sentence(words)), state)
    state.set_level("everything")
    for box in planes.look._names.boxes().values():
        assert box[0] >= 0
        assert box[2] <= planes.look.width()
    planes.window.close()


# Dragging


@pytest.mark.case(11)
def test_a_drag_of_two_hundred_moves_is_one_step(planes):
    start = planes.tip(Q_SAT)
    ways = [start - QPointF(i / 2, i / 4) for i in range(200)]
    planes.drag(start, *ways)
    assert planes.document.undo_stack.count() == 1
    planes.document.undo()
    assert _query(planes.document) == (2.0, 0.0)


@pytest.mark.case(11)
def test_a_click_without_movement_is_no_step(planes):
    planes.click(planes.tip(Q_SAT))
    assert planes.document.undo_stack.count() == 0
    assert planes.document.before is None
    assert planes.state.pinned == Q_SAT.thing


@pytest.mark.case(11)
def test_a_drag_back_to_the_start_leaves_the_document_unmodified(planes):
    start = planes.tip(Q_SAT)
    planes.drag(start, start + QPointF(40, -60), start)
    assert not planes.document.is_dirty


def test_the_tip_follows_the_pointer(planes):
    grip = planes.tip(Q_SAT) - planes.at(2, 0)
    planes.press(planes.tip(Q_SAT))
    planes.move(planes.at(1, 1) + grip)
    assert planes.document.calculation.attention.query[2].tolist() == [1.0, 1.0]
    planes.release(planes.at(1, 1) + grip)


def test_a_drag_shows_the_state_before_as_a_ghost_until_release(planes):
    planes.press(planes.tip(Q_SAT))
    planes.move(planes.at(1, 1))
    assert list(planes.look._ghosts._items) == [Q_SAT]
    assert list(planes.copy._ghosts._items) == [Arrow("output", 2)]
    planes.release(planes.at(1, 1))
    assert not planes.look._ghosts._items
    assert not planes.copy._ghosts._items


def test_the_view_does_not_rescale_in_a_drag(planes):
    scale = planes.look.surface.lens.scale
    planes.press(planes.tip(Q_SAT))
    planes.move(planes.at(2.2, 1.9))
    assert planes.look.surface.lens.scale == scale
    planes.release(planes.at(2.2, 1.9))


def test_the_picture_follows_a_tip_that_leaves_it(planes, qtbot):
    planes.press(planes.tip(Q_SAT))
    outside = QPointF(planes.look.width() + 60, 150)
    planes.move(outside)
    x = planes.look.surface.lens.x
    qtbot.waitUntil(lambda: planes.look.surface.lens.x > x + 0.1, timeout=2000)
    assert planes.document.calculation.attention.query[2][0] > 3
    planes.release(outside)
    assert not planes.look._follow.isActive()


@pytest.mark.case(12)
@pytest.mark.parametrize("how", ["escape", "undo", "remove", "paste", "focus", "dialog", "hide"])
def test_whatever_comes_in_mid_drag_ends_it_cleanly(planes, qtbot, how):
    document = planes.document
    planes.press(planes.tip(Q_SAT))
    planes.move(planes.at(1, 1))
    assert document.before is not None
    if how == "escape":
        planes.key(Qt.Key.Key_Escape)
    elif how == "undo":
        document.undo()
    elif how == "remove":
        document.edit(edits.remove_word(document.kept, 2))
    elif how == "paste":
        document.edit(edits.set_entries(document.kept, 0, "key", 0, 0, [[5, 5]]))
    elif how == "focus":
        planes.copy.surface.setFocus()
    elif how == "dialog":
        planes.look.surface.clearFocus()
        planes.press(planes.tip(Q_SAT))
        planes.move(planes.at(1, 1))
        QApplication.sendEvent(planes.look, QEvent(QEvent.Type.WindowBlocked))
    else:
        planes.look.hide()
    assert document.before is None
    planes.move(planes.at(0, 1))
    planes.release(planes.at(0, 1))
    assert document.before is None
    steps = 1 if how in ("remove", "paste") else 0
    assert document.undo_stack.count() == steps
    if how != "remove":
        assert _query(document) == (2.0, 0.0)


@pytest.mark.case(12)
def test_an_edit_between_press_and_drag_ends_the_press(planes):
    document = planes.document
    planes.press(planes.tip(Q_SAT))
    document.edit(edits.set_width(document.sentence, 0, ("query", "key"), 1))
    planes.move(planes.at(1, 1))
    planes.release(planes.at(1, 1))
    assert document.undo_stack.count() == 1


@pytest.mark.case(12)
def test_a_tip_let_go_where_nobody_told_us_is_stuck_to_nothing(planes):
    planes.press(planes.tip(Q_SAT))
    planes.move(planes.at(1, 1))
    planes.move(planes.at(0, 1), held=False)
    assert planes.document.before is None
    planes.move(planes.at(1, 0), held=False)
    assert planes.document.undo_stack.count() == 0
    assert _query(planes.document) == (2.0, 0.0)


@pytest.mark.case(13)
def test_a_word_removed_under_the_pointer_breaks_nothing(planes):
    document = planes.document
    at = planes.tip(Arrow("key", 3))
    planes.move(at, held=False)
    assert planes.state.lit == Thing("key", heard=3)
    document.edit(edits.remove_word(document.sentence, 3))
    planes.move(at, held=False)
    planes.click(at)
    QTest.keyRelease(planes.look.surface, Qt.Key.Key_Right)
    assert planes.state.lit is None


@pytest.mark.case(13)
def test_the_taken_arrow_goes_with_its_word(planes):
    planes.click(planes.tip(Arrow("key", 3)))
    document = planes.document
    document.edit(edits.remove_word(document.sentence, 3))
    assert planes.look.taken is None
    planes.key(Qt.Key.Key_Right)
    assert document.undo_stack.count() == 1


def test_shift_snaps_a_drag_to_halves_of_the_grid_and_says_so(planes):
    planes.press(planes.tip(Q_SAT))
    planes.move(planes.at(1.1, 0.9), modifiers=Qt.KeyboardModifier.ShiftModifier)
    step = planes.look.half_a_line
    assert all(
        x / step == pytest.approx(round(x / step))
        for x in planes.document.calculation.attention.query[2]
    )
    assert "in steps of 0.25" in planes.said[-1]
    planes.release(planes.at(1.1, 0.9))


def test_a_drag_snaps_where_snap_is_set(planes):
    planes.state.set_snap(1.0)
    planes.drag(planes.tip(Q_SAT), planes.at(1.2, 0.8))
    assert _query(planes.document) == (1.0, 1.0)


@pytest.mark.parametrize("arrow", [Arrow("output", 2)])
def test_an_output_cannot_be_dragged_and_says_why(planes, arrow):
    tip = planes.tip(arrow, planes.copy)
    planes.drag(tip, tip + QPointF(40, -40), plane=planes.copy)
    assert planes.document.undo_stack.count() == 0
    assert any("weighted mixture" in text for text in planes.said)


# Piles


def test_the_focus_words_query_is_grabbed_before_the_key_it_lies_on(planes):
    planes.drag(planes.tip(K_CAT), planes.at(1, 1))
    assert planes.document.undo_stack.undoText() == "Move query of sat"


def test_a_second_click_takes_the_next(planes):
    at = planes.at(2, 0)
    planes.click(at)
    assert planes.look.taken == Q_SAT
    planes.click(at)
    assert planes.look.taken == K_CAT
    planes.drag(at, planes.at(1, 1))
    assert planes.document.undo_stack.undoText() == "Move key of cat"


def test_tab_takes_the_next_of_a_pile(planes):
    planes.click(planes.at(2, 0))
    planes.key(Qt.Key.Key_Tab)
    assert planes.look.taken == K_CAT
    planes.drag(planes.at(2, 0), planes.at(1, 1))
    assert planes.document.undo_stack.undoText() == "Move key of cat"


# Pointing


def test_pointing_at_an_arrow_lights_it_and_reads_it_out(planes):
    planes.move(planes.tip(Q_SAT), held=False)
    assert planes.state.lit == Thing("query", listens=2)
    assert planes.said[-1] == (
        "q(sat) = (2.00, 0.00)   drag, or arrow keys · Shift ×10 · Ctrl ÷10 · Alt turns"
    )
    planes.move(planes.tip(Arrow("value", 1), planes.copy), planes.copy, held=False)
    assert planes.state.lit == Thing("value", heard=1)


def test_pointing_at_a_foot_lights_the_score(planes):
    planes.move(QPointF(*planes.look.feet[2]), held=False)
    assert planes.state.lit == Thing("score", listens=2, heard=2)


def test_leaving_the_plane_lights_nothing(planes):
    planes.move(planes.tip(Q_SAT), held=False)
    QApplication.sendEvent(planes.look.surface, QEvent(QEvent.Type.Leave))
    assert planes.state.lit is None


@pytest.mark.parametrize(
    ("lit", "arrow", "is_lit"),
    [
        (Thing("query", listens=2), Q_SAT, True),
        (Thing("query", listens=2), Arrow("query", 1), False),
        (Thing("query", listens=2), Arrow("output", 2), False),
        (Thing("softmax", listens=2, heard=1), K_CAT, True),
        (Thing("softmax", listens=2, heard=1), Arrow("value", 1), True),
        (Thing("score", listens=2, heard=1), Arrow("value", 1), False),
        (Thing("", heard=1), K_CAT, True),
        (Thing("key"), K_SAT, True),
    ],
)
def test_what_is_lit_elsewhere_lights_its_arrows(lit, arrow, is_lit):
    assert lights(lit, arrow) == is_lit


def test_what_belongs_to_no_arrow_here_dims_none(planes):
    planes.state.hover(Thing("value", heard=1))
    assert planes.look._strengths()[K_CAT] == "plain"
    assert planes.copy._strengths()[Arrow("value", 0)] == "dim"


# Keys


def test_tab_goes_through_the_arrows_and_out(planes):
    planes.look.focus_first()
    assert planes.look.taken == Q_SAT
    taken = [planes.look.taken]
    for _ in range(2):
        planes.key(Qt.Key.Key_Tab)
        taken.append(planes.look.taken)
    assert taken == [Q_SAT, K_SAT, Arrow("key", 3)]
    planes.key(Qt.Key.Key_Tab)
    assert planes.copy.surface.hasFocus()
    assert planes.copy.taken == Arrow("value", 0)
    planes.key(Qt.Key.Key_Backtab, plane=planes.copy)
    assert planes.look.surface.hasFocus()


def test_arrow_keys_move_the_arrow_and_are_one_step(planes):
    planes.look.focus_first()
    for _ in range(3):
        planes.key(Qt.Key.Key_Up)
    planes.key(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    planes.key(Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert _query(planes.document) == (2.99, 0.3)
    assert planes.document.undo_stack.count() == 1


def test_another_visit_is_another_step(planes):
    planes.look.focus_first()
    planes.key(Qt.Key.Key_Up)
    planes.key(Qt.Key.Key_Tab)
    planes.key(Qt.Key.Key_Backtab)
    planes.key(Qt.Key.Key_Up)
    assert planes.document.undo_stack.count() == 2


def test_escape_takes_back_what_the_keys_did(planes):
    planes.look.focus_first()
    planes.key(Qt.Key.Key_Up)
    planes.key(Qt.Key.Key_Up)
    planes.key(Qt.Key.Key_Escape)
    assert _query(planes.document) == (2.0, 0.0)
    assert not planes.document.is_dirty


def test_escape_takes_back_no_drag_from_before(planes):
    planes.drag(planes.tip(Q_SAT), planes.at(1, 1))
    planes.key(Qt.Key.Key_Escape)
    assert planes.document.undo_stack.index() == 1


def test_escape_takes_back_only_this_visit(planes):
    planes.look.focus_first()
    planes.key(Qt.Key.Key_Up)
    planes.key(Qt.Key.Key_Tab)
    planes.key(Qt.Key.Key_Backtab)
    planes.key(Qt.Key.Key_Escape)
    assert _query(planes.document) == (2.0, 0.1)


def test_escape_after_a_drag_leaves_what_the_keys_did_before_it(planes):
    planes.look.focus_first()
    planes.key(Qt.Key.Key_Up)
    planes.drag(planes.tip(Q_SAT), planes.at(1, 1))
    planes.key(Qt.Key.Key_Escape)
    assert planes.document.undo_stack.index() == 2


def test_space_pins_and_enter_makes_the_focus_word(planes):
    planes.look.focus_first()
    planes.key(Qt.Key.Key_Tab)
    planes.key(Qt.Key.Key_Tab)
    planes.key(Qt.Key.Key_Space)
    assert planes.state.pinned == Thing("key", heard=3)
    planes.key(Qt.Key.Key_Return)
    assert planes.document.sentence.focus == 3
    assert not planes.document.is_dirty


def test_a_held_key_speaks_once_at_rest(planes, qtbot):
    planes.look.focus_first()
    qtbot.wait(400)
    planes.said.clear()
    for _ in range(10):
        planes.key(Qt.Key.Key_Up)
    assert planes.said == []
    qtbot.waitUntil(lambda: bool(planes.said), timeout=2000)
    qtbot.wait(400)
    assert planes.said == [spoken(planes.document.calculation, Q_SAT)]


def test_an_arrow_is_spoken_of_in_words(document):
    assert spoken(document.calculation, Q_SAT) == "query of sat 2, 0; cat 73 %"
    assert spoken(document.calculation, K_CAT) == "key of cat 2, 0; sat listens 73 %"


def test_the_keyboards_arrow_has_a_ring_while_it_has_the_focus(planes):
    planes.look.focus_first()
    assert planes.look._ring.is_shown
    planes.copy.surface.setFocus()
    assert not planes.look._ring.is_shown


# Zoom and fit


def _wheel(planes, at, turned):
    viewport = planes.look.surface
    event = QWheelEvent(
        at,
        QPointF(viewport.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def test_the_wheel_zooms_around_the_pointer_and_f_fits_again(planes):
    fitted = planes.look.surface.lens
    at = QPointF(200, 100)
    vector = fitted.vector(at.toTuple())
    _wheel(planes, at, 240)
    assert planes.look.surface.lens.scale > fitted.scale
    assert planes.look.surface.lens.vector(at.toTuple()) == pytest.approx(vector)
    planes.look.surface.setFocus()
    planes.key(Qt.Key.Key_F)
    assert planes.look.surface.lens.scale == pytest.approx(fitted.scale)


def test_plus_and_minus_zoom(planes):
    scale = planes.look.surface.lens.scale
    planes.look.surface.setFocus()
    planes.key(Qt.Key.Key_Plus)
    assert planes.look.surface.lens.scale == pytest.approx(scale * 1.25)
    planes.key(Qt.Key.Key_Minus)
    assert planes.look.surface.lens.scale == pytest.approx(scale)


def test_a_pinch_zooms(planes):
    viewport = planes.look.surface
    at = QPointF(200, 100)
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        at,
        at,
        QPointF(viewport.mapToGlobal(at.toPoint())),
        0.5,
        QPointF(),
    )
    scale = planes.look.surface.lens.scale
    QApplication.sendEvent(viewport, event)
    assert planes.look.surface.lens.scale == pytest.approx(scale * 1.5)


def test_where_nothing_is_in_sight_it_says_how_to_come_back(planes):
    planes.look.surface.zoom(2000)
    assert planes.look._more.text() == "nothing in sight: F fits"
    planes.look.fit()
    assert planes.look._more.text() == ""


def test_the_ground_can_be_pushed_and_a_double_click_fits(planes):
    ground = QPointF(400, 60)
    before = planes.look.surface.lens
    planes.drag(ground, ground + QPointF(50, 30))
    assert planes.look.surface.lens.pixel(0, 0)[0] == pytest.approx(before.pixel(0, 0)[0] + 50)
    assert planes.document.undo_stack.count() == 0
    planes.double(ground)
    planes.release(ground)
    assert planes.look.surface.lens.pixel(0, 0) == pytest.approx(before.pixel(0, 0))


def test_another_sentence_is_fitted_even_where_one_had_zoomed(planes):
    planes.look.surface.zoom(30)
    planes.document.replace_all(_with_all((100, 50)), None)
    assert planes.look.rect().contains(planes.tip(Q_SAT).toPoint())


def test_the_first_edit_leaves_the_view_where_it_is(planes):
    planes.look.surface.zoom(0.5)
    lens = planes.look.surface.lens
    planes.drag(planes.tip(Q_SAT), planes.at(1, 1))
    assert planes.look.surface.lens == lens


def test_a_sentence_opened_while_hidden_is_fitted_when_shown(planes):
    planes.look.surface.zoom(30)
    planes.look.hide()
    planes.document.replace_all(_with_all((100, 50)), None)
    planes.look.show()
    assert planes.look.rect().contains(planes.tip(Q_SAT).toPoint())


def test_the_first_drag_of_another_sentence_does_not_rescale(planes):
    planes.document.replace_all(new_sentence("one two"), None)
    scale = planes.look.surface.lens.scale
    planes.press(planes.tip(Arrow("query", 0)))
    planes.move(planes.at(0.2, 0.2))
    assert planes.look.surface.lens.scale == scale
    planes.release(planes.at(0.2, 0.2))


def test_a_fit_on_its_way_arrives(planes, qtbot):
    planes.state.set_reduced_motion(False)
    fitted = planes.look.surface.lens
    planes.look.surface.zoom(5)
    planes.look.fit()
    qtbot.waitUntil(lambda: planes.look.surface.lens == fitted, timeout=2000)


def test_numbers_typed_elsewhere_stay_in_view(planes):
    planes.document.edit(edits.move_vector(planes.document.sentence, 0, "key", 0, (50, 3)))
    assert planes.look.rect().contains(planes.tip(Arrow("key", 0)).toPoint())


# Other numbers of entries


def test_of_many_entries_two_are_shown_without_feet(planes):
    document = planes.document
    document.edit(edits.set_width(document.sentence, 0, ("query", "key"), 8))
    assert planes.look.chooser.isVisible()
    assert planes.look.feet == {}
    assert not planes.copy.chooser.isVisible()
    vector = [0, 0, 0, 3, 0, 0, 0, 1]
    document.edit(edits.move_vector(document.sentence, 0, "query", 2, vector))
    planes.look.show_components((3, 7))
    assert planes.look.tips[Q_SAT] == (3, 1)
    assert planes.said[-1] == "Shown: components 4 and 8 of 8"
    planes.drag(planes.tip(Q_SAT), planes.at(1, 2))
    assert document.sentence.heads[0].query[2] == (0, 0, 0, 1, 0, 0, 0, 2)


def test_choosing_the_same_entry_twice_changes_their_places(planes):
    planes.document.edit(edits.set_width(planes.document.sentence, 0, ("query", "key"), 8))
    chooser = planes.look.chooser
    chooser.second.setCurrentIndex(0)
    chooser.second.activated.emit(0)
    assert planes.look.components == (1, 0)


def test_fewer_entries_than_were_shown_show_the_first_two(planes):
    document = planes.document
    document.edit(edits.set_width(document.sentence, 0, ("query", "key"), 8))
    planes.look.show_components((3, 7))
    document.undo()
    assert planes.look.components == (0, 1)
    assert planes.look.tips[Q_SAT] == (2, 0)


def test_one_entry_is_drawn_on_a_line_with_a_lane_an_arrow(planes):
    document = planes.document
    document.edit(edits.set_width(document.sentence, 0, ("query", "key"), 1))
    rows = [tip[1] for _, tip in planes.look.drawn.values()]
    assert len(set(rows)) == len(rows)
    tip = planes.tip(Q_SAT)
    planes.drag(tip, QPointF(planes.at(1, 0).x(), tip.y() + 20))
    assert _query(document) == (1.0,)


# Heads made by W


@pytest.fixture
def made(qtbot, state):
    planes = Planes(qtbot, Document(load_preset("two-heads")), state)
    yield planes
    planes.window.close()


def test_arrows_made_by_w_are_locked_and_offer_to_be_made_free(made):
    arrow = Arrow("query", made.document.sentence.focus)
    tip = made.tip(arrow)
    made.drag(tip, tip + QPointF(-40, -40))
    assert made.document.undo_stack.count() == 0
    assert "made by W" in " ".join(made.said)
    assert made.look.free.isVisible()
    QTest.mouseClick(made.look.free, LEFT)
    assert made.document.sentence.heads[0].query is not None
    assert not made.look.free.isVisible()
    made.drag(made.tip(arrow), made.tip(arrow) + QPointF(-40, -40))
    assert made.document.undo_stack.count() == 2


@pytest.mark.case(12)
def test_a_locked_arrow_that_goes_between_press_and_drag_breaks_nothing(made):
    document = made.document
    at = made.tip(Arrow("key", 3))
    made.press(at)
    document.edit(edits.remove_word(document.kept, 3))
    made.move(at + QPointF(30, 0))
    made.release(at + QPointF(30, 0))
    assert not made.look.free.isVisible()


# Menu and typing


def _texts(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_the_menu_of_an_arrow(planes):
    menu = planes.look.open_menu(K_CAT, QPoint(10, 10))
    assert _texts(menu) == ["Make focus word", "Type numbers…", "Pin"]
    menu.actions()[0].trigger()
    menu.close()
    assert planes.document.sentence.focus == 1


def test_the_menu_of_the_ground_sets_layers_and_snap(planes):
    menu = planes.look.open_menu(None, QPoint(10, 10))
    by_text = {action.text(): action for action in menu.actions()}
    by_text["Keys"].trigger()
    by_text["Snap to 0.5"].trigger()
    menu.close()
    assert "keys" not in planes.state.layers
    assert planes.state.snap == 0.5


def _type(planes, *texts):
    planes.look.type_numbers(Q_SAT)
    entry = planes.look._entry
    for field, text in zip(entry.fields, texts):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
    QTest.keyClick(entry.fields[-1], Qt.Key.Key_Return)
    return entry


@pytest.mark.case(3)
def test_numbers_typed_with_a_point_or_a_comma(planes):
    _type(planes, "1.5", "62,5")
    assert _query(planes.document) == (1.5, 62.5)
    assert planes.look._entry is None
    assert planes.look.surface.hasFocus()


@pytest.mark.case(1)
@pytest.mark.parametrize("text", ["nan", "inf", "1e309", "-", ""])
def test_what_is_no_number_is_refused_by_name_and_nothing_is_lost(planes, text):
    planes.look.type_numbers(Q_SAT)
    entry = planes.look._entry
    entry.fields[0].setText(text)
    QTest.keyClick(entry.fields[0], Qt.Key.Key_Return)
    assert (text or "empty") in planes.said[-1]
    assert planes.look._entry is entry
    assert entry.fields[0].text() == text
    assert _query(planes.document) == (2.0, 0.0)
    QTest.keyClick(entry.fields[0], Qt.Key.Key_Escape)
    assert planes.look._entry is None


def test_typing_ends_where_the_focus_leaves(planes, qtbot):
    other = QLineEdit(planes.window)
    other.show()
    planes.look.type_numbers(Q_SAT)
    QTest.keyClick(planes.look._entry.fields[0], Qt.Key.Key_Tab)
    assert planes.look._entry is not None
    other.setFocus()
    assert planes.look._entry is None


def test_typing_ends_where_the_word_goes(planes):
    planes.look.type_numbers(Arrow("key", 3))
    planes.document.edit(edits.remove_word(planes.document.sentence, 3))
    assert planes.look._entry is None


# Breathing


def test_the_first_tip_breathes_until_the_first_press(planes):
    planes.state.set_reduced_motion(False)
    planes.look.breathe()
    assert planes.look._glow.is_shown
    planes.press(QPointF(400, 60))
    planes.release(QPointF(400, 60))
    assert not planes.look._glow.is_shown
    assert not planes.look._breath.isActive()


def test_with_reduced_motion_it_only_glows(planes, qtbot):
    planes.look.breathe()
    bounds = planes.look._glow.bounds
    qtbot.wait(200)
    assert planes.look._glow.is_shown
    assert planes.look._glow.bounds == bounds
    planes.look.stop_breathing()


# Life


@pytest.mark.case(18)
def test_twenty_times_open_drag_close(qtbot):
    for _ in range(20):
        document, state = Document(load_preset()), ViewState(Look())
        planes = Planes(qtbot, document, state)
        planes.drag(planes.tip(Q_SAT), planes.at(1, 1), planes.at(1, 0.5))
        planes.window.close()
        planes.window.deleteLater()
        left = weakref.ref(planes.look)
        del planes, document, state
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        assert left() is None


# Pixels that are kept


def test_a_name_that_is_dimmed_or_lit_where_it_stands_is_painted_anew(planes):
    planes.state.set_level("all")
    surface = planes.look.surface
    for _ in range(12):
        surface.update()
        QApplication.processEvents()
    planes.state.hover(Thing("query", listens=2))
    QApplication.processEvents()
    shown = surface.grab().toImage()
    surface._kept.clear()
    assert surface.grab().toImage() == shown
    item = planes.look._names._items[K_CAT]
    assert item.changed_at >= surface._paintings - 4


def test_a_plane_that_is_lit_before_it_is_drawn_anew_waits_for_its_numbers(planes, document, state):
    """It drew old entries with new vectors: some other panel had lit a word in between."""
    post = load_preset()
    head = post.heads[0]
    wider = {role: tuple((*row, 1.0) for row in getattr(head, role)) for role in ("query", "key")}
    document.replace_all(replace(post, heads=(replace(head, **wider),)), None)
    document.blockSignals(True)
    document.replace_all(post, None)
    document.blockSignals(False)
    state.hover(Thing("key", heard=1))
    document.changed.emit()
    assert planes.look.width_of_vectors == 2
