"""Single calls, to a server of the test's own."""

from __future__ import annotations

import asyncio
import copy
import datetime
import gc
import json
import logging
import os
import pickle
import pprint
import re
import socket
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from scenario import Context, absent, at_once, equal, ok, rejection, scenario
from server import Reply, Request, failure, scripted, success

PROJECT = {"id": "proj_1", "name": "Support"}
SECRET = "sk_live_secret"

absent["a thousand calls at once leave no listener on a shared signal"] = "there are no signals: a task is cancelled"


def fake(
    context: Context, replies: Sequence[Reply | Callable[[], Reply]], base: str = "/api/v1", **options: Any
) -> tuple[Any, list[Request]]:
    """A client whose requests get these replies one after another, the last one again and again."""
    sent: list[Request] = []
    server = context.serve(scripted(replies, sent))
    platform = context.open(**{"api_key": SECRET, "base_url": f"{server.origin}{base}", **options})
    return platform, sent


@scenario("a call sends path, query, body and key, and returns the data")
def sends(context: Context) -> None:
    page = {**PROJECT, "items": [], "nextCursor": None}
    platform, sent = fake(context, [success(page)])
    conversations = platform.projects("proj_1").conversations
    equal(platform.projects.create(name="Support"), page)
    conversations.stats(group_by="day")
    begin = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    conversations.list(tag="a b&c", started_from=begin).page()
    platform.projects("proj_1").knowledge.documents.put("a/b.md", title="b", content="c")
    equal(
        [f"{one.method} {one.target.removeprefix('/api/v1')}" for one in sent],
        [
            "POST /projects",
            "GET /projects/proj_1/conversations/stats?groupBy=day",
            "GET /projects/proj_1/conversations?tag=a+b%26c&startedFrom=1970-01-01T00%3A00%3A00.000Z",
            "PUT /projects/proj_1/knowledge/documents/by-external-id/a%2Fb.md",
        ],
    )
    equal(sent[0].body, {"name": "Support"})
    equal(sent[0].headers["authorization"], f"Bearer {SECRET}")
    equal(sent[0].headers["content-type"], "application/json")
    equal(sent[1].headers["content-type"], None)


@scenario("an id that would lead to another path is refused before it is sent")
def bad_ids(context: Context) -> None:
    platform, sent = fake(context, [success({})])
    for bad in ("", ".", "..", None):
        error = rejection(lambda: platform.projects.delete(bad))
        ok(isinstance(error, ValueError), repr(error))
    ok(isinstance(rejection(lambda: platform.projects("").jobs.get("x")), ValueError), "no project")
    equal(len(sent), 0)


@scenario("a path that would lead elsewhere is refused before the key is sent")
def bad_paths(context: Context) -> None:
    leading = ["", "projects", ".evil.example/x", "@evil.example/x", ":81/x", "//evil.example/x", "?a=b"]
    folders = ["/../x", "/a/..", "/./a", "/%2e%2E/x", "/a/.%2e?b", "/a/%2e", "/..#a"]
    disguised = ["/\\evil.example", "/a\\..\\b", "/.\t./x", "/\n/evil.example", None]
    for base in ("", "/api/v1"):
        reads: list[None] = []

        def api_key() -> str:
            reads.append(None)
            return SECRET

        platform, sent = fake(context, [success({"items": [], "nextCursor": None})], base, api_key=api_key)
        for path in (*leading, *folders, *disguised):
            error = rejection(lambda: platform.request("GET", path))
            ok(isinstance(error, (ValueError, TypeError)), f"request {path!r}: {error!r}")
            error = rejection(lambda: list(platform.paginate(path)))
            ok(isinstance(error, (ValueError, TypeError)), f"paginate {path!r}: {error!r}")
        equal([len(sent), len(reads)], [0, 0])
        paths = ["/", "/a?b=/../c", "/a/..b/c..", "/a/%2E%2E%2Fb", "/a//b", "/\u00f6", "/a b", "/a/..."]
        for path in paths:
            platform.request("GET", path)
        encoded = [path.replace("\u00f6", "%C3%B6").replace(" ", "%20") for path in paths]
        equal([one.target for one in sent], [base + path for path in encoded])


