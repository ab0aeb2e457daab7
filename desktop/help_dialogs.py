"""Help ▸ Keys and Help ▸ About."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.actions import ACTIONS, keys_in_words

__all__ = ["IN_PANELS", "KeysDialog", "show_about"]

IN_PANELS = (
    ("On an arrow", (
        ("Move the tip", "Arrow keys"),
        ("Ten times as far", "Shift+Arrow keys"),
        ("A tenth as far", "Ctrl+Arrow keys"),
        ("Turn it", "Alt+Arrow keys"),
        ("The next arrow", "Tab"),
        ("Give up a drag", "Esc"),
    )),
    ("On a grid", (
        ("Forbid or allow a cell", "M"),
        ("Keep a cell lit", "Space"),
        ("Choose a word", "1 … 9"),
    )),
    ("On the words", (("Choose a word", "1 … 9"), ("Rename it in place", "F2"))),
    ("On the heads", (("Rename a head in place", "F2"),)),
)  # fmt: skip
"""Keys that hold only where the keyboard is."""


class KeysDialog(QDialog):
    """All keys, by menu; it stays open beside the work."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keys")
        self.list = QTreeWidget()
        self.list.setColumnCount(2)
        self.list.setHeaderLabels(["What", "Keys"])
        self.list.setAccessibleName("Keys")
        sections: dict[str, list[tuple[str, str]]] = {}
        for action in ACTIONS:
            if action.keys:
                menu, _, inner = action.menu.partition("/")
                text = action.text.replace("&", "")
                named = f"{inner}: {text}" if inner else text
                sections.setdefault(menu, []).append((named, keys_in_words(action)))
        for head, keys in (*((name, tuple(rows)) for name, rows in sections.items()), *IN_PANELS):
            section = QTreeWidgetItem([head])
            for row in keys:
                section.addChild(QTreeWidgetItem(list(row)))
            self.list.addTopLevelItem(section)
        self.list.expandAll()
        self.list.resizeColumnToContents(0)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.list)
        layout.addWidget(buttons)
        line = self.fontMetrics().height()
        self.resize(30 * line, 36 * line)


def show_about(parent: QWidget) -> None:
    """What byhand is, and which version this is."""
    try:
        number = version("byhand")
    except PackageNotFoundError:
        number = ""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle("About byhand")
    box.setText(f"byhand {number}".strip())
    box.setInformativeText(
        "Attention drawn by hand: a few words, vectors of two numbers, and every step of "
        "softmax(Q Kᵀ / √d_k) V to move, watch, print and check.\n\nIt runs no language model."
    )
    box.setStandardButtons(QMessageBox.StandardButton.Close)
    box.setModal(False)
    box.show()
