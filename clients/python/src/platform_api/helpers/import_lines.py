"""Conversations as compressed lines of JSON."""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Mapping
from typing import IO, Any

from .._core.object import Object
from .._core.request import body_text, to_wire
from .._generated import shapes

#: More than that goes to a temporary file.
_MOST_IN_MEMORY = 8 * 1024 * 1024


class GzippedLines:
    """Only the compressed form is held."""

    def __init__(self) -> None:
        self._deflater = zlib.compressobj(wbits=31)
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_MOST_IN_MEMORY)

    def add(self, line: Mapping[str, Any] | Object) -> None:
        value = line.to_dict() if isinstance(line, Object) else to_wire(line, shapes.ImportedConversation)
        self._file.write(self._deflater.compress(body_text(value) + b"\n"))

    def end(self) -> IO[bytes]:
        self._file.write(self._deflater.flush())
        return self._file


def opened(path: str | os.PathLike[str]) -> IO[bytes]:
    return open(path, "rb")


def size_of(file: IO[bytes]) -> int:
    return file.seek(0, os.SEEK_END)
