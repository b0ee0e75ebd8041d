"""Lets a scenario that is written for the synchronous client run with the asynchronous one: each call waits for its end."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def blocking(self, value: Any) -> Any:
        """The value, or one whose methods and iterators block."""
        if inspect.isawaitable(value) and not hasattr(value, "__aiter__"):
            return self.blocking(self.run(_awaited(value)))
        if isinstance(value, (str, bytes, int, float, list, dict, tuple, BaseException)) or value is None:
            return value
        if hasattr(value, "__aiter__") or callable(value) or _is_asynchronous(value):
            return _Blocking(self, value)
        return value


async def _awaited(value: Any) -> Any:
    return await value


def _is_asynchronous(value: Any) -> bool:
    """Whether it is an object of the client that has asynchronous methods."""
    kind = type(value)
    if not kind.__module__.startswith("platform_api"):
        return False
    return kind.__name__.startswith("Async") or any(
        inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one)
        for one in (inspect.getattr_static(kind, name, None) for name in dir(kind))
    )


class _Blocking:
    def __init__(self, loop: Loop, value: Any) -> None:
        self._loop = loop
        self._value = value

    def __getattr__(self, name: str) -> Any:
        return self._loop.blocking(getattr(self._value, name))

    def __call__(self, *args: Any, **options: Any) -> Any:
        # A client may need the running loop when it begins.
        return self._loop.blocking(self._loop.run(_called(self._value, args, options)))

    def __iter__(self) -> Iterator[Any]:
        iterator = self._value.__aiter__()
        try:
            while True:
                try:
                    item = self._loop.run(_awaited(iterator.__anext__()))
                except StopAsyncIteration:
                    return
                yield self._loop.blocking(item)
        finally:
            if hasattr(iterator, "aclose"):
                self._loop.run(iterator.aclose())

    def __repr__(self) -> str:
        return repr(self._value)


async def _called(function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    given = [one._value if isinstance(one, _Blocking) else one for one in args]
    named = {name: one._value if isinstance(one, _Blocking) else one for name, one in options.items()}
    return function(*given, **named)
