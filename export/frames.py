"""Frames of a clip as pictures, in the colours that its viewers see."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import av
from av.video.reformatter import ColorRange, Colorspace
from PIL import Image

from export.jobs import Plan
from scenes.beats import Beat

__all__ = ["last_frame", "read_frames"]


def read_frames(path: Path, wanted: Collection[int]) -> dict[int, Image.Image]:
    """Frames of a clip by their number, as RGB; those that it hasn't are left out."""
    found: dict[int, Image.Image] = {}
    with av.open(f"file:{path}") as film:
        for number, frame in enumerate(film.decode(video=0)):
            if number in wanted:
                found[number] = Image.fromarray(
                    frame.to_ndarray(
                        format="rgb24",
                        src_colorspace=Colorspace.ITU709,
                        src_color_range=ColorRange.MPEG,
                        dst_color_range=ColorRange.JPEG,
                    )
                )
                if len(found) == len(wanted):
                    break
    return found


def last_frame(plan: Plan, beat: Beat) -> int:
    """The number of a beat's last frame: its picture is whole, and its caption there."""
    return min(max(round(beat.end * plan.frame_rate) - 1, 0), plan.frames - 1)
