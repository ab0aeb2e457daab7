"""What must be known before a render begins: that the script fits, where the part is, the cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from export.cuts import with_cut
from export.jobs import Plan
from export.options import Film, RenderOptions
from export.rendering import plan_scenes
from export.script import check_script, read_script
from scenes import CATALOG, CLOSING, OPENING

__all__ = ["Prepared", "prepare", "seconds_of"]

GIF_BYTES_A_PIXEL = 0.002
"""Measured on scenes at draft and 720p; where much moves it is some times as much."""


@dataclass(frozen=True)
class Prepared:
    """Options with all that was looked up; plans of the clips (none where none was needed).

    warnings say what a format costs.
    """

    options: RenderOptions
    plans: tuple[Plan, ...]
    warnings: tuple[str, ...] = ()


def prepare(options: RenderOptions, script: str | None, *, planned: bool) -> Prepared:
    """Look up what the options leave open; `planned` has the clips planned in any case.

    Raises ValueError where what is asked isn't there or is too much, SceneError where a scene
    can't be planned.
    """
    if script is not None:
        options = replace(options, script=read_script(script))
    is_part = options.section is not None or options.still is not None
    if not (planned or script is not None or is_part or options.format == "gif"):
        return Prepared(options, ())
    plans = plan_scenes(options)
    if script is not None:
        known = [scene.name for scene in (*CATALOG, OPENING, CLOSING)]
        check_script(script, options.script, plans, known)
    if is_part:
        options = with_cut(options, plans)
    warnings: tuple[str, ...] = ()
    if options.format == "gif":
        warnings = tuple(_gif_cost(options, film, plans) for film in options.films)
    return Prepared(options, plans, warnings)


def seconds_of(options: RenderOptions, film: Film, plans: Sequence[Plan]) -> float:
    """How long a film will be."""
    return _frames_of(options, film, plans) / options.size.frame_rate


def _frames_of(options: RenderOptions, film: Film, plans: Sequence[Plan]) -> int:
    cut = options.cut
    if cut is not None:
        return 1 if cut.last is None else cut.last - cut.first
    frames = {plan.scene: plan.frames for plan in plans}
    return sum(frames[piece.entry.name] for piece in options.pieces_of(film))


def _gif_cost(options: RenderOptions, film: Film, plans: Sequence[Plan]) -> str:
    """What a gif will cost; ValueError where it is more than anybody wants to load."""
    from export.gif import MOST_PIXELS

    frames, size = _frames_of(options, film, plans), options.size
    pixels = frames * size.width * size.height
    how = (
        f"{film.name}.gif: {frames / size.frame_rate:.1f} s of {size.width}×{size.height} "
        f"at {size.frame_rate}"
    )
    if pixels > MOST_PIXELS:
        raise ValueError(
            f"{how} is {pixels / MOST_PIXELS:.1f} times what a gif may hold: try --section BEAT, "
            "--quality draft, --fps 10, or --format webm"
        )
    return f"{how} will take about {pixels * GIF_BYTES_A_PIXEL / 1e6:.1f} MB"
