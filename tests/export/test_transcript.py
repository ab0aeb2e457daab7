"""What goes beside a film: the transcript, the handout, the poster."""

from __future__ import annotations

import base64
import io
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

from engine.files import format_sentence
from export.carried import document_carried_by
from export.encoder import ClipEncoder
from export.handout import write_handout
from export.jobs import Clip
from export.poster import draw_poster
from export.transcript import transcript_page, transcript_parts
from scenes.beats import Beat

HOSTILE = '<b>&amp;</b> #x_$]@ref // "quoted" <script>alert(1)</script> </style> *a* `b` שלום 猫'


@pytest.fixture
def clip(tmp_path):
    """Black for 1 s, then white with a black bar for 1 s; a beat each."""
    path = tmp_path / "clip.mp4"
    black = np.full((90, 160, 4), (0, 0, 0, 255), np.uint8)
    barred = np.full((90, 160, 4), 255, np.uint8)
    barred[40:60, 40:120, :3] = 0
    with ClipEncoder(path, width=160, height=90, frame_rate=10) as encoder:
        encoder.write(black, 10)
        encoder.write(barred, 10)
    beats = (
        Beat(HOSTILE, HOSTILE, 0.0, 1.0, (), (HOSTILE, "0.73 0.18")),
        Beat("Bar", "A bar", 1.0, 2.0, ()),
    )
    return Clip("softmax", 20, 10, beats, path)


@pytest.fixture
def parts(clip):
    return transcript_parts([clip, clip], {"softmax": "Softmax"})


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.open = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def attributes(self, tag, name):
        return [attrs.get(name) for one, attrs in self.tags if one == tag]


@pytest.fixture
def page(parts, post):
    return Page(transcript_page("Attention", post, parts))


def test_a_words_markup_is_text(page):
    assert not [tag for tag, _ in page.tags if tag in ("script", "b")]
    assert HOSTILE in page.words
    assert page.open == []


def test_every_still_has_its_alternative_in_words(page):
    first, second, *_ = page.attributes("img", "alt")
    assert "0.73 0.18" in first
    assert HOSTILE in first
    assert second == "Bar: no words or numbers on the stage."


def test_nothing_is_fetched(page):
    assert all(src.startswith("data:image/png;base64,") for src in page.attributes("img", "src"))
    assert all(href.startswith("#") for href in page.attributes("a", "href"))
    assert not page.attributes("link", "href")


def test_headings_go_down_one_at_a_time_and_links_lead_to_them(page):
    levels = [int(tag[1]) for tag, _ in page.tags if tag in ("h1", "h2", "h3")]
    assert levels == [1, 2, 3, 3, 2, 3, 3]
    ids = set(page.attributes("h2", "id"))
    assert {href[1:] for href in page.attributes("a", "href")} == ids


def test_times_are_the_films(parts):
    assert [row.start for part in parts for row in part.rows] == [0.0, 1.0, 2.0, 3.0]


def test_a_still_is_the_beats_last_picture(page):
    data = page.attributes("img", "src")[1].partition(",")[2]
    with Image.open(io.BytesIO(base64.b64decode(data))) as still:
        rgb = still.convert("RGB")
    assert (min(rgb.getpixel((5, 5))), max(rgb.getpixel((80, 50)))) == (255, 0)


def test_the_same_clips_give_the_same_page_and_handout(clip, post, tmp_path):
    made = []
    for name in ("one", "other"):
        parts = transcript_parts([clip], {})
        write_handout("T", post, parts, tmp_path / name, document="{}")
        made.append((transcript_page("T", post, parts), (tmp_path / name).read_bytes()))
    assert made[0] == made[1]


def test_a_handout_is_a_pdf_that_carries_its_document(parts, post, tmp_path):
    path = tmp_path / "x.pdf"
    write_handout("Attention", post, parts, path, document=format_sentence(post))
    assert path.read_bytes().startswith(b"%PDF-")
    assert document_carried_by(path) == format_sentence(post)


def test_a_handout_without_source_carries_nothing(parts, post, tmp_path):
    write_handout("Attention", post, parts, tmp_path / "x.pdf")
    assert document_carried_by(tmp_path / "x.pdf") is None


def test_a_handout_leaves_nothing_beside_it(parts, post, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    write_handout("Attention", post, parts, folder / "x.pdf")
    assert [file.name for file in folder.iterdir()] == ["x.pdf"]


def test_a_poster_is_the_fullest_picture_and_carries_its_document(clip, post, tmp_path):
    draw_poster([clip], tmp_path / "x.png", document=format_sentence(post))
    with Image.open(tmp_path / "x.png") as poster:
        assert poster.size == (160, 90)
        assert min(poster.getpixel((5, 5))) > 250
    assert document_carried_by(tmp_path / "x.png") == format_sentence(post)
