"""Frames to clips: one encoder a scene, set so that the same frames give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import av
import numpy as np
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

__all__ = ["PLAIN", "ClipEncoder", "Encoding", "encoding_of", "without_ground"]


class Encoding(NamedTuple):
    """How a format's clips are encoded: container and codec by FFmpeg's names, the pixels' layout.

    No encoding has B-frames: decoding order is showing order, so clips join by adding up lengths.
    Threads are fixed: another number of them, as another preset, gives other pixels.
    """

    container: str
    codec: str
    pixels: str
    options: Mapping[str, str]

    @property
    def is_rgb(self) -> bool:
        """Whether pixels are kept as red, green and blue, with no matrix to agree on."""
        return self.codec == "libx264rgb"


_H264 = Encoding(
    "mp4",
    "libx264",
    "yuv420p",
    {"preset": "veryfast", "crf": "18", "threads": "2", "bf": "0", "forced-idr": "1"},
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
)
_PRORES = Encoding(
    "mov",
    "prores_ks",
    "yuv444p10le",
    {"profile": "4444", "vendor": "apl0", "alpha_bits": "8", "threads": "2"},
)
# A gif gets its 256 colours when all its frames are known; until then none may be lost.
_LOSSLESS = Encoding(
    "mp4", "libx264rgb", "rgb24", {"preset": "ultrafast", "qp": "0", "threads": "2", "bf": "0"}
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

    def write(self, pixels: NDArray[np.uint8], repeat: int = 1, *, begins: bool = False) -> None:
        """Append a frame (height, width, 4), shown `repeat` times; ValueError on another shape.

        Where something `begins` a player can seek to, and a clip be cut, without encoding again.
        """
        if pixels.shape != self._shape:
            raise ValueError(f"pixels should be {self._shape}, not {pixels.shape}")
        frame = self._converted(av.VideoFrame.from_ndarray(pixels, format="rgba"))
        # A still is converted once, however long it is looked at.
        for number in range(repeat):
            is_key = begins and number == 0
            frame.pict_type = PictureType.I if is_key else PictureType.NONE
            frame.pts = self.frames
            frame.time_base = self._tick
            self._container.mux(self._stream.encode(frame))
            self.frames += 1

    def _converted(self, frame: av.VideoFrame) -> av.VideoFrame:
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
        self._container.mux(self._stream.encode(None))
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
