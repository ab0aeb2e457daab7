"""Frames to clips: one encoder a scene, set so that the same frames give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self

import av
import numpy as np
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from export.repeats import Numbering, skipping_packet

__all__ = ["PLAIN", "ClipEncoder", "Encoding", "encoding_of", "without_ground"]


Box = tuple[int, int, int, int]

MOST_CHANGED = 0.5
"""Of a picture: where more changed it is converted as a whole."""

CHROMA_REACH = 8
"""How far apart, in pixels, two can be to share a value of chroma, and something more."""


class Encoding(NamedTuple):
    """How a format's clips are encoded: container and codec by FFmpeg's names, the pixels' layout.

    still says what a frame is that repeats the one before: "encoded" as any other, the "same"
    packet again (where each packet is a whole picture), or "skipped" (`export.repeats`).

    No encoding has B-frames: decoding order is showing order, so clips join by adding up lengths.
    Threads are fixed: another number of them, as another preset, gives other pixels.
    """

    container: str
    codec: str
    pixels: str
    options: Mapping[str, str]
    still: Literal["encoded", "same", "skipped"]

    @property
    def is_rgb(self) -> bool:
        """Whether pixels are kept as red, green and blue, with no matrix to agree on."""
        return self.codec == "libx264rgb"


_H264 = Encoding(
    "mp4",
    "libx264",
    "yuv420p",
    {
        "preset": "superfast",
        "crf": "23",
        "threads": "1",
        "bf": "0",
        "refs": "1",
        "forced-idr": "1",
    },
    "skipped",
)
# Alternate reference frames and an alpha plane don't go together. "good" takes seven times as long
# for the same size and the same quality.
_VP9 = Encoding(
    "webm",
    "libvpx-vp9",
    "yuv420p",
    {
        "crf": "24",
        "b": "0",
        "deadline": "realtime",
        "cpu-used": "6",
        "threads": "2",
        "tile-columns": "1",
        "auto-alt-ref": "0",
        "lag-in-frames": "0",
    },
    "encoded",
)
_PRORES = Encoding(
    "mov",
    "prores_ks",
    "yuv444p10le",
    {"profile": "4444", "vendor": "apl0", "alpha_bits": "8", "threads": "2"},
    "same",
)
# A gif gets its 256 colours when all its frames are known; until then none may be lost.
_LOSSLESS = Encoding(
    "mp4",
    "libx264rgb",
    "rgb24",
    {"preset": "ultrafast", "qp": "0", "threads": "2", "bf": "0"},
    "encoded",
)
_ENCODINGS = {"mp4": _H264, "webm": _VP9, "mov": _PRORES, "gif": _LOSSLESS}
_WITH_ALPHA = {"webm": "yuva420p", "mov": "yuva444p10le"}


def encoding_of(format: str, *, transparent: bool = False) -> Encoding:
    """How clips of a video format are encoded; KeyError where there is no such format."""
    encoding = _ENCODINGS[format]
    return encoding._replace(pixels=_WITH_ALPHA[format]) if transparent else encoding


class ClipEncoder:
    """Writes RGBA frames as a clip: YUV is BT.709 of limited range, and tagged so.

    Where the encoding has no alpha plane, alpha is ignored.
    """

    def __init__(
        self,
        path: Path,
        *,
        width: int,
        height: int,
        frame_rate: int,
        encoding: Encoding = _H264,
    ) -> None:
        self.frames = 0
        self._encoding = encoding
        self._shape = (height, width, 4)
        self._tick = Fraction(1, frame_rate)
        self._container = av.open(
            f"file:{path}", "w", format=encoding.container, container_options=PLAIN
        )
        options = dict(encoding.options)
        stream = self._container.add_stream(encoding.codec, rate=frame_rate, options=options)
        assert isinstance(stream, VideoStream)
        self._stream = stream
        self._stream.width = width
        self._stream.height = height
        self._stream.pix_fmt = encoding.pixels
        if not encoding.is_rgb:
            _tag(self._stream.codec_context)
        self._reformat = VideoReformatter().reformat
        self._frame: av.VideoFrame | None = None
        # Frames whose packets are to come, and how often each is shown again.
        self._repeats: dict[int, int] = {}
        self._last = 0
        self._picture = b""

    def write(
        self,
        pixels: NDArray[np.uint8],
        repeat: int = 1,
        *,
        begins: bool = False,
        changed: Sequence[Box] | None = None,
    ) -> None:
        """Append a frame (height, width, 4), shown `repeat` times; ValueError on another shape.

        changed: the boxes (left, top, right, bottom) outside of which it is the frame before; None
        = it may be another altogether. Where something `begins` a player can seek to, and a clip
        be cut, without encoding again.
        """
        if pixels.shape != self._shape:
            raise ValueError(f"pixels should be {self._shape}, not {pixels.shape}")
        is_new = self._frame is None or changed is None or len(changed) > 0
        if is_new:
            self._frame = self._next_frame(pixels, changed)
        encoded = 1 if is_new or begins else 0
        if self._encoding.still == "encoded":
            encoded = repeat
        for number in range(encoded):
            self._encode(is_key=begins and number == 0)
        self._show_again(repeat - encoded)

    def _encode(self, *, is_key: bool) -> None:
        frame = self._frame
        assert frame is not None
        frame.pict_type = PictureType.I if is_key else PictureType.NONE
        frame.pts, frame.time_base = self.frames, self._tick
        self._last, self._repeats[self.frames] = self.frames, 0
        self.frames += 1
        self._take(self._stream.encode(frame))

    def _show_again(self, count: int) -> None:
        """The frame before, so many times more, behind its packet, which may be still to come."""
        if self._last in self._repeats:
            self._repeats[self._last] += count
        else:
            self._put_again(self.frames, count)
        self.frames += count

    def _take(self, packets: Iterable[av.Packet[Any]]) -> None:
        """Put encoded frames into the file, each as often as it is shown."""
        for packet in packets:
            assert packet.pts is not None
            repeats = self._repeats.pop(packet.pts)
            if self._encoding.still == "encoded":
                self._container.mux(packet)
                continue
            self._picture = bytes(packet)
            if self._encoding.still == "skipped":
                numbered, skipping = self._skipping
                self._put(numbered(self._picture), packet.pts, is_key=packet.is_keyframe)
                self._picture = skipping
            else:
                self._put(self._picture, packet.pts, is_key=True)
            self._put_again(packet.pts + 1, repeats)

    def _put_again(self, time: int, count: int) -> None:
        for moment in range(time, time + count):
            if self._encoding.still == "skipped":
                numbered, _ = self._skipping
                self._put(numbered(self._picture), moment, is_key=False)
            else:
                self._put(self._picture, moment, is_key=True)

    def _put(self, picture: bytes, time: int, *, is_key: bool) -> None:
        packet = av.Packet(picture)
        packet.stream, packet.time_base = self._stream, self._tick
        packet.pts = packet.dts = time
        packet.duration, packet.is_keyframe = 1, is_key
        self._container.mux(packet)

    @cached_property
    def _skipping(self) -> tuple[Numbering, bytes]:
        """What numbers the stream's pictures, and a picture of its in which nothing changes."""
        stream, encoding = self._stream, self._encoding
        parameters = stream.codec_context.extradata
        assert parameters is not None
        skipping = skipping_packet(
            encoding.codec, stream.width, stream.height, encoding.pixels, encoding.options
        )
        return Numbering(parameters), skipping

    def _next_frame(
        self, pixels: NDArray[np.uint8], changed: Sequence[Box] | None
    ) -> av.VideoFrame:
        """The frame in the encoding's pixels; where little changed, only that is converted."""
        height, width, _ = self._shape
        frame = self._frame
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in changed or ())
        # Other encoders may still be at work on the frame before, or lay pixels out otherwise.
        is_kept = self._encoding.codec == "libx264" and frame is not None
        if not is_kept or changed is None or area > MOST_CHANGED * height * width:
            return self._converted(pixels)
        assert frame is not None
        for box in changed:
            self._convert_within(frame, pixels, box)
        return frame

    def _convert_within(self, frame: av.VideoFrame, pixels: NDArray[np.uint8], box: Box) -> None:
        """Convert a box into a frame of yuv420p, to the same values as with the whole.

        Chroma is averaged over its neighbours, so that more is converted than is kept.
        """
        height, width, _ = self._shape
        x0, y0, x1, y1 = _grown(box, CHROMA_REACH, width, height)
        left, top, right, bottom = _grown((x0, y0, x1, y1), CHROMA_REACH, width, height)
        piece = self._converted(np.ascontiguousarray(pixels[top:bottom, left:right]))
        for plane, (into, source) in enumerate(zip(frame.planes, piece.planes)):
            by = 1 if plane == 0 else 2
            rows, columns = slice(y0 // by, -(-y1 // by)), slice(x0 // by, -(-x1 // by))
            inside = _rows(source)[
                (y0 - top) // by : -(-(y1 - top) // by), (x0 - left) // by : -(-(x1 - left) // by)
            ]
            _rows(into)[rows, columns] = inside

    def _converted(self, pixels: NDArray[np.uint8]) -> av.VideoFrame:
        frame = av.VideoFrame.from_numpy_buffer(pixels, format="rgba")
        if self._encoding.is_rgb:
            return self._reformat(frame, format=self._encoding.pixels, threads=1)
        converted = self._reformat(
            frame,
            format=self._encoding.pixels,
            dst_colorspace=Colorspace.ITU709,
            dst_color_range=ColorRange.MPEG,
            threads=1,
        )
        _tag(converted)
        return converted

    def close(self) -> None:
        """Write what the encoder still holds, and close the file."""
        self._take(self._stream.encode(None))
        self._container.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self._container.close()


def _grown(box: Box, by: int, width: int, height: int) -> Box:
    """A box larger by so much, within the picture, that begins at even pixels."""
    left, top, right, bottom = box
    return (
        max(left - by, 0) // 2 * 2,
        max(top - by, 0) // 2 * 2,
        min(-(-(right + by) // 2) * 2, width),
        min(-(-(bottom + by) // 2) * 2, height),
    )


def _rows(plane: Any) -> NDArray[np.uint8]:
    """A plane's bytes (height, width), to read or to write."""
    return np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[
        : plane.height, : plane.width
    ]


PLAIN = {"fflags": "+bitexact"}
"""No version of the muxer's library in the file: the same frames, the same bytes."""


def _tag(pictures: Any) -> None:
    """Say that pictures are BT.709, which is how they were converted."""
    pictures.colorspace = Colorspace.ITU709
    pictures.color_range = ColorRange.MPEG
    pictures.color_primaries = ColorPrimaries.BT709
    pictures.color_trc = ColorTrc.BT709


def without_ground(pixels: NDArray[np.uint8], ground: str) -> NDArray[np.uint8]:
    """RGBA pixels (..., 4) with the ground (#RRGGBB) taken out of half-covered edges.

    Cairo lays every colour over the ground, even over one whose alpha is 0: on another ground the
    edges would keep a fringe.
    """
    below = np.frombuffer(bytes.fromhex(ground[1:]), np.uint8).astype(np.float32)
    edges = (pixels[..., 3] > 0) & (pixels[..., 3] < 255)
    alpha = pixels[edges][:, 3:].astype(np.float32) / 255
    colour = (pixels[edges][:, :3] - below * (1 - alpha)) / alpha
    opened = pixels.copy()
    opened[edges, :3] = np.clip(np.rint(colour), 0, 255).astype(np.uint8)
    return opened
