"""Lines of Python on the board, in a typewriter's letters; one statement is lit at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from manim import Typst, VGroup

from engine.palette import Theme
from scenes.parts.layout import Box

__all__ = ["Code"]

PITCH, LEADING, APART = 0.602, 1.3, 0.45
"""A letter's width, a line's height, and the room between statements, in em."""


class Code(VGroup):
    """Statements under one another from the top of `box`, each (as one line, broken in lines).

    All stand as one line each where that fits at `size`, else broken. roles: name → the role
    whose colour it has where its statement is lit. `bottom` is where the last one ends.
    """

    def __init__(
        self,
        statements: Sequence[tuple[str, str]],
        roles: Mapping[str, str],
        box: Box,
        theme: Theme,
        size: float,
    ) -> None:
        super().__init__()
        self.theme, self.roles = theme, roles
        whole, broken = ([pair[i].split("\n") for pair in statements] for i in (0, 1))
        texts = whole if _widest(whole) * size <= box.width else broken
        self.em = min(size, box.width / _widest(texts))
        self.sources = ["\n".join(lines) for lines in texts]
        self.statements, y = VGroup(), box.top
        for lines in texts:
            statement = VGroup()
            for line in lines:
                y -= LEADING * self.em
                statement.add(self._line(line, box.left, y))
            self.statements.add(statement)
            y -= APART * self.em
        self.bottom = y
        self.add(self.statements)
        self.light(-1)

    def light(self, which: int) -> Code:
        """Light statement `which`, names in their roles' colours; dim the others."""
        for i, (source, statement) in enumerate(zip(self.sources, self.statements)):
            is_lit = i == which
            statement.set_color(self.theme.ink if is_lit else self.theme.dim)
            for name, role in self.roles.items() if is_lit else ():
                for line, glyphs in zip(source.split("\n"), statement):
                    for match in re.finditer(rf"\b{name}\b", line):
                        start = len(line[: match.start()].replace(" ", ""))
                        glyphs[start : start + len(name)].set_color(self.theme.role(role))
        return self

    def _line(self, line: str, left: float, baseline: float) -> VGroup:
        """One line; an x before it, which is then taken away, tells size and baseline."""
        quoted = line.strip().replace("\\", "\\\\").replace('"', '\\"')
        glyphs = Typst(
            f'#text(font: "DejaVu Sans Mono", ligatures: false, "x{quoted}")',
            color=self.theme.ink,
        )
        first, indent = glyphs[0], len(line) - len(line.lstrip())
        glyphs.scale(self.em * X_HEIGHT / first.height)
        at = left + (indent - 1) * PITCH * self.em
        glyphs.shift((at - float(first.get_left()[0]), baseline - float(first.get_bottom()[1]), 0))
        return VGroup(*glyphs[1:])


X_HEIGHT = 0.547
"""How high an x is in that font, in em."""


def _widest(texts: Sequence[Sequence[str]]) -> float:
    return max(len(line) for lines in texts for line in lines) * PITCH
