# Written by `npm run generate`.

"""One exception per status of HTTP, and one per error code."""

from __future__ import annotations

from .._core.errors import ApiError

__all__ = [
    "AvatarArchivedError",
    "AvatarInUseError",
    "BadRequestError",
    "ConflictError",
    "ConversationEndedError",
    "ConversationErasedError",
    "ConversationMismatchError",
    "ConversationNotTestError",
    "DeploymentHasWarningsError",
    "DeploymentMismatchError",
    "DeploymentNeverCurrentError",
    "DeploymentTooLargeError",
    "EnvironmentHasRolloutError",
    "EnvironmentMismatchError",
    "EvaluatorNameTakenError",
    "ExternalIdTakenError",
    "ForbiddenError",
    "IdempotencyKeyRequiredError",
    "IdempotencyKeyReusedError",
    "IdentityEndedError",
    "ImportTooLargeError",
    "IndexRetiredError",
    "InsufficientScopeError",
    "InternalError",
    "InternalServerError",
    "InvalidIdempotencyKeyError",
    "InvalidJsonError",
    "JobEndedError",
    "JobNotCancellableError",
    "KeyNotActiveError",
    "LastKeyError",
    "ManagedBySourceError",
    "MethodNotAllowedError",
    "ModelNotListedError",
    "NoModelError",
    "NotExtractedError",
    "NotFoundError",
    "NotIndexedError",
    "NothingServedError",
    "NothingToRollBackError",
    "OrganisationSuspendedError",
    "OverlapRequiredError",
    "PayloadTooLargeError",
    "PreconditionFailedError",
    "PreviousSecretValidError",
    "ProjectArchivedError",
    "ProjectNotDeletedError",
    "QuotaExceededError",
    "RateLimitedError",
    "RefreshRunningError",
    "ReindexRequiredError",
    "ReplyEndedError",
    "ReplyNotRetryableError",
    "ReplyRunningError",
    "RolloutEndedError",
    "RolloutOnlyForwardError",
    "RolloutPausedError",
    "RolloutRunningError",
    "RolloutTooManyChangesError",
    "RolloutWithoutStepsError",
    "SecretUnavailableError",
    "ServiceUnavailableError",
    "SourcePausedError",
    "StatsTooLargeError",
    "TooManyAvatarsError",
    "TooManyEvaluatorsError",
    "TooManyExportsError",
    "TooManyIdentitiesError",
    "TooManyRequestsError",
    "TooManySourcesError",
    "TooManyUploadsError",
    "TooManyWebhooksError",
    "UnauthorizedError",
    "UnprocessableEntityError",
    "UnsupportedMediaTypeError",
    "ValidationError",
    "VersionMismatchError",
    "WebhookDisabledError",
]


class BadRequestError(ApiError):
    """400 Bad Request."""


class UnauthorizedError(ApiError):
    """401 Unauthorized."""


class ForbiddenError(ApiError):
    """403 Forbidden."""


class NotFoundError(ApiError):
    """404 Not Found."""


class MethodNotAllowedError(ApiError):
    """405 Method Not Allowed."""


class ConflictError(ApiError):
    """409 Conflict."""


class PreconditionFailedError(ApiError):
    """412 Precondition Failed."""


class PayloadTooLargeError(ApiError):
    """413 Payload Too Large."""


class UnsupportedMediaTypeError(ApiError):
    """415 Unsupported Media Type."""


class UnprocessableEntityError(ApiError):
    """422 Unprocessable Entity."""


class TooManyRequestsError(ApiError):
    """429 Too Many Requests."""


class InternalServerError(ApiError):
    """500 Internal Server Error."""


class ServiceUnavailableError(ApiError):
    """503 Service Unavailable."""


class InvalidJsonError(BadRequestError):
    """400 `invalid_json`: The request body is not valid JSON."""


class ValidationError(BadRequestError):
    """400 `validation_error`: The request is not valid."""


class InvalidIdempotencyKeyError(BadRequestError):
    """400 `invalid_idempotency_key`: An Idempotency-Key must be 1 to 255 printable ASCII characters."""


class IdempotencyKeyRequiredError(BadRequestError):
    """400 `idempotency_key_required`: A key that rotates itself must send an Idempotency-Key: if the response is
    lost, the same request returns the same secret again.
    """


