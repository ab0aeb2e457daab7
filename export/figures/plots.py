"""Axes with numbers along them: how they look, and where their ticks and names stand."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, Patch, Rectangle
from matplotlib.transforms import ScaledTranslation

from export.figures.lettering import font_names, width_of, write
from export.figures.sheet import MARGIN, note_height, wrap
from export.figures.theme import GAP, SMALL, FigureStyle, axes_at, size_in_points

__all__ = [
    "add_plot",
    "axes_under",
    "dot",
    "dress",
    "name_axes",
    "new_plot",
    "put_ticks",
    "room_of",
    "write_under",
]

BELOW = 2.2 * SMALL + 3 * GAP
"""What ticks and the axis' name take under a plot."""


def new_plot(
    figure: Figure, width: float, height: float, style: FigureStyle, *, left: float,
    right: float = 0.0, notes: Sequence[str] = (),
) -> Axes:  # fmt: skip
    """Axes of this size, in points before the style's scale, with room for what stands outside."""
    room = width + left + right
    below = BELOW + note_height(notes, room)
    size_in_points(
        figure, room + 2 * MARGIN, height + below + 2 * MARGIN + SMALL, style
    )  # fmt: skip
    return axes_at(figure, MARGIN + left, MARGIN + SMALL, width, height, style)


def add_plot(
    figure: Figure, width: float, height: float, style: FigureStyle, *, left: float,
    right: float = 0.0, notes: Sequence[str] = (),
) -> Axes:  # fmt: skip
    """Axes under all that a figure has, as `new_plot` makes them; what is there keeps its place."""
    top = 72 * figure.get_size_inches()[1] / style.scale + SMALL
    added = SMALL + height + BELOW + note_height(notes, width + left + right) + MARGIN
    return axes_under(figure, (MARGIN + left, top, width, height), added, style)


def axes_under(
    figure: Figure, place: tuple[float, float, float, float], added: float, style: FigureStyle
) -> Axes:
    """Axes in a figure made `added` points higher below; what is there keeps its place.

    place is (left, top, width, height), counted from the upper left corner, before the style's
    scale.
    """
    width, height = (72 * inches / style.scale for inches in figure.get_size_inches())
    boxes = [ax.get_position() for ax in figure.axes]
    size_in_points(figure, width, height + added, style)
    share = height / (height + added)
    for ax, box in zip(figure.axes, boxes, strict=True):
        ax.set_position((box.x0, 1 - (1 - box.y0) * share, box.width, box.height * share))
    return axes_at(figure, *place, style)


def dress(ax: Axes, style: FigureStyle) -> None:
    """Two plain axes, in the theme's colours."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_edgecolor(style.colors.faint)
        spine.set_linewidth(style.stroke(1))
    ax.tick_params(
        which="both", left=False, bottom=False,
        labelcolor=style.colors.dim, pad=style.size(3), top=False, right=False,
    )  # fmt: skip
    ax.minorticks_off()
    ax.set_facecolor("none")


def put_ticks(
    ax: Axes, axis: str, places: Sequence[float], texts: Sequence[str], style: FigureStyle
) -> None:
    """Ticks at these places of axis "x" or "y", written so."""
    put = ax.set_xticks if axis == "x" else ax.set_yticks
    put(
        list(places), labels=list(texts), fontfamily=font_names("".join(texts)),
        fontsize=style.size(SMALL), color=style.colors.dim, parse_math=False,
    )  # fmt: skip
    ax.minorticks_off()


def name_axes(ax: Axes, across: str, up: str, style: FigureStyle) -> None:
    """What the numbers along both axes are: under the one, over the other."""
    write(
        ax, 1, 0, across, style, size=SMALL, color=style.colors.dim, ha="right",
        xycoords="axes fraction", offset=(0, -2.2 * SMALL - 2 * GAP),
    )  # fmt: skip
    if not up:
        return
    write(
        ax, 0, 1, up, style, size=SMALL, color=style.colors.dim, xycoords="axes fraction",
        offset=(GAP, GAP / 2),
    )  # fmt: skip


def write_under(
    ax: Axes, notes: Sequence[str], style: FigureStyle, *, left: float, right: float = 0.0
) -> None:
    """Notes under the name of the lower axis, from `left` points before the axes on."""
    room = room_of(ax, style)[0] + left + right
    lines = [text for note in notes if note for text in wrap(note, SMALL, room)]
    for i, text in enumerate(lines):
        write(
            ax, 0, 0, text, style, size=SMALL, color=style.colors.dim, xycoords="axes fraction",
            offset=(-left, -BELOW - SMALL * (0.95 + 1.45 * i)),
        )  # fmt: skip


def room_of(ax: Axes, style: FigureStyle) -> tuple[float, float]:
    """Width and height of axes, in points before the style's scale."""
    box, dpi = ax.get_window_extent(), ax.figure.dpi * style.scale
    return float(box.width) * 72 / dpi, float(box.height) * 72 / dpi


def widest(texts: Sequence[str], size: float = SMALL) -> float:
    """The width of the widest of some texts."""
    return max((width_of(text, size) for text in texts), default=0.0)


def dot(
    ax: Axes, x: float, y: float, style: FigureStyle, color: str, *, size: float = 5.0,
    zorder: float = 4.0, is_hollow: bool = False,
) -> None:  # fmt: skip
    """A round dot of `size` points at (x, y) of the data; hollow ones are square.

    A patch rather than Matplotlib's marker, whose id in an SVG would depend on its colour.
    """
    wide = style.size(size) / 72
    to_data = ax.figure.dpi_scale_trans + ScaledTranslation(x, y, ax.transData)  # type: ignore[arg-type]
    patch: Patch = Ellipse((0, 0), wide, wide, facecolor=color, linewidth=0)
    if is_hollow:
        patch = Rectangle((-wide / 2, -wide / 2), wide, wide, facecolor=style.colors.ground)
        patch.set_edgecolor(color)
        patch.set_linewidth(style.stroke(1.4))
    patch.set(transform=to_data, zorder=zorder, clip_on=False)
    ax.add_artist(patch)
