"""Requests of webhooks are verified."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from email.message import Message
from typing import Any

from scenario import Context, equal, ok, rejection, scenario

NOW = 1_772_357_400
ID = "evt_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"
EVENT = {"id": ID, "type": "project.created", "data": {"name": "Größe 😀"}}
BODY = json.dumps(EVENT, ensure_ascii=False)


def secret_of(size: int) -> str:
    return f"whsec_{base64.b64encode(os.urandom(size)).decode()}"


def sign(secret: str, seconds: int = NOW, content: str = BODY) -> str:
    """The part of the header ``webhook-signature``."""
    key = base64.b64decode(secret[6:])
    text = f"{ID}.{seconds}.{content}".encode()
    return f"v1,{base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode()}"


def headers_of(signature: str, seconds: int = NOW) -> dict[str, str]:
    return {"webhook-id": ID, "webhook-timestamp": str(seconds), "webhook-signature": signature}


@scenario("verifyWebhook returns the event of a signed request: of any headers, as text and as bytes")
def returns_the_event(context: Context) -> None:
    unwrap = context.client.unwrap_webhook
    secret = secret_of(32)
    headers = headers_of(sign(secret))
    message = Message()
    for name, value in headers.items():
        message[name.title()] = value
    titled = {name.title(): value for name, value in headers.items()}
    for some in (headers, titled, message):
        for received in (BODY, BODY.encode()):
            equal(unwrap(received, some, secret, now=NOW), EVENT)
    event = context.platform.webhooks.unwrap(BODY, headers, secret, now=NOW)
    equal([event.id, event.data["name"]], [ID, "Größe 😀"])


@scenario("it verifies the example in the specification of Standard Webhooks")
def example(context: Context) -> None:
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    text = '{"test": 2432232314}'
    equal(context.client.unwrap_webhook(text, headers, secret, now=1_614_265_330), {"test": 2432232314})


@scenario("one right signature of several is enough, so both secrets verify during an overlap")
def several(context: Context) -> None:
    unwrap = context.client.unwrap_webhook
    current, previous, other = secret_of(32), secret_of(32), secret_of(32)
    both = headers_of(f"{sign(current)} {sign(previous)}")
    for secret in (current, previous):
        equal(unwrap(BODY, both, secret, now=NOW), EVENT)
    error = rejection(lambda: unwrap(BODY, both, other, now=NOW))
    equal(type(error).__name__, "WebhookVerificationError")
    # Of versions that it does not know, too.
    right = sign(current)
    mixed = headers_of(f"v1a,AAAA v2,{right[3:]} v1, v1,!! v1,ü {sign(other)} {right}")
    equal(unwrap(BODY, mixed, current, now=NOW), EVENT)


@scenario("it refuses whatever was changed")
def changed(context: Context) -> None:
    secret = secret_of(32)
    right = sign(secret)
    headers = headers_of(right)
    without = {name: value for name, value in headers.items() if name != "webhook-signature"}
    cases = [
        ("another body", headers, f"{BODY} "),
        ("no body", headers, ""),
        ("another id", {**headers, "webhook-id": "evt_2"}, BODY),
        ("another time", {**headers, "webhook-timestamp": str(NOW + 1)}, BODY),
        ("a signature without version", {**headers, "webhook-signature": right[3:]}, BODY),
        ("a signature of another version", {**headers, "webhook-signature": f"v2,{right[3:]}"}, BODY),
        ("a shorter signature", {**headers, "webhook-signature": f"v1,{right[3:27]}"}, BODY),
        ("an empty signature", {**headers, "webhook-signature": "v1,"}, BODY),
        ("a missing header", without, BODY),
        ("a missing id", {**headers, "webhook-id": ""}, BODY),
        ("a time that is none", {**headers, "webhook-timestamp": "NaN"}, BODY),
        ("a time in other digits", {**headers, "webhook-timestamp": "١٧٧٢٣٥٧٤٠٠"}, BODY),
        ("a header that is no text", {**headers, "webhook-id": None}, BODY),
    ]
    for what, some, text in cases:
        error = rejection(lambda: context.client.unwrap_webhook(text, some, secret, now=NOW))
        ok(isinstance(error, context.client.WebhookVerificationError), f"{what}: {error!r}")


@scenario("it refuses a request that is more than five minutes old, or from the future")
def tolerance(context: Context) -> None:
    unwrap = context.client.unwrap_webhook
    secret = secret_of(32)
    for age, is_accepted in ((300, True), (301, False), (-300, True), (-301, False)):
        headers = headers_of(sign(secret, NOW - age), NOW - age)
        if is_accepted:
            equal(unwrap(BODY, headers, secret, now=NOW), EVENT)
        else:
            error = rejection(lambda: unwrap(BODY, headers, secret, now=NOW))
            equal(type(error).__name__, "WebhookVerificationError", str(age))
    headers = headers_of(sign(secret, NOW - 900), NOW - 900)
    equal(unwrap(BODY, headers, secret, now=NOW, tolerance=1000), EVENT)


@scenario("a secret that is none is a mistake of the program, and verifies nothing")
def bad_secret(context: Context) -> None:
    unwrap = context.client.unwrap_webhook
    for secret in ("", "whsec_", "whsec_not base64!", secret_of(23), secret_of(65), "whsec_AA==", "whsec_ü"):
        headers = headers_of(sign(secret if secret == "whsec_AA==" else secret_of(32)))
        error = rejection(lambda: unwrap(BODY, headers, secret, now=NOW))
        equal(type(error).__name__, "ValueError", secret)
        ok(len(secret) < 8 or secret[6:] not in str(error), "the message has no secret")
    for size in (24, 64):
        secret = secret_of(size)
        equal(unwrap(BODY, headers_of(sign(secret)), secret, now=NOW), EVENT)


@scenario("bytes are the raw body, whatever holds them, and a byte order mark is no part of the event")
def holders(context: Context) -> None:
    unwrap = context.client.unwrap_webhook
    secret = secret_of(32)
    headers = headers_of(sign(secret))
    content = BODY.encode()
    larger = b"x" * 7 + content + b"x" * 13
    for held in (bytearray(content), memoryview(content), memoryview(larger)[7 : 7 + len(content)]):
        equal(unwrap(held, headers, secret, now=NOW), EVENT)
    marked = f"\ufeff{BODY}"
    signed = headers_of(sign(secret, content=marked))
    for received in (marked, marked.encode()):
        equal(unwrap(received, signed, secret, now=NOW), EVENT)


@scenario("a body that was parsed, and arguments in another order, are refused with how to pass the raw body")
def another_order(context: Context) -> None:
    unwrap: Any = context.client.unwrap_webhook
    secret = secret_of(32)
    headers = headers_of(sign(secret))
    cases: list[tuple[str, tuple[Any, ...]]] = [
        ("an object", (EVENT, headers, secret)),
        ("a list", (list(BODY.encode()), headers, secret)),
        ("none", (None, headers, secret)),
        ("a number", (5, headers, secret)),
        ("secret, headers, body", (secret, headers, BODY)),
        ("headers, body, secret", (headers, BODY, secret)),
        ("body, secret, headers", (BODY, secret, headers)),
        ("body, bytes, secret", (BODY, BODY.encode(), secret)),
        ("no headers", (BODY, None, secret)),
    ]
    for what, given in cases:
        error = rejection(lambda: unwrap(*given))
        ok(isinstance(error, context.client.WebhookVerificationError), f"{what}: {error!r}")
        ok(str(error).startswith("Pass the raw body of the request"), f"{what}: {error}")
        ok(secret not in str(error), "the message has no secret")
    # The variable of the environment is missing.
    equal(type(rejection(lambda: unwrap(BODY, headers, None, now=NOW))).__name__, "ValueError")
