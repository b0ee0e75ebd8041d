import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { hourMs, secondMs } from '../base/time.ts';
import { unknownVersion, versionVariable } from '../base/version.ts';
import { accessTokenCredential } from '../credentials/access-token-credential.ts';
import { apiKeyCredential } from '../credentials/api-key-credential.ts';
import type { CredentialKind } from '../credentials/kind.ts';
import { workloadIdentityCredential } from '../credentials/workload-identity-credential.ts';
import { noDownloads } from '../downloads/types.ts';
import { type BaseRuntime, createBaseRuntime } from '../runtime/base-runtime.ts';
import type { Variables } from '../runtime/function-client.ts';
import { ownApiAt, ownApiVariable } from './own-api.ts';
import type { SignIn, SignInVariables, UploadVariables } from './sign-in.ts';
import type { Limiter, Runtime } from './types.ts';

export type { Runtime } from './types.ts';

/** @returns a function that loads the limiter once */
export function lazyLimiter(): () => Promise<Limiter> {
  let limiter: Promise<Limiter> | undefined;
  const load = async () => (await import('./limiter.ts')).createLimiter();
  return () => {
    limiter ??= load();
    return limiter;
  };
}

/** @throws Error unless the number is positive, because a record that expires at once would protect nothing */
function readHours(text: string): number {
  const hours = Number(text);
  if (!(hours > 0 && Number.isFinite(hours)))
    throw new Error(`IDEMPOTENCY_HOURS is "${text}", not a number of hours`);
  return hours;
}

/** @returns the OIDC client of the console; undefined without the variable. CDK has checked the settings. */
function readSignIn(env: Variables): SignIn | undefined {
  const text = env['CONSOLE_SIGN_IN' satisfies keyof SignInVariables];
  return text ? (JSON.parse(text) as SignIn) : undefined;
}

/**
 * A token of a workload identity is a JWT with a certain audience, so its kind comes before that of all other JWTs.
 * @param env `OIDC_ISSUERS`
 */
export const credentialsOf = (
  outside: Pick<BaseRuntime, 'network' | 'elapsedMs' | 'sleep'>,
  env: Variables,
): readonly CredentialKind[] => [
  apiKeyCredential,
  workloadIdentityCredential(outside),
  accessTokenCredential(env),
];

/**
 * @param env the variables of `createBaseRuntime`, `IDEMPOTENCY_HOURS` (default 24), `LIMITS` (JSON, default
 *   `defaultLimits`), and `OIDC_ISSUERS` for access tokens
 * @param clientConfig settings of the DynamoDB client, in addition to the SDK's own
 * @returns a runtime without files and downloads
 * @throws Error that names an invalid variable
 */
export function createRuntime(env: Variables, clientConfig: DynamoDBClientConfig = {}): Runtime {
  const base = createBaseRuntime(env, clientConfig);
  return {
    ...base,
    credentials: credentialsOf(base, env),
    retentionMs: readHours(env.IDEMPOTENCY_HOURS ?? '24') * hourMs,
    limiter: lazyLimiter(),
    limiterPatienceMs: secondMs,
    downloads: noDownloads,
    api: ownApiAt(env[ownApiVariable]),
    version: env[versionVariable] || unknownVersion,
    signIn: readSignIn(env),
    uploadOrigin: env['CONSOLE_UPLOAD_ORIGIN' satisfies keyof UploadVariables],
  };
}
