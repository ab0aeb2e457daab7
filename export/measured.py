"""Times that `byhand growth --json` printed somewhere, read back for the figure of growth.

Importing this imports no NumPy.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import msgspec
from msgspec import Meta, Struct

from export.completion import complete_files
from export.placing import quoted
from export.sentence_options import BadRequest

if TYPE_CHECKING:
    from engine.growth import Measurement

__all__ = ["Measured", "measured_option", "read_measured"]

_LARGEST = 1_000_000
_WAY_OUT = "try byhand growth --json > times.json"

_Count = Annotated[int, Meta(ge=1, le=1 << 32)]
_Seconds = Annotated[float, Meta(ge=1e-6, le=1e6)]


@dataclass(frozen=True)
class Measured:
    """How long attention took on one machine, the fewest tokens first; one head of float32.

    width is how many numbers a vector has, causal whether only earlier tokens were heard.
    """

    times: tuple[Measurement, ...]
    width: int
    causal: bool


class _Row(Struct, frozen=True):
    """A size's times, of all that stands in a row of `byhand growth --json`."""

    n: _Count
    width: _Count
    causal: bool
    grid_seconds: _Seconds | None
    tiles_seconds: _Seconds | None


def read_measured(path: str) -> Measured:
    """What a file of `byhand growth --json` says, or with "-" standard input.

    Raises ValueError, in one line, for what can't be read or isn't that.
    """
    from engine.growth import Measurement

    named = "standard input" if path == "-" else quoted(path)
    try:
        rows = msgspec.json.decode(_read(path), type=list[_Row])
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"can't read {named}: {reason}; {_WAY_OUT}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{named} holds no times: {error}; {_WAY_OUT}") from error
    kinds = {(row.width, row.causal) for row in rows}
    sizes = {row.n for row in rows}
    times = tuple(
        Measurement(row.n, row.grid_seconds, row.tiles_seconds)
        for row in sorted(rows, key=lambda row: row.n)
    )
    if not any(one.grid or one.tiles for one in times):
        raise ValueError(f"{named} holds no times: {_WAY_OUT}")
    if len(kinds) > 1 or len(sizes) < len(rows):
        raise ValueError(
            f"{named} holds more than one measurement: give what one byhand growth --json printed"
        )
    ((width, causal),) = kinds
    return Measured(times, width, causal)


def _asked(context: click.Context, parameter: click.Parameter, path: str | None) -> Measured | None:
    try:
        return None if path is None else read_measured(path)
    except ValueError as error:
        raise BadRequest(str(error)) from error


measured_option = click.option(
    "--measured",
    metavar="FILE",
    callback=_asked,
    shell_complete=complete_files,
    help="Times for the growth figure, from byhand growth --json; - is standard input.",
)
"""Gives a command `measured`, a Measured or None."""


def _read(path: str) -> bytes:
    if path == "-":
        held = sys.stdin.buffer.read(_LARGEST + 1)
    else:
        with Path(path).open("rb") as file:
            held = file.read(_LARGEST + 1)
    if len(held) > _LARGEST:
        raise ValueError("it is larger than 1 MB")
    return held
