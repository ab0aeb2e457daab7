"""Every figure, of any sentence: what is drawn is whole, in its place, and the engine's."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from PIL import Image

from engine import attention_of
from engine.notation import write_share
from engine.presets import load_preset
from engine.sentence import Head, Sentence, new_sentence
from export.carried import document_carried_by
from export.cli import main
from export.figures import FIGURES, find_figure
from export.hard_sentences import HARD_SENTENCES

SENTENCES = {"the post": load_preset(), **HARD_SENTENCES}
SVG = "{http://www.w3.org/2000/svg}"


def figure_bytes(name, sentence, *, theme="light", rows="queries", **kind):
    from export.figures.save import FileStyle, figure_file
    from export.figures.theme import FigureStyle

    style = FigureStyle(theme, rows=rows)
    return figure_file(find_figure(name), sentence, 0, style, FileStyle(**kind))


def texts_of(svg):
    return ["".join(one.itertext()) for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def written_boxes(name, sentence, theme):
    """The text and the box, in pixels, of everything that is written; and the picture's size."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    from export.figures import load_figure
    from export.figures.theme import FigureStyle, new_figure

    style = FigureStyle(theme)
    with style.applied():
        figure = new_figure(style)
        renderer = FigureCanvasAgg(figure).get_renderer()
        load_figure(find_figure(name))(figure, sentence, 0, style)
        figure.draw_without_rendering()
        boxes = []
        for text in figure.findobj(Text):
            if text.get_visible() and text.get_text().strip() and text.figure is not None:
                patch, text._bbox_patch = getattr(text, "_bbox_patch", None), None
                box = Text.get_window_extent(text, renderer)
                text._bbox_patch = patch
                if box.width > 0 and not _is_off(text):
                    boxes.append((text.get_text(), box))
        return boxes, figure.bbox


def _is_off(text):
    axes = text.axes
    return axes is not None and not axes.axison and type(text).__name__ != "Annotation"


