import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop import edits
from desktop.spotlight import STEPS, Thing
from desktop.theme import Look
from desktop.views.formula_bar import PARTS, FormulaBar, parts_of
from engine.palette import THEMES


@pytest.fixture
def bar(qtbot, document, state):
    bar = FormulaBar(document, state)
    qtbot.addWidget(bar)
    bar.resize(760, bar.height())
    bar.show()
    qtbot.waitExposed(bar)
    bar.activateWindow()
    bar.setFocus()
    QApplication.processEvents()
    return bar


def under(bar, part):
    """The colour of the line under a part."""
    box = bar.part_box(part)
    return bar.grab().toImage().pixelColor(round(box.center().x()), round(box.bottom()))


@pytest.mark.parametrize("part", PARTS)
def test_a_part_under_the_pointer_lights_its_step(bar, state, part):
    at = bar.part_box(part).center().toPoint()
    QTest.mouseMove(bar, at + QPoint(1, 0))
    QTest.mouseMove(bar, at)
    assert state.lit == Thing(part)


def test_keys_walk_the_parts_and_space_pins_one(bar, state):
    walked = [state.lit.step]
    for _ in range(7):
        QTest.keyClick(bar, Qt.Key.Key_Right)
        walked.append(state.lit.step)
    assert walked == [*PARTS, "mix", "mix"]
    QTest.keyClick(bar, Qt.Key.Key_Home)
    QTest.keyClick(bar, Qt.Key.Key_Space)
    assert state.pinned == Thing("softmax")


def test_a_held_key_speaks_once_when_it_rests(bar, state, qtbot):
    said = []
    state.announced.connect(said.append)
    for _ in range(3):
        QTest.keyClick(bar, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: bool(said), timeout=3000)
    assert said == [bar.accessibleDescription()]
    assert said[0].startswith("divided by √d_k")


def test_what_is_lit_elsewhere_underlines_its_part(bar, state):
    bar.clearFocus()
    state.hover(Thing("mix", 2, 1))
    assert under(bar, "mix") == state.look.color("highlight")
    assert under(bar, "softmax") == state.look.color("ground")
    state.hover(Thing("score", 2, 1))
    assert under(bar, "query") == under(bar, "key") == state.look.color("highlight")
    assert under(bar, "mix") == state.look.color("ground")


def test_every_step_lights_a_part():
    assert all(set(parts_of(Thing(step))) <= set(PARTS) and parts_of(Thing(step)) for step in STEPS)
    assert parts_of(Thing("", listens=1)) == ("query",)
    assert parts_of(Thing("", heard=1)) == ("key",)
    assert parts_of(None) == ()


def test_the_switches_are_edits(bar, document):
    QTest.mouseClick(bar.causal_switch, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert document.sentence.causal
    bar.scaled_switch.setFocus()
    QTest.keyClick(bar.scaled_switch, Qt.Key.Key_Space)
    assert not document.sentence.scaled
    assert document.undo_stack.count() == 2
    document.undo()
    document.undo()
    assert bar.scaled_switch.isChecked()
    assert not bar.causal_switch.isChecked()


def test_the_switches_have_names(bar):
    assert "d_k" in bar.scaled_switch.accessibleName()
    assert "later" in bar.causal_switch.accessibleName()


@pytest.mark.case(15)
def test_the_wheel_over_a_switch_changes_nothing(bar, document):
    for switch in (bar.scaled_switch, bar.causal_switch):
        at = QPointF(8, 8)
        event = QWheelEvent(
            at, switch.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(switch, event)
    assert document.undo_stack.count() == 0


@pytest.mark.case(12)
def test_a_switch_in_mid_drag_keeps_no_half_of_the_drag(bar, document):
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (9, 9)))
    QTest.mouseClick(bar.causal_switch, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert document.sentence.causal
    assert document.sentence.heads[0].query[2] == (2.0, 0.0)


def test_unscaled_is_drawn_otherwise_and_so_is_no_mask(bar, document):
    scaled = bar.grab().toImage()
    document.edit(edits.set_scaled(document.sentence, False))
    unscaled = bar.grab().toImage()
    area = bar.part_box("scale").toAlignedRect()
    assert scaled.copy(area) != unscaled.copy(area)
    document.edit(edits.allow(document.sentence, 0, 1, False))
    area = bar.part_box("mask").toAlignedRect()
    assert bar.grab().toImage().copy(area) != unscaled.copy(area)
    assert "switched off" in bar.tip_at(bar.part_box("scale").center())


def test_the_formula_and_the_switches_never_overlap(bar, state):
    held = QLabel("words")
    bar.hold(held)
    for theme in THEMES.values():
        for text_size in (1.0, 2.5):
            state.set_look(Look(theme, text_size))
            bar.resize(bar.sizeHint())
            QApplication.processEvents()
            end = bar.part_box("mix").right()
            assert end < held.geometry().left()
            assert held.geometry().right() < bar.scaled_switch.geometry().left()
            assert bar.causal_switch.geometry().right() <= bar.width()
            assert bar.part_box("scale").bottom() < bar.height()


def test_nothing_is_drawn_anew_in_a_drag(bar, document, monkeypatch):
    painted = []
    monkeypatch.setattr(bar, "paint", lambda painter, area: painted.append(area))
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 1)))
    QApplication.processEvents()
    document.give_up()
    QApplication.processEvents()
    assert not painted
