"""A panel in its frame: a title that can be dragged, double-clicked, closed, and lit."""

from __future__ import annotations

from importlib import import_module

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QToolButton, QWidget

from desktop.document import Document
from desktop.panels import PanelPlace
from desktop.view_state import ViewState
from desktop.views.lettering import plain_tip, title_without_markup
from desktop.views.panel import Panel

__all__ = ["PanelDock", "focus_in", "has_focus", "let_go"]


class _TitleButton(QToolButton):
    """A small button that draws its own sign, so that it follows every theme."""

    def __init__(self, sign: str, name: str, state: ViewState, parent: QWidget) -> None:
        super().__init__(parent)
        self._sign = sign
        self._state = state
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setAutoRaise(True)
        # F6 goes round the panels; their buttons would triple the way.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        side = round(self.fontMetrics().height() * 1.1)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._state.look
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("grid"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.setPen(QPen(look.color("ink" if self.underMouse() else "dim"), 1.4 * look.stroke))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        side = min(self.width(), self.height()) * 0.32
        box = QRectF(0, 0, side, side)
        box.moveCenter(QRectF(self.rect()).center())
        if self._sign == "close":
            painter.drawLine(box.topLeft(), box.bottomRight())
            painter.drawLine(box.topRight(), box.bottomLeft())
        else:
            painter.drawRect(box.adjusted(-1, -1, 1, 1))


class _Title(QWidget):
    """A dock's title bar: tinted while a part of the formula that it works out is lit."""

    def __init__(self, dock: PanelDock) -> None:
        super().__init__(dock)
        self._state = dock.state
        self._dock = dock
        self.tinted = False
        self.fill = _TitleButton("fill", f"{dock.windowTitle()}: fill the window", dock.state, self)
        self.shut = _TitleButton("close", f"Close {dock.windowTitle()}", dock.state, self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 2, 4, 2)
        layout.setSpacing(2)
        layout.addStretch(1)
        layout.addWidget(self.fill)
        layout.addWidget(self.shut)
        self.fill.clicked.connect(dock.ask_to_fill)
        self.shut.clicked.connect(dock.close)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self._dock.ask_to_fill()

    # Left to the dock, which is dragged by them.
    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = self._state.look
        painter = QPainter(self)
        painter.fillRect(
            self.rect(), look.pale("highlight", 0.22) if self.tinted else look.color("panel")
        )
        edge = QRectF(0, 0, 4, self.height())
        if self.tinted:
            painter.fillRect(edge, look.color("highlight"))
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), look.color("grid"))
        painter.setFont(look.font(bold=True))
        painter.setPen(look.color("ink"))
        box = self.rect().adjusted(10, 0, self.fill.x() - self.width() - 6, 0)
        whole = self._dock.title
        shown = painter.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, box.width())
        place = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(box, place, shown)
        self.setToolTip(plain_tip(whole) if shown != whole else "")
        about = self._dock.place.about
        box.setLeft(box.left() + painter.fontMetrics().horizontalAdvance(f"{shown}  "))
        painter.setFont(look.font())
        if painter.fontMetrics().horizontalAdvance(about) <= box.width():
            painter.setPen(look.color("dim"))
            painter.drawText(box, place, about)


class PanelDock(QDockWidget):
    """A panel in its frame; the panel is made when it is first seen.

    wants_to_fill: its title was double-clicked. shut: it was closed by hand.
    """

    wants_to_fill = Signal(str)
    shut = Signal(str)

    def __init__(self, place: PanelPlace, document: Document, state: ViewState) -> None:
        super().__init__(place.name_in_menus)
        self.place = place
        self.state = state
        self._document = document
        self.panel: Panel | None = None
        self._pointed_at = False
        self.title = place.name_in_menus
        self.setObjectName(place.name)
        self.setAccessibleDescription(place.about)
        self.title_bar = _Title(self)
        self.setTitleBarWidget(self.title_bar)
        self.visibilityChanged.connect(self._catch_up)

    def made(self) -> Panel:
        """The panel, made now if it wasn't."""
        if self.panel is None:
            module, _, name = self.place.target.partition(":")
            make = getattr(import_module(module), name)
            self.panel = make(self._document, self.state, **dict(self.place.options))
            assert self.panel is not None
            self.setWidget(self.panel)
        return self.panel

    def focus(self) -> None:
        """Bring the panel to the front and give it the keyboard."""
        self.show()
        self.raise_()
        focus_in(self.made())

    def name_word(self, word: str) -> None:
        """The focus word is this one: the title may name it."""
        title = self.place.title.replace("{word}", word)
        if title != self.title:
            self.title = title
            self.setWindowTitle(title_without_markup(title))
            self.title_bar.update()

    def ask_to_fill(self) -> None:
        """Let the window know that this is to fill it, or no longer."""
        self.wants_to_fill.emit(self.place.name)

    def relight(self) -> None:
        """Tint the title, or no longer."""
        lit = self.state.lit
        is_lit = lit is not None and lit.step != "" and lit.step in self.place.lit_by
        tinted = is_lit or self._pointed_at
        if tinted != self.title_bar.tinted:
            self.title_bar.tinted = tinted
            self.title_bar.update()

    def point_at(self, pointed_at: bool) -> None:
        """Tint the title whatever is lit, or no longer: the tour speaks of this panel."""
        self._pointed_at = pointed_at
        self.relight()

    def _catch_up(self, is_seen: bool) -> None:
        """A panel behind another's tab doesn't follow the document."""
        if is_seen and self.panel is not None:
            self.panel.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        self.made()
        super().showEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.shut.emit(self.place.name)


def let_go(widget: QWidget) -> None:
    """End the drag of a widget, as if the mouse were released; without one, nothing."""
    nowhere = QPointF(-1, -1)
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    kind, keys = QEvent.Type.MouseButtonRelease, Qt.KeyboardModifier.NoModifier
    widget.event(QMouseEvent(kind, nowhere, nowhere, left, none, keys))


def focus_in(panel: QWidget) -> None:
    """Give the keyboard to a panel: to what it says itself, or to the first in it that takes it."""
    focus_first = getattr(panel, "focus_first", None)
    if focus_first is not None:
        focus_first()
        return
    widget: QWidget | None = panel
    while widget is not None and (widget is panel or panel.isAncestorOf(widget)):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(panel):
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        widget = widget.nextInFocusChain()


def has_focus(widget: QWidget) -> bool:
    """Whether the keyboard is in a widget."""
    focused = widget.window().focusWidget()
    return focused is not None and (focused is widget or widget.isAncestorOf(focused))
