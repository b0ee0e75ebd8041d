"""The client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Callable, Mapping, Sequence

from .._core.config import Config
from .._core.events import RequestEvent, ResponseEvent, RetryEvent
from .._core.options import NOT_GIVEN
from .pages import AsyncPages
from .resources import AsyncPlatformResources
from .transport import AsyncTransport

if TYPE_CHECKING:
    import os
    import ssl

    from typing_extensions import Self, Unpack

    from .._core.options import CallOptions, RequestOptions
    from ..helpers.session import RecoveredSession
    from .session import AsyncSession


class AsyncPlatform(AsyncPlatformResources):
    """A client of the Platform API.

    ::

        platform = AsyncPlatform()   # PLATFORM_API_KEY and PLATFORM_BASE_URL
        project = platform.projects("proj_…")
        async for conversation in project.conversations.list(tag="refund"):
            print(conversation.id)
    """

    def __init__(
        self,
        *,
        api_key: str | Callable[[], str | Awaitable[str]] | None = None,
        base_url: str | None = None,
        timeout: float | None = NOT_GIVEN,
        deadline: float | None = NOT_GIVEN,
        max_retries: float = NOT_GIVEN,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
        on_request: Callable[[RequestEvent], object] | None = None,
        on_response: Callable[[ResponseEvent], object] | None = None,
        on_retry: Callable[[RetryEvent], object] | None = None,
    ) -> None:
        """Raises ValueError if a setting is missing or invalid.

        :param api_key: an API key, a token, or a function that returns one. The function is called once per request, and all
            attempts of the request send what it returned. Each poll and each page is a request. ``deadline`` begins after the
            function. Default: the environment variable PLATFORM_API_KEY, which is only sent to the address in PLATFORM_BASE_URL
        :param base_url: such as ``https://api.example.com/api/v1``; ``http://`` only for this machine. Default: the environment
            variable PLATFORM_BASE_URL
        :param timeout: seconds of one attempt, until its body is read. Default: 30. None: no limit
        :param deadline: seconds of all attempts and pauses of a call. Default: 60. None: no limit
        :param max_retries: how many attempts may follow the first one. Default: 5
        :param headers: further headers. They cannot replace the client's own
        :param ssl_context: for an authority of your own. Default: ``ssl.create_default_context()``
        :param on_request: is called before each attempt
        :param on_response: is called after each response
        :param on_retry: is called before each pause that precedes another attempt
        """
        config = Config(
            api_key=api_key,
            base_url=base_url,
            limits={"timeout": timeout, "deadline": deadline, "max_retries": max_retries},
            headers=headers,
            ssl_context=ssl_context,
            on_request=on_request,
            on_response=on_response,
            on_retry=on_retry,
        )
        super().__init__(AsyncTransport(config), "")

    @property
    def base_url(self) -> str:
        """Where it calls, without a slash at the end."""
        return self._transport.config.base_url

    async def request(
        self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = NOT_GIVEN, **options: Unpack[CallOptions]
    ) -> Any:
        """Sends any request, with the same retries, and returns the data of its response.

        Raises ValueError if the path leads elsewhere.

        :param path: below the base URL, such as ``/projects``, with encoded parts
        :param query: with the names of the wire
        :param body: with the names of the wire
        """
        takes = "idempotency_key if_match if_none_match"
        return await self._call(method.upper(), path, options, query=query, body=body, takes=takes)

    def paginate(
        self, path: str, *, query: Mapping[str, Any] | None = None, **options: Unpack[RequestOptions]
    ) -> AsyncPages[Any]:
        """Gets any list. Raises ValueError if the path leads elsewhere.

        :param path: below the base URL, such as ``/projects``, with encoded parts
        :param query: with the names of the wire
        """
        return self._pages(path, options, query or {})

    async def open_session(
        self,
        *,
        project: str,
        environment: str,
        avatar: str,
        external_id: str,
        external_user_id: str | None = None,
        unit: str | None = None,
        channel: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, str] | None = None,
        folder: str | os.PathLike[str] | None = None,
        patience: float = 5,
        buffer_turns: int = 200,
        buffer_bytes: int = 2_000_000,
        on_warning: Callable[[str], object] | None = None,
    ) -> AsyncSession:
        """Opens a session of a runtime: starts a conversation, or continues it. Reads the configuration of the environment, at most every 30
        seconds for all sessions of the client. A conversation that continues keeps the deployment with which it began. While a rollout
        runs, a new conversation has the variant of its ``unit``.

        If the service is away and the configuration is known, the session begins without the service, and the conversation is
        started later.

        Raises SessionError with the code ``avatar_not_deployed``, ``journal_locked``, ``journal_failed``, ``conversation_ended``,
        ``conversation_erased``, ``conversation_mismatch``, ``external_id_taken``, ``unauthorized``, ``insufficient_scope`` or
        ``not_found``, and PlatformConnectionError if no configuration is known.

        :param project: the id of the project
        :param environment: the name of the environment
        :param avatar: the id of the avatar
        :param external_id: your own id of the conversation, such as the id of a call. Another session with this id continues it
        :param external_user_id: your own id of the user
        :param unit: who gets the same variant of a rollout each time, at most 255 characters. Default: ``external_user_id``. Without both,
            the conversation has the current deployment, and is not compared. It is not sent: the conversation gets a part of its hash
        :param channel: where the conversation takes place, such as ``phone``
        :param folder: for the last known configuration, and for journals. Without it, turns that the service has not taken are lost if
            the process is killed
        :param patience: how many seconds a call waits for a service that is away
        :param buffer_turns: how many turns are buffered while the service is away
        :param buffer_bytes: how many bytes they may have together
        :param on_warning: gets sentences about what should be looked at, such as a full disk. Default: the logger ``platform_api``
        """
        from ..helpers.session import BufferLimits
        from .session import open_session

        return await open_session(
            self._transport,
            project=project,
            environment=environment,
            avatar=avatar,
            external_id=external_id,
            external_user_id=external_user_id,
            unit=unit,
            channel=channel,
            tags=tags,
            metadata=metadata,
            folder=folder,
            patience=patience,
            buffer=BufferLimits(buffer_turns, buffer_bytes),
            on_warning=on_warning,
        )

    async def recover_sessions(
        self,
        *,
        folder: str | os.PathLike[str],
        deadline: float = 30,
        on_warning: Callable[[str], object] | None = None,
    ) -> list[RecoveredSession]:
        """Sends what killed processes have left in their journals, and ends the conversations that they had ended. Call it when a
        process begins. Journals of sessions that are open, and those of another service, stay as they are. The conversations stay
        open, so a session can continue them.

        :param deadline: seconds of each request. If the service is away, the other journals wait for the next call
        :returns: what was found. ``error.unsent`` has what the service has not taken
        """
        from .session import recover_sessions

        return await recover_sessions(
            self._transport, folder=folder, deadline=deadline, on_warning=on_warning
        )

    async def aclose(self) -> None:
        """Closes the kept connections. Further calls open new ones."""
        await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self.base_url!r})"
