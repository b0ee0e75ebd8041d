"""Faults between client and service."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from scenario import Context, at_once, equal, ok, rejection, scenario

AVATAR_ID = "avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"

#: As in test/support/client/fault.ts.
FAULTS = [
    "reset before",
    "429 before",
    "503 before",
    "lost response",
    "cut body",
    "stalled body",
    "slow body",
    "500 after",
    "502 page after",
    "504 after",
]


def seqs(project: Any, conversation: str) -> list[list[Any]]:
    return [[message.seq, message.text] for message in project.conversations.messages(conversation)]


def every_post(fault: str, context: Context) -> None:
    """POSTs of the API that create something, one for each kind, with how many there are then. The fault happens to each."""
    platform = context.platform
    _, project = context.new_project()
    name = f"by {fault} {uuid.uuid4()}"

    def named(listed: Any) -> list[str]:
        return [one.id for one in listed if one.name == name]

    def ids(listed: Any) -> list[str]:
        return [one.id for one in listed]

    # All at once: a request whose body stalls takes long.
    context.control("faults", next=[fault] * 6)
    creations: list[Callable[[], Any]] = [
        lambda: platform.projects.create(name=name),
        lambda: platform.api_keys.create(name=name, scopes=["projects:read"]),
        lambda: project.avatars.create(name=name, persona={"prompt": "You are Ada."}),
        lambda: project.knowledge.documents.create(title=name, content="a"),
        lambda: project.conversations.create(avatar_id=AVATAR_ID),
        lambda: project.knowledge.reindex(),
    ]
    created, key, avatar, document, conversation, job = at_once(creations)
    equal(named(platform.projects.list(limit=100)), [created.id], "projects")
    equal(named(platform.api_keys.list(limit=100)), [key.id], "keys")
    ok(key.secret.startswith("sk_live_"), "the secret has arrived")
    equal(ids(project.avatars.list()), [avatar.id], "avatars")
    equal(ids(project.knowledge.documents.list()), [document.id], "documents")
    equal(ids(project.conversations.list()), [conversation.id], "conversations")
    equal(ids(project.jobs.list()), [job.id], "jobs")

    context.control("faults", next=[fault] * 2)
    messages = [{"role": "user", "text": "a"}, {"role": "user", "text": "b"}]
    both: list[Callable[[], Any]] = [
        lambda: project.deployments.create(environment="production"),
        lambda: project.conversations.append(conversation.id, messages=messages),
    ]
    deployment, _ = at_once(both)
    equal(ids(project.deployments.list()), [deployment.id], "deployments")
    equal(seqs(project, conversation.id), [[1, "a"], [2, "b"]], "messages")
    context.control("faults")


for each in FAULTS:
    scenario(f"every POST takes effect once: {each}")(partial(every_post, each))


@scenario("forty POSTs at once take effect once each, with random faults")
def forty(context: Context) -> None:
    _, project = context.new_project()
    documents = project.knowledge.documents
    context.control("faults", rate=0.4, seed=7)
    titles = [f"document {index}" for index in range(40)]
    created = at_once(partial(documents.create, title=title, content=title) for title in titles)
    context.control("faults")
    equal(sorted(one.title for one in documents.list(limit=100)), sorted(titles))
    equal(len({one.id for one in created}), 40)


@scenario("append stores each message once and in order, with random faults")
def appending(context: Context) -> None:
    _, project = context.new_project()
    conversation = project.conversations.create(avatar_id=AVATAR_ID)
    context.control("faults", rate=0.5, seed=11)
    for count in range(1, 11):
        added = project.conversations.append(conversation.id, messages=[{"role": "user", "text": str(count)}])
        equal([message.seq for message in added.messages], [count])
    context.control("faults")
    equal(seqs(project, conversation.id), [[count, str(count)] for count in range(1, 11)])


@scenario("duplicates with one Idempotency-Key at once get one response, with random faults")
def duplicates(context: Context) -> None:
    _, project = context.new_project()
    documents = project.knowledge.documents
    context.control("faults", rate=0.3, seed=5)
    create = partial(documents.with_raw_response.create, title="one", content="a", idempotency_key="the same")
    every = at_once(create for _ in range(20))
    context.control("faults")
    equal(len({one.parse().id for one in every}), 1)
    ok(any(one.replayed for one in every), "some were replayed")
    equal(len(list(documents.list())), 1)
    error = rejection(lambda: documents.create(title="two", content="a", idempotency_key="the same"))
    equal(type(error).__name__, "IdempotencyKeyReusedError")


@scenario("a DELETE whose response was lost rejects with 404, and says that it was sent twice")
def lost_delete(context: Context) -> None:
    _, project = context.new_project()
    document = project.knowledge.documents.create(title="a", content="a")
    for fault in ("500 after", "lost response"):
        context.control("faults", next=[fault])
        error = rejection(lambda: project.knowledge.documents.delete(document.id))
        equal([type(error).__name__, error.attempts > 1], ["NotFoundError", True])
        document = project.knowledge.documents.create(title="a", content="a")


@scenario("calls go on after a restart of the server")
def restart(context: Context) -> None:
    _, project = context.new_project()
    context.control("restart", ms=1500)
    for count in range(20):
        project.knowledge.documents.put(str(count), title="a", content=str(count))
    equal(len(list(project.knowledge.documents.list(limit=100))), 20)
