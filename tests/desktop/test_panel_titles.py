"""A panel's title says what is in it, where there is room."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop.panels import PANELS


@pytest.fixture
def titles(window):
    window.resize(1400, 900)
    window.state.set_level("everything")
    window.show()
    QApplication.processEvents()
    return window.docks.docks


def dim_pixels(dock):
    """How many pixels of the title bar have the colour of what is said after the title."""
    wanted = dock.state.look.color("dim").rgb()
    image = dock.title_bar.grab().toImage()
    right = dock.title_bar.fill.x()
    return sum(
        image.pixel(x, y) == wanted for x in range(right) for y in range(image.height())
    )  # fmt: skip


def test_the_planes_say_which_vectors_are_in_them():
    about = {place.name: place.about for place in PANELS}
    assert about["where"] == "queries and keys"
    assert about["copied"] == "values and outputs"


@pytest.mark.parametrize("name", [place.name for place in PANELS if place.about])
def test_what_is_in_a_panel_is_said_after_its_title_and_to_readers(titles, name):
    dock = titles[name]
    dock.raise_()
    QApplication.processEvents()
    assert dim_pixels(dock) > 10
    assert dock.accessibleDescription() == dock.place.about


def test_without_room_the_title_stands_alone(titles):
    bar = titles["where"].title_bar
    bar.resize(150, bar.height())
    assert dim_pixels(titles["where"]) == 0
