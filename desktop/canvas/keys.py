"""What the keys do to a vector: pure functions of Qt's key codes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt

from desktop.canvas.gestures import turned

__all__ = ["moved_by_key"]

ACROSS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0),
          Qt.Key.Key_Down: (0, -1), Qt.Key.Key_Up: (0, 1)}  # fmt: skip


def moved_by_key(
    vector: Sequence[float], key: int, modifiers: Qt.KeyboardModifier
) -> list[float] | None:
    """A vector (of one number or two) after an arrow key; None where the key is no arrow.

    It moves by 0.1, with Shift by 1, with Ctrl by 0.01. With Alt left and right turn it by 5°
    (Ctrl: 1°), up and down make it a tenth (Ctrl: a hundredth) longer or shorter.
    """
    way = ACROSS.get(Qt.Key(key))
    if way is None:
        return None
    is_fine = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    if modifiers & Qt.KeyboardModifier.AltModifier:
        # To the left is anticlockwise, as angles are counted.
        by = 1.01 if is_fine else 1.1
        return turned(vector, -way[0] * (1.0 if is_fine else 5.0), by ** way[1])
    is_coarse = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
    step = 0.01 if is_fine else 1.0 if is_coarse else 0.1
    return [float(f"{x + step * d:.12g}") + 0.0 for x, d in zip(vector, way, strict=False)]
