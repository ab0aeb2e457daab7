"""`byhand completion SHELL`: what a shell needs to complete byhand's words.

click does the completing: the script that a shell reads asks `byhand` itself, through a variable of
the environment, what may come next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, get_completion_class

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["complete_figures", "complete_files", "complete_scenes", "completion"]

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> int:
    """Print the script that has a shell complete byhand's commands, options and names.

    \b
    bash: eval "$(byhand completion bash)"      in ~/.bashrc
    zsh:  eval "$(byhand completion zsh)"       in ~/.zshrc
    fish: byhand completion fish | source       in ~/.config/fish/config.fish
    """
    from export.cli import ASKED_BY_SHELL, byhand

    kind = get_completion_class(shell)
    assert kind is not None
    asked = kind(byhand, {}, "byhand", ASKED_BY_SHELL)
    # Not source(): of bash it first asks which version there is, by running one.
    click.echo(asked.source_template % asked.source_vars())
    return 0


def complete_files(
    context: click.Context, parameter: click.Parameter | None, typed: str
) -> list[CompletionItem]:
    """Files: the shell knows them best."""
    return [CompletionItem(typed, type="file")]


def complete_scenes(
    context: click.Context, parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """The scenes whose names go on from what was typed, and what they are joined to."""
    from scenes import CATALOG

    named = {"lecture": "", "part1": "", "part2": "", **{one.name: one.title for one in CATALOG}}
    return _items(named.items(), typed)


def complete_figures(
    context: click.Context, parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """The figures whose names go on from what was typed."""
    from export.figures import FIGURES

    return _items(((one.name, one.title) for one in FIGURES), typed)


def _items(named: Iterable[tuple[str, str]], typed: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=about) for name, about in named if name.startswith(typed)]
