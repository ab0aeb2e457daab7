"""What tests of scenes share: running one without drawing, and reading back what it drew."""

import logging
from typing import Any, NamedTuple

import numpy as np
import pytest
from manim import tempconfig

from engine.presets import load_preset
from engine.sentence import Head, Sentence
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.layout import frame_size
from scenes.parts.number import Number, read_back
from scenes.settings import SceneSettings

MOST_KEPT = 4
"""Runs of a file that are kept: a scene of many words is large."""


class Told(NamedTuple):
    """A scene that has run, whose sentence it told, and what was noted as each beat ended."""

    scene: Any
    sentence: Any
    pages: dict[str, Any]


@pytest.fixture
def post():
    return load_preset()


@pytest.fixture
def random_sentence():
    """Four words with random vectors to one decimal, the same each time."""
    rng = np.random.default_rng(2017)

    def rows():
        return tuple(tuple(map(float, row)) for row in rng.normal(0, 1.5, (4, 2)).round(1))

    head = Head(name="random", query=rows(), key=rows(), value=rows())
    return Sentence(byhand=1, words=("a", "random", "little", "line"), heads=(head,), focus=1)


@pytest.fixture(params=sorted(HARD_SENTENCES))
def hard_sentence(request):
    """Each sentence of the hard table in turn."""
    return HARD_SENTENCES[request.param]


@pytest.fixture(scope="module")
def kept():
    """The last scenes run in this file: class, sentence and settings → scene."""
    return {}


@pytest.fixture
def run_scene(tmp_path, kept):
    """Runs a scene and returns it: its beats, and what stands on stage at the end.

    Only its last picture is drawn, at 64 × 36 or as `shape` says, where a part that needs room
    would fail. `at_beat_end(scene, beat)` is called as each beat ends. A scene that is only looked
    at afterwards runs once a file: leave what you are given as it is.
    """

    def run(scene_class, sentence, *, at_beat_end=None, shape=(64, 36), **settings):
        key = (scene_class, repr(sentence), repr(settings), shape)
        if at_beat_end is None and key in kept:
            return kept[key]

        class Watched(scene_class):
            def beat_ended(self, beat):
                if at_beat_end:
                    at_beat_end(self, beat)

        (width, height), (across, high) = shape, frame_size(*shape)
        options = {
            "media_dir": str(tmp_path), "pixel_width": width, "pixel_height": height,
            "verbosity": "ERROR", "progress_bar": "none", "disable_caching": True, "frame_rate": 5,
            "write_to_movie": False, "frame_height": high, "frame_width": across,
        }  # fmt: skip
        logging.getLogger("manim").setLevel(logging.ERROR)
        with tempconfig(options):
            scene = Watched(SceneSettings(sentence, **settings), skip_animations=True)
            scene.render()
            scene.renderer.update_frame(scene, ignore_skipping=True)
            assert scene.renderer.get_frame().shape[:2] == (height, width)
        if "<locals>" not in scene_class.__qualname__:
            kept[key] = scene
            for oldest in list(kept)[:-MOST_KEPT]:
                del kept[oldest]
        return scene

    return run


@pytest.fixture
def drawn_numbers():
    """Every number that stands on a scene's stage, read back from its outline."""

    def read(scene):
        family = [piece for mobject in scene.mobjects for piece in mobject.get_family()]
        numbers = {id(piece): piece for piece in family if isinstance(piece, Number)}
        visible = [n for n in numbers.values() if len(n.points) and n.fill_opacity > 0]
        return [read_back(number.points) for number in visible]

    return read


@pytest.fixture(scope="module")
def tellings():
    """What was told in this file: sentence and settings → Told."""
    return {}


@pytest.fixture
def told(request, tellings, run_scene, drawn_numbers):
    """The module's SCENE, run once for each sentence and settings, as Told.

    As each beat ends, `note(scene)` of the module, or where it has none the numbers drawn, is
    put down in `pages` under the beat's title.
    """

    def tell(which, **settings):
        sentence = request.getfixturevalue(which) if isinstance(which, str) else which
        key = repr((sentence, settings))
        if key not in tellings:
            note, pages = getattr(request.module, "note", drawn_numbers), {}
            scene = run_scene(
                request.module.SCENE,
                sentence,
                at_beat_end=lambda scene, beat: pages.update({beat.title: note(scene)}),
                **settings,
            )
            tellings[key] = Told(scene, sentence, pages)
        return tellings[key]

    return tell


@pytest.fixture
def drawn(told):
    """The numbers that the module's SCENE shows as the beats of these titles end, read back."""

    def run(sentence, *titles):
        pages = told(sentence).pages
        return [pages[title] for title in titles]

    return run
