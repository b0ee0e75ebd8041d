/** The pipeline's dependencies: the base runtime, and the settings of endpoints. */

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Files } from '../base/files.ts';
import { readLimits, type StageLimits } from '../base/stage-limits.ts';
import { hourMs, secondMs } from '../base/time.ts';
import { accessTokenCredential } from '../credentials/access-token-credential.ts';
import { apiKeyCredential } from '../credentials/api-key-credential.ts';
import type { CredentialKind } from '../credentials/kind.ts';
import { oidcIssuers } from '../credentials/oidc-issuers.ts';
import { type BaseRuntime, createBaseRuntime } from '../runtime/base-runtime.ts';
import type { Variables } from '../runtime/function-client.ts';
import type { Limiter } from './limiter.ts';
import { lazyLimiter } from './limits.ts';
import { createTurns, type Turns } from './turns.ts';

export type Runtime = BaseRuntime & {
  /** The accepted kinds of credential. */
  credentials: readonly CredentialKind[];
  /** The lifetime of an idempotency record. */
  retentionMs: number;
  /** The limits and quotas of tenants. */
  limits: StageLimits;
  limiter: () => Promise<Limiter>;
  /** A limit that cannot be counted in this time does not apply to the request. */
  limiterPatienceMs: number;
  /** The turns of this process's concurrent requests. */
  turns: Turns;
};

/** @throws Error unless it is a positive number, because a record that expires at once would protect nothing */
function readHours(text: string): number {
  const hours = Number(text);
  if (!(hours > 0 && Number.isFinite(hours)))
    throw new Error(`IDEMPOTENCY_HOURS is "${text}", not a number of hours`);
  return hours;
}

/**
 * @param env the variables of `createBaseRuntime`, `IDEMPOTENCY_HOURS` (default 24), `LIMITS` (JSON, default
 *   `defaultLimits`), and `OIDC_ISSUERS` for access tokens
 * @param clientConfig settings of the DynamoDB client, in addition to the SDK's own
 * @param files for functions that use files
 * @throws Error that names an invalid variable
 */
export function createRuntime(
  env: Variables,
  clientConfig: DynamoDBClientConfig = {},
  files?: Files,
): Runtime {
  return {
    ...createBaseRuntime(env, clientConfig, files),
    credentials: [apiKeyCredential, accessTokenCredential(oidcIssuers(env))],
    retentionMs: readHours(env.IDEMPOTENCY_HOURS ?? '24') * hourMs,
    limits: readLimits(env),
    limiter: lazyLimiter(),
    limiterPatienceMs: secondMs,
    turns: createTurns(),
  };
}
