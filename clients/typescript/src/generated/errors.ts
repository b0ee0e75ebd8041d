// Written by `npm run generate`.

import { ApiError, named } from '../core/errors.ts';

/** Every error code that this version of the client knows. */
export type ErrorCode = keyof typeof errorClasses;

/** 400 `invalid_json`: The request body is not valid JSON. */
export class InvalidJsonError extends ApiError<'invalid_json'> {}

/** 400 `validation_error`: The request is not valid. */
export class ValidationError extends ApiError<'validation_error'> {}

/** 400 `invalid_idempotency_key`: An Idempotency-Key must be 1 to 255 printable ASCII characters. */
export class InvalidIdempotencyKeyError extends ApiError<'invalid_idempotency_key'> {}

/** 400 `idempotency_key_required`: A key that rotates itself must send an Idempotency-Key: if the response is lost, the same request returns the same secret again. */
export class IdempotencyKeyRequiredError extends ApiError<'idempotency_key_required'> {}

/** 401 `unauthorized`: Send a valid API key or access token: "Authorization: Bearer sk_live_…". */
export class UnauthorizedError extends ApiError<'unauthorized'> {}

/** 403 `insufficient_scope`: The credential does not have the required scope. */
export class InsufficientScopeError extends ApiError<'insufficient_scope'> {}

/** 403 `organisation_suspended`: The operator of this service has suspended the organisation. */
export class OrganisationSuspendedError extends ApiError<'organisation_suspended'> {}

/** 403 `forbidden`: A firewall blocked the request. */
export class ForbiddenError extends ApiError<'forbidden'> {}

/** 404 `not_found`: The resource does not exist. */
export class NotFoundError extends ApiError<'not_found'> {}

/** 405 `method_not_allowed`: This path does not support the method. */
export class MethodNotAllowedError extends ApiError<'method_not_allowed'> {}

/** 409 `external_id_taken`: Another resource has this externalId. */
export class ExternalIdTakenError extends ApiError<'external_id_taken'> {}

/** 409 `key_not_active`: A revoked or expired API key cannot be changed. */
export class KeyNotActiveError extends ApiError<'key_not_active'> {}

/** 409 `identity_ended`: A deleted or expired workload identity cannot be changed. */
export class IdentityEndedError extends ApiError<'identity_ended'> {}

/** 409 `overlap_required`: A key that rotates itself must keep its old secret for at least 1h, so that a lost response cannot lock it out. */
export class OverlapRequiredError extends ApiError<'overlap_required'> {}

/** 409 `previous_secret_valid`: The secret from before the last rotation is still valid. The details have the time at which it ends. Rotate again after this time, or send endPrevious: true to end that secret at once. */
export class PreviousSecretValidError extends ApiError<'previous_secret_valid'> {}

/** 409 `last_key`: No key would be left that can create keys. Create another such key first, or send force=true to revoke this key anyway. */
export class LastKeyError extends ApiError<'last_key'> {}

/** 409 `project_archived`: The project is archived, so it is read-only. Set its status to active to change it. */
export class ProjectArchivedError extends ApiError<'project_archived'> {}

/** 409 `job_ended`: The job has ended, so it cannot be cancelled. */
export class JobEndedError extends ApiError<'job_ended'> {}

/** 409 `job_not_cancellable`: A job that removes data cannot be cancelled. */
export class JobNotCancellableError extends ApiError<'job_not_cancellable'> {}

/** 409 `not_indexed`: There is no index yet. Re-index the documents, and search when the job has succeeded. */
export class NotIndexedError extends ApiError<'not_indexed'> {}

/** 409 `reindex_required`: The index version is older than what the request needs. Re-index the documents. */
export class ReindexRequiredError extends ApiError<'reindex_required'> {}

/** 409 `index_retired`: The index of the deployment is no longer kept, because its environment was deleted. Deploy the project, or another deployment. */
export class IndexRetiredError extends ApiError<'index_retired'> {}

/** 409 `not_extracted`: The document has no content yet. Wait until its `extraction` is `done`. */
export class NotExtractedError extends ApiError<'not_extracted'> {}

