"""Clips into a gif: one palette for all of it, chosen when every frame is known.

Two passes over lossless clips, a frame at a time: Manim's way, which waits for the palette with all
frames in memory, takes 1.3 GB for 7 s. A frame that looks like the one before is not written again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.filter import Graph

from export.jobs import Clip

__all__ = ["MOST_PIXELS", "write_gif"]

MOST_PIXELS = 600_000_000
"""Width × height × frames at most: 48 s at 854×480 and 30 a second, or 10 s at 1080p."""

_HUNDREDTH = Fraction(1, 100)
_PALETTE = "stats_mode=full"
# Dots of other colours make flat areas noisy, and the file several times as large.
_USE = "dither=none:diff_mode=rectangle"


def write_gif(clips: Sequence[Clip], target: Path, *, document: str | None = None) -> None:
    """Write lossless clips as one gif that repeats; the document stands in it as a comment.

    Raises ValueError where there are no clips.
    """
    if not clips:
        raise ValueError("there are no clips to join")
    palette, last = _palette(clips)
    frames = sum(clip.frames for clip in clips)
    end = _hundredths(Fraction(frames, clips[0].frame_rate))
    muxing = {"fflags": "+bitexact", "final_delay": str(end - last)}
    with av.open(f"file:{target}", "w", format="gif", container_options=muxing) as film:
        stream = film.add_stream("gif", rate=100, options={"threads": "1"})
        for frame in _coloured(clips, palette):
            if not stream.width or stream.pix_fmt != "pal8":
                stream.width, stream.height, stream.pix_fmt = frame.width, frame.height, "pal8"
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))
    if document is not None:
        target.write_bytes(_with_comment(target.read_bytes(), document.encode()))


def _palette(clips: Sequence[Clip]) -> tuple[av.VideoFrame, int]:
    """The palette as FFmpeg chooses it, and the last change's time in hundredths of a second."""
    graph = Graph()
    source, last = None, 0
    sink = graph.add("buffersink")
    for at, frame in _frames(clips):
        last = at
        if source is None:
            source = _source(graph, frame)
            choose = graph.add("palettegen", _PALETTE)
            source.link_to(choose)
            choose.link_to(sink)
            graph.configure()
        source.push(frame)
    assert source is not None
    source.push(None)
    palette = sink.pull()
    assert isinstance(palette, av.VideoFrame)
    return palette, last


def _coloured(clips: Sequence[Clip], palette: av.VideoFrame) -> Iterator[av.VideoFrame]:
    """The frames in the palette's colours, as they come out of FFmpeg's filter."""
    graph = Graph()
    sink = graph.add("buffersink")
    source = None
    for _, frame in _frames(clips):
        if source is None:
            source, colours = _source(graph, frame), _source(graph, palette)
            use = graph.add("paletteuse", _USE)
            source.link_to(use, 0, 0)
            colours.link_to(use, 0, 1)
            use.link_to(sink)
            graph.configure()
            palette.pts, palette.time_base = 0, _HUNDREDTH
            colours.push(palette)
            colours.push(None)
        source.push(frame)
        yield from _pulled(sink)
    assert source is not None
    source.push(None)
    yield from _pulled(sink)


def _source(graph: Graph, like: av.VideoFrame) -> av.filter.context.FilterContext:
    return graph.add_buffer(
        width=like.width, height=like.height, format=like.format, time_base=_HUNDREDTH
    )


def _pulled(sink: av.filter.context.FilterContext) -> Iterator[av.VideoFrame]:
    while True:
        try:
            frame = sink.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            return
        assert isinstance(frame, av.VideoFrame)
        yield frame


def _frames(clips: Sequence[Clip]) -> Iterator[tuple[int, av.VideoFrame]]:
    """Each frame that differs from the one before, with its time in hundredths of a second."""
    shown = None
    count = 0
    for clip in clips:
        with av.open(f"file:{clip.path}") as container:
            for frame in container.decode(video=0):
                at = _hundredths(Fraction(count, clip.frame_rate))
                count += 1
                pixels = frame.to_ndarray(format="rgb24")
                if shown is not None and np.array_equal(pixels, shown):
                    continue
                shown = pixels
                same = av.VideoFrame.from_ndarray(pixels, format="rgb24").reformat(format="bgra")
                same.pts, same.time_base = at, _HUNDREDTH
                yield at, same


def _hundredths(seconds: Fraction) -> int:
    return round(seconds / _HUNDREDTH)


def _with_comment(gif: bytes, text: bytes) -> bytes:
    """The gif with a comment extension before its first picture."""
    packed = gif[10]
    start = 13 + (3 << ((packed & 7) + 1) if packed & 0x80 else 0)
    pieces = [text[at : at + 255] for at in range(0, len(text), 255)]
    blocks = b"".join(bytes([len(piece)]) + piece for piece in pieces)
    return gif[:start] + b"\x21\xfe" + blocks + b"\x00" + gif[start:]
