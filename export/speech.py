"""JSON lines on standard output, for programs that listen."""

from __future__ import annotations

import json

__all__ = ["say_json"]


def say_json(data: object) -> None:
    """One object on a line of its own; a file's name in it may be no UTF-8."""
    print(json.dumps(data, ensure_ascii=False))
