"""Compares local documents with those of a source."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, NamedTuple, Sequence, TypedDict, Union

from .._core.errors import PlatformError
from .._core.names import to_snake

if TYPE_CHECKING:
    from .. import types as t

SyncOutcome = Literal["created", "updated", "unchanged", "deleted", "failed"]

SyncField = Literal["title", "content", "mime_type", "tags", "metadata"]
"""The fields that a synchronisation compares."""


class _Described(TypedDict):
    external_id: str
    """Unique within the source, such as the path of a file."""
    title: str


class _Labelled(_Described, total=False):
    tags: Sequence[str]
    metadata: Mapping[str, str]


class _Content(_Labelled):
    content: str


class SyncText(_Content, total=False):
    """A document with its text."""

    mime_type: Literal["text/markdown", "text/html", "text/plain"]


class _File(_Labelled):
    file: Union[str, "os.PathLike[str]", bytes]
    """The path of the file, or its bytes."""


class SyncFile(_File, total=False):
    """A document whose text the API extracts: from PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV or TSV, at most 25 MB."""

    mime_type: str
    """A hint, such as ``text/csv; charset=windows-1251``."""


SyncDocument = Union[SyncText, SyncFile]
"""A document as the caller has it. What it leaves out, such as ``tags``, stays as it is. In a new document, it gets the API's
default."""


class SyncEvent(NamedTuple):
    """A document is done."""

    external_id: str
    outcome: SyncOutcome
    fields: Sequence[SyncField]
    """What differs, if the document is updated. A file is ``content``."""
    error: PlatformError | None
    """Why it failed."""
    done: int
    """How many documents are done."""
    total: int | None
    """How many there are; None while they are not all known."""


class SyncFailure(NamedTuple):
    """A document that the API refused, which stays as it is, or whose file it could not read. An ``ignored`` document does not
    fail."""

    external_id: str
    error: PlatformError


class SyncNotes(NamedTuple):
    """What the API has left out or changed when it read a document."""

    external_id: str
    title: str
    notes: Sequence[t.ExtractionNote]


class SyncResult:
    """What a synchronisation has done."""

    def __init__(self) -> None:
        self.created = self.updated = self.unchanged = self.deleted = 0
        self.failed: list[SyncFailure] = []
        self.notes: list[SyncNotes] = []
        """Of all documents that have some, also those that were not sent now. An ``ignored`` document is not among them."""

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}={getattr(self, name)}" for name in ("created", "updated", "unchanged", "deleted"))
        return f"SyncResult({counts}, failed={[one.external_id for one in self.failed]})"


class Progress:
    """Counts the documents. Threads can share it."""

    def __init__(self, total: int | None, on_progress: Callable[[SyncEvent], object] | None) -> None:
        self.result = SyncResult()
        self.done = 0
        self.total = total
        self._on_progress = on_progress
        self._lock = threading.Lock()

    def note(self, external_id: str, title: str, document: t.KnowledgeDocument | None) -> None:
        if document is None or document.ignored or not document.extraction_notes:
            return
        with self._lock:
            self.result.notes.append(SyncNotes(external_id, title, document.extraction_notes))

    def add(
        self,
        external_id: str,
        outcome: SyncOutcome,
        fields: Sequence[SyncField] = (),
        error: PlatformError | None = None,
    ) -> None:
        with self._lock:
            if outcome == "failed" and error is not None:
                self.result.failed.append(SyncFailure(external_id, error))
            else:
                setattr(self.result, outcome, getattr(self.result, outcome) + 1)
            self.done += 1
            if self._on_progress is not None:
                self._on_progress(SyncEvent(external_id, outcome, fields, error, self.done, self.total))


def fields_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a document with their names in Python. They may have those of the wire, such as ``externalId``.

    :raises ValueError: if a field is there under both names
    """
    fields = {to_snake(name): value for name, value in document.items()}
    if len(fields) < len(document):
        raise ValueError(f"A document has a field twice, under both of its names: {', '.join(sorted(document))}.")
    return fields


def differences(stored: t.KnowledgeDocument, fields: Mapping[str, Any], is_same_content: bool) -> list[SyncField]:
    """The fields that sending the document would change.

    :param is_same_content: whether the content or the file is the stored one
    """
    same: dict[SyncField, bool] = {
        "title": stored.title == fields["title"],
        "content": is_same_content,
        "mime_type": "mime_type" not in fields or stored.mime_type == fields["mime_type"],
        "tags": "tags" not in fields or sorted(stored.tags) == sorted(fields["tags"]),
        "metadata": "metadata" not in fields or stored.metadata.to_dict() == dict(fields["metadata"]),
    }
    return [field for field, is_same in same.items() if not is_same]


def sha256(content: str | bytes) -> str:
    # Takes time to import.
    import hashlib

    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()