class InsufficientScopeError(ForbiddenError):
    """403 `insufficient_scope`: The credential does not have the required scope."""


class OrganisationSuspendedError(ForbiddenError):
    """403 `organisation_suspended`: The operator of this service has suspended the organisation."""


class ExternalIdTakenError(ConflictError):
    """409 `external_id_taken`: Another resource has this externalId."""


class KeyNotActiveError(ConflictError):
    """409 `key_not_active`: A revoked or expired API key cannot be changed."""


class IdentityEndedError(ConflictError):
    """409 `identity_ended`: A deleted or expired workload identity cannot be changed."""


class OverlapRequiredError(ConflictError):
    """409 `overlap_required`: A key that rotates itself must keep its old secret for at least 1h, so that a lost
    response cannot lock it out.
    """


class PreviousSecretValidError(ConflictError):
    """409 `previous_secret_valid`: The secret from before the last rotation is still valid. The details have the time
    at which it ends. Rotate again after this time, or send endPrevious: true to end that secret at once.
    """


class LastKeyError(ConflictError):
    """409 `last_key`: No key would be left that can create keys. Create another such key first, or send force=true to
    revoke this key anyway.
    """


class ProjectArchivedError(ConflictError):
    """409 `project_archived`: The project is archived, so it is read-only. Set its status to active to change it."""


class JobEndedError(ConflictError):
    """409 `job_ended`: The job has ended, so it cannot be cancelled."""


class JobNotCancellableError(ConflictError):
    """409 `job_not_cancellable`: A job that removes data cannot be cancelled."""


class NotIndexedError(ConflictError):
    """409 `not_indexed`: There is no index yet. Re-index the documents, and search when the job has succeeded."""


class ReindexRequiredError(ConflictError):
    """409 `reindex_required`: The index version is older than what the request needs. Re-index the documents."""


class IndexRetiredError(ConflictError):
    """409 `index_retired`: The index of the deployment is no longer kept, because its environment was deleted. Deploy
    the project, or another deployment.
    """


class NotExtractedError(ConflictError):
    """409 `not_extracted`: The document has no content yet. Wait until its `extraction` is `done`."""


class ConversationEndedError(ConflictError):
    """409 `conversation_ended`: The conversation has ended, so it does not accept messages."""


class ConversationErasedError(ConflictError):
    """409 `conversation_erased`: The conversation with this externalId was erased. Its externalId cannot be used
    again.
    """


class ConversationMismatchError(ConflictError):
    """409 `conversation_mismatch`: The conversation with this externalId has another value in a field that cannot
    change.
    """


class ProjectNotDeletedError(ConflictError):
    """409 `project_not_deleted`: Only a deleted project can be restored."""


class TooManyExportsError(ConflictError):
    """409 `too_many_exports`: The project has 50 exports whose files are not deleted yet. Each counts for 30 hours
    after its request.
    """


class TooManyUploadsError(ConflictError):
    """409 `too_many_uploads`: The project has 100 uploads that are not imported. Each counts until its import ends,
    or for a day.
    """


class TooManyAvatarsError(ConflictError):
    """409 `too_many_avatars`: A deployment can have at most 100 active avatars. Archive some avatars."""


class DeploymentTooLargeError(ConflictError):
    """409 `deployment_too_large`: The active avatars are too large for one response (4 MB, as JSON inside JSON).
    Archive some avatars, or shorten them.
    """


class DeploymentHasWarningsError(ConflictError):
    """409 `deployment_has_warnings`: The deployment has warnings, and the request is strict. Nothing was deployed."""


class StatsTooLargeError(ConflictError):
    """409 `stats_too_large`: The range has more than 10 000 combinations of day, avatar, deployment and channel, or
    the response would have more than 10 000 items and shares. Request a shorter range. Use channels for kinds of
    access, not for single users.
    """


class DeploymentNeverCurrentError(ConflictError):
    """409 `deployment_never_current`: The deployment was never current, so you cannot roll back to it. Promote it
    instead.
    """


class EnvironmentMismatchError(ConflictError):
    """409 `environment_mismatch`: The deployment belongs to another environment."""


class NothingToRollBackError(ConflictError):
    """409 `nothing_to_roll_back`: There is no earlier deployment to roll back to."""