@scenario("withResponse has status, headers, body, request id and whether it was replayed")
def raw_response(context: Context) -> None:
    headers = {"X-Request-Id": "req-7", "Idempotent-Replayed": "true", "ETag": '"3"'}
    platform, _ = fake(context, [success(PROJECT, 201, headers)])
    raw = platform.projects.with_raw_response.create(name="a")
    equal(
        [raw.parse(), raw.status, raw.headers["etag"], raw.request_id, raw.replayed, raw.attempts],
        [PROJECT, 201, '"3"', "req-7", True, 1],
    )
    equal(platform.with_raw_response.health().headers["etag"], '"3"')


@scenario("options: ifMatch, ifNoneMatch with 304, further headers that cannot replace the own ones")
def options(context: Context) -> None:
    platform, sent = fake(
        context, [success(PROJECT), Reply(304)], headers={"X-Team": "a", "authorization": "Basic x"}
    )
    platform.projects("p").avatars.delete("a", if_match='"3"', headers={"X-Run": "1"})
    equal(sent[0].headers["if-match"], '"3"')
    equal([sent[0].headers["x-team"], sent[0].headers["x-run"]], ["a", "1"])
    equal(sent[0].headers.get_all("authorization"), [f"Bearer {SECRET}"])
    environments = platform.projects("p").environments
    equal(environments.config("production", if_none_match='"x"'), None)
    equal(sent[1].headers["if-none-match"], '"x"')
    equal(environments.config("production", unit="user 1", if_none_match='"x"'), None)
    equal([one.target.rpartition("/")[2] for one in sent[1:]], ["config", "config?unit=user+1"])


@scenario("each code has an error class; an unknown one is an ApiError")
def error_classes(context: Context) -> None:
    client = context.client
    details = [{"path": "name", "message": "must not be empty"}]
    platform, _ = fake(
        context,
        [
            failure(400, "validation_error", {}, details=details),
            failure(404, "not_found"),
            failure(409, "code_of_next_year"),
            failure(409, "__class__"),
            Reply(403, {}, b"<h1>No</h1>"),
        ],
    )
    invalid = rejection(lambda: platform.projects.create(name=""))
    ok(isinstance(invalid, client.ValidationError) and isinstance(invalid, client.ApiError), repr(invalid))
    equal(
        [invalid.status, invalid.code, invalid.request_id, [one.to_dict() for one in invalid.details]],
        [400, "validation_error", "req-1", details],
    )
    equal(str(invalid), "A message. (POST /projects, request req-1)\n  name: must not be empty")
    ok(isinstance(rejection(platform.health), client.NotFoundError), "NotFoundError")
    for code in ("code_of_next_year", "__class__", "unknown"):
        error = rejection(platform.health)
        ok(isinstance(error, client.ApiError), repr(error))
        equal([error.code, error.status in (403, 409)], [code, True])


@scenario("what another attempt may change is repeated: 429, 500, 502, 503, 504 and lost connections")
def repeated(context: Context) -> None:
    replies = [
        *(failure(status, "a_code") for status in (429, 500, 502, 503, 504)),
        Reply(fault="lost"),
        Reply(200, {}, b'{"success":true,"da'),
        Reply(200, {}, success(PROJECT).content, fault="cut"),
    ]

    def call(first: Reply) -> None:
        platform, sent = fake(context, [first, success(PROJECT)])
        equal(platform.projects.create(name="a"), PROJECT)
        keys = [one.headers["idempotency-key"] for one in sent]
        equal([len(keys), keys[0] == keys[1], len(keys[0])], [2, True, 32])

    at_once(partial(call, first) for first in replies)


@scenario("what another attempt would not change is not repeated: 400, 401, 404, 409, 422")
def not_repeated(context: Context) -> None:
    for status in (400, 401, 403, 404, 409, 412, 422):
        platform, sent = fake(context, [failure(status, "a_code")])
        error = rejection(lambda: platform.projects.create(name="a"))
        equal([error.status, error.attempts, len(sent)], [status, 1, 1])


@scenario("two POSTs have different keys; the caller can choose one; other methods have none")
def keys(context: Context) -> None:
    platform, sent = fake(context, [success(PROJECT)])
    platform.projects.create(name="a")
    platform.projects.create(name="a")
    platform.projects.create(name="a", idempotency_key="mine")
    platform.projects.update("p", name="a")
    one, two, mine, none = (each.headers["idempotency-key"] for each in sent)
    ok(one != two, "different keys")
    equal([mine, none], ["mine", None])


