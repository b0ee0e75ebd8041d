"""What is sent: address, headers and body."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime, timezone
from typing import Any, Callable, Mapping, Sequence, TypeGuard
from urllib.parse import quote, urlencode

from .object import Object
from .options import NOT_GIVEN

Query = Mapping[str, Any]

_all_but_slash = re.compile(r"/(?!/)[^\\\x00-\x1f\x7f-\x9f]*")
_dot_segment = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_visible = "".join(chr(code) for code in range(0x21, 0x7F))


class Request:
    """A call of an operation."""

    __slots__ = ("method", "path", "query", "body", "options", "is_idempotent")

    def __init__(
        self,
        method: str,
        path: str,
        *,
        query: Query | Callable[[int], Query] | None = None,
        body: Any = NOT_GIVEN,
        options: Mapping[str, Any] | None = None,
        is_idempotent: bool = False,
    ) -> None:
        """
        :param path: below the base URL, with encoded parts
        :param query: with the names of the wire. A function gets the number of the attempt: 1, 2, 3 …
        :param options: those of ``CallOptions``
        :param is_idempotent: whether the API knows a repeated request even without an Idempotency-Key
        """
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.options = options or {}
        self.is_idempotent = is_idempotent

    def query_at(self, attempt: int) -> Query:
        return (self.query(attempt) if callable(self.query) else self.query) or {}


def url_below(base_url: str, path: str) -> str:
    """The key goes only where the base URL points: another path could change the host, or leave the API.

    Dot segments are refused, also encoded ones (https://url.spec.whatwg.org/#double-dot-path-segment).
    """
    parts = re.split("[?#]", path, maxsplit=1)[0]
    if not _all_but_slash.fullmatch(parts) or _dot_segment.search(parts):
        raise ValueError(
            f"The path must be below the base URL, begin with one slash and have no dot segments: {json.dumps(path)}"
        )
    return base_url + quote(path.split("#")[0], safe=_visible)


def path_of(*parts: object) -> str:
    """A path of texts and ids, which take turns. Without an id, the path would name the list; two dots, the folder above."""
    path = ""
    for at, part in enumerate(parts):
        if at % 2 == 0:
            path += str(part)
            continue
        text = str(part) if type(part) is int else part
        if not isinstance(text, str) or text in ("", ".", ".."):
            raise ValueError(f"The id behind {path} is missing: it is {part!r}.")
        path += quote(text, safe="")
    return path


_of_the_transport = ("authorization", "content-length", "host", "transfer-encoding")


def headers_of(request: Request, *further: Mapping[str, str] | None) -> dict[str, str]:
    """The headers, without the key. Those of the client replace further ones."""
    options = request.options
    key = options.get("idempotency_key", NOT_GIVEN)
    if key is NOT_GIVEN and request.method == "POST" and not request.is_idempotent:
        key = random_id()
    own = {
        "Accept": "application/json",
        "Content-Type": NOT_GIVEN if request.body is NOT_GIVEN else "application/json",
        "Idempotency-Key": key,
        "If-Match": options.get("if_match", NOT_GIVEN),
        "If-None-Match": options.get("if_none_match", NOT_GIVEN),
    }
    headers: dict[str, tuple[str, str]] = {}
    for group in (*further, own):
        for name, value in (group or {}).items():
            if value is not NOT_GIVEN and value is not None and name.lower() not in _of_the_transport:
                headers[name.lower()] = (name, _checked_value(name, value))
    return dict(headers.values())


def _checked_value(name: str, value: object) -> str:
    """The transports would show an invalid value in their errors."""
    text = str(value)
    if not re.fullmatch("[\t\x20-\x7e\xa0-\xff]*", text):
        raise ValueError(f"The header {name} has characters that a header cannot have.")
    return text


def random_id() -> str:
    """128 random bits."""
    return os.urandom(16).hex()


def query_string(query: Query) -> str:
    # A list is sent as several parameters of the same name.
    pairs = [(name, one) for name, value in query.items() for one in (value if _is_sequence(value) else [value])]
    text = urlencode([(name, _text_of(value)) for name, value in pairs if value is not NOT_GIVEN and value is not None])
    return text and "?" + text


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return time_text(value) if isinstance(value, datetime) else str(value)


def time_text(time: datetime) -> str:
    """A time as the API takes it."""
    if time.tzinfo is None:
        raise ValueError(f"The time {time.isoformat()} has no time zone: pass one with tzinfo, such as timezone.utc.")
    return time.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def body_text(body: Any) -> bytes:
    """JSON in UTF-8. Dictionaries lose what is not given."""
    return json.dumps(_given(body), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")


def _given(value: Any) -> Any:
    if _is_mapping(value):
        return {name: _given(one) for name, one in value.items() if one is not NOT_GIVEN}
    if _is_sequence(value):
        return [_given(one) for one in value]
    if isinstance(value, Object):
        return value.to_dict()
    return time_text(value) if isinstance(value, datetime) else value


def _is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def _is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, (list, tuple))


Shape = Mapping[str, "str | tuple[str, Shape]"]


def to_wire(value: Any, shape: Shape) -> Any:
    """Gives the fields that the API knows their names of the wire. At each level, a field may have either name. Other names stay,
    as do those in free-form maps.

    :param shape: the names of the wire by those of Python; with a shape if the field has objects. ``*`` is every name
        of a free-form map
    :raises ValueError: if a field is there under both names
    """
    if _is_sequence(value):
        return [to_wire(one, shape) for one in value]
    if not _is_mapping(value):
        return value
    result: dict[str, Any] = {}
    for name, one in value.items():
        known = shape.get(name, shape.get("*", name))
        if not isinstance(known, str):
            known, one = known[0], to_wire(one, known[1])
        wire_name = name if known == "*" else known
        if wire_name in result:
            raise ValueError(f"The field {wire_name} is there twice, under its name in Python and its name of the wire.")
        result[wire_name] = one
    return result
