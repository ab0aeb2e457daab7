"""The whole calculation on paper and as data."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import msgspec
import numpy as np
import pytest
from rich.cells import cell_len

from engine import Head, Sentence, attention_of, work_through
from engine.presets import load_preset, preset_names
from export.cli import main
from export.worksheet import worksheet_json, worksheet_text
from export.worksheets.as_text import WIDTH

BYHAND = [sys.executable, "-P", "-m", "desktop"]
STRANGE = ["猫", "القط", "naïve", "😀", "a\u0301", "👩‍👧", "שלום", "<b>&amp;", "#x_$]@ref", "ffi"]


def spoken_by(words, **settings):
    """A sentence of these words with vectors that differ."""
    n = len(words)
    rows = tuple((float(i % 3), 0.25 * i) for i in range(n))
    head = Head(name="one", query=rows, key=rows[::-1], value=rows)
    return Sentence(byhand=1, words=tuple(words), heads=(head,), **settings)


def grid(text):
    """The lines of the weight grid, less its heading."""
    _, _, rest = text.partition("Weights of all words\n")
    part = rest.partition("\nOutputs of all words")[0]
    return [line for line in part.splitlines() if line and ":" not in line]


def run(*arguments, **options):
    options = {"capture_output": True, "encoding": "utf-8", "timeout": 60} | options
    return subprocess.run([*BYHAND, *arguments], check=False, **options)


# Text


def test_it_holds_the_whole_working_of_the_focus_word(post):
    text = worksheet_text(post)
    for step in work_through(attention_of(post), post.words, post.focus):
        assert step.title in text
        for line in step.lines:
            assert " ".join(line.text.split()) in " ".join(text.split())


def test_it_holds_every_note(post):
    text = " ".join(worksheet_text(post).split())
    for step in work_through(attention_of(post), post.words, post.focus):
        for note in step.notes:
            assert f"({note})" in text


def test_it_holds_the_weights_of_all_words(post):
    assert grid(worksheet_text(post)) == [
        "          the   cat   sat  down",
        "   the   0.22  0.11  0.22  0.45",
        "   cat   0.14  0.29  0.29  0.29",
        "   sat   0.04  0.73  0.18  0.04",
        "   down  0.12  0.51  0.25  0.12",
    ]


def test_both_axes_of_the_grid_are_named(post):
    assert "Rows: who listens (queries). Columns: who is heard (keys)." in worksheet_text(post)


def test_rows_of_keys_turn_the_grid_and_its_names(post):
    text = worksheet_text(post, rows="keys")
    assert "Rows: who is heard (keys). Columns: who listens (queries)." in text
    assert grid(text)[2] == "   cat   0.11  0.29  0.73  0.51"


def test_a_masked_cell_does_not_look_like_0(post):
    causal = msgspec.structs.replace(post, causal=True)
    assert grid(worksheet_text(causal))[1] == "   the      1    --    --    --"


def test_the_sign_of_a_masked_cell_is_explained_only_where_there_is_one(post):
    explained = "--: may not look, so the weight is exactly 0."
    assert explained in worksheet_text(msgspec.structs.replace(post, causal=True))
    assert explained not in worksheet_text(post)


def test_it_holds_the_outputs_of_all_words(post):
    outputs = worksheet_text(post).partition("Outputs of all words\n")[2].splitlines()[:4]
    assert outputs == [
        "   the   [1.11, 0.89]",
        "   cat   [1.57, 0.86]",
        "   sat   [3.03, 0.40]",
        "   down  [2.27, 0.62]",
    ]


def test_the_answer_key_has_what_rounding_at_every_step_gives(post):
    assert worksheet_text(post).endswith(
        "Also right: rounded at every step\n"
        "   weights = [0.04, 0.74, 0.18, 0.04]\n"
        "   output = [3.04, 0.40]\n"
    )


def test_the_equals_signs_of_a_step_stand_below_each_other(post):
    lines = [line for line in worksheet_text(post).splitlines() if "sat · " in line]
    assert len({line.index(" = ") for line in lines if line.startswith("   sat")}) == 1


def test_another_focus_and_more_digits(post):
    text = worksheet_text(post, focus=0, digits=4)
    assert "what the (word 1 of 4) takes" in text
    assert "[0.2212, 0.1091, 0.2212, 0.4486]" in text


def test_each_head_has_a_worksheet():
    sentence = load_preset("two-heads")
    texts = [worksheet_text(sentence, head) for head in range(len(sentence.heads))]
    assert texts[0] != texts[1]
    for text, head in zip(texts, sentence.heads, strict=True):
        assert f'by head "{head.name}"' in text


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_fits_the_page(name):
    lines = worksheet_text(load_preset(name)).splitlines()
    assert max(map(cell_len, lines)) <= WIDTH


def test_a_grid_of_64_words_is_parted_into_blocks_that_fit():
    words = [f"word{i}" for i in range(64)]
    text = worksheet_text(spoken_by(words))
    assert max(map(cell_len, text.splitlines())) <= WIDTH
    heads = [line.split() for line in grid(text) if line.startswith(" " * 9)]
    assert [word for head in heads for word in head] == words


def test_a_column_too_wide_for_the_page_still_stands():
    words = ["W" * 80, "x" * 80]
    text = worksheet_text(spoken_by(words))
    assert all(word in text for word in words)


def test_vectors_too_long_for_the_page_have_lines_of_their_own():
    row = tuple(0.5 * i for i in range(64))
    head = Head(name="one", query=(row,), key=(row,), value=(row,))
    text = worksheet_text(Sentence(byhand=1, words=("hm",), heads=(head,)))
    assert "key of each word" in text
    assert max(map(cell_len, text.splitlines())) <= WIDTH


def test_a_product_is_not_parted_at_its_sign():
    lines = worksheet_text(load_preset("seven-words")).splitlines()
    assert not any(line.rstrip().endswith("·") for line in lines)


@pytest.mark.case(6)
@pytest.mark.parametrize("word", [*STRANGE, "W" * 30, "//", "ﬁ", "x" + "\u202e" + "y"])
def test_every_word_is_whole_and_the_grid_stays_aligned(word):
    lines = grid(worksheet_text(spoken_by(["the", word, "sat"])))
    assert sum(word in line for line in lines) == 2
    assert len({cell_len(line) for line in lines}) == 1


@pytest.mark.case(6)
def test_strange_words_keep_their_order(post):
    lines = grid(worksheet_text(spoken_by(STRANGE)))
    heads = "".join(lines[0].split())
    assert heads.replace("\u2068", "").replace("\u2069", "") == "".join(STRANGE)


@pytest.mark.case(6)
def test_a_right_to_left_word_does_not_turn_its_line_around():
    lines = grid(worksheet_text(spoken_by(["שלום", "cat"])))
    assert "\u2068שלום\u2069" in lines[0]
    assert lines[1].startswith("   \u2068שלום\u2069  ")


@pytest.mark.case(9)
def test_a_word_that_may_look_at_nothing_is_said_so():
    mask = ((False, False), (True, True))
    text = worksheet_text(spoken_by(["the", "cat"], mask=mask))
    assert "(the may look at nothing.)" in text
    assert "nan" not in text
    assert "rounded at every step" not in text


@pytest.mark.case(8)
def test_where_exp_overflows_the_shifted_form_is_shown():
    head = Head(name="one", query=((40.0,),) * 2, key=((40.0,), (39.0,)), value=((1.0,), (0.0,)))
    text = worksheet_text(Sentence(byhand=1, words=("a", "b"), heads=(head,)))
    assert "shifted = [1600, 1560] − 1600 = [0, −40]" in text


# JSON


STEPS = ("scores", "scaled", "masked", "shift", "exp", "total", "weights", "output")


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", preset_names())
def test_json_is_the_engine_to_the_last_bit(name, causal):
    sentence = msgspec.structs.replace(load_preset(name), causal=causal)
    data = json.loads(worksheet_json(sentence))
    assert len(data["heads"]) == len(sentence.heads)
    for index, head in enumerate(data["heads"]):
        attention = attention_of(sentence, index)
        assert head["scale"] == attention.scale
        for step in STEPS:
            read = np.array(head[step], dtype=object)
            read[read == None] = -math.inf  # noqa: E711
            np.testing.assert_array_equal(read.astype(float), getattr(attention, step))


def test_json_has_null_for_minus_infinity(post):
    data = json.loads(worksheet_json(msgspec.structs.replace(post, causal=True)))
    assert data["heads"][0]["masked"][0][1:] == [None, None, None]


def test_json_has_the_keys_of_the_contract(post):
    data = json.loads(worksheet_json(post))
    assert list(data) == ["words", "focus", "scaled", "causal", "temperature", "heads"]
    assert list(data["heads"][0]) == ["name", "scale", *STEPS]
    assert (data["words"], data["focus"]) == (["the", "cat", "sat", "down"], 2)


def test_json_has_a_row_a_line(post):
    assert "        [0.0, 4.0, 2.0, 0.0],\n" in worksheet_json(post)


def test_json_keeps_any_word_whole():
    assert json.loads(worksheet_json(spoken_by(STRANGE)))["words"] == STRANGE


# The command


def test_without_any_option_it_prints_the_posts_calculation(capsys, post):
    assert main(["worksheet"]) == 0
    assert capsys.readouterr().out == worksheet_text(post)


def test_options_change_what_is_printed_and_not_the_file(capsys, tmp_path):
    path = tmp_path / "x.byhand.json"
    assert main(["new", str(path), "--preset", "the-cat-sat-down"]) == 0
    before = path.read_bytes()
    capsys.readouterr()
    asked = ["--focus", "cat", "--causal", "--unscaled", "--temperature", "2", "--digits", "3"]
    assert main(["worksheet", "--sentence", str(path), *asked]) == 0
    out = capsys.readouterr().out
    assert "what cat (word 2 of 4)" in out
    assert "[1, 2, 2, 2] ÷ 2 = [0.500, 1.000, 1.000, 1.000]" in out
    assert path.read_bytes() == before


@pytest.mark.parametrize("asked", [["--format", "json"], ["--json"]])
def test_json_can_be_asked_for_in_two_ways(capsys, asked, post):
    assert main(["worksheet", *asked]) == 0
    assert capsys.readouterr().out == worksheet_json(post)


@pytest.mark.parametrize(
    ("output", "asked", "file"),
    [
        ("a.txt", [], "a.txt"),
        ("a.json", [], "a.json"),
        ("deep/er/a.TXT", [], "deep/er/a.TXT"),
        ("folder", [], "folder/worksheet.txt"),
        ("v1.2", ["--format", "json"], "v1.2/worksheet.json"),
        ("folder.txt/", [], "folder.txt/worksheet.txt"),
    ],
)
def test_o_names_a_file_or_a_folder(tmp_path, capsys, post, output, asked, file):
    assert main(["worksheet", "-o", f"{tmp_path}/{output}", *asked]) == 0
    assert capsys.readouterr().out == f"{tmp_path / file}\n"
    expected = worksheet_json(post) if file.endswith("json") else worksheet_text(post)
    assert (tmp_path / file).read_text("utf-8") == expected


def test_with_o_json_says_which_file_there_is(tmp_path, capsys):
    assert main(["worksheet", "-o", str(tmp_path / "a.txt"), "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert done == {"event": "done", "files": [str(tmp_path / "a.txt")]}


def test_json_has_a_files_own_name_whatever_is_in_it(tmp_path, capsys):
    path = tmp_path / "a\u202e\nb.txt"
    assert main(["worksheet", "-o", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == [str(path)]
    assert path.exists()


def test_quiet_says_nothing(tmp_path, capsys):
    assert main(["worksheet", "-o", str(tmp_path / "a.txt"), "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_nothing_is_overwritten_without_force(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text("mine")
    assert main(["worksheet", "-o", str(path)]) == 2
    assert "exists: try --force" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert main(["worksheet", "-o", str(path), "--force"]) == 0
    assert path.read_text("utf-8").startswith("The cat sat down")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["-o", "a.txt", "--format", "json"], "'a.txt' contradicts --format json: end it in .json"),
        (["-o", "a.svg"], "'a.svg' ends in .svg, which worksheet doesn't write: try .txt or .md"),
        (["--json", "--format", "text"], "--json contradicts --format text"),
        (["--digits", "13"], "--digits 13 is out of range: try 0 to 12"),
        (["--digits", "-1"], "--digits -1 is out of range: try 0 to 12"),
        (["--format", "docx"], "try 'byhand worksheet --help'"),
        (["--focus", "dog"], 'no word is "dog"'),
        (["--head", "2"], 'no head is "2"'),
        (["--sentence", "absent.byhand.json"], "absent.byhand.json: there is no such file"),
    ],
)
def test_what_is_asked_wrongly_is_one_line_and_exit_2(tmp_path, monkeypatch, capsys, asked, said):
    monkeypatch.chdir(tmp_path)
    assert main(["worksheet", *asked]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert (out, err.count("\n")) == ("", 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [4, 64])
def test_whoever_reads_one_line_only_gets_no_traceback(tmp_path, words):
    path = tmp_path / "x.byhand.json"
    run("new", str(path), "--words", " ".join(f"w{i}" for i in range(words)))
    command = [*BYHAND, "worksheet", "--sentence", str(path), "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"{\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@pytest.mark.case(6)
def test_words_come_out_whole_in_any_locale(tmp_path):
    path = tmp_path / "x.byhand.json"
    run("new", str(path), "--words", " ".join(STRANGE))
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}
    finished = run("worksheet", "--sentence", str(path), env=env)
    assert finished.returncode == 0
    assert all(word in finished.stdout for word in STRANGE)


@pytest.mark.case(35)
def test_it_needs_nothing_on_the_path(tmp_path):
    finished = run("worksheet", env={**os.environ, "PATH": str(tmp_path)})
    assert (finished.returncode, finished.stderr) == (0, "")
