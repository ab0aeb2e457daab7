"""Which worksheet is to be written, and how: frozen, checked once, shared by command and app."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from export.options import ROWS, THEMES, between, one_of

if TYPE_CHECKING:
    from engine.sentence import Sentence

__all__ = ["KEY", "SHEETS", "VARIANT_STYLES", "WorksheetOptions"]

VARIANT_STYLES = ("html", "csv")
"""The formats that variants can be written in, each as one file."""

SHEETS, KEY = "worksheets.html", "answers"


@dataclass(frozen=True)
class WorksheetOptions:
    """A worksheet that can be written as asked; ValueError says in one line what can't.

    style is one of `export.worksheets.ENDINGS`; of variants it may be None, which is a folder:
    sheets, key, and the key as a table. head and focuses (words to be worked out, the sentence's
    own unless given) are indices. variants is how many sheets there are, no two alike, None for
    the document's own numbers; seed says which.
    """

    sentence: Sentence
    head: int = 0
    style: str | None = "text"
    focuses: tuple[int, ...] = ()
    blank: bool = False
    variants: int | None = None
    seed: int = 0
    digits: int = 2
    rows: str = "queries"
    theme: str = "light"
    font_scale: float = 1.0

    def __post_init__(self) -> None:
        between("digits", self.digits, 0, 12)
        between("font-scale", self.font_scale, 0.5, 2)
        one_of("rows", self.rows, ROWS)
        one_of("theme", self.theme, (*THEMES, "both"))
        if self.seed < 0:
            raise ValueError(f"--seed {self.seed} is below 0: try --seed {-self.seed}")
        if self.variants is not None:
            between("variants", self.variants, 1, 1000)
            if self.style not in (None, *VARIANT_STYLES):
                raise ValueError(
                    f"--variants can't be written as {self.style}: "
                    f"try {' or '.join(VARIANT_STYLES)}"
                )

    def names(self, folder: Path) -> list[Path]:
        """The files of a folder of variants."""
        return [folder / SHEETS, folder / f"{KEY}.html", folder / f"{KEY}.csv"]

    def texts(self) -> list[str]:
        """What is to be written: one text, or the three of a folder of variants (see `names`).

        Raises ValueError where the sentence has no such worksheet.
        """
        if self.variants is None:
            return [self._own_numbers()]
        from export.worksheets.variant_pages import key_csv, variant_pages
        from export.worksheets.variants import make_variants

        made = list(make_variants(self.sentence, self.variants, self.seed, head=self.head))

        def pages(*, sheets: bool, key: bool) -> str:
            return variant_pages(
                self.sentence, made, self.seed, sheets=sheets, key=key, digits=self.digits,
                theme=self.theme, font_scale=self.font_scale,
            )  # fmt: skip

        if self.style == "csv":
            return [key_csv(made, self.digits)]
        if self.style == "html":
            return [pages(sheets=True, key=True)]
        return [
            pages(sheets=True, key=False),
            pages(sheets=False, key=True),
            key_csv(made, self.digits),
        ]

    def preview(self) -> str:
        """What is to be written, to be read as plain text; of variants the first sheet and its key.

        Raises ValueError where the sentence has no such worksheet.
        """
        if self.variants is None:
            style = "text" if self.style == "html" else self.style
            return replace(self, style=style).texts()[0]
        one = replace(self, variants=1)
        if self.style == "csv":
            return one.texts()[0]
        from export.worksheets.as_text import text_of
        from export.worksheets.variant_pages import variant_sheet
        from export.worksheets.variants import make_variants

        made = list(make_variants(self.sentence, 1, self.seed, head=self.head))
        return text_of(variant_sheet(self.sentence, made, self.seed, digits=self.digits))

    def _own_numbers(self) -> str:
        from export.worksheets import write_worksheet

        return write_worksheet(
            self.sentence, self.head, self.style or "text", focuses=self.focuses,
            digits=self.digits, rows=self.rows, blank=self.blank, theme=self.theme,
            font_scale=self.font_scale,
        )  # fmt: skip
