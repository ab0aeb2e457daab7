"""The transcript as a PDF to hand out: a beat a row, its still beside its words, set by Typst.

No text of a user's becomes markup: all of it reaches Typst as data.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import fontpkg
import typst

from engine.sentence import Sentence
from export.transcript import Part, clock
from scenes.parts.typeset import FONTS

__all__ = ["write_handout"]

_LAYOUT = """\
#let data = json("data.json")
#set document(title: data.title, description: data.document, date: none)
#set page(paper: "a4", margin: (x: 16mm, y: 18mm), footer: context align(center,
  text(size: 8pt, fill: luma(90), counter(page).display())))
#set text(font: data.fonts, size: 10pt, lang: "en", hyphenate: false)
#set par(leading: 0.55em)
#show heading.where(level: 1): set text(size: 18pt, weight: 650)
#show heading.where(level: 2): it => block(above: 14pt, below: 8pt, text(size: 13pt,
  weight: 650, it.body))
#heading(level: 1, text(data.title))
#text(fill: luma(90), text(data.words))
#for part in data.parts {
  heading(level: 2, text(part.title))
  for row in part.rows {
    block(breakable: false, width: 100%, above: 0pt, below: 0pt, inset: (y: 5pt),
      stroke: (top: 0.5pt + luma(150)),
      grid(columns: (86mm, 1fr), column-gutter: 6mm,
        box(stroke: 0.5pt + luma(150), image(row.still, width: 100%, height: row.height * 1mm,
          fit: "contain", alt: row.alt)),
        {
          text(weight: 650, row.title)
          h(1fr)
          text(fill: luma(90), size: 8pt, row.time)
          parbreak()
          text(row.caption)
          parbreak()
          text(size: 8pt, fill: luma(70), row.seen.map(text).join(linebreak()))
        }))
  }
}
"""


def write_handout(
    title: str,
    sentence: Sentence,
    parts: Sequence[Part],
    target: Path,
    *,
    document: str | None = None,
) -> None:
    """Write the parts as a PDF at `target`; the same parts give the same bytes.

    The document stands in the PDF as its subject.
    """
    with tempfile.TemporaryDirectory(prefix="byhand-", dir=target.parent) as name:
        folder = Path(name)
        data = {
            "title": title,
            "words": " ".join(sentence.words),
            "document": document,
            "fonts": list(FONTS),
            "parts": [
                {"title": part.title, "rows": _rows(part, number, folder)}
                for number, part in enumerate(parts)
            ],
        }
        (folder / "data.json").write_text(json.dumps(data, ensure_ascii=False), "utf-8")
        (folder / "main.typ").write_text(_LAYOUT, "utf-8")
        pdf = typst.compile(
            str(folder / "main.typ"),
            root=str(folder),
            font_paths=[str(fontpkg.path("Inter", nearest=True).parent)],
            format="pdf",
        )
    assert isinstance(pdf, bytes)
    target.write_bytes(pdf)


def _rows(part: Part, number: int, folder: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for index, row in enumerate(part.rows):
        still = f"{number}-{index}.png"
        (folder / still).write_bytes(row.still)
        width, height = row.size
        rows.append(
            {
                "title": row.title,
                "time": clock(row.start),
                "caption": row.caption,
                "seen": list(row.seen),
                "alt": row.alt,
                "still": still,
                # As wide as its column, unless it were too high.
                "height": min(86.0 * height / width, 100.0),
            }
        )
    return rows
