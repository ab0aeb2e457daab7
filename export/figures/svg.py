"""A figure's SVG as a page wants it: Matplotlib's, rewritten.

Colours become custom properties with a fallback, so that one file serves light and dark pages and
a site can set its own; ids are the figure's own, so that two figures can stand in one page; and
nothing in it reaches out of it, neither a style nor a font nor a link.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape

from engine.palette import ROLES, Theme

__all__ = ["color_names", "page_svg"]

_Colors = tuple[str, ...]
"""A colour, as #rrggbb, in each of the themes."""

_Use = tuple[str, _Colors]
"""What is coloured, "fill" or "stroke", and how."""

_COLOR = re.compile(r"\b(fill|stroke): (#[0-9a-f]{6})")
_STYLE = re.compile(r' style="([^"]*)"')
_TEXT = re.compile(r"(?<=>)[^<>]+(?=</text>)")
_MARK = "\1"
"""No word has a control character."""

_UNLIKE = "a figure must be drawn alike in all themes, but for its colours"


def page_svg(
    drawings: Sequence[str],
    themes: Sequence[Theme],
    *,
    name: str,
    title: str,
    description: str,
    document: str | None,
    fonts: str = "",
    font_family: str = "",
    width: float | None = None,
    transparent: bool = False,
) -> str:
    """One SVG of the same figure drawn in each of `themes`; the first is what to fall back to.

    drawings are Matplotlib's SVG texts, alike but for their colours; fonts are `@font-face` rules
    and font_family the first family to ask for. width is in CSS pixels. Raises ValueError where
    the drawings differ in more than colours.
    """
    lifted = [_lifted(_body(text)) for text in drawings]
    bodies, texts = [body for body, _ in lifted], lifted[0][1]
    if any(others != texts for _, others in lifted):
        raise ValueError(_UNLIKE)
    width_in_points, height_in_points = _size(drawings[0])
    told = (*(_put_back(body, texts) for body in bodies), title, description, fonts)
    mark = hashlib.sha256("\0".join(told).encode()).hexdigest()[:8]
    prefix = f"byhand-{name}-{mark}"
    colors, skeleton = _paired(bodies)
    grounds = tuple(theme.ground.lower() for theme in themes)
    names = _named([*colors, ("fill", grounds)], themes)
    pending = iter(colors)
    body = re.sub("\0", lambda _: _marked(next(pending), names), skeleton)
    body = _STYLE.sub(lambda found: _attributes(found[1], font_family), body)
    body = _put_back(_with_own_ids(body, prefix), texts)
    if not transparent:
        body = f'<rect width="100%" height="100%" {_ground(grounds, names)}/>\n{body}'
    scale = 96 / 72 if width is None else width / width_in_points
    xlink = ' xmlns:xlink="http://www.w3.org/1999/xlink"' if "xlink:" in body else ""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg"{xlink} id="{prefix}" class="byhand-figure"',
        f' role="img" aria-labelledby="{prefix}-title {prefix}-desc"',
        f' width="{width_in_points * scale:.6g}" height="{height_in_points * scale:.6g}"',
        f' viewBox="0 0 {width_in_points:.6g} {height_in_points:.6g}"',
        ' stroke-linejoin="round" stroke-linecap="butt">',
        f'<title id="{prefix}-title">{escape(title)}</title>',
        f'<desc id="{prefix}-desc">{escape(description)}</desc>',
    ]
    if document is not None:
        inner = f'<byhand xmlns="{_NAMESPACE}">{escape(document)}</byhand>'
        lines.append(f"<metadata>{inner}</metadata>")
    lines += [f"<style>{fonts}{_rules(names, themes, prefix)}</style>", body, "</svg>", ""]
    return "\n".join(lines)


_NAMESPACE = "urn:byhand:document"


def color_names(themes: Sequence[Theme]) -> dict[_Colors, str]:
    """What a custom property is called, by its colour in each of the themes."""
    named: dict[_Colors, str] = {}
    plain = ("ink", "dim", "faint", "grid", "highlight", "weight", "ground", "panel")
    for role in ROLES:
        named.setdefault(tuple(theme.role(role).lower() for theme in themes), role)
    for part in plain:
        named.setdefault(tuple(getattr(theme, part).lower() for theme in themes), part)
    # Text on a cell: black or white, whichever is read on its shade.
    for on, light, dark in (("pale", "#000000", "#ffffff"), ("strong", "#ffffff", "#000000")):
        pair = tuple(dark if theme.is_dark else light for theme in themes)
        named.setdefault(pair, f"on-{on}")
    return named


