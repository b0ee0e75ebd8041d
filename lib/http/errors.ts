/**
 * Every error that the API can return, and its response. Only this file relates codes, statuses and public messages. The pipeline
 * loads it with its first error.
 */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiError, ErrorCode } from '../base/errors.ts';
import { standardHeaders } from './envelope.ts';
import type { Endpoint } from './types.ts';

type ErrorRow = {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503;
  message: string;
  headers?: Readonly<Record<string, string>>;
};

export const errors = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  validation_error: { status: 400, message: 'The request is not valid.' },
  invalid_idempotency_key: {
    status: 400,
    message: 'An Idempotency-Key must be 1 to 255 printable ASCII characters.',
  },
  idempotency_key_required: {
    status: 400,
    message:
      'A key that rotates itself must send an Idempotency-Key: if the response is lost, the same request returns the same ' +
      'secret again.',
  },
  unauthorized: {
    status: 401,
    message: 'Send a valid API key or access token: "Authorization: Bearer sk_live_…".',
    // RFC 9110 section 11.6.1: a 401 names the accepted scheme.
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  insufficient_scope: { status: 403, message: 'The credential does not have the required scope.' },
  organisation_suspended: {
    status: 403,
    message: 'The operator of this service has suspended the organisation.',
  },
  forbidden: { status: 403, message: 'A firewall blocked the request.' },
  not_found: { status: 404, message: 'The resource does not exist.' },
  method_not_allowed: { status: 405, message: 'This path does not support the method.' },
  external_id_taken: { status: 409, message: 'Another resource has this externalId.' },
  key_not_active: { status: 409, message: 'A revoked or expired API key cannot be changed.' },
  identity_ended: { status: 409, message: 'A deleted or expired workload identity cannot be changed.' },
  overlap_required: {
    status: 409,
    message:
      'A key that rotates itself must keep its old secret for at least 1h, so that a lost response cannot ' +
      'lock it out.',
  },
  previous_secret_valid: {
    status: 409,
    message:
      'The secret from before the last rotation is still valid. The details have the time at which it ends. Rotate ' +
      'again after this time, or send endPrevious: true to end that secret at once.',
  },
  last_key: {
    status: 409,
    message:
      'No key would be left that can create keys. Create another such key first, or send force=true to revoke this ' +
      'key anyway.',
  },
  project_archived: {
    status: 409,
    message: 'The project is archived, so it is read-only. Set its status to active to change it.',
  },
  job_ended: { status: 409, message: 'The job has ended, so it cannot be cancelled.' },
  job_not_cancellable: { status: 409, message: 'A job that removes data cannot be cancelled.' },
  not_indexed: {
    status: 409,
    message: 'There is no index yet. Re-index the documents, and search when the job has succeeded.',
  },
  reindex_required: {
    status: 409,
    message: 'The index version is older than what the request needs. Re-index the documents.',
  },
  index_retired: {
    status: 409,
    message:
      'The index of the deployment is no longer kept, because its environment was deleted. Deploy the project, or another ' +
      'deployment.',
  },
  not_extracted: {
    status: 409,
    message: 'The document has no content yet. Wait until its `extraction` is `done`.',
  },
  conversation_ended: { status: 409, message: 'The conversation has ended, so it does not accept messages.' },
  conversation_erased: {
    status: 409,
    message: 'The conversation with this externalId was erased. Its externalId cannot be used again.',
  },
  conversation_mismatch: {
    status: 409,
    message: 'The conversation with this externalId has another value in a field that cannot change.',
  },
  project_not_deleted: { status: 409, message: 'Only a deleted project can be restored.' },
  too_many_exports: {
    status: 409,
    message:
      'The project has 50 exports whose files are not deleted yet. Each counts for 30 hours after its request.',
  },
  too_many_uploads: {
    status: 409,
    message:
      'The project has 100 uploads that are not imported. Each counts until its import ends, or for a day.',
  },
  too_many_avatars: {
    status: 409,
    message: 'A deployment can have at most 100 active avatars. Archive some avatars.',
  },
  deployment_too_large: {
    status: 409,
    message:
      'The active avatars are too large for one response (4 MB, as JSON inside JSON). Archive some avatars, or ' +
      'shorten them.',
  },
  deployment_has_warnings: {
    status: 409,
    message: 'The deployment has warnings, and the request is strict. Nothing was deployed.',
  },
  stats_too_large: {
    status: 409,
    message:
      'The range has more than 10 000 combinations of day, avatar, deployment and channel, or the response would ' +
      'have more than 10 000 items and shares. Request a shorter range. Use channels for kinds of access, not for ' +
      'single users.',
  },
  deployment_never_current: {
    status: 409,
    message: 'The deployment was never current, so you cannot roll back to it. Promote it instead.',
  },
  environment_mismatch: { status: 409, message: 'The deployment belongs to another environment.' },
  nothing_to_roll_back: { status: 409, message: 'There is no earlier deployment to roll back to.' },
  avatar_in_use: { status: 409, message: 'An environment serves this avatar.' },
  nothing_served: {
    status: 409,
    message: 'The environment serves nothing. Promote a deployment first.',
  },
  rollout_running: {
    status: 409,
    message: 'A rollout is running in the environment. Complete or abort it first.',
  },
  rollout_ended: {
    status: 409,
    message: 'The rollout has ended. Start another one.',
  },
  rollout_paused: { status: 409, message: 'The rollout is paused. Set its paused to false first.' },
  rollout_only_forward: {
    status: 409,
    message: 'The percent can only rise. To end the rollout, abort it.',
  },
  rollout_too_many_changes: {
    status: 409,
    message: 'The rollout has had 20 percents, the maximum. Complete or abort it.',
  },
  rollout_without_steps: {
    status: 409,
    message: 'The rollout has no steps. Change its percent, or complete it.',
  },
  environment_has_rollout: {
    status: 409,
    message: 'A rollout is running in the environment. Complete or abort it first.',
  },
  reply_running: {
    status: 409,
    message: 'A reply of the conversation has not ended. Wait for it, or cancel it.',
  },
  reply_ended: { status: 409, message: 'The reply has ended.' },
  reply_not_retryable: {
    status: 409,
    message: 'Only the last reply can be retried, if it is `failed`, `cancelled` or `unknown`.',
  },
  conversation_not_test: {
    status: 409,
    message: 'A draft answers only in a conversation that was created with `test: true`.',
  },
  deployment_mismatch: {
    status: 409,
    message:
      'The conversation has another deployment. Leave out the `target`, or create another conversation.',
  },
  avatar_archived: { status: 409, message: 'The avatar is archived. Make it active, or name a deployment.' },
  no_model: {
    status: 409,
    message:
      'The avatar has no model. Set its `model` (PATCH …/avatars/{avatar_id}) to one of GET /models, then deploy.',
  },
  model_not_listed: {
    status: 409,
    message: "The service does not list the avatar's model. Choose one of GET /models.",
  },
  webhook_disabled: { status: 409, message: 'The webhook is disabled. Enable it first.' },
  too_many_webhooks: {
    status: 409,
    message: 'There are 50 webhooks, which is the maximum. Delete a webhook.',
  },
  too_many_identities: {
    status: 409,
    message: 'There are 100 workload identities that have not ended, which is the maximum. Delete one.',
  },
  managed_by_source: {
    status: 409,
    message:
      'A source writes this document. Change the site or the source, delete the source with keepDocuments=true, or delete ' +
      'this document with expunge=true.',
  },
  source_paused: {
    status: 409,
    message: 'The source is paused. Set its paused to false first.',
  },
  refresh_running: {
    status: 409,
    message:
      'A refresh without this option is running. Wait for its job or cancel it, and send the request again.',
  },
  too_many_sources: {
    status: 409,
    message: 'The project has 50 sources, which is the maximum. Delete a source.',
  },
  too_many_evaluators: {
    status: 409,
    message: 'The project has 50 evaluators, which is the maximum. Change one, or use another project.',
  },
  evaluator_name_taken: {
    status: 409,
    message:
      'An evaluator of the project has this name. Names cannot change, and archived evaluators keep theirs.',
  },
  secret_unavailable: {
    status: 409,
    message:
      'The request has already taken effect. Only the credential that sent the request can read the secret again. ' +
      'To get a new secret, rotate it.',
  },
  version_mismatch: {
    status: 412,
    message: 'The resource has changed since the version in If-Match. Read it again before you change it.',
  },
  payload_too_large: { status: 413, message: 'The request body must be at most 256 KB.' },
  import_too_large: {
    status: 413,
    message:
      'A conversation is too large for one transaction, or there are too many messages. Import a file.',
  },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another method, path or body.',
  },
  rate_limited: { status: 429, message: 'Too many requests.', headers: { 'Retry-After': '1' } },
  quota_exceeded: {
    status: 429,
    message: 'A quota of the organisation is used up. GET /usage shows all quotas.',
    headers: { 'Retry-After': '60' },
  },
  internal_error: { status: 500, message: 'An unexpected error occurred.' },
  service_unavailable: {
    status: 503,
    message:
      'The service is temporarily unavailable. Send the request again later. With an Idempotency-Key, a ' +
      'POST still takes effect only once.',
    headers: { 'Retry-After': '1' },
  },
} as const satisfies Record<ErrorCode, ErrorRow>;

export function renderError(error: ApiError, requestId: string): APIGatewayProxyResult {
  const row: ErrorRow = errors[error.code];
  const { code, publicMessage: message = row.message, details, resource, retryAfterSeconds } = error;
  return {
    statusCode: row.status,
    headers: {
      ...standardHeaders(requestId),
      ...row.headers,
      ...(retryAfterSeconds !== undefined && { 'Retry-After': `${retryAfterSeconds}` }),
    },
    // JSON omits undefined fields.
    body: JSON.stringify({ success: false, error: { code, message, requestId, details, resource } }),
  };
}

/**
 * A caller that uses a method that a path does not support learns which methods the path supports.
 * @param others the endpoints of the path
 * @returns the methods that the path supports, for `Allow`, and the message
 */
export function otherMethod(others: readonly Pick<Endpoint, 'method' | 'otherMethods'>[], method: string) {
  const allowed = others.map((endpoint) => endpoint.method).join(', ');
  const hints = others.flatMap(({ otherMethods }) =>
    Object.entries(otherMethods).flatMap(([other, hint]) => (other === method ? [hint] : [])),
  );
  return { allowed, message: [`This path supports ${allowed}, not ${method}.`, ...hints].join(' ') };
}
