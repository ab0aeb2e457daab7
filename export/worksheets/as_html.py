"""A worksheet as one HTML page that prints a part a sheet of paper, and needs nothing else.

The blanks are fields, so that it can be filled in on a screen as well. The role of a number is told
by its line as well as its colour: solid, dashed, thick and double, as everywhere in byhand.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from importlib.resources import files

from engine.palette import ROLES, THEMES, Theme
from engine.working import Term
from export.worksheets.sheet import (
    Blank,
    Block,
    Fields,
    Lines,
    Note,
    Part,
    Piece,
    Row,
    Said,
    Section,
    Sheet,
    Table,
    spoken,
)
from scenes.direction import isolated

__all__ = ["html_of", "page_colors", "table_html"]

PLACES = 72
"""A grid's columns are parted so that a row has about so many places."""

LONGEST_TO_HOLD = 40
"""A list of numbers up to so many places stays on one line."""


def html_of(sheet: Sheet, *, theme: str = "light", font_scale: float = 1.0) -> str:
    """The sheet as a page. theme "light" turns dark on a screen that asks for it, never in print;
    the others are kept as they are, but for dark, which isn't printed."""
    title = sheet.title or "Attention by hand"
    body = [f"<h1>{_set(title, sheet.quoted)}</h1>"]
    for number, part in enumerate(sheet.parts, 1):
        body += _part(part, number, sheet.quoted)
    plain = spoken(title, sheet.quoted, str, isolated)
    return _page(plain, body, theme=theme, font_scale=font_scale)


def _page(title: str, body: Iterable[str], *, theme: str = "light", font_scale: float = 1.0) -> str:
    """A whole page round its body. Nothing is fetched, whatever stands in it."""
    style = (files("export") / "page" / "worksheet.css").read_text("utf-8")
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(title)}</title>",
        f"<style>\n{page_colors(theme)}:root {{ --scale: {font_scale:g} }}\n{style}</style>",
        "</head>\n<body>\n<main>",
    )
    return "\n".join([*head, *body, "</main>\n</body>\n</html>"]) + "\n"


def _heading(level: int, text: str, quoted: tuple[str, ...], name: str = "") -> str:
    """A heading, with an id where something is named by it."""
    given = f' id="{name}"' if name else ""
    return f"<h{level}{given}>{_set(text, quoted)}</h{level}>"


_POWER = re.compile(r"\be\^(?:\(([^()]*)\)|(−?[\d.]+(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|[a-z]+))")
"""e to a number, to a name, or to what stands in brackets, which being raised does without."""


def page_colors(theme: str) -> str:
    """Custom properties: on a screen as asked, on paper always dark on light."""
    theme = "light" if theme == "both" else theme  # light follows the reader's setting already
    chosen = THEMES[theme]
    on_paper = THEMES["light"] if chosen.is_dark else chosen
    screen = "dark" if chosen.is_dark else "light dark" if theme == "light" else "light"
    text = f":root {{ color-scheme: {screen}; {_properties(on_paper)} }}\n"
    if chosen.is_dark:
        return text + f"@media screen {{ :root {{ {_properties(chosen)} }} }}\n"
    if theme == "light":
        asked = "@media screen and (prefers-color-scheme: dark)"
        return text + f"{asked} {{ :root {{ {_properties(THEMES['dark'])} }} }}\n"
    return text


def _properties(theme: Theme) -> str:
    names = ("ground", "panel", "ink", "dim", "faint", "highlight")
    roles = (f"--{role.letter}: {theme.role(role.name)}" for role in ROLES.values())
    return "; ".join([*(f"--{name}: {getattr(theme, name)}" for name in names), *roles])


def _part(part: Part, number: int, quoted: tuple[str, ...]) -> Iterator[str]:
    blank = any(isinstance(block, Fields) for one in part.sections for block in one.blocks)
    kind = "part key" if part.is_key else "part to-fill" if blank else "part"
    yield f'<section class="{kind}" aria-labelledby="part-{number}">'
    yield _heading(2, part.title, quoted, f"part-{number}")
    yield f'<p class="about">{_set(part.about, quoted)}</p>'
    for section in part.sections:
        yield from _section(section, quoted)
    yield "</section>"


def _section(section: Section, quoted: tuple[str, ...]) -> Iterator[str]:
    # A table's caption is its title.
    first = section.blocks[0]
    yield '<div class="whole">' if isinstance(first, Fields) else "<div>"
    if section.title and not isinstance(first, Table):
        yield _heading(3, section.title, quoted)
    for block in section.blocks:
        yield from _block(block, quoted)
    yield "</div>"


def _block(block: Block, quoted: tuple[str, ...]) -> Iterator[str]:
    """The lines of one block."""
    match block:
        case Lines(rows):
            blanks = any(isinstance(piece, Blank) for row in rows for piece in row.pieces)
            yield f'<ul class="lines{" blanks" * blanks}">'
            yield from (_row(row, quoted) for row in rows)
            yield "</ul>"
        case Said(text):
            yield f"<p>{_set(text, quoted)}</p>"
        case Note(text):
            yield f'<p class="note">{_set(text, quoted)}</p>'
        case Fields(names):
            fields = (f"<label>{html.escape(name)} <input></label>" for name in names)
            yield f'<div class="fields">{"".join(fields)}</div>'
        case Table():
            yield from table_html(block, quoted)


