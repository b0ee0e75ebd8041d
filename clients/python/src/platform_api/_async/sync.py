"""Sends the documents of a synchronisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Sequence

from .._generated.errors import NotFoundError, PayloadTooLargeError, ValidationError
from .knowledge_files import upload_file, wait_for_text
from .methods import AsyncKnowledgeDocumentsMethods
from .work import in_thread, iterator

if TYPE_CHECKING:
    from .._core.options import RequestOptions
    from ..helpers.sync import Progress, SyncDocument, SyncField, SyncOutcome
    from ..types import KnowledgeDocument
    from .transport import AsyncTransport

    Fields = dict[str, Any]
    Sent = tuple[SyncOutcome, KnowledgeDocument | None]
    #: The stored document as it is now, what differs, and what sends it.
    Plan = tuple[KnowledgeDocument | None, Sequence[SyncField], Callable[[], Awaitable[Sent]]]


class AsyncSync:
    """One run."""

    def __init__(
        self,
        transport: AsyncTransport,
        base: str,
        source: str,
        reread: bool,
        dry_run: bool,
        progress: Progress,
        options: RequestOptions,
    ) -> None:
        self._at = (transport, base)
        self._documents = AsyncKnowledgeDocumentsMethods(transport, base)
        self._source = source
        self._reread = reread
        self._dry_run = dry_run
        self._options = options
        self.progress = progress
        self.stored: dict[str, KnowledgeDocument] = {}
        self._reader_version = 0

    async def read_stored(self) -> None:
        async for page in self._documents.list(source=self._source, limit=100, **self._options).pages():
            self._reader_version = page.data.reader_version
            for document in page.items:
                if document.external_id is not None:
                    self.stored[document.external_id] = document

    async def send(self, fields: Fields) -> None:
        from ..helpers.knowledge_files import DocumentFileError

        external_id: str = fields.pop("external_id")
        title: str = fields["title"]
        known = self.stored.get(external_id)
        plan = self._plan_file if "file" in fields else self._plan_text
        try:
            now, changed, send = await plan(external_id, fields, known)
            # Before a new content is sent, nobody has read it.
            document = None if "content" in changed else now
            outcome: SyncOutcome = "created" if known is None else "updated"
            if known is not None and not changed:
                outcome = "unchanged"
            elif not self._dry_run:
                outcome, document = await send()
        except (ValidationError, PayloadTooLargeError, DocumentFileError) as error:
            # Nobody waits for its text.
            if known is not None and known.ignored:
                return self.progress.add(external_id, "unchanged")
            return self.progress.add(external_id, "failed", error=error)
        self.progress.note(external_id, title, document)
        self.progress.add(external_id, outcome, changed if outcome == "updated" else ())

    async def _plan_text(self, external_id: str, fields: Fields, known: KnowledgeDocument | None) -> Plan:
        from ..helpers.sync import differences, sha256

        async def send() -> Sent:
            changed = None if known is None else await self._change(known.id, fields)
            return ("updated", changed) if changed is not None else await self._put(external_id, fields, "created")

        if known is None:
            return None, (), send
        return known, differences(known, fields, known.content_sha256 == sha256(fields["content"])), send

    async def _plan_file(self, external_id: str, fields: Fields, known: KnowledgeDocument | None) -> Plan:
        from ..helpers.knowledge_files import read_file, require_text
        from ..helpers.sync import differences, sha256

        content = await in_thread(read_file, fields.pop("file"))
        # The run that has sent it may have ended before it was read.
        now = None if known is None else await self._read(known)
        changed: Sequence[SyncField] = ()
        mime_type = fields.pop("mime_type", None) or (None if now is None else now.file_mime_type)
        if now is not None:
            is_same = now.file_sha256 == sha256(content) and now.file_mime_type == mime_type
            if self._reread and now.extracted_by is not None and now.extracted_by < self._reader_version:
                is_same = False
            # The API would refuse the same file again.
            if is_same and not now.ignored:
                require_text(now)
            changed = differences(now, fields, is_same)

        async def send() -> Sent:
            if now is not None and "content" not in changed:
                document = await self._change(now.id, fields)
                if document is not None:
                    return "updated", document
            upload_id = await upload_file(*self._at, content, self._options)
            # A PUT replaces what it leaves out.
            kept = {} if now is None else {"tags": now.tags, "metadata": now.metadata.to_dict()}
            hint = {} if mime_type is None else {"mime_type": mime_type}
            sent = {**kept, **fields, **hint, "upload_id": upload_id}
            return await self._put(external_id, sent, "created" if now is None else "updated")

        return now, changed, send

    async def _put(self, external_id: str, fields: Fields, before: SyncOutcome) -> Sent:
        """Returns ``before`` if an answer was lost, because it has taken effect."""
        from ..helpers.knowledge_files import require_text

        stored: Any = await self._documents.put(external_id, source=self._source, **fields, **self._options)
        document: KnowledgeDocument | None = stored.document
        if "upload_id" in fields:
            document = await self._read(stored.document)
            if document is not None and not document.ignored:
                require_text(document)
        return before if stored.outcome == "unchanged" else stored.outcome, document

    async def _read(self, document: KnowledgeDocument) -> KnowledgeDocument | None:
        """Returns the document when its file has been read; None if somebody has deleted it."""
        from ..helpers.knowledge_files import TEXT_DEADLINE

        try:
            return await wait_for_text(self._documents, document, TEXT_DEADLINE, None, self._options)
        except NotFoundError:
            return None

    async def _change(self, id_: str, fields: Fields) -> KnowledgeDocument | None:
        """A PATCH, because a PUT would replace what the caller leaves out. Returns None if the document is gone."""
        try:
            return await self._documents.update(id_, **fields, **self._options)
        except NotFoundError:
            return None

    async def remove(self, stored: KnowledgeDocument) -> None:
        try:
            if not self._dry_run:
                await self._documents.delete(stored.id, **self._options)
        except NotFoundError:
            # Another run has just deleted it.
            pass
        self.progress.add(stored.external_id or stored.id, "deleted")


async def distinct(
    documents: Iterable[SyncDocument] | AsyncIterable[SyncDocument], seen: set[str]
) -> AsyncIterator[Fields]:
    from ..helpers.sync import fields_of

    async for document in iterator(documents):
        fields = fields_of(document)
        external_id: str = fields["external_id"]
        if external_id in seen:
            raise ValueError(f"Two documents have the external_id {external_id}.")
        seen.add(external_id)
        yield fields
