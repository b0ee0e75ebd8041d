"""What happens to sessions whose credential, user, project, organisation or conversation goes away meanwhile."""

from __future__ import annotations

import os
import re
import time
from typing import Any

from deployed import Deployed, close, fails, texts, turn, turns
from scenario import Context, equal, ok, rejection, scenario

from .session_files import configs, content, empty_folder, journals

SECOND = turns(2)[2:]


class Cut:
    """A session with two turns: the service has the first, and the journal has the second."""

    def __init__(self, context: Context, folder: str, api_key: str | None = None) -> None:
        self.deployed = Deployed(context)
        self.folder = folder
        self.process = self.deployed.start(api_key)
        self.session = self.process.open("call-1", folder=folder, patience=2)
        turn(self.session, 1)
        self.session.flush()
        self.deployed.is_cut = True
        equal(turn(self.session, 2), "buffered")

    def end(self) -> list[Any]:
        """The service is back, and the session has an end."""
        self.deployed.is_cut = False
        error: Any = rejection(self.session.flush)
        fails(lambda: turn(self.session, 3), error.code)
        return [error.code, texts(error.unsent)]

    def recover(self, api_key: str) -> list[Any]:
        recovered = self.deployed.start(api_key).client.recover_sessions(folder=self.folder)
        return [[one.messages, one.error.code if one.error else "sent"] for one in recovered]


@scenario("an identity that is deleted ends its sessions")
def identity(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        found = context.control("identity", project=deployed.id)
        session = deployed.start(found["token"]).open("call-1", folder=folder)
        turn(session, 1)
        context.platform.workload_identities.delete(found["id"])
        error = fails(lambda: turn(session, 2), "unauthorized")
        equal([len(error.unsent), len(journals(folder))], [2, 1])
        fails(session.end, "unauthorized")
        # The conversation belongs to the identity.
        other = context.control("identity", project=deployed.id)
        fails(lambda: deployed.start(other["token"]).open("call-1", folder=folder), "external_id_taken")
        equal([len(journals(folder)), deployed.transcript(session)], [1, turns(1)])


@scenario("the end of the creator of a key ends the sessions of the key")
def creator(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        bound: Any = {"project_ids": [deployed.id]}
        keys = context.platform.api_keys
        parent = keys.create(name="creator", scopes=["api-keys:write", "runtime:write"], **bound)
        by_parent = context.open(api_key=parent.secret, base_url=context.base_url)
        child = by_parent.api_keys.create(name="child", scopes=["runtime:write"], **bound)
        session = deployed.start(child.secret).open("call-1", folder=folder)
        turn(session, 1)
        keys.revoke(parent.id, children=True)
        context.control("revokeChildren", id=parent.id)
        error = fails(lambda: turn(session, 2), "unauthorized")
        equal([len(error.unsent), len(journals(folder))], [2, 1])
        equal(deployed.transcript(session), turns(1))


@scenario("a suspended organisation ends a session, and another session goes on after it")
def suspended(context: Context) -> None:
    with empty_folder() as folder:
        cut = Cut(context, folder)
        context.control("suspend")
        try:
            equal(cut.end(), ["organisation_suspended", SECOND])
            equal([len(journals(folder)), configs(folder)], [1, []])
            fails(lambda: cut.process.open("call-1", folder=folder), "organisation_suspended")
        finally:
            context.control("resume")
        resumed = cut.process.open("call-1", folder=folder)
        turn(resumed, 3)
        resumed.end()
        equal([cut.deployed.transcript(cut.session), journals(folder)], [turns(3), []])


@scenario("an erased user ends a session and empties its journal")
def erased_user(context: Context) -> None:
    # What is left of a conversation does not name an access token.
    token = context.control("accessToken", subject="a runtime")["token"]
    for api_key in (None, token):
        with empty_folder() as folder:
            cut = Cut(context, folder, api_key)
            job = cut.deployed.project.conversations.erase(external_user_id="customer-1")
            context.control("eraseUser", id=job.id)
            equal(cut.end(), ["conversation_erased", SECOND])
            equal(journals(folder), [])


@scenario("the journal of a deleted project stays for a week, and is sent if the project is restored")
def deleted_project(context: Context) -> None:
    with empty_folder() as folder:
        cut = Cut(context, folder)
        deployed = cut.deployed
        projects, secret = context.platform.projects, deployed.key.secret
        projects.delete(deployed.id)
        equal(cut.end(), ["not_found", SECOND])
        fails(lambda: cut.process.open("call-1", folder=folder), "not_found")
        equal([cut.recover(secret), len(journals(folder))], [[[2, "not_found"]], 1])
        projects.restore(deployed.id)
        equal([cut.recover(secret), journals(folder)], [[[2, "sent"]], []])
        equal(deployed.transcript(cut.session), turns(2))

        again = cut.process.open("call-1", folder=folder, patience=2)
        again.flush()
        deployed.is_cut = True
        turn(again, 3)
        close(again)
        deployed.is_cut = False
        projects.delete(deployed.id)
        name = journals(folder)[0]
        for hours, left in ((7 * 24 - 1, 1), (7 * 24 + 1, 0)):
            at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - hours * 3600))
            text = re.sub('"at": "[^"]*"', f'"at": "{at}"', content(folder, name))
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            equal([cut.recover(secret), len(journals(folder))], [[[2, "not_found"]], left])


