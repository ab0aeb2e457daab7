"""`byhand` with other scenes in its catalogue: python stub_byhand.py render …"""

from __future__ import annotations

import signal
import sys

import scenes
from scenes import SceneEntry

PARTS = {
    "part1": ("Slide", "Bar", "Lingering"),
    "part2": ("Broken", "Endless", "Colours"),
    "": ("Shapes", "Spoken"),
}

scenes.CATALOG = tuple(
    SceneEntry(name.lower(), name, part, f"stub_scenes:{name}")
    for part, names in PARTS.items()
    for name in names
)

if __name__ == "__main__":
    from export.cli import main

    # A shell that starts tests in the background has Ctrl+C ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
