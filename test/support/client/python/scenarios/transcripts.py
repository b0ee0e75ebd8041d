"""A file of conversations with their messages: nothing twice and nothing missing, whatever ends the process."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from scenario import Context, equal, ok, rejection, scenario

AVATAR_ID = "avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"
COUNT = 60

EXPORT = """
import asyncio, sys
import platform_api
kind, api_key, base_url, project, path = sys.argv[1:]
options = {"api_key": api_key, "base_url": base_url, "timeout": 1.5, "max_retries": 100}
if kind == "sync":
    with platform_api.Platform(**options) as platform:
        platform.projects(project).conversations.export(path)
else:
    async def main():
        async with platform_api.AsyncPlatform(**options) as platform:
            await platform.projects(project).conversations.export(path)
    asyncio.run(main())
"""


def filled(context: Context, count: int) -> tuple[str, Any]:
    project_id, project = context.new_project()
    conversations = [
        {
            "external_id": f"call-{number}",
            "avatar_id": AVATAR_ID,
            "started_at": f"2026-03-01T10:{number % 60:02}:00.000Z",
            "messages": [
                {"role": "user", "text": f"{number} ü🙂\u2028 {at}", "at": "2026-03-01T10:00:00.000Z"}
                for at in range(3)
            ],
        }
        for number in range(count)
    ]
    for begin in range(0, count, 20):
        project.conversations.import_(conversations=conversations[begin : begin + 20])
    return project_id, project


def lines_of(path: str) -> list[Any]:
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file.read().split("\n")[:-1]]


@scenario("conversations.export writes each conversation with its messages, oldest first, and replaces the file at once")
def writes(context: Context) -> None:
    _, project = filled(context, 12)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "conversations.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("yesterday\n")
        context.control("faults", rate=0.3, seed=9)
        result = project.conversations.export(path)
        context.control("faults")
        equal([result.conversations, result.messages], [12, 36])
        lines = lines_of(path)
        equal([line["externalId"] for line in lines], [f"call-{number}" for number in range(12)])
        equal([message["text"] for message in lines[3]["messages"]], [f"3 ü🙂\u2028 {at}" for at in range(3)])
        equal(os.listdir(folder), ["conversations.jsonl"])
        equal(os.stat(path).st_mode & 0o777, 0o600)
        # A filter and a period.
        project.conversations.export(path, started_from="2026-03-01T10:05:00Z", started_before="2026-03-01T10:07:00Z")
        equal([line["externalId"] for line in lines_of(path)], ["call-5", "call-6"])
        missing = rejection(lambda: project.conversations.export(os.path.join(folder, "none", "a.jsonl")))
        ok(isinstance(missing, FileNotFoundError), repr(missing))


@scenario("conversations.export continues after kill -9: no line twice, no line missing")
def killed(context: Context) -> None:
    project_id, project = filled(context, COUNT)
    draw = random.Random(7)
    kind = "sync" if context.run is None else "async"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "conversations.jsonl")
        arguments = [sys.executable, "-c", EXPORT, kind, context.api_key, context.base_url, project_id, path]
        kills = continued = 0
        while True:
            child = subprocess.Popen(arguments, stderr=subprocess.PIPE)
            # It is killed somewhere in its work, however fast the machine is.
            begun = size_of(f"{path}.partial")
            more = draw.choice([1, 700, 5_000, 15_000])
            while child.poll() is None and size_of(f"{path}.partial") < begun + more:
                time.sleep(0.002)
            if child.poll() is None:
                time.sleep(draw.random() * 0.02)
                child.send_signal(signal.SIGKILL)
            _, stderr = child.communicate()
            if child.returncode == 0:
                break
            equal(child.returncode, -signal.SIGKILL, stderr.decode())
            kills += 1
            ok(kills < 200, "it ends")
            if os.path.exists(f"{path}.progress"):
                with open(f"{path}.progress", encoding="utf-8") as file:
                    continued += json.load(file)["bytes"] > 0
        ok(kills >= 3 and continued >= 1, f"{kills} kills, {continued} continued")
        lines = lines_of(path)
        equal(sorted(line["externalId"] for line in lines), sorted(f"call-{number}" for number in range(COUNT)))
        equal({len(line["messages"]) for line in lines} == {3}, True)
        equal(os.listdir(folder), ["conversations.jsonl"])


def size_of(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


@scenario("conversations.export does not mix two exports")
def other(context: Context) -> None:
    _, project = filled(context, 3)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "conversations.jsonl")
        begun = {"request": {"other": True}, "bytes": 0}
        with open(f"{path}.progress", "w", encoding="utf-8") as file:
            json.dump(begun, file)
        error = rejection(lambda: project.conversations.export(path))
        ok(isinstance(error, context.client.ExportConflictError) and "restart=True" in str(error), repr(error))
        equal(project.conversations.export(path, restart=True).conversations, 3)
        equal(len(lines_of(path)), 3)
