"""Keeps the documents of a source equal to those of the caller, and sends files."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, AsyncIterable, Callable, Iterable, cast

from .._core.errors import PlatformTimeoutError
from .knowledge_files import upload_file, wait_for_text
from .methods import AsyncKnowledgeDocumentsMethods, AsyncKnowledgeMethods
from .sync import AsyncSync, distinct
from .work import for_each, in_thread, iterator

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._core.options import RequestOptions
    from ..helpers.sync import SyncDocument, SyncEvent, SyncResult
    from ..types import KnowledgeDocument


class AsyncKnowledgeHelpers(AsyncKnowledgeMethods):
    __slots__ = ()

    async def sync(
        self,
        documents: str | os.PathLike[str] | Iterable[SyncDocument] | AsyncIterable[SyncDocument],
        *,
        source: str,
        prune: bool = False,
        reread: bool = False,
        dry_run: bool = False,
        concurrency: int = 4,
        on_progress: Callable[[SyncEvent], object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> SyncResult:
        """Makes the documents of one source equal to these: hashes them locally, sends only what has changed, and with ``prune``
        deletes what is gone. Waits until files have been read. Other sources, and documents without an external id, are not
        changed. May be repeated after a crash, and run twice at the same time. It does not build the index: call ``reindex``.

        :param documents: a folder, which ``read_documents`` reads, or documents: dictionaries with ``external_id``, ``title``
            and ``content``, or ``file`` in place of ``content``: a path or bytes. What a
            document leaves out, such as ``tags``, stays as it is
        :param source: the folder or system that the documents come from
        :param prune: deletes the documents of this source that are not among these
        :param reread: also sends files again that an earlier version of the API has read
        :param dry_run: changes nothing, and reports what would change
        :param concurrency: how many documents are sent at the same time. The file of each is in memory
        :param on_progress: is called for each document
        :returns: how many documents were ``created``, ``updated``, ``unchanged`` and ``deleted``, and ``failed``: the documents
            that the API refused, which stay as they are, and those whose file it could not read. ``notes`` says what the API has
            left out or changed when it read the documents
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
        run = AsyncSync(
            self._transport, self._base, source, reread, dry_run, Progress(total, on_progress), options
        )
        await run.read_stored()
        here: set[str] = set()
        await for_each(distinct(documents, here), concurrency, run.send)
        if prune:
            if not here:
                raise ValueError("There are no documents, so prune would delete all documents of the source.")
            gone = [stored for external_id, stored in run.stored.items() if external_id not in here]
            run.progress.total = run.progress.done + len(gone)
            await for_each(iterator(gone), concurrency, run.remove)
        return run.progress.result

    async def upload_file(self, file: str | os.PathLike[str] | bytes, **options: Unpack[RequestOptions]) -> str:
        """Uploads a file for a document: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV or TSV. Pass the id as ``upload_id`` to
        ``documents.create`` or ``documents.put``, then wait with ``wait_for_text``.

        :param file: a path, or bytes
        :returns: the id of the upload
        :raises DocumentFileError: if the file has more than 25 MB
        :raises OSError: if the file cannot be read
        """
        from ..helpers.knowledge_files import read_file

        return await upload_file(self._transport, self._base, await in_thread(read_file, file), options)

    async def wait_for_text(
        self,
        document: KnowledgeDocument,
        *,
        on_progress: Callable[[KnowledgeDocument], object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> KnowledgeDocument:
        """Waits until the file of a document has been read.

        ``deadline`` is the time limit of the whole wait, in seconds. The extraction goes on. Default: 600. None: no limit.

        :param on_progress: is called after each look at the document
        :returns: the document: ``extraction`` says whether it has the text, ``extraction_error`` why it has no text
        :raises PlatformTimeoutError: at the deadline
        """
        from ..helpers.knowledge_files import TEXT_DEADLINE

        deadline = options.pop("deadline", TEXT_DEADLINE)
        documents = AsyncKnowledgeDocumentsMethods(self._transport, self._base)
        limit = math.inf if deadline is None else deadline
        read = await wait_for_text(documents, document, limit, on_progress, options)
        if read.extraction == "pending":
            raise PlatformTimeoutError(f"The file of the document {read.id} was not read within {deadline} s.")
        return read
