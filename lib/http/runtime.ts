/** What the pipeline has from the world outside: what every process has, and the settings of endpoints. */

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { accessTokenCredential } from '../credentials/access-token-credential.ts';
import { apiKeyCredential } from '../credentials/api-key-credential.ts';
import type { CredentialKind } from '../credentials/kind.ts';
import { oidcSettings } from '../credentials/oidc-settings.ts';
import { type BaseRuntime, createBaseRuntime, type Variables } from '../runtime/base-runtime.ts';
import { hourMs } from '../time.ts';
import { createTurns, type Turns } from './turns.ts';

export type Runtime = BaseRuntime & {
  /** The kinds of credential that are accepted. */
  credentials: readonly CredentialKind[];
  /** How long an idempotency record is kept. */
  retentionMs: number;
  /** Of the requests that this process has at the same time. */
  turns: Turns;
};

/** @throws Error for anything but a positive number: a record that expires at once would be no promise */
function hoursOf(text: string): number {
  const hours = Number(text);
  if (!(hours > 0 && Number.isFinite(hours)))
    throw new Error(`IDEMPOTENCY_HOURS is "${text}", not a number of hours`);
  return hours;
}

/**
 * @param env what `createBaseRuntime` reads, `IDEMPOTENCY_HOURS` (24 when left out), and `OIDC_…` where access tokens are
 *   accepted
 * @param clientConfig settings of the DynamoDB client, beside those that the SDK finds itself
 * @throws Error that names a variable which cannot be right
 */
export function createRuntime(env: Variables, clientConfig: DynamoDBClientConfig = {}): Runtime {
  return {
    ...createBaseRuntime(env, clientConfig),
    credentials: [apiKeyCredential, accessTokenCredential(oidcSettings(env))],
    retentionMs: hoursOf(env.IDEMPOTENCY_HOURS ?? '24') * hourMs,
    turns: createTurns(),
  };
}
