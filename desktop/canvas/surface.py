"""What a plane is drawn on: a picture that zooms, can be pushed, and says what a hand does."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QToolTip, QWidget

from desktop.canvas.lens import Lens, Pixel
from desktop.canvas.picture import Picture
from desktop.views.lettering import plain_tip

__all__ = ["Surface"]

WAY = 180
"""How long a fit is on its way, in milliseconds."""


class Surface(Picture):
    """A picture, and the lens that it is seen through.

    What is drawn is laid out anew when lens_changed is emitted. zoomed: by hand. The mouse is told
    of as it comes.
    """

    lens_changed = Signal()
    zoomed = Signal()
    resized = Signal()
    pressed = Signal(QMouseEvent)
    moved = Signal(QMouseEvent)
    released = Signal(QMouseEvent)
    left = Signal()
    menu_asked = Signal(QContextMenuEvent)
    focus_changed = Signal(QFocusEvent)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lens = Lens()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.grabGesture(Qt.GestureType.PinchGesture)
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
        self.lens_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        if self._way.state() != QVariantAnimation.State.Stopped:
            self._way.stop()
            self._look_through(self._to)
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._way.stop()
        width, height = max(1.0, self.width()), max(1.0, self.height())
        self._look_through(replace(self.lens, width=float(width), height=float(height)))
        self.resized.emit()

    def sizeHint(self) -> QSize:
        return QSize(470, 330)

    def minimumSizeHint(self) -> QSize:
        return QSize(75, 75)

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

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom(1 + event.value(), event.position())
                return True
        elif isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self.zoom(pinch.scaleFactor(), QPointF(self.mapFromGlobal(pinch.centerPoint())))
                return True
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            drawing = self.drawing_at(event.pos())
            QToolTip.showText(event.globalPos(), plain_tip(drawing.tip if drawing else ""), self)
            return True
        return super().event(event)
