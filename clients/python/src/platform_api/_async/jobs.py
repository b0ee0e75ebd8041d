"""Waits for jobs."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Callable, TypeVar, overload

from .._core.errors import PlatformTimeoutError
from .._core.request import path_of
from .io import sleep
from .long_poll import long_poll
from .methods import AsyncJobsMethods

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types as t
    from .._core.options import RequestOptions
    from ..helpers.jobs import JobOf

Succeeded = TypeVar("Succeeded")


class AsyncJobsHelpers(AsyncJobsMethods):
    __slots__ = ()

    @overload
    async def wait(
        self, job: JobOf[Succeeded], *, on_progress: Callable[[t.Job], object] | None = ..., **options: Unpack[RequestOptions]
    ) -> Succeeded | t.FailedJob | t.CancelledJob: ...
    @overload
    async def wait(
        self, job: t.Job | str, *, on_progress: Callable[[t.Job], object] | None = ..., **options: Unpack[RequestOptions]
    ) -> t.EndedJob: ...
    async def wait(
        self, job: Any, *, on_progress: Callable[[t.Job], object] | None = None, **options: Unpack[RequestOptions]
    ) -> Any:
        """Waits until a job has ended, also through failures of the connection. A failed job is a result, not an error:
        ``wait_for_success`` makes it one.

        ``deadline`` is the time limit of the whole wait, in seconds. The job goes on. Default: none, because every job has a
        deadline of its own.

        :param job: a job, such as what ``knowledge.reindex()`` returns, or its id
        :param on_progress: is called after each look at the job
        :raises PlatformTimeoutError: at the deadline
        """
        id_ = job if isinstance(job, str) else job.id
        deadline = options.pop("deadline", None)
        end = math.inf if deadline is None else time.monotonic() + deadline
        late = PlatformTimeoutError(f"The job {id_} has not ended within {deadline} s.")
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise late
            try:
                found, pause = await long_poll(self._send, path_of("/jobs/", id_), {}, options, left)
            except PlatformTimeoutError as error:
                raise (late if time.monotonic() >= end else error) from None
            if on_progress is not None:
                on_progress(found)
            if found.finished_at is not None:
                return found
            await sleep(min(pause, max(0.0, end - time.monotonic())))

    @overload
    async def wait_for_success(
        self, job: JobOf[Succeeded], *, on_progress: Callable[[t.Job], object] | None = ..., **options: Unpack[RequestOptions]
    ) -> Succeeded: ...
    @overload
    async def wait_for_success(
        self, job: t.Job | str, *, on_progress: Callable[[t.Job], object] | None = ..., **options: Unpack[RequestOptions]
    ) -> t.SucceededJob: ...
    async def wait_for_success(
        self, job: Any, *, on_progress: Callable[[t.Job], object] | None = None, **options: Unpack[RequestOptions]
    ) -> Any:
        """Waits until a job has succeeded, with the arguments of ``wait``.

        :raises JobFailedError: if it has failed or was cancelled
        :raises PlatformTimeoutError: at the deadline
        """
        ended: Any = await self.wait(job, on_progress=on_progress, **options)
        if ended.status != "succeeded":
            # Its module takes time to import.
            from ..helpers.jobs import JobFailedError

            raise JobFailedError(ended)
        return ended
