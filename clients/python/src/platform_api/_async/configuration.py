"""The configuration of environments and deployments, for all sessions of a client. It is asked for at most every 30 seconds, with its
ETag. If the service is away, the last known configuration is used: from memory, or from a folder. While a rollout runs, that of its
candidate is known, too, so each unit gets its variant without a request."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Awaitable, Callable
from weakref import WeakKeyDictionary

from .._core.errors import PlatformError
from .._core.object import wrap
from .._core.response import RawResponse
from ..helpers.session import assign, is_connection, is_denied
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

    async def of_unit(self, environment: str, unit: str | None) -> tuple[t.EnvironmentConfig, str | None]:
        """The configuration of a unit, and its assignment while a rollout runs. Without a unit, that of the current deployment.

        Raises ApiError, also 401 and 403: then nothing of the configuration is left. Raises PlatformConnectionError if nothing is
        known."""
        raw = self._project.environments.with_raw_response
        known = await self._read(f"environment {environment}", raw.config, environment)
        rollout = known.config.get("rollout")
        if rollout is None or unit is None:
            return wrap(known.config), None
        variant, assignment = assign(rollout, unit)
        if variant == "candidate":
            candidate = await self._known_candidate(rollout)
            known = candidate or await self._deployed(rollout["candidate"]["deploymentId"])
        return wrap(known.config), assignment

    async def of_deployment(self, deployment_id: str) -> t.EnvironmentConfig:
        """Raises as ``of_unit``."""
        return wrap((await self._deployed(deployment_id)).config)

    async def _deployed(self, deployment_id: str, *, is_needed: bool = True) -> Known:
        raw = self._project.deployments.with_raw_response
        return await self._read(f"deployment {deployment_id}", raw.config, deployment_id, is_needed=is_needed)

    async def _known_candidate(self, rollout: dict[str, Any]) -> Known | None:
        """The configuration of the candidate, if it is the one whose hash the environment names."""
        candidate = rollout["candidate"]
        what = f"deployment {candidate['deploymentId']}"
        entry = self._entry(what)
        async with entry.lock:
            if entry.known is None and self._files:
                entry.known = await in_thread(self._files.read, what)
            known = entry.known
        return known if known and known.config["configHash"] == candidate["configHash"] else None

    async def _prepare_candidate(self, rollout: dict[str, Any]) -> None:
        """The service has named the candidate: it is asked for, unless it is known. Without it, the users of the current deployment must
        not wait, and the others ask again."""
        deployment_id = rollout["candidate"]["deploymentId"]
        known = await self._known_candidate(rollout)
        if known:
            known.confirmed = time.time()
            await self._keep(f"deployment {deployment_id}", known)
            return
        try:
            await self._deployed(deployment_id, is_needed=False)
        except PlatformError:
            pass

    async def _read(
        self,
        what: str,
        ask: Callable[..., Awaitable[RawResponse[Any]]],
        name: str,
        *,
        is_needed: bool = True,
    ) -> Known:
        """
        :param is_needed: False if another configuration serves as well
        """
        entry = self._entry(what)
        async with entry.lock:
            if entry.known is None or time.monotonic() - entry.asked >= _LEAST_INTERVAL:
                entry.known = await self._refreshed(what, entry, ask, name, is_needed)
            return entry.known

    async def _refreshed(
        self,
        what: str,
        entry: _Entry,
        ask: Callable[..., Awaitable[RawResponse[Any]]],
        name: str,
        is_needed: bool,
    ) -> Known:
        files = self._files
        found = await in_thread(files.read, what) if files and entry.known is None else entry.known
        entry.asked = time.monotonic()
        options: dict[str, Any] = {}
        if found is not None or not is_needed:
            options = {"timeout": self._patience, "deadline": self._patience}
        if found is not None:
            options["if_none_match"] = found.etag
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
            same.known, same.asked = known.of_deployment, entry.asked
        await self._keep(what, known)
        rollout = config.get("rollout")
        if rollout is not None:
            await self._prepare_candidate(rollout)
        return known

    async def _keep(self, what: str, known: Known) -> None:
        if not self._files:
            return
        try:
            await in_thread(self._files.keep, what, known)
        except OSError as error:
            self._warn(f"The configuration cannot be kept in the folder: {error.strerror}")

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
