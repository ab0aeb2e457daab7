"""Contact sheets: a clip as pictures, a row a beat, and the page that shows them all.

For people who look: a frame keeps the pixels that its viewers get, and what it is of stands beside.
"""

from __future__ import annotations

import html
import textwrap
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import fontpkg
from PIL import Image, ImageDraw, ImageFont

from engine.palette import THEMES
from export.frames import read_frames
from export.jobs import Clip, Plan

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

__all__ = ["MARK", "Row", "draw_sheets", "index_page", "rows_of"]

ROWS_A_SHEET = 4
SETTLED = 0.5
"""Seconds after a beat's begin at which its caption has come."""

GAP = 0.25
"""Seconds between two beats from which on they are looked at as well."""

MARGIN, LABEL, HEAD, FOOT = 20, 280, 72, 30
COLORS = THEMES["light"]

MARK = '<meta name="generator" content="byhand look">'
"""What an index is known by, so that no other page is written over."""


@dataclass(frozen=True)
class Row:
    """A beat: its title, when it begins and ends (seconds), and the frames to look at, in order."""

    title: str
    start: float
    end: float
    frames: tuple[int, int, int]


def rows_of(plan: Plan) -> tuple[Row, ...]:
    """The rows of a scene: its beats, and whatever is shown before, between and after them."""
    rows: list[Row] = []
    until = 0.0
    for beat in plan.beats:
        rows += _gap(plan, until, beat.start)
        rows.append(_row(plan, beat.title, beat.start, beat.end))
        until = beat.end
    return (*rows, *_gap(plan, until, plan.seconds))


def draw_sheets(clip: Clip, title: str) -> tuple[Image.Image, ...]:
    """The sheets of a clip, four beats on each, with `title` above."""
    rows = rows_of(clip)
    frames = read_frames(clip.path, {frame for row in rows for frame in row.frames})
    pages = [rows[i : i + ROWS_A_SHEET] for i in range(0, len(rows), ROWS_A_SHEET)]
    counted = f" ({{}} of {len(pages)})" if len(pages) > 1 else ""
    return tuple(
        _sheet(title + counted.format(number), page, frames, clip.frame_rate)
        for number, page in enumerate(pages, start=1)
    )


def index_page(
    sheets: Mapping[str, Sequence[Path]], failures: Mapping[str, str], since: float
) -> str:
    """The HTML page of sheets by scene; failures are tracebacks by title.

    A sheet older than `since` (seconds, as time.time counts) is said to be from an earlier run.
    """
    return "\n".join(_page(sheets, failures, since)) + "\n"


# Rows and frames


def _gap(plan: Plan, start: float, end: float) -> Iterator[Row]:
    if end - start >= GAP:
        yield _row(plan, "(no beat)", start, end)


def _row(plan: Plan, title: str, start: float, end: float) -> Row:
    """Its frames: a little after the start, the middle, and the last before the end."""
    rate = plan.frame_rate
    last = min(max(round(end * rate) - 1, 0), plan.frames - 1)
    first = min(round(start * rate), last)
    middle = (first + last) // 2
    return Row(title, start, end, (min(first + round(SETTLED * rate), middle), middle, last))


# The sheet


def _sheet(
    title: str, rows: Sequence[Row], frames: Mapping[int, Image.Image], rate: int
) -> Image.Image:
    width, height = frames[rows[0].frames[0]].size
    pitch = height + FOOT + MARGIN
    size = (LABEL + 3 * (width + MARGIN), HEAD + pitch * len(rows))
    sheet = Image.new("RGB", size, COLORS.panel)
    draw = ImageDraw.Draw(sheet)
    draw.text((MARGIN, MARGIN), title, COLORS.ink, _font(26))
    for number, row in enumerate(rows):
        top = HEAD + number * pitch
        name = "\n".join(textwrap.wrap(row.title, 18))
        draw.multiline_text((MARGIN, top), name, COLORS.ink, _font(24))
        below = draw.multiline_textbbox((MARGIN, top), name, _font(24))[3] + MARGIN / 2
        span = f"{_clock(row.start)} – {_clock(row.end)}"
        draw.text((MARGIN, below), span, COLORS.dim, _font(18))
        for column, frame in enumerate(row.frames):
            left = LABEL + column * (width + MARGIN)
            sheet.paste(frames[frame], (left, top))
            # Round the frame, so that its ground is told from the sheet's.
            draw.rectangle((left - 1, top - 1, left + width, top + height), outline=COLORS.faint)
            draw.text((left, top + height + 5), _clock(frame / rate), COLORS.dim, _font(16))
    return sheet


@cache
def _font(size: int) -> FreeTypeFont:
    return ImageFont.truetype(fontpkg.path("Inter", nearest=True), size)


def _clock(seconds: float) -> str:
    tenths = round(seconds * 10)
    return f"{tenths // 600}:{tenths % 600 // 10:02}.{tenths % 10}"


# The index


def _page(
    sheets: Mapping[str, Sequence[Path]], failures: Mapping[str, str], since: float
) -> Iterable[str]:
    yield f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n{MARK}'
    yield "<title>byhand look</title>"
    yield (
        "<style>body { font-family: sans-serif; margin: 2em; } img { width: 100%; }\n"
        "figure { margin: 1em 0 3em; } pre { white-space: pre-wrap; }</style>"
    )
    yield "<h1>Look at every picture</h1>\n<p>Nothing overlaps, is cut, is empty, or is wrong?</p>"
    if failures:
        yield f"<h2>Not rendered: {len(failures)}</h2>"
    for title, traceback in failures.items():
        yield f"<h3>{html.escape(title)}</h3>\n<pre>{html.escape(traceback)}</pre>"
    yield "<ul>"
    for scene, files in sheets.items():
        yield f'<li><a href="#{scene}">{html.escape(scene)}</a>: {len(files)}</li>'
    yield "</ul>"
    for scene, files in sheets.items():
        yield f'<h2 id="{scene}">{html.escape(scene)}</h2>'
        for file in files:
            name = html.escape(file.name)
            yield f'<figure><figcaption><a href="{name}">{name}</a>{_age(file, since)}</figcaption>'
            yield f'<img src="{name}" alt="{name}" loading="lazy"></figure>'
    yield "</html>"


def _age(file: Path, since: float) -> str:
    made = file.stat().st_mtime
    if made >= since:
        return ""
    return time.strftime(", from an earlier run: %Y-%m-%d %H:%M", time.localtime(made))
