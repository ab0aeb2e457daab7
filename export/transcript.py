"""A film in words and stills, for those who can't see it, can't hear of it, or search in it."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PIL import Image

from engine.sentence import Sentence
from export.frames import last_frame, read_frames
from export.jobs import Clip

__all__ = ["Part", "Row", "clock", "transcript_page", "transcript_parts"]

STILL_WIDTH, STILL_HEIGHT = 960, 960
COLORS = 96

_STYLE = """\
:root { color-scheme: light dark; --ground: #fff; --ink: #14181f; --dim: #5a6472; --line: #868e9a }
@media (prefers-color-scheme: dark) {
  :root { --ground: #11151b; --ink: #f1f4f8; --dim: #98a3b3; --line: #6c7787 }
}
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--ground);
  color: var(--ink); font: 1.05rem/1.5 Inter, "DejaVu Sans", system-ui, sans-serif }
article { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 4fr); gap: 0 1.5rem;
  border-top: 1px solid var(--line); padding: 1rem 0 }
article > img { grid-column: 2; grid-row: 1 / span 4; max-height: 26rem }
img { max-width: 100%; height: auto; border: 1px solid var(--line) }
h3 { margin: 0 } p { margin: .4rem 0; overflow-wrap: anywhere }
time, .seen { color: var(--dim) } .seen li { overflow-wrap: anywhere }
.seen ul { margin: 0; padding-left: 1.2rem }
a { color: inherit }
@media (max-width: 40rem) { article { display: block } }
@media print { article { break-inside: avoid } }
"""


@dataclass(frozen=True)
class Row:
    """A beat: when it begins in the film (seconds), its words, what is seen, its still (PNG)."""

    start: float
    title: str
    caption: str
    seen: tuple[str, ...]
    still: bytes
    size: tuple[int, int]

    @property
    def alt(self) -> str:
        """The still in one paragraph of words."""
        if not self.seen:
            return f"{self.title}: no words or numbers on the stage."
        return f"{self.title}. From the top: {'; '.join(self.seen)}."


@dataclass(frozen=True)
class Part:
    """A scene, or what stands round one: its title, when it begins, its beats."""

    title: str
    start: float
    rows: tuple[Row, ...]


def transcript_parts(clips: Sequence[Clip], titles: Mapping[str, str]) -> tuple[Part, ...]:
    """The clips that say something, in order; titles go by scene name."""
    parts: list[Part] = []
    start = 0.0
    for clip in clips:
        if clip.beats:
            title = titles.get(clip.scene, clip.scene.replace("-", " ").capitalize())
            parts.append(Part(title, start, tuple(_rows(clip, start))))
        start += clip.seconds
    return tuple(parts)


def transcript_page(title: str, sentence: Sentence, parts: Sequence[Part]) -> str:
    """The transcript as one HTML page that needs nothing else."""
    return "\n".join(_page(title, sentence, parts)) + "\n"


def clock(seconds: float) -> str:
    """A time as "1:05"."""
    whole = int(seconds + 1e-6)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def _rows(clip: Clip, start: float) -> Iterator[Row]:
    numbers = [last_frame(clip, beat) for beat in clip.beats]
    frames = read_frames(clip.path, set(numbers))
    for beat, number in zip(clip.beats, numbers):
        picture = frames[number].copy()
        picture.thumbnail((STILL_WIDTH, STILL_HEIGHT), Image.Resampling.LANCZOS)
        yield Row(
            start + beat.start, beat.title, beat.caption, beat.seen, _png(picture), picture.size
        )


def _png(picture: Image.Image) -> bytes:
    """A small PNG: our pictures have few colours."""
    few = picture.quantize(COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    data = io.BytesIO()
    few.save(data, "PNG", optimize=True)
    return data.getvalue()


def _page(title: str, sentence: Sentence, parts: Sequence[Part]) -> Iterator[str]:
    words = " ".join(sentence.words)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    # Nothing is fetched, whatever stands in a word.
    yield (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "img-src data:; style-src 'unsafe-inline'\">"
    )
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{_text(title)}: transcript</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>"
    yield f"<header>\n<h1>{_text(title)}</h1>"
    yield f'<p>Told with the sentence <q dir="auto">{_text(words)}</q>.</p>\n</header>'
    yield '<nav aria-label="Parts">\n<ol>'
    for number, part in enumerate(parts, start=1):
        yield f'<li><a href="#part-{number}">{_text(part.title)}</a> {_time(part.start)}</li>'
    yield "</ol>\n</nav>\n<main>"
    for number, part in enumerate(parts, start=1):
        yield f'<section aria-labelledby="part-{number}">'
        yield f'<h2 id="part-{number}">{_text(part.title)}</h2>'
        for row in part.rows:
            yield from _article(row)
        yield "</section>"
    yield "</main>\n</body>\n</html>"


def _article(row: Row) -> Iterator[str]:
    data = base64.b64encode(row.still).decode()
    width, height = row.size
    yield f"<article>\n<h3>{_text(row.title)} {_time(row.start)}</h3>"
    yield f'<p dir="auto">{_text(row.caption)}</p>'
    if row.seen:
        yield '<div class="seen">\n<p>On the stage, from the top:</p>\n<ul>'
        for line in row.seen:
            yield f'<li dir="auto">{_text(line)}</li>'
        yield "</ul>\n</div>"
    yield f'<img src="data:image/png;base64,{data}" width="{width}" height="{height}"'
    yield f' alt="{_text(row.alt)}" loading="lazy">\n</article>'


def _time(seconds: float) -> str:
    return f'<time datetime="PT{seconds:.1f}S">{clock(seconds)}</time>'


def _text(text: str) -> str:
    return html.escape(text, quote=True)
