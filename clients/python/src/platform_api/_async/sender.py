"""Sends the turns of a session to its conversation, in order and once. While the service is away, the turns are buffered, and sent again
from time to time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Literal, Mapping, Sequence

from .._core.backoff import random_fraction
from .._core.errors import ApiError
from ..helpers.session import (
    BufferLimits,
    Outbox,
    SessionError,
    Turn,
    Wire,
    age_of,
    erased_error,
    is_about_assignment,
    is_away,
    is_connection,
    is_denied,
    is_missing,
    is_over,
    is_refusal,
    pause_after,
    session_error_of,
    unavailable,
    with_ids,
)
from ..helpers.session_files import Journal
from .io import sleep
from .work import AsyncBackground, AsyncLock, in_thread

if TYPE_CHECKING:
    from .. import types as t
    from .conversations import AsyncConversationsHelpers


class AsyncSender:
    def __init__(
        self,
        *,
        conversations: AsyncConversationsHelpers,
        me: Callable[..., Awaitable[t.Me]],
        head: dict[str, Any],
        start: Mapping[str, Any],
        journal: Journal | None,
        limits: BufferLimits,
        patience: float,
        warn: Callable[[str], object],
        on_conversation: Callable[[t.Conversation, float], Awaitable[int]],
        on_stored: Callable[[Sequence[Wire]], None],
        on_denied: Callable[[], Awaitable[None]],
    ) -> None:
        """
        :param me: the credential that calls
        :param head: the first line of the journal
        :param start: the arguments of ``conversations.put``
        :param patience: how many seconds a call waits for a service that is away
        :param on_conversation: the service has returned the conversation. Returns the highest number of its messages that is known
        :param on_stored: the service has taken these messages
        :param on_denied: the service has refused the key
        """
        self._conversations = conversations
        self._me = me
        self.head: dict[str, Any] = head
        self._start = start
        self._journal = journal
        self.outbox = Outbox(limits, journal.kept if journal else ())
        self.patience = patience
        self._warn = warn
        self._on_conversation = on_conversation
        self._on_stored = on_stored
        self._on_denied = on_denied
        self.failure: SessionError | None = None
        self._is_closed = False
        self._has_entered = False
        self._has_returned = False
        """Whether the session has entered a second time since it has sent something."""
        self._created_by: str | None = None
        """The credential that has started the conversation. None until the session has entered."""
        self._is_over = False
        self._away: BaseException | None = None
        """Why the service was away at the last attempt."""
        self._failures = 0
        self._adding = AsyncLock()
        self._draining = AsyncLock()
        self._background = AsyncBackground()

    def check_open(self) -> None:
        """Raises SessionError if the session has failed, was ended or was closed."""
        if self.failure is not None:
            raise self.failure
        if self._is_closed:
            raise SessionError("session_closed", "The session was ended or closed.")

    async def start(self) -> None:
        """Sends what is left, and waits no longer than a call may. Raises SessionError if the service refuses something, and any other
        error than that of a connection."""
        await self._keep_strictly()
        await self._drain_unless_away()
        if self._away is not None and not is_connection(self._away):
            await self._stop(self._is_empty)
            raise self._away

    async def add(self, messages: Sequence[Wire]) -> Literal["stored", "buffered"]:
        async with self._adding:
            self.check_open()
            turn = self.outbox.add(messages)
            problem: SessionError | None = None
            if self._journal is not None:
                try:
                    await in_thread(self._journal.add, turn)
                except SessionError as error:
                    problem = error
            # While the service is away, the background tries again: a call does not wait each time.
            if self._away is None or problem is not None:
                await self._drain_unless_away(turn)
            if problem is None:
                return "buffered" if turn in self.outbox else "stored"
            async with self._draining:
                if turn in self.outbox:
                    self.outbox.take_back(turn)
                    raise problem
            self._warn(problem.message)
            return "stored"

    async def flush(self, deadline: float) -> None:
        """Sends everything. Raises SessionError ``unavailable`` if this takes longer; everything stays."""
        async with self._adding:
            pass
        end = time.monotonic() + deadline
        while True:
            self.check_open()
            left = end - time.monotonic()
            await self._drain_unless_away(None, max(0.001, min(left, self.patience)))
            # The background may have failed meanwhile, and emptied the outbox.
            if self.failure is not None:
                raise self.failure
            if self._has_entered and not self.outbox:
                return
            pause = pause_after(self._failures, self._away, random_fraction())
            if time.monotonic() + pause >= end:
                raise self.unavailable(self._away)
            await sleep(pause)

    async def end(self, reason: str, deadline: float) -> None:
        """Ends the conversation when everything is stored. Raises SessionError ``unavailable``; the journal says that it has ended."""
        self.check_open()
        end = time.monotonic() + deadline
        self.head = {**self.head, "endReason": reason}
        await self._keep()
        has_ended = False
        while not has_ended:
            await self.flush(max(0.001, end - time.monotonic()))
            left = max(0.001, end - time.monotonic())
            try:
                limits: Any = {"deadline": left, "timeout": min(left, self.patience)}
                await self._conversations.end(self.head["conversationId"], reason=reason, **limits)
                has_ended = True
            except Exception as error:
                if is_away(error):
                    raise self.unavailable(error) from None
                if not self._returns(error):
                    raise await self.fail(error) from None
        await self._stop(True)

    async def close(self) -> None:
        """Sends what can be sent, and leaves the rest in the journal."""
        if self._is_closed:
            return
        async with self._adding:
            if self.failure is None and self.outbox:
                try:
                    await self._drain_unless_away()
                except SessionError:
                    pass
            if self.failure is not None:
                return
            await self.leave()
        if self.outbox and self._journal is None:
            raise self.unavailable(self._away)

    async def leave(self) -> None:
        """Leaves the rest in the journal, and sends nothing."""
        if not self._is_closed:
            await self._stop(self._is_empty)

    def check_sent(self) -> None:
        """Raises SessionError ``unavailable`` if something was not sent at the last attempt."""
        if self._away is not None:
            raise self.unavailable(self._away)

    async def _stop(self, is_done: bool) -> None:
        self._is_closed = True
        self._background.stop()
        if self._journal is None:
            return
        try:
            if is_done:
                await in_thread(self._journal.remove)
            await in_thread(self._journal.release)
        except SessionError as error:
            self._warn(error.message)

    async def _drain_unless_away(self, latest: Turn | None = None, patience: float | None = None) -> None:
        """Sends until nothing is left or the service is away. Raises the refusal of the latest turn, or SessionError.

        :param latest: a turn that the service may refuse alone: it is taken back then
        """
        seconds = self.patience if patience is None else patience
        async with self._draining:
            if self._is_closed and self.failure is None:
                return
            try:
                await self._drain(latest, {"timeout": seconds, "deadline": seconds})
                self._away, self._failures = None, 0
                return
            except Exception as error:
                if not is_away(error):
                    raise
                self._away = error
                self._failures += 1
        self._background.start(self._try_later)

    async def _try_later(self) -> None:
        while self._away is not None and self.failure is None and not self._is_closed:
            await sleep(pause_after(self._failures, self._away, random_fraction()))
            try:
                await self._drain_unless_away()
            except SessionError:
                # The next call raises it.
                return

    async def _drain(self, latest: Turn | None, limits: Any) -> None:
        while not self._has_entered or self.outbox:
            if self.failure is not None:
                raise self.failure
            batch = self.outbox.batch()
            try:
                if self._has_entered:
                    await self._send(batch, limits)
                else:
                    await self._enter(limits)
            except Exception as error:
                if is_away(error):
                    raise
                if self._returns(error):
                    continue
                sent = [one for turn in batch for one in turn.messages] if self._has_entered else []
                if len(batch) == 1 and batch[0] is latest and is_refusal(error, sent):
                    self.outbox.take_back(batch[0])
                    await self._keep()
                    raise
                raise await self.fail(error, sent) from None

    async def _send(self, batch: Sequence[Turn], limits: Any) -> None:
        messages: Any = [one for turn in batch for one in with_ids(turn.messages, turn.first or 0)]
        sent = await self._conversations.append(self.head["conversationId"], messages=messages, **limits)
        self._has_returned = False
        self.outbox.stored(batch, max((one.seq for one in sent.messages), default=0))
        self._on_stored(messages)
        await self._keep()

    async def _enter(self, limits: Any) -> None:
        try:
            found = await self._put(limits)
        except ApiError as error:
            if await self._is_erased(error, limits):
                raise erased_error(self.outbox.messages) from None
            raise
        conversation = found.conversation
        self._created_by = conversation.created_by
        last_number = await self._on_conversation(conversation, limits["deadline"])
        self.outbox.enter(conversation.message_count, last_number)
        deployment_id = conversation.deployment_id or self.head["deploymentId"]
        self.head = {**self.head, "conversationId": conversation.id, "deploymentId": deployment_id}
        # Before anything is sent: a process that continues must send these turns with these numbers.
        await self._keep_strictly()
        self._has_entered = True

    async def _put(self, limits: Any) -> t.UpsertedConversation:
        """A conversation is worth more than a comparison: if the service does not have the rollout any more, it begins without."""
        put = self._conversations.put
        external_id = self.head["externalId"]
        try:
            return await put(external_id, **self._start, resume=True, **limits)
        except ApiError as error:
            if not is_about_assignment(error) or "assignment" not in self.head["start"]:
                raise
            self._warn(f"The conversation begins without its assignment, so it is not compared: {error}")
        self._start = _without_assignment(self._start)
        self.head = {**self.head, "start": _without_assignment(self.head["start"])}
        return await put(external_id, **self._start, resume=True, **limits)

    def _returns(self, error: BaseException) -> bool:
        """Whether the session enters again. A conversation is not there any more if it was erased, if its project was deleted, or if the
        key may not see it. Its external id tells why. If a restore has lost it, it begins again, with the turns that are left."""
        if not is_missing(error) or not self._has_entered or self._has_returned:
            return False
        self._has_entered = False
        self._has_returned = True
        return True

    async def _is_erased(self, error: ApiError, limits: Any) -> bool:
        """What is left of an erased conversation does not name an access token that has started it. So the service says only that the
        external id is taken, also to this token."""
        if error.code != "external_id_taken" or self._created_by is None:
            return False
        me = await self._me(**limits)
        return me.id == self._created_by and (me.environments is None or self.head["environment"] in me.environments)

    async def _keep_strictly(self) -> None:
        if self._journal is not None:
            await in_thread(self._journal.keep, self.head, lambda: self.outbox.turns)

    async def _keep(self) -> None:
        try:
            await self._keep_strictly()
        except SessionError as error:
            self._warn(error.message)

    async def fail(self, error: BaseException, sent: Sequence[Wire] = ()) -> SessionError:
        """The session is over. If the turns that are left can never be stored, nothing of them stays on the disk."""
        failure = error if isinstance(error, SessionError) else None
        if failure is None:
            if not isinstance(error, ApiError):
                raise error
            failure = session_error_of(error, self.outbox.messages, sent)
        self.failure = failure
        if is_denied(error):
            await self._on_denied()
        self._is_over = is_over(failure, age_of(self.head, self.outbox.messages))
        if self._is_over:
            self.outbox.clear()
        await self._stop(self._is_empty)
        return failure

    @property
    def _is_empty(self) -> bool:
        """Whether nothing is left to do for another process."""
        return not self.outbox and (self.head["endReason"] is None or self._is_over)

    def unavailable(self, reason: object) -> SessionError:
        return unavailable(self.outbox.messages, self._journal is not None, reason)


def _without_assignment(start: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in start.items() if name != "assignment"}
