"""The stage all scenes share: whose sentence, which theme, the title line, beats and captions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np
from manim import Animation, FadeIn, FadeOut, Mobject, Scene, VGroup, Wait, config

from engine.notation import write_number
from engine.palette import THEMES
from engine.presets import load_preset
from engine.sentence import attention_of
from scenes.beats import SHORTEST_HOLD, Beat, Cue, quoted, reading_time, shorten, split_caption
from scenes.parts.formula import Formula
from scenes.parts.layout import WORKING_SHARE, Box, is_stacked, zones
from scenes.parts.number import Number
from scenes.parts.type import Text
from scenes.parts.word import Word, WordRow
from scenes.seen import lines_on
from scenes.settings import SceneSettings

__all__ = ["MOST_WORDS", "AttentionScene"]

MOST_WORDS = 12
CAPTION, CAPTION_LEADING = 0.4, 1.3
BODY = 0.34
SMALL = 0.27
QUESTION_HOLD = 3.0
SWAP = 0.3


class AttentionScene(Scene):
    """A scene told with one sentence's numbers, beat by beat.

    settings: whose numbers and how to tell them; None = the first preset, the post's sentence.
    After it has run, `beats` holds what was said and when. Subclasses set `title` (none = no
    title line) and `lit` (the parts of the formula at work), `has_notes` (something stands
    beside the stage's rows), `working_share` (the working's of the height, where it stands under
    the stage) and tell their story in `construct`.
    """

    title = ""
    lit: tuple[str, ...] = ()
    shows_mask = False
    has_notes = False
    working_share = WORKING_SHARE

    def __init__(self, settings: SceneSettings | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if settings is None:
            settings = SceneSettings(load_preset("the-cat-sat-down"))
        self.settings = settings
        self.theme = THEMES[settings.theme]
        self.sentence = settings.sentence
        self.attention = attention_of(self.sentence, settings.head)
        self.focus = self.sentence.focus
        self.shown = self._choose_words()
        self.focus_column = self.shown.index(self.focus)
        self.beats: list[Beat] = []
        self.caption = VGroup()
        self._cues: list[Cue] = []
        self._is_telling = False

    def setup(self) -> None:
        """Lay the stage: ground, title line, formula."""
        super().setup()
        self.camera.background_color = self.theme.ground
        self.zones = zones(
            config.frame_width,
            config.frame_height,
            has_notes=self.has_notes,
            share=self.working_share,
        )
        self.title_line = VGroup()
        self.add(self.caption)
        if self.title:
            self.title_line = self._title_line()
            self.add(self.title_line)

    # Words are read when they are shown: a scene that shows none needn't be drawn anew for others.

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that are shown."""
        return tuple(self.sentence.words[i] for i in self.shown)

    @cached_property
    def focus_word(self) -> str:
        """The word we look at, shortened."""
        return shorten(self.sentence.words[self.focus], 14)

    @cached_property
    def quoted_focus(self) -> str:
        """The same, in quotation marks."""
        return quoted(self.focus_word)

    # Telling

    @contextmanager
    def beat(self, title: str, caption: str) -> Iterator[None]:
        """One idea: the caption comes, the motion inside runs, then there is time to read.

        A caption too long for two lines goes on, after the motion, in further cues.
        """
        start, self._is_telling = self.time, True
        caption, least = self._scripted(title, caption)
        first, *rest = split_caption(caption)
        self._say(first)
        yield
        self._hold(first)
        for lines in rest:
            self._say(lines)
            self._hold(lines)
        # Half a frame more or less is none.
        if (left := start + least - self.time) > 0.5 / config.frame_rate:
            self.wait(left)
        self._end_cue()
        cues = tuple(self._cues)
        self._cues.clear()
        seen = lines_on(self) if self.settings.describe else ()
        beat = Beat(title, caption, start, self.time, cues, seen)
        self.beats.append(beat)
        self._is_telling = False
        self.beat_ended(beat)

    def ask(self, question: str) -> None:
        """A question on its own, held for 3 s before anything is shown."""
        with self.beat("Ask", question):
            self.wait(QUESTION_HOLD)

    def beat_ended(self, beat: Beat) -> None:
        """Called as each beat ends, the picture still standing: for those who look or test."""

    def play(self, *animations: Any, **kwargs: Any) -> None:
        """Manim's play; with reduced motion all but fades are cuts that take their time.

        A caption goes with what is played between its beat and the next.
        """
        if not self._is_telling and len(self.caption) and self.settings.captions:
            animations = (*animations, FadeOut(self.caption))
            self.caption = VGroup()
        if self.settings.motion == "reduced":
            animations, kwargs = self._without_travel(animations, kwargs)
        if animations:
            super().play(*animations, **kwargs)

    def swap(self, old: Mobject, new: Mobject, *others: Animation, run_time: float = 0.5) -> None:
        """Change something in place: the old fades as the new comes."""
        self.play(FadeOut(old), FadeIn(new), *others, run_time=run_time)

    def standing_in(self, *boxes: Box) -> list[Mobject]:
        """What is drawn with its middle in one of `boxes`: what to fade when they are cleared."""
        drawn = [m for m in self.mobjects if len(m.get_all_points())]
        return [m for m in drawn if any(_is_in(m, box) for box in boxes)]

    def light(self, *parts: str) -> None:
        """Light parts of the formula in the title line."""
        self.formula.light(*parts)

    # Making, in the theme and in the notation

    def text(
        self, text: str, size: float = BODY, color: str | None = None, weight: int = 400
    ) -> Text:
        """A line of text, centred at the origin."""
        line = Text(text, self.sized(size), color or self.theme.ink, weight)
        return line.move_to((0.0, 0.0, 0.0))

    def number(
        self, number: float, size: float = BODY, color: str | None = None, weight: int = 400
    ) -> Number:
        """A number as the notation writes it, centred at the origin."""
        return self.figures(write_number(number, self.settings.digits), size, color, weight)

    def figures(
        self, text: str, size: float = BODY, color: str | None = None, weight: int = 400
    ) -> Number:
        """Numbers and signs already written, e.g. "2·2 + 0·0 = 4", centred at the origin."""
        return Number(text, self.sized(size), color or self.theme.ink, weight)

    def word(self, word: str, width: float, size: float = BODY, color: str | None = None) -> Word:
        """A word, whole, no wider than `width`."""
        return Word(word, self.sized(size), color or self.theme.ink, width=width)

    def sized(self, size: float) -> float:
        """A text size by the theme's smallest and the asked-for scale, in frame units."""
        # An upright frame is held closer: there it is a share of less than the height.
        side = min(float(config.frame_height), 0.75 * float(config.frame_width))
        least = self.theme.smallest_text * side
        return max(size * self.settings.font_scale * self.zones.letters, least)

    def word_row(self) -> WordRow:
        """The words across the top of the stage, the focus word lit."""
        row = WordRow(self.words, self.zones.words, self.theme, self.sized(0.42))
        row[self.focus_column].set_color(self.theme.highlight)
        return row

    def role(self, name: str) -> str:
        """The colour of query, key, value or output."""
        return self.theme.role(name)

    # What stands behind it

    def _choose_words(self) -> tuple[int, ...]:
        """All words, or of more than twelve the focus word and its strongest, in their order."""
        n = len(self.sentence.words)
        if n <= MOST_WORDS:
            return tuple(range(n))
        weights = self.attention.weights[self.focus]
        others = [int(j) for j in np.argsort(-weights, kind="stable") if j != self.focus]
        return tuple(sorted([self.focus, *others[: MOST_WORDS - 1]]))

    def _title_line(self) -> VGroup:
        """The title, its note beside it (or, upright, under it), and the formula at the right."""
        zone, is_upright = self.zones.title, is_stacked(config.frame_width, config.frame_height)
        self.formula = Formula(self.theme, 0.8 if is_upright else 0.72, mask=self.shows_mask)
        self.formula.move_to((zone.right, zone.center[1], 0), (1, 0, 0)).light(*self.lit)
        title, note = self.text(self.title, 0.4, weight=650), self._title_note()
        room = float(self.formula.get_left()[0]) - 0.3 - zone.left
        most = 0.6 * room if note and not is_upright else room
        title.scale(min(1.0, most / float(title.width))).align_to((zone.left, 0, 0), (-1, 0, 0))
        line = VGroup(title.on_baseline(zone.center[1] - 0.12), self.formula)
        if note:
            small = self.text(note, SMALL, self.theme.dim)
            if is_upright:
                small.align_to((zone.left, 0, 0), (-1, 0, 0)).on_baseline(title.baseline - 0.26)
                title.shift((0.0, 0.2, 0.0))
            else:
                small.next_to(title, (1, 0, 0), buff=0.35).on_baseline(title.baseline)
            left = small.get_left()
            fits = min(1.0, (zone.left + room - float(left[0])) / float(small.width))
            line.add(small.scale(max(fits, 0.1), about_point=left))
            if is_upright:
                _part(title, small, zone)
        return line

    def _title_note(self) -> str:
        """How many words are shown, where not all of them are; else ""."""
        if len(self.shown) < len(self.sentence.words):
            return f"{len(self.shown)} of {len(self.sentence.words)} words shown"
        return ""

    def _scripted(self, title: str, caption: str) -> tuple[str, float]:
        """The beat's caption and how long it lasts at least, by the script where there is one."""
        occurrence = sum(beat.title == title for beat in self.beats)
        for line in self.settings.script:
            if (line.title, line.occurrence) == (title, occurrence):
                return caption if line.caption is None else line.caption, line.seconds
        return caption, 0.0

    def _say(self, lines: Sequence[str]) -> None:
        self._end_cue()
        self._cues.append(Cue(self.time, self.time, tuple(lines)))
        old = self.caption
        self.caption = self._caption(lines)
        if self.settings.captions:
            self.play(FadeOut(old), FadeIn(self.caption), run_time=SWAP) if len(old) else self.play(
                FadeIn(self.caption), run_time=SWAP
            )
        else:
            self.wait(SWAP)

    def _caption(self, lines: Sequence[str]) -> VGroup:
        zone, size, caption = self.zones.caption, self.sized(CAPTION), VGroup()
        leading = CAPTION_LEADING * size
        top = zone.center[1] + leading * (len(lines) - 1) / 2 - 0.325 * size
        for i, line in enumerate(lines):
            piece = self.text(line, CAPTION)
            caption.add(piece.on_baseline(top - i * leading))
        # A line that an upright frame or a large font scale makes too long takes a smaller size.
        width, height = float(caption.width) or 1.0, float(caption.height) or 1.0
        return caption.scale(min(1.0, zone.width / width, zone.height / height))

    def _hold(self, lines: Sequence[str]) -> None:
        seconds = reading_time(" ".join(lines), self.settings.pace)
        self.wait(max(seconds, SHORTEST_HOLD))

    def _end_cue(self) -> None:
        if self._cues and self._cues[-1].end == self._cues[-1].start:
            last = self._cues[-1]
            self._cues[-1] = Cue(last.start, self.time, last.lines)

    def _without_travel(
        self, animations: Sequence[Any], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        compiled = self.compile_animations(*animations)
        still = [a for a in compiled if isinstance(a, (FadeIn, FadeOut, Wait))]
        for fade in (a for a in still if not isinstance(a, Wait)):
            fade.point_target, fade.shift_vector = False, np.zeros(3)  # it fades where it stands
        for animation in (a for a in compiled if a not in still):
            self.add_mobjects_from_animations([animation])
            animation._setup_scene(self)
            animation.begin()
            animation.finish()
            animation.clean_up_from_scene(self)
        if not still:
            self.wait(kwargs.get("run_time", 1.0))
            return (), {}
        return tuple(still), kwargs


def _is_in(mobject: Mobject, box: Box) -> bool:
    x, y, _ = mobject.get_center()
    return box.left < x < box.right and box.bottom < y < box.top


def _part(title: Text, note: Text, zone: Box) -> None:
    """Keep large type apart where one stands under the other, and both in the zone."""
    meet = float(note.get_top()[1] - title.get_bottom()[1]) + 0.05
    if meet > 0:
        both = VGroup(title.shift((0.0, meet, 0.0)), note)
        both.scale(min(1.0, zone.height / float(both.height)))
        both.move_to((zone.left, zone.center[1], 0.0), (-1, 0, 0))
