"""Exports: every line once, whatever happens to links, files and connections."""

from __future__ import annotations

import asyncio
import gzip
import json
import math
import re
import time
from typing import Any

from relay import relayed
from scenario import Context, equal, ok, rejection, scenario
from server import Reply, Request

#: More than the time of a link.
QUARTER_MS = 16 * 60_000

#: Texts of several parts: hardly to be compressed, with characters of several bytes.
CONTENTS = [" ".join(f"{number}ü🙂{math.sin(number * 100 + at)}" for at in range(60)) for number in range(8)]

#: Newest first.
EXPECTED = CONTENTS[::-1]


class Exported:
    """A project with documents, and an export of them that has ended."""

    def __init__(self, context: Context) -> None:
        self.id, self.project = context.new_project()
        create = self.project.knowledge.documents.create
        self.documents = [create(title="a", content=content) for content in CONTENTS]
        self.job = self.project.exports.create(what="documents")
        context.control("export", project=self.id, job=self.job.id)


def contents_of(lines: Any) -> list[str]:
    return [line.content for line in lines]


def is_file(request: Request) -> bool:
    return "/files/" in request.target


@scenario("exports.lines starts an export, waits for it, and yields its lines")
def starts(context: Context) -> None:
    project_id, project = context.new_project()
    waits: list[str] = []
    lines = project.exports.lines(
        what="conversations",
        idempotency_key="tonight",
        timeout=1.0,
        on_progress=lambda job: waits.append(job.status),
    )
    conversation = project.conversations.create(avatar_id="avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E")
    project.conversations.append(conversation.id, messages=[{"role": "user", "text": "hello"}])
    job = project.exports.create(what="conversations", idempotency_key="tonight")
    context.control("export", project=project_id, job=job.id)
    found = [[line.id, [message.text for message in line.messages]] for line in lines]
    equal(found, [[conversation.id, ["hello"]]])
    equal(waits[-1], "succeeded")


@scenario("exports.lines yields the lines of all parts in order, without the key in any request for a file")
def in_order(context: Context) -> None:
    exported = Exported(context)
    files: list[Request] = []

    def change(request: Request, forward: Any) -> Reply:
        if is_file(request):
            files.append(request)
        return forward()

    exports = relayed(context, change).projects(exported.id).exports
    equal(contents_of(exports.lines(exported.job)), EXPECTED)
    ok(len(files) > 2, "several files")
    sent = str([request.headers.items() for request in files])
    ok(context.api_key[8:] not in sent and "authorization" not in sent.lower(), sent)
    equal(contents_of(exports.lines(exported.job.id)), EXPECTED)


@scenario("exports.lines yields each line once with faults")
def with_faults(context: Context) -> None:
    exported = Exported(context)
    kinds = ["cut body", "stalled body", "reset before"]
    before = context.control("counts")
    # The job and the export, and then the files.
    context.control("faults", next=["pass", "pass", *kinds], rate=0.4, seed=3)
    equal(contents_of(exported.project.exports.lines(exported.job)), EXPECTED)
    context.control("faults")
    counts = context.control("counts")
    ok(all(counts[kind] > before.get(kind, 0) for kind in kinds), counts)


@scenario("a download continues in the middle of a file, also of a server that knows ranges")
def ranges(context: Context) -> None:
    exported = Exported(context)
    for knows_ranges in (False, True):
        ranges: list[str] = []

        def change(request: Request, forward: Any) -> Reply:
            reply = forward()
            if not is_file(request) or reply.status != 200:
                return reply
            range_ = request.headers["range"]
            if range_ is None:
                return Reply(200, {}, reply.content[: len(reply.content) >> 1])
            ranges.append(range_)
            match = re.fullmatch(r"bytes=(\d+)-", range_)
            begin = int(match[1]) if match else -1
            return Reply(206, {}, reply.content[begin:]) if knows_ranges else reply

        lines = relayed(context, change).projects(exported.id).exports.lines(exported.job)
        equal(contents_of(lines), EXPECTED)
        ok(len(ranges) > 2, "each file is continued")


@scenario("an expired link is renewed, once for all parts")
def renewed(context: Context) -> None:
    exported = Exported(context)
    gets: list[Request] = []
    files: list[Request] = []

    def change(request: Request, forward: Any) -> Reply:
        if re.search(r"/exports/job_\w+$", request.target):
            gets.append(request)
        if is_file(request):
            files.append(request)
        return forward()

    found: list[str] = []
    for line in relayed(context, change).projects(exported.id).exports.lines(exported.job):
        found.append(line.content)
        if len(found) == 1:
            context.control("advance", ms=QUARTER_MS)
    equal(found, EXPECTED)
    equal(len(gets), 2)
    ok(len(files) > 3, f"{len(files)} requests for files")


