"""The tests of the Python client are no tests of a framework: every interpreter runs them without one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NoReturn, TypeVar

from server import Reply, Request, Server

Item = TypeVar("Item")


@dataclass
class Context:
    """What a scenario works with. Clients are those of the variant: of the asynchronous one, each call blocks."""

    client: ModuleType
    """The package, as it was installed."""
    origin: str
    """Of the proxy."""
    api_key: str
    open: Callable[..., Any]
    """A client: ``Platform`` with the same options."""
    control: Callable[..., dict[str, Any]]
    """Asks the proxy."""
    run: Callable[..., Any] | None
    """Runs a coroutine. None for the synchronous client."""
    servers: list[Server] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return f"{self.origin}/api/v1"

    @property
    def platform(self) -> Any:
        """A client that gives up late and times out early, so that faults cost little time."""
        # Only requests whose body stalls on purpose take as long, and some on a busy machine.
        return self.open(api_key=self.api_key, base_url=self.base_url, timeout=1.5, deadline=120, max_retries=100)

    def new_project(self) -> tuple[str, Any]:
        platform = self.platform
        project = platform.projects.create(name="a project")
        return project.id, platform.projects(project.id)

    def serve(self, handle: Callable[[Request], Reply]) -> Server:
        """A server of this scenario's own."""
        server = Server(handle)
        self.servers.append(server)
        return server


Scenario = Callable[[Context], None]

scenarios: dict[str, Scenario] = {}
"""By their titles."""

absent: dict[str, str] = {}
"""Scenarios of the TypeScript client that have no meaning in Python, with the reason."""

absent_in_sync: dict[str, str] = {}
"""Those that have a meaning only for the asynchronous client."""


def scenario(title: str, *, only_async: str | None = None) -> Callable[[Scenario], Scenario]:
    """:param only_async: why the synchronous client does not have it"""

    def register(function: Scenario) -> Scenario:
        if title in scenarios:
            raise ValueError(f"Two scenarios have the title {title}")
        scenarios[title] = function
        if only_async is not None:
            absent_in_sync[title] = only_async
        return function

    return register


def plain(value: Any) -> Any:
    """A value as JSON: objects of the client become dicts."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def equal(actual: object, expected: object, what: str = "value") -> None:
    """Compares as JSON."""
    one, other = (json.dumps(plain(value), ensure_ascii=False, default=repr) for value in (actual, expected))
    if one != other:
        raise AssertionError(f"{what}: expected {other}, got {one}")


def ok(value: object, what: object) -> None:
    if not value:
        raise AssertionError(f"not so: {what}")


def rejection(act: Callable[[], object]) -> Any:
    """What the function raises."""
    try:
        act()
    except Exception as error:
        return error
    raise AssertionError("expected a failure")


def fail(message: str) -> NoReturn:
    raise AssertionError(message)


def at_once(acts: Iterable[Callable[[], Item]]) -> list[Item]:
    """Runs all at the same time, each in a thread."""
    acts = list(acts)
    with ThreadPoolExecutor(len(acts)) as pool:
        return [future.result() for future in [pool.submit(act) for act in acts]]
