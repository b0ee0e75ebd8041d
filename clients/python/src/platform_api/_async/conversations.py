"""Reads, follows, stores and exports messages."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence, cast

from .._core.options import NOT_GIVEN
from .._core.request import path_of, random_id, to_wire
from .._generated import shapes
from .export_file import export_to
from .files import upload
from .io import sleep
from .long_poll import long_poll
from .methods import AsyncConversationsMethods, AsyncUploadsMethods
from .work import in_thread, iterator

if TYPE_CHECKING:
    from datetime import datetime

    from typing_extensions import Unpack

    from .. import types as t
    from .._core.object import Object
    from .._core.options import PostOptions, RequestOptions
    from ..helpers.export_file import ExportedFile

    Line = Mapping[str, Any] | Object

_page_size = 100


class AsyncConversationsHelpers(AsyncConversationsMethods):
    __slots__ = ()

    async def append(
        self,
        conversation_id: str,
        *,
        messages: Sequence[t.MessageInput],
        **options: Unpack[PostOptions],
    ) -> t.AppendedMessages:
        """Adds all messages or none, in their order. A message without a ``client_message_id`` gets a random one, so that the
        retries of this call store it once. Pass your own, so that this also holds after a restart of your process.
        """
        sent = [{"clientMessageId": random_id(), **to_wire(one, shapes.MessageInput)} for one in messages]
        return await self._call(
            "POST",
            path_of("/conversations/", conversation_id, "/messages"),
            options,
            body={"messages": sent},
            takes="idempotency_key",
            is_idempotent=True,
        )

    async def messages(
        self, conversation_id: str, *, after_seq: int = 0, **options: Unpack[RequestOptions]
    ) -> AsyncIterator[t.Message]:
        """The messages that are stored now, in order.

        :param after_seq: begins after this message: the ``seq`` of the last one that you have
        """
        while True:
            page = await self.transcript(conversation_id, after_seq=after_seq, limit=_page_size, **options)
            for message in page.messages:
                yield message
            # A page of large messages has fewer than `limit`: only an empty one is the last, unless the conversation has ended.
            if page.final or not page.messages:
                return
            after_seq = page.next_after_seq

    async def follow(
        self, conversation_id: str, *, after_seq: int = 0, **options: Unpack[RequestOptions]
    ) -> AsyncIterator[t.Message]:
        """The messages in order, as soon as they are stored, until the conversation has ended. A lost connection is opened again,
        and continues after the last message. Stop with ``break``.

        :param after_seq: begins after this message: the ``seq`` of the last one that you have
        """
        path = path_of("/conversations/", conversation_id, "/transcript")
        while True:
            query = {"afterSeq": after_seq, "limit": _page_size}
            found, pause = await long_poll(self._send, path, query, options)
            for message in found.messages:
                yield message
                after_seq = message.seq
            if found.final:
                return
            if not found.messages:
                await sleep(pause)

    async def import_lines(
        self,
        source: str | os.PathLike[str] | IO[bytes] | Iterable[Line] | AsyncIterable[Line],
        **options: Unpack[RequestOptions],
    ) -> t.ConversationsImportJob:
        """Imports any number of conversations: uploads them, and starts a job. Each is stored once, also if you import it again.
        Wait for the job with ``jobs.wait``: its result counts the lines that failed. Only the compressed lines are held, in
        memory or in a temporary file.

        :param source: a file of JSON lines, plain or compressed with gzip: its path, or open for bytes. Or conversations with
            their messages: dictionaries as ``import_`` takes them, or lines of an export
        """
        from ..helpers.import_lines import GzippedLines, opened, size_of

        is_own = not hasattr(source, "read")
        file: IO[bytes]
        if isinstance(source, (str, os.PathLike)):
            file = await in_thread(opened, source)
        elif is_own:
            lines = GzippedLines()
            async for one in iterator(cast("Iterable[Line]", source)):
                lines.add(one)
            file = lines.end()
        else:
            file = cast("IO[bytes]", source)
        try:
            uploads = AsyncUploadsMethods(self._transport, self._base)
            size = size_of(file)

            async def create() -> tuple[str, str]:
                place = await uploads.create(bytes=size, **options)
                return place.id, place.url

            transport = self._transport
            upload_id = await upload(transport.http, create, file, size, transport.config.limits(options))
            return await self.import_file(upload_id=upload_id, **options)
        finally:
            if is_own:
                file.close()

    async def export(
        self,
        path: str | os.PathLike[str],
        *,
        started_from: str | datetime = NOT_GIVEN,
        started_before: str | datetime = NOT_GIVEN,
        tag: str = NOT_GIVEN,
        channel: str = NOT_GIVEN,
        status: t.ConversationStatus = NOT_GIVEN,
        avatar_id: str = NOT_GIVEN,
        external_user_id: str = NOT_GIVEN,
        deployment_id: str = NOT_GIVEN,
        score: Sequence[str] = NOT_GIVEN,
        restart: bool = False,
        concurrency: int = 8,
        on_progress: Callable[[ExportedFile], object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> ExportedFile:
        """Writes conversations with their messages into a file: a line of JSON for each, oldest first. An interrupted export
        continues from its last position when you call the method again with the same arguments; the file has nothing twice then,
        and nothing missing. Until it is complete, the file has another name, so an older one stays until then.

        ``exports.lines`` is faster for many conversations, and reads them from files that the service writes.

        :param path: of the file. Its owner alone can read it. ``path.partial`` and ``path.progress`` are beside it meanwhile
        :param started_from: only conversations that started at this time or later
        :param started_before: only conversations that started before this time. Default: when the export begins
        :param score: only conversations with these scores: at most three, such as ``csat:gte:3``
        :param restart: discards what an interrupted export has left
        :param concurrency: how many conversations are read at the same time
        :param on_progress: is called after each conversation
        :returns: how many ``conversations`` and ``messages`` the file has, how many conversations were ``erased`` meanwhile, and
            how many are ``active``: they may get further messages
        :raises ExportConflictError: if an export with other arguments is interrupted, or if another process writes the file
        :raises OSError: if the file cannot be written
        """
        filters = {
            "tag": tag,
            "channel": channel,
            "status": status,
            "avatar_id": avatar_id,
            "external_user_id": external_user_id,
            "deployment_id": deployment_id,
            # As the progress file has it.
            "score": NOT_GIVEN if score is NOT_GIVEN else [*score],
        }
        period = (started_from, started_before)
        address = self._transport.config.base_url + self._base
        return await export_to(
            os.fspath(path), self, address, filters, period, restart, concurrency, on_progress, options
        )
