"""Verifies the requests of webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from .._core.errors import PlatformError
from .._core.object import wrap

if TYPE_CHECKING:
    from ..types import PlatformEvent

#: The headers of a request, as a framework has them: their letter case does not matter.
WebhookHeaders = Union[Mapping[str, str], Iterable["tuple[str, str]"]]

_DEFAULT_TOLERANCE = 300.0
_SECRET_PREFIX = "whsec_"
#: The lengths that Standard Webhooks allows.
_MIN_KEY_BYTES, _MAX_KEY_BYTES = 24, 64
_TIME = re.compile("[0-9]{1,12}")


class WebhookVerificationError(PlatformError):
    """A request that does not come from the webhook, or that is too old, or whose raw body is missing."""


def unwrap_webhook(
    body: str | bytes | bytearray | memoryview,
    headers: WebhookHeaders,
    secret: str,
    *,
    tolerance: float = _DEFAULT_TOLERANCE,
    now: float | None = None,
) -> PlatformEvent:
    """Verifies a request, and parses it. During a rotation, the old secret and the new one are both right.

    :param body: the raw body, as it was received: text or bytes, not parsed
    :param secret: as in the response that created the webhook or rotated its secret
    :param tolerance: how old a request may be, or how far in the future, in seconds
    :param now: the current time in seconds since 1970. Default: ``time.time()``
    :returns: the event
    :raises WebhookVerificationError: if no signature is right, if the time is not within the tolerance, or if there is no raw
        body, such as after a parser, or if the arguments are in another order
    :raises ValueError: if the secret is none, or if a verified body is no JSON
    """
    content = _raw_bytes(body)
    found = _lower_case(headers)
    if content is None or found is None:
        raise WebhookVerificationError(
            "Pass the raw body of the request, as text or bytes, and not parsed: unwrap_webhook(body, headers, secret)."
        )
    id_, sent, signatures = (
        _read(found, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    current = time.time() if now is None else now
    if not _TIME.fullmatch(sent) or abs(current - int(sent)) > tolerance:
        raise WebhookVerificationError("The webhook-timestamp is too far from the current time.")
    expected = hmac.digest(_key_of(secret), f"{id_}.{sent}.".encode("utf-8", "surrogatepass") + content, "sha256")
    is_right = False
    for signature in signatures.split(" "):
        version, _, text = signature.partition(",")
        given = _bytes_of(text) if version == "v1" else None
        # In constant time.
        if given is not None and hmac.compare_digest(given, expected):
            is_right = True
    if not is_right:
        raise WebhookVerificationError("No webhook-signature is right.")
    # Without a byte order mark, which is no JSON.
    event: PlatformEvent = wrap(json.loads(content.decode("utf-8-sig")))
    return event


def _raw_bytes(body: object) -> bytes | None:
    """None for anything that is neither text nor bytes, such as a parsed body, and for a secret, which is never a body."""
    if isinstance(body, str):
        return None if body.startswith(_SECRET_PREFIX) else body.encode("utf-8", "surrogatepass")
    if isinstance(body, memoryview):
        return body.tobytes()
    return bytes(body) if isinstance(body, (bytes, bytearray)) else None


def _lower_case(headers: Any) -> dict[str, object] | None:
    """None if they are no headers."""
    # Not every class of headers is a Mapping.
    items: Any = getattr(headers, "items", None)
    try:
        return {name.lower(): value for name, value in (items() if items else headers)}
    except (AttributeError, TypeError, ValueError):
        return None


def _read(headers: Mapping[str, object], name: str) -> str:
    value = headers.get(name)
    if isinstance(value, str) and value:
        return value
    raise WebhookVerificationError(f"The request has no header {name}.")


def _key_of(secret: object) -> bytes:
    """Raises ValueError instead of using a key that anybody can guess."""
    # The variable of the environment may be missing.
    text = secret if isinstance(secret, str) else ""
    key = _bytes_of(text[len(_SECRET_PREFIX) :] if text.startswith(_SECRET_PREFIX) else text)
    if key is not None and _MIN_KEY_BYTES <= len(key) <= _MAX_KEY_BYTES:
        return key
    raise ValueError("The secret is not one of a webhook: whsec_ and base64.")


def _bytes_of(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
