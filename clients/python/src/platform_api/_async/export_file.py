"""Exports conversations into a file: several are read at the same time, and written in the order of the list."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Mapping, Protocol

from .._core.errors import PlatformConnectionError
from .._core.options import NOT_GIVEN
from .._core.request import time_text
from .._generated.errors import NotFoundError
from .work import in_thread, together

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._core.options import RequestOptions
    from ..helpers.export_file import ExportedFile
    from ..types import Conversation, Message
    from .pages import AsyncPages


class _AsyncConversations(Protocol):
    """The methods of conversations that an export calls."""

    def list(self, *_: Any, **query: Any) -> AsyncPages[Conversation]: ...

    def messages(
        self, conversation_id: str, *, after_seq: int = 0, **options: Unpack[RequestOptions]
    ) -> AsyncIterator[Message]: ...


async def export_to(
    path: str,
    conversations: _AsyncConversations,
    address: str,
    filters: Mapping[str, Any],
    period: tuple[str | datetime, str | datetime],
    restart: bool,
    concurrency: int,
    on_progress: Callable[[ExportedFile], object] | None,
    options: RequestOptions,
) -> ExportedFile:
    """
    :param address: of the project
    """
    from ..helpers.export_file import ExportFile

    given = {name: value for name, value in filters.items() if value is not NOT_GIVEN}
    started_from, started_before = (time_text(one) if isinstance(one, datetime) else one or None for one in period)
    request = {
        "address": address,
        "filters": given,
        "startedFrom": started_from,
        "startedBefore": started_before,
    }
    now = time_text(datetime.fromtimestamp(time.time(), timezone.utc))
    file = await in_thread(ExportFile, path, request, started_before or now, restart)

    async def messages_of(conversation: Conversation) -> list[Any] | None:
        return await _messages_of(conversations, conversation, options)

    try:
        if not file.is_complete:
            known = file.done
            cursor = file.cursor
            query: dict[str, Any] = {**given, "started_before": file.started_before, "order": "oldest", "limit": 100}
            if started_from is not None:
                query["started_from"] = started_from
            if cursor is not None:
                query["cursor"] = cursor
            async for page in conversations.list(**query, **options).pages():
                on_page = frozenset(one.id for one in page.items) & known
                items = [one for one in page.items if one.id not in known]
                for begin in range(0, len(items), concurrency):
                    some = items[begin : begin + concurrency]
                    for conversation, messages in zip(some, await together(some, messages_of)):
                        await in_thread(file.add, conversation.to_dict(), messages, cursor, on_page)
                        if on_progress is not None:
                            on_progress(file.counts)
                cursor = page.next_cursor
        await in_thread(file.complete)
        return file.counts
    finally:
        file.end()


async def _messages_of(
    conversations: _AsyncConversations, conversation: Conversation, options: RequestOptions
) -> list[Any] | None:
    """None if the conversation was erased after it was listed."""
    found: list[Any] = []
    try:
        async for message in conversations.messages(conversation.id, **options):
            found.append(message.to_dict())
    except NotFoundError:
        # If the project is gone, or the key does not see it any more, this raises: then nothing was erased.
        await conversations.list(limit=1, **options).page()
        return None
    # The API numbers them without gaps.
    if len(found) < conversation.message_count or [one["seq"] for one in found] != list(range(1, len(found) + 1)):
        raise PlatformConnectionError(f"The transcript of {conversation.id} is not complete. Export again.")
    return found
