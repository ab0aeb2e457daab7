"""`byhand growth`: what n tokens cost, counted, and how long both paths take on this machine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import click
import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from engine.growth import SMALLEST, Growth, Measurement, fitted_exponent, growth, measure_growth
from export.sentence_options import BadRequest

__all__ = ["grows_as", "grows_as_text", "growth_command", "size_text", "time_text"]

BYTES = {
    "one grid": "grid_bytes",
    "all grids": "all_grid_bytes",
    "vectors": "vector_bytes",
    "cache": "cache_bytes",
}
"""The columns of bytes, and where the JSON has them."""
UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
LAST = 4
"""By so many sizes, the largest, it is told how time grows."""


@click.command("growth")
@click.option(
    "--up-to",
    type=click.IntRange(SMALLEST),
    default=8192,
    show_default=True,
    metavar="N",
    help="Most tokens.",
)
@click.option(
    "--width",
    type=click.IntRange(1, 4096),
    default=64,
    show_default=True,
    help="Numbers a vector.",
)
@click.option("--causal/--no-causal", default=False, help="Only earlier tokens are heard.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.0, 3600.0),
    default=10.0,
    show_default=True,
    help="Give up a path whose next run would take longer.",
)
@click.option(
    "--memory",
    type=click.IntRange(1),
    default=2048,
    show_default=True,
    metavar="MIB",
    help="Give up a path that would hold more.",
)
@click.option(
    "--heads", type=click.IntRange(1), default=1, show_default=True, help="Heads, for the counts."
)
@click.option(
    "--kv-heads", type=click.IntRange(1), help="Heads of keys and values; default: as --heads."
)
@click.option(
    "--layers", type=click.IntRange(1), default=1, show_default=True, help="Layers, likewise."
)
@click.option("--json", "as_json", is_flag=True, help="A JSON list, full precision.")
@click.option("--quiet", is_flag=True, help="No progress.")
def growth_command(
    up_to: int,
    width: int,
    causal: bool,
    seconds: float,
    memory: int,
    heads: int,
    kv_heads: int | None,
    layers: int,
    as_json: bool,
    quiet: bool,
) -> int:
    """Say what n tokens cost: cells and bytes counted, both paths timed here for one head."""
    if seconds != seconds:
        raise BadRequest("--seconds must be a number: try --seconds 10")
    try:
        count = partial(growth, d=width, heads=heads, kv_heads=kv_heads, layers=layers)
        count(SMALLEST)
    except ValueError as error:
        raise BadRequest(f"--heads and --kv-heads don't fit: {error}") from error
    measured: list[Measurement] = []
    for one in measure_growth(
        up_to, width, causal=causal, seconds=seconds, bytes_held=memory << 20
    ):
        measured.append(one)
        if not quiet:
            print(f"{one.n:,} tokens measured", file=sys.stderr, flush=True)
    rows = [_row(one, count(one.n), causal) for one in measured]
    if as_json:
        print(msgspec.json.encode(rows).decode())
    else:
        _print_table(rows, measured)
    return 0


def _row(one: Measurement, cost: Growth, causal: bool) -> dict[str, Any]:
    """One row of the JSON: counts, bytes (float32) and seconds; null where a limit was met."""
    return {
        "n": one.n,
        "width": cost.d,
        "causal": causal,
        "cells": cost.cells,
        "operations": cost.operations,
        "grid_bytes": cost.grid_bytes,
        "all_grid_bytes": cost.all_grid_bytes,
        "vector_bytes": cost.vector_bytes,
        "cache_bytes": cost.cache_bytes,
        "grid_seconds": one.grid,
        "tiles_seconds": one.tiles,
    }


def _print_table(rows: list[dict[str, Any]], measured: list[Measurement]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    # Where all grids are the one, they needn't be told twice.
    named = {
        name: key
        for name, key in BYTES.items()
        if key != "all_grid_bytes" or any(row[key] != row["grid_bytes"] for row in rows)
    }
    for name in ("tokens", "cells", *named, "grid", "tiles"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            f"{row['n']:,}",
            f"{row['cells']:,}",
            *(size_text(row[key]) for key in named.values()),
            time_text(row["grid_seconds"]),
            time_text(row["tiles_seconds"]),
        )
    console = Console(highlight=False, width=1000)
    # A number is never cut: a narrow terminal breaks the lines instead.
    console.print(table, width=console.measure(table).maximum, crop=False, no_wrap=True)
    for name, power in grows_as(measured).items():
        console.print(f"{name}: time grows as n^{power:.2f}")


def grows_as(measured: Sequence[Measurement]) -> dict[str, float]:
    """With which power of n the time of "grid" and of "tiles" grows, by the last few sizes.

    Below them counts what a call costs by itself. A path with fewer than two times is left out.
    """
    powers = {}
    for name in ("grid", "tiles"):
        timed = [(one.n, getattr(one, name)) for one in measured if getattr(one, name)][-LAST:]
        if len(timed) > 1:
            powers[name] = fitted_exponent([n for n, _ in timed], [took for _, took in timed])
    return powers


def grows_as_text(measured: Sequence[Measurement]) -> str:
    """The same in words; nothing where no path has two times."""
    ways = {"grid": "for the full grid", "tiles": "with tiles"}
    said = [f"n^{power:.2f} {ways[name]}" for name, power in grows_as(measured).items()]
    return f"time grows as {' and '.join(said)}" if said else ""


def size_text(size: int) -> str:
    """Bytes in the largest unit of which there is at least one: 256 MiB."""
    power = min(max(size.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    return f"{size / 1024**power:.4g} {UNITS[power]}"


def time_text(seconds: float | None) -> str:
    """A time with its unit, or a dash where a limit was met."""
    if seconds is None:
        return "-"
    if seconds < 1e-4:
        return f"{1e6 * seconds:.0f} µs"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
