"""What sessions decide, and their files."""

from __future__ import annotations

import errno
import os
import tempfile
import unittest
from datetime import datetime, timezone
from typing import Any
from unittest import mock

from platform_api import Object, SessionError
from platform_api.helpers.session import (
    BufferLimits,
    Outbox,
    SaidMessage,
    Turn,
    answer_in,
    last_number_of,
    said_of,
    turn_of,
    with_ids,
)
from platform_api.helpers.session_files import ConfigFiles, Folder, Journal, Known

LIMITS = BufferLimits(10, 10_000)
NOW = datetime(2026, 3, 1, tzinfo=timezone.utc)
HEAD: dict[str, Any] = {"version": 1, "externalId": "call-1"}


def say(count: int = 1, text: str = "a") -> list[dict[str, Any]]:
    return [{"role": "user", "text": text}] * count


def ids(outbox: Outbox) -> list[Any]:
    return [one.get("clientMessageId") for one in outbox.messages]


class Numbers(unittest.TestCase):
    def test_they_continue_those_of_the_conversation(self) -> None:
        outbox = Outbox(LIMITS)
        outbox.add(say(2))
        self.assertEqual(ids(outbox), [None, None])
        outbox.enter(7, 0)
        second = outbox.add(say())
        self.assertEqual(ids(outbox), ["session-8", "session-9", "session-10"])
        outbox.take_back(second)
        outbox.add(say())
        self.assertEqual(ids(outbox), ["session-8", "session-9", "session-10"])
        # Others have added messages, too.
        outbox.stored(outbox.batch(), 14)
        outbox.add(say())
        self.assertEqual(ids(outbox), ["session-15"])

    def test_they_are_higher_than_those_of_all_stored_messages_also_if_a_restore_has_lost_some(self) -> None:
        outbox = Outbox(LIMITS)
        stored = ["session-1", None, "event-9", "session-12", "session-", "session-1e9"]
        number = last_number_of(SaidMessage("user", "a", one) for one in stored)
        outbox.enter(len(stored), number)
        outbox.add(say())
        self.assertEqual(ids(outbox), ["session-13"])
        self.assertEqual(last_number_of([]), 0)

    def test_those_of_a_journal_stay(self) -> None:
        outbox = Outbox(LIMITS, [Turn(3, say(2))])
        outbox.enter(9, 0)
        outbox.add(say())
        self.assertEqual(ids(outbox), ["session-3", "session-4", "session-10"])

    def test_a_batch_has_at_most_25_messages_and_200_kb_and_at_least_a_turn(self) -> None:
        outbox = Outbox(BufferLimits(100, 10_000_000))
        for _ in range(20):
            outbox.add(say(2))
        self.assertEqual(len(outbox.batch()), 12)
        outbox.clear()
        for _ in range(5):
            outbox.add(say(1, "a" * 150_000))
        self.assertEqual(len(outbox.batch()), 1)

    def test_own_ids_stay(self) -> None:
        self.assertEqual(with_ids([{"clientMessageId": "m-1"}], 1), [{"clientMessageId": "m-1"}])


class Turns(unittest.TestCase):
    def test_hits_are_citations(self) -> None:
        hit = Object({"documentId": "kdoc_1", "title": "A", "snippet": "b" * 600, "page": None, "pieceId": "1"})
        [message] = turn_of([{"role": "avatar", "text": "a", "citations": [hit]}], NOW)
        self.assertEqual(message["citations"], [{"documentId": "kdoc_1", "title": "A", "snippet": "b" * 500}])
        self.assertEqual(message["at"], "2026-03-01T00:00:00.000Z")

    def test_an_answer_ends_at_the_next_message_of_the_user(self) -> None:
        roles = [("user", "m-1"), ("tool", None), ("avatar", None), ("avatar", None), ("user", "m-2"), ("avatar", None)]
        said = [
            said_of({"role": role, "text": str(at), "clientMessageId": id})
            for at, (role, id) in enumerate(roles)
        ]
        self.assertEqual([answer_in(said, "m-1"), answer_in(said, "m-2"), answer_in(said, "m-3")], ["2\n3", "5", None])


