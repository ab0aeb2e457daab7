"""Which panels a window has, in the order in which F6 goes round them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["PANELS", "PanelPlace"]


@dataclass(frozen=True)
class PanelPlace:
    """A panel: its class ("module:Class"), its title, and from which level on it is shown.

    lit_by: which parts of the formula it works out; about: what is in it, said after the title.
    "{word}" in a title is the focus word.
    """

    name: str
    title: str
    target: str
    level: str
    lit_by: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    about: str = ""

    @property
    def name_in_menus(self) -> str:
        """The title without the word that changes."""
        return self.title.removeprefix("{word}, ").capitalize() if "{" in self.title else self.title


PANELS = (
    PanelPlace(
        "where", "Where to look", "desktop.canvas.plane:LookPlane", "one",
        ("query", "key", "score"), about="queries and keys",
    ),
    PanelPlace(
        "copied", "What is copied", "desktop.canvas.plane:CopyPlane", "one",
        ("value", "mix", "output"), about="values and outputs",
    ),
    PanelPlace(
        "mask", "Your mask", "desktop.views.weight_grid:WeightGrid", "one",
        ("mask",), (("causal", False),), about="each word's weights",
    ),
    PanelPlace(
        "causal", "Your mask and causal", "desktop.views.weight_grid:WeightGrid", "one",
        ("mask",), (("causal", True),), about="itself and what came before",
    ),
    PanelPlace(
        "working", "{word}, by hand", "desktop.views.working_view:WorkingView", "one",
        ("score", "scale", "softmax", "mix"),
    ),
    PanelPlace(
        "bars", "Weight and contribution", "desktop.views.softmax_bars:SoftmaxBars", "all",
        ("softmax", "mix"), about="from score to output, in bars",
    ),
    PanelPlace(
        "twins", "Scaled and not", "desktop.views.scale_twins:ScaleTwins", "everything",
        ("scale",), about="softmax with and without √d_k",
    ),
    PanelPlace(
        "words", "Words", "desktop.views.word_table:WordTable", "all",
        about="every number, to type and to paste",
    ),
    PanelPlace(
        "growth", "Growth", "desktop.views.growth_view:GrowthView", "everything",
        about="what more words cost",
    ),
    PanelPlace(
        "tiles", "Tiles", "desktop.views.tiles_view:TilesView", "everything",
        about="the same without the grid",
    ),
    PanelPlace(
        "heads", "Heads", "desktop.views.heads_view:HeadsView", "everything",
        about="several attentions, joined",
    ),
)  # fmt: skip
