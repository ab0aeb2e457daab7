"""What threads need that do matrix products at once: BLAS on one thread, and room of their own."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import OpenBLASController, ThreadpoolController

from engine.softmax import FloatArray

__all__ = ["on_threads", "workspace"]

KEPT = 4 << 20
"""Bytes of a workspace that are worth keeping for the next call."""


def on_threads(work: Callable[[], None], count: int) -> None:
    """Run `work` on `count` threads at once, this one among them; the first error is raised."""
    blas = _blas()
    with blas.one_thread():
        if blas.buffers < count:
            _at_once(partial(_touch_buffer, threading.Barrier(count)), count)
            blas.buffers = count
        _at_once(work, count)


def _at_once(work: Callable[[], None], count: int) -> None:
    with ThreadPoolExecutor(max(count - 1, 1)) as pool:
        others = [pool.submit(work) for _ in range(count - 1)]
        work()
        for other in others:
            other.result()


@contextmanager
def workspace(dtype: np.dtype[np.floating], *shapes: tuple[int, ...]) -> Iterator[list[FloatArray]]:
    """Arrays with nothing particular in them, for one thread, from memory kept between calls.

    New memory isn't there until it is written to, page by page, at some microseconds a page.
    """
    sizes = [math.prod(shape) for shape in shapes]
    try:
        memory = _kept().pop()
    except IndexError:
        memory = np.empty(0, np.uint8)
    if memory.size < sum(sizes) * dtype.itemsize:
        memory = np.empty(sum(sizes) * dtype.itemsize, np.uint8)
    ends = np.cumsum(sizes).tolist()
    numbers = memory[: ends[-1] * dtype.itemsize].view(dtype)
    yield [
        numbers[end - size : end].reshape(shape) for end, size, shape in zip(ends, sizes, shapes)
    ]
    if memory.size <= KEPT:
        _kept().append(memory)


class _Blas:
    """BLAS on one thread while anyone needs it, then as it was found.

    Its limits are the process's, so users are counted: two calls at once would otherwise each put
    back what the other had set.
    """

    def __init__(self) -> None:
        self._controller = ThreadpoolController()
        self._lock = threading.Lock()
        self._users = 0
        self.buffers = 0

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        with self._lock:
            if self._users == 0:
                _let_any_thread_limit()
                self._limit = self._controller.limit(limits=1, user_api="blas")
                _let_any_thread_limit()
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    _let_any_thread_limit()
                    self._limit.restore_original_limits()
                    _let_any_thread_limit()


def _touch_buffer(together: threading.Barrier) -> None:
    """Write to the memory into which OpenBLAS packs, of which each thread at work has its own.

    Its kernels fetch ahead, past what is packed. Where that memory was never written to there is
    nothing to fetch, but the processor looks each time: in a new process, products of 256 columns
    took three times as long until a larger one had gone before. This one is larger than a tile's.
    The threads wait for each other, as those that came later might be given the same buffer.
    """
    together.wait()
    np.ones((64, 384), np.float32) @ np.ones((384, 512), np.float32)


def _let_any_thread_limit() -> None:
    """From threadpoolctl 3.8 on only the first thread that limits OpenBLAS may do so again.

    The last to leave may be another: without this BLAS would be left on one thread.
    """
    if clear := getattr(OpenBLASController, "clear_controlling_thread", None):
        clear(force=True)


@cache
def _blas() -> _Blas:
    return _Blas()


@cache
def _kept() -> deque[NDArray[np.uint8]]:
    return deque()