@scenario("append has a clientMessageId per message in place of a key, the same at each attempt")
def append(context: Context) -> None:
    platform, sent = fake(context, [failure(500, "internal_error"), success({"messages": []})])
    messages = [{"role": "user", "text": "a"}, {"role": "user", "text": "b", "client_message_id": "m-2"}]
    platform.projects("p").conversations.append("c", messages=messages)
    ids = [[one["clientMessageId"] for one in request.body["messages"]] for request in sent]
    equal(ids[0][1], "m-2")
    equal(ids[0], ids[1])
    equal(len(ids[0][0]), 32)
    equal(sent[0].headers["idempotency-key"], None)
    equal(list(messages[0]), ["role", "text"], "the caller's messages are as they were")


@scenario("Retry-After is honoured in seconds and as a date")
def retry_after(context: Context) -> None:
    delays: list[float] = []
    date = "Sun, 06 Nov 1994 08:49:37 GMT"
    later = "Sun, 06 Nov 1994 08:49:38 GMT"
    replies = [
        failure(429, "rate_limited", {"Retry-After": "1"}),
        failure(503, "service_unavailable", {"Retry-After": later, "Date": date}),
        failure(503, "service_unavailable", {"Retry-After": "soon"}),
        success(PROJECT),
    ]
    platform, _ = fake(context, replies, on_retry=lambda event: delays.append(event.delay))
    platform.health()
    seconds, dated, unreadable = delays
    ok(1 <= seconds < 1.3, f"in seconds: {seconds}")
    ok(1 <= dated < 1.6, f"as a date: {dated}")
    ok(unreadable < 1.2, f"unreadable: {unreadable}")


@scenario("no attempt begins after the deadline, and no pause that would end after it")
def deadline(context: Context) -> None:
    platform, sent = fake(context, [failure(429, "rate_limited", {"Retry-After": "3600"})])
    error = rejection(platform.health)
    equal([type(error).__name__, error.retry_after, len(sent)], ["RateLimitedError", 3600.0, 1])

    platform, sent = fake(context, [failure(500, "internal_error")], deadline=1.5, max_retries=1000)
    begin = time.monotonic()
    # An attempt that begins right before the deadline can end with it.
    ended = type(rejection(platform.health)).__name__
    ok(ended in ("InternalError", "PlatformTimeoutError"), ended)
    ok(len(sent) > 1, "it was repeated")
    ok(time.monotonic() - begin < 20, "it ended")

    platform, _ = fake(context, [Reply(fault="hanging")], deadline=0.2)
    timeout = rejection(platform.health)
    ok(isinstance(timeout, context.client.PlatformTimeoutError), repr(timeout))
    ok(isinstance(timeout, context.client.PlatformConnectionError), repr(timeout))


@scenario("maxRetries limits the attempts, and errors count them")
def max_retries(context: Context) -> None:
    platform, sent = fake(context, [failure(500, "internal_error")], max_retries=1)
    equal([rejection(platform.health).attempts, len(sent)], [2, 2])
    equal(rejection(lambda: platform.request("GET", "/health", max_retries=0)).attempts, 1)
    equal(len(sent), 3)


@scenario("a body that does not come in time is a timeout, also if fetch ignores its signal")
def stalled(context: Context) -> None:
    reply = Reply(200, {"Content-Length": "50"}, fault="stalled")
    platform, sent = fake(context, [reply, success(PROJECT)], timeout=0.1)
    equal(platform.health(), PROJECT)
    # On a busy machine, the second attempt may be late, too.
    ok(len(sent) > 1, len(sent))
    platform, _ = fake(context, [reply], timeout=0.1, max_retries=0)
    equal(type(rejection(platform.health)).__name__, "PlatformTimeoutError")


@scenario("a body that comes in small pieces has the same time limit")
def dripping(context: Context) -> None:
    """A limit between two bytes would never be reached."""
    server = context.serve(lambda _: Reply())
    server.close()
    listener = Dripping()
    platform = context.open(api_key=SECRET, base_url=f"{listener.origin}/api/v1", timeout=0.3, max_retries=0)
    begin = time.monotonic()
    error = rejection(platform.health)
    took = time.monotonic() - begin
    listener.close()
    ok(isinstance(error, context.client.PlatformTimeoutError), repr(error))
    ok(took < 15, took)


