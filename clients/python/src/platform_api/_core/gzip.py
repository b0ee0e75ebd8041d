"""Compressed bodies."""

from __future__ import annotations

import zlib

from .errors import PlatformConnectionError

accepted = {"Accept-Encoding": "gzip"}


def decoded(body: bytes, encoding: str | None) -> bytes:
    if encoding is None or encoding.lower() == "identity":
        return body
    if encoding.lower() != "gzip":
        raise PlatformConnectionError(f"The response has the encoding {encoding}, which was not asked for.")
    try:
        stream = zlib.decompressobj(wbits=31)
        text = stream.decompress(body)
    except zlib.error as error:
        raise PlatformConnectionError(f"The response cannot be decompressed: {error}.") from None
    if not stream.eof:
        raise PlatformConnectionError("The response was cut off.")
    return text
