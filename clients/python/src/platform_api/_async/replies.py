"""Follows a reply while it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, AsyncIterator

from .._core.request import path_of
from .io import sleep
from .long_poll import long_poll
from .methods import AsyncRepliesMethods

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types as t
    from .._core.options import RequestOptions


class AsyncRepliesHelpers(AsyncRepliesMethods):
    __slots__ = ()

    async def follow(
        self, conversation_id: str, reply_id: str, *, after: int = 0, **options: Unpack[RequestOptions]
    ) -> AsyncIterator[t.Reply]:
        """The reply each time that it has more text, and at its end. ``text`` is only the text that follows the text before. A lost
        connection is opened again, and continues after the last text. Stop with ``break``: the reply goes on, unless you cancel it.

        :param after: begins after this part of the text: the ``next_after`` of the reply that you have
        """
        path = path_of("/conversations/", conversation_id, "/replies/", reply_id)
        while True:
            reply, pause = await long_poll(self._send, path, {"after": after}, options)
            goes_on = reply.status in ("queued", "running")
            if reply.text or not goes_on:
                yield reply
            if not goes_on:
                return
            after = reply.next_after
            if not reply.text:
                await sleep(pause)
