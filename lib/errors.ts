/** The errors by name. lib/http/errors.ts has their status, message and headers. */

export type ErrorCode =
  | 'invalid_json'
  | 'validation_error'
  | 'invalid_idempotency_key'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'external_id_taken'
  | 'key_not_active'
  | 'project_archived'
  | 'job_ended'
  | 'job_not_cancellable'
  | 'not_indexed'
  | 'conversation_ended'
  | 'project_not_deleted'
  | 'too_many_avatars'
  | 'deployment_too_large'
  | 'stats_too_large'
  | 'deployment_never_current'
  | 'environment_mismatch'
  | 'nothing_to_roll_back'
  | 'avatar_in_use'
  | 'secret_unavailable'
  | 'version_mismatch'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'service_unavailable';

/** One invalid field of a request: `path` is dotted (`metadata.colour`), or empty for the whole request. */
export type ErrorDetail = { path: string; message: string };

/** Ends a request with an error. Thrown anywhere below the pipeline, which renders it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** For the caller; undefined to use the code's own message. */
  readonly publicMessage: string | undefined;
  readonly details: readonly ErrorDetail[] | undefined;
  /** The resource, if the error returns it (`secret_unavailable`). */
  readonly resource: unknown;

  constructor(
    code: ErrorCode,
    publicMessage?: string,
    options: { details?: readonly ErrorDetail[] | undefined; resource?: unknown; cause?: Error } = {},
  ) {
    super(publicMessage ?? code, options.cause && { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.publicMessage = publicMessage;
    this.details = options.details;
    this.resource = options.resource;
  }
}

/** @returns a validation error for one field, for rules beyond the schemas */
export const invalidField = (path: string, message: string): ApiError =>
  new ApiError('validation_error', undefined, { details: [{ path, message }] });
