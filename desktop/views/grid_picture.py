"""All that a grid of weights shows, as data: two of them tell what has to be drawn anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from desktop.theme import Look
from desktop.views.fills import shade_of, shades
from desktop.views.grid_layout import NUMBERS_END, GridLayout, lay_out
from desktop.views.lettering import lettering
from desktop.views.shares import write_changes, write_shares
from engine import Attention
from engine.notation import write_share
from engine.softmax import FloatArray

__all__ = ["MASKED", "WAITING", "Cell", "GridPicture", "grid_picture"]

SMALLEST, TINIEST = 0.72, 0.6
"""Numbers may be so much smaller than text at 100 %; "<0.01", which is longer, a little more."""
AXIS, AXIS_ROOM, NAME_ROOM = 0.85, 15.0, 11.0
"""The size of the axes' names; they, and the words, shrink in fewer lines of room than these."""
STRIPE = 5
"""From one line of hatching to the next, in pixels, where cells are small."""

WAITING, MASKED = -1, -2
"""In place of a shade: a row that isn't shown yet, a cell that may not be looked at."""

Cell = tuple[int, bool, str, str]
"""What a cell shows: its shade (or WAITING, MASKED), whether a drag changed it, number, change."""


@dataclass(frozen=True)
class GridPicture:
    """Cells are row by row as on the screen; where there are too many, image holds them.

    rows_listen: rows are queries. is_one_word: only the focus word's line is shown. name and axis:
    the sizes of words and of the axes' names. scale and tiny_scale: those of numbers and of
    "<0.01", 0 where they have no room.
    """

    look: Look
    layout: GridLayout
    words: tuple[str, ...]
    focus: int
    rows_listen: bool
    is_one_word: bool
    caption: str
    name: float
    axis: float
    scale: float
    tiny_scale: float
    cells: tuple[Cell, ...]
    image: QImage | None = None

    def place(self, listens: int | None, heard: int | None) -> tuple[int | None, int | None]:
        """The row and column of a cell; and, the other way round, the cell of a row and column."""
        return (listens, heard) if self.rows_listen else (heard, listens)

    @property
    def down(self) -> tuple[str, str]:
        """What the rows are, on two lines."""
        return _down(self.rows_listen)

    def differs_in_cells_alone(self, other: GridPicture) -> bool:
        """Whether names, lines and places are the same, so that only cells are drawn anew."""
        return self.image is None and all(
            getattr(self, name) == getattr(other, name)
            for name in ("look", "layout", "words", "focus", "rows_listen", "is_one_word",
                         "caption", "name", "axis", "scale", "tiny_scale", "image")
        )  # fmt: skip


def grid_picture(
    attention: Attention, before: Attention | None, words: tuple[str, ...], focus: int, *,
    rows_listen: bool, is_one_word: bool, caption: str, digits: int, look: Look,
    size: tuple[int, int], ratio: float,
) -> GridPicture:  # fmt: skip
    """Work out what is shown of the weights; before: those that a drag began with."""
    n = len(words)
    name, axis, layout, scale, tiny = _sizes(words, rows_listen, digits, look, size)

    def turned(rows: NDArray) -> NDArray:
        return rows if rows_listen else rows.T

    weights = turned(attention.weights)
    hidden = np.zeros((n, n), np.bool_) if attention.mask is None else turned(~attention.mask)
    waiting = np.full((n, n), is_one_word)
    waiting[focus] = False
    waiting = turned(waiting)
    if n >= NUMBERS_END:
        shown = np.where(waiting, 0.0, weights)
        image = _image(shown, hidden & ~waiting, layout, look, ratio)
        return GridPicture(
            look,
            layout,
            words,
            focus,
            rows_listen,
            is_one_word,
            caption,
            name,
            axis,
            scale,
            tiny,
            (),
            image,
        )
    shade = np.where(waiting, WAITING, np.where(hidden, MASKED, shade_of(weights)))
    texts = write_shares(weights, digits) if scale else [""] * n**2
    changed, changes = [False] * n**2, [""] * n**2
    if before is not None and before.weights.shape == attention.weights.shape:
        was = turned(before.weights)
        changed = (np.abs(weights - was) >= 0.5 * 0.1**digits).ravel().tolist()
        line = slice(focus * n, focus * n + n) if rows_listen else slice(focus, None, n)
        changes[line] = write_changes(before.weights[focus], attention.weights[focus], digits)
    cells = tuple(zip(shade.ravel().tolist(), changed, texts, changes))
    return GridPicture(
        look,
        layout,
        words,
        focus,
        rows_listen,
        is_one_word,
        caption,
        name,
        axis,
        scale,
        tiny,
        cells,
    )


