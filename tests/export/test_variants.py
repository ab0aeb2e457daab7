"""Variants: a sheet a pupil, no two alike, each question solvable and unsolved at the start."""

import csv
import io
import json

import msgspec
import numpy as np
import pytest

from engine import attend, attention_of
from engine.notation import write_list
from engine.sentence import checked, new_sentence
from export.cli import main
from export.hard_sentences import HARD_SENTENCES
from export.worksheets.variant_pages import key_csv, variant_pages
from export.worksheets.variants import make_variants


@pytest.fixture(scope="module")
def variants():
    from engine.presets import load_preset

    return list(make_variants(load_preset(), 60, 7))


def test_no_two_sheets_have_the_same_results(variants):
    results = set()
    for variant in variants:
        a, i = attention_of(variant.sentence), variant.sentence.focus
        results.add((write_list(a.weights[i]), write_list(a.output[i])))
    assert len(results) == len(variants)


def test_every_sheet_is_a_valid_document_of_small_whole_numbers(variants):
    for variant in variants:
        head = checked(variant.sentence).heads[0]
        for vector in (*head.query, *head.key, *head.value):
            assert all(number.is_integer() and abs(number) <= 4 for number in vector)


def test_no_row_is_all_the_same_or_one_words_alone(variants):
    for variant in variants:
        weights = attention_of(variant.sentence).weights
        assert weights.max() <= 0.95
        assert (weights.max(axis=1) - weights.min(axis=1)).min() > 0.05


def solved(variant, question, *, answered):
    """Whether a question's condition holds, with its answer or as the sheet starts."""
    a, i = attention_of(variant.sentence), variant.sentence.focus
    query, key = a.query.copy(), a.key.copy()
    if answered:
        (query if question.changes == "query" else key)[question.word] = question.answer
    weights = attend(query, key, a.value, mask=a.mask, scale=a.scale).weights[i]
    if answered:
        np.testing.assert_array_equal(weights, question.gives)
    marks = [int(x) for x in question.text.split("\0")[1::2]]
    if question.changes == "query":
        heard = marks[1] if len(marks) > 1 else i
        return weights[heard] >= float(question.text.rstrip(".").split()[-1])
    return np.isclose(weights[marks[0]], weights[marks[1]], rtol=1e-9)


@pytest.mark.parametrize("answered", [True, False])
def test_questions_are_unsolved_at_the_start_and_can_be_solved(variants, answered):
    for variant in variants:
        assert len(variant.questions) == 2
        for question in variant.questions:
            assert solved(variant, question, answered=answered) == answered


def test_the_same_seed_gives_the_same_sheets(post, variants):
    again = list(make_variants(post, 60, 7))
    assert again == variants
    assert list(make_variants(post, 60, 8)) != variants
    assert list(make_variants(post, 5, 7)) == variants[:5]


def test_the_first_sheet_of_seed_7_stays_what_it_is(variants):
    head = variants[0].sentence.heads[0]
    assert head.query[2] == (-1, 0)
    assert head.key == ((1, 0), (2, 0), (1, 1), (0, 1))


@pytest.mark.parametrize("words", [2, 12, 64])
def test_any_number_of_words_has_variants(words):
    sentence = new_sentence([f"w{i}" for i in range(words)])
    assert len(list(make_variants(sentence, 3))) == 3


def test_the_key_as_data_has_what_the_engine_gives(variants):
    rows = list(csv.DictReader(io.StringIO(key_csv(variants))))
    for variant in variants:
        a, i = attention_of(variant.sentence), variant.sentence.focus
        mine = [row for row in rows if row["sheet"] == str(variant.number)]
        read = [float(row["value"]) for row in mine if row["step"] == "weights"]
        np.testing.assert_array_equal(read, a.weights[i])


@pytest.mark.case(6)
def test_hostile_words_are_whole_on_the_sheets():
    sentence = HARD_SENTENCES["any script"]
    page = variant_pages(sentence, list(make_variants(sentence, 2)), 0)
    assert "<bdi>&lt;b&gt;&amp;amp;</bdi>" in page


def test_a_folder_gets_sheets_and_key(tmp_path, capsys):
    asked = ["worksheet", "--variants", "4", "--seed", "7", "-o", str(tmp_path), "--json"]
    assert main(asked) == 0
    names = ["worksheets.html", "answers.html", "answers.csv"]
    assert json.loads(capsys.readouterr().out)["files"] == [str(tmp_path / x) for x in names]
    sheets = (tmp_path / names[0]).read_text("utf-8")
    assert sheets.count("</h2>") == 4
    assert "Answer key" not in sheets
    assert main(asked) == 2
    assert "exists: try --force" in capsys.readouterr().err


def test_one_html_file_has_the_sheets_and_then_the_key(capsys):
    assert main(["worksheet", "--variants", "3"]) == 0
    out = capsys.readouterr().out
    assert out.index("Sheet 3") < out.index("Answer key")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--variants", "0"], "--variants 0 is out of range: try 1 to 1000"),
        (["--variants", "1001"], "try 1 to 1000"),
        (["--seed", "7"], "--seed chooses among variants"),
        (["--variants", "3", "--seed", "-7"], "try --seed 7"),
        (["--variants", "3", "--format", "md"], "try html or csv"),
        (["--variants", "3", "-o", "a.md"], "try .html or .csv"),
        (["--variants", "3", "--causal", "--focus", "1"], "try another word with --focus"),
        (["--variants", "3", "--temperature", "0.01"], "try --temperature 1"),
        (["--blank", "--format", "csv"], "try text, md, latex, html"),
    ],
)
def test_what_is_asked_wrongly_is_one_line_and_exit_2(tmp_path, monkeypatch, capsys, asked, said):
    monkeypatch.chdir(tmp_path)
    assert main(["worksheet", *asked]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert (out, err.count("\n")) == ("", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_causal_sentence_has_variants(post):
    causal = msgspec.structs.replace(post, causal=True)
    assert len(list(make_variants(causal, 10))) == 10
