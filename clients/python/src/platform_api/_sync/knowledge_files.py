# Written by `npm run generate` from _async/knowledge_files.py.

"""Uploads files of documents, and waits until their texts are extracted."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING, Any, Callable

from .files import upload
from .io import sleep
from .methods import KnowledgeDocumentsMethods, UploadsMethods

if TYPE_CHECKING:
    from .._core.options import RequestOptions
    from ..types import KnowledgeDocument
    from .transport import Transport


def upload_file(transport: Transport, base: str, content: bytes, options: RequestOptions) -> str:
    """Returns the id of the upload."""
    uploads = UploadsMethods(transport, base)

    def create() -> tuple[str, str]:
        place = uploads.create(bytes=len(content), purpose="knowledge", **options)
        return place.id, place.url

    return upload(
        transport.http, create, io.BytesIO(content), len(content), transport.config.limits(options)
    )


def wait_for_text(
    documents: KnowledgeDocumentsMethods,
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
        sleep(min(pause, left))
        pause = min(pause * 1.5, LONGEST_PAUSE)
        document = documents.get(document.id, **options)
