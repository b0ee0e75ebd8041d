"""Keeps the documents of a source equal to those of the caller."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Callable, Iterable, cast

from .._generated.errors import NotFoundError, PayloadTooLargeError, ValidationError
from .methods import AsyncKnowledgeDocumentsMethods, AsyncKnowledgeMethods
from .work import for_each, in_thread, iterator

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._core.options import RequestOptions
    from ..helpers.sync import Progress, SyncDocument, SyncEvent, SyncResult
    from ..types import KnowledgeDocument


class AsyncKnowledgeHelpers(AsyncKnowledgeMethods):
    __slots__ = ()

    async def sync(
        self,
        documents: str | os.PathLike[str] | Iterable[SyncDocument] | AsyncIterable[SyncDocument],
        *,
        source: str,
        prune: bool = False,
        dry_run: bool = False,
        concurrency: int = 4,
        on_progress: Callable[[SyncEvent], object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> SyncResult:
        """Makes the documents of one source equal to these: hashes them locally, sends only what has changed, and with ``prune``
        deletes what is gone. Other sources, and documents without an external id, are not changed. May be repeated after a
        crash, and run twice at the same time. It does not build the index: call ``reindex``.

        :param documents: a folder, which ``read_documents`` reads, or documents: dictionaries with ``external_id``, ``title``
            and ``content``. What a document leaves out, such as ``tags``, stays as it is
        :param source: the folder or system that the documents come from
        :param prune: deletes the documents of this source that are not among these
        :param dry_run: changes nothing, and reports what would change
        :param concurrency: how many documents are sent at the same time
        :param on_progress: is called for each document
        :returns: how many documents were ``created``, ``updated``, ``unchanged`` and ``deleted``, and ``failed``: the documents
            that the API refused, which stay as they are
        :raises PlatformError: what prevents the whole work, such as UnauthorizedError
        :raises ValueError: if two documents have the same id, or if ``prune`` would delete all documents
        :raises OSError: if the folder cannot be read
        """
        if isinstance(documents, (str, os.PathLike)):
            from ..helpers.documents import read_documents

            documents = cast("list[SyncDocument]", await in_thread(read_documents, documents))
        # Its modules take time to import.
        from ..helpers.sync import Progress

        total = len(documents) if isinstance(documents, (list, tuple)) else None
        api = AsyncKnowledgeDocumentsMethods(self._transport, self._base)
        run = _Sync(api, source, dry_run, Progress(total, on_progress), options)
        await run.read_stored()
        here: set[str] = set()
        await for_each(_distinct(documents, here), concurrency, run.send)
        if prune:
            if not here:
                raise ValueError("There are no documents, so prune would delete all documents of the source.")
            gone = [stored for external_id, stored in run.stored.items() if external_id not in here]
            run.progress.total = run.progress.done + len(gone)
            await for_each(iterator(gone), concurrency, run.remove)
        return run.progress.result


class _Sync:
    """One run."""

    def __init__(
        self,
        documents: AsyncKnowledgeDocumentsMethods,
        source: str,
        dry_run: bool,
        progress: Progress,
        options: RequestOptions,
    ) -> None:
        self._documents = documents
        self._source = source
        self._dry_run = dry_run
        self._options = options
        self.progress = progress
        self.stored: dict[str, KnowledgeDocument] = {}

    async def read_stored(self) -> None:
        async for document in self._documents.list(source=self._source, limit=100, **self._options):
            if document.external_id is not None:
                self.stored[document.external_id] = document

    async def send(self, document: SyncDocument) -> None:
        fields: dict[str, Any] = dict(document)
        external_id: str = fields.pop("external_id")
        known = self.stored.get(external_id)
        from ..helpers.sync import differences

        changed = differences(known, fields) if known is not None else []
        if known is not None and not changed:
            return self.progress.add(external_id, "unchanged")
        if self._dry_run:
            return self.progress.add(external_id, "created" if known is None else "updated", changed)
        try:
            if known is not None and await self._change(known.id, fields):
                return self.progress.add(external_id, "updated", changed)
            stored: Any = await self._documents.put(external_id, source=self._source, **fields, **self._options)
            # An answer that was lost has taken effect.
            outcome = "created" if stored.outcome == "unchanged" else stored.outcome
        except (ValidationError, PayloadTooLargeError) as error:
            return self.progress.add(external_id, "failed", error=error)
        self.progress.add(external_id, outcome)

    async def _change(self, id_: str, fields: dict[str, Any]) -> bool:
        """A PATCH, because a PUT would replace what the caller leaves out. Returns whether the document still exists."""
        try:
            await self._documents.update(id_, **fields, **self._options)
        except NotFoundError:
            return False
        return True

    async def remove(self, stored: KnowledgeDocument) -> None:
        try:
            if not self._dry_run:
                await self._documents.delete(stored.id, **self._options)
        except NotFoundError:
            # Another run has just deleted it.
            pass
        self.progress.add(stored.external_id or stored.id, "deleted")


async def _distinct(
    documents: Iterable[SyncDocument] | AsyncIterable[SyncDocument], seen: set[str]
) -> AsyncIterator[SyncDocument]:
    async for document in iterator(documents):
        external_id = document["external_id"]
        if external_id in seen:
            raise ValueError(f"Two documents have the external_id {external_id}.")
        seen.add(external_id)
        yield document


