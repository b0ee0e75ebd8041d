"""A session of a runtime: one conversation, with the configuration and the knowledge with which it began."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Sequence

from .._core.errors import ApiError, PlatformError
from .._core.options import NOT_GIVEN
from .._core.request import time_text
from ..helpers.session import (
    MAX_SAID,
    BufferLimits,
    RecoveredSession,
    SaidMessage,
    SessionError,
    Wire,
    answer_in,
    check_unit,
    has_no_words,
    is_connection,
    is_denied,
    last_number_of,
    now,
    query_text,
    said_of,
    said_together,
    session_error_of,
    turn_of,
)
from ..helpers.session_files import JOURNAL_SUFFIX, ConfigFiles, Folder, Journal, journal_name
from .configuration import AsyncConfiguration
from .methods import AsyncMeMethods
from .resources import AsyncProjectResources, AsyncProjects
from .sender import AsyncSender
from .transport import AsyncTransport
from .work import in_thread

if TYPE_CHECKING:
    from typing_extensions import Self

    from .. import types as t
    from .._core.object import Object

Warn = Callable[[str], object]


def _log(sentence: str) -> None:
    logging.getLogger("platform_api").warning(sentence)


class AsyncSession:
    """One conversation of a runtime. ``open_session`` of the client opens it. As a context manager, it is closed at the end."""

    def __init__(
        self,
        project: AsyncProjectResources,
        configuration: AsyncConfiguration,
        config: t.EnvironmentConfig,
        avatar_id: str,
        sender: Callable[[AsyncSession], AsyncSender],
    ) -> None:
        self._project = project
        self._configuration = configuration
        self._avatar_id = avatar_id
        self._config = config
        self._avatar = _avatar_in(config, avatar_id)
        self._said: list[SaidMessage] = []
        self._sender = sender(self)

    @property
    def conversation_id(self) -> str | None:
        """The id of the conversation. None until the service has responded for the first time."""
        return self._sender.head["conversationId"]

    @property
    def deployment_id(self) -> str:
        """The deployment with which the conversation began."""
        return self._config.deployment_id

    @property
    def avatar(self) -> t.FrozenAvatar:
        """The avatar as it was deployed."""
        return self._avatar

    @property
    def prompt(self) -> str:
        """The prompt of the avatar."""
        return self._avatar.persona.prompt

    @property
    def messages(self) -> list[SaidMessage]:
        """The last 100 messages of the conversation, those of earlier processes included."""
        return said_together(self._said, map(said_of, self._sender.outbox.messages))

    @property
    def buffered(self) -> int:
        """How many turns wait for the service."""
        return len(self._sender.outbox)

    async def search(
        self, q: str, *, while_away: Literal["error", "empty"] = "error", **query: Any
    ) -> list[t.SearchHit]:
        """Searches in the knowledge of the avatar, in the index of the deployment. Without knowledge tags, an avatar knows no
        documents: nothing is asked then.

        Raises SessionError if the session has failed, or if the service is away, and ApiError.

        :param q: at most 500 characters are used
        :param while_away: ``empty`` returns no hits while the service is away
        :param query: further arguments of ``knowledge.search``, such as ``limit`` (default here: 5) and ``context``
        """
        self._sender.check_open()
        tags = self._avatar.knowledge_tags
        if not tags or self._config.knowledge_index_version is None or not q.strip():
            return []
        seconds = self._sender.patience
        given: dict[str, Any] = {"tag": tags, "tag_mode": "any", "limit": 5, **query}
        try:
            found = await self._project.knowledge.search(
                q=query_text(q), deployment_id=self.deployment_id, timeout=seconds, deadline=seconds, **given
            )
            return found.items
        except Exception as error:
            if is_denied(error):
                raise await self._sender.fail(error) from None
            if has_no_words(error):
                return []
            if not is_connection(error):
                raise
            if while_away == "empty":
                return []
            failure = _away(error)
        raise failure

    async def append(self, *messages: t.MessageInput | Mapping[str, Any] | Object) -> Literal["stored", "buffered"]:
        """Stores a turn: its messages, in one request. They are stored once and in order, also if the process is killed and
        continues. ``citations`` may be hits of a search.

        Raises ValueError for messages that the service would refuse. After SessionError ``buffer_full`` and ``journal_failed``, and
        after an ApiError, the turn was not taken. After any other SessionError, the session is over, and ``unsent`` has the messages
        that are not stored.

        :returns: ``stored``, or ``buffered`` if the service is away: the turn is sent as soon as the service is back
        """
        return await self._sender.add(turn_of(messages, now()))

    def answer_to(self, client_message_id: str) -> str | None:
        """What the avatar has answered to a message, if the message was delivered to you again. None if none of the last 100 messages has
        this id.

        :param client_message_id: the id that the message of the user had in ``append``
        """
        return answer_in(self.messages, client_message_id)

    async def flush(self, *, deadline: float = 60) -> None:
        """Waits until everything is stored. Raises SessionError ``unavailable`` if this takes longer; nothing is lost by that."""
        await self._sender.flush(deadline)

    async def end(self, reason: str = "completed", *, deadline: float = 60) -> None:
        """Stores what is buffered, and ends the conversation. Nothing of it stays in the folder.

        Raises SessionError ``unavailable`` if this takes longer. Call ``end`` again, or ``close``: ``recover_sessions`` ends the
        conversation then, if there is a folder.
        """
        await self._sender.end(reason, deadline)

    async def aclose(self) -> None:
        """Leaves the conversation open, so that another session can continue it. What the service has not taken stays in the journal.

        Raises SessionError ``unavailable`` if there is no journal, and something was not stored.
        """
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(conversation_id={self.conversation_id!r})"

    async def adopt(self, conversation: t.Conversation, seconds: float) -> int:
        """The service has returned the conversation: its deployment counts, and what was said before. Returns the highest number of its
        messages."""
        deployment_id = conversation.deployment_id
        if deployment_id is not None and deployment_id != self._config.deployment_id:
            self._config = await self._configuration.of_deployment(deployment_id)
            self._avatar = _avatar_in(self._config, self._avatar_id)
        if conversation.message_count == 0:
            return 0
        stored: list[SaidMessage] = []
        after_seq = max(0, conversation.message_count - MAX_SAID)
        read = self._project.conversations.messages
        async for one in read(conversation.id, after_seq=after_seq, timeout=seconds, deadline=seconds):
            stored.append(SaidMessage(one.role, one.text, one.client_message_id))
        self._said = stored[-MAX_SAID:]
        return last_number_of(self._said)

    def say(self, messages: Sequence[Wire]) -> None:
        """The service has taken these messages."""
        self._said = said_together(self._said, map(said_of, messages))


async def open_session(
    transport: AsyncTransport,
    *,
    project: str,
    environment: str,
    avatar: str,
    external_id: str,
    external_user_id: str | None,
    unit: str | None,
    channel: str | None,
    tags: Sequence[str] | None,
    metadata: Mapping[str, str] | None,
    folder: str | os.PathLike[str] | None,
    patience: float,
    buffer: BufferLimits,
    on_warning: Warn | None,
) -> AsyncSession:
    """See ``open_session`` of the client."""
    named = {"project": project, "environment": environment, "avatar": avatar, "external_id": external_id}
    for name, value in named.items():
        if not isinstance(value, str) or not value:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"open_session needs {name}, which is a text.")
    if unit is not None:
        check_unit(unit)
    warn = on_warning or _log
    base_url = transport.config.base_url
    files = None if folder is None else await in_thread(Folder, os.fspath(folder))
    name = journal_name(base_url, project, external_id)
    journal = files and await in_thread(Journal, files, name)
    resources = AsyncProjects(transport, "")(project)
    config_files = files and ConfigFiles(files, base_url, project)
    configuration = AsyncConfiguration(transport, project, resources, config_files, patience, warn)
    earlier = journal.head if journal else None
    try:
        # A session that continues needs the configuration of its deployment, whatever the environment serves now.
        if earlier and earlier["deploymentId"]:
            config, assignment = await configuration.of_deployment(earlier["deploymentId"]), _assignment_in(earlier)
        else:
            config, assignment = await configuration.of_unit(
                environment, external_user_id if unit is None else unit
            )
        start: dict[str, Any] = {
            "avatar_id": avatar,
            "deployment_id": config.deployment_id,
            "started_at": earlier["start"]["startedAt"] if earlier else time_text(now()),
            "external_user_id": _given(external_user_id),
            "channel": _given(channel),
            "tags": _given(tags),
            "metadata": _given(metadata),
            "assignment": _given(assignment),
        }
        head = {
            "version": 1,
            "baseUrl": base_url,
            "project": project,
            "externalId": external_id,
            "environment": environment,
            "start": _start_on_wire(start),
            "conversationId": earlier["conversationId"] if earlier else None,
            "deploymentId": config.deployment_id,
            "endReason": None,
        }

        def sender(session: AsyncSession) -> AsyncSender:
            return AsyncSender(
                conversations=resources.conversations,
                me=AsyncMeMethods(transport, "").get,
                head=head,
                start=start,
                journal=journal,
                limits=buffer,
                patience=patience,
                warn=warn,
                on_conversation=session.adopt,
                on_stored=session.say,
                on_denied=configuration.forget,
            )

        session = AsyncSession(resources, configuration, config, avatar, sender)
        await session._sender.start()  # pyright: ignore[reportPrivateUsage]
        return session
    except BaseException as error:
        if journal:
            await in_thread(_give_up, journal)
        if not isinstance(error, ApiError) or is_connection(error):
            raise
        refused = session_error_of(error)
    raise refused


_start_names = {
    "avatar_id": "avatarId",
    "deployment_id": "deploymentId",
    "started_at": "startedAt",
    "external_user_id": "externalUserId",
    "channel": "channel",
    "tags": "tags",
    "metadata": "metadata",
    "assignment": "assignment",
}


def _start_on_wire(start: Mapping[str, Any]) -> dict[str, Any]:
    return {
        _start_names[name]: [*value] if name == "tags" else value
        for name, value in start.items()
        if value is not NOT_GIVEN
    }


def _assignment_in(head: Mapping[str, Any]) -> str | None:
    """A conversation that others have started may have another deployment than that of the assignment."""
    start = head["start"]
    return start.get("assignment") if start.get("deploymentId") == head["deploymentId"] else None


def _given(value: Any) -> Any:
    return NOT_GIVEN if value is None else value


def _give_up(journal: Journal) -> None:
    try:
        if not journal.kept:
            journal.remove()
    except SessionError:
        pass
    journal.release()


def _away(error: BaseException) -> SessionError:
    found: Any = error
    return SessionError("unavailable", "The service is away, so it cannot be searched.", reason=found)


def _avatar_in(config: t.EnvironmentConfig, avatar_id: str) -> t.FrozenAvatar:
    for one in config.avatars:
        if one.id == avatar_id:
            return one
    raise SessionError(
        "avatar_not_deployed",
        f"The deployment {config.deployment_id} of the environment {config.environment} does not have the avatar {avatar_id}.",
    )


async def recover_sessions(
    transport: AsyncTransport, *, folder: str | os.PathLike[str], deadline: float, on_warning: Warn | None
) -> list[RecoveredSession]:
    """See ``recover_sessions`` of the client."""
    warn = on_warning or _log
    files = await in_thread(Folder, os.fspath(folder))
    recovered: list[RecoveredSession] = []
    away: PlatformError | None = None
    for name in await in_thread(files.names):
        if not name.endswith(JOURNAL_SUFFIX):
            continue
        try:
            journal = await in_thread(Journal, files, name)
        except SessionError as error:
            if error.code != "journal_locked":
                warn(error.message)
            continue
        found = await _recovered(transport, journal, name, deadline, warn, away)
        if found is None:
            continue
        recovered.append(found)
        if found.error is not None and found.error.code == "unavailable":
            away = found.error.reason
    return recovered


async def _recovered(
    transport: AsyncTransport,
    journal: Journal,
    name: str,
    deadline: float,
    warn: Warn,
    away: PlatformError | None,
) -> RecoveredSession | None:
    """None if the journal is of another service."""
    head = journal.head
    base_url = transport.config.base_url
    if head is None or journal_name(base_url, head["project"], head["externalId"]) != name:
        await in_thread(journal.release)
        return None

    async def nothing(*_: object) -> None:
        pass

    async def no_number(*_: object) -> int:
        return 0

    def ignore(_: object) -> None:
        pass

    names = {wire_name: name for name, wire_name in _start_names.items()}
    sender = AsyncSender(
        conversations=AsyncProjects(transport, "")(head["project"]).conversations,
        me=AsyncMeMethods(transport, "").get,
        head=head,
        start={names[wire_name]: value for wire_name, value in head["start"].items()},
        journal=journal,
        limits=BufferLimits(2**31, 2**62),
        patience=deadline,
        warn=warn,
        on_conversation=no_number,
        on_stored=ignore,
        on_denied=nothing,
    )
    messages = sum(len(turn.messages) for turn in journal.kept)
    failure: SessionError | None = None
    try:
        if messages or head["endReason"] is not None:
            # If the service was away a moment ago, nobody waits for it again.
            if away is not None:
                raise sender.unavailable(away)
            await sender.start()
            sender.check_sent()
        if head["endReason"] is not None:
            await sender.end(head["endReason"], deadline)
    except SessionError as error:
        failure = error
    finally:
        await sender.leave()
    return RecoveredSession(head["externalId"], sender.head["conversationId"], messages, failure)
