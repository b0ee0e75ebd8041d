"""Imports of files: each conversation once, whatever happens to links and connections."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from typing import Any

from relay import relayed
from scenario import Context, equal, ok, rejection, scenario
from server import Reply, Request

AVATAR_ID = "avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"
STARTED_AT = "2026-03-01T10:00:00.000Z"


def conversation(number: int) -> dict[str, Any]:
    return {
        "external_id": f"call-{number}",
        "avatar_id": AVATAR_ID,
        "started_at": STARTED_AT,
        "ended_at": "2026-03-01T10:05:00.000Z",
        "messages": [{"role": "user", "text": f"{number} ü🙂", "at": STARTED_AT}],
    }


CONVERSATIONS = [conversation(number) for number in range(6)]


def done(context: Context, project_id: str, project: Any, job: Any) -> Any:
    """The result of the job that is done meanwhile."""
    context.control("import", project=project_id, job=job.id)
    ended = project.jobs.wait_for_success(job)
    equal(ended.type, "conversations.import")
    return ended.result


@scenario("importLines stores each conversation once with faults, and again changes nothing")
def once(context: Context) -> None:
    project_id, project = context.new_project()
    for created, unchanged in ((6, 0), (0, 6)):
        context.control("faults", rate=0.4, seed=5)
        job = project.conversations.import_lines(CONVERSATIONS)
        result = done(context, project_id, project, job)
        context.control("faults")
        equal([result.created, result.unchanged, result.failed, result.errors], [created, unchanged, 0, []])
    stored = list(project.conversations.list())
    equal(sorted(one.external_id for one in stored), [one["external_id"] for one in CONVERSATIONS])
    (message,) = project.conversations.messages(stored[0].id)
    ok(message.text.endswith(" ü🙂"), message.text)


@scenario("importLines takes a file, and the result has the lines that failed")
def file(context: Context) -> None:
    project_id, project = context.new_project()
    wire = [
        {
            "externalId": f"call-{number}",
            "avatarId": avatar,
            "startedAt": STARTED_AT,
            "messages": [{"role": "user", "text": "a", "at": STARTED_AT}],
        }
        for number, avatar in ((1, AVATAR_ID), (2, "nobody"), (3, AVATAR_ID))
    ]
    lines = "".join(f"{json.dumps(line)}\n" for line in wire).encode()
    result = done(context, project_id, project, project.conversations.import_lines(io.BytesIO(lines)))
    equal([result.created, result.failed, [one.line for one in result.errors]], [2, 1, [2]])
    # A path, too.
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as named:
        named.write(lines)
        named.flush()
        result = done(context, project_id, project, project.conversations.import_lines(named.name))
    equal([result.unchanged, result.failed], [2, 1])


@scenario("importLines takes the lines of an export")
def from_export(context: Context) -> None:
    project_id, project = context.new_project()
    done(context, project_id, project, project.conversations.import_lines(CONVERSATIONS))
    exported = project.exports.create(what="conversations")
    context.control("export", project=project_id, job=exported.id)
    copy_id, copy = context.new_project()
    job = copy.conversations.import_lines(project.exports.lines(exported))
    equal(done(context, copy_id, copy, job).created, 6)

    def texts(one: Any) -> list[str]:
        return sorted(
            message.text for each in one.conversations.list() for message in one.conversations.messages(each.id)
        )

    equal(texts(copy), texts(project))


@scenario("a link whose time is over is renewed, and no upload has the key")
def renewed(context: Context) -> None:
    project_id, project = context.new_project()
    sent: list[Request] = []

    def change(request: Request, forward: Any) -> Reply:
        if request.method == "PUT" and "/files/" in request.target:
            sent.append(request)
            if len(sent) == 1:
                context.control("advance", ms=16 * 60_000)
        return forward()

    platform = relayed(context, change)
    job = platform.projects(project_id).conversations.import_lines(CONVERSATIONS)
    equal(done(context, project_id, project, job).created, 6)
    equal(len(sent), 2)
    headers = str([request.headers.items() for request in sent])
    ok("authorization" not in headers.lower() and "sk_" not in headers, headers)


@scenario("an upload that is refused again, or whose source fails, is an error without the link")
def refused(context: Context) -> None:
    project_id, _ = context.new_project()
    puts: list[Request] = []

    def change(request: Request, forward: Any) -> Reply:
        if request.method == "PUT" and "/files/" in request.target:
            puts.append(request)
            return Reply(403)
        return forward()

    conversations = relayed(context, change).projects(project_id).conversations
    error = rejection(lambda: conversations.import_lines(CONVERSATIONS))
    ok(isinstance(error, context.client.PlatformConnectionError) and "status 403" in str(error), repr(error))
    ok("until=" not in f"{error}{error.__cause__!r}{error.__context__!r}", error)
    equal(len(puts), 2)

    def failing() -> Iterator[dict[str, Any]]:
        yield conversation(1)
        raise RuntimeError("the source failed")

    equal(str(rejection(lambda: conversations.import_lines(failing()))), "the source failed")
