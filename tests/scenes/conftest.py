"""What tests of scenes share: running one without drawing, and reading back what it drew."""

import logging

import numpy as np
import pytest
from manim import tempconfig

from engine.presets import load_preset
from engine.sentence import Head, Sentence
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.number import Number, read_back
from scenes.settings import SceneSettings


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


@pytest.fixture
def run_scene(tmp_path):
    """Runs a scene and returns it: its beats, and what stands on stage at the end.

    Only its last picture is drawn, at 64 × 36, where a part that needs room would fail.

    `at_beat_end(scene, beat)` is called as each beat ends.
    """

    def run(scene_class, sentence, *, at_beat_end=None, **settings):
        class Watched(scene_class):
            def beat_ended(self, beat):
                if at_beat_end:
                    at_beat_end(self, beat)

        options = {
            "media_dir": str(tmp_path), "pixel_width": 64, "pixel_height": 36, "frame_rate": 5,
            "verbosity": "ERROR", "progress_bar": "none", "disable_caching": True,
            "write_to_movie": False, "frame_height": 8.0, "frame_width": 8.0 * 16 / 9,
        }  # fmt: skip
        logging.getLogger("manim").setLevel(logging.ERROR)
        with tempconfig(options):
            scene = Watched(SceneSettings(sentence, **settings), skip_animations=True)
            scene.render()
            scene.renderer.update_frame(scene, ignore_skipping=True)
            assert scene.renderer.get_frame().shape[:2] == (36, 64)
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
def told():
    """Scenes already told in this file: sentence's words → beat's title → numbers drawn."""
    return {}


@pytest.fixture
def drawn(request, told, run_scene, drawn_numbers):
    """The numbers that the module's SCENE shows as the beats of these titles end, read back."""

    def run(sentence, *titles):
        if sentence.words not in told:
            seen = told[sentence.words] = {}
            run_scene(
                request.module.SCENE,
                sentence,
                at_beat_end=lambda scene, beat: seen.update({beat.title: drawn_numbers(scene)}),
            )
        return [told[sentence.words][title] for title in titles]

    return run