@scenario("a key that does not see the project leaves the journal to another key")
def hidden_project(context: Context) -> None:
    deployed = Deployed(context)
    elsewhere = deployed.new_key(context.new_project()[0]).secret
    secret = deployed.key.secret
    with empty_folder() as folder:
        session = deployed.start(lambda: secret).open("call-1", folder=folder, patience=2)
        turn(session, 1)
        session.flush()
        deployed.is_cut = True
        turn(session, 2)
        deployed.is_cut = False
        secret = elsewhere
        error = fails(session.flush, "not_found")
        equal([len(error.unsent), len(journals(folder))], [2, 1])
        ok("may not see it" in str(error), str(error))

        def recover(api_key: str) -> list[Any]:
            recovered = deployed.start(api_key).client.recover_sessions(folder=folder)
            return [one.error.code if one.error else "sent" for one in recovered] + [len(journals(folder))]

        equal(recover(elsewhere), ["not_found", 1])
        equal(recover(deployed.new_key().secret), ["external_id_taken", 1])
        # An archived project is read-only.
        update = context.platform.projects.update
        update(deployed.id, status="archived")
        equal(recover(deployed.key.secret), ["project_archived", 1])
        update(deployed.id, status="active")
        equal(recover(deployed.key.secret), ["sent", 0])
        equal(deployed.transcript(session), turns(2))


@scenario("a session goes on after a restore of the tables, with the turns that are left")
def restored(context: Context) -> None:
    deployed = Deployed(context)
    context.control("backUp")
    session = deployed.start().open("call-1")
    turn(session, 1)
    lost = session.conversation_id
    context.control("restore")
    equal(turn(session, 2), "stored")
    ok(session.conversation_id != lost, "the conversation has begun again")
    equal(texts(session.messages), turns(2))
    context.control("backUp")
    turn(session, 3)
    turn(session, 4)
    context.control("restore")
    turn(session, 5)
    # Its numbers are free, although the service has fewer messages than numbers.
    resumed = deployed.start().open("call-1")
    for number in (6, 7, 8, 9):
        turn(resumed, number)
    left = [text for number in (2, 5, 6, 7, 8, 9) for text in (f"question {number}", f"answer {number}")]
    equal(deployed.transcript(session), left)
    items = deployed.project.conversations.list(external_id="call-1")
    equal([[one.id, one.deployment_id] for one in items], [[session.conversation_id, deployed.deployment_id]])
    equal(len({one.client_message_id for one in deployed.stored(session)}), 12)
    # What was erased stays erased after a restore.
    context.control("backUp")
    deployed.project.conversations.delete(session.conversation_id)
    context.control("restore")
    fails(resumed.end, "conversation_erased")
