"""What the helpers of both clients know of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from .._core.errors import PlatformError

if TYPE_CHECKING:
    from .. import types as t

Succeeded = TypeVar("Succeeded", covariant=True)


class JobOf(Protocol[Succeeded]):
    """A job whose type is known, such as the one that ``knowledge.reindex()`` starts."""

    @property
    def _succeeded(self) -> Succeeded: ...


class JobFailedError(PlatformError):
    """The job has failed, or was cancelled."""

    def __init__(self, job: t.FailedJob | t.CancelledJob) -> None:
        failure = job.error
        how = f"failed: {failure.message} ({failure.code})" if failure else "was cancelled."
        super().__init__(f"The job {job.id} ({job.type}) {how}")
        self.job = job
        """The job, with its ``error`` if it has failed."""
