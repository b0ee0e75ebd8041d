# Written by `npm run generate` from _async/resource.py.

"""The base of all resources."""

from __future__ import annotations

from typing import Any, Callable, Mapping, ParamSpec, TypeVar

from .._core.options import NOT_GIVEN, all_options, check_options, common_options
from .._core.request import Query, Request
from .._core.response import RawResponse
from .pages import Page, Pages
from .transport import Transport

P = ParamSpec("P")
Data = TypeVar("Data")

_raw = "_raw"
_raw_option = frozenset((_raw,))


class Resource:
    """Methods that share the beginning of their paths."""

    __slots__ = ("_transport", "_base")

    def __init__(self, transport: Transport, base: str) -> None:
        self._transport = transport
        self._base = base

    def _send(self, request: Request) -> RawResponse[Any]:
        check_options(request.options, all_options)
        request.path = self._base + request.path
        return self._transport.send(request)

    def _call(
        self,
        method: str,
        path: str,
        options: Mapping[str, Any],
        *,
        query: Query | None = None,
        body: Any = NOT_GIVEN,
        takes: str = "",
        is_idempotent: bool = False,
    ) -> Any:
        """The data of a response; with the option of ``raw``, the response.

        :param takes: the names of the options that not every method has
        """
        check_options(options, common_options | _raw_option | set(takes.split()))
        options = dict(options)
        is_raw = options.pop(_raw, False)
        request = Request(method, path, query=query, body=body, options=options, is_idempotent=is_idempotent)
        response = self._send(request)
        return response if is_raw else response.parse()

    def _pages(self, path: str, options: Mapping[str, Any], query: Query) -> Pages[Any]:
        check_options(options, common_options)

        def get(cursor: str | None) -> RawResponse[Any]:
            return self._send(Request("GET", path, query={**query, "cursor": cursor}, options=options))

        return Pages(query.get("cursor") or None, get)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._base!r})"


def raw(method: Callable[P, Data]) -> Callable[P, RawResponse[Data]]:
    """The method, but it returns the response."""

    def call(*args: P.args, **options: P.kwargs) -> Any:
        options[_raw] = True
        return method(*args, **options)

    return call


def raw_page(method: Callable[P, Pages[Data]]) -> Callable[P, RawResponse[Page[Data]]]:
    """The method, but it returns the response of the first page."""

    def call(*args: P.args, **options: P.kwargs) -> RawResponse[Page[Data]]:
        return method(*args, **options).raw_page()

    return call