class Files(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Folder(os.path.join(temporary.name, "sessions"))
        self.path = self.folder.path_of("a.journal")

    def kept(self) -> list[Any]:
        journal = Journal(self.folder, "a.journal")
        journal.release()
        return [(turn.first, turn.messages[0]["text"]) for turn in journal.kept]

    def test_a_line_that_was_not_written_completely_is_left_out(self) -> None:
        outbox = Outbox(LIMITS)
        journal = Journal(self.folder, "a.journal")
        journal.keep(HEAD, lambda: outbox.turns)
        for text in ("a", "b"):
            journal.add(outbox.add(say(1, text)))
        journal.release()
        with open(self.path, "rb") as file:
            whole = file.read()
        for size in range(len(whole) - 1, whole.rindex(b'{"first"'), -7):
            with open(self.path, "wb") as file:
                file.write(whole[:size])
            self.assertEqual(self.kept(), [(None, "a")])

    def test_a_damaged_journal_is_refused(self) -> None:
        for content in ('{"version":2}\n', "nonsense\n", '{"version":1}\n{"first":1,\n'):
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(content)
            with self.assertRaises(SessionError) as raised:
                self.kept()
            self.assertEqual(raised.exception.code, "journal_failed")

    def test_one_session_at_a_time_has_a_journal(self) -> None:
        journal = Journal(self.folder, "a.journal")
        with self.assertRaises(SessionError) as raised:
            Journal(self.folder, "a.journal")
        self.assertEqual(raised.exception.code, "journal_locked")
        journal.release()
        # It may be that of another session now.
        with open(self.path, "w", encoding="utf-8") as file:
            file.write('{"version":1}\n')
        journal.remove()
        self.assertEqual(self.folder.names(), ["a.journal"])

    def test_a_full_disk_leaves_the_journal_as_it_was(self) -> None:
        outbox = Outbox(LIMITS)
        journal = Journal(self.folder, "a.journal")
        journal.keep(HEAD, lambda: outbox.turns)
        journal.add(outbox.add(say(1, "a")))
        full = OSError(errno.ENOSPC, "No space left on device")
        with mock.patch("os.fsync", side_effect=full):
            for act in (
                lambda: journal.add(outbox.add(say(1, "b"))),
                lambda: journal.keep(dict(HEAD), lambda: outbox.turns),
            ):
                with self.assertRaises(SessionError) as raised:
                    act()
                self.assertIn("the disk is full", str(raised.exception))
        journal.release()
        self.assertEqual(self.kept(), [(None, "a")])
        self.assertEqual(self.folder.names(), ["a.journal"])

    def test_old_configurations_are_removed(self) -> None:
        files = ConfigFiles(self.folder, "http://localhost/api/v1", "proj_1")
        config = {"deploymentId": "dep_1", "configHash": "a", "rollout": None}
        files.keep("environment live", Known(config, '"a"', 0))
        for name in self.folder.names():
            os.utime(self.folder.path_of(name), (0, 0))
        self.assertIsNone(files.read("environment live"))
        rollout = {"id": "rol_1", "percent": 10, "span": 1}
        other = {"deploymentId": "dep_2", "configHash": "b", "rollout": rollout}
        files.keep("environment live", Known(other, '"b.10"', 0))
        self.assertEqual(len(self.folder.names()), 2)
        found = files.read("environment live")
        self.assertEqual(found and (found.config, found.etag), (other, '"b.10"'))
        deployed = files.read("deployment dep_2")
        self.assertEqual(deployed and (deployed.config, deployed.etag), ({**other, "rollout": None}, '"b"'))

    def test_the_folder_of_an_earlier_version_is_read(self) -> None:
        files = ConfigFiles(self.folder, "http://localhost/api/v1", "proj_1")
        files.keep("environment live", Known({"deploymentId": "dep_1", "configHash": "a"}, '"a"', 0))
        names = {self.folder.read(name) or "": name for name in self.folder.names()}
        old = '{"deploymentId":"dep_1"}'
        self.folder.write(next(name for text, name in names.items() if "config" not in text), old)
        found = files.read("environment live")
        self.assertEqual(found and (found.config.get("rollout"), found.etag), (None, '"a"'))


if __name__ == "__main__":
    unittest.main()
