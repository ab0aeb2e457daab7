import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop import edits
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.theme import Look
from desktop.views.lettering import apart
from desktop.views.panel import CALM
from desktop.views.random_row import WIDTHS, random_row
from desktop.views.scale_twins import ScaleTwins
from engine import attend
from engine.notation import write_share
from engine.palette import THEMES
from engine.sentence import new_sentence


@pytest.fixture
def show(qtbot, state):
    def show(document, size=(460, 340), level="everything"):
        state.set_level(level)
        twins = ScaleTwins(document, state)
        qtbot.addWidget(twins)
        twins.resize(*size)
        twins.show()
        qtbot.waitExposed(twins)
        twins.activateWindow()
        twins.setFocus()
        twins.grab()
        QApplication.processEvents()
        return twins

    return show


def wheel(widget):
    at = QPointF(widget.rect().center())
    event = QWheelEvent(
        at, widget.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def type_in(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_the_twins_are_the_engine_s_weights_with_and_without_scaling(show, document):
    scaled, unscaled = show(document).twins
    calculation = document.calculation
    for bars, attention in ((scaled, calculation.scaled), (unscaled, calculation.unscaled)):
        weights = attention.weights[2].tolist()
        assert [bar.text for bar in bars] == [write_share(w) for w in weights]
        assert np.allclose([bar.end for bar in bars], weights)
    assert scaled[1].text == "0.73"
    assert unscaled[1].text == "0.85"


def test_the_one_in_force_is_drawn_as_such(show, document):
    twins = show(document)
    heads = (0, 0, twins.width(), 20)
    before = twins.grab().toImage().copy(*heads)
    document.edit(edits.set_scaled(document.sentence, False))
    assert twins.grab().toImage().copy(*heads) != before


def test_at_two_entries_scaling_hardly_matters_and_by_sixty_four_one_key_takes_all():
    gaps = [
        random_row(d, scaled=False).largest - random_row(d, scaled=True).largest for d in WIDTHS
    ]
    assert gaps[0] < 0.02
    assert random_row(64, scaled=False).largest > 0.99
    assert random_row(64, scaled=True).largest < 0.7
    assert all(gap > 0.3 for gap in gaps[WIDTHS.index(64) :])


@pytest.mark.parametrize("d_k", WIDTHS)
def test_the_random_rows_are_the_engine_s(d_k):
    chance = np.random.default_rng(0)
    query, keys = chance.standard_normal((1, d_k)), chance.standard_normal((6, d_k))
    for scaled in (True, False):
        attention = attend(query, keys, keys, scale=None if scaled else 1.0)
        row = random_row(d_k, scaled=scaled)
        assert np.allclose(row.weights, attention.weights[0])
        assert np.isclose(row.spread, attention.scaled.std())


def test_the_dial_turns_by_keys_and_pointer_and_tells_what_is_seen(show, document):
    twins = show(document)
    dial = twins.chance.dial
    dial.setFocus()
    for _ in range(5):
        QTest.keyClick(dial, Qt.Key.Key_Right)
    assert twins.chance.d_k == 64
    assert twins.accessibleDescription() == ("d_k 64: largest weight 0.46 scaled, 1.00 unscaled")
    at = QPoint(round(dial.x_of(8)), 10)
    QTest.mouseClick(dial, Qt.MouseButton.LeftButton, pos=at)
    assert twins.chance.d_k == 512
    QTest.keyClick(dial, Qt.Key.Key_Home)
    assert twins.chance.d_k == 2
    assert document.undo_stack.count() == 0


@pytest.mark.case(15)
def test_the_wheel_without_focus_changes_nothing(show, document):
    twins = show(document)
    twins.setFocus()
    for control in (twins.chance.dial, twins.sharpness.slider, twins.sharpness.field):
        wheel(control)
    assert twins.chance.d_k == 2
    assert document.sentence.temperature == 1.0
    twins.chance.dial.setFocus()
    wheel(twins.chance.dial)
    assert twins.chance.d_k != 2


def test_the_temperature_is_shown_only_where_everything_is(show, document, state):
    twins = show(document, level="all")
    assert not twins.sharpness.isVisible()
    state.set_level("everything")
    assert twins.sharpness.isVisible()


def test_a_slide_of_the_temperature_is_one_step_of_undo(show, document):
    twins = show(document)
    slider = twins.sharpness.slider
    slider.setFocus()
    for _ in range(20):
        QTest.keyClick(slider, Qt.Key.Key_Right)
    assert document.sentence.temperature == 10.0
    assert document.undo_stack.count() == 1
    document.undo()
    assert document.sentence.temperature == 1.0
    assert slider.value() == 40


@pytest.mark.case(3)
@pytest.mark.parametrize("locale", ["de_DE", "pt_BR", "C"])
@pytest.mark.parametrize(("text", "number"), [("1.5", 1.5), ("1,5", 1.5), ("62,5", 62.5)])
def test_a_point_and_a_comma_are_both_decimal_marks(show, document, locale, text, number):
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        twins = show(document)
        type_in(twins.sharpness.field, text)
    finally:
        QLocale.setDefault(before)
    assert document.sentence.temperature == number
    assert twins.sharpness.field.text() == f"{number}"


@pytest.mark.case(1)
@pytest.mark.parametrize("text", ["nan", "inf", "1e309", "-", "", "0", "101", "-1"])
def test_what_is_no_temperature_is_refused_in_words_and_nothing_lost(show, document, state, text):
    twins, said = show(document), []
    state.announced.connect(said.append)
    field = twins.sharpness.field
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert document.sentence.temperature == 1.0
    assert said
    assert field.text() == text
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "1"


def test_a_row_under_the_pointer_and_the_keyboard_lights_its_pair(show, document, state):
    twins = show(document)
    at = twins._row_box(1).center().toPoint()
    QTest.mouseMove(twins, at + QPoint(1, 0))
    QTest.mouseMove(twins, at)
    assert state.lit == Thing("scale", 2, 1)
    state.hover(None)
    QTest.keyClick(twins, Qt.Key.Key_End)
    assert state.lit == Thing("scale", 2, 3)
    assert twins.accessibleDescription() == (
        f"{apart('sat')} listens to {apart('down')}: 0.04 scaled, 0.02 unscaled"
    )


@pytest.mark.parametrize("height", [60, 340])
def test_keys_reach_the_row_of_the_rest_however_low_the_panel(show, state, height):
    twins = show(Document(new_sentence([f"w{i}" for i in range(40)])), (460, height))
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_End):
        QTest.keyClick(twins, key)
    assert "others" in twins.accessibleDescription()
    assert state.lit is None


def test_a_click_on_a_bar_s_name_makes_it_the_focus_word_one_on_a_bar_does_not(
    show, document, state
):
    twins = show(document)
    row = twins._row_box(1).center().toPoint()
    QTest.mouseClick(twins, Qt.MouseButton.LeftButton, pos=QPoint(twins.width() // 2, row.y()))
    assert (document.sentence.focus, state.pinned) == (2, Thing("scale", 2, 1))
    QTest.mouseClick(twins, Qt.MouseButton.LeftButton, pos=QPoint(12, row.y()))
    assert document.sentence.focus == 1
    assert twins.accessibleDescription().startswith(apart("cat"))
    assert document.undo_stack.count() == 0


def test_a_drag_draws_the_sentence_s_half_alone(show, document, monkeypatch):
    twins = show(document)
    painted = []
    monkeypatch.setattr(twins, "paint", lambda painter, area: painted.append(area))
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 1)))
    QTest.qWait(2 * CALM)
    assert len(painted) == 1
    assert not painted[0].intersects(twins.chance.geometry())
    assert twins.twins[0][1].ghost is not None


def test_masked_words_are_hatched_in_both(show, post):
    for bars in show(Document(replace(post, causal=True))).twins:
        assert [bar.is_masked for bar in bars] == [False, False, False, True]


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("count", [1, 4, 64])
def test_it_draws_at_every_size_with_nothing_over_another(show, state, theme, count):
    twins = show(Document(new_sentence(["word"] * count)))
    for text_size in (1.0, 2.5):
        state.set_look(Look(THEMES[theme], text_size))
        for size in ((160, 120), (460, 140), (430, 320), (900, 700)):
            twins.resize(*size)
            assert not twins.grab().isNull()
            upper = twins._area.toRect()
            assert not upper.intersects(twins.chance.geometry())
            assert not twins.sharpness.geometry().intersects(twins.chance.geometry())
