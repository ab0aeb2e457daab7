"""The whole command with stub scenes, as a process: what is written, said and left behind."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from engine.files import parse_sentence, write_sentence
from engine.sentence import new_sentence
from export.lecture import document_in
from export.options import QUALITIES
from scenes.parts.layout import frame_size
from scenes.parts.typeset import undrawable

STUB_BYHAND = Path(__file__).parent / "stub_byhand.py"

pytestmark = pytest.mark.slow


def draft(*arguments):
    return ("render", *arguments, "--quality", "draft")


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def is_alive(pid):
    """Whether a process runs; one that is dead but not yet fetched doesn't."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def pids(file):
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def test_a_part_is_one_film_with_captions_and_chapters(stub_byhand):
    done = stub_byhand(*draft("part1", "-o", "talk.mp4"))
    assert (done.returncode, done.stderr) == (0, "")
    endings = ["chapters.txt", "mp4", "poster.png", "srt", "transcript.html", "vtt"]
    names = [f"talk.{ending}" for ending in endings]
    assert sorted(os.listdir(stub_byhand.folder)) == names
    assert done.stdout.splitlines()[-1] == "talk.mp4"
    with av.open(str(stub_byhand.folder / "talk.mp4")) as film:
        titles = [chapter["metadata"]["title"] for chapter in film.chapters()]
    assert titles == ["Slide", "Bar", "Lingering"]


def test_scenes_are_a_file_each_and_told_as_json(stub_byhand):
    done = stub_byhand(*draft("colours", "bar", "--captions", "burn", "--json"))
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1] == {"event": "done", "files": ["colours.mp4", "bar.mp4"]}
    assert {"event": "rendered", "scene": "bar", "seconds": 1.0} in events
    assert sorted(os.listdir(stub_byhand.folder)) == ["bar.mp4", "colours.mp4"]


