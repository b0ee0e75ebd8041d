"""When a failed attempt is repeated."""

from __future__ import annotations

import math
import os
import re
from email.utils import parsedate_to_datetime

from .errors import ApiError, PlatformConnectionError, PlatformError

_first_delay = 0.3
_max_delay = 10.0
_retried = (429, 500, 502, 503, 504)
_seconds = re.compile("[0-9]+")


def is_retryable(error: PlatformError) -> bool:
    """Every request of this client takes effect once, so only what another attempt can change matters."""
    if isinstance(error, ApiError):
        return error.status in _retried
    return isinstance(error, PlatformConnectionError)


def delay_after(attempt: int, retry_after: float | None, random: float) -> float:
    """Full jitter: callers that failed together do not come back together. ``Retry-After`` is a minimum, so the jitter is added.

    See https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/

    :param attempt: the one that failed: 1, 2, 3 …
    :param random: from 0 (inclusive) to 1 (exclusive)
    """
    most = min(_max_delay, _first_delay * 2.0 ** min(attempt - 1, 10))
    return (retry_after or 0) + random * most


def random_fraction() -> float:
    return int.from_bytes(os.urandom(6), "big") / 2**48


def retry_after_seconds(value: str | None, now: float) -> float | None:
    """``Retry-After`` in seconds or as a date (RFC 9110, section 10.2.3).

    :param now: what the responding server's clock says, so that the clocks need not agree
    """
    if value is None or not value.strip():
        return None
    if _seconds.fullmatch(value.strip()):
        seconds = float(value)
    else:
        date = http_date(value)
        if date is None:
            return None
        seconds = date - now
    return max(0.0, seconds) if math.isfinite(seconds) else None


def http_date(value: str | None) -> float | None:
    """A date of HTTP as seconds since 1970."""
    if not value:
        return None
    try:
        return parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
