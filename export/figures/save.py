"""A figure as a file: SVG, PDF or PNG, the same bytes each time, with its document inside."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from xml.etree import ElementTree

import matplotlib as mpl
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.text import Text

from engine.files import format_sentence
from engine.sentence import Sentence
from export.alt_text import alt_text
from export.figures import FigureEntry, load_figure
from export.figures.svg import page_svg
from export.figures.theme import FigureStyle, new_figure

__all__ = ["FileStyle", "figure_file"]

BLACK, ALMOST_BLACK = "#000000", "#000001"


@dataclass(frozen=True)
class FileStyle:
    """What kind of file a figure becomes.

    format is svg, pdf or png; text (of an SVG) is keep, outline or embed; width is in CSS pixels
    (1/96 inch; None is the figure's own); scale is how many dots of a PNG a pixel is wide;
    source says whether the document travels inside.
    """

    format: str = "svg"
    text: str = "embed"
    width: float | None = None
    scale: float = 2.0
    transparent: bool = False
    source: bool = True


def figure_file(
    entry: FigureEntry, sentence: Sentence, head: int, style: FigureStyle, file: FileStyle
) -> bytes:
    """The bytes of a file that shows one figure of a sentence.

    style.theme may be "both" for an SVG: light, and dark where the reader prefers it. Raises
    ValueError where there is no such head or kind of file.
    """
    title = f"{sentence.title}: {entry.title.lower()}" if sentence.title else entry.title
    described = alt_text(
        sentence, head, entry.name, digits=style.digits, rows=style.rows, measured=style.measured
    )
    document = format_sentence(sentence) if file.source else None
    themes = ("light", "dark") if style.theme == "both" else (style.theme,)
    styles = [replace(style, theme=theme) for theme in themes]
    if file.format == "svg":
        drawings = [_svg(entry, sentence, head, one, file) for one in styles]
        fonts, family = "", ""
        if file.text == "embed":
            from export.figures.fonts import font_faces

            fonts, family = font_faces(_texts(drawings[0]))
        return page_svg(
            drawings, [one.colors for one in styles], name=entry.name, title=title,
            description=described, document=document, fonts=fonts, font_family=family,
            width=file.width, transparent=file.transparent,
        ).encode()  # fmt: skip
    if len(styles) > 1:
        raise ValueError(f"a {file.format} has one theme: try light or dark")
    only = _as_wide(entry, sentence, head, styles[0], file)
    with _drawn(entry, sentence, head, only, file) as figure:
        if file.format == "pdf":
            return _pdf(figure, title, described, document, file)
        if file.format == "png":
            return _png(figure, title, described, document, file)
    raise ValueError(f"a figure can't be a {file.format}: try svg, pdf or png")


def _as_wide(
    entry: FigureEntry, sentence: Sentence, head: int, style: FigureStyle, file: FileStyle
) -> FigureStyle:
    """The style in which a PDF gets the width asked for; a PNG's dots are counted instead."""
    if file.format != "pdf" or file.width is None:
        return style
    with _drawn(entry, sentence, head, style, file) as figure:
        natural = figure.get_size_inches()[0] * 96
    return replace(style, font_scale=style.font_scale * file.width / natural)


@contextmanager
def _drawn(
    entry: FigureEntry, sentence: Sentence, head: int, style: FigureStyle, file: FileStyle
) -> Iterator[Figure]:
    with style.applied(), warnings.catch_warnings():
        # What no font has is told by `lettering.undrawable`.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = new_figure(style)
        load_figure(entry)(figure, sentence, head, style)
        if file.transparent:
            figure.patch.set_alpha(0.0)
        yield figure


def _svg(
    entry: FigureEntry, sentence: Sentence, head: int, style: FigureStyle, file: FileStyle
) -> str:
    kind = "path" if file.text == "outline" else "none"
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    with _drawn(entry, sentence, head, style, replace(file, transparent=False)) as figure:
        # Matplotlib leaves out black, SVG's default; which colour it is must be told.
        for text in figure.findobj(Text):
            if to_hex(text.get_color()) == BLACK:
                text.set_color(ALMOST_BLACK)
        for patch in figure.findobj(Patch):
            # What is clear counts as black too.
            *_, alpha = to_rgba(patch.get_facecolor())
            if to_hex(patch.get_facecolor()) == BLACK and alpha and patch.get_fill():
                patch.set_facecolor(ALMOST_BLACK)
        with mpl.rc_context({"svg.fonttype": kind, "svg.hashsalt": "byhand"}):
            file_text = io.StringIO()
            FigureCanvasSVG(figure).print_svg(file_text, metadata={"Date": None})  # type: ignore[no-untyped-call]
    return file_text.getvalue().replace(ALMOST_BLACK, BLACK)


def _texts(svg: str) -> list[str]:
    """Every line of text in an SVG."""
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg.encode()).iter("{http://www.w3.org/2000/svg}text")
    ]


def _pdf(
    figure: Figure, title: str, described: str, document: str | None, file: FileStyle
) -> bytes:
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    about: dict[str, object] = {
        "Title": title, "Subject": document or described, "Creator": "byhand", "Producer": None,
        "CreationDate": None, "ModDate": None,
    }  # fmt: skip
    if document is not None:
        about["Keywords"] = described
    from export.figures.fonts import outlines_alone, placed_as_shaped

    buffer = io.BytesIO()
    with outlines_alone(), placed_as_shaped():
        FigureCanvasPdf(figure).print_pdf(buffer, metadata=about)  # type: ignore[no-untyped-call]
    return buffer.getvalue()


def _png(
    figure: Figure, title: str, described: str, document: str | None, file: FileStyle
) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    natural = figure.get_size_inches()[0] * 96
    dots = 96 * file.scale * (1.0 if file.width is None else file.width / natural)
    figure.set_dpi(dots)
    buffer = io.BytesIO()
    FigureCanvasAgg(figure).print_png(buffer, metadata={"Software": None})  # type: ignore[no-untyped-call]
    texts = {"Title": title, "Description": described}
    if document is not None:
        texts["byhand"] = document
    return _with_texts(buffer.getvalue(), texts)


def _with_texts(png: bytes, texts: dict[str, str]) -> bytes:
    """A PNG with international text chunks after its header."""
    end_of_header = 8 + 25
    chunks = b"".join(
        _chunk(b"iTXt", keyword.encode() + b"\0\0\0\0\0" + text.encode())
        for keyword, text in texts.items()
    )
    return png[:end_of_header] + chunks + png[end_of_header:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
