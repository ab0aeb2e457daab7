"""The command line: a table of subcommands, and how each of them ends.

A subcommand is a click command in a module of its own, imported only when it is asked for or
explains itself: `byhand --help` needs nothing but click.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import click

__all__ = ["SUBCOMMANDS", "Subcommand", "byhand", "main"]

DONE, FAILED, ASKED_WRONGLY, INTERRUPTED = 0, 1, 2, 130


class Subcommand(NamedTuple):
    """Where a subcommand lives ("module:function"), and what it does in a few words."""

    target: str
    summary: str


SUBCOMMANDS = {
    "render": Subcommand("export.render:render", "Render the lecture, or scenes of it, as video."),
    "worksheet": Subcommand("export.worksheet:worksheet", "Work the calculation out on paper."),
    "new": Subcommand("export.new:new", "Write a new document: your words, or a ready sentence."),
    "growth": Subcommand("export.growth:growth_command", "What n tokens cost, and take here."),
    "check": Subcommand("export.check:check", "Check documents, and the arithmetic behind them."),
    "schema": Subcommand("export.schema:schema", "Print the document's JSON Schema."),
    "doctor": Subcommand(
        "export.doctor:doctor", "Say what byhand needs here, and what is missing."
    ),
    "look": Subcommand("export.look:look", "Make contact sheets of scenes, to be looked at."),
}
"""Every subcommand, in the order of `byhand --help`."""


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the table's order."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, imported now; None where there is none."""
        if cmd_name not in SUBCOMMANDS:
            return None
        module, _, name = SUBCOMMANDS[cmd_name].target.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.summary) for name, one in SUBCOMMANDS.items()])


@click.group(
    cls=LazyGroup,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[FILE] |",
    subcommand_metavar="COMMAND …",
    epilog="With a FILE, or with nothing at all, byhand opens its window.",
)
@click.version_option(package_name="byhand", message="byhand %(version)s")
def byhand() -> None:
    """Attention drawn by hand: a few words, vectors of two numbers, every step of the formula."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 done, 1 failed, 2 asked wrongly or bad input (one line on standard error), 130 interrupted.
    """
    _speak_unicode()
    try:
        with _terminated_like_interrupted():
            code = _run(argv)
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Who reads has read enough (`byhand worksheet | head -1`). Python flushes once more at
        # exit, and would say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        # Not byhand.main(): it has its own ideas of how a command ends.
        with byhand.make_context("byhand", arguments) as context:
            result: Any = byhand.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "byhand"
        return _refuse(f"{error.format_message().rstrip('.')}: try '{path} --help'", ASKED_WRONGLY)
    except click.ClickException as error:
        return _refuse(error.format_message(), error.exit_code)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _refuse(str(error), FAILED)
    return result if isinstance(result, int) else DONE


def _refuse(message: str, code: int) -> int:
    print("byhand:", " ".join(message.split()), file=sys.stderr)
    return code


def _speak_unicode() -> None:
    """Words and signs come out whole whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """A closed terminal or a plain kill ends the work as Ctrl+C does: tidily."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    names = ("SIGTERM", "SIGHUP")
    before: dict[signal.Signals, Any] = {}
    # Only the main thread may; the app calls from others.
    with contextlib.suppress(ValueError):
        for number in (getattr(signal, name) for name in names if hasattr(signal, name)):
            # nohup asks to be left alone.
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
