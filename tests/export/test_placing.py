from __future__ import annotations

import errno
import os
import re
import shutil

import pytest

from export.placing import (
    make_folders,
    place_bytes,
    place_file,
    place_text,
    refuse_taken,
    working_folder,
)
from export.worker import _one_line

posix = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes are POSIX's")


def test_a_text_lands_as_utf8_with_plain_line_ends(tmp_path):
    place_text("猫\n", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == "猫\n".encode()


def test_nothing_but_the_file_is_left(tmp_path):
    place_text("a", tmp_path / "a.txt")
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(FileNotFoundError):
        place_file(tmp_path / "nowhere", target)
    assert os.listdir(tmp_path) == ["a.txt"]
    assert target.read_text() == "old"


def test_a_name_of_255_bytes_can_be_placed(tmp_path):
    target = tmp_path / ("n" * 251 + ".txt")
    place_text("a", target)
    assert target.read_text() == "a"


@posix
def test_a_new_file_is_as_readable_as_any_other(tmp_path):
    place_text("a", tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("b")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


def test_what_exists_is_refused_by_name_with_what_to_try(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(ValueError, match=r"a\.txt exists: try --force"):
        refuse_taken([tmp_path / "a.txt"], force=False)


def test_force_lets_a_file_go_but_not_a_folder(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "b.mp4").mkdir()
    refuse_taken([tmp_path / "a.txt"], force=True)
    with pytest.raises(ValueError, match="is a folder: try another name"):
        refuse_taken([tmp_path / "b.mp4"], force=True)


@posix
def test_a_link_is_followed(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "a.txt").symlink_to(tmp_path / "far" / "b.txt")
    refuse_taken([tmp_path / "a.txt"], force=True)
    make_folders([tmp_path / "a.txt"])
    place_text("new", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").is_symlink()
    assert (tmp_path / "far" / "b.txt").read_text() == "new"
    assert os.listdir(tmp_path / "far") == ["b.txt"]


@posix
def test_force_lets_no_device_or_pipe_go(tmp_path):
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(ValueError, match=r"a\.txt may not be overwritten: try another name"):
        refuse_taken([tmp_path / "a.txt"], force=True)


@posix
def test_force_lets_no_read_only_file_go(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("kept")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may do anything
    with pytest.raises(ValueError, match=r"a\.txt may not be overwritten: try another name"):
        refuse_taken([tmp_path / "a.txt"], force=True)


@pytest.mark.case(25)
def test_two_who_place_the_same_file_at_once_never_meet(tmp_path, monkeypatch):
    """Case 25, its last moment: the one places while the other is about to."""
    copy, target = shutil.copyfile, tmp_path / "a.mp4"
    for name in ("one", "other"):
        (tmp_path / name).write_text(name)

    def meanwhile(source, temporary):
        monkeypatch.setattr(shutil, "copyfile", copy)
        place_file(tmp_path / "other", target)
        copy(source, temporary)

    monkeypatch.setattr(shutil, "copyfile", meanwhile)
    place_file(tmp_path / "one", target)
    assert target.read_text() == "one"
    assert sorted(os.listdir(tmp_path)) == ["a.mp4", "one", "other"]


@pytest.mark.case(19)
def test_a_full_disk_is_told_with_the_name_that_was_asked_for(tmp_path, monkeypatch):
    """Case 19, for what is exported: a full disk leaves the old file whole."""

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "somewhere else")

    monkeypatch.setattr(shutil, "copyfile", full)
    (tmp_path / "a.mp4").write_text("old")
    with pytest.raises(OSError, match=r"No space left") as caught:
        place_file(tmp_path / "source", tmp_path / "a.mp4")
    assert caught.value.filename == str(tmp_path / "a.mp4")
    assert (tmp_path / "a.mp4").read_text() == "old"
    assert os.listdir(tmp_path) == ["a.mp4"]


def test_a_folder_under_a_file_is_refused(tmp_path):
    (tmp_path / "a").write_text("a file")
    with pytest.raises(ValueError, match=r"can't write to .*: try another place with -o"):
        make_folders([tmp_path / "a" / "b" / "c.mp4"])


def test_a_name_that_is_too_long_is_refused_before_the_work(tmp_path):
    with pytest.raises(ValueError, match="too long"):
        refuse_taken([tmp_path / ("n" * 300 + ".mp4")], force=False)


def test_bytes_are_put_whole_or_not_at_all(tmp_path):
    place_bytes(b"new", tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"new"
    with pytest.raises(OSError, match=r"[Nn]o such"):
        place_bytes(b"new", tmp_path / "no" / "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


# A full disk under what isn't done yet

ADVICE = r"^no space left on the disk of temporary files \(.+\): make room there, or set TMPDIR to "


@pytest.mark.parametrize("named", ["{}/a.svg", "file:{}/slide.mp4", None])
def test_a_full_disk_of_temporary_files_is_told_with_the_way_out(named):
    with pytest.raises(OSError, match=ADVICE) as caught, working_folder() as folder:
        raise OSError(errno.ENOSPC, "No space left on device", named and named.format(folder))
    assert "\n" not in str(caught.value)
    assert not os.path.exists(folder)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_what_is_wrong_elsewhere_stays_as_it_was_told(tmp_path, number):
    with pytest.raises(OSError, match=os.strerror(number)) as caught, working_folder():
        raise OSError(number, os.strerror(number), str(tmp_path / "a.mp4"))
    assert caught.value.filename == str(tmp_path / "a.mp4")


def test_a_clip_that_fails_by_a_full_disk_says_so_in_the_same_line():
    full = OSError(errno.ENOSPC, "No space left on device", "file:slide.mp4")
    assert re.match(ADVICE, _one_line(full))
    assert _one_line(OSError(errno.EIO, "broken", "x")).startswith("OSError: ")
