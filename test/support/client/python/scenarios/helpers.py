"""The helpers: jobs, conversations, synchronisation."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scenario import Context, at_once, equal, ok, rejection, scenario
from server import Reply, Request, scripted, success

AVATAR_ID = "avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"

NO_SIGNALS = "a thread cannot be cancelled"


class Conversation:
    """A conversation, and what adds numbered messages to it."""

    def __init__(self, context: Context) -> None:
        self.project_id, self.project = context.new_project()
        self.id = self.project.conversations.create(avatar_id=AVATAR_ID).id
        self.count = 0

    def add(self, many: int) -> None:
        first = self.count + 1
        self.count += many
        messages = [{"role": "user", "text": str(number)} for number in range(first, self.count + 1)]
        self.project.conversations.append(self.id, messages=messages)

    def end(self) -> None:
        self.project.conversations.end(self.id, reason="completed")


def numbers(messages: Any) -> list[str]:
    return [f"{message.seq} {message.text}" for message in messages]


def up_to(last: int, first: int = 1) -> list[str]:
    return [f"{number} {number}" for number in range(first, last + 1)]


class Background:
    """Work in a thread, whose result is waited for later."""

    def __init__(self, work: Any) -> None:
        self._results: list[Any] = []
        self._error: BaseException | None = None

        def run() -> None:
            try:
                self._results.append(work())
            except BaseException as error:
                self._error = error

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def result(self) -> Any:
        self._thread.join(120)
        if self._error is not None:
            raise self._error
        ok(self._results, "it has ended")
        return self._results[0]


@scenario("messages yields what is stored, from a given seq")
def messages(context: Context) -> None:
    conversation = Conversation(context)
    stored = partial(conversation.project.conversations.messages, conversation.id)
    equal(list(stored()), [])
    for _ in range(5):
        conversation.add(25)
    equal(numbers(stored()), up_to(125))
    equal(numbers(stored(after_seq=120)), up_to(125, 121))


@scenario("follow yields each message once until the end, with faults and a restart of the server")
def follow(context: Context) -> None:
    conversation = Conversation(context)
    conversation.add(3)
    follow = conversation.project.conversations.follow
    followed = Background(lambda: numbers(follow(conversation.id, timeout=1.0)))
    context.control("faults", rate=0.4, seed=23)
    for count in range(6):
        conversation.add(2)
        if count == 3:
            context.control("restart", ms=800)
    conversation.end()
    equal(followed.result(), up_to(15))
    context.control("faults")


@scenario("follow continues after a given seq, and ends with break or a signal")
def follow_again(context: Context) -> None:
    conversation = Conversation(context)
    conversation.add(5)
    follow = conversation.project.conversations.follow
    first = []
    for message in follow(conversation.id):
        first.append(message)
        if message.seq == 3:
            break
    rest: list[Any] = []
    if context.run is None:
        for message in follow(conversation.id, after_seq=3):
            rest.append(message)
            if message.seq == 5:
                break
    else:
        context.run(cancelled_while_following(context, conversation, rest))
    conversation.add(1)
    conversation.end()
    last = list(follow(conversation.id, after_seq=rest[-1].seq))
    equal(numbers([*first, *rest, *last]), up_to(6))


async def cancelled_while_following(context: Context, conversation: Conversation, rest: list[Any]) -> None:
    async with context.client.AsyncPlatform(api_key=context.api_key, base_url=context.base_url) as platform:
        conversations = platform.projects(conversation.project_id).conversations

        async def follow() -> None:
            async for message in conversations.follow(conversation.id, after_seq=3):
                rest.append(message)

        task = asyncio.create_task(follow())
        while len(rest) < 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        task.cancel()
        begin = time.monotonic()
        await asyncio.wait([task])
        equal([task.cancelled(), time.monotonic() - begin < 15], [True, True])


@scenario("follow waits shorter behind a proxy that cuts long requests, and pauses when the server does not wait")
def follow_behind_proxy(context: Context) -> None:
    waits: list[str] = []
    times: list[float] = []

    def handle(request: Request) -> Reply:
        seconds = parse_qs(urlsplit(request.target).query).get("waitSeconds", [""])[0]
        waits.append(seconds)
        times.append(time.monotonic())
        if float(seconds) > 5:
            return Reply(fault="lost")
        data = {"messages": [], "nextAfterSeq": 0, "final": len(waits) > 3}
        return success(data, 200, {"Retry-After": "1"})

    server = context.serve(handle)
    platform = context.open(api_key="a", base_url=f"{server.origin}/api/v1")
    equal(list(platform.projects("p").conversations.follow("c")), [])
    equal(waits[:4], ["20", "10", "5", "20"])
    ok(times[3] - times[2] >= 0.9, "it pauses")


@scenario("replies.follow yields the text as it is written, each part once, until the end of the reply")
def follow_reply(context: Context) -> None:
    written = "It is written."
    afters: list[int] = []

    def handle(request: Request) -> Reply:
        query = parse_qs(urlsplit(request.target).query)
        afters.append(int(query["after"][0]))
        if len(afters) == 2:
            return Reply(fault="lost")
        until = [3, 3, 6, 6, 14][len(afters) - 1]
        status = "done" if until == 14 else "running"
        data = {"status": status, "text": written[afters[-1] : until], "nextAfter": until}
        return success(data, 200, {} if status == "done" else {"Retry-After": "1"})

    server = context.serve(handle)
    platform = context.open(api_key="a", base_url=f"{server.origin}/api/v1")
    parts = [(one.status, one.text) for one in platform.projects("p").replies.follow("c", "r", after=1)]
    equal(parts, [("running", "t "), ("running", "is "), ("done", "written.")])
    equal(afters, [1, 3, 3, 6, 6])


@scenario("jobs.wait returns the ended job, with its result or its failure")
def wait(context: Context) -> None:
    project_id, project = context.new_project()
    project.knowledge.documents.create(title="a", content="a")
    seen: list[str] = []
    job = project.knowledge.reindex()
    context.control("faults", rate=0.3, seed=2)
    waiting = Background(
        lambda: project.jobs.wait(job, timeout=1.0, on_progress=lambda one: seen.append(one.status))
    )
    context.control("work", project=project_id, job=job.id)
    ended = waiting.result()
    context.control("faults")
    equal([ended.status, ended.type], ["succeeded", "knowledge.reindex"])
    equal([ended.result.documents, seen[-1]], [1, "succeeded"])
    equal(project.jobs.wait_for_success(job.id).id, job.id)

    cancelled = project.knowledge.reindex()
    project.jobs.cancel(cancelled.id)
    equal(project.jobs.wait(cancelled).status, "cancelled")
    error = rejection(lambda: project.jobs.wait_for_success(cancelled))
    ok(isinstance(error, context.client.JobFailedError) and error.job.status == "cancelled", error)


@scenario("jobs.wait has a deadline for the whole wait, and can be aborted")
def wait_deadline(context: Context) -> None:
    project_id, project = context.new_project()
    job = project.knowledge.reindex()
    begin = time.monotonic()
    late = rejection(lambda: project.jobs.wait(job, deadline=1.2))
    ok(isinstance(late, context.client.PlatformTimeoutError) and "has not ended within 1.2 s" in str(late), repr(late))
    ok(time.monotonic() - begin >= 1.1, "it waits until then")
    if context.run is None:
        return

    async def cancel() -> None:
        async with context.client.AsyncPlatform(api_key=context.api_key, base_url=context.base_url) as platform:
            try:
                await asyncio.wait_for(platform.projects(project_id).jobs.wait(job.id), 0.1)
            except asyncio.TimeoutError:
                return
        raise AssertionError("it was not cancelled")

    context.run(cancel())


@scenario("jobs.wait asks again soon if a response stalls, although the server may wait long")
def wait_stalled(context: Context) -> None:
    sent: list[Request] = []
    replies = [Reply(200, {"Content-Length": "50"}, fault="stalled"), success({"id": "job_1", "finishedAt": "now"})]
    server = context.serve(scripted(replies, sent))
    platform = context.open(api_key="a", base_url=f"{server.origin}/api/v1", timeout=0.2)
    begin = time.monotonic()
    equal(platform.projects("p").jobs.wait("job_1").id, "job_1")
    ok(time.monotonic() - begin < 15, "it does not wait for 20 seconds")


@scenario("a failed job is a result with its error, and JobFailedError shows it")
def failed_job(context: Context) -> None:
    error = {"code": "too_much_text", "message": "Too much text."}
    job = {"id": "job_1", "type": "knowledge.reindex", "status": "failed", "error": error, "result": None}
    server = context.serve(scripted([success({**job, "finishedAt": "now"})], []))
    jobs = context.open(api_key="a", base_url=f"{server.origin}/api/v1").projects("p").jobs
    ended = jobs.wait("job_1")
    equal([ended.status, ended.error.code], ["failed", "too_much_text"])
    ok("too_much_text" in str(rejection(lambda: jobs.wait_for_success("job_1"))), "the message has the code")


class Counting:
    """A client whose requests are counted as ``PUT`` and so on."""

    def __init__(self, context: Context) -> None:
        self.methods: list[str] = []
        self.platform = context.open(
            api_key=context.api_key,
            base_url=context.base_url,
            on_request=lambda event: self.methods.append(event.method),
        )

    def count(self, method: str) -> int:
        methods, self.methods[:] = self.methods[:], []
        return methods.count(method)


def handbook(names: list[str]) -> list[dict[str, Any]]:
    return [
        {"external_id": name, "title": name, "content": f"# {name}", "mime_type": "text/markdown"} for name in names
    ]


def result(**counts: object) -> dict[str, object]:
    return {"created": 0, "updated": 0, "unchanged": 0, "deleted": 0, "failed": [], **counts}


def counts_of(synced: Any) -> dict[str, object]:
    return {name: getattr(synced, name) for name in ("created", "updated", "unchanged", "deleted", "failed")}


@scenario("sync sends only what changed, several at once, and deletes with prune")
def sync_changes(context: Context) -> None:
    project_id, _ = context.new_project()
    counting = Counting(context)
    project = counting.platform.projects(project_id)
    documents = handbook([f"pages/{index}.md" for index in range(12)])

    def sync(every: list[dict[str, Any]], **options: Any) -> dict[str, object]:
        return counts_of(project.knowledge.sync(every, source="handbook", **options))

    project.knowledge.documents.put("other.md", title="a", content="a", source="other")
    project.knowledge.documents.create(title="without externalId", content="a", source="handbook")

    counting.count("PUT")
    events: list[Any] = []
    equal(sync(documents, on_progress=events.append), result(created=12))
    equal(counting.count("PUT"), 12)
    equal(f"{events[11].done}/{events[11].total} {events[11].outcome}", "12/12 created")
    equal(sync(documents), result(unchanged=12))
    # Without prune, nothing is deleted.
    equal(sync(documents[1:]), result(unchanged=11))
    equal(counting.count("PUT"), 0)

    first, second, third, fourth = documents[:4]
    changed = [
        {**first, "content": "new"},
        {**second, "title": "new"},
        {**third, "tags": ["b", "a"]},
        {**fourth, "metadata": {"a": "1", "b_c": "2"}},
        *documents[4:10],
    ]
    equal(sync(changed, prune=True, dry_run=True), result(updated=4, unchanged=6, deleted=2))
    equal(counting.count("PUT"), 0)
    equal(sync(changed, prune=True), result(updated=4, unchanged=6, deleted=2))
    equal(counting.count("PATCH"), 4)
    reordered = [
        {
            **one,
            **({"tags": ["a", "b"]} if "tags" in one else {}),
            **({"metadata": {"b_c": "2", "a": "1"}} if "metadata" in one else {}),
        }
        for one in changed
    ]
    equal(sync(reordered), result(unchanged=10))
    equal(len(list(project.knowledge.documents.list(limit=100))), 12)


@scenario("sync keeps what a document leaves out, and names the fields that change")
def sync_fields(context: Context) -> None:
    _, project = context.new_project()
    (page,) = handbook(["a.md"])
    changed: list[str] = []

    def sync(document: dict[str, Any], **options: Any) -> None:
        project.knowledge.sync(
            [document],
            source="s",
            on_progress=lambda event: changed.append(" ".join([event.outcome, *event.fields])),
            **options,
        )

    sync({**page, "tags": ["shop"], "metadata": {"a": "1"}})
    sync(page)
    sync({**page, "title": "new", "content": "new"}, dry_run=True)
    sync({**page, "title": "new", "content": "new"})
    sync({**page, "title": "new", "content": "new", "tags": []}, dry_run=True)
    equal(changed, ["created", "unchanged", "updated title content", "updated title content", "updated tags"])
    (stored,) = project.knowledge.documents.list(source="s")
    equal([stored.title, stored.tags, stored.metadata], ["new", ["shop"], {"a": "1"}])
    sync({**page, "title": "new", "content": "new", "tags": []})
    equal([one.tags for one in project.knowledge.documents.list(source="s")], [[]])


@scenario("sync lists the documents that the API refuses, and goes on")
def sync_refused(context: Context) -> None:
    _, project = context.new_project()
    documents = [
        *handbook(["a.md"]),
        {"external_id": "b.md", "title": "b", "content": ""},
        *handbook(["c.md"]),
    ]
    synced = project.knowledge.sync(documents, source="s")
    refused = [f"{one.external_id} {type(one.error).__name__}" for one in synced.failed]
    equal([synced.created, refused], [2, ["b.md ValidationError"]])


@scenario("sync stops at what concerns all documents, and before it deletes everything")
def sync_stops(context: Context) -> None:
    project_id, project = context.new_project()
    project.knowledge.documents.put("a.md", title="a", content="a", source="s")
    sync = partial(project.knowledge.sync, source="s")
    empty = rejection(lambda: sync([], prune=True))
    ok("no documents" in str(empty), empty)
    twice = rejection(lambda: sync(handbook(["b.md", "b.md"]), prune=True))
    ok("Two documents" in str(twice), twice)
    ok(any(one.external_id == "a.md" for one in project.knowledge.documents.list()), "it is still there")
    context.platform.projects.update(project_id, status="archived")
    archived = rejection(lambda: sync(handbook(["c.md", "d.md"])))
    ok(isinstance(archived, context.client.ProjectArchivedError), archived)


@scenario("sync makes the source equal with faults, and when two run at the same time")
def sync_faults(context: Context) -> None:
    _, project = context.new_project()

    def names(begin: int, end: int) -> list[str]:
        return [f"{number}.md" for number in range(begin, end)]

    def sync(every: list[str]) -> None:
        project.knowledge.sync(handbook(every), source="s", prune=True, concurrency=6)

    sync(names(0, 20))
    context.control("faults", rate=0.3, seed=13)
    at_once([partial(sync, names(5, 30)), partial(sync, names(5, 30))])
    context.control("faults")
    stored = [one.external_id for one in project.knowledge.documents.list(source="s", limit=100)]
    equal(sorted(stored), sorted(names(5, 30)))


@scenario("sync takes an asynchronous iterable, and can be aborted")
def sync_iterables(context: Context) -> None:
    project_id, project = context.new_project()
    totals: list[Any] = []
    documents = handbook(["a.md", "b.md", "c.md"])

    def slowly() -> Iterator[dict[str, Any]]:
        for document in documents:
            time.sleep(0.005)
            yield document

    sync = partial(project.knowledge.sync, source="s", on_progress=lambda event: totals.append(event.total))
    equal(sync(slowly()).created, 3)
    equal(totals, [None, None, None])

    def failing() -> Iterator[dict[str, Any]]:
        yield documents[0]
        raise RuntimeError("the source failed")

    equal(str(rejection(lambda: sync(failing()))), "the source failed")
    if context.run is None:
        return

    async def asynchronously() -> None:
        async def more() -> AsyncIterator[dict[str, Any]]:
            for document in handbook(["d.md", "e.md"]):
                await asyncio.sleep(0.005)
                yield document

        async def endless() -> AsyncIterator[dict[str, Any]]:
            number = 0
            while True:
                number += 1
                yield handbook([f"{number}.md"])[0]

        async with context.client.AsyncPlatform(api_key=context.api_key, base_url=context.base_url) as platform:
            knowledge = platform.projects(project_id).knowledge
            equal((await knowledge.sync(more(), source="s")).created, 2)
            task = asyncio.create_task(knowledge.sync(endless(), source="s"))
            await asyncio.sleep(0.5)
            task.cancel()
            await asyncio.wait([task])
            ok(task.cancelled(), "it was cancelled")

    context.run(asynchronously())


@scenario("sync takes a folder")
def sync_folder(context: Context) -> None:
    _, project = context.new_project()
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("a.md", "---\ntitle: A\n---\ntext"), ("b/c.html", "<h1>C</h1>"), (".d.md", "hidden")):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        equal(project.knowledge.sync(folder, source="handbook").created, 2)
        wire = {"externalId": "a.md", "title": "A", "content": "text", "mimeType": "text/markdown"}
        equal(project.knowledge.sync([wire], source="handbook").unchanged, 1)
        twice = rejection(lambda: project.knowledge.sync([{**wire, "external_id": "a.md"}], source="handbook"))
        ok(isinstance(twice, ValueError) and "under both of its names" in str(twice), twice)
        missing = rejection(lambda: project.knowledge.sync(os.path.join(folder, "none"), source="handbook"))
    ok(isinstance(missing, FileNotFoundError), missing)
    stored = {one.external_id: one for one in project.knowledge.documents.list(source="handbook")}
    found = [[name, one.title, one.mime_type, one.content_sha256] for name, one in sorted(stored.items())]
    equal(
        found,
        [
            ["a.md", "A", "text/markdown", hashlib.sha256(b"text").hexdigest()],
            ["b/c.html", "C", "text/html", hashlib.sha256(b"<h1>C</h1>").hexdigest()],
        ],
    )
