# Written by `npm run generate` from _async/platform.py.

"""The client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping

from .._core.config import Config
from .._core.events import RequestEvent, ResponseEvent, RetryEvent
from .._core.options import NOT_GIVEN
from .pages import Pages
from .resources import PlatformResources
from .transport import Transport

if TYPE_CHECKING:
    import ssl

    from typing_extensions import Self, Unpack

    from .._core.options import CallOptions, RequestOptions


class Platform(PlatformResources):
    """A client of the Platform API.

    ::

        platform = Platform()   # PLATFORM_API_KEY and PLATFORM_BASE_URL
        project = platform.projects("proj_…")
        for conversation in project.conversations.list(tag="refund"):
            print(conversation.id)
    """

    def __init__(
        self,
        *,
        api_key: str | Callable[[], str] | None = None,
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
        super().__init__(Transport(config), "")

    @property
    def base_url(self) -> str:
        """Where it calls, without a slash at the end."""
        return self._transport.config.base_url

    def request(
        self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = NOT_GIVEN, **options: Unpack[CallOptions]
    ) -> Any:
        """Sends any request, with the same retries, and returns the data of its response.

        Raises ValueError if the path leads elsewhere.

        :param path: below the base URL, such as ``/projects``, with encoded parts
        :param query: with the names of the wire
        :param body: with the names of the wire
        """
        takes = "idempotency_key if_match if_none_match"
        return self._call(method.upper(), path, options, query=query, body=body, takes=takes)

    def paginate(
        self, path: str, *, query: Mapping[str, Any] | None = None, **options: Unpack[RequestOptions]
    ) -> Pages[Any]:
        """Gets any list. Raises ValueError if the path leads elsewhere.

        :param path: below the base URL, such as ``/projects``, with encoded parts
        :param query: with the names of the wire
        """
        return self._pages(path, options, query or {})

    def close(self) -> None:
        """Closes the kept connections. Further calls open new ones."""
        self._transport.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self.base_url!r})"
