"""Sessions of runtimes."""

from __future__ import annotations

import traceback
from functools import partial
from importlib import import_module
from typing import Any
from unittest import mock

from deployed import PROMPTS, Deployed, close, fails, texts, turn, turns, until
from scenario import Context, at_once, equal, ok, rejection, scenario


@scenario("a turn of a session needs one request, and one more for a search")
def requests(context: Context) -> None:
    deployed = Deployed(context, is_indexed=True)
    process = deployed.start()
    session = process.open("call-1")
    equal(process.requested(), ["GET config", "PUT conversation"])
    equal([session.prompt, session.deployment_id, session.messages], [PROMPTS[0], deployed.deployment_id, []])
    hits = session.search("How do I send something back?")
    equal([one.document_id for one in hits], [deployed.returns])
    messages: Any = [
        {"role": "user", "text": "question 1"},
        {"role": "avatar", "text": "answer 1", "citations": hits},
    ]
    equal(session.append(*messages), "stored")
    equal(process.requested(), ["GET search", "POST messages"])
    equal(turn(session, 2), "stored")
    equal(process.requested(), ["POST messages"])
    equal(session.search("?!"), [])
    equal(texts(session.messages), turns(2))
    process.requested()
    session.end()
    equal(process.requested(), ["POST end"])
    stored = deployed.stored(session)
    ids = [f"session-{number}" for number in (1, 2, 3, 4)]
    equal([[one.text, one.client_message_id] for one in stored], [[*pair] for pair in zip(turns(2), ids)])
    equal(stored[1].citations[0].document_id, deployed.returns)
    conversation = deployed.project.conversations.get(session.conversation_id)
    equal([conversation.status, conversation.end_reason], ["ended", "completed"])
    equal([conversation.deployment_id, conversation.external_user_id], [deployed.deployment_id, "customer-1"])
    fails(lambda: turn(session, 3), "session_closed")


@scenario("all sessions of a client ask for the configuration once in thirty seconds")
def once(context: Context) -> None:
    deployed = Deployed(context)
    process = deployed.start()
    at_once([partial(process.open, f"call-{number}") for number in range(5)])
    equal(process.requested().count("GET config"), 1)
    process.open("call-6")
    equal(process.requested(), ["PUT conversation"])
    variant = "_async" if context.run else "_sync"
    module: Any = import_module(f"platform_api.{variant}.configuration")
    with mock.patch.object(module, "_LEAST_INTERVAL", 0.0):
        process.open("call-7")
        equal(process.requested(), ["GET config", "PUT conversation"])
        deployed.change()
        equal(process.open("call-8").prompt, PROMPTS[1])


@scenario("a conversation keeps its deployment, its prompt and its knowledge")
def keeps(context: Context) -> None:
    deployed = Deployed(context, is_indexed=True)
    first = deployed.start().open("call-1")
    turn(first, 1)
    later = deployed.change()
    turn(first, 2)
    resumed = deployed.start().open("call-1")
    equal([resumed.deployment_id, resumed.prompt], [deployed.deployment_id, PROMPTS[0]])
    equal([one.document_id for one in resumed.search("send back")], [deployed.returns])
    conversation = deployed.project.conversations.get(resumed.conversation_id)
    equal(conversation.deployment_id, deployed.deployment_id)
    other = deployed.start().open("call-2")
    equal([other.deployment_id, other.prompt, other.search("send back")], [later, PROMPTS[1], []])


@scenario("turns are stored once and in order, with random faults")
def faults(context: Context) -> None:
    deployed = Deployed(context)
    session = deployed.start().open("call-1", patience=2)
    context.control("faults", rate=0.4, seed=5)
    for number in range(1, 16):
        turn(session, number)
    session.flush()
    context.control("faults")
    equal(deployed.transcript(session), turns(15))
    equal(session.buffered, 0)


@scenario("turns are buffered while the service is away, up to a limit, and nothing is lost")
def buffered(context: Context) -> None:
    deployed = Deployed(context, is_indexed=True)
    process = deployed.start()
    session = process.open("call-1", buffer_turns=3, patience=0.2)
    turn(session, 1)
    session.flush()
    deployed.is_cut = True
    for number in (2, 3, 4):
        equal(turn(session, number), "buffered")
    fails(lambda: turn(session, 5), "buffer_full")
    equal(session.buffered, 3)
    equal(session.search("send back", while_away="empty"), [])
    fails(lambda: session.search("send back"), "unavailable")
    away = fails(lambda: session.flush(deadline=0.3), "unavailable")
    equal(texts(away.unsent), turns(4)[2:])
    deployed.is_cut = False
    until(lambda: session.buffered == 0)
    turn(session, 5)
    session.flush()
    equal(deployed.transcript(session), turns(5))
    other = process.open("call-2", buffer_bytes=1000, patience=0.2)
    deployed.is_cut = True
    equal(turn(other, 1), "buffered")
    fails(lambda: other.append({"role": "user", "text": "a" * 1000}), "buffer_full")
    equal(other.buffered, 1)
    fails(lambda: close(other), "unavailable")


@scenario("another process continues a session from the service alone, and the first one notices it")
def continues(context: Context) -> None:
    deployed = Deployed(context)
    first = deployed.start().open("call-1")
    turn(first, 1)
    turn(first, 2)
    second = deployed.start().open("call-1")
    roles = ["user", "avatar"] * 2
    equal([[one.role, one.text] for one in second.messages], [[*pair] for pair in zip(roles, turns(2))])
    turn(second, 3)
    error = fails(lambda: first.append({"role": "user", "text": "something else"}), "other_process")
    equal(texts(error.unsent), ["something else"])
    ok("Another process" in str(error), str(error))
    fails(lambda: turn(first, 4), "other_process")
    turn(second, 4)
    equal(deployed.transcript(second), turns(4))


