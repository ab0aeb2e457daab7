from __future__ import annotations

import base64
import io
import json
import re

import av
import numpy as np
import pytest

from export.encoder import ClipEncoder
from export.jobs import Clip
from export.options import RenderOptions, choose_films
from export.slide_page import slide_page, split_clip
from scenes.beats import Beat

HOSTILE = '</script><script>alert(1)</script><!-- "x" \u2028 שלום'


@pytest.fixture
def clip(tmp_path):
    """13 frames in two beats, which begin anew in between; then two that belong to none."""
    path = tmp_path / "clip.mp4"
    with ClipEncoder(path, width=64, height=48, frame_rate=10) as encoder:
        for number in range(15):
            grey = np.full((48, 64, 4), 15 * number, np.uint8)
            encoder.write(grey, begins=number in (5, 13))
    beats = (Beat(HOSTILE, HOSTILE, 0.0, 0.5, (), (HOSTILE,)), Beat("Two", "Two", 0.6, 1.3, ()))
    return Clip("softmax", 15, 10, beats, path)


@pytest.fixture
def page(post, clip):
    options = RenderOptions(sentence=post, films=choose_films(["softmax"]))
    return slide_page(options, {"softmax": clip})


def greys(data):
    with av.open(io.BytesIO(data)) as film:
        return [int(frame.to_ndarray(format="gray").mean()) for frame in film.decode(video=0)]


def test_a_clip_is_cut_into_a_piece_a_beat_frame_by_frame(clip):
    whole = greys(clip.path.read_bytes())
    first, second = split_clip(clip)
    assert greys(first) == whole[:5]
    assert greys(second) == whole[5:13]


def test_every_piece_begins_at_time_zero(clip):
    for piece in split_clip(clip):
        with av.open(io.BytesIO(piece)) as film:
            assert next(film.decode(video=0)).time == 0


def test_every_slide_has_its_clip_and_says_its_beat(page):
    slides = json.loads(re.search(r'id="slides">(.*?)</script>', page, re.DOTALL)[1])
    clips = re.findall(r'class="clip">([^<]*)<', page)
    assert [slide["title"] for slide in slides] == [HOSTILE, "Two"]
    assert [len(greys(base64.b64decode(data))) for data in clips] == [5, 8]


def test_a_caption_cannot_end_the_page(page):
    assert "<script>alert" not in page
    assert page.count("</script>") == page.count("<script")


def test_nothing_is_fetched(page):
    assert "default-src 'none'" in page
    assert not re.search(r'(src|href)="?(https?:)?//', page)


def test_the_document_is_in_the_page_unless_it_may_not(page, post, clip):
    assert json.loads(re.search(r'id="byhand">(.*?)</script>', page, re.DOTALL)[1])["words"]
    bare = RenderOptions(sentence=post, films=choose_films(["softmax"]), embed=False)
    assert 'id="byhand"' not in slide_page(bare, {"softmax": clip})


def test_the_same_clips_give_the_same_page(page, post, clip):
    options = RenderOptions(sentence=post, films=choose_films(["softmax"]))
    assert slide_page(options, {"softmax": clip}) == page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "x.mp4"), "ends in .mp4, which slides doesn't write: try .html"),
        (("--jobs", "0"), "--jobs 0 is out of range"),
        (("sofmax",), "no scene is called 'sofmax'"),
        (("--script", "nowhere.json"), "nowhere.json: can't be read"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(stub_byhand, arguments, said):
    done = stub_byhand("slides", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_command_writes_one_page_and_nothing_over_another(stub_byhand):
    done = stub_byhand("slides", "slide", "bar", "--quality", "draft")
    assert (done.returncode, done.stderr) == (0, "")
    assert [file.name for file in stub_byhand.folder.iterdir()] == ["slides.html"]
    page = (stub_byhand.folder / "slides.html").read_text("utf-8")
    assert page.count('class="clip"') == 3
    again = stub_byhand("slides", "slide", "bar", "--quality", "draft")
    assert again.returncode == 2
    assert "slides.html exists: try --force" in again.stderr


@pytest.mark.slow
def test_a_scene_that_fails_leaves_no_page(stub_byhand):
    done = stub_byhand("slides", "bar", "broken", "--quality", "draft")
    assert done.returncode == 1
    assert "can't render broken" in done.stderr
    assert not list(stub_byhand.folder.iterdir())
