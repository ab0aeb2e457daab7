"""A document to begin with."""

from __future__ import annotations

import os

import pytest

from engine import attention_of, read_sentence
from engine.presets import load_preset, preset_names
from export.cli import main


@pytest.fixture
def file(tmp_path):
    return tmp_path / "mine.byhand.json"


def test_words_are_parted_at_blanks(file):
    assert main(["new", str(file), "--words", "  the dog\tran 猫 "]) == 0
    assert read_sentence(file).words == ("the", "dog", "ran", "猫")


def test_its_vectors_stand_on_the_unit_circle(file):
    main(["new", str(file), "--words", "the dog ran off"])
    attention = attention_of(read_sentence(file))
    for array in (attention.query, attention.key, attention.value):
        assert abs((array**2).sum(axis=1) - 1).max() < 0.02


def test_the_same_words_give_the_same_file(tmp_path):
    files = [tmp_path / "a.byhand.json", tmp_path / "b.byhand.json"]
    for file in files:
        main(["new", str(file), "--words", "the dog ran"])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_it_says_that_the_vectors_mean_nothing_yet(file, capsys):
    main(["new", str(file), "--words", "the dog ran"])
    assert capsys.readouterr().out.splitlines()[0] == str(file)
    main(["new", str(file), "--words", "the dog ran", "--force"])
    assert "The vectors mean nothing yet" in capsys.readouterr().out


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_written_as_it_is(file, capsys, name):
    assert main(["new", str(file), "--preset", name]) == 0
    assert read_sentence(file) == load_preset(name)
    assert capsys.readouterr().out == f"{file}\n"


def test_nothing_is_overwritten_without_force(file, capsys):
    file.write_text("mine")
    assert main(["new", str(file), "--words", "the dog"]) == 2
    assert capsys.readouterr().err == f"byhand: {file} exists: try --force, or another name\n"
    assert file.read_text() == "mine"


def test_with_force_it_is(file):
    file.write_text("mine")
    assert main(["new", str(file), "--words", "the dog", "--force"]) == 0
    assert read_sentence(file).words == ("the", "dog")


def test_a_link_to_nowhere_is_there_already(file, tmp_path):
    file.symlink_to(tmp_path / "elsewhere")
    assert main(["new", str(file), "--words", "the dog"]) == 2
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([], "give one of --words TEXT and --preset NAME"),
        (["--words", "a", "--preset", "a-tie"], "give one of --words TEXT and --preset NAME"),
        (["--words", "   "], "words"),
        (["--words", "w" * 81], "words[0]"),
        (["--words", "w " * 65], "words"),
        (["--words", "a\x07b"], "without control characters"),
        (["--preset", "nosuch"], "give one of the-cat-sat-down, "),
    ],
)
def test_what_is_asked_wrongly_is_one_line_and_exit_2(file, capsys, asked, said):
    assert main(["new", str(file), *asked]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert (out, err.count("\n")) == ("", 1)
    assert not file.exists()


@pytest.mark.parametrize("name", ["absent/mine.byhand.json", "n" * 300])
def test_where_it_cannot_be_written_it_says_so(tmp_path, capsys, name):
    assert main(["new", str(tmp_path / name), "--words", "the dog"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.case(26)
@pytest.mark.parametrize(
    "folder", ["it's here", "a{b}", "{}", "ünï-日本語", "with space", "blank ", "n" * 255]
)
def test_any_folder_will_do(tmp_path, folder):
    (tmp_path / folder).mkdir()
    file = tmp_path / folder / "mine.byhand.json"
    assert main(["new", str(file), "--words", "the dog"]) == 0
    assert read_sentence(file).words == ("the", "dog")


def test_it_can_be_checked_at_once(file):
    main(["new", str(file), "--words", "the dog ran"])
    assert main(["check", str(file)]) == 0
