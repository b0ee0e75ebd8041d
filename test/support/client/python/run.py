"""Runs the scenarios of a lane, and prints a line for each. Without a lane, it prints their titles."""

from __future__ import annotations

import json
import os
import random
import sys
import time
import traceback
import urllib.request
from importlib import import_module
from typing import Any

from blocking import Loop
from scenario import Context, absent, absent_in_sync, scenarios

MARK = "@@result "


def load() -> None:
    from scenarios import (  # noqa: F401
        calls,
        document_files,
        exports,
        faults,
        helpers,
        imports,
        lists,
        rollouts,
        scores,
        session_ends,
        session_files,
        sessions,
        transcripts,
        webhooks,
    )


def titles() -> dict[str, Any]:
    return {"titles": list(scenarios), "absent": absent, "absentInSync": absent_in_sync}


def context_of(settings: dict[str, Any]) -> Context:
    import platform_api

    origin = settings["origin"]

    def control(name: str, **body: object) -> dict[str, Any]:
        while True:
            try:
                request = urllib.request.Request(f"{origin}/control/{name}", json.dumps(body).encode(), method="POST")
                with urllib.request.urlopen(request) as response:
                    return json.loads(response.read())
            except OSError:
                # The proxy restarts.
                time.sleep(0.1)

    run = None
    open_client = platform_api.Platform
    # The pauses between attempts are a random part of a limit: here, a small one.
    variant = f"platform_api._{settings['kind']}"
    for name in ("transport", "files", "sender"):
        module: Any = import_module(f"{variant}.{name}")
        module.random_fraction = lambda: random.random() / 10
    if settings["kind"] == "async":
        loop = Loop()
        run = loop.run
        open_client = loop.blocking(platform_api.AsyncPlatform)
    return Context(platform_api, origin, settings["apiKey"], open_client, control, run)


def main() -> None:
    load()
    if "SUITE" not in os.environ:
        print(json.dumps(titles()))
        return
    settings = json.loads(os.environ["SUITE"])
    only = settings.get("only")
    for index, (title, act) in enumerate(scenarios.items()):
        if index % settings["lanes"] != settings["lane"] or (only and only not in title):
            continue
        if settings["kind"] == "sync" and title in absent_in_sync:
            continue
        context = context_of(settings)
        context.control("faults")
        failure = None
        try:
            act(context)
        except BaseException:
            failure = traceback.format_exc()
        for server in context.servers:
            server.close()
        print(MARK + json.dumps({"title": title, "failure": failure}), flush=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    # What hangs on purpose must not keep the process.
    os._exit(0)