class Dripping:
    """A server that sends a byte every 50 ms for a minute."""

    def __init__(self) -> None:
        import socket

        self._listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._stop = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        try:
            connection, _ = self._listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
                for _ in range(1200):
                    if self._stop.wait(0.05):
                        return
                    connection.sendall(b" ")
        except OSError:
            return

    def close(self) -> None:
        self._stop.set()
        self._listener.close()


@scenario("a signal ends a request and a pause at once, with its reason", only_async="a thread cannot be cancelled")
def cancelled(context: Context) -> None:
    limited = failure(429, "rate_limited", {"Retry-After": "20"})
    for reply in (limited, Reply(fault="hanging")):
        sent: list[Request] = []
        server = context.serve(scripted([reply], sent))
        assert context.run is not None
        context.run(cancel(context, f"{server.origin}/api/v1", sent))


async def cancel(context: Context, base_url: str, sent: list[Request]) -> None:
    async with context.client.AsyncPlatform(api_key=SECRET, base_url=base_url) as platform:
        task = asyncio.create_task(platform.health())
        while not sent:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        task.cancel("enough")
        begin = time.monotonic()
        await asyncio.wait([task])
        equal(task.cancelled(), True)
        ok(time.monotonic() - begin < 15, "before the pause ends")


@scenario("hooks see each attempt, and never a key, a header or a body")
def hooks(context: Context) -> None:
    events: list[Any] = []
    headers = {"Deprecation": "@1767225600", "Sunset": "Fri, 01 Jan 2027 00:00:00 GMT"}
    unavailable = failure(503, "service_unavailable", {"Retry-After": "0"}, message=f"no {SECRET}")
    platform, _ = fake(
        context,
        [unavailable, success(PROJECT, 200, headers)],
        on_request=events.append,
        on_response=events.append,
        on_retry=events.append,
    )
    platform.projects.create(name="body-text")
    equal(len(events), 5)
    _, first, retry, _, second = events
    equal([first.status, first.attempt, retry.attempt, second.attempt], [503, 1, 1, 2])
    equal([second.deprecation, second.sunset], [headers["Deprecation"], headers["Sunset"]])
    text = f"{events!r}{retry.error}{''.join(traceback.format_exception(retry.error))}"
    ok(SECRET not in text and "body-text" not in text, text)


@scenario("a newer version of the client is mentioned once in the life of the process")
def newer_version(context: Context) -> None:
    newer = success(PROJECT, headers={"Platform-Client-Latest": "9.9.9" + "9" * 100})
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append
    logger = logging.getLogger("platform_api")
    logger.addHandler(handler)
    logger.propagate = False
    try:
        for _ in range(2):
            platform, _ = fake(context, [success(PROJECT), newer])
            for _ in range(3):
                platform.projects.get("proj_1")
    finally:
        logger.removeHandler(handler)
        logger.propagate = True
    equal([one.levelname for one in records], ["WARNING"])
    text = records[0].getMessage()
    ok(re.fullmatch(r"The service offers platform-api [9.]{40}\. This is \d+\.\d+\.\d+\.", text), text)


@scenario("a function as apiKey is called once per request, and all attempts send its token")
def key_function(context: Context) -> None:
    count = 0

    def api_key() -> str:
        nonlocal count
        count += 1
        return f"token-{count}"

    async def asynchronous() -> str:
        return api_key()

    soon = {"Retry-After": "0"}
    replies = [
        failure(429, "rate_limited", soon),
        failure(503, "service_unavailable", soon),
        Reply(fault="lost"),
        success(PROJECT),
        success({"items": [{"id": "a"}], "nextCursor": "next"}),
        failure(500, "internal_error"),
        success({"items": [{"id": "b"}], "nextCursor": None}),
        success({"type": "knowledge.reindex", "id": "job_1", "status": "running", "finishedAt": None}),
        success({"type": "knowledge.reindex", "id": "job_1", "status": "succeeded", "finishedAt": "2026-03-01T09:30:00Z"}),
    ]
    for source in [api_key] if context.run is None else [api_key, asynchronous]:
        count = 0
        platform, sent = fake(context, replies, api_key=source)
        platform.projects.create(name="a")
        equal([one.id for one in platform.projects.list()], ["a", "b"])
        platform.projects("proj_1").jobs.wait("job_1")
        tokens = [one.headers["authorization"].removeprefix("Bearer token-") for one in sent]
        equal("".join(tokens), "111123345")


