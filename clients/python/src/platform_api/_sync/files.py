# Written by `npm run generate` from _async/files.py.

"""Files behind links that work for a while, and for anyone: requests for them have no key."""

from __future__ import annotations

from typing import IO, Iterator, Callable

from .._core.backoff import delay_after, random_fraction
from .._core.config import Limits
from .._core.errors import PlatformConnectionError, PlatformError
from .io import Http, sleep

_refusals = (403, 404)
"""What a storage answers to a link whose time is over, or whose file is gone."""

_least_bytes_per_second = 20_000
"""A slower upload is given up."""

_piece_bytes = 64 * 1024


class _RefusedError(PlatformConnectionError):
    pass


def download(
    http: Http, link_for: Callable[[bool], str], size: int, limits: Limits
) -> Iterator[bytes]:
    """The chunks of a file. A lost connection is opened again, and continues after the last byte. The caller may take its time
    between two chunks.

    :param link_for: returns a link. It is asked for a new one after each failure, and raises if the file is gone
    :param size: of the file, in bytes
    """
    received = 0
    # Since the last byte.
    failures = refused = 0
    while received < size:
        link = link_for(failures > 0)
        failure: PlatformError | None = None
        try:
            for chunk in _read(http, link, received, limits.timeout):
                received += len(chunk)
                failures = refused = 0
                yield chunk
        except PlatformError as error:
            failure = error
        if received < size:
            failure = failure or PlatformConnectionError("The file was cut off.")
        if failure is None:
            continue
        failures += 1
        # The second time, the link was new.
        if isinstance(failure, _RefusedError):
            refused += 1
        if failures > limits.max_retries or refused > 1:
            raise failure
        sleep(0 if refused > 0 else delay_after(failures, None, random_fraction()))


def _read(http: Http, link: str, begin: int, timeout: float) -> Iterator[bytes]:
    """One request.

    :param begin: how many bytes to leave out
    """
    headers = {"Range": f"bytes={begin}-"} if begin > 0 else {}
    with http.stream("GET", link, headers=headers, timeout=timeout, redact=_without(link)) as stream:
        if stream.status not in (200, 206):
            failure = _RefusedError if stream.status in _refusals else PlatformConnectionError
            raise failure(f"The file cannot be downloaded: the response has status {stream.status}.")
        # Not every server knows ranges.
        left = 0 if stream.status == 206 else begin
        for chunk in stream.chunks():
            rest = chunk[left:]
            left -= len(chunk) - len(rest)
            if rest:
                yield rest


def upload(
    http: Http, create: Callable[[], tuple[str, str]], file: IO[bytes], size: int, limits: Limits
) -> str:
    """Sends the file as often as necessary, and returns the id of the place that has it.

    :param create: returns the id and the link of a place. It is asked for another one if the link is refused: its time may be
        over
    :param size: of the file, in bytes
    """
    place, link = create()
    failures = refused = 0
    while True:
        try:
            status = _send(http, link, file, size, limits.timeout)
            if status < 300:
                return place
            if status == 403:
                refused += 1
            failure: PlatformError = PlatformConnectionError(
                f"The file cannot be uploaded: the response has status {status}."
            )
        except PlatformError as error:
            failure = error
        failures += 1
        if failures > limits.max_retries or refused > 1:
            raise failure
        sleep(delay_after(failures, None, random_fraction()))
        if refused > 0:
            place, link = create()


def _send(http: Http, link: str, file: IO[bytes], size: int, timeout: float) -> int:
    file.seek(0)
    limit = timeout + size / _least_bytes_per_second
    # Without the size, the chunks would be sent as such, which storages refuse.
    headers = {"Content-Length": str(size)}
    reply = http.exchange(
        "PUT", link, headers=headers, body=_pieces(file), timeout=limit, body_timeout=limit, redact=_without(link)
    )
    return reply.status


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while True:
        piece = file.read(_piece_bytes)
        if not piece:
            return
        yield piece


def _without(link: str) -> Callable[[str], str]:
    """The link is as good as the file."""
    return lambda text: text.replace(link, "…")
