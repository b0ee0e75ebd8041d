# Written by `npm run generate`.

"""How the resources are reached."""

from __future__ import annotations

from .._core.request import path_of
from .conversations import AsyncConversationsHelpers
from .exports import AsyncExportsHelpers
from .jobs import AsyncJobsHelpers
from .knowledge import AsyncKnowledgeHelpers
from .replies import AsyncRepliesHelpers
from .webhooks import AsyncWebhooksHelpers
from .methods import (
    AsyncApiKeysMethods,
    AsyncAuditEventsMethods,
    AsyncAvatarsMethods,
    AsyncAvatarsVersionsMethods,
    AsyncConversationsScoresMethods,
    AsyncDeploymentsMethods,
    AsyncDownloadsMethods,
    AsyncEnvironmentsMethods,
    AsyncEvaluationRunsMethods,
    AsyncEvaluatorsMethods,
    AsyncEvaluatorsVersionsMethods,
    AsyncEventsMethods,
    AsyncKnowledgeDocumentsMethods,
    AsyncKnowledgeSourcesMethods,
    AsyncMeMethods,
    AsyncModelsMethods,
    AsyncProjectsMethods,
    AsyncRolloutsMethods,
    AsyncServiceMethods,
    AsyncUploadsMethods,
    AsyncUsageMethods,
    AsyncWebhooksDeliveriesMethods,
    AsyncWorkloadIdentitiesMethods,
)
from .transport import AsyncTransport


class AsyncAvatars(AsyncAvatarsMethods):
    def __init__(self, transport: AsyncTransport, base: str) -> None:
        super().__init__(transport, base)
        self.versions = AsyncAvatarsVersionsMethods(transport, base)


class AsyncConversations(AsyncConversationsHelpers):
    def __init__(self, transport: AsyncTransport, base: str) -> None:
        super().__init__(transport, base)
        self.scores = AsyncConversationsScoresMethods(transport, base)


class AsyncEvaluators(AsyncEvaluatorsMethods):
    def __init__(self, transport: AsyncTransport, base: str) -> None:
        super().__init__(transport, base)
        self.versions = AsyncEvaluatorsVersionsMethods(transport, base)


class AsyncKnowledge(AsyncKnowledgeHelpers):
    def __init__(self, transport: AsyncTransport, base: str) -> None:
        super().__init__(transport, base)
        self.documents = AsyncKnowledgeDocumentsMethods(transport, base)
        self.sources = AsyncKnowledgeSourcesMethods(transport, base)


class AsyncWebhooks(AsyncWebhooksHelpers):
    def __init__(self, transport: AsyncTransport, base: str) -> None:
        super().__init__(transport, base)
        self.deliveries = AsyncWebhooksDeliveriesMethods(transport, base)


class AsyncProjectResources:
    """What a project has."""

    def __init__(self, transport: AsyncTransport, base: str) -> None:
        self.avatars = AsyncAvatars(transport, base)
        self.conversations = AsyncConversations(transport, base)
        self.deployments = AsyncDeploymentsMethods(transport, base)
        self.environments = AsyncEnvironmentsMethods(transport, base)
        self.evaluation_runs = AsyncEvaluationRunsMethods(transport, base)
        self.evaluators = AsyncEvaluators(transport, base)
        self.exports = AsyncExportsHelpers(transport, base)
        self.jobs = AsyncJobsHelpers(transport, base)
        self.knowledge = AsyncKnowledge(transport, base)
        self.replies = AsyncRepliesHelpers(transport, base)
        self.rollouts = AsyncRolloutsMethods(transport, base)
        self.uploads = AsyncUploadsMethods(transport, base)


class AsyncProjects(AsyncProjectsMethods):
    """``projects(id)`` has what the project has; ``projects.list()`` is about projects themselves."""

    def __call__(self, project_id: str) -> AsyncProjectResources:
        return AsyncProjectResources(self._transport, self._base + path_of("/projects/", project_id))


class AsyncPlatformResources(AsyncServiceMethods):
    """What the platform has."""

    def __init__(self, transport: AsyncTransport, base: str) -> None:
        super().__init__(transport, base)
        self.api_keys = AsyncApiKeysMethods(transport, base)
        self.audit_events = AsyncAuditEventsMethods(transport, base)
        self.downloads = AsyncDownloadsMethods(transport, base)
        self.events = AsyncEventsMethods(transport, base)
        self.me = AsyncMeMethods(transport, base)
        self.models = AsyncModelsMethods(transport, base)
        self.usage = AsyncUsageMethods(transport, base)
        self.webhooks = AsyncWebhooks(transport, base)
        self.workload_identities = AsyncWorkloadIdentitiesMethods(transport, base)
        self.projects = AsyncProjects(transport, base)
