"""Where the client calls, and as whom."""

from __future__ import annotations

import os
import re
from typing import Any, Callable
from urllib.parse import urlsplit

# Only characters that every parser of URLs reads alike.
_base_url = re.compile(r"(?i:https?)://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[!-\[\]-~]*)?")
_loopback = re.compile(r"localhost|::1|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}")
_visible = re.compile("[!-~]+")
_default_ports = {"http": 80, "https": 443}


def base_url_from(option: str | None) -> str:
    """The base URL without a slash at its end."""
    text = option if option is not None else os.environ.get("PLATFORM_BASE_URL")
    if not text:
        raise ValueError("Set base_url or PLATFORM_BASE_URL, such as https://api.example.com/api/v1.")
    if re.search("[@?#]", text):
        raise ValueError("base_url must not have a user, a password, a query or a fragment.")
    url = _normal(text)
    if url is None:
        raise ValueError(f"base_url must be a URL with https://: {text}")
    if url.startswith("http:") and not _loopback.fullmatch(urlsplit(url).hostname or ""):
        raise ValueError(
            f"The key is not sent to {text}, because others could read it on the way: base_url must begin with https://. "
            "Only this machine (localhost, 127.0.0.1, [::1]) may have http://."
        )
    return url


def _normal(text: str) -> str | None:
    if not _base_url.fullmatch(text) or re.search(r"/(?:\.|%2e){1,2}(?:/|$)", text, re.IGNORECASE):
        return None
    parts = urlsplit(text)
    try:
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    address = f"[{host}]" if ":" in host else host
    shown = "" if port is None or port == _default_ports[parts.scheme] else f":{port}"
    return f"{parts.scheme}://{address}{shown}{parts.path}".rstrip("/")


KeySource = Callable[[], Any]


def api_key_from(option: str | KeySource | None, base_url: str) -> KeySource:
    """What returns the key, or an awaitable of it. The key is in a closure, where nothing prints it.

    A key of the environment goes only to the address of the environment: whoever can choose another address would get the key.

    :param base_url: as ``base_url_from`` returns it
    """
    source = option if option is not None else os.environ.get("PLATFORM_API_KEY")
    if not source:
        raise ValueError("Set api_key or PLATFORM_API_KEY.")
    if option is None and not _is_from_environment(base_url):
        raise ValueError(
            f"PLATFORM_API_KEY is not sent to {base_url}, because PLATFORM_BASE_URL does not name this address. Set both "
            "variables, or pass api_key together with base_url."
        )
    if callable(source):
        return source
    key = checked_key(source)
    return lambda: key


def _is_from_environment(base_url: str) -> bool:
    address = os.environ.get("PLATFORM_BASE_URL")
    return bool(address) and _normal(address or "") == base_url


def checked_key(key: object) -> str:
    if not isinstance(key, str) or not _visible.fullmatch(key):
        raise ValueError("api_key must have only visible ASCII characters, without spaces or line ends.") from None
    return key


class Key:
    """A key that prints nothing of itself: tools that report errors print the local variables of functions."""

    __slots__ = ("_text",)

    def __init__(self, key: object) -> None:
        self._text = checked_key(key)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._text}"}

    def redact(self, text: str) -> str:
        """The text without the key: a server or a proxy may repeat it."""
        return text.replace(self._text, "…")

    def __repr__(self) -> str:
        return "Key()"