def meeting(boxes, slack=1.5):
    """Pairs of texts that lie on each other by more than `slack` pixels both ways."""
    return [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(boxes, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > slack and min(a.y1, b.y1) - max(a.y0, b.y0) > slack
    ]


@pytest.mark.case(34)
@pytest.mark.parametrize("title", SENTENCES)
@pytest.mark.parametrize("name", [entry.name for entry in FIGURES])
def test_no_two_texts_meet_and_none_leaves_the_picture(name, title):
    boxes, whole = written_boxes(name, SENTENCES[title], "light")
    outside = [
        text for text, box in boxes
        if box.x0 < -1 or box.y0 < -1 or box.x1 > whole.width + 1 or box.y1 > whole.height + 1
    ]  # fmt: skip
    assert (outside, meeting(boxes)) == ([], [])


@pytest.mark.case(6)
@pytest.mark.parametrize("name", [entry.name for entry in FIGURES])
@pytest.mark.slow
def test_an_svg_of_any_sentence_parses_and_holds_no_nan(name):
    for sentence in SENTENCES.values():
        svg = figure_bytes(name, sentence, theme="both", text="keep").decode()
        assert not re.search(r"\b(nan|inf)\b", re.sub(r"(?s)<metadata>.*</metadata>", "", svg))
        ElementTree.fromstring(svg)


FAST = "weights", "query-plane"
NAMING = [
    pytest.param(entry.name, marks=() if entry.name in FAST else pytest.mark.slow)
    for entry in FIGURES
    if entry.name != "growth"
]


@pytest.mark.case(6)
@pytest.mark.parametrize("name", NAMING)
@pytest.mark.parametrize(
    "word",
    ["猫", "القط", "naïve", "😀", "a\u0301", "W" * 60, "<b>&amp;", "#x_$]@ref", "//", "ffi"],
)
def test_each_word_is_whole_in_order_and_inside_every_figure(name, word):
    """One that is too long for its label is cut there, and stands whole under the figure."""
    sentence = new_sentence([word, "b"])
    for text in ("keep", "embed"):
        written = texts_of(figure_bytes(name, sentence, text=text))
        assert word in "".join(written)
    boxes, whole = written_boxes(name, sentence, "light")
    shown = word if len(word) < 20 else "WW"
    with Image.open(io.BytesIO(figure_bytes(name, sentence, format="png"))) as picture:
        ink = np.asarray(picture.convert("L"))
    high, across = ink.shape[0] / whole.height, ink.shape[1] / whole.width
    for text, box in boxes:
        if shown in text:
            assert box.x0 >= 0 <= box.y0
            assert box.x1 <= whole.width
            assert box.y1 <= whole.height
            top, bottom = ((whole.height - y) * high for y in (box.y1, box.y0))
            part = ink[round(top) : round(bottom), round(box.x0 * across) : round(box.x1 * across)]
            assert np.ptp(part) > 60


@pytest.mark.case(4)
@pytest.mark.parametrize("name", [entry.name for entry in FIGURES])
def test_of_a_zero_query_no_figure_holds_a_nan(name, post):
    head = msgspec.structs.replace(post.heads[0], query=((0, 1), (1, 1), (0, 0), (1, 0)))
    svg = figure_bytes(name, msgspec.structs.replace(post, heads=(head,)), text="keep").decode()
    assert not re.search(r"\bnan\b", re.sub(r"(?s)<metadata>.*</metadata>", "", svg), re.IGNORECASE)


@pytest.mark.case(10)
@pytest.mark.parametrize(
    ("number", "text"),
    [(-0.0, "0"), (-0.001, "0.00"), (1e5, "1.00×10⁵"), (1e-9, "0.00"), (0.005, "0.01"),
     (0.125, "0.13"), (9999.996, "1.00×10⁴")],
)  # fmt: skip
def test_a_score_is_written_in_a_figure_as_everywhere(number, text):
    head = Head(name="one", query=((number,),), key=((1.0,),), value=((1.0,),))
    sentence = Sentence(byhand=1, words=("cat",), heads=(head,))
    assert f"k cat: {text}" in texts_of(figure_bytes("query-plane", sentence, text="keep"))


def test_the_grid_in_the_svg_says_what_the_engine_says(post):
    texts = texts_of(figure_bytes("weights", post))
    wanted = [write_share(float(w)) for row in attention_of(post).weights for w in row]
    assert [text for text in texts if re.fullmatch(r"[<\d.]+", text)] == wanted


def test_the_posts_pair_of_grids_is_reproduced(post):
    texts = texts_of(figure_bytes("causal-pair", post))
    numbers = [text for text in texts if re.fullmatch(r"[<\d.]+", text)]
    assert numbers[8:12] == ["0.04", "0.73", "0.18", "0.04"]
    assert numbers[16:20] == ["1", "0", "0", "0"]
    assert numbers[24:28] == ["0.05", "0.77", "0.19", "0"]


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_document_is_read_back_from_the_figure(kind, post, tmp_path):
    from engine.files import format_sentence

    file = tmp_path / f"weights.{kind}"
    file.write_bytes(figure_bytes("weights", post, format=kind))
    assert document_carried_by(file) == format_sentence(post)


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_no_source_leaves_the_document_out(kind, post, tmp_path):
    file = tmp_path / f"weights.{kind}"
    file.write_bytes(figure_bytes("weights", post, format=kind, source=False))
    assert document_carried_by(file) is None


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_a_figure_has_the_same_bytes_each_time(kind, post):
    assert figure_bytes("weights", post, format=kind) == figure_bytes("weights", post, format=kind)


@pytest.mark.parametrize("text", ["keep", "embed", "outline"])
def test_no_svg_has_a_picture_or_reaches_out_of_itself(text, post):
    svg = figure_bytes("causal-pair", post, text=text).decode()
    assert "<image" not in svg
    assert not re.search(r'(href|url)\(?=?"?(?!data:)(https?:|/)', svg)


def test_outlined_text_needs_no_font(post):
    assert texts_of(figure_bytes("weights", post, text="outline")) == []


def test_two_figures_in_one_page_share_no_id(post):
    ids = [
        set(re.findall(r'\bid="([^"]*)"', figure_bytes(name, sentence).decode()))
        for name in ("weights", "causal-pair")
        for sentence in (post, msgspec.structs.replace(post, focus=0))
    ]
    assert all(not a & b for a, b in itertools.combinations(ids, 2))


def test_a_site_can_set_a_roles_colour(post):
    svg = figure_bytes("weights", post, theme="both").decode()
    assert "fill:var(--byhand-query,#016cfc)" in svg
    assert "fill:var(--byhand-query,#4377f5)" in svg.split("prefers-color-scheme:dark")[1]


def test_the_svg_is_told_to_those_who_cannot_see_it(post):
    root = ElementTree.fromstring(figure_bytes("weights", post))
    assert root.get("role") == "img"
    assert "73 % of its attention to cat" in root.find(f"{SVG}desc").text


@pytest.mark.case(6)
def test_a_word_that_looks_like_mathematics_or_markup_stays_a_word(post):
    words = ("$x$", "<b>&amp;", "#x_$]@ref", "//")
    texts = texts_of(figure_bytes("weights", msgspec.structs.replace(post, words=words)))
    assert set(words) <= set(texts)


def test_a_character_that_no_font_has_is_named_and_warned_of_by_nobody(post):
    from export.figures.lettering import undrawable

    words = ("\U0010fffd", *post.words[1:])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure_bytes("weights", msgspec.structs.replace(post, words=words), format="png")
    assert undrawable("cat \U0010fffd") == ("\U0010fffd",)


@pytest.mark.parametrize("name", ["weights", "winning-word"])
def test_a_pdf_is_as_wide_as_asked_in_css_pixels(name, post):
    data = figure_bytes(name, post, format="pdf", width=800)
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) [\d.]+ \]", data)
    assert float(box) == pytest.approx(800 * 0.75, abs=0.5)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_png_is_as_wide_as_asked_times_its_scale(scale, post):
    data = figure_bytes("weights", post, format="png", width=640, scale=scale)
    assert int.from_bytes(data[16:20]) == pytest.approx(640 * scale, abs=1)


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("name", [entry.name for entry in FIGURES])
def test_every_figure_comes_in_every_format_and_theme(name, theme, kind):
    """With words in four scripts, and no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sentence = HARD_SENTENCES["any script"]
        data = figure_bytes(name, sentence, theme=theme, format=kind, text="keep")
    assert data.startswith({"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG"}[kind])


@pytest.mark.case(35)
@pytest.mark.case(26)
@pytest.mark.parametrize(
    "folder", ["it's here", "a{b}", "{}", "ünï-日本語", "with space", "blank "]
)
def test_the_command_draws_into_any_folder_with_no_program_and_no_home(folder, tmp_path):
    home, empty = tmp_path / "home", tmp_path / "no programs"
    home.mkdir()
    empty.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "figure", "weights", "--json", "-o", tmp_path / folder],
        env={**os.environ, "HOME": str(home), "PATH": str(empty), "LC_ALL": "C"},
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    target = tmp_path / folder / "weights.svg"
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[-1]) == {"event": "done", "files": [str(target)]}
    assert ElementTree.parse(target).getroot().tag == f"{SVG}svg"


def test_nothing_is_overwritten_without_force(post, tmp_path, capsys):
    kept = tmp_path / "weights.svg"
    kept.write_text("mine")
    assert main(["figure", "weights", "-o", str(kept)]) == 2
    assert kept.read_text() == "mine"
    assert "--force" in capsys.readouterr().err
    assert main(["figure", "weights", "-o", str(kept), "--force"]) == 0
    assert document_carried_by(kept) is not None


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["wieghts"], "did you mean weights?"),
        (["--format", "gif"], "--help"),
        (["weights", "-o", "a.docx.png", "--format", "svg"], "contradicts --format svg"),
        (["weights", "scaling", "-o", "one.svg"], "give -o a folder"),
        (["--width", "9"], "try 50 to 16384"),
        (["--sentence", "none.byhand.json"], "none.byhand.json"),
    ],
)
def test_what_cannot_be_drawn_is_one_line_that_says_what_to_try(
    asked, answer, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["figure", *asked]) == 2
    said = capsys.readouterr().err
    assert answer in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_every_figure_is_listed_with_its_title(capsys):
    assert main(["figure", "--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed == [{"name": entry.name, "title": entry.title} for entry in FIGURES]
