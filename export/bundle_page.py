"""The page of a bundle: all of it to look at, and beside each thing what to paste.

It needs nothing but the files beside it, and no script to be read; nothing in it is fetched from
anywhere else, whatever stands in a word.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from engine.palette import ROLES, THEMES
from engine.sentence import Sentence
from export.bundle_markup import (
    ShownFigure,
    clip_html,
    clip_markdown,
    figure_html,
    figure_markdown,
    png_html,
)
from export.bundle_options import (
    ALT_TEXT,
    BLANK_SHEET,
    DOCUMENT,
    TABLES,
    WORKSHEET,
    WORKSHEET_TEXT,
    BundleOptions,
)
from export.bundle_words import clip_alt
from export.worksheets.as_html import page_colors, table_html
from export.worksheets.sheet import Sheet, Table, spoken
from scenes.direction import isolated

if TYPE_CHECKING:
    # What makes clips needs the extra `video`.
    from export.bundle_clips import MadeClip

__all__ = ["bundle_page"]


def bundle_page(
    options: BundleOptions,
    figures: Sequence[ShownFigure],
    clips: Sequence[MadeClip],
    captions: Sequence[str],
    tables: Sheet,
    markdown: str,
) -> str:
    """index.html of a bundle.

    captions are the WebVTT texts of the clips; tables is what `markdown` says as Markdown.
    """
    return "\n".join(_page(options, figures, clips, captions, tables, markdown)) + "\n"


def _page(
    options: BundleOptions,
    figures: Sequence[ShownFigure],
    clips: Sequence[MadeClip],
    captions: Sequence[str],
    tables: Sheet,
    markdown: str,
) -> Iterator[str]:
    sentence = options.sentence
    room = files("export") / "page"
    title = sentence.title or "Attention by hand"
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    # 'self' says nothing of files on a disk.
    yield (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "img-src 'self' file:; media-src 'self' file: data:; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">"
    )
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_text(title)}</title>"
    style = (room / "bundle.css").read_text("utf-8")
    scale = f":root {{ --scale: {options.font_scale:g} }}\n"
    yield f"<style>\n{page_colors(options.theme)}{scale}{style}</style>\n</head>\n<body>"
    yield from _header(title, sentence, has_clips=bool(clips))
    yield "<main>"
    yield from _figures(figures)
    yield from _clips(options, clips)
    yield from _tables(tables, markdown)
    yield from _papers(options)
    yield from _site(options)
    yield '</main>\n<p id="said" role="status"></p>'
    for clip, text in zip(clips, captions, strict=True):
        # In a script element a text ends only at its end tag, and WebVTT holds no "<".
        of = f'class="captions" data-of="clips/{clip.name}.vtt"'
        yield f'<script type="text/plain" {of}>{text}</script>'
    yield f"<script>\n{(room / 'bundle.js').read_text('utf-8')}</script>\n</body>\n</html>"


def _header(title: str, sentence: Sentence, *, has_clips: bool) -> Iterator[str]:
    words = " ".join(f"<bdi>{_text(word)}</bdi>" for word in sentence.words)
    places = {
        "figures": "Figures", "clips": "Clips", "tables": "Tables", "paper": "Worksheet and files",
        "site": "In your site",
    }  # fmt: skip
    if not has_clips:
        del places["clips"]
    yield f'<header>\n<h1 dir="auto">{_text(title)}</h1>'
    yield f"<p>Told with the sentence <q>{words}</q>, from where <b><bdi>"
    yield f"{_text(sentence.words[sentence.focus])}</bdi></b> stands.</p>"
    links = "".join(f'<li><a href="#{name}">{said}</a></li>' for name, said in places.items())
    yield f'<nav aria-label="On this page"><ul>{links}</ul></nav>\n</header>'


def _figures(figures: Sequence[ShownFigure]) -> Iterator[str]:
    yield '<section aria-labelledby="figures">\n<h2 id="figures">Figures</h2>'
    yield (
        '<p class="about">Vectors, with their font inside: sharp at any size, and their text can '
        "be selected when they stand in the page itself. PNGs are twice as fine, for feeds and "
        "editors that take no SVG.</p>"
    )
    for figure in figures:
        markup = {
            "HTML": figure_html(figure),
            "HTML with PNG": png_html(figure),
            "Markdown": figure_markdown(figure),
            "Alt text": figure.alt,
        }
        yield from _item(figure.name, figure.title, figure_html(figure), markup)
    yield "</section>"


def _clips(options: BundleOptions, clips: Sequence[MadeClip]) -> Iterator[str]:
    if not clips:
        return
    yield '<section aria-labelledby="clips">\n<h2 id="clips">Clips</h2>'
    yield (
        '<p class="about">Short films without sound. Each plays once when it comes into view, and '
        "never by itself for readers who asked for less motion.</p>"
    )
    for clip in clips:
        alt = clip_alt(clip, options.sentence)
        markup = {
            "HTML": clip_html(clip, options.sentence, options.themes),
            "Markdown": clip_markdown(clip, options.sentence, alt, options.themes),
            "Alt text": alt,
        }
        yield from _item(f"clip-{clip.name}", clip.title, markup["HTML"], markup)
    yield "</section>"


def _tables(tables: Sheet, markdown: str) -> Iterator[str]:
    yield '<section aria-labelledby="tables">\n<h2 id="tables">Tables</h2>'
    for part in tables.parts:
        for section in part.sections:
            for block in section.blocks:
                assert isinstance(block, Table)
                caption = spoken(block.caption, tables.quoted, str, isolated)
                # What scrolls on a narrow page must be reached by keys.
                yield f'<div class="wide" tabindex="0" role="region" aria-label="{_text(caption)}">'
                yield from table_html(block, tables.quoted)
                yield "</div>"
    yield from _copying("tables", "Tables", {"Markdown": markdown})
    yield "</section>"


def _papers(options: BundleOptions) -> Iterator[str]:
    yield '<section aria-labelledby="paper">\n<h2 id="paper">Worksheet and files</h2>'
    told = {
        WORKSHEET: "The calculation, worked out: a sheet of paper a word.",
        BLANK_SHEET: "The same to be filled in, and the answers at the end.",
        WORKSHEET_TEXT: "The calculation of one word, as Markdown.",
        TABLES: "The tables above.",
        ALT_TEXT: "What each figure and clip shows, in words, and its caption.",
        DOCUMENT: "The sentence with its vectors: byhand opens it, and whatever was made of it.",
    }
    if not options.embed:
        del told[DOCUMENT]
    yield '<dl class="files">'
    for name, said in told.items():
        yield f'<dt><a href="{name}">{name}</a></dt><dd>{said}</dd>'
    yield "</dl>\n</section>"


def _site(options: BundleOptions) -> Iterator[str]:
    yield '<section aria-labelledby="site">\n<h2 id="site">In your site</h2>'
    yield (
        "<p>Addresses are relative: put the folders <code>figures</code> and <code>clips</code> "
        "beside your post. Nothing here is fetched from anywhere else.</p>"
    )
    if options.theme != "both":
        yield "</section>"
        return
    yield (
        "<p>Figures are light or dark as their reader's system is. If your site has a switch of "
        "its own, paste the SVG itself into the page instead of an image of it, and give it the "
        "colours of the dark one:</p>"
    )
    yield from _copying("site", "Colours of a dark site", {"CSS": _dark_colors()})
    yield "</section>"


def _dark_colors() -> str:
    """The custom properties that a figure asks for, for sites whose dark mode is a class."""
    theme = THEMES["dark"]
    parts = ("ink", "dim", "faint", "grid", "highlight", "weight", "ground", "panel")
    colors = {role: theme.role(role) for role in ROLES} | {p: getattr(theme, p) for p in parts}
    colors |= {"on-pale": "#FFFFFF", "on-strong": "#000000"}
    lines = "".join(f"  --byhand-{name}: {color};\n" for name, color in colors.items())
    return f".dark .byhand-figure {{\n{lines}}}"


def _item(name: str, title: str, shown: str, markup: dict[str, str]) -> Iterator[str]:
    yield f'<section aria-labelledby="{name}">\n<h3 id="{name}">{_text(title)}</h3>'
    yield shown
    yield from _copying(name, title, markup, level=4)
    yield "</section>"


def _copying(name: str, title: str, markup: dict[str, str], level: int = 3) -> Iterator[str]:
    """A button a text to copy, and the texts themselves for who wants to see them."""
    ids = {kind: f"{name}-{kind.lower().replace(' ', '-')}" for kind in markup}
    yield '<div class="copy">'
    for kind, place in ids.items():
        label = f"Copy {kind}"
        yield (
            f'<button type="button" hidden data-copies="{place}" '
            f'aria-label="{label}: {_text(title)}">{label}</button>'
        )
    yield "</div>"
    yield '<details class="markup">\n<summary>What to paste</summary>'
    for kind, text in markup.items():
        heading = f"{ids[kind]}-name"
        yield f'<h{level} id="{heading}">{kind}</h{level}>'
        # A region that scrolls must be reached by keys.
        yield (
            f'<pre tabindex="0" role="region" aria-labelledby="{heading}">'
            f'<code id="{ids[kind]}">{_text(text)}</code></pre>'
        )
    yield "</details>"


def _text(text: str) -> str:
    return html.escape(text, quote=True)
