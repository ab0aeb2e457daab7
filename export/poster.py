"""A film's poster: the picture that stands for it until it is played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from export.frames import last_frame, read_frames
from export.jobs import Clip

__all__ = ["draw_poster"]


def draw_poster(clips: Sequence[Clip], target: Path, *, document: str | None = None) -> None:
    """Write the fullest picture of the film's beginning as a PNG that carries the document.

    The beginning is the first clip that has beats (of the lecture its opening); the fullest is
    the beat's end at which most of the picture isn't ground, and of equals the latest.
    """
    clip = next((clip for clip in clips if clip.beats), clips[0])
    wanted = [last_frame(clip, beat) for beat in clip.beats] or [clip.frames - 1]
    frames = read_frames(clip.path, set(wanted))
    picture = frames[max(sorted(frames), key=lambda number: (_fullness(frames[number]), number))]
    about = PngInfo()
    if document is not None:
        about.add_itxt("byhand", document)
    picture.save(target, pnginfo=about)


def _fullness(picture: Image.Image) -> int:
    """How many pixels differ from the corner's, which is ground."""
    pixels = np.asarray(picture, dtype=np.int16)
    return int((np.abs(pixels - pixels[0, 0]).max(axis=-1) > 24).sum())
