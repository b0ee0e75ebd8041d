"""A server that answers as a scenario says, also badly, and one that changes what is between the client and the proxy."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import urlsplit


@dataclass
class Request:
    method: str
    target: str
    """The path with the query."""
    headers: Message
    """Letter case does not matter."""
    content: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.content) if self.content else None


@dataclass
class Reply:
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    fault: Literal["lost", "hanging", "stalled", "cut"] | None = None
    """``lost``: the connection closes. ``hanging``: no response. ``stalled``: no body. ``cut``: half of the body, then closed."""


def success(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status, headers or {}, json.dumps({"success": True, "data": data}).encode())


def failure(status: int, code: str, headers: Mapping[str, str] | None = None, **more: object) -> Reply:
    error = {"code": code, "message": "A message.", "requestId": "req-1", **more}
    return Reply(
        status, {"X-Request-Id": "req-1", **(headers or {})}, json.dumps({"success": False, "error": error}).encode()
    )


class Server:
    def __init__(self, handle: Callable[[Request], Reply]) -> None:
        closed = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_: object) -> None:
                pass

            def answer(self) -> None:
                content = self.rfile.read(int(self.headers["content-length"] or 0))
                reply = handle(Request(self.command, self.path, self.headers, content))
                if reply.fault == "hanging":
                    closed.wait()
                if reply.fault in ("lost", "hanging"):
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response_only(reply.status)
                names = {name.lower() for name in reply.headers}
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if reply.status != 304 and "content-length" not in names:
                    self.send_header("Content-Length", str(len(reply.content)))
                self.end_headers()
                if reply.fault == "stalled":
                    closed.wait()
                    self.close_connection = True
                elif reply.fault == "cut":
                    self.wfile.write(reply.content[: len(reply.content) // 2])
                    self.close_connection = True
                else:
                    self.wfile.write(reply.content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 256

            def handle_error(self, *_: object) -> None:
                """A client that has gone is no error."""

        self._closed = closed
        self._server = Quiet(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()


def scripted(replies: Sequence[Reply | Callable[[], Reply]], sent: list[Request]) -> Callable[[Request], Reply]:
    """These replies one after another, the last one again and again. What was sent is added to ``sent``."""
    lock = threading.Lock()

    def handle(request: Request) -> Reply:
        with lock:
            reply = replies[min(len(sent), len(replies) - 1)]
            sent.append(request)
        return reply() if callable(reply) else reply

    return handle


def forward(origin: str, request: Request) -> Reply:
    """The response of another server. One that breaks off there is ``lost``."""
    connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=60)
    try:
        dropped = ("host", "connection", "accept-encoding")
        headers = {name: value for name, value in request.headers.items() if name.lower() not in dropped}
        connection.request(request.method, request.target, request.content or None, headers)
        response = connection.getresponse()
        kept = {
            name: value
            for name, value in response.getheaders()
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "keep-alive")
        }
        return Reply(response.status, kept, response.read())
    except (OSError, http.client.HTTPException):
        return Reply(fault="lost")
    finally:
        connection.close()
