"""A stranger's words in everything that is written: whole, and never more than words.

What they add is held against a twin: a document of letters, each word as long as the stranger's.
"""

import ast
import csv
import io
import re
import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest
from markdown_it import MarkdownIt

from engine.sentence import new_sentence
from export import slide_page
from export.bundle_options import BundleOptions
from export.bundle_page import bundle_page
from export.bundle_tables import tables_sheet
from export.captions import captions_of, srt, vtt
from export.carried import document_in
from export.figures import FIGURES
from export.hard_sentences import STRANGERS_WORDS
from export.jobs import Clip, Plan
from export.options import RenderOptions, choose_films
from export.transcript import Part, Row, transcript_page
from export.worksheets import write_worksheet
from export.worksheets.as_markdown import markdown_of
from scenes.beats import Beat, Cue, split_caption
from scenes.direction import contained, isolated
from scenes.parts.typeset import typeset

FETCHING = ("src", "href", "srcset", "poster", "data", "action", "content", "style")


def told_by(words, title):
    """A document of these words, whose title, head and stories are a stranger's too."""
    sentence = new_sentence(words, title=title)
    (head,) = sentence.heads
    stories = {name: tuple(words) for name in ("asks", "shows", "gives")}
    return msgspec.structs.replace(
        sentence, heads=(msgspec.structs.replace(head, name=words[0]),), focus=3, **stories
    )


TWINS = [f"{chr(97 + i)}{'x' * (len(word) - 1)}" for i, word in enumerate(STRANGERS_WORDS)]
HOSTILE = told_by(STRANGERS_WORDS, STRANGERS_WORDS[2])
TWIN = told_by(TWINS, TWINS[2])


class Shape(HTMLParser):
    """A page's elements, their attributes, and all that could fetch or run something."""

    def __init__(self):
        super().__init__()
        self.elements, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        values = [value for name, value in attributes if name in FETCHING]
        self.elements.append((tag, [name for name, _ in attributes], values))

    def handle_data(self, data):
        self.text += data


def shape(page):
    parser = Shape()
    parser.feed(page)
    parser.close()
    return parser


# Pages


def beats_of(sentence):
    said = [f"“{word}” {sentence.words[0]}" for word in sentence.words]
    return tuple(
        Beat(text, text, 2.0 * i, 2.0 * i + 2, (Cue(2.0 * i, 2.0 * i + 2, split_caption(text)[0]),),
             (text,))
        for i, text in enumerate(said)
    )  # fmt: skip


def slides_of(sentence):
    options = RenderOptions(sentence=sentence, films=choose_films(["softmax"]))
    return slide_page.slide_page(
        options, {"softmax": Clip("softmax", 9, 9, beats_of(sentence), "")}
    )


def transcript_of(sentence):
    rows = [Row(b.start, b.title, b.caption, b.seen, b"", (1, 1)) for b in beats_of(sentence)]
    return transcript_page(sentence.title, sentence, [Part(sentence.title, 0.0, tuple(rows))])


def bundle_of(sentence):
    tables = tables_sheet(sentence, 0, digits=2, rows="queries")
    options = BundleOptions(sentence=sentence, folder=".")
    return bundle_page(options, [], [], [], tables, markdown_of(tables))


PAGES = {
    "worksheet": lambda s: write_worksheet(s, style="html"),
    "blank worksheet": lambda s: write_worksheet(s, style="html", blank=True),
    "slides": slides_of,
    "transcript": transcript_of,
    "bundle": bundle_of,
}


@pytest.fixture(autouse=True)
def _clips_need_not_be_cut(monkeypatch):
    monkeypatch.setattr(slide_page, "split_clip", lambda clip: [b""] * len(clip.beats))


@pytest.mark.parametrize("kind", PAGES)
def test_a_strangers_words_add_nothing_to_a_page_but_words(kind):
    hostile, twin = shape(PAGES[kind](HOSTILE)), shape(PAGES[kind](TWIN))
    assert hostile.elements == twin.elements


@pytest.mark.parametrize("kind", ["worksheet", "transcript", "bundle"])
def test_every_strangers_word_is_whole_on_a_page(kind):
    text = shape(PAGES[kind](HOSTILE)).text
    assert [word for word in STRANGERS_WORDS if word not in text] == []


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_fetches_nothing_and_says_so_to_the_browser(kind):
    page = PAGES[kind](HOSTILE)
    assert "Content-Security-Policy\" content=\"default-src 'none'" in page
    values = [value for _, _, values in shape(page).elements for value in values]
    assert not [value for value in values if re.match(r"\s*(\w+:)?//|file:|javascript:", value)]


