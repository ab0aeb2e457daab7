"""The options that every drawing subcommand takes: whose numbers, looked at how, written where.

    @click.command()
    @common_options
    def worksheet(common: CommonOptions) -> None: ...

Importing this imports no NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from export.completion import complete_files
from export.options import ROWS, THEMES

if TYPE_CHECKING:
    from engine.sentence import Sentence

__all__ = ["BadRequest", "CommonOptions", "common_options"]

_Option = Callable[[Callable[..., Any]], Callable[..., Any]]


class BadRequest(click.ClickException):
    """Asked wrongly: one line that ends with what to try, exit code 2."""

    exit_code = 2


@dataclass(frozen=True)
class CommonOptions:
    """What was asked, as it was typed; None where nothing was."""

    sentence: str | None
    focus: str | None
    head: str | None
    causal: bool | None
    scaled: bool | None
    temperature: float | None
    digits: int
    rows: str
    theme: str
    font_scale: float
    no_source: bool
    output: str | None
    force: bool
    json: bool
    quiet: bool

    def read(self) -> tuple[Sentence, int]:
        """The sentence, looked at as asked, and the head's index; BadRequest where that fails."""
        from engine.files import read_sentence
        from engine.presets import load_preset
        from engine.sentence import find_head, with_settings

        try:
            sentence = load_preset() if self.sentence is None else read_sentence(self.sentence)
            sentence = with_settings(
                sentence,
                focus=self.focus,
                causal=self.causal,
                scaled=self.scaled,
                temperature=self.temperature,
            )
            return sentence, 0 if self.head is None else find_head(sentence, self.head)
        except ValueError as error:
            raise BadRequest(str(error)) from error


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the common options to a command, which gets them as `common`."""
    names = [field.name for field in fields(CommonOptions)]

    @wraps(command)
    def collected(**given: Any) -> Any:
        common = CommonOptions(**{name: given.pop(name) for name in names})
        return command(common=common, **given)

    decorated: Callable[..., Any] = collected
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _choice(name: str, choices: Sequence[str], about: str) -> _Option:
    kind = click.Choice(choices)
    return click.option(name, type=kind, default=choices[0], show_default=True, help=about)


_OPTIONS = (
    click.option(
        "--sentence",
        metavar="FILE",
        help="Whose numbers; default: the post's.",
        shell_complete=complete_files,
    ),
    click.option("--focus", metavar="WORD", help="The word to follow: a number, or itself."),
    click.option("--head", metavar="NAME|N", help="The head to show; default: the first."),
    click.option("--causal/--no-causal", default=None, help="Causal: no word sees a later one."),
    click.option("--scaled/--unscaled", default=None, help="Scaled: scores are divided by √d_k."),
    click.option("--temperature", type=float, metavar="X", help="0.01 to 100; default: 1."),
    click.option("--digits", type=int, default=2, metavar="N", show_default=True, help="Decimals."),
    _choice("--rows", ROWS, "What a grid's rows are."),
    _choice("--theme", (*THEMES, "both"), "Colours; both is for figures."),
    click.option(
        "--font-scale", type=float, default=1.0, metavar="X", help="0.5 to 2; default: 1."
    ),
    click.option("--no-source", is_flag=True, help="Leave the document out of files."),
    click.option(
        "-o",
        "--output",
        metavar="PATH",
        help="A file by its ending, or a folder.",
        shell_complete=complete_files,
    ),
    click.option("--force", is_flag=True, help="Overwrite what is there."),
    click.option("--json", is_flag=True, help="Speak JSON."),
    click.option("--quiet", is_flag=True, help="Say nothing but errors."),
)
