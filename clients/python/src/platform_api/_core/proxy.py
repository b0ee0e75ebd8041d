"""The proxy of the environment: HTTPS_PROXY, except for the hosts in NO_PROXY."""

from __future__ import annotations

import os
from typing import Callable, Mapping, NamedTuple
from urllib.parse import unquote, urlsplit


class Proxy(NamedTuple):
    host: str
    port: int
    headers: dict[str, str]
    """What the proxy gets: its user and its password, if it has them."""

    @property
    def netloc(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __repr__(self) -> str:
        """Without the password: tools that report errors print the local variables of functions."""
        return f"Proxy({self.netloc})"


def proxy_for(url: str) -> Proxy | None:
    """Requests without TLS only go to this machine, so they need no proxy.

    Raises ValueError if HTTPS_PROXY is not the address of a proxy.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not (os.environ.get("https_proxy") or os.environ.get("HTTPS_PROXY")):
        return None
    # Most processes have no proxy, and this module takes long to import.
    from urllib import request

    proxies = request.getproxies_environment()
    address = proxies.get("https")
    # The function has no published types.
    is_bypassed: Callable[[str, Mapping[str, str]], object] = getattr(request, "proxy_bypass_environment")
    if not address or is_bypassed(f"{parts.hostname}:{parts.port or 443}", proxies):
        return None
    return _read(address)


def _read(address: str) -> Proxy:
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        parts, host, port = urlsplit(""), None, 0
    if parts.scheme != "http" or not host:
        # It may have a password.
        raise ValueError("HTTPS_PROXY must be an address such as http://proxy.example.com:3128.") from None
    if parts.username is None:
        return Proxy(host, port, {})
    import base64

    user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Proxy(host, port, {"Proxy-Authorization": f"Basic {base64.b64encode(user.encode()).decode()}"})
