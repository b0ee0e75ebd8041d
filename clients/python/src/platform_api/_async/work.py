"""Work at the same time, in tasks."""

from __future__ import annotations

import asyncio
from typing import (
    Any,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Sequence,
    TypeVar,
)

import anyio
from anyio import to_thread

Item = TypeVar("Item")
Result = TypeVar("Result")


async def for_each(
    items: AsyncIterator[Item], concurrency: int, act: Callable[[Item], Awaitable[object]]
) -> None:
    """Does this with each item; at most ``concurrency`` run at the same time. Raises the first failure, which ends the others."""
    failures: list[Exception] = []
    turn = anyio.Lock()

    async def work() -> None:
        try:
            while True:
                async with turn:
                    item = await anext(items, None)
                if item is None:
                    return
                await act(item)
        except Exception as error:
            failures.append(error)
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for _ in range(concurrency):
            group.start_soon(work)
    if failures:
        raise failures[0]


async def together(items: Sequence[Item], act: Callable[[Item], Awaitable[Result]]) -> list[Result]:
    """The results of all items, in their order. Raises the first failure, which ends the others."""
    if not items:
        return []
    results: dict[int, Result] = {}

    async def work(pair: tuple[int, Item]) -> None:
        results[pair[0]] = await act(pair[1])

    await for_each(iterator(enumerate(items)), len(items), work)
    return [results[at] for at in range(len(items))]


async def iterator(items: Iterable[Item] | AsyncIterable[Item]) -> AsyncIterator[Item]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


AsyncLock = anyio.Lock


class AsyncBackground:
    """Work beside that of the caller, one piece at a time. Only in the event loop of asyncio: elsewhere, nothing is started."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def start(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Does nothing if work is going on."""
        if self._task is not None and not self._task.done():
            return
        try:
            self._task = asyncio.get_running_loop().create_task(work())
        except RuntimeError:
            pass

    def stop(self) -> None:
        """Ends the work, unless it is the work that calls this."""
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()


async def in_thread(function: Callable[..., Result], *args: Any) -> Result:
    """Calls what waits for a disk."""
    return await to_thread.run_sync(function, *args)
