"""Work at the same time, in threads."""

from __future__ import annotations

import threading
from typing import Any, Callable, Iterable, Iterator, Sequence, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def for_each(items: Iterator[Item], concurrency: int, act: Callable[[Item], object]) -> None:
    """Does this with each item; at most ``concurrency`` run at the same time. Raises the first failure; no other item is begun
    then."""
    from concurrent.futures import ThreadPoolExecutor

    turn = threading.Lock()
    is_over = False

    def work() -> None:
        nonlocal is_over
        try:
            while True:
                with turn:
                    if is_over:
                        return
                    item = next(items, None)
                if item is None:
                    return
                act(item)
        finally:
            is_over = True

    with ThreadPoolExecutor(concurrency) as pool:
        futures = [pool.submit(work) for _ in range(concurrency)]
        try:
            for future in futures:
                future.result()
        finally:
            # Also if the caller is interrupted.
            is_over = True


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


def in_thread(function: Callable[..., Result], *args: Any) -> Result:
    """Calls what waits for a disk."""
    return function(*args)