@scenario("a function as apiKey that fails, or returns no token, is an error before anything is sent")
def failing_key_function(context: Context) -> None:
    def fails() -> str:
        raise LookupError("no token today")

    async def asynchronous() -> str:
        return SECRET

    platform, sent = fake(context, [success(PROJECT)], api_key=fails)
    equal(str(rejection(platform.health)), "no token today")
    equal(len(sent), 0)
    wrong: list[Any] = [lambda: "a\nb", lambda: "", lambda: None]
    for source in wrong if context.run else [*wrong, asynchronous]:
        platform, sent = fake(context, [success(PROJECT)], api_key=source)
        ok(isinstance(rejection(platform.health), ValueError), "a ValueError")
        equal(len(sent), 0)


@scenario("no error shows the key, even if a server or fetch repeats it")
def no_key_in_errors(context: Context) -> None:
    details = [{"path": SECRET, "message": ""}]
    echo = failure(401, "unauthorized", {}, message=f"bad: {SECRET}", details=details)
    broken = Reply(200, {"Transfer-Encoding": SECRET, "Content-Length": "3"}, SECRET.encode())
    headers = Reply(502, {"X-Request-Id": SECRET, "Sunset": SECRET}, b"<html>")
    told: list[Any] = []
    for reply in (echo, broken, Reply(fault="lost"), Reply(500, {}, SECRET.encode()), headers):
        platform, _ = fake(context, [reply], max_retries=0, on_response=told.append)
        error = rejection(platform.health)
        chain: list[str] = []
        one: BaseException | None = error
        while one is not None:
            chain += [str(one), repr(one), repr(vars(one)), repr(one.args)]
            one = one.__cause__ or one.__context__
        # Tools that report errors print the variables of each function, too.
        frames = traceback.TracebackException.from_exception(error, capture_locals=True).format()
        text = "".join([*chain, *frames, str(copy.copy(vars(error))), repr(told)])
        ok(SECRET not in text, text)
    server = context.serve(lambda _: Reply())
    server.close()
    platform = context.open(api_key=SECRET, base_url=f"{server.origin}/api/v1", max_retries=0)
    lost = rejection(platform.health)
    equal([type(lost).__name__, lost.code], ["PlatformConnectionError", "ECONNREFUSED"])
    for api_key in ("sk_live_secret\n", "sk live secret", "", "sk_live_ü"):
        error = rejection(lambda: context.open(api_key=api_key, base_url=context.base_url))
        ok(isinstance(error, ValueError) and "live" not in str(error), repr(error))


@scenario("nothing that prints the client shows the key")
def no_key_in_client(context: Context) -> None:
    platform, _ = fake(context, [success(PROJECT)])
    native = getattr(platform, "_value", platform)
    native_project = native.projects("p")
    texts = [f"{one!r}{one!s}{pprint.pformat(one)}" for one in (native, native.projects, native_project)]
    texts.append(repr(native_project.jobs))
    seen: set[int] = set()
    queue: list[Any] = [native]
    while queue:
        one = queue.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, (str, bytes)):
            texts.append(repr(one))
        elif isinstance(one, dict):
            queue += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set)):
            queue += one
        elif type(one).__module__.startswith("platform_api"):
            queue += [getattr(one, name, None) for name in getattr(type(one), "__slots__", ())]
            queue.append(getattr(one, "__dict__", {}))
    shown = next((text for text in texts if SECRET in text), "")
    equal(shown, "")
    pickled = rejection(lambda: pickle.dumps(native))
    ok(SECRET not in str(pickled), pickled)
    gc.collect()


@scenario("a redirect is not followed")
def redirect(context: Context) -> None:
    target = context.serve(scripted([success(PROJECT)], elsewhere := []))
    platform, sent = fake(context, [Reply(302, {"Location": f"{target.origin}/api/v1/health"})])
    error = rejection(lambda: platform.projects.create(name="a"))
    ok(re.search("Check base_url", str(error)), repr(error))
    equal([len(sent), len(elsewhere)], [1, 0])


