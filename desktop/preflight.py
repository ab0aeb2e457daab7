"""What must be there before Qt starts: it ends the process where something isn't, with no word why.

Nothing of Qt is imported here.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

__all__ = ["complaint"]

PACKAGES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
}
"""Which Debian package holds a library that Qt wants; others follow the naming rule."""

_SCREENLESS = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")

Load = Callable[[str], object]


def complaint(
    environment: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    load: Load = ctypes.CDLL,
) -> str | None:
    """Why the window can't open here, and what to do about it, in one paragraph; None if it can."""
    spec = find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return (
            "the window needs PySide6, which isn't installed here: try pip install byhand, "
            "or byhand render and byhand worksheet, which need no window"
        )
    if platform in ("win32", "darwin"):
        return None
    wanted = environment.get("QT_QPA_PLATFORM", "")
    if wanted.split(":")[0] in _SCREENLESS:
        return _library_missing(Path(next(iter(spec.submodule_search_locations))), None, load)
    if not environment.get("DISPLAY") and not environment.get("WAYLAND_DISPLAY"):
        return (
            "there is no screen to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set): "
            "start byhand from a desktop session, or with ssh -X; "
            "byhand render and byhand worksheet need no screen"
        )
    plugin = "wayland" if _speaks_wayland(environment, wanted) else "xcb"
    return _library_missing(Path(next(iter(spec.submodule_search_locations))), plugin, load)


def _speaks_wayland(environment: Mapping[str, str], wanted: str) -> bool:
    if wanted:
        return wanted.startswith("wayland")
    return not environment.get("DISPLAY")


def _library_missing(pyside: Path, plugin: str | None, load: Load) -> str | None:
    """What the system's loader misses for Qt's own libraries, then for the platform's plugin."""
    libraries = [pyside / "Qt" / "lib" / f"libQt6{name}.so.6" for name in ("Gui", "Widgets")]
    if plugin is not None:
        libraries.append(pyside / "Qt" / "plugins" / "platforms" / f"libq{plugin}.so")
    for library in libraries:
        if not library.exists():
            continue  # not from a wheel: the system's packager has seen to it
        try:
            load(str(library))
        except OSError as error:
            return _in_words(str(error))
    return None


def _in_words(error: str) -> str:
    found = re.match(r"(lib[^:\s/]+\.so[.\d]*): cannot open shared object file", error)
    if found is None:
        return f"the window can't open, since Qt can't be loaded: {error}"
    library = found[1]
    return (
        f"the window can't open, since Qt misses the library {library}. "
        f"On Debian or Ubuntu: sudo apt install {_package(library)}. "
        "On other systems it is the package that holds this file"
    )


def _package(library: str) -> str:
    """Debian's package of a library: in the table, else by Debian's rule (libx.so.1 → libx1)."""
    if library in PACKAGES:
        return PACKAGES[library]
    name, _, version = library.partition(".so")
    number = version.strip(".").split(".")[0]
    return name.lower().replace("_", "-") + ("-" if name[-1].isdigit() else "") + number
