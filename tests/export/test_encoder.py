"""What each format does to a picture: size, rate, colours, alpha, the same bytes again."""

from __future__ import annotations

import av
import numpy as np
import pytest
from av.codec import CodecContext
from av.video.reformatter import ColorRange, Colorspace

from engine.palette import ROLES, THEMES
from export.encoder import ClipEncoder, encoding_of, without_ground
from export.jobs import Clip
from export.lecture import Chapter, document_in, join_clips

VIDEOS = ("mp4", "webm", "mov")
COLORS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (1, 108, 252)]


def picture(alpha=255):
    pixels = np.full((48, 128, 4), alpha, np.uint8)
    for number, color in enumerate(COLORS):
        pixels[:, number * 32 : number * 32 + 32, :3] = color
    return pixels


def film(path, format, *, transparent=False, frames=12, alpha=255, begins=()):
    encoding = encoding_of(format, transparent=transparent)
    with ClipEncoder(path, width=128, height=48, frame_rate=15, encoding=encoding) as encoder:
        for number in range(frames):
            encoder.write(picture(alpha), begins=number in begins)
    return Clip("one", frames, 15, (), path)


def first_frame(path):
    with av.open(str(path)) as container:
        return next(container.decode(video=0))


@pytest.mark.parametrize("format", VIDEOS)
def test_colours_come_back_within_two_levels(tmp_path, format):
    film(tmp_path / "x", format)
    frame = first_frame(tmp_path / "x").to_ndarray(
        format="rgb24",
        src_colorspace=Colorspace.ITU709,
        src_color_range=ColorRange.MPEG,
        dst_color_range=ColorRange.JPEG,
    )
    seen = frame[24, 16::32].astype(int)
    assert np.abs(seen - COLORS).max() <= 2


@pytest.mark.parametrize("format", VIDEOS)
def test_tags_say_bt709_as_the_matrix_is(tmp_path, format):
    film(tmp_path / "x", format)
    with av.open(str(tmp_path / "x")) as container:
        codec = container.streams.video[0].codec_context
        tags = (codec.colorspace, codec.color_primaries, codec.color_trc, codec.color_range)
    assert tags == (1, 1, 1, 1)


@pytest.mark.parametrize("format", VIDEOS)
def test_brightness_in_the_file_is_by_the_matrix_that_the_tags_name(tmp_path, format):
    film(tmp_path / "x", format)
    frame = first_frame(tmp_path / "x")
    # The samples themselves, converted by nobody; ProRes has 12 bits as it is decoded.
    kind, unit = (np.uint16, 16.0) if format == "mov" else (np.uint8, 1.0)
    rows = np.frombuffer(bytes(frame.planes[0]), kind).reshape(frame.height, -1)
    seen = [(rows[24, 16 + 32 * number] / unit - 16) / 219 for number in range(3)]
    # BT.601 would weigh red, green and blue by .299, .587 and .114.
    assert seen == pytest.approx([0.2126, 0.7152, 0.0722], abs=0.01)


@pytest.mark.parametrize("format", [*VIDEOS, "gif"])
def test_the_same_frames_give_the_same_bytes(tmp_path, format):
    one, other = tmp_path / "one", tmp_path / "other"
    film(one, format)
    film(other, format)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("format", ["webm", "mov"])
def test_transparent_the_same_frames_give_the_same_bytes(tmp_path, format):
    one, other = tmp_path / "one", tmp_path / "other"
    film(one, format, transparent=True, alpha=128)
    film(other, format, transparent=True, alpha=128)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(("alpha", "seen"), [(0, 0), (128, 128), (255, 255)])
def test_alpha_comes_back_from_prores(tmp_path, alpha, seen):
    film(tmp_path / "x.mov", "mov", transparent=True, alpha=alpha)
    rgba = first_frame(tmp_path / "x.mov").to_ndarray(format="rgba")
    assert abs(int(rgba[24, 64, 3]) - seen) <= 1


@pytest.mark.parametrize("joined", [False, True])
def test_alpha_comes_back_from_webm_by_the_decoder_that_knows_it(tmp_path, joined):
    # FFmpeg's own VP9 decoder leaves alpha out; libvpx's doesn't.
    clip = film(tmp_path / "x.webm", "webm", transparent=True, alpha=128)
    path = clip.path
    if joined:
        path = tmp_path / "joined.webm"
        join_clips([clip, clip], path, title="", format="webm")
    decoder = CodecContext.create("libvpx-vp9", "r")
    with av.open(str(path)) as container:
        frames = [f for packet in container.demux(video=0) for f in decoder.decode(packet)]
    assert frames[-1].format.name == "yuva420p"
    assert abs(int(frames[-1].to_ndarray(format="rgba")[24, 64, 3]) - 128) <= 2


def test_a_joined_webm_says_in_its_track_that_it_has_alpha(tmp_path):
    clip = film(tmp_path / "x.webm", "webm", transparent=True, alpha=0)
    join_clips([clip], tmp_path / "joined.webm", title="", format="webm")
    # Matroska's AlphaMode, one byte long, 1.
    assert b"\x53\xc0\x81\x01" in (tmp_path / "joined.webm").read_bytes()


@pytest.mark.parametrize("format", VIDEOS)
def test_a_joined_film_has_every_frame_its_rate_its_chapters_and_its_document(tmp_path, format):
    clips = [film(tmp_path / f"{number}.{format}", format, frames=7) for number in range(3)]
    document = '{"byhand": 1, "title": "' + "ü" * 40_000 + '"}'
    target = tmp_path / f"joined.{format}"
    chapters = [Chapter("One", 0, 1)]
    join_clips(clips, target, title="T", format=format, chapters=chapters, document=document)
    with av.open(str(target)) as container:
        assert container.streams.video[0].average_rate == 15
        assert [c["metadata"]["title"] for c in container.chapters()] == ["One"]
        times = [frame.time for frame in container.decode(video=0)]
    assert times == pytest.approx([number / 15 for number in range(21)], abs=0.0011)
    assert document_in(target) == document


def test_where_something_begins_a_player_can_seek_to(tmp_path):
    film(tmp_path / "x.mp4", "mp4", frames=12, begins={5})
    with av.open(str(tmp_path / "x.mp4")) as container:
        keys = [n for n, packet in enumerate(container.demux(video=0)) if packet.is_keyframe]
    assert keys == [0, 5]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_edges_keep_no_fringe_of_the_ground(theme):
    ground = THEMES[theme].ground
    drawn = np.array([int(ROLES["query"].light[i : i + 2], 16) for i in (1, 3, 5)])
    below = np.array([int(ground[i : i + 2], 16) for i in (1, 3, 5)])
    pixels = np.zeros((1, 4, 4), np.uint8)
    for number, alpha in enumerate((0, 85, 170, 255)):
        share = alpha / 255
        pixels[0, number, :3] = np.rint(drawn * share + below * (1 - share))
        pixels[0, number, 3] = alpha
    opened = without_ground(pixels, ground)
    assert np.abs(opened[0, 1:, :3].astype(int) - drawn).max() <= 2
    assert (opened[..., 3] == pixels[..., 3]).all()
