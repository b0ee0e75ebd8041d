"""Reads the envelope of a response: the data, or an error."""

from __future__ import annotations

import json
import time
from typing import Any, Callable, Generic, Mapping, TypeVar

from .._generated.errors import error_classes, status_classes
from .backoff import retry_after_seconds
from .errors import ApiError, PlatformConnectionError
from .headers import Headers
from .object import Object, wrap
from .values import is_dict, is_list

Data = TypeVar("Data")
Other = TypeVar("Other")


class Reply:
    """A complete response of HTTP."""

    __slots__ = ("status", "reason", "headers", "body")

    def __init__(self, status: int, reason: str, headers: Headers, body: bytes) -> None:
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body


class RawResponse(Generic[Data]):
    """A successful response with its status and headers."""

    __slots__ = ("status", "headers", "request_id", "replayed", "attempts", "_data")

    def __init__(self, status: int, headers: Mapping[str, str], attempts: int, data: Data) -> None:
        self.status = status
        """The HTTP status."""
        self.headers: Mapping[str, str] = headers
        """The headers. Letter case does not matter in names."""
        self.request_id: str | None = headers.get("x-request-id")
        """Identifies the request in the service's logs."""
        self.replayed: bool = headers.get("idempotent-replayed") == "true"
        """Whether an earlier request with the same Idempotency-Key had taken effect."""
        self.attempts = attempts
        """How many requests were sent."""
        self._data = data

    def parse(self) -> Data:
        """The data: what the method without ``with_raw_response`` returns."""
        return self._data

    def with_data(self, data: Other) -> RawResponse[Other]:
        """The same response with other data."""
        return RawResponse(self.status, self.headers, self.attempts, data)

    def __repr__(self) -> str:
        return f"RawResponse(status={self.status}, request_id={self.request_id!r})"


def read(
    reply: Reply, attempt: int, redact: Callable[[str], str], method: str, path: str, base_url: str
) -> RawResponse[Any]:
    """Raises ApiError, or PlatformConnectionError if a successful response is not the API's: it may have been cut off."""
    status = reply.status
    if status == 304:
        return RawResponse(status, reply.headers, attempt, None)
    if 200 <= status < 300:
        envelope = _parse(reply.body)
        if envelope.get("success") is not True or not is_dict(envelope.get("data")):
            raise PlatformConnectionError(f"The response with status {status} is not the API's, or not complete.")
        return RawResponse(status, reply.headers, attempt, wrap(envelope["data"]))
    # A server or a proxy may repeat what it got.
    error = _parse(redact(reply.body.decode("utf-8", "replace"))).get("error")
    raise _api_error(reply, error if is_dict(error) else {}, method, path, base_url)


def _api_error(reply: Reply, error: dict[str, Any], method: str, path: str, base_url: str) -> ApiError:
    status, headers = reply.status, reply.headers
    code = _text(error.get("code")) or "unknown"
    details: list[Any] = [Object(one) for one in _list(error.get("details")) if is_dict(one)]
    unknown = (
        "The server redirects to another address. Check base_url."
        if 300 <= status < 400
        else f"The response with status {status} {reply.reason} is not the API's."
    )
    message = _text(error.get("message")) or unknown
    is_elsewhere = code == "unknown" or not base_url.endswith("/api/v1")
    hint = " Is the base URL complete? It ends with /api/v1." if status == 404 and is_elsewhere else ""
    lines = "".join(f"\n  {one.get('path')}: {one.get('message')}" for one in details)
    resource = error.get("resource")
    error_class = error_classes.get(code) or status_classes.get(status) or ApiError
    return error_class(
        f"{message}{hint}{lines}",
        status=status,
        code=code,
        request_id=headers.get("x-request-id") or _text(error.get("requestId")),
        details=details,
        retry_after=retry_after_seconds(headers, time.time()),
        method=method,
        path=path,
        resource=Object(resource) if is_dict(resource) else None,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list(value: object) -> list[Any]:
    return value if is_list(value) else []


def _parse(text: bytes | str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if is_dict(value) else {}