def _row(row: Row, quoted: tuple[str, ...]) -> str:
    """A line: its label and what follows each in its column."""
    rest = " ".join(_pieces(row.pieces, quoted))
    if not row.label:
        return f'<li class="whole">{rest}</li>'
    label = _set(row.label, quoted) + (row.sign if row.sign.startswith(":") else "")
    sign = f"{row.sign} " if row.sign and not row.sign.startswith(":") else ""
    return f"<li><span>{label}</span> <span>{sign}{rest}</span></li>"


def _pieces(pieces: tuple[Piece, ...], quoted: tuple[str, ...]) -> Iterator[str]:
    """The pieces of a line; a product is never parted at its sign."""
    texts = [_piece(piece, quoted) for piece in pieces]
    start = 0
    for place, piece in enumerate(pieces):
        follows = pieces[place + 1 : place + 2]
        is_sign = (isinstance(x, Term) and x.text in "·÷" for x in (piece, *follows))
        if any(is_sign):
            continue
        run = " ".join(texts[start : place + 1])
        length = sum(len(x.text) for x in pieces[start : place + 1] if isinstance(x, Term))
        held = start < place and length <= LONGEST_TO_HOLD
        yield f'<span class="unparted">{run}</span>' if held else run
        start = place + 1
    if start < len(texts):
        yield " ".join(texts[start:])


def _piece(piece: Piece, quoted: tuple[str, ...]) -> str:
    if isinstance(piece, Blank):
        return _field(piece, quoted)
    text = _set(piece.text, quoted)
    role = ROLES.get(piece.role)
    if role is not None:
        return f'<span class="{role.letter}">{text}</span>'
    return f'<span class="result">{text}</span>' if piece.role == "weight" else text


def _field(blank: Blank, quoted: tuple[str, ...]) -> str:
    name = html.escape(spoken(blank.name, quoted, str, isolated))
    long = ' class="long"' if blank.is_long else ""
    return f'<input{long} aria-label="{name}" autocomplete="off">'


def table_html(table: Table, quoted: tuple[str, ...]) -> Iterator[str]:
    """A table; a grid in several, with as many columns each as fit."""
    columns = range(1, len(table.head))
    blocks = [columns] if table.kind != "grid" else _blocks(table, quoted)
    for block in blocks:
        yield f'<table class="{table.kind}">'
        caption = _set(table.caption, quoted)
        if len(blocks) > 1:
            caption += f", columns {block[0]} to {block[-1]}"
        # A cell says here in words what it means elsewhere.
        said = (text for text in table.explained if not text.startswith("--:"))
        explained = "".join(f"<span>{html.escape(text)}</span>" for text in said)
        yield f"<caption>{caption}{explained}</caption>"
        head = "".join(f'<th scope="col">{_head(table, j, quoted)}</th>' for j in block)
        corner = f'<th scope="col">{"Step" if table.kind == "keys" else "Word"}</th>'
        yield f"<thead><tr>{corner}{head}</tr></thead>\n<tbody>"
        for row in table.rows:
            first = f'<th scope="row">{_set(str(row[0]), quoted)}</th>'
            cells = "".join(_cell(table, row[j], j, quoted) for j in block)
            yield f"<tr>{first}{cells}</tr>"
        yield "</tbody></table>"


def _head(table: Table, column: int, quoted: tuple[str, ...]) -> str:
    text = _set(table.head[column], quoted)
    role = ROLES.get(table.head[column])
    return text if role is None else f'<span class="{role.letter}">{text} {role.letter}</span>'


def _cell(table: Table, cell: str | Blank, column: int, quoted: tuple[str, ...]) -> str:
    if isinstance(cell, Blank):
        return f"<td>{_field(cell, quoted)}</td>"
    if not cell:
        return '<td class="none"></td>'
    if cell == "--":
        return '<td class="closed"><span>may not look</span></td>'
    text = _set(cell, quoted)
    if table.roles:
        text = f'<span class="{ROLES[table.roles[column - 1]].letter}">{text}</span>'
    return f"<td>{text}</td>"


def _blocks(table: Table, quoted: tuple[str, ...]) -> list[range]:
    """The columns in runs that fit the page."""
    widths = [
        max(
            8,
            min(len(spoken(head, quoted, str, str)), 12),
            *(len(str(row[j])) for row in table.rows),
        )
        if not isinstance(table.rows[0][j], Blank)
        else 12
        for j, head in enumerate(table.head)
    ]
    blocks, start, used = [], 1, widths[0]
    for j in range(1, len(widths)):
        if j > start and used + widths[j] > PLACES:
            blocks.append(range(start, j))
            start, used = j, widths[0]
        used += widths[j]
    return [*blocks, range(start, len(widths))]


def _set(text: str, quoted: tuple[str, ...]) -> str:
    """A text as HTML: the document's words isolated, and a short list of numbers unparted."""
    return spoken(text, quoted, _plain, lambda own: f"<bdi>{html.escape(own)}</bdi>")


def _plain(text: str) -> str:
    # After a minus a browser may part the line: U+2060 holds the two together.
    escaped = _POWER.sub(r"e<sup>\1\2</sup>", html.escape(text, quote=False))
    escaped = escaped.replace("d_k", "d<sub>k</sub>")
    if text.startswith("[") and text.endswith("]") and len(text) <= LONGEST_TO_HOLD:
        return f'<span class="unparted">{escaped}</span>'
    return escaped
