"""Sessions with a folder: their journals, and the last known configuration."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from deployed import Deployed, close, fails, texts, turn, turns
from scenario import Context, equal, ok, rejection, scenario


@contextmanager
def empty_folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "sessions")


def named(folder: str, *, start: str = "", end: str = "") -> list[str]:
    return [name for name in sorted(os.listdir(folder)) if name.startswith(start) and name.endswith(end)]


def journals(folder: str) -> list[str]:
    return named(folder, end=".journal")


def configs(folder: str) -> list[str]:
    return named(folder, start="config-")


def content(folder: str, name: str) -> str:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


@scenario("a journal keeps turns, and another session sends them once")
def keeps(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        process = deployed.start()
        session = process.open("call-1", folder=folder, patience=0.2)
        turn(session, 1)
        session.flush()
        deployed.is_cut = True
        turn(session, 2)
        turn(session, 3)
        fails(lambda: process.open("call-1", folder=folder), "journal_locked")
        close(session)
        equal(len(journals(folder)), 1)
        for name in named(folder):
            mode = stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode)
            equal(oct(mode), "0o600", name)
            ok("call-1" not in name and "customer" not in name, name)
            ok("sk_live" not in content(folder, name), name)

        resumed = deployed.start().open("call-1", folder=folder, patience=0.2)
        equal(texts(resumed.messages), turns(3)[2:])
        equal(turn(resumed, 4), "buffered")
        deployed.is_cut = False
        resumed.flush()
        equal(texts(resumed.messages), turns(4))
        turn(resumed, 5)
        resumed.end()
        equal(journals(folder), [])
        equal(deployed.transcript(resumed), turns(5))


@scenario("what a lost response has stored is not stored again by another session")
def lost_response(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        session = deployed.start().open("call-1", folder=folder, patience=0.3)
        session.flush()
        deployed.loses_responses = True
        equal(turn(session, 1), "buffered")
        close(session)
        deployed.loses_responses = False
        equal(len(journals(folder)), 1)
        resumed = deployed.start().open("call-1", folder=folder)
        equal(texts(resumed.messages), turns(1))
        turn(resumed, 2)
        close(resumed)
        equal(journals(folder), [])
        equal(deployed.transcript(resumed), turns(2))


@scenario("the last known configuration is used for a day while the service is away")
def for_a_day(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        close(deployed.start().open("call-1", folder=folder))
        deployed.is_cut = True
        session = deployed.start().open("call-2", folder=folder, patience=0.2)
        equal([session.deployment_id, session.conversation_id], [deployed.deployment_id, None])
        equal(turn(session, 1), "buffered")
        deployed.is_cut = False
        session.flush()
        equal(deployed.transcript(session), turns(1))
        close(session)

        files = configs(folder)
        equal(len(files), 2)
        deployed.is_cut = True

        def open_after(hours: float) -> Any:
            at = time.time() - hours * 3600
            for name in files:
                os.utime(os.path.join(folder, name), (at, at))
            process = deployed.start()
            # Without a known configuration, the limits are those of the client.
            transport: Any = process.client._transport
            getattr(transport, "_value", transport).config._limits = {"deadline": 0.2}
            return process.open("call-3", folder=folder, patience=0.2)

        close(open_after(23))
        for hours in (25, -2):
            error = rejection(lambda: open_after(hours))
            ok(isinstance(error, context.client.PlatformConnectionError), repr(error))


@scenario("a refused key leaves nothing of the configuration, and keeps the journal for another key")
def refused_key(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        session = deployed.start().open("call-1", folder=folder)
        turn(session, 1)
        equal(len(configs(folder)), 2)
        secret = context.platform.api_keys.rotate(deployed.key.id, overlap="0s").secret
        fails(lambda: turn(session, 2), "unauthorized")
        equal([configs(folder), len(journals(folder))], [[], 1])
        fails(lambda: deployed.start().open("call-1", folder=folder), "unauthorized")
        resumed = deployed.start(secret).open("call-1", folder=folder)
        resumed.end()
        equal(journals(folder), [])
        equal(deployed.transcript(resumed), turns(2))


@scenario("an erased conversation empties its journal")
def erased(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        session = deployed.start().open("call-1", folder=folder, patience=0.2)
        turn(session, 1)
        session.flush()
        deployed.is_cut = True
        turn(session, 2)
        ok("question 2" in content(folder, journals(folder)[0]), "the journal has what is buffered")
        deployed.project.conversations.delete(session.conversation_id)
        deployed.is_cut = False
        error = fails(session.flush, "conversation_erased")
        equal([len(error.unsent), journals(folder)], [2, []])


@scenario("a full disk is a clear error, and no turn is lost")
def full_disk(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        process = deployed.start()
        warnings: list[str] = []
        session = process.open("call-1", folder=folder, patience=2, on_warning=warnings.append)
        turn(session, 1)
        session.flush()
        # The line is written, and then it is not on the disk.
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            # The service has it, so it is not lost.
            equal(turn(session, 2), "stored")
            ok("the disk is full" in " ".join(warnings), warnings)
            deployed.is_cut = True
            error = fails(lambda: turn(session, 3), "journal_failed")
            ok("the disk is full" in str(error), str(error))
            equal(session.buffered, 0)
        equal(turn(session, 3), "buffered")
        close(session)
        deployed.is_cut = False
        resumed = process.open("call-1", folder=folder)
        resumed.end()
        equal(deployed.transcript(resumed), turns(3))


@scenario("recoverSessions sends what is left, and ends what was to end")
def recover(context: Context) -> None:
    deployed = Deployed(context)
    with empty_folder() as folder:
        process = deployed.start()
        left, ended = (process.open(name, folder=folder, patience=0.1) for name in ("call-1", "call-2"))
        turn(left, 1)
        left.flush()
        ended.flush()
        still_open = process.open("call-3", folder=folder)
        deployed.is_cut = True
        turn(left, 2)
        turn(ended, 1)
        fails(lambda: ended.end(deadline=0.2), "unavailable")
        for session in (left, ended):
            close(session)
        asked: set[str] = set()
        base_url = deployed.base_url
        key = deployed.key.secret
        apart = context.open(api_key=key, base_url=base_url, on_request=lambda event: asked.add(event.url))
        waiting = apart.recover_sessions(folder=folder, deadline=0.2)
        # Nobody waits for each journal.
        equal([[one.error.code for one in waiting], len(asked)], [["unavailable"] * 2, 1])
        deployed.is_cut = False
        recovered = deployed.start().client.recover_sessions(folder=folder)
        equal(
            sorted([one.external_id, one.messages, one.error] for one in recovered),
            [["call-1", 2, None], ["call-2", 2, None]],
        )
        equal([deployed.transcript(left), deployed.transcript(ended)], [turns(2), turns(1)])
        get = deployed.project.conversations.get
        equal([get(one.conversation_id).status for one in (left, ended)], ["active", "ended"])
        equal(len(journals(folder)), 1)
        still_open.end()
        equal(journals(folder), [])
