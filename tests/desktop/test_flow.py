import pytest
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.views.flow import MARGIN, FlowRow


@pytest.fixture
def row(qtbot):
    """Three buttons, the second stretched."""
    outside = QWidget()
    qtbot.addWidget(outside)
    layout = FlowRow()
    outside.setLayout(layout)
    buttons = [QPushButton(text, outside) for text in ("one", "two", "three")]
    for button in buttons:
        button.setFixedHeight(20)
        layout.add(button, stretch=button is buttons[1])
    outside.show()
    return outside, buttons


def test_with_room_all_stand_in_one_line_and_fill_it(row):
    outside, buttons = row
    outside.resize(700, 100)
    assert len({button.y() for button in buttons}) == 1
    assert buttons[2].geometry().right() == 700 - MARGIN - 1
    assert buttons[1].width() > buttons[1].sizeHint().width()


def test_without_room_they_go_on_in_the_next_line(row):
    outside, buttons = row
    outside.resize(buttons[0].sizeHint().width() * 2 + 30, 200)
    assert buttons[0].y() == buttons[1].y() < buttons[2].y()
    layout = outside.layout()
    assert layout.heightForWidth(outside.width()) > layout.heightForWidth(700)


def test_what_is_hidden_takes_no_room(row):
    outside, buttons = row
    outside.resize(buttons[0].sizeHint().width() * 2 + 30, 200)
    buttons[0].hide()
    outside.layout().activate()
    assert buttons[1].y() == buttons[2].y()
