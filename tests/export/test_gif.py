from __future__ import annotations

import tracemalloc

import av
import numpy as np
import pytest
from PIL import Image

from export.encoder import ClipEncoder, encoding_of
from export.gif import write_gif
from export.jobs import Clip


def clip_of(path, frames, rate=15):
    height, width, _ = frames[0][0].shape
    with ClipEncoder(
        path, width=width, height=height, frame_rate=rate, encoding=encoding_of("gif")
    ) as encoder:
        for pixels, repeat in frames:
            encoder.write(pixels, repeat)
    return Clip("one", encoder.frames, rate, (), path)


def plain(*color, size=(32, 48)):
    return np.full((*size, 4), (*color, 255), np.uint8)


@pytest.fixture
def clips(tmp_path):
    """Red for 1 s, blue for 2 s; then green for 1 s."""
    return [
        clip_of(tmp_path / "a.mp4", [(plain(255, 0, 0), 15), (plain(0, 0, 255), 30)]),
        clip_of(tmp_path / "b.mp4", [(plain(0, 128, 0), 15)]),
    ]


def shown(path):
    """Each picture's colour, and for how many milliseconds."""
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            yield film.convert("RGB").getpixel((10, 10)), film.info["duration"]


def test_what_does_not_change_is_one_picture_shown_long(clips, tmp_path):
    write_gif(clips, tmp_path / "x.gif")
    assert list(shown(tmp_path / "x.gif")) == [
        ((255, 0, 0), 1000),
        ((0, 0, 255), 2000),
        ((0, 128, 0), 1000),
    ]


def test_it_repeats(clips, tmp_path):
    write_gif(clips, tmp_path / "x.gif")
    with Image.open(tmp_path / "x.gif") as film:
        assert film.info["loop"] == 0


def test_the_same_clips_give_the_same_bytes(clips, tmp_path):
    for name in ("one", "other"):
        write_gif(clips, tmp_path / name, document="{}")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@pytest.mark.parametrize("length", [2, 255, 256, 100_000])
def test_it_carries_a_document_of_any_length(clips, tmp_path, length):
    document = "{" + "é" * (length // 2 - 1) + "}"
    write_gif(clips, tmp_path / "x.gif", document=document)
    with av.open(str(tmp_path / "x.gif")) as film:
        assert film.metadata["comment"] == document
    assert len(list(shown(tmp_path / "x.gif"))) == 3


def test_without_a_document_there_is_no_comment(clips, tmp_path):
    write_gif(clips, tmp_path / "x.gif")
    with Image.open(tmp_path / "x.gif") as film:
        assert "comment" not in film.info


def test_memory_does_not_grow_with_the_length(tmp_path):
    rng = np.random.default_rng(0)
    noise = [(rng.integers(0, 256, (96, 128, 4), np.uint8), 1) for _ in range(40)]
    clip = clip_of(tmp_path / "a.mp4", noise)
    tracemalloc.start()
    write_gif([clip] * 4, tmp_path / "x.gif")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * noise[0][0].nbytes


def test_no_clips_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no clips"):
        write_gif([], tmp_path / "x.gif")
