"""No text of a scene meets another or leaves the frame, whosever sentence is told."""

import pytest
from manim import Wait

from engine.presets import load_preset
from export.hard_sentences import HARD_SENTENCES
from scenes import CATALOG, CLOSING, OPENING, load_scene
from scenes.geometry import meeting, outside, pieces_of
from scenes.parts.layout import Box

MARGIN = 0.1
"""So far from the frame's edge, in frame units, every text stands."""

EXEMPT = {
    "in flight": "a copy on its way, or one of two that cross-fade, may pass over what stands",
}
"""What may meet all the same: only while it moves, never between two movements."""

WIDE, UPRIGHT, SQUARE = (64, 36), (36, 64), (64, 64)
NAMES = [entry.name for entry in CATALOG]
ENTRIES = {entry.name: entry for entry in (*CATALOG, OPENING, CLOSING)}
HARD = tuple(sorted(HARD_SENTENCES))
"""Each scene is told wide with three of them, upright and square with one more."""


def faults_of(run_scene, name, sentence, shape=WIDE):
    """Every fault of a scene: at the middle and the end of each movement, so also of each beat."""
    faults = set()

    def look(scene, in_flight):
        width, height = scene.camera.frame_width / 2, scene.camera.frame_height / 2
        frame = Box(MARGIN - width, width - MARGIN, MARGIN - height, height - MARGIN)
        still = [p for p in pieces_of(scene.mobjects) if id(p.part) not in in_flight]
        told = scene.beats[-1].title if scene.beats else "the beginning"
        faults.update((told, a.text, b.text) for a, b in meeting(still))
        faults.update((told, piece.text, "the edge") for piece in outside(still, frame))

    class Looked(load_scene(ENTRIES[name])):
        def update_to_time(self, t):
            if not all(isinstance(animation, Wait) for animation in self.animations):
                super().update_to_time(t / 2)
                look(self, {id(part) for each in self.animations for part in moved_by(each)})
            super().update_to_time(t)

        def play(self, *animations, **kwargs):
            super().play(*animations, **kwargs)
            look(self, ())

    run_scene(Looked, sentence, shape=shape)
    return faults


def moved_by(animation):
    """All that an animation changes."""
    for name in ("mobject", "starting_mobject", "target_mobject"):
        mobject = getattr(animation, name, None)
        if mobject is not None:
            yield from mobject.get_family()
    for part in getattr(animation, "animations", ()):
        yield from moved_by(part)


@pytest.mark.case(33)
@pytest.mark.parametrize("shape", [WIDE, UPRIGHT])
@pytest.mark.parametrize("name", ENTRIES)
def test_no_text_of_the_post_meets_another_or_the_edge(name, shape, run_scene):
    assert not faults_of(run_scene, name, load_preset(), shape)


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_in_a_square_frame_no_text_of_the_post_meets_another_or_the_edge(name, run_scene):
    assert not faults_of(run_scene, name, load_preset(), SQUARE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "which"),
    [(name, HARD[(3 * i + k) % len(HARD)]) for i, name in enumerate(NAMES) for k in range(3)],
)
def test_no_text_of_a_hard_sentence_meets_another_or_the_edge(name, which, run_scene):
    assert not faults_of(run_scene, name, HARD_SENTENCES[which])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "which", "shape"),
    [
        (name, HARD[(5 * i + which) % len(HARD)], shape)
        for i, name in enumerate(NAMES)
        for which, shape in ((3, UPRIGHT), (11, SQUARE))
    ],
)
def test_nor_does_one_in_an_upright_or_square_frame(name, which, shape, run_scene):
    assert not faults_of(run_scene, name, HARD_SENTENCES[which], shape)
