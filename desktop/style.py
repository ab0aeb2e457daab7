"""How the window's own furniture looks: tabs, bars, buttons, in the colours of a theme.

Panels paint themselves; what Fusion draws well in our palette is left to it.
"""

from __future__ import annotations

from pathlib import Path

from desktop.theme import Look
from engine.palette import blend

__all__ = ["style_sheet"]

_SIGNS = Path(__file__).parent / "signs"


def style_sheet(look: Look) -> str:
    """The style sheet of the whole application, at a look."""
    theme = look.theme
    line = blend(theme.panel, theme.ink, 0.14)
    raised = blend(theme.panel, theme.ink, 0.07)
    chosen = blend(theme.ground, theme.weight, 0.16)
    em = look.points
    # Fusion's own boxes can't be seen on a dark ground.
    tick = (_SIGNS / f"tick-{'dark' if theme.is_dark else 'light'}.svg").as_posix()
    return f"""
QMainWindow::separator {{ background: {theme.panel}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {theme.weight}; }}
QMenuBar {{ background: {theme.panel}; border: none; }}
QMenuBar::item {{ padding: {em * 0.3:.0f}px {em * 0.7:.0f}px; background: transparent; }}
QMenuBar::item:selected {{ background: {chosen}; color: {theme.ink}; border-radius: 4px; }}
QToolBar {{
    background: {theme.ground}; border: none; border-bottom: 1px solid {line};
    spacing: 0px; padding: 0px;
}}
QStatusBar {{ background: {theme.panel}; border-top: 1px solid {line}; }}
QStatusBar::item {{ border: none; }}
QMainWindow > QTabBar {{ background: {theme.panel}; }}
QMainWindow > QTabBar::tab {{
    color: {theme.dim}; background: transparent; border: none;
    border-bottom: 3px solid transparent;
    padding: {em * 0.35:.0f}px {em * 1.1:.0f}px;
}}
QMainWindow > QTabBar::tab:hover {{ color: {theme.ink}; background: {raised}; }}
QMainWindow > QTabBar::tab:selected {{
    color: {theme.ink}; border-bottom: 3px solid {theme.weight};
}}
QToolButton[segment="true"] {{
    color: {theme.dim}; background: {theme.ground}; border: 1px solid {line};
    padding: {em * 0.35:.0f}px {em * 0.9:.0f}px; margin: 0px; border-left-width: 0px;
}}
QToolButton[segment="true"][first="true"] {{
    border-left-width: 1px; border-top-left-radius: 6px; border-bottom-left-radius: 6px;
}}
QToolButton[segment="true"][last="true"] {{
    border-top-right-radius: 6px; border-bottom-right-radius: 6px;
}}
QToolButton[segment="true"]:hover {{ color: {theme.ink}; background: {raised}; }}
QToolButton[segment="true"]:checked {{
    color: {theme.ink}; background: {chosen}; border-bottom: 2px solid {theme.weight};
    font-weight: 600;
}}
QToolButton[segment="true"]:focus {{ border: 2px solid {theme.weight}; }}
QFrame#notice {{
    background: {chosen}; border: none; border-left: 4px solid {theme.weight};
    border-top: 1px solid {line};
}}
QFrame#notice[kind="wrong"] {{
    background: {blend(theme.ground, theme.highlight, 0.14)};
    border-left: 4px solid {theme.highlight};
}}
QFrame#card {{
    background: {theme.ground}; border: 2px solid {theme.weight}; border-radius: 8px;
}}
QLineEdit[frame="true"] {{
    background: {theme.ground}; border: 1px solid {theme.faint}; border-radius: 3px;
    padding: {em * 0.1 + 1:.0f}px {em * 0.25 + 1:.0f}px;
}}
QLineEdit[frame="true"]:focus {{
    border: 2px solid {theme.weight}; padding: {em * 0.1:.0f}px {em * 0.25:.0f}px;
}}
QCheckBox::indicator {{
    width: {em * 1.35:.0f}px; height: {em * 1.35:.0f}px;
    border: 1px solid {theme.faint}; border-radius: 3px; background: {theme.ground};
}}
QCheckBox::indicator:hover, QCheckBox::indicator:focus {{ border: 2px solid {theme.weight}; }}
QCheckBox::indicator:checked {{
    background: {theme.weight}; border: 1px solid {theme.weight}; image: url("{tick}");
}}
QFrame#card QTreeWidget::item {{ padding: {em * 0.28:.0f}px {em * 0.4:.0f}px; }}
QToolTip {{
    color: {theme.ink}; background: {theme.ground}; border: 1px solid {line}; padding: 3px;
}}
"""
