"""Filming draws only what changed: the frames are Manim's, and what stands still costs nothing."""

from importlib import import_module
from itertools import pairwise

import manim
import numpy as np
import pytest
from manim.renderer.cairo_renderer import CairoRenderer
from manim.utils.exceptions import EndSceneEarlyException

from scenes import CATALOG
from scenes.filming import Counting, Filming
from scenes.layers import MOST_BOXES, LayeredPicture, apart
from scenes.looks import PixelBox
from scenes.settings import SceneSettings

SIZE = {"pixel_width": 320, "pixel_height": 180}
FRAME = {"frame_width": 8.0 * 16 / 9, "frame_height": 8.0}


class Stock(CairoRenderer):
    """Manim's own, which hands each frame on; waits are cut as ours are."""

    def __init__(self, take):
        super().__init__()
        self.take, self.frames = take, 0

    def add_frame(self, frame, num_frames=1):
        self.take(frame.copy(), num_frames, None)
        self.frames += num_frames
        self.time = self.frames / self.camera.frame_rate

    def freeze_current_frame(self, duration):
        frames = max(1, int(duration * self.camera.frame_rate + 0.5))
        self.add_frame(self.get_frame(), frames)


@pytest.fixture(autouse=True)
def _small_pictures(tmp_path):
    options = {"media_dir": str(tmp_path), "frame_rate": 6, "verbosity": "CRITICAL"}
    options |= {"progress_bar": "none", "disable_caching": True, "format": "none"}
    with manim.tempconfig(options | SIZE | FRAME):
        yield


def filmed(renderer, make_scene, first=0, last=10**6):
    """The frames from number `first` to `last`: pixels, how often shown, what was new."""
    frames, count = [], 0

    def take(pixels, repeat, changed):
        nonlocal count
        if count >= first:
            frames.append((pixels.copy(), repeat, changed))
        count += 1
        if count >= last:
            raise EndSceneEarlyException

    scene = make_scene(renderer=renderer(take))
    scene.render()
    return frames, scene


def farthest(ours, theirs):
    """The greatest difference of a value in two lists of frames."""
    assert [repeat for _, repeat, _ in ours] == [repeat for _, repeat, _ in theirs]
    return max(
        np.abs(mine[0].astype(int) - other[0].astype(int)).max()
        for mine, other in zip(ours, theirs)
    )


def catalogued(name, sentence):
    """A scene of the lecture, as something that takes a renderer."""
    (target,) = [entry.target for entry in CATALOG if entry.name == name]
    module, _, class_name = target.partition(":")
    scene_class = getattr(import_module(module), class_name)

    def make(**kwargs):
        return scene_class(SceneSettings(sentence), **kwargs)

    # The first formula of a process has thinner lines than its copies have: a fault of Manim's.
    make(renderer=Counting(), skip_animations=True).setup()
    return make


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dot-products", "value-mixing", "shuffle", "tiles"])
@pytest.mark.parametrize("opacity", [1.0, 0.0])
def test_frames_of_the_lecture_are_those_of_manims_own_camera(post, name, opacity):
    with manim.tempconfig({"background_opacity": opacity}):
        make = catalogued(name, post)
        theirs, _ = filmed(Stock, make, last=70)
        ours, scene = filmed(Filming, make, last=70)
    assert isinstance(scene.renderer, Filming)
    assert len(ours) == 70
    assert farthest(ours, theirs) <= 1


class Fading(manim.Scene):
    """Half-transparent, gradient and thick shapes come, cross, change places and go."""

    def construct(self):
        ring = manim.Circle(2, color="#D02020", fill_opacity=0.4, stroke_width=30)
        star = manim.Star(color="#2040C0", fill_opacity=0.7, stroke_width=12).shift(manim.LEFT)
        bar = manim.Rectangle(width=9, height=1, fill_opacity=1, stroke_width=0)
        bar.set_color_by_gradient("#10A040", "#E0C010")
        behind = manim.Square(1.5).set_stroke("#808080", 20, background=True).shift(manim.UP)
        self.add(bar)
        self.play(manim.FadeIn(ring), manim.Create(star), run_time=1)
        self.add(behind)
        self.play(ring.animate.shift(20 * manim.RIGHT), manim.Rotate(star, 1), run_time=1)
        self.wait(0.5)
        self.bring_to_front(bar)
        self.play(manim.FadeOut(behind), star.animate.set_opacity(0), run_time=1)
        self.remove(ring)
        self.wait(0.5)


