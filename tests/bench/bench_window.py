"""The window: what a drag step costs, beside the usual way of drawing it, and how soon it is there.

`make bench`, on an idle machine. Costs are processor time, medians; 1400 × 900, Everything shown.
"""

import gc
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from desktop import edits
from engine.palette import THEMES
from engine.presets import load_preset
from engine.sentence import new_sentence

pytestmark = pytest.mark.bench

STEPS = 200
SIZE = (1400, 900)


def sentence_of(count):
    if count == 4:
        return load_preset()
    return new_sentence(" ".join(f"word{i}" for i in range(1, count + 1)))


def dragged(sentence, step):
    """The tip of the focus word's query on a small circle."""
    x, y = sentence.heads[0].query[sentence.focus]
    angle = step / 20
    vector = (x + 0.4 * np.cos(angle), y + 0.4 * np.sin(angle))
    return edits.move_vector(sentence, 0, "query", sentence.focus, vector)


def median_ms(step):
    """The processor time of a step that has been drawn, in milliseconds."""
    taken = []
    for i in range(STEPS):
        start = time.process_time_ns()
        step(i)
        QApplication.processEvents()
        taken.append(time.process_time_ns() - start)
    return statistics.median(taken[STEPS // 10 :]) / 1e6


@pytest.fixture
def open_window(qapp, monkeypatch, tmp_path):
    """Opens byhand's window on a sentence, Everything shown, with settings of its own."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    from desktop.app import Session

    session = Session()

    def opened(sentence):
        window = session.open_window(sentence)
        window.state.set_level("everything")
        window.resize(*SIZE)
        QApplication.processEvents()
        return window

    yield opened
    session.abandon()
    session.close()


class UsualWindow:
    """The same picture as one would draw it with pyqtgraph's own items: two planes, two grids."""

    def __init__(self, sentence):
        import pyqtgraph as pg

        self.view = pg.GraphicsLayoutWidget(size=SIZE)
        self.view.setBackground("w")
        self.arrows, self.grids, self.sentence = [], [], sentence
        n = len(sentence.words)
        for roles in (("query", "key"), ("value", "output")):
            plot = self.view.addPlot()
            plot.showGrid(x=True, y=True)
            for role in roles:
                for _ in range(n):
                    color = THEMES["light"].role(role)
                    line = plot.plot([0, 1], [0, 1], pen=pg.mkPen(color, width=2))
                    tip = pg.ArrowItem(brush=color)
                    label = pg.TextItem("q sat", color=color)
                    plot.addItem(tip)
                    plot.addItem(label)
                    self.arrows.append((role, line, tip, label))
        for _ in range(2):
            plot = self.view.addPlot()
            image = pg.ImageItem()
            plot.addItem(image)
            cells = [pg.TextItem("0.00", color="k") for _ in range(n * n)]
            for cell in cells:
                plot.addItem(cell)
            self.grids.append((image, cells))
        self.view.show()

    def draw(self, sentence):
        from desktop.calculation import Calculation

        shown = Calculation(sentence, 0)
        n = len(sentence.words)
        for index, (role, line, tip, label) in enumerate(self.arrows):
            x, y = getattr(shown.attention, role)[index % n]
            line.setData([0, x], [0, y])
            tip.setPos(x, y)
            tip.setStyle(angle=180 - float(np.degrees(np.arctan2(y, x))))
            label.setPos(x, y)
        for weights, (image, cells) in zip(
            (shown.open.weights, shown.causal.weights), self.grids, strict=True
        ):
            image.setImage(weights)
            for index, cell in enumerate(cells):
                i, j = divmod(index, n)
                cell.setText(f"{weights[i, j]:.2f}")
                cell.setPos(j, i)


@pytest.mark.parametrize("count", [4, 12])
def test_a_drag_step_from_engine_to_pixels(open_window, count):
    sentence = sentence_of(count)
    window = open_window(sentence)
    ours = median_ms(lambda i: window.document.preview(dragged(sentence, i)))
    window.document.give_up()
    usual = UsualWindow(sentence)
    theirs = median_ms(lambda i: usual.draw(dragged(sentence, i).sentence))
    usual.view.close()
    figures = {"words": count, "ms": ours, "usual_ms": theirs, "times_cheaper": theirs / ours}
    print("\n" + json.dumps(figures))


def test_memory_stays_flat_over_ten_thousand_steps(open_window):
    sentence = sentence_of(4)
    window = open_window(sentence)
    sizes = []
    for start in range(0, 10_000, 1000):
        for i in range(start, start + 1000):
            window.document.preview(dragged(sentence, i))
            QApplication.processEvents()
        gc.collect()
        with open("/proc/self/statm") as file:
            sizes.append(int(file.read().split()[1]) * 4 // 1024)
    window.document.give_up()
    print(f"\nresident MiB after each thousand steps: {sizes}")
    assert sizes[-1] - sizes[2] < 10


START = """
import os, sys, time
start = time.perf_counter()
from PySide6.QtWidgets import QApplication
app = QApplication([])
from desktop.app import Session
window = Session().start([])
while not window.isVisible():
    app.processEvents()
app.processEvents()
assert not {"manim", "matplotlib", "av"} & set(sys.modules)
print(time.perf_counter() - start, flush=True)
os._exit(0)  # only `run` takes a session apart
"""


def test_the_window_is_there_soon(tmp_path):
    private = dict.fromkeys(
        ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "PYTHONPYCACHEPREFIX"), str(tmp_path)
    )
    # As for a user: what was compiled at the first start is there at the next.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment = kept | private

    def seconds(code):
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=environment,
        )
        assert run.returncode == 0, run.stderr
        return float(run.stdout)

    yardstick = "import time; a = time.perf_counter(); import numpy; print(time.perf_counter() - a)"
    seconds(START)
    runs = [(seconds(START), seconds(yardstick)) for _ in range(9)]
    window, numpy = (statistics.median(column) for column in zip(*runs, strict=True))
    print(f"\nwindow after {window:.2f} s, import numpy {numpy:.2f} s")
