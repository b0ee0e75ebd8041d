/** Every error that the API can return: code, HTTP status, public message. Nothing else maps one to another. */

import type { ErrorCode } from '../errors.ts';

type ErrorRow = {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503;
  message: string;
  /** Headers that go with every answer of this code. */
  headers?: Readonly<Record<string, string>>;
};

export const errors = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  validation_error: { status: 400, message: 'The request is not valid.' },
  invalid_idempotency_key: {
    status: 400,
    message: 'An Idempotency-Key is 1 to 255 printable ASCII characters.',
  },
  unauthorized: {
    status: 401,
    message: 'Send a valid API key or access token: "Authorization: Bearer sk_live_…".',
    // RFC 9110 section 11.6.1: a 401 names the scheme that would be accepted.
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  insufficient_scope: { status: 403, message: 'The credential lacks a scope that this request needs.' },
  forbidden: { status: 403, message: 'The request was blocked before it reached the service.' },
  not_found: { status: 404, message: 'There is no such resource.' },
  method_not_allowed: { status: 405, message: 'This path does not answer that method.' },
  conflict: { status: 409, message: "The resource's state forbids this." },
  external_id_taken: { status: 409, message: 'Another document of the project has this externalId.' },
  key_not_active: { status: 409, message: 'A revoked or expired API key cannot be changed.' },
  project_archived: {
    status: 409,
    message: 'The project is archived: it can be read, and changed again once it is active.',
  },
  job_ended: { status: 409, message: 'The job has ended, and cannot be cancelled.' },
  job_not_cancellable: { status: 409, message: 'A job that removes data cannot be cancelled.' },
  not_indexed: {
    status: 409,
    message: 'There is no index yet: re-index the knowledge, and search when the job has succeeded.',
  },
  conversation_ended: { status: 409, message: 'The conversation has ended: it takes no more messages.' },
  project_not_deleted: { status: 409, message: 'Only a deleted project can be restored.' },
  too_many_avatars: {
    status: 409,
    message: 'A deployment takes at most 100 active avatars: archive some.',
  },
  deployment_too_large: {
    status: 409,
    message:
      'The active avatars are too large together to be read in one response (4 MB as JSON within JSON): archive some.',
  },
  stats_too_large: {
    status: 409,
    message:
      'The range has more than 10 000 combinations of day, avatar and channel: ask for a shorter one, and use a channel ' +
      'for a kind of access and not for each user.',
  },
  deployment_never_current: {
    status: 409,
    message: 'There is no way back to a deployment that was never current: promote it.',
  },
  environment_mismatch: { status: 409, message: 'The deployment belongs to another environment.' },
  nothing_to_roll_back: { status: 409, message: 'There is no deployment before the current one.' },
  avatar_in_use: { status: 409, message: 'A current deployment serves this avatar.' },
  secret_unavailable: {
    status: 409,
    message:
      'This request was already carried out, and its secret can be read again only with the credential that made it. ' +
      'Create a new key and revoke this one.',
  },
  version_mismatch: {
    status: 412,
    message: 'The resource has another version than the one in If-Match: get it again, and decide anew.',
  },
  payload_too_large: { status: 413, message: 'A request body is at most 256 KB.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used for another request: another method, path or body.',
  },
  rate_limited: { status: 429, message: 'Too many requests.', headers: { 'Retry-After': '1' } },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  service_unavailable: {
    status: 503,
    message:
      'The service cannot answer right now. Send the request again later; with its Idempotency-Key, a POST takes effect once.',
    headers: { 'Retry-After': '1' },
  },
} as const satisfies Record<ErrorCode, ErrorRow>;
