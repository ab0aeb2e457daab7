"""A picture keeps the pixels of what stands still, and never shows anything else for it."""

import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop.canvas.picture import PATIENCE, Drawing, Picture

STILL = PATIENCE + 2


class Spot(Drawing):
    def __init__(self, picture, height, color, box):
        super().__init__(picture, height)
        self.color, self.painted = QColor(color), 0
        self.change(QRectF(*box))

    def paint(self, painter):
        self.painted += 1
        painter.fillRect(self.bounds, self.color)


@pytest.fixture
def picture(qtbot):
    picture = Picture()
    qtbot.addWidget(picture)
    picture.resize(100, 80)
    picture.show()
    qtbot.waitExposed(picture)
    return picture


def paint(picture, times=1):
    for _ in range(times):
        picture.update()
        QApplication.processEvents()


def color_at(picture, x, y):
    return picture.grab().toImage().pixelColor(x, y).name()


def test_what_stands_still_is_painted_no_more(picture):
    spot = Spot(picture, 1, "red", (10, 10, 20, 20))
    paint(picture, STILL)
    before = spot.painted
    paint(picture, 5)
    assert spot.painted == before
    assert color_at(picture, 15, 15) == "#ff0000"


@pytest.mark.parametrize("ratio", [1, 3])
def test_kept_pixels_lie_where_the_drawing_lies(picture, ratio):
    Spot(picture, 0, "blue", (0, 0, 5, 5))
    Spot(picture, 1, "red", (33, 17, 20, 20))
    mover = Spot(picture, 0.5, "green", (0, 40, 5, 5))
    for step in range(STILL * ratio):
        mover.change(QRectF(step % 40, 40, 5, 5))
        paint(picture)
    image = picture.grab().toImage()
    found = {
        (x, y) for x in range(100) for y in range(80) if image.pixelColor(x, y).name() == "#ff0000"
    }
    assert found == {(x, y) for x in range(33, 53) for y in range(17, 37)}


def test_what_changes_after_a_rest_is_seen_at_once(picture):
    spot = Spot(picture, 1, "red", (10, 10, 20, 20))
    paint(picture, STILL)
    spot.color = QColor("lime")
    spot.change(spot.bounds)
    assert color_at(picture, 15, 15) == "#00ff00"


def test_what_was_left_is_ground_again(picture):
    spot = Spot(picture, 1, "red", (10, 10, 20, 20))
    paint(picture, STILL)
    spot.change(QRectF(60, 10, 20, 20))
    assert color_at(picture, 15, 15) == "#ffffff"
    assert color_at(picture, 65, 15) == "#ff0000"


def test_a_moving_drawing_keeps_its_place_between_those_that_stand_still(picture):
    Spot(picture, 1, "red", (10, 10, 20, 20))
    mover = Spot(picture, 2, "lime", (10, 10, 10, 20))
    Spot(picture, 3, "blue", (10, 10, 20, 10))
    paint(picture, STILL)
    for step in range(STILL):
        mover.change(QRectF(10, 10, 10 + step % 2, 20))
        paint(picture)
    assert color_at(picture, 15, 15) == "#0000ff"
    assert color_at(picture, 15, 25) == "#00ff00"
    assert color_at(picture, 25, 25) == "#ff0000"


def test_what_is_lifted_lies_on_the_others(picture):
    spot = Spot(picture, 1, "red", (10, 10, 20, 20))
    Spot(picture, 2, "blue", (10, 10, 20, 20))
    paint(picture, STILL)
    spot.lift(3)
    assert color_at(picture, 15, 15) == "#ff0000"


def test_what_is_hidden_or_taken_away_is_gone(picture):
    hidden = Spot(picture, 1, "red", (10, 10, 20, 20))
    taken = Spot(picture, 1, "red", (50, 10, 20, 20))
    paint(picture, STILL)
    hidden.show(False)
    taken.take_away()
    assert color_at(picture, 15, 15) == color_at(picture, 55, 15) == "#ffffff"


def test_a_new_ground_is_seen_under_what_stands_still(picture):
    Spot(picture, 1, "red", (10, 10, 20, 20))
    paint(picture, STILL)
    picture.set_ground(QColor("black"))
    assert color_at(picture, 5, 5) == "#000000"
    assert color_at(picture, 15, 15) == "#ff0000"


def test_a_larger_picture_is_painted_to_its_edges(picture):
    Spot(picture, 1, "red", (90, 10, 60, 20))
    paint(picture, STILL)
    picture.resize(200, 80)
    assert color_at(picture, 140, 15) == "#ff0000"


def test_only_what_moved_is_asked_to_be_painted(picture, monkeypatch):
    Spot(picture, 1, "red", (10, 10, 20, 20))
    mover = Spot(picture, 2, "blue", (60, 40, 10, 10))
    paint(picture, 1)
    areas = []
    monkeypatch.setattr(picture, "_paint", lambda painter, area: areas.append(area))
    mover.change(QRectF(62, 40, 10, 10))
    QApplication.processEvents()
    assert areas == [QRectF(58, 38, 16, 14)]


def test_the_highest_drawing_with_a_tooltip_is_found(picture):
    low, high = (Spot(picture, height, "red", (10, 10, 20, 20)) for height in (1, 2))
    low.tip = "all of it"
    assert picture.drawing_at(QPoint(15, 15)) is low
    low.show(False)
    assert picture.drawing_at(QPoint(15, 15)) is None
    assert high.is_shown
