"""`byhand`: a subcommand or an option is for the command line, anything else is a FILE to open."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run `byhand` with these arguments (the process's own where None); returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    from export import cli

    cli.ready_streams()
    # `./render` is a file named like a subcommand.
    if arguments and (arguments[0].startswith("-") or arguments[0] in cli.SUBCOMMANDS):
        return cli.main(arguments)
    if arguments and not os.path.exists(arguments[0]):
        near = difflib.get_close_matches(arguments[0], cli.SUBCOMMANDS, 1)
        return cli.refuse(
            f"there is no file and no command {arguments[0]!r}: "
            f"try byhand {near[0] if near else '--help'}"
        )
    return cli.refuse(
        "the window isn't part of this version yet: "
        "try byhand render, byhand worksheet, or byhand --help"
    )


if __name__ == "__main__":
    sys.exit(main())
