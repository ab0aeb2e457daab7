import subprocess
import sys
import threading
import time

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop import edits
from desktop.views import growth_timing
from desktop.views.growth_timing import GrowthTiming
from desktop.views.growth_view import GrowthView
from engine.growth import Measurement, growth


@pytest.fixture
def view(qtbot, document, state):
    view = GrowthView(document, state)
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    QApplication.processEvents()
    yield view
    view.end()


def quick(up_to, d, *, seconds, bytes_held, is_stopped):
    """Times made up: the grid's n², given up at 2048; the tiles' n² / 2."""
    for n in (256, 512, 1024, 2048):
        yield Measurement(n, 1e-9 * n * n if n < 2048 else None, 5e-10 * n * n)


@pytest.fixture
def slow(monkeypatch):
    """Measurements without end, that heed only `is_stopped`."""
    began = threading.Event()

    def measure(up_to, d, *, seconds, bytes_held, is_stopped):
        began.set()
        n = 256
        while not is_stopped():
            yield Measurement(n, 1e-3, 1e-3)
            n += 1
            time.sleep(0.05)

    monkeypatch.setattr(growth_timing, "measure_growth", measure)
    return began


def test_nothing_is_measured_until_it_is_asked_for(view):
    assert view.timing is None
    assert view.measured == []


def test_importing_it_imports_no_pyqtgraph():
    code = (
        "import sys, desktop.views.growth_view; "
        "sys.exit(any(m in sys.modules for m in ('pyqtgraph', 'rich', 'click')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_start_measures_and_says_how_time_grows(view, qtbot, monkeypatch, state):
    monkeypatch.setattr(growth_timing, "measure_growth", quick)
    said = []
    state.announced.connect(said.append)
    QTest.mouseClick(view.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.timing is None)
    assert [one.n for one in view.measured] == [256, 512, 1024, 2048]
    assert "n^2.00 for the full grid and n^2.00 with tiles" in view.said.text()
    assert "n^2.00" in said[-1]
    assert view.start.text() == "Start"


def test_real_times_arrive_from_the_thread(qtbot, qapp):
    timing = GrowthTiming(0.002, 1 << 24)
    taken = []
    timing.measured.connect(taken.append)
    with qtbot.waitSignal(timing.finished, timeout=20_000):
        timing.start()
    timing.wait()
    QApplication.processEvents()
    assert taken
    assert taken[0].n == 256
    assert taken[0].grid > 0
    assert taken[0].tiles > 0


def test_stop_ends_it_soon(view, qtbot, slow):
    QTest.mouseClick(view.start, Qt.MouseButton.LeftButton)
    assert slow.wait(5)
    qtbot.waitUntil(lambda: len(view.measured) > 0)
    assert view.start.text() == "Stop"
    QTest.mouseClick(view.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.timing is None, timeout=2000)
    assert view.measured  # what was measured stays


def test_a_real_run_is_stopped_between_its_repeats(qtbot, qapp):
    timing = GrowthTiming(1.0, 1 << 29)
    with qtbot.waitSignal(timing.measured, timeout=20_000):
        timing.start()
    timing.stop()
    assert timing.wait(5000)


def test_closing_in_mid_measurement_leaves_no_thread(view, qtbot, slow):
    QTest.mouseClick(view.start, Qt.MouseButton.LeftButton)
    assert slow.wait(5)
    timing = view.timing
    view.close()
    assert view.timing is None
    assert not timing.isRunning()


def test_the_panel_gone_in_mid_measurement_leaves_no_thread(qtbot, document, state, slow):
    view = GrowthView(document, state)
    view.show()
    view.start_or_stop()
    assert slow.wait(5)
    view.close()
    view.deleteLater()
    QApplication.processEvents()


def test_the_document_may_change_while_it_measures(view, qtbot, slow, document):
    QTest.mouseClick(view.start, Qt.MouseButton.LeftButton)
    document.edit(edits.add_word(document.sentence, "again"))
    qtbot.waitUntil(lambda: len(view.measured) > 2)
    assert "n = 5, 25 cells" in view.said.text()


def test_it_says_where_the_sentence_stands(view, document):
    assert "n = 4, 16 cells" in view.said.text()
    document.edit(edits.remove_word(document.sentence, 0))
    assert "n = 3, 9 cells" in view.said.text()
    assert view.accessibleDescription() == view.said.text()


def test_the_table_holds_the_engines_counts(view):
    view.numbers.setChecked(True)
    table = view.table
    rows = {table.item(row, 0).text(): row for row in range(table.rowCount())}
    row = rows["8,192"]
    assert table.item(row, 1).text() == f"{growth(8192, 64).cells:,}"
    assert table.item(row, 2).text() == "256 MiB"
    assert table.item(row, 4).text() == "-"
    assert table.item(rows["4"], 1).text() == "16"


def test_numbers_take_the_place_of_the_pictures(view):
    QTest.mouseClick(view.numbers, Qt.MouseButton.LeftButton)
    assert view.table.isVisible()
    QTest.mouseClick(view.numbers, Qt.MouseButton.LeftButton)
    assert not view.table.isVisible()


@pytest.mark.case(15)
@pytest.mark.parametrize("name", ["seconds", "memory"])
def test_the_wheel_over_a_limit_without_focus_changes_nothing(view, name):
    choice = getattr(view, name)
    before, at = choice.currentIndex(), QPointF(choice.rect().center())
    view.start.setFocus()
    event = QWheelEvent(
        at, choice.mapToGlobal(at), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(choice, event)
    assert choice.currentIndex() == before