/** 409 `conversation_ended`: The conversation has ended, so it does not accept messages. */
export class ConversationEndedError extends ApiError<'conversation_ended'> {}

/** 409 `conversation_erased`: The conversation with this externalId was erased. Its externalId cannot be used again. */
export class ConversationErasedError extends ApiError<'conversation_erased'> {}

/** 409 `conversation_mismatch`: The conversation with this externalId has another value in a field that cannot change. */
export class ConversationMismatchError extends ApiError<'conversation_mismatch'> {}

/** 409 `project_not_deleted`: Only a deleted project can be restored. */
export class ProjectNotDeletedError extends ApiError<'project_not_deleted'> {}

/** 409 `too_many_exports`: The project has 50 exports whose files are not deleted yet. Each counts for 30 hours after its request. */
export class TooManyExportsError extends ApiError<'too_many_exports'> {}

/** 409 `too_many_uploads`: The project has 100 uploads that are not imported. Each counts until its import ends, or for a day. */
export class TooManyUploadsError extends ApiError<'too_many_uploads'> {}

/** 409 `too_many_avatars`: A deployment can have at most 100 active avatars. Archive some avatars. */
export class TooManyAvatarsError extends ApiError<'too_many_avatars'> {}

/** 409 `deployment_too_large`: The active avatars are too large for one response (4 MB, as JSON inside JSON). Archive some avatars, or shorten them. */
export class DeploymentTooLargeError extends ApiError<'deployment_too_large'> {}

/** 409 `deployment_has_warnings`: The deployment has warnings, and the request is strict. Nothing was deployed. */
export class DeploymentHasWarningsError extends ApiError<'deployment_has_warnings'> {}

/** 409 `stats_too_large`: The range has more than 10 000 combinations of day, avatar, deployment and channel, or the response would have more than 10 000 items and shares. Request a shorter range. Use channels for kinds of access, not for single users. */
export class StatsTooLargeError extends ApiError<'stats_too_large'> {}

/** 409 `deployment_never_current`: The deployment was never current, so you cannot roll back to it. Promote it instead. */
export class DeploymentNeverCurrentError extends ApiError<'deployment_never_current'> {}

/** 409 `environment_mismatch`: The deployment belongs to another environment. */
export class EnvironmentMismatchError extends ApiError<'environment_mismatch'> {}

/** 409 `nothing_to_roll_back`: There is no earlier deployment to roll back to. */
export class NothingToRollBackError extends ApiError<'nothing_to_roll_back'> {}

/** 409 `avatar_in_use`: An environment serves this avatar. */
export class AvatarInUseError extends ApiError<'avatar_in_use'> {}

/** 409 `nothing_served`: The environment serves nothing. Promote a deployment first. */
export class NothingServedError extends ApiError<'nothing_served'> {}

/** 409 `rollout_running`: A rollout is running in the environment. Complete or abort it first. */
export class RolloutRunningError extends ApiError<'rollout_running'> {}

/** 409 `rollout_ended`: The rollout has ended. Start another one. */
export class RolloutEndedError extends ApiError<'rollout_ended'> {}

/** 409 `rollout_paused`: The rollout is paused. Set its paused to false first. */
export class RolloutPausedError extends ApiError<'rollout_paused'> {}

/** 409 `rollout_only_forward`: The percent can only rise. To end the rollout, abort it. */
export class RolloutOnlyForwardError extends ApiError<'rollout_only_forward'> {}

/** 409 `rollout_too_many_changes`: The rollout has had 20 percents, the maximum. Complete or abort it. */
export class RolloutTooManyChangesError extends ApiError<'rollout_too_many_changes'> {}

/** 409 `rollout_without_steps`: The rollout has no steps. Change its percent, or complete it. */
export class RolloutWithoutStepsError extends ApiError<'rollout_without_steps'> {}

/** 409 `environment_has_rollout`: A rollout is running in the environment. Complete or abort it first. */
export class EnvironmentHasRolloutError extends ApiError<'environment_has_rollout'> {}

/** 409 `reply_running`: A reply of the conversation has not ended. Wait for it, or cancel it. */
export class ReplyRunningError extends ApiError<'reply_running'> {}