@scenario("messages that others add do not disturb a session")
def others(context: Context) -> None:
    deployed = Deployed(context)
    session = deployed.start().open("call-1")

    def note(text: str) -> None:
        add = deployed.project.conversations.append
        add(session.conversation_id, messages=[{"role": "system", "text": text}])

    note("a note")
    turn(session, 1)
    note("another note")
    turn(deployed.start().open("call-1"), 2)
    equal(deployed.transcript(session), ["a note", *turns(1), "another note", *turns(2)[2:]])


@scenario("a session ends with a clear error if its conversation is erased or has ended")
def over(context: Context) -> None:
    deployed = Deployed(context)
    process = deployed.start()
    erased = process.open("call-1")
    turn(erased, 1)
    deployed.project.conversations.delete(erased.conversation_id)
    error = fails(lambda: turn(erased, 2), "conversation_erased")
    equal(len(error.unsent), 2)
    fails(lambda: erased.search("send back"), "conversation_erased")
    fails(lambda: process.open("call-1"), "conversation_erased")
    ended = process.open("call-2")
    deployed.project.conversations.end(ended.conversation_id, reason="completed")
    fails(lambda: turn(ended, 1), "conversation_ended")
    fails(lambda: process.open("call-2"), "conversation_ended")
    process.open("call-3")
    fails(lambda: process.open("call-3", external_user_id="customer-2"), "conversation_mismatch")
    fails(lambda: process.open("call-4", avatar="avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"), "avatar_not_deployed")
    fails(lambda: process.open("call-5", environment="none"), "not_found")


@scenario("an external id of another credential is a clear error")
def taken(context: Context) -> None:
    deployed = Deployed(context)
    first = deployed.start().open("call-1")
    turn(first, 1)
    not_mine = deployed.project.conversations.create(avatar_id=deployed.avatar_id, external_id="call-2")
    process = deployed.start(deployed.new_key().secret)
    for external_id in ("call-1", "call-2"):
        process.requested()
        error = fails(lambda: process.open(external_id), "external_id_taken")
        equal(process.requested()[-1], "PUT conversation")
        ok("Another credential has used this external id" in str(error), str(error))
        ok(first.conversation_id not in str(error) and not_mine.id not in str(error), str(error))
    turn(first, 2)
    equal(deployed.transcript(first), turns(2))
    turn(process.open("call-3"), 1)


@scenario("a key that ends ends its sessions")
def key_ends(context: Context) -> None:
    deployed = Deployed(context)
    process = deployed.start()
    session = process.open("call-1")
    context.platform.api_keys.revoke(deployed.key.id)
    error = fails(lambda: turn(session, 1), "unauthorized")
    equal(len(error.unsent), 2)
    shown = "".join(traceback.format_exception(error)) + repr(error) + repr(session)
    ok("question 1" not in shown, "what was said is not printed")
    ok(deployed.key.secret not in shown, "nor the key")
    fails(lambda: session.search("send back"), "unauthorized")
    fails(lambda: process.open("call-2"), "unauthorized")


@scenario("a wrong turn is refused before it is taken, and the session goes on")
def wrong(context: Context) -> None:
    deployed = Deployed(context)
    session = deployed.start().open("call-1")
    turn(session, 1)
    wrong_turns: list[list[Any]] = [
        [],
        [{"role": "user", "text": ""}],
        [{"role": "user", "text": "é" * 8193}],
        [{"role": "user", "text": "a\ud800"}],
        [{"role": "user", "text": "a"}] * 26,
    ]
    for messages in wrong_turns:
        error = rejection(lambda: session.append(*messages))
        ok(isinstance(error, ValueError), repr(error))
    # Only the service knows this limit.
    error = rejection(lambda: session.append({"role": "user", "text": "a", "metadata": {"name": "a" * 3000}}))
    ok(isinstance(error, context.client.ValidationError), repr(error))
    turn(session, 2)
    turn(deployed.start().open("call-1"), 3)
    equal(deployed.transcript(session), turns(3))


@scenario("a message that is delivered again has its answer")
def delivered_again(context: Context) -> None:
    deployed = Deployed(context)
    first = deployed.start().open("call-1")
    equal(first.answer_to("event-1"), None)
    question = {"role": "user", "text": "question 1", "client_message_id": "event-1"}
    first.append(question, {"role": "avatar", "text": "answer 1"})
    turn(first, 2)
    second = deployed.start().open("call-1")
    for session in (first, second):
        equal(session.answer_to("event-1"), "answer 1")
    equal(second.answer_to("event-2"), None)
    equal(deployed.transcript(first), turns(2))


@scenario("a large buffer is sent in several requests, in order")
def large(context: Context) -> None:
    deployed = Deployed(context)
    process = deployed.start()
    session = process.open("call-1", patience=2)
    deployed.is_cut = True
    for number in range(1, 31):
        turn(session, number)
    for number in range(20):
        session.append({"role": "user", "text": f"{number}{'a' * 16_000}"})
    deployed.is_cut = False
    process.requested()
    session.flush()
    sent = len(process.requested())
    ok(4 <= sent <= 14, f"{sent} requests")
    stored = deployed.transcript(session)
    equal(stored[:60], turns(30))
    equal([text.rstrip("a") for text in stored[60:]], [str(number) for number in range(20)])
    equal(len(session.messages), 80)
