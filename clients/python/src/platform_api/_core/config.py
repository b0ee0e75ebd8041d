"""The settings of a client."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple

from .events import RequestEvent, ResponseEvent, RetryEvent
from .options import NOT_GIVEN
from .settings import KeySource, api_key_from, base_url_from

if TYPE_CHECKING:
    import ssl

_defaults = {"timeout": 30.0, "deadline": 60.0, "max_retries": 5}


class Limits(NamedTuple):
    """Times in seconds."""

    timeout: float
    deadline: float
    max_retries: float


class Config:
    """What a client was made with. It prints only its address."""

    def __init__(
        self,
        *,
        api_key: str | KeySource | None,
        base_url: str | None,
        limits: Mapping[str, Any],
        headers: Mapping[str, str] | None,
        ssl_context: ssl.SSLContext | None,
        on_request: Callable[[RequestEvent], object] | None,
        on_response: Callable[[ResponseEvent], object] | None,
        on_retry: Callable[[RetryEvent], object] | None,
    ) -> None:
        self.base_url = base_url_from(base_url)
        self.api_key = api_key_from(api_key, self.base_url)
        self.headers = dict(headers or {})
        self.ssl_context = ssl_context
        self.on_request = on_request
        self.on_response = on_response
        self.on_retry = on_retry
        self._limits = limits

    def limits(self, options: Mapping[str, Any]) -> Limits:
        """The options of the call, those of the client, and the defaults, in this order."""
        return Limits(*(_limit(options, name, _limit(self._limits, name, default)) for name, default in _defaults.items()))

    def __repr__(self) -> str:
        return f"Config(base_url={self.base_url!r})"


def _limit(options: Mapping[str, Any], name: str, default: float) -> float:
    value = options.get(name, NOT_GIVEN)
    if value is NOT_GIVEN:
        return default
    return math.inf if value is None else value
