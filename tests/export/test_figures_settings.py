"""Settings of Matplotlib's that lie about change no figure, and stop none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from export.figure import draw_file
from export.figure_options import FigureOptions, choose_figures

DRAW = "from export.cli import main; raise SystemExit(main(['figure', 'weights', '-o', 'w.svg']))"
STRANGE = "figure.facecolor: red\nlines.linewidth: 40\nfont.size: 99\nsvg.fonttype: path\n"


def drawn_where(folder, **environment):
    """The figure that is drawn in a folder, by a process with this environment."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    done = subprocess.run(
        [sys.executable, "-c", DRAW], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": root, **environment},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return (folder / "w.svg").read_bytes()


@pytest.fixture(scope="module")
def plain():
    from engine.presets import load_preset

    options = FigureOptions(sentence=load_preset(), figures=choose_figures(["weights"]))
    return draw_file(options, options.files[0])


@pytest.mark.case(27)
@pytest.mark.parametrize(
    "settings",
    [STRANGE.encode(), b"no settings\nat: all: :\nfont.size: large\n", b"\xff\xfe\0bad", b""],
    ids=["strange", "broken", "no text", "empty"],
)
def test_a_matplotlibrc_in_the_current_folder_changes_nothing(plain, tmp_path, settings):
    """Case 27, its kind: settings of a library's in the current folder, or garbage: no effect."""
    (tmp_path / "matplotlibrc").write_bytes(settings)
    assert drawn_where(tmp_path) == plain


@pytest.mark.case(27)
@pytest.mark.parametrize("settings", [STRANGE.encode(), b"\xff\xfe\0bad"], ids=["strange", "bad"])
def test_settings_where_the_environment_says_change_nothing(plain, tmp_path, settings):
    """Case 27, its kind: the same in the folder that MPLCONFIGDIR or MATPLOTLIBRC names."""
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "matplotlibrc").write_bytes(settings)
    assert drawn_where(tmp_path, MPLCONFIGDIR=str(folder)) == plain
    os.remove(tmp_path / "w.svg")
    assert drawn_where(tmp_path, MATPLOTLIBRC=str(folder)) == plain


@pytest.mark.parametrize(
    "environment",
    [{"MPLBACKEND": "nonsense"}, {"MPLCONFIGDIR": "/dev/null/x"}, {"MATPLOTLIBRC": "/nowhere"}],
    ids=["backend", "folder", "file"],
)
def test_what_the_environment_says_of_matplotlib_stops_no_figure(plain, tmp_path, environment):
    assert drawn_where(tmp_path, **environment) == plain
