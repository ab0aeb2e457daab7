"""Renderers that go through a scene frame by frame: to film it, to look at one frame, to count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from manim import Mobject, VMobject
from manim.renderer.cairo_renderer import CairoRenderer
from manim.utils.exceptions import EndSceneEarlyException
from numpy.typing import NDArray

from scenes.layers import LayeredPicture
from scenes.looks import PixelBox

__all__ = ["Counting", "Filming", "Looking", "Pixels"]

Pixels = NDArray[np.uint8]
Take = Callable[[Pixels, int, Sequence[PixelBox] | None], None]


class _Exact(CairoRenderer):
    """Counts frames, so that time doesn't drift as sums of fractions do."""

    frames = 0
    time: float

    def _went(self, frames: int) -> None:
        self.frames += frames
        self.time = self.frames / self.camera.frame_rate

    def freeze_current_frame(self, duration: float) -> None:
        # Manim's own cuts: 0.7 s at 30 would be 20 frames.
        self.add_frame(self.camera.pixel_array, _still_frames(duration, self.camera.frame_rate))


class Filming(_Exact):
    """Hands each frame on: its pixels, how often it is shown, and the boxes that are new.

    The pixels are good until the next frame; boxes are None where all may be new. Movements
    before frame `first` aren't drawn; with frame `last` the scene ends. Both are where a movement
    begins. Frames are Manim's, drawn by `scenes.layers` where all that is shown are plain shapes.
    """

    def __init__(self, take: Take, first: int = 0, last: int | None = None) -> None:
        super().__init__()
        self._take, self._first, self._last = take, first, last
        self._picture: LayeredPicture | None = None
        self._changed: list[PixelBox] | None = None

    def update_skipping_status(self) -> None:
        self.skip_animations = self.frames < self._first
        if self._last is not None and self.frames >= self._last:
            raise EndSceneEarlyException

    def play(self, scene: Any, *args: Any, **kwargs: Any) -> None:
        super().play(scene, *args, **kwargs)
        if self.skip_animations:
            self._went(_frames_of(scene, self.camera.frame_rate))

    def save_static_frame_data(
        self, scene: Any, static_mobjects: Iterable[Mobject]
    ) -> Pixels | None:
        self.static_image = None
        if self.skip_animations:
            return None
        still = self._plain_shapes(static_mobjects)
        if still is None:
            self._picture = None
            return super().save_static_frame_data(scene, static_mobjects)
        if self._picture is None or self._picture.ground is not self.camera.background:
            self._picture, self._changed = LayeredPicture(self.camera), None
        self.static_image = self._picture.set_still(still)
        return self.static_image

    def update_frame(
        self, scene: Any, mobjects: Iterable[Mobject] | None = None, **kwargs: Any
    ) -> None:
        if self.skip_animations:
            return
        # Where nothing moves Manim draws everything once more.
        shapes = self._plain_shapes(mobjects or [*scene.mobjects, *scene.foreground_mobjects])
        if shapes is None or self._picture is None:
            super().update_frame(scene, mobjects, **kwargs)
            self._picture = self._changed = None
            return
        boxes = self._picture.show(shapes)
        if self._changed is not None:
            self._changed += boxes

    def render(self, scene: Any, time: float, moving_mobjects: Any = None) -> None:
        self.update_frame(scene, moving_mobjects)
        self.add_frame(self.camera.pixel_array)

    def add_frame(self, frame: Pixels, num_frames: int = 1) -> None:
        if self.skip_animations:
            return
        self._take(frame, num_frames, self._changed)
        self._changed = []
        self._went(num_frames)

    def _plain_shapes(self, mobjects: Iterable[Mobject]) -> list[VMobject] | None:
        """What is drawn, from the lowest to the topmost; None where there is more than shapes."""
        drawn = self.camera.get_mobjects_to_display(mobjects)
        if all(isinstance(one, VMobject) and not one.get_background_image() for one in drawn):
            return drawn
        return None


class Looking(_Exact):
    """Goes through a scene as filming does, but draws only frame `number`, and ends with it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.pixels: Pixels | None = None
        self._scene: Any = None

    def play(self, scene: Any, *args: Any, **kwargs: Any) -> None:
        self._scene = scene
        super().play(scene, *args, **kwargs)

    def update_frame(self, *args: Any, **kwargs: Any) -> None:
        pass

    def add_frame(self, frame: Pixels, num_frames: int = 1) -> None:
        if self.frames <= self._number < self.frames + num_frames:
            self.static_image = None
            super().update_frame(self._scene)
            self.pixels = self.get_frame()
            raise EndSceneEarlyException
        self._went(num_frames)


class Counting(_Exact):
    """Draws nothing, and counts the frames that filming would take."""

    def __init__(self) -> None:
        super().__init__(skip_animations=True)

    def play(self, scene: Any, *args: Any, **kwargs: Any) -> None:
        super().play(scene, *args, **kwargs)
        self._went(_frames_of(scene, self.camera.frame_rate))

    def update_frame(self, *args: Any, **kwargs: Any) -> None:
        pass

    def picture(self, scene: Any) -> Pixels:
        """What stands on the stage now."""
        self.static_image = None
        super().update_frame(scene)
        pixels: Pixels = self.get_frame()
        return pixels


def _frames_of(scene: Any, frame_rate: float) -> int:
    """The frames of the movement that was just played: a step of np.arange each, or a wait's."""
    if scene.is_current_animation_frozen_frame():
        return _still_frames(scene.duration, frame_rate)
    return len(np.arange(0, scene.duration, 1 / frame_rate))


def _still_frames(duration: float, frame_rate: float) -> int:
    return max(1, int(duration * frame_rate + 0.5))
