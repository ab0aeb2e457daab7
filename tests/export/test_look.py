from __future__ import annotations

import os
import re
import signal
import time
from fractions import Fraction

import numpy as np
import pytest
from PIL import Image

from export.cli import main
from export.jobs import Plan
from export.sheets import rows_of
from scenes.beats import Beat


def plan(*spans, frames=100, rate=10):
    beats = tuple(Beat(title, "caption", start, end, ()) for title, start, end in spans)
    return Plan("scene", frames, rate, beats)


def sheets(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".png"))


# Which frames


def test_a_beat_is_looked_at_after_its_start_in_its_middle_and_at_its_end():
    (row,) = rows_of(plan(("One", 0.0, 10.0)))
    assert (row.title, row.start, row.end) == ("One", 0.0, 10.0)
    assert row.frames == (5, 49, 99)


def test_the_end_of_a_beat_is_its_own_last_frame_and_not_the_next_ones_first():
    one, two = rows_of(plan(("One", 0.0, 4.0), ("Two", 4.0, 10.0)))
    assert one.frames[-1] == 39
    assert two.frames[0] == 45


def test_what_belongs_to_no_beat_is_looked_at_too():
    rows = rows_of(plan(("One", 2.0, 5.0), ("Two", 5.1, 8.0)))
    assert [(row.title, row.start) for row in rows] == [
        ("(no beat)", 0.0),
        ("One", 2.0),
        ("Two", 5.1),
        ("(no beat)", 8.0),
    ]


def test_a_scene_without_beats_is_one_row():
    assert [row.title for row in rows_of(plan())] == ["(no beat)"]


@pytest.mark.parametrize("length", [0.0, 0.1, 0.2, 0.7])
def test_the_shortest_beat_has_frames_in_order(length):
    row = rows_of(plan(("One", 9.9 - length, 9.9)))[1]
    assert list(row.frames) == sorted(row.frames)
    assert row.frames[-1] <= 99


def test_no_row_looks_beyond_the_last_frame():
    rows = rows_of(plan(("One", 0.0, 10.04), frames=100))
    assert max(frame for row in rows for frame in row.frames) == 99
    assert rows[-1].end <= Fraction(1004, 100)


