from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from export.store import FOLDER, LIMIT, Store, in_words, limit, store_folder


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store", 1_000_000)


@pytest.fixture
def file(tmp_path):
    """Writes a file of so many bytes."""

    def write(name, size=1000):
        path = tmp_path / name
        path.write_bytes(name.encode()[:1] * size)
        return path

    return write


def kept_file(store):
    (item,) = store.items()
    return Path(item.path)


def test_what_is_kept_comes_back_as_it_was(store, file, tmp_path):
    one, other = file("one", 3_000), file("other", 0)
    store.keep("folder", "name", {"frames": 7}, [one, other])
    entry = store.find("folder", "name")
    assert entry.about == b'{"frames":7}'
    targets = [tmp_path / "a", tmp_path / "b"]
    assert store.lay_out(entry, targets)
    assert [target.read_bytes() for target in targets] == [one.read_bytes(), b""]


def test_what_was_never_kept_is_not_there(store):
    assert store.find("folder", "name") is None
    assert store.names("folder") == []


@pytest.mark.parametrize("place", [0, 20, 70, 400, -1], ids=str)
def test_one_byte_that_changed_is_noticed_and_the_file_let_go(store, file, tmp_path, place):
    store.keep("folder", "name", None, [file("one")])
    path = kept_file(store)
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    entry = store.find("folder", "name")
    assert entry is None or not store.lay_out(entry, [tmp_path / "out"])
    assert not store.items()


@pytest.mark.parametrize("left", [0, 5, 100, -1])
def test_a_file_that_was_cut_off_is_not_there(store, file, left):
    store.keep("folder", "name", None, [file("one")])
    path = kept_file(store)
    path.write_bytes(path.read_bytes()[:left])
    assert store.find("folder", "name") is None


def test_the_longest_out_of_use_goes_first(store, file):
    for number, name in enumerate("abc"):
        store.keep(name, "x", None, [file(name, 400_000)])
        os.utime(store.folder / name / "x.kept", (number, number))
    store.find("a", "x")
    store.trim()
    assert [bool(store.names(name)) for name in "abc"] == [True, False, True]


def test_within_the_limit_nothing_goes(store, file):
    store.keep("a", "x", None, [file("a", 900_000)])
    store.trim()
    assert store.names("a") == ["x"]


def test_what_is_larger_than_the_limit_is_not_kept(store, file):
    store.keep("a", "x", None, [file("a", 1_000_001)])
    assert not store.items()


def test_a_tenth_of_the_disk_is_left_to_others(store, file, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: os.terminal_size((1000, 0)))
    full = type("usage", (), {"total": 1000, "free": 99})
    monkeypatch.setattr("shutil.disk_usage", lambda path: full)
    store.keep("a", "x", None, [file("a", 10)])
    assert not store.items()


@pytest.mark.skipif(os.name == "nt", reason="folders have no such modes")
def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_said(tmp_path, file):
    (tmp_path / "taken").write_text("a file")
    store = Store(tmp_path / "taken" / "store", 1_000_000)
    store.keep("a", "x", None, [file("a")])
    assert store.find("a", "x") is None
    store.trim()
    assert store.clear() == (0, 0)


def test_two_that_keep_the_same_at_once_leave_one_whole(store, file, tmp_path):
    one = file("one", 300_000)
    threads = [threading.Thread(target=store.keep, args=("a", "x", None, [one])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.items()) == 1
    assert store.lay_out(store.find("a", "x"), [tmp_path / "out"])


def test_clearing_lets_go_of_ours_and_of_nothing_else(store, file):
    store.keep("a", "x", None, [file("a")])
    mine = store.folder / "a" / "holiday.jpg"
    mine.write_text("not byhand's")
    files, size = store.clear()
    assert (files, size > 1000) == (1, True)
    assert mine.exists()
    assert not store.items()


@pytest.mark.parametrize(
    ("said", "size"),
    [("20GB", 20 * 10**9), ("1.5 MB", 1_500_000), ("0", 0), ("7k", 7_000), ("12", 12)],
)
def test_a_limit_is_a_size(monkeypatch, said, size):
    monkeypatch.setenv(LIMIT, said)
    assert limit() == size


@pytest.mark.parametrize("said", ["much", "-1", "1e9", "20 Gb", "٣"])
def test_a_limit_that_is_no_size_is_refused_with_what_would_be(monkeypatch, said):
    monkeypatch.setenv(LIMIT, said)
    with pytest.raises(ValueError, match="is no size: try 20GB"):
        limit()


def test_the_store_is_where_the_system_keeps_such_things(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store_folder() == tmp_path / "byhand" / "clips"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert store_folder() == Path.home() / ".cache" / "byhand" / "clips"
    monkeypatch.setattr("sys.platform", "darwin")
    assert store_folder() == Path.home() / "Library" / "Caches" / "byhand" / "clips"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert store_folder() == tmp_path / "byhand" / "Cache" / "clips"


def test_or_where_one_says(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path / "mine"))
    assert store_folder() == tmp_path / "mine"


@pytest.mark.parametrize(
    ("size", "said"),
    [(0, "0 bytes"), (999, "999 bytes"), (61_240_000, "61.2 MB"), (10**10, "10 GB")],
)
def test_sizes_are_said_as_people_say_them(size, said):
    assert in_words(size) == said
