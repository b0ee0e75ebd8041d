"""HTTP and waiting, with httpx."""

from __future__ import annotations

import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping

try:
    import anyio
    import httpx
except ImportError:
    raise ImportError("AsyncPlatform needs httpx: install the package with the extra async.") from None

from .._core.errors import PlatformError, connection_error, timeout_error
from .._core.gzip import accepted, decoded
from .._core.headers import Headers
from .._core.proxy import Proxy, proxy_for
from .._core.response import Reply

_failures = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError)


async def sleep(seconds: float) -> None:
    await anyio.sleep(seconds)


async def resolved(value: Any) -> Any:
    """A value, or what an awaitable returns."""
    return await value if hasattr(value, "__await__") else value


class AsyncStream:
    """A response whose body is read bit by bit."""

    def __init__(self, response: httpx.Response, timeout: float) -> None:
        self.status = response.status_code
        self.headers = Headers(response.headers.multi_items())
        self._response = response
        self._timeout = timeout

    async def chunks(self) -> AsyncIterator[bytes]:
        """Each chunk has the time limit of the stream."""
        chunks = self._response.aiter_raw()
        while True:
            with anyio.fail_after(self._timeout):
                chunk = await anext(chunks, b"")
            if not chunk:
                return
            yield chunk


if TYPE_CHECKING:
    Body = bytes | Iterable[bytes] | None


class AsyncHttp:
    """Keeps connections. Tasks can share it."""

    def __init__(self, ssl_context: ssl.SSLContext | None) -> None:
        self._ssl_context = ssl_context
        self._transports: dict[str, httpx.AsyncHTTPTransport] = {}

    async def exchange(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: Body,
        timeout: float,
        body_timeout: float,
        redact: Callable[[str], str],
        secret: Callable[[], Mapping[str, str]] = dict,
    ) -> Reply:
        """A request and its whole response.

        :param body: chunks need the header Content-Length
        :param timeout: of all, in seconds
        :param body_timeout: from the headers of the response on: a request that waits may take long, its response may not
        :param secret: returns further headers, which no variable here has: tools that report errors print variables
        """
        failure: PlatformError
        response: httpx.Response | None = None
        what = "complete response"
        try:
            with anyio.fail_after(timeout) as limit:
                response = await self._send(method, url, {**accepted, **headers, **secret()}, body)
                end = anyio.current_time() + body_timeout
                if end < limit.deadline:
                    limit.deadline, timeout, what = end, body_timeout, "complete body"
                content = b"".join([chunk async for chunk in response.aiter_raw()])
            reply_headers = Headers(response.headers.multi_items(), redact)
            content = decoded(content, reply_headers.get("content-encoding"))
            return Reply(response.status_code, redact(response.reason_phrase), reply_headers, content)
        except PlatformError as error:
            failure = error
        except TimeoutError:
            failure = timeout_error(what, timeout, url)
        except _failures as error:
            failure = connection_error(error, redact, url)
        finally:
            await _closed(response)
        raise failure

    @asynccontextmanager
    async def stream(
        self, method: str, url: str, *, headers: Mapping[str, str], timeout: float, redact: Callable[[str], str]
    ) -> AsyncGenerator[AsyncStream]:
        """A response whose body is read bit by bit.

        :param timeout: of the headers and of each chunk, in seconds
        """
        failure: PlatformError
        response: httpx.Response | None = None
        try:
            # No limit is open while the caller has the stream: a generator may end in another task.
            with anyio.fail_after(timeout):
                response = await self._send(method, url, headers, None)
            yield AsyncStream(response, timeout)
            return
        except PlatformError as error:
            failure = error
        except TimeoutError:
            failure = timeout_error("byte of the file", timeout, url)
        except _failures as error:
            failure = connection_error(error, redact, url)
        finally:
            await _closed(response)
        raise failure

    async def _send(self, method: str, url: str, headers: Mapping[str, str], body: Body) -> httpx.Response:
        # The transport, not a client of httpx: a client logs addresses, and some of ours work for anyone.
        transport = self._transport(proxy_for(url))
        content = body if body is None or isinstance(body, bytes) else _chunks(body)
        request = httpx.Request(method, url, headers=dict(headers), content=content)
        return await transport.handle_async_request(request)

    def _transport(self, proxy: Proxy | None) -> httpx.AsyncHTTPTransport:
        """The transport without a proxy, or that of the proxy."""
        key = proxy.netloc if proxy else ""
        if key not in self._transports:
            self._ssl_context = self._ssl_context or ssl.create_default_context()
            via = proxy and httpx.Proxy(f"http://{proxy.netloc}", headers=proxy.headers)
            limits = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=30)
            self._transports[key] = httpx.AsyncHTTPTransport(
                verify=self._ssl_context, trust_env=False, limits=limits, proxy=via
            )
        return self._transports[key]

    async def aclose(self) -> None:
        """Closes the kept connections. Further requests open new ones."""
        transports, self._transports = self._transports, {}
        for transport in transports.values():
            await transport.aclose()


async def _chunks(body: Iterable[bytes]) -> AsyncIterable[bytes]:
    for chunk in body:
        yield chunk


async def _closed(response: httpx.Response | None) -> None:
    if response is not None:
        with anyio.CancelScope(shield=True):
            await response.aclose()
