"""Files of documents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .._core.errors import PlatformError

if TYPE_CHECKING:
    from .. import types as t

MAX_FILE_BYTES = 25 * 1024 * 1024
"""The API's limit of a file."""

TEXT_DEADLINE = 600.0
"""An extraction takes seconds. It takes longer while many files are sent at once."""

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 3.0


class DocumentFileError(PlatformError):
    """A file has not become the content of its document."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        """``extraction_error.code`` of the document, or ``file_too_large`` or ``not_extracted``."""


def check_size(size: int) -> None:
    """:raises DocumentFileError: before anything is sent, if the file is too large"""
    if size <= MAX_FILE_BYTES:
        return
    megabytes = f"{size / 1024 / 1024:.1f}"
    raise DocumentFileError("file_too_large", f"The file has {megabytes} MB, and a file has at most 25 MB.")


def read_file(file: str | os.PathLike[str] | bytes) -> bytes:
    """The bytes of a file.

    :raises DocumentFileError: if there are too many
    """
    if isinstance(file, bytes):
        check_size(len(file))
        return file
    with open(file, "rb") as opened:
        check_size(os.fstat(opened.fileno()).st_size)
        content = opened.read(MAX_FILE_BYTES + 1)
    # Somebody may be writing it.
    check_size(len(content))
    return content


def require_text(document: t.KnowledgeDocument) -> None:
    """:raises DocumentFileError: unless the file of the document has become its content"""
    if document.extraction == "failed":
        error = document.extraction_error
        code, message = (error.code, error.message) if error else ("failed", "The file could not be read.")
        raise DocumentFileError(code, message)
    if document.extraction == "pending":
        raise DocumentFileError("not_extracted", "The file was sent, and has not been read yet.")
