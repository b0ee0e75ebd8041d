# Written by `npm run generate` from _async/pages.py.

"""Lists."""

from __future__ import annotations

from typing import Any, Iterator, Callable, Generic, TypeVar

from .._core.errors import PlatformConnectionError
from .._core.object import Object
from .._core.response import RawResponse
from .._core.values import is_list

Item = TypeVar("Item")


class Page(Generic[Item]):
    """One page of a list. It may have few items, or none, although there are more pages."""

    __slots__ = ("data", "items", "_get")

    def __init__(self, data: Any, get: Callable[[str | None], RawResponse[Any]]) -> None:
        self.data = data
        """All of the response's data."""
        items = data.get("items") if isinstance(data, Object) else None
        if not is_list(items) or "nextCursor" not in data:
            raise PlatformConnectionError("The response is not a list of the API: it has no items, or no nextCursor.")
        self.items: list[Item] = items
        self._get = get

    @property
    def next_cursor(self) -> str | None:
        """Send it as ``cursor``, with the same filters, to continue behind this page. None on the last page."""
        return self.data.next_cursor

    def has_next_page(self) -> bool:
        return self.next_cursor is not None

    def next_page(self) -> Page[Item] | None:
        """The next page, or None behind the last one."""
        if self.next_cursor is None:
            return None
        return Page((self._get(self.next_cursor)).parse(), self._get)

    def __iter__(self) -> Iterator[Item]:
        """The items of this page and of all that follow."""
        page: Page[Item] | None = self
        while page is not None:
            for item in page.items:
                yield item
            page = page.next_page()

    def __repr__(self) -> str:
        return f"Page({len(self.items)} items, next_cursor={self.next_cursor!r})"


class Pages(Generic[Item]):
    """A list: an iterator over the items of all pages. Nothing is sent before it is read."""

    __slots__ = ("_cursor", "_get")

    def __init__(self, cursor: str | None, get: Callable[[str | None], RawResponse[Any]]) -> None:
        self._cursor = cursor
        self._get = get

    def page(self) -> Page[Item]:
        """The first page."""
        return (self.raw_page()).parse()

    def raw_page(self) -> RawResponse[Page[Item]]:
        """The first page with the status and the headers of its response."""
        raw = self._get(self._cursor)
        return raw.with_data(Page(raw.parse(), self._get))

    def pages(self) -> Iterator[Page[Item]]:
        """An iterator over all pages."""
        page: Page[Item] | None = self.page()
        while page is not None:
            yield page
            page = page.next_page()

    def __iter__(self) -> Iterator[Item]:
        for item in self.page():
            yield item
