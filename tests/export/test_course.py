from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from engine.files import format_sentence
from engine.presets import load_preset
from export.course import documents_in


def draft(*arguments):
    return ("render", *arguments, "--quality", "draft")


@pytest.fixture
def course(tmp_path):
    """A folder of two documents, one that is none, and what isn't asked for."""
    folder = tmp_path / "course"
    folder.mkdir()
    post, other = load_preset(), load_preset("seven-words")
    (folder / "cat.byhand.json").write_text(format_sentence(post))
    (folder / "seven.mp4.byhand.json").write_text(format_sentence(other))
    (folder / "bad.byhand.json").write_text("{")
    (folder / "..byhand.json").write_text(format_sentence(post))
    (folder / "notes.json").write_text("{}")
    return folder


def tree(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.*"))


def test_documents_are_found_in_order_and_hidden_ones_are_not(course):
    names = [file.name for file in documents_in(str(course))]
    assert names == ["bad.byhand.json", "cat.byhand.json", "seven.mp4.byhand.json"]


@pytest.mark.parametrize("name", ["", "nowhere", "a\0b"])
def test_a_folder_that_cannot_be_read_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"^--sentences '.*' can't be read|has no document"):
        documents_in(name)


@pytest.mark.slow
def test_each_document_has_its_films_in_a_folder_of_its_name(stub_byhand, course):
    asked = draft("slide", "bar", "--captions", "srt", "--sentences", str(course), "-o", "out")
    done = stub_byhand(*asked)
    assert done.returncode == 1
    assert done.stderr.startswith(f"byhand: {course}/bad.byhand.json: line 1, column 2")
    assert len(done.stderr.splitlines()) == 1
    files = ["bar.mp4", "bar.srt", "slide.mp4", "slide.srt"]
    folders = ["cat", "seven.mp4"]
    there = [f"{folder}/{file}" for folder in folders for file in files]
    assert [path for path in tree(stub_byhand.folder / "out") if "/" in path] == there
    assert f"out/cat/{files[2]}" in done.stdout.splitlines()
    for name, preset in (("cat", None), ("seven.mp4", "seven-words")):
        word = (load_preset(preset) if preset else load_preset()).words[0]
        said = (stub_byhand.folder / "out" / name / "slide.srt").read_text()
        assert f"{word} is on the left" in said


@pytest.mark.slow
def test_a_course_is_the_same_films_as_one_by_one(stub_byhand, course):
    (course / "bad.byhand.json").unlink()
    stub_byhand(*draft("slide", "--sentences", str(course), "-o", "out"))
    stub_byhand(*draft("slide", "--sentence", str(course / "cat.byhand.json"), "-o", "one"))
    for file in ("slide.mp4", "slide.srt"):
        one, other = (stub_byhand.folder / place / file for place in ("one", "out/cat"))
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_progress_is_told_over_all_by_document_and_scene(stub_byhand, course):
    (course / "bad.byhand.json").unlink()
    asked = draft("slide", "broken", "--captions", "none", "--sentences", str(course))
    done = stub_byhand(*asked, "--json")
    assert done.returncode == 1
    events = [json.loads(line) for line in done.stdout.splitlines()]
    started = {event["scene"] for event in events if event["event"] == "started"}
    documents = ("cat", "seven.mp4")
    assert started == {f"{name}/{scene}" for name in documents for scene in ("slide", "broken")}
    files = [f"{name}/slide.mp4" for name in documents]
    assert events[-1] == {"event": "done", "files": files}
    said = "can't render {}/broken: RuntimeError: the plane is bent"
    assert sorted(done.stderr.splitlines()) == [
        f"byhand: {said.format(name)}" for name in documents
    ]


@pytest.mark.slow
def test_a_dry_run_says_every_documents_files_and_writes_none(stub_byhand, course):
    done = stub_byhand(
        *draft("slide", "--captions", "none", "--sentences", str(course), "-o", "out", "--dry-run")
    )
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "out/cat/slide.mp4  2.7 s",
        "out/seven.mp4/slide.mp4  2.7 s",
    ]
    assert not os.listdir(stub_byhand.folder)


@pytest.mark.slow
def test_what_does_not_suit_one_document_stops_no_other(stub_byhand, course):
    (course / "bad.byhand.json").unlink()
    asked = draft("bar", "--captions", "none", "--sentences", str(course), "--focus", "7")
    done = stub_byhand(*asked)
    assert done.returncode == 1
    assert done.stderr.startswith(f"byhand: {course}/cat.byhand.json: ")
    assert len(done.stderr.splitlines()) == 1
    assert tree(stub_byhand.folder) == ["seven.mp4", "seven.mp4/bar.mp4"]


@pytest.mark.slow
def test_nothing_of_a_course_is_overwritten_unasked(stub_byhand, course):
    (course / "bad.byhand.json").unlink()
    asked = draft("bar", "--captions", "none", "--sentences", str(course))
    (stub_byhand.folder / "cat").mkdir()
    (stub_byhand.folder / "cat" / "bar.mp4").write_text("mine")
    done = stub_byhand(*asked)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "cat/bar.mp4 exists: try --force" in done.stderr
    assert tree(stub_byhand.folder) == ["cat/bar.mp4"]
    assert stub_byhand(*asked, "--force").returncode == 0
    assert (stub_byhand.folder / "cat" / "bar.mp4").read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--sentence", "x.byhand.json"), "a folder of them: give one"),
        (("-o", "out.mp4"), "'out.mp4' is one file, and --sentences are many: give -o a folder"),
        (("--list", "--json"), "--list is of one document"),
    ],
)
def test_what_contradicts_a_folder_of_documents_is_refused(course, asked, said, capsys):
    from export.cli import main

    assert main([*draft("softmax", "--sentences", str(course)), *asked]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


@pytest.mark.slow
def test_ctrl_c_ends_a_course_and_leaves_what_is_whole(start_stub_byhand, stub_byhand, course):
    (course / "bad.byhand.json").unlink()
    asked = draft("bar", "lingering", "--captions", "none", "--sentences", str(course), "--json")
    process = start_stub_byhand(*asked, "--jobs", "1")
    for line in process.stdout:
        if '"written"' in line:
            break
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    assert "Traceback" not in process.stderr.read()
    assert "cat/bar.mp4" in tree(stub_byhand.folder)
    assert not list(stub_byhand.folder.rglob("*.part"))
