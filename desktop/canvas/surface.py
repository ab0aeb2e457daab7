"""What a plane is drawn on: a picture that zooms, can be pushed, and says what a hand does."""

from __future__ import annotations

from dataclasses import replace

import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QGestureEvent,
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsView,
    QPinchGesture,
    QWidget,
)

from desktop.canvas.lens import Lens, Pixel

__all__ = ["Surface"]

WAY = 180
"""How long a fit is on its way, in milliseconds."""


class Surface(pyqtgraph.GraphicsView):
    """A picture in pixels, and the lens that it is seen through.

    What is drawn are children of `view_box`, in pixels of the picture, and is laid out anew when
    lens_changed is emitted. zoomed: by hand. The mouse is told of as it comes.
    """

    lens_changed = Signal()
    zoomed = Signal()
    resized = Signal()
    about_to_paint = Signal()
    pressed = Signal(QMouseEvent)
    moved = Signal(QMouseEvent)
    released = Signal(QMouseEvent)
    left = Signal()
    menu_asked = Signal(QContextMenuEvent)
    focus_changed = Signal(QFocusEvent)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self.lens = Lens()
        self.view_box = pyqtgraph.ViewBox(enableMenu=False, enableMouse=False, lockAspect=True)
        self.view_box.disableAutoRange()
        self.setCentralItem(self.view_box)
        # The picture fills the widget, which clips it already.
        self.view_box.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape, False)
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)
        self._way = QVariantAnimation(self)
        self._way.setDuration(WAY)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.valueChanged.connect(self._on_the_way)
        self._from = self._to = self.lens

    # The lens

    def set_lens(self, lens: Lens, *, animated: bool = False) -> None:
        """See this piece of the plane; animated: go there, don't jump."""
        self._way.stop()
        if animated and self.isVisible():
            self._from, self._to = self.lens, lens
            self._way.start()
        elif lens != self.lens:
            self._look_through(lens)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Nearer (factor above 1) or farther, around a pixel; around the middle where None."""
        at = QPointF(self.width() / 2, self.height() / 2) if at is None else at
        self.set_lens(self.lens.zoomed(factor, at.toTuple()))
        self.zoomed.emit()

    @property
    def size_in_pixels(self) -> Pixel:
        """How large the picture is."""
        return self.lens.width, self.lens.height

    def _on_the_way(self, share: float) -> None:
        # Slow at both ends.
        eased = share * share * (3 - 2 * share)
        self._look_through(self._to if share == 1 else self._from.towards(self._to, eased))

    def _look_through(self, lens: Lens) -> None:
        self.lens = lens
        across, down = lens.ranges
        self.view_box.setRange(xRange=across, yRange=down, padding=0)
        self.lens_changed.emit()

    def hideEvent(self, event: QEvent) -> None:
        if self._way.state() != QVariantAnimation.State.Stopped:
            self._way.stop()
            self._look_through(self._to)
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        # pyqtgraph calls this before there is a lens.
        if event is not None:
            self._way.stop()
            width, height = max(1.0, self.width()), max(1.0, self.height())
            self._look_through(replace(self.lens, width=float(width), height=float(height)))
            self.resized.emit()

    # What a hand does: none of it is for the scene

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.moved.emit(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.released.emit(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_asked.emit(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()  # the plane takes keys

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        if turned:
            self.zoom(1.0015**turned, event.position())
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom(1 + event.value(), event.position())
                return True
        elif isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self.zoom(pinch.scaleFactor(), QPointF(self.mapFromGlobal(pinch.centerPoint())))
                return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.about_to_paint.emit()
        # Past pyqtgraph's, which makes ready what lies in the units of the view box: nothing.
        QGraphicsView.paintEvent(self, event)