@scenario("a key is not sent without TLS, except to this machine")
def tls(context: Context) -> None:
    open_client = partial(context.open, api_key=SECRET)
    for host in ("example.com", "10.0.0.1", "localhost.example.com", "a.localhost", "127.1.1.1.nip.io"):
        error = rejection(lambda: open_client(base_url=f"http://{host}/api/v1"))
        ok("others could read it on the way" in str(error) and "sk_live" not in str(error), repr(error))
        equal(open_client(base_url=f"https://{host}/api/v1").base_url, f"https://{host}/api/v1")
    for host in ("localhost:3000", "127.0.0.1", "127.1.2.3:80", "[::1]:3000"):
        ok(open_client(base_url=f"http://{host}/api/v1").base_url.startswith("http://"), host)


@scenario("a missing id is an error that says so, before anything is sent")
def missing_id(context: Context) -> None:
    platform, sent = fake(context, [success({})])
    for missing in ("", None):
        error = rejection(lambda: platform.projects(missing))
        ok("The id behind /projects/ is missing" in str(error), repr(error))
        other = rejection(lambda: platform.projects("proj_1").jobs.get(missing))
        ok("The id behind /jobs/ is missing" in str(other), repr(other))
    equal(len(sent), 0)


@scenario("an error names the request and the id, and each invalid field on a line")
def names_the_request(context: Context) -> None:
    platform = context.platform
    id_ = "avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"
    project = platform.projects("proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E")
    error = rejection(lambda: project.avatars.get(id_))
    ok(isinstance(error, context.client.NotFoundError), repr(error))
    path = f"/projects/proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/avatars/{id_}"
    equal([error.method, error.path, error.id], ["GET", path, id_])
    ok(str(error).endswith(f" (GET {path}, request {error.request_id})"), error)
    listed = rejection(lambda: project.avatars.list().page())
    ok(isinstance(listed, context.client.NotFoundError) and listed.id.startswith("proj_"), repr(listed))
    named = rejection(lambda: project.environments.get("a-b"))
    ok(isinstance(named, context.client.NotFoundError) and named.id == "a-b", repr(named))
    invalid = rejection(lambda: platform.projects.create(name="", description="a" * 5000))
    equal(len(str(invalid).split("\n")), 3)


@scenario("an error of any status has the request, its id and the message")
def names_every_request(context: Context) -> None:
    for status in (400, 401, 403, 404, 409, 412, 422, 429, 500, 503):
        platform, _ = fake(context, [failure(status, "a_code")], max_retries=0)
        error = rejection(lambda: platform.request("GET", "/projects/p?a=b"))
        equal([str(error), error.message], ["A message. (GET /projects/p, request req-1)", "A message."])


@scenario("a connection error names the address and the number of attempts, without key and query")
def names_the_address(context: Context) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        refused = f"http://127.0.0.1:{free.getsockname()[1]}"
    wrong = context.serve(scripted([Reply(200, {}, SECRET.encode())], [])).origin
    reasons = {refused: "Connection refused.", wrong: "The response with status 200 is not the API's, or not complete."}
    for origin, reason in reasons.items():
        for max_retries, after in ((0, ""), (2, " after 3 attempts")):
            platform = context.open(api_key=SECRET, base_url=f"{origin}/api/v1", max_retries=max_retries)
            error = rejection(lambda: platform.projects.list(external_id="secret").page())
            equal(str(error), f"The request to {origin} failed{after}: {reason}")
    server = context.serve(scripted([Reply(fault="hanging")], []))
    platform = context.open(api_key=SECRET, base_url=server.origin, timeout=0.05, max_retries=0)
    late = rejection(platform.health)
    ok(isinstance(late, context.client.PlatformTimeoutError), repr(late))
    ok(str(late).startswith(f"The request to {server.origin} failed: There was no complete"), late)


@scenario("a 404 asks whether the base URL is complete, if it may not be")
def base_url_hint(context: Context) -> None:
    page, own = Reply(404, {}, b"<h1>Not here</h1>"), failure(404, "not_found")
    hint = "Is the base URL complete? It ends with /api/v1."
    for reply, base, is_asked in ((page, "", True), (page, "/api/v1", True), (own, "", True), (own, "/api/v1", False)):
        platform, _ = fake(context, [reply], base)
        error = rejection(lambda: platform.projects.get("proj_1"))
        equal(f" {hint} (GET /projects/proj_1" in str(error), is_asked, str(error))


