"""What callers can set, for the client and for a single call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, TypedDict

from .names import to_snake


class NotGiven:
    """The type of ``NOT_GIVEN``."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN: Any = NotGiven()
"""An argument that is left out. ``None`` is sent as null, which clears a field."""


class RequestOptions(TypedDict, total=False):
    """For every call. Times are in seconds."""

    timeout: float | None
    """Of one attempt, until its body is read. ``wait_seconds`` is added. Default: 30. None: no limit."""
    deadline: float | None
    """Of all attempts and pauses. ``wait_seconds`` is added. Default: 60. None: no limit."""
    max_retries: float
    """How many attempts may follow the first one. Default: 5."""
    headers: Mapping[str, str]
    """Further headers. They cannot replace the client's own."""


class PostOptions(RequestOptions, total=False):
    """For every POST."""

    idempotency_key: str
    """Makes the request take effect once, also after a restart of your process: 1 to 255 printable ASCII characters that
    are unique to the operation. Default: a random one, which the retries of this call share."""


class IfMatchOptions(RequestOptions, total=False):
    """For changes of resources that have versions."""

    if_match: str | None
    """The ``ETag`` of the version to change. If there is another one, the call raises VersionMismatchError."""


class PostIfMatchOptions(PostOptions, IfMatchOptions, total=False):
    """For POST requests that change a resource that has versions."""


if TYPE_CHECKING:

    class CallOptions(PostIfMatchOptions, total=False):
        """Every option of a call, whatever its method."""

        if_none_match: str | None


common_options = frozenset(("timeout", "deadline", "max_retries", "headers"))
all_options = common_options | {"idempotency_key", "if_match", "if_none_match"}


def check_options(options: Mapping[str, Any], allowed: frozenset[str]) -> None:
    for name in options:
        if name not in allowed:
            other = to_snake(name)
            hint = "" if other == name else f" Arguments have names of Python, such as {other}."
            raise TypeError(f"The method has no argument {name!r}.{hint}")
