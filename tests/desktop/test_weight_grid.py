import random

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop import edits
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views import grid_layout
from desktop.views.grid_drawing import stripe
from desktop.views.grid_picture import MASKED, WAITING
from desktop.views.lettering import apart
from desktop.views.shares import add_printed, write_changes, write_shares
from desktop.views.weight_grid import WeightGrid
from engine.notation import round_half_up, write_share
from engine.palette import THEMES
from engine.sentence import new_sentence


@pytest.fixture
def state():
    state = ViewState(Look())
    state.set_level("all")
    return state


@pytest.fixture
def show(qtbot, state):
    """A grid on the screen, with the keyboard's focus."""

    def show(document, size=(400, 330), **options):
        grid = WeightGrid(document, state, **options)
        qtbot.addWidget(grid)
        grid.resize(*size)
        grid.show()
        qtbot.waitExposed(grid)
        grid.activateWindow()
        grid.setFocus()
        QApplication.processEvents()
        return grid

    return show


def cell(grid, listens, heard):
    return stripe(grid._picture, listens, heard).center().toPoint()


def hover(grid, at):
    QTest.mouseMove(grid, at + QPoint(1, 1))
    QTest.mouseMove(grid, at)
    QApplication.processEvents()


def shown(grid):
    """The numbers as they stand in the cells, row by row."""
    n = grid._picture.layout.count
    texts = [text for _, _, text, _ in grid._picture.cells]
    return [texts[i * n : i * n + n] for i in range(n)]


def test_the_grid_shows_the_engine_s_weights(show, document):
    weights = document.calculation.open.weights
    assert shown(show(document)) == [[write_share(w) for w in row] for row in weights.tolist()]


def test_the_causal_grid_is_masked_above_its_diagonal_alone(show, document):
    grid = show(document, causal=True)
    masked = [shade == MASKED for shade, *_ in grid._picture.cells]
    assert masked == (~np.tri(4, dtype=bool)).ravel().tolist()


def test_a_masked_cell_never_looks_like_a_weight_of_zero(show, document):
    grid = show(document, causal=True)
    image = grid.grab().toImage()
    left, top, *_ = grid._picture.layout.box(0, 3)
    colors = {image.pixel(left + x, top + y) for x in range(4, 20) for y in range(4, 20)}
    assert len(colors) > 2
    assert grid.state.look.weight(0.0)[0].rgb() in colors


def test_the_other_convention_turns_the_picture(show, document, state):
    grid = show(document)
    rows = shown(grid)
    state.set_rows_are_queries(False)
    QApplication.processEvents()
    assert shown(grid) == [list(row) for row in zip(*rows)]
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=cell(grid, 1, 3))
    assert state.pinned == Thing("softmax", 1, 3)


def test_at_the_level_of_one_word_the_other_rows_wait(show, document, state):
    state.set_level("one")
    grid = show(document)
    waits = np.array([shade == WAITING for shade, *_ in grid._picture.cells]).reshape(4, 4)
    assert waits.all(axis=1).tolist() == [True, True, False, True]
    assert not waits[2].any()


@pytest.mark.parametrize(("count", "numbers", "names"), [(12, 1, 1), (16, 0, 1), (32, 0, 0)])
def test_numbers_go_at_sixteen_words_and_names_at_thirty_two(show, count, numbers, names):
    grid = show(Document(new_sentence(["w"] * count)), (700, 700))
    assert bool(grid._picture.scale) == bool(numbers)
    assert grid._picture.layout.has_row_names == bool(names)
    assert (grid._picture.image is None) == bool(numbers)


def test_pointing_at_a_cell_lights_it_and_reads_it_out(show, document, state):
    grid = show(document)
    hover(grid, cell(grid, 2, 1))
    assert state.lit == Thing("softmax", 2, 1)
    assert grid._readout == f"{apart('sat')} listens to {apart('cat')}: 0.73"


def test_what_is_lit_elsewhere_is_framed_here(show, document, state):
    grid = show(document)
    grid.clearFocus()
    QApplication.processEvents()
    before = grid.grab().toImage()
    state.hover(Thing("score", 2, 1))
    after = grid.grab().toImage()
    at = stripe(grid._picture, 2, 1).topLeft().toPoint() + QPoint(20, 0)
    assert before.pixelColor(at) != after.pixelColor(at)
    assert after.pixelColor(at) == state.look.color("highlight")


