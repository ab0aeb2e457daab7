"""Reads a page as those do who can't see it, and says what stands in their way.

What it knows: well-formed markup, ids, headings in order, names of pictures and controls, tables
with heads, and contrast of the colours in the page's own style (WCAG 2.2, level AA).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from engine.palette import contrast

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr"}  # fmt: skip
NAMED = {"a", "button", "summary", "video", "select", "input", "img", "nav", "section", "pre"}
TEXT, GRAPHIC = 4.5, 3.0


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    parent: Element | None
    text: str = ""
    inside: list[Element] = field(default_factory=list)

    def within(self, tag):
        found = self.parent
        while found is not None and found.tag != tag:
            found = found.parent
        return found

    def find(self, tag):
        for one in self.inside:
            if one.tag == tag:
                yield one
            yield from one.find(tag)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.root = Element("", {}, None)
        self.at = self.root
        self.elements = []
        self.faults = []

    def handle_starttag(self, tag, attributes):
        if len(dict(attributes)) < len(attributes):
            self.faults.append(f"<{tag}> says an attribute twice")
        element = Element(tag, dict(attributes), self.at)
        self.at.inside.append(element)
        self.elements.append(element)
        if tag not in VOID:
            self.at = element

    def handle_endtag(self, tag):
        if tag != self.at.tag:
            self.faults.append(f"</{tag}> closes <{self.at.tag}>")
            return
        self.at = self.at.parent

    def handle_data(self, data):
        element = self.at
        while element is not None:
            element.text += data
            element = element.parent


def read(page):
    """The page's elements in order, and what is wrong with how it is written."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    if reader.at is not reader.root:
        reader.faults.append(f"<{reader.at.tag}> isn't closed")
    return reader.elements, reader.faults


def problems(page):
    """Everything that stands in somebody's way, a line each."""
    elements, faults = read(page)
    return [
        *faults,
        *_ids(elements),
        *_headings(elements),
        *_names(elements),
        *_tables(elements),
        *_whole(elements),
        *colors(page),
    ]


def _whole(elements):
    tags = {element.tag: element for element in elements}
    if not tags["html"].attributes.get("lang"):
        yield "the page has no language"
    if not tags["title"].text.strip():
        yield "the page has no title"
    if "main" not in tags:
        yield "the page has no main part"
    for element in elements:
        if "autoplay" in element.attributes:
            yield f"<{element.tag}> plays by itself"
        if element.tag == "meta" and "user-scalable=no" in (
            element.attributes.get("content") or ""
        ):
            yield "the page can't be made larger"


def _ids(elements):
    ids = [one.attributes["id"] for one in elements if "id" in one.attributes]
    yield from (
        f"two things are called #{name}" for name in sorted(set(ids)) if ids.count(name) > 1
    )
    for one in elements:
        wanted = [*(one.attributes.get("aria-labelledby") or "").split()]
        href = one.attributes.get("href") or ""
        wanted += [href[1:]] if len(href) > 1 and href.startswith("#") else []
        wanted += [one.attributes["for"]] if "for" in one.attributes else []
        yield from (f"<{one.tag}> asks for #{name}" for name in wanted if name not in ids)


def _headings(elements):
    levels = [(int(one.tag[1]), one) for one in elements if re.fullmatch("h[1-6]", one.tag)]
    if [level for level, _ in levels].count(1) != 1:
        yield "a page has one first heading"
    before = 0
    for level, one in levels:
        if level > before + 1:
            yield f"h{level} {one.text!r} comes after h{before}"
        if not one.text.strip():
            yield f"h{level} is empty"
        before = level


def _names(elements):
    by_id = {one.attributes["id"]: one for one in elements if "id" in one.attributes}
    for one in elements:
        said = one.attributes.get("aria-label") or ""
        for name in (one.attributes.get("aria-labelledby") or "").split():
            said += by_id[name].text if name in by_id else ""
        if one.tag in ("a", "button", "summary"):
            shown = one.text.strip()
            if said and shown and shown not in said:
                yield f"<{one.tag}> shows {shown!r} and is called {said!r}"
            said += shown
        if one.tag == "img":
            said += one.attributes.get("alt") or ""
        if one.tag in ("input", "select"):
            label = one.within("label")
            said += "" if label is None else label.text
        if one.tag == "pre" and "tabindex" not in one.attributes:
            continue
        # A page may name its film when it is there.
        if (
            one.tag == "video"
            and one.attributes.get("src") is None
            and not list(one.find("source"))
        ):
            continue
        if one.tag in NAMED and not said.strip():
            yield f"<{one.tag} {one.attributes}> has no name"


def _tables(elements):
    for one in elements:
        if one.tag == "table" and not any(inside.tag == "caption" for inside in one.inside):
            yield "a table has no caption"
        if one.tag == "th" and one.attributes.get("scope") not in ("row", "col"):
            yield f"<th> {one.text!r} is the head of nothing"
        if one.tag == "li" and one.parent.tag not in ("ul", "ol"):
            yield "<li> is in no list"


def colors(page):
    """Colours that can't be told from what is behind them, in any scheme the page has."""
    style = "".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    for scheme in _schemes(style):
        used = 0
        for rule in re.findall(r"\{([^{}]*)\}", style):
            ink, behind = _variable("color", rule), _variable("background(?:-color)?", rule)
            line = re.search(r"(?:border|outline)(?:-[a-z]+)*: [^;]*var\(--([a-z]+)\)", rule)
            ground = behind or "ground"
            if ink or behind:
                used += 1
                yield from _too_near(scheme, ink or "ink", ground, TEXT)
            if line:
                yield from _too_near(scheme, line[1], "ground", GRAPHIC)
        if not used:
            yield "no colour of the page is known"


def _variable(what, rule):
    found = re.search(rf"(?:^|[\s;]){what}: var\(--([a-z]+)\)", rule)
    return found and found[1]


def _schemes(style):
    """The custom properties in each scheme: as they are, and with what a dark screen changes."""
    plain, dark = {}, {}
    for place in re.finditer(r"(@media[^{]*\{\s*)?:root\s*\{([^}]*)\}", style):
        pairs = dict(re.findall(r"--([a-z]+): (#[0-9a-fA-F]{3,6})", place[2]))
        (dark if place[1] else plain).update(pairs)
    return [plain, {**plain, **dark}] if dark else [plain]


def _too_near(scheme, one, other, least):
    first, second = (_long(scheme[name]) for name in (one, other))
    if (ratio := contrast(first, second)) < least:
        yield f"--{one} on --{other} has {ratio:.2f}:1 and needs {least}"


def _long(color):
    return color if len(color) == 7 else "#" + "".join(2 * digit for digit in color[1:])
