"""Frames that repeat the one before: no encoder sees them, every player does."""

import av
import numpy as np
import pytest

from export.encoder import ClipEncoder, encoding_of
from export.repeats import Numbering, skipping_packet

WIDTH, HEIGHT = 160, 96


def pictures(count):
    """A square that travels over a ground that gets lighter."""
    ground = np.full((HEIGHT, WIDTH, 4), np.arange(WIDTH)[:, None] // 2 + 90, np.uint8)
    for number in range(count):
        picture = ground.copy()
        picture[20:50, 4 * number : 4 * number + 30, :3] = (200, 30, 10 * number)
        yield picture


def film(path, repeats, *, format="mp4", begins=(), changed=None, **options):
    encoding = encoding_of(format)
    encoding = encoding._replace(options={**encoding.options, **options})
    size = {"width": WIDTH, "height": HEIGHT, "frame_rate": 30}
    with ClipEncoder(path, encoding=encoding, **size) as encoder:
        for number, (picture, repeat) in enumerate(zip(pictures(len(repeats)), repeats)):
            boxes = changed if number else None
            encoder.write(picture, repeat, begins=number in begins, changed=boxes)
        assert encoder.frames == sum(repeats)
    return path


def frames_of(path):
    with av.open(str(path), options={"err_detect": "explode"}) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def packets_of(path):
    with av.open(str(path)) as container:
        return [packet for packet in container.demux(video=0) if packet.size]


@pytest.mark.parametrize("format", ["mp4", "mov"])
@pytest.mark.parametrize("options", [{}, {"rc-lookahead": "10", "preset": "veryfast"}])
def test_a_still_shows_its_picture_as_often_as_it_is_held(tmp_path, format, options):
    # Numbers of pictures go round at 16, so that a long still goes round many times.
    repeats = [1, 200, 3, 1, 1, 40, 17, 1, 2]
    options = options if format == "mp4" else {}
    path = film(tmp_path / "x", repeats, format=format, begins=(5,), **options)
    shown = frames_of(path)
    assert len(shown) == sum(repeats)
    at = 0
    for repeat, picture in zip(repeats, pictures(len(repeats))):
        assert all(np.array_equal(frame, shown[at]) for frame in shown[at : at + repeat])
        assert np.abs(shown[at].astype(int) - picture[..., :3]).mean() < 1.2
        at += repeat


def test_a_still_costs_next_to_nothing(tmp_path):
    short, long = film(tmp_path / "x", [1, 1]), film(tmp_path / "y", [1, 1001])
    assert (long.stat().st_size - short.stat().st_size) / 1000 < 40


def test_packets_come_at_even_times(tmp_path):
    times = [packet.pts for packet in packets_of(film(tmp_path / "x", [2, 30, 1, 1, 9]))]
    assert set(np.diff(times)) == {times[1]}


def test_what_begins_in_a_still_can_be_sought(tmp_path):
    """A beat may begin with the picture that the one before ended with."""
    path = tmp_path / "x"
    (picture,) = pictures(1)
    with ClipEncoder(path, width=WIDTH, height=HEIGHT, frame_rate=30) as encoder:
        encoder.write(picture, 20)
        encoder.write(picture, 20, begins=True, changed=[])
        encoder.write(picture, 5, changed=[])
    assert [n for n, packet in enumerate(packets_of(path)) if packet.is_keyframe] == [0, 20]
    assert len(frames_of(path)) == 45


def test_pictures_are_numbered_without_a_gap():
    options = dict(encoding_of("mp4").options)
    skipping = skipping_packet("libx264", WIDTH, HEIGHT, "yuv420p", options)
    # Parameters of profile 66, whose pictures' numbers have 4 bits.
    numbered = Numbering(b"\x00\x00\x00\x01\x67\x42\x00\x0a\xf8\x41\xa2")
    said = [numbered(skipping) for _ in range(17)]
    assert len(set(said[:16])) == 16
    assert said[16] == said[0]
    # A slice's number comes after its first block (1 bit), kind and parameters (5 + 1 bits).
    kinds = {int.from_bytes(one[5:8]) >> 24 - 7 for one in said}
    assert len(kinds) == 1
    assert [int.from_bytes(one[5:8]) >> 24 - 11 & 15 for one in said[:3]] == [1, 2, 3]


def test_changed_boxes_are_converted_as_the_whole_picture_is(tmp_path):
    boxes = [(0, 20, 75, 50)]
    whole = film(tmp_path / "x", [1] * 9).read_bytes()
    assert film(tmp_path / "y", [1] * 9, changed=boxes).read_bytes() == whole


def test_only_what_changed_is_converted(tmp_path, monkeypatch):
    converted = []
    inner = ClipEncoder._converted

    def watched(self, pixels):
        converted.append(pixels.shape[:2])
        return inner(self, pixels)

    monkeypatch.setattr(ClipEncoder, "_converted", watched)
    film(tmp_path / "x", [1, 1], changed=[(60, 50, 64, 53)])
    first, second = converted
    assert first == (HEIGHT, WIDTH)
    assert second[0] * second[1] < HEIGHT * WIDTH / 6
