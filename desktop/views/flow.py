"""Controls in a row, that goes on in the next line where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

__all__ = ["FlowRow"]

SPACE, MARGIN = 8, 4


class FlowRow(QLayout):
    """Each widget as large as it wants to be; one added with `stretch` takes what a line leaves."""

    def __init__(self) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._stretched: QLayoutItem | None = None

    def add(self, widget: QWidget, *, stretch: bool = False) -> None:
        """At the end of the row."""
        self.addWidget(widget)
        if stretch:
            self._stretched = self._items[-1]

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(self._height(line) for line in lines) + SPACE * (len(lines) - 1) + 2 * MARGIN

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size + QSize(2 * MARGIN, 2 * MARGIN)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        y = rect.top() + MARGIN
        for line in self._lines(rect.width()):
            height = self._height(line)
            widths = [item.sizeHint().width() for item in line]
            left = rect.width() - 2 * MARGIN - sum(widths) - SPACE * (len(line) - 1)
            x = rect.left() + MARGIN
            for item, width in zip(line, widths):
                width += max(left, 0) if item is self._stretched else 0
                width = min(width, rect.width() - 2 * MARGIN)
                own = min(item.sizeHint().height(), height)
                item.setGeometry(QRect(QPoint(x, y + (height - own) // 2), QSize(width, own)))
                x += width + SPACE
            y += height + SPACE

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _height(self, line: list[QLayoutItem]) -> int:
        return max((item.sizeHint().height() for item in line), default=0)

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = [[]]
        room = width - 2 * MARGIN
        for item in self._shown():
            wants = item.sizeHint().width()
            if lines[-1] and wants > room:
                lines.append([])
                room = width - 2 * MARGIN
            lines[-1].append(item)
            room -= wants + SPACE
        return lines
