"""A bundle as the window has it made: `byhand bundle` in a process of its own."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from desktop.renders import Work
from export.bundle_options import CLIP_FORMATS, BundleOptions, ClipChoice, default_clips
from export.placing import shown

__all__ = ["Bundling", "arguments_of_bundle"]


def arguments_of_bundle(options: BundleOptions, sentence_file: Path) -> list[str]:
    """What the command is told for the same bundle; --force, since the window has asked that."""
    return [
        "bundle", os.path.abspath(options.folder),
        "--sentence", str(sentence_file),
        "--head", str(options.head + 1),
        *_clips(options.clips),
        "--quality", options.quality,
        "--theme", options.theme,
        "--rows", options.rows,
        "--digits", str(options.digits),
        *([] if options.embed else ["--no-source"]),
        "--force",
        "--json",
    ]  # fmt: skip


def _clips(clips: tuple[ClipChoice, ...]) -> list[str]:
    if clips == default_clips():
        return []
    if not clips:
        return ["--clip", "none"]
    return [part for clip in clips for part in ("--clip", clip.asked)]


class Bundling(Work):
    """One bundle that is being made."""

    noun = "bundle"

    def __init__(self, options: BundleOptions, parent: QObject | None = None) -> None:
        self.options = options
        # The figures are told of like a scene, and so is each film of a clip.
        films = len(options.clips) * len(options.themes) * len(CLIP_FORMATS)
        super().__init__(options.sentence, partial(arguments_of_bundle, options), 1 + films, parent)

    def _made(self) -> str:
        return f"The bundle is in {shown(self.options.folder)}"