def test_quiet_says_nothing(stub_byhand):
    done = stub_byhand(*draft("bar", "--quiet"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_film_carries_the_document_as_it_was_looked_at(stub_byhand):
    stub_byhand(*draft("bar", "--focus", "cat", "--causal", "--captions", "none"))
    document = document_in(stub_byhand.folder / "bar.mp4")
    sentence = parse_sentence(document.encode(), "bar.mp4")
    assert (sentence.focus, sentence.causal) == (1, True)


def test_no_source_leaves_it_out(stub_byhand):
    stub_byhand(*draft("bar", "--no-source"))
    assert document_in(stub_byhand.folder / "bar.mp4") is None


def test_a_dry_run_says_files_and_lengths_and_writes_none(stub_byhand):
    done = stub_byhand(*draft("slide", "-o", "new", "--dry-run"))
    assert done.stdout.splitlines() == ["new/slide.mp4  2.7 s", "new/slide.srt", "new/slide.vtt"]
    assert not os.listdir(stub_byhand.folder)


def test_a_dry_run_says_the_length_however_the_ending_is_written(stub_byhand):
    done = stub_byhand(*draft("slide", "-o", "S.MP4", "--dry-run"))
    assert done.stdout.splitlines() == ["S.MP4  2.7 s", "S.srt", "S.vtt"]


def test_the_list_as_json_has_every_beat_and_its_start(stub_byhand):
    done = stub_byhand("render", "slide", "--list", "--json")
    assert json.loads(done.stdout) == [
        {
            "name": "slide",
            "title": "Slide",
            "part": "part1",
            "seconds": 2.6,
            "beats": [
                {"title": "Before", "caption": "the is on the left", "start": 0.0},
                {"title": "After", "caption": "the is on the right", "start": 1.2},
            ],
        }
    ]


def test_stills_are_written_as_png(stub_byhand):
    assert stub_byhand(*draft("bar", "-o", "last.png")).returncode == 0
    assert os.listdir(stub_byhand.folder) == ["last.png"]


def test_force_renders_over_what_is_there(stub_byhand):
    (stub_byhand.folder / "bar.mp4").write_text("old")
    assert stub_byhand(*draft("bar")).returncode == 2
    assert stub_byhand(*draft("bar", "--force")).returncode == 0
    assert document_in(stub_byhand.folder / "bar.mp4") is not None


def test_on_a_terminal_a_bar_says_the_frames_and_the_time_left(stub_byhand, monkeypatch):
    ours, theirs = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    command = [sys.executable, STUB_BYHAND, *draft("lingering")]
    options = {"cwd": stub_byhand.folder, "stdout": subprocess.PIPE, "stderr": theirs}
    with subprocess.Popen(command, text=True, **options) as process:
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # Linux says so when the other end is closed.
            while chunk := os.read(ours, 4096):
                said += chunk
        os.close(ours)
        assert process.stdout.read().splitlines()[-1] == "lingering.mp4"
    assert re.search(rb"lingering.*70/70.*frames", said)
    assert re.search(rb"/70.*0:00:\d\d", said)


@pytest.mark.case(24)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_in_mid_render_and_rendered_again_is_as_if_nothing_was(
    stub_byhand, start_stub_byhand, number
):
    """Case 24: kill -9 and -TERM in mid-render, then render again: works, byte-identical to a
    clean run."""
    stub_byhand(*draft("lingering", "-o", "clean"))
    clean = {path.name: path.read_bytes() for path in (stub_byhand.folder / "clean").iterdir()}
    process = start_stub_byhand(*draft("lingering", "-o", "again", "--json"))
    for line in process.stdout:
        if '"progress"' in line:
            break
    process.send_signal(number)
    process.wait(10)
    assert not list((stub_byhand.folder / "again").iterdir())
    assert stub_byhand(*draft("lingering", "-o", "again")).returncode == 0
    again = {path.name: path.read_bytes() for path in (stub_byhand.folder / "again").iterdir()}
    assert again == clean


@pytest.mark.case(25)
def test_the_same_scene_twice_at_once_into_the_same_folder_is_fine(stub_byhand, start_stub_byhand):
    """Case 25: the same scene rendered twice at once into the same folder: both fine."""
    asked = draft("lingering", "-o", "out", "--force", "--json")
    one = start_stub_byhand(*asked)
    next(line for line in one.stdout if '"progress"' in line)
    twins = [one, start_stub_byhand(*asked)]
    errors = [process.communicate(timeout=120)[1] for process in twins]
    assert [process.returncode for process in twins] == [0, 0], errors
    names = ["lingering.mp4", "lingering.srt", "lingering.vtt"]
    assert sorted(os.listdir(stub_byhand.folder / "out")) == names
    with av.open(str(stub_byhand.folder / "out" / "lingering.mp4")) as film:
        assert len(list(film.decode(video=0))) == 70


@pytest.mark.case(26)
@pytest.mark.parametrize(
    "name", ["it's here", "a{b}", "{}", "ünï-日本語", "with space", "trailing ", "n" * 255]
)
def test_an_output_folder_of_any_name_will_do(stub_byhand, name):
    """Case 26: output folders `it's here`, `a{b}`, `{}`, `ünï-日本語`, `with space`, trailing
    blank, a 255-byte name."""
    done = stub_byhand(
        *draft("bar", "-o", name, "--captions", "srt"), env=os.environ | {"LC_ALL": "C"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(os.listdir(stub_byhand.folder / name)) == ["bar.mp4", "bar.srt"]


@pytest.mark.case(30)
def test_the_child_is_gone_within_seconds_when_its_parent_is_killed(start_stub_byhand, tmp_path):
    """Case 30, its half on the command line: killed while a render runs: the child is gone
    within seconds."""
    file = tmp_path / "pids"
    process = start_stub_byhand(*draft("endless"), STUB_PIDS=str(file))
    wait_for(lambda: pids(file))
    process.kill()
    wait_for(lambda: not any(is_alive(pid) for pid in pids(file)), seconds=5)


@pytest.mark.case(31)
def test_ctrl_c_leaves_no_child_no_half_file_and_exit_130(stub_byhand, start_stub_byhand, tmp_path):
    """Case 31: Ctrl+C in `render lecture --jobs 2`: children gone, no half files, exit 130."""
    file, temporary = tmp_path / "pids", tmp_path / "temporary"
    temporary.mkdir()
    process = start_stub_byhand(
        *draft("lingering", "endless", "--jobs", "2"), STUB_PIDS=str(file), TMPDIR=str(temporary)
    )
    wait_for(lambda: pids(file))
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    assert "Traceback" not in process.stderr.read()
    assert not any(is_alive(pid) for pid in pids(file))
    assert not os.listdir(stub_byhand.folder)
    assert not os.listdir(temporary)


@pytest.mark.case(32)
def test_one_scene_that_fails_does_not_stop_the_others(stub_byhand):
    """Case 32: one scene fails: the others still finish, the failure is listed, exit 1."""
    done = stub_byhand(*draft("slide", "broken", "bar", "--captions", "burn"))
    assert done.returncode == 1
    assert done.stderr == "byhand: can't render broken: RuntimeError: the plane is bent\n"
    assert sorted(os.listdir(stub_byhand.folder)) == ["bar.mp4", "slide.mp4"]


@pytest.mark.case(32)
def test_a_film_that_lacks_a_scene_leaves_those_that_are_done(stub_byhand, tmp_path):
    """Case 32, for a joined film: what is done isn't lost, and nothing half has its name."""
    # part2 of the stubs is broken, endless and colours; without STUB_PIDS endless fails too.
    done = stub_byhand(*draft("part2", "--captions", "burn"))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 2
    assert os.listdir(stub_byhand.folder) == ["colours.mp4"]


def test_what_is_done_of_a_film_overwrites_nothing(stub_byhand):
    (stub_byhand.folder / "colours.srt").write_text("mine")
    done = stub_byhand(*draft("part2"))
    assert done.returncode == 1
    assert os.listdir(stub_byhand.folder) == ["colours.srt"]
    assert (stub_byhand.folder / "colours.srt").read_text() == "mine"


@pytest.mark.case(35)
@pytest.mark.parametrize("path", ["/nowhere", None], ids=["empty", "unset"])
def test_without_a_path_everything_works(stub_byhand, path):
    """Case 35, a half of it: PATH set to an empty folder, or not at all: everything works."""
    environment = {name: value for name, value in os.environ.items() if name != "PATH"}
    done = stub_byhand(*draft("bar"), env=environment | ({} if path is None else {"PATH": path}))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("asked", [(), ("--json",)], ids=["lines", "json"])
def test_a_reader_who_leaves_early_still_gets_the_video(start_stub_byhand, stub_byhand, asked):
    process = start_stub_byhand(*draft("bar", *asked))
    process.stdout.readline()
    process.stdout.close()
    assert (process.wait(60), process.stderr.read()) == (0, "")
    assert sorted(os.listdir(stub_byhand.folder)) == ["bar.mp4", "bar.srt", "bar.vtt"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are text")
@pytest.mark.case(26)
def test_a_folder_whose_name_is_no_text_is_told_as_json_too(stub_byhand):
    """Case 26, its kind: the files' own names, bytes that are no UTF-8 included."""
    name = os.fsdecode(b"\xff")
    done = stub_byhand(*draft("bar", "-o", name, "--captions", "none", "--json"))
    assert (done.returncode, done.stderr) == (0, "")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-2:] == [
        {"event": "written", "file": f"{name}/bar.mp4"},
        {"event": "done", "files": [f"{name}/bar.mp4"]},
    ]


# Formats, parts and scripts


def frames_of(path, format="rgb24"):
    with av.open(str(path)) as film:
        return [frame.to_ndarray(format=format) for frame in film.decode(video=0)]


@pytest.mark.parametrize("format", ["webm", "mov", "gif"])
@pytest.mark.case(24)
def test_every_format_comes_out_the_same_twice(stub_byhand, format):
    """Case 24, its kind: rendered again, each format is byte-identical to a clean run (of webm
    the frames are)."""
    for folder in ("one", "other"):
        done = stub_byhand(*draft("slide", "--format", format, "-o", folder))
        assert (done.returncode, done.stderr) == (0, "")
    one, other = (stub_byhand.folder / name / f"slide.{format}" for name in ("one", "other"))
    if format == "webm":
        assert all((a == b).all() for a, b in zip(frames_of(one), frames_of(other), strict=True))
    else:
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("format", ["webm", "mov", "gif"])
def test_every_format_carries_the_document_unless_it_may_not(stub_byhand, post, format):
    asked = draft("bar", "--format", format, "--captions", "none")
    stub_byhand(*asked)
    stub_byhand(*asked, "--no-source", "-o", "bare")
    carried = document_in(stub_byhand.folder / f"bar.{format}")
    assert parse_sentence(carried.encode(), "bar") == post
    assert document_in(stub_byhand.folder / "bare" / f"bar.{format}") is None


@pytest.mark.case(28)
@pytest.mark.parametrize("format", ["webm", "mov", "gif"])
def test_a_changed_number_is_seen_in_every_format(stub_byhand, document_file, format):
    """Case 28, for the other formats: the new video shows the new number."""
    widths = []
    for number in (4, 8):
        sentence = ("--sentence", str(document_file(number)))
        stub_byhand(*draft("bar", "--format", format, *sentence, "--force"))
        last = frames_of(stub_byhand.folder / f"bar.{format}", "gray")[-1]
        widths.append((last[240] < 128).sum())
    assert widths == pytest.approx([240, 480], abs=3)


@pytest.mark.case(33)
@pytest.mark.parametrize("aspect", ["16:9", "9:16", "1:1"])
def test_a_circle_is_round_and_whole_in_every_shape(stub_byhand, aspect):
    """Case 33: 9:16: circles round, nothing cut: the frame is as wide as scenes take it to be."""
    asked = draft("shapes", "--aspect", aspect, "-o", "x.png")
    assert stub_byhand(*asked).returncode == 0
    with Image.open(stub_byhand.folder / "x.png") as picture:
        blue = np.asarray(picture.convert("RGB"))[..., 0] < 128
    rows, columns = np.flatnonzero(blue.any(axis=1)), np.flatnonzero(blue.any(axis=0))
    assert abs(np.ptp(rows) - np.ptp(columns)) <= 1
    across, _ = frame_size(blue.shape[1], blue.shape[0])
    assert np.ptp(columns) / blue.shape[1] == pytest.approx(4 / across, abs=0.01)
    assert 0 < rows[0] < rows[-1] < blue.shape[0] - 1
    assert 0 < columns[0] < columns[-1] < blue.shape[1] - 1


@pytest.mark.case(33)
def test_4k_and_draft_have_the_same_layout(stub_byhand):
    """Case 33, its other half: 4k and draft: same layout."""
    edges = []
    for quality in ("draft", "4k"):
        stub_byhand("render", "shapes", "--quality", quality, "-o", f"{quality}.png")
        with Image.open(stub_byhand.folder / f"{quality}.png") as picture:
            blue = np.asarray(picture.convert("RGB"))[..., 0] < 128
        rows, columns = np.flatnonzero(blue.any(axis=1)), np.flatnonzero(blue.any(axis=0))
        height, width = blue.shape
        edges.append([rows[0] / height, rows[-1] / height, columns[0] / width, columns[-1] / width])
    assert edges[0] == pytest.approx(edges[1], abs=0.004)


@pytest.mark.case(6)
def test_every_word_is_whole_and_in_its_box_at_every_quality(stub_byhand, tmp_path):
    """Case 6, for video: each word whole, in order, inside its box; LC_ALL=C too."""
    words = ("猫", "القط", "naïve", "😀", "a\u0301", "W" * 60, "<b>&amp;", "#x_$]@ref", "//", "ffi")
    assert not undrawable("".join(words))
    document, seen = tmp_path / "words.byhand.json", []
    write_sentence(new_sentence(words), document)
    for quality, size in QUALITIES.items():
        asked = ("--sentence", str(document), "--quality", quality, "-o", f"{quality}.png")
        done = stub_byhand("render", "spoken", *asked, env=os.environ | {"LC_ALL": "C"})
        assert (done.returncode, done.stderr) == (0, "")
        with Image.open(stub_byhand.folder / f"{quality}.png") as picture:
            ink = np.asarray(picture.convert("L")) < 128
        unit = size.height / 8
        edges = []
        for place in range(len(words)):
            top, left = (0.45 + 0.7 * place) * unit, size.width / 2 - 2 * unit
            box = ink[round(top) : round(top + 0.7 * unit), round(left) : round(left + 4 * unit)]
            rows, columns = np.flatnonzero(box.any(axis=1)), np.flatnonzero(box.any(axis=0))
            edges += [rows[0] / unit, rows[-1] / unit, columns[0] / unit, columns[-1] / unit]
            box[:] = False
        assert not ink.any()
        seen.append(edges)
    for edges in seen:
        assert edges == pytest.approx(seen[-1], abs=0.04)


@pytest.mark.case(35)
@pytest.mark.parametrize("format", ["webm", "mov", "gif", "png"])
def test_without_a_path_every_format_works(stub_byhand, format):
    """Case 35, for every format: PATH set to an empty folder: everything works."""
    done = stub_byhand(*draft("bar", "--format", format), env={**os.environ, "PATH": "/nowhere"})
    assert (done.returncode, done.stderr) == (0, "")


def test_a_transparent_still_has_a_ground_of_nothing(stub_byhand):
    stub_byhand(*draft("shapes", "-o", "x.png", "--transparent"))
    with Image.open(stub_byhand.folder / "x.png") as picture:
        assert picture.mode == "RGBA"
        assert picture.getpixel((3, 3))[3] == 0
        assert picture.getpixel((427, 240)) == (0, 0, 255, 255)
        edges = [p for p in picture.get_flattened_data() if 0 < p[3] < 255]
    assert edges
    # Nothing of the white ground: edges are as blue as the rest.
    assert max(max(red, green) for red, green, _, alpha in edges if alpha > 40) <= 8


def test_a_section_is_its_beat_frame_by_frame_with_its_captions_from_zero(stub_byhand):
    stub_byhand(*draft("slide", "-o", "whole"))
    done = stub_byhand(*draft("slide", "--section", "after", "-o", "part"))
    assert (done.returncode, done.stderr) == (0, "")
    whole, part = (frames_of(stub_byhand.folder / name / "slide.mp4") for name in ("whole", "part"))
    assert len(part) == len(whole) - 18
    difference = [np.abs(a.astype(int) - b).mean() for a, b in zip(part, whole[18:])]
    assert max(difference) < 1
    srt = (stub_byhand.folder / "part" / "slide.srt").read_text()
    assert srt.splitlines()[1:3] == ["00:00:00,000 --> 00:00:01,467", "the is on the right"]


@pytest.mark.parametrize("moment", [0.0, 1.0, 1.5, 2.6])
def test_a_still_is_the_films_frame_of_that_moment(stub_byhand, moment):
    stub_byhand(*draft("slide"))
    done = stub_byhand(*draft("slide", "--still", str(moment), "-o", "at.png"))
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(stub_byhand.folder / "at.png") as picture:
        still = np.asarray(picture.convert("RGB")).astype(int)
    differences = [
        np.abs(still - frame).mean() for frame in frames_of(stub_byhand.folder / "slide.mp4")
    ]
    at = int(moment * 15 + 1e-6)
    assert differences[at] < 1
    # Frames that look alike differ by what the encoder makes of them.
    assert differences[at] < min(differences) + 0.05


def test_a_still_of_a_part_counts_from_the_parts_beginning(stub_byhand):
    done = stub_byhand(*draft("part1", "--still", "0:19", "-o", "at.png"))
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(stub_byhand.folder) == ["at.png"]


def test_a_script_is_written_edited_and_read_back(stub_byhand):
    assert stub_byhand("render", "slide", "--list", "--script", "s.json").stdout == "s.json\n"
    file = stub_byhand.folder / "s.json"
    said = json.loads(file.read_text())
    said["scenes"][0]["beats"][0] |= {"caption": "à gauche", "seconds": 4.0}
    file.write_text(json.dumps(said))
    done = stub_byhand(*draft("slide", "--script", "s.json", "--captions", "srt"))
    assert (done.returncode, done.stderr) == (0, "")
    lines = (stub_byhand.folder / "slide.srt").read_text().splitlines()
    assert lines[1:3] == ["00:00:00,000 --> 00:00:04,000", "à gauche"]


def test_a_script_that_is_there_is_not_written_over(stub_byhand):
    (stub_byhand.folder / "s.json").write_text("mine")
    done = stub_byhand("render", "slide", "--list", "--script", "s.json")
    assert done.returncode == 2
    assert (stub_byhand.folder / "s.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("slide", "--section", "Befor"), "did you mean 'Before'?"),
        (("slide", "--section", "3"), "slide has no beat 3: try --section 1 to 2"),
        (("slide", "--still", "99"), "--still 99 is after the end of slide: try 0 to 2.7"),
        (("slide", "--still", "soon"), "is no time: try 1:05"),
        (("slide", "bar", "--still", "1"), "are of one film: name one"),
        (("slide", "--script", "none.json"), "none.json: can't be read (no such file"),
        (("slide", "--script", "typo.json"), "slide has no beat called 'Befor' (did you mean"),
        (("slide", "--transparent"), "kept in mp4: try --format webm, mov or png"),
        (("lingering", "--format", "gif", "--quality", "4k", "--fps", "50"), "may hold: try"),
    ],
)
def test_what_is_not_there_or_too_much_is_refused_before_the_work(stub_byhand, asked, said):
    typo = {"byhand_script": 1, "scenes": [{"name": "slide", "beats": [{"title": "Befor"}]}]}
    (stub_byhand.folder / "typo.json").write_text(json.dumps(typo))
    done = stub_byhand("render", "--quality", "draft", *asked)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert os.listdir(stub_byhand.folder) == ["typo.json"]


def test_a_gif_says_its_cost_before(stub_byhand):
    done = stub_byhand(*draft("bar", "--format", "gif"))
    assert re.match(r"bar\.gif: 1\.0 s of 854×480 at 15 will take about \d", done.stdout)


def test_a_parts_transcript_has_every_beat_and_its_poster_the_document(stub_byhand, post):
    stub_byhand(*draft("part1", "--handout"))
    page = (stub_byhand.folder / "part1.transcript.html").read_text("utf-8")
    assert page.count("<article>") == page.count("<img ") == 7
    assert (stub_byhand.folder / "part1.handout.pdf").read_bytes().startswith(b"%PDF")
    with Image.open(stub_byhand.folder / "part1.poster.png") as poster:
        assert poster.size == (854, 480)
        assert parse_sentence(poster.text["byhand"].encode(), "poster") == post
