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
from typing import Any, NamedTuple, TextIO

import click
from click.shell_completion import CompletionItem, shell_complete

__all__ = [
    "ASKED_BY_SHELL",
    "SUBCOMMANDS",
    "Subcommand",
    "byhand",
    "main",
    "ready_streams",
    "refuse",
]

DONE, FAILED, ASKED_WRONGLY, INTERRUPTED = 0, 1, 2, 130

ASKED_BY_SHELL = "_BYHAND_COMPLETE"
"""The environment variable through which a shell asks what may come next."""


class Subcommand(NamedTuple):
    """Where a subcommand lives ("module:function"), and what it does in a few words."""

    target: str
    summary: str


SUBCOMMANDS = {
    "render": Subcommand("export.render:render", "Render the lecture, or scenes of it, as video."),
    "slides": Subcommand("export.slides:slides", "Make a page that steps through the beats."),
    "figure": Subcommand("export.figure:figure", "Draw figures, for posts, papers and slides."),
    "worksheet": Subcommand("export.worksheet:worksheet", "Work the calculation out on paper."),
    "bundle": Subcommand("export.bundle:bundle", "Put all that a post needs into one folder."),
    "new": Subcommand("export.new:new", "Write a new document: your words, or a ready sentence."),
    "growth": Subcommand("export.growth:growth_command", "What n tokens cost, and take here."),
    "cache": Subcommand("export.cache:cache", "Say what is kept of earlier renders, or clear it."),
    "check": Subcommand("export.check:check", "Check documents, and the arithmetic behind them."),
    "schema": Subcommand("export.schema:schema", "Print the document's JSON Schema."),
    "doctor": Subcommand(
        "export.doctor:doctor", "Say what byhand needs here, and what is missing."
    ),
    "look": Subcommand("export.look:look", "Make contact sheets of scenes, to be looked at."),
    "install-desktop": Subcommand(
        "export.install_desktop:install_desktop", "Add byhand to your desktop's menu."
    ),
    "completion": Subcommand(
        "export.completion:completion", "Print what has your shell complete byhand's words."
    ),
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

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Subcommands without importing them, options, and files for the window."""
        from export.completion import complete_files

        named = [
            CompletionItem(name, help=one.summary)
            for name, one in SUBCOMMANDS.items()
            if name.startswith(incomplete)
        ]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*named, *options, *complete_files(ctx, None, incomplete)]

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
    ready_streams()
    code = DONE
    try:
        with _terminated_like_interrupted():
            code = _run(argv)
            sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has read enough (`byhand worksheet | head -1`).
        _let_go(sys.stdout)
    except OSError as error:
        _let_go(sys.stdout)
        return refuse(_in_words(error), FAILED)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    return code


def refuse(message: str, code: int = ASKED_WRONGLY) -> int:
    """Say on one line of standard error what can't be done; returns the exit code."""
    try:
        print("byhand:", *map(str.strip, message.splitlines()), file=sys.stderr)
    except OSError:
        _let_go(sys.stderr)
    return code


def ready_streams() -> None:
    """Have every standard stream there, and words come out of it whole whatever the locale says.

    In place of a closed one (`byhand … >&-`) stands one that nobody hears: what is written isn't
    missed, and no file that is opened later gets its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def _run(argv: Sequence[str] | None) -> int:
    if question := os.environ.get(ASKED_BY_SHELL):
        return shell_complete(byhand, {}, "byhand", ASKED_BY_SHELL, question)
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        # Not byhand.main(): it has its own ideas of how a command ends.
        with byhand.make_context("byhand", arguments) as context:
            result: Any = byhand.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        # click's parser doesn't say which command it was reading for.
        asked = ["byhand", *(name for name in arguments[:1] if name in SUBCOMMANDS)]
        path = error.ctx.command_path if error.ctx else " ".join(asked)
        return refuse(f"{error.format_message().rstrip('.')}: try '{path} --help'")
    except click.ClickException as error:
        return refuse(error.format_message(), error.exit_code)
    return result if isinstance(result, int) else DONE


def _in_words(error: OSError) -> str:
    """What the system had against it, without its numbers."""
    if error.strerror is None:
        return str(error)
    where = "" if error.filename is None else f"{error.filename}: "
    return f"{where}{error.strerror.lower()}: try another place"


def _let_go(stream: TextIO) -> None:
    """Send what can't be written to nobody: Python flushes once more at exit, and would say so."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


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
