"""A deployed avatar, and the processes of its runtime."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from scenario import Context, equal, ok, rejection
from server import Reply, Request, forward

#: What the key of a runtime may do.
RUNTIME_SCOPES = ["runtime:write"]

PROMPTS = ("You help customers of a shop.", "You speak in rhymes.")


class Deployed:
    def __init__(self, context: Context, *, is_indexed: bool = False) -> None:
        """:param is_indexed: whether the avatar knows a document"""
        self.context = context
        self.id, self.project = context.new_project()
        self._is_indexed = is_indexed
        if is_indexed:
            documents = self.project.knowledge.documents
            text = "Send anything back within thirty days."
            self.returns = documents.create(title="Returns", content=text, tags=["shop"]).id
            documents.create(title="Staff", content="Send nothing back.", tags=["staff"])
            self._index()
        avatar = self.project.avatars.create(name="Clara", persona={"prompt": PROMPTS[0]}, knowledge_tags=["shop"])
        self.avatar_id = avatar.id
        self.deployment_id = self._deploy()
        self.key = self.new_key()
        self.is_cut = False
        self.loses_responses = False

        def handle(request: Request) -> Reply:
            if self.is_cut:
                return Reply(fault="lost")
            reply = forward(context.origin, request)
            return Reply(fault="lost") if self.loses_responses else reply

        # All processes call the same address: journals and configurations belong to an address.
        self.base_url = f"{context.serve(handle).origin}/api/v1"

    def _index(self) -> None:
        self.context.control("work", project=self.id, job=self.project.knowledge.reindex().id)

    def _deploy(self, *, promote: bool = True) -> str:
        return self.project.deployments.create(environment="live", promote=promote).id

    def new_key(self, project: str | None = None) -> Any:
        """The key of a runtime."""
        create = self.context.platform.api_keys.create
        return create(name="runtime", scopes=RUNTIME_SCOPES, project_ids=[project or self.id])

    def change(self, *, promote: bool = True) -> str:
        """The deployment changes: another prompt, and the document is gone.

        :param promote: whether it is served
        """
        self.project.avatars.update(self.avatar_id, persona={"prompt": PROMPTS[1]})
        if self._is_indexed:
            self.project.knowledge.documents.delete(self.returns)
            self._index()
        return self._deploy(promote=promote)

    def start(self, api_key: str | Callable[[], str] | None = None) -> Process:
        return Process(self, api_key or self.key.secret)

    def stored(self, session: Any) -> list[Any]:
        return list(self.project.conversations.messages(session.conversation_id))

    def transcript(self, session: Any) -> list[str]:
        return [one.text for one in self.stored(session)]


class Process:
    """A process of a runtime. It counts its requests."""

    def __init__(self, deployed: Deployed, api_key: str | Callable[[], str]) -> None:
        self._deployed = deployed
        self._requests: list[str] = []
        self.client = deployed.context.open(
            api_key=api_key,
            base_url=deployed.base_url,
            timeout=1.5,
            on_request=lambda event: self._requests.append(f"{event.method} {_what(event.url)}"),
        )

    def open(self, external_id: str, **options: Any) -> Any:
        given: dict[str, Any] = {
            "project": self._deployed.id,
            "environment": "live",
            "avatar": self._deployed.avatar_id,
            "external_id": external_id,
            "external_user_id": "customer-1",
            # A busy machine is not away.
            "patience": 20,
            "on_warning": lambda _: None,
            **options,
        }
        return self.client.open_session(**given)

    def requested(self) -> list[str]:
        found, self._requests[:] = [*self._requests], []
        return found


def _what(url: str) -> str:
    name = urlsplit(url).path.rpartition("/")[2]
    return "conversation" if name.startswith("call-") else name


def turn(session: Any, number: int) -> str:
    return session.append(
        {"role": "user", "text": f"question {number}"}, {"role": "avatar", "text": f"answer {number}"}
    )


def turns(last: int) -> list[str]:
    return [text for number in range(1, last + 1) for text in (f"question {number}", f"answer {number}")]


def texts(messages: Any) -> list[str]:
    return [one.text for one in messages]


def close(session: Any) -> None:
    (getattr(session, "close", None) or session.aclose)()


def fails(act: Callable[[], object], code: str) -> Any:
    """The SessionError, which has this code."""
    error = rejection(act)
    ok(type(error).__name__ == "SessionError", repr(error))
    equal(error.code, code, str(error))
    return error


def until(is_so: Callable[[], bool]) -> None:
    """Waits for the background."""
    for _ in range(1200):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")
