/** The options for the permissions of a credential. Keys and workload identities have the same options. */

import type { ApiKeyCreateRequest } from '../../clients/typescript/src/index.ts';
import type { OptionSpec } from './command.ts';
import { usageError } from './errors.ts';
import { timeFrom } from './period.ts';

export type GrantOptions = {
  scope?: string[];
  projectId?: string[];
  environment?: string[];
  allowedCidr?: string[];
  rateLimit?: string;
  expiresIn?: string;
};

const expiresIn: OptionSpec = ['--expires-in <time>', 'its lifetime from now, such as 12h, 30d or 4w'];

/** The options by the field of the request. */
export const grantSpecs: Readonly<Record<string, readonly OptionSpec[]>> = {
  scopes: [
    ['--scope <scope>', 'a scope that it gets, such as knowledge:write; several times', { repeat: true }],
  ],
  projectIds: [
    [
      '--project-id <project>',
      'only this project, by its id or name; several times',
      { repeat: true, formerly: '--bind' },
    ],
  ],
  environments: [
    [
      '--environment <name>',
      'only this environment of its projects, such as staging; several times',
      { repeat: true },
    ],
  ],
  allowedCidrs: [
    [
      '--allowed-cidr <cidr>',
      'only from these addresses, such as 203.0.113.0/24; several times',
      { repeat: true, formerly: '--allow' },
    ],
  ],
  rateLimit: [
    ['--rate-limit <limit>', 'requests in a period of 1s, 1m or 1h, such as 100/1m, or none for no limit'],
  ],
  expiresIn: [expiresIn],
  expiresAt: [expiresIn, ['--expires-at <time>', 'when it expires', { hidden: true }]],
};

/** @returns the limit in a text such as 100/1m; null for `none` */
export function rateLimitFrom(text: string | undefined): ApiKeyCreateRequest['rateLimit'] {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const [, requests, per] = /^([1-9]\d{0,8})\/(1s|1m|1h)$/.exec(text) ?? [];
  if (requests === undefined || !isPeriod(per))
    throw usageError(`--rate-limit must be requests and a period, such as 100/1m, 5/1s or 1000/1h: ${text}`);
  return { requests: Number(requests), per };
}

const isPeriod = (per: string | undefined): per is '1s' | '1m' | '1h' =>
  per === '1s' || per === '1m' || per === '1h';

/** @returns the fields of the request for a key. Undefined fields are left out of the request */
export const keyGrantFrom = ({
  scope,
  projectId,
  environment,
  allowedCidr,
  rateLimit,
  expiresIn: lifetime,
}: GrantOptions) => ({
  scopes: scope as ApiKeyCreateRequest['scopes'] | undefined,
  projectIds: projectId,
  environments: environment,
  allowedCidrs: allowedCidr,
  rateLimit: rateLimitFrom(rateLimit),
  expiresIn: lifetime,
});

type EndOptions = Pick<GrantOptions, 'expiresIn'> & { expiresAt?: string; idempotencyKey?: string };

const hourMs = 3_600_000;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };

/** @returns the end of an identity, whose request has no lifetime; undefined without an option */
export function expiresAtFrom(options: EndOptions, nowMs: number): string | undefined {
  const { expiresIn: lifetime, expiresAt, idempotencyKey } = options;
  if (lifetime === undefined)
    return expiresAt === undefined ? undefined : timeFrom('--expires-at', expiresAt, undefined, nowMs);
  if (expiresAt !== undefined) throw usageError('Give --expires-in or --expires-at, not both.');
  const [, count, unit = ''] = /^([1-9]\d{0,3})([hdw])$/.exec(lifetime) ?? [];
  const ms = unitMs[unit];
  if (count === undefined || ms === undefined)
    throw usageError(
      `--expires-in must be a whole number of hours, days or weeks, such as 12h, 30d or 4w: ${lifetime}`,
    );
  const end = new Date(nowMs + Number(count) * ms).toISOString();
  // A repetition would send another time with the same key, which the service refuses: idempotency_key_reused.
  if (idempotencyKey !== undefined)
    throw usageError(
      '--expires-in counts from now, so a repetition with the same --idempotency-key would be another request.',
      `Name the time: --expires-at ${end}`,
    );
  return end;
}
