"""Work at the same time, in threads."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Iterable, Iterator, Sequence, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


#: In a thread of ``for_each``: the event that nobody waits for its work any more.
_work = threading.local()


class _OverError(Exception):
    """The work of another thread has failed."""


def pause(seconds: float) -> None:
    """Sleeps. Raises an exception as soon as another thread of the same ``for_each`` fails: a thread cannot be cancelled."""
    over: threading.Event | None = getattr(_work, "over", None)
    if over is None:
        time.sleep(seconds)
    elif over.wait(seconds):
        raise _OverError


def for_each(items: Iterator[Item], concurrency: int, act: Callable[[Item], object]) -> None:
    """Does this with each item; at most ``concurrency`` run at the same time. Raises the first failure, when nothing runs any more:
    no other item is begun then, and the pauses of the others end."""
    from concurrent.futures import ThreadPoolExecutor

    turn = threading.Lock()
    over = threading.Event()
    failures: list[BaseException] = []

    def work() -> None:
        _work.over = over
        try:
            while True:
                with turn:
                    item = None if over.is_set() else next(items, None)
                if item is None:
                    return
                act(item)
        except BaseException as error:
            failures.append(error)
            over.set()

    with ThreadPoolExecutor(concurrency) as pool:
        futures = [pool.submit(work) for _ in range(concurrency)]
        try:
            for future in futures:
                future.result()
        finally:
            # Also if the caller is interrupted.
            over.set()
    if failures:
        raise failures[0]


def together(items: Sequence[Item], act: Callable[[Item], Result]) -> list[Result]:
    """The results of all items, in their order. Raises the first failure."""
    if not items:
        return []
    results: dict[int, Result] = {}

    def work(pair: tuple[int, Item]) -> None:
        results[pair[0]] = act(pair[1])

    for_each(iterator(enumerate(items)), len(items), work)
    return [results[at] for at in range(len(items))]


def iterator(items: Iterable[Item]) -> Iterator[Item]:
    yield from items


Lock = threading.Lock


class Background:
    """Work beside that of the caller, one piece at a time, in a thread."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._over = threading.Event()

    def start(self, work: Callable[[], None]) -> None:
        """Does nothing if work is going on."""
        if self._thread is not None and self._thread.is_alive():
            return

        def run() -> None:
            _work.over = self._over
            try:
                work()
            except _OverError:
                pass

        self._thread = threading.Thread(target=run, name="platform-api-session", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the pauses of the work."""
        self._over.set()


def in_thread(function: Callable[..., Result], *args: Any) -> Result:
    """Calls what waits for a disk."""
    return function(*args)
