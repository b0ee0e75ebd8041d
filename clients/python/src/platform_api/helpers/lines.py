"""Lines of a compressed text, one at a time."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from .._core.errors import PlatformConnectionError

#: Of the decompressed text, at a time: few bytes can become many.
_PIECE_BYTES = 256 * 1024


class GunzippedLines:
    """Takes a gzip file in chunks, and yields its lines without their ends."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(wbits=31)
        self._has_begun = False
        # Not searched again: a line may have many pieces.
        self._begun: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterator[str]:
        for piece in self._inflated(chunk):
            first, *others = piece.split(b"\n")
            self._begun.append(first)
            for other in others:
                yield b"".join(self._begun).decode("utf-8", "replace")
                self._begun = [other]

    def end(self) -> Iterator[str]:
        """The last line, if it has no end."""
        if self._has_begun and not self._inflater.eof:
            raise PlatformConnectionError("The file cannot be decompressed: it is not complete.")
        text = b"".join(self._begun)
        if text:
            yield text.decode("utf-8", "replace")

    def _inflated(self, chunk: bytes) -> Iterator[bytes]:
        rest = chunk
        try:
            while True:
                # Files one after the other are a file, too.
                if rest and self._inflater.eof:
                    self._inflater = zlib.decompressobj(wbits=31)
                self._has_begun = self._has_begun or len(rest) > 0
                piece = self._inflater.decompress(rest, _PIECE_BYTES)
                if piece:
                    yield piece
                rest = self._inflater.unconsumed_tail or self._inflater.unused_data
                # A full piece may have a rest in the inflater.
                if not rest and len(piece) < _PIECE_BYTES:
                    return
        except zlib.error as error:
            message = str(error)
        raise PlatformConnectionError(f"The file cannot be decompressed: {message}")
