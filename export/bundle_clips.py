"""The clips of a bundle: the beats asked for, in each theme and format; posters and captions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from engine.files import format_sentence
from export.bundle_options import CLIP_FORMATS, BundleOptions, ClipChoice
from export.captions import captions_of, vtt
from export.jobs import Clip, Failed, Plan, SceneError
from export.options import Cut, Film
from export.rendering import Event, Order, Planned, Written, plan_scenes, render_all
from scenes.beats import Beat

__all__ = ["MadeClip", "make_clips"]

Report = Callable[[Event], None]


@dataclass(frozen=True)
class MadeClip:
    """A clip that is there: its scene's name and title, its pixels, its seconds, what it says."""

    name: str
    title: str
    width: int
    height: int
    seconds: float
    beats: tuple[Beat, ...]


@dataclass(frozen=True)
class _Planned:
    """A clip that is to be made: its film, its frames of the scene; its plan in its own time."""

    film: Film
    cut: Cut | None
    plan: Plan


def make_clips(options: BundleOptions, root: Path, report: Report) -> list[MadeClip]:
    """Make the clips in the folder of the bundle at `root`; those that could be made, in order.

    Of a clip that couldn't, in one theme or format or at all, report gets one Failed. Raises
    ValueError where a beat that was asked for isn't there.
    """
    folder = root / "clips"
    folder.mkdir()
    planned = [found for choice in options.clips if (found := _plan(options, choice, report))]
    orders = [order for one in planned for order in _orders(options, one, folder)]
    names = {order.called(order.options.films[0].name): _file(order) for order in orders}
    renamed = _renamed(report, names)
    for order, one in zip(orders, _repeated(planned, len(options.themes) * len(CLIP_FORMATS))):
        report(Planned(_file(order), one.plan.frames, one.plan.seconds))
    failed: dict[str, SceneError] = {}
    if orders:
        for order, made in zip(orders, render_all(orders, renamed, planned=False), strict=True):
            for failure in made.failures:
                failed.setdefault(order.options.films[0].name, failure)
    for scene, failure in failed.items():
        report(Failed(scene, failure.message, failure.traceback))
    return [_finish(options, one, folder) for one in planned if one.film.name not in failed]


def _plan(options: BundleOptions, choice: ClipChoice, report: Report) -> _Planned | None:
    """Which frames a clip has; None, and told, where its scene can't be told at all."""
    film = Film.of(choice.scene)
    try:
        (plan,) = plan_scenes(replace(options.render(options.themes[0], "mp4"), films=(film,)))
    except SceneError as failure:
        report(Failed(failure.scene, failure.message, failure.traceback))
        return None
    cut = _cut(choice, plan)
    return _Planned(film, cut, plan if cut is None else _within(plan, cut))


def _cut(choice: ClipChoice, plan: Plan) -> Cut | None:
    """The frames of the beats that were chosen; ValueError where a number is no beat's."""
    if choice.beats is None:
        return None
    places = []
    for asked in choice.beats:
        if isinstance(asked, int):
            if asked > len(plan.beats):
                raise ValueError(
                    f"{plan.scene} has no beat {asked}: try --clip {plan.scene}:1-{len(plan.beats)}"
                )
            places.append(asked - 1)
        else:
            places.append(next((i for i, b in enumerate(plan.beats) if b.title == asked), -1))
    first, last = places
    if not 0 <= first <= last:
        return None  # this sentence is told otherwise
    rate = plan.frame_rate
    start, end = plan.beats[first].start, plan.beats[last].end
    return Cut(plan.scene, plan.scene, round(start * rate), round(end * rate))


def _within(plan: Plan, cut: Cut) -> Plan:
    """A scene's plan for some of its frames: the beats in them, in the clip's own time."""
    assert cut.last is not None
    start, end, half = (
        cut.first / plan.frame_rate,
        cut.last / plan.frame_rate,
        0.5 / plan.frame_rate,
    )

    def earlier(beat: Beat) -> Beat:
        cues = tuple(
            replace(cue, start=max(cue.start - start, 0.0), end=max(cue.end - start, 0.0))
            for cue in beat.cues
        )
        return replace(beat, start=max(beat.start - start, 0.0), end=beat.end - start, cues=cues)

    inside = (b for b in plan.beats if b.start >= start - half and b.end <= end + half)
    return Plan(plan.scene, cut.last - cut.first, plan.frame_rate, tuple(map(earlier, inside)))


def _orders(options: BundleOptions, one: _Planned, folder: Path) -> list[Order]:
    """One render a theme and format."""
    return [
        Order(
            replace(
                options.render(theme, format), films=(one.film,), cut=one.cut,
                output=str(folder / f"{one.film.name}{options.suffix(theme)}.{format}"),
            ),
            f"{theme}.{format}",
        )
        for theme in options.themes
        for format in CLIP_FORMATS
    ]  # fmt: skip


def _file(order: Order) -> str:
    """What progress calls one of a clip's films."""
    return Path(order.options.output or "").name


def _repeated(planned: Sequence[_Planned], times: int) -> list[_Planned]:
    return [one for one in planned for _ in range(times)]


def _finish(options: BundleOptions, one: _Planned, folder: Path) -> MadeClip:
    """Adds the posters and the captions to a clip's films."""
    from export.poster import draw_poster

    name, plan = one.film.name, one.plan
    document = format_sentence(options.sentence) if options.embed else None
    for theme in options.themes:
        stem = f"{name}{options.suffix(theme)}"
        film = Clip(name, plan.frames, plan.frame_rate, plan.beats, folder / f"{stem}.mp4")
        draw_poster([film], folder / f"{stem}.png", document=document)
    (folder / f"{name}.vtt").write_text(vtt(captions_of([plan])), "utf-8", newline="\n")
    size = options.render(options.themes[0], "mp4").size
    return MadeClip(name, one.film.title, size.width, size.height, plan.seconds, plan.beats)


def _renamed(report: Report, names: dict[str, str]) -> Report:
    """`report`, told of files rather than of scenes; what isn't in its place yet isn't told."""

    def renamed(event: Event) -> None:
        if not isinstance(event, Written | Failed):
            report(msgspec.structs.replace(event, scene=names.get(event.scene, event.scene)))

    return renamed
