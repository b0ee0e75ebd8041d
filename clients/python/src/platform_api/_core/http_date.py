"""The three forms of a date in HTTP (RFC 9110, section 5.6.7), and nothing else.

``email.utils.parsedate_to_datetime`` alone would also take what is no date of HTTP. The service has the same rules, and a test runs
the same table against both.
"""

from __future__ import annotations

import calendar
import re
import time
from email.utils import formatdate, parsedate_to_datetime

_short_year = re.compile("(?=(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(...)[a-z]+, ([0-9]{2})-(...)-(?=[0-9]{2} )")
"""``Sunday, 06-Nov-94 08:49:37 GMT`` (RFC 850), until its year."""

_asctime = re.compile("(...) (...) ([0-9]{2}| [0-9]) ([0-9:]{8}) ([0-9]{4})")
"""``Sun Nov  6 08:49:37 1994``"""

_longest = len("Wednesday, 06-Nov-94 08:49:37 GMT")


def http_date(text: str, now: float) -> float | None:
    """A date of HTTP as seconds since 1970. None if it is none, or no day that exists.

    :param now: decides about a year of two digits: it is at most 50 years in the future
    """
    if len(text) > _longest:
        return None
    short = _short_year.match(text)
    if not short:
        asctime = _asctime.fullmatch(text)
        return _fixed("{0}, {2} {1} {4} {3} GMT".format(*asctime.groups()).replace(",  ", ", 0") if asctime else text)
    today = time.gmtime(now)
    latest = calendar.timegm((today.tm_year + 50, *today[1:6])) + now % 1
    name, day, month = short.groups()
    for later in (100, 0, -100):
        century = (today.tm_year + later) // 100
        at = _fixed(f"{name}, {day} {month} {century}{text[short.end() :]}")
        if at is not None and at <= latest:
            return at
    return None


def _fixed(text: str) -> float | None:
    """``Sun, 06 Nov 1994 08:49:37 GMT``: the form that Python writes."""
    try:
        at = parsedate_to_datetime(text).timestamp()
        return at if formatdate(at, usegmt=True) == text else None
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
