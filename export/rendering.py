"""Renders from options to files: scenes side by side, films as soon as they are whole."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import msgspec

from export.jobs import Job, Plan, Progress, SceneError
from export.kept_clips import KeptClips, kept_clips
from export.options import RenderOptions
from export.orders import (
    Event,
    Kept,
    Order,
    Planned,
    Rendered,
    Report,
    Work,
    Written,
    jobs_of,
)
from export.placing import working_folder
from export.pool import CalledOffError, Children, Draw, local_pool, plan_clips

__all__ = [
    "Event",
    "Kept",
    "Order",
    "Planned",
    "Rendered",
    "Written",
    "jobs_of",
    "plan_scenes",
    "render_all",
    "render_films",
]


def plan_scenes(options: RenderOptions) -> tuple[Plan, ...]:
    """How long each scene will be and what it says when; nothing is drawn or written.

    Raises SceneError where a scene can't be told.
    """
    with (
        kept_clips(wanted=options.keep) as kept,
        working_folder() as workspace,
        Children() as children,
    ):
        jobs = jobs_of(options, workspace)
        plans: dict[str, Plan] = {}
        for job, plan in _plans(jobs, kept, children):
            if isinstance(plan, SceneError):
                raise plan
            plans[job.scene] = plan
        return tuple(plans[job.scene] for job in jobs)


def render_films(options: RenderOptions, report: Report, *, planned: bool) -> Rendered:
    """Render the films of `options` into their places, each as soon as its scenes are done.

    report gets every event, from several threads; `planned` has the scenes counted beside the
    work, so that progress says of how many frames. A scene that fails doesn't hold up the others;
    of a joined film that lacks one, the scenes that are done become files of their own.
    """
    (rendered,) = render_all([Order(options)], report, planned=planned)
    return rendered


def render_all(orders: Sequence[Order], report: Report, *, planned: bool) -> tuple[Rendered, ...]:
    """Do several renders as `render_films` does one, all their scenes side by side.

    What was rendered earlier is taken as it is. Who draws, and whether anything is kept, is said
    by the first order's options; the others say the same.
    """
    first = orders[0].options
    with ExitStack() as stack:
        workspace = stack.enter_context(working_folder())
        kept = stack.enter_context(kept_clips(wanted=first.keep))
        works = [Work(order, kept, report, workspace) for order in orders]
        missing = [(work, job) for work in works for job in work.take_kept()]
        if missing:
            draw = stack.enter_context(_who_draws(orders, len(missing)))
            if planned:
                jobs = {work.order.called(job.scene): job for work, job in missing}
                report = stack.enter_context(_with_frames(report, jobs, kept))
            drawn = {
                draw(job, _called(report, work.order)): work
                for work, job in sorted(missing, key=lambda one: _is_short(one[1]))
            }
            for future in as_completed(drawn):
                try:
                    clip = future.result()
                except SceneError as failure:
                    drawn[future].fail(failure)
                else:
                    drawn[future].add(clip)
        return tuple(work.rendered() for work in works)


@contextmanager
def _who_draws(orders: Sequence[Order], scenes: int) -> Iterator[Draw]:
    """A pool of this machine's, or a cluster."""
    first = orders[0].options
    if first.cluster is None:
        with local_pool(first.jobs or min(os.cpu_count() or 1, scenes)) as draw:
            yield draw
    else:
        from export.cluster import cluster_pool

        with cluster_pool(first.cluster) as draw:
            yield draw


def _is_short(job: Job) -> bool:
    """Whether it is a card: these take a moment, and fill what is left in the end."""
    return job.card is not None


def _called(report: Report, order: Order) -> Report:
    """`report`, told of one order's scenes by their names among all."""

    def called(event: Any) -> None:
        report(msgspec.structs.replace(event, scene=order.called(event.scene)))

    return called if order.name else report


def _plans(
    jobs: Sequence[Job], kept: KeptClips, children: Children
) -> Iterator[tuple[Job, Plan | SceneError]]:
    """The plans of jobs, those first that were made earlier."""
    found = [(job, kept.plan(job)) for job in jobs]
    yield from ((job, plan) for job, plan in found if plan is not None)
    missing = [job for job, plan in found if plan is None]
    if missing:
        for job, plan in zip(missing, plan_clips(missing, children=children)):
            if isinstance(plan, Plan):
                kept.keep_plan(job, plan)
            yield job, plan


@contextmanager
def _with_frames(report: Report, jobs: Mapping[str, Job], kept: KeptClips) -> Iterator[Report]:
    """`report`, told also how many frames there will be, once that is counted.

    jobs go by the names that the scenes are told by.
    """
    frames: dict[str, int] = {}

    def count(children: Children) -> None:
        # Why a scene can't be planned is told by its own job.
        with suppress(SceneError, CalledOffError):
            names = {job: name for name, job in jobs.items()}
            for job, plan in _plans(list(jobs.values()), kept, children):
                if isinstance(plan, Plan):
                    name = names[job]
                    frames[name] = plan.frames
                    report(Planned(name, plan.frames, plan.seconds))

    def fuller(event: Event) -> None:
        if isinstance(event, Progress) and not event.frames:
            event = Progress(event.scene, event.frame, frames.get(event.scene, 0))
        report(event)

    with ThreadPoolExecutor(1) as executor, Children() as children:
        executor.submit(count, children)
        yield fuller
