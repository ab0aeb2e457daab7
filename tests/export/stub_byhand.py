"""`byhand` with other scenes in its catalogue: python stub_byhand.py render …"""

from __future__ import annotations

import sys

import scenes
from scenes import SceneEntry

PARTS = {
    "part1": ("Slide", "Bar", "Lingering"),
    "part2": ("Broken", "Endless", "Colours"),
    "": ("Shapes",),
}

scenes.CATALOG = tuple(
    SceneEntry(name.lower(), name, part, f"stub_scenes:{name}")
    for part, names in PARTS.items()
    for name in names
)

if __name__ == "__main__":
    from export.cli import main

    sys.exit(main())
