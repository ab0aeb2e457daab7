"""`byhand`: a subcommand or an option is for the command line, anything else is a FILE to open."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence

__all__ = ["ANSWERING", "ATTENDED", "main"]

ATTENDED = "--attended"
"""Hidden first argument of a command that the window starts: end when standard input does."""

ANSWERING = "--answering"
"""Hidden only argument of the process that draws for a window."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `byhand` with these arguments (the process's own where None); returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    from export import cli

    cli.ready_streams()
    if arguments[:1] == [ATTENDED]:
        from export.attended import end_with_standard_input

        end_with_standard_input()
        return cli.main(arguments[1:])
    if arguments == [ANSWERING]:
        from export import answering

        return answering.main()
    # `./render` is a file named like a subcommand.
    asks = cli.ASKED_BY_SHELL in os.environ
    if asks or (arguments and (arguments[0].startswith("-") or arguments[0] in cli.SUBCOMMANDS)):
        return cli.main(arguments)
    if missing := [name for name in arguments if not os.path.exists(name)]:
        near = difflib.get_close_matches(missing[0], cli.SUBCOMMANDS, 1)
        return cli.refuse(
            f"there is no file and no command {missing[0]!r}: "
            f"try byhand {near[0] if near else '--help'}"
        )
    from desktop.preflight import complaint

    if (why_not := complaint()) is not None:
        return cli.refuse(why_not)
    from desktop.app import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
