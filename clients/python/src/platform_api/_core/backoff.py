"""When a failed attempt is repeated."""

from __future__ import annotations

import os
import re
from typing import Mapping

from .errors import ApiError, PlatformConnectionError, PlatformError
from .http_date import http_date

_first_delay = 0.3
_max_delay = 10.0
_retried = (429, 500, 502, 503, 504)
_seconds = re.compile("[0-9]+")

_max_retry_after = 31 * 86_400.0
"""The cap. A longer pause means "not soon" in any case. No period of the service is longer than a month."""


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


def retry_after_seconds(headers: Mapping[str, str], now: float) -> float | None:
    """``Retry-After`` as a whole number of seconds or a date of HTTP (RFC 9110, section 10.2.3). Anything else is ignored.

    :param now: what the client's clock says. A date counts from the server's ``Date``, so the two clocks need not agree
    """
    text = headers.get("retry-after", "").strip()
    if _seconds.fullmatch(text):
        # More digits than a number can have are too many for the cap, too.
        return min(float(text), _max_retry_after)
    sent = http_date(headers.get("date", ""), now)
    since = now if sent is None else sent
    at = http_date(text, since)
    return None if at is None else min(max(0.0, at - since), _max_retry_after)