@scenario("a link that is refused although it is new is an error, without the link")
def refused(context: Context) -> None:
    exported = Exported(context)
    links: list[str] = []

    def change(request: Request, forward: Any) -> Reply:
        if not is_file(request):
            return forward()
        links.append(request.target)
        return Reply(403, {}, f"no: {request.target}".encode())

    exports = relayed(context, change).projects(exported.id).exports
    error = rejection(lambda: list(exports.lines(exported.job)))
    ok(isinstance(error, context.client.PlatformConnectionError) and "status 403" in str(error), repr(error))
    equal(len(links), 2)
    ok("until=" not in f"{error}{error.__cause__!r}{error.__context__!r}", error)


@scenario("a part that was removed is an error, or reported")
def removed(context: Context) -> None:
    exported = Exported(context)
    exports = exported.project.exports
    # Of the last part: the others are read before. A repeated deletion would be a 404.
    exported.project.knowledge.documents.delete(exported.documents[0].id, timeout=30)
    context.control("removeFiles")
    lines: list[Any] = []

    def read() -> None:
        for line in exports.lines(exported.job):
            lines.append(line)

    error = rejection(read)
    ok(isinstance(error, context.client.ExportPartMissingError), repr(error))
    equal([error.part.status, error.part.removed_because], ["removed", "document_deleted"])
    ok(3 < len(lines) < 8, f"{len(lines)} lines")
    missing: list[Any] = []
    rest = list(exports.lines(exported.job, on_missing=missing.append))
    equal([len(rest), [part.number for part in missing]], [len(lines), [error.part.number]])
    states = [file.part.status for file in exports.files(exported.job)]
    equal(states[-1], "removed")
    equal(len(set(states)), 2)


@scenario("a part that is removed while it is read is reported too")
def removed_meanwhile(context: Context) -> None:
    exported = Exported(context)
    is_removed = False

    # Its first file ends in the middle, and is gone then.
    def change(request: Request, forward: Any) -> Reply:
        nonlocal is_removed
        reply = forward()
        if not is_file(request) or is_removed:
            return reply
        is_removed = True
        exported.project.knowledge.documents.delete(exported.documents[-1].id, timeout=30)
        context.control("removeFiles")
        return Reply(200, {}, reply.content[:-20])

    missing: list[Any] = []
    exports = relayed(context, change, timeout=30).projects(exported.id).exports
    lines = list(exports.lines(exported.job, on_missing=missing.append))
    equal([[part.number, part.status] for part in missing], [[1, "removed"]])
    ok(5 <= len(lines) < 8, f"{len(lines)} lines")


@scenario("the files of an export are a gzip file together")
def gzip_together(context: Context) -> None:
    exported = Exported(context)
    found: list[str] = []
    compressed = b""
    for file in exported.project.exports.files(exported.job):
        compressed += b"".join(file.bytes())
        found.extend(json.loads(line)["content"] for line in file.text())
    equal(found, EXPECTED)
    equal([json.loads(line)["content"] for line in gzip.decompress(compressed).splitlines()], EXPECTED)
    equal(len(compressed), exported.project.exports.get(exported.job.id).counts.bytes)


@scenario("exports.lines ends with break, with a signal, and with the failure of the job")
def ends(context: Context) -> None:
    exported = Exported(context)
    exports = exported.project.exports
    for line in exports.lines(exported.job):
        equal(line.content, EXPECTED[0])
        break
    if context.run is not None:
        context.run(cancelled(context, exported))
    stopped = exports.create(what="documents")
    exported.project.jobs.cancel(stopped.id)
    error = rejection(lambda: list(exports.lines(stopped)))
    ok(isinstance(error, context.client.JobFailedError), repr(error))


async def cancelled(context: Context, exported: Exported) -> None:
    """A file that stalls does not keep the loop from ending."""
    async with context.client.AsyncPlatform(api_key=context.api_key, base_url=context.base_url) as platform:
        has_begun = asyncio.Event()

        async def read() -> None:
            async for _ in platform.projects(exported.id).exports.lines(exported.job.id, timeout=60):
                context.control("faults", next=["stalled body"])
                has_begun.set()

        task = asyncio.create_task(read())
        await has_begun.wait()
        await asyncio.sleep(0.2)
        task.cancel()
        begin = time.monotonic()
        await asyncio.wait([task])
        equal([task.cancelled(), time.monotonic() - begin < 15], [True, True])
    context.control("faults")
