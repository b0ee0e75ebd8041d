# Written by `npm run generate`.

"""The types of requests and responses. They exist for type checkers: at run time, every response is an Object."""

# An attribute of a response is not set, so that a narrower class can say more about it.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, TypedDict

from ._core.object import Object

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Mapping, Sequence

    from typing_extensions import NotRequired, TypeAlias

Value = TypeVar("Value")
Result = TypeVar("Result")


class Map(Object, Generic[Value]):
    """Values by name. The names are free: they are the same in Python and on the wire."""

    if TYPE_CHECKING:

        def __getitem__(self, wire_name: str) -> Value: ...
        def to_dict(self) -> dict[str, Value]: ...


class ApiKey(Object):
    """An API key, without its secret.

    Fields: id, name, scopes, project_ids, environments, allowed_cidrs, rate_limit, mode, hint, status, created_at,
    created_by, expires_at, revoked_at, children_revocation, previous_secret_expires_at, last_used_at,
    last_used_from.
    """

    id: str
    """The id of the API key."""
    name: str
    """A display name. Not blank, without control characters."""
    scopes: list[Scope]
    """The permissions of the key."""
    project_ids: list[str] | None
    """The projects that the key can access. Null for all projects."""
    environments: list[str] | None
    """The environments that the key can access. Null for all environments."""
    allowed_cidrs: list[str] | None
    """The addresses from which the key may be used. Null for everywhere."""
    rate_limit: RateLimit | None
    """The limit of the key. Null if the key has no limit of its own. Its requests also count in the limits of the
    keys above it.
    """
    mode: Mode
    """Whether the key accesses live or test data. They are separate."""
    hint: str
    """The first and last characters of the secret."""
    status: ApiKeyStatus
    """Whether the key is accepted: only an `active` key is accepted."""
    created_at: str
    """When the key was created."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token. `bootstrap` for a root key.
    """
    expires_at: str | None
    """When the key expires. Null for a root key, which does not expire."""
    revoked_at: str | None
    """When it was revoked. Null if it was not."""
    children_revocation: ChildrenRevocation | None
    """The revocation of the keys and identities that this key created, and of their webhooks. Null if nobody
    requested it.
    """
    previous_secret_expires_at: str | None
    """The end of the secret from before the last rotation. Null if there is no such secret."""
    last_used_at: str | None
    """When the key was last used, accurate to the hour. Null if it was not used."""
    last_used_from: str | None
    """The address of the request at `last_used_at`, as the gateway saw it. Null if there is no address."""