@scenario("a response without data, and a list without items, are errors of the client")
def not_the_apis(context: Context) -> None:
    kind = context.client.PlatformConnectionError
    none = Reply(200, {}, b'{"success":true}')
    for reply in (none, success(None), success([]), success("a")):
        platform, _ = fake(context, [reply], max_retries=0)
        error = rejection(lambda: platform.projects.get("proj_1"))
        ok(isinstance(error, kind), repr(error))
    for data in ({}, {"items": None, "nextCursor": None}, {"items": {}, "nextCursor": None}, {"items": []}):
        platform, _ = fake(context, [success(data)], max_retries=0)
        for act in (lambda: platform.projects.list().page(), lambda: list(platform.projects.list())):
            error = rejection(act)
            ok(isinstance(error, kind) and "is not a list of the API" in str(error), repr(error))


@scenario("baseUrl must be a plain http or https URL")
def base_urls(context: Context) -> None:
    origin = context.origin
    for base_url in (
        "ftp://example.com",
        "nonsense:",
        "https://",
        "https://example.com:port",
        f"{origin.replace('//', '//user:hunter2@')}/api/v1",
        f"{origin}/?a",
        f"{origin}/#a",
        "https://example.com/a b",
        "https://example.com/\r\nX: y",
    ):
        error = rejection(lambda: context.open(api_key="a", base_url=base_url))
        ok(isinstance(error, ValueError), f"{base_url}: {error!r}")
        ok("hunter2" not in str(error), error)
    equal(context.open(api_key="a", base_url=f"{origin}/api/v1/").base_url, f"{origin}/api/v1")


@scenario("in a page, only its own origin can be called; elsewhere the environment has the defaults")
def environment(context: Context) -> None:
    origin, open_client = context.origin, context.open
    ok("Set base_url or PLATFORM_BASE_URL" in str(rejection(lambda: open_client(api_key="a"))), "no URL")
    ok("Set api_key or PLATFORM_API_KEY" in str(rejection(lambda: open_client(base_url=origin))), "no key")
    os.environ.update(PLATFORM_BASE_URL="https://example.com/api/v1", PLATFORM_API_KEY="a")
    try:
        equal(open_client().base_url, "https://example.com/api/v1")
        equal(open_client(base_url="https://example.com/api/v1/").base_url, "https://example.com/api/v1")
        equal(open_client(api_key="b", base_url=origin).base_url, origin)
        # Who can choose the address must not get the key of the environment.
        for base_url in (origin, "https://example.com.evil.example/api/v1", "https://example.com/api"):
            error = rejection(lambda: open_client(base_url=base_url))
            ok("PLATFORM_API_KEY is not sent to" in str(error), repr(error))
        del os.environ["PLATFORM_BASE_URL"]
        error = rejection(lambda: open_client(base_url="https://example.com/api/v1"))
        ok("PLATFORM_API_KEY is not sent to" in str(error), repr(error))
    finally:
        os.environ.pop("PLATFORM_BASE_URL", None)
        os.environ.pop("PLATFORM_API_KEY", None)


@scenario("a field that is null is sent, and one that is left out is not")
def none(context: Context) -> None:
    platform, sent = fake(context, [success(PROJECT)])
    platform.projects.create(name="a", description=None)
    platform.projects.create(name="a")
    equal([one.body for one in sent], [{"name": "a", "description": None}, {"name": "a"}])


@scenario("one client serves many threads")
def threads(context: Context) -> None:
    platform, sent = fake(context, [lambda: time.sleep(0.005) or success(PROJECT)])
    before = threading.active_count()
    equal(len(at_once(platform.health for _ in range(100))), 100)
    equal(len(sent), 100)
    deadline = time.monotonic() + 60
    # Those of the server end when their connections do.
    while context.run is None and threading.active_count() > before + 110 and time.monotonic() < deadline:
        time.sleep(0.05)
    ok(json.dumps(PROJECT) in json.dumps(platform.health().to_dict()), "it goes on")
