"""What calls raise. No error has a cause: what happened below may contain the request's headers."""

from __future__ import annotations

import os
import re
from typing import Any, Sequence, TypeVar
from urllib.parse import unquote, urlsplit

from .object import Object


class PlatformError(Exception):
    """Every error of this client."""

    # Where callers import it from: tracebacks show this name.
    __module__ = "platform_api"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__module__.startswith("platform_api.") and not cls.__name__.startswith("_"):
            cls.__module__ = "platform_api"

    attempts: int = 1
    """How many requests were sent. If a lost attempt has already taken effect, the next one of a DELETE can get 404, and of
    a change with ``if_match`` 412: look at this number."""

    @property
    def message(self) -> str:
        """Why, for people."""
        return str(self)


class ErrorDetail(Object):
    """An invalid field, and why."""

    path: str
    message: str


class ApiError(PlatformError):
    """The API refused the request, or failed. Each status and each code has a class of its own."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "unknown",
        request_id: str | None = None,
        details: Sequence[ErrorDetail] = (),
        retry_after: float | None = None,
        method: str = "",
        path: str = "",
        resource: Object | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status."""
        self.code = code
        """The code, for programs. ``unknown`` if something other than the API responded, such as a proxy."""
        self.request_id = request_id
        """Identifies the request in the service's logs."""
        self.details = details
        """The invalid fields, and why."""
        self.retry_after = retry_after
        """After how many seconds to try again, if the response said so."""
        self.method = method
        """The method of the request, such as ``GET``."""
        self.path = path
        """Its path below the base URL, without the query."""
        self.resource = resource
        """Of ``secret_unavailable``: what the first request created, without its secret."""

    @property
    def message(self) -> str:
        """Why, for people: without the request, which ``str`` adds."""
        return super().__str__()

    def __str__(self) -> str:
        first, end, details = self.message.partition("\n")
        path = self.path.split("?")[0]
        facts = [f"{self.method} {path}" if path else "", f"request {self.request_id}" if self.request_id else ""]
        where = ", ".join(filter(None, facts))
        return f"{first} ({where}){end}{details}" if where else self.message

    @property
    def id(self) -> str | None:
        """The last id in the path: of the resource, or of what it belongs to. None if there is none."""
        before = ""
        found: str | None = None
        for part in self.path.split("/"):
            if _is_id(part) or before in ("by-external-id", "environments"):
                found = part
            before = part
        return None if found is None else unquote(found)


class PlatformConnectionError(PlatformError):
    """There was no complete response."""

    code: str | None = None
    """What the system calls it, such as ``ECONNREFUSED``."""
    address: str | None = None
    """Where the request was sent: scheme, host and port. None if no single request has failed."""

    def __str__(self) -> str:
        reason = super().__str__()
        if self.address is None:
            return reason
        after = f" after {self.attempts} attempts" if self.attempts > 1 else ""
        return f"The request to {self.address} failed{after}: {reason}"


class PlatformTimeoutError(PlatformConnectionError):
    """There was no complete response in time."""


_Failure = TypeVar("_Failure", bound=PlatformConnectionError)

_id = re.compile("[a-z]+_[A-Za-z0-9_]+")


def _is_id(part: str) -> bool:
    return _id.fullmatch(part) is not None


def connection_error(error: BaseException, redact: Any, url: str) -> PlatformConnectionError:
    """Of what the transport raised, only its message and code."""
    below = _system_error(error)
    reason = re.sub(r"^\[Errno -?[0-9]+\] ", "", str(error).strip()) or type(error).__name__
    failure = PlatformConnectionError()
    if below is not None:
        import errno

        failure.code = errno.errorcode.get(below.errno or 0)
        # The numbers of other classes, such as those of TLS, are not the system's.
        if type(below) is OSError or isinstance(below, ConnectionError):
            reason = os.strerror(below.errno or 0)
    failure.args = (redact(f"{reason}."),)
    return at_address(failure, url)


def _system_error(error: BaseException) -> OSError | None:
    """httpx raises what the system has raised as the cause of a cause."""
    one: BaseException | None = error
    for _ in range(8):
        if one is None or (isinstance(one, OSError) and one.errno is not None):
            return one
        one = one.__cause__ or one.__context__
    return None


def timeout_error(what: str, seconds: float, url: str) -> PlatformTimeoutError:
    return at_address(PlatformTimeoutError(f"There was no {what} within {seconds:.3g} seconds."), url)


def at_address(failure: _Failure, url: str) -> _Failure:
    """The failure, which says where its request was sent: never the path or the query, which may work for anyone."""
    parts = urlsplit(url)
    failure.address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return failure
