# Written by `npm run generate` from _async/resources.py.

"""How the resources are reached."""

from __future__ import annotations

from .._core.request import path_of
from .conversations import ConversationsHelpers
from .exports import ExportsHelpers
from .jobs import JobsHelpers
from .knowledge import KnowledgeHelpers
from .webhooks import WebhooksHelpers
from .methods import (
    ApiKeysMethods,
    AuditEventsMethods,
    AvatarsMethods,
    AvatarsVersionsMethods,
    ConversationsScoresMethods,
    DeploymentsMethods,
    DownloadsMethods,
    EnvironmentsMethods,
    EvaluationRunsMethods,
    EvaluatorsMethods,
    EvaluatorsVersionsMethods,
    EventsMethods,
    KnowledgeDocumentsMethods,
    KnowledgeSourcesMethods,
    MeMethods,
    ProjectsMethods,
    ServiceMethods,
    UploadsMethods,
    UsageMethods,
    WebhooksDeliveriesMethods,
    WorkloadIdentitiesMethods,
)
from .transport import Transport


class Avatars(AvatarsMethods):
    def __init__(self, transport: Transport, base: str) -> None:
        super().__init__(transport, base)
        self.versions = AvatarsVersionsMethods(transport, base)


class Conversations(ConversationsHelpers):
    def __init__(self, transport: Transport, base: str) -> None:
        super().__init__(transport, base)
        self.scores = ConversationsScoresMethods(transport, base)


class Evaluators(EvaluatorsMethods):
    def __init__(self, transport: Transport, base: str) -> None:
        super().__init__(transport, base)
        self.versions = EvaluatorsVersionsMethods(transport, base)


class Knowledge(KnowledgeHelpers):
    def __init__(self, transport: Transport, base: str) -> None:
        super().__init__(transport, base)
        self.documents = KnowledgeDocumentsMethods(transport, base)
        self.sources = KnowledgeSourcesMethods(transport, base)


class Webhooks(WebhooksHelpers):
    def __init__(self, transport: Transport, base: str) -> None:
        super().__init__(transport, base)
        self.deliveries = WebhooksDeliveriesMethods(transport, base)


class ProjectResources:
    """What a project has."""

    def __init__(self, transport: Transport, base: str) -> None:
        self.avatars = Avatars(transport, base)
        self.conversations = Conversations(transport, base)
        self.deployments = DeploymentsMethods(transport, base)
        self.environments = EnvironmentsMethods(transport, base)
        self.evaluation_runs = EvaluationRunsMethods(transport, base)
        self.evaluators = Evaluators(transport, base)
        self.exports = ExportsHelpers(transport, base)
        self.jobs = JobsHelpers(transport, base)
        self.knowledge = Knowledge(transport, base)
        self.uploads = UploadsMethods(transport, base)


class Projects(ProjectsMethods):
    """``projects(id)`` has what the project has; ``projects.list()`` is about projects themselves."""

    def __call__(self, project_id: str) -> ProjectResources:
        return ProjectResources(self._transport, self._base + path_of("/projects/", project_id))


class PlatformResources(ServiceMethods):
    """What the platform has."""

    def __init__(self, transport: Transport, base: str) -> None:
        super().__init__(transport, base)
        self.api_keys = ApiKeysMethods(transport, base)
        self.audit_events = AuditEventsMethods(transport, base)
        self.downloads = DownloadsMethods(transport, base)
        self.events = EventsMethods(transport, base)
        self.me = MeMethods(transport, base)
        self.usage = UsageMethods(transport, base)
        self.webhooks = Webhooks(transport, base)
        self.workload_identities = WorkloadIdentitiesMethods(transport, base)
        self.projects = Projects(transport, base)
