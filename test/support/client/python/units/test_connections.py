"""Connections of the synchronous client: kept, closed, slow and shared."""

from __future__ import annotations

import gzip
import json
import os
import socket
import struct
import sys
import threading
import time
import unittest
from contextlib import contextmanager
from typing import Any, Callable, Iterator

from platform_api import (
    ApiError,
    PayloadTooLargeError,
    Platform,
    PlatformConnectionError,
    PlatformError,
    PlatformTimeoutError,
)
from platform_api._blocking.io import Http

KEY = "sk_test_secret"
OK = json.dumps({"success": True, "data": {"id": "x"}}).encode()


def reply(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


class Server:
    """Gives every connection to a handler."""

    def __init__(self, handler: Callable[[socket.socket], None]) -> None:
        self.connections = 0
        self._handler = handler
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                self._handler(connection)
            except OSError:
                pass

    def close(self) -> None:
        # Wakes accept, which closing alone does not.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def request(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        chunk = connection.recv(65_536)
        if not chunk:
            raise OSError("closed")
        received += chunk
    return received


def keeping(connection: socket.socket) -> None:
    while request(connection):
        connection.sendall(reply(OK))


@contextmanager
def calling(handler: Callable[[socket.socket], None], **options: Any) -> Iterator[tuple[Platform, Server]]:
    server = Server(handler)
    try:
        with Platform(base_url=server.origin, api_key=KEY, **{"max_retries": 0, "timeout": 60, **options}) as platform:
            yield platform, server
    finally:
        server.close()


def get(platform: Platform) -> Any:
    return platform.request("GET", "/x").id


class Kept(unittest.TestCase):
    def test_one_after_another(self) -> None:
        with calling(keeping) as (platform, server):
            self.assertEqual([get(platform) for _ in range(5)], ["x"] * 5)
            self.assertEqual(server.connections, 1)
            platform.close()
            get(platform)
            self.assertEqual(server.connections, 2)

    def test_closed_by_the_server(self) -> None:
        closed = threading.Event()

        def once(connection: socket.socket) -> None:
            request(connection)
            connection.sendall(reply(OK))
            connection.shutdown(socket.SHUT_RDWR)
            closed.set()

        with calling(once) as (platform, server):
            for _ in range(3):
                self.assertEqual(get(platform), "x")
                self.assertTrue(closed.wait(60))
                closed.clear()
                # The end has to arrive.
                time.sleep(0.05)
            self.assertEqual(server.connections, 3)

    def test_body_ends_with_the_connection(self) -> None:
        def until_end(connection: socket.socket) -> None:
            request(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + OK[:5])
            time.sleep(0.05)
            connection.sendall(OK[5:])

        with calling(until_end) as (platform, server):
            self.assertEqual([get(platform), get(platform)], ["x", "x"])
            self.assertEqual(server.connections, 2)

    def test_cut(self) -> None:
        """A response that was cut is not complete, whoever has cut it: the sender, the network, or our time limit."""
        length, chunks = b"Content-Length: %d\r\n" % len(OK), b"Transfer-Encoding: chunked\r\n"
        chunk = b"%x\r\n%b\r\n" % (len(OK), OK)

        def reset(connection: socket.socket) -> None:
            time.sleep(0.1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        def close(connection: socket.socket) -> None:
            connection.shutdown(socket.SHUT_WR)

        def wait(connection: socket.socket) -> None:
            connection.recv(1)

        for headers, body, end in (
            (b"", OK, wait),
            (b"", OK[:-1], reset),
            (length, OK[:-1], close),
            (length, OK[:-1], reset),
            (length, OK[:-1], wait),
            (chunks, chunk, close),
            (chunks, chunk, wait),
        ):

            def cut(connection: socket.socket, sent: bytes = headers + b"\r\n" + body, end: Any = end) -> None:
                request(connection)
                connection.sendall(b"HTTP/1.1 200 OK\r\n" + sent)
                end(connection)

            error = PlatformTimeoutError if end is wait else PlatformConnectionError
            with self.subTest(headers=headers, end=end.__name__):
                with calling(cut, timeout=0.5 if end is wait else 60) as (platform, _), self.assertRaises(error):
                    get(platform)

    def test_threads_share_a_client(self) -> None:
        with calling(keeping) as (platform, server):
            results: list[object] = []
            threads = [
                threading.Thread(target=lambda: results.extend(get(platform) for _ in range(20))) for _ in range(12)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(results, ["x"] * 240)
            self.assertLessEqual(server.connections, 240)
            idle = platform._transport.http._idle[server.origin]
            self.assertLessEqual(len(idle), 8)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    @unittest.skipIf(sys.version_info >= (3, 12), "Python warns of forks with threads")
    def test_child_process_has_its_own(self) -> None:
        with calling(keeping) as (platform, server):
            get(platform)
            child = os.fork()
            if child == 0:
                try:
                    os._exit(0 if get(platform) == "x" else 1)
                finally:
                    os._exit(2)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            get(platform)
            self.assertEqual(server.connections, 2)

    def test_unread_stream_is_not_kept(self) -> None:
        for size in (1_000_000, 5):
            with self.subTest(size):
                self.read_a_little(size)

    def read_a_little(self, size: int) -> None:
        def large(connection: socket.socket) -> None:
            while request(connection):
                connection.sendall(reply(b"a" * size))

        server = Server(large)
        http = Http(None)
        try:
            for _ in range(2):
                with http.stream("GET", server.origin, headers={}, timeout=60, redact=str) as stream:
                    self.assertEqual(stream.status, 200)
                    if size > 5:
                        self.assertTrue(next(iter(stream.chunks())).startswith(b"a"))
            self.assertEqual(server.connections, 2)
        finally:
            http.close()
            server.close()


class Bodies(unittest.TestCase):
    def test_compressed(self) -> None:
        def compressed(connection: socket.socket) -> None:
            is_asked = b"accept-encoding: gzip\r\n" in request(connection).lower()
            connection.sendall(reply(gzip.compress(OK) if is_asked else b"", b"Content-Encoding: gzip"))

        with calling(compressed) as (platform, _):
            self.assertEqual(get(platform), "x")

    def test_refused_before_its_end(self) -> None:
        error = {"success": False, "error": {"code": "payload_too_large", "message": f"Too large: {KEY}."}}

        def early(connection: socket.socket) -> None:
            connection.recv(10)
            connection.sendall(reply(json.dumps(error).encode(), status=b"413 Content Too Large"))
            connection.shutdown(socket.SHUT_RDWR)

        with calling(early) as (platform, _):
            # Other systems may lose the response with the connection, which is a failure of the connection.
            expected = PayloadTooLargeError if sys.platform == "linux" else PlatformError
            with self.assertRaises(expected) as caught:
                platform.request("POST", "/x", body={"a": "a" * 30_000_000})
            self.assertNotIn(KEY, str(caught.exception))


def dripping(head: bytes) -> Callable[[socket.socket], None]:
    def drip(connection: socket.socket) -> None:
        request(connection)
        connection.sendall(head)
        for _ in range(6000):
            connection.sendall(b"a")
            time.sleep(0.01)

    return drip


class Limits(unittest.TestCase):
    def test_each_byte_comes_in_time_but_not_all(self) -> None:
        for name, head in {"headers": b"HTTP/1.1 200 OK\r\nX-A: ", "body": b"HTTP/1.1 200 OK\r\nContent-Length: 6000\r\n\r\n"}.items():
            with self.subTest(name), calling(dripping(head), timeout=0.3) as (platform, _):
                start = time.monotonic()
                with self.assertRaisesRegex(PlatformTimeoutError, "There was no complete .* within 0.3 seconds"):
                    get(platform)
                self.assertLess(time.monotonic() - start, 30)

    def test_cut(self) -> None:
        def cut(connection: socket.socket) -> None:
            request(connection)
            connection.sendall(reply(OK)[:-3])

        with calling(cut) as (platform, _), self.assertRaisesRegex(PlatformConnectionError, "The request to http://.* failed: Incomplete"):
            get(platform)

    def test_refused_connection(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            address = f"http://127.0.0.1:{free.getsockname()[1]}"
        with Platform(base_url=address, api_key=KEY, max_retries=1) as platform:
            with self.assertRaises(PlatformConnectionError) as caught:
                get(platform)
        self.assertEqual((caught.exception.code, caught.exception.attempts), ("ECONNREFUSED", 2))
        self.assertEqual(str(caught.exception), f"The request to {address} failed after 2 attempts: Connection refused.")
        self.assertIsNone(caught.exception.__cause__ or caught.exception.__context__)


class Replies(unittest.TestCase):
    def failure_of(self, answer: bytes) -> PlatformError:
        def once(connection: socket.socket) -> None:
            request(connection)
            connection.sendall(answer)

        with calling(once) as (platform, _), self.assertRaises(PlatformError) as caught:
            platform.request("GET", "/projects/proj_1")
        self.assertNotIn(KEY, str(caught.exception))
        return caught.exception

    def test_what_is_not_the_apis(self) -> None:
        for body in (b"", b"{}", b"[]", b"null", b'{"success":true}', b"<html>", b"[" * 100_000, b"\xff"):
            self.assertIsInstance(self.failure_of(reply(body)), PlatformConnectionError)

    def test_failures(self) -> None:
        for body in (b"", b'{"error":[]}', b'{"error":{"code":[],"details":{"a":1},"message":3}}', KEY.encode()):
            error = self.failure_of(reply(body, status=b"409 Conflict"))
            self.assertIsInstance(error, ApiError)
            self.assertEqual((type(error).__name__, error.code, error.id), ("ConflictError", "unknown", "proj_1"))

    def test_redirects_are_not_followed(self) -> None:
        error = self.failure_of(reply(b"", b"Location: http://127.0.0.1:1/", status=b"302 Found"))
        self.assertRegex(str(error), "redirects to another address. Check base_url")