@pytest.mark.parametrize("opacity", [1.0, 0.5, 0.0])
def test_what_fades_crosses_or_leaves_is_drawn_as_manim_does(opacity):
    with manim.tempconfig({"background_opacity": opacity}):
        theirs, _ = filmed(Stock, Fading)
        ours, _ = filmed(Filming, Fading)
    assert farthest(ours, theirs) <= 1


class Pictured(manim.Scene):
    """An image, which isn't a shape, comes in the middle."""

    def construct(self):
        square = manim.Square(fill_opacity=1, color="#2040C0")
        self.play(square.animate.shift(manim.LEFT), run_time=0.5)
        image = manim.ImageMobject(np.full((4, 4, 3), (200, 60, 0), np.uint8)).scale(20)
        self.play(manim.FadeIn(image), square.animate.shift(manim.RIGHT), run_time=0.5)
        self.remove(image)
        self.play(square.animate.shift(manim.UP), run_time=0.5)


@pytest.mark.filterwarnings("ignore:'mode' parameter:DeprecationWarning")
def test_a_scene_with_an_image_is_drawn_by_manim_itself():
    theirs, _ = filmed(Stock, Pictured)
    ours, _ = filmed(Filming, Pictured)
    assert farthest(ours, theirs) <= 1


class Halting(manim.Scene):
    """One square moves and stops in mid-movement; another, far off, doesn't move at all."""

    def construct(self):
        self.still = manim.Square(1, fill_opacity=1, color="#D02020").shift(5 * manim.LEFT)
        moving = manim.Square(1, fill_opacity=1, color="#2040C0").shift(3 * manim.RIGHT)
        # Above what moves, so that Manim would draw it in every frame.
        self.add(moving, self.still)
        self.play(moving.animate(rate_func=lambda t: min(3 * t, 1)).shift(manim.UP), run_time=2)


def test_a_frame_in_which_nothing_changes_is_not_drawn():
    frames, _ = filmed(Filming, Halting)
    # Three frames a second move, of six; then it stands where it has come.
    assert [bool(changed) for _, _, changed in frames[1:]] == [True] * 4 + [False] * 7


def test_a_shape_away_from_what_moves_is_drawn_once():
    camera = manim.Camera()
    still = manim.Square(1, fill_opacity=1).shift(5 * manim.LEFT)
    moving = manim.Square(1, fill_opacity=1).shift(3 * manim.RIGHT)
    picture = LayeredPicture(camera)
    picture.set_still([])
    picture.show([moving, still])
    before = picture.draws
    picture.show([moving.shift(0.1 * manim.UP), still])
    assert picture.draws - before == 1


def test_what_changed_is_within_the_boxes_handed_on():
    frames, _ = filmed(Filming, Fading)
    for (before, _, _), (now, _, changed) in pairwise(frames):
        rest = np.ones(now.shape[:2], bool)
        for box in changed:
            rest[box.slices] = False
        assert np.array_equal(before[rest], now[rest])


def test_boxes_set_apart_share_nothing_and_hold_all():
    rng = np.random.default_rng(1)
    corners = rng.integers(0, 300, (40, 2))
    boxes = [PixelBox(x, y, x + 20, y + 9) for x, y in corners.tolist()]
    joined = apart(boxes)
    assert len(joined) <= MOST_BOXES
    assert not any(a.meets(b) for a in joined for b in joined if a is not b)
    assert all(any(a.joined(box) == a for a in joined) for box in boxes)
