"""The three forms of a date in HTTP (RFC 9110, section 5.6.7), and nothing else.

``email.utils.parsedate_to_datetime`` would also take what is no date of HTTP. The service has the same rules, and a test runs the
same table against both.
"""

from __future__ import annotations

import calendar
import re
import time
from datetime import date

_months = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_short_days = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_long_days = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_clock = "(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"

_forms = (
    # IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
    re.compile(f"{_short_days}, (?P<day>[0-9]{{2}}) (?P<month>{_months}) (?P<year>[0-9]{{4}}) {_clock} GMT"),
    # RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
    re.compile(f"{_long_days}, (?P<day>[0-9]{{2}})-(?P<month>{_months})-(?P<year>[0-9]{{2}}) {_clock} GMT"),
    # asctime: Sun Nov  6 08:49:37 1994
    re.compile(f"{_short_days} (?P<month>{_months}) (?P<day>[0-9]{{2}}| [0-9]) {_clock} (?P<year>[0-9]{{4}})"),
)

_max_years_ahead = 50
"""A year of two digits is at most so far in the future (RFC 9110, section 5.6.7)."""


def http_date(text: str, now: float) -> float | None:
    """A date of HTTP as seconds since 1970. The name of the day of the week is not compared.

    :param now: decides about a year of two digits
    """
    for form in _forms:
        match = form.fullmatch(text)
        if match:
            break
    else:
        return None
    year = int(match["year"])
    if len(match["year"]) == 4:
        return _time_of(year, match)
    today = time.gmtime(now)
    latest = calendar.timegm((today.tm_year + _max_years_ahead, *today[1:6])) + now % 1
    next_century = -(-today.tm_year // 100) * 100 + year
    times = (_time_of(next_century - before, match) for before in (0, 100, 200))
    return next((at for at in times if at is not None and at <= latest), None)


def _time_of(year: int, match: re.Match[str]) -> float | None:
    """A second of 60 is a leap second (RFC 9110): the next minute."""
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"])
    if year < 100 or hour > 23 or minute > 59 or second > 60:
        return None
    try:
        day = date(year, _months.split("|").index(match["month"]) + 1, int(match["day"]))
    except ValueError:
        return None
    return float(calendar.timegm(day.timetuple()) + (hour * 60 + minute) * 60 + second)