class AvatarInUseError(ConflictError):
    """409 `avatar_in_use`: An environment serves this avatar."""


class NothingServedError(ConflictError):
    """409 `nothing_served`: The environment serves nothing. Promote a deployment first."""


class RolloutRunningError(ConflictError):
    """409 `rollout_running`: A rollout is running in the environment. Complete or abort it first."""


class RolloutEndedError(ConflictError):
    """409 `rollout_ended`: The rollout has ended. Start another one."""


class RolloutPausedError(ConflictError):
    """409 `rollout_paused`: The rollout is paused. Set its paused to false first."""


class RolloutOnlyForwardError(ConflictError):
    """409 `rollout_only_forward`: The percent can only rise. To end the rollout, abort it."""


class RolloutTooManyChangesError(ConflictError):
    """409 `rollout_too_many_changes`: The rollout has had 20 percents, the maximum. Complete or abort it."""


class RolloutWithoutStepsError(ConflictError):
    """409 `rollout_without_steps`: The rollout has no steps. Change its percent, or complete it."""


class EnvironmentHasRolloutError(ConflictError):
    """409 `environment_has_rollout`: A rollout is running in the environment. Complete or abort it first."""


class ReplyRunningError(ConflictError):
    """409 `reply_running`: A reply of the conversation has not ended. Wait for it, or cancel it."""


class ReplyEndedError(ConflictError):
    """409 `reply_ended`: The reply has ended."""


class ReplyNotRetryableError(ConflictError):
    """409 `reply_not_retryable`: Only the last reply can be retried, if it is `failed`, `cancelled` or `unknown`."""


class ConversationNotTestError(ConflictError):
    """409 `conversation_not_test`: A draft answers only in a conversation that was created with `test: true`."""


class DeploymentMismatchError(ConflictError):
    """409 `deployment_mismatch`: The conversation has another deployment. Leave out the `target`, or create another
    conversation.
    """


class AvatarArchivedError(ConflictError):
    """409 `avatar_archived`: The avatar is archived. Make it active, or name a deployment."""


class NoModelError(ConflictError):
    """409 `no_model`: The avatar has no model. Set its `model` (PATCH …/avatars/{avatar_id}) to one of GET /models,
    then deploy.
    """


class ModelNotListedError(ConflictError):
    """409 `model_not_listed`: The service does not list the avatar's model. Choose one of GET /models."""


class WebhookDisabledError(ConflictError):
    """409 `webhook_disabled`: The webhook is disabled. Enable it first."""


class TooManyWebhooksError(ConflictError):
    """409 `too_many_webhooks`: There are 50 webhooks, which is the maximum. Delete a webhook."""


class TooManyIdentitiesError(ConflictError):
    """409 `too_many_identities`: There are 100 workload identities that have not ended, which is the maximum. Delete
    one.
    """


class ManagedBySourceError(ConflictError):
    """409 `managed_by_source`: A source writes this document. Change the site or the source, delete the source with
    keepDocuments=true, or delete this document with expunge=true.
    """


class SourcePausedError(ConflictError):
    """409 `source_paused`: The source is paused. Set its paused to false first."""


class RefreshRunningError(ConflictError):
    """409 `refresh_running`: A refresh without this option is running. Wait for its job or cancel it, and send the
    request again.
    """


class TooManySourcesError(ConflictError):
    """409 `too_many_sources`: The project has 50 sources, which is the maximum. Delete a source."""


class TooManyEvaluatorsError(ConflictError):
    """409 `too_many_evaluators`: The project has 50 evaluators, which is the maximum. Change one, or use another
    project.
    """


class EvaluatorNameTakenError(ConflictError):
    """409 `evaluator_name_taken`: An evaluator of the project has this name. Names cannot change, and archived
    evaluators keep theirs.
    """


class SecretUnavailableError(ConflictError):
    """409 `secret_unavailable`: The request has already taken effect. Only the credential that sent the request can
    read the secret again. To get a new secret, rotate it.
    """


class VersionMismatchError(PreconditionFailedError):
    """412 `version_mismatch`: The resource has changed since the version in If-Match. Read it again before you change
    it.
    """


class ImportTooLargeError(PayloadTooLargeError):
    """413 `import_too_large`: A conversation is too large for one transaction, or there are too many messages. Import
    a file.
    """


