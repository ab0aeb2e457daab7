"""What a shell is told when somebody presses Tab."""

import os
import shutil
import subprocess
import sys

import pytest

from export.cli import SUBCOMMANDS
from export.figures import FIGURES
from scenes import CATALOG


def completed(*words):
    """What may stand for the last of `words`, as bash is told it: kind,value."""
    done = subprocess.run(
        [sys.executable, "-m", "desktop"],
        env={
            **os.environ,
            "_BYHAND_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
        },
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_a_command_is_completed():
    assert "plain,render" in completed("byhand", "re")


def test_every_command_and_a_file_may_come_first():
    told = completed("byhand", "''")
    assert [f"plain,{name}" for name in SUBCOMMANDS] == told[:-1]
    assert told[-1].startswith("file,")


def test_scenes_are_completed_by_name():
    names = [one.name for one in CATALOG if one.name.startswith("s")]
    assert completed("byhand", "render", "s") == [f"plain,{name}" for name in names]
    assert completed("byhand", "slides", "part") == ["plain,part1", "plain,part2"]


def test_figures_are_completed_by_name():
    names = [one.name for one in FIGURES if one.name.startswith("c")]
    assert completed("byhand", "figure", "c") == [f"plain,{name}" for name in names]


def test_choices_are_completed():
    assert completed("byhand", "render", "--quality", "1") == ["plain,1080p"]


@pytest.mark.parametrize("words", [("check", "my"), ("new", "my"), ("figure", "--sentence", "my")])
def test_files_are_left_to_the_shell(words):
    assert completed("byhand", *words) == ["file,my"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_understands_its_script(shell):
    script = subprocess.run(
        [sys.executable, "-m", "export.cli", "completion", shell],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert f"_BYHAND_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True, capture_output=True)
