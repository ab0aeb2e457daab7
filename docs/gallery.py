"""The gallery of the README, one picture a scene: python docs/gallery.py [SCENE ...].

Pictures in docs/gallery are what tests compare new ones with, so look at what has changed before
it is committed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from engine.files import format_sentence
from engine.presets import load_preset
from engine.sentence import Sentence
from export.jobs import Job
from export.pool import render_clip
from scenes import CATALOG, SceneEntry

FOLDER = Path(__file__).parent / "gallery"

FRAMES: dict[str, int] = {}
"""Frames of scenes whose last frame isn't the one that tells most."""


def picture_of(entry: SceneEntry, sentence: Sentence) -> Job:
    """The scene's picture in the gallery, with anyone's sentence."""
    return Job(
        scene=entry.name,
        target=entry.target,
        document=format_sentence(sentence),
        output="still",
        first=FRAMES.get(entry.name),
        embed=False,
        width=960,
        height=540,
        frame_rate=15,
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for entry in CATALOG:
        if not sys.argv[1:] or entry.name in sys.argv[1:]:
            clip = render_clip(picture_of(entry, load_preset()))
            shutil.move(clip.path, FOLDER / f"{entry.name}.png")
            print(f"{entry.name}: {clip.frames} frames")
