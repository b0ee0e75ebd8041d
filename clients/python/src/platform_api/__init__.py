"""The Python client of the Platform API.

::

    from platform_api import Platform

    platform = Platform()   # PLATFORM_API_KEY and PLATFORM_BASE_URL
    for project in platform.projects.list():
        print(project.id)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core.errors import ApiError, PlatformConnectionError, PlatformError, PlatformTimeoutError
from ._core.events import RequestEvent, ResponseEvent, RetryEvent
from ._core.object import Object
from ._core.options import NOT_GIVEN, NotGiven
from ._core.response import RawResponse
from ._generated.errors import *
from ._generated import errors as _errors
from ._sync.pages import Page, Pages
from ._sync.platform import Platform
from ._version import version as __version__

if TYPE_CHECKING:
    from ._async.exports import AsyncExportFile as AsyncExportFile
    from ._async.pages import AsyncPage as AsyncPage, AsyncPages as AsyncPages
    from ._async.platform import AsyncPlatform as AsyncPlatform
    from ._async.session import AsyncSession as AsyncSession
    from ._sync.exports import ExportFile as ExportFile
    from ._sync.session import Session as Session
    from .helpers.documents import read_documents as read_documents
    from .helpers.export_file import ExportConflictError as ExportConflictError, ExportedFile as ExportedFile
    from .helpers.exports import ExportPartMissingError as ExportPartMissingError
    from .helpers.jobs import JobFailedError as JobFailedError
    from .helpers.knowledge_files import DocumentFileError as DocumentFileError
    from .helpers.session import (
        RecoveredSession as RecoveredSession,
        SaidMessage as SaidMessage,
        SessionError as SessionError,
    )
    from .helpers.sync import (
        SyncDocument as SyncDocument,
        SyncEvent as SyncEvent,
        SyncFailure as SyncFailure,
        SyncFile as SyncFile,
        SyncNotes as SyncNotes,
        SyncResult as SyncResult,
        SyncText as SyncText,
    )
    from .helpers.webhooks import (
        WebhookVerificationError as WebhookVerificationError,
        unwrap_webhook as unwrap_webhook,
    )

__all__ = [
    "NOT_GIVEN",
    "ApiError",
    "NotGiven",
    "Object",
    "Page",
    "Pages",
    "Platform",
    "PlatformConnectionError",
    "PlatformError",
    "PlatformTimeoutError",
    "RawResponse",
    "RequestEvent",
    "ResponseEvent",
    "RetryEvent",
    "__version__",
]
__all__ += _errors.__all__


# Imported on first use: the asynchronous client needs httpx, and these take time to import.
_later = {
    "AsyncExportFile": "_async.exports",
    "AsyncPage": "_async.pages",
    "AsyncPages": "_async.pages",
    "AsyncPlatform": "_async.platform",
    "AsyncSession": "_async.session",
    "DocumentFileError": "helpers.knowledge_files",
    "ExportConflictError": "helpers.export_file",
    "ExportFile": "_sync.exports",
    "ExportPartMissingError": "helpers.exports",
    "ExportedFile": "helpers.export_file",
    "JobFailedError": "helpers.jobs",
    "RecoveredSession": "helpers.session",
    "SaidMessage": "helpers.session",
    "Session": "_sync.session",
    "SessionError": "helpers.session",
    "SyncDocument": "helpers.sync",
    "SyncEvent": "helpers.sync",
    "SyncFailure": "helpers.sync",
    "SyncFile": "helpers.sync",
    "SyncNotes": "helpers.sync",
    "SyncResult": "helpers.sync",
    "SyncText": "helpers.sync",
    "WebhookVerificationError": "helpers.webhooks",
    "read_documents": "helpers.documents",
    "unwrap_webhook": "helpers.webhooks",
}


def __getattr__(name: str) -> Any:
    if name not in _later:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_later[name]}", __name__), name)


def __dir__() -> list[str]:
    from importlib.util import find_spec

    # `help(platform_api)` gets each of these names. Without httpx, the asynchronous ones are an ImportError.
    later = _later if find_spec("httpx") else [name for name in _later if not _later[name].startswith("_async")]
    return [*globals(), *later]
