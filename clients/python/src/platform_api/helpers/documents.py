"""Documents of a folder, as the other clients and the command line read them."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict, Union

from .front_matter import read_front_matter
from .texts import WHITESPACE
from .titles import TextType, title_from, title_in

_MIME_TYPES: Mapping[str, TextType] = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".html": "text/html",
    ".htm": "text/html",
    ".txt": "text/plain",
}

#: The API extracts the texts of these.
_UPLOADED_EXTENSIONS = (".pdf", ".docx", ".rtf", ".xhtml", ".eml", ".mhtml", ".mht", ".csv", ".tsv")

#: Which files are documents, unless somebody chooses others.
DOCUMENT_EXTENSIONS: Sequence[str] = (*_MIME_TYPES, *_UPLOADED_EXTENSIONS)

#: The API's limit of a content, in UTF-8.
_MAX_TEXT_BYTES = 200 * 1024


class TextDocument(TypedDict):
    """The document that a file becomes if its text is sent."""

    external_id: str
    title: str
    content: str
    mime_type: TextType


class UploadedDocument(TypedDict):
    """The document that a file becomes if the file is uploaded."""

    external_id: str
    title: str
    file: str


FileDocument = Union[TextDocument, UploadedDocument]


def is_sent_as_text(path: str, size: int) -> bool:
    """Whether the text of a file is sent as it is, if it is UTF-8. Other files are uploaded, and the API extracts their texts."""
    return size <= _MAX_TEXT_BYTES and not path.lower().endswith(_UPLOADED_EXTENSIONS)


def utf8_text(content: bytes) -> str | None:
    """The text without a byte order mark; None if it is not UTF-8. Null characters are UTF-8, but no text has them: they are UTF-16
    without a byte order mark, or no text at all."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def document_of_file(path: str, file: str) -> UploadedDocument:
    """The document that a file becomes if the file is uploaded. Its ``external_id`` is the path, and its title the file's name
    without its extension.

    :param path: with ``/``, below the folder that is synchronised
    :param file: where the file is
    """
    return {
        "external_id": unicodedata.normalize("NFC", path),
        "title": unicodedata.normalize("NFC", _name_of(path)),
        "file": file,
    }


def _name_of(path: str) -> str:
    return os.path.splitext(path.rsplit("/", 1)[-1])[0]


def document_from(path: str, content: str) -> TextDocument:
    """The document that a file becomes if its text is sent. Its id and title are composed (NFC): macOS may decompose names, and a folder must have
    the same ids everywhere.

    :param path: with ``/``, below the folder that is synchronised
    :returns: a document whose ``external_id`` is the path, and whose title is that of its front matter, its first heading, or
        else the file's name without its extension. Its content is what follows the front matter, unless nothing does. A type
        that the extension does not tell is ``text/plain``.
    """
    mime_type: TextType = "text/plain"
    for end, kind in _MIME_TYPES.items():
        if path.lower().endswith(end):
            mime_type = kind
            break
    title, body = read_front_matter(content) if mime_type == "text/markdown" else (None, content)
    return {
        "external_id": unicodedata.normalize("NFC", path),
        "title": unicodedata.normalize("NFC", title_from(title) or title_in(body, mime_type) or _name_of(path)),
        "content": body if body.strip(WHITESPACE) else content,
        "mime_type": mime_type,
    }


def read_documents(folder: str | os.PathLike[str], *, extensions: Sequence[str] = DOCUMENT_EXTENSIONS) -> list[FileDocument]:
    """Reads the documents of a folder and the folders below it, sorted by path. Hidden files and folders, ``node_modules``,
    links and empty files are left out. Of PDF, DOCX, RTF, XHTML, mails, CSV and TSV, of text of more than 200 KB, and of text that is not UTF-8, a document
    has the path as ``file``, and its title is the name of the file: ``sync`` reads and uploads it, and the API decides which
    encoding it has.

    The ``external_id`` of a document is its path in the folder. The title of a text is ``title`` of its front matter, its first heading, or
    the name of the file. Other fields of the front matter, such as ``tags``, are left out: add them to the documents, and pass
    these to ``sync``.

    :param extensions: which files to read, by the ends of their names, in any case
    :raises OSError: if the folder or a file cannot be read
    """
    ends = tuple(extension.lower() for extension in extensions)
    documents: list[FileDocument] = []
    # By UTF-16, as the other clients sort.
    for path in sorted(_files_in(os.fspath(folder), ""), key=lambda path: path.encode("utf-16-be", "surrogatepass")):
        if not path.lower().endswith(ends):
            continue
        whole_path = os.path.join(folder, path)
        size = os.path.getsize(whole_path)
        content: str | None = None
        if size == 0 or is_sent_as_text(path, size):
            with open(whole_path, "rb") as file:
                content = utf8_text(file.read())
        if content is None:
            documents.append(document_of_file(path, whole_path))
        elif content:
            documents.append(document_from(path, content))
    return documents


def _files_in(folder: str, below: str) -> Iterator[str]:
    with os.scandir(os.path.join(folder, below)) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name == "node_modules":
                continue
            path = f"{below}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(folder, f"{path}/")
            elif entry.is_file(follow_symlinks=False):
                yield path
