"""HTTP and waiting, with the standard library."""

from __future__ import annotations

import http.client
import io
import math
import os
import select
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Callable, Generator, Iterable, Iterator, Mapping
from urllib.parse import SplitResult, urlsplit

from .._core.errors import PlatformError, connection_error, timeout_error
from .._core.gzip import accepted, decoded
from .._core.headers import Headers
from .._core.proxy import Proxy, proxy_for
from .._core.response import Reply
from .work import pause

if TYPE_CHECKING:
    import ssl

    Body = bytes | Iterable[bytes] | None

_max_idle = 8
"""Connections that are kept for each address."""
_max_idle_seconds = 30.0
_longest_wait = 24 * 86_400.0


def sleep(seconds: float) -> None:
    pause(min(seconds, _longest_wait))


def resolved(value: Any) -> Any:
    """A value, which the asynchronous client may have to wait for."""
    if hasattr(value, "__await__"):
        if hasattr(value, "close"):
            value.close()
        raise ValueError("api_key must be a plain function: only AsyncPlatform takes a coroutine function.")
    return value


class Clock:
    """Limits what a connection waits for, across its reads."""

    at = math.inf

    def start(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        seconds = self.at - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return min(seconds, _longest_wait)


class Stream:
    """A response whose body is read bit by bit."""

    def __init__(self, response: http.client.HTTPResponse, clock: Clock, timeout: float) -> None:
        self.status = response.status
        self.headers = Headers(response.getheaders())
        self._response = response
        self._clock = clock
        self._timeout = timeout

    def chunks(self) -> Iterator[bytes]:
        """Each chunk has the time limit of the stream."""
        while True:
            self._clock.start(self._timeout)
            chunk = self._response.read1(65_536)
            if not chunk:
                # Otherwise the connection would refuse the next request: `read1` does not notice the end.
                self._response.close()
                return
            yield chunk


class Http:
    """Keeps connections. Threads can share it."""

    def __init__(self, ssl_context: ssl.SSLContext | None) -> None:
        self._ssl_context = ssl_context
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[str, list[tuple[_Connection, float]]] = {}
        self._process = os.getpid()

    def exchange(
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
        clock = Clock()
        clock.start(timeout)
        end, what = clock.at, "complete response"
        failure: PlatformError
        try:
            with self._connected(url, clock) as (connection, target):
                response = connection.exchange(method, target, {**accepted, **headers, **secret()}, body)
                clock.start(body_timeout)
                if clock.at < end:
                    timeout, what = body_timeout, "complete body"
                else:
                    clock.at = end
                content = response.read()
            reply_headers = Headers(response.getheaders(), redact)
            content = decoded(content, reply_headers.get("content-encoding"))
            return Reply(response.status, redact(response.reason), reply_headers, content)
        except PlatformError as error:
            failure = error
        except TimeoutError:
            failure = timeout_error(what, timeout, url)
        except (OSError, http.client.HTTPException) as error:
            failure = connection_error(error, redact, url)
        raise failure

    @contextmanager
    def stream(
        self, method: str, url: str, *, headers: Mapping[str, str], timeout: float, redact: Callable[[str], str]
    ) -> Generator[Stream]:
        """A response whose body is read bit by bit.

        :param timeout: of the headers and of each chunk, in seconds
        """
        clock = Clock()
        clock.start(timeout)
        failure: PlatformError
        try:
            with self._connected(url, clock) as (connection, target):
                yield Stream(connection.exchange(method, target, headers, None), clock, timeout)
            return
        except PlatformError as error:
            failure = error
        except TimeoutError:
            failure = timeout_error("byte of the file", timeout, url)
        except (OSError, http.client.HTTPException) as error:
            failure = connection_error(error, redact, url)
        raise failure

    @contextmanager
    def _connected(self, url: str, clock: Clock) -> Generator[tuple[_Connection, str]]:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        connection = self._take(origin) or self._new(parts, proxy_for(url))
        connection.clock = clock
        try:
            yield connection, (parts.path or "/") + (parts.query and "?" + parts.query)
        except BaseException:
            connection.close()
            raise
        if connection.is_reusable:
            self._keep(origin, connection)
        else:
            connection.close()

    def _new(self, parts: SplitResult, proxy: Proxy | None) -> _Connection:
        host = parts.hostname or ""
        if parts.scheme == "http":
            return _Connection(host, parts.port)
        if self._ssl_context is None:
            import ssl

            self._ssl_context = ssl.create_default_context()
        if proxy is None:
            return _TlsConnection(host, parts.port, context=self._ssl_context)
        connection = _TlsConnection(proxy.host, proxy.port, context=self._ssl_context)
        connection.set_tunnel(host, parts.port or 443, proxy.headers)
        return connection

    def _take(self, origin: str) -> _Connection | None:
        if self._process != os.getpid():
            # A child process must not use its parent's connections. Its lock may be held by a thread that is not here.
            inherited = self._idle
            self._reset()
            _close(inherited)
        while True:
            with self._lock:
                idle = self._idle.get(origin)
                if not idle:
                    return None
                connection, since = idle.pop()
            if time.monotonic() - since < _max_idle_seconds and not connection.is_readable():
                return connection
            connection.close()

    def _keep(self, origin: str, connection: _Connection) -> None:
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            idle.append((connection, time.monotonic()))
            surplus = idle.pop(0)[0] if len(idle) > _max_idle else None
        if surplus is not None:
            surplus.close()

    def close(self) -> None:
        """Closes the kept connections. Further requests open new ones."""
        with self._lock:
            idle, self._idle = self._idle, {}
        _close(idle)

    def __del__(self) -> None:
        if self._process == os.getpid():
            self.close()


def _close(idle: dict[str, list[tuple[_Connection, float]]]) -> None:
    for group in idle.values():
        for connection, _ in group:
            connection.close()


class _Connection(http.client.HTTPConnection):
    """A connection whose every read and write has the time that its clock leaves."""

    clock = Clock()
    _response: http.client.HTTPResponse | None = None

    @property
    def is_reusable(self) -> bool:
        """Whether the last response was read to its end, and another one may follow."""
        response = self._response
        return response is not None and response.isclosed() and not response.will_close

    def exchange(
        self, method: str, target: str, headers: Mapping[str, str], body: Body
    ) -> http.client.HTTPResponse:
        self._response = None
        self.timeout = self.clock.left()
        if self.sock is None:
            self.connect()
        else:
            self.sock.settimeout(self.timeout)
        try:
            self.request(method, target, body=body, headers=dict(headers))
        except (BrokenPipeError, ConnectionResetError):
            # The server may have refused the body before its end, and say why.
            pass
        self._response = self.getresponse()
        return self._response

    def _timed_response(self, sock: socket.socket, *args: Any, **options: Any) -> http.client.HTTPResponse:
        timed: Any = _TimedSocket(sock, self.clock)
        return http.client.HTTPResponse(timed, *args, **options)

    # What http.client reads responses with.
    response_class: Any = _timed_response

    def is_readable(self) -> bool:
        """Whether the server has closed it: nothing else can come before the next request."""
        if self.sock is None:
            return True
        try:
            if hasattr(select, "poll"):
                poll = select.poll()
                poll.register(self.sock, select.POLLIN)
                return bool(poll.poll(0))
            return bool(select.select([self.sock], [], [], 0)[0])
        except (OSError, ValueError):
            return True


class _TlsConnection(_Connection, http.client.HTTPSConnection):
    pass


class _TimedSocket:
    """What HTTPResponse needs of a socket."""

    def __init__(self, sock: socket.socket, clock: Clock) -> None:
        self._sock = sock
        self._clock = clock

    def makefile(self, _: str) -> io.BufferedReader:
        raw = self._sock.makefile("rb", buffering=0)
        return io.BufferedReader(_TimedReader(raw, self._sock, self._clock))


class _TimedReader(io.RawIOBase):
    def __init__(self, raw: io.RawIOBase, sock: socket.socket, clock: Clock) -> None:
        self._raw = raw
        self._sock = sock
        self._clock = clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._clock.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()