# Figures


@pytest.mark.parametrize("name", [entry.name for entry in FIGURES if entry.name != "growth"])
def test_a_strangers_words_are_only_text_in_a_figure(name):
    from export.figures.save import FileStyle, figure_file
    from export.figures.theme import FigureStyle

    (entry,) = (one for one in FIGURES if one.name == name)
    few = told_by(STRANGERS_WORDS[:8], STRANGERS_WORDS[2])
    style = FigureStyle(theme="both")
    picture = figure_file(entry, few, 0, style, FileStyle(text="keep")).decode()
    root = ElementTree.fromstring(picture)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg", "title", "desc", "metadata", "byhand", "style", "defs", "g", "path", "use", "rect",
        "text", "clipPath", "image",
    }  # fmt: skip
    for element in root.iter():
        for key, value in element.attrib.items():
            assert not key.startswith("on")
            assert not key.endswith("href") or value.startswith(("#", "data:"))
        if element.tag.endswith("}style"):
            assert not re.search(r"url\((?!data:)|@import", element.text or "")
    assert ElementTree.tostring(root, "unicode", "text").count(few.words[2]) >= 1


def test_words_that_look_like_what_an_svg_is_made_of_stay_whole_in_it():
    from export.figures.save import FileStyle, figure_file
    from export.figures.theme import FigureStyle

    words = ["url(#x)", 'id="x"', ' style="a"', "fill: #ff0000", 'href="#x"', "-->"]
    (entry,) = (one for one in FIGURES if one.name == "weights")
    for text in ("keep", "embed", "outline"):
        style = FigureStyle(theme="both")
        picture = figure_file(entry, new_sentence(words), 0, style, FileStyle(text=text))
        root = ElementTree.fromstring(picture)
        drawn = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        assert text == "outline" or set(words) <= set(drawn)


def test_a_pdf_of_a_strangers_words_starts_nothing_and_gives_them_back():
    from engine.files import format_sentence
    from export.figures.save import FileStyle, figure_file
    from export.figures.theme import FigureStyle

    (entry,) = (one for one in FIGURES if one.name == "weights")
    made = figure_file(entry, HOSTILE, 0, FigureStyle(), FileStyle(format="pdf"))
    objects = re.sub(rb"stream\r?\n.*?endstream", b"", made, flags=re.DOTALL)
    assert not re.search(rb"/(URI|JS|JavaScript|Launch|OpenAction|AA|EmbeddedFile)\b", objects)
    assert document_in(made) == format_sentence(HOSTILE)


# Papers


def test_markdown_of_a_strangers_words_has_no_markup_of_theirs():
    parser = MarkdownIt("gfm-like", {"linkify": False})
    for sheet in (write_worksheet(HOSTILE, style="md"), markdown_of(tables_of(HOSTILE))):
        tokens = [inner for t in parser.parse(sheet) for inner in (t, *(t.children or ()))]
        kinds = {token.type for token in tokens}
        assert not kinds & {"link_open", "image", "html_inline", "html_block", "em_open", "fence"}
        text = "".join(t.content for t in tokens if t.type in ("text", "code_inline"))
        assert [word for word in STRANGERS_WORDS if contained(word) not in text] == []
        bare = "".join(token.content for token in tokens if token.type == "text")
        assert not re.search(r"https?:|www\.|@\w", bare)


def tables_of(sentence):
    return tables_sheet(sentence, 0, digits=2, rows="queries")


def test_latex_of_a_strangers_words_runs_no_command_of_theirs():
    hostile, twin = (write_worksheet(s, style="latex") for s in (HOSTILE, TWIN))
    mine = set(re.findall(r"\\[A-Za-z]+|\\.|\^\^", twin))
    letters = {
        r"\textbackslash", r"\textasciicircum", r"\textasciitilde", r"\textquotedbl", r"\%", r"\#",
        r"\textasciigrave", r"\textquotesingle", r"\$", r"\&", r"\_", r"\{", r"\}", r"\ ",
        r"\righttoleft", r"\beginR", r"\endR", r"\ifdefined", r"\else", r"\fi", r"\newcommand",
        r"\textdir", r"\TeXXeTstate", r"\XeTeXversion", r"\directlua", r"\IfFontExistsTF",
        r"\setmainfont",
    }  # fmt: skip
    assert set(re.findall(r"\\[A-Za-z]+|\\.|\^\^", hostile)) <= mine | letters
    bare = re.sub(r"\\.|^% .*", "", hostile, flags=re.MULTILINE)
    assert bare.count("{") == bare.count("}")
    assert "%" not in bare


