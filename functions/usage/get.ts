import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { getJobPlaces } from '../../lib/jobs/store.ts';
import { Usage } from '../../lib/limits/schema.ts';
import { getUses, resetMs } from '../../lib/limits/store/quotas.ts';
import { dailyQuotas, type QuotaName } from '../../lib/stage-limits.ts';
import { timestamp } from '../../lib/time.ts';
import { getWaits } from '../../lib/waits/store.ts';

export default defineEndpoint({
  id: 'usage.get',
  method: 'GET',
  path: '/usage',
  summary: 'Get limits and usage',
  description:
    'Returns the limits of the calling credential and of its organisation, for the mode of the credential, and what is used ' +
    'of each quota. Requires no scope. `used` is null for a quota that does not exist, and for a key that is ' +
    'bound to projects, because it must not learn what other projects do.',
  auth: 'any',
  responses: { 200: Usage },
  access: { idempotency: ['Query'], jobs: ['BatchGetItem'], limits: ['BatchGetItem', 'Query'] },

  async handle({ caller, limits, store, nowMs }) {
    const { quotas, rateLimit } = limits;
    const isShown = caller.projectIds === null;
    const [stored, jobs, waits] = await Promise.all([
      isShown ? getUses(store, quotas, nowMs) : {},
      isShown && quotas.jobs !== undefined ? getJobPlaces(store, nowMs) : undefined,
      isShown && quotas.waits !== undefined ? getWaits(store, nowMs) : undefined,
    ]);
    const used: Partial<Record<QuotaName, number | undefined>> = {
      ...stored,
      jobs: jobs?.taken.length,
      waits: waits?.length,
    };
    const resetsAt = timestamp(resetMs(nowMs));
    const daily = (name: QuotaName) => (dailyQuotas as readonly QuotaName[]).includes(name);
    const show = (name: QuotaName) => ({
      limit: quotas[name] ?? null,
      used: used[name] ?? null,
      resetsAt: quotas[name] !== undefined && daily(name) ? resetsAt : null,
    });
    return {
      status: 200,
      data: {
        mode: caller.mode,
        rateLimits: { key: caller.rateLimit, organisation: rateLimit },
        quotas: {
          documents: show('documents'),
          bytes: show('bytes'),
          conversations: show('conversations'),
          messages: show('messages'),
          jobs: show('jobs'),
          waits: show('waits'),
        },
      },
    };
  },
});
