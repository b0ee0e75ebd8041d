# Written by `npm run generate` from _async/exports.py.

"""Reads exports: waits for the job, and downloads the files, whose links expire."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterator, Callable, Generic, TypeVar, overload

from .._core.object import wrap
from .._core.options import NOT_GIVEN
from ..helpers.exports import ExportPartMissingError
from .methods import ExportsMethods
from .files import download
from .jobs import JobsHelpers

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Unpack

    from .._core.options import PostOptions
    from ..helpers.exports import ExportedConversation, ExportedDocument
    from ..types import AuditEvent, ExportContent, ExportPart, Job

    Chunk = bytes

Line = TypeVar("Line")


class ExportFile(Generic[Line]):
    """A file of an export. Nothing is downloaded before it is read."""

    __slots__ = ("part", "_open")

    def __init__(self, part: ExportPart, open_: Callable[[], Iterator[Chunk]]) -> None:
        self.part = part
        """Its number, size and state."""
        self._open = open_

    def bytes(self) -> Iterator[Chunk]:
        """The file, compressed with gzip. The files of an export, one after the other, are a gzip file too.

        :raises ExportPartMissingError: also while it is read
        """
        chunks: Any = self._open()
        try:
            for chunk in chunks:
                yield chunk
        finally:
            chunks.close()

    def text(self) -> Iterator[str]:
        """The lines as text, without the line ends."""
        # Its module takes time to import.
        from ..helpers.lines import GunzippedLines

        lines = GunzippedLines()
        chunks: Any = self.bytes()
        try:
            for chunk in chunks:
                for line in lines.feed(chunk):
                    yield line
        finally:
            chunks.close()
        for line in lines.end():
            yield line

    def lines(self) -> Iterator[Line]:
        """The lines, parsed."""
        texts: Any = self.text()
        try:
            for text in texts:
                yield wrap(json.loads(text))
        finally:
            texts.close()

    def __repr__(self) -> str:
        return f"ExportFile(number={self.part.number}, status={self.part.status!r})"


class ExportsHelpers(ExportsMethods):
    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def lines(
            self,
            *,
            what: Literal["conversations"],
            filters: Any = ...,
            on_missing: Callable[[ExportPart], object] | None = ...,
            on_progress: Callable[[Job], object] | None = ...,
            **options: Unpack[PostOptions],
        ) -> Iterator[ExportedConversation]: ...
        @overload
        def lines(
            self,
            *,
            what: Literal["documents"],
            filters: Any = ...,
            on_missing: Callable[[ExportPart], object] | None = ...,
            on_progress: Callable[[Job], object] | None = ...,
            **options: Unpack[PostOptions],
        ) -> Iterator[ExportedDocument]: ...
        @overload
        def lines(
            self,
            *,
            what: Literal["audit"],
            filters: Any = ...,
            on_missing: Callable[[ExportPart], object] | None = ...,
            on_progress: Callable[[Job], object] | None = ...,
            **options: Unpack[PostOptions],
        ) -> Iterator[AuditEvent]: ...
        @overload
        def lines(
            self,
            export: Job | str,
            *,
            on_missing: Callable[[ExportPart], object] | None = ...,
            on_progress: Callable[[Job], object] | None = ...,
            **options: Unpack[PostOptions],
        ) -> Iterator[Any]: ...

    def lines(
        self,
        export: Job | str | None = None,
        *,
        what: ExportContent | None = None,
        filters: Any = NOT_GIVEN,
        on_missing: Callable[[ExportPart], object] | None = None,
        on_progress: Callable[[Job], object] | None = None,
        **options: Unpack[PostOptions],
    ) -> Iterator[Any]:
        """The lines of an export, one at a time: waits for the job, and downloads its files one after the other. A lost connection
        continues where it was, with a new link if the old one has expired.

        :param export: an export that exists: its job, or its id
        :param what: what to export, for a new one. ``filters`` and ``idempotency_key`` are of the new one, too
        :param on_missing: is called for each part whose file is gone, also if that happens between two lines of it. Without it,
            this is an error
        :param on_progress: is called after each look at the job
        :raises JobFailedError: if the job has failed or was cancelled
        :raises ExportPartMissingError: if a part is gone, and there is no ``on_missing``
        """
        files: Any = self.files(export, what=what, filters=filters, on_progress=on_progress, **options)
        try:
            for file in files:
                lines = file.lines()
                try:
                    for line in lines:
                        yield line
                except ExportPartMissingError as error:
                    if on_missing is None:
                        raise
                    on_missing(error.part)
                finally:
                    lines.close()
        finally:
            files.close()

    def files(
        self,
        export: Job | str | None = None,
        *,
        what: ExportContent | None = None,
        filters: Any = NOT_GIVEN,
        on_progress: Callable[[Job], object] | None = None,
        **options: Unpack[PostOptions],
    ) -> Iterator[ExportFile[Any]]:
        """The files of an export, in order, also those that are gone: ``part.status`` says so. Waits for the job first. The
        arguments are those of ``lines``, and ``deadline`` is that of the job.

        :raises JobFailedError: if the job has failed or was cancelled
        """
        if (export is None) == (what is None):
            raise TypeError("Pass an export, or what to export.")
        rest: dict[str, Any] = dict(options)
        key = rest.pop("idempotency_key", NOT_GIVEN)
        deadline = rest.pop("deadline", None)
        if export is None:
            new: Any = {"what": what, "filters": filters, "idempotency_key": key}
            export = self.create(**new, **rest)
        jobs = JobsHelpers(self._transport, self._base)
        ended = jobs.wait_for_success(export, deadline=deadline, on_progress=on_progress, **rest)
        # All links are renewed at the same time.
        parts = (self.get(ended.id, **rest)).parts
        limits = self._transport.config.limits(rest)

        def open_(part: ExportPart) -> Iterator[bytes]:
            def link_for(is_again: bool) -> str:
                nonlocal parts
                if is_again:
                    parts = (self.get(ended.id, **rest)).parts
                now = next((one for one in parts if one.number == part.number), part)
                if now.url is None:
                    raise ExportPartMissingError(now)
                return now.url

            return download(self._transport.http, link_for, part.bytes, limits)

        for part in parts:
            yield ExportFile(part, lambda part=part: open_(part))
