"""Frames to H.264: one encoder a scene, set so that the same frames give the same bytes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import av
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from numpy.typing import NDArray

__all__ = ["ClipEncoder"]

# Another preset or another number of threads gives other pixels, so neither follows the machine.
# No B-frames: decoding order is showing order, so clips join by adding up their lengths.
_SETTINGS = {"preset": "veryfast", "crf": "18", "threads": "2", "bf": "0"}


class ClipEncoder:
    """Writes RGBA frames as an mp4 (H.264, 4:2:0, BT.709, tagged so)."""

    def __init__(self, path: Path, *, width: int, height: int, frame_rate: int) -> None:
        self.frames = 0
        self._shape = (height, width, 4)
        self._tick = Fraction(1, frame_rate)
        self._container = av.open(f"file:{path}", "w", format="mp4", container_options=_PLAIN)
        self._stream = self._container.add_stream("libx264", rate=frame_rate, options=_SETTINGS)
        self._stream.width = width
        self._stream.height = height
        self._stream.pix_fmt = "yuv420p"
        _tag(self._stream.codec_context)
        self._reformat = VideoReformatter().reformat

    def write(self, pixels: NDArray[np.uint8], repeat: int = 1) -> None:
        """Append a frame (height, width, 4), shown `repeat` times; ValueError on another shape."""
        if pixels.shape != self._shape:
            raise ValueError(f"pixels should be {self._shape}, not {pixels.shape}")
        frame = self._reformat(
            av.VideoFrame.from_ndarray(pixels, format="rgba"),
            format="yuv420p",
            dst_colorspace=Colorspace.ITU709,
            dst_color_range=ColorRange.MPEG,
            threads=1,
        )
        _tag(frame)
        # A still is converted once, however long it is looked at.
        for _ in range(repeat):
            frame.pts = self.frames
            frame.time_base = self._tick
            self._container.mux(self._stream.encode(frame))
            self.frames += 1

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


# No version of the encoder's library in the file: the same frames, the same bytes.
_PLAIN = {"fflags": "+bitexact"}


def _tag(pictures: Any) -> None:
    """Say that pictures are BT.709, which is how they were converted."""
    pictures.colorspace = Colorspace.ITU709
    pictures.color_range = ColorRange.MPEG
    pictures.color_primaries = ColorPrimaries.BT709
    pictures.color_trc = ColorTrc.BT709
