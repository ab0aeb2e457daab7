"""Matplotlib loaded whatever settings lie about: figures use none of them.

It reads `matplotlibrc` of the current folder, of its own folder or of where the environment says,
and fails where that is no text or names a backend that isn't there.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import tempfile
from collections.abc import Iterator

__all__ = ["load_matplotlib"]

_SETTINGS = ("MATPLOTLIBRC", "MPLCONFIGDIR", "MPLBACKEND")


def load_matplotlib() -> None:
    """Import Matplotlib; what it has to say of its settings and its fonts is told to nobody."""
    told = logging.getLogger("matplotlib")
    if not told.handlers:
        told.addHandler(logging.NullHandler())
    try:
        import matplotlib
    except (ValueError, OSError):
        # What it had loaded by then believes in what it hasn't.
        for name in [one for one in sys.modules if one.partition(".")[0] == "matplotlib"]:
            del sys.modules[name]
        with _without_settings():
            import matplotlib  # noqa: F401


@contextlib.contextmanager
def _without_settings() -> Iterator[None]:
    """No variable of Matplotlib's, in an empty current folder; put back afterwards."""
    kept = {name: os.environ.pop(name) for name in _SETTINGS if name in os.environ}
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="byhand-") as empty:
        os.environ["MATPLOTLIBRC"] = os.environ["MPLCONFIGDIR"] = empty
        os.chdir(empty)
        try:
            yield
        finally:
            os.chdir(before)
            for name in ("MATPLOTLIBRC", "MPLCONFIGDIR"):
                del os.environ[name]
            os.environ.update(kept)
