"""Says once that the service offers a newer client."""

from __future__ import annotations

from typing import Mapping

from .._version import version

_is_mentioned = False


def mention_latest(headers: Mapping[str, str]) -> None:
    global _is_mentioned
    latest = headers.get("platform-client-latest")
    if latest is None or _is_mentioned:
        return
    _is_mentioned = True
    import logging

    logging.getLogger("platform_api").warning("The service offers platform-api %.40s. This is %s.", latest, version)