class IdempotencyKeyReusedError(UnprocessableEntityError):
    """422 `idempotency_key_reused`: This Idempotency-Key was used with another method, path or body."""


class RateLimitedError(TooManyRequestsError):
    """429 `rate_limited`: Too many requests."""


class QuotaExceededError(TooManyRequestsError):
    """429 `quota_exceeded`: A quota of the organisation is used up. GET /usage shows all quotas."""


class InternalError(InternalServerError):
    """500 `internal_error`: An unexpected error occurred."""


status_classes: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    405: MethodNotAllowedError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    422: UnprocessableEntityError,
    429: TooManyRequestsError,
    500: InternalServerError,
    503: ServiceUnavailableError,
}

error_classes: dict[str, type[ApiError]] = {
    "invalid_json": InvalidJsonError,
    "validation_error": ValidationError,
    "invalid_idempotency_key": InvalidIdempotencyKeyError,
    "idempotency_key_required": IdempotencyKeyRequiredError,
    "unauthorized": UnauthorizedError,
    "insufficient_scope": InsufficientScopeError,
    "organisation_suspended": OrganisationSuspendedError,
    "forbidden": ForbiddenError,
    "not_found": NotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "external_id_taken": ExternalIdTakenError,
    "key_not_active": KeyNotActiveError,
    "identity_ended": IdentityEndedError,
    "overlap_required": OverlapRequiredError,
    "previous_secret_valid": PreviousSecretValidError,
    "last_key": LastKeyError,
    "project_archived": ProjectArchivedError,
    "job_ended": JobEndedError,
    "job_not_cancellable": JobNotCancellableError,
    "not_indexed": NotIndexedError,
    "reindex_required": ReindexRequiredError,
    "index_retired": IndexRetiredError,
    "not_extracted": NotExtractedError,
    "conversation_ended": ConversationEndedError,
    "conversation_erased": ConversationErasedError,
    "conversation_mismatch": ConversationMismatchError,
    "project_not_deleted": ProjectNotDeletedError,
    "too_many_exports": TooManyExportsError,
    "too_many_uploads": TooManyUploadsError,
    "too_many_avatars": TooManyAvatarsError,
    "deployment_too_large": DeploymentTooLargeError,
    "deployment_has_warnings": DeploymentHasWarningsError,
    "stats_too_large": StatsTooLargeError,
    "deployment_never_current": DeploymentNeverCurrentError,
    "environment_mismatch": EnvironmentMismatchError,
    "nothing_to_roll_back": NothingToRollBackError,
    "avatar_in_use": AvatarInUseError,
    "nothing_served": NothingServedError,
    "rollout_running": RolloutRunningError,
    "rollout_ended": RolloutEndedError,
    "rollout_paused": RolloutPausedError,
    "rollout_only_forward": RolloutOnlyForwardError,
    "rollout_too_many_changes": RolloutTooManyChangesError,
    "rollout_without_steps": RolloutWithoutStepsError,
    "environment_has_rollout": EnvironmentHasRolloutError,
    "reply_running": ReplyRunningError,
    "reply_ended": ReplyEndedError,
    "reply_not_retryable": ReplyNotRetryableError,
    "conversation_not_test": ConversationNotTestError,
    "deployment_mismatch": DeploymentMismatchError,
    "avatar_archived": AvatarArchivedError,
    "no_model": NoModelError,
    "model_not_listed": ModelNotListedError,
    "webhook_disabled": WebhookDisabledError,
    "too_many_webhooks": TooManyWebhooksError,
    "too_many_identities": TooManyIdentitiesError,
    "managed_by_source": ManagedBySourceError,
    "source_paused": SourcePausedError,
    "refresh_running": RefreshRunningError,
    "too_many_sources": TooManySourcesError,
    "too_many_evaluators": TooManyEvaluatorsError,
    "evaluator_name_taken": EvaluatorNameTakenError,
    "secret_unavailable": SecretUnavailableError,
    "version_mismatch": VersionMismatchError,
    "payload_too_large": PayloadTooLargeError,
    "import_too_large": ImportTooLargeError,
    "unsupported_media_type": UnsupportedMediaTypeError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "rate_limited": RateLimitedError,
    "quota_exceeded": QuotaExceededError,
    "internal_error": InternalError,
    "service_unavailable": ServiceUnavailableError,
}
