"""Scenes drawn on other machines, by the workers of a Dask cluster.

A job goes out, its messages come back as events of the scheduler's, its file as the task's result.
On the worker it is `render_clip` as here: a process of its own in a private folder. A worker that
is lost has its tasks run elsewhere, which is Dask's own doing; a task that nobody waits for any
more ends its process, whether we have called it off, closed the connection or vanished.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from export.dependencies import portable
from export.jobs import Clip, Done, Failed, Job, Message, Progress, SceneError, Started
from export.pool import CalledOffError, Children, Draw, PoolError, render_clip

__all__ = ["cluster_pool"]

CONNECTING = 5.0
"""Seconds until a scheduler that doesn't answer isn't there, nor a worker that doesn't come."""

DESERTED = 30.0
"""Seconds without any worker until we give up."""

WATCHING = 0.25
BETWEEN_MESSAGES = 1.0
"""Seconds between two messages of a scene: a thousand workers share one scheduler."""

Report = Callable[[Message], None]


class _Drawn(msgspec.Struct, frozen=True):
    """A clip as it comes back."""

    clip: Clip
    data: bytes


class _UnlikeError(Exception):
    """A worker that came later isn't like us; its address, and what it has."""

    def __init__(self, address: str, theirs: dict[str, str]) -> None:
        super().__init__(address, theirs)
        self.address = address
        self.theirs = theirs


@contextmanager
def cluster_pool(address: str) -> Iterator[Draw]:
    """The workers of the scheduler at `address`, as many scenes at a time as they have threads.

    Raises PoolError where nobody answers there, where there are no workers, or where one has
    other versions than we do. What still runs in the end is called off.
    """
    with ExitStack() as stack:
        client = stack.enter_context(_connected(address))
        ours = portable()
        _compare(client, address, ours)
        topic = f"byhand-{uuid.uuid4().hex}"
        reports: dict[str, Report] = {}
        client.subscribe_topic(topic, partial(_hear, reports))
        executor: Executor = client.get_executor(pure=False)
        landing = stack.enter_context(ThreadPoolExecutor(2, "landing"))
        stack.callback(executor.shutdown, wait=False)  # calls off
        deserted = stack.enter_context(_watched_for_workers(client, executor))

        def draw(job: Job, report: Report) -> Future[Clip]:
            name = uuid.uuid4().hex
            reports[name] = report
            sent = msgspec.structs.replace(job, workspace="")
            landed: Future[Clip] = Future()

            def land(done: Future[_Drawn]) -> None:
                reports.pop(name, None)
                try:
                    landed.set_result(_landed(job, done, report))
                except BaseException as error:
                    failure = _as_failure(job, error, ours, deserted=deserted.is_set())
                    report(Failed(job.scene, failure.message, failure.traceback))
                    landed.set_exception(failure)

            def arrive(done: Future[_Drawn]) -> None:
                # Not on the client's own thread, which hears the others meanwhile.
                with suppress(RuntimeError):  # it is all over
                    landing.submit(land, done)

            executor.submit(_draw, sent, topic, name, ours).add_done_callback(arrive)
            return landed

        yield draw


# Here


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    with warnings.catch_warnings():
        # Versions are compared by us, in one line.
        warnings.simplefilter("ignore")
        import distributed

        _silence()
        try:
            connect: Any = distributed.Client
            client = connect(address, timeout=CONNECTING, set_as_default=False, name="byhand")
        except (OSError, ValueError, TimeoutError, ImportError, TypeError) as error:
            raise PoolError(
                f"no scheduler answers at {address} ({_first_line(error)}): "
                "try dask scheduler there, or another --cluster"
            ) from error
        try:
            yield client
        finally:
            client.close(timeout=CONNECTING)


def _silence() -> None:
    """Have Dask's parts say nothing by themselves: what matters comes as an error."""
    for name in ("distributed", "tornado", "asyncio", "bokeh"):
        logger = logging.getLogger(name)
        logger.setLevel(logging.CRITICAL + 1)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed."):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _compare(client: Any, address: str, ours: Mapping[str, str]) -> None:
    """Raise PoolError where there are no workers, or one isn't like us."""
    end = time.monotonic() + CONNECTING
    while not (found := client.run(portable, on_error="return")):
        if time.monotonic() > end:
            raise PoolError(f"no workers at {address}: try dask worker {address}")
        time.sleep(WATCHING)
    unlike = {}
    for worker, theirs in found.items():
        if isinstance(theirs, BaseException):
            unlike[worker] = f"can't say what it has ({_first_line(theirs)}): install byhand there"
        elif theirs != ours:
            unlike[worker] = _difference(ours, theirs)
    if unlike:
        (worker, said), *others = unlike.items()
        more = f" (and {len(others)} more workers)" if others else ""
        raise PoolError(f"worker {worker} {said}{more}")