# What is asked


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere"],
        ["--theme", "pink"],
        ["--quality", "4k"],
        ["--jobs", "0"],
        ["--sentence", "nowhere.byhand.json"],
        ["--sentence", "nobody"],
        ["--sentence", "broken.byhand.json"],
        ["-o", "taken"],
        ["-o", "taken/inside"],
        ["-o", "sheet.png"],
        ["-o", "site"],
    ],
    ids=" ".join,
)
def test_asked_wrongly_is_one_line_exit_2_and_nothing_written(
    arguments, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("a file")
    (tmp_path / "broken.byhand.json").write_text("{")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>My cats</title>")
    before = sorted(tmp_path.rglob("*"))
    assert main(["look", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("byhand: ")
    assert sorted(tmp_path.rglob("*")) == before


def test_an_unknown_sentence_is_told_the_ready_ones(capsys):
    main(["look", "--sentence", "nobody"])
    assert "the-cat-sat-down, two-heads" in capsys.readouterr().err


def test_without_the_video_extra_look_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("export.look.find_spec", lambda name: None)
    assert main(["look", "softmax"]) == 2
    assert "try pip install 'byhand[video]'" in capsys.readouterr().err


# What is made


@pytest.mark.slow
def test_scene_by_theme_by_sentence_is_a_sheet_each(stub_byhand, document_file):
    sentences = ("--sentence", str(document_file(2)), "--sentence", "d_k-1")
    done = stub_byhand("look", "bar", "slide", "--theme", "both", *sentences)
    assert (done.returncode, done.stderr) == (0, "")
    assert sheets(stub_byhand.folder / "look") == [
        f"{scene}.{theme}.{sentence}.png"
        for scene in ("bar", "slide")
        for theme in ("dark", "light")
        for sentence in ("d_k-1", "one")
    ]
    *lines, index = done.stdout.splitlines()
    assert len(lines) == 8
    assert index == os.path.join("look", "index.html")


@pytest.mark.slow
def test_a_sheet_shows_the_frames_that_are_rendered(stub_byhand):
    """The colours stub has red, green, blue and grey side by side."""
    stub_byhand("look", "colours", "--theme", "light", "-o", "out")
    with Image.open(stub_byhand.folder / "out/colours.light.the-cat-sat-down.png") as image:
        sheet = np.asarray(image)
    for red, green, blue in ((255, 0, 0), (0, 255, 0), (0, 0, 255), (128, 128, 128)):
        close = np.abs(sheet.astype(int) - (red, green, blue)).max(axis=-1) < 8
        # Of three frames at least a fifth each.
        assert close.sum() > 3 * 854 * 480 / 5


@pytest.mark.slow
def test_the_index_shows_every_sheet_of_this_run_and_of_earlier_ones(stub_byhand):
    stub_byhand("look", "bar", "--theme", "light")
    folder = stub_byhand.folder / "look"
    os.utime(folder / sheets(folder)[0], (0, 0))
    (folder / "holiday.png").write_bytes(b"")
    stub_byhand("look", "colours", "--theme", "light")
    page = (folder / "index.html").read_text()
    shown = re.findall(r'<img src="([^"]*)"', page)
    assert shown == ["bar.light.the-cat-sat-down.png", "colours.light.the-cat-sat-down.png"]
    assert page.count("from an earlier run") == 1


@pytest.mark.slow
@pytest.mark.case(32)
def test_one_scene_that_fails_is_listed_and_the_rest_goes_on(stub_byhand):
    """Case 32 for sheets: the others are made, the failure is told, exit 1."""
    folder = stub_byhand.folder / "look"
    folder.mkdir()
    stale = folder / "broken.light.the-cat-sat-down.png"
    stale.write_bytes(b"of yesterday")
    done = stub_byhand("look", "broken", "bar", "--theme", "light")
    assert done.returncode == 1
    assert done.stderr == (
        "byhand: can't render broken, light, the-cat-sat-down: RuntimeError: the plane is bent\n"
    )
    assert sheets(folder) == ["bar.light.the-cat-sat-down.png"]
    assert "the plane\nis bent" in (folder / "index.html").read_text()


@pytest.mark.slow
def test_sheets_are_made_anew_and_old_ones_go(stub_byhand):
    folder = stub_byhand.folder / "look"
    folder.mkdir()
    for number in ("", ".1", ".2"):
        (folder / f"bar.light.the-cat-sat-down{number}.png").write_bytes(b"of yesterday")
    assert stub_byhand("look", "bar", "--theme", "light").returncode == 0
    assert sheets(folder) == ["bar.light.the-cat-sat-down.png"]
    with Image.open(folder / "bar.light.the-cat-sat-down.png") as sheet:
        assert sheet.width > 3 * 854


@pytest.mark.slow
def test_nothing_is_left_in_the_temporary_folder(stub_byhand, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = stub_byhand(
        "look", "bar", "--theme", "dark", env=os.environ | {"TMPDIR": str(temporary)}
    )
    assert done.returncode == 0
    assert not os.listdir(temporary)


@pytest.mark.slow
@pytest.mark.case(31)
def test_ctrl_c_leaves_no_half_sheet_and_exit_130(stub_byhand, start_stub_byhand, tmp_path):
    """Case 31 for sheets: Ctrl+C: children gone, no half files, exit 130."""
    file, temporary = tmp_path / "pids", tmp_path / "temporary"
    temporary.mkdir()
    process = start_stub_byhand(
        *("look", "endless", "lingering", "--theme", "light", "--jobs", "1"),
        STUB_PIDS=str(file),
        TMPDIR=str(temporary),
    )
    end = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    assert "Traceback" not in process.stderr.read()
    assert not os.listdir(stub_byhand.folder / "look")
    assert not os.listdir(temporary)