def test_no_cell_of_a_table_is_a_formula():
    rows = list(csv.reader(io.StringIO(write_worksheet(HOSTILE, style="csv"))))
    texts = {cell for row in rows[1:] for cell in (row[0], row[3], row[5])}
    assert not [text for text in texts if text.startswith(("=", "+", "-", "@", "\t"))]
    for word in STRANGERS_WORDS:
        assert word in texts or f"'{word}" in texts


def test_the_numpy_script_of_a_strangers_words_does_what_the_twins_does():
    scripts = [ast.parse(write_worksheet(s, style="numpy")) for s in (HOSTILE, TWIN)]
    words = [
        ast.literal_eval(statement.value)
        for tree in scripts
        for statement in tree.body
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "WORDS"
    ]
    assert words == [list(STRANGERS_WORDS), TWINS]
    kinds = [[type(node) for node in ast.walk(tree)] for tree in scripts]
    assert kinds[0] == kinds[1]


# What turns the line


@pytest.mark.parametrize(
    "word", ["\u202eout\u2069 of", "\u2067\u202e", "\u202c\u2069", "\u2066a\u2069"]
)
def test_a_word_ends_all_that_it_begins_and_nothing_else(word):
    opened = []
    for character in contained(word):
        if character in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068":
            opened.append(character)
        elif character == "\u202c":
            assert opened.pop() < "\u2066"
        elif character == "\u2069":
            assert opened.pop() >= "\u2066"
    assert opened == []


def test_a_word_that_is_well_behaved_stays_as_it_is():
    for word in ("the", "שלום", "\u2067שלום\u2069 a", "\u202bשלום\u202c"):
        assert contained(word) == word


@pytest.mark.parametrize("style", ["text", "md"])
def test_a_word_that_turns_the_line_is_contained_in_it(style):
    sheet = write_worksheet(HOSTILE, style=style)
    (turning,) = (word for word in STRANGERS_WORDS if "\u202e" in word)
    assert isolated(turning) != f"\u2068{turning}\u2069"
    for line in sheet.splitlines():
        assert contained(line) == line


# Captions


def test_captions_of_a_strangers_words_have_no_tag_and_no_time_but_ours():
    captions = captions_of([Plan("softmax", 500, 10, beats_of(HOSTILE))])
    assert len(captions) > 10
    for text in (srt(captions), vtt(captions)):
        assert text.count("-->") == len(captions)
        assert not re.search(r"<[/\w]", text)
    assert "{\\" not in srt(captions)
    assert "<\u2060font size=9>" in srt(captions)


# Typst


@pytest.mark.case(7)
@pytest.mark.parametrize("word", ["שלום", "القط"])
def test_a_word_alone_that_is_written_from_right_to_left_is_set(word):
    """Case 7, in film: Word `שלום` alone: it is drawn (Manim's Text draws nothing at all)."""
    line = typeset(word)
    assert len(line.glyphs) == len(word)
    assert all(glyph.paths for glyph in line.glyphs)
    assert line.missing == 0


@pytest.mark.parametrize("word", [word for word in STRANGERS_WORDS if word.isascii()])
def test_typst_sets_a_strangers_word_letter_by_letter(word):
    """Nothing in it is code: as many outlines as there are letters."""
    line = typeset(word)
    assert sum(bool(glyph.paths) for glyph in line.glyphs) == len(word.replace(" ", ""))


# The terminal


def test_what_is_printed_moves_no_cursor_and_has_no_markup(tmp_path):
    from engine.files import write_sentence

    write_sentence(HOSTILE, tmp_path / "s.byhand.json")
    commands = (
        ["check", "s.byhand.json"], ["worksheet", "--sentence", "s.byhand.json"],
        ["worksheet", "--sentence", "s.byhand.json", "--focus", "\x1b[31mno[/red]"],
    )  # fmt: skip
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", "export.cli", *command],
            cwd=tmp_path, capture_output=True, text=True, encoding="utf-8",
        )  # fmt: skip
        text = (done.stdout + done.stderr).replace("\n", "")
        assert text
        assert "Traceback" not in text
        assert not re.search(r"[\x00-\x1f\x7f-\x9f]", text)
        assert command[0] == "check" or "[/red]" in text
