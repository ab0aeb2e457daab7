"""A part of a film: the beat or the moment that is asked for, found in the plan of its scenes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from export.options import Cut, Film, RenderOptions
from export.placing import quoted
from scenes.beats import Beat

if TYPE_CHECKING:
    from export.jobs import Plan

__all__ = ["find_section", "find_still", "parse_time", "with_cut"]


@dataclass(frozen=True)
class _Place:
    """A beat, where it is in its film."""

    plan: Plan
    beat: Beat


def parse_time(text: str) -> float:
    """Seconds written as "65", "65.5", "1:05" or "1:01:05"; ValueError for anything else."""
    if re.fullmatch(r"(\d{1,3}:)?(\d{1,3}:)?\d{1,6}(\.\d{1,6})?", text.strip(), re.ASCII):
        *above, seconds = text.strip().split(":")
        if not above or float(seconds) < 60:
            total = 0
            for part in above:
                total = total * 60 + int(part)
            return total * 60 + float(seconds)
    raise ValueError(f"--still {quoted(text)} is no time: try 1:05, or 65.5 seconds")


def with_cut(options: RenderOptions, plans: Sequence[Plan]) -> RenderOptions:
    """The options with `cut` found in the plans of the film's pieces, in order.

    ValueError, in one line, where there is no such beat or moment.
    """
    (film,) = options.films
    if options.section is not None:
        cut = find_section(film, plans, options.section)
    else:
        assert options.still is not None
        cut = find_still(film, plans, options.still)
    return replace(options, cut=cut)


def find_section(film: Film, plans: Sequence[Plan], asked: str) -> Cut:
    """The frames of the beat called `asked`, or of that number, counted through the film from 1."""
    places = [_Place(plan, beat) for plan in plans for beat in plan.beats]
    if not places:
        raise ValueError(f"{film.name} has no beats: leave out --section")
    found = [p for p in places if p.beat.title.casefold() == asked.strip().casefold()]
    if not found and re.fullmatch(r"[0-9]{1,4}", asked.strip()):
        number = int(asked)
        if not 1 <= number <= len(places):
            raise ValueError(f"{film.name} has no beat {number}: try --section 1 to {len(places)}")
        found = [places[number - 1]]
    if not found:
        titles = list(dict.fromkeys(p.beat.title for p in places))
        close = {title.casefold(): title for title in titles}
        guess = difflib.get_close_matches(asked.casefold(), close, n=1)
        hint = f"did you mean {quoted(close[guess[0]])}? " if guess else ""
        raise ValueError(
            f"{film.name} has no beat called {quoted(asked)}: {hint}"
            f"try a number from 1 to {len(places)}, or {', '.join(map(quoted, titles))}"
        )
    if len(found) > 1:
        numbers = ", ".join(str(places.index(p) + 1) for p in found)
        raise ValueError(
            f"{film.name} has {len(found)} beats called {quoted(asked)}: "
            f"try their numbers, {numbers}"
        )
    (place,) = found
    rate = place.plan.frame_rate
    beat = place.beat
    return Cut(film.name, place.plan.scene, round(beat.start * rate), round(beat.end * rate))


def find_still(film: Film, plans: Sequence[Plan], seconds: float) -> Cut:
    """The frame that is shown at a moment of the film."""
    start = 0.0
    for plan in plans:
        frame = int((seconds - start) * plan.frame_rate + 1e-6)
        if frame < plan.frames:
            return Cut(film.name, plan.scene, frame)
        start += plan.seconds
    raise ValueError(f"--still {seconds:g} is after the end of {film.name}: try 0 to {start:.1f}")
