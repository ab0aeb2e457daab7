"""What cells and bars are filled with: a shade for a weight, hatching for what is masked."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from desktop.theme import Look
from engine.softmax import FloatArray

__all__ = ["hatching", "shade_of", "shades"]

SHADES = 256
GAP = 7
"""Between two lines of hatching, in pixels at a text size of 100 %."""


@lru_cache(maxsize=4)
def shades(look: Look) -> tuple[tuple[QColor, QColor], ...]:
    """(fill, ink) of a cell for each shade from weight 0 to weight 1."""
    return tuple(look.weight(place / (SHADES - 1)) for place in range(SHADES))


def shade_of(weights: FloatArray) -> NDArray[np.intp]:
    """Which of `shades` each weight has; any shape."""
    return np.rint(weights * (SHADES - 1)).astype(np.intp)


@lru_cache(maxsize=64)
def hatching(look: Look, width: int, height: int, ratio: float) -> QImage:
    """A masked area of so many pixels (times the screen's ratio): slanted lines on the ground."""
    image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(look.color("ground"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(look.color("faint"), look.stroke, Qt.PenStyle.SolidLine))
    for start in range(-height, width, round(GAP * max(1.0, look.text_size))):
        painter.drawLine(start, height, start + height, 0)
    painter.end()
    return image
