"""Scenes that draw next to nothing, for tests of what renders them."""

from __future__ import annotations

import os
import sys
import time

import manim

from scenes.beats import Beat, Cue
from scenes.parts.word import Word
from scenes.settings import Line


class Stub(manim.Scene):
    def __init__(self, settings=None, **kwargs):
        super().__init__(**kwargs)
        self.settings = settings
        self.beats = []
        self.camera.background_color = "#FFFFFF"

    def say(self, title, caption, start):
        line = next((one for one in self.settings.script if one.title == title), Line(title))
        caption = line.caption or caption
        if (left := start + line.seconds - self.time) > 0.05:
            self.wait(left)
        cue = Cue(start, self.time, (caption,))
        self.beats.append(Beat(title, caption, start, self.time, (cue,)))


class Slide(Stub):
    """A square goes from left to right; what it is called is said twice."""

    def construct(self):
        square = manim.Square(color="#000000", fill_opacity=1).shift(3 * manim.LEFT)
        self.add(square)
        self.wait(1.2)
        self.say("Before", f"{self.settings.sentence.words[0]} is on the left", 0.0)
        start = self.time
        self.play(square.animate.shift(6 * manim.RIGHT), run_time=0.7)
        self.wait(0.7)
        self.say("After", f"{self.settings.sentence.words[0]} is on the right", start)


class Bar(Stub):
    """A bar as wide as the first number of the first query."""

    def construct(self):
        width = self.settings.sentence.heads[0].query[0][0]
        self.add(manim.Rectangle(width=width, height=2, color="#000000", fill_opacity=1))
        self.wait(1)
        self.say("Bar", f"It is {width} wide", 0.0)


class Colours(Stub):
    """Four colours, each a quarter of the picture."""

    def construct(self):
        for number, color in enumerate(("#FF0000", "#00FF00", "#0000FF", "#808080")):
            stripe = manim.Rectangle(width=4, height=8, stroke_width=0, fill_opacity=1, color=color)
            self.add(stripe.shift((number * 4 - 6) * manim.RIGHT))
        self.wait(0.5)
        self.say("Colours", "Red, green, blue, grey", 0.0)


class Shapes(Stub):
    """A round and a half-covered shape, for what aspects and transparency do to them."""

    def construct(self):
        self.add(manim.Circle(radius=2, color="#0000FF", fill_opacity=1, stroke_width=0))
        self.wait(0.5)
        self.say("Round", "A circle", 0.0)


class Spoken(Stub):
    """Each word in a room of its own, one under another, 4 wide and 0.7 high."""

    def construct(self):
        for place, word in enumerate(self.settings.sentence.words):
            drawn = Word(word, 0.42, "#000000", width=4.0, height=0.6)
            self.add(drawn.shift((3.2 - 0.7 * place) * manim.UP))
        self.wait(0.5)
        self.say("Spoken", "Every word", 0.0)


class Chatty(Slide):
    """Prints wherever it can."""

    def construct(self):
        print("to standard output")
        print("to standard error", file=sys.stderr)
        os.write(1, b'{"event":"done"}\n')
        super().construct()


class Broken(Stub):
    def construct(self):
        self.wait(0.5)
        raise RuntimeError("the plane\nis bent")


class Silent(Stub):
    """Plays nothing."""

    def construct(self):
        self.add(manim.Square())


class Crash(Stub):
    def construct(self):
        print("going down", file=sys.stderr, flush=True)
        os._exit(7)


class Endless(Stub):
    """Goes on for as long as anybody looks, and leaves its process's id where it is told."""

    def construct(self):
        with open(os.environ["STUB_PIDS"], "a") as file:
            print(os.getpid(), file=file)
        square = manim.Square()
        square.add_updater(lambda mobject, dt: time.sleep(0.01))
        self.add(square)
        self.wait(100_000)


class Lingering(Slide):
    """Takes some seconds to draw."""

    def construct(self):
        square = manim.Square(color="#000000").shift(manim.UP)
        square.add_updater(lambda mobject, dt: time.sleep(0.05))
        self.add(square)
        self.wait(2)
        super().construct()
