import io
import json
import subprocess
import sys

import pytest

from engine.presets import load_preset
from export.answering import Answer, Preview, answer_all, answer_of, request_of
from export.carried import document_in
from export.figure import draw_file
from export.figure_options import FigureOptions, choose_figures
from export.worksheet_options import WorksheetOptions


def figure(**changes):
    given = {"sentence": load_preset(), "figures": choose_figures(["weights"]), "text": "keep"}
    return FigureOptions(**(given | changes))


def asked(*requests):
    """The answers to requests, by number, through the lines that they and requests become."""
    out = io.StringIO()
    lines = [request_of(number, request) for number, request in enumerate(requests, start=1)]
    answer_all(lines, out)
    return dict(answer_of(line.encode()) for line in out.getvalue().splitlines())


def test_a_figure_is_the_one_that_the_command_draws():
    options = figure(theme="dark", digits=3, rows="keys", head=0)
    answer = asked(options)[1]
    assert answer.files == (draw_file(options, options.files[0]),)
    assert "rows are who is heard (keys)" in answer.alt_text
    assert "sat gives 73 % of its attention to cat" in answer.alt_text
    assert answer.error == ""


def test_a_png_in_both_themes_is_two_files():
    answer = asked(figure(format="png", theme="both", scale=0.5))[1]
    assert len(answer.files) == 2
    assert len(set(answer.files)) == 2


def test_a_figure_carries_the_document_that_was_asked_with():
    from engine.files import format_sentence

    (data,) = asked(figure())[1].files
    assert document_in(data) == format_sentence(load_preset())


def test_a_worksheet_is_the_text_that_the_options_give():
    options = WorksheetOptions(load_preset(), style="md", focuses=(0, 2), blank=True)
    assert asked(options)[1].files == (options.texts()[0].encode(),)


def test_a_folder_of_variants_is_three_files():
    options = WorksheetOptions(load_preset(), style=None, variants=2, seed=3)
    assert [text.decode() for text in asked(options)[1].files] == options.texts()


def test_a_preview_of_a_page_is_its_text():
    page = WorksheetOptions(load_preset(), style="html", blank=True)
    text = WorksheetOptions(load_preset(), style="text", blank=True)
    assert asked(Preview(page))[1].files[0].decode() == text.texts()[0]


def test_a_preview_of_variants_is_the_first_sheet_and_its_key():
    told = asked(Preview(WorksheetOptions(load_preset(), style="html", variants=30, seed=3)))[1]
    text = told.files[0].decode()
    assert text.count("Name ____") == 1
    assert "Answer key" in text
    assert "question 2" in text


def test_what_cannot_be_is_told_in_one_line_and_the_next_is_answered():
    blank = WorksheetOptions(load_preset(), style="csv", blank=True)
    answers = asked(blank, WorksheetOptions(load_preset(), style="csv"))
    assert "a blank csv would hold nothing" in answers[1].error
    assert answers[1].files == ()
    assert answers[2].error == ""


def test_whatever_goes_wrong_is_an_answer(monkeypatch):
    def fail(*_):
        raise RuntimeError("the plane\nis bent")

    monkeypatch.setattr("export.figure.draw_file", fail)
    assert asked(figure())[1] == Answer(error="the plane is bent")


@pytest.mark.parametrize(
    "line", [b"", b"warning: [1]", b"[1]", b'{"number": 1}', b'{"number": 1, "files": 7}']
)
def test_what_somebody_else_prints_is_no_answer(line):
    assert answer_of(line) is None


def test_a_request_is_one_line_whatever_is_in_its_words():
    from engine.sentence import new_sentence

    odd = new_sentence("القط 😀 <b>&amp; #x_$]@ref")
    line = request_of(1, figure(sentence=odd))
    assert line.count("\n") == 1
    assert line.isascii()
    assert json.loads(line)["figure"]["figures"] == ["weights"]


def test_the_hidden_argument_answers_until_its_input_ends():
    options = WorksheetOptions(load_preset(), style="json")
    told = subprocess.run(
        [sys.executable, "-P", "-m", "desktop", "--answering"],
        input=request_of(7, options).encode(), capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    (line,) = told.stdout.splitlines()
    assert answer_of(line) == (7, Answer((options.texts()[0].encode(),)))
    assert told.stderr == b""
