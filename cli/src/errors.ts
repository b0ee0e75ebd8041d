/** The message, the next step and the exit code for each error. */

import { ApiError, ConnectionError, JobFailedError, ProxyError } from '../../clients/typescript/src/index.ts';
import type { ExitName } from './exit-codes.ts';
import type { ProxyAdvice } from './proxy.ts';

/** An error that the command line itself finds. */
export class CliError extends Error {
  readonly exit: ExitName;
  /** The next step of the user. */
  readonly next: string | undefined;

  constructor(exit: ExitName, message: string, next?: string) {
    super(message);
    this.exit = exit;
    this.next = next;
  }
}

export const usageError = (message: string, next?: string) => new CliError('usage', message, next);

/** The reason with which a signal of the operating system aborts the work. */
export class Interrupted extends Error {
  readonly exit: ExitName;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted.');
    this.exit = signal === 'SIGINT' ? 'interrupted' : 'terminated';
  }
}

export type Failure = {
  exit: ExitName;
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  next?: string | undefined;
};

const retryAdvice = 'Run the same command again.';

/** The next step after an error of the API, by its code. */
const nextSteps: Readonly<Record<string, string>> = {
  unauthorized:
    '`platform whoami` shows where the key or the token comes from. Log in again (platform login), or correct ' +
    'PLATFORM_API_KEY or the workload identity.',
  last_key: 'Add --force to revoke the key anyway.',
  insufficient_scope:
    '`platform whoami` shows the scopes of your key. `platform keys create` makes a key with other scopes.',
  organisation_suspended: 'Ask the operator of the service.',
  not_found:
    'Check the id. `platform whoami` shows which projects the key sees, and whether it is for live or test data.',
  project_archived: 'Make it active again: platform projects update ID --status active',
  idempotency_key_reused: 'Choose another --idempotency-key: another request has used this value.',
  secret_unavailable: 'Give the key a new secret: platform keys rotate ID',
  not_indexed: 'Build the index first: platform reindex --wait',
  reindex_required: 'Re-index: platform reindex --wait. For an environment, then deploy: platform deploy',
  avatar_in_use: 'Archive it (platform avatars update ID --status archived), deploy, then delete it.',
  deployment_has_warnings: 'To leave a document out: platform knowledge ignore ID',
  version_mismatch: 'Somebody else has changed the resource. Look at it, and try again.',
  nothing_to_roll_back: '`platform deployments list` shows the deployments that you can promote.',
  deployment_never_current: '`platform deployments promote ID` promotes a deployment that was never current.',
  nothing_served: 'Deploy first: platform deploy --environment ENVIRONMENT',
  rollout_running:
    'Look at it (platform rollout status ENVIRONMENT), then complete or abort it: platform rollout abort ENVIRONMENT',
  rollout_ended: 'Look at it: platform rollout status ENVIRONMENT',
  rollout_paused: 'Let it go on: platform rollout resume ENVIRONMENT',
  rollout_only_forward: 'Everybody gets the current deployment after: platform rollout abort ENVIRONMENT',
  rollout_too_many_changes: 'End it: platform rollout complete ENVIRONMENT, or abort',
  rollout_without_steps:
    'Raise its percent (platform rollout update), or complete it (platform rollout complete).',
  no_model:
    'Give it a model: platform avatars update ID --model MODEL. To list the models: platform models list',
  model_not_listed: '`platform models list` shows the models of this service.',
  reply_running: 'Wait until the other reply has ended, or cancel it: platform replies cancel',
  environment_has_rollout: 'End it: platform rollout abort ENVIRONMENT',
  payload_too_large: 'Send less: a request has at most 256 KB, a document 200 KB.',
  rate_limited: retryAdvice,
  quota_exceeded: '`platform usage` shows the usage, and when it resets.',
  internal_error: `${retryAdvice} If it fails again, report the request id.`,
  service_unavailable: retryAdvice,
  // The response came from something else, such as a proxy.
  unknown: 'Check the address: `platform whoami` shows it. It usually ends in /api/v1.',
};

const authorityAdvice =
  'If your company has a certificate authority of its own, set NODE_EXTRA_CA_CERTS to its file.';

/** The next step when there was no response, by what the system says. */
const connectionSteps: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server listens there. Start it, or check the address: `platform whoami` shows it.',
  ENOTFOUND: 'There is no machine of this name. Check the address: `platform whoami` shows it.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'The server does not use TLS. On this machine, the address may begin with http://.',
  DEPTH_ZERO_SELF_SIGNED_CERT: authorityAdvice,
  SELF_SIGNED_CERT_IN_CHAIN: authorityAdvice,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authorityAdvice,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authorityAdvice,
};

/** The kind of failure that a status of the API means. */
function exitOf(status: number): ExitName {
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'notFound';
  if (status === 409 || status === 412) return 'conflict';
  if (status === 429 || status >= 500) return 'temporary';
  return 'usage';
}

export function describe(error: unknown, proxy: ProxyAdvice = {}): Failure {
  if (error instanceof JobFailedError) {
    const { id } = error.job;
    return {
      exit: 'jobFailed',
      message: error.message,
      next: `Look at its failures: platform jobs get ${id}`,
    };
  }
  if (error instanceof ApiError) {
    const { status, code, requestId, reason, method, path } = error;
    const message = status === 404 ? `${reason} (${method} ${path})` : reason;
    return { exit: exitOf(status), message, code, status, requestId, next: nextSteps[code] };
  }
  if (error instanceof ConnectionError) {
    const { message, code } = error;
    const step = (code && connectionSteps[code]) || `${retryAdvice} \`platform whoami\` shows the address.`;
    const mayBeProxy = message.includes(' https://') && step !== authorityAdvice;
    const next = (mayBeProxy && proxy.ifLost) || step;
    return { exit: 'temporary', message, code, next };
  }
  if (error instanceof ProxyError) return { exit: 'usage', message: error.message, next: proxy.ifRefused };
  if (error instanceof CliError || error instanceof Interrupted)
    return { exit: error.exit, message: error.message, ...('next' in error && { next: error.next }) };
  return { exit: 'failed', message: error instanceof Error ? error.message : String(error) };
}
