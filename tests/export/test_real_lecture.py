"""The lecture itself, as a user renders it: one command, then the file is looked into."""

import json
import subprocess
import sys

import av
import numpy as np
import pytest
from PIL import Image

from engine.presets import load_preset
from export.lecture import document_in
from scenes import CATALOG
from scenes.beats import text_width

pytestmark = pytest.mark.slow


def _byhand(*arguments):
    command = [sys.executable, "-m", "desktop", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=1500).stdout


@pytest.fixture(scope="module")
def lecture(tmp_path_factory):
    """The draft lecture: its file."""
    file = tmp_path_factory.mktemp("lecture") / "lecture.mp4"
    printed = _byhand("render", "lecture", "--quality", "draft", "-o", file)
    assert printed.splitlines()[-1] == str(file)
    return file


@pytest.fixture(scope="module")
def plans():
    """What `--list --json` promises of each scene at the same quality."""
    return json.loads(_byhand("render", "--quality", "draft", "--list", "--json"))


@pytest.fixture(scope="module")
def frames(lecture):
    """How many frames it has."""
    with av.open(str(lecture)) as film:
        return sum(1 for _ in film.decode(video=0))


def test_it_is_a_draft_of_854_by_480_at_15(lecture):
    with av.open(str(lecture)) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height) == (854, 480)
        assert stream.average_rate == 15


def test_it_lasts_as_long_as_was_planned(frames):
    dry = _byhand("render", "--quality", "draft", "-o", "nowhere", "--dry-run", "--json")
    assert frames == round(15 * json.loads(dry.splitlines()[0])["seconds"])


def test_it_lasts_at_least_a_minute_and_a_half(frames):
    assert frames >= 90 * 15


def test_it_has_a_chapter_a_scene(lecture, plans):
    with av.open(str(lecture)) as film:
        chapters = film.chapters()
    assert [c["metadata"]["title"] for c in chapters] == [scene.title for scene in CATALOG]
    seconds = [float((c["end"] - c["start"]) * c["time_base"]) for c in chapters]
    # A card before each; at the ends also the opening and the closing.
    more = [mine - plan["seconds"] for mine, plan in zip(seconds, plans)]
    assert more[1:-1] == pytest.approx([more[1]] * (len(more) - 2), abs=0.002)
    assert 0 < more[1] < 4
    assert min(more[0], more[-1]) > 10


def test_its_last_frame_is_the_end_state(lecture, frames, tmp_path):
    moment = f"{(frames - 1) / 15:.3f}"
    still = tmp_path / "last.png"
    _byhand("render", "lecture", "--quality", "draft", "--still", moment, "-o", still)
    still = np.asarray(Image.open(still).convert("RGB"), dtype=float)
    with av.open(str(lecture)) as film:
        *_, frame = film.decode(video=0)
    shown = np.asarray(frame.to_image(), dtype=float)
    assert np.abs(shown - still).mean() < 1.5


def test_it_has_a_poster_and_a_transcript_of_every_beat(lecture, plans):
    page = lecture.with_suffix(".transcript.html").read_text("utf-8")
    assert page.count("<article>") >= sum(len(plan["beats"]) for plan in plans)
    assert page.count("alt=") == page.count("<article>")
    with Image.open(lecture.with_suffix(".poster.png")) as poster:
        assert poster.size == (854, 480)


def test_it_carries_its_document(lecture):
    document = json.loads(document_in(lecture))
    assert tuple(document["words"]) == load_preset().words


def test_captions_are_at_most_two_lines_of_42_and_last_one_to_seven_seconds(lecture):
    cues = lecture.with_suffix(".srt").read_text("utf-8").strip().split("\n\n")
    assert len(cues) > 20
    for cue in cues:
        _, times, *lines = cue.splitlines()
        assert 1 <= len(lines) <= 2
        assert all(text_width(line) <= 42 for line in lines)
        start, end = map(_milliseconds, times.split(" --> "))
        assert 1000 <= end - start <= 7000


def _milliseconds(clock):
    hours, minutes, seconds, rest = map(int, clock.replace(",", ":").split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
