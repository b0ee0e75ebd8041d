/** The codes of all errors. lib/http/errors.ts has their status, message and headers. */

import type { Tenant } from './caller.ts';

export type ErrorCode =
  | 'invalid_json'
  | 'validation_error'
  | 'invalid_idempotency_key'
  | 'idempotency_key_required'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'organisation_suspended'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'external_id_taken'
  | 'key_not_active'
  | 'identity_ended'
  | 'overlap_required'
  | 'previous_secret_valid'
  | 'last_key'
  | 'project_archived'
  | 'job_ended'
  | 'job_not_cancellable'
  | 'not_indexed'
  | 'reindex_required'
  | 'index_retired'
  | 'not_extracted'
  | 'conversation_ended'
  | 'conversation_erased'
  | 'conversation_mismatch'
  | 'project_not_deleted'
  | 'too_many_avatars'
  | 'deployment_has_warnings'
  | 'too_many_exports'
  | 'too_many_uploads'
  | 'deployment_too_large'
  | 'stats_too_large'
  | 'deployment_never_current'
  | 'environment_mismatch'
  | 'nothing_to_roll_back'
  | 'avatar_in_use'
  | 'nothing_served'
  | 'rollout_running'
  | 'rollout_ended'
  | 'rollout_paused'
  | 'rollout_only_forward'
  | 'rollout_too_many_changes'
  | 'rollout_without_steps'
  | 'environment_has_rollout'
  | 'reply_running'
  | 'reply_ended'
  | 'reply_not_retryable'
  | 'conversation_not_test'
  | 'deployment_mismatch'
  | 'avatar_archived'
  | 'no_model'
  | 'model_not_listed'
  | 'too_many_webhooks'
  | 'too_many_identities'
  | 'webhook_disabled'
  | 'managed_by_source'
  | 'source_paused'
  | 'refresh_running'
  | 'too_many_sources'
  | 'too_many_evaluators'
  | 'evaluator_name_taken'
  | 'secret_unavailable'
  | 'version_mismatch'
  | 'payload_too_large'
  | 'import_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'quota_exceeded'
  | 'rate_limited'
  | 'internal_error'
  | 'service_unavailable';

/**
 * The details of an error about one field: `path` is dotted (`metadata.colour`), or empty for the whole request. In
 * `validation_error` it is an invalid field of the request, in `previous_secret_valid` a field of the resource, with its value,
 * in `deployment_has_warnings` the id of a document, with the reason of the warning, in `deployment_too_large` the id of an avatar, with
 * its size, and in `conversation_ended` the id of the conversation to resume.
 */
export type ErrorDetail = { path: string; message: string };

/** The audit log has the refusals of known credentials for reasons of security. */
type RefusedCredential = {
  tenant: Tenant;
  keyId: string;
  /** The principal, if it is not the id. */
  by?: string;
  reason:
    | 'key_revoked'
    | 'key_expired'
    | 'identity_deleted'
    | 'identity_expired'
    | 'identity_suspended'
    | 'address_not_allowed';
};

/** It ends a request with an error. It is thrown anywhere below the pipeline, which renders it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** The message for the caller; undefined for the message of the code. */
  readonly publicMessage: string | undefined;
  readonly details: readonly ErrorDetail[] | undefined;
  /** The resource, if the error returns it (`secret_unavailable`). */
  readonly resource: unknown;
  readonly refused: RefusedCredential | undefined;
  /** The pause before the same request may succeed; undefined for that of the code. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    publicMessage?: string,
    options: {
      details?: readonly ErrorDetail[] | undefined;
      resource?: unknown;
      retryAfterSeconds?: number;
      cause?: Error;
      refused?: RefusedCredential;
    } = {},
  ) {
    super(publicMessage ?? code, options.cause && { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.publicMessage = publicMessage;
    this.details = options.details;
    this.resource = options.resource;
    this.refused = options.refused;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** @returns a validation error for one field, for rules beyond the schemas */
export const invalidField = (path: string, message: string): ApiError =>
  new ApiError('validation_error', undefined, { details: [{ path, message }] });

/** Calls `act`, and says of its invalid fields that they are below `path`. */
export function below<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error;
    const details = error.details.map((detail) => ({ ...detail, path: `${path}.${detail.path}` }));
    throw new ApiError(error.code, error.publicMessage, { details });
  }
}
