"""The lecture: Manim scenes, one file a step, told with anyone's numbers.

What may enter: stories (`construct` as beats), the stage they share and the parts they are made
of. What may not: arithmetic (that is `engine`) and files, options or processes (`export`).
Importing this package imports no Manim: the catalogue is plain data, so that listing scenes is
instant and works without the `video` extra.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenes.stage import AttentionScene

__all__ = [
    "CARD",
    "CATALOG",
    "CLOSING",
    "OPENING",
    "PARTS",
    "SceneEntry",
    "find_scene",
    "load_scene",
]

PARTS = ("part1", "part2")


@dataclass(frozen=True)
class SceneEntry:
    """A scene's place in the lecture; `target` is "module:Class"."""

    name: str
    title: str
    part: str
    target: str


CATALOG = (
    SceneEntry("three-roles", "Three roles", "part1", "scenes.three_roles:ThreeRoles"),
    SceneEntry("dot-products", "Dot products", "part1", "scenes.dot_products:DotProducts"),
    SceneEntry("scaling", "Scaling", "part1", "scenes.scaling:Scaling"),
    SceneEntry("softmax", "Softmax", "part1", "scenes.softmax:Softmax"),
    SceneEntry("why-scale", "Why scale", "part1", "scenes.why_scale:WhyScale"),
    SceneEntry("value-mixing", "Value mixing", "part1", "scenes.value_mixing:ValueMixing"),
    SceneEntry("all-words", "All words at once", "part1", "scenes.all_words:AllWords"),
    SceneEntry("shuffle", "Shuffle", "part1", "scenes.shuffle:Shuffle"),
    SceneEntry(
        "causal-triangle", "The causal triangle", "part1", "scenes.causal_triangle:CausalTriangle"
    ),
    SceneEntry("many-heads", "Many heads", "part2", "scenes.many_heads:ManyHeads"),
    SceneEntry(
        "weights-are-not-answers",
        "Weights are not answers",
        "part2",
        "scenes.weights_are_not_answers:WeightsAreNotAnswers",
    ),
    SceneEntry("grid-growth", "Growth", "part2", "scenes.grid_growth:GridGrowth"),
    SceneEntry("tiles", "Tiles", "part2", "scenes.tiles:Tiles"),
    SceneEntry("shared-keys", "Shared keys", "part2", "scenes.shared_keys:SharedKeys"),
)

OPENING = SceneEntry("opening", "Opening", "part1", "scenes.opening:Opening")
CLOSING = SceneEntry("closing", "Closing", "part2", "scenes.closing:Closing")
CARD = "scenes.cards:TitleCard"
"""What stands round the scenes of a whole film, and no scene by itself."""


def find_scene(text: str) -> SceneEntry | None:
    """The scene called `text`: its hyphenated name, with underscores, or its class name."""
    for entry in CATALOG:
        if text in (entry.name, entry.name.replace("-", "_"), entry.target.partition(":")[2]):
            return entry
    return None


def load_scene(entry: SceneEntry) -> type[AttentionScene]:
    """The scene's class; imports Manim, and raises ImportError without the `video` extra."""
    module, _, name = entry.target.partition(":")
    scene: type[AttentionScene] = getattr(import_module(module), name)
    return scene
