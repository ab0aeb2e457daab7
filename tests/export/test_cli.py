from __future__ import annotations

import os
import subprocess
import sys

import pytest

from desktop.__main__ import main as byhand
from export.cli import SUBCOMMANDS, main
from scenes import CATALOG

posix = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell's redirections")

HEAVY = ("manim", "matplotlib", "PySide6", "numpy", "av", "rich")


def in_a_shell(line):
    """`byhand` as a shell runs it, with redirections."""
    command = ["sh", "-c", f'exec "$0" -P -m desktop {line}', sys.executable]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["render", "--help"], ["render", "--list"]]
)
def test_help_and_the_list_of_scenes_are_no_failure(arguments, capsys):
    assert main(arguments) == 0
    assert "render" in capsys.readouterr().out or arguments[-1] == "--list"


@pytest.mark.parametrize(
    "arguments", ["--help", "render --help", "render --list", "render nowhere"]
)
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys; from desktop.__main__ import main; main(sys.argv[1:]); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, *arguments.split()]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


def test_every_subcommand_can_be_asked_for_help(capsys):
    for name in SUBCOMMANDS:
        assert main([name, "--help"]) == 0
        assert f"byhand {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["rendr"],
        ["--nonsense"],
        ["render", "nowhere"],
        ["render", "--qualty", "draft"],
        ["render", "--quality", "8k"],
        ["render", "--fps", "many"],
        ["render", "--fps", "0"],
        ["render", "--theme", "both"],
        ["render", "softmax", "--focus", "dog"],
        ["render", "softmax", "--focus", "0"],
        ["render", "softmax", "--head", "2"],
        ["render", "softmax", "--temperature", "0"],
        ["render", "softmax", "--sentence", "nowhere.byhand.json"],
        ["render", "softmax", "-o", "x.svg"],
        ["render", "softmax", "-o", "x.mp4", "--format", "png"],
        ["render", "softmax", "dot-products", "-o", "x.mp4"],
        ["render", "softmax", "-o", "taken"],
        ["render", "softmax", "-o", "taken/sub"],
        ["render", "softmax", "-o", "taken.mp4"],
        ["render", "softmax", "-o", "folder.mp4"],
        ["render", "softmax", "--sentence", "broken.byhand.json"],
    ],
    ids=" ".join,
)
def test_asked_wrongly_is_one_line_exit_2_and_nothing_written(arguments, tmp_path, capsys):
    (tmp_path / "taken").write_text("a file")
    (tmp_path / "taken.mp4").write_text("a film")
    (tmp_path / "folder.mp4").mkdir()
    (tmp_path / "broken.byhand.json").write_text('{"byhand": 1, "words": []}')
    before = sorted(tmp_path.rglob("*"))
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("byhand: ")
    assert sorted(tmp_path.rglob("*")) == before


def test_an_unknown_scene_is_told_the_scenes(capsys):
    main(["render", "nowhere"])
    names = ", ".join(scene.name for scene in CATALOG)
    assert f"try {names}, part1, part2, lecture" in capsys.readouterr().err


def test_a_misspelt_option_is_told_where_help_is(capsys):
    main(["render", "--qualty", "draft"])
    assert capsys.readouterr().err.endswith("try 'byhand render --help'\n")


def test_an_option_without_its_value_is_told_where_help_is(capsys):
    main(["render", "-o"])
    assert capsys.readouterr().err.endswith("try 'byhand render --help'\n")


def test_without_the_video_extra_render_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("export.render.find_spec", lambda name: None)
    assert main(["render", "softmax"]) == 2
    assert capsys.readouterr().err == (
        "byhand: rendering needs manim and av, which aren't installed: "
        "try pip install 'byhand[video]'\n"
    )


def test_a_reader_who_leaves_early_sees_no_traceback(monkeypatch):
    command = [sys.executable, "-m", "desktop", "render", "--list"]
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (process.returncode, process.stderr) == (0, b"")


def test_a_reader_who_leaves_early_does_not_turn_a_failure_into_a_success(monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "desktop", "check", "--json", "nowhere"]
    process = subprocess.run(command, stdout=writer, stderr=subprocess.DEVNULL, check=False)
    assert process.returncode == 2
    os.close(writer)


@posix
@pytest.mark.parametrize("arguments", ["worksheet", "schema", "render --list", "--help"])
def test_with_standard_output_closed_the_work_is_done_and_nobody_hears(arguments):
    done = in_a_shell(f"{arguments} >&- <&-")
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("arguments", ["check nowhere", "nowhere", "render nowhere"])
@pytest.mark.parametrize("ear", ["2>&-", "2>/dev/full"])
def test_what_standard_error_does_not_take_is_not_said_elsewhere(arguments, ear):
    done = in_a_shell(f"{arguments} {ear}")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@posix
@pytest.mark.parametrize("arguments", ["worksheet", "schema", "render --list", "--version"])
@pytest.mark.parametrize("buffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_full_disk_under_standard_output_is_one_line_and_exit_1(arguments, buffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", buffered)
    done = in_a_shell(f"{arguments} >/dev/full")
    assert (done.returncode, done.stderr) == (
        1,
        "byhand: no space left on device: try another place\n",
    )


@pytest.mark.parametrize("arguments", [[], ["my.byhand.json"], ["./render"], ["a", "b"]])
def test_a_file_is_for_the_window(arguments, monkeypatch, tmp_path):
    opened = []

    def run(files):
        opened.append(files)
        return 0

    monkeypatch.setattr("desktop.app.run", run)
    for name in arguments:
        (tmp_path / name).touch()
    assert byhand(arguments) == 0
    assert opened == [arguments]


def test_where_no_window_can_open_that_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr("desktop.preflight.complaint", lambda: "there is no screen")
    assert byhand([]) == 2
    assert capsys.readouterr().err == "byhand: there is no screen\n"


def test_what_is_neither_file_nor_command_is_told_the_nearest(capsys):
    assert byhand(["rendr"]) == 2
    assert capsys.readouterr().err == (
        "byhand: there is no file and no command 'rendr': try byhand render\n"
    )


def test_a_subcommand_or_an_option_is_for_the_command_line(capsys):
    assert byhand(["render", "--list"]) == 0
    assert byhand(["--help"]) == 0