def _named(uses: Iterable[_Use], themes: Sequence[Theme]) -> dict[_Use, str]:
    """A name for every colour that is used, in the order of use."""
    known = color_names(themes)
    for _, colors in uses:
        known.setdefault(colors, f"color-{len(known)}")
    return {use: known[use[1]] for use in dict.fromkeys(uses)}


def _body(text: str) -> str:
    """What is drawn, without Matplotlib's head, its ground and its ids that nobody refers to."""
    body = text[text.index("<g ", text.index("</defs>")) : text.rindex("</svg>")]
    # In a comment before its outlines a text stands once more.
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)
    body, texts = _lifted(body)
    referred = set(re.findall(r"(?:url\(|href=\")#([^)\"]+)", body))
    body = re.sub(r' id="([^"]*)"', lambda id: id[0] if id[1] in referred else "", body)
    # Matplotlib names a marker after its colour; two themes must agree.
    places = {old: f"i{i}" for i, old in enumerate(re.findall(r' id="([^"]*)"', body))}
    body = re.sub(r'( id="|url\(#|href="#)([^)"]+)', lambda to: to[1] + places[to[2]], body)
    body = re.sub(r"\s*\n\s*", "\n", body)
    # Its own ground is the first thing in it.
    ground = r'<g>\n<path d="M 0 [^"]*z\n" style="[^"]*"/>\n</g>\n'
    return _put_back(re.sub(ground, "", body, count=1).strip(), texts)


def _lifted(body: str) -> tuple[str, list[str]]:
    """A drawing with a mark in place of each of its texts, and these.

    A word may look like an attribute, an id or a colour: what rewrites those mustn't meet it.
    """
    return _TEXT.sub(_MARK, body), _TEXT.findall(body)


def _put_back(body: str, texts: Sequence[str]) -> str:
    """The drawing with its texts where their marks are."""
    pending = iter(texts)
    return re.sub(_MARK, lambda _: next(pending), body)


def _size(text: str) -> tuple[float, float]:
    found = re.search(r'viewBox="0 0 (\S+) (\S+)"', text)
    assert found is not None
    return float(found[1]), float(found[2])


def _paired(bodies: Sequence[str]) -> tuple[list[_Use], str]:
    """The colours of all drawings side by side, and what is left with a NUL in place of each."""
    skeletons = {_COLOR.sub("\0", body) for body in bodies}
    if len(skeletons) > 1:
        raise ValueError(_UNLIKE)
    uses = [
        (first[0], tuple(color for _, color in [first, *others]))
        for first, *others in zip(*(_COLOR.findall(body) for body in bodies), strict=True)
    ]
    return uses, skeletons.pop()


def _marked(use: _Use, names: Mapping[_Use, str]) -> str:
    """A colour in a style, with the class that says which it is."""
    what, colors = use
    return f"{what}: {colors[0]}; class: byhand-{what}-{names[use]}"


def _ground(grounds: _Colors, names: Mapping[_Use, str]) -> str:
    return f'fill="{grounds[0]}" class="byhand-fill-{names["fill", grounds]}"'


def _attributes(style: str, font_family: str) -> str:
    """A style as attributes, which give way to any rule, and which no page's policy forbids."""
    pairs = [part.split(": ", 1) for part in style.replace("&quot;", "'").split("; ") if part]
    classes = " ".join(value for key, value in pairs if key == "class")
    text = ""
    for key, value in pairs:
        if key == "font-family":
            own = f"'{font_family}', " if font_family else ""
            value = f"{own}{value}, sans-serif"
        if key != "class":
            text += f' {key}="{value}"'
    return f'{text} class="{classes}"' if classes else text


def _with_own_ids(body: str, prefix: str) -> str:
    """Every id of the drawing begun with the figure's own."""
    ids = sorted(set(re.findall(r' id="([^"]*)"', body)))
    own = {old: f"{prefix}-{i}" for i, old in enumerate(ids, start=1)}
    body = re.sub(r' id="([^"]*)"', lambda id: f' id="{own[id[1]]}"', body)
    return re.sub(r"(url\(|href=\")#([^)\"]+)", lambda to: f"{to[1]}#{own[to[2]]}", body)


def _rules(names: Mapping[_Use, str], themes: Sequence[Theme], prefix: str) -> str:
    """A rule a colour: the site's own if it has set one, else ours; dark where preferred."""

    def rules(place: int) -> str:
        return "".join(
            f"#{prefix} .byhand-{what}-{name}{{{what}:var(--byhand-{name},{colors[place]})}}"
            for (what, colors), name in names.items()
        )

    if len(themes) == 1:
        return rules(0)
    return f"{rules(0)}@media (prefers-color-scheme:dark){{{rules(1)}}}"
