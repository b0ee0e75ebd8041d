"""What hooks are told. Never headers, bodies or the key: an event can be logged as it is."""

from __future__ import annotations

from typing import NamedTuple

from .errors import PlatformError


class RequestEvent(NamedTuple):
    """An attempt begins."""

    method: str
    url: str
    """With the query."""
    attempt: int
    """1, 2, 3 …"""


class ResponseEvent(NamedTuple):
    """An attempt has a response."""

    method: str
    url: str
    attempt: int
    status: int
    request_id: str | None
    duration: float
    """Seconds from the request to the end of the body."""
    deprecation: str | None
    """The header ``Deprecation`` (RFC 9745), if the operation will be removed."""
    sunset: str | None
    """The header ``Sunset`` (RFC 8594): when it will be removed."""


class RetryEvent(NamedTuple):
    """Another attempt follows after a pause."""

    method: str
    url: str
    attempt: int
    """The attempt that failed."""
    error: PlatformError
    delay: float
    """Seconds."""
