"""Text that is drawn often: measured, cut to its room and laid out once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QStaticText, QTransform

from desktop.theme import Look
from scenes.direction import contained

__all__ = ["Lettering", "Written", "apart", "lettering", "plain_tip", "title_without_markup"]

MOST_TEXTS = 5000
SIZES = (1.0, 0.9, 0.8, 0.72, 0.64)
"""Texts may be so much smaller than ordinary text."""
NAME_SIZES = SIZES[:4]
"""Names are read from the last row of a class: they don't become as small as numbers may."""
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A text ready to be drawn, its upper left corner at a point; full is all of it.

    static: laid out once; None for a number, which is drawn as it comes.
    """

    static: QStaticText | None
    font: QFont
    width: float
    height: float
    ascent: float
    full: str
    is_cut: bool = False

    def draw(self, painter: QPainter, x: float, y: float) -> None:
        """Draw it in the painter's pen; whole pixels, so that letters look alike everywhere."""
        painter.setFont(self.font)
        if self.static is None:
            painter.drawText(round(x), round(y + self.ascent), self.full)
        else:
            painter.drawStaticText(round(x), round(y), self.static)


class Lettering:
    """Texts in one look; `lettering(look)` keeps one of these for all panels."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._metrics: dict[tuple[float, bool], QFontMetricsF] = {}
        self._heights: dict[float, float] = {}
        self._signs: dict[float, dict[str, float]] = {}
        self._written: dict[tuple[str, float, bool, float], Written] = {}

    def write(self, text: str, scale: float = 1.0, *, bold: bool = False) -> Written:
        """All of `text`."""
        return self._kept(text, scale, bold, math.inf)

    def ready(self, text: str, scale: float = 1.0, *, bold: bool = False) -> QStaticText:
        """All of `text` laid out, for those who have set its font."""
        static = self.write(text, scale, bold=bold).static
        assert static is not None
        return static

    def cut(self, text: str, width: float, scale: float = 1.0, *, bold: bool = False) -> Written:
        """As much of `text` as `width` holds, ended with "…" where that isn't all."""
        written = self._kept(text, scale, bold, math.inf)
        return written if written.width <= width else self._kept(text, scale, bold, width)

    def name(self, text: str, room: float, scale: float = 1.0, *, bold: bool = False) -> Written:
        """All of a name, a little smaller where that lets it fit, else cut."""
        for size in (scale, *(size for size in NAME_SIZES if size < scale)):
            if self.width(text, size, bold=bold) <= room:
                return self.write(text, size, bold=bold)
        return self.cut(text, room, scale, bold=bold)

    def shortened(self, text: str, width: float, scale: float = 1.0, *, bold: bool = False) -> str:
        """`text` as `cut` shows it."""
        if self.write(text, scale, bold=bold).width <= width:
            return text
        metrics = self.metrics(scale, bold=bold)
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width) or ELLIPSIS

    def fit(self, texts: Sequence[str], room: float, *, bold: bool = False) -> Written:
        """The first of `texts`, each shorter than the one before, that fits, a little smaller if
        need be; where none does, as much of the last as has room.
        """
        for text in texts:
            for size in SIZES[:2] if text != texts[-1] else SIZES:
                if bold and self.width(text, size, bold=True) <= room:
                    return self.write(text, size, bold=True)
                if not bold and self.number_width(text, size) <= room:
                    return self.number(text, size)
        return self.cut(texts[-1], room, SIZES[-1], bold=bold)

    def number(self, text: str, scale: float = 1.0) -> Written:
        """A number, or a list of them: not kept, since the next step of a drag has another."""
        metrics = self.metrics(scale)
        font, width = self._look.font(scale), self.number_width(text, scale)
        return Written(None, font, width, self.height(scale), metrics.ascent(), text)

    def number_width(self, text: str, scale: float = 1.0) -> float:
        """How wide a number is: its signs stand side by side, none moves closer to another."""
        signs = self._signs.setdefault(scale, {})
        try:
            return sum([signs[sign] for sign in text])
        except KeyError:
            metrics = self.metrics(scale)
            signs.update({sign: metrics.horizontalAdvance(sign) for sign in text})
            return sum([signs[sign] for sign in text])

    def width(self, text: str, scale: float = 1.0, *, bold: bool = False) -> float:
        """How wide all of `text` is."""
        return self.write(text, scale, bold=bold).width

    def height(self, scale: float = 1.0) -> float:
        """The height of a line."""
        height = self._heights.get(scale)
        if height is None:
            height = self._heights[scale] = self.metrics(scale).height()
        return height

    def metrics(self, scale: float = 1.0, *, bold: bool = False) -> QFontMetricsF:
        """The measures of the font."""
        metrics = self._metrics.get((scale, bold))
        if metrics is None:
            metrics = QFontMetricsF(self._look.font(scale, bold=bold))
            self._metrics[scale, bold] = metrics
        return metrics

    def _kept(self, text: str, scale: float, bold: bool, width: float) -> Written:
        key = (text, scale, bold, width)
        written = self._written.get(key)
        if written is None:
            if len(self._written) > MOST_TEXTS:
                self._written.clear()
            written = self._written[key] = self._laid_out(text, width, scale, bold)
        return written

    def _laid_out(self, text: str, width: float, scale: float, bold: bool) -> Written:
        font, metrics = self._look.font(scale, bold=bold), self.metrics(scale, bold=bold)
        shown = text if width == math.inf else self.shortened(text, width, scale, bold=bold)
        static = QStaticText(shown)
        static.setTextFormat(Qt.TextFormat.PlainText)
        static.prepare(QTransform(), font)
        size = static.size()
        return Written(
            static, font, size.width(), size.height(), metrics.ascent(), text, shown != text
        )


@lru_cache(maxsize=4)
def lettering(look: Look) -> Lettering:
    """The texts of a look."""
    return Lettering(look)


def apart(word: str) -> str:
    """A word to be put into a sentence: one written from right to left turns nothing around it."""
    return f"\u2068{contained(word)}\u2069"


def plain_tip(text: str) -> str:
    """A tooltip that says just this, wrapped: a word may look like markup."""
    return f"<p>{escape(text)}</p>" if text else ""


def title_without_markup(text: str) -> str:
    """A title of a dock, of which Qt makes a tab and its tooltip: no & is a key, and a joiner that
    nobody sees keeps what looks like a tag from being one."""
    return text.replace("&", "&&\u2060").replace("<", "<\u2060")
