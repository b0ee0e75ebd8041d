import { usdOf } from '../../lib/base/money.ts';
import { type concurrentQuotas, type DailyQuota, dailyQuotas } from '../../lib/base/stage-limits.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { getJobPlaces } from '../../lib/jobs/store.ts';
import { Usage } from '../../lib/limits/schema/usage.ts';
import { getDaySum } from '../../lib/limits/store/day-sums.ts';
import { getModelCost } from '../../lib/limits/store/model-cost.ts';
import { getUses, resetMs } from '../../lib/limits/store/quotas.ts';
import { getWaits } from '../../lib/limits/waits/store.ts';

export default defineEndpoint({
  id: 'usage.get',
  method: 'GET',
  path: '/usage',
  summary: 'Get limits and usage',
  description:
    'Returns the limits of the calling credential and of its organisation, for the mode of the credential, and ' +
    'the usage, even without a quota. Requires no scope. `used` is null for a key that is bound to projects, ' +
    'because the usage includes other projects.\n\nWith a quota, `used` is exact. Without a quota, data that is ' +
    'stored in a day is counted within seconds: `countedThrough` is the time of the latest counted change. What models cost is ' +
    'always exact.',
  auth: 'any',
  responses: { 200: Usage },
  access: { idempotency: ['Query'], jobs: ['BatchGetItem'], limits: ['BatchGetItem', 'Query'] },

  async handle({ caller, limits, store, nowMs }) {
    const { quotas, rateLimit } = limits;
    const isShown = caller.projectIds === null;
    const needsSums = isShown && dailyQuotas.some((name) => quotas[name] === undefined);
    const [exactUses, sums, jobs, waits, modelCost] = await Promise.all([
      getUses(store, isShown ? quotas : {}, nowMs),
      needsSums ? getDaySum(store, nowMs) : undefined,
      isShown && quotas.jobs !== undefined ? getJobPlaces(store, { nowMs, caller }) : undefined,
      isShown ? getWaits(store, nowMs) : undefined,
      isShown ? getModelCost(store, nowMs) : undefined,
    ]);
    const now = timestamp(nowMs);
    const concurrentUse = (name: (typeof concurrentQuotas)[number], used: number | undefined) => ({
      limit: quotas[name] ?? null,
      used: used ?? null,
      countedThrough: used === undefined ? null : now,
      resetsAt: null,
    });
    const dailyUse = (name: DailyQuota) => ({
      limit: quotas[name] ?? null,
      used: isShown ? (exactUses[name] ?? sums?.[name] ?? 0) : null,
      countedThrough: exactUses[name] === undefined ? (sums?.countedThrough ?? null) : now,
      resetsAt: timestamp(resetMs(nowMs)),
    });
    return {
      status: 200,
      data: {
        mode: caller.mode,
        rateLimits: { key: caller.rateLimit, parents: caller.limitedBy.slice(), organisation: rateLimit },
        quotas: {
          documents: dailyUse('documents'),
          bytes: dailyUse('bytes'),
          conversations: dailyUse('conversations'),
          messages: dailyUse('messages'),
          jobs: concurrentUse('jobs', jobs?.taken.length),
          waits: concurrentUse('waits', waits?.length),
          modelCostUsd: {
            limit: quotas.modelCostUsd ?? null,
            used: modelCost === undefined ? null : usdOf(modelCost),
            countedThrough: modelCost === undefined ? null : now,
            resetsAt: timestamp(resetMs(nowMs)),
          },
        },
      },
    };
  },
});
