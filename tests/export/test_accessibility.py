"""Every page we write can be read by those who don't see it, and told apart by those who do."""

from __future__ import annotations

import numpy as np
import pytest

from export.cli import main
from export.encoder import ClipEncoder
from export.hard_sentences import HARD_SENTENCES
from export.jobs import Clip
from export.options import RenderOptions, choose_films
from export.slide_page import slide_page
from export.transcript import Part, Row, transcript_page
from export.worksheets import write_worksheet
from scenes.beats import Beat

SENTENCES = ["any script", "sixty-four words", "may look at nothing", "two heads"]


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("blank", [False, True], ids=["worked", "blank"])
def test_a_worksheet_stands_in_nobodys_way(accessibility, post, blank, theme):
    page = write_worksheet(post, 0, "html", focuses=range(4), blank=blank, theme=theme)
    assert accessibility.problems(page) == []


@pytest.mark.parametrize("blank", [False, True], ids=["worked", "blank"])
@pytest.mark.parametrize("title", SENTENCES)
def test_a_worksheet_of_any_sentence_stands_in_nobodys_way(accessibility, title, blank):
    page = write_worksheet(HARD_SENTENCES[title], 0, "html", blank=blank)
    assert accessibility.problems(page) == []


def test_sheets_for_a_class_stand_in_nobodys_way(accessibility, tmp_path):
    file = tmp_path / "sheets.html"
    assert main(["worksheet", "--variants", "3", "-o", str(file), "--quiet"]) == 0
    assert accessibility.problems(file.read_text("utf-8")) == []


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_slides_stand_in_nobodys_way(accessibility, post, tmp_path, theme):
    path = tmp_path / "clip.mp4"
    with ClipEncoder(path, width=64, height=48, frame_rate=10) as encoder:
        encoder.write(np.zeros((48, 64, 4), np.uint8), 5)
    beats = (Beat("One", "Said", 0.0, 0.5, (), ("seen",)),)
    options = RenderOptions(sentence=post, films=choose_films(["softmax"]), theme=theme)
    page = slide_page(options, {"softmax": Clip("softmax", 5, 10, beats, path)})
    assert accessibility.problems(page) == []


def test_a_transcript_stands_in_nobodys_way(accessibility, post):
    rows = (
        Row(0.0, "Ask", "What will it be?", ("the", "0.73"), b"", (960, 540)),
        Row(4.0, "Wait", "", (), b"", (960, 540)),
    )
    page = transcript_page("Softmax & more", post, [Part("Softmax", 0.0, rows)])
    assert accessibility.problems(page) == []


# The checker itself: what it would say

PAGE = """<!doctype html>
<html lang="en"><head><title>T</title><style>
:root { --ground: #ffffff; --ink: #000000; --dim: #666666; --line: #888888 }
@media (prefers-color-scheme: dark) { :root { --ground: #000000; --ink: #ffffff; --dim: #aaaaaa } }
body { background: var(--ground); color: var(--ink) } p { color: var(--dim) }
</style></head><body><main><h1>T</h1><h2 id="a">A</h2><p><a href="#a">there</a></p>
<img src="x.png" alt="a cat"><button type="button" aria-label="Copy: A">Copy</button>
<table><caption>C</caption><tr><th scope="col">x</th></tr></table></main></body></html>"""


def test_a_good_page_has_no_problem(accessibility):
    assert accessibility.problems(PAGE) == []


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (' lang="en"', "", "no language"),
        ("<title>T</title>", "<title></title>", "no title"),
        ("<h2 id", "<h3 id", "comes after"),
        ("</h2>", "</h3>", "closes"),
        ("<h1>T</h1>", "", "one first heading"),
        (' alt="a cat"', "", "has no name"),
        ('href="#a"', 'href="#b"', "asks for #b"),
        ("<h1>", '<h1 id="a">', "two things"),
        ("Copy: A", "A", "is called"),
        ("<caption>C</caption>", "", "no caption"),
        (' scope="col"', "", "head of nothing"),
        ("<p>", "<p><video autoplay></video>", "by itself"),
        ("--dim: #666666", "--dim: #888888", "needs 4.5"),
        ("--dim: #aaaaaa", "--dim: #555555", "needs 4.5"),
        ("color: var(--dim)", "border: 1px solid var(--dim); color: var(--ground)", "1.00:1"),
    ],
)
def test_the_checker_sees_what_is_wrong(accessibility, good, bad, said):
    assert good in PAGE
    assert any(said in problem for problem in accessibility.problems(PAGE.replace(good, bad)))
