from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from engine.files import format_sentence, parse_sentence
from export.encoder import ClipEncoder
from export.jobs import Clip
from export.lecture import Chapter, chapters_of, chapters_text, document_in, join_clips

TITLES = {"one": "The first", "two": "The second"}


@pytest.fixture
def clips(tmp_path):
    """Two clips of 64×48 at 10: one grows brighter for 13 frames, two is black for 7."""
    brighter = [np.full((48, 64, 4), 20 * n, np.uint8) for n in range(13)]
    made = []
    for name, frames in (("one", brighter), ("two", [brighter[0]] * 7)):
        path = tmp_path / f"{name}.mp4"
        with ClipEncoder(path, width=64, height=48, frame_rate=10) as encoder:
            for frame in frames:
                encoder.write(frame)
        made.append(Clip(name, len(frames), 10, (), path))
    return made


@pytest.fixture
def lecture(clips, tmp_path, post):
    path = tmp_path / "lecture.mp4"
    join_clips(
        clips,
        path,
        title="By hand",
        chapters=chapters_of(clips, TITLES),
        document=format_sentence(post),
    )
    return path


def test_a_lecture_has_its_clips_frames_in_order_at_their_rate(lecture):
    with av.open(str(lecture)) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height, stream.average_rate) == (64, 48, 10)
        grey = [int(frame.to_ndarray(format="gray").mean()) for frame in film.decode(video=0)]
    assert len(grey) == 20
    assert grey[:13] == sorted(grey[:13])
    assert max(grey[13:]) < 20


def test_times_go_on_evenly_across_the_seam(lecture):
    with av.open(str(lecture)) as film:
        times = [frame.time for frame in film.decode(video=0)]
    assert times == pytest.approx([n / 10 for n in range(20)])


def test_a_lecture_is_as_long_as_its_clips(lecture):
    with av.open(str(lecture)) as film:
        assert film.duration == 2_000_000


def test_packets_are_copied_not_encoded_again(lecture, clips):
    def packets(path):
        with av.open(str(path)) as film:
            return [bytes(packet) for packet in film.demux(video=0) if packet.size]

    assert packets(lecture) == packets(clips[0].path) + packets(clips[1].path)


def test_colour_tags_are_kept(lecture):
    with av.open(str(lecture)) as film:
        codec = film.streams.video[0].codec_context
        assert (codec.color_primaries, codec.color_trc, codec.colorspace) == (1, 1, 1)


def test_there_is_a_chapter_a_scene(lecture):
    with av.open(str(lecture)) as film:
        chapters = [
            (c["metadata"]["title"], c["start"] * c["time_base"], c["end"] * c["time_base"])
            for c in film.chapters()
        ]
    assert chapters == [
        ("The first", 0, Fraction(13, 10)),
        ("The second", Fraction(13, 10), Fraction(2)),
    ]


def test_a_lecture_carries_its_title_and_its_document(lecture, post):
    with av.open(str(lecture)) as film:
        assert film.metadata["title"] == "By hand"
    assert parse_sentence(document_in(lecture).encode(), "lecture") == post


def test_without_a_document_there_is_none(clips, tmp_path):
    join_clips(clips, tmp_path / "bare.mp4", title="By hand")
    assert document_in(tmp_path / "bare.mp4") is None


def test_the_same_clips_give_the_same_bytes(clips, lecture, tmp_path, post):
    again = tmp_path / "again.mp4"
    chapters = chapters_of(clips, TITLES)
    join_clips(clips, again, title="By hand", chapters=chapters, document=format_sentence(post))
    assert again.read_bytes() == lecture.read_bytes()


def test_clips_of_another_size_are_refused(clips, tmp_path):
    path = tmp_path / "other.mp4"
    with ClipEncoder(path, width=32, height=48, frame_rate=10) as encoder:
        encoder.write(np.zeros((48, 32, 4), np.uint8))
    with pytest.raises(ValueError, match="other wasn't encoded like the clips before it"):
        join_clips([*clips, Clip("other", 1, 10, (), path)], tmp_path / "x.mp4", title="")


def test_nothing_to_join_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no clips"):
        join_clips([], tmp_path / "x.mp4", title="")


def test_a_frame_shown_long_is_as_many_frames(tmp_path):
    path = tmp_path / "still.mp4"
    with ClipEncoder(path, width=64, height=48, frame_rate=10) as encoder:
        encoder.write(np.zeros((48, 64, 4), np.uint8), repeat=200)
    with av.open(str(path)) as film:
        assert len(list(film.decode(video=0))) == 200


def test_chapters_as_text_are_times_and_titles():
    chapters = [
        Chapter("One", Fraction(0), Fraction(75)),
        Chapter("Two", Fraction(151, 2), Fraction(3700)),
        Chapter("Three", Fraction(3700), Fraction(3800)),
    ]
    assert chapters_text(chapters) == "0:00 One\n1:15 Two\n1:01:40 Three\n"
