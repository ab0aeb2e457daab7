"""The heads as tabs, each with its weights in small."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QTabBar, QWidget

from desktop import edits
from desktop.document import Document
from desktop.theme import Look
from desktop.view_state import ViewState
from desktop.views.fills import hatching, shade_of, shades
from desktop.views.lettering import plain_tip
from desktop.views.wheel import guard_wheel
from engine import Attention, attention_of
from engine.masks import BoolArray
from engine.notation import write_share
from engine.softmax import FloatArray

__all__ = ["HeadTabs"]


class HeadTabs(QTabBar):
    """One tab a head; the current one is the document's. Double click or F2 renames."""

    def __init__(self, document: Document, state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._state = document, state
        self._attentions: list[Attention] = []
        self._known: list[object] = []
        self._look: Look | None = None
        self.editor: QLineEdit | None = None
        self._renamed = -1
        self.setAccessibleName("heads")
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.currentChanged.connect(self._choose)
        self.tabBarDoubleClicked.connect(self.rename)
        guard_wheel(self)

    # What there is now

    def refresh(self) -> None:
        """Show the heads as they are now."""
        sentence, look = self._document.sentence, self._state.look
        names = [head.name for head in sentence.heads]
        is_different = look != self._look or names != [self.name_of(i) for i in range(self.count())]
        self._look = look
        self._work_out()
        self.blockSignals(True)
        if is_different:
            self.setFont(look.font())
            while self.count() > len(names):
                self.removeTab(self.count() - 1)
            for index, name in enumerate(names):
                if index == self.count():
                    self.addTab("")
                # One & would be a key that leads here.
                self.setTabText(index, name.replace("&", "&&"))
                self.setTabToolTip(index, plain_tip(f"{name}: double click to rename"))
            self.close_editor()
        self.setCurrentIndex(self._document.head)
        self.blockSignals(False)
        if self._document.before is None:
            for index in range(len(names)):
                self.setAccessibleTabName(index, self._said(index))
        self.update()

    def name_of(self, index: int) -> str:
        """What a tab says."""
        return self.tabText(index).replace("&&", "&")

    def _work_out(self) -> None:
        """The attention of each head, anew only where something in it is different."""
        s = self._document.sentence
        shared = (s.embeddings, s.mask, s.positions, s.scaled, s.causal, s.temperature)
        known = [(head, shared) for head in s.heads]
        old = dict(zip(range(len(self._known)), zip(self._known, self._attentions)))
        attentions = []
        for index, key in enumerate(known):
            was = old.get(index)
            if index == self._document.head:
                attentions.append(self._document.calculation.attention)
            elif was is not None and was[0] == key:
                attentions.append(was[1])
            else:
                attentions.append(attention_of(s, index))
        self._known, self._attentions = list(known), attentions

    def _said(self, index: int) -> str:
        """A head in words: whom the focus word listens to most."""
        sentence = self._document.sentence
        weights = self._attentions[index].weights[sentence.focus]
        most = int(np.argmax(weights))
        focus, heard = edits.name_of(sentence, sentence.focus), edits.name_of(sentence, most)
        share = write_share(float(weights[most]), self._document.calculation.digits)
        if not weights[most]:
            return f"{sentence.heads[index].name}: {focus} may listen to nothing"
        return f"{sentence.heads[index].name}: {focus} listens most to {heard}, {share}"

    def _choose(self, index: int) -> None:
        self._document.set_head(index)
        if 0 <= index < len(self._attentions):
            self._state.announce(f"head {self._said(index)}")

    # How it looks

    def _side(self) -> int:
        return round(2.6 * self.fontMetrics().height())

    def _pad(self) -> int:
        return round(0.4 * self.fontMetrics().height())

    def tabSizeHint(self, index: int) -> QSize:
        """The small grid, and the name beside it up to some twenty letters."""
        bold = QFontMetricsF(self._state.look.font(bold=True))
        name = min(bold.horizontalAdvance(self.name_of(index)), 14 * bold.averageCharWidth())
        pad = self._pad()
        return QSize(self._side() + round(name) + 4 * pad, self._side() + 2 * pad)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """As wide as it wants to be: more of them scroll."""
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Every tab that is in sight."""
        painter = QPainter(self)
        for index in range(min(self.count(), len(self._attentions))):
            rect = self.tabRect(index)
            if rect.intersects(event.rect()):
                self._paint_tab(painter, index, rect)

    def _paint_tab(self, painter: QPainter, index: int, rect: QRect) -> None:
        look, pad, side = self._state.look, self._pad(), self._side()
        is_current = index == self.currentIndex()
        if is_current:
            painter.fillRect(rect, look.color("ground"))
            line = round(3 * look.stroke)
            painter.fillRect(
                rect.left(), rect.bottom() - line + 1, rect.width(), line, look.color("weight")
            )
        grid = QRect(rect.left() + pad, rect.top() + pad, side, side)
        self._paint_weights(painter, grid, self._attentions[index])
        painter.setFont(look.font(bold=is_current))
        painter.setPen(look.color("ink" if is_current else "dim"))
        room = QRect(
            grid.right() + pad, rect.top(), rect.right() - grid.right() - 2 * pad, rect.height()
        )
        metrics = QFontMetricsF(look.font(bold=is_current))
        name = metrics.elidedText(self.name_of(index), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        if is_current and self.hasFocus():
            painter.setPen(QPen(look.color("weight"), look.stroke, Qt.PenStyle.DotLine))
            painter.drawRect(QRectF(rect).adjusted(1.5, 1.5, -1.5, -1.5 - 3 * look.stroke))

    def _paint_weights(self, painter: QPainter, box: QRect, attention: Attention) -> None:
        look = self._state.look
        painter.fillRect(box, look.color("ground"))
        weights, mask = attention.weights, attention.mask
        if not self._state.rows_are_queries:
            weights, mask = weights.T, None if mask is None else mask.T
        if mask is not None and not mask.all():
            ratio = self.devicePixelRatioF()
            painter.drawImage(box, hatching(look, box.width(), box.height(), ratio))
        painter.drawImage(box, _picture(look, weights, mask))
        painter.setPen(QPen(look.color("faint"), look.stroke))
        painter.drawRect(QRectF(box).adjusted(-0.5, -0.5, 0.5, 0.5))

    # Renaming

    def rename(self, index: int) -> None:
        """Type another name for a head."""
        if not 0 <= index < self.count():
            return
        self.close_editor()
        self._renamed = index
        editor = QLineEdit(self.name_of(index), self)
        editor.setAccessibleName(f"name of head {index + 1}")
        editor.setFont(self._state.look.font())
        editor.setGeometry(self.tabRect(index).adjusted(self._side() + self._pad(), 4, -2, -4))
        editor.selectAll()
        editor.installEventFilter(self)
        editor.show()
        self.editor = editor
        editor.setFocus()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Enter takes the name, Esc doesn't, leaving takes it if it can be."""
        if watched is self.editor and self.editor is not None:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                    if self._take_name():
                        self.setFocus()
                    return True
                if event.key() == Qt.Key.Key_Escape:
                    self.close_editor()
                    self.setFocus()
                    return True
            elif event.type() == QEvent.Type.FocusOut:
                self._take_name()
                self.close_editor()
        return False

    def _take_name(self) -> bool:
        if self.editor is None:
            return True
        try:
            edit = edits.rename_head(self._document.kept, self._renamed, self.editor.text().strip())
            self._document.edit(edit)
        except (ValueError, IndexError) as error:
            self._state.announce(str(error))
            return False
        self.close_editor()
        return True

    def close_editor(self) -> None:
        """Leave the name as it is."""
        editor, self.editor = self.editor, None
        if editor is not None:
            editor.removeEventFilter(self)
            editor.hide()
            editor.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames; arrows go from head to head."""
        if event.key() == Qt.Key.Key_F2:
            self.rename(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The editor would be elsewhere."""
        self.close_editor()
        super().resizeEvent(event)


def _picture(look: Look, weights: FloatArray, mask: BoolArray | None) -> QImage:
    """A pixel a cell, transparent where it is masked."""
    table = np.array([fill.rgb() for fill, _ in shades(look)], dtype=np.uint32)
    pixels = table[shade_of(weights)]
    if mask is not None:
        pixels = np.where(mask, pixels, np.uint32(0))
    height, width = pixels.shape
    # The bytes are ours only until here, so that the picture must have its own.
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32).copy()