def test_a_row_s_name_makes_its_word_the_focus(show, document):
    grid = show(document)
    _, top, _, height = grid._picture.layout.box(3, 0)
    at = QPoint(grid._picture.layout.xs[0] - 12, top + height // 2)
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=at)
    assert document.sentence.focus == 3


def test_a_click_pins_and_a_second_lets_go(show, document, state):
    grid = show(document)
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=cell(grid, 0, 1))
    assert state.pinned == Thing("softmax", 0, 1)
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=cell(grid, 0, 1))
    assert state.pinned is None


def test_keys_walk_the_cells_and_light_them(show, document, state):
    grid = show(document)
    for key, there in (
        (Qt.Key.Key_Up, (1, 0)), (Qt.Key.Key_End, (1, 3)), (Qt.Key.Key_Right, (1, 3)),
        (Qt.Key.Key_Left, (1, 2)), (Qt.Key.Key_Home, (1, 0)), (Qt.Key.Key_Down, (2, 0)),
    ):  # fmt: skip
        QTest.keyClick(grid, key)
        assert grid.current == there
        assert state.lit == Thing("softmax", *there)
    assert grid.accessibleDescription() == f"{apart('sat')} listens to {apart('the')}, 0.04"


def test_a_held_key_speaks_once_when_it_rests(show, document, state, qtbot):
    grid, said = show(document), []
    state.announced.connect(said.append)
    for _ in range(8):
        QTest.keyClick(grid, Qt.Key.Key_Right)
    assert said == []
    qtbot.waitUntil(lambda: bool(said), timeout=3000)
    qtbot.wait(50)
    assert said == [f"{apart('sat')} listens to {apart('down')}, 0.04"]


def test_digits_choose_the_focus_word(show, document):
    grid = show(document)
    QTest.keyClick(grid, Qt.Key.Key_4)
    assert document.sentence.focus == 3
    QTest.keyClick(grid, Qt.Key.Key_9)
    assert document.sentence.focus == 3


def test_m_forbids_a_cell_and_allows_it_again(show, document):
    grid = show(document)
    QTest.keyClick(grid, Qt.Key.Key_Right)
    QTest.keyClick(grid, Qt.Key.Key_M)
    assert document.sentence.mask[2] == (True, False, True, True)
    assert "may not listen" in grid.accessibleDescription()
    QTest.keyClick(grid, Qt.Key.Key_M)
    assert document.sentence.mask is None
    assert document.undo_stack.count() == 2


def test_a_cell_that_only_the_causal_mask_forbids_says_so(show, document, state):
    grid, said = show(document, causal=True), []
    state.announced.connect(said.append)
    QTest.keyClick(grid, Qt.Key.Key_End)
    QTest.keyClick(grid, Qt.Key.Key_M)
    assert document.undo_stack.count() == 0
    assert "causal mask forbids" in said[0]


def test_the_context_menu_forbids_the_cell_under_it(show, document):
    grid = show(document)
    at = cell(grid, 1, 3)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, grid.mapToGlobal(at))
    QApplication.sendEvent(grid, event)
    menu = grid.findChild(QMenu)
    menu.actions()[0].trigger()
    menu.close()
    assert document.sentence.mask[1] == (True, True, True, False)


@pytest.mark.case(12)
def test_forbidding_in_mid_drag_keeps_no_half_of_the_drag(show, document):
    grid = show(document)
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (9, 9)))
    QTest.keyClick(grid, Qt.Key.Key_M)
    assert document.sentence.heads[0].query[2] == (2.0, 0.0)
    assert document.sentence.mask[2][0] is False
    assert document.before is None


def test_a_drag_shows_by_how_much_each_weight_has_changed(show, document):
    grid = show(document)
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (2.2, 0.3)))
    n = 4
    now, was = document.calculation.open.weights[2], document.before.open.weights[2]
    changes = [change for *_, change in grid._picture.cells][2 * n : 3 * n]
    assert changes == write_changes(was, now)
    assert changes[1].startswith(("+", "−"))
    document.give_up()
    assert not any(change for *_, change in grid._picture.cells)


def test_a_drag_repaints_only_the_cells_that_change(show, document, monkeypatch):
    grid = show(document)
    painted = []
    monkeypatch.setattr(grid, "paint", lambda painter, area: painted.append(area))
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (2.2, 0.3)))
    QApplication.processEvents()
    row = stripe(grid._picture, listens=2).toAlignedRect()
    assert len(painted) == 1
    assert row.adjusted(-2, -2, 2, 2).contains(painted[0])


