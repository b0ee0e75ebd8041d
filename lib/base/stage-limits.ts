/** The limits of a stage hold for all of its tenants. Live data and test data have separate settings. */

import type { Mode } from './caller.ts';
import type { RateLimit } from './rate-limit.ts';

/** The amounts that a tenant may store in a day (UTC). */
export const dailyQuotas = ['documents', 'bytes', 'conversations', 'messages'] as const;
export type DailyQuota = (typeof dailyQuotas)[number];
/** The numbers that a tenant may have at the same time. */
export const concurrentQuotas = ['jobs', 'waits'] as const;
/** The dollars that a tenant may spend on models in a day (UTC). It is not in `dailyQuotas`, whose order is stored. */
export const costQuota = 'modelCostUsd';
/** The replies of an organisation whose models are asked at the same time. Others wait. */
export const replyQuota = 'replies';
export type QuotaName = DailyQuota | (typeof concurrentQuotas)[number] | typeof costQuota | typeof replyQuota;

/** Nothing is counted for a quota that is left out. */
export type Quotas = Readonly<Partial<Record<QuotaName, number>>>;

export type TenantLimits = { rateLimit: RateLimit | null; quotas: Quotas };
export type StageLimits = Readonly<Record<Mode, TenantLimits>>;

/** Test traffic cannot take the capacity of live traffic. */
export const defaultLimits: StageLimits = {
  live: { rateLimit: null, quotas: {} },
  test: { rateLimit: { requests: 6000, per: '1m' }, quotas: {} },
};

export const limitsVariable = 'LIMITS';

/** @throws SyntaxError if it is not JSON */
export const readLimits = (env: Readonly<Record<string, string | undefined>>): StageLimits =>
  env[limitsVariable] ? JSON.parse(env[limitsVariable]) : defaultLimits;
