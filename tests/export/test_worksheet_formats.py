"""Worksheets in every format: well-formed, whole words, the engine's numbers, blanks with a key."""

import csv
import html.parser
import io
import re
import subprocess
import sys

import msgspec
import numpy as np
import pytest
from markdown_it import MarkdownIt

from engine import attention_of, work_through
from engine.notation import write_list, write_share
from engine.palette import contrast
from engine.sentence import Head, Sentence
from export.cli import main
from export.hard_sentences import HARD_SENTENCES
from export.worksheets import BLANK, ENDINGS, write_worksheet

SOME = ("one word", "two words", "any script", "d_k 1", "d_k 64", "huge", "zero", "causal",
        "may look at nothing", "two heads")  # fmt: skip
VOID = {"meta", "input", "link", "br", "hr", "img"}


class Page(html.parser.HTMLParser):
    """What a test wants to know of a page; unclosed or crossing elements are an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.headings, self.tables, self.inputs = [], [], [], [], []
        self.isolated, self.starts = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.starts.append((tag, attributes))
        if tag == "table":
            self.tables.append(set())
        if tag in ("caption", "th", "td") and self.tables:
            self.tables[-1].add(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "bdi":
            self.isolated.append("")
        if tag == "input":
            self.inputs.append("aria-label" in attributes or "label" in self.open)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)
        if "bdi" in self.open:
            self.isolated[-1] += data

    @property
    def text(self):
        return "".join(self.texts)


def check_latex(text):
    """Braces, environments and dollars that pair, and nothing that LaTeX would read as its own."""
    text = re.sub(r"^%.*$", "", text, flags=re.M)
    depth, is_math, environments = 0, False, []
    for match in re.finditer(r"\\(begin|end)\{(\w+)\}|\\[a-zA-Z]+|\\.|[{}$#&^_~%]", text, re.S):
        token = match[0]
        if match[1] == "begin":
            environments.append(match[2])
        elif match[1] == "end":
            assert environments.pop() == match[2]
        elif token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            assert depth >= 0
        elif token == "$":
            is_math = not is_math
        elif token in "^_":
            assert is_math
        elif token == "&":
            assert environments[-1] == "tabular"
        elif token == "#":
            assert text[match.end()] == "1"
        assert token != "%"
    assert (depth, is_math, environments) == (0, False, [])


@pytest.mark.case(4)
@pytest.mark.parametrize("style", ENDINGS)
def test_of_a_zero_query_no_format_holds_a_nan(style):
    assert not re.search(r"\bnan\b", write_worksheet(HARD_SENTENCES["zero"], 0, style), re.I)


@pytest.mark.case(10)
@pytest.mark.parametrize(
    ("number", "text"),
    [(-0.0, "0"), (-0.001, "0.00"), (1e5, "1.00×10⁵"), (1e-9, "0.00"), (0.005, "0.01"),
     (0.125, "0.13"), (9999.996, "1.00×10⁴")],
)  # fmt: skip
@pytest.mark.parametrize("style", ["text", "md", "html"])
def test_a_score_is_written_in_a_worksheet_as_everywhere(style, number, text):
    head = Head(name="one", query=((number,),), key=((1.0,),), value=((1.0,),))
    sentence = Sentence(byhand=1, words=("cat",), heads=(head,))
    sheet = re.sub(r"<[^>]*>", "", write_worksheet(sentence, 0, style))
    assert f"[{text}]" in re.search("scores.*", sheet)[0]


@pytest.mark.case(6)
@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("name", SOME)
def test_latex_is_well_formed(name, blank):
    check_latex(write_worksheet(HARD_SENTENCES[name], 0, "latex", blank=blank))


def test_latex_has_the_posts_numbers(post):
    text = write_worksheet(post, 0, "latex")
    assert "$e^{2.83}$ = 16.92" in text
    assert "{[}3.03, 0.40{]}" in text


@pytest.mark.case(6)
@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("name", SOME)
def test_html_is_a_page_that_anybody_can_read(name, blank):
    sentence = HARD_SENTENCES[name]
    page = Page(write_worksheet(sentence, 0, "html", focuses=(0,), blank=blank))
    assert all({"caption", "th"} <= table for table in page.tables)
    assert all(a.get("scope") in ("col", "row") for tag, a in page.starts if tag == "th")
    assert all(page.inputs)
    assert bool(page.inputs) == blank
    assert page.headings[0] == 1
    assert all(b - a <= 1 for a, b in zip(page.headings, page.headings[1:], strict=False))
    assert {*sentence.words} <= {*page.isolated}
    assert ("html", {"lang": "en"}) in page.starts
    assert not {"script", "link", "img"} & {tag for tag, _ in page.starts}
    assert "nan" not in page.text


def test_html_has_every_step_as_the_engine_writes_it(post):
    text = re.sub(r"\s+", " ", Page(write_worksheet(post, 0, "html")).text)
    for step in work_through(attention_of(post), post.words, post.focus):
        for line in step.lines:
            # The power is raised.
            assert line.text.replace("e^", "e") in text


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_html_colors_can_be_read(post, theme):
    text = write_worksheet(post, 0, "html", theme=theme)
    for colors in re.findall(r"--ground: .*?\}", text):
        named = dict(re.findall(r"--(\w+): (#\w{6})", colors))
        for name in ("ink", "dim", "q", "k", "v", "o"):
            assert contrast(named[name], named["ground"]) >= 4.5


@pytest.mark.case(6)
@pytest.mark.parametrize("name", SOME)
def test_markdown_keeps_every_word_and_number(name):
    sentence = HARD_SENTENCES[name]
    rendered = MarkdownIt("commonmark").enable("table").render(write_worksheet(sentence, 0, "md"))
    text = Page(rendered).text.replace("\u2068", "").replace("\u2069", "")
    assert all(word in text for word in sentence.words)
    a = attention_of(sentence)
    for row in a.output:
        assert write_list(row) in text
    assert write_list(a.weights[sentence.focus]) in text
    assert not {"a", "b", "img"} & {*re.findall(r"<(\w+)", rendered)}


@pytest.mark.parametrize("name", HARD_SENTENCES)
def test_the_numpy_script_prints_the_worksheets_numbers(name):
    sentence = HARD_SENTENCES[name]
    script = write_worksheet(sentence, 0, "numpy")
    run = subprocess.run(
        [sys.executable, "-I", "-W", "error", "-"],
        input=script.encode(), capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert run.stderr == b""
    out, a, i = run.stdout.decode(), attention_of(sentence), sentence.focus
    for label, row in (("scores", a.scores), ("scaled", a.scaled), ("masked", a.masked),
                       ("weights", a.weights), ("output", a.output)):  # fmt: skip
        assert f"{label:7} = {write_list(row[i])}\n" in out
    for word, row in zip(sentence.words, a.output, strict=True):
        assert f"{write_list(row)} {word}\n" in out


@pytest.mark.parametrize("name", SOME)
def test_csv_is_the_engine_to_the_last_bit(name):
    sentence = HARD_SENTENCES[name]
    rows = list(csv.DictReader(io.StringIO(write_worksheet(sentence, 0, "csv"))))
    for index, head in enumerate(sentence.heads):
        of_head = [row for row in rows if row["head"] == head.name]
        a = attention_of(sentence, index)
        for step in ("query", "key", "value", "scores", "masked", "exp", "total", "output"):
            values = [row["value"] for row in of_head if row["step"] == step]
            read = np.array([float(v) if v else -np.inf for v in values])
            np.testing.assert_array_equal(read, np.ravel(getattr(a, step)))
    assert {row["query_word"] or row["key_word"] for row in rows} == {*sentence.words}


def test_no_word_in_csv_is_run_as_a_formula_and_each_is_read_back(post):
    words = ("=1+1", "'=1+1", "@SUM(A1)", "'tis")
    sentence = msgspec.structs.replace(post, words=words)
    rows = list(csv.DictReader(io.StringIO(write_worksheet(sentence, 0, "csv"))))
    written = {row["query_number"]: row["query_word"] for row in rows if row["query_number"]}
    assert list(written.values()) == ["'=1+1", "''=1+1", "'@SUM(A1)", "'tis"]
    assert [re.sub("^'('*[=+@-])", r"\1", text) for text in written.values()] == [*words]


def test_a_negative_number_in_csv_stays_a_number():
    rows = csv.DictReader(io.StringIO(write_worksheet(HARD_SENTENCES["negative"], 0, "csv")))
    negative = [row["value"] for row in rows if "-" in row["value"]]
    assert negative
    assert all(float(text) < 0 or "e-" in text for text in negative)


def test_a_page_raises_powers_and_lowers_the_k(post):
    page = write_worksheet(post, 0, "html")
    assert "e<sup>2.83</sup>" in page
    assert "√d<sub>k</sub>, where d<sub>k</sub> = 2" in page
    assert not re.search(r"e\^|d_k", page)


def test_a_power_in_brackets_is_raised_without_them():
    page = write_worksheet(HARD_SENTENCES["negative"], 0, "html")
    assert re.search(r"e<sup>−\d", page)
    assert "e^" not in page


@pytest.mark.parametrize("style", BLANK)
def test_a_blank_sheet_hides_the_answers_and_its_key_has_them(post, style):
    text = write_worksheet(post, 0, style, blank=True)
    sheet, _, key = text.partition("Answer key")
    assert "16.92" not in sheet
    assert write_share(0.73) not in sheet
    assert "16.92" in key
    assert "3.04, 0.40" in key
    assert "16.95" in key.partition("rounded at every step")[2]


@pytest.mark.parametrize("style", ["numpy", "csv", "json"])
def test_what_has_no_blanks_is_refused(post, style):
    with pytest.raises(ValueError, match="try text, md, latex, html"):
        write_worksheet(post, 0, style, blank=True)


@pytest.mark.case(8)
def test_where_exp_overflows_the_blank_sheet_asks_for_the_shift():
    sentence = HARD_SENTENCES["huge"]
    assert "Take the largest score from every score" in write_worksheet(sentence, blank=True)


@pytest.mark.parametrize("digits", [0, 1, 12])
@pytest.mark.parametrize("style", ["text", "md", "latex", "html", "numpy"])
def test_any_digits(post, style, digits):
    assert "nan" not in write_worksheet(post, 0, style, digits=digits)


def test_html_has_a_page_a_word_unless_one_is_asked_for(capsys, post):
    assert main(["worksheet", "--format", "html"]) == 0
    assert capsys.readouterr().out.count("takes from each word</h2>") == len(post.words)
    assert main(["worksheet", "--format", "html", "--focus", "sat"]) == 0
    assert capsys.readouterr().out.count("takes from each word</h2>") == 1


def test_a_causal_blank_grid_keeps_its_closed_cells(post):
    causal = msgspec.structs.replace(post, causal=True)
    page = write_worksheet(causal, 0, "html", focuses=(0, 1, 2, 3), blank=True)
    collected = page.partition("All words</h2>")[2].partition("Answer key")[0]
    assert collected.count("may not look</span>") == 6


def test_both_themes_are_one_page_that_follows_the_reader(capsys):
    pages = []
    for theme in ("light", "both"):
        assert main(["worksheet", "--format", "html", "--theme", theme]) == 0
        pages.append(capsys.readouterr().out)
    assert pages[0] == pages[1]
    assert "prefers-color-scheme: dark" in pages[0]
