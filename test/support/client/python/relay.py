"""Sits between the client and the proxy, for files too, and may change what passes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from scenario import Context
from server import Reply, Request, forward

Change = Callable[[Request, Callable[[], Reply]], Reply]


def relayed(context: Context, change: Change, **options: Any) -> Any:
    """A client behind such a server. ``change`` gets the request, and what forwards it."""

    def handle(request: Request) -> Reply:
        def pass_on() -> Reply:
            reply = forward(context.origin, request)
            # The links of files lead here, too.
            return dataclasses.replace(
                reply, content=reply.content.replace(context.origin.encode(), server.origin.encode())
            )

        return change(request, pass_on)

    server = context.serve(handle)
    defaults = {"timeout": 1.5, "max_retries": 100}
    return context.open(api_key=context.api_key, base_url=f"{server.origin}/api/v1", **{**defaults, **options})
