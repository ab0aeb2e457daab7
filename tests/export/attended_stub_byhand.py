"""`byhand --attended render …`, as the window starts it, with other scenes in its catalogue."""

from __future__ import annotations

import sys

import stub_byhand  # noqa: F401  # puts them there

if __name__ == "__main__":
    from desktop.__main__ import main

    sys.exit(main())