def test_a_renamed_word_is_drawn_anew(show, document, monkeypatch):
    grid = show(document)
    painted = []
    monkeypatch.setattr(grid, "paint", lambda painter, area: painted.append(area))
    document.edit(edits.rename_word(document.sentence, 0, "eht"))
    QApplication.processEvents()
    assert grid._picture.words[0] == "eht"
    assert painted == [grid.rect()]


def test_the_grid_in_force_says_so(show, document):
    own, causal = show(document), show(document, causal=True)
    assert "● in force" in own._picture.caption
    assert "○ not in force" in causal._picture.caption
    document.edit(edits.set_causal(document.sentence, True))
    assert "○ not in force" in own._picture.caption
    assert "● in force" in causal._picture.caption


@pytest.mark.case(9)
def test_a_row_that_may_look_at_nothing_is_all_hatched(show, post):
    mask = ((True,) * 4, (False,) * 4, (True,) * 4, (True,) * 4)
    grid = show(Document(replace(post, mask=mask)))
    assert [shade for shade, *_ in grid._picture.cells[4:8]] == [MASKED] * 4


@pytest.mark.case(13)
def test_a_word_removed_under_the_pointer_and_the_keyboard_is_forgotten(show, document, state):
    grid = show(document)
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=cell(grid, 3, 3))
    hover(grid, cell(grid, 3, 3))
    document.edit(edits.remove_word(document.sentence, 3))
    QApplication.processEvents()
    assert grid.current == (2, 2)
    QTest.keyClick(grid, Qt.Key.Key_Left)
    hover(grid, cell(grid, 1, 1))
    assert state.lit == Thing("softmax", 1, 1)


@pytest.mark.case(6)
@pytest.mark.parametrize(
    "word",
    ["猫", "القط", "naïve", "😀", "a\u0301", "W" * 60, "<b>&amp;", "#x_$]@ref", "//", "ffi"],
)
def test_every_word_has_its_name_cut_to_its_room_and_whole_in_its_tip(show, document, word):
    document.edit(edits.rename_word(document.sentence, 1, word))
    grid = show(document)
    layout = grid._picture.layout
    _, top, _, height = layout.box(1, 0)
    assert grid.tip_at(QPoint(layout.xs[0] - 12, top + height // 2).toPointF()) == word
    image = grid.grab().toImage()
    ground = grid.state.look.color("ground").rgb()
    edge = {image.pixel(0, y) for y in range(layout.ys[0], layout.ys[-1])}
    assert edge == {ground}


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("count", [1, 2, 12, 24, 64])
def test_it_draws_at_every_size_theme_and_text_size(show, state, theme, count):
    grid = show(Document(new_sentence(["word"] * count)), (400, 330), causal=True)
    for text_size in (1.0, 2.5):
        state.set_look(Look(THEMES[theme], text_size))
        for size in ((60, 40), (400, 330), (900, 600)):
            grid.resize(*size)
            assert not grid.grab().isNull()


def test_layout_s_hit_is_the_inverse_of_its_boxes():
    rng = random.Random(1)
    for _ in range(300):
        n = rng.randint(1, 64)
        layout = grid_layout.lay_out(
            rng.uniform(150, 900), rng.uniform(120, 900), n, line=rng.uniform(12, 40),
            widest_name=rng.uniform(5, 600),
        )  # fmt: skip
        row, column = rng.randrange(n), rng.randrange(n)
        left, top, width, height = layout.box(row, column)
        if width and height:
            assert layout.at(left + width / 2, top + height / 2) == (row, column)


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 5])
def test_many_shares_are_written_as_one_is(digits):
    rng = np.random.default_rng(0)
    weights = np.concatenate([
        rng.random(3000), rng.random(500) * 10.0**-digits, np.arange(0, 1001) / 1000,
        [0.0, 1.0, 0.125, 0.005, 0.994999, 0.995, 1 - 1e-12, 1e-300],
    ])  # fmt: skip
    assert write_shares(weights, digits) == [write_share(w, digits) for w in weights.tolist()]
    printed = sum(round_half_up(w, digits) for w in weights.tolist())
    assert add_printed(weights, digits) == printed


def test_a_change_too_small_to_be_seen_is_not_written():
    assert write_changes(np.array([0.5, 0.5, 0.2]), np.array([0.501, 0.55, 0.1])) == [
        "", "+0.05", "−0.10",
    ]  # fmt: skip
