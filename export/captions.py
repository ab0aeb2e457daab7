"""What the scenes say, as SRT and WebVTT: times in whole milliseconds, laws kept for every reader.

A cue has at most two lines of at most 42 columns, lasts from 1 to 7 seconds, and never meets
another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from export.jobs import Plan
from scenes.beats import LINE_WIDTH, LINES, LONGEST_CUE, Beat, split_caption, text_width

__all__ = ["LONGEST", "SHORTEST", "Caption", "captions_of", "srt", "vtt"]

SHORTEST = 1_000
LONGEST = round(LONGEST_CUE * 1000)


@dataclass(frozen=True)
class Caption:
    """Lines on screen from `start` to `end`, in milliseconds from the film's beginning."""

    start: int
    end: int
    lines: tuple[str, ...]


def captions_of(plans: Iterable[Plan]) -> tuple[Caption, ...]:
    """The captions of scenes shown one after another, in order, none lost.

    One that is too short is joined with its neighbour where both fit on one screen, else kept
    until it has lasted a second, and what follows waits for it; one that is too long ends early.
    """
    return tuple(_spaced(_joined(_given(plans))))


def srt(captions: Iterable[Caption]) -> str:
    """Captions as SubRip, in which players find tags and times that no word means."""
    return "\n".join(
        f"{number}\n{_clock(c.start, ',')} --> {_clock(c.end, ',')}\n{_parted(_text(c))}\n"
        for number, c in enumerate(captions, start=1)
    )


def vtt(captions: Iterable[Caption]) -> str:
    """Captions as WebVTT, in which &, < and > are written as entities."""
    cues = (
        f"{_clock(c.start, '.')} --> {_clock(c.end, '.')}\n{_escaped(_text(c))}\n" for c in captions
    )
    return "\n".join(("WEBVTT\n", *cues))


def _given(plans: Iterable[Plan]) -> Iterator[Caption]:
    """The scenes' own cues, moved to the film's time, each a screen that fits."""
    offset = 0.0
    for plan in plans:
        for beat in plan.beats:
            yield from _screens(beat, offset)
        offset += plan.seconds


def _screens(beat: Beat, offset: float) -> Iterator[Caption]:
    for cue in beat.cues:
        if not any(line.strip() for line in cue.lines):
            continue
        screens = [cue.lines] if _fits(cue.lines) else list(split_caption(" ".join(cue.lines)))
        length = (cue.end - cue.start) / len(screens)
        for number, lines in enumerate(screens):
            start = offset + cue.start + number * length
            yield Caption(round(start * 1000), round((start + length) * 1000), lines)


def _joined(captions: Iterable[Caption]) -> Iterator[Caption]:
    """Captions in the order they are said; one without room takes the next in, if both fit."""
    waiting: Caption | None = None
    for caption in captions:
        if waiting is None:
            waiting = caption
        elif (both := _both(waiting, caption)) is not None:
            waiting = both
        else:
            yield waiting
            waiting = caption
    if waiting is not None:
        yield waiting


def _both(one: Caption, other: Caption) -> Caption | None:
    """Two captions as one, where one of them is too short, there's no room, and both fit."""
    cramped = other.start - one.start < SHORTEST or (
        other.end - other.start < SHORTEST and other.start - one.end < SHORTEST
    )
    said = " ".join((*one.lines, *other.lines))
    end = max(one.end, other.end)
    if not cramped or end - one.start > LONGEST:
        return None
    first, *more = split_caption(said)
    # A screen that cuts what it can't hold says less than the two.
    whole = not more and " ".join(first).split() == said.split()
    return Caption(one.start, end, first) if whole else None


def _spaced(captions: Iterable[Caption]) -> Iterator[Caption]:
    """Every caption for 1 to 7 seconds, and the next not before it."""
    waiting: Caption | None = None
    for caption in captions:
        if waiting is not None:
            start = max(caption.start, waiting.start + SHORTEST)
            caption = replace(caption, start=start, end=max(caption.end, start))
            yield _lasting(waiting, until=start)
        waiting = caption
    if waiting is not None:
        yield _lasting(waiting, until=waiting.start + LONGEST)


def _lasting(caption: Caption, until: int) -> Caption:
    """The caption kept for as long as it asks, within its limits and until the next begins."""
    length = min(max(caption.end - caption.start, SHORTEST), LONGEST)
    return replace(caption, end=min(caption.start + length, until))


def _fits(lines: tuple[str, ...]) -> bool:
    return 0 < len(lines) <= LINES and all(0 < text_width(line) <= LINE_WIDTH for line in lines)


def _text(caption: Caption) -> str:
    return "\n".join(caption.lines)


def _parted(text: str) -> str:
    """What would be a tag or a time in SubRip, which knows no escape, with a joiner in it that
    nobody sees."""
    return re.sub(r"[<{](?=[/\\A-Za-z])|--(?=>)", "\\g<0>\u2060", text)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _clock(milliseconds: int, point: str) -> str:
    seconds, thousandths = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{thousandths:03}"
