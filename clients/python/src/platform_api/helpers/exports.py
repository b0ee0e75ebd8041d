"""What the helpers of both clients know of exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.errors import PlatformError

if TYPE_CHECKING:
    from ..types import ExportPart, KnowledgeDocument, Message, Conversation

    class ExportedConversation(Conversation):
        """A conversation and its first messages. A further line with the next messages of a long one has only these and its
        ``id``: ask with ``"status" in line``."""

        messages: list[Message]

    class ExportedDocument(KnowledgeDocument):
        """A document with its text."""

        content: str


class ExportPartMissingError(PlatformError):
    """The file of a part is gone: something in it was erased or deleted, or its day is over."""

    def __init__(self, part: ExportPart) -> None:
        why = f" ({part.removed_because})" if part.removed_because else ""
        super().__init__(f"Part {part.number} of the export is {part.status}{why}.")
        self.part = part
        """``part.removed_because`` says why."""
