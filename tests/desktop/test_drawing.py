import os
import sys

import pytest

from desktop import renders
from desktop.drawing import Drawing
from engine.presets import load_preset
from export.worksheet_options import WorksheetOptions

ECHO = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    style = asked["worksheet"]["style"]
    if style == "md":
        os.kill(os.getpid(), 9)
    if style == "latex":
        time.sleep(60)
    print("a line of somebody else's", flush=True)
    print(json.dumps({"number": asked["number"], "files": [], "alt_text": str(os.getpid()),
                      "undrawable": [], "error": style}), flush=True)
"""


def sheet(style):
    return WorksheetOptions(load_preset(), style=style)


@pytest.fixture
def heard(qtbot, monkeypatch):
    """A drawing whose process answers with the style that it was asked for; and its answers."""
    monkeypatch.setattr(renders, "command", lambda: [sys.executable, "-c", ECHO])
    asks, answers = Drawing(), []
    asks.answered.connect(lambda number, answer: answers.append((number, answer)))
    yield asks, answers
    asks.close()


def errors(answers):
    return [(number, answer.error) for number, answer in answers]


def test_requests_are_answered_in_order_by_one_process(heard, qtbot):
    asks, answers = heard
    numbers = [asks.ask(sheet(style)) for style in ("text", "csv", "json")]
    qtbot.waitUntil(lambda: len(answers) == 3)
    assert errors(answers) == list(zip(numbers, ("text", "csv", "json"), strict=True))
    assert len({answer.alt_text for _, answer in answers}) == 1
    assert not asks.is_at_work


def test_a_request_that_was_not_begun_gives_way_to_a_newer_one(heard, qtbot):
    asks, answers = heard
    first = asks.ask(sheet("text"))
    second = asks.ask(sheet("csv"), instead_of=first)  # the first is at work already
    third = asks.ask(sheet("json"), instead_of=second)
    qtbot.waitUntil(lambda: len(answers) == 2)
    qtbot.wait(50)
    assert errors(answers) == [(first, "text"), (third, "json")]


def test_a_process_that_is_killed_is_told_and_the_next_request_gets_a_new_one(heard, qtbot):
    asks, answers = heard
    asks.ask(sheet("md"))
    asks.ask(sheet("csv"))
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert "killed or crashed" in answers[0][1].error
    assert answers[1][1].error == "csv"


def test_a_process_that_cannot_be_started_is_told_of_every_request(heard, qtbot, monkeypatch):
    asks, answers = heard
    monkeypatch.setattr(renders, "command", lambda: ["/nonexistent/byhand"])
    numbers = [asks.ask(sheet("text")), asks.ask(sheet("csv"))]
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert [number for number, _ in answers] == numbers
    assert all("can't be started" in answer.error for _, answer in answers)


def test_closing_ends_the_process_at_once_whatever_it_is_at(heard, qtbot):
    asks, answers = heard
    asks.ask(sheet("text"))
    qtbot.waitUntil(lambda: len(answers) == 1)
    pid = int(answers[0][1].alt_text)
    asks.ask(sheet("latex"))
    asks.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not asks.is_at_work


def test_the_process_is_let_go_after_a_rest_and_comes_back(heard, qtbot, monkeypatch):
    asks, answers = heard
    asks._resting.setInterval(10)
    asks.ask(sheet("text"))
    qtbot.waitUntil(lambda: len(answers) == 1)
    qtbot.waitUntil(lambda: asks._process is None)
    asks.ask(sheet("csv"))
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers[0][1].alt_text != answers[1][1].alt_text


def test_a_request_can_be_waited_for(heard, qtbot):
    asks, answers = heard
    asks.ask(sheet("text"))
    number = asks.ask(sheet("csv"))
    asks.finish(number, 20_000)
    assert errors(answers)[-1] == (number, "csv")


def test_waiting_for_a_process_that_hangs_has_an_end(heard, qtbot):
    asks, answers = heard
    asks.ask(sheet("text"))
    qtbot.waitUntil(lambda: len(answers) == 1)
    number = asks.ask(sheet("latex"))
    asks.finish(number, 50)
    assert len(answers) == 1


def test_it_ends_with_the_window_that_asked(heard, qtbot):
    asks, answers = heard
    asks.ask(sheet("text"))
    qtbot.waitUntil(lambda: len(answers) == 1)
    asks._process.closeWriteChannel()  # as the system does when the window is killed
    qtbot.waitUntil(lambda: asks._process is None)
    with pytest.raises(ProcessLookupError):
        os.kill(int(answers[0][1].alt_text), 0)