/** 409 `reply_ended`: The reply has ended. */
export class ReplyEndedError extends ApiError<'reply_ended'> {}

/** 409 `reply_not_retryable`: Only the last reply can be retried, if it is `failed`, `cancelled` or `unknown`. */
export class ReplyNotRetryableError extends ApiError<'reply_not_retryable'> {}

/** 409 `conversation_not_test`: A draft answers only in a conversation that was created with `test: true`. */
export class ConversationNotTestError extends ApiError<'conversation_not_test'> {}

/** 409 `deployment_mismatch`: The conversation has another deployment. Leave out the `target`, or create another conversation. */
export class DeploymentMismatchError extends ApiError<'deployment_mismatch'> {}

/** 409 `avatar_archived`: The avatar is archived. Make it active, or name a deployment. */
export class AvatarArchivedError extends ApiError<'avatar_archived'> {}

/** 409 `no_model`: The avatar has no model. Set its `model` (PATCH …/avatars/{avatar_id}) to one of GET /models, then deploy. */
export class NoModelError extends ApiError<'no_model'> {}

/** 409 `model_not_listed`: The service does not list the avatar's model. Choose one of GET /models. */
export class ModelNotListedError extends ApiError<'model_not_listed'> {}

/** 409 `webhook_disabled`: The webhook is disabled. Enable it first. */
export class WebhookDisabledError extends ApiError<'webhook_disabled'> {}

/** 409 `too_many_webhooks`: There are 50 webhooks, which is the maximum. Delete a webhook. */
export class TooManyWebhooksError extends ApiError<'too_many_webhooks'> {}

/** 409 `too_many_identities`: There are 100 workload identities that have not ended, which is the maximum. Delete one. */
export class TooManyIdentitiesError extends ApiError<'too_many_identities'> {}

/** 409 `managed_by_source`: A source writes this document. Change the site or the source, delete the source with keepDocuments=true, or delete this document with expunge=true. */
export class ManagedBySourceError extends ApiError<'managed_by_source'> {}

/** 409 `source_paused`: The source is paused. Set its paused to false first. */
export class SourcePausedError extends ApiError<'source_paused'> {}

/** 409 `refresh_running`: A refresh without this option is running. Wait for its job or cancel it, and send the request again. */
export class RefreshRunningError extends ApiError<'refresh_running'> {}

/** 409 `too_many_sources`: The project has 50 sources, which is the maximum. Delete a source. */
export class TooManySourcesError extends ApiError<'too_many_sources'> {}

/** 409 `too_many_evaluators`: The project has 50 evaluators, which is the maximum. Change one, or use another project. */
export class TooManyEvaluatorsError extends ApiError<'too_many_evaluators'> {}

/** 409 `evaluator_name_taken`: An evaluator of the project has this name. Names cannot change, and archived evaluators keep theirs. */
export class EvaluatorNameTakenError extends ApiError<'evaluator_name_taken'> {}

/** 409 `secret_unavailable`: The request has already taken effect. Only the credential that sent the request can read the secret again. To get a new secret, rotate it. */
export class SecretUnavailableError extends ApiError<'secret_unavailable'> {}

/** 412 `version_mismatch`: The resource has changed since the version in If-Match. Read it again before you change it. */
export class VersionMismatchError extends ApiError<'version_mismatch'> {}

/** 413 `payload_too_large`: The request body must be at most 256 KB. */
export class PayloadTooLargeError extends ApiError<'payload_too_large'> {}

/** 413 `import_too_large`: A conversation is too large for one transaction, or there are too many messages. Import a file. */
export class ImportTooLargeError extends ApiError<'import_too_large'> {}

/** 415 `unsupported_media_type`: Send the body as application/json. */
export class UnsupportedMediaTypeError extends ApiError<'unsupported_media_type'> {}

/** 422 `idempotency_key_reused`: This Idempotency-Key was used with another method, path or body. */
export class IdempotencyKeyReusedError extends ApiError<'idempotency_key_reused'> {}

