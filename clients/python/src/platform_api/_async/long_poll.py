"""A request that the server answers when there is something new."""

from __future__ import annotations

import math
import time
from typing import Any, Awaitable, Callable, Mapping

from .._core.backoff import retry_after_seconds
from .._core.options import NOT_GIVEN
from .._core.request import Query, Request
from .._core.response import RawResponse

_max_wait = 20
"""The longest wait that the API allows, in seconds."""

_least_interval = 0.25
"""Between two requests, also if something between client and server answers at once, and says nothing about when to come back."""

_patience = 120.0
"""A server that restarts is back sooner."""


async def long_poll(
    send: Callable[[Request], Awaitable[RawResponse[Any]]],
    path: str,
    query: Query,
    options: Mapping[str, Any],
    left: float = math.inf,
) -> tuple[Any, float]:
    """The data, and how many seconds to pause before the next call, so that a server that does not wait is called no more often
    than its ``Retry-After`` allows. A response that came after a wait needs no pause: what happens meanwhile would be noticed
    late.

    :param options: without ``deadline``, failures are repeated for two minutes
    :param left: limits the call as a whole, in seconds
    """
    seconds = _max_wait if left > _max_wait else max(0, int(left))
    sent = 0.0

    def waiting(attempt: int) -> Query:
        nonlocal sent
        sent = time.monotonic()
        # A proxy may cut long requests: each attempt waits half as long as the one before.
        return {**query, "waitSeconds": seconds >> min(attempt - 1, 10)}

    deadline = options.get("deadline", NOT_GIVEN)
    patience = _patience if deadline is NOT_GIVEN else math.inf if deadline is None else deadline
    limits = {"max_retries": math.inf, **options, "deadline": min(patience, max(0.0, left - seconds))}
    response = await send(Request("GET", path, query=waiting, options=limits))
    asked = retry_after_seconds(response.headers, time.time()) or 0.0
    return response.parse(), max(0.0, max(asked, _least_interval) - (time.monotonic() - sent))