class ApiKeyCreatedEvent(Object):
    """An API key was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["api_key.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: ApiKey | RemovedResource
    """The resource, or only its id if it is gone."""


class ApiKeyExpiredEvent(Object):
    """An API key has expired.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["api_key.expired"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: ApiKey | RemovedResource
    """The resource, or only its id if it is gone."""


class ApiKeyExpiringEvent(Object):
    """An API key expires soon: in 7 days, or in a tenth of its lifetime if that is less.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["api_key.expiring"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: ApiKey | RemovedResource
    """The resource, or only its id if it is gone."""


class ApiKeyRevokedEvent(Object):
    """An API key was revoked.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["api_key.revoked"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: ApiKey | RemovedResource
    """The resource, or only its id if it is gone."""


class ApiKeyRotatedEvent(Object):
    """An API key has a new secret.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["api_key.rotated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: ApiKey | RemovedResource
    """The resource, or only its id if it is gone."""


ApiKeyStatus: TypeAlias = Literal["active", "revoked", "expired"]
"""Whether the key is accepted: only an `active` key is accepted."""


class ApiKeyUpdatedEvent(Object):
    """An API key was changed.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["api_key.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: ApiKey | RemovedResource
    """The resource, or only its id if it is gone."""


class ApiKeyWithSecret(Object):
    """A new API key, with its secret.

    Fields: id, name, scopes, project_ids, environments, allowed_cidrs, rate_limit, mode, hint, status, created_at,
    created_by, expires_at, revoked_at, children_revocation, previous_secret_expires_at, last_used_at,
    last_used_from, secret.
    """

    id: str
    """The id of the API key."""
    name: str
    """A display name. Not blank, without control characters."""
    scopes: list[Scope]
    """The permissions of the key."""
    project_ids: list[str] | None
    """The projects that the key can access. Null for all projects."""
    environments: list[str] | None
    """The environments that the key can access. Null for all environments."""
    allowed_cidrs: list[str] | None
    """The addresses from which the key may be used. Null for everywhere."""
    rate_limit: RateLimit | None
    """The limit of the key. Null if the key has no limit of its own. Its requests also count in the limits of the
    keys above it.
    """
    mode: Mode
    """Whether the key accesses live or test data. They are separate."""
    hint: str
    """The first and last characters of the secret."""
    status: ApiKeyStatus
    """Whether the key is accepted: only an `active` key is accepted."""
    created_at: str
    """When the key was created."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token. `bootstrap` for a root key.
    """
    expires_at: str | None
    """When the key expires. Null for a root key, which does not expire."""
    revoked_at: str | None
    """When it was revoked. Null if it was not."""
    children_revocation: ChildrenRevocation | None
    """The revocation of the keys and identities that this key created, and of their webhooks. Null if nobody
    requested it.
    """
    previous_secret_expires_at: str | None
    """The end of the secret from before the last rotation. Null if there is no such secret."""
    last_used_at: str | None
    """When the key was last used, accurate to the hour. Null if it was not used."""
    last_used_from: str | None
    """The address of the request at `last_used_at`, as the gateway saw it. Null if there is no address."""
    secret: str
    """The key itself. Only this response shows it; the service stores only its hash."""


class AppendedMessage(Object):
    """A message, and whether it was already stored.

    Fields: id, seq, role, text, at, client_message_id, citations, metadata, created_at, duplicate.
    """

    id: str
    """The id of the message."""
    seq: int
    """The number of the message in the conversation: 1, 2, 3, without gaps."""
    role: MessageRole
    """Who said it."""
    text: str
    """The text of the message: at most 16 KB of UTF-8."""
    at: str
    """When it was said."""
    client_message_id: str | None
    citations: list[Citation]
    """The documents that the message is based on."""
    metadata: MessageMetadata
    """Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together."""
    created_at: str
    """When the message was stored."""
    duplicate: bool
    """Whether the message was already stored under its `client_message_id`, so that nothing was added."""


class AppendedMessages(Object):
    """One result per message, in the order of the request.

    Fields: messages.
    """

    messages: list[AppendedMessage]
    """The messages as they are stored."""


class AuditActor(Object):
    """Who did it.

    Fields: kind, id, subject, name.
    """

    kind: Literal["key", "identity", "token", "worker", "operator"] | str
    """The kind of the actor. Values: `key`, `identity`, `token`, `worker`, `operator`. More may be added."""
    id: str
    subject: str | None
    """The subject of the token with which a workload identity was used. Null for other actors."""
    name: str | None
    """The name of the API key or of the workload identity when the event was written. Null for other actors."""


class AuditEvent(Object):
    """A change of one resource by one call, or a refused request.

    Fields: id, at, actor, action, outcome, reason, resource, project_id, changes, request_id, call_id, origin.
    """

    id: str
    """The id of the audit event."""
    at: str
    """When the request started. Events are sorted by it."""
    actor: AuditActor
    """Who did it."""
    action: str
    """The called operation: the `operation_id` of an endpoint, `worker:` and the name of a worker, or `script:` and
    the name of a command.
    """
    outcome: AuditOutcome
    """Whether the request succeeded or was refused."""
    reason: AuditEventReason | str | None
    resource: AuditedResource
    """The changed resource."""
    project_id: str | None
    """The id of the project. Null if the resource belongs to no project."""
    changes: AuditedChanges | None
    request_id: str | None
    """The `X-Request-Id` of the request. Null if there was no request."""
    call_id: str
    """The id of the call of the service. Changes of several resources by one request have the same id."""
    origin: RequestOrigin | None
    """Where the request came from. Null for workers and commands, and after 90 days."""


AuditEventReason: TypeAlias = Literal["key_revoked", "key_expired", "identity_deleted", "identity_expired", "identity_suspended", "address_not_allowed", "escalation"]


class AuditExportFilters(TypedDict):
    """Which audit events to export.

    Fields: actor (optional), action (optional), resource_id (optional), from_ (optional), to (optional).
    """

    actor: NotRequired[str]
    """Only events of this actor."""
    action: NotRequired[str]
    """Only events of this action."""
    resource_id: NotRequired[str]
    """Only events of this resource."""
    from_: NotRequired[str | datetime]
    """Only events at this time or later."""
    to: NotRequired[str | datetime]
    """Only events before this time."""


AuditOutcome: TypeAlias = Literal["succeeded", "refused"]
"""Whether the request succeeded or was refused."""


class AuditedChanges(Object):
    """The changed fields.

    Fields: fields, before, after, omitted.
    """

    fields: list[str]
    """The fields that have changed, or the fields of a new resource that have a value."""
    before: AuditedValues | None
    """The values before, of the fields that may be logged. Null for a new or deleted resource."""
    after: AuditedValues | None
    """The values after. Null for a deleted resource."""
    omitted: list[str]
    """The fields that are too long for the log: their values are left out."""


class AuditedResource(Object):
    """The changed resource.

    Fields: type, id.
    """

    type: AuditedResourceType | str
    id: str
    """The id of the resource, or the name of an environment."""


AuditedResourceType: TypeAlias = Literal["organisation", "api_key", "workload_identity", "access_token", "project", "avatar", "knowledge_document", "knowledge_source", "job", "upload", "deployment", "environment", "rollout", "conversation", "evaluator", "webhook"]


AuditedValues: TypeAlias = "Map[Any]"
"""The values of fields, by name."""


class Avatar(Object):
    """A persona with a voice and an image.

    Fields: id, external_id, name, persona, voice, image_url, knowledge_tags, model, runtime, metadata, status,
    version, created_at, updated_at, created_by.
    """

    id: str
    """The id of the avatar."""
    external_id: str | None
    """Your own id of the avatar, unique in the project. No personal data: logs contain paths. Not blank, without
    control characters. Null if not set.
    """
    name: str
    """A display name. Not blank, without control characters."""
    persona: Persona
    """Who the avatar is and how it speaks."""
    voice: Voice | None
    """The voice of the avatar. Null if not set."""
    image_url: str | None
    """The https address of its image. Null if not set."""
    knowledge_tags: list[str]
    """The avatar knows the documents that have at least one of these tags."""
    model: AvatarModel | None
    """The model that answers for the avatar. Null if not set."""
    runtime: Any
    metadata: Metadata
    status: AvatarStatus
    """Whether deployments include the avatar: they include only active avatars."""
    version: int
    """The version of the avatar, which increases by one with each change."""
    created_at: str
    """When the avatar was created."""
    updated_at: str
    """When the avatar was last changed."""
    created_by: str
    """The credential that created it."""


class AvatarCreatedEvent(Object):
    """An avatar was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["avatar.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Avatar | RemovedResource
    """The resource, or only its id if it is gone."""


class AvatarDeletedEvent(Object):
    """An avatar was deleted.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["avatar.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Avatar | RemovedResource
    """The resource, or only its id if it is gone."""


class AvatarModel(Object):
    """The model that answers for the avatar.

    Fields: model_id, temperature, max_tokens.
    """

    model_id: str
    """The id of the model, one of GET /models. A reply refuses a model that the service does not list. Not blank,
    without control characters.
    """
    temperature: float
    """How much answers vary, from 0 to 1. Missing for the default of the model."""
    max_tokens: int
    """The most tokens of an answer. Missing for 1024."""


class AvatarModelInput(TypedDict):
    """The model that answers for the avatar.

    Fields: model_id, temperature (optional), max_tokens (optional).
    """

    model_id: str
    """The id of the model, one of GET /models. A reply refuses a model that the service does not list. Not blank,
    without control characters.
    """
    temperature: NotRequired[float]
    """At most two decimals."""
    max_tokens: NotRequired[int]
    """The most tokens of an answer. Missing for 1024."""


AvatarStatus: TypeAlias = Literal["active", "archived"]
"""Whether deployments include the avatar: they include only active avatars."""


class AvatarUpdatedEvent(Object):
    """An avatar has a new version.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["avatar.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Avatar | RemovedResource
    """The resource, or only its id if it is gone."""


class AvatarVersion(Object):
    """An avatar as it was after one change. Versions never change.

    Fields: avatar_id, version, name, persona, voice, image_url, knowledge_tags, model, runtime, metadata, status,
    created_at, created_by.
    """

    avatar_id: str
    """The id of the avatar."""
    version: int
    """The version of the avatar, which increases by one with each change."""
    name: str
    """A display name. Not blank, without control characters."""
    persona: Persona
    """Who the avatar is and how it speaks."""
    voice: Voice | None
    """The voice of the avatar. Null if not set."""
    image_url: str | None
    """The https address of its image. Null if not set."""
    knowledge_tags: list[str]
    """The avatar knows the documents that have at least one of these tags."""
    model: AvatarModel | None
    """The model that answers for the avatar. Null if not set."""
    runtime: Any
    metadata: Metadata
    status: AvatarStatus
    """Whether deployments include the avatar: they include only active avatars."""
    created_at: str
    """When the version was created."""
    created_by: str
    """The credential that made this change."""


class BooleanOutput(Object):
    """True or false.

    Fields: type.
    """

    type: Literal["boolean"]
    """The type of the values."""


class BooleanOutputParam(TypedDict):
    """True or false.

    Fields: type.
    """

    type: Literal["boolean"]
    """The type of the values."""


class BreachSide(Object):
    """One side of a breached guard.

    Fields: units, mean.
    """

    units: int
    """The units with a value."""
    mean: float
    """The share, or the mean."""


class CategoryOutput(Object):
    """One of some categories.

    Fields: type, values.
    """

    type: Literal["category"]
    """The type of the values."""
    values: list[str]
    """The categories: 2 to 20."""


class CategoryOutputParam(TypedDict):
    """One of some categories.

    Fields: type, values.
    """

    type: Literal["category"]
    """The type of the values."""
    values: Sequence[str]
    """The categories: 2 to 20."""


class ChildrenRevocation(Object):
    """The end of the keys and workload identities that a credential created, and of those that they created.

    Fields: requested_at, finished_at, revoked, skipped, webhook_ids.
    """

    requested_at: str
    """When it was last requested."""
    finished_at: str | None
    """When it ended. Null while it runs."""
    revoked: int
    """How many keys it has revoked, and how many workload identities it has deleted."""
    skipped: int
    """How many keys and identities stay active, because they have a scope that the caller does not have."""
    webhook_ids: list[str]


class Citation(Object):
    """A document that the message is based on.

    Fields: document_id, title, snippet, page, piece_id, span.
    """

    document_id: str
    """The id of the cited document."""
    title: str | None
    """The title of the document. Null if not set."""
    snippet: str | None
    """The cited text. Null if not set."""
    page: int | None
    """The page of the document, from 1. Null if not set."""
    piece_id: str
    """The `piece_id` of the cited piece in the index version that was searched."""
    span: TextSpan
    """The part of the text of the piece that `snippet` shows. Left out if it is not known."""


class CitationInput(TypedDict):
    """A document that the message is based on.

    Fields: document_id, title (optional), snippet (optional), page (optional), piece_id (optional), span
    (optional).
    """

    document_id: str
    """The id of the cited document."""
    title: NotRequired[str | None]
    """The title of the document. Null if not set."""
    snippet: NotRequired[str | None]
    """The cited text. Null if not set."""
    page: NotRequired[int | None]
    """The page of the document, from 1. Null if not set."""
    piece_id: NotRequired[str | None]
    """The `piece_id` of the cited piece in the index version that was searched. Null if not set."""
    span: NotRequired[TextSpanInput | None]
    """The part of the text of the piece that `snippet` shows."""


class ComparedGuard(Object):
    """A guard, with the comparison of its score.

    Fields: score, value, verdict, undecided_reason, current, candidate, difference, low, high.
    """

    score: str
    """The name of the evaluator and of its scores, unique in the project."""
    value: str | None
    """The category. Null for no category."""
    verdict: GuardVerdict
    undecided_reason: Literal["nothing_evaluated", "too_few_units", "too_many_unknown"] | None
    """Why it is undecided. Null if it is not."""
    current: ComparedSide
    """One side of a comparison."""
    candidate: ComparedSide
    """One side of a comparison."""
    difference: float | None
    """Candidate less current. Null without values on both sides."""
    low: float | None
    """The lower end of the confidence sequence of the difference, which holds at every look. Null if it has no bound
    yet.
    """
    high: float | None
    """Its upper end. Null if it has no bound yet."""


class ComparedMeasure(Object):
    """A comparison of both sides, within spans.

    Fields: current, candidate, difference, low, high.
    """

    current: ComparedSide
    """One side of a comparison."""
    candidate: ComparedSide
    """One side of a comparison."""
    difference: float | None
    """Candidate less current. Null without values on both sides."""
    low: float | None
    """The lower end of the confidence sequence of the difference, which holds at every look. Null if it has no bound
    yet.
    """
    high: float | None
    """Its upper end. Null if it has no bound yet."""


class ComparedRollout(Object):
    """A rollout, with the comparison of its candidate with the current deployment.

    Fields: id, environment, deployment_id, current_deployment_id, status, percent, reason, since, by, span, steps,
    step, hold_until, guards, on_breach, breach, spans, created_at, created_by, ended_at, version, history,
    comparison.
    """

    id: str
    """The id of the rollout."""
    environment: str
    """The name of the environment. The first deployment to it creates it."""
    deployment_id: str
    """The candidate."""
    current_deployment_id: str
    """The deployment that was current at the start."""
    status: RolloutStatus
    """The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are
    final.
    """
    percent: float
    """The share of the units that get the candidate, in percent."""
    reason: str | None
    """Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason."""
    since: str
    """When it got this status, or its last percent."""
    by: str
    """The credential that has moved it, or `worker:` and the name of the worker."""
    span: int
    """The number of the span: the time from one change of the percent to the next. From 1."""
    steps: list[RolloutStep] | None
    """The steps. Null for a rollout without steps."""
    step: int | None
    """The number of the present step, from 1. Null without steps."""
    hold_until: str | None
    guards: list[RolloutGuard]
    """The guards."""
    on_breach: RolloutOnBreach
    breach: RolloutBreach | None
    """The last breach of a guard. Null if there was none."""
    spans: list[RolloutSpan]
    """The spans, the oldest first."""
    created_at: str
    """When it was started."""
    created_by: str
    """The credential that started it."""
    ended_at: str | None
    """When it ended. Null before."""
    version: int
    """The number of its changes, for `If-Match`: it increases by one with each change."""
    history: list[RolloutMove]
    """The last 100 moves, the oldest first."""
    comparison: RolloutComparison
    """The comparison of the candidate with the current deployment, over units."""


class ComparedSide(Object):
    """One side of a comparison.

    Fields: units, open, unknown, mean.
    """

    units: int
    """The units, each with its first conversation."""
    open: int
    """The units whose conversation has not ended."""
    unknown: float | None
    """The share of the ended units that have no value. Null if no unit has ended."""
    mean: float | None
    """The share, or the mean of the values, combined over the spans. Null without values."""


class ComparedUnits(Object):
    """The counted units of both sides.

    Fields: current, candidate.
    """

    current: int
    """The units of the current deployment."""
    candidate: int
    """The units of the candidate."""


class Conversation(Object):
    """A conversation with an avatar and its scores, without its messages.

    Fields: id, avatar_id, external_id, external_user_id, channel, tags, metadata, deployment_id, assignment,
    counted, test, status, started_at, ended_at, end_reason, message_count, message_count_by_role,
    duration_seconds, first_message_at, last_message_at, last_activity_at, created_at, updated_at, created_by,
    scores.
    """

    id: str
    """The id of the conversation."""
    avatar_id: str
    """The id of the avatar that the conversation is with."""
    external_id: str | None
    """Your own id of the conversation, unique in the project. No personal data: logs contain paths. Not blank,
    without control characters. Null if not set.
    """
    external_user_id: str | None
    """Your own id of the user. Not blank, without control characters. Null if not set."""
    channel: str | None
    """Where it takes place, such as `web`. Not blank, without control characters. Null if not set."""
    tags: list[str]
    """Labels to filter by."""
    metadata: Metadata
    deployment_id: str | None
    """The id of the deployment that the avatar runs in. Null for no deployment."""
    assignment: str | None
    """The `assignment` of the configuration that the user has got, while a rollout runs: `<rollout
    id>.<span>.<variant>.<16 hex digits>`. Null for no assignment.
    """
    counted: bool
    test: bool
    """Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave out. Fixed when
    it is created.
    """
    status: ConversationStatus
    """Whether the conversation accepts messages: only an `active` conversation accepts them."""
    started_at: str
    """When it started. Lists sort by it."""
    ended_at: str | None
    """When it ended. Null while it is active."""
    end_reason: str | None
    """The reason that `end` was called with, or `timeout`. Null if there is no reason."""
    message_count: int
    """The number of messages, which equals the `seq` of the last message."""
    message_count_by_role: MessageCountByRole
    """The number of messages, by who said them."""
    duration_seconds: int
    """The seconds from the start to the latest message; 0 without messages."""
    first_message_at: str | None
    """The earliest `at` of its messages. Null without messages."""
    last_message_at: str | None
    """The latest `at` of its messages. Null without messages."""
    last_activity_at: str
    """When the latest messages were stored, which can be later than their `at`. Initially the creation time."""
    created_at: str
    """When it was stored."""
    updated_at: str
    """When it was last changed."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """
    scores: list[ConversationScore]
    """The effective scores, by name."""


class ConversationDeletedEvent(Object):
    """A conversation was deleted: nobody can read it any more.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["conversation.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Conversation | RemovedResource
    """The resource, or only its id if it is gone."""


class ConversationEndedEvent(Object):
    """A conversation was ended, or has timed out.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["conversation.ended"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Conversation | RemovedResource
    """The resource, or only its id if it is gone."""


class ConversationErasedEvent(Object):
    """Nothing of a deleted conversation is stored any more.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["conversation.erased"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Conversation | RemovedResource
    """The resource, or only its id if it is gone."""


class ConversationExportFilters(TypedDict):
    """Which conversations to export.

    Fields: avatar_id (optional), external_user_id (optional), deployment_id (optional), channel (optional), tag
    (optional), status (optional), test (optional), scores (optional), started_from (optional), started_before
    (optional).
    """

    avatar_id: NotRequired[str]
    """Only conversations with this avatar."""
    external_user_id: NotRequired[str]
    """Only conversations with this user. Not blank, without control characters."""
    deployment_id: NotRequired[str]
    """Only conversations with this deployment."""
    channel: NotRequired[str]
    """Only conversations on this channel. Not blank, without control characters."""
    tag: NotRequired[str]
    """Only conversations with this tag. Not blank, without control characters."""
    status: NotRequired[ConversationStatus]
    """Only conversations with this status."""
    test: NotRequired[bool]
    """Only test conversations, or with false only the others. Default: both."""
    scores: NotRequired[Sequence[str]]
    started_from: NotRequired[str | datetime]
    """Only conversations started at this time or later."""
    started_before: NotRequired[str | datetime]
    """Only conversations started before this time."""


class ConversationScore(Object):
    """The effective score of one name.

    Fields: name, value, reason, source, version, stale.
    """

    name: str
    """The name of the evaluator and of its scores, unique in the project."""
    value: bool | float | str | None
    """The value. Null for a text or an object, which `GET …/scores` returns, and if it is unknown: then `reason` says
    why.
    """
    reason: str | None
    """Why there is no value. Null if there is a value."""
    source: ScoreSource
    """Who gave the score: a `rule`, a `model`, a person (`human`), or another program (`api`)."""
    version: int
    """The version of the evaluator."""
    stale: bool
    """Whether messages were added since, so that the score is about the first messages only."""


class ConversationScoredEvent(Object):
    """A conversation has a new score, or another value of one. `scores` has the effective ones.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["conversation.scored"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Conversation | RemovedResource
    """The resource, or only its id if it is gone."""


class ConversationStartedEvent(Object):
    """A conversation has started.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["conversation.started"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Conversation | RemovedResource
    """The resource, or only its id if it is gone."""


class ConversationStats(Object):
    """Counts of conversations, messages and scores.

    Fields: items, totals, counted_through.
    """

    items: list[ConversationStatsItem]
    """The counts of each day, avatar, channel, deployment or value."""
    totals: ConversationStatsTotals
    """The counts of the whole range."""
    counted_through: str | None
    """The time of the latest counted change, to the second; null if no change is counted."""


class ConversationStatsItem(Object):
    """The counts of a day, an avatar, a channel, a deployment or a value of a score.

    Fields: key, conversations, messages, mean_duration_seconds, score.
    """

    key: str | None
    conversations: int
    """The number of conversations that started in this period."""
    messages: int
    """The number of their messages."""
    mean_duration_seconds: int
    """The mean of their `duration_seconds`; 0 without conversations."""
    score: ScoreStats
    """Their scores. Only in responses to requests with `score`."""


class ConversationStatsTotals(Object):
    """The counts of the whole range.

    Fields: conversations, messages, mean_duration_seconds, score.
    """

    conversations: int
    """The number of conversations that started in this period."""
    messages: int
    """The number of their messages."""
    mean_duration_seconds: int
    """The mean of their `duration_seconds`; 0 without conversations."""
    score: ScoreStats
    """Their scores. Only in responses to requests with `score`."""


ConversationStatus: TypeAlias = Literal["active", "ended"]
"""Whether the conversation accepts messages: only an `active` conversation accepts them."""


class ConversationUpdatedEvent(Object):
    """A conversation has new messages, or was changed.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["conversation.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Conversation | RemovedResource
    """The resource, or only its id if it is gone."""


class ConversationsReindexResult(Object):
    """The result of `conversations.reindex`.

    Fields: conversations.
    """

    conversations: int
    """The number of conversations that were indexed and counted."""


class CostQuota(Object):
    """A quota of money, and what is spent, in US dollars.

    Fields: limit, used, counted_through, resets_at.
    """

    limit: float | None
    """The quota. Null if there is no quota."""
    used: float | None
    """What is spent, with what is reserved for calls that are under way, even without a quota. Null if it is not
    shown to this key.
    """
    counted_through: str | None
    """The time of the request. Null if nothing is shown."""
    resets_at: str
    """When the count starts again."""


class CreatedDeployment(Object):
    """A new deployment, with warnings.

    Fields: id, environment, git, reason, phase, avatars, knowledge_index_version, config_hash, promoted_from,
    created_at, created_by, promoted_at, held_back, held_back_reason, warnings.
    """

    id: str
    """The id of the deployment."""
    environment: str
    """The name of the environment. The first deployment to it creates it."""
    git: GitCommit | None
    """The deployed commit. Null if the request had no commit."""
    reason: str | None
    """The reason, for people. Null if not set."""
    phase: DeploymentPhase
    """Whether the deployment is served: `staged` until it is promoted, `current` while it is served, `superseded`
    when another deployment has replaced it.
    """
    avatars: list[DeployedAvatar]
    """The frozen versions, sorted by avatar id."""
    knowledge_index_version: str | None
    """The index that was published at that time; null if no index was published."""
    config_hash: str
    """SHA-256 of the content. Deployments with equal content have equal hashes."""
    promoted_from: str | None
    """The deployment of another environment whose avatars, index and commit it has. Null if it was made from the
    project.
    """
    created_at: str
    """When the deployment was created."""
    created_by: str
    """The credential that deployed it."""
    promoted_at: str | None
    """When it last became current. Null if it was never promoted."""
    held_back: bool
    """Whether it stays staged because a rollback has pinned its environment, or because a rollout runs in it. Promote
    it yourself.
    """
    held_back_reason: Literal["rollback", "rollout"] | None
    """Why it is held back. Null if it is not."""
    warnings: list[DeploymentWarning]
    """Stored data that the deployment does not include, documents that were read in part, and avatars whose tags
    match no document. Usually empty.
    """


class DailyUsage(Object):
    """What an organisation has used, by day.

    Fields: items, totals, counted_through, projects.
    """

    items: list[UsageDay]
    """The days on which something was used, oldest first."""
    totals: UsageDaysTotals
    """What was used in the whole range."""
    counted_through: str | None
    """The time of the latest counted change. Null if no change is counted."""
    projects: UsageByProject | None
    """The same by project. Null without `groupBy=project`."""


class DeletedProject(Object):
    """A deleted project.

    Fields: id, external_id, name, description, metadata, settings, status, created_at, updated_at, created_by,
    purge_at.
    """

    id: str
    """The id of the project."""
    external_id: str | None
    """Your own id of the project, unique in the organisation. No personal data: logs contain paths. Not blank,
    without control characters. Null if not set.
    """
    name: str
    """A display name. Not blank, without control characters."""
    description: str | None
    """The purpose of the project. Null if not set."""
    metadata: Metadata
    settings: ProjectSettings
    """The settings of the project."""
    status: ProjectStatus
    """Whether the project can be changed: an archived project is read-only. `deleted` appears only in the response to
    DELETE.
    """
    created_at: str
    """When the project was created."""
    updated_at: str
    """When the project was last changed."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """
    purge_at: str
    """Until when it can be restored. Then it is purged."""


class DeletedWorkloadIdentity(Object):
    """A workload identity, and the resources that it created or set.

    Fields: id, name, issuer, subject, claims, audience, scopes, project_ids, environments, allowed_cidrs,
    rate_limit, expires_at, status, jwks, created_by, created_at, updated_at, deleted_at, last_used_at,
    last_used_from, children_revocation, webhooks, children, sources, evaluators, rollouts.
    """

    id: str
    """The id of the workload identity."""
    name: str
    """A display name. Not blank, without control characters."""
    issuer: str
    """The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`, the service does not
    need to reach it.
    """
    subject: str
    claims: IdentityClaims
    audience: str
    """The only audience (`aud`) that a token for this identity may have."""
    scopes: list[Scope]
    """The permissions of its tokens."""
    project_ids: list[str] | None
    """The projects that its tokens can access. Null for all projects."""
    environments: list[str] | None
    """The environments that its tokens can access. Null for all environments."""
    allowed_cidrs: list[str] | None
    """The addresses from which its tokens may be used. Null for everywhere."""
    rate_limit: RateLimit | None
    """The limit of all its tokens together. Null if it has no limit of its own. Its requests also count in the limits
    of the credentials above it.
    """
    expires_at: str | None
    """When it expires. Null if it does not expire."""
    status: WorkloadIdentityStatus
    """Whether its tokens are accepted: only those of an `active` identity are."""
    jwks: PublicJwks | None
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """
    created_at: str
    """When it was created."""
    updated_at: str
    """When a request last changed it."""
    deleted_at: str | None
    """When it was deleted. Null if it was not."""
    last_used_at: str | None
    """When it was last used, accurate to the hour. Null if it was not used."""
    last_used_from: str | None
    """The address of the request at `last_used_at`, as the gateway saw it. Null if there is no address."""
    children_revocation: ChildrenRevocation | None
    """The end of the keys and identities that this identity created, and of their webhooks. Null if nobody requested
    it.
    """
    webhooks: int
    children: int | None
    """The number of active keys and workload identities below it that the caller may end, among the 1000 that were
    created after it. Null without `dryRun=true`.
    """
    sources: int | None
    evaluators: int | None
    rollouts: int | None


class Delivery(Object):
    """An event for one webhook, with the attempts to send it.

    Fields: id, event_id, event_type, status, attempts, next_attempt_at, created_at.
    """

    id: str
    """The id of the delivery."""
    event_id: str
    """The id of the event, which is the `webhook-id` of the request."""
    event_type: str
    """The type of the event."""
    status: DeliveryStatus
    """Whether the receiver has the event: `pending` while attempts are left."""
    attempts: list[DeliveryAttempt]
    """The attempts to send it, oldest first: at most the last 20."""
    next_attempt_at: str | None
    """When the next attempt is due. Null unless it is pending."""
    created_at: str
    """When the delivery was created."""


class DeliveryAttempt(Object):
    """One request to the receiver.

    Fields: at, status, duration_ms, body, error.
    """

    at: str
    """When the request was sent."""
    status: int | None
    """The HTTP status of the response. Null if there was no response."""
    duration_ms: int | None
    """How long it took, in milliseconds. Null while it runs."""
    body: str | None
    error: DeliveryError | None
    """Why there is no usable response. `interrupted` if the attempt still runs, or if its end is unknown. Null with a
    usable response.
    """


DeliveryError: TypeAlias = Literal["name_not_found", "address_not_allowed", "connection_failed", "tls_failed", "timeout", "redirect", "invalid_response", "interrupted"]
"""Why an attempt led to no usable response."""


DeliveryStatus: TypeAlias = Literal["pending", "succeeded", "failed"]
"""Whether the receiver has the event: `pending` while attempts are left."""


class DeployedAvatar(Object):
    """An avatar in a deployment.

    Fields: avatar_id, version.
    """

    avatar_id: str
    """The id of the avatar."""
    version: int
    """The version of the avatar, which increases by one with each change."""


class Deployment(Object):
    """A snapshot of a project's avatars and knowledge.

    Fields: id, environment, git, reason, phase, avatars, knowledge_index_version, config_hash, promoted_from,
    created_at, created_by, promoted_at.
    """

    id: str
    """The id of the deployment."""
    environment: str
    """The name of the environment. The first deployment to it creates it."""
    git: GitCommit | None
    """The deployed commit. Null if the request had no commit."""
    reason: str | None
    """The reason, for people. Null if not set."""
    phase: DeploymentPhase
    """Whether the deployment is served: `staged` until it is promoted, `current` while it is served, `superseded`
    when another deployment has replaced it.
    """
    avatars: list[DeployedAvatar]
    """The frozen versions, sorted by avatar id."""
    knowledge_index_version: str | None
    """The index that was published at that time; null if no index was published."""
    config_hash: str
    """SHA-256 of the content. Deployments with equal content have equal hashes."""
    promoted_from: str | None
    """The deployment of another environment whose avatars, index and commit it has. Null if it was made from the
    project.
    """
    created_at: str
    """When the deployment was created."""
    created_by: str
    """The credential that deployed it."""
    promoted_at: str | None
    """When it last became current. Null if it was never promoted."""


class DeploymentChange(Object):
    """An avatar or a document that differs in two deployments.

    Fields: kind, id, name, change, from_, to, fields, paths.
    """

    kind: Literal["avatar", "document"] | str
    """The kind of the changed resource. Values: `avatar`, `document`. More may be added."""
    id: str
    """The id of the avatar or the document."""
    name: str | None
    """The name of the avatar, or the title of the document, in the newer content that has it. Null for a document if
    the credential lacks `knowledge:read`.
    """
    change: Literal["added", "changed", "removed"]
    """The difference."""
    from_: int | None
    """The version of the avatar in `since`. Null for an added avatar, and for documents."""
    to: int | None
    """The version of the avatar in the deployment. Null for a removed avatar, and for documents."""
    fields: list[str]
    paths: list[str]


class DeploymentCreatedEvent(Object):
    """A deployment was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["deployment.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Deployment | RemovedResource
    """The resource, or only its id if it is gone."""


DeploymentPhase: TypeAlias = Literal["staged", "current", "superseded"]
"""Whether the deployment is served: `staged` until it is promoted, `current` while it is served, `superseded` when
another deployment has replaced it.
"""


class DeploymentPromotedEvent(Object):
    """A deployment was promoted: its environment serves it.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["deployment.promoted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Deployment | RemovedResource
    """The resource, or only its id if it is gone."""


class DeploymentRolledBackEvent(Object):
    """An environment was rolled back to a deployment: it serves it again.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["deployment.rolled_back"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Deployment | RemovedResource
    """The resource, or only its id if it is gone."""


class DeploymentSource(TypedDict):
    """What is promoted: a deployment, or the current deployment of an environment.

    Fields: deployment_id (optional), environment (optional).
    """

    deployment_id: NotRequired[str]
    """This deployment."""
    environment: NotRequired[str]
    """The current deployment of this environment, in place of `deployment_id`."""


class DeploymentUpdatedEvent(Object):
    """A deployment was superseded, or serves another index because a document was expunged.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["deployment.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Deployment | RemovedResource
    """The resource, or only its id if it is gone."""


class DeploymentWarning(Object):
    """Stored documents that the deployment does not include or that were read in part, avatars whose tags match no
    document, or a deployment without avatars and index.

    Fields: code, message, count, documents.
    """

    code: Literal["nothing_to_deploy", "documents_pending", "documents_failed", "documents_read_in_part", "knowledge_tags_unmatched"] | str
    message: str
    """The warning, for people."""
    count: int
    """The number of documents, or of avatars. 0 for `nothing_to_deploy`."""
    documents: list[WarnedDocument]
    """The first five of these documents. Empty if the warning is about something else."""


DetectedLanguage: TypeAlias = Literal["am", "ar", "az", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "gu", "he", "hi", "hr", "hu", "hy", "is", "it", "ja", "ka", "kn", "ko", "ku", "lo", "lt", "lv", "ml", "mr", "ms", "nl", "no", "or", "pa", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "ta", "te", "th", "tl", "tr", "uk", "ur", "vi", "yo", "zh"]
"""A language (ISO 639-1)."""


DisabledReason: TypeAlias = "Literal['requested', 'gone', 'failing', 'key_revoked', 'restored'] | str"
"""Why nothing is sent. Values: `requested`, `gone`, `failing`, `key_revoked`, `restored`. More may be added."""


class DocumentContent(Object):
    """The content of a document, or a part of it. `bytes` and `content_sha256` are of the whole content.

    Fields: content, mime_type, bytes, content_sha256, next_cursor.
    """

    content: str
    """The content, or a part of it: at most 200 KB in UTF-8."""
    mime_type: MimeType
    """The format of the content."""
    bytes: int
    """The size of the content in UTF-8."""
    content_sha256: str
    """The SHA-256 of the content in UTF-8, in hexadecimal."""
    next_cursor: str | None
    """Send it as `cursor` to get the next part. Null with the last part."""


class DocumentCreatedEvent(Object):
    """A knowledge document was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["document.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeDocument | RemovedResource
    """The resource, or only its id if it is gone."""


class DocumentDeletedEvent(Object):
    """A knowledge document was deleted.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["document.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeDocument | RemovedResource
    """The resource, or only its id if it is gone."""


class DocumentExportFilters(TypedDict):
    """Which documents to export.

    Fields: status (optional), tag (optional), source (optional), updated_from (optional).
    """

    status: NotRequired[DocumentStatus]
    """Only documents with this status."""
    tag: NotRequired[str]
    """Only documents with this tag. Not blank, without control characters."""
    source: NotRequired[str]
    """Only documents with exactly this source. Not blank, without control characters."""
    updated_from: NotRequired[str | datetime]
    """Only documents changed at this time or later."""


class DocumentProblem(Object):
    """A document that was not indexed completely, and why.

    Fields: document_id, code, message.
    """

    document_id: str
    """The id of the document."""
    code: str
    """The problem, as a code for programs."""
    message: str
    """The problem, as a text for people."""


DocumentStatus: TypeAlias = Literal["pending", "indexed", "failed"]
"""Whether the index includes the latest version of the document. `pending` until it does, or until that has failed."""


class DocumentUpdatedEvent(Object):
    """A knowledge document was changed.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["document.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeDocument | RemovedResource
    """The resource, or only its id if it is gone."""


class Download(Object):
    """A file for callers of the API: the command line, or a client.

    Fields: file, kind, version, bytes, sha256, url, install.
    """

    file: str
    """The name, with the version and the commit. A file never changes."""
    kind: Literal["cli", "typescript", "python"]
    """The command line (`cli`), or a client."""
    version: str
    """The version."""
    bytes: int
    """The size."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""
    url: str
    """The address of the file."""
    install: str
    """The command that installs the file."""


class Environment(Object):
    """A named environment, which serves one deployment at a time.

    Fields: name, current, previous, pinned, rollback, created_at, updated_at.
    """

    name: str
    """The name of the environment. The first deployment to it creates it."""
    current: str | None
    """The deployment that the environment serves. Null before the first promotion."""
    previous: str | None
    """The deployment that a rollback returns to. Null if there is no such deployment."""
    pinned: bool
    """Whether new deployments stay staged. True from a rollback until the next promotion."""
    rollback: Rollback | None
    """The rollback that pinned the environment. Null if it is not pinned."""
    created_at: str
    """When the environment was created."""
    updated_at: str
    """When the environment was last changed."""


class EnvironmentCandidate(Object):
    """The deployment that a part of the units gets.

    Fields: deployment_id, config_hash.
    """

    deployment_id: str
    """The id of the deployment."""
    config_hash: str
    """SHA-256 of the content. Deployments with equal content have equal hashes."""


class EnvironmentConfig(Object):
    """What a deployment has frozen: everything that a runtime needs.

    Fields: environment, deployment_id, config_hash, knowledge_index_version, avatars, rollout.
    """

    environment: str
    """The name of the environment. The first deployment to it creates it."""
    deployment_id: str
    """The id of the deployment: of the environment, its current deployment, or the candidate if the unit has it."""
    config_hash: str
    """SHA-256 of the content. Deployments with equal content have equal hashes."""
    knowledge_index_version: str | None
    """The index that was published at that time; null if no index was published."""
    avatars: list[FrozenAvatar]
    """The avatars, sorted by id."""
    rollout: EnvironmentRollout | None
    """The rollout of the environment. Null if there is none, and in the configuration of a deployment."""


class EnvironmentCreatedEvent(Object):
    """An environment got its first deployment.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["environment.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Environment | RemovedResource
    """The resource, or only its id if it is gone."""


class EnvironmentDeletedEvent(Object):
    """An environment was deleted: it serves nothing any more.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["environment.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Environment | RemovedResource
    """The resource, or only its id if it is gone."""


class EnvironmentRollout(Object):
    """A rollout that has not ended.

    Fields: id, percent, span, candidate, variant, assignment.
    """

    id: str
    """The id of the rollout."""
    percent: float
    """The share of the units that get the candidate, in percent."""
    span: int
    """The number of the span of this percent in the rollout, from 1."""
    candidate: EnvironmentCandidate
    """The deployment that a part of the units gets."""
    variant: RolloutVariant
    """What the unit gets. Missing without `unit`."""
    assignment: str
    """What a conversation of the unit is created with: `<rollout id>.<span>.<variant>.<16 hex digits>`. Missing
    without `unit`.
    """


class EnvironmentUpdatedEvent(Object):
    """An environment serves another deployment, or was pinned or unpinned.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["environment.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Environment | RemovedResource
    """The resource, or only its id if it is gone."""


class EraseResult(Object):
    """The result of `conversations.erase`.

    Fields: erased, purged, external_user_id_sha256.
    """

    erased: int
    """The number of erased conversations."""
    purged: int
    """The number of erased conversations whose data is removed. Equals `erased`."""
    external_user_id_sha256: str


class ErasedConversation(Object):
    """The remaining data of an erased conversation.

    Fields: id, status, erased_at, purged_at.
    """

    id: str
    """The id of the conversation."""
    status: Literal["erased"]
    """Always `erased`."""
    erased_at: str
    """When it was erased."""
    purged_at: str | None
    """When the last stored data was removed: messages, search index, statistics, and stored responses. Null until
    then.
    """


class EvaluateResult(Object):
    """The result of `conversations.evaluate`.

    Fields: conversations, evaluated, unchanged, unknown, failed, calls, input_tokens, output_tokens, cost_usd,
    stopped_because, preview.
    """

    conversations: int
    """The number of conversations that match the filter, and are done."""
    evaluated: int
    """The number of scores that were stored. A preview counts those that it has, and a dry run those that a run would
    store.
    """
    unchanged: int
    """The number of scores that were stored before, by the same versions about the same messages."""
    unknown: int
    """The number of these stored scores without a value, because the model has given none."""
    failed: int
    """The number of scores that are missing, because the model did not answer. Another run gives them."""
    calls: int
    """The number of calls of models."""
    input_tokens: int
    """The tokens that the models have read."""
    output_tokens: int
    """The tokens that the models have written."""
    cost_usd: float
    stopped_because: EvaluationStopReason | None
    preview: list[PreviewedConversation] | None
    """The conversations of a preview with their scores, newest first. Null an hour after they were evaluated. Only
    `GET …/jobs/{job_id}` has it.
    """


class Evaluation(Object):
    """How well an index version answers questions.

    Fields: index_version, mode, ndcg_at10, recall_at5, mrr, answer_in5, answer_in10, questions.
    """

    index_version: str
    """The index version that was searched."""
    mode: Literal["hybrid", "lexical"] | str
    """How the index was searched: `hybrid` if the meaning of at least one question was compared. Values: `hybrid`,
    `lexical`. More may be added.
    """
    ndcg_at10: float
    """The mean of `ndcg_at10` of the questions."""
    recall_at5: float
    """The mean of `recall_at5` of the questions."""
    mrr: float
    """The mean of `mrr` of the questions."""
    answer_in5: float | None
    """The share of the questions with a passage whose passage is in the text of the first five pieces. Null if no
    question names one.
    """
    answer_in10: float | None
    """The same for the first ten pieces."""
    questions: list[QuestionEvaluation]
    """The questions, in the order of the request."""


class EvaluationFilter(TypedDict):
    """Which conversations to evaluate. Empty for all that are no tests.

    Fields: avatar_id (optional), external_user_id (optional), deployment_id (optional), channel (optional), tag
    (optional), status (optional), test (optional), scores (optional), started_from (optional), started_before
    (optional).
    """

    avatar_id: NotRequired[str]
    """Only conversations with this avatar."""
    external_user_id: NotRequired[str]
    """Only conversations with this user. Not blank, without control characters."""
    deployment_id: NotRequired[str]
    """Only conversations with this deployment."""
    channel: NotRequired[str]
    """Only conversations on this channel. Not blank, without control characters."""
    tag: NotRequired[str]
    """Only conversations with this tag. Not blank, without control characters."""
    status: NotRequired[ConversationStatus]
    """Only conversations with this status."""
    test: NotRequired[bool]
    """Whether to evaluate test conversations instead of the others. Default: false."""
    scores: NotRequired[Sequence[str]]
    started_from: NotRequired[str | datetime]
    """Only conversations started at this time or later."""
    started_before: NotRequired[str | datetime]
    """Only conversations started before this time."""


class EvaluationQuestion(TypedDict):
    """A question, and the documents that answer it.

    Fields: q, expect.
    """

    q: str
    """What a user would ask. Not blank, without control characters."""
    expect: Sequence[ExpectedDocument]
    """The documents that answer the question."""


EvaluationStopReason: TypeAlias = "Literal['max_cost_usd', 'model_cost_quota'] | str"
"""Why a run stopped before its end. Values: `max_cost_usd`, `model_cost_quota`. More may be added."""


class Evaluator(Object):
    """A way to score conversations.

    Fields: id, name, kind, output, description, rule, model, applies_to, status, paused, paused_reason, version,
    created_at, updated_at, created_by, set_by.
    """

    id: str
    """The id of the evaluator."""
    name: str
    """The name of the evaluator and of its scores, unique in the project."""
    kind: EvaluatorKind
    """Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them
    (`external`).
    """
    output: ScoreOutput
    """Which values the scores have: true or false, numbers, categories, texts, or objects."""
    description: str | None
    """What it is about. Null for nothing."""
    rule: EvaluatorRule | None
    """Null unless `kind` is `rule`."""
    model: EvaluatorModel | None
    """Null unless `kind` is `model`."""
    applies_to: EvaluatorScope
    """The conversations that it is for. All given values must be equal. Empty for all."""
    status: EvaluatorStatus
    """Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs."""
    paused: bool
    """Whether it scores no conversations, in spite of its status."""
    paused_reason: EvaluatorPausedReason | None
    version: int
    """The version of the evaluator, which increases by one with each change."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    created_by: str
    """The credential that created it."""
    set_by: str
    """The credential on whose behalf it scores conversations by itself: the last one that has set its rule, its
    model, `applies_to`, `status` or `paused`.
    """


class EvaluatorCreatedEvent(Object):
    """An evaluator was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["evaluator.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Evaluator | RemovedResource
    """The resource, or only its id if it is gone."""


class EvaluatorDraft(TypedDict):
    """An evaluator that is not stored.

    Fields: kind, output (optional), rule (optional), model (optional).
    """

    kind: EvaluatorDraftKind
    """Where its scores come from."""
    output: NotRequired[ScoreOutputParam]
    """The values of its scores. Required, except for a rule: its output is boolean."""
    rule: NotRequired[EvaluatorRuleParam | None]
    """Required for a `rule`."""
    model: NotRequired[EvaluatorModelInput | None]
    """Required for a `model`."""


EvaluatorDraftKind: TypeAlias = Literal["rule", "model"]
"""Where its scores come from."""


EvaluatorKind: TypeAlias = Literal["rule", "model", "external"]
"""Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them
(`external`).
"""


class EvaluatorModel(Object):
    """The model that gives the score, and its question.

    Fields: model_id, prompt, temperature.
    """

    model_id: str
    """The model: one of the models that the service lists."""
    prompt: str
    """The question to the model. The service adds the transcript and the form of the answer."""
    temperature: float | None
    """The temperature of the model. Null for the default of the model."""


class EvaluatorModelInput(TypedDict):
    """A model to give the score, and its question.

    Fields: model_id, prompt, temperature (optional).
    """

    model_id: str
    """The model: one of the models that the service lists."""
    prompt: str
    """The question to the model. The service adds the transcript and the form of the answer."""
    temperature: NotRequired[float | None]
    """The temperature of the model. Null for the default of the model."""


EvaluatorPausedReason: TypeAlias = "Literal['requested', 'key_revoked', 'restored'] | str"
"""Why an evaluator is paused. Values: `requested`, `key_revoked`, `restored`. More may be added."""


class EvaluatorRule(Object):
    """A condition, or a combination of conditions: exactly one field.

    Fields: all, any, not_, contains, matches, messages, duration_seconds, first_answer_seconds,
    longest_gap_seconds, unanswered_question, citations, repeated_answer, language.
    """

    all: list[EvaluatorRule]
    """All of these hold."""
    any: list[EvaluatorRule]
    """At least one of these holds."""
    not_: EvaluatorRule
    """This does not hold."""
    contains: RuleContains
    """A message contains this text, in any case (`sorry`, `Sorry`)."""
    matches: RuleMatches
    """The text of a message matches this regular expression, in the [syntax of
    RE2](https://github.com/google/re2/wiki/Syntax).
    """
    messages: RuleMessages
    """The number of messages."""
    duration_seconds: RuleComparison
    """The seconds from the start to the end, or to the last message."""
    first_answer_seconds: RuleComparison
    """The seconds from the first message of the user to the first answer of the avatar. Without an answer it does not
    hold.
    """
    longest_gap_seconds: RuleComparison
    """The seconds of the longest pause between a message and the next. 0 if there is none."""
    unanswered_question: bool
    """Whether no message of the avatar follows the last message of the user."""
    citations: bool
    """Whether an answer of the avatar cites a document."""
    repeated_answer: bool
    """Whether the avatar gave the same answer twice."""
    language: DetectedLanguage
    """The user writes in this language. It does not hold if their messages are too short to tell."""


class EvaluatorRuleParam(TypedDict):
    """A condition, or a combination of conditions: exactly one field.

    Fields: all (optional), any (optional), not_ (optional), contains (optional), matches (optional), messages
    (optional), duration_seconds (optional), first_answer_seconds (optional), longest_gap_seconds (optional),
    unanswered_question (optional), citations (optional), repeated_answer (optional), language (optional).
    """

    all: NotRequired[Sequence[EvaluatorRuleParam]]
    """All of these hold."""
    any: NotRequired[Sequence[EvaluatorRuleParam]]
    """At least one of these holds."""
    not_: NotRequired[EvaluatorRuleParam]
    """This does not hold."""
    contains: NotRequired[RuleContainsParam]
    """A message contains this text, in any case (`sorry`, `Sorry`)."""
    matches: NotRequired[RuleMatchesParam]
    """The text of a message matches this regular expression, in the [syntax of
    RE2](https://github.com/google/re2/wiki/Syntax).
    """
    messages: NotRequired[RuleMessagesParam]
    """The number of messages."""
    duration_seconds: NotRequired[RuleComparisonParam]
    """The seconds from the start to the end, or to the last message."""
    first_answer_seconds: NotRequired[RuleComparisonParam]
    """The seconds from the first message of the user to the first answer of the avatar. Without an answer it does not
    hold.
    """
    longest_gap_seconds: NotRequired[RuleComparisonParam]
    """The seconds of the longest pause between a message and the next. 0 if there is none."""
    unanswered_question: NotRequired[bool]
    """Whether no message of the avatar follows the last message of the user."""
    citations: NotRequired[bool]
    """Whether an answer of the avatar cites a document."""
    repeated_answer: NotRequired[bool]
    """Whether the avatar gave the same answer twice."""
    language: NotRequired[DetectedLanguage]
    """The user writes in this language. It does not hold if their messages are too short to tell."""


class EvaluatorScope(Object):
    """The conversations that it is for. All given values must be equal. Empty for all.

    Fields: avatar_id, deployment_id, channel, tag.
    """

    avatar_id: str
    """Only conversations with this avatar."""
    deployment_id: str
    """Only conversations with this deployment."""
    channel: str
    """Only conversations on this channel. Not blank, without control characters."""
    tag: str
    """Only conversations with this tag. Not blank, without control characters."""


class EvaluatorScopeParam(TypedDict):
    """The conversations that it is for. All given values must be equal. Empty for all.

    Fields: avatar_id (optional), deployment_id (optional), channel (optional), tag (optional).
    """

    avatar_id: NotRequired[str]
    """Only conversations with this avatar."""
    deployment_id: NotRequired[str]
    """Only conversations with this deployment."""
    channel: NotRequired[str]
    """Only conversations on this channel. Not blank, without control characters."""
    tag: NotRequired[str]
    """Only conversations with this tag. Not blank, without control characters."""


EvaluatorStatus: TypeAlias = Literal["active", "archived"]
"""Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs."""


class EvaluatorUpdatedEvent(Object):
    """An evaluator has a new version.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["evaluator.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Evaluator | RemovedResource
    """The resource, or only its id if it is gone."""


class EvaluatorVersion(Object):
    """An evaluator as it was after one change. Versions never change.

    Fields: evaluator_id, version, name, kind, output, description, rule, model, applies_to, status, paused,
    created_at, created_by.
    """

    evaluator_id: str
    """The id of the evaluator."""
    version: int
    """The version of the evaluator, which increases by one with each change."""
    name: str
    """The name of the evaluator and of its scores, unique in the project."""
    kind: EvaluatorKind
    """Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them
    (`external`).
    """
    output: ScoreOutput
    """Which values the scores have: true or false, numbers, categories, texts, or objects."""
    description: str | None
    """What it is about. Null for nothing."""
    rule: EvaluatorRule | None
    """Null unless `kind` is `rule`."""
    model: EvaluatorModel | None
    """Null unless `kind` is `model`."""
    applies_to: EvaluatorScope
    """The conversations that it is for. All given values must be equal. Empty for all."""
    status: EvaluatorStatus
    """Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs."""
    paused: bool
    """Whether it scores no conversations, in spite of its status."""
    created_at: str
    """When the version was created."""
    created_by: str
    """The credential that made this change, or `worker:` and the name of the worker that has paused it."""


EventsListType: TypeAlias = Literal["project.created", "project.updated", "project.deleted", "project.restored", "project.purged", "api_key.created", "api_key.updated", "api_key.rotated", "api_key.expiring", "api_key.expired", "api_key.revoked", "workload_identity.created", "workload_identity.updated", "workload_identity.deleted", "avatar.created", "avatar.updated", "avatar.deleted", "document.created", "document.updated", "document.deleted", "source.created", "source.updated", "source.refreshed", "source.failed", "source.deleted", "job.created", "job.started", "job.succeeded", "job.failed", "job.cancelled", "deployment.created", "deployment.promoted", "deployment.rolled_back", "deployment.updated", "environment.created", "environment.updated", "environment.deleted", "rollout.started", "rollout.advanced", "rollout.waiting", "rollout.paused", "rollout.resumed", "rollout.completed", "rollout.aborted", "rollout.rolled_back", "conversation.started", "conversation.updated", "conversation.ended", "conversation.scored", "conversation.deleted", "conversation.erased", "evaluator.created", "evaluator.updated", "webhook.created", "webhook.updated", "webhook.rotated", "webhook.disabled", "webhook.deleted", "project.*", "api_key.*", "workload_identity.*", "avatar.*", "document.*", "source.*", "job.*", "deployment.*", "environment.*", "rollout.*", "conversation.*", "evaluator.*", "webhook.*"]


class ExpectedDocument(TypedDict):
    """A document that answers the question: `document_id`, or `external_id` with its `source`. Name it several times
    if several of its passages answer the question.

    Fields: document_id (optional), source (optional), external_id (optional), grade (optional), contains
    (optional).
    """

    document_id: NotRequired[str]
    """The id of the document."""
    source: NotRequired[str | None]
    """The source of the document. Without `source`, a document without a source is meant."""
    external_id: NotRequired[str]
    """Your own id of the document, in place of `document_id`. Not blank, without control characters."""
    grade: NotRequired[int]
    """How well the document answers the question, compared with the others. It counts 2^grade - 1 in `ndcg_at10`. The
    other measures do not use it.
    """
    contains: NotRequired[str]
    """The passage of the document that has the answer. Letter case and white space do not count."""


class ExpectedRank(Object):
    """Where an expected document was found.

    Fields: document_id, grade, rank, passage_rank, missing.
    """

    document_id: str | None
    """The id of the document. Null if no document has the `external_id` in this source."""
    grade: int
    """Its grade."""
    rank: int | None
    """Its rank from 1 to 10. Null if it is not among the first ten."""
    passage_rank: int | None
    """The rank, from 1 to 10, of the first piece of this document that has the passage. Null if no piece among the
    first ten has it, and without `contains`.
    """
    missing: bool


class Export(Object):
    """An export with links to its files.

    Fields: id, what, format, status, counts, parts, error, created_at, expires_at.
    """

    id: str
    """The id of the export. It is also the id of its job."""
    what: ExportContent
    """The content of the export."""
    format: Literal["jsonl"]
    """JSON lines."""
    status: JobStatus
    """The status of its job."""
    counts: ExportCounts
    """The number of exported items so far."""
    parts: list[ExportPart]
    """The complete files, in order, also while the job runs. Each is JSON lines, compressed with gzip; together they
    have each record once.
    """
    error: Failure | None
    """Why it failed. Null unless `status` is `failed`."""
    created_at: str
    """When the export was requested."""
    expires_at: str | None
    """The time at which the first file is deleted. Null while there is no file."""


ExportContent: TypeAlias = Literal["conversations", "documents", "audit"]
"""The content of the export."""


class ExportCounts(Object):
    """The number of exported items so far.

    Fields: records, parts, bytes.
    """

    records: int
    """The number of conversations, documents or events in its parts, also in those that were removed."""
    parts: int
    """The number of complete files."""
    bytes: int
    """The size of the compressed files."""


class ExportPart(Object):
    """A file of an export.

    Fields: number, status, removed_because, url, link_expires_at, records, bytes, expires_at.
    """

    number: int
    """The number of the part: 1, 2, 3, without gaps."""
    status: Literal["ready", "removed", "expired"]
    """Whether the file can be downloaded. `removed`: it was deleted before its time, see `removed_because`."""
    removed_because: Literal["conversation_erased", "document_deleted", "retention_shortened"] | None
    url: str | None
    """Where to download the file, without a credential. Null unless `status` is `ready`. Each request for the export
    returns new links.
    """
    link_expires_at: str | None
    """Until when `url` works: 15 minutes. Null without a `url`."""
    records: int
    """The number of conversations, documents or events that begin in this part."""
    bytes: int
    """The size of the compressed file."""
    expires_at: str
    """When the file is deleted: within a day."""


class ExportResult(Object):
    """The result of an export.

    Fields: records, parts, bytes.
    """

    records: int
    """The number of exported conversations, documents or events."""
    parts: int
    """The number of files."""
    bytes: int
    """The size of the files, compressed."""


class ExpungeResult(Object):
    """The result of `knowledge.expunge`.

    Fields: expunged, replaced_versions, environments.
    """

    expunged: int
    """The number of expunged documents: all that were requested before the job started."""
    replaced_versions: int
    """The number of index versions that were replaced."""
    environments: list[str]
    """The changed environments: they serve a new `knowledge_index_version` and have a new `config_hash`. At most 1000
    are listed.
    """


Extraction: TypeAlias = Literal["pending", "done", "failed"]
"""Whether the text of a file has become the content of the document."""


class ExtractionNote(Object):
    """Something of a file or a page that was left out or changed when it was read.

    Fields: code, count, pages.
    """

    code: ExtractionNoteCode
    count: int
    """How many: comments, pages, characters."""
    pages: list[int]
    """The first 20 of these pages, from 1. Omitted if the format has no pages."""


ExtractionNoteCode: TypeAlias = "Literal['attachments_left_out', 'characters_replaced', 'comments_left_out', 'encoding_assumed', 'pages_without_text', 'pictures_without_text', 'text_left_out', 'truncated_file'] | str"
"""What was left out or changed: attachments of a mail, comments, pages without a text, pictures without a text (all
not read), wrong bytes (`characters_replaced`), an encoding that nothing states (`encoding_assumed`), parts of HTML
beside its content, such as `<nav>` (`text_left_out`), or the end of a file (`truncated_file`). Values:
`attachments_left_out`, `characters_replaced`, `comments_left_out`, `encoding_assumed`, `pages_without_text`,
`pictures_without_text`, `text_left_out`, `truncated_file`. More may be added.
"""


class Failure(Object):
    """Why something failed.

    Fields: code, message.
    """

    code: str
    """Why it failed, for programs."""
    message: str
    """Why it failed, for people."""


class FoundDocument(Object):
    """A document that was found.

    Fields: document_id, title, score, grade.
    """

    document_id: str
    """The id of the document."""
    title: str
    """The title of the document."""
    score: float
    """The score of its best piece. Scores are comparable only within one question."""
    grade: int | None
    """Its grade if it was expected, otherwise null."""


class FrozenAvatar(Object):
    """An avatar as it is served.

    Fields: id, version, name, persona, voice, image_url, knowledge_tags, model, runtime, metadata.
    """

    id: str
    """The id of the avatar."""
    version: int
    """The version of the avatar, which increases by one with each change."""
    name: str
    """A display name. Not blank, without control characters."""
    persona: Persona
    """Who the avatar is and how it speaks."""
    voice: Voice | None
    """The voice of the avatar. Null if not set."""
    image_url: str | None
    """The https address of its image. Null if not set."""
    knowledge_tags: list[str]
    """The avatar knows the documents that have at least one of these tags."""
    model: AvatarModel
    """The model that answers for the avatar. Missing if the avatar has none."""
    runtime: Any
    """JSON for your own runtime. Missing if the avatar has none."""
    metadata: Metadata


class GitCommit(Object):
    """The deployed commit.

    Fields: sha, ref.
    """

    sha: str
    """The commit hash, in lower case."""
    ref: str
    """The branch or tag. Not blank, without control characters."""


class GitCommitInput(TypedDict):
    """The commit to deploy.

    Fields: sha, ref.
    """

    sha: str
    """The commit hash: its first 7 digits or more."""
    ref: str
    """The branch or tag. Not blank, without control characters."""


GuardDirection: TypeAlias = Literal["higher", "lower"]
"""Which values are better."""


GuardVerdict: TypeAlias = Literal["passed", "breached", "undecided"]
"""`breached`: the whole confidence sequence says that the candidate is worse by more than `max_harm`. `passed`:
enough units have values, few have none, and it is not breached. `undecided` otherwise.
"""


class HealthStatus(Object):
    """The state of the service.

    Fields: status, version, commit, database.
    """

    status: Literal["ok"]
    """Whether the service responds."""
    version: str
    """The version of the service."""
    commit: str
    """The git commit that was deployed, with `-dirty` if files differed from it. `unknown` if there was no git."""
    database: Literal["ok"]
    """Whether the database responds."""


IdentityClaims: TypeAlias = "Map[str | float | bool]"
"""Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use
ids, such as `repository_id`: a name can belong to somebody else later.
"""


IdentityClaimsParam: TypeAlias = "Mapping[str, str | float | bool]"
"""Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use
ids, such as `repository_id`: a name can belong to somebody else later.
"""


class ImportError(Object):
    """A line that was not imported.

    Fields: line, code, message.
    """

    line: int
    """The number of the line, from 1."""
    code: str
    """Why it was not, for programs."""
    message: str
    """Why it was not, for people."""


ImportOutcome: TypeAlias = Literal["created", "unchanged"]
"""The effect of the request. `unchanged` means that the conversation was stored before, perhaps by an earlier
attempt.
"""


class ImportResult(Object):
    """The result of `conversations.import`.

    Fields: created, unchanged, failed, errors.
    """

    created: int
    """The number of conversations that were stored."""
    unchanged: int
    """The number of conversations that were stored before, with the same content."""
    failed: int
    """The number of lines of which nothing was stored."""
    errors: list[ImportError]
    """Why lines failed. The first 100 are listed."""


class ImportedConversation(TypedDict):
    """A conversation with its messages, as it is imported.

    Fields: avatar_id, external_user_id (optional), channel (optional), tags (optional), metadata (optional),
    deployment_id (optional), test (optional), started_at, ended_at (optional), end_reason (optional), external_id,
    messages.
    """

    avatar_id: str
    """The id of the avatar that the conversation is with."""
    external_user_id: NotRequired[str | None]
    """Your own id of the user. Not blank, without control characters. Null if not set."""
    channel: NotRequired[str | None]
    """Where it takes place, such as `web`. Not blank, without control characters. Null if not set."""
    tags: NotRequired[Sequence[str]]
    """Labels to filter by."""
    metadata: NotRequired[MetadataParam]
    deployment_id: NotRequired[str | None]
    """The id of the deployment that the avatar runs in. Null for no deployment."""
    test: NotRequired[bool]
    """Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave out. Fixed when
    it is created.
    """
    started_at: str | datetime
    """When it started. At most 5 minutes in the future. In 1970 or later."""
    ended_at: NotRequired[str | datetime | None]
    """When it ended: not before its start or its last message. Without it, or with null, the conversation is active,
    and times out after the import.
    """
    end_reason: NotRequired[str | None]
    """Why it ended. Default: `completed`. Only with `ended_at`."""
    external_id: str
    """Your own id of the conversation, unique in the project. No personal data: logs contain paths. Not blank,
    without control characters.
    """
    messages: Sequence[ImportedMessage]
    """Its messages, in order. Each `client_message_id` is unique. Their times need no order, and may be before the
    start.
    """


class ImportedConversationResult(Object):
    """The result for one conversation.

    Fields: index, id, outcome.
    """

    index: int
    """The place of the conversation in the request, from 0."""
    id: str
    """The id of the conversation."""
    outcome: ImportOutcome
    """The effect of the request. `unchanged` means that the conversation was stored before, perhaps by an earlier
    attempt.
    """


class ImportedConversations(Object):
    """One result per conversation, in the order of the request.

    Fields: results.
    """

    results: list[ImportedConversationResult]
    """The result for each conversation."""


class ImportedMessage(TypedDict):
    """A message, as it is imported.

    Fields: role, text, at, client_message_id (optional), citations (optional), metadata (optional).
    """

    role: MessageRole
    """Who said it."""
    text: str
    """The text of the message: at most 16 KB of UTF-8."""
    at: str | datetime
    """When it was said. At most 5 minutes in the future. In 1970 or later."""
    client_message_id: NotRequired[str | None]
    citations: NotRequired[Sequence[CitationInput]]
    """The documents that the message is based on."""
    metadata: NotRequired[MessageMetadataParam]
    """Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together."""


class Job(Object):
    """Background work, such as re-indexing.

    Fields: id, type, status, progress, failures, warnings, result, error, created_at, created_by, started_at,
    finished_at, environments, deadline_at.
    """

    id: str
    """The id of the job."""
    type: JobType | str
    status: JobStatus
    """The state of a job. `succeeded`, `failed` and `cancelled` are final."""
    progress: JobProgress
    """How much of the work is done."""
    failures: list[DocumentProblem]
    """The documents that failed, and why. At most 100 are listed."""
    warnings: list[DocumentProblem]
    result: EvaluateResult | ReindexResult | RefreshResult | RemoveSourceResult | ExpungeResult | EraseResult | ConversationsReindexResult | ExportResult | ImportResult | None
    """The result. Null unless `status` is `succeeded`. Its fields depend on `type`."""
    error: Failure | None
    created_at: str
    """When the job was requested."""
    created_by: str
    """The credential that requested it."""
    started_at: str | None
    """When it started. Null before."""
    finished_at: str | None
    """When it ended. Null before."""
    environments: list[str]
    deadline_at: str
    """A job that has not ended by this time fails. It is later by the time of a suspension of the organisation."""


class JobCancelledEvent(Object):
    """A job was cancelled.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["job.cancelled"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Job | RemovedResource
    """The resource, or only its id if it is gone."""


class JobCreatedEvent(Object):
    """A job was requested.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["job.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Job | RemovedResource
    """The resource, or only its id if it is gone."""


class JobFailedEvent(Object):
    """A job has failed, or was not done by its deadline.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["job.failed"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Job | RemovedResource
    """The resource, or only its id if it is gone."""


class JobProgress(Object):
    """How much of the work is done.

    Fields: total, done, failed, pieces.
    """

    total: int
    done: int
    """The amount done, including failures."""
    failed: int
    """The number of failures."""
    pieces: PieceProgress
    """The new pieces of documents whose meaning `knowledge.reindex` computes after all documents are read. Omitted
    before, and if there are few.
    """


class JobStartedEvent(Object):
    """A job has started.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["job.started"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Job | RemovedResource
    """The resource, or only its id if it is gone."""


JobStatus: TypeAlias = Literal["queued", "running", "succeeded", "failed", "cancelled"]
"""The state of a job. `succeeded`, `failed` and `cancelled` are final."""


class JobSucceededEvent(Object):
    """A job has succeeded.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["job.succeeded"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Job | RemovedResource
    """The resource, or only its id if it is gone."""


JobType: TypeAlias = Literal["knowledge.reindex", "knowledge.refresh", "knowledge.remove-source", "knowledge.expunge", "conversations.erase", "conversations.reindex", "conversations.evaluate", "conversations.export", "conversations.import", "knowledge.export", "audit.export"]


class KnowledgeDocument(Object):
    """A document of a project, without its content.

    Fields: id, title, source, external_id, url, mime_type, bytes, content_sha256, extraction, extraction_error,
    file_sha256, file_mime_type, extraction_notes, extracted_by, tags, metadata, status, error, ignored,
    index_version, created_at, updated_at, created_by.
    """

    id: str
    """The id of the document."""
    title: str
    """A display name. Not blank, without control characters."""
    source: str | None
    external_id: str | None
    """Your own id of the document: up to 255 characters, unique within its source. Not blank, without control
    characters. Null if not set.
    """
    url: str
    """The address of the page that it comes from. Only for documents of a source."""
    mime_type: MimeType
    """The format of the content."""
    bytes: int | None
    """The size of the content in UTF-8. Null if there is no content, because of the `extraction`."""
    content_sha256: str | None
    """The SHA-256 of the content in UTF-8, in hexadecimal. Null if there is no content."""
    extraction: Extraction | None
    """Whether the text of the file has become the content. Null if the content was not sent as a file."""
    extraction_error: Failure | None
    """Why the file has no text. Null unless `extraction` is `failed`."""
    file_sha256: str | None
    file_mime_type: str | None
    """The media type that was sent with the file. Null if there was none."""
    extraction_notes: list[ExtractionNote]
    """What was left out or changed when the file or the page was read. At most 20."""
    extracted_by: int | None
    tags: list[str]
    """Labels to filter by. Their order does not matter."""
    metadata: Metadata
    status: DocumentStatus
    """Whether the index includes the latest version of the document. `pending` until it does, or until that has
    failed.
    """
    error: Failure | None
    """Why it could not be indexed. Null unless `status` is `failed`."""
    ignored: bool
    """Whether the document is left out of the next indexes and of all warnings. Its `status` stays as it was."""
    index_version: str | None
    """The index version that first included the latest version of the document. Null before."""
    created_at: str
    """When the document was created."""
    updated_at: str
    """When it was last changed. Indexing does not count."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """


class KnowledgeDocumentInput(TypedDict):
    """A complete document.

    Fields: external_id, source (optional), title, tags (optional), metadata (optional), content, mime_type
    (optional).
    """

    external_id: str
    """Your own id of the document: up to 255 characters, unique within its source. Not blank, without control
    characters.
    """
    source: NotRequired[str | None]
    title: str
    """A display name. Not blank, without control characters."""
    tags: NotRequired[Sequence[str]]
    """Labels to filter by. Their order does not matter."""
    metadata: NotRequired[MetadataParam]
    content: str
    """The content: well-formed Unicode, at most 200 KB in UTF-8."""
    mime_type: NotRequired[MimeType]
    """The format of the content."""


KnowledgeDocumentsListExtractionNote: TypeAlias = Literal["attachments_left_out", "characters_replaced", "comments_left_out", "encoding_assumed", "pages_without_text", "pictures_without_text", "text_left_out", "truncated_file"]


class KnowledgeSource(Object):
    """Pages of a website whose content is kept as documents of a project.

    Fields: id, type, url, include, exclude, max_pages, max_depth, tags, refresh, reindex, paused, paused_reason,
    job_id, last_refresh, health, next_refresh_at, created_at, updated_at, created_by, set_by.
    """

    id: str
    """The id of the source."""
    type: KnowledgeSourceType
    url: str
    """Where it starts: an `https://` URL with a public host. It is stored and shown in its normal form:
    `https:Example.com` becomes `https://example.com/`.
    """
    include: list[str]
    exclude: list[str]
    """No pages with these addresses, in the same form."""
    max_pages: int
    """The largest number of pages that a refresh requests."""
    max_depth: int
    """How many links a page may be away from `url`. For sources of type `site`."""
    tags: list[str]
    """The tags of its documents."""
    refresh: str
    """How often it is refreshed: `manual` (only by request), or a whole number of hours, days or weeks, from `1h` to
    `30d`.
    """
    reindex: bool
    """Whether a refresh that has changed documents also requests a re-indexing."""
    paused: bool
    """Whether it is not refreshed."""
    paused_reason: PausedReason | None
    job_id: str | None
    """The last job that refreshes it. Null before the first."""
    last_refresh: LastRefresh | None
    """The last refresh that has ended. Null before the first."""
    health: SourceHealth
    """Whether its pages can be read."""
    next_refresh_at: str | None
    """When it is refreshed next. Null if it is refreshed only by request."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed. A refresh does not count."""
    created_by: str
    """The credential that created it."""
    set_by: str
    """The credential on whose behalf it is refreshed: it has set `url`, `include` or `exclude`, or has ended a pause,
    last.
    """


KnowledgeSourceType: TypeAlias = Literal["url", "sitemap", "feed", "site"]
"""Which pages it has: the page at `url`, the pages in the sitemap or in the feed (RSS or Atom) at `url`, or the pages
that are found by following links from `url`.
"""


KnowledgeSourcesListPagesStatus: TypeAlias = Literal["pending", "stored", "duplicate", "moved", "gone", "noindex", "failed", "excluded"]


class LastRefresh(Object):
    """A refresh that has ended, and what it has done.

    Fields: job_id, status, finished_at, error, pages, requests, created, updated, unchanged, duplicates, moved,
    noindex, removed, failed_pages, unconfirmed, is_limited.
    """

    job_id: str
    """The id of the job."""
    status: RefreshStatus
    """How a refresh has ended."""
    finished_at: str
    """When it ended."""
    error: Failure | None
    """Why it failed. Null unless `status` is `failed`."""
    pages: int
    """The number of pages that were found."""
    requests: int
    """The number of requests that were sent."""
    created: int
    """The number of created documents."""
    updated: int
    """The number of changed documents."""
    unchanged: int
    """The number of pages whose content has not changed."""
    duplicates: int
    """The number of pages with the same content as another page."""
    moved: int
    """The number of pages that redirect to another page, or name it as their own."""
    noindex: int
    """The number of pages that ask to be left out (`noindex`): they have no documents. Refreshes from before this
    count have none.
    """
    removed: int
    """The number of removed documents."""
    failed_pages: int
    """The number of pages that could not be read. Their documents stay."""
    unconfirmed: int
    is_limited: bool


class ListedReply(Object):
    """A reply of an avatar, without its text.

    Fields: id, conversation_id, status, dry_run, input_message_id, retry_of, environment, deployment_id, draft,
    avatar_id, avatar_version, index_version, max_cost_usd, message_id, citations, passages, removed_markers,
    left_out_messages, model, input_tokens, output_tokens, cost_usd, finish_reason, first_text_ms, total_ms, mode,
    failure, created_at, started_at, finished_at, created_by.
    """

    id: str
    """The id of the reply."""
    conversation_id: str
    """The id of the conversation."""
    status: ReplyStatus
    """`unknown`: the model was asked, and its answer was lost. It is not asked again by itself, because it may have
    cost.
    """
    dry_run: bool
    """Whether no model is called."""
    input_message_id: str | None
    """The message of the user that it answers. Null for a dry run."""
    retry_of: str | None
    """The reply whose message it answers again."""
    environment: str | None
    """The environment that the request named."""
    deployment_id: str | None
    """The id of the deployment that answers. Null for a draft."""
    draft: bool
    """Whether the draft answers."""
    avatar_id: str
    """The id of the avatar."""
    avatar_version: int | None
    """The version of the avatar that answers. Null before the start of a draft."""
    index_version: str | None
    """The index version that was searched. Null for none."""
    max_cost_usd: float | None
    """The `max_cost_usd` of the request."""
    message_id: str | None
    """The message with the answer. Null if there is none."""
    citations: list[Citation]
    """The documents that the answer cites."""
    passages: list[ReplyPassage]
    """The passages that the model got, best first."""
    removed_markers: int
    """How many numbers the model has cited that no passage has. They are not in the text."""
    left_out_messages: int
    """How many earlier messages had no room in the request."""
    model: str | None
    """The id of the model."""
    input_tokens: int | None
    """The tokens of the request. Null if unknown."""
    output_tokens: int | None
    """The tokens of the answer. Null if unknown."""
    cost_usd: float | None
    """What it has cost. If this is unknown, the highest cost stays counted. Null before the end."""
    finish_reason: Literal["stop", "length"] | None
    """`length`: the answer was cut off at the limit. Null without an answer."""
    first_text_ms: int | None
    """The milliseconds from the request until the first text."""
    total_ms: int | None
    """The milliseconds from the request until the end."""
    mode: Literal["hybrid", "lexical"] | None
    """How the index was searched. `lexical` if a worker that has just started is still loading the model of meanings.
    Null without an index.
    """
    failure: ReplyFailure | None
    """Why a reply has no answer. Null if not set."""
    created_at: str
    """When it was requested."""
    started_at: str | None
    """When its work began. Null while it is queued."""
    finished_at: str | None
    """When it ended. Null before."""
    created_by: str
    """The credential that requested it."""


class Me(Object):
    """The credential of the request: an API key, a workload identity or an access token.

    Fields: kind, id, subject, organisation_id, organisation_name, mode, scopes, project_ids, environments,
    expires_at.
    """

    kind: Literal["api_key", "workload_identity", "access_token"] | str
    """The kind of the credential. Values: `api_key`, `workload_identity`, `access_token`. More may be added."""
    id: str
    """The id of the API key or of the workload identity, or `sub:` and the subject of the access token."""
    subject: str | None
    """The subject of the token of a workload identity. Null for other credentials."""
    organisation_id: str
    """The id of the organisation."""
    organisation_name: str
    """The name of the organisation."""
    mode: Mode
    """Whether it accesses live or test data. They are separate."""
    scopes: list[Scope]
    """The permissions of the credential."""
    project_ids: list[str] | None
    """The projects that it can access. Null for all."""
    environments: list[str] | None
    """The environments that it can access. Null for all."""
    expires_at: str | None
    """When it ends. After a rotation, the old secret ends at `previous_secret_expires_at` of its key. Null if it does
    not expire.
    """


class Message(Object):
    """A message of a conversation.

    Fields: id, seq, role, text, at, client_message_id, citations, metadata, created_at.
    """

    id: str
    """The id of the message."""
    seq: int
    """The number of the message in the conversation: 1, 2, 3, without gaps."""
    role: MessageRole
    """Who said it."""
    text: str
    """The text of the message: at most 16 KB of UTF-8."""
    at: str
    """When it was said."""
    client_message_id: str | None
    citations: list[Citation]
    """The documents that the message is based on."""
    metadata: MessageMetadata
    """Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together."""
    created_at: str
    """When the message was stored."""


class MessageCountByRole(Object):
    """The number of messages, by who said them.

    Fields: user, avatar, system, tool.
    """

    user: int
    """The number of messages from the user."""
    avatar: int
    """The number of messages from the avatar."""
    system: int
    """The number of messages from the system."""
    tool: int
    """The number of messages from tools."""


class MessageHit(Object):
    """A message that matches the query.

    Fields: conversation_id, message_id, seq, role, at, snippet, matches.
    """

    conversation_id: str
    """The id of the conversation."""
    message_id: str
    """The id of the message."""
    seq: int
    """The number of the message in the conversation."""
    role: MessageRole
    """Who said it."""
    at: str
    """When it was said."""
    snippet: str
    """About 240 characters around the match, on one line. `…` marks omitted text."""
    matches: list[TextSpan]
    """The matches in the snippet, in order. Offsets count UTF-16 code units, as JavaScript and Java do. A phrase is
    one match.
    """


class MessageInput(TypedDict):
    """A message to store.

    Fields: role, text, at (optional), client_message_id (optional), citations (optional), metadata (optional).
    """

    role: MessageRole
    """Who said it."""
    text: str
    """The text of the message: at most 16 KB of UTF-8."""
    at: NotRequired[str | datetime]
    """When it was said. Default: now. At most 5 minutes in the future. In 1970 or later."""
    client_message_id: NotRequired[str | None]
    citations: NotRequired[Sequence[CitationInput]]
    """The documents that the message is based on."""
    metadata: NotRequired[MessageMetadataParam]
    """Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together."""


MessageMetadata: TypeAlias = "Map[str]"
"""Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together."""


MessageMetadataParam: TypeAlias = "Mapping[str, str]"
"""Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together."""


MessageRole: TypeAlias = Literal["user", "avatar", "system", "tool"]
"""Who said it."""


Metadata: TypeAlias = "Map[str]"
"""Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is
accepted if no value has more than 500 characters.
"""


MetadataParam: TypeAlias = "Mapping[str, str]"
"""Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is
accepted if no value has more than 500 characters.
"""


MimeType: TypeAlias = Literal["text/plain", "text/markdown", "text/html"]
"""The format of the content."""


Mode: TypeAlias = Literal["live", "test"]
"""Live or test: their data is separate."""


class Model(Object):
    """A model that the service lists, with its price and its limits.

    Fields: id, provider, input_usd_per_million_tokens, output_usd_per_million_tokens, max_input_tokens,
    max_output_tokens.
    """

    id: str
    """The id by which avatars and evaluators name the model."""
    provider: Literal["bedrock", "chat_completions"] | str
    input_usd_per_million_tokens: float
    """What a million tokens of a request cost, in US dollars."""
    output_usd_per_million_tokens: float
    """What a million tokens of an answer cost, in US dollars."""
    max_input_tokens: int | None
    """The most tokens that a request may have. Null if only a limit of bytes applies."""
    max_output_tokens: int | None
    """The most tokens that an answer may have. Null if only the limit of the request applies."""


class NumberOutput(Object):
    """Numbers from `min` to `max`.

    Fields: type, min, max.
    """

    type: Literal["number"]
    """The type of the values."""
    min: float
    """The lowest value."""
    max: float
    """The highest value, above `min`."""


class NumberOutputParam(TypedDict):
    """Numbers from `min` to `max`.

    Fields: type, min, max.
    """

    type: Literal["number"]
    """The type of the values."""
    min: float
    """The lowest value."""
    max: float
    """The highest value, above `min`."""


class ObjectOutput(Object):
    """Objects that match a schema, up to 16 KB as JSON.

    Fields: type, schema.
    """

    type: Literal["object"]
    """The type of the values."""
    schema: ScoreSchema
    """The schema of the objects: at most 5 levels, 50 nodes, and 4 KB as JSON."""


class ObjectOutputParam(TypedDict):
    """Objects that match a schema, up to 16 KB as JSON.

    Fields: type, schema.
    """

    type: Literal["object"]
    """The type of the values."""
    schema: ScoreSchemaParam
    """The schema of the objects: at most 5 levels, 50 nodes, and 4 KB as JSON."""


PausedReason: TypeAlias = "Literal['requested', 'key_revoked', 'restored'] | str"
"""Why a source is paused. Values: `requested`, `key_revoked`, `restored`. More may be added."""


class Persona(Object):
    """Who the avatar is and how it speaks.

    Fields: prompt, greeting, language.
    """

    prompt: str
    """Instructions for the avatar: who it is and how it behaves."""
    greeting: str | None
    """The first thing that it says; null for nothing."""
    language: str
    """A BCP 47 language tag."""


class PersonaChange(TypedDict):
    """The changes to the character of the avatar and its way of speaking. Other fields keep their values.

    Fields: prompt (optional), greeting (optional), language (optional).
    """

    prompt: NotRequired[str]
    """Instructions for the avatar: who it is and how it behaves."""
    greeting: NotRequired[str | None]
    """The first thing that it says; null for nothing."""
    language: NotRequired[str]
    """A BCP 47 language tag. Stored in canonical form."""


class PersonaInput(TypedDict):
    """Who the avatar is and how it speaks.

    Fields: prompt, greeting (optional), language (optional).
    """

    prompt: str
    """Instructions for the avatar: who it is and how it behaves."""
    greeting: NotRequired[str | None]
    """The first thing that it says; null for nothing."""
    language: NotRequired[str]
    """A BCP 47 language tag. Stored in canonical form. Default: `en`."""


class PieceProgress(Object):
    """The new pieces of documents whose meaning `knowledge.reindex` computes after all documents are read. Omitted
    before, and if there are few.

    Fields: total, done.
    """

    total: int
    """The number of these pieces."""
    done: int
    """The number of those whose meaning is computed."""


PlatformEvent: TypeAlias = "ProjectCreatedEvent | ProjectUpdatedEvent | ProjectDeletedEvent | ProjectRestoredEvent | ProjectPurgedEvent | ApiKeyCreatedEvent | ApiKeyUpdatedEvent | ApiKeyRotatedEvent | ApiKeyExpiringEvent | ApiKeyExpiredEvent | ApiKeyRevokedEvent | WorkloadIdentityCreatedEvent | WorkloadIdentityUpdatedEvent | WorkloadIdentityDeletedEvent | AvatarCreatedEvent | AvatarUpdatedEvent | AvatarDeletedEvent | DocumentCreatedEvent | DocumentUpdatedEvent | DocumentDeletedEvent | SourceCreatedEvent | SourceUpdatedEvent | SourceRefreshedEvent | SourceFailedEvent | SourceDeletedEvent | JobCreatedEvent | JobStartedEvent | JobSucceededEvent | JobFailedEvent | JobCancelledEvent | DeploymentCreatedEvent | DeploymentPromotedEvent | DeploymentRolledBackEvent | DeploymentUpdatedEvent | EnvironmentCreatedEvent | EnvironmentUpdatedEvent | EnvironmentDeletedEvent | RolloutStartedEvent | RolloutAdvancedEvent | RolloutWaitingEvent | RolloutPausedEvent | RolloutResumedEvent | RolloutCompletedEvent | RolloutAbortedEvent | RolloutRolledBackEvent | ConversationStartedEvent | ConversationUpdatedEvent | ConversationEndedEvent | ConversationScoredEvent | ConversationDeletedEvent | ConversationErasedEvent | EvaluatorCreatedEvent | EvaluatorUpdatedEvent | WebhookCreatedEvent | WebhookUpdatedEvent | WebhookRotatedEvent | WebhookDisabledEvent | WebhookDeletedEvent"
"""Something that has happened to a resource."""


class PreviewScore(Object):
    """A score that is not stored.

    Fields: name, version, value, reason, rationale, evidence, message_count, input_tokens, output_tokens,
    cost_usd.
    """

    name: str | None
    """The name of the evaluator. Null for a draft."""
    version: int | None
    """The version of the evaluator. Null for a draft."""
    value: Any
    """A value of the output of the evaluator. Null if it is unknown: `reason` says why."""
    reason: str | None
    """Why there is no value. Null if there is a value."""
    rationale: str | None
    """Why it has this value."""
    evidence: list[int]
    """The messages that show it, by their `seq`."""
    message_count: int
    """The number of messages of the conversation that it is about."""
    input_tokens: int | None
    """Null unless a model gave it."""
    output_tokens: int | None
    """Null unless a model gave it."""
    cost_usd: float | None
    """Null unless a model gave it."""


class PreviewedConversation(Object):
    """A conversation, with scores that are not stored.

    Fields: conversation_id, scores.
    """

    conversation_id: str
    """The id of the conversation."""
    scores: list[PreviewScore]
    """Its scores, in the order of the evaluators."""


class Project(Object):
    """The container of avatars, knowledge, deployments and conversations.

    Fields: id, external_id, name, description, metadata, settings, status, created_at, updated_at, created_by.
    """

    id: str
    """The id of the project."""
    external_id: str | None
    """Your own id of the project, unique in the organisation. No personal data: logs contain paths. Not blank,
    without control characters. Null if not set.
    """
    name: str
    """A display name. Not blank, without control characters."""
    description: str | None
    """The purpose of the project. Null if not set."""
    metadata: Metadata
    settings: ProjectSettings
    """The settings of the project."""
    status: ProjectStatus
    """Whether the project can be changed: an archived project is read-only. `deleted` appears only in the response to
    DELETE.
    """
    created_at: str
    """When the project was created."""
    updated_at: str
    """When the project was last changed."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """


class ProjectCreatedEvent(Object):
    """A project was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["project.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Project | RemovedResource
    """The resource, or only its id if it is gone."""


class ProjectDailyUsage(Object):
    """What a project has used, by day.

    Fields: items, totals, counted_through.
    """

    items: list[UsageDay]
    """The days on which something was used, oldest first."""
    totals: UsageDaysTotals
    """What was used in the whole range."""
    counted_through: str | None
    """The time of the latest counted change. Null if no change is counted."""


class ProjectDeletedEvent(Object):
    """A project was deleted. It can be restored for some days.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["project.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Project | RemovedResource
    """The resource, or only its id if it is gone."""


class ProjectPurge(Object):
    """The removal of everything below a deleted project.

    Fields: project_id, status, purge_at, started_at, finished_at, removed_items.
    """

    project_id: str
    """The id of the project."""
    status: PurgeStatus
    purge_at: str
    """When the purge is due. It starts some minutes later."""
    started_at: str | None
    """When the purge started. Null before."""
    finished_at: str | None
    """The time from which no data of the project was stored. Null before that time."""
    removed_items: int
    """The number of removed items."""


class ProjectPurgedEvent(Object):
    """All data of a deleted project is removed, and its earlier events.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["project.purged"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Project | RemovedResource
    """The resource, or only its id if it is gone."""


class ProjectRestoredEvent(Object):
    """A deleted project was restored.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["project.restored"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Project | RemovedResource
    """The resource, or only its id if it is gone."""


class ProjectSettings(Object):
    """The settings of the project.

    Fields: conversation_timeout_minutes, retention_days, search_fields, max_conversation_cost_usd.
    """

    conversation_timeout_minutes: int
    """A conversation ends by itself after this many minutes without a message. A new value applies from the next
    message on.
    """
    retention_days: int | None
    """Conversations are removed this many days after their start; null keeps them. A shorter time takes effect at
    once.
    """
    search_fields: list[str]
    max_conversation_cost_usd: float | None


class ProjectSettingsChange(TypedDict):
    """The settings to set. PATCH keeps the other settings, POST and PUT set them to their defaults.

    Fields: conversation_timeout_minutes (optional), retention_days (optional), search_fields (optional),
    max_conversation_cost_usd (optional).
    """

    conversation_timeout_minutes: NotRequired[int]
    """A conversation ends by itself after this many minutes without a message. A new value applies from the next
    message on.
    """
    retention_days: NotRequired[int | None]
    """Conversations are removed this many days after their start; null keeps them. A shorter time takes effect at
    once.
    """
    search_fields: NotRequired[Sequence[str]]
    max_conversation_cost_usd: NotRequired[float | None]


ProjectStatus: TypeAlias = Literal["active", "archived", "deleted"]
"""Whether the project can be changed: an archived project is read-only. `deleted` appears only in the response to
DELETE.
"""


class ProjectUpdatedEvent(Object):
    """A project was changed or archived.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["project.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Project | RemovedResource
    """The resource, or only its id if it is gone."""


class ProjectUsage(Object):
    """What a project has used on the current day.

    Fields: project_id, day, documents, bytes, conversations, messages, exported_records, model_cost_usd,
    counted_through, resets_at.
    """

    project_id: str
    """The id of the project."""
    day: str
    """The current day (UTC)."""
    documents: int
    """Contents of documents that were stored: created or replaced."""
    bytes: int
    """Bytes, in UTF-8, of these contents and of the texts of messages."""
    conversations: int
    """Conversations that were started."""
    messages: int
    """Messages that were added."""
    exported_records: int
    """Records in files that exports have completed."""
    model_cost_usd: float
    """What evaluations by models cost, in US dollars, with what is reserved for calls that are under way."""
    counted_through: str | None
    """The time of the latest counted change. Null if no change is counted."""
    resets_at: str
    """When the counts start again."""


class PublicJwk(Object):
    """A public key (RFC 7517).

    Fields: kty, kid, use, alg, n, e, crv, x, y.
    """

    kty: str
    """The kind of key."""
    kid: str
    """The id of the key, as in the header of a token."""
    use: str
    """The use of the key: `sig`."""
    alg: str
    """The only algorithm of the key."""
    n: str
    """The modulus of an RSA key."""
    e: str
    """The exponent of an RSA key."""
    crv: str
    """The curve."""
    x: str
    """The x coordinate, or the public key."""
    y: str
    """The y coordinate."""


class PublicJwkParam(TypedDict):
    """A public key (RFC 7517).

    Fields: kty, kid, use (optional), alg (optional), n (optional), e (optional), crv (optional), x (optional), y
    (optional).
    """

    kty: str
    """The kind of key."""
    kid: str
    """The id of the key, as in the header of a token."""
    use: NotRequired[str]
    """The use of the key: `sig`."""
    alg: NotRequired[str]
    """The only algorithm of the key."""
    n: NotRequired[str]
    """The modulus of an RSA key."""
    e: NotRequired[str]
    """The exponent of an RSA key."""
    crv: NotRequired[str]
    """The curve."""
    x: NotRequired[str]
    """The x coordinate, or the public key."""
    y: NotRequired[str]
    """The y coordinate."""


class PublicJwks(Object):
    """Public keys (RFC 7517 section 5).

    Fields: keys.
    """

    keys: list[PublicJwk]
    """The keys."""


class PublicJwksParam(TypedDict):
    """Public keys (RFC 7517 section 5).

    Fields: keys.
    """

    keys: Sequence[PublicJwkParam]
    """The keys."""


PurgeStatus: TypeAlias = Literal["scheduled", "running", "succeeded", "failed"]
"""How far the purge is. `scheduled`: the project can still be restored. `failed`: the purge failed repeatedly, and
continues when the operator has fixed the cause.
"""


class QuestionEvaluation(Object):
    """How well a question was answered.

    Fields: q, mode, ndcg_at10, recall_at5, mrr, answer_in5, answer_in10, expected, found.
    """

    q: str
    """The question."""
    mode: Literal["hybrid", "lexical"] | str
    ndcg_at10: float
    recall_at5: float
    """The share of the expected documents that are among the first five documents."""
    mrr: float
    """1 divided by the rank of the first expected document; 0 if no expected document is among the first ten."""
    answer_in5: float | None
    answer_in10: float | None
    """The same for the first ten pieces."""
    expected: list[ExpectedRank]
    """The expected documents, in the order of the request."""
    found: list[FoundDocument]
    """The first five documents, best first."""


class Quota(Object):
    """A quota and its usage.

    Fields: limit, used, counted_through, resets_at.
    """

    limit: int | None
    """The quota. Null if there is no quota."""
    used: int | None
    """The usage, even without a quota. Null if the usage is not counted, or not shown to this key."""
    counted_through: str | None
    resets_at: str | None
    """When the count starts again. Null if the quota is not per day."""


class RateLimit(Object):
    """How many requests pass in a second, a minute or an hour: at most 10 000 per second.

    Fields: requests, per.
    """

    requests: int
    """The number of requests."""
    per: RateLimitPeriod
    """The period: a second, a minute or an hour."""


class RateLimitParam(TypedDict):
    """How many requests pass in a second, a minute or an hour: at most 10 000 per second.

    Fields: requests, per.
    """

    requests: int
    """The number of requests."""
    per: RateLimitPeriod
    """The period: a second, a minute or an hour."""


RateLimitPeriod: TypeAlias = Literal["1s", "1m", "1h"]
"""The period: a second, a minute or an hour."""


class RefreshResult(Object):
    """The result of `knowledge.refresh`.

    Fields: source_id, pages, requests, created, updated, unchanged, duplicates, moved, noindex, removed,
    failed_pages, unconfirmed, is_limited.
    """

    source_id: str
    """The id of the source."""
    pages: int
    """The number of pages that were found."""
    requests: int
    """The number of requests that were sent."""
    created: int
    """The number of created documents."""
    updated: int
    """The number of changed documents."""
    unchanged: int
    """The number of pages whose content has not changed."""
    duplicates: int
    """The number of pages with the same content as another page."""
    moved: int
    """The number of pages that redirect to another page, or name it as their own."""
    noindex: int
    """The number of pages that ask to be left out (`noindex`): they have no documents. Refreshes from before this
    count have none.
    """
    removed: int
    """The number of removed documents."""
    failed_pages: int
    """The number of pages that could not be read. Their documents stay."""
    unconfirmed: int
    is_limited: bool


RefreshStatus: TypeAlias = "Literal['succeeded', 'failed', 'cancelled'] | str"
"""How a refresh has ended. Values: `succeeded`, `failed`, `cancelled`. More may be added."""


class ReindexResult(Object):
    """The result of `knowledge.reindex`.

    Fields: index_version, changed, documents, chunks, mode.
    """

    index_version: str
    """The published version."""
    changed: bool
    """False if this version was already published."""
    documents: int
    """The number of documents in it."""
    chunks: int
    """The number of pieces in it."""
    mode: Literal["hybrid", "lexical"] | str


class RemoveSourceResult(Object):
    """The result of `knowledge.remove-source`.

    Fields: removed_documents, released_documents.
    """

    removed_documents: int
    """The number of removed documents."""
    released_documents: int
    """The number of documents that stay, and are no longer managed by a source."""


class RemovedResource(Object):
    """The data of an event whose resource was erased or deleted for good.

    Fields: id.
    """

    id: str
    """The id of the resource."""


class Reply(Object):
    """A reply of an avatar to a message of a user.

    Fields: id, conversation_id, status, dry_run, input_message_id, retry_of, environment, deployment_id, draft,
    avatar_id, avatar_version, index_version, max_cost_usd, message_id, citations, passages, removed_markers,
    left_out_messages, model, input_tokens, output_tokens, cost_usd, finish_reason, first_text_ms, total_ms, mode,
    failure, created_at, started_at, finished_at, created_by, text, next_after, request.
    """

    id: str
    """The id of the reply."""
    conversation_id: str
    """The id of the conversation."""
    status: ReplyStatus
    """`unknown`: the model was asked, and its answer was lost. It is not asked again by itself, because it may have
    cost.
    """
    dry_run: bool
    """Whether no model is called."""
    input_message_id: str | None
    """The message of the user that it answers. Null for a dry run."""
    retry_of: str | None
    """The reply whose message it answers again."""
    environment: str | None
    """The environment that the request named."""
    deployment_id: str | None
    """The id of the deployment that answers. Null for a draft."""
    draft: bool
    """Whether the draft answers."""
    avatar_id: str
    """The id of the avatar."""
    avatar_version: int | None
    """The version of the avatar that answers. Null before the start of a draft."""
    index_version: str | None
    """The index version that was searched. Null for none."""
    max_cost_usd: float | None
    """The `max_cost_usd` of the request."""
    message_id: str | None
    """The message with the answer. Null if there is none."""
    citations: list[Citation]
    """The documents that the answer cites."""
    passages: list[ReplyPassage]
    """The passages that the model got, best first."""
    removed_markers: int
    """How many numbers the model has cited that no passage has. They are not in the text."""
    left_out_messages: int
    """How many earlier messages had no room in the request."""
    model: str | None
    """The id of the model."""
    input_tokens: int | None
    """The tokens of the request. Null if unknown."""
    output_tokens: int | None
    """The tokens of the answer. Null if unknown."""
    cost_usd: float | None
    """What it has cost. If this is unknown, the highest cost stays counted. Null before the end."""
    finish_reason: Literal["stop", "length"] | None
    """`length`: the answer was cut off at the limit. Null without an answer."""
    first_text_ms: int | None
    """The milliseconds from the request until the first text."""
    total_ms: int | None
    """The milliseconds from the request until the end."""
    mode: Literal["hybrid", "lexical"] | None
    """How the index was searched. `lexical` if a worker that has just started is still loading the model of meanings.
    Null without an index.
    """
    failure: ReplyFailure | None
    """Why a reply has no answer. Null if not set."""
    created_at: str
    """When it was requested."""
    started_at: str | None
    """When its work began. Null while it is queued."""
    finished_at: str | None
    """When it ended. Null before."""
    created_by: str
    """The credential that requested it."""
    text: str
    next_after: int
    """Send it as `after` to get the following text. It counts UTF-16 code units."""
    request: ReplyModelRequest | None
    """The request to the model, for an hour after the end of a dry run. Otherwise null."""


class ReplyFailure(Object):
    """Why a reply has no answer.

    Fields: code, message.
    """

    code: str
    """Why there is no answer, as a code."""
    message: str
    """Why there is no answer."""


class ReplyInput(TypedDict):
    """The message of the user.

    Fields: text, client_message_id (optional).
    """

    text: str
    """The text of the message: at most 16 KB of UTF-8."""
    client_message_id: NotRequired[str | None]


class ReplyModelRequest(Object):
    """The complete request to the model.

    Fields: model_id, system, messages, max_tokens, temperature, highest_cost_usd.
    """

    model_id: str
    """The id of the model."""
    system: list[str]
    """The instructions: the frame of the service, and the persona."""
    messages: list[ReplyRequestMessage]
    """The conversation, with the passages in the last message."""
    max_tokens: int
    """The most tokens of the answer."""
    temperature: float
    """The temperature, if the avatar has one."""
    highest_cost_usd: float
    """The most that the call can cost."""


class ReplyPassage(Object):
    """A passage of a document that the model got.

    Fields: number, piece_id, document_id, title, page, score, cited.
    """

    number: int
    """Its number in the request, from 1."""
    piece_id: str
    """The id of the piece, as in the search."""
    document_id: str
    """The id of the document."""
    title: str
    """The title of the document."""
    page: int | None
    """The page of the document. Null without pages."""
    score: float
    """How well it matches, as in the search."""
    cited: bool
    """Whether the answer cites it."""


class ReplyRequestMessage(Object):
    """A message to the model.

    Fields: role, content.
    """

    role: Literal["user", "assistant"]
    """Who says it to the model."""
    content: list[str]
    """Its blocks of text."""


ReplyStatus: TypeAlias = "Literal['queued', 'running', 'done', 'failed', 'cancelled', 'unknown'] | str"
"""`unknown`: the model was asked, and its answer was lost. It is not asked again by itself, because it may have cost.
Values: `queued`, `running`, `done`, `failed`, `cancelled`, `unknown`. More may be added.
"""


class ReplyTarget(TypedDict):
    """What answers: exactly one of its fields. Default: the deployment of the conversation.

    Fields: environment (optional), deployment_id (optional), draft (optional).
    """

    environment: NotRequired[str]
    """The deployment that this environment serves answers. While a rollout runs, the `assignment` of the conversation
    decides which.
    """
    deployment_id: NotRequired[str]
    """This deployment answers."""
    draft: NotRequired[bool]
    """The current version of the avatar answers, with the published index. The conversation must have `test: true`."""


class RequestOrigin(Object):
    """Where a request came from.

    Fields: address, user_agent, via.
    """

    address: str | None
    """The address of the caller, as the gateway saw it: no header can change it. Null if it is unknown."""
    user_agent: str | None
    """The `User-Agent` of the caller, at most 200 characters. Null if the caller sent no `User-Agent`."""
    via: Literal["mcp"] | None


class RevokedApiKey(Object):
    """An API key, and the resources that it created or set.

    Fields: id, name, scopes, project_ids, environments, allowed_cidrs, rate_limit, mode, hint, status, created_at,
    created_by, expires_at, revoked_at, children_revocation, previous_secret_expires_at, last_used_at,
    last_used_from, webhooks, children, sources, evaluators, rollouts.
    """

    id: str
    """The id of the API key."""
    name: str
    """A display name. Not blank, without control characters."""
    scopes: list[Scope]
    """The permissions of the key."""
    project_ids: list[str] | None
    """The projects that the key can access. Null for all projects."""
    environments: list[str] | None
    """The environments that the key can access. Null for all environments."""
    allowed_cidrs: list[str] | None
    """The addresses from which the key may be used. Null for everywhere."""
    rate_limit: RateLimit | None
    """The limit of the key. Null if the key has no limit of its own. Its requests also count in the limits of the
    keys above it.
    """
    mode: Mode
    """Whether the key accesses live or test data. They are separate."""
    hint: str
    """The first and last characters of the secret."""
    status: ApiKeyStatus
    """Whether the key is accepted: only an `active` key is accepted."""
    created_at: str
    """When the key was created."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token. `bootstrap` for a root key.
    """
    expires_at: str | None
    """When the key expires. Null for a root key, which does not expire."""
    revoked_at: str | None
    """When it was revoked. Null if it was not."""
    children_revocation: ChildrenRevocation | None
    """The revocation of the keys and identities that this key created, and of their webhooks. Null if nobody
    requested it.
    """
    previous_secret_expires_at: str | None
    """The end of the secret from before the last rotation. Null if there is no such secret."""
    last_used_at: str | None
    """When the key was last used, accurate to the hour. Null if it was not used."""
    last_used_from: str | None
    """The address of the request at `last_used_at`, as the gateway saw it. Null if there is no address."""
    webhooks: int
    children: int | None
    """The number of active keys and workload identities below it that the caller may end, among the 1000 that were
    created after it. Null without `dryRun=true`.
    """
    sources: int | None
    evaluators: int | None
    rollouts: int | None


class Rollback(Object):
    """A rollback of an environment.

    Fields: from_, reason, at, by.
    """

    from_: str
    """The deployment that was current before, or the candidate of the rollout that has ended."""
    reason: str | None
    """The reason, for people. Null if not set."""
    at: str
    """When it was rolled back."""
    by: str
    """The credential that rolled back."""


class Rollout(Object):
    """A deployment that a part of the units of an environment gets.

    Fields: id, environment, deployment_id, current_deployment_id, status, percent, reason, since, by, span, steps,
    step, hold_until, guards, on_breach, breach, spans, created_at, created_by, ended_at, version, history.
    """

    id: str
    """The id of the rollout."""
    environment: str
    """The name of the environment. The first deployment to it creates it."""
    deployment_id: str
    """The candidate."""
    current_deployment_id: str
    """The deployment that was current at the start."""
    status: RolloutStatus
    """The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are
    final.
    """
    percent: float
    """The share of the units that get the candidate, in percent."""
    reason: str | None
    """Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason."""
    since: str
    """When it got this status, or its last percent."""
    by: str
    """The credential that has moved it, or `worker:` and the name of the worker."""
    span: int
    """The number of the span: the time from one change of the percent to the next. From 1."""
    steps: list[RolloutStep] | None
    """The steps. Null for a rollout without steps."""
    step: int | None
    """The number of the present step, from 1. Null without steps."""
    hold_until: str | None
    guards: list[RolloutGuard]
    """The guards."""
    on_breach: RolloutOnBreach
    breach: RolloutBreach | None
    """The last breach of a guard. Null if there was none."""
    spans: list[RolloutSpan]
    """The spans, the oldest first."""
    created_at: str
    """When it was started."""
    created_by: str
    """The credential that started it."""
    ended_at: str | None
    """When it ended. Null before."""
    version: int
    """The number of its changes, for `If-Match`: it increases by one with each change."""
    history: list[RolloutMove]
    """The last 100 moves, the oldest first."""


class RolloutAbortedEvent(Object):
    """A rollout was aborted: its environment serves the current deployment to everybody.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.aborted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


class RolloutAdvancedEvent(Object):
    """The percent of a rollout has risen.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.advanced"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


class RolloutBreach(Object):
    """The guard that has ended or paused a rollout, and its figures then.

    Fields: score, value, current, candidate.
    """

    score: str
    """The name of the evaluator and of its scores, unique in the project."""
    value: str | None
    """The category. Null for no category."""
    current: BreachSide
    """One side of a breached guard."""
    candidate: BreachSide
    """One side of a breached guard."""


class RolloutComparison(Object):
    """The comparison of the candidate with the current deployment, over units.

    Fields: units, not_assigned, guards, duration_seconds, messages.
    """

    units: ComparedUnits
    """The counted units of both sides."""
    not_assigned: int
    """The conversations with one of both deployments that do not count: they have no `assignment`, or came more than
    10 minutes after the end of its span.
    """
    guards: list[ComparedGuard]
    """The guards, in their order."""
    duration_seconds: ComparedMeasure
    """A comparison of both sides, within spans."""
    messages: ComparedMeasure
    """A comparison of both sides, within spans."""


class RolloutCompletedEvent(Object):
    """A rollout has completed: its candidate was promoted.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.completed"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


class RolloutGuard(Object):
    """A score by which the candidate may be worse only to a limit.

    Fields: score, better, value, max_harm, minimum, max_unknown.
    """

    score: str
    """The name of the evaluator and of its scores, unique in the project."""
    better: GuardDirection
    """Which values are better."""
    value: str
    """For an evaluator of categories: the category whose share is compared."""
    max_harm: float
    """How much worse the candidate may be, in the unit of the score: for true and false and for categories, 0.05 is 5
    points of a share.
    """
    minimum: int
    """The guard passes only with so many units on each side. Default: 50."""
    max_unknown: float
    """The guard passes only if at most this share of the ended units of each side has no value of the score. Default:
    0.2.
    """


class RolloutGuardInput(TypedDict):
    """A score by which the candidate may be worse only to a limit.

    Fields: score, better, value (optional), max_harm, minimum (optional), max_unknown (optional).
    """

    score: str
    """The name of the evaluator and of its scores, unique in the project."""
    better: GuardDirection
    """Which values are better."""
    value: NotRequired[str]
    """For an evaluator of categories: the category whose share is compared."""
    max_harm: float
    """How much worse the candidate may be, in the unit of the score: for true and false and for categories, 0.05 is 5
    points of a share.
    """
    minimum: NotRequired[int]
    """The guard passes only with so many units on each side. Default: 50."""
    max_unknown: NotRequired[float]
    """The guard passes only if at most this share of the ended units of each side has no value of the score. Default:
    0.2.
    """


class RolloutMove(Object):
    """The state after one move of a rollout.

    Fields: at, by, status, percent, reason.
    """

    at: str
    """When it moved."""
    by: str
    """The credential that has moved it, or `worker:` and the name of the worker."""
    status: RolloutStatus
    """The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are
    final.
    """
    percent: float
    """The share of the units that get the candidate, in percent."""
    reason: str | None
    """Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason."""


RolloutOnBreach: TypeAlias = Literal["roll_back", "pause"]
"""What a breached guard does. `roll_back` serves the current deployment to everybody and pins the environment.
`pause` pauses the rollout: nothing changes for users until somebody decides.
"""


class RolloutPausedEvent(Object):
    """A rollout was paused: by a request, by a guard, or because its credential was revoked.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.paused"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


class RolloutResumedEvent(Object):
    """A paused rollout goes on.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.resumed"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


class RolloutRolledBackEvent(Object):
    """A guard has ended a rollout: the current deployment is served to everybody, and the environment is pinned.
    `breach` says why.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.rolled_back"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


class RolloutSpan(Object):
    """A time of constant percent. Sides are compared within spans.

    Fields: span, percent, from_, until.
    """

    span: int
    """The number of the span: the time from one change of the percent to the next. From 1."""
    percent: float
    """The share of the units that get the candidate, in percent."""
    from_: str
    """When the span began."""
    until: str | None
    """When it ended. Null for the present span."""


class RolloutStartedEvent(Object):
    """A rollout has started: a part of the units gets its candidate.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.started"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


RolloutStatus: TypeAlias = Literal["running", "waiting_for_advance", "waiting_for_scores", "paused", "completed", "aborted", "rolled_back"]
"""The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are
final.
"""


class RolloutStep(Object):
    """A percent, and how long it is held.

    Fields: percent, hold_minutes, pause.
    """

    percent: float
    """The share of the units that get the candidate, in percent."""
    hold_minutes: int
    """How long the percent is held, in minutes. Then the guards must pass."""
    pause: bool
    """In place of `hold_minutes`: the rollout waits for `advance`."""


class RolloutStepParam(TypedDict):
    """A percent, and how long it is held.

    Fields: percent, hold_minutes (optional), pause (optional).
    """

    percent: float
    """The share of the units that get the candidate, in percent."""
    hold_minutes: NotRequired[int]
    """How long the percent is held, in minutes. Then the guards must pass."""
    pause: NotRequired[bool]
    """In place of `hold_minutes`: the rollout waits for `advance`."""


class RolloutSummary(Object):
    """A rollout, without its history and its comparison.

    Fields: id, environment, deployment_id, current_deployment_id, status, percent, reason, since, by, span, steps,
    step, hold_until, guards, on_breach, breach, spans, created_at, created_by, ended_at, version.
    """

    id: str
    """The id of the rollout."""
    environment: str
    """The name of the environment. The first deployment to it creates it."""
    deployment_id: str
    """The candidate."""
    current_deployment_id: str
    """The deployment that was current at the start."""
    status: RolloutStatus
    """The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are
    final.
    """
    percent: float
    """The share of the units that get the candidate, in percent."""
    reason: str | None
    """Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason."""
    since: str
    """When it got this status, or its last percent."""
    by: str
    """The credential that has moved it, or `worker:` and the name of the worker."""
    span: int
    """The number of the span: the time from one change of the percent to the next. From 1."""
    steps: list[RolloutStep] | None
    """The steps. Null for a rollout without steps."""
    step: int | None
    """The number of the present step, from 1. Null without steps."""
    hold_until: str | None
    guards: list[RolloutGuard]
    """The guards."""
    on_breach: RolloutOnBreach
    breach: RolloutBreach | None
    """The last breach of a guard. Null if there was none."""
    spans: list[RolloutSpan]
    """The spans, the oldest first."""
    created_at: str
    """When it was started."""
    created_by: str
    """The credential that started it."""
    ended_at: str | None
    """When it ended. Null before."""
    version: int
    """The number of its changes, for `If-Match`: it increases by one with each change."""


RolloutVariant: TypeAlias = Literal["current", "candidate"]
"""What the unit gets. Missing without `unit`."""


class RolloutWaitingEvent(Object):
    """A rollout waits for `advance`, or for the scores of its guards.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["rollout.waiting"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: RolloutSummary | RemovedResource
    """The resource, or only its id if it is gone."""


class RuleComparison(Object):
    """Which numbers meet it: at least one comparison. All must hold.

    Fields: eq, ne, gt, gte, lt, lte.
    """

    eq: float
    """It is equal to this."""
    ne: float
    """It is not equal to this."""
    gt: float
    """It is greater than this."""
    gte: float
    """It is at least this."""
    lt: float
    """It is less than this."""
    lte: float
    """It is at most this."""


class RuleComparisonParam(TypedDict):
    """Which numbers meet it: at least one comparison. All must hold.

    Fields: eq (optional), ne (optional), gt (optional), gte (optional), lt (optional), lte (optional).
    """

    eq: NotRequired[float]
    """It is equal to this."""
    ne: NotRequired[float]
    """It is not equal to this."""
    gt: NotRequired[float]
    """It is greater than this."""
    gte: NotRequired[float]
    """It is at least this."""
    lt: NotRequired[float]
    """It is less than this."""
    lte: NotRequired[float]
    """It is at most this."""


RuleContains: TypeAlias = "str | RuleTextOfRole"
"""A text, or a text and a role."""


RuleContainsParam: TypeAlias = "str | RuleTextOfRoleParam"
"""A text, or a text and a role."""


RuleMatches: TypeAlias = "str | RulePatternOfRole"
"""A regular expression, or an expression and a role."""


RuleMatchesParam: TypeAlias = "str | RulePatternOfRoleParam"
"""A regular expression, or an expression and a role."""


class RuleMessages(Object):
    """Which numbers of messages meet it: at least one comparison. All must hold.

    Fields: eq, ne, gt, gte, lt, lte, role.
    """

    eq: float
    """It is equal to this."""
    ne: float
    """It is not equal to this."""
    gt: float
    """It is greater than this."""
    gte: float
    """It is at least this."""
    lt: float
    """It is less than this."""
    lte: float
    """It is at most this."""
    role: MessageRole
    """Only messages of this role. Default: all messages."""


class RuleMessagesParam(TypedDict):
    """Which numbers of messages meet it: at least one comparison. All must hold.

    Fields: eq (optional), ne (optional), gt (optional), gte (optional), lt (optional), lte (optional), role
    (optional).
    """

    eq: NotRequired[float]
    """It is equal to this."""
    ne: NotRequired[float]
    """It is not equal to this."""
    gt: NotRequired[float]
    """It is greater than this."""
    gte: NotRequired[float]
    """It is at least this."""
    lt: NotRequired[float]
    """It is less than this."""
    lte: NotRequired[float]
    """It is at most this."""
    role: NotRequired[MessageRole]
    """Only messages of this role. Default: all messages."""


class RulePatternOfRole(Object):
    """An expression that messages of a role match.

    Fields: pattern, role.
    """

    pattern: str
    """The regular expression."""
    role: MessageRole
    """Only messages of this role. Default: all messages."""


class RulePatternOfRoleParam(TypedDict):
    """An expression that messages of a role match.

    Fields: pattern, role (optional).
    """

    pattern: str
    """The regular expression."""
    role: NotRequired[MessageRole]
    """Only messages of this role. Default: all messages."""


class RuleTextOfRole(Object):
    """A text that messages of a role contain.

    Fields: text, role.
    """

    text: str
    """The text."""
    role: MessageRole
    """Only messages of this role. Default: all messages."""


class RuleTextOfRoleParam(TypedDict):
    """A text that messages of a role contain.

    Fields: text, role (optional).
    """

    text: str
    """The text."""
    role: NotRequired[MessageRole]
    """Only messages of this role. Default: all messages."""


Scope: TypeAlias = Literal["api-keys:read", "api-keys:write", "projects:read", "projects:write", "avatars:read", "avatars:write", "knowledge:read", "knowledge:write", "conversations:read", "conversations:write", "deploy:read", "deploy:write", "runtime:read", "runtime:write", "webhooks:read", "webhooks:write", "events:read", "events:write", "audit:read", "audit:write"]
"""`<resource>:<permission>`; `write` includes `read`."""


class Score(Object):
    """A score of a conversation by one version of an evaluator.

    Fields: name, evaluator_id, version, source, value, reason, rationale, evidence, message_count, stale,
    effective, input_tokens, output_tokens, cost_usd, created_at, created_by, job_id.
    """

    name: str
    """The name of the evaluator and of its scores, unique in the project."""
    evaluator_id: str
    """The id of the evaluator."""
    version: int
    """The version of the evaluator."""
    source: ScoreSource
    """Who gave the score: a `rule`, a `model`, a person (`human`), or another program (`api`)."""
    value: Any
    """A value of the output of the evaluator. Null if it is unknown: `reason` says why."""
    reason: str | None
    """Why there is no value. Null if there is a value."""
    rationale: str | None
    """Why it has this value. Null if not set."""
    evidence: list[int]
    """The messages that show it, by their `seq`."""
    message_count: int
    """The number of messages of the conversation that it is about: the first ones."""
    stale: bool
    """Whether messages were added since, so that the score is about the first messages only."""
    effective: bool
    input_tokens: int | None
    """Null unless a model gave it."""
    output_tokens: int | None
    """Null unless a model gave it."""
    cost_usd: float | None
    """Null unless a model gave it."""
    created_at: str
    """When it was stored."""
    created_by: str
    """The credential that sent it, or on whose behalf the evaluator runs."""
    job_id: str | None
    """The run that gave it. Null if there is none."""


ScoreOutput: TypeAlias = "BooleanOutput | NumberOutput | CategoryOutput | TextOutput | ObjectOutput"
"""Which values the scores have: true or false, numbers, categories, texts, or objects."""


ScoreOutputParam: TypeAlias = "BooleanOutputParam | NumberOutputParam | CategoryOutputParam | TextOutputParam | ObjectOutputParam"
"""Which values the scores have: true or false, numbers, categories, texts, or objects."""


class ScoreSchema(Object):
    """A part of JSON Schema. Other keywords are not allowed.

    Fields: type, description, properties, required, items, enum, minimum, maximum, max_length, max_items.
    """

    type: Literal["object", "array", "string", "number", "integer", "boolean"]
    """The type of the value."""
    description: str
    """What the value is about. Models read it."""
    properties: Map[ScoreSchema]
    """The schema of each field of an object. It has no other fields."""
    required: list[str]
    """The fields that an object must have."""
    items: ScoreSchema
    """The schema of the items of a list."""
    enum: list[str]
    """The values that a text may have."""
    minimum: float
    """The lowest value of a number."""
    maximum: float
    """The highest value of a number."""
    max_length: int
    """The largest number of characters of a text."""
    max_items: int
    """The largest number of items of a list."""


class ScoreSchemaParam(TypedDict):
    """A part of JSON Schema. Other keywords are not allowed.

    Fields: type, description (optional), properties (optional), required (optional), items (optional), enum
    (optional), minimum (optional), maximum (optional), max_length (optional), max_items (optional).
    """

    type: Literal["object", "array", "string", "number", "integer", "boolean"]
    """The type of the value."""
    description: NotRequired[str]
    """What the value is about. Models read it."""
    properties: NotRequired[Mapping[str, ScoreSchemaParam]]
    """The schema of each field of an object. It has no other fields."""
    required: NotRequired[Sequence[str]]
    """The fields that an object must have."""
    items: NotRequired[ScoreSchemaParam]
    """The schema of the items of a list."""
    enum: NotRequired[Sequence[str]]
    """The values that a text may have."""
    minimum: NotRequired[float]
    """The lowest value of a number."""
    maximum: NotRequired[float]
    """The highest value of a number."""
    max_length: NotRequired[int]
    """The largest number of characters of a text."""
    max_items: NotRequired[int]
    """The largest number of items of a list."""


class ScoreShare(Object):
    """The conversations with a value.

    Fields: value, count, share.
    """

    value: str
    count: int
    """The number of conversations."""
    share: float
    """The share of `count` above: 0 to 1, to six decimals."""


ScoreSource: TypeAlias = Literal["rule", "model", "api", "human"]
"""Who gave the score: a `rule`, a `model`, a person (`human`), or another program (`api`)."""


class ScoreStats(Object):
    """The effective scores of an evaluator.

    Fields: count, unknown, mean, shares.
    """

    count: int
    """The number of conversations with a value."""
    unknown: int
    """The number of conversations whose value is unknown. `shares` leaves them out."""
    mean: float | None
    """The mean of numbers, to six decimals. Null for other outputs, and without values."""
    shares: list[ScoreShare]
    """All values, in the order of the output of the evaluator."""


class SearchHit(Object):
    """A piece of a document that matches the query.

    Fields: piece_id, document_id, title, heading, page, url, text, snippet, matches, score, scores, matched_words.
    """

    piece_id: str
    """The id of the piece in this index version. In another version, it may name another piece, or none."""
    document_id: str
    """The id of the document that has the piece."""
    title: str
    """The title of the document."""
    heading: str
    """The headings above the piece, joined by ` › `."""
    page: int | None
    """The page on which the match is, from 1. Null if the document has no pages. A form feed ends a page."""
    url: str | None
    text: str
    """The whole piece, and with `context` its neighbours, in the order of the document. Left out with
    `fields=snippet`.
    """
    snippet: str
    """About 240 characters of the piece, around the rarest matching words."""
    matches: list[TextSpan]
    """The matching words in the snippet, in order. Offsets count UTF-16 code units, as JavaScript and Java do. Empty
    if it matches by meaning only.
    """
    score: float
    """How well the piece matches. Scores are comparable only within one response."""
    scores: SearchScores
    """How well a piece matches by its words, and by its meaning."""
    matched_words: list[str]
    """The words of the piece that match a word of the query, as it writes them. At most 10."""


class SearchResult(Object):
    """The matches, best first.

    Fields: items, mode, index_version.
    """

    items: list[SearchHit]
    """The matches, best first."""
    mode: Literal["hybrid", "lexical"] | str
    index_version: str
    """The index version that was searched."""


class SearchScores(Object):
    """How well a piece matches by its words, and by its meaning.

    Fields: lexical, semantic.
    """

    lexical: float | None
    """The score by words. Null if no word matches."""
    semantic: float | None
    """The score by meaning. Null if the meanings were not compared."""


SentScoreSource: TypeAlias = Literal["api", "human"]
"""Who gives the score: your program (`api`), or a person (`human`)."""


SettableIdentityStatus: TypeAlias = Literal["active", "suspended"]
"""Whether its tokens are accepted."""


class SourceCreatedEvent(Object):
    """A source of documents was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["source.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeSource | RemovedResource
    """The resource, or only its id if it is gone."""


class SourceDeletedEvent(Object):
    """A source was deleted.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["source.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeSource | RemovedResource
    """The resource, or only its id if it is gone."""


class SourceFailedEvent(Object):
    """A refresh of a source has failed or was cancelled. `last_refresh` says why.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["source.failed"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeSource | RemovedResource
    """The resource, or only its id if it is gone."""


class SourceHealth(Object):
    """Whether the pages of a source can be read.

    Fields: status, reason.
    """

    status: SourceHealthStatus
    reason: Failure | None
    """Why it is failing. Null unless it is."""


SourceHealthStatus: TypeAlias = "Literal['unknown', 'healthy', 'failing'] | str"
"""Whether its pages can be read. Values: `unknown`, `healthy`, `failing`. More may be added."""


class SourcePage(Object):
    """A page of a source.

    Fields: id, url, status, document_id, moved_to, error, requested_at, changed_at.
    """

    id: str
    """The SHA-256 of `url` in hexadecimal: the `external_id` of its document."""
    url: str
    """The address of the page, in one spelling."""
    status: SourcePageStatus
    document_id: str | None
    """The document with its content. Null if there is none. After a refresh with `unconfirmed` documents, it may be
    the document with an earlier content.
    """
    moved_to: str | None
    """Where it redirects to, or the address that it names as its own. Null unless `status` is `moved`."""
    error: Failure | None
    """Why it could not be read. Null unless `status` is `failed`."""
    requested_at: str | None
    """When it was last requested. Null before."""
    changed_at: str | None
    """When its content was last found changed."""


SourcePageStatus: TypeAlias = "Literal['pending', 'stored', 'duplicate', 'moved', 'gone', 'noindex', 'failed', 'excluded'] | str"
"""What the last refresh has found. Values: `pending`, `stored`, `duplicate`, `moved`, `gone`, `noindex`, `failed`,
`excluded`. More may be added.
"""


class SourceRefreshedEvent(Object):
    """A refresh of a source has succeeded. `last_refresh` has its counts.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["source.refreshed"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeSource | RemovedResource
    """The resource, or only its id if it is gone."""


class SourceUpdatedEvent(Object):
    """A source was changed or paused, or a refresh of it has begun.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["source.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: KnowledgeSource | RemovedResource
    """The resource, or only its id if it is gone."""


class TextOutput(Object):
    """Texts of up to 2000 characters.

    Fields: type.
    """

    type: Literal["text"]
    """The type of the values."""


class TextOutputParam(TypedDict):
    """Texts of up to 2000 characters.

    Fields: type.
    """

    type: Literal["text"]
    """The type of the values."""


class TextSpan(Object):
    """A part of a text.

    Fields: start, end.
    """

    start: int
    """The offset of the first code unit."""
    end: int
    """The offset after the last code unit."""


class TextSpanInput(TypedDict):
    """A part of a text.

    Fields: start, end.
    """

    start: int
    """The offset of the first code unit."""
    end: int
    """The offset after the last code unit."""


class Transcript(Object):
    """A page of the messages of a conversation.

    Fields: messages, next_after_seq, final.
    """

    messages: list[Message]
    """The messages of the page, sorted by `seq`."""
    next_after_seq: int
    """Send it as `after_seq` to get the next page."""
    final: bool
    """Whether the conversation has ended and this page has its last message."""


class Upload(Object):
    """A place for a file.

    Fields: id, bytes, purpose, url, expires_at.
    """

    id: str
    """The id of the upload."""
    bytes: int
    """The size of the file."""
    purpose: UploadPurpose
    """What the file is for: an import of conversations, or a document of the knowledge."""
    url: str
    """Where to PUT the file, without a credential."""
    expires_at: str
    """Until when `url` works: 15 minutes."""


UploadPurpose: TypeAlias = Literal["conversations", "knowledge"]
"""What the file is for: an import of conversations, or a document of the knowledge."""


UpsertOutcome: TypeAlias = Literal["created", "updated", "unchanged"]
"""The effect of the request. `unchanged` means that nothing was written."""


class UpsertedAvatar(Object):
    """An avatar and the outcome of the request.

    Fields: outcome, avatar.
    """

    outcome: UpsertOutcome
    """The effect of the request. `unchanged` means that nothing was written."""
    avatar: Avatar
    """The avatar as it is stored."""


class UpsertedConversation(Object):
    """A conversation and the outcome of the request.

    Fields: outcome, conversation.
    """

    outcome: UpsertOutcome
    """The effect of the request. `unchanged` means that nothing was written."""
    conversation: Conversation
    """The conversation as it is stored."""


class UpsertedDocument(Object):
    """A document and the outcome of the request.

    Fields: outcome, document.
    """

    outcome: UpsertOutcome
    """The effect of the request. `unchanged` means that nothing was written."""
    document: KnowledgeDocument
    """The document as it is stored."""


class UpsertedDocuments(Object):
    """The results of a batch.

    Fields: results.
    """

    results: list[UpsertedDocument]
    """The results, in the order of the documents."""


class UpsertedProject(Object):
    """A project and the outcome of the request.

    Fields: outcome, project.
    """

    outcome: UpsertOutcome
    """The effect of the request. `unchanged` means that nothing was written."""
    project: Project
    """The project as it is stored."""


class Usage(Object):
    """The limits of a credential and of its organisation, and the usage.

    Fields: mode, rate_limits, quotas.
    """

    mode: Mode
    """The mode of the credential. Live and test data have separate limits."""
    rate_limits: UsageRateLimits
    """The limits of requests. All apply."""
    quotas: UsageQuotas
    """The quotas of the organisation in this mode."""


class UsageByProject(Object):
    """A page of projects, with what they have used.

    Fields: items, next_cursor.
    """

    items: list[UsageOfProject]
    """The projects that have used something: the newest project first, and removed projects last. A removed project
    keeps its days, without its id.
    """
    next_cursor: str | None
    """Send it as `cursor` to get further projects. Null on the last page."""


class UsageDay(Object):
    """What was used on a day.

    Fields: day, documents, bytes, conversations, messages, exported_records, model_cost_usd.
    """

    day: str
    """The day (UTC)."""
    documents: int
    """Contents of documents that were stored: created or replaced."""
    bytes: int
    """Bytes, in UTF-8, of these contents and of the texts of messages."""
    conversations: int
    """Conversations that were started."""
    messages: int
    """Messages that were added."""
    exported_records: int
    """Records in files that exports have completed."""
    model_cost_usd: float
    """What evaluations by models cost, in US dollars, with what is reserved for calls that are under way."""


class UsageDaysTotals(Object):
    """What was used in the whole range.

    Fields: documents, bytes, conversations, messages, exported_records, model_cost_usd.
    """

    documents: int
    """Contents of documents that were stored: created or replaced."""
    bytes: int
    """Bytes, in UTF-8, of these contents and of the texts of messages."""
    conversations: int
    """Conversations that were started."""
    messages: int
    """Messages that were added."""
    exported_records: int
    """Records in files that exports have completed."""
    model_cost_usd: float
    """What evaluations by models cost, in US dollars, with what is reserved for calls that are under way."""


class UsageOfProject(Object):
    """What a project has used, by day.

    Fields: project_id, name, items, totals.
    """

    project_id: str | None
    """The project. Null for a project that was removed."""
    name: str | None
    """The name of the project. Null for a project that is deleted."""
    items: list[UsageDay]
    """The days on which something was used, oldest first."""
    totals: UsageDaysTotals
    """What was used in the whole range."""


class UsageParentLimit(Object):
    """The limit of a key or of a workload identity above the calling credential.

    Fields: key_id, rate_limit.
    """

    key_id: str
    """The id of the API key or of the workload identity."""
    rate_limit: RateLimit
    """Its limit."""


class UsageQuotas(Object):
    """The quotas of the organisation in this mode.

    Fields: documents, bytes, conversations, messages, jobs, waits, model_cost_usd.
    """

    documents: Quota
    """Contents of documents that are stored per day (UTC): created or replaced."""
    bytes: Quota
    """Bytes, in UTF-8, of these contents and of the texts of messages, per day."""
    conversations: Quota
    """Conversations that are started per day."""
    messages: Quota
    """Messages that are added per day."""
    jobs: Quota
    """Re-indexing jobs that are queued or running at the same time. Counted only with a quota."""
    waits: Quota
    """Requests that wait (`wait_seconds`) at the same time."""
    model_cost_usd: CostQuota
    """What evaluations by models cost per day (UTC), in US dollars."""


class UsageRateLimits(Object):
    """The limits of requests. All apply.

    Fields: key, parents, organisation.
    """

    key: RateLimit | None
    """The limit of the calling credential. Null if it has no limit of its own."""
    parents: list[UsageParentLimit]
    organisation: RateLimit | None
    """The limit of all credentials of the organisation in this mode together. Null if there is no such limit."""


class Voice(Object):
    """The voice of the avatar.

    Fields: provider, voice_id.
    """

    provider: str
    """The provider of the voice. Not blank, without control characters."""
    voice_id: str
    """The provider's id of the voice. Not blank, without control characters."""


class VoiceInput(TypedDict):
    """The voice of the avatar.

    Fields: provider, voice_id.
    """

    provider: str
    """The provider of the voice. Not blank, without control characters."""
    voice_id: str
    """The provider's id of the voice. Not blank, without control characters."""


class WarnedDocument(Object):
    """A document that the index does not include, or only in part, and why.

    Fields: document_id, title, external_id, code, message.
    """

    document_id: str
    """The id of the document."""
    title: str | None
    """The title. Null if the credential lacks `knowledge:read`."""
    external_id: str | None
    """Your own id. Null if there is none, or if the credential lacks `knowledge:read`."""
    code: str
    """The reason, for programs."""
    message: str
    """The reason, for people."""


class Webhook(Object):
    """A receiver of events, without its secret.

    Fields: id, url, event_types, project_ids, include, description, disabled, disabled_reason, health,
    secret_created_at, previous_secret_expires_at, recovery, scopes, created_at, updated_at, created_by,
    url_set_by, content_set_by, secret_set_by.
    """

    id: str
    """The id of the webhook."""
    url: str
    event_types: list[WebhookEventTypes]
    project_ids: list[str] | None
    """Only events of these projects are sent. Null for all events, also those that belong to no project."""
    include: list[Literal["messages"]]
    """`messages` adds the transcript to `conversation.ended`. It requires the scope `conversations:read`."""
    description: str | None
    """The purpose of the webhook. Null if not set."""
    disabled: bool
    """Whether nothing is sent."""
    disabled_reason: DisabledReason | None
    health: WebhookHealth
    """How the receiver has answered since the webhook was last enabled. A disabled webhook keeps the health that it
    had before.
    """
    secret_created_at: str
    """When the secret was created or last rotated."""
    previous_secret_expires_at: str | None
    """Until when requests are also signed with the secret from before the last rotation. Null if there is no such
    secret.
    """
    recovery: WebhookRecovery | None
    """The last `recover`. Null if nobody requested one."""
    scopes: list[str]
    created_at: str
    """When the webhook was created."""
    updated_at: str
    """When the webhook was last changed."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """
    url_set_by: str
    """The credential that set its `url` last."""
    content_set_by: str
    """The credential that set its `event_types`, `project_ids` or `include` last."""
    secret_set_by: str
    """The credential that created or rotated its secret last."""


class WebhookCreatedEvent(Object):
    """A webhook was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["webhook.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Webhook | RemovedResource
    """The resource, or only its id if it is gone."""


class WebhookDeletedEvent(Object):
    """A webhook was deleted.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["webhook.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Webhook | RemovedResource
    """The resource, or only its id if it is gone."""


class WebhookDisabledEvent(Object):
    """A webhook was disabled: by a request, because its receiver has answered 410, or after five days of failures.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["webhook.disabled"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Webhook | RemovedResource
    """The resource, or only its id if it is gone."""


WebhookEventTypes: TypeAlias = Literal["project.created", "project.updated", "project.deleted", "project.restored", "project.purged", "api_key.created", "api_key.updated", "api_key.rotated", "api_key.expiring", "api_key.expired", "api_key.revoked", "workload_identity.created", "workload_identity.updated", "workload_identity.deleted", "avatar.created", "avatar.updated", "avatar.deleted", "document.created", "document.updated", "document.deleted", "source.created", "source.updated", "source.refreshed", "source.failed", "source.deleted", "job.created", "job.started", "job.succeeded", "job.failed", "job.cancelled", "deployment.created", "deployment.promoted", "deployment.rolled_back", "deployment.updated", "environment.created", "environment.updated", "environment.deleted", "rollout.started", "rollout.advanced", "rollout.waiting", "rollout.paused", "rollout.resumed", "rollout.completed", "rollout.aborted", "rollout.rolled_back", "conversation.started", "conversation.updated", "conversation.ended", "conversation.scored", "conversation.deleted", "conversation.erased", "evaluator.created", "evaluator.updated", "webhook.created", "webhook.updated", "webhook.rotated", "webhook.disabled", "webhook.deleted", "*", "project.*", "api_key.*", "workload_identity.*", "avatar.*", "document.*", "source.*", "job.*", "deployment.*", "environment.*", "rollout.*", "conversation.*", "evaluator.*", "webhook.*"]


class WebhookHealth(Object):
    """How the receiver has answered since the webhook was last enabled. A disabled webhook keeps the health that it
    had before.

    Fields: status, failures, failing_since, reason.
    """

    status: WebhookHealthStatus
    failures: int
    """The number of attempts that have failed since the last success."""
    failing_since: str | None
    """When the first of these attempts failed. Null if there are none."""
    reason: Failure | None
    """Why no request can reach the `url`. Null if a request may reach it."""


WebhookHealthStatus: TypeAlias = "Literal['unknown', 'healthy', 'slow', 'failing'] | str"
"""How the last attempt to reach the receiver has ended. Values: `unknown`, `healthy`, `slow`, `failing`. More may be
added.
"""


class WebhookRecovery(Object):
    """A recovery: it sends events again that the webhook has missed.

    Fields: since, requested_at, finished_at, deliveries.
    """

    since: str
    """Deliveries of events at this time or later are requested again."""
    requested_at: str
    """When it was requested."""
    finished_at: str | None
    """When it ended. Null while it runs."""
    deliveries: int
    """The number of deliveries that it has requested."""


class WebhookRotatedEvent(Object):
    """A webhook has a new secret.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["webhook.rotated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Webhook | RemovedResource
    """The resource, or only its id if it is gone."""


class WebhookUpdatedEvent(Object):
    """A webhook was changed or enabled, or its recovery was requested or has finished.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["webhook.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: Webhook | RemovedResource
    """The resource, or only its id if it is gone."""


class WebhookWithSecret(Object):
    """A webhook, with its new secret.

    Fields: id, url, event_types, project_ids, include, description, disabled, disabled_reason, health,
    secret_created_at, previous_secret_expires_at, recovery, scopes, created_at, updated_at, created_by,
    url_set_by, content_set_by, secret_set_by, secret.
    """

    id: str
    """The id of the webhook."""
    url: str
    event_types: list[WebhookEventTypes]
    project_ids: list[str] | None
    """Only events of these projects are sent. Null for all events, also those that belong to no project."""
    include: list[Literal["messages"]]
    """`messages` adds the transcript to `conversation.ended`. It requires the scope `conversations:read`."""
    description: str | None
    """The purpose of the webhook. Null if not set."""
    disabled: bool
    """Whether nothing is sent."""
    disabled_reason: DisabledReason | None
    health: WebhookHealth
    """How the receiver has answered since the webhook was last enabled. A disabled webhook keeps the health that it
    had before.
    """
    secret_created_at: str
    """When the secret was created or last rotated."""
    previous_secret_expires_at: str | None
    """Until when requests are also signed with the secret from before the last rotation. Null if there is no such
    secret.
    """
    recovery: WebhookRecovery | None
    """The last `recover`. Null if nobody requested one."""
    scopes: list[str]
    created_at: str
    """When the webhook was created."""
    updated_at: str
    """When the webhook was last changed."""
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """
    url_set_by: str
    """The credential that set its `url` last."""
    content_set_by: str
    """The credential that set its `event_types`, `project_ids` or `include` last."""
    secret_set_by: str
    """The credential that created or rotated its secret last."""
    secret: str
    """Verifies the signatures of requests (Standard Webhooks). Only this response shows it; the service stores it
    encrypted.
    """


class WorkloadIdentity(Object):
    """A workload identity: whose OIDC tokens are accepted in place of a key, and what they may do.

    Fields: id, name, issuer, subject, claims, audience, scopes, project_ids, environments, allowed_cidrs,
    rate_limit, expires_at, status, jwks, created_by, created_at, updated_at, deleted_at, last_used_at,
    last_used_from, children_revocation.
    """

    id: str
    """The id of the workload identity."""
    name: str
    """A display name. Not blank, without control characters."""
    issuer: str
    """The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`, the service does not
    need to reach it.
    """
    subject: str
    claims: IdentityClaims
    audience: str
    """The only audience (`aud`) that a token for this identity may have."""
    scopes: list[Scope]
    """The permissions of its tokens."""
    project_ids: list[str] | None
    """The projects that its tokens can access. Null for all projects."""
    environments: list[str] | None
    """The environments that its tokens can access. Null for all environments."""
    allowed_cidrs: list[str] | None
    """The addresses from which its tokens may be used. Null for everywhere."""
    rate_limit: RateLimit | None
    """The limit of all its tokens together. Null if it has no limit of its own. Its requests also count in the limits
    of the credentials above it.
    """
    expires_at: str | None
    """When it expires. Null if it does not expire."""
    status: WorkloadIdentityStatus
    """Whether its tokens are accepted: only those of an `active` identity are."""
    jwks: PublicJwks | None
    created_by: str
    """The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of
    an access token.
    """
    created_at: str
    """When it was created."""
    updated_at: str
    """When a request last changed it."""
    deleted_at: str | None
    """When it was deleted. Null if it was not."""
    last_used_at: str | None
    """When it was last used, accurate to the hour. Null if it was not used."""
    last_used_from: str | None
    """The address of the request at `last_used_at`, as the gateway saw it. Null if there is no address."""
    children_revocation: ChildrenRevocation | None
    """The end of the keys and identities that this identity created, and of their webhooks. Null if nobody requested
    it.
    """


class WorkloadIdentityCreatedEvent(Object):
    """A workload identity was created.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["workload_identity.created"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: WorkloadIdentity | RemovedResource
    """The resource, or only its id if it is gone."""


class WorkloadIdentityDeletedEvent(Object):
    """A workload identity was deleted.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["workload_identity.deleted"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: WorkloadIdentity | RemovedResource
    """The resource, or only its id if it is gone."""


WorkloadIdentityStatus: TypeAlias = Literal["active", "suspended", "expired", "deleted"]
"""Whether its tokens are accepted: only those of an `active` identity are."""


class WorkloadIdentityUpdatedEvent(Object):
    """A workload identity was changed, suspended or made active again.

    Fields: id, type, timestamp, project_id, data.
    """

    id: str
    """The id of the event, the same each time that it is sent."""
    type: Literal["workload_identity.updated"]
    """The type of the event."""
    timestamp: str
    """When it happened."""
    project_id: str | None
    """The project of the resource. Null if it belongs to no project."""
    data: WorkloadIdentity | RemovedResource
    """The resource, or only its id if it is gone."""


class KnowledgeReindexJob(Job):
    """A job of the type `knowledge.reindex`."""

    type: Literal["knowledge.reindex"]
    result: ReindexResult | None
    _succeeded: SucceededKnowledgeReindexJob


class SucceededKnowledgeReindexJob(KnowledgeReindexJob):
    status: Literal["succeeded"]
    result: ReindexResult
    error: None
    finished_at: str


class KnowledgeRefreshJob(Job):
    """A job of the type `knowledge.refresh`."""

    type: Literal["knowledge.refresh"]
    result: RefreshResult | None
    _succeeded: SucceededKnowledgeRefreshJob


class SucceededKnowledgeRefreshJob(KnowledgeRefreshJob):
    status: Literal["succeeded"]
    result: RefreshResult
    error: None
    finished_at: str


class KnowledgeRemoveSourceJob(Job):
    """A job of the type `knowledge.remove-source`."""

    type: Literal["knowledge.remove-source"]
    result: RemoveSourceResult | None
    _succeeded: SucceededKnowledgeRemoveSourceJob


class SucceededKnowledgeRemoveSourceJob(KnowledgeRemoveSourceJob):
    status: Literal["succeeded"]
    result: RemoveSourceResult
    error: None
    finished_at: str


class KnowledgeExpungeJob(Job):
    """A job of the type `knowledge.expunge`."""

    type: Literal["knowledge.expunge"]
    result: ExpungeResult | None
    _succeeded: SucceededKnowledgeExpungeJob


class SucceededKnowledgeExpungeJob(KnowledgeExpungeJob):
    status: Literal["succeeded"]
    result: ExpungeResult
    error: None
    finished_at: str


class ConversationsEraseJob(Job):
    """A job of the type `conversations.erase`."""

    type: Literal["conversations.erase"]
    result: EraseResult | None
    _succeeded: SucceededConversationsEraseJob


class SucceededConversationsEraseJob(ConversationsEraseJob):
    status: Literal["succeeded"]
    result: EraseResult
    error: None
    finished_at: str


class ConversationsReindexJob(Job):
    """A job of the type `conversations.reindex`."""

    type: Literal["conversations.reindex"]
    result: ConversationsReindexResult | None
    _succeeded: SucceededConversationsReindexJob


class SucceededConversationsReindexJob(ConversationsReindexJob):
    status: Literal["succeeded"]
    result: ConversationsReindexResult
    error: None
    finished_at: str


class ConversationsEvaluateJob(Job):
    """A job of the type `conversations.evaluate`."""

    type: Literal["conversations.evaluate"]
    result: EvaluateResult | None
    _succeeded: SucceededConversationsEvaluateJob


class SucceededConversationsEvaluateJob(ConversationsEvaluateJob):
    status: Literal["succeeded"]
    result: EvaluateResult
    error: None
    finished_at: str


class ConversationsExportJob(Job):
    """A job of the type `conversations.export`."""

    type: Literal["conversations.export"]
    result: ExportResult | None
    _succeeded: SucceededConversationsExportJob


class SucceededConversationsExportJob(ConversationsExportJob):
    status: Literal["succeeded"]
    result: ExportResult
    error: None
    finished_at: str


class ConversationsImportJob(Job):
    """A job of the type `conversations.import`."""

    type: Literal["conversations.import"]
    result: ImportResult | None
    _succeeded: SucceededConversationsImportJob


class SucceededConversationsImportJob(ConversationsImportJob):
    status: Literal["succeeded"]
    result: ImportResult
    error: None
    finished_at: str


class KnowledgeExportJob(Job):
    """A job of the type `knowledge.export`."""

    type: Literal["knowledge.export"]
    result: ExportResult | None
    _succeeded: SucceededKnowledgeExportJob


class SucceededKnowledgeExportJob(KnowledgeExportJob):
    status: Literal["succeeded"]
    result: ExportResult
    error: None
    finished_at: str


class AuditExportJob(Job):
    """A job of the type `audit.export`."""

    type: Literal["audit.export"]
    result: ExportResult | None
    _succeeded: SucceededAuditExportJob


class SucceededAuditExportJob(AuditExportJob):
    status: Literal["succeeded"]
    result: ExportResult
    error: None
    finished_at: str


class FailedJob(Job):
    status: Literal["failed"]
    result: None
    error: Failure
    finished_at: str


class CancelledJob(Job):
    status: Literal["cancelled"]
    result: None
    error: None
    finished_at: str


AnyJob: TypeAlias = "KnowledgeReindexJob | KnowledgeRefreshJob | KnowledgeRemoveSourceJob | KnowledgeExpungeJob | ConversationsEraseJob | ConversationsReindexJob | ConversationsEvaluateJob | ConversationsExportJob | ConversationsImportJob | KnowledgeExportJob | AuditExportJob"
SucceededJob: TypeAlias = "SucceededKnowledgeReindexJob | SucceededKnowledgeRefreshJob | SucceededKnowledgeRemoveSourceJob | SucceededKnowledgeExpungeJob | SucceededConversationsEraseJob | SucceededConversationsReindexJob | SucceededConversationsEvaluateJob | SucceededConversationsExportJob | SucceededConversationsImportJob | SucceededKnowledgeExportJob | SucceededAuditExportJob"
"""What the job did. `type` says which fields the result has."""
EndedJob: TypeAlias = "SucceededJob | FailedJob | CancelledJob"
"""A job that will not change any more. `status` says which it is."""
