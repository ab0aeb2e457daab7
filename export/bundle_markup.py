"""What a blogger pastes: a figure or a clip of a bundle as HTML and as Markdown.

The page of a bundle shows these very texts, so that what is seen there is what is pasted. Every
address in them is relative to the bundle's folder.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from engine.sentence import Sentence
from export.bundle_words import clip_caption, clip_name, markdown_text

if TYPE_CHECKING:
    # What makes clips needs the extra `video`.
    from export.bundle_clips import MadeClip

__all__ = [
    "ShownFigure",
    "clip_html",
    "clip_markdown",
    "figure_html",
    "figure_markdown",
    "png_html",
]

FITTING = "max-width:100%;height:auto"
"""No page is too narrow for a figure."""


@dataclass(frozen=True)
class ShownFigure:
    """A figure of a bundle: its name, title, caption and alt text, and its size in CSS pixels.

    themes are those that there is a PNG of; of one alone the file's name doesn't say it.
    """

    name: str
    title: str
    caption: str
    alt: str
    width: int
    height: int
    themes: tuple[str, ...] = ("light", "dark")

    @property
    def svg(self) -> str:
        """The address of the SVG."""
        return f"figures/{self.name}.svg"

    def png(self, theme: str) -> str:
        """The address of the PNG in one theme."""
        return f"figures/{self.name}{theme_suffix(theme, self.themes)}.png"


def theme_suffix(theme: str, themes: tuple[str, ...]) -> str:
    """What stands after a file's stem where there is one of each theme."""
    return f"-{theme}" if len(themes) > 1 else ""


def figure_html(figure: ShownFigure) -> str:
    """A figure as HTML, by its SVG."""
    return _figure(f"  {_image(figure, figure.svg)}", figure.caption)


def png_html(figure: ShownFigure) -> str:
    """A figure as HTML where SVG isn't allowed; a dark page gets the dark one."""
    first, *others = figure.themes
    image = _image(figure, figure.png(first))
    if not others:
        return _figure(f"  {image}", figure.caption)
    sources = (
        f'    <source media="(prefers-color-scheme: dark)" srcset="{figure.png(theme)}">'
        for theme in others
    )
    lines = ["  <picture>", *sources, f"    {image}", "  </picture>"]
    return _figure("\n".join(lines), figure.caption)


def figure_markdown(figure: ShownFigure) -> str:
    """A figure as Markdown."""
    return f"![{markdown_text(figure.alt)}]({figure.svg})\n\n*{markdown_text(figure.caption)}*"


def clip_html(clip: MadeClip, sentence: Sentence, themes: tuple[str, ...]) -> str:
    """A clip as HTML: it plays once when it comes into view, unless the reader wants no motion.

    Without its script, which a site may leave out, it waits to be played.
    """
    first, *others = themes
    stem = f"clips/{clip.name}"

    def file(theme: str, end: str) -> str:
        return f"{stem}{theme_suffix(theme, themes)}.{end}"

    dark = f' data-dark-poster="{file(others[0], "png")}"' if others else ""
    media = ' media="(prefers-color-scheme: dark)"'
    sources = [
        f'    <source src="{file(theme, end)}" type="video/{end}"{media if theme != first else ""}>'
        for theme in (*others, first)
        for end in ("webm", "mp4")
    ]
    said = [f"      <li>{_text(beat.caption)}</li>" for beat in clip.beats if beat.caption]
    script = (files("export") / "page" / "clip.js").read_text("utf-8").rstrip()
    lines = [
        f'  <video controls muted playsinline preload="none" poster="{file(first, "png")}"{dark}',
        f'    width="{clip.width}" height="{clip.height}" style="{FITTING}"',
        f'    aria-label="{_text(clip_name(clip))}">',
        *sources,
        f'    <track default kind="captions" srclang="en" label="English" src="{stem}.vtt">',
        "  </video>",
        '  <button type="button" hidden>Play</button>',
        f"  <figcaption>{_text(clip_caption(clip, sentence))}</figcaption>",
    ]
    if said:
        lines += ["  <details>", "    <summary>The clip in words</summary>", "    <ol>", *said]
        lines += ["    </ol>", "  </details>"]
    return f"<figure>\n{chr(10).join(lines)}\n</figure>\n<script>\n{script}\n</script>"


def clip_markdown(clip: MadeClip, sentence: Sentence, alt: str, themes: tuple[str, ...]) -> str:
    """A clip as Markdown, which knows no films: its poster, which leads to it."""
    stem = f"clips/{clip.name}{theme_suffix(themes[0], themes)}"
    caption = markdown_text(clip_caption(clip, sentence))
    return f"[![{markdown_text(alt)}]({stem}.png)]({stem}.mp4)\n\n*{caption}*"


def _figure(inner: str, caption: str) -> str:
    return f"<figure>\n{inner}\n  <figcaption>{_text(caption)}</figcaption>\n</figure>"


def _image(figure: ShownFigure, address: str) -> str:
    return (
        f'<img src="{address}" width="{figure.width}" height="{figure.height}" '
        f'style="{FITTING}" loading="lazy" alt="{_text(figure.alt)}">'
    )


def _text(text: str) -> str:
    return html.escape(text, quote=True)