/** 429 `rate_limited`: Too many requests. */
export class RateLimitedError extends ApiError<'rate_limited'> {}

/** 429 `quota_exceeded`: A quota of the organisation is used up. GET /usage shows all quotas. */
export class QuotaExceededError extends ApiError<'quota_exceeded'> {}

/** 500 `internal_error`: An unexpected error occurred. */
export class InternalError extends ApiError<'internal_error'> {}

/** 503 `service_unavailable`: The service is temporarily unavailable. Send the request again later. With an Idempotency-Key, a POST still takes effect only once. */
export class ServiceUnavailableError extends ApiError<'service_unavailable'> {}

export const errorClasses = {
  invalid_json: InvalidJsonError,
  validation_error: ValidationError,
  invalid_idempotency_key: InvalidIdempotencyKeyError,
  idempotency_key_required: IdempotencyKeyRequiredError,
  unauthorized: UnauthorizedError,
  insufficient_scope: InsufficientScopeError,
  organisation_suspended: OrganisationSuspendedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  external_id_taken: ExternalIdTakenError,
  key_not_active: KeyNotActiveError,
  identity_ended: IdentityEndedError,
  overlap_required: OverlapRequiredError,
  previous_secret_valid: PreviousSecretValidError,
  last_key: LastKeyError,
  project_archived: ProjectArchivedError,
  job_ended: JobEndedError,
  job_not_cancellable: JobNotCancellableError,
  not_indexed: NotIndexedError,
  reindex_required: ReindexRequiredError,
  index_retired: IndexRetiredError,
  not_extracted: NotExtractedError,
  conversation_ended: ConversationEndedError,
  conversation_erased: ConversationErasedError,
  conversation_mismatch: ConversationMismatchError,
  project_not_deleted: ProjectNotDeletedError,
  too_many_exports: TooManyExportsError,
  too_many_uploads: TooManyUploadsError,
  too_many_avatars: TooManyAvatarsError,
  deployment_too_large: DeploymentTooLargeError,
  deployment_has_warnings: DeploymentHasWarningsError,
  stats_too_large: StatsTooLargeError,
  deployment_never_current: DeploymentNeverCurrentError,
  environment_mismatch: EnvironmentMismatchError,
  nothing_to_roll_back: NothingToRollBackError,
  avatar_in_use: AvatarInUseError,
  nothing_served: NothingServedError,
  rollout_running: RolloutRunningError,
  rollout_ended: RolloutEndedError,
  rollout_paused: RolloutPausedError,
  rollout_only_forward: RolloutOnlyForwardError,
  rollout_too_many_changes: RolloutTooManyChangesError,
  rollout_without_steps: RolloutWithoutStepsError,
  environment_has_rollout: EnvironmentHasRolloutError,
  reply_running: ReplyRunningError,
  reply_ended: ReplyEndedError,
  reply_not_retryable: ReplyNotRetryableError,
  conversation_not_test: ConversationNotTestError,
  deployment_mismatch: DeploymentMismatchError,
  avatar_archived: AvatarArchivedError,
  no_model: NoModelError,
  model_not_listed: ModelNotListedError,
  webhook_disabled: WebhookDisabledError,
  too_many_webhooks: TooManyWebhooksError,
  too_many_identities: TooManyIdentitiesError,
  managed_by_source: ManagedBySourceError,
  source_paused: SourcePausedError,
  refresh_running: RefreshRunningError,
  too_many_sources: TooManySourcesError,
  too_many_evaluators: TooManyEvaluatorsError,
  evaluator_name_taken: EvaluatorNameTakenError,
  secret_unavailable: SecretUnavailableError,
  version_mismatch: VersionMismatchError,
  payload_too_large: PayloadTooLargeError,
  import_too_large: ImportTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  rate_limited: RateLimitedError,
  quota_exceeded: QuotaExceededError,
  internal_error: InternalError,
  service_unavailable: ServiceUnavailableError,
};

// As above: a minifier renames classes.
for (const [code, type] of Object.entries(errorClasses))
  named(type, `${code.replace(/_error$|(?:^|_)(.)/g, (_, first = '') => first.toUpperCase())}Error`);