def _difference(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """In what a worker differs from us, and what to do."""
    names = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    told = [f"{n} {theirs.get(n, 'isn’t there')} (here {ours.get(n, 'none')})" for n in names[:4]]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"has {', '.join(told)}{more}: install the same on both"


def _hear(reports: Mapping[str, Report], event: tuple[float, Mapping[str, Any]]) -> None:
    """Hand a worker's message on to whoever waits for its scene."""
    _, said = event
    if (report := reports.get(said["name"])) is not None:
        report(msgspec.json.decode(said["message"], type=Message))


def _landed(job: Job, done: Future[_Drawn], report: Report) -> Clip:
    """The clip that has come back, as a file in the job's workspace."""
    drawn = done.result()
    folder = Path(tempfile.mkdtemp(prefix="clip-", dir=job.workspace or None))
    path = folder / drawn.clip.path.name
    path.write_bytes(drawn.data)
    clip = drawn.clip
    report(Progress(job.scene, clip.frames, clip.frames))
    report(Done(job.scene, str(path), clip.frames, clip.frame_rate, clip.beats, clip.read))
    return msgspec.structs.replace(clip, path=path)


def _as_failure(
    job: Job, error: BaseException, ours: Mapping[str, str], *, deserted: bool
) -> SceneError:
    """What went wrong, there or on the way, as a failure of the scene."""
    match error:
        case SceneError():
            return error
        case CancelledError() | CalledOffError():
            told = "no worker is left" if deserted else "the cluster has let go of it"
        case _UnlikeError():
            told = f"worker {error.address} {_difference(ours, error.theirs)}"
        case _ if type(error).__name__ == "KilledWorker":
            told = f"{error.args[2] + 1} workers were lost while they drew it"
        case _:
            told = f"{type(error).__name__}: {_first_line(error)}"
    return SceneError(job.scene, told)


@contextmanager
def _watched_for_workers(client: Any, executor: Executor) -> Iterator[threading.Event]:
    """Calls everything off where no worker is left for long; the event says so."""
    deserted, over = threading.Event(), threading.Event()

    def watch() -> None:
        seen = time.monotonic()
        while not over.wait(1.0):
            with suppress(Exception):  # the scheduler is gone: its tasks are, too
                if client.nthreads():
                    seen = time.monotonic()
            if time.monotonic() - seen > DESERTED:
                deserted.set()
                executor.shutdown(wait=False)
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield deserted
    finally:
        over.set()
        thread.join(CONNECTING)  # a scheduler that is gone doesn't answer


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


# There


def _draw(job: Job, topic: str, name: str, wanted: dict[str, str]) -> _Drawn:
    """Draw a job's scene on a worker, which tells of it under `topic`, by `name`."""
    from distributed import get_worker

    worker: Any = get_worker()
    # A worker may have come, or have been changed, since the others were asked.
    if (theirs := portable()) != wanted:
        raise _UnlikeError(worker.address, theirs)
    last = 0.0

    def tell(message: Message) -> None:
        nonlocal last
        now = time.monotonic()
        # How it ended is the task's to tell.
        if isinstance(message, Started) or (
            isinstance(message, Progress) and now - last > BETWEEN_MESSAGES
        ):
            last = now
            worker.log_event(topic, {"name": name, "message": msgspec.json.encode(message)})

    with Children() as children, _called_off_with_task(worker, children):
        clip = render_clip(job, tell, children)
    try:
        return _Drawn(clip, clip.path.read_bytes())
    finally:
        shutil.rmtree(clip.path.parent, ignore_errors=True)


@contextmanager
def _called_off_with_task(worker: Any, children: Children) -> Iterator[None]:
    """End the processes of the task that runs here when nobody waits for it any more."""
    key = worker.get_current_task()
    over = threading.Event()

    def watch() -> None:
        while not over.wait(WATCHING):
            task = worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                children.cancel()
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
