"""The page of `byhand slides`: every beat a clip, and what shows them, in one file.

A clip a beat rather than one film with marks: a clip ends by itself on the beat's picture, in every
browser, and nothing has to be caught in mid-play. The clips stand in the page as text and become
blobs when they are needed; Safari plays no long `data:` URL.
"""

from __future__ import annotations

import base64
import html
import io
import json
from collections.abc import Iterator, Mapping
from importlib.resources import files

import av

from engine.files import format_sentence
from engine.palette import THEMES
from export.encoder import PLAIN
from export.jobs import Clip
from export.options import RenderOptions

__all__ = ["slide_page", "split_clip"]


def slide_page(options: RenderOptions, clips: Mapping[str, Clip]) -> str:
    """The page of the films' clips, in order, cards left out."""
    return "".join(f"{line}\n" for line in _page(options, clips))


def split_clip(clip: Clip) -> list[bytes]:
    """An mp4 a beat, each from the end of the beat before to its own; what follows is left out.

    The packets are copied: the encoder has begun anew after each beat.
    """
    ends = [round(beat.end * clip.frame_rate) for beat in clip.beats]
    pieces = []
    with av.open(f"file:{clip.path}") as container:
        stream = container.streams.video[0]
        # The demuxer ends with an empty packet.
        packets = [(p.pts, p) for p in container.demux(stream) if p.pts is not None]
        first = 0
        for end in ends:
            data = io.BytesIO()
            with av.open(data, "w", format="mp4", container_options=PLAIN) as piece:
                copied = piece.add_stream_from_template(stream)
                start = packets[first][0]
                for time, packet in packets[first:end]:
                    packet.pts = packet.dts = time - start
                    packet.stream = copied
                    piece.mux(packet)
            pieces.append(data.getvalue())
            first = end
    return pieces


def _page(options: RenderOptions, clips: Mapping[str, Clip]) -> Iterator[str]:
    (title, *more) = [film.title for film in options.films]
    title = title if not more else "Attention, drawn by hand"
    theme = THEMES[options.theme]
    room = files("export") / "page"
    style = (room / "slides.css").read_text("utf-8")
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    # Nothing is fetched, whatever stands in a caption.
    yield (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "script-src 'unsafe-inline'; style-src 'unsafe-inline'; media-src blob:\">"
    )
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{html.escape(title)}</title>"
    yield (
        f"<style>\n:root {{ color-scheme: {'dark' if theme.is_dark else 'light'}; "
        f"--ground: {theme.ground}; --ink: {theme.ink}; --dim: {theme.dim}; "
        f"--highlight: {theme.highlight}; --panel: {theme.panel}; "
        f"--width: {options.size.width}; --height: {options.size.height} }}\n{style}</style>"
    )
    yield "</head>\n<body>"
    yield (room / "slides.html").read_text("utf-8").replace("TITLE", html.escape(title)).rstrip()
    slides = []
    for name in _order(options):
        clip = clips[name]
        heading = _heading(options, name)
        for beat, data in zip(clip.beats, split_clip(clip)):
            slides.append(
                {
                    "scene": heading,
                    "title": beat.title,
                    "caption": beat.caption,
                    "seen": list(beat.seen),
                }
            )
            encoded = base64.b64encode(data).decode()
            yield f'<script type="text/plain" class="clip">{encoded}</script>'
    yield f'<script type="application/json" id="slides">{_json(slides)}</script>'
    if options.embed:
        document = json.loads(format_sentence(options.sentence))
        yield f'<script type="application/json" id="byhand">{_json(document)}</script>'
    yield f"<script>\n{(room / 'slides.js').read_text('utf-8')}</script>\n</body>\n</html>"


def _order(options: RenderOptions) -> list[str]:
    return [piece.entry.name for piece in options.pieces if piece.card is None]


def _heading(options: RenderOptions, name: str) -> str:
    titles = {piece.entry.name: piece.entry.title for piece in options.pieces}
    return titles[name]


def _json(data: object) -> str:
    """JSON that no word can end early: a "<" in it is written as an escape."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
