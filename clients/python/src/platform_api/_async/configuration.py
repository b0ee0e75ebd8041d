"""The configuration of environments and deployments, for all sessions of a client. It is asked for at most every 30 seconds, with its
ETag. If the service is away, the last known configuration is used: from memory, or from a folder."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Awaitable, Callable
from weakref import WeakKeyDictionary

from .._core.object import wrap
from .._core.response import RawResponse
from ..helpers.session import is_connection, is_denied
from ..helpers.session_files import ConfigFiles, Known, is_fresh
from .transport import AsyncTransport
from .work import AsyncLock, in_thread

if TYPE_CHECKING:
    from .. import types as t
    from .resources import AsyncProjectResources

_LEAST_INTERVAL = 30.0
_MAX_ENTRIES = 32
"""In memory. A process has few environments, and its conversations few earlier deployments."""


class _Entry:
    def __init__(self) -> None:
        self.known: Known | None = None
        self.asked = 0.0
        self.lock = AsyncLock()


_of_threads = threading.Lock()
_entries: WeakKeyDictionary[AsyncTransport, dict[str, _Entry]] = WeakKeyDictionary()


class AsyncConfiguration:
    """What the sessions of a project read."""

    def __init__(
        self,
        transport: AsyncTransport,
        project_id: str,
        project: AsyncProjectResources,
        files: ConfigFiles | None,
        patience: float,
        warn: Callable[[str], object],
    ) -> None:
        """
        :param patience: seconds that a call may take if there is a known configuration
        """
        self._transport = transport
        self._project_id = project_id
        self._project = project
        self._files = files
        self._patience = patience
        self._warn = warn

    async def of_environment(self, name: str) -> t.EnvironmentConfig:
        """Raises ApiError, also 401 and 403: then nothing of the configuration is left. Raises PlatformConnectionError if nothing is
        known."""
        return await self._read(f"environment {name}", self._project.environments.with_raw_response.config, name)

    async def of_deployment(self, deployment_id: str) -> t.EnvironmentConfig:
        """Raises as ``of_environment``."""
        raw = self._project.deployments.with_raw_response
        return await self._read(f"deployment {deployment_id}", raw.config, deployment_id)

    async def _read(
        self, what: str, ask: Callable[..., Awaitable[RawResponse[Any]]], name: str
    ) -> t.EnvironmentConfig:
        entry = self._entry(what)
        async with entry.lock:
            if entry.known is None or time.monotonic() - entry.asked >= _LEAST_INTERVAL:
                entry.known = await self._refreshed(what, entry, ask, name)
            return wrap(entry.known.config)

    async def _refreshed(
        self, what: str, entry: _Entry, ask: Callable[..., Awaitable[RawResponse[Any]]], name: str
    ) -> Known:
        files = self._files
        found = await in_thread(files.read, what) if files and entry.known is None else entry.known
        entry.asked = time.monotonic()
        options: dict[str, Any] = {}
        if found is not None:
            options = {"if_none_match": found.etag, "timeout": self._patience, "deadline": self._patience}
        try:
            response = await ask(name, **options)
        except Exception as error:
            if is_denied(error):
                await self.forget()
            if found is None or not is_connection(error) or not is_fresh(found.confirmed):
                raise
            return found
        data = response.parse()
        config: dict[str, Any] = data.to_dict() if data is not None else found.config if found else {}
        known = Known(config, response.headers.get("etag"), time.time())
        if what.startswith("environment"):
            # A session that continues with this deployment need not ask again.
            same = self._entry(f"deployment {config['deploymentId']}")
            same.known, same.asked = known, entry.asked
        if files:
            try:
                await in_thread(files.keep, what, known)
            except OSError as error:
                self._warn(f"The configuration cannot be kept in the folder: {error.strerror}")
        return known

    def _entry(self, what: str) -> _Entry:
        key = f"{self._project_id} {what}"
        with _of_threads:
            entries = _entries.setdefault(self._transport, {})
            # The latest is last.
            entry = entries[key] = entries.pop(key, None) or _Entry()
            if len(entries) > _MAX_ENTRIES:
                del entries[next(iter(entries))]
        return entry

    async def forget(self) -> None:
        """The key may not read the configuration any more, so it is removed from the memory and from the folder."""
        with _of_threads:
            entries = _entries.get(self._transport, {})
            for key in [key for key in entries if key.startswith(f"{self._project_id} ")]:
                del entries[key]
        if self._files:
            await in_thread(self._files.forget)