@lru_cache(maxsize=8)
def _sizes(
    words: tuple[str, ...], rows_listen: bool, digits: int, look: Look, size: tuple[int, int]
) -> tuple[float, float, GridLayout, float, float]:
    """Size of words and of the axes' names, the layout, size of numbers and of "<0.01"."""
    letters = lettering(look)
    name = _shrunk(1.0, size[1] / letters.height() / NAME_ROOM, look)
    axis = _shrunk(AXIS, size[1] / letters.height() / AXIS_ROOM, look)
    layout = lay_out(
        *size, len(words), line=letters.height(name),
        widest_name=max(letters.width(word, name, bold=True) for word in words),
        narrowest=max(letters.width(text, axis) for text in _down(rows_listen)),
    )  # fmt: skip
    if len(words) >= NUMBERS_END:
        return name, axis, layout, 0.0, 0.0
    return name, axis, layout, *_scales(layout, look, digits, name)


def _down(rows_listen: bool) -> tuple[str, str]:
    return ("who", "listens ↓") if rows_listen else ("who is", "heard ↓")


def _shrunk(scale: float, room: float, look: Look) -> float:
    """A size where there is only a share of the room it wants; still readable."""
    return max(round(20 * scale * min(1.0, room)) / 20, _smallest(SMALLEST, look))


def _smallest(scale: float, look: Look) -> float:
    """The smallest size: larger text may shrink more, and be as readable."""
    return max(scale / max(look.text_size, 1.0), 0.4 * scale)


def _scales(layout: GridLayout, look: Look, digits: int, most: float) -> tuple[float, float]:
    """The size of the numbers, at most `most`, and of "<0.01"; 0 where there is no room."""
    letters = lettering(look)
    high = (layout.cell_height - 1) / letters.height()
    text = max(look.text_size, 1.0)
    usual, tiny = (
        min(most, (layout.cell_width - spare) / letters.width(write_share(weight, digits)), high)
        for weight, spare in ((0.5, 5 * text), (1e-99, 2 * text))
    )
    fits = usual >= _smallest(SMALLEST, look) and tiny >= _smallest(TINIEST, look)
    return (usual, tiny) if fits else (0.0, 0.0)


def _image(
    weights: FloatArray, hidden: NDArray[np.bool_], layout: GridLayout, look: Look, ratio: float
) -> QImage:
    """All cells without lines or numbers; weights and hidden as they lie on the screen."""
    table = np.array([fill.rgb() for fill, _ in shades(look)], dtype=np.uint32)
    down, across = (
        np.repeat(np.arange(layout.count), np.diff(np.rint(np.array(edges) * ratio).astype(int)))
        for edges in (layout.ys, layout.xs)
    )
    pixels = table[shade_of(weights)][down[:, None], across]
    if hidden.any():
        rows, columns = np.ogrid[: len(down), : len(across)]
        is_line = (rows + columns) % round(STRIPE * ratio) < max(1.0, look.stroke) * ratio
        ground, line = np.uint32(look.color("ground").rgb()), np.uint32(look.color("faint").rgb())
        pixels = np.where(hidden[down[:, None], across], np.where(is_line, line, ground), pixels)
    pixels = np.ascontiguousarray(pixels)
    height, width = pixels.shape
    if not pixels.size:
        return QImage()
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32).copy()
    image.setDevicePixelRatio(ratio)
    return image
