"""What a session decides: what a turn may have, which turns wait, with which numbers, and what an error of the API means."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Iterable, Literal, Mapping, NamedTuple, Sequence

from .._core.backoff import is_retryable
from .._core.errors import ApiError, PlatformError
from .._core.object import Object
from .._core.request import time_text, to_wire
from .._generated import shapes

if TYPE_CHECKING:
    from .. import types as t

MAX_SAID = 100
"""Messages that a session knows. More is rarely sent to a model."""

_MAX_MESSAGES = 25
_MAX_TEXT_BYTES = 16 * 1024
_MAX_CITATIONS = 20
_MAX_SNIPPET = 500
_MAX_QUERY = 500
_MAX_UNIT = 255
#: A request has at most 256 KB.
_MAX_TURN_BYTES = 200_000

#: Seconds. A deleted project can be restored for so long.
_RESTORABLE = 7 * 24 * 3600.0

_FIRST_PAUSE = 0.5
_MAX_PAUSE = 5.0

Wire = Mapping[str, Any]
"""A message with the names of the wire."""


class SessionError(PlatformError):
    """A session cannot go on, or cannot take a turn.

    ``code`` is the code of the API error that ended the session, such as ``conversation_erased``, ``conversation_ended`` or
    ``unauthorized``, or one of the kit:

    * ``avatar_not_deployed``: the deployment does not have the avatar
    * ``buffer_full``: the buffer is full, because the service is away. The turn was not taken
    * ``journal_failed``: the journal cannot be read or written. The turn was not taken
    * ``journal_locked``: another process has the journal open
    * ``other_process``: another process has continued the conversation
    * ``refused``: the service refuses a turn that was buffered
    * ``session_closed``: the session was ended or closed
    * ``unavailable``: the service does not respond
    """

    def __init__(
        self, code: str, message: str, *, unsent: Sequence[Wire] = (), reason: PlatformError | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.unsent = [Object(dict(one)) for one in unsent]
        """The messages that the service has not taken, in order."""
        self.reason = reason
        """The error of the API, or of the connection, behind it."""


class BufferLimits(NamedTuple):
    """How much is buffered while the service is away."""

    turns: int = 200
    bytes: int = 2_000_000


class SaidMessage(NamedTuple):
    """A message that was said in the conversation."""

    role: t.MessageRole
    text: str
    client_message_id: str | None = None


class RecoveredSession(NamedTuple):
    """What a killed process has left in a folder."""

    external_id: str
    conversation_id: str | None
    """None if the service has not started the conversation."""
    messages: int
    """How many messages were left."""
    error: SessionError | None
    """Why not all of them are stored. ``error.unsent`` has them."""


def is_denied(error: object) -> bool:
    """Whether the key is not accepted (any more), or lacks a right."""
    return isinstance(error, ApiError) and error.status in (401, 403)


def is_connection(error: object) -> bool:
    return isinstance(error, PlatformError) and is_retryable(error)


def is_away(error: BaseException) -> bool:
    """Whether another attempt may succeed. A function that should return a token may fail for a while, too, and so may the disk of
    the journal."""
    if isinstance(error, SessionError):
        return error.code == "journal_failed"
    return is_connection(error) or not isinstance(error, ApiError)


def is_refusal(error: BaseException, sent: Sequence[Wire] = ()) -> bool:
    """Whether the service refuses what was sent, and would take another turn."""
    return isinstance(error, ApiError) and _code_of(error, sent) == "refused"


def is_missing(error: BaseException) -> bool:
    """Whether the service does not have what the path names, or hides it."""
    return isinstance(error, ApiError) and error.status == 404


def is_over(error: SessionError, age: float) -> bool:
    """Whether no request and no key can store the turns that are left. A project that is not there may be deleted, or only hidden from
    this key: another key, or a restore of the project, brings it back.

    :param age: seconds since the latest turn
    """
    if error.code == "not_found":
        return age > _RESTORABLE
    return error.code in ("conversation_ended", "conversation_erased", "other_process", "refused")


def age_of(head: Mapping[str, Any], messages: Sequence[Wire]) -> float:
    """Seconds since the latest turn, or since the start if there is none."""
    at = messages[-1]["at"] if messages else head["start"]["startedAt"]
    try:
        latest = datetime.fromisoformat(str(at).replace("Z", "+00:00"))
        return (now() - latest).total_seconds()
    except (TypeError, ValueError):
        return 0.0


_SENTENCES = {
    "conversation_ended": "The conversation has ended, so it takes no further turns.",
    "conversation_erased": "The conversation was erased, so it takes no further turns.",
    "conversation_mismatch": "The external id belongs to a conversation with another avatar, user or channel. Choose another "
    "external id.",
    "external_id_taken": "Another credential has used this external id. Choose another external id.",
    "not_found": "The project or its environment does not exist, or the key may not see it.",
    "other_process": "Another process has continued this conversation, so this session has ended.",
    "refused": "The service refuses a turn that was buffered.",
}


def session_error_of(error: ApiError, unsent: Sequence[Wire] = (), sent: Sequence[Wire] = ()) -> SessionError:
    """The error of a session that the service's refusal ends.

    :param unsent: the messages that the service has not taken
    :param sent: the messages of the request, as they were without numbers
    """
    code = _code_of(error, sent)
    sentence = _SENTENCES.get(code)
    message = f"{sentence} {error}" if sentence else str(error)
    return SessionError(code, message, unsent=unsent, reason=error)


def erased_error(unsent: Sequence[Wire]) -> SessionError:
    return SessionError("conversation_erased", _SENTENCES["conversation_erased"], unsent=unsent)


def _code_of(error: ApiError, sent: Sequence[Wire]) -> str:
    if any(_is_number(one.path, sent) for one in error.details):
        return "other_process"
    if error.status in (400, 413, 422):
        return "refused"
    return "not_found" if error.status == 404 else error.code


_client_id = re.compile(r"messages\.([0-9]+)\.clientMessageId")


def _is_number(path: str, sent: Sequence[Wire]) -> bool:
    """Whether the service has another message with the number that the kit has given. Then another process goes on, too."""
    found = _client_id.fullmatch(path)
    index = int(found[1]) if found else len(sent)
    return index < len(sent) and sent[index].get("clientMessageId") is None


def unavailable(unsent: Sequence[Wire], has_journal: bool, reason: object) -> SessionError:
    where = "" if not unsent else " The journal keeps them." if has_journal else " They are in memory only."
    message = f"The service is away. It has not taken {len(unsent)} messages.{where}"
    return SessionError(
        "unavailable", message, unsent=unsent, reason=reason if isinstance(reason, PlatformError) else None
    )


def pause_after(failures: int, away: object, random: float) -> float:
    """Half of it is random, so that sessions that failed together do not come back together. In seconds."""
    longest = min(_MAX_PAUSE, _FIRST_PAUSE * 2 ** min(failures, 10))
    asked = away.retry_after if isinstance(away, ApiError) else None
    return max(longest / 2 + longest / 2 * random, asked or 0.0)


def is_about_assignment(error: object) -> bool:
    """Whether the service refuses the assignment of a new conversation. A restore may have lost its rollout."""
    if not isinstance(error, ApiError) or error.status != 400:
        return False
    return any(one.path == "assignment" for one in error.details)


def check_unit(unit: object) -> None:
    """Raises ValueError."""
    if not isinstance(unit, str) or not 1 <= len(unit) <= _MAX_UNIT:
        raise ValueError(f"The unit of open_session is a text of 1 to {_MAX_UNIT} characters.")


class Assigned(NamedTuple):
    """Which variant of a rollout a unit gets."""

    variant: Literal["current", "candidate"]
    assignment: str
    """What the conversation is created with. It does not contain the unit."""


def assign(rollout: Mapping[str, Any], unit: str) -> Assigned:
    """The variant of a unit, as the service computes it: a session of each user costs no request. docs/deployments.md has the algorithm and
    its test vectors.

    :param rollout: with the names of the wire
    """
    # Half of a surrogate pair has no UTF-8 form. The service would refuse it in any other field.
    text = f"{rollout['id']}\0{unit}".encode("utf-8", "surrogatepass")
    first = hashlib.sha256(text).digest()[:8]
    # A percent has at most two decimals.
    has_candidate = int.from_bytes(first, "big") * 10_000 < round(rollout["percent"] * 100) * 2**64
    variant: Literal["current", "candidate"] = "candidate" if has_candidate else "current"
    return Assigned(variant, f"{rollout['id']}.{rollout['span']}.{variant}.{first.hex()}")


def query_text(q: str) -> str:
    return q[:_MAX_QUERY]


def has_no_words(error: BaseException) -> bool:
    """Whether the search refuses a text of signs only."""
    return is_refusal(error) and isinstance(error, ApiError) and any(one.path == "q" for one in error.details)


def turn_of(messages: Sequence[Mapping[str, Any] | Object], now: datetime) -> list[dict[str, Any]]:
    """The messages of a turn as they are sent. The service would refuse a wrong one each time, and a buffered turn cannot be corrected
    any more, so the limits are checked first.

    :param now: the time of messages that have none
    :raises ValueError: for messages that the service would refuse
    """
    if not 1 <= len(messages) <= _MAX_MESSAGES:
        raise ValueError(f"A turn has 1 to {_MAX_MESSAGES} messages. This one has {len(messages)}.")
    turn = [_message_of(message, f"The message {at} of the turn", now) for at, message in enumerate(messages, 1)]
    if bytes_of(turn) > _MAX_TURN_BYTES:
        raise ValueError(f"The turn is larger than {_MAX_TURN_BYTES} bytes of JSON. Send it in two turns.")
    return turn


def _message_of(message: Mapping[str, Any] | Object, where: str, now: datetime) -> dict[str, Any]:
    given = dict(message.to_dict() if isinstance(message, Object) else message)
    citations: Sequence[Any] = given.pop("citations", None) or ()
    sent: dict[str, Any] = to_wire(given, shapes.MessageInput)
    text = sent.get("text")
    if not isinstance(text, str) or text == "":
        raise ValueError(f"{where} has no text.")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise ValueError(f"{where} has half of a surrogate pair.") from None
    if size > _MAX_TEXT_BYTES:
        raise ValueError(f"{where} is longer than {_MAX_TEXT_BYTES} bytes of UTF-8.")
    at = sent.get("at")
    sent["at"] = time_text(at) if isinstance(at, datetime) else at or time_text(now)
    if citations:
        sent["citations"] = [_citation_of(one) for one in citations[:_MAX_CITATIONS]]
    return sent


def _citation_of(hit: Mapping[str, Any] | Object) -> dict[str, Any]:
    """A citation, also of a hit of a search."""
    given = hit.to_dict() if isinstance(hit, Object) else hit
    found: dict[str, Any] = {"documentId": given.get("documentId") or given.get("document_id")}
    for name in ("title", "snippet", "page"):
        if given.get(name):
            found[name] = given[name]
    if "snippet" in found:
        found["snippet"] = found["snippet"][:_MAX_SNIPPET]
    return found


def bytes_of(messages: Iterable[Wire]) -> int:
    """What the messages have as JSON in UTF-8."""
    return len(json.dumps([*messages], ensure_ascii=False, separators=(",", ":")).encode("utf-8"))


def with_ids(messages: Sequence[Wire], first: int) -> list[dict[str, Any]]:
    """The messages with ids: one that is sent again, at any time and by any process, is stored once."""
    return [
        {**one, "clientMessageId": one.get("clientMessageId") or f"session-{first + at}"}
        for at, one in enumerate(messages)
    ]


_own_id = re.compile(r"session-([0-9]{1,9})")


def last_number_of(messages: Iterable[SaidMessage]) -> int:
    """The highest number that the kit has given to these messages, or 0."""
    found = (_own_id.fullmatch(one.client_message_id or "") for one in messages)
    return max((int(one[1]) for one in found if one), default=0)


def said_of(message: Wire) -> SaidMessage:
    return SaidMessage(message["role"], message["text"], message.get("clientMessageId"))


def said_together(stored: Sequence[SaidMessage], others: Iterable[SaidMessage]) -> list[SaidMessage]:
    """The latest of all. A turn of a journal may have been stored before."""
    known = {one.client_message_id for one in stored}
    new = [one for one in others if one.client_message_id is None or one.client_message_id not in known]
    return [*stored, *new][-MAX_SAID:]


def answer_in(messages: Sequence[SaidMessage], client_message_id: str) -> str | None:
    at = next((at for at, one in enumerate(messages) if one.client_message_id == client_message_id), None)
    if at is None:
        return None
    answers: list[str] = []
    for one in messages[at + 1 :]:
        if one.role == "user":
            break
        if one.role == "avatar":
            answers.append(one.text)
    return "\n".join(answers)


class Turn:
    """Messages that are stored together."""

    __slots__ = ("first", "messages", "bytes")

    def __init__(self, first: int | None, messages: Sequence[Wire]) -> None:
        self.first = first
        """The number of its first message. None until the conversation is known."""
        self.messages = messages
        self.bytes = bytes_of(messages)


class Outbox:
    """The turns that the service has not taken, in order, with the numbers of their messages. Threads can share it.

    A message has the number that it would have in the conversation if nobody else added messages. So a process that resumes the
    conversation, with a journal or without, gives the next message a number that no stored message has, and two processes that
    go on at the same time use the same numbers: the service refuses the second one.
    """

    def __init__(self, limits: BufferLimits, kept: Iterable[Turn] = ()) -> None:
        """:param kept: the turns of a journal"""
        self._limits = limits
        self._lock = threading.Lock()
        self._turns = [*kept]
        self._next: int | None = None
        if self._turns and self._turns[-1].first is not None:
            self._next = self._turns[-1].first + len(self._turns[-1].messages)

    @property
    def turns(self) -> list[Turn]:
        with self._lock:
            return [*self._turns]

    @property
    def messages(self) -> list[Wire]:
        """The messages of all turns."""
        return [
            one
            for turn in self.turns
            for one in (turn.messages if turn.first is None else with_ids(turn.messages, turn.first))
        ]

    def __len__(self) -> int:
        return len(self._turns)

    def __contains__(self, turn: object) -> bool:
        return turn in self.turns

    def add(self, messages: Sequence[Wire]) -> Turn:
        """Raises SessionError ``buffer_full``; the turn is not taken then, and all others stay."""
        with self._lock:
            turn = Turn(self._next, messages)
            size = turn.bytes + sum(one.bytes for one in self._turns)
            if len(self._turns) >= self._limits.turns or size > self._limits.bytes:
                raise SessionError(
                    "buffer_full",
                    f"The service is away, and the buffer is full: it has {len(self._turns)} turns of at most "
                    f"{self._limits.turns}, and would have {size} bytes of at most {self._limits.bytes}. This turn was not taken. "
                    "The others wait for the service.",
                )
            if self._next is not None:
                self._next += len(messages)
            self._turns.append(turn)
            return turn

    def take_back(self, turn: Turn) -> None:
        """Takes back the latest turn, which was not stored. Its numbers are free again."""
        with self._lock:
            if self._turns and self._turns[-1] is turn:
                self._turns.pop()
                self._next = turn.first

    def enter(self, message_count: int, last_number: int) -> None:
        """The conversation is known.

        :param message_count: the number of its messages
        :param last_number: the highest number of them. It is higher than their count if a restore has lost earlier messages
        """
        with self._lock:
            number = max(self._next or 0, message_count + 1, last_number + 1)
            if self._next is None:
                for turn in self._turns:
                    turn.first = number
                    number += len(turn.messages)
            self._next = number

    def batch(self) -> list[Turn]:
        """The first turns that fit into a request."""
        found: list[Turn] = []
        messages = size = 0
        for turn in self.turns:
            messages += len(turn.messages)
            size += turn.bytes
            if found and (messages > _MAX_MESSAGES or size > _MAX_TURN_BYTES):
                break
            found.append(turn)
        return found

    def stored(self, batch: Sequence[Turn], last_seq: int) -> None:
        """The service has taken a batch.

        :param last_seq: the number of its last message in the conversation, which is higher if others add messages, too
        """
        with self._lock:
            del self._turns[: len(batch)]
            if not self._turns:
                self._next = max(self._next or 0, last_seq + 1)

    def clear(self) -> None:
        with self._lock:
            self._turns.clear()


def now() -> datetime:
    return datetime.now(timezone.utc)
