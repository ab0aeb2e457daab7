"""A command that somebody's window has started, and that ends when the window does."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

__all__ = ["end_with_standard_input"]

_PATIENCE = 10.0


def end_with_standard_input() -> None:
    """End this process, as Ctrl+C would, as soon as standard input closes.

    Whoever started it holds the other end: closes it to call the work off, or is gone.
    """
    threading.Thread(target=_watch, args=(sys.stdin.fileno(),), daemon=True).start()


def _watch(descriptor: int) -> None:
    while os.read(descriptor, 4096):
        pass
    if sys.platform == "win32":
        os._exit(130)  # its children see their own input close
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_PATIENCE)
    os._exit(130)
