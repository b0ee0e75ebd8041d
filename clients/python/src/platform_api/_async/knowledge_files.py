"""Uploads files of documents, and waits until their texts are extracted."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING, Any, Callable

from .files import upload
from .io import sleep
from .methods import AsyncKnowledgeDocumentsMethods, AsyncUploadsMethods

if TYPE_CHECKING:
    from .._core.options import RequestOptions
    from ..types import KnowledgeDocument
    from .transport import AsyncTransport


async def upload_file(transport: AsyncTransport, base: str, content: bytes, options: RequestOptions) -> str:
    """Returns the id of the upload."""
    uploads = AsyncUploadsMethods(transport, base)

    async def create() -> tuple[str, str]:
        place = await uploads.create(bytes=len(content), purpose="knowledge", **options)
        return place.id, place.url

    return await upload(
        transport.http, create, io.BytesIO(content), len(content), transport.config.limits(options)
    )


async def wait_for_text(
    documents: AsyncKnowledgeDocumentsMethods,
    document: KnowledgeDocument,
    deadline: float,
    on_progress: Callable[[KnowledgeDocument], object] | None,
    options: Any,
) -> KnowledgeDocument:
    """Returns the document when its file has been read, or as it is at the deadline."""
    from ..helpers.knowledge_files import FIRST_PAUSE, LONGEST_PAUSE

    end = time.monotonic() + deadline
    pause = FIRST_PAUSE
    while True:
        if on_progress is not None:
            on_progress(document)
        left = end - time.monotonic()
        if document.extraction != "pending" or left <= 0:
            return document
        await sleep(min(pause, left))
        pause = min(pause * 1.5, LONGEST_PAUSE)
        document = await documents.get(document.id, **options)
