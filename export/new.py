"""`byhand new`: a document to begin with."""

from __future__ import annotations

import os
from pathlib import Path

import click

from engine import write_sentence
from engine.presets import load_preset, preset_names
from engine.sentence import new_sentence
from export.completion import complete_files
from export.placing import shown
from export.sentence_options import BadRequest

__all__ = ["new"]

NOTE = (
    "The vectors mean nothing yet: they stand evenly round the unit circle. "
    "Put your own numbers in the file."
)


@click.command(epilog=f"Presets: {', '.join(preset_names())}.")
@click.argument("file", metavar="FILE", shell_complete=complete_files)
@click.option("--words", metavar="TEXT", help='The words, parted at blanks: "the dog ran".')
@click.option("--preset", metavar="NAME", help="A ready sentence instead.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
def new(file: str, words: str | None, preset: str | None, force: bool) -> int:
    """Write a new document: your words, or a ready sentence."""
    try:
        if (words is None) == (preset is None):
            raise ValueError("give one of --words TEXT and --preset NAME, and not both")
        if words is not None and not words.split():
            raise ValueError('--words holds no word: try --words "the dog ran"')
        sentence = load_preset(preset) if preset is not None else new_sentence(words or "")
        if not force and os.path.lexists(file):
            raise ValueError(f"{shown(Path(file))} exists: try --force, or another name")
        write_sentence(sentence, file)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    print(shown(Path(file)))
    if preset is None:
        print(NOTE)
    return 0
