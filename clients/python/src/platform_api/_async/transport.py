"""Sends a request until it has a response that another attempt would not change."""

from __future__ import annotations

import time
from typing import Any

from .._core.backoff import delay_after, is_retryable, random_fraction
from .._core.config import Config
from .._core.errors import ApiError, PlatformConnectionError, PlatformError, at_address
from .._core.events import RequestEvent, ResponseEvent, RetryEvent
from .._core.latest import mention_latest
from .._core.request import Request, body_text, headers_of, query_string, url_below
from .._core.response import RawResponse, read
from .._core.settings import Key
from .._version import version
from .io import AsyncHttp, resolved, sleep

_agent = {"User-Agent": f"platform-api-python/{version}"}


class AsyncTransport:
    def __init__(self, config: Config) -> None:
        self.config = config
        self.http = AsyncHttp(config.ssl_context)

    async def send(self, request: Request) -> RawResponse[Any]:
        """The response behind all attempts. Raises PlatformError."""
        config, method, path = self.config, request.method, request.path
        target = url_below(config.base_url, path)
        limits = config.limits(request.options)
        headers = headers_of(request, _agent, config.headers, request.options.get("headers"))
        body = body_text(request.body) if "Content-Type" in headers else None
        # All attempts send the same token: the API replays a response with a secret only to the token that got it.
        key = Key(await resolved(config.api_key()))
        start = time.monotonic()
        number = 0
        while True:
            number += 1
            query = request.query_at(number)
            wait = float(query.get("waitSeconds") or 0)
            left = start + limits.deadline + wait - time.monotonic()
            url = target + query_string(query)
            if config.on_request:
                config.on_request(RequestEvent(method, url, number))
            sent = time.monotonic()
            try:
                reply = await self.http.exchange(
                    method,
                    url,
                    headers=headers,
                    secret=key.headers,
                    body=body,
                    timeout=max(0, min(limits.timeout + wait, left)),
                    body_timeout=limits.timeout,
                    redact=key.redact,
                )
                mention_latest(reply.headers)
                if config.on_response:
                    found = reply.headers.get
                    duration = time.monotonic() - sent
                    request_id = found("x-request-id")
                    ends = found("deprecation"), found("sunset")
                    config.on_response(
                        ResponseEvent(method, url, number, reply.status, request_id, duration, *ends)
                    )
                return read(reply, number, key.redact, method, path, config.base_url)
            except PlatformError as error:
                error.attempts = number
                if isinstance(error, PlatformConnectionError):
                    at_address(error, target)
                retry_after = error.retry_after if isinstance(error, ApiError) else None
                delay = delay_after(number, retry_after, random_fraction())
                has_time = time.monotonic() + delay < start + limits.deadline
                if not is_retryable(error) or number > limits.max_retries or not has_time:
                    raise
                if config.on_retry:
                    config.on_retry(RetryEvent(method, url, number, error, delay))
            await sleep(delay)
